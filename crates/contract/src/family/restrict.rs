//! A part of a system: some threads, and all units that they can ever get to know.
//!
//! A variable comes to refer to what another variable of the same unit refers to, to what a
//! variable of such a unit refers to, or to some unit of a class (`any`). So a thread gets to know
//! nothing outside of the closure of its root under initial bindings and the classes that units of
//! the closure choose from. A run of the part is a run of the whole in which the other threads do
//! nothing yet, unless the policy hands out units by itself.

use crate::design::{ThreadId, UnitId, Value};
use crate::system::{System, Unit};
use std::collections::BTreeMap;

/// A part of a system.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) system: System,
    /// The number of each of its units in the whole.
    pub(crate) whole: Vec<UnitId>,
    /// The number of units of the whole in the part.
    pub(crate) numbers: BTreeMap<UnitId, UnitId>,
}

/// The part of some threads. Units and threads keep their order.
pub(crate) fn restrict(system: &System, threads: &[ThreadId]) -> Part {
    let mut by_class: BTreeMap<usize, Vec<UnitId>> = BTreeMap::new();
    if system.classes.iter().any(|class| !chosen_from(class).is_empty()) {
        for (id, unit) in system.units.iter().enumerate() {
            by_class.entry(unit.class).or_default().push(id);
        }
    }
    let mut left: Vec<UnitId> = threads.iter().map(|&thread| system.roots[thread]).collect();
    let mut known: BTreeMap<UnitId, UnitId> = left.iter().map(|&unit| (unit, 0)).collect();
    while let Some(unit) = left.pop() {
        let bound = system.bindings[system.slots(unit)].iter().flatten();
        let classes = chosen_from(system.class(unit));
        let chosen = classes.iter().filter_map(|class| by_class.get(class)).flatten();
        for &other in bound.chain(chosen) {
            if known.insert(other, 0).is_none() {
                left.push(other);
            }
        }
    }
    for (number, place) in known.values_mut().enumerate() {
        *place = number;
    }
    let mut part = System {
        name: system.name.clone(),
        span: system.span,
        classes: system.classes.clone(),
        units: Vec::new(),
        roots: Vec::new(),
        bindings: Vec::new(),
        policies: Vec::new(),
        properties: Vec::new(),
        sizes: None,
    };
    for &id in known.keys() {
        let unit = &system.units[id];
        let thread = unit.thread.map(|_| part.roots.len());
        if thread.is_some() {
            part.roots.push(part.units.len());
        }
        let slots = part.bindings.len();
        for slot in system.slots(id) {
            let units = system.bindings[slot].iter().map(|unit| known[unit]);
            part.bindings.push(units.collect());
        }
        part.units.push(Unit { slots, thread, ..unit.clone() });
    }
    Part { system: part, whole: known.keys().copied().collect(), numbers: known }
}

/// The classes that transitions of a class choose units from.
fn chosen_from(class: &crate::design::Class) -> Vec<usize> {
    let assigns = class.transitions.iter().flat_map(|transition| &transition.assigns);
    let any = assigns.filter_map(|assign| match assign.value {
        Value::Any(class) => Some(class),
        _ => None,
    });
    any.collect()
}
