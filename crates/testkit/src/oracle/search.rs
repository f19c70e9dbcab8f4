//! The search: breadth first through the states of each small world, every state and every step checked.

use super::code::{Code, Pc, compile};
use super::eval::{Stores, holds};
use super::initial::initial_stores;
use super::scope::{Scope, scopes};
use super::step::{Effect, Frame, Local, Stepper};
use super::value::Value;
use super::{Bounds, Exploration, Violation};
use plato::hir::{Formula, NeverKind, Program};
use source::{SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) fn search(program: &Program, sources: &SourceMap, bounds: &Bounds) -> Exploration {
    let code = compile(program);
    let (worlds, complete) = scopes(program);
    let mut found = Exploration { violations: Vec::new(), states: 0, cut_short: !complete };
    let mut seen = BTreeSet::new();
    let count = worlds.len();
    for (at, scope) in worlds.iter().enumerate() {
        // What a small world leaves is for the larger ones.
        let states = (bounds.states - found.states.min(bounds.states)) / (count - at);
        let mut world = World::new(scope, &code, sources, Bounds { states, ..*bounds });
        world.run();
        found.states += world.states.len();
        found.cut_short |= world.cut_short;
        for violation in world.violations {
            if seen.insert((violation.code, violation.span)) {
                found.violations.push(violation);
            }
        }
        if !bounds.all && !found.violations.is_empty() {
            break;
        }
    }
    found
}

/// A state: the shared variables, and each thread's frames.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<Value>,
    threads: Vec<Vec<Frame>>,
}

/// How a state was reached.
struct Visit {
    state: State,
    /// The state before, who took the step and where; none for an initial state.
    from: Option<(usize, u32, Pc)>,
    depth: usize,
}

struct World<'s> {
    scope: &'s Scope<'s>,
    code: &'s Code<'s>,
    sources: &'s SourceMap,
    bounds: Bounds,
    states: Vec<Visit>,
    /// From hashes to positions in `states`.
    index: BTreeMap<u64, Vec<usize>>,
    queue: VecDeque<usize>,
    violations: Vec<Violation>,
    seen: BTreeSet<(&'static str, Span)>,
    cut_short: bool,
}

/// A step that is taken.
struct Taken {
    from: usize,
    tid: u32,
    pc: Pc,
}

impl<'s> World<'s> {
    fn new(
        scope: &'s Scope<'s>,
        code: &'s Code<'s>,
        sources: &'s SourceMap,
        bounds: Bounds,
    ) -> Self {
        Self {
            scope,
            code,
            sources,
            bounds,
            states: Vec::new(),
            index: BTreeMap::new(),
            queue: VecDeque::new(),
            violations: Vec::new(),
            seen: BTreeSet::new(),
            cut_short: false,
        }
    }

    fn run(&mut self) {
        let (stores, complete) = initial_stores(self.scope, self.bounds.stores);
        self.cut_short |= !complete;
        for globals in stores {
            self.start(globals);
        }
        while let Some(at) = self.queue.pop_front() {
            if !self.bounds.all && !self.violations.is_empty() {
                return;
            }
            if self.states[at].depth >= self.bounds.depth {
                self.cut_short = true;
                continue;
            }
            for tid in 1..=self.scope.thread_count() {
                self.expand(at, tid);
            }
        }
    }

