//! What can go wrong, and what cannot.

use crate::{all, checked, program};
use machine::{Request, Settings, Sizes, check, worlds};
use search::Budget;
use verdict::StopReason;

/// Exactly these codes are found in the only world of the program, and the search ends by itself.
fn check_codes(text: &str, expected: &[&str]) {
    let found = checked(text, &all());
    let codes: Vec<&str> = found.violations.iter().map(|one| one.fault.code.as_str()).collect();
    assert_eq!(codes, expected, "{text}");
    assert_eq!(found.cut, None, "{text}");
}

#[test]
fn statements() {
    check_codes("var x: int = 0; thread T { assert x == 0; }", &[]);
    check_codes("var x: int = 0; thread T { assert x == 1; }", &["assertion-failed"]);
    check_codes("mutex m; thread T { release m; }", &["release-not-held"]);
    check_codes("var r: 0..1 = 1; thread T { r := r + 1; }", &["value-out-of-range"]);
    check_codes(
        "var f: [0..1]bool = [_ => true]; thread T { f[2] := true; }",
        &["index-out-of-range"],
    );
    check_codes("var x: int = 0; thread T { x := 1 / x; }", &["division-by-zero"]);
    check_codes(
        "var x: int = 0; thread T { atomic modifies x requires x > 0 action x' == 0; }",
        &["precondition-failed"],
    );
    check_codes(
        "var x: int = 0; thread T { atomic modifies x action x' == x + 1 ensures x' == 0; }",
        &["action-check-failed"],
    );
}

#[test]
fn formulas_of_one_store() {
    check_codes("var x: int = 0; invariant x == 0; thread T { x := 1; }", &["invariant-broken"]);
    check_codes("var b: bool; invariant b; thread T { skip; }", &["invariant-not-initial"]);
    check_codes("var x: int = 0; never x == 2; thread T { x := 2; }", &["never-reached"]);
    check_codes("var x: int = 0; never x == 0; thread T { skip; }", &["never-reached"]);
    check_codes("var x: int = 0; invariant x < 2; thread T { atomic { x := 2; x := 1; } }", &[]);
}

#[test]
fn labels() {
    let text = |never: &str, body: &str| {
        format!("var x: int = 0; mutex m; {never} thread T[2] {{ {body} }}")
    };
    let never = "never exists i, j: Tid :: i != j && at(i, L) && at(j, L);";
    check_codes(&text(never, "L: x := 1;"), &["never-reached"]);
    check_codes(&text(never, "acquire m; L: x := 1; release m;"), &[]);
    check_codes(&text(never, "acquire m; L: { x := 1; x := 2; } release m;"), &[]);
    // Also if the formula is not of the usual form.
    let negated = "never !(forall i: Tid :: at(i, L) ==> m == i);";
    check_codes(&text(negated, "acquire m; L: x := 1; release m;"), &[]);
    check_codes(&text(negated, "acquire m; release m; L: x := 1;"), &["never-reached"]);
    let with_store = "never exists i: Tid :: at(i, L) && x == 1;";
    check_codes(&text(with_store, "acquire m; L: x := 2; release m;"), &[]);
    check_codes(&text(with_store, "x := 1; L: x := 2;"), &["never-reached"]);
}

#[test]
fn deadlocks() {
    let two = |second: &str| {
        format!(
            "mutex a; mutex b; never deadlock;
            thread T {{ acquire a; acquire b; release b; release a; }}
            thread U {{ {second} }}"
        )
    };
    check_codes(&two("acquire b; acquire a; release a; release b;"), &["deadlock"]);
    check_codes(&two("acquire a; acquire b; release b; release a;"), &[]);
    check_codes("never deadlock; thread T { assume false; }", &["deadlock"]);
    check_codes("thread T { assume false; }", &[]);
    // Going wrong is no deadlock.
    check_codes("never deadlock; thread T { assert false; }", &["assertion-failed"]);
}

#[test]
fn races() {
    let text = |never: &str, body: &str| {
        format!(
            "var x: 0..9 = 0; var a: [Tid]bool = [_ => false]; mutex m; {never} thread T[2] {{ {body} }}"
        )
    };
    check_codes(&text("never race on x;", "x := 1;"), &["data-race"]);
    check_codes(&text("never race;", "x := 1;"), &["data-race"]);
    check_codes(&text("never race;", "assert x == 0;"), &[]);
    check_codes(&text("never race;", "acquire m; x := 1; release m;"), &[]);
    check_codes(&text("never race on m;", "acquire m; release m;"), &["data-race"]);
    check_codes(
        &text("never race;", "if (x == 0) { acquire m; x := 0; release m; }"),
        &["data-race"],
    );
    // Each its own element.
    check_codes(&text("never race;", "a[tid] := true;"), &[]);
    check_codes(&text("never race;", "a[0] := true;"), &["data-race"]);
}

