//! What methods require of their callers.

use super::calls::Call;
use super::terms::{self, Term as _};
use super::{Frame, Lowering, fault};
use crate::tree::{BinaryOp, Prim};
use crate::typed::{ExprKind, Formula, MethodId, Program, Ty, getters, walk};
use diagnostic::Code;
use plato::ast;
use source::Span;
use std::collections::BTreeMap;

/// Whether a formula is `lock.holder == tid`.
pub(super) fn is_held(formula: &Formula) -> bool {
    match &formula.expr.kind {
        ExprKind::Binary(BinaryOp::Eq, one, other) => {
            matches!((&one.kind, &other.kind), (ExprKind::Holder(_), ExprKind::Tid))
        }
        _ => false,
    }
}

/// Whether an annotation can say which lock a formula is about.
pub(super) fn is_understood(program: &Program, formula: &Formula) -> bool {
    let mut is_understood = true;
    walk::deep(&formula.expr, &mut |part| match &part.kind {
        ExprKind::Unsupported(_) => is_understood = false,
        ExprKind::Call(callee) => is_understood &= getters::value(program, callee).is_some(),
        _ => {}
    });
    is_understood
}

impl Lowering<'_> {
    /// Checks that the locks are held that a method requires; gives whether they are. Callers
    /// without them go on.
    pub(super) fn requires_locks(
        &mut self,
        method: MethodId,
        call: &Call<'_>,
    ) -> Option<ast::Expr> {
        let program = self.program;
        let locks: Vec<&Formula> =
            program.method(method).spec.requires.iter().filter(|one| is_held(one)).collect();
        let (locks, others): (Vec<&Formula>, Vec<&Formula>) =
            locks.into_iter().partition(|formula| is_understood(program, formula));
        if let Some(formula) = others.first() {
            self.requires_unknown_lock(method, formula, call.span);
        }
        let first = locks.first()?;
        self.enter_caller(method, call.receiver.as_ref(), &call.args);
        let held = locks.iter().map(|formula| self.formula_here(formula)).collect();
        self.frames.pop();
        let held = terms::and(held, call.span);
        let held = self.kept("held", held, &Ty::Prim(Prim::Boolean));
        let mut told = self.bad_call(method, first);
        told.goes_on = true;
        self.push(terms::check(held.clone(), told, call.span));
        Some(held)
    }

    /// What guards a method is not understood.
    fn requires_unknown_lock(&mut self, method: MethodId, formula: &Formula, span: Span) {
        let name = &self.program.method(method).name;
        let failed = format!("it is not known which lock `{name}` requires");
        let mut told = fault(Code::AnnotationMissing, failed);
        (told.declared, told.goes_on) = (Some(formula.span), true);
        self.push(terms::check(terms::boolean(false, span), told, span));
    }

    fn bad_call(&self, method: MethodId, formula: &Formula) -> ast::Fault {
        let name = &self.program.method(method).name;
        let failed = format!("`{name}` may not be called like this");
        let mut told = fault(Code::PreconditionFailed, failed);
        told.declared = Some(formula.span);
        told
    }

    /// Checks all that a method requires of its callers.
    pub(super) fn requires(
        &mut self,
        method: MethodId,
        receiver: Option<&ast::Expr>,
        args: &[ast::Expr],
        span: Span,
    ) {
        self.requires_of(method, (receiver, args), span, |_| true);
    }

    /// Checks what a method requires of its callers beside locks.
    pub(super) fn requires_others(&mut self, method: MethodId, call: &Call<'_>) {
        let given = (call.receiver.as_ref(), call.args.as_slice());
        self.requires_of(method, given, call.span, |one| !is_held(one));
    }

    fn requires_of(
        &mut self,
        method: MethodId,
        (receiver, args): (Option<&ast::Expr>, &[ast::Expr]),
        span: Span,
        is_wanted: impl Fn(&Formula) -> bool,
    ) {
        let program = self.program;
        let about = program.method(method);
        for at in &about.spec.non_null_params {
            if let Some(value) = args.get(*at).cloned() {
                let told = fault(Code::PreconditionFailed, "this argument may be null");
                let exists = value.differs(terms::null(span));
                self.push(terms::check(exists, told, span));
            }
        }
        let wanted: Vec<&Formula> =
            about.spec.requires.iter().filter(|one| is_wanted(one)).collect();
        if wanted.is_empty() {
            return;
        }
        self.enter_caller(method, receiver, args);
        for formula in wanted {
            if is_held(formula) && !is_understood(program, formula) {
                self.requires_unknown_lock(method, formula, span);
                continue;
            }
            let cond = self.formula_here(formula);
            let told = self.bad_call(method, formula);
            self.push(terms::check(cond, told, span));
        }
        self.frames.pop();
    }

    /// From here on, formulas are about the arguments of a call.
    fn enter_caller(&mut self, method: MethodId, receiver: Option<&ast::Expr>, args: &[ast::Expr]) {
        let mut names = Vec::new();
        for (ty, value) in self.program.method(method).params.iter().zip(args) {
            let kept = self.kept("value", value.clone(), ty);
            if let ast::ExprKind::Name(name) = &kept.kind {
                names.push(name.path.segments[0].name.to_string());
            }
        }
        self.frames.push(Frame {
            method: None,
            this: receiver.cloned(),
            locals: names,
            result: None,
            scopes: self.scopes.len(),
            end: String::new(),
            returns: false,
            olds: BTreeMap::new(),
        });
    }
}
