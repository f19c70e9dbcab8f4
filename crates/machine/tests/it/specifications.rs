//! Runs against the specifications of procedures: each fault with a program that has it and one
//! that has not.

use crate::{all, program};
use machine::{Request, Settings, Sizes, check, worlds};
use verdict::StopReason;

const TWO: &str = "var x: 0..3 = 0; var y: 0..3 = 0;\n";

/// Exactly these faults are found in the only world of the program, each as a line and a code.
#[track_caller]
fn check_faults(text: &str, expected: &[&str]) {
    let (program, sources) = program(text);
    let mut all_worlds = worlds(&program, &Sizes::default());
    assert_eq!(all_worlds.len(), 1, "{text}");
    let settings = Settings { specifications: true, ..Settings::default() };
    let found = check(all_worlds.remove(0), &Request { settings, ..all() });
    let line = |fault: &machine::Fault| sources.line_column(fault.span).0;
    let mut faults: Vec<String> = found
        .violations
        .iter()
        .map(|one| format!("{}: {}", line(&one.fault), one.fault.code))
        .collect();
    faults.sort();
    faults.dedup();
    assert_eq!(faults, expected, "{text}");
}

/// The same for a procedure `p` of these lines, over two variables, that one thread calls.
#[track_caller]
fn check_procedure(text: &str, expected: &[&str]) {
    check_faults(&format!("{TWO}{text}\nthread T {{ p(); }}"), expected);
}

#[test]
fn requires_holds_at_the_call() {
    let text = |body: &str| {
        format!(
            "{TWO}proc p(n: 0..3) requires x == n requires n > 0 {{ n := 0; }}\nthread T {{\n{body}}}"
        )
    };
    check_faults(&text("x := 1;\np(1);\n"), &[]);
    check_faults(&text("x := 1;\np(2);\n"), &["5: precondition-failed"]);
    check_faults(&text("p(0);\n"), &["4: precondition-failed"]);
    // The body of a procedure that must not be called says nothing about its specification.
    check_procedure("proc p() requires x == 1\n{ x := 2; }", &["4: precondition-failed"]);
    // In an atomic block the body counts alone.
    check_faults(&text("atomic { p(2); }\n"), &[]);
}

#[test]
fn a_step_is_an_action_or_stays_within_modifies() {
    check_procedure("proc p() modifies x\n{\nx := 1;\nx := 2;\n}", &[]);
    check_procedure("proc p() modifies x\n{\nx := 1;\ny := 2;\n}", &["5: step-not-allowed"]);
    // A value that does not change is no change.
    check_procedure("proc p()\n{\nx := 0;\n}", &[]);
    check_procedure("proc p() action modifies x ensures x' == 1\n{\nx := 1;\n}", &[]);
    let twice = "proc p() action modifies x ensures x' == x + 1\n{\nx := 1;\nx := 2;\n}";
    check_procedure(twice, &["5: step-not-allowed"]);
    let wrong = "proc p() action modifies x ensures x' == 1\n{\nx := 2;\n}";
    check_procedure(wrong, &["4: step-not-allowed"]);
    // All of an atomic block is one step, also what it calls.
    check_procedure("proc q() { x := 2; x := 0; }\nproc p()\n{\natomic { q(); }\n}", &[]);
}

#[test]
fn actions_are_performed_in_their_order() {
    let spec = "proc p() action modifies x ensures x' == 1 action modifies y ensures y' == 1";
    check_procedure(&format!("{spec}\n{{\nx := 1;\ny := 1;\n}}"), &[]);
    check_procedure(&format!("{spec}\n{{\ny := 1;\nx := 1;\n}}"), &["4: step-not-allowed"]);
    check_procedure(&format!("{spec}\n{{\nx := 1;\n}}"), &["2: action-missing"]);
    check_procedure(&format!("{spec}\n{{\nx := 1;\nreturn;\ny := 1;\n}}"), &["2: action-missing"]);
    // Who never ends need not perform them.
    check_procedure(&format!("{spec}\n{{\nx := 1;\nassume false;\n}}"), &[]);
    // A step that only looks may perform an action, but no more than one.
    let looks = "action ensures x == 0 action ensures y == 0";
    check_procedure(&format!("proc p() {looks}\n{{ skip; skip; }}"), &[]);
    check_procedure(&format!("proc p() {looks}\n{{ skip; }}"), &["2: action-missing"]);
}