    fn start(&mut self, globals: Vec<Value>) {
        let thread = |id: &plato::hir::ThreadId| {
            let locals =
                vec![Value::Unset; self.scope.program.threads[id.index()].body.locals.len()];
            vec![Frame { pc: self.code.threads[id.index()], locals }]
        };
        let threads = self.scope.threads.iter().map(thread).collect();
        let Some(at) = self.visit(State { globals, threads }, None) else { return };
        let state = self.states[at].state.clone();
        let broken: Vec<(&'static str, Span)> = self
            .scope
            .program
            .invariants
            .iter()
            .filter(|invariant| self.is_false(&invariant.expr, &state))
            .map(|invariant| ("invariant-not-initial", invariant.span))
            .chain(self.reached_nevers(&state))
            .collect();
        for (code, span) in broken {
            self.report(code, span, at, None);
        }
    }

    fn is_false(&self, expr: &plato::hir::Expr, state: &State) -> bool {
        holds(self.scope, Stores::global(&state.globals), expr) == Ok(false)
    }

    fn reached_nevers(&self, state: &State) -> Vec<(&'static str, Span)> {
        let mut reached = Vec::new();
        for never in &self.scope.program.nevers {
            if let NeverKind::Formula(expr) = &never.kind
                && holds(self.scope, Stores::global(&state.globals), expr) == Ok(true)
            {
                reached.push(("never-reached", never.span));
            }
        }
        reached
    }

    /// All steps of one thread in one state.
    fn expand(&mut self, at: usize, tid: u32) {
        let state = self.states[at].state.clone();
        let stepper = Stepper { scope: self.scope, code: self.code, tid };
        let thread = tid as usize - 1;
        let local = Local { globals: state.globals.clone(), frames: state.threads[thread].clone() };
        for (pc, effect) in stepper.steps(&local) {
            match effect {
                Effect::Wrong(code, span) => self.report(code, span, at, Some((tid, pc))),
                Effect::Unknown => self.cut_short = true,
                Effect::Next(after) => {
                    self.check_step(&state, &after.globals, &Taken { from: at, tid, pc });
                    let mut threads = state.threads.clone();
                    threads[thread] = after.frames;
                    self.visit(State { globals: after.globals, threads }, Some((at, tid, pc)));
                }
            }
        }
    }

    /// The step keeps the invariants, and does to every other thread what that thread relies on.
    fn check_step(&mut self, before: &State, after: &[Value], taken: &Taken) {
        let span = self.code.span(taken.pc).or_else(|| self.caller_span(taken));
        let Some(span) = span else { return };
        let mut codes: Vec<&'static str> = Vec::new();
        for other in (1..=self.scope.thread_count()).filter(|&other| other != taken.tid) {
            let id = self.scope.threads[other as usize - 1];
            let program = self.scope.program;
            let mut relies = program.relies.iter().chain(&program.threads[id.index()].relies);
            let stores = Stores {
                globals: &before.globals,
                locals: &[],
                after: Some((after, &[])),
                tid: other,
            };
            let broken = |rely: &Formula| holds(self.scope, stores, &rely.expr) == Ok(false);
            if relies.any(broken) {
                codes.push("rely-violated");
            }
        }
        if before.globals != after {
            let state = State { globals: after.to_vec(), threads: Vec::new() };
            if self.scope.program.invariants.iter().any(|one| self.is_false(&one.expr, &state)) {
                codes.push("invariant-broken");
            }
            if !self.reached_nevers(&state).is_empty() {
                codes.push("never-reached");
            }
        }
        for code in codes {
            self.report(code, span, taken.from, Some((taken.tid, taken.pc)));
        }
    }

    /// The end of a procedure is told by its call.
    fn caller_span(&self, taken: &Taken) -> Option<Span> {
        let frames = &self.states[taken.from].state.threads[taken.tid as usize - 1];
        let caller = frames.len().checked_sub(2)?;
        self.code.span(frames[caller].pc)
    }

    /// Remembers a state, and checks loop invariants in it. Nothing if there is no room for it.
    fn visit(&mut self, state: State, from: Option<(usize, u32, Pc)>) -> Option<usize> {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let hash = hasher.finish();
        let known = self.index.get(&hash).into_iter().flatten();
        if let Some(&at) = known.into_iter().find(|&&at| self.states[at].state == state) {
            return Some(at);
        }
        if self.states.len() >= self.bounds.states {
            self.cut_short = true;
            return None;
        }
        let at = self.states.len();
        let depth = from.map_or(0, |(before, ..)| self.states[before].depth + 1);
        self.index.entry(hash).or_default().push(at);
        self.queue.push_back(at);
        self.states.push(Visit { state, from, depth });
        self.check_heads(at);
        Some(at)
    }

    fn check_heads(&mut self, at: usize) {
        for tid in 1..=self.scope.thread_count() {
            let state = &self.states[at].state;
            let frames = state.threads[tid as usize - 1].clone();
            let local = Local { globals: state.globals.clone(), frames };
            let stepper = Stepper { scope: self.scope, code: self.code, tid };
            let from = self.states[at].from;
            for (branch, head, invariant) in stepper.broken_heads(&local) {
                let entered =
                    from.is_none_or(|(_, by, pc)| by == tid && !(head..branch.end).contains(&pc));
                let code = if entered {
                    "loop-invariant-not-established"
                } else {
                    "loop-invariant-not-preserved"
                };
                self.report(code, invariant.span, at, None);
            }
        }
    }

    fn report(&mut self, code: &'static str, span: Span, at: usize, step: Option<(u32, Pc)>) {
        if !self.seen.insert((code, span)) {
            return;
        }
        let mut lines = Vec::new();
        if let Some((tid, pc)) = step {
            lines.push(self.describe(tid, pc));
        }
        let mut next = Some(at);
        while let Some(at) = next {
            let visit = &self.states[at];
            lines.push(format!("    {}", self.store(&visit.state)));
            next = visit.from.map(|(before, tid, pc)| {
                lines.push(self.describe(tid, pc));
                before
            });
        }
        lines.reverse();
        let line = self.sources.line_column(span).0;
        self.violations.push(Violation { code, span, line, trace: lines.join("\n") });
    }

    fn describe(&self, tid: u32, pc: Pc) -> String {
        let name = self.scope.thread_name(tid);
        match self.code.span(pc) {
            Some(span) => {
                let text = self.sources.text(span).lines().next().unwrap_or_default();
                format!("{name}, line {}: {text}", self.sources.line_column(span).0)
            }
            None => format!("{name}: returns"),
        }
    }

    fn store(&self, state: &State) -> String {
        let mut text = String::new();
        for (global, value) in self.scope.program.globals.iter().zip(&state.globals) {
            let _ = write!(text, "{} = {value}; ", global.name);
        }
        for (tid, frames) in (1..).zip(&state.threads) {
            let locals = frames.iter().flat_map(|frame| &frame.locals);
            let locals: Vec<String> = locals.map(ToString::to_string).collect();
            if !locals.is_empty() {
                let _ = write!(text, "| thread {tid}: {} ", locals.join(", "));
            }
        }
        text
    }
}
