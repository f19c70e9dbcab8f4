//! Designs on the middleware, with real threads: each run is a run of the model, and what the checker proves goes through.

#[path = "../../../../contract/tests/it/designs.rs"]
mod designs;
mod generated;
mod load;
mod replay;

use contract::{Engine, Found, Policy, System, read, verify};
use designs::Rng;
use load::{Ending, Load, run};
use search::Budget;
use source::SourceMap;
use std::path::Path;
use szumo::Error;
use testkit::repository;

/// What many runs came to.
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
    for seed in 0..150 {
        let text = designs::design(&mut rng);
        let system = systems(&text).remove(0);
        let load = Load { seed, rounds: 60, most: 1_500 };
        compare(&system, load, &text, &mut totals);
    }
    // Whether a circle closes depends on who is faster, so that nothing is said of those.
    let Totals { runs, proved, entries, left, .. } = totals;
    assert!(runs == 150 && proved > 50 && entries > 10_000 && left < proved / 2, "{totals:?}");
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

/// Runs a system, and compares with the model and with what the checker says.
fn compare(system: &System, load: Load, text: &str, totals: &mut Totals) {
    let verified = verify(system, Policy::Aon, Engine::Explore, &Budget::default());
    let holds = |goal: usize| matches!(verified.goals[goal].1, Found::Holds(_));
    let run = run(system, load);
    let last = replay::replay(system, &run.log);
    let is_circle = replay::is_circle(system, &last);
    let told = |ending: &Ending| matches!(ending, Ending::Failed(Error::Deadlock { .. }));
    assert_eq!(run.endings.iter().any(told), is_circle, "{:?}\n{text}", run.endings);
    assert!(!is_circle || !holds(0), "a circle in a design without circles\n{text}");
    let gave_up = run.endings.contains(&Ending::GaveUp);
    // A guard that is never true again stops a thread where it is. The checker does not call this an end, and others may wait.
    let is_halted = |(thread, ending): (usize, &Ending)| {
        *ending == Ending::Ended && !last.is_final(system, thread)
    };
    let is_left = gave_up || run.endings.iter().enumerate().any(is_halted);
    let is_proved = (0..5).all(holds);
    for ending in &run.endings {
        let is_good = match ending {
            Ending::Finished | Ending::Ended | Ending::GaveUp => true,
            Ending::Failed(Error::Orphaned { .. }) => is_left || !is_proved,
            Ending::Failed(Error::Deadlock { .. }) => !holds(0),
            Ending::Failed(Error::Access { .. }) => !holds(3),
            Ending::Failed(Error::Released { .. }) => !holds(4),
            Ending::Failed(_) => false,
        };
        assert!(is_good, "{:?}\n{text}", run.endings);
    }
    totals.runs += 1;
    totals.proved += usize::from(is_proved);
    totals.entries += run.log.len();
    totals.circles += usize::from(is_circle);
    totals.left += usize::from(is_proved && is_left);
}

/// The systems of a design; none if it is rejected.
fn systems(text: &str) -> Vec<System> {
    let mut sources = SourceMap::default();
    let design = read(sources.add("design.szumo", text), text, &[]);
    if design.diagnostics.is_empty() { design.systems } else { Vec::new() }
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
