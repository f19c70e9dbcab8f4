//! What a file declares.

use java::outline;
use source::FileId;

#[test]
fn declarations_reach_over_their_bodies() {
    let text = "class C { int n; void m(int a) { n = a; } enum E { A, B } }";
    let all = outline(FileId(0), text);
    let texts = |all: &[source::Declaration]| {
        let text = |one: &source::Declaration| {
            text[one.span.start as usize..one.span.end as usize].to_owned()
        };
        all.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(texts(&all[0].inside), ["n", "void m(int a) { n = a; }", "enum E { A, B"]);
    assert_eq!(texts(&all[0].inside[1].inside), ["a"]);
}
