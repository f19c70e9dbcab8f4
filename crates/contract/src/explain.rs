//! Why a run goes wrong, in sentences.

use crate::design::{ThreadId, UnitId};
use crate::model::{ACCESS, CIRCULAR_WAIT, FIRST_PROPERTY, ORPHANED_WAIT, RELEASED, STUCK, Site};
use crate::negotiate::Views;
use crate::property::Claim;
use crate::repair;
use crate::state::State;
use crate::steps::{Event, Violation, steps};
use crate::stuck::Lost;
use crate::system::{Policy, System};
use crate::trace::Replayed;
use crate::verify::Refutation;
use crate::waiting::{Waits, circle, waits};
use source::Span;

/// Longer circles are not described in full.
const MAX_TOLD: usize = 6;

/// What is wrong at the end of a run.
pub(crate) fn refutation(
    system: &System,
    policy: Policy,
    fault: u32,
    replayed: &Replayed,
) -> Refutation {
    let mut told = Refutation {
        trace: replayed.told(system, policy),
        span: system.span,
        message: String::new(),
        labels: Vec::new(),
        notes: Vec::new(),
        help: Vec::new(),
    };
    let state = replayed.last();
    let last = replayed.steps.last();
    match fault {
        CIRCULAR_WAIT => circular_wait(system, policy, state, &mut told),
        STUCK => stuck(system, policy, state, &mut told),
        ORPHANED_WAIT => orphaned_wait(system, policy, state, &mut told),
        ACCESS | RELEASED => {
            if let Some((thread, site, _)) = last {
                violation(system, (*thread, site), state, &mut told);
            }
        }
        _ => property(system, fault, &mut told),
    }
    told.notes.push(note(policy));
    told
}

/// What a policy means.
pub(crate) fn note(policy: Policy) -> String {
    format!("under policy `{policy}`: {}", meaning(policy))
}

/// What every thread waits for.
pub(crate) fn all_waits(system: &System, policy: Policy, state: &State) -> Vec<Waits> {
    let threads = 0..system.roots.len();
    threads.map(|thread| waits(&mut Views, system, policy, state, thread)).collect()
}

fn circular_wait(system: &System, policy: Policy, state: &State, told: &mut Refutation) {
    let waits = all_waits(system, policy, state);
    let Some(circle) = circle(&waits) else { return };
    let entailed = |thread, unit| entailed_by(system, state, thread, unit);
    circle_told(system, policy, &circle, &entailed, told);
}

/// A unit and a constraint of its class that make a thread need another unit.
pub(crate) type Entailed<'e> = dyn Fn(ThreadId, UnitId) -> Option<(UnitId, usize)> + 'e;

/// Describes a circle of threads, each with the unit that it waits for.
pub(crate) fn circle_told(
    system: &System,
    policy: Policy,
    circle: &[(ThreadId, UnitId)],
    entailed: &Entailed<'_>,
    told: &mut Refutation,
) {
    "threads wait for each other in a circle".clone_into(&mut told.message);
    told.notes.push(sentence(system, circle));
    for &(thread, unit) in circle.iter().take(MAX_TOLD) {
        if let Some((entailing, constraint)) = entailed(thread, unit) {
            let span = system.class(entailing).constraints[constraint].span;
            if told.labels.iter().all(|(other, _)| *other != span) {
                let (who, what) = (system.thread_name(thread), system.name(unit));
                told.labels.push((span, format!("makes {who} wait for {what}")));
            }
        }
    }
    told.help.extend(repair::of_circle(system, policy, circle, entailed));
}

/// "P holds F and waits for G, held by Q; ..."
fn sentence(system: &System, circle: &[(ThreadId, UnitId)]) -> String {
    let mut parts = Vec::new();
    for (at, &(thread, unit)) in circle.iter().enumerate() {
        if at == MAX_TOLD {
            parts.push(format!("and so on, {} threads in all", circle.len()));
            break;
        }
        let (_, held) = circle[(at + circle.len() - 1) % circle.len()];
        let (owner, _) = circle[(at + 1) % circle.len()];
        parts.push(format!(
            "{} holds {} and waits for {}, held by {}",
            system.thread_name(thread),
            system.name(held),
            system.name(unit),
            system.thread_name(owner),
        ));
    }
    parts.join("; ")
}

