//! The steps of the interpreter, tabulated: stores, frames and stacks are numbers.

use crate::eval::Fault as EvalFault;
use crate::footprint::Footprints;
use crate::goals::goals;
use crate::graph::{Graph, Node, Pc, compile};
use crate::order::Order;
use crate::properties::{Fault, Properties};
use crate::scope::Scope;
use crate::step::{Effect, Frame, Moment, Stepper};
use crate::value::Value;
use crate::watch::{Watch, orders};
use diagnostic::Code;
use plato::hir::{ProcId, Program};
use search::{FrameEffect, FrameStep, Global, Interner, Local, Site};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::StopReason;

/// What to check beyond what the program's own properties say, and how far to go.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether steps are compared with written relies, and loop invariants are checked. These are
    /// annotations for the deductive engine: a program that breaks them is not wrong by
    /// itself.
    pub annotations: bool,
    /// Whether steps are compared with the specifications of procedures, which makes more states.
    pub specifications: bool,
    /// Limit on initial stores.
    pub initial_stores: usize,
    /// Limit on shared stores, on frames and on stacks.
    pub numbers: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            annotations: false,
            specifications: false,
            initial_stores: 4096,
            numbers: 20_000_000,
        }
    }
}

impl Settings {
    /// What a search must look at to decide all goals of a program but those about specifications.
    pub fn of(program: &Program) -> Self {
        Self { annotations: goals(program).has_annotations(), ..Self::default() }
    }
}

/// A world, with all its steps that were asked for so far. Threads are numbered from 0.
pub struct Machine<'p> {
    pub(crate) scope: Scope<'p>,
    pub(crate) code: Graph<'p>,
    pub(crate) settings: Settings,
    pub(crate) properties: Properties<'p>,
    pub(crate) stores: Interner<Vec<Value>>,
    pub(crate) frames: Interner<Frame>,
    /// Stacks as lists: the innermost frame, the stack below it or [`NONE`], and what the
    /// specification of its procedure says of it or [`NONE`].
    pub(crate) stacks: Interner<(u32, u32, u32)>,
    /// Whether runs are compared with the specifications of procedures.
    pub(crate) watching: bool,
    pub(crate) orders: BTreeMap<ProcId, Order>,
    pub(crate) watches: Interner<Watch>,
    pub(crate) footprints: Footprints,
    /// Thread, store, frame, and the frame of the caller or [`NONE`].
    asked: Interner<(u32, u32, u32, u32)>,
    /// For each of `asked`, where its steps begin and end.
    answers: Vec<(u32, u32)>,
    steps: Vec<FrameStep>,
    pub(crate) faults: Interner<Fault>,
    /// What is wrong with each store, as far as it was asked for.
    pub(crate) broken: BTreeMap<Global, Vec<(Code, Span)>>,
    /// Loop invariants that were reported for a thread's own step.
    pub(crate) own_heads: BTreeSet<Span>,
    /// Per store and per stack whether it names no thread, as far as it was asked for.
    pub(crate) anonymous_stores: Vec<Option<bool>>,
    pub(crate) anonymous_stacks: Vec<Option<bool>>,
    /// How each store and each stack looks from each thread, as far as it was asked for
    /// (`symmetry.rs`).
    pub(crate) store_looks: Vec<Option<u64>>,
    pub(crate) stack_looks: Vec<Option<u64>>,
    /// The states in which runs start, once they were asked for: finding them may take long.
    pub(crate) starts: Option<Vec<(Global, Vec<Local>)>>,
    /// Why the initial stores are not all.
    pub(crate) initial_cut: bool,
}

/// No frame, or no stack.
pub(crate) const NONE: u32 = u32::MAX;
/// Added to the place of a call: the step in which its results are written.
pub(crate) const RETURNS: Site = 1 << 31;

