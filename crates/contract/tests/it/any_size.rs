//! Systems of any size: what Rely proves for all sizes holds in each of them.

use crate::designs::{Rng, classes};
use crate::naive::system;
use crate::varied;
use contract::{Policy, Refutation, System, verify};
use search::{Budget, Engine, Found};
use std::fmt::Write;

fn answers(system: &System, policy: Policy, engine: Engine) -> Vec<Found<Box<Refutation>>> {
    // A violation counts even if the search ends early.
    let budget = Budget { states: 20_000, ..Budget::default() };
    let verified = verify(system, policy, engine, &budget);
    verified.goals.into_iter().map(|(_, answer)| answer.found).collect()
}

fn holds(found: &Found<Box<Refutation>>) -> bool {
    matches!(found, Found::Holds(_))
}

#[test]
fn random_families() {
    let mut rng = Rng::new(11);
    let mut counts = Counts::default();
    for _ in 0..50 {
        let text = family(&mut rng);
        for policy in [Policy::Aon, Policy::Unit] {
            compare(&text, policy, (&[3, 4, 5, 6], &[13, 17, 24]), &mut counts);
        }
    }
    assert!(counts.proved > 150 && counts.refuted > 50, "{counts:?}");
}

#[test]
fn more_varied_families() {
    let mut rng = Rng::new(7);
    let mut counts = Counts::default();
    for _ in 0..6 {
        let text = varied::family(&mut rng);
        for policy in [Policy::Aon, Policy::Unit, Policy::ALL[rng.below(7)]] {
            let alone = [17, 23, 36].map(|size| size + rng.below(6));
            compare(&text, policy, (&[5, 6], &alone), &mut counts);
        }
    }
    assert!(counts.proved > 50 && counts.refuted > 2, "{counts:?}");
}

#[derive(Debug, Default)]
struct Counts {
    proved: usize,
    refuted: usize,
    open: usize,
}

/// Compares the answer for any size with exact searches of few threads, and with coarser searches
/// of sizes around the one that stands for all larger ones.
fn compare(text: &str, policy: Policy, sizes: (&[usize], &[usize]), counts: &mut Counts) {
    let any = answers(&system(text, &[]), policy, Engine::Ladder);
    for found in &any {
        match found {
            Found::Holds(_) => counts.proved += 1,
            Found::Violated(_) => counts.refuted += 1,
            Found::Open(_) => counts.open += 1,
        }
    }
    // Where there are circles, searches spend their time on explaining them.
    if !holds(&any[0]) {
        return;
    }
    let exactly = sizes.0.iter().map(|&size| (size, Engine::Explore));
    let alone = sizes.1.iter().map(|&size| (size, Engine::ThreadModular));
    for (size, engine) in exactly.chain(alone) {
        let one = system(text, &[("n", size)]);
        // These policies try all orders in which units can be handed out.
        let few = if matches!(policy, Policy::Saturate | Policy::Fifo) { 4 } else { 6 };
        if engine == Engine::Explore && one.roots.len() > few {
            continue;
        }
        let found = answers(&one, policy, engine);
        for (goal, _) in any.iter().enumerate().filter(|(_, found)| holds(found)) {
            let is_right = match engine {
                Engine::Explore => !matches!(found[goal], Found::Violated(_)),
                _ => holds(&found[goal]),
            };
            assert!(is_right, "{policy}, goal {goal}, n = {size}\n{text}");
        }
    }
}

/// Threads `T[i]` with units `U[i]` near them, at the ends and in common; sometimes with a last one
/// of its own, sometimes with threads that need a whole family.
pub(crate) fn family(rng: &mut Rng) -> String {
    let mut text = classes(rng, 3).replace(" / v2 := any S", "").replace(" / v0 := v0.p", "");
    text.push_str(
        "unit class Plain { }
root class W { cond w, x; var all: Plain[*]; var one: S; sync w ==> all; sync x ==> one;
  state a initial; state b {w}; state c {w, x}; state d {x};
",
    );
    text.push_str(
        [
            "before go: a -> b; after go: b -> a; }\n",
            "step f: a -> d; step g: d -> c; step h: c -> a; }\n",
        ][rng.below(2)],
    );
    text.push_str(
        "root class V { cond w, x; var own: Plain; var one: S; sync w ==> own; sync x ==> one;
  state a initial; state b {w}; state c {w, x}; step f: a -> b; step g: b -> c; step h: c -> a; }
system X(n >= 3) {\n  G: S; for i in 0..n { U[i]: S; X[i]: Plain; }\n",
    );
    let own_end = rng.percent(30);
    let end = if own_end { "n - 1" } else { "n" };
    let near =
        ["U[i]", "U[(i + 1) % n]", "U[(i + 2) % n]", "U[(i + n - 1) % n]", "U[0]", "G", "U[n - 1]"];
    let at_end = ["U[0]", "U[n - 1]", "U[n - 2]", "G"];
    let class = rng.below(2);
    let _ = writeln!(text, "  for i in 0..{end} {{ T[i]: R{class};");
    for at in 0..3 {
        // Near units are more likely than shared ones.
        let value = if rng.percent(75) { near[rng.below(4)] } else { near[rng.below(near.len())] };
        let _ = writeln!(text, "    T[i].v{at} = {value};");
    }
    text.push_str("  }\n");
    if own_end {
        let _ = writeln!(text, "  T[n - 1]: R{};", rng.below(2));
        for at in 0..3 {
            let _ = writeln!(text, "  T[n - 1].v{at} = {};", at_end[rng.below(at_end.len())]);
        }
    }
    if rng.percent(40) {
        let value = ["G", "U[0]", "U[n - 1]"][rng.below(3)];
        let _ = writeln!(text, "  for i in 1..n - 1 {{ U[i].p = {value}; }}");
    }
    if rng.percent(40) {
        let one = ["G", "U[0]", "U[i]"][rng.below(3)];
        match rng.below(3) {
            0 => text.push_str("  for j in 0..2 { W[j]: W; W[j].all = { X[*] }; W[j].one = G; }\n"),
            1 => {
                let _ = writeln!(
                    text,
                    "  for i in 0..n {{ W[i]: W; W[i].all = {{ X[*] }}; W[i].one = {one}; }}"
                );
            }
            _ => text.push_str("  W: W; W.all = { X[*] }; W.one = U[0];\n"),
        }
    }
    if rng.percent(30) {
        text.push_str("  for i in 0..n { V[i]: V; V[i].own = X[i]; V[i].one = U[(i + 1) % n]; }\n");
    }
    text.push_str("}\n");
    text
}