/// A unit and a constraint of its class that make a thread need another unit. Units that the thread
/// holds come first; under `aon` the contracts of free units count too.
pub(crate) fn entailed_by(
    system: &System,
    state: &State,
    thread: ThreadId,
    wanted: UnitId,
) -> Option<(UnitId, usize)> {
    let held = (0..system.units.len()).filter(|&unit| state.owners[unit] == Some(thread));
    let free = (0..system.units.len()).filter(|&unit| state.owners[unit].is_none());
    held.chain(free).find_map(|unit| {
        let class = system.class(unit);
        let truths = &class.states[state.states[unit]].truths;
        let constraint = class.constraints.iter().position(|constraint| {
            let names = |&variable: &usize| {
                state.bindings[system.units[unit].slots + variable].contains(&wanted)
            };
            crate::design::holds(&constraint.when, &mut |&at| truths[at])
                && constraint.entails.iter().any(names)
        });
        constraint.map(|constraint| (unit, constraint))
    })
}

/// Describes a state in which somebody waits for a thread that is not complete and never will be.
pub(crate) fn lost(
    system: &System,
    policy: Policy,
    replayed: &Replayed,
    Lost { waiting, unit, holder }: Lost,
) -> Refutation {
    let (who, what, by) =
        (system.thread_name(waiting), system.name(unit), system.thread_name(holder));
    let mut told = Refutation {
        trace: replayed.told(system, policy),
        span: system.span,
        message: format!("{who} waits for {what}, held by {by}, which never goes on"),
        labels: Vec::new(),
        notes: Vec::new(),
        help: Vec::new(),
    };
    let state = replayed.last();
    for (wanted, owner) in waits(&mut Views, system, policy, state, holder) {
        let (wanted_name, owner) = (system.name(wanted), system.thread_name(owner));
        told.notes.push(format!("{by} waits for {wanted_name}, held by {owner}"));
        if let Some((entailing, constraint)) = entailed_by(system, state, holder, wanted) {
            let span = system.class(entailing).constraints[constraint].span;
            told.labels.push((span, format!("makes {by} wait for {wanted_name}")));
        }
    }
    told.labels.sort();
    told.labels.dedup_by_key(|(span, _)| *span);
    told.notes.push(format!("in no run from here does {by} take a step again"));
    told.notes.push(note(policy));
    told.help.push(format!("let the threads that {by} waits for let go what they hold"));
    told
}

/// A thread that waits for one which is complete and can do nothing.
fn waits_for_stopped(system: &System, policy: Policy, state: &State) -> Option<Lost> {
    let waits = all_waits(system, policy, state);
    let has_stopped = |&(_, holder): &(UnitId, ThreadId)| {
        waits[holder].is_empty()
            && !state.is_final(system, holder)
            && steps(&mut Views, system, policy, state, holder).is_empty()
    };
    waits.iter().enumerate().find_map(|(waiting, waits)| {
        let (unit, holder) = waits.iter().copied().find(has_stopped)?;
        Some(Lost { waiting, unit, holder })
    })
}

fn stuck(system: &System, policy: Policy, state: &State, told: &mut Refutation) {
    let has_step = |thread| !steps(&mut Views, system, policy, state, thread).is_empty();
    if (0..system.roots.len()).any(has_step)
        && let Some(Lost { waiting, unit, holder }) = waits_for_stopped(system, policy, state)
    {
        let by = system.thread_name(holder);
        told.message = format!(
            "{} waits for {}, held by {by}, which can do nothing any more",
            system.thread_name(waiting),
            system.name(unit)
        );
        stays(system, state, holder, None, told);
    } else {
        nothing_happens(system, policy, state, told);
    }
    told.labels.sort();
    told.labels.dedup_by_key(|(span, _)| *span);
    told.help.push(
        "add a transition for this case, or make the state one without outgoing transitions"
            .to_owned(),
    );
}

fn nothing_happens(system: &System, policy: Policy, state: &State, told: &mut Refutation) {
    "no thread can go on, and not all have ended".clone_into(&mut told.message);
    let waits = all_waits(system, policy, state);
    for (thread, waits) in waits.iter().enumerate() {
        if state.is_final(system, thread) && waits.is_empty() {
            continue;
        }
        stays(system, state, thread, waits.first().copied(), told);
    }
}

