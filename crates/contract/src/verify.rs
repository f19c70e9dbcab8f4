//! Everything that a system promises, decided by a search of all its states.

use crate::explain;
use crate::model::{ACCESS, CIRCULAR_WAIT, FIRST_PROPERTY, Model, ORPHANED_WAIT, RELEASED, STUCK};
use crate::property::{Claim, starvation};
use crate::system::{Policy, System};
use search::{Budget, Options, explore};
use source::Span;
use verdict::{Evidence, StopReason, Trace};

/// Something that a system promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The code under which a broken promise is reported.
    pub code: &'static str,
    /// Where it stands.
    pub span: Span,
}

/// What was found out about a system under a policy.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The policy.
    pub policy: Policy,
    /// Every promise, in a fixed order: no circular wait comes first.
    pub goals: Vec<(Goal, Found)>,
    /// What was tried, in a few words each.
    pub tried: Vec<String>,
}

/// What was found out about one promise.
#[derive(Clone, Debug)]
pub enum Found {
    /// It is kept in every run.
    Holds(Evidence),
    /// It is broken.
    Violated(Box<Refutation>),
    /// Neither is known.
    Open(StopReason),
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
const ALWAYS: [(u32, &str); 5] = [
    (CIRCULAR_WAIT, "circular-wait"),
    (STUCK, "deadlock"),
    (ORPHANED_WAIT, "orphaned-wait"),
    (ACCESS, "access-outside-realm"),
    (RELEASED, "active-unit-released"),
];

/// Decides all promises of a system under a policy.
pub fn verify(system: &System, policy: Policy, budget: &Budget<'_>) -> Verified {
    let mut model = Model::new(system, policy, budget.bytes);
    let symmetry = model.is_symmetric();
    let options = Options { all: true, symmetry, ..Options::default() };
    let report = explore(&mut model, budget, &options);
    let end = match &report.cut {
        Some(reason) => format!("ended early: {reason}"),
        None => "all of them".to_owned(),
    };
    let alike = if symmetry { ", interchangeable threads counted as one" } else { "" };
    let name = &system.name;
    let tried = format!("{name}, policy {policy}: {} states{alike}, {end}", report.states);
    let found = |fault: u32| {
        if let Some(violation) = report.violations.iter().find(|one| one.fault == fault) {
            let replayed = model.replay(&violation.run);
            return Found::Violated(Box::new(explain::refutation(
                system, policy, fault, &replayed,
            )));
        }
        match &report.cut {
            None => Found::Holds(Evidence::Exhausted { states: report.states }),
            Some(reason) => Found::Open(reason.clone()),
        }
    };
    let mut goals = Vec::new();
    for (fault, code) in ALWAYS {
        goals.push((Goal { code, span: system.span }, found(fault)));
    }
    for (fault, property) in (FIRST_PROPERTY..).zip(&system.properties) {
        let goal = Goal { code: property.code(), span: property.span };
        let found = match &property.claim {
            Claim::NoStarvation(threads) => {
                match starvation::check(system, policy, threads, budget) {
                    starvation::Answer::None { states } => {
                        Found::Holds(Evidence::Exhausted { states })
                    }
                    starvation::Answer::Starved(mut refutation) => {
                        refutation.span = property.span;
                        Found::Violated(refutation)
                    }
                    starvation::Answer::Cut(reason) => Found::Open(reason),
                }
            }
            Claim::Never(_) | Claim::Always(_) | Claim::NoInterference => found(fault),
        };
        goals.push((goal, found));
    }
    Verified { policy, goals, tried: vec![tried] }
}

/// All promises of a system, none of them decided.
pub fn undecided(system: &System, policy: Policy, why: &StopReason) -> Verified {
    let mut goals = Vec::new();
    for (_, code) in ALWAYS {
        goals.push((Goal { code, span: system.span }, Found::Open(why.clone())));
    }
    for property in &system.properties {
        let goal = Goal { code: property.code(), span: property.span };
        goals.push((goal, Found::Open(why.clone())));
    }
    Verified { policy, goals, tried: Vec::new() }
}
