//! Every strategy on the classic programs of `examples/plato/searches`: they must agree, and with
//! SPIN if it is installed.
#![expect(clippy::needless_raw_string_hashes, reason = "written by expect-test")]

use crate::promela::agrees;
use crate::{all, program};
use expect_test::expect;
use machine::{Goal, Machine, Request, Scope, Settings, check, crowd};
use plato::hir::{Count, Program};
use search::{Budget, Threads, pushdown, thread_modular, views};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Name and text of each file, in order.
#[expect(clippy::disallowed_methods, reason = "the examples are files")]
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plato/searches");
    let entries = folder.read_dir().expect("the folder of examples");
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        all.push((name, std::fs::read_to_string(&path).expect("a text")));
    }
    all.sort();
    all
}

/// A few copies of each thread, the same for every strategy.
fn copies(program: &Program) -> Vec<u64> {
    let count = |thread: &plato::hir::Thread| match thread.count {
        Count::One => 1,
        Count::Copies(count) => count.min(4),
        Count::Symbolic(_) | Count::Any => 2,
    };
    program.threads.iter().map(count).collect()
}

/// What may go wrong, as far as a search tells; nothing if it was cut.
struct Answer {
    goals: BTreeSet<Goal>,
    is_whole: bool,
}

impl Answer {
    fn shown(&self) -> String {
        match (self.goals.len(), self.is_whole) {
            (0, true) => "-".to_owned(),
            (0, false) => "cut".to_owned(),
            (count, _) => count.to_string(),
        }
    }
}

fn exact(scope: Scope<'_>) -> (Answer, u64) {
    let budget = Budget { states: 60_000, ..Budget::default() };
    let found = check(scope, &Request { budget, ..all() });
    let goals = found.violations.iter().map(|violation| Goal::of(&violation.fault)).collect();
    (Answer { goals, is_whole: found.cut.is_none() }, found.states)
}

fn abstracted(scope: Scope<'_>, strategy: &str) -> Answer {
    let mut machine = Machine::new(scope, Settings::default());
    let budget = Budget { states: 60_000, ..Budget::default() };
    let (alarms, cut) = match strategy {
        "threads" => {
            let found = thread_modular(&mut machine, &budget);
            (found.alarms, found.cut)
        }
        "pairs" => {
            let found = views(&mut machine, &budget);
            (found.alarms, found.cut)
        }
        _ => {
            let found = pushdown(&mut machine, &budget);
            (found.alarms, found.cut)
        }
    };
    assert!(machine.count() > 0);
    let goals = alarms.iter().map(|alarm| Goal::of(machine.fault(alarm.fault))).collect();
    Answer { goals, is_whole: cut.is_none() }
}

/// Per file and strategy how many goals are violated, or may be: `-` means that none is.
#[test]
fn strategies_agree() {
    let mut table = format!("{:32} {:>7} states threads pairs stacks\n", "", "exact");
    for (name, text) in files() {
        let (program, _) = program(&text);
        for scope in crowd(&program, &copies(&program)) {
            let (real, states) = exact(scope.clone());
            let states = if real.is_whole { states.to_string() } else { String::new() };
            let _ = write!(table, "{name:32} {:>7} {states:>6}", real.shown());
            for (strategy, width) in [("threads", 7), ("pairs", 5), ("stacks", 6)] {
                let found = abstracted(scope.clone(), strategy);
                let _ = write!(table, " {:>width$}", found.shown());
                // Whether all threads are stuck is for the exact search alone.
                let missed = real
                    .goals
                    .difference(&found.goals)
                    .find(|goal| goal.code.as_str() != "deadlock");
                assert!(missed.is_none() || !found.is_whole, "{name}, {strategy}: {missed:?}");
            }
            table.push('\n');
        }
    }
    expect![[r#"
                                           exact states threads pairs stacks
        bakery                                 -   3431       3     -      3
        bakery_no_door                         1     58       1     1      1
        bluetooth                              -  28219       4     4      4
        bluetooth_checks_first                 1    835       4     3      4
        dekker                                 -    134       1     -      1
        dekker_stubborn                        1     21       1     -      1
        dining                                 1  53833       -   cut      -
        dining_ordered                       cut              -   cut      -
        guarded_elsewhere                      1      4       1     1      1
        mcs_lock                             cut              1   cut      1
        mcs_lock_late_flag                     1    844       1     -      1
        never_at                               -     12       -     -      -
        never_deadlock                         1     19       -     -      -
        never_race                             2      7       2     2      2
        peterson                               -     62       1     -      1
        peterson_turn_first                    1     98       1     1      1
        producer_consumer                      -    304       -     -      -
        producer_consumer_test_outside         1     45       1     1      1
        race_of_results                        2              2   cut      2
        race_of_results_locked               cut            cut   cut      -
        readers_writers                        -   1856       4     3      4
        readers_writers_last_forgets           1     83       2     -      2
        recursive_lock                       cut            cut   cut      -
        recursive_unlocked                     2    193       2     2      2
        simple                                 -    144       -     -      -
        simple_boolean                         -     20       1     -      1
        simple_no_mutex                        1     94       1     1      1
        specification_inside_atomic            -      2       -     -      -
        symbolic_stacks                      cut            cut   cut      -
        symbolic_stacks_forgets                1   1785       1     1      1
        szymanski                              -    105       1     -      1
        test_and_set                           -     40       1     -      1
        test_then_set                          1     29       1     1      1
        time_varying                           -    974       -     -      -
        time_varying_too_early                 1     85       1     1      1
        tokens                                 -     16       1     -      1
    "#]]
    .assert_eq(&table);
}

#[test]
fn same_as_spin() {
    for (name, text) in files() {
        let (program, _) = program(&text);
        if !agrees(&name, &program, &copies(&program)) {
            return;
        }
    }
}
