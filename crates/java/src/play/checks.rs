//! What must hold after every step: invariants, and what other threads rely on.

use super::formula::Scope;
use super::machine::{Failure, Machine, Stop};
use super::store::{Cell, Value};
use crate::typed::{ClassId, Expr, ExprKind, FieldId, Formula, Ty, walk};
use diagnostic::Code;
use source::Span;
use std::collections::BTreeSet;

/// A formula about all objects of a class.
#[derive(Clone, Debug)]
pub(super) struct ClassFormula<'p> {
    pub(super) class: ClassId,
    pub(super) formula: &'p Formula,
    /// The field that others do not write if it holds.
    pub(super) field: Option<FieldId>,
    /// Whether it speaks of an object, not of static fields alone.
    pub(super) is_about_object: bool,
    pub(super) touches: Touches,
}

/// What a formula speaks of: as long as nothing of it changes, the formula holds as before.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    fields: BTreeSet<FieldId>,
    elements: bool,
    monitors: bool,
    starts: bool,
    /// Whether it speaks of all objects of some class.
    quantified: bool,
}

impl Touches {
    pub(super) fn new(formula: &Expr, field: Option<FieldId>) -> Self {
        let mut touches = Self { fields: field.into_iter().collect(), ..Self::default() };
        walk::deep(formula, &mut |part| match &part.kind {
            ExprKind::Field(_, field) | ExprKind::Static(field) => {
                touches.fields.insert(*field);
            }
            ExprKind::Index(..) => touches.elements = true,
            ExprKind::Holder(_) => touches.monitors = true,
            ExprKind::Started(_) => touches.starts = true,
            ExprKind::Quantified(_) => touches.quantified = true,
            _ => {}
        });
        touches
    }
}

impl Machine<'_, '_> {
    /// Checks a step of a thread that ends here.
    pub(super) fn check_step(&self, thread: usize, span: Option<Span>) -> Result<(), Stop> {
        let span = span.unwrap_or(Span::new(source::FileId(0), 0, 0));
        if self.is_starting || self.store.changes().is_empty() {
            return Ok(());
        }
        let failed = |code: Code, declared: Span| {
            let failure = self.failure(thread, code, span);
            // The place was looked up before the step.
            Stop::Failed(Failure { span, declared: Some(declared), ..failure })
        };
        if self.breaks_axiom() {
            return Err(Stop::GiveUp("an axiom that does not hold".to_owned()));
        }
        for one in self.player.invariants.iter().filter(|one| self.may_change(one)) {
            if self.objects_of(one, false).any(|this| {
                let scope = Scope { this, tid: thread, ..Scope::default() };
                self.holds(one.formula, &scope) == Some(false)
            }) {
                return Err(failed(Code::InvariantBroken, one.formula.span));
            }
        }
        for (field, place) in &self.player.non_null {
            if self.is_null_somewhere(*field) {
                return Err(failed(Code::InvariantBroken, *place));
            }
        }
        for one in self.player.relies.iter().filter(|one| self.may_change(one)) {
            let others = (0..self.threads.len())
                .filter(|other| *other != thread && !self.threads[*other].has_ended);
            for other in others {
                if self.objects_of(one, true).any(|this| self.is_violated(one, this, other)) {
                    return Err(failed(Code::RelyViolated, one.formula.span));
                }
            }
        }
        Ok(())
    }

    /// Whether the step may have made a formula false: it changed something that the formula speaks
    /// of, or others know an object now that it is about.
    fn may_change(&self, one: &ClassFormula<'_>) -> bool {
        let Touches { fields, elements, monitors, starts, quantified } = &one.touches;
        self.store.changes().keys().any(|cell| match cell {
            Cell::Field(_, field) | Cell::Static(field) => fields.contains(field),
            Cell::Element(..) => *elements,
            Cell::Holder(_) | Cell::Depth(_) | Cell::Reads(..) => *monitors,
            Cell::Started(_) => *starts,
            Cell::Shared(object) => *quantified || self.has_type(*object, &Ty::Class(one.class)),
        })
    }

    /// Whether something is not as axioms say, so that nothing is learnt from the run.
    pub(super) fn breaks_axiom(&self) -> bool {
        self.player.axioms.iter().any(|one| {
            self.objects_of(one, false).any(|this| {
                let scope = Scope { this, ..Scope::default() };
                self.holds(one.formula, &scope) == Some(false)
            })
        })
    }

    /// The objects that a formula is about: known to others, now or before the step.
    fn objects_of<'s>(
        &'s self,
        one: &'s ClassFormula<'_>,
        before: bool,
    ) -> Box<dyn Iterator<Item = Option<usize>> + 's> {
        if !one.is_about_object {
            return Box::new(std::iter::once(None));
        }
        let is_it = move |object: &usize| {
            let known =
                if before { self.store.was_shared(*object) } else { self.store.is_shared(*object) };
            known && self.has_type(*object, &Ty::Class(one.class))
        };
        Box::new((0..self.store.objects.len()).filter(is_it).map(Some))
    }

    /// Whether a step does what another thread relies on nobody doing.
    fn is_violated(&self, one: &ClassFormula<'_>, this: Option<usize>, other: usize) -> bool {
        let scope = Scope { this, tid: other, ..Scope::default() };
        let Some(field) = one.field else {
            return self.holds(one.formula, &scope) == Some(false);
        };
        // `P ==> f == \old(f)`, with `P` in the store before.
        let cell = match this {
            Some(object) => Cell::Field(object, field),
            None => Cell::Static(field),
        };
        let zero = Value::zero(&self.program().field(field).ty);
        let before = self.store.get_old(&cell).unwrap_or(&zero);
        if self.store.get(&cell).unwrap_or(&zero) == before {
            return false;
        }
        self.holds(one.formula, &Scope { is_old: true, ..scope }) == Some(true)
    }

    /// Whether a field is null in an object that others may know.
    fn is_null_somewhere(&self, field: FieldId) -> bool {
        let about = self.program().field(field);
        let is_null = |cell: &Cell| matches!(self.store.get(cell), None | Some(Value::Null));
        if about.is_static {
            return is_null(&Cell::Static(field));
        }
        (0..self.store.objects.len()).any(|object| {
            self.store.is_shared(object)
                && self.store.class_of(object).is_some()
                && self.has_type(object, &Ty::Class(about.class))
                && is_null(&Cell::Field(object, field))
        })
    }
}
