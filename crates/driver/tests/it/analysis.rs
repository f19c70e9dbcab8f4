//! Checking texts again and again.

use crate::support::{Heard, check, input, options};
use driver::{Analysis, Status};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use verdict::{Halt, StopReason, Verdict};

const TWO: &str = "mutex m;
var x: int = 0;
rely m == tid ==> m' == m && x' == x;
proc bump() { acquire m; x := x + 1; release m; }
thread A { acquire m; x := 1; assert x == 1; release m; }
thread B { bump(); acquire m; assert x == x; release m; }
";

const COUNTER: &str = "class C { var n: int;
  method Add() requires acc(n) ensures acc(n) && n == old(n) + 1 { n := n + 1; }
  method Two() requires acc(n) ensures acc(n) && n == old(n) + 2 { call Add(); call Add(); }
}
";

fn again(analysis: &mut Analysis, text: &str) -> Heard {
    check(analysis, &Halt::default(), input("a.plato", text))
}

#[test]
fn events_tell_what_happens_in_order() {
    let mut analysis = Analysis::new(options());
    let heard = again(&mut analysis, TWO);
    assert_eq!(heard.only_file().status, Status::Proved);
    let events: Vec<&str> = heard.events.iter().map(String::as_str).collect();
    assert_eq!(&events[..2], ["parsed true", "planned 4"]);
    assert_eq!(events.last(), Some(&"finished Proved"));
    for task in ["init and invariants", "relies", "thread A", "thread B"] {
        let decided = format!("decided {task} true");
        assert_eq!(events.iter().filter(|event| **event == decided).count(), 1, "{events:?}");
    }
    let broken = again(&mut analysis, &TWO.replace("x == 1", "x == 2"));
    assert!(broken.events.contains(&"decided thread A false".to_owned()), "{:?}", broken.events);
    let rejected = again(&mut analysis, "thread A { y := 1; }");
    assert_eq!(rejected.events, ["parsed false", "finished Rejected"]);
}

/// What did not change is not made again, and the places of its results move with the text.
#[test]
fn unchanged_tasks_are_known() {
    let mut analysis = Analysis::new(options());
    let first = again(&mut analysis, TWO);
    assert_eq!(first.started().len(), 3, "{:?}", first.events);
    let same = again(&mut analysis, TWO);
    assert!(same.started().is_empty(), "{:?}", same.events);
    assert_eq!(places(&same), places(&first));
    // A longer body of `A`: `B` is known, and stands further down.
    let longer = TWO.replace("x := 1;", "x := 0;\n  x := 1;");
    let edited = again(&mut analysis, &longer);
    assert_eq!(edited.started(), ["thread A"]);
    assert_eq!(edited.only_file().status, Status::Proved);
    let mut fresh = Analysis::new(options());
    assert_eq!(places(&edited), places(&again(&mut fresh, &longer)));
}

/// The text of every obligation with its verdict, by task.
fn places(heard: &Heard) -> Vec<String> {
    let results = heard.only_file().results.iter();
    let mut places: Vec<String> = results
        .map(|result| {
            let about = &result.obligation;
            let is_proved = matches!(result.verdict, Verdict::Proved(_));
            let declared = about.declared.map(|span| heard.run.sources.text(span));
            let text = heard.run.sources.text(about.span);
            format!("{}: {} {text} {declared:?} {is_proved}", result.task, about.code)
        })
        .collect();
    places.sort();
    places
}

/// What a task looks into is more than its own body.
#[test]
fn changes_elsewhere_are_noticed() {
    let edits = [
        // A procedure that only `B` calls.
        ("x + 1", "x + 2", vec!["thread B"]),
        // A declaration, on which everything depends.
        ("var x: int = 0;", "var x: int = 7;", vec!["relies", "thread A", "thread B"]),
        // A rely.
        (" && x' == x", "", vec!["relies", "thread A", "thread B"]),
        // Now `A` writes a variable that nobody wrote: what is known of all bodies changed.
        ("mutex m;", "mutex m; var y: int = 0;", vec!["thread A", "thread B"]),
    ];
    for (old, new, started) in edits {
        let mut analysis = Analysis::new(options());
        again(&mut analysis, TWO);
        let edited = again(&mut analysis, &TWO.replace(old, new));
        for task in started {
            assert!(edited.started().contains(&task), "{new}: {:?}", edited.started());
        }
        let mut fresh = Analysis::new(options());
        let expected = again(&mut fresh, &TWO.replace(old, new));
        assert_eq!(places(&edited), places(&expected), "{new}");
        assert_eq!(edited.only_file().status, expected.only_file().status, "{new}");
    }
}

