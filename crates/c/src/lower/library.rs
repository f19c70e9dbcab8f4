//! Functions that have a meaning of their own: those of threads and mutexes, and those that
//! verifiers know.

use super::body::{Around, Body, bounds};
use super::functions::{self, Does, Given, Known, Own};
use super::temporaries::Kind;
use super::values::{INT, Lvalue, Value};
use super::{Answer, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Function, Type};
use plato::ast;
use source::Span;

/// The result of `pthread_mutex_trylock` if the mutex is not free.
const EBUSY: i128 = 16;

impl Body<'_, '_> {
    /// Translates the call of a known function; `None` if it is not known, or if the text's own is
    /// meant.
    pub(super) fn library(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
        own: Option<&Function>,
    ) -> Option<Answer<Option<Value>>> {
        let is_arbitrary = name.starts_with("__VERIFIER_nondet_");
        let meant = functions::find(name).map_or(Own::Refused, |known| known.own);
        match (functions::find(name), own) {
            (None, _) if !is_arbitrary => None,
            (_, Some(own)) if meant == Own::Used && !functions::is_assumption(own) => None,
            (_, Some(_)) if meant == Own::Refused => Some(refuse(format!(
                "the function `{name}`, which the text defines in its own way"
            ))),
            (Some(known), _) => Some(self.known(known, name, args, span)),
            (None, _) => Some(self.arbitrary(name, args, span).map(Some)),
        }
    }

    /// Whether a call of a function only assumes its argument.
    pub(super) fn is_assumption(&self, name: &str) -> bool {
        functions::find(name).is_some_and(|known| known.does == Does::Assume)
            && !self.is_local(name)
            && self.lowering.find_function(name).is_none_or(functions::is_assumption)
    }

