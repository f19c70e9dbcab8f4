//! What annotations of classes and their fields say: relies, invariants and axioms.

use super::Lowering;
use super::annotations::{Place, mentioned};
use super::heap::Element;
use super::lock_kinds::LockKind;
use super::protect::Protections;
use super::stored::Given;
use super::terms::{self, Term as _, forall};
use crate::typed::{ClassId, Expr, ExprKind, FieldId, Formula, Program, walk};
use plato::ast::{self, Item};
use source::Span;
use std::collections::BTreeSet;

/// What a formula speaks of that steps can change.
#[derive(Clone, Debug, Default)]
struct Mentions {
    fields: BTreeSet<FieldId>,
    elements: BTreeSet<Element>,
    /// Of what kind the objects are whose monitors it speaks of.
    locks: Vec<LockKind>,
    starts: bool,
}

impl Mentions {
    fn add(&mut self, program: &Program, protections: &Protections, expr: &Expr) {
        mentioned(program, expr, &mut self.fields);
        walk::deep(expr, &mut |part| match &part.kind {
            ExprKind::Index(..) => {
                self.elements.insert(Element::of(&part.ty));
            }
            ExprKind::Holder(lock) => self.locks.push(LockKind::of(program, protections, lock)),
            ExprKind::Started(_) => self.starts = true,
            _ => {}
        });
    }
}

/// How a formula about a class is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormulaKind {
    /// What others do between steps.
    Rely,
    /// Holds after every step.
    Invariant,
    /// Holds when a method begins, which is taken for granted.
    Axiom,
}

/// Who sees to it that a formula holds at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// It does: nothing that it is about is there, or an initializer that is checked elsewhere.
    Nobody,
    /// The initializer that is checked here.
    OfInitializer,
    /// Several initializers, which is taken for granted.
    Assumed,
}

/// A formula about all objects of a class.
struct ClassFormula<'a> {
    class: ClassId,
    formula: &'a Formula,
    kind: FormulaKind,
    /// The field that does not change if it holds.
    of_field: Option<FieldId>,
    /// The field whose object it is about, and the object that gave it.
    given: Option<&'a Given>,
    mentions: Mentions,
}

impl<'p> Lowering<'p> {
    /// The formulas of annotations that matter to what the method touches: those that mention a
    /// field of it. The fields that they mention matter too.
    pub(super) fn relevant_formulas(&mut self) -> Vec<Item> {
        self.note_foreign_arrays();
        let all = self.class_formulas();
        let mut taken = BTreeSet::new();
        // Locks that guard fields belong to what is touched.
        loop {
            let before = (self.used.fields.len(), taken.len());
            for field in self.used.fields.clone() {
                let about = self.program.field(field);
                let is_known =
                    about.spec.is_non_null || self.protections.never_null.contains(&field);
                if is_known && !about.is_static {
                    self.used.classes.insert(about.class);
                }
                if let super::protect::Protection::Locked { locks, .. } = self.protections.of(field)
                {
                    for lock in locks.clone() {
                        let object = terms::name("$r", self.program.field(field).span);
                        self.held_for_reading(&lock, &object, object.span);
                    }
                }
            }
            for (at, one) in all.iter().enumerate() {
                let matters = match one.of_field {
                    // Of a field that nobody touches, that it stays as it is says nothing.
                    Some(field) => self.used.fields.contains(&field),
                    None => self.matters(one),
                };
                if matters && taken.insert(at) {
                    self.used.fields.extend(&one.mentions.fields);
                    // What else it mentions is noted as it is lowered.
                    self.class_formula(one);
                }
            }
            if before == (self.used.fields.len(), taken.len()) {
                break;
            }
        }
        let mut items = Vec::new();
        for at in taken {
            items.extend(self.class_formula(&all[at]));
        }
        items
    }

    /// Whether a formula speaks of elements of a kind.
    pub(super) fn speaks_of_elements(&self, kind: Element) -> bool {
        self.class_formulas().iter().any(|one| one.mentions.elements.contains(&kind))
    }

