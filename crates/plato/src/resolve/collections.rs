//! Sets and maps.

use super::exprs::{made, needs_hint};
use super::types::widened;
use super::{Resolver, fault};
use crate::ast;
use crate::hir::{Expr, ExprKind, Ty};
use diagnostic::Code;
use source::Span;

impl Resolver {
    /// `m[k]` and `m[k := v]`, any number of them, taken apart without recursion.
    pub(super) fn postfix(&mut self, whole: &ast::Expr, hint: Option<&Ty>) -> Option<Expr> {
        let mut steps = Vec::new();
        let mut base = whole;
        loop {
            match &base.kind {
                ast::ExprKind::Index(inner, key) => {
                    steps.push((&**key, None, base.span));
                    base = inner;
                }
                ast::ExprKind::Update(inner, key, value) => {
                    steps.push((&**key, Some(&**value), base.span));
                    base = inner;
                }
                _ => break,
            }
        }
        // A hint for the whole is one for the base only if every step keeps the type.
        let hint = hint.filter(|_| steps.iter().all(|(_, value, _)| value.is_some()));
        let mut map = self.expr(base, hint);
        for (key, value, span) in steps.into_iter().rev() {
            map = self.step(map?, key, value, span);
        }
        map
    }

    fn step(
        &mut self,
        map: Expr,
        key: &ast::Expr,
        value: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Expr> {
        let Ty::Map(key_ty, value_ty) = map.ty.clone() else {
            self.not_a_map(map.span, &map.ty);
            return None;
        };
        let key = self.check(key, &key_ty);
        let Some(value) = value else {
            return made(ExprKind::Index(Box::new(map), Box::new(key?)), *value_ty, span);
        };
        let value = self.check(value, &value_ty);
        let ty = map.ty.clone();
        made(ExprKind::Update(Box::new(map), Box::new(key?), Box::new(value?)), ty, span)
    }

    pub(super) fn const_map(
        &mut self,
        value: &ast::Expr,
        span: Span,
        hint: Option<&Ty>,
    ) -> Option<Expr> {
        let Some(ty @ Ty::Map(_, value_ty)) = hint else {
            self.unknown_type(span, "map", hint);
            return None;
        };
        let value = self.check(value, value_ty)?;
        made(ExprKind::ConstMap(Box::new(value)), ty.clone(), span)
    }

    pub(super) fn set(
        &mut self,
        elements: &[ast::Expr],
        span: Span,
        hint: Option<&Ty>,
    ) -> Option<Expr> {
        if let Some(Ty::Set(element_ty)) = hint {
            return self.set_of(elements, element_ty, None, span);
        }
        // The first element with a type of its own determines the type of the others. It is
        // resolved early and kept: resolving it twice would take exponential time in nested sets.
        let typed = elements.iter().position(|element| !needs_hint(element)).unwrap_or(0);
        let Some(first) = elements.get(typed) else {
            self.unknown_type(span, "set", hint);
            return None;
        };
        let first = self.expr(first, None)?;
        let element_ty = widened(&first.ty);
        if matches!(element_ty, Ty::Set(_) | Ty::Map(..)) {
            let message =
                format!("a set's elements cannot be of type `{}`", self.show(&element_ty));
            let error = fault(Code::TypeMismatch, span, message).at("a set of sets or maps");
            self.report(error);
            return None;
        }
        self.set_of(elements, &element_ty, Some((typed, first)), span)
    }

    /// `#s`, of sets that cannot be infinite.
    pub(super) fn size(&mut self, set: &ast::Expr, span: Span) -> Option<Expr> {
        let set = self.expr(set, None)?;
        let element = match &set.ty {
            Ty::Set(element) => Some(&**element),
            _ => None,
        };
        if !matches!(element, Some(Ty::Tid | Ty::Bool | Ty::Range(..) | Ty::Enum(_))) {
            let message = format!("`{}` has no size", self.show(&set.ty));
            let error = fault(Code::TypeMismatch, set.span, message)
                .at("not a set that is always finite")
                .help("`#` is for sets of threads, truth values, ranges and enumerations");
            self.report(error);
            return None;
        }
        made(ExprKind::Size(Box::new(set)), Ty::Int, span)
    }

    fn set_of(
        &mut self,
        elements: &[ast::Expr],
        ty: &Ty,
        mut early: Option<(usize, Expr)>,
        span: Span,
    ) -> Option<Expr> {
        let mut all = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            all.push(match early.take() {
                Some((same, element)) if same == at => Some(element),
                other => {
                    early = other;
                    self.element(element, ty)
                }
            });
        }
        let all = all.into_iter().collect::<Option<_>>()?;
        made(ExprKind::Set(all), Ty::Set(Box::new(ty.clone())), span)
    }

    fn element(&mut self, element: &ast::Expr, ty: &Ty) -> Option<Expr> {
        let element = self.check(element, ty)?;
        if let (ExprKind::Int(value), Ty::Range(low, high)) = (&element.kind, ty)
            && (value < low || value > high)
        {
            let message = format!("{value} is not in {low}..{high}");
            let error =
                fault(Code::TypeMismatch, element.span, message).at("cannot be in this set");
            self.report(error);
            return None;
        }
        Some(element)
    }

    fn unknown_type(&mut self, span: Span, what: &str, wanted: Option<&Ty>) {
        let error = match wanted {
            Some(wanted) => {
                let wanted = self.show(wanted);
                fault(Code::TypeMismatch, span, format!("expected `{wanted}`, found a {what}")).at(format!("a {what}"))
            }
            None => fault(Code::TypeMismatch, span, format!("the type of this {what} cannot be told"))
                .at("could be of many types")
                .help("compare it with a variable, or declare the variable it is assigned to with its type"),
        };
        self.report(error);
    }
}
