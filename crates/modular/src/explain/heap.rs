//! Maps over an uninterpreted type are a heap: a run shows the cells that it touches, one by one,
//! and leaves the rest out.

use super::{Reader, Store};
use gcl::{PathEvent, Value};
use plato::hir::{OpaqueId, Ty};
use std::collections::BTreeSet;
use verdict::Change;

/// The objects that a run is about: those that a variable of the thread refers to at some time, and
/// those that their cells refer to.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// Values of uninterpreted types, each with the number of its type.
    named: BTreeSet<(usize, Value)>,
    reached: BTreeSet<(usize, Value)>,
}

impl Objects {
    /// Whether the thread has a name for the object.
    fn is_named(&self, ty: &Ty, object: &Value) -> bool {
        matches!(ty, Ty::Opaque(id) if self.named.contains(&(id.index(), object.clone())))
    }

    /// Whether the thread gets to the object in one step.
    fn is_reached(&self, ty: &Ty, object: &Value) -> bool {
        matches!(ty, Ty::Opaque(id) if self.reached.contains(&(id.index(), object.clone())))
            || self.is_named(ty, object)
    }
}

/// The types of keys and values, if values of the type are shown cell by cell.
fn cells_of(ty: &Ty) -> Option<(&Ty, OpaqueId, &Ty)> {
    match ty {
        Ty::Map(key, inner) => match **key {
            Ty::Opaque(id) => Some((key, id, inner)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether values of the type are shown cell by cell.
fn is_heap(ty: &Ty) -> bool {
    cells_of(ty).is_some()
}

/// A cell of a map with its values before and after, as texts.
struct Cell {
    name: String,
    old: String,
    new: String,
}

impl Reader<'_> {
    /// The objects that the run is about.
    pub(super) fn objects(&self) -> Objects {
        let mut objects = Objects::default();
        let bound = |event: &'_ PathEvent| match event {
            PathEvent::Bind(symbol, value) => Some((*symbol, value.clone())),
            PathEvent::Mark(_) => None,
        };
        let bound: Vec<_> = self.failure.events.iter().filter_map(bound).collect();
        for (symbol, value) in &bound {
            let Some(shown) = self.task.shown.get(symbol).filter(|shown| !shown.shared) else {
                continue;
            };
            if let Ty::Opaque(id) = shown.ty {
                objects.named.insert((id.index(), value.clone()));
            }
        }
        for (symbol, value) in &bound {
            let Some(shown) = self.task.shown.get(symbol) else { continue };
            let Ty::Map(key, inner) = &shown.ty else { continue };
            let (Ty::Opaque(from), Ty::Opaque(to)) = (&**key, &**inner) else { continue };
            let named = objects.named.iter().filter(|(id, _)| *id == from.index());
            let reached = named.filter_map(|(_, object)| value.at(object));
            let reached: Vec<_> = reached.map(|object| (to.index(), object.clone())).collect();
            objects.reached.extend(reached);
        }
        objects
    }

    /// What changed from one store to another. Of what others do to the heap, only what the thread
    /// can see is shown.
    pub(super) fn changes(
        &self,
        known: &Store,
        now: &Store,
        seen_by: Option<&Objects>,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for (symbol, value) in now {
            let shown = &self.task.shown[symbol];
            let old = known.get(symbol);
            if old == Some(value) || shown.name.is_empty() {
                continue;
            }
            if let Some(old) = old.filter(|_| is_heap(&shown.ty)) {
                let cells = self.changed_cells(&shown.name, (old, value), &shown.ty, seen_by);
                let change = |Cell { name, old, new }| Change { name, old: Some(old), new };
                changes.extend(cells.into_iter().map(change));
                continue;
            }
            let (old, new) =
                (old.map(|old| self.show(old, &shown.ty)), self.show(value, &shown.ty));
            if old.as_ref() != Some(&new) {
                changes.push(Change { name: shown.name.clone(), old, new });
            }
        }
        changes
    }

    /// The cells of a map that changed.
    fn changed_cells(
        &self,
        name: &str,
        (old, new): (&Value, &Value),
        ty: &Ty,
        seen_by: Option<&Objects>,
    ) -> Vec<Cell> {
        let Ty::Map(key, inner) = ty else {
            let (old, new) = (self.show(old, ty), self.show(new, ty));
            let changed = (old != new).then(|| Cell { name: name.to_owned(), old, new });
            return changed.into_iter().collect();
        };
        let mut cells = Vec::new();
        for at in keys([old, new]) {
            if seen_by.is_some_and(|objects| is_heap(ty) && !objects.is_reached(key, &at)) {
                continue;
            }
            if let (Some(old), Some(new)) = (old.at(&at), new.at(&at)) {
                let name = format!("{name}[{}]", self.show(&at, key));
                cells.extend(self.changed_cells(&name, (old, new), inner, seen_by));
            }
        }
        // Where the values of all other keys change, that is shown too, unless there are none.
        if let (Value::Array { default: old, .. }, Value::Array { default: new, .. }) = (old, new)
            && old != new
            && !self.is_listed(key)
        {
            cells.extend(self.changed_cells(&format!("{name}[_]"), (old, new), inner, seen_by));
        }
        cells
    }

    /// The values at the start: of the heap those cells that the thread has a name for, or that
    /// change.
    pub(super) fn listed(
        &self,
        now: &Store,
        objects: &Objects,
        changed: &BTreeSet<String>,
    ) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (symbol, value) in now {
            let shown = &self.task.shown[symbol];
            all.extend(self.list(&shown.name, value, &shown.ty, (objects, changed)));
        }
        all
    }

    /// A variable, or those of its cells that matter.
    pub(super) fn list(
        &self,
        name: &str,
        value: &Value,
        ty: &Ty,
        matters: (&Objects, &BTreeSet<String>),
    ) -> Vec<(String, String)> {
        let (objects, changed) = matters;
        // Where no thread runs, there is nobody to have names.
        let cells = self.task.thread.as_ref().and(cells_of(ty));
        let Some((key, id, inner)) = cells else {
            return vec![(name.to_owned(), self.show(value, ty))];
        };
        let mut listed = Vec::new();
        let all = objects.named.iter().chain(&objects.reached);
        let keys: BTreeSet<&Value> =
            all.filter(|(ty, _)| *ty == id.index()).map(|(_, at)| at).collect();
        for at in keys {
            let cell = format!("{name}[{}]", self.show(at, key));
            let is_changed = changed.iter().any(|other| other.starts_with(&cell));
            if let Some(value) = value.at(at).filter(|_| is_changed || objects.is_named(key, at)) {
                listed.extend(self.list(&cell, value, inner, matters));
            }
        }
        listed
    }
}

/// The keys that maps have values of their own for.
fn keys<const N: usize>(maps: [&Value; N]) -> BTreeSet<Value> {
    let entries = maps.into_iter().filter_map(|map| match map {
        Value::Array { entries, .. } => Some(entries),
        _ => None,
    });
    entries.flatten().map(|(key, _)| key.clone()).collect()
}
