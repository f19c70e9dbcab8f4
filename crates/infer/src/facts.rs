//! Facts about one shared store: what invariants are made of.

use crate::vocabulary::{KEY, Vocabulary};
use crate::words::type_text;
use plato::hir::Ty;

/// A fact, or the condition for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// What binds its key, if it is about all elements of a map.
    pub(crate) binder: String,
    pub(crate) text: String,
    /// Whether it may be the condition for another one.
    pub(crate) is_premise: bool,
    /// Whether it may hold by itself or under the condition of another one.
    pub(crate) is_conclusion: bool,
}

/// Limit on the variants of an enumeration that are looked at.
const MANY_VARIANTS: usize = 8;
/// Limit on the variables that are compared with the numbers of the code.
const MANY_COUNTED: usize = 40;
/// Limit on the variables that are compared with each other.
const MANY_NUMBERS: usize = 6;

/// All facts that are tried.
pub(crate) fn facts(words: &Vocabulary<'_>) -> Vec<Fact> {
    let mut all = Vec::new();
    let mut add = |text: String, is_premise: bool| {
        let fact = Fact { binder: String::new(), text, is_premise, is_conclusion: true };
        if !all.iter().any(|other: &Fact| other.text == fact.text) {
            all.push(fact);
        }
    };
    for global in &words.program.globals {
        let name = &global.name;
        match &global.ty {
            Ty::Bool => {
                add(name.to_string(), true);
                add(format!("!{name}"), true);
            }
            Ty::Tid => {
                add(format!("{name} == 0"), true);
                add(format!("{name} != 0"), true);
            }
            Ty::Enum(id) => {
                let info = &words.program.enums[id.index()];
                for variant in info.variants.iter().take(MANY_VARIANTS) {
                    add(format!("{name} == {}.{variant}", info.name), true);
                }
            }
            _ => {}
        }
    }
    for condition in &words.conditions {
        add(condition.clone(), true);
    }
    let numbers: Vec<String> = words
        .globals(|ty| matches!(ty, Ty::Int | Ty::Range(..)))
        .map(|global| global.name.to_string())
        .chain(numeric_constants(words))
        .collect();
    of_sets(words).into_iter().for_each(|(text, is_premise)| add(text, is_premise));
    let counted = words.globals(|ty| matches!(ty, Ty::Int | Ty::Range(..))).take(MANY_COUNTED);
    for name in counted.map(|global| &global.name) {
        for value in &words.literals {
            // A number that the code compares with this value may be a state.
            let is_state = words.conditions.contains(&format!("{name} == {value}"));
            add(format!("{name} == {value}"), is_state);
            add(format!("{name} >= {value}"), false);
            add(format!("{name} <= {value}"), false);
        }
    }
    for (at, one) in numbers.iter().take(MANY_NUMBERS).enumerate() {
        for other in numbers.iter().take(MANY_NUMBERS).skip(at + 1) {
            add(format!("{one} == {other}"), false);
            add(format!("{one} <= {other}"), false);
            add(format!("{other} <= {one}"), false);
            add(format!("{one} < {other}"), false);
            add(format!("{other} < {one}"), false);
        }
        for set in words.globals(is_set) {
            add(format!("{one} == #{}", set.name), false);
        }
    }
    all.extend(of_maps(words));
    all
}

/// Facts about sets of threads, each with whether it may be the condition for another one.
fn of_sets(words: &Vocabulary<'_>) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    for set in words.globals(is_set).map(|set| &set.name) {
        all.push((format!("{set} == {{}}"), true));
        all.push((format!("0 !in {set}"), false));
        let threads = words.globals(|ty| *ty == Ty::Tid);
        all.extend(threads.map(|thread| (format!("{} in {set}", thread.name), false)));
    }
    all
}

fn is_set(ty: &Ty) -> bool {
    *ty == Ty::Set(Box::new(Ty::Tid))
}

fn numeric_constants<'a>(words: &'a Vocabulary<'_>) -> impl Iterator<Item = String> + 'a {
    let constants = words.program.consts.iter();
    constants
        .filter(|constant| constant.value.is_none() && matches!(constant.ty, Ty::Int))
        .map(|constant| constant.name.to_string())
}

/// Facts about a key that is a number.
fn of_keys(numbers: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for number in numbers {
        all.push(format!("{KEY} >= {number}"));
        all.push(format!("{KEY} < {number}"));
    }
    all.push(format!("{KEY} != 0"));
    all
}

/// Facts about every element of a map.
fn of_maps(words: &Vocabulary<'_>) -> Vec<Fact> {
    let mut all: Vec<Fact> = Vec::new();
    let mut add = |binder: &str, text: String, is_premise: bool| {
        let binder = binder.to_owned();
        let fact = Fact { binder, text, is_premise, is_conclusion: true };
        if !all.contains(&fact) {
            all.push(fact);
        }
    };
    // The parts of a conjunction are there, too.
    for (binder, text) in words.of_elements.iter().filter(|(_, text)| !text.contains("&&")) {
        add(binder, text.clone(), true);
    }
    let numbers: Vec<&str> = words
        .globals(|ty| matches!(ty, Ty::Int | Ty::Range(..)))
        .map(|global| global.name.as_str())
        .collect();
    for global in words.globals(|ty| matches!(ty, Ty::Map(..))) {
        let Ty::Map(key, value) = &global.ty else { continue };
        let binder = format!("forall {KEY}: {} ::", type_text(words.program, key));
        let element = format!("{}[{KEY}]", global.name);
        for set in words.globals(is_set) {
            if **key == Ty::Tid {
                add(&binder, format!("{KEY} in {}", set.name), true);
            }
            if **value == Ty::Tid {
                add(&binder, format!("{element} in {}", set.name), false);
            }
        }
        match &**value {
            Ty::Bool => {
                add(&binder, element.clone(), true);
                add(&binder, format!("!{element}"), true);
            }
            Ty::Tid => {
                add(&binder, format!("{element} == 0"), true);
                add(&binder, format!("{element} != 0"), true);
            }
            Ty::Int | Ty::Range(..) => {
                for literal in &words.literals {
                    add(&binder, format!("{element} == {literal}"), *literal == 0);
                    add(&binder, format!("{element} >= {literal}"), false);
                    add(&binder, format!("{element} <= {literal}"), false);
                }
                for number in &numbers {
                    add(&binder, format!("{element} < {number}"), false);
                    add(&binder, format!("{element} <= {number}"), false);
                }
                if **key == Ty::Int {
                    add(&binder, format!("{element} < {KEY}"), false);
                    add(&binder, format!("{element} <= {KEY}"), false);
                }
            }
            _ => {}
        }
        if **key == Ty::Int {
            of_keys(&numbers).into_iter().for_each(|text| add(&binder, text, true));
        }
    }
    all
}
