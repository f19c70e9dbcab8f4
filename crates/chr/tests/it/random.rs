//! Random rules, run by the engine and by the naive reading.

use crate::naive::{Naive, Stop};
use chr::{Constant, Outcome, Program, Store, Symbol};
use std::fmt::Write;

/// The same numbers every time (xorshift64*).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % limit
    }
}

/// Predicates and their numbers of arguments; `u` is a set and `k` has a key.
const PREDICATES: [(&str, u64); 5] = [("p", 1), ("q", 2), ("r", 0), ("u", 2), ("k", 2)];
const LIMIT: u64 = 60;

fn rules(rng: &mut Rng) -> String {
    let mut text = "constraints p/1, q/2, r/0, u/2 set, k/2 key 1.\n".to_owned();
    for _ in 0..=rng.below(4) {
        let heads = 1 + rng.below(3);
        let mut bound = Vec::new();
        let all: Vec<String> = (0..heads).map(|_| atom(rng, Some(&mut bound), &[])).collect();
        let guard = match rng.below(3) {
            0 if !bound.is_empty() => {
                let compare = ["==", "!=", "<", "<="][usize::try_from(rng.below(4)).unwrap()];
                format!("{} {compare} {} | ", value(rng, &bound), value(rng, &bound))
            }
            _ => String::new(),
        };
        let body = body(rng, &bound, 2);
        let _ = match rng.below(3) {
            0 => writeln!(text, "{} ==> {guard}{body}.", all.join(", ")),
            1 if all.len() > 1 => {
                let cut = 1 + usize::try_from(rng.below(heads - 1)).unwrap();
                let (kept, removed) = all.split_at(cut);
                writeln!(text, "{} \\ {} <=> {guard}{body}.", kept.join(", "), removed.join(", "))
            }
            _ => writeln!(text, "{} <=> {guard}{body}.", all.join(", ")),
        };
    }
    text
}

fn body(rng: &mut Rng, bound: &[String], depth: u32) -> String {
    let mut goals = Vec::new();
    for _ in 0..=rng.below(2) {
        goals.push(match rng.below(8) {
            0 => "true".to_owned(),
            1 => "fail".to_owned(),
            2 | 3 if depth > 0 => {
                format!("({} ; {})", body(rng, bound, depth - 1), body(rng, bound, depth - 1))
            }
            _ => atom(rng, None, bound),
        });
    }
    goals.join(", ")
}

/// A head, whose variables become bound, or a goal over bound variables.
fn atom(rng: &mut Rng, head: Option<&mut Vec<String>>, bound: &[String]) -> String {
    let (name, arity) = PREDICATES[usize::try_from(rng.below(5)).unwrap()];
    let mut fresh = Vec::new();
    let arguments: Vec<String> = (0..arity)
        .map(|_| match head {
            Some(_) if rng.below(4) > 0 => {
                let variable = ["X", "Y", "Z"][usize::try_from(rng.below(3)).unwrap()].to_owned();
                fresh.push(variable.clone());
                variable
            }
            Some(_) => rng.below(3).to_string(),
            None => value(rng, bound),
        })
        .collect();
    if let Some(head) = head {
        head.extend(fresh);
    }
    if arity == 0 { name.to_owned() } else { format!("{name}({})", arguments.join(", ")) }
}

fn value(rng: &mut Rng, bound: &[String]) -> String {
    if bound.is_empty() || rng.below(3) == 0 {
        return rng.below(3).to_string();
    }
    let variable = &bound[usize::try_from(rng.below(bound.len() as u64)).unwrap()];
    if rng.below(4) == 0 {
        format!("({variable} + 1) mod 3").replace(['(', ')'], "")
    } else {
        variable.clone()
    }
}

#[test]
fn the_engine_agrees_with_the_naive_reading() {
    let mut rng = Rng(0x5EED_CAFE);
    let (mut fired, mut failed, mut stopped) = (0, 0, 0);
    for _ in 0..4000 {
        let text = rules(&mut rng);
        let program = Program::parse(&text).unwrap_or_else(|errors| panic!("{text}{errors:?}"));
        let mut store = Store::new(&program).with_limit(LIMIT);
        let mut naive = Naive::default();
        for _ in 0..6 {
            let (name, arity) = PREDICATES[usize::try_from(rng.below(5)).unwrap()];
            let values: Vec<i64> =
                (0..arity).map(|_| i64::try_from(rng.below(3)).unwrap()).collect();
            let predicate = program.named(name).unwrap();
            let symbols: Vec<Symbol> = values.iter().map(|&value| store.integer(value)).collect();
            let outcome = store.post(predicate, &symbols);
            let before = naive.clone();
            let constants = values.into_iter().map(Constant::Integer).collect();
            let expected = match naive.post(&program, predicate, constants, LIMIT) {
                Ok(()) => Outcome::Done,
                Err(Stop::Failed) => Outcome::Failed,
                Err(Stop::OutOfSteps) => Outcome::OutOfSteps,
            };
            assert_eq!(outcome, expected, "{text}");
            if outcome == Outcome::OutOfSteps {
                stopped += 1;
                break;
            }
            if outcome == Outcome::Failed {
                let firings = naive.firings;
                naive = before;
                naive.firings = firings;
                failed += 1;
            }
            assert_eq!(all(&store, &program), sorted(naive.show(&program)), "{text}");
            assert_eq!(store.firings(), naive.firings, "{text}");
        }
        fired += store.firings();
    }
    assert!(fired > 20_000 && failed > 500 && stopped > 50, "{fired} {failed} {stopped}");
}

fn all(store: &Store<'_>, program: &Program) -> Vec<String> {
    let mut all = Vec::new();
    for (name, arity) in PREDICATES {
        let predicate = program.named(name).unwrap();
        for arguments in store.all(predicate) {
            let texts: Vec<String> =
                arguments.iter().map(|&one| store.constant(one).to_string()).collect();
            assert_eq!(texts.len() as u64, arity);
            all.push(format!("{name}({})", texts.join(", ")));
        }
    }
    sorted(all)
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}
