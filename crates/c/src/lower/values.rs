//! Values, and when they are read.
//!
//! A step of Plato may mention a shared variable once: more would make one step out of several
//! steps of C. So a value that reads a shared variable is put into a local variable before anything
//! else is read or written.

use super::body::{Body, Meaning};
use super::temporaries::Kind;
use super::{Answer, Target, Variable, refuse};
use crate::syntax::{Expr, ExprKind, Type};
use crate::{build, constant};
use plato::ast::{self, BinaryOp};
use source::Span;

/// A value.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) expr: ast::Expr,
    /// Whether it is a truth value in Plato.
    pub(super) is_truth: bool,
    pub(super) ty: Type,
    /// Whether it reads a shared variable.
    pub(super) reads: bool,
    pub(super) known: Option<i128>,
}

/// A place that holds a value.
#[derive(Clone)]
pub(super) struct Lvalue {
    pub(super) variable: Variable,
    pub(super) indices: Vec<ast::Expr>,
    pub(super) ty: Type,
    pub(super) span: Span,
}

pub(super) const INT: Type = constant::INT;

impl Value {
    pub(super) fn number(value: i128, ty: Type, span: Span) -> Self {
        Self {
            expr: build::int(value, span),
            is_truth: false,
            ty,
            reads: false,
            known: Some(value),
        }
    }

    pub(super) fn truth(expr: ast::Expr, reads: bool) -> Self {
        Self { expr, is_truth: true, ty: INT, reads, known: None }
    }

    /// A number of Plato.
    pub(super) fn into_number(self) -> ast::Expr {
        if !self.is_truth {
            return self.expr;
        }
        let span = self.expr.span;
        build::conditional(self.expr, build::int(1, span), build::int(0, span), span)
    }

    /// A truth value of Plato.
    pub(super) fn into_truth(self) -> ast::Expr {
        if self.is_truth {
            return self.expr;
        }
        let span = self.expr.span;
        match self.known {
            Some(value) => build::boolean(value != 0, span),
            None => build::binary(BinaryOp::Ne, self.expr, build::int(0, span), span),
        }
    }
}

impl Body<'_, '_> {
    /// The value without any shared variable in it.
    pub(super) fn settled(&mut self, value: Value) -> Value {
        if value.reads { self.kept(value) } else { value }
    }

    /// The value in a variable of its own.
    pub(super) fn kept(&mut self, value: Value) -> Value {
        let span = value.expr.span;
        let kind = if value.is_truth { Kind::Truth } else { Kind::Number };
        let name = self.temporary(kind, ast::Source::Values(vec![value.expr]), span);
        Value { expr: build::name(&name, span), reads: false, ..value }
    }

    /// What a place holds.
    pub(super) fn read(&mut self, place: &Lvalue) -> Answer<Value> {
        if !matches!(place.ty, Type::Int(..) | Type::Bool | Type::Pointer(_)) {
            return refuse("a value of this type");
        }
        let whole = build::name(&place.variable.name, place.span);
        let expr = place
            .indices
            .iter()
            .cloned()
            .fold(whole, |map, key| build::index(map, key, place.span));
        let reads = place.variable.shared && !self.whole;
        Ok(Value { expr, is_truth: false, ty: place.ty.clone(), reads, known: None })
    }

