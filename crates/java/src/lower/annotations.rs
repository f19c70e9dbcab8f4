//! Formulas of annotations.

use super::heap::{Element, Used};
use super::stored::Given;
use super::terms::{self, Term as _, forall};
use super::{Lowering, MAIN};
use crate::tree::{BinaryOp, Prim, UnaryOp};
use crate::typed::{
    BoundId, ClassId, Expr, ExprKind, FieldId, Formula, Program, Quantified, Ty, getters, walk,
};
use plato::ast::{self, Item};
use plato::build;
use source::Span;
use std::collections::BTreeSet;

/// Where a formula stands.
#[derive(Clone)]
struct Place {
    this: Option<ast::Expr>,
    /// What `\result` means.
    result: Option<ast::Expr>,
    /// Whether names mean the store after a step, and `\old` the one before.
    two_stores: bool,
    /// Inside `\old`.
    old: bool,
}

/// The fields that an expression mentions.
pub(super) fn mentioned(program: &Program, expr: &Expr, into: &mut BTreeSet<FieldId>) {
    walk::deep(expr, &mut |part| match &part.kind {
        ExprKind::Field(_, field) | ExprKind::Static(field) => {
            into.insert(*field);
        }
        ExprKind::Call(callee) => {
            if let Some(value) = getters::value(program, callee) {
                mentioned(program, &value, into);
            }
        }
        _ => {}
    });
}

/// What a formula speaks of that steps can change.
#[derive(Clone, Debug, Default)]
struct Mentions {
    fields: BTreeSet<FieldId>,
    elements: BTreeSet<Element>,
    monitors: bool,
    starts: bool,
}

impl Mentions {
    fn add(&mut self, program: &Program, expr: &Expr) {
        mentioned(program, expr, &mut self.fields);
        walk::deep(expr, &mut |part| match &part.kind {
            ExprKind::Index(..) => {
                self.elements.insert(Element::of(&part.ty));
            }
            ExprKind::Holder(_) => self.monitors = true,
            ExprKind::Started(_) => self.starts = true,
            _ => {}
        });
    }

    /// Whether a method that touches this can make the formula false.
    fn matter_to(&self, used: &Used) -> bool {
        let is_constant =
            self.fields.is_empty() && self.elements.is_empty() && !self.monitors && !self.starts;
        is_constant
            || !self.fields.is_disjoint(&used.fields)
            || !self.elements.is_disjoint(&used.elements)
            || self.monitors && used.monitors
            || self.starts && used.starts
    }
}

