//! Shared variables.

use super::{Answer, Lowering, Variable, refuse};
use crate::syntax::{Declared, Expr, ExprKind, Initial, Stmt, Type};
use crate::{Unsupported, build, constant};
use plato::ast::{self, TypeKind};
use source::Span;

/// Larger arrays are not looked at.
const MAX_SIZE: i128 = 10_000;

impl Lowering<'_> {
    pub(super) fn declare_globals(&mut self) {
        let unit = self.unit;
        for declared in &unit.globals {
            if let Some(value) = self.fixed_value(declared) {
                self.fixed.insert(declared.name.clone(), value);
            }
        }
        for declared in &unit.globals {
            if let Some(variable) = self.declare(declared, &declared.name) {
                self.globals.insert(declared.name.clone(), variable);
            }
        }
    }

    /// The value of a variable that nothing in the text can change.
    fn fixed_value(&self, declared: &Declared) -> Option<i128> {
        let Type::Int(..) = declared.ty else { return None };
        let Some(Initial::Value(value)) = &declared.value else { return None };
        let value = constant::value(value, &|name| self.fixed.get(name).copied())?;
        let changes = |expr: &Expr| match &expr.kind {
            ExprKind::Assign(_, place, _)
            | ExprKind::Step(_, _, place)
            | ExprKind::Address(place) => place.kind == ExprKind::Name(declared.name.clone()),
            _ => false,
        };
        let changed = |stmt: &Stmt| stmt.any_expr(&changes);
        let changed = self.unit.functions.iter().any(|function| function.body.iter().any(changed));
        (!changed).then_some(value)
    }

    /// Declares a shared variable. One of a type that is not understood is not declared; who uses it finds it missing.
    pub(super) fn declare(&mut self, declared: &Declared, wanted: &str) -> Option<Variable> {
        match &declared.ty {
            Type::Thread | Type::Ignored | Type::Condition => {
                return Some(Variable {
                    name: wanted.to_owned(),
                    ty: declared.ty.clone(),
                    shared: true,
                });
            }
            Type::Array(element, _) if **element == Type::Thread => {
                return Some(Variable {
                    name: wanted.to_owned(),
                    ty: declared.ty.clone(),
                    shared: true,
                });
            }
            _ => {}
        }
        let span = declared.span;
        let (ty, c_type) = self.shared_type(declared).ok()?;
        let value = match self.first_value(&c_type, declared.value.as_ref(), span) {
            Ok(value) => value,
            Err(refused) => {
                self.unsupported.push(Unsupported { span, message: refused.0, anyway: true });
                return None;
            }
        };
        let name = self.unique(wanted);
        self.items.push(build::global(&name, ty, value, span));
        Some(Variable { name, ty: c_type, shared: true })
    }

    /// The type in Plato, and in C with the size that follows from the initial value.
    fn shared_type(&self, declared: &Declared) -> Answer<(ast::Type, Type)> {
        let mut c_type = declared.ty.clone();
        if let (Type::Array(_, size @ None), Some(Initial::List(all))) =
            (&mut c_type, &declared.value)
        {
            let count = i128::try_from(all.len()).unwrap_or(0);
            let kind = ExprKind::Number(count, Type::Int(32, true));
            *size = Some(Box::new(Expr { kind, span: declared.span }));
        }
        Ok((self.plato_type(&c_type, declared.span)?, c_type))
    }

    pub(super) fn plato_type(&self, ty: &Type, span: Span) -> Answer<ast::Type> {
        match ty {
            Type::Int(..) | Type::Bool => Ok(build::ty(TypeKind::Int, span)),
            Type::Mutex => Ok(build::ty(TypeKind::Tid, span)),
            Type::Array(element, Some(size)) => {
                let size = constant::value(size, &|name| self.fixed.get(name).copied());
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

    /// What a shared variable is at first; 0 unless something is said.
    fn first_value(&self, ty: &Type, value: Option<&Initial>, span: Span) -> Answer<ast::Expr> {
        match (ty, value) {
            (Type::Array(element, _), Some(Initial::List(all))) => {
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
            (Type::Int(bits, signed), Some(Initial::Value(value))) => {
                match constant::value(value, &|name| self.fixed.get(name).copied()) {
                    Some(value) => Ok(build::int(constant::wrapped(value, *bits, *signed), span)),
                    None => refuse("an initial value that is not a constant"),
                }
            }
            (Type::Bool, Some(Initial::Value(value))) => {
                match constant::value(value, &|name| self.fixed.get(name).copied()) {
                    Some(value) => Ok(build::int(i128::from(value != 0), span)),
                    None => refuse("an initial value that is not a constant"),
                }
            }
            // A mutex is free at first, whatever its initializer is.
            (Type::Mutex, _) | (_, None) => Ok(build::int(0, span)),
            _ => refuse("an initial value of this form"),
        }
    }
}
