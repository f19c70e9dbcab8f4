//! Variables of the declaration at hand.

use super::Checker;
use super::collect::duplicate;
use crate::hir::{Local, LocalId, LocalKind, Type};
use crate::syntax::{Ident, Param};
use source::Name;

impl Checker<'_> {
    pub(super) fn lookup(&self, name: &Name) -> Option<LocalId> {
        self.visible.iter().rev().copied().find(|id| self.locals[id.index()].name == *name)
    }

    /// Declares a variable. A name that is already visible is reported: variables do not hide each
    /// other.
    pub(super) fn declare(
        &mut self,
        ident: &Ident,
        ty: Type,
        kind: LocalKind,
        ghost: bool,
    ) -> LocalId {
        if let Some(first) = self.lookup(&ident.name) {
            let first = self.locals[first.index()].span;
            self.report(duplicate(ident, first));
        }
        let id = self.add_local(ident, ty, kind, ghost);
        self.visible.push(id);
        id
    }

    /// Adds a variable that no name leads to.
    pub(super) fn add_local(
        &mut self,
        ident: &Ident,
        ty: Type,
        kind: LocalKind,
        ghost: bool,
    ) -> LocalId {
        let id = LocalId::from_index(self.locals.len());
        self.locals.push(Local { name: ident.name.clone(), span: ident.span, ty, kind });
        self.ghosts.push(ghost);
        id
    }

    pub(super) fn declare_params(
        &mut self,
        params: &[Param],
        types: &[Type],
        kind: LocalKind,
    ) -> Vec<LocalId> {
        let pairs = params.iter().zip(types);
        pairs.map(|(param, ty)| self.declare(&param.name, ty.clone(), kind, false)).collect()
    }

    /// Runs with a scope of its own.
    pub(super) fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let visible = self.visible.len();
        let result = run(self);
        self.visible.truncate(visible);
        result
    }

    pub(super) fn is_ghost(&self, id: LocalId) -> bool {
        self.ghosts[id.index()]
    }
}
