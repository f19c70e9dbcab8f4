//! What is written while code is lowered: the guarded commands, and the tables that say what stands
//! in them.

use crate::task::Shown;
use gcl::{BlockLabel, Check, MarkId, MarkKind, Marks, Obligations, Stmt as Command};
use logic::{Symbol, Term};
use source::Span;
use std::collections::BTreeMap;
use verdict::{Obligation, StopReason};

/// The guarded commands of a task under construction, and what its tables will say of them.
#[derive(Debug)]
pub(super) struct Emit {
    /// The commands written so far; nested lists are swapped in and out.
    pub(super) out: Vec<Command>,
    /// How many labels were handed out.
    labels: u32,
    pub(super) marks: Marks,
    pub(super) obligations: Obligations,
    /// Per variable what is true of all its values.
    pub(super) variables: BTreeMap<Symbol, Option<Term>>,
    pub(super) shown: BTreeMap<Symbol, Shown>,
    pub(super) undecided: Vec<(Obligation, StopReason)>,
    /// The statement that is being lowered.
    pub(super) current: Option<Span>,
    /// Whether the next statement may be unreachable although this one is not.
    pub(super) narrowed: bool,
}

impl Emit {
    /// Nothing is written yet.
    pub(super) fn new() -> Self {
        Self {
            out: Vec::new(),
            labels: 0,
            marks: Marks::default(),
            obligations: Obligations::default(),
            variables: BTreeMap::new(),
            shown: BTreeMap::new(),
            undecided: Vec::new(),
            current: None,
            narrowed: true,
        }
    }

    /// Writes a command.
    pub(super) fn push(&mut self, command: Command) {
        self.out.push(command);
    }

    /// Only runs in which the formula holds go on.
    pub(super) fn assume(&mut self, term: Term) {
        self.push(Command::Assume(term));
    }

    /// The same for an operation of the program that waits for the formula: perhaps no run goes on.
    pub(super) fn block_unless(&mut self, term: Term) {
        self.assume(term);
        self.narrowed = true;
    }

    /// All variables get their new values at once.
    pub(super) fn assign(&mut self, pairs: Vec<(Symbol, Term)>) {
        self.push(Command::Assign(pairs));
    }

    /// The same, and no command if there are none.
    pub(super) fn assign_any(&mut self, pairs: Vec<(Symbol, Term)>) {
        if !pairs.is_empty() {
            self.assign(pairs);
        }
    }

    /// The variables get arbitrary values.
    pub(super) fn havoc(&mut self, symbols: Vec<Symbol>) {
        self.push(Command::Havoc(symbols));
    }

    /// A name for a block.
    pub(super) fn label(&mut self) -> BlockLabel {
        self.labels += 1;
        BlockLabel(self.labels)
    }

    /// Leaves for the end of a block; what follows in this one is not reached.
    pub(super) fn jump(&mut self, label: Option<BlockLabel>) {
        self.out.extend(label.map(Command::Exit));
        self.narrowed = true;
    }

    /// A point to be shown in runs.
    pub(super) fn mark(
        &mut self,
        kind: MarkKind,
        span: impl Into<Option<Span>>,
        text: &str,
    ) -> MarkId {
        let mark = self.marks.add(kind, span.into(), text);
        self.push(Command::Mark(mark));
        mark
    }

    /// Some run should get here and satisfy the formula.
    pub(super) fn cover(&mut self, about: Obligation, term: Term) {
        let id = self.obligations.id(about, Vec::new());
        self.push(Command::Cover(term, id));
    }

    /// A check of the current statement itself, with the mark that shows where the run ends if it
    /// fails.
    pub(super) fn check(&mut self, about: Obligation, parts: Vec<(Term, Span)>) {
        self.check_then(about, parts, true);
    }

    /// The same; `then_known` says whether runs end where it fails.
    pub(super) fn check_then(
        &mut self,
        about: Obligation,
        parts: Vec<(Term, Span)>,
        then_known: bool,
    ) {
        let span = self.current.unwrap_or(about.span);
        self.mark(MarkKind::Attempt, span, "");
        let check = self.known_check(about, parts);
        self.push(Command::Assert(vec![Check { then_known, ..check }]));
    }

    /// A check that runs may use afterwards.
    pub(super) fn known_check(&mut self, about: Obligation, parts: Vec<(Term, Span)>) -> Check {
        let (parts, spans) = parts.into_iter().unzip();
        Check { parts, obligation: self.obligations.id(about, spans), then_known: true }
    }

    /// What a run does from here on is not known, so that nothing that follows is verified.
    /// `falsity` is the term `false`.
    pub(super) fn give_up(&mut self, unknown: Option<(Obligation, StopReason)>, falsity: Term) {
        self.undecided.extend(unknown);
        self.assume(falsity);
    }
}
