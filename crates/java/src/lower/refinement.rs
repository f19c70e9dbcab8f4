//! Methods that override others: they require no more, and promise no less (paper 2 leaves
//! inheritance open; this is behavioural subtyping).
//!
//! Proofs do not depend on it: a call runs the bodies of all methods that may be meant, each with
//! what it requires itself. It is checked because whoever reads the method that is called goes by
//! what is written there.

use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::Prim;
use crate::typed::{Formula, Method, MethodId, Origin, Ty};
use diagnostic::Code;
use plato::ast::{self, StmtKind};
use plato::build;
use source::Span;

/// A method that is overridden, and whether what it requires held at the start.
pub(super) struct Overridden {
    method: MethodId,
    is_allowed: ast::Expr,
}

impl Lowering<'_> {
    /// At the start of a method: it requires no more than what it overrides, and what that promises
    /// is remembered.
    pub(super) fn begin_overriding(&mut self, method: &Method, span: Span) -> Vec<Overridden> {
        let program = self.program;
        let mut all = Vec::new();
        let mut library = None;
        for id in &method.overrides {
            let base = program.method(*id);
            if program.class(base.class).origin != Origin::Checked {
                library.get_or_insert(base);
                continue;
            }
            let mut required = Vec::new();
            for formula in &base.spec.requires {
                required.push(self.formula_here(formula));
            }
            for at in &base.spec.non_null_params {
                required.extend(self.is_argument_object(*at, span));
            }
            let is_allowed = terms::and(required, span);
            let is_allowed = self.kept("allowed", is_allowed, &Ty::Prim(Prim::Boolean));
            let spec = &method.spec;
            let required = (&spec.requires[..], &spec.non_null_params[..]);
            self.requires_no_more(required, base, &is_allowed, span);
            self.keep_olds_of(&base.spec.ensures.iter().collect::<Vec<_>>());
            all.push(Overridden { method: *id, is_allowed });
        }
        if let Some(base) = library {
            self.called_by_library(method, base, span);
        }
        all
    }

    /// A method that overrides one of the library, such as `run`, is called by code that knows
    /// nothing of what it requires. So that must hold at every call.
    fn called_by_library(&mut self, method: &Method, base: &Method, span: Span) {
        let always = terms::boolean(true, span);
        self.requires_no_more((&method.spec.requires, &[]), base, &always, span);
        if !method.spec.non_null_params.is_empty() {
            let text = format!("the library calls `{}` with objects, not with null", method.name);
            self.assume_silently(span, text);
        }
    }

    fn is_argument_object(&self, at: usize, span: Span) -> Option<ast::Expr> {
        let name = self.frames.last()?.locals.get(at)?;
        Some(terms::name(name, span).differs(terms::null(span)))
    }

    /// Where a call of the overridden method is allowed, one of this method is too, which requires
    /// these formulas and objects for these parameters.
    fn requires_no_more(
        &mut self,
        (formulas, params): (&[Formula], &[usize]),
        base: &Method,
        is_allowed: &ast::Expr,
        span: Span,
    ) {
        let (checks, ()) = self.nested(|lowering| {
            lowering.push(terms::assume(is_allowed.clone(), span));
            for formula in formulas {
                let cond = lowering.formula_here(formula);
                let failed = "this is more than what is required by the method that is overridden";
                let mut told = fault(Code::PreconditionFailed, failed);
                told.declared = Some(base.span);
                lowering.push(terms::check(cond, told, formula.span));
            }
            for at in params {
                if let Some(cond) = lowering.is_argument_object(*at, span) {
                    let failed =
                        "an argument that the overridden method allows to be null must not be";
                    let mut told = fault(Code::PreconditionFailed, failed);
                    told.declared = Some(base.span);
                    lowering.push(terms::check(cond, told, span));
                }
            }
            lowering.push(terms::assume(terms::boolean(false, span), span));
        });
        if checks.len() > 2 {
            let branches = vec![terms::block(checks, span), terms::block(Vec::new(), span)];
            self.push(build::stmt(StmtKind::Choose(branches), span));
        }
    }

    /// At the end of a method: what the overridden ones promise holds if they could be called.
    pub(super) fn end_overriding(&mut self, own: &Method, all: &[Overridden], span: Span) {
        for Overridden { method, is_allowed } in all {
            let base = self.program.method(*method);
            let inherited = |formula: &&Formula| {
                let mut own = own.spec.ensures.iter();
                own.any(|other| other.span == formula.span)
            };
            for formula in base.spec.ensures.iter().filter(|one| !inherited(one)) {
                let cond = is_allowed.clone().implies(self.formula_here(formula));
                let failed = "what the overridden method promises may not hold at the end";
                let mut told = fault(Code::PostconditionFailed, failed);
                told.declared = Some(formula.span);
                self.push(terms::check(cond, told, span));
            }
            let result = self.frame().result.clone();
            if let (true, Some(result)) = (base.spec.is_non_null, result) {
                let told = fault(
                    Code::PostconditionFailed,
                    "the result may be null, which that of the overridden method is not",
                );
                let exists = terms::name(&result, span).differs(terms::null(span));
                let cond = is_allowed.clone().implies(exists);
                self.push(terms::check(cond, told, span));
            }
        }
    }
}