    fn known(
        &mut self,
        known: &Known,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Answer<Option<Value>> {
        let least = known.given.len();
        if args.len() < least || known.more.is_none() && args.len() > least {
            return refuse(format!("`{name}` with {} arguments", args.len()));
        }
        let given = known
            .given
            .iter()
            .copied()
            .chain(std::iter::repeat_n(known.more.unwrap_or(Given::Own), args.len() - least));
        for (arg, given) in args.iter().zip(given) {
            self.argument(name, arg, given)?;
        }
        let zero = Some(Value::number(0, INT, span));
        match known.does {
            Does::Fail => self.fail(span),
            Does::End => {
                let never = build::boolean(false, span);
                self.out.push(build::stmt(ast::StmtKind::Assume(never), span));
            }
            Does::Assume => self.test(args, span, true)?,
            Does::Assert => self.test(args, span, false)?,
            Does::Create => return self.create(args, span).map(|()| zero),
            Does::Join => return self.join(args, span).map(|()| zero),
            Does::Leave => self.leave(span)?,
            Does::Lock | Does::Unlock | Does::TryLock => return self.mutex(known.does, args, span),
            Does::Renew => return self.renew(name, args, span).map(|()| zero),
            Does::Wait => return self.wait(args, span),
            Does::Zero => return Ok(zero),
            Does::Unknown => {}
            Does::First => return self.value(&args[0]).map(Some),
            Does::Bracket => {
                return refuse(format!("`{name}` without its counterpart in the same block"));
            }
            Does::Load | Does::Store | Does::Exchange | Does::Fetch(..) | Does::CompareSwap(_) => {
                return self.atomic(known.does, args, span);
            }
        }
        Ok(None)
    }

    /// Evaluates an argument of a known function.
    fn argument(&mut self, name: &str, arg: &Expr, given: Given) -> Answer<()> {
        match given {
            Given::Own => Ok(()),
            Given::Object => self.discard(arg),
            Given::Shown => {
                let is_text = |ty: &Type| match ty {
                    Type::Array(element, _) => matches!(**element, Type::Int(8, _)),
                    ty => matches!(ty, Type::Int(8, _)),
                };
                if self.target(arg).is_some_and(|target| !is_text(&target.ty)) {
                    return refuse(format!("an address that `{name}` may write to"));
                }
                self.discard(arg)
            }
            Given::PlainKind => match self.known_value(arg) {
                Some((0, _)) => Ok(()),
                _ => refuse("a mutex of another kind than the default one"),
            },
            Given::Order => match &arg.kind {
                ExprKind::Name(order)
                    if matches!(order.as_str(), "memory_order_seq_cst" | "__ATOMIC_SEQ_CST") =>
                {
                    Ok(())
                }
                // The number that compilers use for it.
                ExprKind::Number(5, _) => Ok(()),
                _ => refuse("an atomic access with a weak order"),
            },
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

    fn mutex(&mut self, does: Does, args: &[Expr], span: Span) -> Answer<Option<Value>> {
        let place = self.mutex_place(args.first(), span)?;
        let place = build::place(&place.variable.name, place.indices, place.span);
        match does {
            Does::Lock => self.out.push(build::stmt(ast::StmtKind::Acquire(place), span)),
            Does::Unlock => self.out.push(build::stmt(ast::StmtKind::Release(place), span)),
            _ => {
                let cas = ast::Cas {
                    location: place,
                    expected: build::int(0, span),
                    new: ast::Expr { kind: ast::ExprKind::Tid, span },
                    span,
                };
                let source = ast::Source::Cas(Box::new(cas));
                let got = self.temporary(Kind::Truth, source, span);
                // 0 means that the mutex was free.
                let (zero, busy) = (build::int(0, span), build::int(EBUSY, span));
                let expr = build::conditional(build::name(&got, span), zero, busy, span);
                return Ok(Some(Value {
                    expr,
                    is_truth: false,
                    ty: INT,
                    reads: false,
                    known: None,
                }));
            }
        }
        Ok(Some(Value::number(0, INT, span)))
    }

    /// POSIX does not say what happens to a mutex that is initialized or destroyed while a thread
    /// holds it.
    fn renew(&mut self, name: &str, args: &[Expr], span: Span) -> Answer<()> {
        let place = self.mutex_place(args.first(), span)?;
        let mutex = build::name(&place.variable.name, place.span);
        let keys = place.indices.into_iter();
        let mutex = keys.fold(mutex, |map, key| build::index(map, key, span));
        let is_held = build::binary(ast::BinaryOp::Ne, mutex, build::int(0, span), span);
        let gap = ast::StmtKind::Unsupported(format!("`{name}` of a mutex that is held"));
        let gap = build::stmt(gap, span);
        self.branch(Value::truth(is_held, true), vec![gap], Vec::new(), span);
        Ok(())
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

    /// Waiting for a condition may end at any time, so it is enough to release the mutex and
    /// acquire it again.
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
        if !self.is_start {
            return refuse("`pthread_exit` in a function that is called by the thread's first one");
        }
        if self.around.iter().any(|around| matches!(around, Around::Atomic)) {
            return refuse("leaving an atomic block");
        }
        let values =
            if self.function.ty == Type::Void { Vec::new() } else { vec![build::int(0, span)] };
        self.out.push(build::stmt(ast::StmtKind::Return(values), span));
        Ok(())
    }

    /// Some value of a type, if there are few or bounds are known.
    fn arbitrary(&mut self, name: &str, args: &[Expr], span: Span) -> Answer<Value> {
        let Some(ty) = arbitrary_type(name).filter(|_| args.is_empty()) else {
            return refuse(format!("`{name}`"));
        };
        let (low, high) = bounds(&ty);
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
            let both = build::within(build::name(&result, span), (low, high), span);
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

/// The type of the arbitrary values that a function gives.
pub(super) fn arbitrary_type(name: &str) -> Option<Type> {
    Some(match name.strip_prefix("__VERIFIER_nondet_")? {
        "bool" | "_Bool" => Type::Bool,
        "char" | "schar" => Type::Int(8, true),
        "uchar" | "u8" => Type::Int(8, false),
        "short" => Type::Int(16, true),
        "ushort" | "u16" => Type::Int(16, false),
        "int" => INT,
        "uint" | "unsigned" | "u32" | "unsigned_int" => Type::Int(32, false),
        "long" | "longlong" => Type::Int(64, true),
        "ulong" | "ulonglong" | "size_t" => Type::Int(64, false),
        _ => return None,
    })
}
