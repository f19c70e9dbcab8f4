//! Calls of functions of the text.

use super::body::Body;
use super::temporaries::Kind;
use super::values::{Value, converted, may_point};
use super::{Answer, Target, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Function, Stmt, StmtKind, Type, Unit};
use plato::ast;
use source::Span;
use std::collections::BTreeSet;

impl<'u> Body<'_, 'u> {
    /// A call; its value, if it has one.
    pub(super) fn call(&mut self, name: &str, args: &[Expr], span: Span) -> Answer<Option<Value>> {
        if self.is_local(name) {
            return refuse(format!("a call of the variable `{name}`"));
        }
        let own = self.lowering.find_function(name);
        if let Some(result) = self.library(name, args, span, own) {
            return result;
        }
        match own {
            Some(function) => self.call_own(function, args, span),
            None => {
                refuse(format!("the function `{name}`, which has no body that is understood here"))
            }
        }
    }

    fn call_own(
        &mut self,
        function: &'u Function,
        args: &[Expr],
        span: Span,
    ) -> Answer<Option<Value>> {
        if args.len() != function.params.len() {
            return refuse(format!("a call of `{}` with {} arguments", function.name, args.len()));
        }
        if function.name == "main" {
            return refuse("a call of `main`");
        }
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for (at, (param, arg)) in function.params.iter().zip(args).enumerate() {
            if let Type::Pointer(to) = &param.ty
                && let Some(target) = self.target(arg)
            {
                targets.push(Some(passed(target, to)?));
                continue;
            }
            targets.push(None);
            let value = self.value(arg)?;
            let mut value = match &param.ty {
                ty @ (Type::Int(..) | Type::Bool)
                    if matches!(value.ty, Type::Int(..) | Type::Bool) =>
                {
                    converted(value, ty)
                }
                ty @ Type::Pointer(_)
                    if matches!(value.ty, Type::Pointer(_)) || value.known == Some(0) =>
                {
                    converted(value, ty)
                }
                _ => return refuse("an argument of this type"),
            };
            // One step passes the arguments, and it reads at most one shared variable.
            if args[at + 1..].iter().any(|rest| self.touches(rest)) || !values.is_empty() {
                value = self.settled(value);
            }
            values.push(value.expr);
        }
        let name = self.lowering.instance(function, targets, false, self.owner)?;
        let is_whole = function.name.starts_with("__VERIFIER_atomic_");
        let call = build::call(&name, values, span);
        Ok(self.call_procedure(call, &function.ty, is_whole && !self.whole))
    }

    fn call_procedure(&mut self, call: ast::Call, ty: &Type, at_once: bool) -> Option<Value> {
        let span = call.span;
        if *ty == Type::Void {
            self.emit(build::stmt(ast::StmtKind::Call(call), span), at_once, span);
            return None;
        }
        let result = if at_once {
            let zero = ast::Source::Values(vec![build::int(0, span)]);
            let result = self.temporary(Kind::Number, zero, span);
            let place = build::place(&result, Vec::new(), span);
            let stmt =
                build::stmt(ast::StmtKind::Assign(vec![place], ast::Source::Call(call)), span);
            self.emit(stmt, true, span);
            result
        } else {
            self.temporary(Kind::Number, ast::Source::Call(call), span)
        };
        // The results of other functions are not known.
        if !matches!(ty, Type::Int(..) | Type::Bool) {
            return None;
        }
        let ty = ty.clone();
        let expr = build::name(&result, span);
        Some(Value { expr, is_truth: false, ty, reads: false, known: None })
    }

    fn emit(&mut self, stmt: ast::Stmt, at_once: bool, span: Span) {
        if at_once {
            let block = build::block(vec![stmt], span);
            self.out.push(build::stmt(ast::StmtKind::Atomic(block), span));
        } else {
            self.out.push(stmt);
        }
    }
}

/// The target of a pointer that is passed to a function: something that the function can see, of
/// the type that the pointer says.
pub(super) fn passed(target: Target, to: &Type) -> Answer<Target> {
    if !target.variable.shared {
        return refuse("the address of a variable of the function that calls");
    }
    if !may_point(to, &target.ty) {
        return refuse("a pointer to something of another type");
    }
    Ok(target)
}

/// The functions whose results are used.
pub(super) fn wanted(unit: &Unit) -> BTreeSet<&str> {
    let mut wanted = BTreeSet::new();
    for function in &unit.functions {
        function.body.iter().for_each(|stmt| wanted_in(stmt, &mut wanted));
    }
    wanted
}

fn wanted_in<'u>(stmt: &'u Stmt, wanted: &mut BTreeSet<&'u str>) {
    for expr in stmt.exprs() {
        // Only a call that is a whole statement has an unused result.
        match (&stmt.kind, &expr.kind) {
            (StmtKind::Expr(_), ExprKind::Call(_, args)) => {
                args.iter().for_each(|arg| called(arg, wanted));
            }
            _ => called(expr, wanted),
        }
    }
    stmt.inside().into_iter().for_each(|stmt| wanted_in(stmt, wanted));
}

fn called<'u>(expr: &'u Expr, wanted: &mut BTreeSet<&'u str>) {
    if let ExprKind::Call(name, _) = &expr.kind {
        wanted.insert(name);
    }
    expr.children().into_iter().for_each(|child| called(child, wanted));
}