#[test]
fn unchanged_methods_are_known() {
    let mut analysis = Analysis::new(options());
    let mut again = |text: &str| check(&mut analysis, &Halt::default(), input("a.chalice", text));
    assert_eq!(again(COUNTER).only_file().status, Status::Proved);
    // The body of one method.
    let heard = again(&COUNTER.replace("n := n + 1;", "n := 1 + n;"));
    assert_eq!(heard.started(), ["method C.Add"]);
    // A contract: callers depend on it.
    let heard = again(&COUNTER.replace("old(n) + 1", "old(n) + 3"));
    assert_eq!(heard.started().len(), 2, "{:?}", heard.started());
    assert_eq!(heard.only_file().status, Status::Refuted);
}

const ACCOUNT: &str = "class Account {
    private int[] all = new int[4];
    private int count;
    //@ global_invariant 0 <= count && count <= all.length && all != null
    synchronized void add(int one) { if (count < all.length) { all[count] = one; count++; } }
    synchronized int sum() {
        int sum = 0;
        for (int i = 0; i < count; i++) { sum += all[i]; }
        return sum;
    }
    synchronized void clear() { count = 0; }
    int twice() { return 2 * sum(); }
    /*@ requires some != null */
    int first(int[] some) { return some.length > 0 ? some[0] : 0; }
}
";

/// A method of Java is asked about again if its translation changed, with what it depends on.
#[test]
fn unchanged_methods_of_java_are_known() {
    let edits = [
        // A body, which others run.
        ("int sum = 0;", "int sum = 1;\n        sum--;", vec!["Account.sum()", "Account.twice()"]),
        // A body that nobody runs; what stands below moves.
        ("{ count = 0; }", "{\n  int none = 0;\n  count = none; }", vec!["Account.clear()"]),
        // A formula that all depend on but those that touch nothing of it.
        (
            "&& all != null",
            "&& null != all",
            vec![
                "Account()",
                "Account.add(int)",
                "Account.clear()",
                "Account.sum()",
                "Account.twice()",
            ],
        ),
        // It is translated as before: nothing is asked, and what stands below moves.
        ("{ count = 0; }", "{\n  // Nothing is left.\n  count = 1 - 1; }", vec![]),
        // The lock is that of most accesses: others still hold it.
        (
            "synchronized void clear() { count = 0; }",
            "void clear() { count = 0; }",
            vec!["Account.clear()"],
        ),
        // Something else is required.
        ("requires some != null", "requires null != some", vec!["Account.first(int[])"]),
        ("requires some != null", "", vec!["Account.first(int[])"]),
    ];
    let java = |analysis: &mut Analysis, text: &str| {
        check(analysis, &Halt::default(), input("Account.java", text))
    };
    for (old, new, touched) in edits {
        let mut analysis = Analysis::new(options());
        assert_eq!(java(&mut analysis, ACCOUNT).only_file().status, Status::Proved);
        let same = java(&mut analysis, ACCOUNT);
        assert!(same.started().is_empty(), "{:?}", same.events);
        let text = ACCOUNT.replace(old, new);
        assert_ne!(text, ACCOUNT);
        let edited = java(&mut analysis, &text);
        let methods = edited.started().into_iter().filter_map(|task| task.strip_prefix("thread "));
        let methods: BTreeSet<&str> = methods.collect();
        assert_eq!(methods, touched.into_iter().collect(), "{new}");
        let mut fresh = Analysis::new(options());
        let expected = java(&mut fresh, &text);
        assert_eq!(places(&edited), places(&expected), "{new}");
        assert_eq!(edited.only_file().status, expected.only_file().status, "{new}");
        assert_eq!(edited.only_file().assumptions, expected.only_file().assumptions, "{new}");
    }
}

/// A check that is cancelled ends at once, in every engine, and says so.
#[test]
fn a_check_can_be_cancelled() {
    let endless = "var x: int = 0; thread A { while (true) { x := x + 1; assert x >= 0; } }";
    let hard = "const N: int; var x: int = 0; thread A { var i: int; i := 0;
        while (i < N) invariant x * x * x == i * i * x { i := i + 1; x := i; } }";
    for (text, engine) in [
        (endless, driver::Engine::Explore),
        (endless, driver::Engine::ThreadModular),
        (hard, driver::Engine::Deductive),
    ] {
        let halt = Halt::default();
        let mut analysis = Analysis::new(driver::Options { engine, ..options() });
        let heard = std::thread::scope(|scope| {
            let other = halt.clone();
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(200));
                other.cancel();
            });
            let begun = Instant::now();
            let heard = check(&mut analysis, &halt, input("a.plato", text));
            assert!(begun.elapsed() < Duration::from_secs(20), "{engine:?}");
            heard
        });
        let reasons = heard.only_file().results.iter().filter_map(|one| match &one.verdict {
            Verdict::Unknown(reason) => Some(reason),
            _ => None,
        });
        let reasons: Vec<&StopReason> = reasons.collect();
        let is_told =
            engine == driver::Engine::Deductive || reasons.contains(&&StopReason::Cancelled);
        assert!(is_told, "{engine:?}: {reasons:?}");
        // The next check is a new one.
        let next = check(&mut analysis, &Halt::default(), input("a.plato", TWO));
        assert_ne!(next.only_file().status, Status::InternalError);
    }
}
