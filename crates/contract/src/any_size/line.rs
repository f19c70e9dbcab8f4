//! The long line that stands for all longer ones; see the module's documentation.

use super::shape::Shape;
use crate::design::{ThreadId, UnitId};
use crate::family::{Left, restrict};
use crate::system::{System, Unit};
use source::Name;
use std::collections::{BTreeMap, BTreeSet};

/// How long the line is, and where its zones end.
#[derive(Clone, Copy)]
pub(super) struct Long {
    pub(super) spread: i64,
    pub(super) width: i64,
    /// The smallest size of the system.
    pub(super) least: i64,
}

impl Long {
    pub(super) fn size(self) -> i64 {
        (2 * self.threads() + 2 * self.width + 2).max(self.least)
    }

    fn fixed(self) -> i64 {
        2 * self.spread + self.width + 1
    }

    fn units(self) -> i64 {
        self.fixed() + 2 * self.width
    }

    fn threads(self) -> i64 {
        self.units() + self.width
    }

    /// Whether a place is at least so far from both ends.
    fn is_inside(self, place: i64, zone: i64) -> bool {
        zone <= place && place < self.size() - zone
    }
}

/// A system of the size of the long line. Of families that are bound as a whole, what is not at a
/// fixed place has become one unit.
pub(super) struct Line {
    pub(super) system: System,
    long: Long,
    /// Where each unit lies, if its family grows.
    places: Vec<Option<i64>>,
    by_place: BTreeMap<(Name, i64), UnitId>,
    /// The units that stand for what is not at a fixed place of a whole family.
    bulks: BTreeMap<Name, UnitId>,
}

impl Line {
    /// Nothing if units are bound at a greater distance, or threads get to know some.
    ///
    /// # Errors
    /// What is not understood.
    pub(super) fn new(system: System, shape: &Shape, long: Long) -> Result<Option<Self>, String> {
        let mut by_place = BTreeMap::new();
        let mut places = Vec::new();
        for (id, unit) in system.units.iter().enumerate() {
            let member = unit.member.as_ref().filter(|(family, _)| shape.growing.contains(family));
            places.push(member.map(|(_, place)| *place));
            by_place.extend(member.map(|member| (member.clone(), id)));
        }
        let mut line = Self { system, long, places, by_place, bulks: BTreeMap::new() };
        for family in shape.whole.intersection(&shape.growing) {
            line.gather(family)?;
        }
        if !line.is_uniform(shape) {
            // Bindings reach farther. Nothing else can be: the form of the indexes excludes it, but
            // a proof does not stand on that alone.
            return Ok(None);
        }
        let threads = 0..line.system.roots.len();
        let mut is_narrow = true;
        for thread in threads {
            is_narrow &= line.knows_little(thread)?;
        }
        Ok(is_narrow.then_some(line))
    }

    pub(super) fn size(&self) -> i64 {
        self.long.size()
    }

    /// The members of a family that are at least so far from both ends.
    fn inside(&self, family: &Name, zone: i64) -> Vec<UnitId> {
        let places = zone..self.size() - zone;
        places.filter_map(|place| self.by_place.get(&(family.clone(), place)).copied()).collect()
    }

    pub(super) fn is_middle(&self, unit: UnitId) -> bool {
        self.places[unit].is_some_and(|place| self.long.is_inside(place, self.long.units()))
    }

    /// The place of a thread in the middle.
    pub(super) fn middle_thread(&self, thread: ThreadId) -> Option<i64> {
        let place = self.places[self.system.roots[thread]];
        place.filter(|&place| self.long.is_inside(place, self.long.threads()))
    }

    pub(super) fn place(&self, unit: UnitId) -> Option<i64> {
        self.places[unit]
    }

    pub(super) fn family(&self, unit: UnitId) -> Option<&Name> {
        self.system.units[unit].member.as_ref().map(|(family, _)| family)
    }

    /// The unit that stands for a unit among others, where the family is bound as a whole.
    pub(super) fn bulk(&self, unit: UnitId) -> Option<UnitId> {
        self.places[unit].filter(|&place| self.long.is_inside(place, self.long.fixed()))?;
        self.bulks.get(self.family(unit)?).copied()
    }

    pub(super) fn is_bulk(&self, unit: UnitId) -> bool {
        self.bulks.values().any(|&bulk| bulk == unit)
    }

    /// The members of the family that a unit stands for.
    pub(super) fn gathered(&self, bulk: UnitId) -> Vec<UnitId> {
        let family = self.bulks.iter().find(|(_, unit)| **unit == bulk).map(|(family, _)| family);
        family.map(|family| self.inside(family, self.long.fixed())).unwrap_or_default()
    }

