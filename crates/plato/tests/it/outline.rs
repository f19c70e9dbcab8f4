//! What a program declares.

use plato::outline;
use source::{Declaration, FileId};

fn names(all: &[Declaration]) -> String {
    let one = |one: &Declaration| match one.inside.as_slice() {
        [] => one.name.clone(),
        inside => format!("{}({})", one.name, names(inside)),
    };
    all.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn everything_with_a_name_is_listed() {
    let text = "const N: int = 2; enum E { A, B } var x, y: int; mutex m;\n\
        module M { proc p(a: int) returns (r: int) { var b: int; return b; } }\n\
        thread T[*] { var c: int; if (c > 0) { var d: int; } } invariant x >= 0;";
    assert_eq!(names(&outline(FileId(0), text)), "N E(A B) x y m M(p(a r b)) T(c d)");
}

#[test]
fn a_text_with_errors_has_one_too() {
    assert_eq!(names(&outline(FileId(0), "var x: int; thread T { x := ; }")), "x T");
}
