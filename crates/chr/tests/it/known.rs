//! Programs whose results are known.

use chr::{Outcome, Program, Store, Symbol};

/// Posts constraints written as text, and shows the store afterwards.
fn check(rules: &str, posts: &[&str], shown: &[&str], expected: &[&str]) {
    let program = Program::parse(rules).expect("the rules are right");
    let mut store = Store::new(&program).with_limit(100_000);
    for post in posts {
        let (outcome, wanted) = match post.strip_prefix('!') {
            Some(rest) => (run(&program, &mut store, rest), Outcome::Failed),
            None => (run(&program, &mut store, post), Outcome::Done),
        };
        assert_eq!(outcome, wanted, "{post}");
    }
    let found: Vec<String> = shown.iter().flat_map(|name| store.show(name)).collect();
    assert_eq!(found, expected);
}

fn run(program: &Program, store: &mut Store<'_>, text: &str) -> Outcome {
    let (name, rest) = text.split_once('(').unwrap_or((text, ""));
    let arguments = rest.trim_end_matches(')').split(',').filter(|argument| !argument.is_empty());
    let arguments: Vec<Symbol> = arguments
        .map(str::trim)
        .map(|argument| match argument.parse() {
            Ok(value) => store.integer(value),
            Err(_) => store.symbol(argument),
        })
        .collect();
    store.post(program.named(name).expect("declared"), &arguments)
}

#[test]
fn greatest_common_divisor() {
    let rules = "constraints gcd/1.
        zero @ gcd(0) <=> true.
        step @ gcd(N) \\ gcd(M) <=> N <= M | L is M - N, gcd(L).";
    check(rules, &["gcd(84)", "gcd(30)", "gcd(18)"], &["gcd"], &["gcd(6)"]);
}

#[test]
fn partial_order() {
    let rules = "constraints leq/2 set, equal/2.
        reflexive @ leq(X, X) <=> true.
        antisymmetric @ leq(X, Y), leq(Y, X) <=> equal(X, Y).
        transitive @ leq(X, Y), leq(Y, Z) ==> leq(X, Z).";
    check(rules, &["leq(a, b)", "leq(b, c)"], &["leq"], &["leq(a, b)", "leq(b, c)", "leq(a, c)"]);
    check(rules, &["leq(a, b)", "leq(b, a)"], &["leq", "equal"], &["equal(b, a)"]);
}

#[test]
fn the_choice_is_committed() {
    let rules = "constraints free/1 set, hold/1 set, wait/1 set, want/1.
        taken @ hold(a) <=> fail.
        try   @ want(X) <=> (hold(X) ; wait(X)).";
    check(rules, &["want(a)", "want(b)"], &["hold", "wait"], &["hold(b)", "wait(a)"]);
    // The code after a choice does not open it again.
    let rules = "constraints p/0, q/0, r/0, s/0.
        one @ p <=> (q ; r), s.
        two @ q, s <=> fail.";
    check(rules, &["!p", "q"], &["p", "q", "r", "s"], &["q"]);
}

#[test]
fn inner_choices_fall_back_to_outer_ones() {
    let rules = "constraints p/0, q/1.
        one @ p <=> ((q(1), fail ; q(2), fail) ; q(3)), (fail ; q(4)).";
    check(rules, &["p"], &["q"], &["q(3)", "q(4)"]);
}

#[test]
fn keys_and_sets() {
    let rules = "constraints left/2 key 1, seen/1 set, count/1.
        each @ seen(X) ==> count(X).";
    let posts = ["left(p, f)", "left(p, f)", "!left(p, g)", "left(q, g)", "seen(a)", "seen(a)"];
    let expected = ["left(p, f)", "left(q, g)", "count(a)"];
    check(rules, &posts, &["left", "count"], &expected);
}

#[test]
fn a_failed_post_leaves_the_store_as_it_was() {
    let rules = "constraints p/1, q/1.
        spread @ p(X) ==> q(X).
        clean @ p(b), q(a) <=> fail.
        eaten @ q(c) \\ q(a) <=> fail.";
    let expected = ["p(a)", "q(a)"];
    check(rules, &["p(a)", "!p(b)", "!p(c)"], &["p", "q"], &expected);
}

#[test]
fn propagation_fires_once_for_each_combination() {
    let rules = "constraints p/1, pair/2.
        pairs @ p(X), p(Y) ==> pair(X, Y).";
    let expected =
        ["pair(b, a)", "pair(a, b)", "pair(c, a)", "pair(c, b)", "pair(a, c)", "pair(b, c)"];
    check(rules, &["p(a)", "p(b)", "p(c)"], &["pair"], &expected);
}

#[test]
fn endless_rules_are_stopped() {
    let program = Program::parse("constraints p/1. up @ p(N) <=> M is N + 1, p(M).").unwrap();
    let mut store = Store::new(&program).with_limit(1000);
    let zero = store.integer(0);
    assert_eq!(store.post(program.named("p").unwrap(), &[zero]), Outcome::OutOfSteps);
    assert!(store.is_empty());
}

#[test]
fn deep_chains_need_no_deep_stack() {
    let program =
        Program::parse("constraints p/1. down @ p(N) ==> N > 0 | M is N - 1, p(M).").unwrap();
    let mut store = Store::new(&program);
    let many = store.integer(100_000);
    assert_eq!(store.post(program.named("p").unwrap(), &[many]), Outcome::Done);
    assert_eq!(store.len(), 100_001);
}

#[test]
fn marks_bring_back_what_was_there() {
    let program = Program::parse("constraints p/1, q/1. eat @ q(X) \\ p(X) <=> true.").unwrap();
    let mut store = Store::new(&program);
    let (p, q) = (program.named("p").unwrap(), program.named("q").unwrap());
    let a = store.symbol("a");
    store.post(p, &[a]);
    let outer = store.mark();
    store.post(q, &[a]);
    assert_eq!((store.show("p").len(), store.show("q").len()), (0, 1));
    let inner = store.mark();
    store.post(p, &[a]);
    store.undo(inner);
    store.undo(outer);
    assert_eq!((store.show("p"), store.show("q").len()), (vec!["p(a)".to_owned()], 0));
}

#[test]
fn the_dead_are_thrown_out() {
    let program = Program::parse("constraints p/1, q/0. eat @ q \\ p(_) <=> true.").unwrap();
    let mut store = Store::new(&program);
    store.post(program.named("q").unwrap(), &[]);
    for value in 0..10_000 {
        let value = store.integer(value % 7);
        store.post(program.named("p").unwrap(), &[value]);
    }
    assert_eq!(store.len(), 1);
    assert_eq!(store.firings(), 10_000);
}
