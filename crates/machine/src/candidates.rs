//! Formulas that a program may satisfy: what is tried when a rely and invariants are to be found.

use plato::hir::{Count, Global, Program, Ty};
use std::fmt::Write as _;

/// A formula that may hold, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Whether it is about two stores.
    pub is_rely: bool,
    /// The formula.
    pub text: String,
    /// What it says: of weaker ones about the same, a stronger one is kept.
    strength: Strength,
}

/// Weaker ones first. The number is the variable it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Something of its own.
    Alone,
    /// A variable stays under a condition, or moves one way only.
    Somewhat(usize),
    /// A variable stays always.
    Always(usize),
}

/// More values than these are not listed one by one.
const MAX_VALUES: usize = 6;

/// All formulas to try, those about one variable before those about several.
pub fn candidates(program: &Program) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (at, global) in program.globals.iter().enumerate() {
        relies(program, at, global, &mut all);
        invariants(program, global, &mut all);
    }
    all
}

/// Of formulas that all hold, those that say more than the others.
pub fn strongest(held: Vec<Candidate>) -> Vec<Candidate> {
    let always: Vec<usize> = held
        .iter()
        .filter_map(|candidate| match candidate.strength {
            Strength::Always(variable) => Some(variable),
            _ => None,
        })
        .collect();
    held.into_iter()
        .filter(|candidate| match candidate.strength {
            Strength::Somewhat(variable) => !always.contains(&variable),
            Strength::Alone | Strength::Always(_) => true,
        })
        .collect()
}

fn relies(program: &Program, at: usize, global: &Global, all: &mut Vec<Candidate>) {
    let name = global.name.as_str();
    let mut add = |strength, text| all.push(Candidate { is_rely: true, text, strength });
    let stays = format!("{name}' == {name}");
    add(Strength::Always(at), stays.clone());
    let somewhat = Strength::Somewhat(at);
    for thread in program.threads.iter().filter(|thread| thread.count == Count::One) {
        add(somewhat, format!("tid == {} ==> {stays}", thread.name));
    }
    for lock in program.globals.iter().filter(|other| other.ty == Ty::Tid) {
        add(somewhat, format!("{} == tid ==> {stays}", lock.name));
    }
    for condition in conditions(program, name) {
        add(somewhat, format!("{condition} ==> {stays}"));
    }
    match &global.ty {
        Ty::Tid => add(somewhat, format!("{name} != tid ==> {name}' != tid")),
        Ty::Bool => {
            add(somewhat, format!("{name} ==> {name}'"));
            add(somewhat, format!("!{name} ==> !{name}'"));
        }
        Ty::Range(..) => {
            add(somewhat, format!("{name}' >= {name}"));
            add(somewhat, format!("{name}' <= {name}"));
        }
        Ty::Map(key, _) => match &**key {
            Ty::Tid => add(somewhat, format!("{name}'[tid] == {name}[tid]")),
            Ty::Range(low, high) => {
                for key in values(*low, *high) {
                    let stays = format!("{name}'[{key}] == {name}[{key}]");
                    add(somewhat, stays.clone());
                    for thread in program.threads.iter().filter(|t| t.count == Count::One) {
                        add(somewhat, format!("tid == {} ==> {stays}", thread.name));
                    }
                }
            }
            _ => {}
        },
        _ => {}
    }
}

/// Conditions on one other variable.
fn conditions(program: &Program, except: &str) -> Vec<String> {
    let mut all = Vec::new();
    for global in program.globals.iter().filter(|global| global.name.as_str() != except) {
        let name = &global.name;
        match &global.ty {
            Ty::Bool => all.extend([format!("{name}"), format!("!{name}")]),
            Ty::Range(low, high) => {
                all.extend(values(*low, *high).map(|value| format!("{name} == {value}")));
            }
            Ty::Enum(id) => {
                let info = &program.enums[id.index()];
                let variants = info.variants.iter().take(MAX_VALUES);
                all.extend(variants.map(|variant| format!("{name} == {}.{variant}", info.name)));
            }
            Ty::Tid => all.push(format!("{name} == 0")),
            _ => {}
        }
    }
    all
}

fn invariants(program: &Program, global: &Global, all: &mut Vec<Candidate>) {
    let name = global.name.as_str();
    let mut add = |text: String| {
        all.push(Candidate { is_rely: false, text, strength: Strength::Alone });
    };
    let mut facts: Vec<String> = Vec::new();
    match &global.ty {
        Ty::Bool => facts.extend([name.to_owned(), format!("!{name}")]),
        Ty::Range(low, high) => {
            facts.extend(values(*low, *high).map(|value| format!("{name} == {value}")));
            facts.extend(values(*low, *high).skip(1).map(|value| format!("{name} >= {value}")));
            facts.extend(values(*low, high - 1).map(|value| format!("{name} <= {value}")));
        }
        Ty::Enum(id) => {
            let info = &program.enums[id.index()];
            let variants = info.variants.iter().take(MAX_VALUES);
            facts.extend(variants.map(|variant| format!("{name} == {}.{variant}", info.name)));
        }
        Ty::Tid => facts.extend([format!("{name} == 0"), format!("{name} != 0")]),
        _ => {}
    }
    facts.iter().for_each(|fact| add(fact.clone()));
    for condition in conditions(program, name) {
        for fact in &facts {
            let mut text = String::new();
            let _ = write!(text, "{condition} ==> {fact}");
            add(text);
        }
    }
}

fn values(low: i128, high: i128) -> impl Iterator<Item = i128> {
    (low..=high).take(MAX_VALUES)
}
