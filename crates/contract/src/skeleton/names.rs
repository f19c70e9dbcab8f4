//! Names of a design as names of a program.

use crate::design::{Class, ClassId};
use std::collections::BTreeSet;

/// Words that already have a meaning in the generated text.
const TAKEN: &[&str] = &[
    "as", "async", "await", "box", "break", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod",
    "move", "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "unsafe", "use", "where", "while", "abstract", "become", "do", "final", "macro",
    "override", "priv", "typeof", "unsized", "virtual", "yield", "szumo", "std", "Self", "Result",
    "Option", "Vec", "Ok", "Err", "Some", "None", "Fn", "FnOnce", "Sync", "Debug", "Default",
    "usize", "bool", "_",
];

/// The names of types and modules, all different.
pub(crate) struct Names {
    used: BTreeSet<String>,
    classes: Vec<String>,
}

impl Names {
    pub(crate) fn new(classes: &[Class]) -> Self {
        let mut used = BTreeSet::new();
        let mut named = Vec::new();
        for class in classes {
            let mut name = word(class.name.as_str());
            while used.contains(&name) || used.contains(&format!("{name}Data")) {
                name.push('_');
            }
            used.insert(name.clone());
            used.insert(format!("{name}Data"));
            named.push(name);
        }
        Self { used, classes: named }
    }

    pub(crate) fn class(&self, class: ClassId) -> &str {
        &self.classes[class]
    }

    pub(crate) fn module(&mut self, system: &str) -> String {
        fresh(snake(system), &mut self.used)
    }
}

/// A name that is not used yet.
pub(crate) fn fresh(mut name: String, used: &mut BTreeSet<String>) -> String {
    while !used.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// A name that is not a keyword of Rust.
fn word(name: &str) -> String {
    let mut word: String =
        name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    if word.starts_with(|first: char| first.is_ascii_digit()) || word.is_empty() {
        word.insert(0, '_');
    }
    if TAKEN.contains(&word.as_str()) {
        word.push('_');
    }
    word
}

/// A name in small letters.
pub(crate) fn snake(name: &str) -> String {
    let mut small = String::new();
    let mut was_small = false;
    for one in name.chars() {
        if one.is_ascii_uppercase() && was_small {
            small.push('_');
        }
        was_small = one.is_ascii_lowercase() || one.is_ascii_digit();
        small.push(one.to_ascii_lowercase());
    }
    word(&small)
}

/// Part of a name, after another part.
pub(crate) fn part(name: &str) -> String {
    snake(name).trim_end_matches('_').to_owned()
}
