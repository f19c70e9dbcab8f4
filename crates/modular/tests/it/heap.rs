//! Runs over a heap: cells of maps over an uninterpreted type, named in the user's words.

use crate::solver::runs;
use crate::support::{commands, first_thread, program};
use modular::Options;
use plato::hir::{ConstId, Program};

/// A thread that makes a job its own, where somebody may have it already.
const JOBS: &str = "type Ref;
    enum Class { Job, Container }
    const null: Ref;
    const cls: [Ref]Class;
    var owner: [Ref]Tid;
    thread T rely owner' == owner {
      var job: Ref;
      assume job != null && cls[job] == Job && owner[job] == 0;
      owner[job] := tid;
      assert owner[job] == 0;
    }
    thread U { skip; }";

/// The changes of the only run that fails, and the values at its start.
fn told(program: &Program) -> (Vec<String>, Vec<String>) {
    let runs = runs(first_thread(program, &Options::default()));
    let [run] = runs.as_slice() else { panic!("{runs:?}") };
    let changes = run.steps.iter().flat_map(|step| &step.changes);
    let changes = changes.map(|change| match &change.old {
        Some(old) => format!("{}: {old} -> {}", change.name, change.new),
        None => format!("{} = {}", change.name, change.new),
    });
    let initial = run.initial.iter().map(|(name, value)| format!("{name} = {value}"));
    (changes.collect(), initial.collect())
}

/// Nothing is said of objects that the thread has nothing to do with, nor of `null`, which has a
/// name.
#[test]
fn cells_are_shown_one_by_one() {
    let (changes, initial) = told(&program(JOBS));
    let [declared, written] = changes.as_slice() else { panic!("{changes:?}") };
    let job = declared.strip_prefix("job = ").expect("the local is declared first");
    assert!(job.starts_with("Ref#"), "{job}");
    assert_eq!(*written, format!("owner[{job}]: 0 -> T"));
    assert_eq!(initial, [format!("owner[{job}] = 0"), format!("cls[{job}] = Job")]);
}

/// A map that names the values of the type gives them better names than the type does.
#[test]
fn a_map_may_name_objects() {
    let mut program = program(JOBS);
    program.opaques[0].naming = Some(ConstId(1));
    let (changes, _) = told(&program);
    assert!(changes[0].starts_with("job = Job#"), "{changes:?}");
    assert!(changes[1].starts_with("owner[Job#"), "{changes:?}");
}

/// An object that others know has fields that are not null, and what they refer to is known too.
/// Neither makes the solver go on from object to object: that a field is not null is said where the
/// field is spoken of, and nowhere else.
#[test]
fn fields_that_are_not_null_are_spoken_of_first() {
    let program = program(
        "type Ref; const null: Ref; var shared: [Ref]bool; var next: [Ref]Ref;
        invariant forall r: Ref :: shared[r] ==> next[r] != null;
        thread T { skip; next := next; }",
    );
    let commands = commands(&first_thread(&program, &Options::default()));
    let known = commands.iter().find(|line| line.contains("forall")).expect("the invariant");
    let (_, triggers) = known.split_once(":pattern").expect("a trigger");
    assert!(triggers.contains("(select next@") && !triggers.contains("shared@"), "{known}");
}
