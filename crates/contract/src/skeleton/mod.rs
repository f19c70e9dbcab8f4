//! A program from a design: Rust text that runs it on the middleware, the crate `szumo`. The user
//! fills in what threads do besides.

mod classes;
mod names;
mod systems;

use crate::system::System;
use names::Names;
use std::fmt::Write;

/// The program for the systems of a design called `name`; `None` if there is no system to run.
pub fn skeleton(systems: &[System], name: &str) -> Option<String> {
    let first = systems.first()?;
    let mut names = Names::new(&first.classes);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "// Written by `rely generate` from `{name}`. Data are yours to fill in; the rest is what `rely check` looks at."
    );
    for class in first.classes.iter() {
        text.push('\n');
        classes::write(class, first, &names, &mut text);
    }
    for system in systems {
        text.push('\n');
        systems::write(system, &mut names, &mut text);
    }
    Some(text)
}
