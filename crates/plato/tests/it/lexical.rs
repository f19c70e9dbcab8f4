//! Characters, comments, numbers.

use crate::support::check;
use expect_test::expect;

#[test]
fn names_and_white_space() {
    check(
        "\u{feff}var größe, _x1, Ж: int;\r\n// comment\r\n/* a /* nested */ one */ init größe == Ж;",
        expect![[""]],
    );
}

#[test]
fn words_with_a_meaning_only_in_places() {
    check(
        "var set, race, on, deadlock, acquire, release: int; init set + race + on + deadlock == 0;
         thread T { acquire := release; }",
        expect![[""]],
    );
}

#[test]
fn numbers() {
    check("const N: int = 1_000; init N == 1267650600228229401496703205376;", expect![[""]]);
    check(
        "init 1267650600228229401496703205377 > 0; init 99999999999999999999999999999999999999999999 > 0;",
        expect![[r#"
            1:6 syntax-error: a number that is too large
              at `1267650600228229401496703205377`: more than 2^100
              = numbers up to 2^100 can be written
            1:48 syntax-error: a number that is too large
              at `99999999999999999999999999999999999999999999`: more than 2^100
              = numbers up to 2^100 can be written
        "#]],
    );
    check(
        "init 0x1F == 1; init 12abc == 3;",
        expect![[r#"
        1:6 syntax-error: a name cannot start with a digit
          at `0x1F`: neither a name nor a number
          = numbers are decimal, as in `1_000`
        1:22 syntax-error: a name cannot start with a digit
          at `12abc`: neither a name nor a number
          = numbers are decimal, as in `1_000`
    "#]],
    );
}

#[test]
fn stray_characters() {
    check(
        "var x: int; init x == 0 ~ 1;",
        expect![[r#"
            1:25 syntax-error: unexpected character `~`
              at `~`: not part of the language
        "#]],
    );
    check(
        "var x: int;\0 init x == 0;",
        expect![[r#"
            1:12 syntax-error: unexpected character `\u{0}`
              at ` `: not part of the language
        "#]],
    );
    check(
        "var x: bool; init ¬x ∧ x;",
        expect![[r#"
            1:19 syntax-error: unexpected character `¬`
              at `¬`: not part of the language
              = write `!`
            1:22 syntax-error: unexpected character `∧`
              at `∧`: not part of the language
              = write `&&`
        "#]],
    );
    check(
        "init \"text\" == 0;",
        expect![[r#"
            1:6 syntax-error: unexpected character `"`
              at `"`: not part of the language
            1:11 syntax-error: unexpected character `"`
              at `"`: not part of the language
            1:7 unknown-name: there is nothing called `text`
              at `text`: not declared
        "#]],
    );
}

#[test]
fn comment_without_end() {
    check(
        "var x: int; /* /* */ init x == 0;",
        expect![[r#"
        1:13 syntax-error: a comment that does not end
          at `/*`: starts here
          = comments nest: close each `/*` with a `*/`
    "#]],
    );
}
