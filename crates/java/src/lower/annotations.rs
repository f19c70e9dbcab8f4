//! Formulas of annotations.

use super::heap::Element;
use super::terms::{self, Term as _, forall};
use super::{Lowering, MAIN};
use crate::tree::{BinaryOp, Prim, UnaryOp};
use crate::typed::{
    BoundId, Expr, ExprKind, FieldId, Formula, Program, Quantified, Ty, getters, walk,
};
use plato::ast;
use plato::build;
use source::Span;
use std::collections::BTreeSet;

/// Where a formula stands.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) this: Option<ast::Expr>,
    /// What `\result` means.
    pub(super) result: Option<ast::Expr>,
    /// Whether names mean the store after a step, and `\old` the one before.
    pub(super) two_stores: bool,
    /// Inside `\old`.
    pub(super) old: bool,
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

impl Lowering<'_> {
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

    pub(super) fn formula(&mut self, expr: &Expr, place: &Place) -> ast::Expr {
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
                // An exception may be one that nobody knew in the store before.
                premises.push(if is_exception(quantified) {
                    value.clone().differs(terms::null(span))
                } else {
                    terms::is_object(&value)
                });
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

/// Whether a quantifier stands for the exception that ends a method.
fn is_exception(quantified: &Quantified) -> bool {
    match quantified.range.as_ref().map(|range| &range.kind) {
        Some(ExprKind::Binary(BinaryOp::Eq, one, other)) => {
            matches!((&one.kind, &other.kind), (ExprKind::Bound(_), ExprKind::Result))
        }
        _ => false,
    }
}

pub(super) fn bound_name(id: BoundId) -> String {
    format!("q{}", id.0)
}
