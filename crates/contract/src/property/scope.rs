//! Resolves properties: names become numbers, `all` and `some` are expanded.

use super::{Claim, Fact, Property};
use crate::design::{ThreadId, UnitId};
use crate::resolve::{Numbers, lookup, mismatch, unknown};
use crate::syntax::{self, Atom, Formula, Ident, Reference};
use crate::system::System;
use diagnostic::Diagnostic;
use source::Name;
use std::collections::BTreeMap;

/// What names mean in a property.
pub(crate) struct Scope<'a> {
    pub(crate) system: &'a System,
    pub(crate) numbers: &'a mut Numbers,
    pub(crate) faults: &'a mut Vec<Diagnostic>,
}

impl Scope<'_> {
    pub(crate) fn property(&mut self, written: &syntax::Property) -> Option<Property> {
        let claim = match &written.claim {
            syntax::Claim::Never(formula) => Claim::Never(self.formula(formula)?),
            syntax::Claim::Always(formula) => Claim::Always(self.formula(formula)?),
            syntax::Claim::NoInterference => Claim::NoInterference,
            syntax::Claim::NoStarvation(reference) => {
                let units = self.units(reference);
                let threads: Option<Vec<ThreadId>> =
                    units.into_iter().map(|unit| self.thread_of(unit, reference)).collect();
                Claim::NoStarvation(threads.filter(|threads| !threads.is_empty())?)
            }
        };
        Some(Property { name: written.name.name.clone(), span: written.name.span, claim })
    }

    fn formula(&mut self, formula: &Formula<Atom>) -> Option<Formula<Fact>> {
        Some(match formula {
            Formula::True => Formula::True,
            Formula::Not(inner) => Formula::Not(Box::new(self.formula(inner)?)),
            Formula::And(all) => Formula::And(self.formulas(all)?),
            Formula::Or(all) => Formula::Or(self.formulas(all)?),
            Formula::Atom(Atom::Each { all, name, from, to, body }) => {
                // A statement about all members of nothing is true, so the range may be empty here.
                let (from, to) = self.numbers.ends(from, to, self.faults)?;
                let mut parts = Vec::new();
                for value in from..to {
                    self.numbers.bind(&name.name, value);
                    let part = self.formula(body);
                    self.numbers.unbind();
                    parts.push(part?);
                }
                if *all { Formula::And(parts) } else { Formula::Or(parts) }
            }
            Formula::Atom(atom) => Formula::Atom(self.fact(atom)?),
        })
    }

    fn formulas(&mut self, all: &[Formula<Atom>]) -> Option<Vec<Formula<Fact>>> {
        all.iter().map(|one| self.formula(one)).collect()
    }

    fn fact(&mut self, atom: &Atom) -> Option<Fact> {
        Some(match atom {
            Atom::At(unit, state) => {
                let unit = self.unit(unit)?;
                let names = self.system.class(unit).states.iter().map(|one| &one.name);
                Fact::At(unit, position(names, state, "state", self.faults)?)
            }
            Atom::Is(unit, condition) => {
                let unit = self.unit(unit)?;
                let names = self.system.class(unit).conditions.iter().map(|one| &one.name);
                Fact::Is(unit, position(names, condition, "condition", self.faults)?)
            }
            Atom::Held(unit, by) => {
                let by = match by {
                    Some(by) => Some(self.thread(by)?),
                    None => None,
                };
                Fact::Held(self.unit(unit)?, by)
            }
            Atom::Waits(thread, target) => {
                let target = match target {
                    Some(target) => Some(self.unit(target)?),
                    None => None,
                };
                Fact::Waits(self.thread(thread)?, target)
            }
            Atom::Refers(unit, variable, value) => {
                let unit = self.unit(unit)?;
                let names = self.system.class(unit).variables.iter().map(|one| &one.name);
                let at = position(names, variable, "variable", self.faults)?;
                let value = match value {
                    Some(value) => Some(self.unit(value)?),
                    None => None,
                };
                Fact::Refers(self.system.units[unit].slots + at, value)
            }
            // `formula` expands these.
            Atom::Each { .. } => return None,
        })
    }

    fn thread(&mut self, reference: &Reference) -> Option<ThreadId> {
        let unit = self.unit(reference)?;
        self.thread_of(unit, reference)
    }

    fn thread_of(&mut self, unit: UnitId, reference: &Reference) -> Option<ThreadId> {
        let thread = self.system.units[unit].thread;
        if thread.is_none() {
            let message = format!("`{}` is no root, so it has no thread", self.system.name(unit));
            self.faults.push(mismatch(&reference.name, message));
        }
        thread
    }

    fn unit(&mut self, reference: &Reference) -> Option<UnitId> {
        match self.units(reference)[..] {
            [unit] => Some(unit),
            [] => None,
            _ => {
                let message =
                    "one unit is meant here; `all` and `some` speak of several".to_owned();
                self.faults.push(mismatch(&reference.name, message));
                None
            }
        }
    }

    fn units(&mut self, reference: &Reference) -> Vec<UnitId> {
        let mut by_name = BTreeMap::new();
        let mut families: BTreeMap<Name, Vec<UnitId>> = BTreeMap::new();
        for (id, unit) in self.system.units.iter().enumerate() {
            by_name.insert(unit.name.clone(), id);
            if let Some((family, _)) = unit.name.as_str().split_once('[') {
                families.entry(family.into()).or_default().push(id);
            }
        }
        lookup(reference, (&by_name, &families), self.numbers, self.faults)
    }
}

fn position<'n>(
    names: impl Iterator<Item = &'n Name> + Clone,
    ident: &Ident,
    what: &str,
    faults: &mut Vec<Diagnostic>,
) -> Option<usize> {
    let found = names.clone().position(|name| *name == ident.name);
    if found.is_none() {
        faults.push(unknown(ident, what, names));
    }
    found
}