    /// The fields of an object of a class of which something is promised.
    pub(super) fn promised_fields(&self, class: ClassId) -> BTreeSet<FieldId> {
        let mut promised: BTreeSet<FieldId> = BTreeSet::new();
        let is_promise = |one: &ClassFormula<'_>| one.kind != FormulaKind::Axiom;
        for one in self.class_formulas().into_iter().filter(is_promise) {
            promised.extend(one.mentions.fields);
        }
        promised.extend(&self.protections.never_null);
        let has = |id: &FieldId| {
            let field = self.program.field(*id);
            !field.is_static && self.program.is_subclass(class, field.class)
        };
        let all = (0..self.program.fields.len()).map(FieldId::from_index);
        all.filter(has)
            .filter(|id| promised.contains(id) || self.program.field(*id).spec.is_non_null)
            .collect()
    }

    /// Whether the method can make the formula false.
    fn matters(&self, one: &ClassFormula<'_>) -> bool {
        let (used, mentions) = (&self.used, &one.mentions);
        let Mentions { fields, elements, locks, starts } = mentions;
        let is_constant = fields.is_empty() && elements.is_empty() && locks.is_empty() && !starts;
        // Of an object that is published, all must hold that is said of its monitor too.
        let is_about_new = fields.is_empty() && used.allocates && !locks.is_empty();
        is_constant
            || !fields.is_disjoint(&used.fields)
            || !elements.is_disjoint(&used.elements)
            || used.monitors && (is_about_new || self.changes_holder(locks))
            || *starts && used.starts
    }