#[test]
fn procedures_of_any_depth() {
    let text = |limit: u32| {
        format!(
            "proc down(n: int) {{ if (n > 0) {{ down(n - 1); }} }}
            proc sum(n: int) returns (s: int) {{
                if (n == 0) {{ return 0; }}
                s := sum(n - 1);
                s := s + n;
            }}
            thread T {{ down(100); var s := sum({limit}); assert s == {limit} * ({limit} + 1) / 2; }}"
        )
    };
    check_codes(&text(50), &[]);
    let endless = "proc p() { p(); } thread T { p(); }";
    let request = Request { budget: Budget { states: 1000, ..Budget::default() }, ..all() };
    assert_eq!(checked(endless, &request).cut, Some(StopReason::ResourceLimit));
    check_codes(
        "var g: 0..3 = 0; proc two() returns (r: int) { r := 2; } thread T { g := two(); assert g == 3; }",
        &["assertion-failed"],
    );
}

#[test]
fn what_is_not_tried_is_not_proved() {
    let is_cut = |text: &str| matches!(checked(text, &all()).cut, Some(StopReason::Unsupported(_)));
    assert!(is_cut("var x: int; thread T { skip; }"));
    assert!(is_cut("var x: int = 0; thread T { havoc x; }"));
    assert!(!is_cut("var x: 0..5 = 0; thread T { havoc x; }"));
    assert!(is_cut("var x: int = 0; thread T { atomic modifies x action x' > x; }"));
    assert!(!is_cut(
        "var x: int = 0; var y: int = 0; thread T { atomic modifies x, y action x' == y' + 1 && y' == 3; assert x == 4; }"
    ));
    assert!(is_cut(
        "var f: [int]int = [_ => 0]; invariant forall i: int :: f[i] == 0; thread T { skip; }"
    ));
    assert!(!is_cut(
        "var f: [int]int = [_ => 0]; invariant forall i: int :: 0 <= i && i < 9 ==> f[i] == 0; thread T { skip; }"
    ));
    assert!(is_cut("var x: int = 0; invariant 1 / x == 1; thread T { skip; }"));
    assert!(is_cut("type Node; thread T { skip; }"));
    assert!(is_cut("var x: int = 1; thread T { while (true) { x := x * x * 3; } }"));
    let (any, _) = program("var x: int = 0; thread T[*] { skip; }");
    for world in worlds(&any, &Sizes::default()) {
        assert!(matches!(check(world, &all()).cut, Some(StopReason::Unsupported(_))));
    }
}

#[test]
fn annotations_are_checked_on_request_only() {
    let text = "var x: int = 0; rely x' == x;
        thread T { x := 1; } thread U { var i: int := 0; while (i < 2) invariant i == 0 { i := i + 1; } }";
    check_codes(text, &[]);
    let settings = Settings { annotations: true, ..Settings::default() };
    let found = checked(text, &Request { settings, ..all() });
    let codes: Vec<&str> = found.violations.iter().map(|one| one.fault.code.as_str()).collect();
    assert_eq!(codes, ["rely-violated", "loop-invariant-not-preserved"]);
}

#[test]
fn a_run_tells_who_did_what() {
    let text = "enum Mode { Idle, Busy } var mode: Mode = Idle; var owner: Tid = 0;
        thread T[2] { var n: int := 1; owner := tid; mode := Busy; assert owner == tid; }";
    let found = checked(text, &Request::default());
    let trace = &found.violations[0].trace;
    let names: Vec<&str> = trace.lanes.iter().map(|lane| lane.name.as_str()).collect();
    assert_eq!(names, ["T#1", "T#2"]);
    assert_eq!(trace.initial[0], ("mode".to_owned(), "Idle".to_owned()));
    let changes: Vec<String> = trace
        .steps
        .iter()
        .flat_map(|step| &step.changes)
        .map(|change| format!("{} = {}", change.name, change.new))
        .collect();
    for expected in ["n = 1", "owner = T#1", "owner = T#2", "mode = Busy"] {
        assert!(changes.iter().any(|change| change == expected), "{expected}: {changes:?}");
    }
    assert_eq!(trace.steps.len(), 6);
}

#[test]
fn guarded_variables() {
    let text = |body: &str| {
        format!(
            "mutex m; var x: 0..9 = 0 guarded by m;
            thread T[2] {{ {body} }}"
        )
    };
    check_codes(&text("acquire m; x := 1; assert x == 1; release m;"), &[]);
    check_codes(&text("x := 1;"), &["unguarded-access"]);
    check_codes(&text("assert x == 0;"), &["unguarded-access"]);
    check_codes(&text("atomic { acquire m; x := 2; release m; }"), &[]);
    check_codes(&text("acquire m; release m; if (x == 0) { skip; }"), &["unguarded-access"]);
    check_codes(&text("if (m == tid && x == 0) { skip; }"), &[]);
}

#[test]
fn inside_an_atomic_procedure_invariants_need_not_hold() {
    let text = |kind: &str| {
        format!(
            "mutex m; var x: int = 0 guarded by m; var y: int = 0 guarded by m; invariant x == y;
            {kind} move() action modifies x, y ensures x' == x + 1 && y' == y + 1
            {{ acquire m; x := x + 1; y := y + 1; release m; }}
            thread T[2] {{ move(); }}"
        )
    };
    check_codes(&text("atomic proc"), &[]);
    check_codes(&text("proc"), &["invariant-broken"]);
    check_codes(&text("atomic proc").replace("y := y + 1;", ""), &["invariant-broken"]);
}
