//! Diagnostics as text.

use diagnostic::{Code, Diagnostic, Style, render};
use expect_test::{Expect, expect};
use source::{FileId, SourceMap, Span};

const LOCK: &str = "mutex m;\nvar x: int = 0;\n\nthread T {\n  x := x + 1;\n}\n";

/// Renders the diagnostic that `build` makes, given the place of a text in a file, with these
/// files.
fn check(
    files: &[(&str, &str)],
    build: impl FnOnce(&dyn Fn(u32, &str) -> Span) -> Diagnostic,
    expected: Expect,
) {
    check_picture(files, "", build, expected);
}

/// The same with a picture.
fn check_picture(
    files: &[(&str, &str)],
    picture: &str,
    build: impl FnOnce(&dyn Fn(u32, &str) -> Span) -> Diagnostic,
    expected: Expect,
) {
    let mut sources = SourceMap::default();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    let place = |file: u32, part: &str| {
        let whole = files[usize::try_from(file).expect("a small number")].1;
        let start = whole.find(part).expect("the file has the text");
        let offset = |at| u32::try_from(at).expect("a short file");
        Span::new(FileId(file), offset(start), offset(start + part.len()))
    };
    let diagnostic = build(&place);
    let text = render(&diagnostic, picture, &sources, Style::Plain);
    assert!(text.ends_with('\n') && !text.contains('\u{1b}'));
    assert!(render(&diagnostic, picture, &sources, Style::Colour).contains('\u{1b}'));
    expected.assert_eq(&text);
}

fn error(span: Span) -> Diagnostic {
    Diagnostic::new(Code::RelyViolated, span, "a step breaks a rely")
}

#[test]
fn all_parts() {
    check_picture(
        &[("lock.plato", LOCK)],
        "  T        | other threads\n  x := 1   |",
        |at| {
            error(at(0, "x := x + 1"))
                .at("this step")
                .label(at(0, "mutex m"), "not held here")
                .note("`x` is protected by `m`")
                .note("two notes are two lines")
                .help("acquire `m` first")
        },
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> lock.plato:5:3
              |
            1 | mutex m;
              | ------- not held here
            ...
            5 |   x := x + 1;
              |   ^^^^^^^^^^ this step
              |
              =   T        | other threads
                  x := 1   |
              = note: `x` is protected by `m`
              = note: two notes are two lines
              = help: acquire `m` first
        "#]],
    );
}

#[test]
fn severities() {
    let one = |code: Code, expected| {
        let diagnostic = |span| Diagnostic::new(code, span, "message");
        check(&[("lock.plato", LOCK)], |at| diagnostic(at(0, "var x")), expected);
    };
    one(
        Code::LimitReached,
        expect![[r#"
        unknown[limit-reached]: message
         --> lock.plato:2:1
          |
        2 | var x: int = 0;
          | ^^^^^
    "#]],
    );
    one(
        Code::TrivialRely,
        expect![[r#"
        warning[trivial-rely]: message
         --> lock.plato:2:1
          |
        2 | var x: int = 0;
          | ^^^^^
    "#]],
    );
}

/// Marks stand below the letters, not below their bytes.
#[test]
fn multi_byte_text() {
    check(
        &[("größe.plato", "var größe: int = 0; // 名前 è\nvar 名: int; var x: bööl;\n")],
        |at| error(at(0, "bööl")).at("nichts für `bööl`").label(at(0, "größe"), "die Größe"),
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> größe.plato:2:20
              |
            1 | var größe: int = 0; // 名前 è
              |     ----- die Größe
            2 | var 名: int; var x: bööl;
              |                     ^^^^ nichts für `bööl`
        "#]],
    );
}

#[test]
fn several_lines() {
    check(
        &[("lock.plato", LOCK)],
        |at| error(at(0, "thread T {\n  x := x + 1;\n}")).at("all of this"),
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> lock.plato:4:1
              |
            4 | / thread T {
            5 | |   x := x + 1;
            6 | | }
              | |_^ all of this
        "#]],
    );
}

#[test]
fn several_files() {
    check(
        &[("unused.plato", "skip"), ("lock.plato", LOCK), ("other.plato", "rely x' >= x;\n")],
        |at| error(at(1, "x := x + 1")).label(at(2, "rely x' >= x"), "declared here"),
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> lock.plato:5:3
              |
            5 |   x := x + 1;
              |   ^^^^^^^^^^
              |
             ::: other.plato:1:1
              |
            1 | rely x' >= x;
              | ------------ declared here
        "#]],
    );
}

#[test]
fn end_of_file() {
    let length = u32::try_from(LOCK.len()).expect("a short file");
    check(
        &[("lock.plato", LOCK)],
        |_| error(Span::new(FileId(0), length, length)).at("something is missing"),
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> lock.plato:6:3
              |
            6 | }
              |  ^ something is missing
        "#]],
    );
    // Without a newline at the end, and beyond the end.
    check(
        &[("short.plato", "var x")],
        |_| error(Span::new(FileId(0), 5, 9)).at("something is missing"),
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> short.plato:1:6
              |
            1 | var x
              |      ^ something is missing
        "#]],
    );
}

#[test]
fn empty_file() {
    check(
        &[("empty.plato", "")],
        |_| error(Span::new(FileId(0), 0, 0)).at("nothing is here"),
        expect![[r#"
            error[rely-violated]: a step breaks a rely
             --> empty.plato:1:1
              |
            1 |
              | ^ nothing is here
        "#]],
    );
}

/// No place, however wrong, ends in a panic: the message matters more.
#[test]
fn places_inside_letters() {
    let mut sources = SourceMap::default();
    let file = sources.add("è.plato", "è名\nö\n");
    let length = 9;
    for start in 0..=length {
        for end in 0..=length + 1 {
            let text = render(&error(Span::new(file, start, end)), "", &sources, Style::Plain);
            assert!(text.starts_with("error[rely-violated]: a step breaks a rely\n"));
        }
    }
}