    /// Makes a family one unit, except for what is at fixed places, wherever all of it is bound.
    fn gather(&mut self, family: &Name) -> Result<(), String> {
        let most = self.inside(family, self.long.fixed());
        let Some(&first) = most.first() else { return Ok(()) };
        let class = self.system.class(first);
        if !class.variables.is_empty() || !class.transitions.is_empty() {
            return Err(format!(
                "`{family}[*]` for any size, of a class with variables or transitions"
            ));
        }
        let bulk = self.system.units.len();
        let name = Name::from(format!("{family}[*]"));
        let slots = self.system.bindings.len();
        let like = self.system.units[first].clone();
        self.system.units.push(Unit { name, member: None, slots, ..like });
        self.places.push(None);
        self.bulks.insert(family.clone(), bulk);
        let members: BTreeSet<UnitId> = most.iter().copied().collect();
        for bound in &mut self.system.bindings {
            let inside = bound.iter().filter(|unit| members.contains(unit));
            if inside.clone().count() == most.len() {
                // Guards tell lists apart in which the same units stand in another order.
                if !inside.eq(&most) {
                    return Err(format!("`{family}[*]` after one of them, for any size"));
                }
                let at = bound.iter().position(|unit| members.contains(unit)).unwrap_or(0);
                bound[at] = bulk;
                bound.retain(|unit| !members.contains(unit));
            }
        }
        Ok(())
    }

    /// Whether all units of a family in the middle are of one class and bound alike.
    fn is_uniform(&self, shape: &Shape) -> bool {
        let places = self.long.units()..self.size() - self.long.units() - 1;
        let bound = |unit: UnitId| &self.system.bindings[self.system.slots(unit)];
        let alike = |family: &Name, place: i64| {
            let at = |place| self.by_place.get(&(family.clone(), place));
            match (at(place), at(place + 1)) {
                (Some(&one), Some(&next)) => {
                    self.system.units[one].class == self.system.units[next].class
                        && self.moved(place, bound(one), 1).as_deref() == Some(bound(next))
                }
                (one, next) => one == next,
            }
        };
        shape.growing.iter().all(|family| places.clone().all(|place| alike(family, place)))
    }

    /// What a unit in the middle refers to, seen from another place. Nothing if that is not known.
    fn moved(&self, from: i64, bound: &[Vec<UnitId>], by: i64) -> Option<Vec<Vec<UnitId>>> {
        let one = |&unit: &UnitId| -> Option<UnitId> {
            let Some(place) = self.places[unit] else { return Some(unit) };
            if (place - from).abs() <= 2 * self.long.width {
                let family = self.family(unit)?.clone();
                return self.by_place.get(&(family, place + by)).copied();
            }
            (!self.long.is_inside(place, self.long.fixed())).then_some(unit)
        };
        bound.iter().map(|units| units.iter().map(one).collect()).collect()
    }

    /// How all other units of a family in the middle are left, too, if one of them is.
    pub(super) fn everywhere(&self, unit: UnitId, (state, bound): &Left) -> Vec<(UnitId, Left)> {
        let (Some(from), Some(family)) = (self.places[unit], self.family(unit)) else {
            return Vec::new();
        };
        if !self.is_middle(unit) {
            return Vec::new();
        }
        let others = self.inside(family, self.long.units()).into_iter().filter_map(|other| {
            let by = self.places[other]? - from;
            let moved = self.moved(from, bound, by);
            let moved = moved.expect("internal error: a unit refers to what its threads know");
            Some((other, (*state, moved)))
        });
        others.collect()
    }

    /// Whether a thread gets to know nothing but units near its root and near the ends.
    fn knows_little(&self, thread: ThreadId) -> Result<bool, String> {
        let root = self.places[self.system.roots[thread]];
        let known = restrict(&self.system, &[thread]).whole;
        for &bulk in known.iter().filter(|&&unit| self.is_bulk(unit)) {
            if self.gathered(bulk).iter().any(|unit| known.contains(unit)) {
                let name = self.system.name(bulk);
                return Err(format!("a thread that knows all of `{name}` and also one of them"));
            }
        }
        let is_near = |&unit: &UnitId| {
            let Some(place) = self.places[unit] else { return true };
            !self.long.is_inside(place, self.long.fixed())
                || root.is_some_and(|root| (place - root).abs() <= self.long.width)
        };
        Ok(known.iter().all(is_near))
    }
}
