//! Conversions where a value of one type meets a place of another.

use super::body::Body;
use super::exprs::Typed;
use super::types::T;
use crate::tree::Prim;
use crate::typed::ExprKind;
use diagnostic::Code;

impl Body<'_, '_> {
    /// A value at another type: widened, boxed or unboxed. What does not fit is reported, unless
    /// something about it is not known.
    pub(super) fn convert(&mut self, value: Typed, ty: &T) -> Typed {
        let span = value.expr.span;
        match (&value.ty, ty) {
            (one, other) if one == other => value,
            (T::Prim(_), T::Prim(to)) => {
                if let (ExprKind::Int(_), true) = (&value.expr.kind, to.is_integral()) {
                    return self.typed(value.expr.kind, ty.clone(), span);
                }
                self.typed(ExprKind::Convert(Box::new(value.expr)), ty.clone(), span)
            }
            (T::Prim(prim), _) if ty.is_reference() => {
                let boxed = self.world.boxed(*prim).unwrap_or(T::Unknown);
                self.typed(ExprKind::Box(Box::new(value.expr)), boxed, span)
            }
            (_, T::Prim(to)) => match self.world.unboxed(&value.ty) {
                Some(from) => {
                    let kind = ExprKind::Unbox(Box::new(value.expr));
                    let unboxed = self.typed(kind, T::Prim(from), span);
                    self.convert(unboxed, ty)
                }
                None => {
                    let is_known = !matches!(value.ty, T::Unknown | T::Var(_) | T::Wildcard(_));
                    let is_wrong = is_known && !self.is_object(&value.ty);
                    match value.expr.kind {
                        // What is not supported stays so.
                        ExprKind::Unsupported(what) => self.unsupported(&what, ty.clone(), span),
                        _ if is_wrong => {
                            let message = format!("a value of type `{}` is needed here", to.text());
                            let wrong = self.wrong(Code::TypeMismatch, span, message);
                            self.convert(wrong, ty)
                        }
                        _ => self.typed(ExprKind::Unbox(Box::new(value.expr)), ty.clone(), span),
                    }
                }
            },
            _ => value,
        }
    }

    fn is_object(&self, ty: &T) -> bool {
        matches!(ty, T::Class(id, _) if Some(*id) == self.world.object())
    }

    /// Whether an argument may be passed for a parameter; `loose` allows boxing.
    pub(super) fn accepts(&self, formal: &T, actual: &T, loose: bool) -> bool {
        if self.world.is_subtype(actual, formal) {
            return true;
        }
        if !loose {
            return false;
        }
        match (actual, formal) {
            (T::Prim(prim), formal) if !formal.is_primitive() => {
                let boxed = self.world.boxed(*prim);
                boxed.is_none_or(|boxed| self.world.is_subtype(&boxed, formal))
            }
            (actual, T::Prim(_)) => {
                let unboxed = self.world.unboxed(actual).map(T::Prim);
                unboxed.is_some_and(|unboxed| self.world.is_subtype(&unboxed, formal))
                    || *actual == T::Unknown
            }
            _ => false,
        }
    }

    /// Whether a constant fits into a smaller type, as in `byte b = 1`.
    pub(super) fn fits(value: i128, prim: Prim) -> bool {
        let (low, high) = range(prim);
        (low..=high).contains(&value)
    }
}

/// The least and the largest value of a type of whole numbers.
pub(crate) fn range(prim: Prim) -> (i128, i128) {
    match prim {
        Prim::Byte => (-128, 127),
        Prim::Short => (-32_768, 32_767),
        Prim::Char => (0, 65_535),
        Prim::Int => (-(1 << 31), (1 << 31) - 1),
        Prim::Long => (-(1 << 63), (1 << 63) - 1),
        Prim::Boolean | Prim::Float | Prim::Double => (0, 0),
    }
}