#[test]
fn choices_options_and_repetitions() {
    let (one, two) = ("action modifies x ensures x' == 1", "action modifies y ensures y' == 1");
    let both = "\n{\nx := 1;\ny := 1;\n}";
    let choice = format!("proc p() choose {{ {one} }} or {{ {two} }}");
    check_procedure(&format!("{choice}\n{{\nx := 1;\n}}"), &[]);
    check_procedure(&format!("{choice}\n{{\ny := 1;\n}}"), &[]);
    check_procedure(&format!("{choice}{both}"), &["5: step-not-allowed"]);
    check_procedure(&format!("{choice}\n{{\nskip;\n}}"), &["2: action-missing"]);
    let optional = format!("proc p() optional {{ {one} }} {two}");
    check_procedure(&format!("{optional}{both}"), &[]);
    check_procedure(&format!("{optional}\n{{\ny := 1;\n}}"), &[]);
    check_procedure(&format!("{optional}\n{{\nx := 1;\n}}"), &["2: action-missing"]);
    let again = "action modifies x ensures x' == x + 1";
    let repeat = format!("proc p() repeat {{ {again} {two} }}");
    check_procedure(&format!("{repeat}\n{{ }}"), &[]);
    check_procedure(&format!("{repeat}\n{{ x := 1; y := 1; x := 2; y := 1; }}"), &[]);
    check_procedure(&format!("{repeat}\n{{ x := 1; y := 1; x := 2; }}"), &["2: action-missing"]);
    check_procedure(&format!("{repeat}\n{{ x := 1;\nx := 2; }}"), &["4: step-not-allowed"]);
    // Which way was taken may turn out later.
    let late = format!("proc p() choose {{ {one} {one} }} or {{ {one} {two} }}");
    check_procedure(&format!("{late}{both}"), &[]);
}

#[test]
fn ensures_is_about_the_start_and_the_end() {
    let increment = "modifies x ensures x' == x + 1";
    check_procedure(&format!("proc p() {increment}\n{{ x := 2; x := 1; }}"), &[]);
    check_procedure(&format!("proc p() {increment}\n{{ x := 2; }}"), &["2: postcondition-failed"]);
    // Others have their turn before the end.
    let others = format!("{TWO}proc p() {increment}\n{{ x := x + 1; }}\nthread T {{ p(); }}");
    check_faults(&format!("{others}\nthread U {{ y := 1; }}"), &[]);
    check_faults(&format!("{others}\nthread U {{ x := 0; }}"), &["2: postcondition-failed"]);
}

#[test]
fn parameters_are_those_of_the_start() {
    let text = |body: &str| {
        format!(
            "{TWO}proc p(n: 0..3) returns (r: 0..3) action modifies x ensures x' == n ensures r == n
            {{ {body} }}
            thread T {{ x := p(2); }}"
        )
    };
    check_faults(&text("var m: 0..3 := n; n := 0; x := m; return m;"), &[]);
    check_faults(&text("n := 1;\nx := n; return 2;"), &["4: step-not-allowed"]);
    check_faults(&text("x := n; n := 0; return n;"), &["2: postcondition-failed"]);
}

#[test]
fn actions_with_results_are_about_what_is_returned() {
    let text = |body: &str| {
        format!(
            "{TWO}proc p() returns (r: 0..2) action modifies x ensures x' == r\n{{\n{body}}}\nthread T {{ y := p(); }}"
        )
    };
    check_faults(&text("x := 1;\nreturn 1;\n"), &[]);
    check_faults(&text("r := 1;\nx := 1;\n"), &[]);
    check_faults(&text("x := 1;\nreturn 2;\n"), &["2: action-missing"]);
    // Nothing that can be returned fits.
    check_faults(&text("x := 3;\nassume false;\n"), &["4: step-not-allowed"]);
    // A result that is given no value is an arbitrary one.
    check_faults(&text("x := 1;\n"), &["2: action-missing"]);
    let any = "proc p() returns (r: bool) action ensures r ==> x == 0\n{ skip; }";
    check_faults(&format!("{TWO}{any}\nthread T {{ var b: bool := p(); }}"), &[]);
    // One value has to fit all actions that mention it.
    let two = |second: &str| {
        format!(
            "{TWO}proc p() returns (r: 0..2) action modifies x ensures x' == r action modifies y ensures y' == r
            {{ x := 1;\n{second}\nreturn 1; }}
            thread T {{ var a: 0..2 := p(); }}"
        )
    };
    check_faults(&two("y := 1;"), &[]);
    check_faults(&two("y := 2;"), &["4: step-not-allowed"]);
}