    fn class_formulas(&self) -> Vec<ClassFormula<'p>> {
        let mut all = Vec::new();
        let (program, protections) = (self.program, self.protections);
        let mut add = |class, formula: &'p Formula, kind, of_field: Option<FieldId>| {
            let mut mentions = Mentions::default();
            mentions.add(program, protections, &formula.expr);
            mentions.fields.extend(of_field);
            all.push(ClassFormula { class, formula, kind, of_field, given: None, mentions });
        };
        for class in program.class_ids() {
            let spec = &program.class(class).spec;
            let assumptions = spec.env_assumptions.iter();
            assumptions.for_each(|one| add(class, one, FormulaKind::Rely, None));
            let invariants = spec.invariants.iter();
            invariants.for_each(|one| add(class, one, FormulaKind::Invariant, None));
            spec.axioms.iter().for_each(|one| add(class, one, FormulaKind::Axiom, None));
            for field in &program.class(class).fields {
                let spec = &program.field(*field).spec;
                let unwritable = spec.unwritable.iter();
                unwritable.for_each(|one| add(class, one, FormulaKind::Rely, Some(*field)));
            }
        }
        for given in &self.protections.given {
            let class = program.field(given.field).class;
            let mut mentions = Mentions::default();
            mentions.fields.insert(given.field);
            let (formula, of_field, given) = (&given.formula, None, Some(given));
            let kind = FormulaKind::Invariant;
            all.push(ClassFormula { class, formula, kind, of_field, given, mentions });
        }
        all
    }

    /// Takes for granted that the axioms about what the method touches hold here.
    pub(super) fn assume_axioms(&mut self) {
        for one in self.class_formulas() {
            if one.kind == FormulaKind::Axiom && self.matters(&one) {
                let expr = self.about_every_object(&one);
                self.assume_silently(expr.span, "this axiom holds");
                self.push(terms::assume(expr, one.formula.span));
            }
        }
    }

    /// A formula as an item.
    fn class_formula(&mut self, one: &ClassFormula<'_>) -> Vec<Item> {
        let span = one.formula.span;
        let expr = self.about_every_object(one);
        let first = self.first_holds(one);
        if first == First::OfInitializer {
            return Vec::new();
        }
        match one.kind {
            FormulaKind::Rely => return vec![terms::rely(None, expr, span)],
            // Assumed where the method begins.
            FormulaKind::Axiom => return Vec::new(),
            FormulaKind::Invariant => {}
        }
        if first == First::Assumed {
            self.assume_silently(span, "class initializers see to it that this holds at first");
        }
        vec![terms::init(expr.clone(), span), terms::invariant(None, expr, span)]
    }

    /// Who sees to it that a formula holds at first.
    fn first_holds(&self, one: &ClassFormula<'_>) -> First {
        let statics = one.mentions.fields.iter().map(|id| self.program.field(*id));
        let classes: BTreeSet<ClassId> =
            statics.filter(|field| field.is_static).map(|field| field.class).collect();
        if classes.is_empty() {
            return First::Nobody;
        }
        // No object of a class is there before its initializer begins.
        let is_of = |class: &ClassId| self.program.is_subclass(one.class, *class);
        if self.is_about_object(one) && classes.iter().all(is_of) {
            return First::Nobody;
        }
        match self.initializes {
            Some(class) if classes.contains(&class) => First::OfInitializer,
            _ if classes.len() == 1
                && classes.iter().all(|class| self.is_checked(*class))
                && !self.is_about_object(one) =>
            {
                First::Nobody
            }
            _ => First::Assumed,
        }
    }

    /// Invariants that hold because the initializer sees to it.
    pub(super) fn invariants_of_statics(&mut self) -> Vec<(ast::Expr, Span)> {
        let mut all = Vec::new();
        for one in self.class_formulas() {
            let is_due = one.kind == FormulaKind::Invariant
                && one.given.is_none()
                && self.first_holds(&one) == First::OfInitializer;
            let is_static = |id: &&FieldId| self.program.field(**id).is_static;
            let mut statics = one.mentions.fields.iter().filter(is_static);
            let is_own = statics.all(|id| self.is_being_initialized(*id));
            if is_due && is_own && !self.is_about_object(&one) {
                self.used.fields.extend(&one.mentions.fields);
                all.push((self.about_every_object(&one), one.formula.span));
            }
        }
        all
    }

    /// Whether a formula is about every object of its class.
    fn is_about_object(&self, one: &ClassFormula<'_>) -> bool {
        one.given.is_some()
            || one.of_field.is_some_and(|field| !self.program.field(field).is_static)
            || uses_this(&one.formula.expr)
    }

    /// `forall o :: shared[o] && is C(o) ==> P`
    fn about_every_object(&mut self, one: &ClassFormula<'_>) -> ast::Expr {
        let span = one.formula.span;
        let object = terms::name("this", span);
        let two_stores = one.kind == FormulaKind::Rely && one.of_field.is_none();
        let mut place = Place { this: Some(object.clone()), result: None, two_stores, old: false };
        if let Some(given) = one.given {
            self.used.fields.insert(given.field);
            let field = self.field_name(given.field);
            let receiver = self.annotation(&given.receiver, object.clone(), false);
            place.result = Some(terms::name(&field, span).at(object.clone()));
            place.this = Some(receiver);
        }
        let mut body = self.formula(&one.formula.expr, &place);
        if let Some(field) = one.of_field {
            let is_static = self.program.field(field).is_static;
            let name = self.field_name(field);
            let at = |primed: bool| {
                let map = terms::variable(&name, primed, span);
                if is_static { map } else { map.at(object.clone()) }
            };
            body = body.implies(at(true).equals(at(false)));
        }
        if self.is_about_object(one) {
            let is_shared = terms::name("shared", span).at(object.clone());
            let is_instance = self.is_instance(&object, one.class);
            let premise = terms::and(vec![is_shared, is_instance], span);
            forall(&[("this", terms::reference(span))], premise.implies(body), span)
        } else {
            body
        }
    }
}

fn uses_this(expr: &Expr) -> bool {
    let mut found = false;
    walk::deep(expr, &mut |part| found |= matches!(part.kind, ExprKind::This));
    found
}
