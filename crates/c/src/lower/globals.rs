//! Shared variables.

use super::{Answer, Lowering, Variable, refuse};
use crate::constant::Typed;
use crate::syntax::{Declared, Expr, ExprKind, Initial, Stmt, StmtKind, Type, Unit};
use crate::{build, constant};
use plato::ast::{self, TypeKind};
use source::Span;
use std::collections::BTreeSet;

/// Larger arrays are refused.
const MAX_SIZE: i128 = 10_000;

impl Lowering<'_> {
    pub(super) fn declare_globals(&mut self) {
        let unit = self.unit;
        let changed = changed(unit);
        for declared in &unit.globals {
            if let Some(value) = self.fixed_value(declared, &changed) {
                self.fixed.insert(declared.name.clone(), value);
            }
        }
        for declared in unit.globals.iter().filter(|declared| !declared.is_thread_local) {
            if let Some(variable) = self.declare(declared, &declared.name) {
                self.globals.insert(declared.name.clone(), variable);
            } else if let Type::Other(what) = &declared.ty {
                self.others.insert(declared.name.clone(), what.clone());
            }
        }
    }

    /// The value of a constant expression outside of functions.
    pub(super) fn constant(&self, expr: &Expr) -> Option<Typed> {
        constant::value(expr, &|name| self.fixed.get(name).cloned())
    }

    /// The value of a variable that nothing in the text can change.
    fn fixed_value(&self, declared: &Declared, changed: &BTreeSet<String>) -> Option<Typed> {
        let ty @ Type::Int(..) = &declared.ty else { return None };
        let Some(Initial::Value(value)) = &declared.value else { return None };
        let value = constant::fitted(self.constant(value)?.0, ty)?;
        (!changed.contains(&declared.name)).then_some((value, ty.clone()))
    }

    /// Declares a shared variable. One of a type that is not understood is not declared; its uses
    /// are refused.
    pub(super) fn declare(&mut self, declared: &Declared, wanted: &str) -> Option<Variable> {
        let atomic = declared.is_atomic;
        if is_name_only(&declared.ty) {
            if declared.value.as_ref().is_some_and(|value| !self.is_plain(value)) {
                return None;
            }
            let (name, ty) = (self.unique(wanted), declared.ty.clone());
            return Some(Variable { name, ty, shared: true, atomic });
        }
        let span = declared.span;
        let (ty, c_type) = self.shared_type(declared).ok()?;
        let value = match self.first_value(&c_type, declared.value.as_ref(), span) {
            Ok(value) => value,
            Err(refused) => {
                self.items.push(build::unsupported(refused.0, span));
                return None;
            }
        };
        let name = self.unique(wanted);
        self.items.push(build::global(&name, ty, value, span));
        Some(Variable { name, ty: c_type, shared: true, atomic })
    }

    /// The type in Plato, and in C with the size that follows from the initial value.
    fn shared_type(&self, declared: &Declared) -> Answer<(ast::Type, Type)> {
        let c_type = sized(&declared.ty, declared.value.as_ref(), declared.span);
        Ok((self.plato_type(&c_type, declared.span)?, c_type))
    }

    pub(super) fn plato_type(&self, ty: &Type, span: Span) -> Answer<ast::Type> {
        match ty {
            Type::Int(..) | Type::Bool => Ok(build::ty(TypeKind::Int, span)),
            Type::Mutex => Ok(build::ty(TypeKind::Tid, span)),
            Type::Array(element, Some(size)) => {
                let size = self.constant(size).map(|(size, _)| size);
                let Some(size) = size.filter(|size| (1..=MAX_SIZE).contains(size)) else {
                    return refuse("an array of unknown size");
                };
                let key = build::range(0, size - 1, span);
                let element = self.plato_type(element, span)?;
                Ok(build::ty(TypeKind::Map(Box::new(key), Box::new(element)), span))
            }
            Type::Pointer(_) => refuse("a pointer"),
            Type::Other(what) => refuse(what.clone()),
            _ => refuse("a variable of this type"),
        }
    }

    /// The first value of a shared variable; 0 unless one is written.
    fn first_value(&self, ty: &Type, value: Option<&Initial>, span: Span) -> Answer<ast::Expr> {
        match (ty, value) {
            (Type::Array(element, size), Some(Initial::List(all))) => {
                let size = size.as_ref().and_then(|size| self.constant(size));
                if size.is_none_or(|(size, _)| {
                    usize::try_from(size).is_ok_and(|size| size < all.len())
                }) {
                    return refuse("more initial values than elements");
                }
                let mut map = self.first_value(ty, None, span)?;
                for (at, one) in (0..).zip(all) {
                    let one = self.first_value(element, Some(one), span)?;
                    let key = build::int(at, span);
                    let kind = ast::ExprKind::Update(Box::new(map), Box::new(key), Box::new(one));
                    map = ast::Expr { kind, span };
                }
                Ok(map)
            }
            (Type::Array(element, _), None) => {
                let zero = self.first_value(element, None, span)?;
                Ok(ast::Expr { kind: ast::ExprKind::ConstMap(Box::new(zero)), span })
            }
            (Type::Int(..) | Type::Bool, Some(Initial::Value(value))) => {
                let value = self.constant(value).and_then(|(value, _)| constant::fitted(value, ty));
                match value {
                    Some(value) => Ok(build::int(value, span)),
                    None => refuse("an initial value that is not a constant"),
                }
            }
            (Type::Mutex, Some(value)) if !self.is_plain_mutex(value) => {
                refuse("a mutex of another kind than the default one")
            }
            // A mutex is free at first.
            (Type::Mutex, _) | (_, None) => Ok(build::int(0, span)),
            _ => refuse("an initial value of this form"),
        }
    }

    /// Whether an initializer makes a mutex that blocks who locks it twice.
    pub(super) fn is_plain_mutex(&self, value: &Initial) -> bool {
        match value {
            Initial::Value(Expr { kind: ExprKind::Name(name), .. }) => {
                name == "PTHREAD_MUTEX_INITIALIZER"
            }
            value => self.is_zero(value),
        }
    }

    /// Whether an initializer of something that is not looked at says nothing.
    fn is_plain(&self, value: &Initial) -> bool {
        let is_library = matches!(value, Initial::Value(Expr { kind: ExprKind::Name(name), .. })
            if name.starts_with("PTHREAD_"));
        is_library || self.is_zero(value)
    }

    /// Whether an initializer consists of zeros.
    fn is_zero(&self, value: &Initial) -> bool {
        match value {
            Initial::Value(Expr { kind: ExprKind::Cast(Type::Pointer(_), one), .. }) => {
                self.constant(one).is_some_and(|(value, _)| value == 0)
            }
            Initial::Value(value) => self.constant(value).is_some_and(|(value, _)| value == 0),
            Initial::List(all) => all.iter().all(|one| self.is_zero(one)),
        }
    }
}

