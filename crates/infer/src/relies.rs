//! What others may do to a thread: the relies that are tried.

use crate::candidate::{Candidate, Place, operand};
use crate::facts::Fact;
use crate::vocabulary::{KEY, Vocabulary};
use crate::words::type_text;
use plato::hir::{Global, GlobalId, Ty};

/// About how many relies are tried: the number of conditions and variables grows with the square of
/// the program.
const MANY: usize = 1_500;

/// All relies that are tried, simple ones first.
pub(crate) fn relies(words: &Vocabulary<'_>, facts: &[Fact]) -> Vec<Candidate> {
    let mut all = simple(words);
    let globals: Vec<&Global> = written(words).map(|(_, global)| global).collect();
    elements(words, &globals, &mut all);
    let premises = facts.iter().filter(|fact| fact.is_premise && fact.binder.is_empty());
    let premises: Vec<&str> = premises.map(|fact| fact.text.as_str()).collect();
    under_conditions(words, &premises, &globals, &mut all);
    while_unchanged(words, &premises, &globals, &mut all);
    all
}

/// What no step does, whoever takes it, and what belongs to a thread.
pub(crate) fn simple(words: &Vocabulary<'_>) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (_, global) in written(words) {
        always(words, global, &mut all);
    }
    for (id, global) in written(words) {
        owned(words, id, global, &mut all);
    }
    all
}

/// The shared variables that code writes.
fn written<'p>(words: &Vocabulary<'p>) -> impl Iterator<Item = (GlobalId, &'p Global)> {
    let program = words.program;
    let ids = (0..program.globals.len()).map(GlobalId::from_index);
    let all = ids.filter(|id| words.is_written(*id));
    all.map(|id| (id, &program.globals[id.index()])).collect::<Vec<_>>().into_iter()
}

fn stays(global: &Global) -> String {
    format!("{0}' == {0}", global.name)
}

fn add(to: &mut Vec<Candidate>, premise: impl Into<String>, conclusion: impl Into<String>) {
    to.push(Candidate::under(Place::Rely, premise, conclusion));
}

/// What no step does, whoever takes it.
fn always(words: &Vocabulary<'_>, global: &Global, all: &mut Vec<Candidate>) {
    let name = &global.name;
    match &global.ty {
        Ty::Bool => {
            add(all, name.to_string(), format!("{name}'"));
            add(all, format!("!{name}"), format!("!{name}'"));
        }
        Ty::Int | Ty::Range(..) => {
            add(all, "", format!("{name}' >= {name}"));
            add(all, "", format!("{name}' <= {name}"));
        }
        // Nobody else gives a thread a lock.
        Ty::Tid => add(all, format!("{name} != tid"), format!("{name}' != tid")),
        Ty::Set(element) if **element == Ty::Tid => {
            add(all, format!("tid in {name}"), format!("tid in {name}'"));
            add(all, format!("tid !in {name}"), format!("tid !in {name}'"));
            add(all, "", format!("{name} <= {name}'"));
        }
        Ty::Enum(id) => {
            let info = &words.program.enums[id.index()];
            for variant in &info.variants {
                let variant = format!("{}.{variant}", info.name);
                add(all, format!("{name} == {variant}"), format!("{name}' == {variant}"));
            }
        }
        _ => {}
    }
}

/// What belongs to a thread: to whoever holds a lock, or to a thread that alone writes it.
fn owned(words: &Vocabulary<'_>, id: GlobalId, global: &Global, all: &mut Vec<Candidate>) {
    for lock in words.globals(|ty| *ty == Ty::Tid) {
        add(all, format!("{} == tid", lock.name), stays(global));
    }
    for set in words.globals(|ty| *ty == Ty::Set(Box::new(Ty::Tid))) {
        add(all, format!("tid in {}", set.name), stays(global));
    }
    // Whose turn it is.
    for owners in words.globals(|ty| *ty == Ty::Map(Box::new(Ty::Int), Box::new(Ty::Tid))) {
        for number in words.globals(|ty| *ty == Ty::Int) {
            add(all, format!("{}[{}] == tid", owners.name, number.name), stays(global));
        }
    }
    let writers = &words.writers[&id];
    for thread in words.single_threads() {
        if writers.len() == 1 && writers.contains(&thread) {
            let name = &words.program.threads[thread.index()].name;
            add(all, format!("tid == {name}"), stays(global));
        }
    }
}

