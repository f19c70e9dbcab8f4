//! Activations of procedures: which locals are which symbols, where jumps lead, and what is
//! inlined.

use gcl::BlockLabel;
use logic::Symbol;
use plato::hir::{LabelId, LocalId, ProcId};
use std::collections::BTreeSet;

/// Inlining stops here; a program that needs more should give its procedures specifications.
const MAX_INLINED_STATEMENTS: usize = 200_000;

/// The activations that the code at hand runs in.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The innermost activation is the last.
    pub(super) stack: Vec<Frame>,
    /// The procedures whose bodies are being lowered.
    pub(super) calls: Vec<ProcId>,
    /// How many statements were lowered, each time they are.
    pub(super) inlined: usize,
    /// Procedures of which it was said that they cannot be inlined.
    pub(super) refused: BTreeSet<ProcId>,
    /// The procedures whose specifications stand for them.
    pub(super) uses: BTreeSet<ProcId>,
    /// How many numbers were handed out.
    copies: u32,
}

/// The locals and jump targets of one procedure activation.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) locals: Vec<Symbol>,
    pub(super) results: Vec<LocalId>,
    pub(super) end: BlockLabel,
    /// The loops and labelled blocks around the code at hand, innermost last.
    pub(super) exits: Vec<Exit>,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    /// The label in the program.
    pub(super) label: Option<LabelId>,
    pub(super) leave: BlockLabel,
    /// Of a loop only.
    pub(super) next: Option<BlockLabel>,
}

impl Frame {
    /// The loop or block of this label, or the innermost loop.
    pub(super) fn exit(&self, label: Option<LabelId>) -> Option<Exit> {
        let is_meant = |exit: &&Exit| match label {
            Some(_) => exit.label == label,
            None => exit.next.is_some(),
        };
        self.exits.iter().rev().find(is_meant).copied()
    }
}

impl Frames {
    /// The activation that runs.
    pub(super) fn current(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("internal error: code runs in a frame")
    }

    /// The symbols of the locals that code sees.
    pub(super) fn locals(&self) -> Vec<Symbol> {
        self.stack.last().map(|frame| frame.locals.clone()).unwrap_or_default()
    }

    /// The symbols of the locals of the body that is verified.
    pub(super) fn outermost_locals(&self) -> Vec<Symbol> {
        self.stack.first().map(|frame| frame.locals.clone()).unwrap_or_default()
    }

    /// A number that tells symbols apart which belong to one place of the code that is lowered
    /// several times.
    pub(super) fn fresh(&mut self) -> u32 {
        self.copies += 1;
        self.copies
    }

    /// Whether the body is too large for more calls to be inlined.
    pub(super) fn is_full(&self) -> bool {
        self.inlined > MAX_INLINED_STATEMENTS
    }
}
