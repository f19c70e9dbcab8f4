//! Whole programs, those of the papers among them.

use crate::support::{check, check_program};
use expect_test::expect;

/// Paper 1, section 4.1.
pub(crate) const SIMPLE_LOCK: &str = "
var x: int;
mutex mx;
rely mx == tid ==> mx' == tid && x' == x;
thread Thread1 { acquire mx; x := x * x; x := x + 2; assert x > 1; release mx; }
thread Thread2 { acquire mx; x := 0; release mx; }
";

/// Paper 1, section 6.1.
pub(crate) const DEKKER: &str = "
var a1, a2, cs1, cs2: bool;
init !cs1 && !cs2;
invariant exclusion: !(cs1 && cs2) && (cs1 ==> a1) && (cs2 ==> a2);
thread Thread1 rely a1 == a1' && cs1 == cs1' {
    while (true) { a1 := true; cs1 := !a2; if (cs1) { cs1 := false; } a1 := false; }
}
thread Thread2 rely a2 == a2' && cs2 == cs2' {
    while (true) { a2 := true; cs2 := !a1; if (cs2) { /* critical section */ cs2 := false; } a2 := false; }
}
";

/// Paper 1, section 6.2.
pub(crate) const READER_WRITER: &str = "
module Lock {
    var w: Tid = 0;
    var r: set<Tid> = {};
    invariant r == {} || w == 0;
    rely (w == tid <==> w' == tid) && (tid in r <==> tid in r');
    proc acq_write() { atomic modifies w action w == 0 && r == {} && w' == tid; }
    proc acq_read() { atomic modifies r action w == 0 && r' == r + {tid}; }
    proc rel_write() { atomic modifies w action w' == 0 ensures w == tid; }
    proc rel_read() { atomic modifies r action r' == r - {tid} ensures tid in r; }
}
var x, y: int;
rely tid in Lock.r ==> x == x';
thread Thread1 { Lock.acq_write(); x := 3; Lock.rel_write(); }
thread Thread2 rely y == y' { Lock.acq_read(); y := x; assert y == x; Lock.rel_read(); }
";

/// Paper 1, section 6.3.
pub(crate) const TIME_VARYING_MUTEX: &str = "
var block: int;
var busy, inode: bool;
mutex m_inode, m_busy;
init inode == busy;
invariant m_inode == 0 && inode ==> busy;
pred J = (m_inode == tid ==> m_inode' == tid && inode' == inode) && (m_busy == tid ==> m_busy' == tid && busy' == busy);
pred K = (busy && m_inode == tid ==> block == block') && (!busy && m_busy == tid ==> block == block');
pred L = m_inode == tid && busy ==> busy';
rely J && K && L;
thread Thread1 {
    acquire m_inode;
    if (!inode) { acquire m_busy; busy := true; release m_busy; inode := true; }
    block := 1;
    assert block == 1;
    release m_inode;
}
thread Thread2 {
    acquire m_busy;
    if (!busy) { block := 0; assert block == 0; }
    release m_busy;
}
";

/// All of the language, in little space.
pub(crate) const TOUR: &str = "
const N: int = 3;
const K: int;
const nil: Node;
const debug: bool = N > 2 && !false;
type Node;
type Index = 0..N - 1;
enum Mode { Idle, Busy }
var x, y: int = 1;
var mode: Mode = Idle;
var r: set<Tid> = {};
var owner: [Node]Tid = [_ => 0];
var grid: [Index][bool]0..7;
mutex m, n;
init x >= 0;
invariant safe: m == 0 ==> x >= 0;
rely m == tid ==> m' == m && x' == x;
rely kept: stays(tid) && (locked(tid) ==> locked'(tid));
never exists i, j: Tid, k: Index :: i != j && at(i, L2) && at(j, T1.L2) && k > 0;
never deadlock;
never race;
never race on x, Store.hidden;
pred locked(i: Tid) = m == i;
pred stays(i: Tid) = m == i ==> m' == i;
pred calm = x == 0;
module Store {
    var hidden: int = 0;
    const limit: int = 2 * N;
    invariant hidden <= limit;
    proc put(v: int) requires v > 0; modifies hidden; ensures hidden' == v { hidden := v; }
    proc get() returns (v: int, ok: bool) { v, ok := hidden, true; return; }
    proc twice(v: int): int { return v * 2; }
}
thread T1 { acquire m; L1: x := x * x; L2: assert x > 1; release m; }
thread Worker[N] rely y' == y; rely x' >= x { skip; }
thread Many[K] { skip; }
thread Client[*] {
    var b: bool;
    var t: Tid := tid;
    var u, v: int;
    var w := x + 1;
    b := cas(m, 0, tid);
    cas(m, 0, t);
    cas(m, 0, tid);
    cas(owner[nil], 0, T1);
    x, y := y, x;
    grid[0][true] := 3;
    grid := grid[1 := [_ => 2][false := 1]];
    havoc x, grid[0][b];
    assume x == -1 || x != y % 2 / 3;
    atomic { x := x + 1; if (x > 3) { x := 0; } }
    atomic modifies x, u requires x > 0 action x' == x + 1 && u' == x ensures x' > x;
    if (*) { skip; } else if (b) { skip; } else { mode := Mode.Busy; }
    while (x > 0) invariant x >= 0 invariant true { if (b) { break; } continue; }
    loop { x := x - 1; }
    choose { call Store.put(1); } or { Store.put(2); } or { u, b := Store.get(); }
    u := call Store.twice(u);
    var z := Store.twice(3);
    { var inner: int := b ? 1 : 2; }
    assert forall i: Tid :: i in r ==> i !in r - {tid, 0} || i in Client;
    r := r + {tid} * {T1};
    return;
}
proc acquire()
  modifies ;
  action modifies m ensures m == 0 && m' == tid
{ var t: Tid := tid; while (t == tid) { cas(m, 0, t); } }
";

pub(crate) const ALL: &[&str] = &[SIMPLE_LOCK, DEKKER, READER_WRITER, TIME_VARYING_MUTEX, TOUR];

#[test]
fn programs_have_no_faults() {
    for program in ALL {
        check(program, expect![[""]]);
    }
}

#[test]
fn simple_lock() {
    check_program(
        SIMPLE_LOCK,
        expect![[r#"
        var x: Int
        var mx: Tid mutex
        init (Eq mx nobody)
        rely (Implies (Eq mx tid) (and (Eq mx' tid), (Eq x' x)))
        thread Thread1 One
          acquire mx
          x := (Mul x x)
          x := (Add x 2)
          assert (Gt x 1)
          release mx
        thread Thread2 One
          acquire mx
          x := 0
          release mx
    "#]],
    );
}

#[test]
fn reader_writer() {
    check_program(
        READER_WRITER,
        expect![[r#"
        var Lock.w: Tid
        var Lock.r: Set(Tid)
        var x: Int
        var y: Int
        init (Eq Lock.w nobody)
        init (Eq Lock.r {: Set(Tid)})
        invariant (or (Eq Lock.r {: Set(Tid)}), (Eq Lock.w nobody))
        rely (and (Iff (Eq Lock.w tid) (Eq Lock.w' tid)), (Iff (in tid Lock.r) (in tid Lock.r')))
        rely (Implies (in tid Lock.r) (Eq x x'))
        thread Thread1 One
          [] := call Lock.acq_write()
          x := 3
          [] := call Lock.rel_write()
        thread Thread2 One
          rely (Eq y y')
          [] := call Lock.acq_read()
          y := x
          assert (Eq y x)
          [] := call Lock.rel_read()
        proc Lock.acq_write [] -> []
          action [Lock.w] * ? (and (Eq Lock.w nobody), (Eq Lock.r {: Set(Tid)}), (Eq Lock.w' tid)) ! *
        proc Lock.acq_read [] -> []
          action [Lock.r] * ? (and (Eq Lock.w nobody), (Eq Lock.r' (Union Lock.r {tid: Set(Tid)}))) ! *
        proc Lock.rel_write [] -> []
          action [Lock.w] * ? (Eq Lock.w' nobody) ! (Eq Lock.w tid)
        proc Lock.rel_read [] -> []
          action [Lock.r] * ? (Eq Lock.r' (Difference Lock.r {tid: Set(Tid)})) ! (in tid Lock.r)
    "#]],
    );
}

#[test]
fn tour() {
    check_program(
        TOUR,
        expect![[r#"
        const N: Int = Some(Int(3))
        const K: Int = None
        const nil: Opaque(OpaqueId(0)) = None
        const debug: Bool = Some(Bool(true))
        const Store.limit: Int = Some(Int(6))
        var x: Int
        var y: Int
        var mode: Enum(EnumId(0))
        var r: Set(Tid)
        var owner: Map(Opaque(OpaqueId(0)), Tid)
        var grid: Map(Range(0, 2), Map(Bool, Range(0, 7)))
        var m: Tid mutex
        var n: Tid mutex
        var Store.hidden: Int
        pred1 locked = (Eq m ?i)
        pred2 stays = (Implies (Eq m ?i) (Eq m' ?i))
        pred1 calm = (Eq x 0)
        init (Eq x 1)
        init (Eq y 1)
        init (Eq mode Mode.Idle)
        init (Eq r {: Set(Tid)})
        init (Eq owner (all nobody: Map(Opaque(OpaqueId(0)), Tid)))
        init (Eq m nobody)
        init (Eq n nobody)
        init (Ge x 0)
        init (Eq Store.hidden 0)
        invariant (Implies (Eq m nobody) (Ge x 0))
        invariant (Le Store.hidden Store.limit)
        rely (Implies (Eq m tid) (and (Eq m' m), (Eq x' x)))
        rely (and stays(tid), (Implies locked(tid) locked'(tid)))
        thread T1 One
          acquire m
          L1: x := (Mul x x)
          L2: assert (Gt x 1)
          release m
        thread Worker Copies(3)
          rely (Eq y' y)
          rely (Ge x' x)
          skip
        thread Many Symbolic(ConstId(1))
          skip
        thread Client Any
          havoc %b
          %t := tid
          havoc %u, %v
          %w := (Add x 1)
          %b := cas m nobody tid
          swap m nobody %t
          _ := cas m nobody tid
          _ := cas owner[nil] nobody @T1
          x := y, y := x
          grid[0][true] := 3
          grid := grid[1 := (all 2: Map(Bool, Range(0, 7)))[false := 1]]
          havoc x, grid[0][%b]
          assume (or (Eq x (neg 1)), (Ne x (Div (Mod y 2) 3)))
          atomic
            x := (Add x 1)
            if (Gt x 3)
              x := 0
            or
          action [x, %u] (Gt x 0) ? (and (Eq x' (Add x 1)), (Eq %u' x)) ! (Gt x' x)
          if *
            skip
          or
            if %b
              skip
            or
              mode := Mode.Busy
          while (Gt x 0) invariants [(Ge x 0), true]
            if %b
              break
            or
            continue
          while * invariants []
            x := (Sub x 1)
          choose
            [] := call Store.put(1)
          or
            [] := call Store.put(2)
          or
            [%u, %b] := call Store.get()
          [%u] := call Store.twice(%u)
          [%z] := call Store.twice(3)
          block
            %inner := (if %b 1 2)
          assert (forall i (Implies (in ?i r) (or (not (in ?i (Difference r {tid, nobody: Set(Tid)}))), (in ?i @Client))))
          r := (Union r (Intersection {tid: Set(Tid)} {@T1: Set(Tid)}))
          return []
        proc Store.put [LocalId(0)] -> []
          requires (Gt %v 0); modifies [GlobalId(8)]
          ensures (Eq Store.hidden' %v)
          Store.hidden := %v
        proc Store.get [] -> [LocalId(0), LocalId(1)]
          %v := Store.hidden, %ok := true
          return []
        proc Store.twice [LocalId(0)] -> [LocalId(1)]
          return [(Mul %v 2)]
        proc acquire [] -> []
          requires ; modifies []
          action modifies [GlobalId(6)] ensures (and (Eq m nobody), (Eq m' tid))
          ensures 
          %t := tid
          while (Eq %t tid) invariants []
            swap m nobody %t
        never (exists i j k (and (Ne ?i ?j), (at ?i [LabelId(1)]), (at ?j [LabelId(1)]), (Gt ?k 0)))
        never Deadlock
        never Race([])
        never Race([GlobalId(0), GlobalId(8)])
    "#]],
    );
}
