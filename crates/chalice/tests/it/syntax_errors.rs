//! Reports about texts that are not programs; the rest of the text is read all the same.

use crate::support::{check, check_code};
use expect_test::expect;

#[test]
fn several_at_once() {
    check(
        "class A { var x int; method m( { } method n() { x := ; y = 3; assert } } clas B { } class C { var z: D }",
        expect![[r#"
            1:17 syntax-error: expected a member of the class, found keyword `int`
              at `int`: not a member
              = members start with `var`, `invariant`, `method`, `predicate`, `function` or `condition`
            1:32 syntax-error: expected the name of a parameter, found `{`
              at `{`: expected the name of a parameter
            1:54 syntax-error: expected an expression, found `;`
              at `;`: expected an expression
            1:58 syntax-error: `=` does not assign
              at `=`: did you mean `:=`?
              = write `:=` to assign and `==` to compare
            1:70 syntax-error: expected an expression, found `}`
              at `}`: expected an expression
            1:74 syntax-error: expected `class` or `channel`, found `clas`
              at `clas`: not a declaration
              = fields, methods and predicates stand inside a class
            1:102 unknown-name: there is no class or channel `D`
              at `D`: not declared
        "#]],
    );
}

#[test]
fn missing_braces() {
    check(
        "class A { method m() { if (true) { } method n() { } } class B { }",
        expect![[r#"
        1:38 syntax-error: expected `}`, found keyword `method`
          at `method`: a `}` is missing before this
          1:22 `{`: this brace is still open
    "#]],
    );
    check(
        "class A { var x: int class B { }",
        expect![[r#"
        1:22 syntax-error: expected `}`, found keyword `class`
          at `class`: a `}` is missing before this
          1:9 `{`: this brace is still open
    "#]],
    );
}

#[test]
fn operators() {
    check_code(
        "assert p == 1 && p == 2 || p == 3",
        expect![[r#"
        7:25 syntax-error: `&&` and `||` mixed without parentheses
          at `||`: which binds tighter?
          = write `(a && b) || c` or `a && (b || c)`
    "#]],
    );
    check_code(
        "assert 0 < p < 3",
        expect![[r#"
        7:14 syntax-error: comparisons cannot be chained
          at `<`: a second comparison
          = write `a < b && b < c`, or put one comparison in parentheses
    "#]],
    );
    check_code(
        "assert p = 3 & true",
        expect![[r#"
        7:10 syntax-error: `=` is not an operator of expressions
          at `=`: did you mean `==`?
          = write `==`
        7:14 syntax-error: `&` is not an operator of expressions
          at `&`: did you mean `&&`?
          = write `&&`
    "#]],
    );
    check_code(
        "assert p ≤ 3",
        expect![[r#"
        7:10 syntax-error: unexpected character `≤`
          at `≤`: not part of the language
          = write `<=`
    "#]],
    );
}

#[test]
fn statements() {
    check_code(
        "m(1, o); call o; fork a, b := m(1, o); requires true",
        expect![[r#"
        7:1 syntax-error: a call without `call`
          at `m(1, o)`: not a statement
          = write `call` before it
        7:15 syntax-error: expected a call of a method
          at `o`: not a call
          = write `object.method(arguments)`
        7:26 syntax-error: a fork gives one token
          at `b`: a second variable
          = the results are assigned by `join x, y := token`
        7:40 syntax-error: expected a statement, found keyword `requires`
          at `requires`: not a statement
          = a contract stands between the parameters and the `{`
    "#]],
    );
    check_code(
        "var x, y := 3; if p == 1 { } else",
        expect![[r#"
        7:8 syntax-error: several variables in one declaration
          at `y`: a second name
          = declare each in a statement of its own: `var x: int; var y: int;`
        7:19 syntax-error: expected `(` after `if`
          at `p`: parentheses are needed
          = write `if (...) { ... }`
        7:30 syntax-error: expected a statement, found keyword `else`
          at `else`: not a statement
          = `else` stands directly after the `}` of an `if`
    "#]],
    );
    check_code(
        "q := new C + 1; q := 1 + new C",
        expect![[r#"
        7:12 syntax-error: expected a statement, found `+`
          at `+`: not a statement
        7:26 syntax-error: `new` inside an expression
          at `new`: creates an object, so it is no value
          = assign it first: `var x: C := new C;`
        7:6 type-mismatch: the value must be of type `int`, not `C`
          at `new C`: is of type `C`
    "#]],
    );
    check_code(
        "var method := 3; q := class",
        expect![[r#"
        7:5 syntax-error: `method` is a keyword
          at `method`: cannot be the name of a variable
          = choose another name, such as `method_`
        7:23 syntax-error: expected an expression, found keyword `class`
          at `class`: expected an expression
    "#]],
    );
}

#[test]
fn tokens() {
    check_code(
        "q := 12x; q := 99999999999999999999999999999999999999999; q := #",
        expect![[r#"
        7:6 syntax-error: a name cannot start with a digit
          at `12x`: neither a name nor a number
          = numbers are decimal, as in `1000`
        7:16 syntax-error: a number that is too large
          at `99999999999999999999999999999999999999999`: more than 2^100
          = numbers up to 2^100 can be written
        7:64 syntax-error: unexpected character `#`
          at `#`: not part of the language
    "#]],
    );
    check(
        "class A { var x: string } // é\n /* open",
        expect![[r#"
        2:2 syntax-error: a comment that does not end
          at `/*`: starts here
          = close it with `*/`
    "#]],
    );
    check_code(
        "assert \"open",
        expect![[r#"
        7:8 syntax-error: a string that does not end
          at `"open`: starts here
          = close it with `"` on the same line
        7:8 type-mismatch: a formula must be of type `bool`, not `string`
          at `"open`: is of type `string`
    "#]],
    );
}

#[test]
fn top_level() {
    check(
        "method m() { } class A { } ; this class B { }",
        expect![[r#"
        1:1 syntax-error: expected `class` or `channel`, found keyword `method`
          at `method`: not a declaration
          = fields, methods and predicates stand inside a class
        1:30 syntax-error: expected `class` or `channel`, found keyword `this`
          at `this`: not a declaration
          = fields, methods and predicates stand inside a class
    "#]],
    );
}

#[test]
fn words_that_became_reserved_later_are_names() {
    check(
        "class set { var max: int; var send: set; var where: int; var credit: int
           method wait(sum: int, spec: set) returns (by: int)
             requires acc(max) && acc(send) && max == sum && spec != null
           { max := sum; send := spec; by := max; var empty := 3; assert empty < max && max > 1; call by := wait(1, spec) } }",
        expect![""],
    );
}