/// The same for every element of a map.
fn elements(words: &Vocabulary<'_>, written: &[&Global], all: &mut Vec<Candidate>) {
    let mut new = Vec::new();
    for global in written {
        let Ty::Map(key, value) = &global.ty else { continue };
        let binder = format!("forall {KEY}: {} ::", type_text(words.program, key));
        let (old, after) = (format!("{}[{KEY}]", global.name), format!("{}'[{KEY}]", global.name));
        let stays = format!("{after} == {old}");
        let mut add = |premise: String, conclusion: String| {
            new.push(Candidate::under(Place::Rely, premise, conclusion).for_all(&binder));
        };
        for lock in words.globals(|ty| matches!(ty, Ty::Map(_, to) if **to == Ty::Tid)) {
            if matches!(&lock.ty, Ty::Map(of, _) if of == key) {
                add(format!("{}[{KEY}] == tid", lock.name), stays.clone());
            }
        }
        match &**value {
            Ty::Tid => {
                add(format!("{old} != tid"), format!("{after} != tid"));
                add(format!("{old} != 0"), stays.clone());
            }
            Ty::Bool => {
                add(old.clone(), after.clone());
                add(format!("!{old}"), format!("!{after}"));
            }
            Ty::Int | Ty::Range(..) => {
                add(String::new(), format!("{after} >= {old}"));
                add(String::new(), format!("{after} <= {old}"));
                for literal in &words.literals {
                    add(format!("{old} != {literal}"), stays.clone());
                }
            }
            _ => {}
        }
        if **key == Ty::Int && **value == Ty::Tid {
            // Nobody else makes an element of this thread known.
            let numbers = written.iter().filter(|global| global.ty == Ty::Int);
            for number in numbers.map(|global| &global.name) {
                let premise = format!("{old} == tid && {number} != {KEY}");
                add(premise, format!("{number}' != {KEY}"));
            }
        }
        if **key == Ty::Int {
            for number in words.globals(|ty| matches!(ty, Ty::Int | Ty::Range(..))) {
                add(format!("{KEY} < {}", number.name), stays.clone());
            }
        }
        if **key == Ty::Tid {
            let own = format!("{0}'[tid] == {0}[tid]", global.name);
            new.push(Candidate::plain(Place::Rely, own));
        }
    }
    all.append(&mut new);
}

/// What stays as long as a condition holds: for everybody, or for one thread.
fn under_conditions(
    words: &Vocabulary<'_>,
    premises: &[&str],
    written: &[&Global],
    all: &mut Vec<Candidate>,
) {
    for premise in premises {
        if all.len() >= MANY {
            return;
        }
        for global in written {
            add(all, *premise, stays(global));
        }
    }
    for thread in words.single_threads() {
        let own = format!("tid == {}", words.program.threads[thread.index()].name);
        for premise in premises {
            if all.len() >= MANY {
                return;
            }
            for global in written {
                add(all, format!("{own} && {}", operand(premise)), stays(global));
            }
        }
    }
}

/// What stays as long as a number does: a sequence number that every change of the rest counts up.
fn while_unchanged(
    words: &Vocabulary<'_>,
    premises: &[&str],
    written: &[&Global],
    all: &mut Vec<Candidate>,
) {
    for number in words.globals(|ty| *ty == Ty::Int) {
        let same = stays(number);
        if all.len() >= MANY || !written.iter().any(|global| global.name == number.name) {
            continue;
        }
        let others = || written.iter().filter(|global| global.name != number.name);
        for global in others() {
            add(all, same.clone(), stays(global));
        }
        let about = premises.iter().filter(|text| mentions(text, number.name.as_str()));
        for premise in about {
            for global in others() {
                add(all, format!("{same} && {}", operand(premise)), stays(global));
            }
        }
    }
}

/// Whether a name stands in a text as a word.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').any(|word| word == name)
}
