//! Deep and long texts: refused or handled, but never a stack overflow. Tests run on threads of 2
//! MiB.

use crate::support::checked;
use parsing::testing::repeated;

fn codes(text: &str) -> Vec<&'static str> {
    let (program, diagnostics) = checked(text);
    drop(program.clone());
    diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

#[track_caller]
fn fine(text: &str) {
    assert_eq!(codes(text), Vec::<&str>::new());
}

#[track_caller]
fn too_deep(text: &str) {
    assert_eq!(codes(text), ["nesting-too-deep"]);
}

fn formula(expr: &str) -> String {
    format!("class C {{ var a: bool; var x: int; var n: C; predicate P {{ {expr} }} }}")
}

fn code(stmts: &str) -> String {
    format!("class C {{ var x: int; method m() {{ {stmts} }} }}")
}

#[test]
fn nesting_within_the_limit() {
    fine(&formula(&repeated("(", "a", ")", 150)));
    fine(&formula(&repeated("!", "a", "", 150)));
    fine(&formula(&repeated("(a && (true || ", "a", "))", 70)));
    fine(&formula(&format!("x == {}", repeated("-(", "x", ")", 70))));
    fine(&formula(&repeated("a ==> ", "a", "", 150)));
    fine(&formula(&repeated("a <==> ", "a", "", 150)));
    fine(&formula(&repeated("(a ? acc(x) : ", "acc(x)", ")", 70)));
    fine(&formula(&format!("acc(n{}.x)", ".n".repeat(450))));
    fine(&code(&repeated("{", "x := 1", "}", 150)));
    fine(&code(&repeated("if (x == 1) { } else { while (true) {", "x := 1", "} }", 60)));
    fine(&code(&repeated("lock (this) { [[ ", "x := 1", "]] }", 70)));
}

#[test]
fn nesting_beyond_the_limit() {
    for count in [400, 10_000] {
        too_deep(&formula(&repeated("(", "a", ")", count)));
        too_deep(&formula(&repeated("!", "a", "", count)));
        too_deep(&formula(&format!("x == {}", repeated("-(", "x", ")", count))));
        too_deep(&formula(&repeated("a ==> ", "a", "", count)));
        too_deep(&formula(&repeated("a ? a : ", "a", "", count)));
        too_deep(&formula(&format!("1 in {}", repeated("[", "x", "]", count))));
        too_deep(&formula(&repeated("old(", "a", ")", count)));
        too_deep(&formula(&repeated("unfolding P in ", "a", "", count)));
        too_deep(&formula(&repeated("forall i in [0..1] :: ", "a", "", count)));
        too_deep(&code(&repeated("{", "x := 1", "}", count)));
        too_deep(&code(&repeated("while (true) {", "x := 1", "}", count)));
        too_deep(&code(&repeated("[[ ", "x := 1", " ]]", count)));
        too_deep(&code(&repeated("if (true) { } else ", "{ }", "", count)));
        too_deep(&format!("class C {{ var x: {} }}", repeated("seq<", "int", ">", count)));
    }
    too_deep(&formula(&format!("x == {}", vec!["x"; 5_000].join(" + "))));
    too_deep(&formula(&format!("a{}", ".n".repeat(5_000))));
    assert!(codes(&code(&"{".repeat(50_000))).contains(&"nesting-too-deep"));
    assert!(codes(&formula(&"(".repeat(50_000))).contains(&"nesting-too-deep"));
}

#[test]
fn long_but_not_deep() {
    fine(&formula(&vec!["a"; 10_000].join(" && ")));
    fine(&formula(&format!("!({})", vec!["a"; 10_000].join(" && "))));
    fine(&formula(&vec!["a"; 10_000].join(" || ")));
    fine(&formula(&format!("x == {}", vec!["x"; 450].join(" + "))));
    fine(&formula(&format!("1 in [{}]", vec!["x"; 10_000].join(", "))));
    fine(&code(&"x := x + 1;".repeat(20_000)));
}