/// Whether variables of a type are not part of the program in Plato: it is known by their names
/// what they are for.
fn is_name_only(ty: &Type) -> bool {
    match ty {
        Type::Thread | Type::Ignored | Type::Condition => true,
        Type::Array(element, _) => is_name_only(element),
        _ => false,
    }
}

/// The type of an array with the size that follows from its initial value, if none is written.
pub(super) fn sized(ty: &Type, value: Option<&Initial>, span: Span) -> Type {
    let mut ty = ty.clone();
    if let (Type::Array(_, size @ None), Some(Initial::List(all))) = (&mut ty, value) {
        let count = i128::try_from(all.len()).unwrap_or(0);
        let kind = ExprKind::Number(count, constant::INT);
        *size = Some(Box::new(Expr { kind, span }));
    }
    ty
}

/// Whether something in the text exists once for each thread.
pub(super) fn has_thread_local(unit: &Unit) -> bool {
    let declares = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Declare(all) if all.iter().any(|one| one.is_thread_local));
    unit.globals.iter().any(|declared| declared.is_thread_local)
        || unit.functions.iter().any(|one| one.body.iter().any(|stmt| stmt.any(&declares)))
}

/// The names that something is assigned to, or whose address somebody has.
fn changed(unit: &Unit) -> BTreeSet<String> {
    let mut changed = BTreeSet::new();
    let mut add = |expr: &'_ Expr| {
        if let ExprKind::Assign(_, place, _)
        | ExprKind::Step(_, _, place)
        | ExprKind::Address(place) = &expr.kind
            && let ExprKind::Name(name) = &place.kind
        {
            changed.insert(name.clone());
        }
    };
    for function in &unit.functions {
        function.body.iter().for_each(|stmt| stmt.each_expr(&mut add));
    }
    changed
}