#[test]
fn a_caller_is_blamed_at_its_call() {
    let text = |outer: &str, inner: &str| {
        format!(
            "{TWO}proc q() {inner}\n{{\nx := 1;\n}}\nproc p() {outer}\n{{\nq();\n}}\nthread T {{ p(); }}"
        )
    };
    let action = "action modifies x ensures x == 0 && x' == 1";
    check_faults(&text(action, action), &[]);
    check_faults(&text("modifies y", action), &["8: step-not-allowed"]);
    check_faults(
        &text("modifies y", "modifies y"),
        &["4: step-not-allowed", "8: step-not-allowed"],
    );
    // Without a specification the step itself is wrong.
    check_faults(&text("modifies y", ""), &["4: step-not-allowed"]);
    check_faults(&text(&format!("{action} {action}"), action), &["6: action-missing"]);
    // Where results are written is a step of the caller.
    let write = |outer: &str| {
        format!(
            "{TWO}proc q() returns (r: 0..3) ensures r == 2\n{{ return 2; }}\nproc p() {outer}\n{{\nx := q();\n}}\nthread T {{ p(); }}"
        )
    };
    check_faults(&write("action modifies x ensures x' == 2"), &[]);
    check_faults(&write("modifies y"), &["6: step-not-allowed"]);
}

#[test]
fn each_activation_of_a_recursive_procedure_is_compared() {
    let text = |spec: &str| {
        format!(
            "{TWO}proc p(n: 0..3) {spec}\n{{\nif (n > 0) {{\nx := x + 1;\np(n - 1);\n}}\n}}\nthread T {{ p(2); }}"
        )
    };
    check_faults(
        &text("repeat { action modifies x ensures x' == x + 1 } ensures x' == x + n"),
        &[],
    );
    let once = "optional { action modifies x ensures x' == x + 1 }";
    check_faults(&text(once), &["6: step-not-allowed"]);
    let off = "modifies x ensures n == 1 ==> x' == x";
    check_faults(&text(off), &["2: postcondition-failed"]);
}

#[test]
fn what_is_not_known_is_not_reported() {
    // No integer that is tried fits.
    let far = "proc p() requires exists i: int :: i * i == x + 3844 { skip; }";
    check_procedure(far, &[]);
    // No value.
    check_procedure("proc p() requires 1 / x == 1 action ensures 1 / y == 2 { skip; }", &[]);
    check_procedure(
        "proc p() requires (forall i: int :: i * i > x) { skip; }",
        &["3: precondition-failed"],
    );
}

/// Copies change places, and what is remembered changes with them.
#[test]
fn threads_in_remembered_stores_are_renamed() {
    let text = |spec: &str| {
        format!(
            "mutex m; var owner: Tid = 0; var last: Tid = 0;
            proc p() returns (t: Tid) {spec}
            {{
            acquire m; t := last; atomic {{ owner := tid; last := tid; }} owner := 0; release m;
            }}
            thread T[3] {{ var t: Tid := p(); }}"
        )
    };
    let steps = "modifies m, owner action modifies last ensures last' == tid";
    check_faults(&text(&format!("{steps} && t == last ensures t != tid")), &[]);
    check_faults(&text(&format!("{steps} ensures t == last")), &["2: postcondition-failed"]);
    check_faults(&text(&format!("{steps} && t == 0")), &["2: action-missing"]);
}

/// Relations between steps say nothing about single steps of what acts like one.
#[test]
fn atomic_procedures_are_left_out() {
    check_procedure("atomic proc p() action modifies x ensures x' == 2 { x := 1; x := 2; }", &[]);
}

#[test]
fn endless_recursion_is_followed_for_a_while() {
    let text = "var x: 0..1 = 0; proc p() modifies x { x := 1 - x; p(); } thread T { p(); }";
    let (program, _) = program(text);
    let settings = Settings { specifications: true, ..Settings::default() };
    let scope = worlds(&program, &Sizes::default()).remove(0);
    let found = check(scope, &Request { settings, ..all() });
    assert_eq!(found.cut, Some(StopReason::Unrolled(12)));
}
