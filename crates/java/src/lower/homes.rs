//! To which objects arrays belong.
//!
//! An array belongs to the object in one field of which it is, if such fields only get new arrays
//! and each of those goes to no other field. What protects its elements is then found like what
//! protects fields, and checked at each access. That an array gets to one field alone is seen in
//! the text: so it may be known from its first moment on where it will belong.

use super::accesses::Accesses;
use super::array_names::escaping;
use super::array_stores::Stores;
use super::ended::is_of_thread;
use super::fitting::made_in_fields;
use super::heap::Element;
use super::protect::{Access, Lock, Protection, Protections};
use crate::typed::{ClassId, ClassKind, FieldId, LocalId, MethodId, Origin, Program, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// What protects elements of arrays, as seen from the object that the array belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    Lock(Lock),
    /// Of a thread: as its fields.
    Handed,
    /// What is written beside this field says when others leave them alone.
    Written(FieldId),
}

/// Fields whose arrays may be known by any name, by what keeps others away from their elements.
pub(super) type Escaping = BTreeMap<usize, BTreeSet<FieldId>>;

/// To which objects the arrays of a program belong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Homes {
    pub(crate) keepers: Vec<Keeper>,
    /// Fields whose arrays belong to their objects, with the keeper.
    of: BTreeMap<FieldId, usize>,
    /// Fields that get new arrays alone.
    own: BTreeSet<FieldId>,
    /// Fields whose arrays are also known by other names than those that `array_names` finds.
    escaping: BTreeSet<FieldId>,
    /// Variables whose new arrays are stored in fields.
    stored: BTreeMap<(MethodId, LocalId), FieldId>,
    accesses: BTreeMap<FieldId, Vec<Access>>,
    /// The types of elements with which arrays in fields are made.
    made: BTreeMap<FieldId, Option<Ty>>,
}

impl Homes {
    pub(super) fn new(program: &Program, found: &Accesses, protections: &Protections) -> Self {
        let Stores { others, stored } = Stores::new(program);
        let mut homes = Self { stored, accesses: found.elements.clone(), ..Self::default() };
        homes.made = made_in_fields(program);
        for id in (0..program.fields.len()).map(FieldId::from_index) {
            let field = program.field(id);
            let is_own = program.class(field.class).origin == Origin::Checked
                && matches!(field.ty, Ty::Array(_))
                && !others.contains(&id);
            if !is_own {
                continue;
            }
            homes.own.insert(id);
            if let Some(keeper) = homes.keeper(program, id, protections) {
                let known = homes.keepers.iter().position(|other| *other == keeper);
                let at = known.unwrap_or_else(|| {
                    homes.keepers.push(keeper);
                    homes.keepers.len() - 1
                });
                homes.of.insert(id, at);
            }
        }
        homes.escaping = escaping(program, &homes);
        homes
    }

    /// What keeps others away from the elements of a field's arrays.
    fn keeper(&self, program: &Program, id: FieldId, protections: &Protections) -> Option<Keeper> {
        if !program.field(id).spec.elements_unwritable.is_empty() {
            return Some(Keeper::Written(id));
        }
        let others = || self.accesses_of(id).iter().filter(|access| !access.is_own);
        if others().all(|access| !access.is_write) {
            return None;
        }
        let mut counts: BTreeMap<&Lock, usize> = BTreeMap::new();
        for lock in others().flat_map(|access| &access.locks) {
            *counts.entry(lock).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        if let Some((lock, _)) = most {
            return Some(Keeper::Lock(lock.clone()));
        }
        match protections.of(id) {
            Protection::Locked { locks, declared: Some(_), .. } => {
                locks.first().cloned().map(Keeper::Lock)
            }
            _ => is_of_thread(program, id).then_some(Keeper::Handed),
        }
    }

    /// The keeper of a field's arrays, if they belong to the objects of the field.
    pub(super) fn of(&self, id: FieldId) -> Option<usize> {
        self.of.get(&id).copied()
    }

    /// Whether a field gets new arrays alone.
    pub(super) fn is_own(&self, id: FieldId) -> bool {
        self.own.contains(&id)
    }

    /// The type of elements with which all arrays of a field are made, if it is one.
    pub(super) fn made_for(&self, id: FieldId) -> Option<&Ty> {
        self.made.get(&id).filter(|_| self.is_own(id))?.as_ref()
    }

    /// Accesses of elements of a field's arrays.
    pub(super) fn accesses_of(&self, id: FieldId) -> &[Access] {
        self.accesses.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The field that gets the new array of a variable.
    pub(super) fn stored(&self, method: MethodId, local: LocalId) -> Option<FieldId> {
        self.stored.get(&(method, local)).copied()
    }

    /// Keepers of arrays that may be known by any name, with their fields, if a variable for
    /// arrays with elements of this type can have them.
    pub(super) fn escaping(&self, program: &Program, ty: &Ty) -> Escaping {
        let mut found = Escaping::new();
        for id in &self.escaping {
            if let (Some(keeper), Ty::Array(element)) = (self.of(*id), &program.field(*id).ty)
                && fits(program, element, ty)
            {
                found.entry(keeper).or_default().insert(*id);
            }
        }
        found
    }

    /// Fields whose arrays have such elements and belong to somebody.
    pub(super) fn with(&self, program: &Program, kind: Element) -> Vec<(FieldId, usize)> {
        let has = |(id, _): &(&FieldId, &usize)| element(program, **id) == Some(kind);
        self.of.iter().filter(has).map(|(id, keeper)| (*id, *keeper)).collect()
    }
}

/// Whether one array can have elements of both types.
fn fits(program: &Program, one: &Ty, other: &Ty) -> bool {
    match (one, other) {
        (Ty::Prim(_), _) | (_, Ty::Prim(_)) => one == other,
        (Ty::Array(one), Ty::Array(other)) => fits(program, one, other),
        (Ty::Class(one), Ty::Class(other)) => {
            let is_interface = |id: ClassId| program.class(id).kind == ClassKind::Interface;
            program.is_subclass(*one, *other)
                || program.is_subclass(*other, *one)
                || is_interface(*one)
                || is_interface(*other)
        }
        _ => true,
    }
}

/// The kind of elements of a field's arrays.
fn element(program: &Program, id: FieldId) -> Option<Element> {
    match &program.field(id).ty {
        Ty::Array(element) => Some(Element::of(element)),
        _ => None,
    }
}
