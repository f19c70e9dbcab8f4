//! Whole programs that use all of the language; other tests break them.

use crate::support::check;
use expect_test::expect;

/// Monitors, the locking order, threads.
const MONITORS: &str = r#"
class Cell {
  var value: int;
  var next: Cell;
  invariant acc(value) && 0 <= value && rd(mu)
  invariant acc(next) && (next != null ==> rd(next.mu) && mu << next.mu)
  invariant old(value) <= value

  method Init(n: int)
    requires 0 <= n && acc(value) && acc(next) && acc(mu) && mu == lockbottom;
    ensures acc(mu, 50) && waitlevel << this
    lockchange this
  {
    value := n; next := null
    share this between waitlevel and next
    share this above waitlevel below next
    reorder this
    install this between waitlevel and
    acquire this release this
    rd acquire this; rd release this
    lock (next) { value := value + 1; }
    rd lock (this) { assert rd holds(this) }
    [[ value := 3 ]]
    downgrade this; unshare this; free this
  }

  method Work(n: int) returns (m: int, c: Cell)
    requires rd(value) && rd(next, 3) && acc(mu, 10) && maxlock << mu
    ensures acc(value, 100 - rd) && acc(next, 5 * rd) && rd*(mu) && rd(next, *)
  {
    fork tk := this.Work(n)
    var other: token<Cell.Work> := tk;
    assert acc(other.joinable) && other.joinable && eval(tk.fork this.Work(_), 0 <= n)
    assert tk.fork Work(n){ n == n } && this.acquire{ value == value } && eval(this.release, true)
    join m, c := tk
    call a, b := c.Work(a_constant())
    while (a < 10)
      invariant acc(value) && old(value) == value; lockchange this, c
    { a := a + 1 }
    if (a == 1) { m := 1 } else if (a == 2) { m := 2 } else { m := 3; }
    ghost const k: int; ghost var w := 3
    assert !assigned(k)
    const z := n * 2 % 3 / 4 - -n
    var u, v: int [0 < n, u < v]
    spec u [u == 1]
    { var inner := true }
  }

  unlimited function a_constant(): int { 17 }
}
"#;

/// Predicates, functions, sequences, channels, and constructs that are read but not verified.
const DATA: &str = r#"
// Unicode is fine here: ∀ε
channel Pipe(n: int, list: List) where list != null ==> acc(list.items) && n == 0

external class List module Lists {
  var items: seq<List>; var wait: bool
  tracked ghost var owner: List
  var name: string
  condition full where acc(items)

  predicate valid { acc(items) && acc(items[*].wait) && acc(this.*) }
  predicate bounded(low: int, high: int) { acc(items, 50) && low <= |items| && |items| < high }

  function length(): int
    requires rd(valid)
    ensures 0 <= result
  { unfolding rd(valid) in |items| }

  static function max(a: int, b: int): int { a < b ? b : ite(true, a, b) }
  function undefined(list: List): bool requires list != null

  method use(pipe: Pipe, out: Pipe)
    requires valid && this.bounded(0, 10) && credit(pipe, 2) && credit(pipe)
    requires forall x in items :: x != null && acc(x.items)
    ensures forall i in [0..10] :: exists j: int :: i < j
    ensures forall{ i in [0:10]; items@i != null || i !in [1, 2, 3] }
  {
    unfold valid; fold acc(this.valid, 100); unfold rd(bounded(0, 10))
    items := items[1..] ++ items[..2] ++ items[1..2] ++ nil<List> ++ []
    var x := new List { wait := true, items := [] };
    var p: Pipe := new Pipe above waitlevel
    send pipe(1, this); send out(2, null)
    receive n, list := pipe
    wait this.full; signal forall full; signal full
    var set: set<int> := {1, 2}
    assert 1 in set && (sum y: set :: y) == 3 && |empty<int>| == 0
    assert this.~(List.owner) == empty<List>
    var text: string := "a \" b" ; text := 'c'
  }
}
"#;

pub(crate) const ALL: &[&str] = &[MONITORS, DATA];

#[test]
fn monitors_and_threads() {
    check(MONITORS, expect![""]);
}

#[test]
fn data() {
    check(DATA, expect![""]);
}

#[test]
fn refinement_is_read() {
    let text = "class A { method m() { } }
        class User { method n(b: B) requires acc(b.z) && b.ok { call b.m(); var c := new B; fork t := b.m(); join t } }
        class B refines A { var y: int; replaces x by acc(y) && y == 0
          refines m() { y := 1 } method o() { z := 1 } transforms n(a) returns (b) { _; replaces * by { if { * } } } }";
    check(text, expect![""]);
    let (program, _) = crate::support::checked(text);
    assert!(program.classes[2].unsupported.is_some());
    let method = &program.methods[1];
    let requires = format!("{:?}", method.spec.requires);
    assert_eq!(requires.matches("Unsupported(\"").count(), 2, "{requires}");
}