/// A formula about all objects of a class.
struct ClassFormula<'a> {
    class: ClassId,
    formula: &'a Formula,
    is_rely: bool,
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
                        self.held(&lock, &object, object.span);
                    }
                }
            }
            for (at, one) in all.iter().enumerate() {
                let matters = match one.of_field {
                    // Of a field that nobody touches, that it stays as it is says nothing.
                    Some(field) => self.used.fields.contains(&field),
                    None => one.mentions.matter_to(&self.used),
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

    /// The fields of an object of a class of which something is promised.
    pub(super) fn promised_fields(&self, class: ClassId) -> BTreeSet<FieldId> {
        let mut promised: BTreeSet<FieldId> = BTreeSet::new();
        for one in self.class_formulas() {
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

    fn class_formulas(&self) -> Vec<ClassFormula<'p>> {
        let mut all = Vec::new();
        let program = self.program;
        let mut add = |class, formula: &'p Formula, is_rely, of_field: Option<FieldId>| {
            let mut mentions = Mentions::default();
            mentions.add(program, &formula.expr);
            mentions.fields.extend(of_field);
            all.push(ClassFormula { class, formula, is_rely, of_field, given: None, mentions });
        };
        for class in program.class_ids() {
            let spec = &program.class(class).spec;
            spec.env_assumptions.iter().for_each(|one| add(class, one, true, None));
            spec.invariants.iter().for_each(|one| add(class, one, false, None));
            for field in &program.class(class).fields {
                let spec = &program.field(*field).spec;
                spec.unwritable.iter().for_each(|one| add(class, one, true, Some(*field)));
            }
        }
        for given in &self.protections.given {
            let class = program.field(given.field).class;
            let mut mentions = Mentions::default();
            mentions.fields.insert(given.field);
            let (formula, is_rely, of_field, given) = (&given.formula, false, None, Some(given));
            all.push(ClassFormula { class, formula, is_rely, of_field, given, mentions });
        }
        all
    }

    /// A formula as an item: `forall o :: shared[o] && is C(o) ==> P`.
    fn class_formula(&mut self, one: &ClassFormula<'_>) -> Vec<Item> {
        let span = one.formula.span;
        let object = terms::name("this", span);
        let two_stores = one.is_rely && one.of_field.is_none();
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
        let is_about_object = one.given.is_some()
            || one.of_field.is_some_and(|field| !self.program.field(field).is_static)
            || uses_this(&one.formula.expr);
        let expr = if is_about_object {
            let is_shared = terms::name("shared", span).at(object.clone());
            let is_instance = self.is_instance(&object, one.class);
            let premise = terms::and(vec![is_shared, is_instance], span);
            forall(&[("this", terms::reference(span))], premise.implies(body), span)
        } else {
            body
        };
        if one.is_rely {
            return vec![terms::rely(None, expr, span)];
        }
        if one.mentions.fields.iter().any(|id| self.program.field(*id).is_static) {
            self.assume_silently(span, "class initializers see to it that this holds at first");
        }
        vec![terms::init(expr.clone(), span), terms::invariant(None, expr, span)]
    }

    /// An expression of an annotation about an object, in the store before or after a step.
    pub(super) fn annotation(&mut self, expr: &Expr, this: ast::Expr, primed: bool) -> ast::Expr {
        let place = Place { this: Some(this), result: None, two_stores: primed, old: false };
        self.formula(expr, &place)
    }

    /// A formula in code: about `this` and the locals of the method.
    pub(super) fn formula_here(&mut self, formula: &Formula) -> ast::Expr {
        let frame = self.frames.last();
        let this = frame.and_then(|frame| frame.this.clone());
        let result = frame.and_then(|frame| frame.result.as_ref());
        let result = result.map(|result| terms::name(result, formula.span));
        self.formula(&formula.expr, &Place { this, result, two_stores: false, old: false })
    }

    /// A formula about two stores, about `this` and the locals of the method.
    pub(super) fn two_store_formula(&mut self, formula: &Formula) -> ast::Expr {
        let frame = self.frames.last();
        let this = frame.and_then(|frame| frame.this.clone());
        let result = frame.and_then(|frame| frame.result.as_ref());
        let result = result.map(|result| terms::name(result, formula.span));
        self.formula(&formula.expr, &Place { this, result, two_stores: true, old: false })
    }

    fn formula(&mut self, expr: &Expr, place: &Place) -> ast::Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => terms::int(*value, span),
            ExprKind::Bool(value) => terms::boolean(*value, span),
            ExprKind::Text(text) => self.constant_object(text.as_str(), span),
            ExprKind::ClassObject(ty) => {
                let name = format!("{}.class", self.program.type_name(ty));
                self.constant_object(&name, span)
            }
            ExprKind::Null if expr.ty == Ty::Thread => terms::int(0, span),
            ExprKind::Null => terms::null(span),
            ExprKind::Local(local) => terms::name(self.local_name(*local), span),
            ExprKind::This => place.this.clone().unwrap_or_else(|| terms::null(span)),
            ExprKind::Old(_) if !place.two_stores => self.value_at_start(expr),
            ExprKind::Old(inner) => {
                let place = Place { old: true, ..place.clone() };
                self.formula(inner, &place)
            }
            ExprKind::Tid => terms::tid(span),
            ExprKind::MainThread => {
                self.used.main = true;
                terms::name(MAIN, span)
            }
            ExprKind::Bound(id) => terms::name(&bound_name(*id), span),
            ExprKind::Quantified(quantified) => self.quantified(quantified, place, span),
            ExprKind::Unary(UnaryOp::Not, inner) => self.formula(inner, place).negated(),
            ExprKind::Unary(UnaryOp::Minus, inner) => build::neg(self.formula(inner, place)),
            ExprKind::Binary(op, left, right) => {
                self.binary_formula(*op, (left, right), place, span)
            }
            ExprKind::Conditional(cond, one, other) => {
                let cond = self.formula(cond, place);
                let one = self.formula(one, place);
                build::conditional(cond, one, self.formula(other, place), span)
            }
            ExprKind::InstanceOf(value, Ty::Class(class), _) => {
                let value = self.formula(value, place);
                let exists = value.clone().differs(terms::null(span));
                terms::and(vec![exists, self.is_instance(&value, *class)], span)
            }
            ExprKind::Cast(inner) | ExprKind::Convert(inner) => self.formula(inner, place),
            ExprKind::Result => place.result.clone().unwrap_or_else(|| terms::int(0, span)),
            _ => self.store_formula(expr, place),
        }
    }

    /// Fields, arrays, maps, sets, monitors and threads. Anything else is a gap.
    fn store_formula(&mut self, expr: &Expr, place: &Place) -> ast::Expr {
        let span = expr.span;
        let primed = place.two_stores && !place.old;
        match &expr.kind {
            ExprKind::Field(object, field) => {
                let object = self.formula(object, place);
                self.used.fields.insert(*field);
                terms::variable(&self.field_name(*field), primed, span).at(object)
            }
            ExprKind::Static(field) => {
                self.used.fields.insert(*field);
                terms::variable(&self.field_name(*field), primed, span)
            }
            ExprKind::Index(array, index) => {
                let element = Element::of(&expr.ty);
                let array = self.formula(array, place);
                let index = self.formula(index, place);
                self.used.elements.insert(element);
                terms::variable(element.name(), primed, span).at(array).at(index)
            }
            ExprKind::Length(array) => {
                self.used.lengths = true;
                terms::name("length", span).at(self.formula(array, place))
            }
            ExprKind::MapAt(map, key) => {
                let map = self.formula(map, place);
                map.at(self.formula(key, place))
            }
            ExprKind::MapWith(map, key, value) => {
                let (map, key) = (self.formula(map, place), self.formula(key, place));
                terms::update(map, key, self.formula(value, place))
            }
            ExprKind::SetOf(elements) => {
                let elements = elements.iter().map(|one| self.formula(one, place)).collect();
                terms::set(elements, span)
            }
            ExprKind::Size(set) => self.size_formula(set, place, span),
            ExprKind::Holder(object) => {
                self.used.monitors = true;
                let object = self.formula(object, place);
                terms::variable("holder", primed, span).at(object)
            }
            ExprKind::Started(thread) => {
                self.used.starts = true;
                let thread = self.formula(thread, place);
                terms::variable("started", primed, span).at(thread)
            }
            ExprKind::Call(callee) => match getters::value(self.program, callee) {
                Some(value) => self.formula(&value, place),
                None => self.gap("a call of a method that does more than giving a value", expr),
            },
            _ => self.gap("an expression that annotations cannot use", expr),
        }
    }

    /// Something of whose value nothing is known.
    fn gap(&mut self, what: &str, expr: &Expr) -> ast::Expr {
        self.gaps.push((what.to_owned(), expr.span));
        match expr.ty {
            Ty::Prim(Prim::Boolean) => terms::boolean(false, expr.span),
            Ty::Prim(_) => terms::int(0, expr.span),
            _ => terms::null(expr.span),
        }
    }

    /// `\size(s)`
    fn size_formula(&mut self, set: &Expr, place: &Place, span: Span) -> ast::Expr {
        if !matches!(&set.ty, Ty::Set(element) if **element == Ty::Thread) {
            let what = "the size of a set of other things than threads";
            self.gaps.push((what.to_owned(), span));
            return terms::int(0, span);
        }
        let set = Box::new(self.formula(set, place));
        ast::Expr { kind: ast::ExprKind::Size(set), span }
    }

    fn binary_formula(
        &mut self,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
        place: &Place,
        span: Span,
    ) -> ast::Expr {
        let (one, other) = (self.formula(left, place), self.formula(right, place));
        // A thread may be compared with its object.
        let (one, other) = match (&left.ty, &right.ty) {
            (Ty::Thread, Ty::Class(_) | Ty::Unknown) => (self.thread_object(one), other),
            (Ty::Class(_) | Ty::Unknown, Ty::Thread) => (one, self.thread_object(other)),
            (Ty::Thread, Ty::Null) => (one, terms::int(0, span)),
            (Ty::Null, Ty::Thread) => (terms::int(0, span), other),
            _ => (one, other),
        };
        use ast::BinaryOp as Op;
        let plato = match op {
            BinaryOp::And => return terms::and(vec![one, other], span),
            BinaryOp::Or => return terms::or(vec![one, other], span),
            BinaryOp::Implies => Op::Implies,
            BinaryOp::Iff => Op::Iff,
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::Add | BinaryOp::Union => Op::Add,
            BinaryOp::Sub | BinaryOp::Minus => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div => return super::operators::quotient(one, other, span),
            BinaryOp::Rem => return super::operators::remainder(one, other, span),
            BinaryOp::In => Op::In,
            _ => {
                self.gaps.push(("an operator that annotations cannot use".to_owned(), span));
                return terms::int(0, span);
            }
        };
        build::binary(plato, one, other, span)
    }

    /// The object of a thread.
    pub(super) fn thread_object(&mut self, thread: ast::Expr) -> ast::Expr {
        self.used.threads = true;
        terms::name("threadOf", thread.span).at(thread)
    }

    fn quantified(&mut self, quantified: &Quantified, place: &Place, span: Span) -> ast::Expr {
        let mut vars = Vec::new();
        let mut premises = Vec::new();
        for (id, _, ty) in &quantified.vars {
            let name = bound_name(*id);
            let value = terms::name(&name, span);
            let is_thread =
                matches!(ty, Ty::Class(class) if Some(*class) == self.program.well_known.thread);
            if ty.is_reference() && !is_thread {
                premises.push(terms::is_object(&value));
                if let Ty::Class(class) = ty {
                    premises.push(self.is_instance(&value, *class));
                }
            } else if is_thread {
                premises.push(terms::is_object(&value));
            }
            vars.push((name, terms::sort(ty, span)));
        }
        if let Some(range) = &quantified.range {
            premises.push(self.formula(range, place));
        }
        let body = self.formula(&quantified.body, place);
        let vars: Vec<(&str, ast::Type)> =
            vars.iter().map(|(name, ty)| (name.as_str(), ty.clone())).collect();
        let premise = terms::and(premises, span);
        if quantified.is_forall {
            let body = match premise.kind {
                ast::ExprKind::Bool(true) => body,
                _ => premise.implies(body),
            };
            forall(&vars, body, span)
        } else {
            terms::exists(&vars, terms::and(vec![premise, body], span), span)
        }
    }
}

fn bound_name(id: BoundId) -> String {
    format!("q{}", id.0)
}

fn uses_this(expr: &Expr) -> bool {
    let mut found = false;
    walk::deep(expr, &mut |part| found |= matches!(part.kind, ExprKind::This));
    found
}
