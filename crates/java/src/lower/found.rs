//! Locks of fields that were looked for, in the words of annotations.

use super::protect::{Lock, Protection, Protections};
use crate::FoundGuard;
use crate::typed::{Field, FieldId, Origin, Program};
use source::Span;
use std::collections::BTreeMap;

/// The lock of each field of the program that has one and for which none is written.
pub(crate) fn found_guards(program: &Program, protections: &Protections) -> Vec<FoundGuard> {
    let mut guards = Vec::new();
    // What is found of all fields of each declaration.
    let mut together: BTreeMap<Span, Vec<Option<String>>> = BTreeMap::new();
    for (at, field) in program.fields.iter().enumerate() {
        let id = FieldId::from_index(at);
        let Some(declaration) = field.declared else { continue };
        if field.is_ghost || program.class(field.class).origin != Origin::Checked {
            continue;
        }
        let lock = lock(program, field, protections.of(id));
        together.entry(declaration).or_default().push(lock.clone());
        let Some(lock) = lock else { continue };
        let accesses = protections.accesses.get(&id).into_iter().flatten();
        guards.push(FoundGuard {
            field: format!("{}.{}", program.class(field.class).name, field.name),
            span: field.span,
            lock,
            declaration: Some(declaration),
            accesses: accesses.filter(|access| !access.is_own).map(|access| access.span).collect(),
        });
    }
    for guard in &mut guards {
        guard.declaration = guard.declaration.filter(|declaration| {
            let all = together.get(declaration).map_or(&[][..], Vec::as_slice);
            all.iter().all(|one| one.as_ref() == Some(&guard.lock))
        });
    }
    guards
}

/// The lock of a field that is not written, as its class names it.
fn lock(program: &Program, field: &Field, protection: &Protection) -> Option<String> {
    let Protection::Locked { locks, declared: None, .. } = protection else { return None };
    let [lock] = locks.as_slice() else { return None };
    let words = match lock {
        Lock::Itself => "this".to_owned(),
        // The object around is written as in Java.
        Lock::Of(id) => program.field(*id).name.to_string(),
        Lock::Static(id) if program.field(*id).class == field.class => {
            program.field(*id).name.to_string()
        }
        Lock::Static(id) => {
            let other = program.field(*id);
            format!("{}.{}", program.class(other.class).name, other.name)
        }
        Lock::Class(name) => format!("{name}.class"),
        Lock::Written(_) => return None,
    };
    // Classes in bodies have no names that can be written.
    (!words.contains('$')).then_some(words)
}
