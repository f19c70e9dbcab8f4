//! Designs on the middleware, with real threads: each run is a run of the model, and runs of proved
//! designs do not get stuck.

#[path = "../../../../contract/tests/it/designs.rs"]
mod designs;
mod generated;
mod load;
mod replay;

use contract::{Policy, System, read, verify};
use designs::Rng;
use load::{Ending, Load, run};
use replay::{Place, place};
use search::{Budget, Engine, Found};
use source::SourceMap;
use std::path::Path;
use szumo::Error;
use testkit::repository;

/// The results of many runs.
#[derive(Debug, Default)]
struct Totals {
    runs: usize,
    proved: usize,
    entries: usize,
    circles: usize,
    /// Proved designs in which a thread stopped where others may wait for it.
    left: usize,
}

#[test]
fn random_designs_run_as_their_model() {
    let mut rng = Rng::new(7);
    let mut totals = Totals::default();
    for seed in 0..200 {
        let text = designs::design(&mut rng);
        let system = systems(&text).remove(0);
        let load = Load { seed, rounds: 60, most: 1_500 };
        compare(&system, load, &text, &mut totals);
    }
    // Whether a circle closes depends on which thread is faster, so nothing is asserted about
    // those.
    let Totals { runs, proved, entries, left, .. } = totals;
    assert!(runs == 200 && proved > 75 && entries > 15_000 && left < proved / 2, "{totals:?}");
}

#[test]
fn examples_run_as_their_model() {
    let mut totals = Totals::default();
    for text in examples(&repository().join("examples/szumo")) {
        for system in systems(&text) {
            if system.roots.len() <= 16 {
                compare(&system, Load { seed: 1, rounds: 300, most: 6_000 }, &text, &mut totals);
            }
        }
    }
    assert!(totals.runs > 20 && totals.proved > 10 && totals.left == 0, "{totals:?}");
}

/// A thread holds one of two units for good, so that another one waits for both for ever. A third
/// one, which needs only the other unit, is served all the same, as the model promises.
#[test]
fn who_waits_for_ever_keeps_nobody_from_what_is_free() {
    let text = "root class A { cond a; var u, v: F; sync a ==> u ^ v; state s initial; state t {a}; state e;
          step p: s -> t; step q: t -> e; }
        root class B { cond b; var v: F; sync b ==> v; state s {b} initial; step work: s -> s; }
        root class C { cond c; var u: F; sync c ==> u; state s initial; state t {c};
          step p: s -> t; step q: t -> s; }
        unit class F { }
        system S { policy aon; u: F; v: F; b: B; a: A; c: C;
          a.u = u; a.v = v; b.v = v; c.u = u; property served: no starvation of c; }";
    let system = systems(text).remove(0);
    let verified = verify(&system, Policy::Aon, Engine::Explore, &Budget::default());
    assert!(verified.goals.iter().all(|(_, goal)| matches!(goal.found, Found::Holds(_))));
    let run = run(&system, Load { seed: 3, rounds: 200, most: 5_000 });
    replay::replay(&system, &run.log);
    let number =
        |name| system.roots.iter().position(|&root| system.units[root].name.as_str() == name);
    let (b, c) = (number("b"), number("c"));
    let until = run.log.iter().rposition(|entry| Some(entry.thread) == b).unwrap_or(0);
    let served = |entry: &&szumo::Entry| Some(entry.thread) == c && !entry.gained.is_empty();
    let count = run.log[..until].iter().filter(served).count();
    assert!(count >= 100, "served {count} times while another thread waited: {:?}", run.endings);
}

/// Runs a system, and compares with the model and with the answer of the checker.
fn compare(system: &System, load: Load, text: &str, totals: &mut Totals) {
    let verified = verify(system, Policy::Aon, Engine::Explore, &Budget::default());
    let holds = |goal: usize| matches!(verified.goals[goal].1.found, Found::Holds(_));
    let run = run(system, load);
    let last = replay::replay(system, &run.log);
    let is_circle = replay::is_circle(system, &last);
    let told = |ending: &Ending| matches!(ending, Ending::Failed(Error::Deadlock { .. }));
    assert_eq!(run.endings.iter().any(told), is_circle, "{:?}\n{text}", run.endings);
    assert!(!is_circle || !holds(0), "a circle in a design without circles\n{text}");
    let is_proved = (0..5).all(holds);
    let places: Vec<Place> =
        (0..system.roots.len()).map(|thread| place(system, &last, thread)).collect();
    for (thread, ending) in run.endings.iter().enumerate() {
        let is_good = match ending {
            Ending::Finished => is_good_end(thread, &run.endings, &places) || !is_proved,
            Ending::Ended => matches!(places[thread], Place::Final | Place::Halted),
            // The run was cut, and the thread could go on.
            Ending::GaveUp => places[thread] == Place::Going,
            Ending::Failed(Error::Orphaned { .. }) => {
                matches!(places[thread], Place::Waiting(_))
                    && (is_good_end(thread, &run.endings, &places) || !is_proved)
            }
            Ending::Failed(Error::Deadlock { .. }) => !holds(0),
            Ending::Failed(Error::Access { .. }) => !holds(3),
            Ending::Failed(Error::Released { .. }) => !holds(4),
            Ending::Failed(_) => false,
        };
        assert!(is_good, "thread {thread}: {:?} {places:?}\n{text}", run.endings);
    }
    let is_left = run.endings.contains(&Ending::GaveUp) || places.contains(&Place::Halted);
    totals.runs += 1;
    totals.proved += usize::from(is_proved);
    totals.entries += run.log.len();
    totals.circles += usize::from(is_circle);
    totals.left += usize::from(is_proved && is_left);
}

/// Whether a thread of a design without orphaned waits may stop here. It does not wait, or behind
/// those it waits for is one that the test stopped while it could go on, or that has no step in the
/// model either. A thread that has ended as the design says holds nobody up.
fn is_good_end(thread: usize, endings: &[Ending], places: &[Place]) -> bool {
    let mut met = vec![false; places.len()];
    let mut todo = vec![thread];
    while let Some(thread) = todo.pop() {
        if std::mem::replace(&mut met[thread], true) {
            continue;
        }
        match &places[thread] {
            Place::Waiting(owners) => todo.extend(owners),
            Place::Halted => return true,
            Place::Going if matches!(endings[thread], Ending::Finished | Ending::GaveUp) => {
                return true;
            }
            Place::Going | Place::Final => {}
        }
    }
    places[thread] == Place::Final
}

/// The systems of a design, of the smallest size if they are for any; none if it is rejected.
fn systems(text: &str) -> Vec<System> {
    let mut sources = SourceMap::default();
    let design = read(sources.add("design.szumo", text), text, &[]);
    let smallest = |system: System| System { sizes: None, ..system };
    let systems = design.systems.into_iter().map(smallest).collect();
    if design.diagnostics.is_empty() { systems } else { Vec::new() }
}

fn examples(folder: &Path) -> Vec<String> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        if path.is_dir() {
            texts.extend(examples(&path));
        } else if path.extension().is_some_and(|one| one == "szumo") {
            texts.push(text_of(&path));
        }
    }
    texts
}

#[expect(clippy::disallowed_methods, reason = "tests read files")]
fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
