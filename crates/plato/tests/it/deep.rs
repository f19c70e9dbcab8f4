//! Deep and long texts: refused or handled, but never a stack overflow. Tests run on threads of 2
//! MiB.

use crate::support::parsed;
use parsing::testing::repeated;

/// The codes met; printing, cloning and dropping the trees are part of the test.
fn codes(text: &str) -> Vec<&'static str> {
    let (file, diagnostics) = parsed(text);
    let resolved = plato::resolve(&file, &[]);
    let printed = plato::print(&file);
    if diagnostics.is_empty() {
        let (_, again) = parsed(&printed);
        assert!(again.is_empty(), "printed text does not parse: {again:?}");
    }
    drop((file.clone(), resolved.program.clone()));
    diagnostics
        .iter()
        .chain(&resolved.diagnostics)
        .map(|diagnostic| diagnostic.code.as_str())
        .collect()
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
    format!("var a: bool; var x: int; var s: set<int>; var m: [int]int; init {expr};")
}

fn code(stmts: &str) -> String {
    format!("var x: int; thread T {{ {stmts} }}")
}

#[test]
fn nesting_within_the_limit() {
    fine(&formula(&repeated("(", "a", ")", 250)));
    fine(&formula(&repeated("(a && (true || ", "a", "))", 120)));
    fine(&formula(&repeated("!", "a", "", 250)));
    fine(&formula(&format!("x == {}", repeated("-(", "x", ")", 120))));
    fine(&formula(&format!("x == {}", repeated("(1 + ", "x", ")", 250))));
    fine(&formula(&format!("x == {}", repeated("m[", "x", "]", 250))));
    fine(&formula(&format!("x == {}", repeated("(a ? 1 : 2 * ", "x", ")", 140))));
    fine(&formula(&repeated("forall i: int :: a && exists j: int :: ", "a", "", 1)));
    fine(&formula(&repeated("a ==> ", "a", "", 250)));
    fine(&formula(&repeated("a <==> ", "a", "", 250)));
    fine(&formula(&repeated("x in {1, x} && (", "a", ")", 250)));
    fine(&code(&repeated("{", "skip;", "}", 250)));
    fine(&code(&repeated("if (*) { x := 1; } else { while (x > 0) {", "skip;", "} }", 140)));
    fine(&code(&repeated("loop { choose { ", "skip;", "} or {} }", 140)));
}

#[test]
fn nesting_beyond_the_limit() {
    for count in [400, 100_000] {
        too_deep(&formula(&repeated("(", "a", ")", count)));
        too_deep(&formula(&repeated("!", "a", "", count)));
        too_deep(&formula(&format!("x == {}", repeated("-(", "x", ")", count))));
        too_deep(&formula(&format!("x == {}", repeated("m[", "x", "]", count))));
        too_deep(&formula(&format!("x == {}", repeated("m[1 := ", "x", "]", count))));
        too_deep(&formula(&repeated("a ==> ", "a", "", count)));
        too_deep(&formula(&repeated("a ? a : ", "a", "", count)));
        too_deep(&formula(&format!("s == {}", repeated("{", "x", "}", count))));
        too_deep(&code(&repeated("{", "skip;", "}", count)));
        too_deep(&code(&repeated("while (*) {", "skip;", "}", count)));
        too_deep(&code(&repeated("if (*) { skip; } else {", "skip;", "}", count)));
        too_deep(&format!(
            "var y: {}",
            repeated("[int]", "int", ";", count).trim_end_matches(';').to_owned() + ";"
        ));
    }
    too_deep(&formula(&"(".repeat(50_000)));
    let unclosed = codes(&code(&"{".repeat(50_000)));
    assert!(unclosed.contains(&"nesting-too-deep"));
}

#[test]
fn blocks_and_expressions_share_the_limit() {
    let inner = format!("assert {};", repeated("(", "true", ")", 140));
    fine(&code(&repeated("{", &inner, "}", 140)));
    let inner = format!("assert {};", repeated("(", "true", ")", 290));
    too_deep(&code(&repeated("{", &inner, "}", 290)));
}

#[test]
fn long_but_not_deep() {
    fine(&formula(&vec!["a"; 10_000].join(" && ")));
    fine(&formula(&vec!["a"; 10_000].join(" || ")));
    fine(&formula(&format!("x == {}", vec!["x"; 900].join(" + "))));
    fine(&formula(&format!("x == {}", vec!["x"; 900].join(" * "))));
    fine(&formula(&format!("s == {{{}}}", vec!["x"; 10_000].join(", "))));
    fine(&code(&"x := x + 1;".repeat(20_000)));
    fine(&code(&format!("if (x == 0) {{ }} {}", "else if (x == 1) { skip; }".repeat(250))));
    fine(&code(&format!("choose {{ }} {}", "or { skip; }".repeat(5_000))));
    too_deep(&formula(&format!("x == {}", vec!["x"; 5_000].join(" + "))));
    too_deep(&code(&format!("if (x == 0) {{ }} {}", "else if (x == 1) { skip; }".repeat(5_000))));
}

#[test]
fn chains_of_definitions() {
    let chain = |one: &dyn Fn(usize) -> String| (0..5_000).map(one).collect::<String>();
    fine(&format!(
        "{}const C5000: int = 1;",
        chain(&|at| format!("const C{at}: int = C{} + 0;", at + 1))
    ));
    fine(&format!("{}type T5000 = int;", chain(&|at| format!("type T{at} = T{};", at + 1))));
    fine(&format!("{}pred p5000 = true;", chain(&|at| format!("pred p{at} = p{};", at + 1))));
    let maps = codes(&format!(
        "{}type T5000 = int;",
        chain(&|at| format!("type T{at} = [int]T{};", at + 1))
    ));
    assert_eq!(maps, ["nesting-too-deep"]);
}

#[test]
fn nested_literals_take_linear_time() {
    fine(&formula(&format!("s == {}", repeated("({} + ", "s", ")", 140))));
    fine(&formula(&format!("x in {}", repeated("{x in {x} ? 1 : ", "x", "}", 1))));
    let sets = repeated("true in {x == 1, ", "a", "}", 140);
    fine(&formula(&sets));
}
