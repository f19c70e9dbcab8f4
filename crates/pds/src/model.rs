//! What a system does, as a model for `search`.
//!
//! Shared stores are the shared states. A stack is the number of its top cell: a symbol and the
//! number of the cell below.
//!
//! Frames are one symbol each, but for two kinds. The lowest frame of a thread is what is left of
//! its stack when all that was pushed above is gone; it may be empty. And a frame that waits may
//! hold several symbols; when it is resumed, its first symbol becomes a frame of its own, so that
//! there are finitely many.

use crate::system::{Symbol, System, Target, Top};
use search::{
    Effect, Fault, FrameEffect, FrameStep, Global, Interner, Local, Stacked, Step, Threads,
};
use std::collections::BTreeMap;

/// A system ready to be searched.
#[derive(Debug)]
pub struct Model<'s> {
    pub(crate) system: &'s System,
    cells: Interner<Cell>,
    frames: Interner<Frame>,
    /// Per thread, what it can do at a shared state and a top.
    rules: Vec<Rules>,
}

type Rules = BTreeMap<(Global, Option<Symbol>), Vec<Enabled>>;

/// A rule in the numbering of all threads.
#[derive(Clone, Debug)]
struct Enabled {
    site: u32,
    to: Global,
    word: Vec<Symbol>,
}

/// The top of a stack, and the number of the rest. The empty stack is the cell [`Cell::Bottom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Cell {
    Bottom,
    Symbol(Symbol, Local),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    /// The symbols, the top first.
    word: Vec<Symbol>,
    /// Whether nothing lies below.
    is_lowest: bool,
}

impl<'s> Model<'s> {
    /// The model of a system.
    pub fn new(system: &'s System) -> Self {
        let mut site = 0;
        let mut rules = Vec::new();
        for thread in &system.threads {
            let mut table = Rules::new();
            for rule in &thread.rules {
                let enabled = Enabled { site, to: rule.to, word: rule.word.clone() };
                table.entry((rule.from, rule.top)).or_default().push(enabled);
                site += 1;
            }
            rules.push(table);
        }
        let mut cells = Interner::default();
        cells.intern(Cell::Bottom);
        Self { system, cells, frames: Interner::default(), rules }
    }

    /// The symbols of a stack, the top first.
    pub(crate) fn stack(&self, mut local: Local) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        while let &Cell::Symbol(symbol, below) = self.cells.get(local) {
            symbols.push(symbol);
            local = below;
        }
        symbols
    }

    fn top(&self, local: Local) -> Option<Symbol> {
        match *self.cells.get(local) {
            Cell::Bottom => None,
            Cell::Symbol(symbol, _) => Some(symbol),
        }
    }

    /// The stack with a word on top of it.
    fn push(&mut self, below: Local, word: &[Symbol]) -> Local {
        let push = |below, &symbol: &Symbol| self.cells.intern(Cell::Symbol(symbol, below));
        word.iter().rev().fold(below, push)
    }

    fn enabled(&self, thread: usize, global: Global, top: Option<Symbol>) -> &[Enabled] {
        self.rules[thread].get(&(global, top)).map_or(&[], Vec::as_slice)
    }

    fn frame(&mut self, word: Vec<Symbol>, is_lowest: bool) -> u32 {
        self.frames.intern(Frame { word, is_lowest })
    }

    /// A frame goes on with these symbols in place of its own; all but the first wait.
    fn goes_on(&mut self, global: Global, word: Vec<Symbol>, is_lowest: bool) -> FrameEffect {
        if word.len() < 2 {
            return FrameEffect::Next { global, frame: self.frame(word, is_lowest) };
        }
        let callee = self.frame(word[..1].to_vec(), false);
        FrameEffect::Push { global, callee, caller: self.frame(word[1..].to_vec(), is_lowest) }
    }
}

impl Threads for Model<'_> {
    fn count(&self) -> usize {
        self.system.threads.len()
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        let initial = &self.system.initial;
        let stacks = initial.stacks.iter().map(|stack| self.push(0, stack)).collect();
        vec![(initial.state, stacks)]
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let (top, below) = match *self.cells.get(local) {
            Cell::Bottom => (None, local),
            Cell::Symbol(symbol, below) => (Some(symbol), below),
        };
        for at in 0..self.enabled(thread, global, top).len() {
            let Enabled { site, to, word } = self.enabled(thread, global, top)[at].clone();
            let after = self.push(below, &word);
            into.push(Step { site, effect: Effect::To(to, after), faults: Vec::new() });
        }
    }

    fn is_watched(&mut self, thread: usize, global: Global, local: Local) -> bool {
        let top = self.top(local);
        self.system.targets.iter().any(|target| {
            let asked = target.tops[thread];
            asked != Top::Any && asked.matches(top) && at_state(target, global)
        })
    }

    fn quorum(&self) -> Option<usize> {
        let asked = |target: &Target| target.tops.iter().filter(|&&top| top != Top::Any).count();
        self.system.targets.iter().map(asked).min()
    }

    fn bad(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let tops: Vec<Option<Symbol>> = locals.iter().map(|&local| self.top(local)).collect();
        let reached = |target: &Target| {
            at_state(target, global)
                && target.tops.iter().zip(&tops).all(|(asked, &top)| asked.matches(top))
        };
        let targets = (0..).zip(&self.system.targets);
        targets.filter(|(_, target)| reached(target)).map(|(fault, _)| fault).collect()
    }
}

fn at_state(target: &Target, global: Global) -> bool {
    target.state.is_none_or(|state| state == global)
}

impl Stacked for Model<'_> {
    fn initial_frames(&mut self) -> Vec<(Global, Vec<u32>)> {
        let initial = &self.system.initial;
        let frames = initial.stacks.iter().map(|stack| self.frame(stack.clone(), true)).collect();
        vec![(initial.state, frames)]
    }

    fn frame_steps(
        &mut self,
        thread: usize,
        global: Global,
        frame: u32,
        into: &mut Vec<FrameStep>,
    ) {
        let Frame { word, is_lowest } = self.frames.get(frame).clone();
        let mut pops = None;
        for at in 0..self.enabled(thread, global, word.first().copied()).len() {
            let rule = self.enabled(thread, global, word.first().copied())[at].clone();
            let mut after = rule.word;
            after.extend(word.iter().skip(1));
            if after.is_empty() && !is_lowest {
                // What it comes to, `resume` says.
                pops.get_or_insert(rule.site);
                continue;
            }
            let effect = self.goes_on(rule.to, after, is_lowest);
            into.push(FrameStep { site: rule.site, effect, faults: Vec::new() });
        }
        let pop = |site| FrameStep { site, effect: FrameEffect::Pop, faults: Vec::new() };
        into.extend(pops.map(pop));
    }

    fn resume(
        &mut self,
        thread: usize,
        global: Global,
        callee: u32,
        caller: u32,
    ) -> Vec<FrameStep> {
        let top = self.frames.get(callee).word.first().copied();
        let Frame { word, is_lowest } = self.frames.get(caller).clone();
        let rules = self.enabled(thread, global, top).to_vec();
        let pops = rules.into_iter().filter(|rule| rule.word.is_empty());
        let resumed = pops.map(|rule| {
            let effect = self.goes_on(rule.to, word.clone(), is_lowest);
            FrameStep { site: rule.site, effect, faults: Vec::new() }
        });
        resumed.collect()
    }

    fn alone(&mut self, frame: u32) -> Local {
        let word = self.frames.get(frame).word.clone();
        self.push(0, &word)
    }
}
