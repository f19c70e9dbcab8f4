//! `guarded by`: an access to a guarded variable is wrong unless the running thread holds its lock.

use super::Lowering;
use crate::expr::Scope;
use diagnostic::Code;
use logic::{Quantifier, Term};
use plato::hir::{GlobalId, Place, Root, Ty};
use source::Span;
use std::collections::BTreeSet;
use verdict::Obligation;

/// What is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) global: GlobalId,
    /// The element, if only one is.
    pub(super) key: Option<Term>,
    pub(super) span: Span,
}

impl Lowering<'_> {
    /// That the running thread holds the lock of what is accessed; `None` if it has none.
    pub(super) fn lock_held(&mut self, scope: &Scope, access: Access) -> Option<Term> {
        let guard = self.program.globals[access.global.index()].guard?;
        let lock = self.context.symbol_of(scope, Root::Global(guard.lock), false);
        let lock = self.context.terms.constant(lock);
        let tid = self.tid();
        if !guard.each {
            return Some(self.context.terms.eq(lock, tid));
        }
        if let Some(key) = access.key {
            let holder = self.context.terms.select(lock, key);
            return Some(self.context.terms.eq(holder, tid));
        }
        // All of the map is accessed, so all locks are needed.
        let Ty::Map(key_ty, _) = &self.program.globals[guard.lock.index()].ty else { return None };
        let sort = self.context.sort(key_ty);
        let binder = self.context.terms.binder("k", sort);
        let key = self.context.terms.bound(binder);
        let inside = self.context.in_type(key_ty, key);
        let holder = self.context.terms.select(lock, key);
        let held = self.context.terms.eq(holder, tid);
        let body = match inside {
            Some(inside) => self.context.terms.implies(inside, held),
            None => held,
        };
        let triggers = vec![vec![holder]];
        Some(self.context.terms.quantified(Quantifier::Forall, vec![binder], triggers, body))
    }

    /// Checks that the lock of a place is held. `keys` are its indices.
    pub(super) fn check_place_access(&mut self, place: &Place, keys: &[Term]) {
        let Root::Global(global) = place.root else { return };
        let access = Access { global, key: keys.first().copied(), span: place.span };
        self.check_access(access);
    }

    /// Checks that the locks of these variables are held, all of each.
    pub(super) fn check_accesses(&mut self, globals: &BTreeSet<GlobalId>, span: Span) {
        for &global in globals {
            self.check_access(Access { global, key: None, span });
        }
    }

    fn check_access(&mut self, access: Access) {
        let scope = self.scope();
        if let Some(held) = self.lock_held(&scope, access) {
            let about = self.access_obligation(access);
            self.emit.check(about, vec![(held, access.span)]);
        }
    }

    /// What is to be shown of an access.
    pub(super) fn access_obligation(&self, access: Access) -> Obligation {
        let global = &self.program.globals[access.global.index()];
        let lock = global.guard.map(|guard| &self.program.globals[guard.lock.index()].name);
        let lock = lock.map_or(String::new(), |lock| format!(" `{lock}`"));
        let failed =
            format!("`{}` is accessed here, and its lock{lock} may not be held", global.name);
        let mut about = Obligation::new(Code::UnguardedAccess, access.span, failed);
        about.declared = global.guard.map(|guard| guard.span);
        about.help = Some(format!("acquire{lock} before"));
        about
    }

    /// The locks that guard one of these variables, and the variables themselves.
    pub(super) fn with_locks(&self, globals: &BTreeSet<GlobalId>) -> BTreeSet<GlobalId> {
        let guards = globals.iter().filter_map(|id| self.program.globals[id.index()].guard);
        guards.map(|guard| guard.lock).chain(globals.iter().copied()).collect()
    }
}
