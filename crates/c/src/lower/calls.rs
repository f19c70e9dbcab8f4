//! Calls of functions of the text.

use super::body::Body;
use super::values::{INT, Value, converted};
use super::{Answer, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Function, Type};
use plato::ast;
use source::Span;

impl<'u> Body<'_, 'u> {
    /// A call; its value, if it has one.
    pub(super) fn call(&mut self, name: &str, args: &[Expr], span: Span) -> Answer<Option<Value>> {
        let own = self.lowering.find_function(name);
        if let Some(result) = self.library(name, args, span, own.is_some()) {
            return result;
        }
        match own {
            Some(function) => self.call_own(function, args, span),
            None => refuse(format!("the function `{name}`, which has no body here")),
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
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for (at, (param, arg)) in function.params.iter().zip(args).enumerate() {
            if let Some(target) = self.target(arg).filter(|_| matches!(param.ty, Type::Pointer(_)))
            {
                targets.push(Some(target));
                continue;
            }
            targets.push(None);
            if matches!(param.ty, Type::Pointer(_))
                && !matches!(arg.kind, ExprKind::Number(..) | ExprKind::Cast(..))
            {
                return refuse("a pointer whose target is not known beforehand");
            }
            let ty = match &param.ty {
                ty @ (Type::Int(..) | Type::Bool) => ty.clone(),
                _ => Type::Int(64, true),
            };
            let value = self.value(arg)?;
            let mut value = converted(value, &ty);
            // The arguments are passed in one step, which reads at most one shared variable.
            if args[at + 1..].iter().any(|rest| self.touches(rest)) || !values.is_empty() {
                value = self.settled(value);
            }
            values.push(value.expr);
        }
        let name = self.lowering.instance(function, targets);
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
        let result = self.fresh("value");
        if at_once {
            self.define(&result, &INT, Some(build::int(0, span)), span);
            let place = build::place(&result, Vec::new(), span);
            let stmt =
                build::stmt(ast::StmtKind::Assign(vec![place], ast::Source::Call(call)), span);
            self.emit(stmt, true, span);
        } else {
            let int = build::ty(ast::TypeKind::Int, span);
            self.out.push(build::local(&result, int, Some(ast::Source::Call(call)), span));
        }
        let ty =
            if matches!(ty, Type::Int(..) | Type::Bool) { ty.clone() } else { Type::Int(64, true) };
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
