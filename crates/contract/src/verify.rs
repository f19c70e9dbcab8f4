//! Everything that a system promises, decided by searches.

use crate::any_size;
use crate::hygiene::Seen;
use crate::model::{ACCESS, CIRCULAR_WAIT, FIRST_PROPERTY, ORPHANED_WAIT, RELEASED, STUCK};
use crate::property::Claim;
use crate::rungs::{Searched, Starving};
use crate::system::{Policy, System};
use diagnostic::Code;
use search::{Answer, Budget, Engine, Ladder};
use source::Span;
use verdict::Trace;

/// Something that a system promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The code under which a broken promise is reported.
    pub code: Code,
    /// Where it stands.
    pub span: Span,
}

/// What was found out about a system under a policy.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The policy.
    pub policy: Policy,
    /// Every promise, in a fixed order: no circular wait comes first.
    pub goals: Vec<(Goal, Answer<Box<Refutation>>)>,
    /// What was tried, in a few words each.
    pub tried: Vec<String>,
    /// All that happens in its runs, if that is known.
    pub seen: Option<Seen>,
}

/// How a promise is broken.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// A shortest run.
    pub trace: Trace,
    /// Where the text is at fault.
    pub span: Span,
    /// One line that says what is wrong.
    pub message: String,
    /// Other places that matter.
    pub labels: Vec<(Span, String)>,
    /// Facts that help understanding.
    pub notes: Vec<String>,
    /// What would repair it.
    pub help: Vec<String>,
}

/// The promises that every system makes, by fault.
pub(crate) const ALWAYS: [(u32, Code); 5] = [
    (CIRCULAR_WAIT, Code::CircularWait),
    (STUCK, Code::Deadlock),
    (ORPHANED_WAIT, Code::OrphanedWait),
    (ACCESS, Code::AccessOutsideRealm),
    (RELEASED, Code::ActiveUnitReleased),
];

/// Decides all promises of a system under a policy.
pub fn verify(system: &System, policy: Policy, engine: Engine, budget: &Budget<'_>) -> Verified {
    if let Some(sizes) = &system.sizes {
        return any_size::verify(system, sizes, (policy, engine), budget);
    }
    let mut model = Searched { system, policy, budget, candidate: None, seen: None };
    let rungs = model.rungs(engine);
    let mut ladder = Ladder::new(engine, model.faults());
    ladder.climb(&mut model, &rungs, &[budget.states]);
    if let Some(run) = model.candidate.take() {
        ladder.violated(Engine::ThreadModular.name(), CIRCULAR_WAIT, run);
    }
    let mut climbed = ladder.finish();
    let mut goals = Vec::new();
    for (fault, code) in ALWAYS {
        goals.push((Goal { code, span: system.span }, climbed.take(&fault)));
    }
    for (fault, property) in (FIRST_PROPERTY..).zip(&system.properties) {
        let goal = Goal { code: property.code(), span: property.span };
        let answer = match &property.claim {
            Claim::NoStarvation(threads) => {
                let mut model = Starving { system, policy, threads, span: property.span, budget };
                let mut ladder = Ladder::new(engine, [fault]);
                ladder.climb(&mut model, &[Starving::rung()], &[budget.states]);
                let mut starved = ladder.finish();
                climbed.tried.append(&mut starved.tried);
                starved.take(&fault)
            }
            Claim::Never(_) | Claim::Always(_) | Claim::NoInterference => climbed.take(&fault),
        };
        goals.push((goal, answer));
    }
    Verified { policy, goals, tried: climbed.tried, seen: model.seen }
}

/// All promises of a system, in their order.
pub(crate) fn promises(system: &System) -> Vec<Goal> {
    let always = ALWAYS.iter().map(|(_, code)| Goal { code: *code, span: system.span });
    let properties = system.properties.iter();
    let properties = properties.map(|one| Goal { code: one.code(), span: one.span });
    always.chain(properties).collect()
}
