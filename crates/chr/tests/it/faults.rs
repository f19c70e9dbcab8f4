//! Faults of rule text are reported at their place.

use chr::Program;

fn check(text: &str, expected: &[(&str, &str)]) {
    let errors = Program::parse(text).err().unwrap_or_default();
    let found: Vec<(&str, &str)> =
        errors.iter().map(|e| (&text[e.place.start..e.place.end], e.message.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn texts() {
    check("constraints p/1.\np(X) ==> q(X).", &[("q", "`q` is not declared: `constraints q/1.`")]);
    check("constraints p/1. p(X, Y) <=> true.", &[("p", "`p` has 1 arguments, not 2")]);
    check("constraints p/1. p(X) <=> p(Y).", &[("Y", "`Y` has no value here")]);
    check("constraints p/1. p(X) <=> Y > 1 | true.", &[("Y", "`Y` has no value here")]);
    check("constraints p/1. p(X) \\ p(X) ==> true.", &[("==>", "a rule with `\\` has `<=>`")]);
    check(
        "constraints p/1. p(X + 1) <=> true.",
        &[("p", "the arguments of heads are variables and constants")],
    );
    check("constraints p/1, p/2.", &[("p", "`p` is declared already")]);
    check("constraints p/1 key 2.", &[("2", "there are only 1 arguments")]);
    check("constraints p/1. p(X) <=> X is 1.", &[("X", "`X` has a value already")]);
    check("constraints p/0. p <=> (p ; p.", &[(".", "`)` is expected here")]);
    check("constraints p/0. p <=> p", &[("", "`.` is expected here")]);
    check("constraints p/0. # p <=> true.", &[("#", "`#` has no meaning here")]);
}

#[test]
fn one_fault_does_not_hide_the_next() {
    let text = "constraints p/1. p(X) <=> q. p(X) -> true. p(1) <=> true. p(X) <=> p(Z).";
    assert_eq!(Program::parse(text).unwrap_err().len(), 3);
}

#[test]
fn nested_bodies_are_refused_beyond_a_depth() {
    let deep = format!("constraints p/0. p <=> {}p{}.", "(".repeat(2000), ";p)".repeat(2000));
    assert!(Program::parse(&deep).unwrap_err()[0].message.contains("too deeply"));
}
