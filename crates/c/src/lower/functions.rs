//! The functions that are known without their bodies: how each of their arguments is treated, and
//! what they do.
//!
//! A function that is neither here nor in the text is refused where it is called.

use crate::syntax::{Expr, ExprKind, Function, Stmt, StmtKind};

/// A known function.
pub(super) struct Known {
    pub(super) names: &'static [&'static str],
    /// The treatment of its arguments, and that of further ones if there may be more.
    pub(super) given: &'static [Given],
    pub(super) more: Option<Given>,
    pub(super) does: Does,
    pub(super) own: Own,
}

/// The treatment of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// It is evaluated, and its value is only shown or passed to the system. An address is refused:
    /// the function may write there.
    Shown,
    /// It is evaluated, and leads to an object that is not part of the program, or is an unused
    /// result.
    Object,
    /// It must ask for a mutex of the default kind.
    PlainKind,
    /// It must ask for an order in which all threads see all accesses.
    Order,
    /// The translation of the function decides.
    Own,
}

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    /// The run goes wrong.
    Fail,
    /// The run ends.
    End,
    Assume,
    Assert,
    Create,
    Join,
    /// The thread ends.
    Leave,
    Lock,
    Unlock,
    TryLock,
    /// A mutex begins or ends: no effect if nobody holds it.
    Renew,
    Wait,
    /// No effect, and the result is 0.
    Zero,
    /// No effect that matters, but the result is not known.
    Unknown,
    /// The result is the first argument.
    First,
    /// It begins or ends an atomic block, and is known only where both are in one block.
    Bracket,
    Load,
    Store,
    Exchange,
    /// Reads and writes in one step, with an operator; whether the result is the old value.
    Fetch(&'static str, bool),
    /// Writes if the old value is the expected one; whether the result says if it was.
    CompareSwap(bool),
}

/// Its meaning if the text has a function of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// The text's function is called.
    Used,
    /// Verifiers agree on the meaning of the name, whatever its body does.
    Agreed,
    /// It is not known which one is meant.
    Refused,
}

use Given::{Object, Order, Own as Special, PlainKind, Shown};

const fn known(
    names: &'static [&'static str],
    given: &'static [Given],
    does: Does,
    own: Own,
) -> Known {
    Known { names, given, more: None, does, own }
}

