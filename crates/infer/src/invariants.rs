//! The invariants that are tried: facts, and facts under conditions, that hold in all samples.

use crate::candidate::{Candidate, Place};
use crate::facts::Fact;
use crate::hull;
use crate::loops::number;
use crate::vocabulary::Vocabulary;
use machine::Value;
use plato::hir::Ty;
use std::collections::BTreeSet;

/// A fact with the sampled stores of which it holds; `None` if that is not known of some.
pub(crate) struct Sampled<'a> {
    pub(crate) fact: &'a Fact,
    pub(crate) holds: Option<Vec<bool>>,
}

/// Limit on the invariants that are tried.
const MANY: usize = 1_500;

/// Facts that hold in all samples, and facts that hold wherever another one does. What no sample
/// shows a case of says nothing and is left out.
pub(crate) fn implications(sampled: &[Sampled<'_>]) -> Vec<Candidate> {
    let known = |one: &&Sampled<'_>| one.fact.binder.is_empty() && one.holds.is_some();
    let plain: Vec<&Sampled<'_>> = sampled.iter().filter(known).collect();
    let truth = |one: &Sampled<'_>| one.holds.clone().unwrap_or_default();
    let always: BTreeSet<&str> = plain
        .iter()
        .filter(|one| one.fact.is_conclusion && truth(one).iter().all(|holds| *holds))
        .map(|one| one.fact.text.as_str())
        .collect();
    let mut all: Vec<Candidate> =
        always.iter().map(|text| Candidate::plain(Place::Invariant, *text)).collect();
    for premise in plain.iter().filter(|one| one.fact.is_premise) {
        if all.len() >= MANY {
            break;
        }
        let when = truth(premise);
        if always.contains(premise.fact.text.as_str()) || !when.contains(&true) {
            continue;
        }
        for fact in plain.iter().filter(|fact| fact.fact.is_conclusion) {
            let is_trivial = about_the_same(&premise.fact.text, &fact.fact.text);
            if is_trivial || always.contains(fact.fact.text.as_str()) {
                continue;
            }
            let holds = truth(fact);
            if when.iter().zip(&holds).all(|(when, holds)| !when || *holds) {
                let (premise, fact) = (&premise.fact.text, &fact.fact.text);
                all.push(Candidate::under(Place::Invariant, premise, fact));
            }
        }
    }
    all.truncate(MANY);
    all
}

/// What may hold of every element of a map, alone, under conditions on the element, and under
/// conditions on the store.
pub(crate) fn of_elements(facts: &[Fact]) -> Vec<Candidate> {
    let plain = facts.iter().filter(|fact| fact.binder.is_empty() && fact.is_premise);
    let plain: Vec<&str> = plain.map(|fact| fact.text.as_str()).collect();
    let mut all = Vec::new();
    for fact in facts.iter().filter(|fact| !fact.binder.is_empty()) {
        let same = facts.iter().filter(|other| other.binder == fact.binder && other.is_premise);
        let premises = same.map(|other| other.text.as_str()).chain(plain.iter().copied());
        let premises = premises.filter(|premise| !about_the_same(premise, &fact.text));
        for premise in [""].into_iter().chain(premises) {
            let one = Candidate::under(Place::Invariant, premise, &fact.text);
            all.push(one.for_all(&fact.binder));
        }
    }
    all.truncate(MANY);
    all
}

/// Linear equations of the shared numbers that hold in all samples, or in those of which a
/// condition holds.
pub(crate) fn equations(
    words: &Vocabulary<'_>,
    stores: &[&[Value]],
    sampled: &[Sampled<'_>],
) -> Vec<Candidate> {
    const MANY_NUMBERS: usize = 8;
    let globals = &words.program.globals;
    let numbers: Vec<usize> = (0..globals.len())
        .filter(|&at| matches!(globals[at].ty, Ty::Int | Ty::Range(..)))
        .take(MANY_NUMBERS)
        .collect();
    let names: Vec<String> = numbers.iter().map(|&at| globals[at].name.to_string()).collect();
    if numbers.len() < 2 {
        return Vec::new();
    }
    let point = |store: &[Value]| numbers.iter().map(|&at| number(&store[at])).collect();
    let points: Option<Vec<Vec<i128>>> = stores.iter().map(|store| point(store)).collect();
    let Some(points) = points else { return Vec::new() };
    let mut all = Vec::new();
    let everywhere = vec![true; points.len()];
    let premises = sampled.iter().filter(|one| one.fact.is_premise && one.fact.binder.is_empty());
    let premises = premises.filter_map(|one| Some((one.fact.text.as_str(), one.holds.as_ref()?)));
    for (premise, holds) in [("", &everywhere)].into_iter().chain(premises) {
        let chosen = points.iter().zip(holds).filter(|(_, holds)| **holds);
        let chosen: BTreeSet<Vec<i128>> = chosen.map(|(point, _)| point.clone()).collect();
        let chosen: Vec<Vec<i128>> = chosen.into_iter().collect();
        for equation in hull::equations(&chosen) {
            if let Some(text) = hull::text(&equation, &names) {
                all.push(Candidate::under(Place::Invariant, premise, text));
            }
        }
    }
    all
}

/// Whether a fact is about nothing but what its condition is about, so that it adds nothing.
fn about_the_same(premise: &str, fact: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let split = text.split(|c: char| !c.is_alphanumeric() && !"_.".contains(c));
        let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        split.filter(is_name).map(str::to_owned).collect()
    };
    words(fact).is_subset(&words(premise))
}
