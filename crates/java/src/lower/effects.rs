//! What the language itself says of methods of the library: monitors, locks and threads.

use super::calls::Call;
use super::calm::Held;
use super::library::Effect;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::Prim;
use crate::typed::Ty;
use diagnostic::Code;
use plato::ast;
use source::Span;

impl Lowering<'_> {
    /// What the language says of a method of the library.
    pub(super) fn effect(&mut self, effect: Effect, call: &Call<'_>) -> ast::Expr {
        let span = call.span;
        let nothing = terms::int(0, span);
        let object = call.receiver.clone().unwrap_or_else(|| terms::null(span));
        match effect {
            Effect::Enter | Effect::EnterOrInterrupted => {
                if effect == Effect::EnterOrInterrupted {
                    self.interrupted(span);
                }
                self.enter(&object, span);
                self.held.push(Held::by_call(object));
                nothing
            }
            Effect::Exit => {
                self.given_back(&object);
                self.exit(&object, span);
                nothing
            }
            Effect::TryEnter => self.try_enter(&object, span),
            Effect::TryEnterOrInterrupted => {
                self.interrupted(span);
                self.try_enter(&object, span)
            }
            Effect::Wait => {
                self.wait(&object, span);
                nothing
            }
            Effect::Notify => {
                self.notify(&object, span);
                nothing
            }
            Effect::HoldsLock => {
                self.used.monitors = true;
                let lock = call.args.first().cloned().unwrap_or(object);
                let held = terms::name("holder", span).at(lock).equals(terms::tid(span));
                self.kept("held", held, &Ty::Prim(Prim::Boolean))
            }
            Effect::Start => {
                self.start(&object, span);
                nothing
            }
            Effect::Join => {
                self.join(&object, span);
                nothing
            }
            Effect::Sleep => {
                self.interrupted(span);
                nothing
            }
            Effect::CurrentThread => {
                let thread = self.thread_object(terms::tid(span));
                let local = self.kept("thread", thread, &Ty::Unknown);
                let exists = terms::is_object(&local);
                self.push(terms::assume(exists, span));
                local
            }
            Effect::HandOver => self.hand_over(call),
            Effect::ArrayCopy => unreachable!("internal error: copies need the types of arrays"),
        }
    }

    /// A lock is no longer held here, as far as the text tells.
    pub(super) fn given_back(&mut self, object: &ast::Expr) {
        self.held.retain(|held| !same(&held.lock, object));
        // It may be another name for one of the others.
        self.held.iter_mut().for_each(Held::doubt);
    }

    /// `executor.execute(task)`: from then on others know the task.
    fn hand_over(&mut self, call: &Call<'_>) -> ast::Expr {
        let span = call.span;
        self.leak();
        for arg in &call.args {
            self.publish_if_own(arg, span);
        }
        let value = if *call.ty == Ty::Void {
            terms::int(0, span)
        } else {
            let future = self.unknown_value("future", call.ty, span);
            let exists = future.clone().differs(terms::null(span));
            self.push(terms::assume(exists, span));
            future
        };
        // The task may be refused.
        self.may_throw(span);
        value
    }

    /// `thread.start()`: a thread is started once, and from then on others know it.
    fn start(&mut self, thread: &ast::Expr, span: Span) {
        self.used.starts = true;
        self.leak();
        let started = || terms::name("started", span).at(thread.clone());
        let told = fault(Code::StartedTwice, "this thread may have been started before");
        let mut stmts = vec![
            terms::check(started().negated(), told, span),
            terms::write("started", vec![thread.clone()], terms::boolean(true, span), span),
        ];
        if self.used.allocates {
            let is_own = terms::name("owner", span).at(thread.clone()).equals(terms::tid(span));
            let publish = self.publication(thread, span);
            stmts.push(terms::branch(is_own, publish, Vec::new(), span));
        }
        self.step(stmts, span);
    }
}

/// Whether two expressions are the same variable.
pub(super) fn same(one: &ast::Expr, other: &ast::Expr) -> bool {
    match (&one.kind, &other.kind) {
        (ast::ExprKind::Name(one), ast::ExprKind::Name(other)) => {
            one.path.segments[0].name == other.path.segments[0].name
        }
        _ => false,
    }
}