impl<'p> Machine<'p> {
    /// The machine of a world.
    pub fn new(scope: Scope<'p>, mut settings: Settings) -> Self {
        // Relies, loop invariants and specifications are about the stores outside of atomic
        // procedures, and about their steps taken together, which single steps say nothing
        // of.
        let has_atomic = scope.program.procs.iter().any(|proc| proc.is_atomic);
        settings.annotations &= !has_atomic;
        settings.specifications &= !has_atomic;
        let orders = orders(scope.program);
        let watching = settings.specifications && !orders.is_empty();
        let code = compile(scope.program);
        let properties = Properties::new(&scope, &code);
        let footprints = Footprints::new(&scope, &code);
        Self {
            scope,
            code,
            settings,
            properties,
            stores: Interner::default(),
            frames: Interner::default(),
            stacks: Interner::default(),
            watching,
            orders,
            watches: Interner::default(),
            footprints,
            asked: Interner::default(),
            answers: Vec::new(),
            steps: Vec::new(),
            faults: Interner::default(),
            broken: BTreeMap::new(),
            own_heads: BTreeSet::new(),
            anonymous_stores: Vec::new(),
            anonymous_stacks: Vec::new(),
            store_looks: Vec::new(),
            stack_looks: Vec::new(),
            starts: None,
            initial_cut: false,
        }
    }

