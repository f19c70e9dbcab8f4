//! Runs fail where they must, and nowhere else.

use chalice::hir::{MethodId, Program};
use concrete::{failures, real_failure};
use verdict::Confirmation;

fn program(text: &str) -> Program {
    let file = source::SourceMap::default().add("a.chalice", text);
    let (tree, faults) = chalice::parse(file, text);
    let (program, others) = chalice::check(&tree);
    assert!(faults.is_empty() && others.is_empty(), "{faults:?} {others:?}");
    program
}

const RACE: &str = "
class Cell {
  var n: int;
  invariant acc(n)
  method Add() requires rd(mu) && waitlevel << mu ensures rd(mu)
  { acquire this; n := n + 1; release this; }
  method Main() {
    var c := new Cell;
    share c;
    fork t := c.Add();
    acquire c;
    var before: int := c.n;
    release c;
    acquire c;
    assert c.n == before;
    release c;
    join t;
  }
}";

/// The other thread must come between two particular steps.
#[test]
fn an_interleaving_is_found() {
    let found = failures(&program(RACE), &[], 200, &verdict::Halt::default());
    let [run] = &found[..] else { panic!("{found:?}") };
    assert_eq!(run.failure.code.as_str(), "assertion-failed");
    assert_eq!(run.trace.confirmation, Confirmation::Confirmed);
    assert_eq!(run.trace.lanes.len(), 2);
    let cells: Vec<_> = run.trace.heap.iter().flat_map(|object| &object.cells).collect();
    let is_n = |cell: &&&verdict::Cell| cell.name == "n";
    let n = cells.iter().find(is_n).expect("the thread has permission to the field");
    assert_eq!((n.value.as_deref(), n.permission.as_deref()), (Some("1"), Some("100%")));
    assert_eq!(
        real_failure(&program(RACE), 200, &verdict::Halt::default()),
        Some(run.failure.clone())
    );
}

#[test]
fn right_programs_do_not_fail() {
    let right = RACE.replace("c.n == before", "0 <= c.n - before || true");
    assert!(failures(&program(&right), &[MethodId(0)], 200, &verdict::Halt::default()).is_empty());
    assert_eq!(real_failure(&program(&right), 200, &verdict::Halt::default()), None);
}

/// A method that nobody calls is run from states that its precondition allows, and from no others.
#[test]
fn starts_satisfy_the_precondition() {
    let text = "
class Pair {
  var a: int;
  var b: Pair;
  predicate Both { acc(a) && 3 < a && acc(b) && b == null }
  method M(k: int) requires Both && k == 17 && holds(this) && acc(mu, 50) ensures Both && acc(mu, 50)
  {
    unfold Both;
    assert 3 < a && b == null && k == 17;
    assert a < 5;
    fold Both;
  }
}";
    let found = failures(&program(text), &[MethodId(0)], 500, &verdict::Halt::default());
    let codes: Vec<&str> = found.iter().map(|run| run.failure.code.as_str()).collect();
    assert_eq!(codes, ["assertion-failed"]);
    assert_eq!(found[0].trace.confirmation, Confirmation::Allowed);
    assert!(found[0].trace.initial.contains(&("k".to_owned(), "17".to_owned())));
}
