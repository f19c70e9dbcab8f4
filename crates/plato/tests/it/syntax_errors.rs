//! Reports about texts that are not programs; each fault is reported once.

use crate::support::check;
use expect_test::expect;

#[test]
fn wrong_operators() {
    check(
        "var x: int; var a: bool; init x = 1; init a & a; init a | a; init a => a; init a -> a;",
        expect![[r#"
            1:33 syntax-error: `=` is not an operator of expressions
              at `=`: did you mean `==`?
              = write `==`
            1:45 syntax-error: `&` is not an operator of expressions
              at `&`: did you mean `&&`?
              = write `&&`
            1:57 syntax-error: `|` is not an operator of expressions
              at `|`: did you mean `||`?
              = write `||`
            1:69 syntax-error: `=>` is not an operator of expressions
              at `=>`: did you mean `==>`?
              = write `==>`
            1:82 syntax-error: `->` is not an operator of expressions
              at `->`: did you mean `==>`?
              = write `==>`
        "#]],
    );
    check(
        "var x: int; thread T { x = 1; x == 2; x++; x += 2; x--; x := x++; }",
        expect![[r#"
            1:26 syntax-error: `=` where `:=` is expected
              at `=`: does not assign
              = an assignment is written `x := e;`
            1:33 syntax-error: `==` where `:=` is expected
              at `==`: does not assign
              = an assignment is written `x := e;`
            1:40 syntax-error: there is no operator `++`
              at `++`: not part of the language
              = write `x := x + 1;`
            1:46 syntax-error: there is no operator `+=`
              at `+=`: not part of the language
              = write `x := x + ...;`
            1:53 syntax-error: there is no operator `--`
              at `--`: not part of the language
              = write `x := x - 1;`
            1:63 syntax-error: there is no operator `++`
              at `++`: not part of the language
              = assign in a statement of its own: `x := x + 1;`
        "#]],
    );
    check(
        "var x: int := 1; thread T { var t: int = 2; }",
        expect![[r#"
        1:12 syntax-error: `:=` in a declaration
          at `:=`: assigns, which only statements do
          = write `=` for the initial value of a shared variable or a constant
        1:40 syntax-error: `=` where `:=` is expected
          at `=`: does not assign
          = a local variable gets its value with `:=`
    "#]],
    );
}

#[test]
fn comparisons_do_not_chain() {
    check(
        "var x: int; init 0 < x < 3; init 0 < x == true;",
        expect![[r#"
            1:24 syntax-error: comparisons cannot be chained
              at `<`: a second comparison
              = write `a < b && b < c`, or put one comparison in parentheses
            1:40 syntax-error: comparisons cannot be chained
              at `==`: a second comparison
              = write `a < b && b < c`, or put one comparison in parentheses
        "#]],
    );
    check("var x: int; init (0 < x) == true;", expect![[""]]);
}

#[test]
fn conditions() {
    check(
        "var x: int; thread T { if x == 1 { x := 2; } while x > 0 { x := 3; } }",
        expect![[r#"
        1:27 syntax-error: expected `(` after `if`
          at `x`: the condition needs parentheses
          = write `if (...) { ... }`
        1:52 syntax-error: expected `(` after `while`
          at `x`: the condition needs parentheses
          = write `while (...) { ... }`
    "#]],
    );
    check(
        "var x: int; thread T { if (x := 1) { x := 2; } x := 3; }",
        expect![[r#"
            1:30 syntax-error: an assignment in a condition
              at `:=`: assigns
              = write `==` to compare; assign in a statement of its own before
        "#]],
    );
    check(
        "var x: int; thread T { if (x == 1) && (x == 2) { x := 2; } x := 3; }",
        expect![[r#"
        1:36 syntax-error: the condition goes on after its parenthesis
          at `&&`: 
          1:27 `(`: the condition starts here
          = put the whole condition in parentheses: `if (... && ...)`
    "#]],
    );
    check(
        "var x: int; thread T { if (x == 1) x := 2; y := 3; }",
        expect![[r#"
        1:36 syntax-error: expected `{`, found `x`
          at `x`: a block is expected here
          = statements of a body stand in braces, also a single one
        1:44 unknown-name: there is nothing called `y`
          at `y`: not declared
    "#]],
    );
}

#[test]
fn missing_semicolons() {
    check(
        "var x: int
         var y: int
         thread T {
             x := 1
             y := 2
             assert x == 1
         }
         init x == 0",
        expect![[r#"
            1:8 syntax-error: expected `;`, found keyword `var`
              at `int`: a `;` is missing after this
            2:17 syntax-error: expected `;`, found keyword `thread`
              at `int`: a `;` is missing after this
            4:19 syntax-error: expected `;`, found `y`
              at `1`: a `;` is missing after this
            5:19 syntax-error: expected `;`, found keyword `assert`
              at `2`: a `;` is missing after this
            6:26 syntax-error: expected `;`, found `}`
              at `1`: a `;` is missing after this
            8:20 syntax-error: expected `;`, found the end of the file
              at `0`: a `;` is missing after this
        "#]],
    );
}

#[test]
fn missing_braces() {
    check(
        "var x: int; thread T { x := 1; if (*) { x := 2; thread U { x := 3; }",
        expect![[r#"
        1:49 syntax-error: expected `}`, found keyword `thread`
          at `thread`: a `}` is missing before this
          1:39 `{`: this brace is still open
    "#]],
    );
    check(
        "var x: int; thread T { x := 1; } } init x == 0;",
        expect![[r#"
        1:34 syntax-error: unexpected `}`
          at `}`: closes nothing that is open
    "#]],
    );
    check(
        "module M { var x: int;",
        expect![[r#"
        1:23 syntax-error: expected `}`, found the end of the file
          at ``: a `}` is missing before this
          1:10 `{`: this brace is still open
    "#]],
    );
}

#[test]
fn keywords_as_names() {
    check(
        "var loop: int; var tid: int; thread if { skip; } proc p(call: int) { skip; }",
        expect![[r#"
            1:5 syntax-error: `loop` is a keyword
              at `loop`: cannot be the name of a variable
              = choose another name, such as `loop_`
            1:20 syntax-error: `tid` is a keyword
              at `tid`: cannot be the name of a variable
              = choose another name, such as `tid_`
            1:37 syntax-error: `if` is a keyword
              at `if`: cannot be the name of a thread
              = choose another name, such as `if_`
            1:57 syntax-error: `call` is a keyword
              at `call`: cannot be a name
              = choose another name, such as `call_`
        "#]],
    );
}

/// Words that start items are names where no item can start, so they are reported once.
#[test]
fn item_words_as_names() {
    check(
        "var init: int = 0; enum E { Idle, type, const } mutex never; thread proc { skip; } thread rely { skip; }
         var
             thread,
             y: int;
         pred module(mutex: int) = mutex == 3;
         thread T { init := 1; y := init + 1; init = 2; }
         var z: int := 0;",
        expect![[r#"
            1:5 syntax-error: `init` is a keyword
              at `init`: cannot be the name of a variable
              = choose another name, such as `init_`
            1:35 syntax-error: `type` is a keyword
              at `type`: cannot be the name of a variant
              = choose another name, such as `type_`
            1:41 syntax-error: `const` is a keyword
              at `const`: cannot be the name of a variant
              = choose another name, such as `const_`
            1:55 syntax-error: `never` is a keyword
              at `never`: cannot be the name of a mutex
              = choose another name, such as `never_`
            1:69 syntax-error: `proc` is a keyword
              at `proc`: cannot be the name of a thread
              = choose another name, such as `proc_`
            1:91 syntax-error: `rely` is a keyword
              at `rely`: cannot be the name of a thread
              = choose another name, such as `rely_`
            3:14 syntax-error: `thread` is a keyword
              at `thread`: cannot be the name of a variable
              = choose another name, such as `thread_`
            5:15 syntax-error: `module` is a keyword
              at `module`: cannot be the name of a predicate
              = choose another name, such as `module_`
            5:22 syntax-error: `mutex` is a keyword
              at `mutex`: cannot be a name
              = choose another name, such as `mutex_`
            5:36 syntax-error: `mutex` is a keyword
              at `mutex`: cannot be a name
              = choose another name, such as `mutex_`
            6:21 syntax-error: `init` is a keyword
              at `init`: cannot be the name of a variable
              = choose another name, such as `init_`
            6:37 syntax-error: `init` is a keyword
              at `init`: cannot be a name
              = choose another name, such as `init_`
            6:47 syntax-error: `init` is a keyword
              at `init`: cannot be the name of a variable
              = choose another name, such as `init_`
            6:52 syntax-error: `=` where `:=` is expected
              at `=`: does not assign
              = an assignment is written `x := e;`
            7:21 syntax-error: `:=` in a declaration
              at `:=`: assigns, which only statements do
              = write `=` for the initial value of a shared variable or a constant
        "#]],
    );
    check(
        "var thread T { skip; }",
        expect![[r#"
        1:5 syntax-error: expected the name of a variable, found keyword `thread`
          at `thread`: expected the name of a variable
    "#]],
    );
    check(
        "var x: int; mutex\ninit x == 3;\nthread T { x := 1;\ninit x == 4;",
        expect![[r#"
        2:1 syntax-error: expected the name of a mutex, found keyword `init`
          at `init`: expected the name of a mutex
        4:1 syntax-error: expected `}`, found keyword `init`
          at `init`: a `}` is missing before this
          3:10 `{`: this brace is still open
    "#]],
    );
}

#[test]
fn several_errors_in_one_file() {
    check(
        "var x int;
         var y: ;
         const: int = 3;
         init x == ;
         thread T {
             x := ;
             var t: foo bar := 3;
             t := 4;
             y ? 3;
             assert (x == 1;
             x := 5;
         }
         garbage here;
         invariant y == 0 &&;
         thread U { else { } or { } invariant x; }",
        expect![[r#"
            1:5 syntax-error: expected `:` and a type, found keyword `int`
              at `x`: the type is missing after this
              = for example `: int`
            2:17 syntax-error: expected a type, found `;`
              at `;`: expected a type
            3:15 syntax-error: expected the name of a constant, found `:`
              at `:`: expected the name of a constant
            4:20 syntax-error: expected an expression, found `;`
              at `;`: expected an expression
            6:19 syntax-error: expected an expression, found `;`
              at `;`: expected an expression
            7:21 syntax-error: expected `;`, found `bar`
              at `foo`: a `;` is missing after this
            9:16 syntax-error: expected `:=`, found `?`
              at `?`: expected `:=` after `y`
              = a statement that starts with a name is an assignment `x := e;` or a call `p(a);`
            10:28 syntax-error: expected `)`, found `;`
              at `;`: expected `)`
            13:10 syntax-error: expected an item, found `garbage`
              at `garbage`: no item starts like this
              = items are `const`, `type`, `enum`, `var`, `mutex`, `condition`, `init`, `invariant`, `rely`, `never`, `pred`, `func`, `proc`, `thread` and `module`; statements stand inside a `thread` or a `proc`
            14:29 syntax-error: expected an expression, found `;`
              at `;`: expected an expression
            15:21 syntax-error: expected a statement, found keyword `else`
              at `else`: no statement starts like this
              = an `else` follows the `}` of its `if` directly
            15:30 syntax-error: expected a statement, found keyword `or`
              at `or`: no statement starts like this
              = an `or` follows the `}` of its `choose` directly
            15:37 syntax-error: expected a statement, found keyword `invariant`
              at `invariant`: no statement starts like this
              = a loop invariant stands between the condition and the `{`
            7:21 unknown-name: there is nothing called `foo`
              at `foo`: not declared
        "#]],
    );
}

#[test]
fn primes() {
    check(
        "var m: [int]int; rely m[0]' == 1; rely m'' == m; rely tid' == tid; rely (m)' == m;",
        expect![[r#"
            1:27 syntax-error: a prime after something that is not a name
              at `'`: misplaced
              = put it on the variable: `m'[i]` instead of `m[i]'`
            1:42 syntax-error: a prime after something that is not a name
              at `'`: misplaced
              = one prime is enough: there are only two stores
            1:58 syntax-error: a prime after something that is not a name
              at `'`: misplaced
              = `tid` never changes; drop the prime
            1:76 syntax-error: a prime after something that is not a name
              at `'`: misplaced
              = put it on the names of the variables
        "#]],
    );
    check(
        "var x: int; thread T { x' := 1; }",
        expect![[r#"
        1:25 syntax-error: a prime on a variable that is written
          at `'`: primes stand in two-store formulas only
          = drop the prime
    "#]],
    );
}

#[test]
fn calls_in_expressions() {
    check(
        "mutex m; thread T { var b: bool; b := true && cas(m, 0, tid); b := true && call p(); }",
        expect![[r#"
            1:47 syntax-error: `cas` inside an expression
              at `cas`: calls are statements
              = store the result first: `b := cas(l, e, n);` or `x := p(a);`
            1:76 syntax-error: `call` inside an expression
              at `call`: calls are statements
              = store the result first: `b := cas(l, e, n);` or `x := p(a);`
        "#]],
    );
}

#[test]
fn quantifiers() {
    check(
        "init forall i :: true; init forall i: int true; init exists :: true;",
        expect![[r#"
            1:13 syntax-error: a name without a type
              at `i`: expected `:` and a type after this
              = give it a type, as in `i: Tid`
            1:43 syntax-error: expected `::` and the body of the quantifier, found keyword `true`
              at `true`: expected `::` and the body of the quantifier
            1:61 syntax-error: expected a name, found `::`
              at `::`: expected a name
        "#]],
    );
}

#[test]
fn atomic_operations() {
    check(
        "var x: int; thread T { atomic modifies x; atomic action x' == 1 action x' == 2; atomic modifies x[0] action true; }",
        expect![[r#"
            1:24 syntax-error: an atomic operation without `action`
              at `atomic`: what does it do?
              = write `atomic modifies x action x' == x + 1;` or `atomic { ... }`
            1:65 syntax-error: a second `action` in one atomic operation
              at `action`: an operation is one step
              = join them with `&&`, or write two `atomic` statements
            1:98 syntax-error: an index in `modifies`
              at `[`: names whole variables only
              = name the map, and say in the formula which entries keep their value
        "#]],
    );
    check(
        "proc p() action modifies x { } proc q() { }",
        expect![[r#"
        1:28 syntax-error: expected `ensures`
          at `{`: the formula of this step is missing
          = a visible step is written `action modifies m ensures m == 0 && m' == tid`
    "#]],
    );
}

#[test]
fn items() {
    check(
        "x := 1; module M { module N { } } pred p { true } pred q(x: int) := x > 0; type = int;",
        expect![[r#"
            1:1 syntax-error: expected an item, found `x`
              at `x`: no item starts like this
              = items are `const`, `type`, `enum`, `var`, `mutex`, `condition`, `init`, `invariant`, `rely`, `never`, `pred`, `func`, `proc`, `thread` and `module`; statements stand inside a `thread` or a `proc`
            1:20 syntax-error: a module inside a module
              at `module`: modules do not nest
              = close the outer module first
            1:42 syntax-error: expected `=` and a formula, found `{`
              at `{`: 
              = a predicate is a formula: `pred locked(i: Tid) = m == i;`
            1:66 syntax-error: `:=` in a definition
              at `:=`: assigns, which only statements do
              = write `=`
            1:81 syntax-error: expected the name of a type, found `=`
              at `=`: expected the name of a type
        "#]],
    );
    check(
        "thread T { L: } thread U { L: M: skip; }",
        expect![[r#"
            1:12 syntax-error: a label without a statement
              at `L`: labels nothing
              = write `skip;` after it
            1:31 syntax-error: a second label on one statement
              at `M`: the statement has a label already
              = one label is enough; or write `skip;` between them
        "#]],
    );
    check(
        "init [1, 2] == 0; var x: 3; var y: set<int>= {};",
        expect![[r#"
            1:7 syntax-error: expected `_ => e` in a map
              at `1`: 
              = `[_ => e]` is the map that is `e` everywhere; change entries with `m[k := v]`
            1:26 syntax-error: expected a type, found a number
              at `3`: not a type
              = a range of numbers is written `low..high`
        "#]],
    );
    check(
        "never race with x; never race on; enum E { A B }",
        expect![[r#"
        1:12 syntax-error: expected `;` or `on`, found `with`
          at `with`: expected `;` or `on`
        1:33 syntax-error: expected the name of a variable, found `;`
          at `;`: expected the name of a variable
        1:46 syntax-error: expected `}`, found `B`
          at `B`: expected `}`
    "#]],
    );
    check(
        "init (true ? 1) == 2; init (1; init f(1;",
        expect![[r#"
            1:15 syntax-error: expected `:` of the conditional expression, found `)`
              at `)`: expected `:` of the conditional expression
            1:30 syntax-error: expected `)`, found `;`
              at `;`: expected `)`
            1:40 syntax-error: expected `,` or `)`, found `;`
              at `;`: expected `,` or `)`
        "#]],
    );
}