    /// The world.
    pub fn scope(&self) -> &Scope<'p> {
        &self.scope
    }

    /// What a number of a fault means.
    pub fn fault(&self, number: search::Fault) -> &Fault {
        self.faults.get(number)
    }

    /// The steps of a thread at a store and a frame; computed once.
    pub(crate) fn steps_of_frame(
        &mut self,
        thread: usize,
        global: Global,
        frame: u32,
    ) -> &[FrameStep] {
        let (start, end) = self.range(thread, global, frame, NONE);
        &self.steps[start..end]
    }

    /// What the caller does when the procedure of the frame `callee` ends.
    pub(crate) fn steps_of_caller(
        &mut self,
        thread: usize,
        global: Global,
        callee: u32,
        caller: u32,
    ) -> &[FrameStep] {
        let (start, end) = self.range(thread, global, callee, caller);
        &self.steps[start..end]
    }

    /// The innermost frame of a local state, and the local state below it.
    pub fn top(&self, local: Local) -> (u32, Option<Local>) {
        let &(frame, rest, _) = self.stacks.get(local);
        (frame, (rest != NONE).then_some(rest))
    }

    /// Whether a thread has ended.
    pub fn is_ended(&self, local: Local) -> bool {
        let (frame, rest) = self.top(local);
        let pc = self.frames.get(frame).pc;
        let is_end = |pc: &Pc| matches!(self.code.nodes[*pc], Node::End);
        rest.is_none() && self.code.ready(pc).iter().any(is_end)
    }

    /// Where a site is written in the program.
    pub fn site_span(&self, site: Site) -> Option<Span> {
        self.code.span((site & !RETURNS) as Pc)
    }

    /// Why an exhausted search of this machine would say nothing of the program.
    pub fn incomplete(&self) -> Option<StopReason> {
        let why = match &self.scope.partial {
            Some(why) => why.clone(),
            None if self.initial_cut => "not all initial stores were tried".to_owned(),
            None if self.scope.guessed.get() => {
                "the exact value of a formula, over infinitely many values or without one"
                    .to_owned()
            }
            None => return None,
        };
        Some(StopReason::Unsupported(why))
    }

    pub(crate) fn stepper(&self, thread: usize) -> Stepper<'_> {
        Stepper {
            scope: &self.scope,
            code: &self.code,
            tid: source::number(thread + 1),
            annotations: self.settings.annotations,
        }
    }

    fn range(&mut self, thread: usize, global: Global, frame: u32, caller: u32) -> (usize, usize) {
        let key = (u32::try_from(thread).unwrap_or(NONE), global, frame, caller);
        if let Some(at) = self.asked.find(&key) {
            let (start, end) = self.answers[at as usize];
            return (start as usize, end as usize);
        }
        let steps = self.compute(thread, global, frame, caller);
        let start = self.steps.len();
        self.steps.extend(steps);
        let end = self.steps.len();
        let number = |at| u32::try_from(at).expect("internal error: too many steps");
        self.asked.intern(key);
        self.answers.push((number(start), number(end)));
        (start, end)
    }

    fn compute(
        &mut self,
        thread: usize,
        global: Global,
        frame: u32,
        caller: u32,
    ) -> Vec<FrameStep> {
        if caller == NONE
            && let Some(steps) = self.steps_by_footprint(thread, global, frame)
        {
            return steps;
        }
        self.interpreted(thread, global, frame, caller)
    }

    /// The steps as the interpreter tells them, looking at the whole store.
    pub(crate) fn interpreted(
        &mut self,
        thread: usize,
        global: Global,
        frame: u32,
        caller: u32,
    ) -> Vec<FrameStep> {
        let mut frames = vec![self.frames.get(frame).clone()];
        if caller != NONE {
            frames.insert(0, self.frames.get(caller).clone());
        }
        let before = Moment { globals: self.stores.get(global).clone(), frames };
        let stepper = self.stepper(thread);
        let taken: Vec<(Site, Effect)> = if caller == NONE {
            stepper.steps(&before).into_iter().map(|(pc, effect)| (site(pc), effect)).collect()
        } else {
            let at = site(before.frames[0].pc) | RETURNS;
            let effects = stepper.leave(&before).unwrap_or_else(|fault| match fault {
                EvalFault::Wrong(_) | EvalFault::WrongAt(..) => {
                    vec![Effect::Unknown("a step without a place")]
                }
                EvalFault::Unknown(why) => vec![Effect::Unknown(why)],
            });
            effects.into_iter().map(|effect| (at, effect)).collect()
        };
        let mut steps = self.loop_heads_here(thread, &before, caller);
        for (site, effect) in taken {
            let step = self.frame_step(thread, global, site, effect);
            // Two ways to the same end are one step.
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps
    }

    fn frame_step(
        &mut self,
        thread: usize,
        global: Global,
        site: Site,
        effect: Effect,
    ) -> FrameStep {
        match effect {
            Effect::Next(after) => {
                let mut faults = self.loop_heads_reached(thread, &after, site);
                let store = self.stores.intern(after.globals);
                faults.extend(self.step_faults(thread, (global, store), site));
                let mut frames = after.frames.into_iter().map(|frame| self.frames.intern(frame));
                let effect = match (frames.next(), frames.next()) {
                    (Some(caller), Some(callee)) => {
                        FrameEffect::Push { global: store, callee, caller }
                    }
                    (Some(frame), None) => FrameEffect::Next { global: store, frame },
                    (None, _) => FrameEffect::Cut(StopReason::InternalError(
                        "a step without a frame".to_owned(),
                    )),
                };
                FrameStep { site, effect, faults }
            }
            Effect::Leave => FrameStep { site, effect: FrameEffect::Pop, faults: Vec::new() },
            Effect::Wrong(code, span) => {
                let faults = self.wrong(code, span);
                FrameStep { site, effect: FrameEffect::Wrong, faults }
            }
            Effect::Unknown(why) => {
                let effect = FrameEffect::Cut(StopReason::Unsupported(why.to_owned()));
                FrameStep { site, effect, faults: Vec::new() }
            }
        }
    }

    /// The fault of a step that goes wrong.
    pub(crate) fn wrong(&mut self, code: Code, span: Span) -> Vec<search::Fault> {
        vec![self.report(Fault { code, span, declared: None })]
    }

    /// The number of a fault.
    pub(crate) fn report(&mut self, fault: Fault) -> search::Fault {
        self.faults.intern(fault)
    }
}

pub(crate) fn site(pc: Pc) -> Site {
    u32::try_from(pc).expect("internal error: a program of more than 2^31 steps")
}
