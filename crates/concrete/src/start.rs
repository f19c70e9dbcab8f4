//! Starts a method in a state that its precondition allows.
//!
//! Values, positions and held monitors are drawn at random; most states are unsuitable, and another
//! is drawn. A suitable one satisfies the precondition and the invariants of all monitors that
//! nobody holds, the bodies of predicates are true, and all permissions together are no more than
//! there can be.

use crate::eval::Scope;
use crate::fraction::Fraction;
use crate::machine::Machine;
use crate::state::{Key, Mask, Moment, Monitor, Value};
use crate::transfer::permissions;
use chalice::hir::{ClassId, Loc, MethodId, Type};
use std::collections::BTreeMap;

/// Limit on how often predicates inside predicates are opened.
const MOST_PREDICATES: usize = 30;

impl Machine<'_> {
    /// Draws a state and starts the method in it, as the first thread. `None` if the state is
    /// unsuitable.
    pub(crate) fn start(&mut self, id: MethodId) -> Option<()> {
        let (this, args) = self.draw_objects(id)?;
        let read = Fraction::new(1, 1024).ok()?;
        self.spawn(id, this, args, (Mask::default(), read));
        self.draw_monitors()?;
        let requires = &self.program.methods[id.index()].spec.requires;
        let mask = permissions(&self.scope(0), requires, None).ok()?;
        let moment = self.moment(0);
        let mut all = vec![mask.clone()];
        for object in 1..self.heap.len() {
            all.push(self.draw_kept(object, &moment)?);
        }
        self.fits(all)?;
        self.frame_mut(0).mask = mask;
        self.enter(0);
        Some(())
    }

    /// A receiver and arguments, and objects that they refer to.
    fn draw_objects(&mut self, id: MethodId) -> Option<(usize, Vec<Value>)> {
        let method = &self.program.methods[id.index()];
        let this = self.allocate(method.class);
        let mut classes = vec![method.class];
        let types = method.params.iter().map(|param| &method.locals[param.index()].ty);
        let fields = &self.program.classes[method.class.index()].fields;
        let fields = fields.iter().map(|field| &self.program.fields[field.index()].ty);
        classes.extend(types.clone().chain(fields).filter_map(|ty| match ty {
            Type::Object(class) => Some(*class),
            _ => None,
        }));
        for class in classes {
            self.allocate(class);
        }
        for object in 1..self.heap.len() {
            let class = self.class(object)?;
            for field in &self.program.classes[class.index()].fields {
                let value = self.any(&self.program.fields[field.index()].ty);
                self.heap[object].fields.insert(*field, value);
            }
        }
        let args = types.map(|ty| self.any(ty)).collect();
        Some((this, args))
    }

    fn class(&self, object: usize) -> Option<ClassId> {
        match self.heap[object].ty {
            Type::Object(class) => Some(class),
            _ => None,
        }
    }

    /// Shares some objects, and lets the thread hold some of those.
    fn draw_monitors(&mut self) -> Option<()> {
        for object in 1..self.heap.len() {
            if self.rng.bool() {
                self.heap[object].mu = Fraction::new(self.rng.i128(1..20), 2).ok()?;
                if self.rng.u8(..4) == 0 {
                    self.threads[0].held.write.insert(object);
                    let monitor = Monitor { writer: Some(0), ..Monitor::default() };
                    self.monitors.insert(object, monitor);
                }
            }
        }
        Some(())
    }

    /// The permissions that the monitor of the object keeps, if it is shared and nobody holds it.
    /// The rely is true in any case.
    fn draw_kept(&mut self, object: usize, now: &Moment) -> Option<Mask> {
        let class = &self.program.classes[self.class(object)?.index()];
        let locals = vec![None; class.locals.len()];
        let scope = Scope {
            this: object,
            locals: &locals,
            read: self.reads.monitor,
            old: Some(now),
            ..self.scope(0)
        };
        for part in &class.rely {
            scope.truth(part, None).ok().filter(|holds| *holds)?;
        }
        if self.heap[object].mu == Fraction::ZERO || self.threads[0].held.write.contains(&object) {
            return Some(Mask::default());
        }
        let kept = permissions(&scope, &class.invariants, None).ok()?;
        self.monitors.insert(object, Monitor { kept: kept.clone(), ..Monitor::default() });
        Some(kept)
    }

    /// Checks that all permissions together are no more than there can be, including those in
    /// predicates.
    fn fits(&self, all: Vec<Mask>) -> Option<()> {
        let mut totals: BTreeMap<(usize, Loc), Fraction> = BTreeMap::new();
        let mut open: Vec<(Key, Fraction)> = Vec::new();
        for mask in &all {
            open.extend(mask.iter().map(|(key, amount)| (key.clone(), amount)));
        }
        let mut looked_into = 0;
        while let Some((key, amount)) = open.pop() {
            match key {
                Key::Loc(object, loc) => {
                    let total = totals.entry((object, loc)).or_insert(Fraction::ZERO);
                    *total = total.plus(amount).ok()?;
                    if *total > Fraction::FULL {
                        return None;
                    }
                }
                Key::Predicate(id, this, args) => {
                    looked_into += 1;
                    let predicate = &self.program.predicates[id.index()];
                    let mut locals = vec![None; predicate.locals.len()];
                    for (param, value) in predicate.params.iter().zip(args) {
                        locals[param.index()] = Some(value);
                    }
                    let read = self.reads.predicate;
                    let scope = Scope { this, locals: &locals, read, old: None, ..self.scope(0) };
                    let scale = amount.times(Fraction::new(1, 100).ok()?).ok()?;
                    let body = std::slice::from_ref(&predicate.body);
                    let inside = permissions(&scope, body, Some(scale)).ok()?;
                    open.extend(inside.iter().map(|(key, amount)| (key.clone(), amount)));
                    if looked_into > MOST_PREDICATES {
                        return None;
                    }
                }
            }
        }
        Some(())
    }
}