const FUNCTIONS: &[Known] = &[
    Known {
        more: Some(Object),
        ..known(&["reach_error", "__VERIFIER_error"], &[], Does::Fail, Own::Agreed)
    },
    Known {
        more: Some(Object),
        ..known(&["__assert_fail", "__assert", "__assert_rtn"], &[], Does::Fail, Own::Used)
    },
    known(&["abort"], &[], Does::End, Own::Refused),
    known(&["exit", "_exit", "_Exit"], &[Shown], Does::End, Own::Refused),
    known(
        &["__VERIFIER_assume", "assume_abort_if_not", "assume"],
        &[Special],
        Does::Assume,
        Own::Used,
    ),
    known(&["assert", "__VERIFIER_assert"], &[Special], Does::Assert, Own::Used),
    known(&["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"], &[], Does::Bracket, Own::Refused),
    known(&["pthread_create"], &[Special, Special, Special, Special], Does::Create, Own::Refused),
    known(&["pthread_join"], &[Special, Special], Does::Join, Own::Refused),
    known(&["pthread_exit"], &[Object], Does::Leave, Own::Refused),
    known(&["pthread_mutex_lock"], &[Special], Does::Lock, Own::Refused),
    known(&["pthread_mutex_unlock"], &[Special], Does::Unlock, Own::Refused),
    known(&["pthread_mutex_trylock"], &[Special], Does::TryLock, Own::Refused),
    known(&["pthread_mutex_init"], &[Special, Object], Does::Renew, Own::Refused),
    known(&["pthread_mutex_destroy"], &[Special], Does::Renew, Own::Refused),
    known(
        &["pthread_mutexattr_init", "pthread_mutexattr_destroy"],
        &[Object],
        Does::Zero,
        Own::Refused,
    ),
    known(&["pthread_mutexattr_settype"], &[Object, PlainKind], Does::Zero, Own::Refused),
    known(&["pthread_cond_wait"], &[Object, Special], Does::Wait, Own::Refused),
    known(&["pthread_cond_init"], &[Object, Object], Does::Zero, Own::Refused),
    known(
        &["pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast"],
        &[Object],
        Does::Zero,
        Own::Refused,
    ),
    known(&["pthread_attr_init", "pthread_attr_destroy"], &[Object], Does::Zero, Own::Refused),
    known(&["pthread_attr_setdetachstate"], &[Object, Object], Does::Zero, Own::Refused),
    known(&["pthread_detach"], &[Object], Does::Zero, Own::Refused),
    known(&["pthread_setconcurrency"], &[Shown], Does::Zero, Own::Refused),
    known(&["sched_yield", "pthread_yield"], &[], Does::Zero, Own::Used),
    Known { more: Some(Shown), ..known(&["printf"], &[Shown], Does::Unknown, Own::Used) },
    Known { more: Some(Shown), ..known(&["fprintf"], &[Object, Shown], Does::Unknown, Own::Used) },
    known(&["puts", "putchar", "perror", "sleep", "srand"], &[Shown], Does::Unknown, Own::Used),
    known(&["usleep"], &[Shown], Does::Unknown, Own::Used),
    known(&["fflush"], &[Object], Does::Unknown, Own::Used),
    known(&["__builtin_expect"], &[Special, Shown], Does::First, Own::Refused),
    known(&["__sync_synchronize"], &[], Does::Zero, Own::Refused),
    known(&["atomic_thread_fence", "atomic_signal_fence"], &[Shown], Does::Zero, Own::Refused),
    known(&["atomic_load"], &[Special], Does::Load, Own::Refused),
    known(
        &["atomic_load_explicit", "__atomic_load_n"],
        &[Special, Order],
        Does::Load,
        Own::Refused,
    ),
    known(&["atomic_store", "atomic_init"], &[Special, Special], Does::Store, Own::Refused),
    known(
        &["atomic_store_explicit", "__atomic_store_n"],
        &[Special, Special, Order],
        Does::Store,
        Own::Refused,
    ),
    known(&["atomic_exchange"], &[Special, Special], Does::Exchange, Own::Refused),
    known(
        &["atomic_exchange_explicit", "__atomic_exchange_n"],
        &[Special, Special, Order],
        Does::Exchange,
        Own::Refused,
    ),
    known(
        &["atomic_fetch_add", "__sync_fetch_and_add"],
        &[Special, Special],
        Does::Fetch("+", true),
        Own::Refused,
    ),
    known(
        &["atomic_fetch_sub", "__sync_fetch_and_sub"],
        &[Special, Special],
        Does::Fetch("-", true),
        Own::Refused,
    ),
    known(
        &["atomic_fetch_add_explicit", "__atomic_fetch_add"],
        &[Special, Special, Order],
        Does::Fetch("+", true),
        Own::Refused,
    ),
    known(
        &["atomic_fetch_sub_explicit", "__atomic_fetch_sub"],
        &[Special, Special, Order],
        Does::Fetch("-", true),
        Own::Refused,
    ),
    known(&["__sync_add_and_fetch"], &[Special, Special], Does::Fetch("+", false), Own::Refused),
    known(&["__sync_sub_and_fetch"], &[Special, Special], Does::Fetch("-", false), Own::Refused),
    known(
        &["__sync_bool_compare_and_swap"],
        &[Special, Special, Special],
        Does::CompareSwap(true),
        Own::Refused,
    ),
    known(
        &["__sync_val_compare_and_swap"],
        &[Special, Special, Special],
        Does::CompareSwap(false),
        Own::Refused,
    ),
];

/// The names of functions that change nothing in the program.
pub(crate) fn functions_without_effect() -> impl Iterator<Item = &'static str> {
    let idle = FUNCTIONS.iter().filter(|known| matches!(known.does, Does::Zero | Does::Unknown));
    idle.flat_map(|known| known.names).copied()
}

/// The known function of this name.
pub(super) fn find(name: &str) -> Option<&'static Known> {
    FUNCTIONS.iter().find(|known| known.names.contains(&name))
}

/// Whether a function of the text ends the run unless its parameter is true, and does nothing else.
pub(super) fn is_assumption(function: &Function) -> bool {
    let [param] = &function.params[..] else { return false };
    let mut body: Vec<&Stmt> =
        function.body.iter().filter(|stmt| stmt.kind != StmtKind::Empty).collect();
    if body.last().is_some_and(|last| last.kind == StmtKind::Return(None)) {
        body.pop();
    }
    let [Stmt { kind: StmtKind::If(cond, then, None), .. }] = body[..] else { return false };
    let mut then = &**then;
    while let StmtKind::Block(inside) = &then.kind {
        let [one] = &inside[..] else { return false };
        then = one;
    }
    let is_param = |expr: &Expr| expr.kind == ExprKind::Name(param.name.clone());
    let ends = matches!(
        &then.kind,
        StmtKind::Expr(Expr { kind: ExprKind::Call(name, _), .. })
            if matches!(name.as_str(), "abort" | "exit" | "_exit")
    );
    ends && matches!(&cond.kind, ExprKind::Unary("!", one) if is_param(one))
}
