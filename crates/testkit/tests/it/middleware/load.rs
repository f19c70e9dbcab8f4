//! Runs a system of the checker on the middleware: each thread makes random allowed moves.

use super::designs::Rng;
use contract::syntax::TransitionKind;
use contract::{System, Value};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use szumo::{Class, Design, Entry, Error, Move, Realm, Transition, UnitId};

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) seed: u64,
    /// The number of moves that each thread should make.
    pub(crate) rounds: usize,
    /// The number of moves after which a thread gives up waiting for the others to finish.
    pub(crate) most: usize,
}

/// How the run of a thread ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It made all its moves.
    Finished,
    /// It has no more moves.
    Ended,
    /// It made its own moves, but others never got that far.
    GaveUp,
    Failed(Error),
}

pub(crate) struct Run {
    pub(crate) endings: Vec<Ending>,
    pub(crate) log: Vec<Entry>,
}

/// Runs all threads of a system. Threads that have made their moves go on until all have, so that
/// none ends while it holds units that others need.
pub(crate) fn run(system: &System, load: Load) -> Run {
    let running = design(system).start().expect("what is read fits together");
    let through = AtomicUsize::new(0);
    let endings = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (thread, root) in running.roots().into_iter().enumerate() {
            let (running, through) = (&running, &through);
            threads.push(scope.spawn(move || {
                let mut rng = Rng::new(load.seed * 100 + thread as u64);
                match running.enter(root) {
                    Ok(realm) => act(system, realm, load, through, &mut rng),
                    Err(error) => Ending::Failed(error),
                }
            }));
        }
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    Run { endings, log: running.log() }
}

fn act(
    system: &System,
    mut realm: Realm,
    load: Load,
    through: &AtomicUsize,
    rng: &mut Rng,
) -> Ending {
    let count = |done: usize| {
        if done < load.rounds {
            through.fetch_add(1, Ordering::SeqCst);
        }
    };
    let mut done = 0;
    while done < load.most {
        let moves = realm.moves();
        if moves.is_empty() {
            count(done);
            return Ending::Ended;
        }
        let one = &moves[rng.below(moves.len())];
        let chosen = chosen(system, realm.active(), one, &realm, rng);
        if let Err(error) = realm.take(one, &chosen) {
            count(done);
            let is_through = done >= load.rounds;
            let is_wait = matches!(error, Error::Orphaned { .. });
            return if is_through && is_wait { Ending::Finished } else { Ending::Failed(error) };
        }
        if rng.below(4) == 0 {
            std::thread::yield_now();
        }
        done += 1;
        if done == load.rounds {
            through.fetch_add(1, Ordering::SeqCst);
        }
        if done >= load.rounds && through.load(Ordering::SeqCst) == system.roots.len() {
            return Ending::Finished;
        }
        if done >= load.rounds {
            // The others come first.
            std::thread::sleep(Duration::from_micros(20));
        }
    }
    Ending::GaveUp
}

/// Units for `any`.
fn chosen(
    system: &System,
    active: UnitId,
    one: &Move,
    realm: &Realm,
    rng: &mut Rng,
) -> Vec<UnitId> {
    let (unit, transition) = match one {
        Move::Fire(at) => (active, Some(*at)),
        Move::Call(callee, _, at) => (*callee, Some(*at)),
        Move::Return(at) => (active, *at),
    };
    let Some(at) = transition else { return Vec::new() };
    let mut chosen = Vec::new();
    for assign in &system.class(unit.index()).transitions[at].assigns {
        if let Value::Any(class) = assign.value {
            let all = realm.system().units();
            let fits = |unit: &UnitId| system.units[unit.index()].class == class;
            let all: Vec<UnitId> = all.into_iter().filter(fits).collect();
            chosen.push(all[rng.below(all.len())]);
        }
    }
    chosen
}

/// The system as a design of the middleware; units and transitions have the same numbers.
fn design(system: &System) -> Design {
    let mut design = Design::new();
    design.log();
    for class in system.classes.iter() {
        design.class(made(system, class));
    }
    let mut ids = Vec::new();
    for (at, unit) in system.units.iter().enumerate() {
        ids.push(design.root(unit.name.as_str(), system.class(at).name.as_str()));
    }
    for (at, &id) in ids.iter().enumerate() {
        for (variable, slot) in system.class(at).variables.iter().zip(system.slots(at)) {
            let to: Vec<UnitId> = system.bindings[slot].iter().map(|&unit| ids[unit]).collect();
            design.bind(id, variable.name.as_str(), &to);
        }
    }
    design
}

fn made(system: &System, class: &contract::Class) -> Class {
    let name = class.name.as_str();
    let variable = |at: usize| class.variables[at].name.as_str();
    let state = |at: usize| class.states[at].name.as_str();
    let mut made = if class.is_root { Class::root(name) } else { Class::unit(name) };
    for one in &class.variables {
        made = made.variable(one.name.as_str(), system.classes[one.class].name.as_str());
    }
    for one in &class.states {
        let needs: Vec<&str> = one.entails.iter().map(|&at| variable(at)).collect();
        made = made.state(one.name.as_str(), &needs);
        for call in &one.calls {
            made = made.calls(one.name.as_str(), variable(call.variable), call.operation.as_str());
        }
    }
    for one in &class.transitions {
        let label = one.label.as_str();
        let (from, to) = (state(one.from), state(one.to));
        let mut transition = match one.kind {
            TransitionKind::Before => Transition::before(label, from, to),
            TransitionKind::After => Transition::after(label, from, to),
            TransitionKind::Step => Transition::step(label, from, to),
        };
        for part in &one.guard {
            let (left, right) = (variable(part.left), part.right.map(variable));
            transition = if part.equal {
                transition.equal(left, right)
            } else {
                transition.differ(left, right)
            };
        }
        for assign in &one.assigns {
            let value = match assign.value {
                Value::Nil => szumo::Value::Nil,
                Value::Variable(other) => szumo::Value::variable(variable(other)),
                Value::Path(through, field) => {
                    let other = &system.classes[class.variables[through].class];
                    let field = other.variables[field].name.as_str();
                    szumo::Value::path(variable(through), field)
                }
                Value::Any(other) => szumo::Value::any(system.classes[other].name.as_str()),
            };
            transition = transition.assign(variable(assign.variable), value);
        }
        made = made.transition(transition);
    }
    made.initial(state(class.initial))
}
