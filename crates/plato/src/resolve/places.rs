//! Places that can be written.

use super::scope::Binding;
use super::symbols::Symbol;
use super::{Resolver, fault};
use crate::ast;
use crate::hir::{Place, Root, Ty};
use diagnostic::Code;
use source::Span;

impl Resolver {
    pub(super) fn place(&mut self, place: &ast::Place) -> Option<Place> {
        let indices: Vec<&ast::Expr> = place.indices.iter().collect();
        self.place_of(&place.path, &indices, place.span)
    }

    pub(super) fn place_of(
        &mut self,
        path: &ast::Path,
        indices: &[&ast::Expr],
        span: Span,
    ) -> Option<Place> {
        let (root, mut ty) = self.root(path)?;
        let mut keys = Some(Vec::new());
        for key in indices {
            let Ty::Map(key_ty, value_ty) = ty else {
                self.not_a_map(key.span, &ty);
                return None;
            };
            match (self.check(key, &key_ty), keys.as_mut()) {
                (Some(key), Some(keys)) => keys.push(key),
                _ => keys = None,
            }
            ty = *value_ty;
        }
        Some(Place { root, indices: keys?, ty, span })
    }

    pub(super) fn not_a_map(&mut self, span: Span, ty: &Ty) {
        let message = format!("expected a map, found `{}`", self.show(ty));
        let mut error =
            fault(Code::TypeMismatch, span, message).at("indexes something that is not a map");
        if matches!(ty, Ty::Set(_)) {
            error =
                error.help("membership in a set is written `a in s`; a family of threads is a set");
        }
        self.report(error);
    }

    /// A variable and its type.
    pub(super) fn root(&mut self, path: &ast::Path) -> Option<(Root, Ty)> {
        let first = &path.segments[0];
        if path.segments.len() == 1 {
            match self.scope.get(&first.name) {
                Some(Binding::Local(id)) => {
                    let ty = self.scope.locals[id.index()].ty.clone();
                    return Some((Root::Local(id), ty));
                }
                Some(Binding::Broken) => return None,
                Some(Binding::Bound(_)) => return self.not_assignable(path, "a bound variable"),
                None => {}
            }
        }
        if first.name.as_str() == "tid" {
            return self.not_assignable(path, "the running thread");
        }
        match self.lookup(path)? {
            Symbol::Global(id) if self.own_variables.contains(&id) => {
                self.not_assignable(path, "what `fork` and the end of a thread write")
            }
            Symbol::Global(id) => {
                let ty = self.global_types[id.index()].clone()?;
                Some((Root::Global(id), ty))
            }
            other => self.not_assignable(path, other.describe()),
        }
    }

    fn not_assignable<T>(&mut self, path: &ast::Path, what: &str) -> Option<T> {
        let error = fault(Code::NotAssignable, path.span, format!("{what} cannot be written"))
            .at("not a variable")
            .help("only variables declared with `var` or `mutex`, parameters and results can be written");
        self.report(error);
        None
    }

    /// Like `root`, but silent if it is not a variable: for `cas(l, e, n)`, where `n` may be any
    /// value.
    pub(super) fn is_variable(&self, path: &ast::Path) -> bool {
        let local = match path.segments.as_slice() {
            [only] => self.scope.get(&only.name),
            _ => None,
        };
        match local {
            Some(Binding::Local(_) | Binding::Broken) => true,
            Some(Binding::Bound(_)) => false,
            None => matches!(self.find(path), Some(Symbol::Global(_))),
        }
    }

    pub(super) fn lock(&mut self, place: &ast::Place) -> Option<Place> {
        let place = self.place(place)?;
        if place.ty == Ty::Tid {
            return Some(place);
        }
        let message = format!("expected a mutex, found `{}`", self.show(&place.ty));
        let error = fault(Code::TypeMismatch, place.span, message)
            .at("a mutex holds the thread that has it")
            .help("declare it with `mutex m;`, or give it type `Tid`");
        self.report(error);
        None
    }

    /// Refuses to write the same variable twice in one step; entries of a map may repeat.
    pub(super) fn distinct(&mut self, places: &[Place]) -> Option<()> {
        let mut first: std::collections::BTreeMap<Root, &Place> = std::collections::BTreeMap::new();
        for place in places {
            let Some(before) = first.get(&place.root) else {
                first.insert(place.root, place);
                continue;
            };
            if before.indices.is_empty() || place.indices.is_empty() {
                let error = fault(
                    Code::DuplicateName,
                    place.span,
                    "a variable is written twice in one step",
                )
                .at("written again")
                .label(before.span, "first written here")
                .help("write two statements, or name the variable once");
                self.report(error);
                return None;
            }
        }
        Some(())
    }
}
