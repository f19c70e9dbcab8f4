//! `guarded by`: the locks of variables, and the relies that follow from them.

use super::collect::Declarations;
use super::scope::Context;
use super::terms::{both, not, tid};
use super::{Resolver, fault};
use crate::ast;
use crate::hir::{
    BinaryOp, Binder, BoundId, Expr, ExprKind, Formula, GlobalId, Guard, Quantifier, Root, Ty,
};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeSet;

impl Resolver {
    /// Resolves the clauses. A thread that holds a lock may rely on the lock and everything it
    /// guards staying as they are, and on nobody taking a lock in its name; every step is checked
    /// to respect that, like any other rely.
    pub(super) fn guards(&mut self, declarations: &Declarations<'_>) {
        let mut locks = BTreeSet::new();
        for &(module, id, item) in &declarations.vars {
            let Some(path) = &item.guard else { continue };
            let context = Context { module, place: "a `guarded by`", ..Context::default() };
            let Some(guard) = self.within(context, |r| r.guard_of(id, path)) else { continue };
            self.program.globals[id.index()].guard = Some(guard);
            if locks.insert(guard.lock) {
                self.rely_on_lock(guard);
            }
            self.rely_on_guarded(id, guard);
        }
    }

    fn guard_of(&mut self, id: GlobalId, path: &ast::Path) -> Option<Guard> {
        let lock = self.global(path)?;
        let lock_ty = self.global_types[lock.index()].clone()?;
        let ty = self.global_types[id.index()].clone()?;
        let each = match (&lock_ty, &ty) {
            (Ty::Tid, _) if lock != id => false,
            (Ty::Map(lock_key, holder), Ty::Map(key, _)) if lock != id && **holder == Ty::Tid => {
                if lock_key != key {
                    let error =
                        fault(Code::TypeMismatch, path.span, "the keys of the locks differ")
                            .at("each element needs the lock of the same key");
                    self.report(error);
                    return None;
                }
                true
            }
            _ => {
                let error = fault(Code::TypeMismatch, path.span, "expected a lock")
                    .at("not a variable that holds a thread identifier")
                    .help("a lock is a `mutex`, a variable of type `Tid`, or for a map `[K]V` a map `[K]Tid`");
                self.report(error);
                return None;
            }
        };
        Some(Guard { lock, each, span: path.span })
    }

    /// `lock == tid ==> lock' == tid` and `lock != tid ==> lock' != tid`.
    fn rely_on_lock(&mut self, guard: Guard) {
        for negated in [false, true] {
            let key = self.any_key(guard);
            let [before, after] = [false, true].map(|primed| {
                let held = self.held(guard, key.as_ref(), primed);
                if negated { not(held) } else { held }
            });
            self.push_rely(guard, guard.lock, key, implies(before, after));
        }
    }

    /// `lock == tid ==> x' == x`.
    fn rely_on_guarded(&mut self, id: GlobalId, guard: Guard) {
        let key = self.any_key(guard);
        let held = self.held(guard, key.as_ref(), false);
        let [before, after] =
            [false, true].map(|primed| self.at_key(id, key.as_ref(), primed, guard.span));
        self.push_rely(guard, id, key, implies(held, equal(after, before)));
    }

    /// A bound variable for the keys, if there is a lock for each.
    fn any_key(&mut self, guard: Guard) -> Option<Expr> {
        let Some(Ty::Map(key, _)) = self.global_types[guard.lock.index()].clone() else {
            return None;
        };
        let id = BoundId::from_index(self.program.bounds.len());
        let binder = Binder { name: Name::from("k"), ty: (*key).clone(), span: guard.span };
        self.program.bounds.push(binder);
        Some(Expr { kind: ExprKind::Bound(id), ty: *key, span: guard.span })
    }

    /// A formula: the thread has the lock.
    fn held(&self, guard: Guard, key: Option<&Expr>, primed: bool) -> Expr {
        equal(self.at_key(guard.lock, key, primed, guard.span), tid(guard.span))
    }

    /// The variable, or its element.
    fn at_key(&self, id: GlobalId, key: Option<&Expr>, primed: bool, span: Span) -> Expr {
        let ty = self.program.globals[id.index()].ty.clone();
        let kind = ExprKind::Var { root: Root::Global(id), primed };
        let var = Expr { kind, ty: ty.clone(), span };
        match (key, ty) {
            (Some(key), Ty::Map(_, element)) => {
                let kind = ExprKind::Index(Box::new(var), Box::new(key.clone()));
                Expr { kind, ty: *element, span }
            }
            _ => var,
        }
    }

    fn push_rely(&mut self, guard: Guard, about: GlobalId, key: Option<Expr>, expr: Expr) {
        let span = guard.span;
        let expr = match key {
            Some(Expr { kind: ExprKind::Bound(id), .. }) => {
                let kind = ExprKind::Quantified(Quantifier::Forall, vec![id], Box::new(expr));
                Expr { kind, ty: Ty::Bool, span }
            }
            _ => expr,
        };
        let module = self.program.globals[about.index()].module;
        self.program.relies.push(Formula { name: None, expr, module, is_written: true, span });
    }
}

fn equal(left: Expr, right: Expr) -> Expr {
    both(BinaryOp::Eq, left, right)
}

fn implies(premise: Expr, conclusion: Expr) -> Expr {
    both(BinaryOp::Implies, premise, conclusion)
}
