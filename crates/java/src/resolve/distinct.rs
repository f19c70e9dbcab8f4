//! Names of classes in messages: short where that says which class is meant.

use crate::typed::{Class, Origin, Program};
use source::Name;
use std::collections::BTreeMap;

/// Names classes with their package where another class is called the same.
pub(super) fn distinct_names(program: &mut Program) {
    // A class of the program keeps its name beside one of the library.
    let by_short_name = |class: &Class| (class.name.clone(), class.origin == Origin::Library);
    let mut is_taken = count(program, |class| by_short_name(class).0);
    let of_program = count(program, |class| match class.origin {
        Origin::Checked => class.name.clone(),
        Origin::Library => Name::from(""),
    });
    for class in &mut program.classes {
        let (name, is_library) = by_short_name(class);
        let is_alone = !is_library && of_program.get(&name) == Some(&1);
        if is_taken.get(&name).is_some_and(|count| *count > 1) && !is_alone {
            class.name = class.qualified.clone();
        }
    }
    // Whatever is still called the same gets a number.
    is_taken.clear();
    for class in &mut program.classes {
        let count = is_taken.entry(class.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            class.name = Name::from(format!("{}~{count}", class.name));
        }
    }
}

fn count(program: &Program, name: impl Fn(&Class) -> Name) -> BTreeMap<Name, usize> {
    let mut counts = BTreeMap::new();
    for class in &program.classes {
        *counts.entry(name(class)).or_default() += 1;
    }
    counts
}
