//! Where private objects become known to others.

use super::Lowering;
use super::places::At;
use super::terms::{self, Term as _};
use crate::typed::Ty;
use plato::ast::{self, Stmt};
use plato::build;
use source::Span;

impl Lowering<'_> {
    /// Where a private object is stored: in a shared object it is published, in a private one it is
    /// in the heap from now on.
    pub(super) fn store_rule(
        &mut self,
        at: &At,
        value: &ast::Expr,
        ty: &Ty,
        span: Span,
    ) -> Vec<Stmt> {
        let is_plain = matches!(&value.kind, ast::ExprKind::Name(name)
            if name.path.segments[0].name.as_str() == "null");
        if !ty.is_reference() || !self.used.allocates || is_plain {
            return Vec::new();
        }
        let object = match at {
            At::Field(object, _, _) => Some(object),
            At::Index(array, _, _, _) => Some(array),
            _ => None,
        };
        let publish = self.publication(value, span);
        let kept = terms::write("inheap", vec![value.clone()], terms::boolean(true, span), span);
        let then = match object {
            None if matches!(at, At::Static(field, _) if self.is_being_initialized(*field)) => {
                vec![kept]
            }
            None => publish,
            Some(_) if self.is_private(at) && self.is_private_object(value) => return vec![kept],
            Some(_) if self.is_private(at) => vec![kept],
            Some(object) => {
                let is_shared = terms::name("shared", span).at(object.clone());
                vec![terms::branch(is_shared, publish, vec![kept], span)]
            }
        };
        let is_own = terms::name("owner", span).at(value.clone()).equals(terms::tid(span));
        vec![terms::branch(is_own, then, Vec::new(), span)]
    }

    /// Makes an object of this thread known to others, and everything private that might hang on
    /// it.
    pub(super) fn publication(&self, value: &ast::Expr, span: Span) -> Vec<Stmt> {
        if self.used.in_heap {
            return vec![publication_of_all(value, span)];
        }
        // No private object was ever stored in another one.
        let entries = vec![
            ("shared", value.clone(), terms::boolean(true, span)),
            ("owner", value.clone(), terms::int(0, span)),
        ];
        vec![terms::write_all(entries, span)]
    }
}

/// Publishes an object, and every private one that was ever stored in another one.
fn publication_of_all(value: &ast::Expr, span: Span) -> Stmt {
    let r = || terms::name("$r", span);
    let before = |map: &str| terms::name(map, span).at(r());
    let after = |map: &str| terms::variable(map, true, span).at(r());
    let goes = || {
        let own = before("owner").equals(terms::tid(span));
        let reached = terms::or(vec![before("inheap"), r().equals(value.clone())], span);
        terms::and(vec![own, reached], span)
    };
    let shared =
        after("shared").of(ast::BinaryOp::Iff, terms::or(vec![before("shared"), goes()], span));
    let owner = after("owner").equals(build::conditional(
        goes(),
        terms::int(0, span),
        before("owner"),
        span,
    ));
    let body = terms::and(vec![shared, owner], span);
    let all = terms::forall(&[("$r", terms::reference(span))], body, span);
    terms::relation(&["shared", "owner"], all, span)
}