/// Describes where a thread stays, and what it waits for there.
fn stays(
    system: &System,
    state: &State,
    thread: ThreadId,
    waits: Option<(UnitId, ThreadId)>,
    told: &mut Refutation,
) {
    let unit = state.active(thread).unit;
    let here = &system.class(unit).states[state.states[unit]];
    let who = system.thread_name(thread);
    told.notes.push(match waits {
        Some((unit, owner)) => {
            format!("{who} waits for {}, held by {}", system.name(unit), system.thread_name(owner))
        }
        None => format!(
            "{} is in state `{}`, and nothing that it could do there is possible",
            system.name(unit),
            here.name
        ),
    });
    told.labels.push((here.span, format!("{who} stays here")));
}

fn orphaned_wait(system: &System, policy: Policy, state: &State, told: &mut Refutation) {
    let waits = all_waits(system, policy, state);
    for (thread, waits) in waits.iter().enumerate() {
        for &(unit, owner) in waits {
            if !state.is_final(system, owner) {
                continue;
            }
            let (who, what) = (system.thread_name(thread), system.name(unit));
            let owner_name = system.thread_name(owner);
            told.message = format!("{who} waits for {what}, held by {owner_name}, which has ended");
            let root = system.roots[owner];
            let here = &system.class(root).states[state.states[root]];
            told.labels.push((here.span, format!("{owner_name} ends here and keeps {what}")));
            told.help.push(format!(
                "let state `{}` make no constraint true that entails {what}",
                here.name
            ));
            return;
        }
    }
}

fn violation(
    system: &System,
    (thread, site): (ThreadId, &Site),
    state: &State,
    told: &mut Refutation,
) {
    let who = system.thread_name(thread);
    match site.violation {
        Some(Violation::Access { span, unit }) => {
            told.span = span;
            let active = state.active(thread).unit;
            let class = system.class(active);
            let here = &class.states[state.states[active]].name;
            match unit {
                Some(unit) => {
                    let what = system.name(unit);
                    told.message = format!("{who} uses {what} without holding it");
                    told.help.push(format!(
                        "let a constraint of class `{}` entail it in state `{here}`",
                        class.name
                    ));
                }
                None => {
                    told.message = format!("{who} reads through a variable that refers to nothing");
                    told.help.push("guard the transition with `[... != nil]`".to_owned());
                }
            }
        }
        Some(Violation::Released(unit)) => {
            told.span = place(system, &site.event).unwrap_or(system.span);
            let what = system.name(unit);
            told.message = format!("{who} lets {what} go while it is inside of it");
            told.help.push(format!("keep {what} entailed until its operation has returned"));
        }
        None => {}
    }
}

fn place(system: &System, event: &Event) -> Option<Span> {
    match event {
        Event::Fire { unit, transition, .. } => {
            Some(system.class(*unit).transitions[*transition].span)
        }
        Event::Call { span, .. } => Some(*span),
        Event::Return { unit, transition, .. } => {
            transition.map(|at| system.class(*unit).transitions[at].span)
        }
        Event::Acquire(_) | Event::Expand(_) | Event::Complete(_) => None,
    }
}

fn property(system: &System, fault: u32, told: &mut Refutation) {
    let Some(property) = system.properties.get((fault - FIRST_PROPERTY) as usize) else { return };
    told.span = property.span;
    told.message = match property.claim {
        Claim::Never(_) => {
            format!("`{}`: a state is reached that must never be reached", property.name)
        }
        Claim::Always(_) => {
            format!("`{}`: a state is reached in which this does not hold", property.name)
        }
        Claim::NoInterference => format!("`{}`: two threads are inside one unit", property.name),
        Claim::NoStarvation(_) => format!("`{}`: a thread waits for ever", property.name),
    };
}

fn meaning(policy: Policy) -> &'static str {
    match policy {
        Policy::Unit => "units are acquired one by one, in any order",
        Policy::Declared => "units are acquired one by one, in the order of declaration",
        Policy::Ranked => {
            "units are acquired one by one, in the order in which the system declares them"
        }
        Policy::Thread => {
            "a thread acquires all free units that it needs at once, and keeps them while it waits for others"
        }
        Policy::Saturate => "free units go at once to threads that need them, in any order",
        Policy::Fifo => "free units go at once to the first thread in their queue",
        Policy::Aon => "a thread acquires all units that it needs at once, or none of them",
    }
}