    /// Writes a value that is settled if the place is shared.
    pub(super) fn write(&mut self, place: &Lvalue, value: Value, span: Span) -> Answer<Value> {
        let is_number = match (&place.ty, &value.ty) {
            (Type::Int(..) | Type::Bool, Type::Int(..) | Type::Bool) => true,
            // The null pointer is a number.
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Pointer(_), _) => value.known == Some(0),
            _ => false,
        };
        if !is_number {
            return refuse("an assignment to something of this type");
        }
        let mut value = converted(value, &place.ty);
        if place.variable.shared && !self.whole {
            value = self.settled(value);
        }
        let target = build::place(&place.variable.name, place.indices.clone(), place.span);
        self.out.push(build::assign(target, value.expr.clone(), span));
        if place.variable.shared { Ok(value) } else { self.read(place) }
    }

    /// The place that an expression names.
    pub(super) fn place(&mut self, expr: &Expr) -> Answer<Lvalue> {
        match &expr.kind {
            ExprKind::Name(name) => match self.meaning(name) {
                Some(Meaning::Variable(variable)) => {
                    let ty = variable.ty.clone();
                    Ok(Lvalue { variable, indices: Vec::new(), ty, span: expr.span })
                }
                Some(Meaning::Pointer(_)) => refuse(format!("the pointer `{name}` as a value")),
                Some(Meaning::Other(what)) => refuse(what),
                None if self.lowering.unit.lost.contains(name) => {
                    refuse(format!("`{name}`, whose declaration is missing or not understood"))
                }
                None if self.lowering.others.contains_key(name) => {
                    refuse(format!("`{name}`: {}", self.lowering.others[name]))
                }
                None => {
                    refuse(format!("`{name}`, which is not declared or not of a supported type"))
                }
            },
            ExprKind::Index(base, index) => {
                let mut place = match self.target(base) {
                    Some(target) => at(target, expr.span),
                    None => self.place(base)?,
                };
                let Type::Array(element, _) = place.ty.clone() else {
                    return refuse("an index of something that is no array");
                };
                let index = self.value(index)?;
                place.indices.push(self.settled(index).into_number());
                Ok(Lvalue { ty: *element, span: expr.span, ..place })
            }
            ExprKind::Deref(pointer) => match self.target(pointer) {
                Some(target) => Ok(at(target, expr.span)),
                None => refuse("a pointer whose target is not known beforehand"),
            },
            ExprKind::Unsupported(what) => refuse(what.clone()),
            _ => refuse("an assignment to something that is no variable"),
        }
    }

    /// The target of a pointer, if it is known beforehand. An array is a pointer to itself.
    pub(super) fn target(&self, expr: &Expr) -> Option<Target> {
        match &expr.kind {
            ExprKind::Address(one) => self.pointed(one),
            ExprKind::Cast(Type::Pointer(to), one) => {
                self.target(one).filter(|target| may_point(to, &target.ty))
            }
            ExprKind::Name(name) => match self.meaning(name)? {
                Meaning::Pointer(target) => Some(target),
                Meaning::Variable(variable) if matches!(variable.ty, Type::Array(..)) => {
                    Some(Target { ty: variable.ty.clone(), variable, indices: Vec::new() })
                }
                Meaning::Variable(_) | Meaning::Other(_) => None,
            },
            _ => None,
        }
    }

    pub(super) fn pointed(&self, expr: &Expr) -> Option<Target> {
        match &expr.kind {
            ExprKind::Name(name) => match self.meaning(name)? {
                Meaning::Variable(variable) => {
                    Some(Target { ty: variable.ty.clone(), variable, indices: Vec::new() })
                }
                Meaning::Pointer(_) | Meaning::Other(_) => None,
            },
            ExprKind::Index(base, index) => {
                let mut target = self.pointed(base).or_else(|| self.target(base))?;
                let Type::Array(element, _) = target.ty else { return None };
                target.ty = *element;
                target.indices.push(self.known_value(index)?.0);
                Some(target)
            }
            ExprKind::Deref(one) => self.target(one),
            _ => None,
        }
    }
}

/// The value as one of another type.
pub(super) fn converted(value: Value, ty: &Type) -> Value {
    let span = value.expr.span;
    let (bits, signed) = match ty {
        Type::Int(bits, signed) => (*bits, *signed),
        Type::Pointer(_) => (64, true),
        _ => {
            if value.is_truth || value.ty == Type::Bool {
                let reads = value.reads;
                return Value {
                    ty: Type::Bool,
                    reads,
                    expr: value.into_number(),
                    is_truth: false,
                    known: None,
                };
            }
            let (reads, known) = (value.reads, value.known.map(|known| i128::from(known != 0)));
            let truth = Value::truth(value.into_truth(), reads);
            return Value {
                ty: Type::Bool,
                reads,
                expr: truth.into_number(),
                is_truth: false,
                known,
            };
        }
    };
    if let Some(known) = value.known {
        return Value::number(constant::wrapped(known, bits, signed), ty.clone(), span);
    }
    let fits = value.is_truth
        || match value.ty {
            Type::Int(from, from_signed) => {
                from_signed == signed && from <= bits || !from_signed && from < bits
            }
            _ => true,
        };
    let reads = value.reads;
    let number = value.into_number();
    let expr = if fits { number } else { wrapped(number, bits, signed) };
    Value { expr, is_truth: false, ty: ty.clone(), reads, known: None }
}

/// A number converted to this number of bits.
pub(super) fn wrapped(expr: ast::Expr, bits: u32, signed: bool) -> ast::Expr {
    let span = expr.span;
    let modulus = 1_i128 << bits;
    if !signed {
        return build::binary(BinaryOp::Mod, expr, build::int(modulus, span), span);
    }
    let half = build::int(modulus / 2, span);
    let moved = build::binary(BinaryOp::Add, expr, half.clone(), span);
    let rest = build::binary(BinaryOp::Mod, moved, build::int(modulus, span), span);
    build::binary(BinaryOp::Sub, rest, half, span)
}

/// Whether a pointer to one type may point to something of another: only if the types are the same,
/// so that all of it is read and written, or if the pointer must be converted again before it is
/// followed.
pub(super) fn may_point(to: &Type, target: &Type) -> bool {
    match (to, target) {
        (Type::Void, _) => true,
        (Type::Array(..), _) => to == target,
        (_, Type::Array(element, _)) => may_point(to, element),
        _ => to == target,
    }
}

fn at(target: Target, span: Span) -> Lvalue {
    let indices = target.indices.iter().map(|&index| build::int(index, span)).collect();
    Lvalue { variable: target.variable, indices, ty: target.ty, span }
}
