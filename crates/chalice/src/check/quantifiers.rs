//! Bound variables and what they range over.

use super::Checker;
use crate::hir::{Expr, ExprKind, LocalId, LocalKind, Quantified, Type};
use crate::syntax::{self, Domain, Ident, Quantifier, TypeKind};
use source::Span;

/// Bound variables and the sequence they range over, or the feature of them that is not supported.
pub(super) type Bound = Result<(Vec<LocalId>, Option<Expr>), String>;

impl Checker<'_> {
    /// Declares the bound variables.
    pub(super) fn domain(&mut self, names: &[Ident], domain: &Domain) -> Bound {
        let (ty, range) = match domain {
            Domain::In(range) => {
                let range = self.expr(range);
                match range.ty.clone() {
                    Type::Seq(element) => (*element, Ok(Some(range))),
                    Type::Unsupported => (Type::Unsupported, Err("a set".to_owned())),
                    other => {
                        let found = self.show(&other);
                        let message = format!("variables range over a sequence, not `{found}`");
                        self.mismatch(range.span, message);
                        (Type::Unsupported, Ok(None))
                    }
                }
            }
            Domain::Type(ty) if self.is_set_variable(ty) => {
                (Type::Unsupported, Err("a quantifier over a set".to_owned()))
            }
            Domain::Type(ty) => (self.resolve_type(ty), Ok(None)),
            Domain::Set(set) => {
                let set = self.expr(set);
                if set.ty != Type::Unsupported {
                    let found = self.show(&set.ty);
                    let message = format!("variables range over a set, not `{found}`");
                    self.mismatch(set.span, message);
                }
                (Type::Unsupported, Err("a quantifier over a set".to_owned()))
            }
        };
        let mut declare = |name| self.declare(name, ty.clone(), LocalKind::Bound, false);
        let binders = names.iter().map(&mut declare).collect();
        range.map(|range| (binders, range))
    }

    /// Whether the name in the place of a type is a variable or field with a set.
    fn is_set_variable(&self, ty: &syntax::Type) -> bool {
        let TypeKind::Name(name) = &ty.kind else { return false };
        !self.symbols.globals.contains_key(name)
            && (self.lookup(name).is_some_and(|id| self.locals[id.index()].ty == Type::Unsupported)
                || self.field_of_this(name).is_some())
    }

    pub(super) fn quantified(
        &mut self,
        (quantifier, names): (Quantifier, &[Ident]),
        domain: &Domain,
        body: &syntax::Expr,
        span: Span,
    ) -> Expr {
        self.scoped(|c| {
            let bound = c.domain(names, domain);
            let (wanted, forall, aggregate) = match quantifier {
                Quantifier::Forall => (Type::Bool, true, None),
                Quantifier::Exists => (Type::Bool, false, None),
                Quantifier::Sum => (Type::Int, false, Some("`sum`")),
                Quantifier::Max => (Type::Int, false, Some("`max`")),
            };
            let body = c.typed(body, &wanted, "the body of the quantifier");
            let kind = match (bound, aggregate) {
                (_, Some(what)) => ExprKind::Unsupported(what.into()),
                (Err(what), None) => ExprKind::Unsupported(what),
                (Ok((binders, range)), None) => {
                    ExprKind::Quantified(Box::new(Quantified { forall, binders, range, body }))
                }
            };
            Expr { kind, ty: wanted, span }
        })
    }
}
