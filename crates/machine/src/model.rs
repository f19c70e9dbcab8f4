//! A machine as a model for `search`.

use crate::eval::Stores;
use crate::graph::Node;
use crate::initial::initial_stores;
use crate::properties::Fault;
use crate::step::Frame;
use crate::tables::{Machine, NONE};
use crate::value::Value;
use crate::watch::MANY_ACTIVATIONS;
use diagnostic::Code;
use plato::hir::{LabelId, Root, StmtKind};
use search::{Effect, FrameEffect, FrameStep, Global, Local, Stacked, Step, Threads};
use verdict::StopReason;

impl Threads for Machine<'_> {
    fn count(&self) -> usize {
        self.scope.threads.len()
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        if let Some(starts) = &self.starts {
            return starts.clone();
        }
        let (stores, complete) = initial_stores(&self.scope, self.settings.initial_stores);
        self.initial_cut = !complete;
        let program = self.scope.program;
        let mut locals = Vec::new();
        for id in self.scope.threads.clone() {
            let count = program.threads[id.index()].body.locals.len();
            let frame =
                Frame { pc: self.code.threads[id.index()], locals: vec![Value::Unset; count] };
            let frame = self.frames.intern(frame);
            locals.push(self.stacks.intern((frame, NONE, NONE)));
        }
        let start = |store| (self.stores.intern(store), locals.clone());
        let starts: Vec<(Global, Vec<Local>)> = stores.into_iter().map(start).collect();
        self.starts = Some(starts.clone());
        starts
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let (frame, rest) = self.top(local);
        for step in self.steps_of_frame(thread, global, frame).to_vec() {
            if step.effect != FrameEffect::Pop {
                into.push(self.on_stack(thread, global, step, local));
                continue;
            }
            let Some(below) = rest else { continue };
            let ended = self.end_watch(thread, global, local);
            let (caller, _) = self.top(below);
            for step in self.steps_of_caller(thread, global, frame, caller).to_vec() {
                let mut step = self.on_stack(thread, global, step, below);
                step.faults.extend(&ended);
                into.push(step);
            }
        }
    }

    fn initial_faults(&mut self, global: Global, locals: &[Local]) -> Vec<search::Fault> {
        let mut faults = self.initial_store_faults(global);
        for (thread, &local) in locals.iter().enumerate() {
            let moment = self.moment(global, local);
            for (_, _, invariant) in self.stepper(thread).broken_heads(&moment) {
                let code = Code::LoopInvariantNotEstablished;
                faults.push(Fault { code, span: invariant.span, declared: None });
            }
        }
        let heads = faults.iter().filter(|fault| fault.code == Code::LoopInvariantNotEstablished);
        self.own_heads.extend(heads.map(|fault| fault.span));
        faults.into_iter().map(|fault| self.report(fault)).collect()
    }

    /// Threads that have ended, and threads that wait for a mutex that is held.
    fn is_idle(&mut self, global: Global, local: Local) -> bool {
        let &(frame, rest, _) = self.stacks.get(local);
        match &self.code.nodes[self.frames.get(frame).pc] {
            Node::End => rest == NONE,
            Node::Op(stmt, _) => match &stmt.kind {
                StmtKind::Acquire(place) if place.indices.is_empty() => match place.root {
                    // One that is guarded itself must be looked at: the access may be wrong.
                    Root::Global(id) => {
                        self.scope.program.globals[id.index()].guard.is_none()
                            && self.stores.get(global)[id.index()] != Value::Tid(0)
                    }
                    Root::Local(_) => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    fn is_watched(&mut self, thread: usize, global: Global, local: Local) -> bool {
        let (frame, _) = self.top(local);
        self.properties.labelled[self.frames.get(frame).pc]
            || self.properties.has_atomic && !self.is_inside(local)
            || !self.properties.races.is_empty() && {
                let touched = self.touched(thread, global, local);
                let is_raced = |at| self.properties.races.iter().any(|(on, _)| on.contains(&at));
                touched.iter().any(|touched| is_raced(touched.global))
            }
    }

    fn quorum(&self) -> Option<usize> {
        self.properties.quorum
    }

    fn bad(&mut self, global: Global, locals: &[Local]) -> Vec<search::Fault> {
        let mut faults = self.settled_faults(global, locals);
        if !self.properties.nevers.is_empty() {
            let labels: Vec<Vec<LabelId>> =
                locals.iter().map(|&local| self.code.labels(self.pc(local)).to_vec()).collect();
            let stores =
                Stores { labels: Some(&labels), ..Stores::global(self.stores.get(global)) };
            for (formula, span) in &self.properties.nevers {
                if self.is(stores, formula, true) {
                    faults.push(Fault { code: Code::NeverReached, span: *span, declared: None });
                }
            }
        }
        if !self.properties.races.is_empty() {
            faults.extend(self.races(global, locals));
        }
        faults.into_iter().map(|fault| self.report(fault)).collect()
    }

    fn stuck(&mut self, _: Global, locals: &[Local]) -> Vec<search::Fault> {
        let may_stay = |(thread, &local): (usize, &Local)| {
            self.is_ended(local) || self.awaits_fork(thread, local)
        };
        if locals.iter().enumerate().all(may_stay) {
            return Vec::new();
        }
        let spans = self.properties.deadlocks.clone().into_iter();
        spans
            .map(|span| self.report(Fault { code: Code::Deadlock, span, declared: None }))
            .collect()
    }

    fn canonical(&mut self, global: Global, locals: &mut [Local]) -> (Global, Vec<usize>) {
        let places = self.order(global, locals);
        let (global, renamed) = self.renamed(global, locals, &places);
        locals.copy_from_slice(&renamed);
        (global, places)
    }

    fn renamed(
        &mut self,
        global: Global,
        locals: &[Local],
        places: &[usize],
    ) -> (Global, Vec<Local>) {
        self.with_names(global, locals, places)
    }

    fn control(&self, local: Local) -> u32 {
        source::number(self.pc(local))
    }

    fn exceeded(&self) -> Option<StopReason> {
        let most = self.settings.numbers as usize;
        let is_over =
            self.stores.len() > most || self.frames.len() > most || self.stacks.len() > most;
        is_over.then_some(StopReason::MemoryLimit)
    }
}

impl Stacked for Machine<'_> {
    fn initial_frames(&mut self) -> Vec<(Global, Vec<u32>)> {
        let starts = self.initial();
        let frames = |locals: Vec<Local>| locals.iter().map(|&local| self.top(local).0).collect();
        starts.into_iter().map(|(global, locals)| (global, frames(locals))).collect()
    }

    fn frame_steps(
        &mut self,
        thread: usize,
        global: Global,
        frame: u32,
        into: &mut Vec<FrameStep>,
    ) {
        into.extend_from_slice(self.steps_of_frame(thread, global, frame));
    }

    fn resume(
        &mut self,
        thread: usize,
        global: Global,
        callee: u32,
        caller: u32,
    ) -> Vec<FrameStep> {
        self.steps_of_caller(thread, global, callee, caller).to_vec()
    }

    fn alone(&mut self, frame: u32) -> Local {
        self.stacks.intern((frame, NONE, NONE))
    }
}

impl Machine<'_> {
    /// The place in the code of the innermost frame.
    pub(crate) fn pc(&self, local: Local) -> usize {
        self.frames.get(self.top(local).0).pc
    }

    /// Whether a thread waits to be forked. Nobody need do that.
    fn awaits_fork(&self, thread: usize, local: Local) -> bool {
        let id = self.scope.threads[thread];
        self.scope.program.threads[id.index()].is_forked
            && self.pc(local) == self.code.threads[id.index()]
    }

    fn moment(&self, global: Global, local: Local) -> crate::step::Moment {
        let frames = vec![self.frames.get(self.top(local).0).clone()];
        crate::step::Moment { globals: self.stores.get(global).clone(), frames }
    }

    /// The step of the innermost frame of a stack as one of the whole stack.
    fn on_stack(&mut self, thread: usize, before: Global, step: FrameStep, stack: Local) -> Step {
        let FrameStep { site, effect, mut faults } = step;
        let &(_, rest, watch) = self.stacks.get(stack);
        let effect = match effect {
            FrameEffect::Next { global, frame } => {
                let stack = self.stacks.intern((frame, rest, watch));
                let (stack, broken) = self.watch_step(thread, (before, global), stack, site);
                faults.extend(broken);
                Effect::To(global, stack)
            }
            FrameEffect::Push { .. } if self.is_watch_deep(stack) => {
                Effect::Cut(StopReason::Unrolled(MANY_ACTIVATIONS))
            }
            FrameEffect::Push { global, callee, caller } => {
                let below = self.stacks.intern((caller, rest, watch));
                let (below, broken) = self.watch_step(thread, (before, global), below, site);
                faults.extend(broken);
                let (watch, broken) = self.begin_watch(thread, global, callee, site);
                faults.extend(broken);
                Effect::To(global, self.stacks.intern((callee, below, watch)))
            }
            FrameEffect::Pop | FrameEffect::Wrong => Effect::Wrong,
            FrameEffect::Cut(reason) => Effect::Cut(reason),
        };
        Step { site, effect, faults }
    }

    /// Two threads about to access the same variable, one of them writing.
    fn races(&self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let threads = locals.iter().enumerate();
        let touched: Vec<_> =
            threads.map(|(thread, &local)| self.touched(thread, global, local)).collect();
        let mut faults = Vec::new();
        for (on, span) in &self.properties.races {
            let is_race = touched.iter().enumerate().any(|(at, one)| {
                let others = touched[at + 1..].iter().flatten();
                others.into_iter().any(|other| {
                    one.iter().any(|one| on.contains(&one.global) && one.conflicts(other))
                })
            });
            if is_race {
                faults.push(Fault { code: Code::DataRace, span: *span, declared: None });
            }
        }
        faults
    }
}
