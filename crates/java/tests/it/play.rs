//! What runs show, as lines with codes.

use java::play::{End, Wanted};
use source::SourceMap;
use std::collections::BTreeSet;

/// All that goes wrong in some run, and how runs end otherwise.
fn shown(text: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut sources = SourceMap::default();
    let id = sources.add("Test.java", text);
    let program = java::read(&mut sources, &[id], &java::NoLibrary);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    let (mut failures, mut ends) = (BTreeSet::new(), BTreeSet::new());
    let wanted = Wanted { may: &|_| true, about: None };
    program.play.runs(0..400, 2_000_000, &wanted, |_, run| {
        match run.end {
            End::Failed(failure) => {
                let (line, _) = sources.line_column(failure.span);
                failures.insert(format!("{line}: {}", failure.code));
            }
            End::GaveUp(why) => {
                ends.insert(format!("gave up: {why}"));
            }
            other => {
                ends.insert(format!("{other:?}").to_lowercase());
            }
        }
        true
    });
    (failures, ends)
}

/// Compares what goes wrong with what is expected.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (failures, ends) = shown(text);
    let expected: BTreeSet<String> = expected.iter().map(|one| (*one).to_owned()).collect();
    assert_eq!(failures, expected, "ends: {ends:?}");
    assert!(!ends.iter().any(|end| end.starts_with("gave up")), "{ends:?}");
}

#[test]
fn accesses_without_a_lock_race() {
    let text = "class C {
    int n;
    synchronized void add() { n = n + 1; }
    int get() { return n; }
}";
    // Either access may be the second one.
    check(text, &["3: data-race", "4: data-race"]);
    check("class C { int n; synchronized void add() { n++; } }", &[]);
    check("class C { volatile int n; void set(int v) { n = v; } int get() { return n; } }", &[]);
}

#[test]
fn monitors_are_entered_again_and_left_on_every_way() {
    let text = "class C {
    int n;
    synchronized void one() { two(); }
    synchronized void two() {
        synchronized (this) {
            n++;
            if (n > 1) throw new IllegalStateException();
        }
    }
    void after() {
        try { two(); } catch (RuntimeException e) { }
        //@ assert this.holder != tid
    }
    void wrong() { notify(); }
}";
    check(text, &["14: monitor-not-held"]);
}

#[test]
fn who_waits_goes_on_with_the_monitor() {
    let text = "class Box {
    private int full;
    synchronized void put() { full = 1; notifyAll(); }
    synchronized void take() throws InterruptedException {
        while (full == 0) wait();
        assert full == 1;
        full = 0;
    }
    synchronized void hasty() throws InterruptedException {
        if (full == 0) wait();
        assert full == 1;
        full = 0;
    }
}";
    check(text, &["11: assertion-failed"]);
}

#[test]
fn exceptions_find_their_handlers_through_finally() {
    let text = "class C {
    static int trace(int[] a, int at) {
        int seen = 0;
        try {
            try {
                seen = seen + a[at];
            } finally {
                seen = seen + 10;
            }
            seen = seen + 100;
        } catch (NullPointerException e) {
            assert seen == 10;
            return 1;
        } catch (IndexOutOfBoundsException e) {
            assert seen == 10;
            return 2;
        }
        assert seen >= 109;
        return 3;
    }
    static int loops() {
        int n = 0;
        for (int i = 0; i < 3; i++) {
            try {
                if (i == 1) continue;
                n++;
            } finally {
                n = n + 10;
            }
        }
        assert n == 32;
        return n / (n - 32);
    }
}";
    check(text, &["32: division-by-zero"]);
}

#[test]
fn the_class_of_the_object_decides_what_runs() {
    let text = "abstract class Shape { abstract int area(); int twice() { return 2 * area(); } }
class Square extends Shape { int area() { return 4; } }
class Dot extends Shape { int area() { return 0; } }
class Use {
    static void use(Shape shape) {
        if (shape == null) return;
        int area = shape.twice();
        assert area == 8 || area == 0;
        assert area != 0;
        Square square = (Square) shape;
    }
    static int kind(Shape shape) {
        return switch (shape) {
            case Square s -> s.area();
            case null -> 1;
            default -> 1 / shape.area();
        };
    }
}";
    check(text, &["9: assertion-failed", "16: division-by-zero"]);
}

#[test]
fn started_threads_come_after_what_their_starter_did() {
    let text = "class Worker extends Thread {
    int in;
    int out;
    public void run() { out = in + 1; }
}
class Use {
    static void use() throws InterruptedException {
        Worker worker = new Worker();
        worker.in = 2;
        worker.start();
        worker.join();
        assert worker.out == 3;
    }
    static int hasty() {
        Worker worker = new Worker();
        worker.start();
        return worker.out;
    }
}";
    // The read of the starter and the write of the thread, whichever comes second.
    check(text, &["17: data-race", "4: data-race"]);
}

#[test]
fn formulas_are_checked_after_every_step() {
    let text = "class C {
    private int n; //@ unwritable_by_env_if this.holder == tid
    //@ global_invariant 0 <= n
    synchronized void down() { n = n - 1; }
    void up() { n = 1; }
    //@ requires 0 < by
    //@ ensures \\result > 1
    synchronized int add(int by) { n = n + by; return n; }
}";
    check(text, &["4: invariant-broken", "5: rely-violated", "7: postcondition-failed"]);
}

#[test]
fn atomic_variables_of_the_library_are_one_step() {
    let text = "import java.util.concurrent.atomic.AtomicInteger;
class C {
    private final AtomicInteger n = new AtomicInteger();
    void add() { int before = n.get(); int after = n.incrementAndGet(); assert after > before; }
    void lost() { int before = n.get(); n.set(before + 1); assert n.get() == before + 1; }
}";
    check(text, &["4: assertion-failed", "5: assertion-failed"]);
    let text = text.replace("    void lost() { int before = n.get(); n.set(before + 1); assert n.get() == before + 1; }\n", "");
    check(&text, &[]);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let text = "class C { int n; void add() { n++; } }";
    let mut sources = SourceMap::default();
    let id = sources.add("Test.java", text);
    let program = java::read(&mut sources, &[id], &java::NoLibrary);
    let wanted = Wanted { may: &|_| true, about: None };
    let one = program.play.failures(0..60, 100_000, &wanted);
    assert_eq!(one, program.play.failures(0..60, 100_000, &wanted));
    let (failure, (_, seed)) = one.iter().next().expect("a race");
    let trace = program.play.shown(*seed, &wanted, failure).expect("a picture");
    assert!(trace.steps.len() > 2 && trace.lanes.len() > 2, "{trace:?}");
}
