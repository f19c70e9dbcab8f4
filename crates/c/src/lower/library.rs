//! Functions that have a meaning of their own: those of threads and mutexes, and those that verifiers know.

use super::body::{Around, Body};
use super::values::{INT, Lvalue, Value};
use super::{Answer, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Type};
use plato::ast::{self, BinaryOp};
use source::Span;

/// Functions without an effect on what is verified.
const IGNORED: &[&str] = &[
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fflush",
    "perror",
    "usleep",
    "sleep",
    "sched_yield",
    "pthread_yield",
    "srand",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutexattr_init",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_settype",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_detach",
    "pthread_setconcurrency",
    "__VERIFIER_silent_exit_begin",
    "ldv_assume_stub",
];

impl Body<'_, '_> {
    /// A function that is known; nothing if it is not. Some are known only if the text does not define them.
    pub(super) fn library(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
        is_defined: bool,
    ) -> Option<Answer<Option<Value>>> {
        let done = |result: Answer<()>| Some(result.map(|()| None));
        match name {
            "reach_error" | "__VERIFIER_error" => done({
                self.fail(span);
                Ok(())
            }),
            "abort" | "exit" | "_exit" => {
                let never = build::boolean(false, span);
                self.out.push(build::stmt(ast::StmtKind::Assume(never), span));
                done(Ok(()))
            }
            "__VERIFIER_assume" | "assume_abort_if_not" => done(self.test(args, span, true)),
            "pthread_create" => {
                Some(self.create(args, span).map(|()| Some(Value::number(0, INT, span))))
            }
            "pthread_join" => {
                Some(self.join(args, span).map(|()| Some(Value::number(0, INT, span))))
            }
            "pthread_exit" => done(self.leave(span)),
            "pthread_mutex_lock" | "pthread_mutex_unlock" | "pthread_mutex_trylock" => {
                Some(self.mutex(name, args, span))
            }
            "pthread_cond_wait" => Some(self.wait(args, span)),
            _ if name.starts_with("__VERIFIER_nondet_") => {
                Some(self.arbitrary(name, span).map(Some))
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => {
                Some(refuse(format!("`{name}` without its counterpart in the same block")))
            }
            _ if is_defined => None,
            "assert" | "__VERIFIER_assert" => done(self.test(args, span, false)),
            "assume" => done(self.test(args, span, true)),
            "__assert_fail" | "__assert" | "__assert_rtn" => done({
                self.fail(span);
                Ok(())
            }),
            "__builtin_expect" if args.len() == 2 => Some(self.value(&args[0]).map(Some)),
            _ if IGNORED.contains(&name) => Some(Ok(Some(Value::number(0, INT, span)))),
            _ => None,
        }
    }

    fn fail(&mut self, span: Span) {
        self.out.push(build::stmt(ast::StmtKind::Assert(build::boolean(false, span)), span));
    }

    /// An assertion or an assumption.
    fn test(&mut self, args: &[Expr], span: Span, is_assumed: bool) -> Answer<()> {
        let [cond] = args else { return refuse("a condition with other than one argument") };
        let cond = self.value(cond)?.into_truth();
        let kind =
            if is_assumed { ast::StmtKind::Assume(cond) } else { ast::StmtKind::Assert(cond) };
        self.out.push(build::stmt(kind, span));
        Ok(())
    }

    fn mutex(&mut self, name: &str, args: &[Expr], span: Span) -> Answer<Option<Value>> {
        let place = self.mutex_place(args.first(), span)?;
        let place = build::place(&place.variable.name, place.indices, place.span);
        match name {
            "pthread_mutex_lock" => self.out.push(build::stmt(ast::StmtKind::Acquire(place), span)),
            "pthread_mutex_unlock" => {
                self.out.push(build::stmt(ast::StmtKind::Release(place), span));
            }
            _ => {
                let got = self.fresh("locked");
                let cas = ast::Cas {
                    location: place,
                    expected: build::int(0, span),
                    new: ast::Expr { kind: ast::ExprKind::Tid, span },
                    span,
                };
                let source = ast::Source::Cas(Box::new(cas));
                let bool_type = build::ty(ast::TypeKind::Bool, span);
                self.out.push(build::local(&got, bool_type, Some(source), span));
                // 0 says that the mutex was free.
                return Ok(Some(Value::truth(build::not(build::name(&got, span)), false)));
            }
        }
        Ok(Some(Value::number(0, INT, span)))
    }

    fn mutex_place(&mut self, arg: Option<&Expr>, span: Span) -> Answer<Lvalue> {
        let Some(arg) = arg else { return refuse("a call without a mutex") };
        let place = match &arg.kind {
            ExprKind::Address(one) => self.place(one)?,
            _ => {
                let kind = ExprKind::Deref(Box::new(arg.clone()));
                self.place(&Expr { kind, span })?
            }
        };
        if place.ty == Type::Mutex {
            Ok(place)
        } else {
            refuse("a mutex that is no `pthread_mutex_t`")
        }
    }

    /// Waiting for a condition may end at any time, so that it is enough to release the mutex and acquire it again.
    fn wait(&mut self, args: &[Expr], span: Span) -> Answer<Option<Value>> {
        if self.around.iter().any(|around| matches!(around, Around::Atomic)) || self.whole {
            return refuse("waiting inside an atomic block");
        }
        let place = self.mutex_place(args.get(1), span)?;
        let place = build::place(&place.variable.name, place.indices, place.span);
        self.out.push(build::stmt(ast::StmtKind::Release(place.clone()), span));
        self.out.push(build::stmt(ast::StmtKind::Acquire(place), span));
        Ok(Some(Value::number(0, INT, span)))
    }

    /// `pthread_exit`, where the thread began.
    fn leave(&mut self, span: Span) -> Answer<()> {
        let is_start = self.function.name == "main" || self.lowering.is_start(&self.function.name);
        if !is_start {
            return refuse("`pthread_exit` in a function that is called by the thread's first one");
        }
        self.give_back(None, span)
    }

    /// Some value of a type, as far as they are few or bounds are known.
    fn arbitrary(&mut self, name: &str, span: Span) -> Answer<Value> {
        let (low, high, ty) = match name.trim_start_matches("__VERIFIER_nondet_") {
            "bool" | "_Bool" => (0, 1, Type::Bool),
            "char" | "schar" => (-128, 127, Type::Int(8, true)),
            "uchar" => (0, 255, Type::Int(8, false)),
            "short" => (-(1 << 15), (1 << 15) - 1, Type::Int(16, true)),
            "ushort" => (0, (1 << 16) - 1, Type::Int(16, false)),
            "int" => (-(1 << 31), (1 << 31) - 1, INT),
            "uint" | "unsigned" | "u32" | "unsigned_int" => {
                (0, (1 << 32) - 1, Type::Int(32, false))
            }
            "long" | "longlong" => (-(1 << 63), (1 << 63) - 1, Type::Int(64, true)),
            "ulong" | "ulonglong" | "size_t" => (0, (1 << 64) - 1, Type::Int(64, false)),
            _ => return refuse(format!("`{name}`")),
        };
        let (low, high) = match self.bounds.take() {
            Some((least, most)) => (least.max(low), most.min(high)),
            None => (low, high),
        };
        let result = self.fresh("any");
        if low > high {
            self.out.push(build::stmt(ast::StmtKind::Assume(build::boolean(false, span)), span));
            return Ok(Value::number(0, ty, span));
        }
        let is_int = low == -(1 << 31) && high == (1 << 31) - 1;
        let domain = if is_int {
            build::ty(ast::TypeKind::Int, span)
        } else {
            build::range(low, high, span)
        };
        self.out.push(build::local(&result, domain, None, span));
        if is_int {
            let least = build::binary(
                BinaryOp::Ge,
                build::name(&result, span),
                build::int(low, span),
                span,
            );
            let most = build::binary(
                BinaryOp::Le,
                build::name(&result, span),
                build::int(high, span),
                span,
            );
            let both = ast::Expr { kind: ast::ExprKind::And(vec![least, most]), span };
            self.out.push(build::stmt(ast::StmtKind::Assume(both), span));
        }
        Ok(Value {
            expr: build::name(&result, span),
            is_truth: false,
            ty,
            reads: false,
            known: None,
        })
    }
}
