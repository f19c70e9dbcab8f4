//! The names that are visible and the constructs that are allowed at a place: bound variables,
//! locals, primes, `tid`.

use super::performs::NamedActions;
use super::{Owner, Resolver, Seen, fault};
use crate::ast::{Ident, Param};
use crate::hir::{self, BoundId, LabelId, LocalId, ModuleId, Ty};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeMap;

/// The constructs that the current formula may use.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) module: Option<ModuleId>,
    pub(super) stores: Stores,
    /// Whether only values that are known before the run may be mentioned. Types of variables are
    /// not known then either.
    pub(super) constant: bool,
    /// Whether there is a running thread.
    pub(super) tid: bool,
    /// Whether `at` makes sense.
    pub(super) labels: bool,
    /// Whether locals are visible, so that an unknown name is just unknown.
    pub(super) in_code: bool,
    /// For messages: what kind of formula it is.
    pub(super) place: &'static str,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stores {
    /// No primes.
    #[default]
    One,
    /// Primes on shared variables.
    Two,
    /// Primes on locals too.
    TwoWithLocals,
}

/// A name that is not an item's.
#[derive(Clone, Copy)]
pub(super) enum Binding {
    Local(LocalId),
    Bound(BoundId),
    /// Its declaration was faulty.
    Broken,
}

/// A loop, or a block with a label.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) label: Option<LabelId>,
    pub(super) is_loop: bool,
}

/// Names in scope, and the body being resolved.
#[derive(Default)]
pub(super) struct Scope {
    bindings: BTreeMap<Name, (Binding, Span)>,
    hidden: Vec<(Name, Option<(Binding, Span)>)>,
    pub(super) locals: Vec<hir::Local>,
    pub(super) owner: Option<Owner>,
    pub(super) results: Vec<Option<Ty>>,
    /// In a thread that is forked: where `return` leads, and the results that it writes.
    pub(super) returns: Option<(LabelId, Vec<LocalId>)>,
    /// The text of the statement at hand.
    pub(super) text: Option<Span>,
    pub(super) labels: BTreeMap<Name, Span>,
    /// What `break` may leave here: the loops and labelled blocks around the statement, innermost
    /// last, up to the innermost `atomic`.
    pub(super) around: Vec<Around>,
    pub(super) around_atomic: Vec<Around>,
    pub(super) in_atomic: bool,
    /// Whether it is the code of an `atomic proc`.
    pub(super) reduced: bool,
    /// The named actions of the specification.
    pub(super) actions: NamedActions,
    pub(super) seen: Seen,
}

impl Scope {
    /// The empty scope of someone's code.
    pub(super) fn of(owner: Owner, results: Vec<Option<Ty>>) -> Self {
        Self { owner: Some(owner), results, ..Self::default() }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.bindings.keys()
    }

    pub(super) fn get(&self, name: &Name) -> Option<Binding> {
        self.bindings.get(name).map(|&(binding, _)| binding)
    }

    /// A mark for [`Scope::leave`].
    pub(super) fn enter(&self) -> usize {
        self.hidden.len()
    }

    /// Forgets the names bound since the mark.
    pub(super) fn leave(&mut self, mark: usize) {
        while self.hidden.len() > mark {
            match self.hidden.pop() {
                Some((name, Some(before))) => self.bindings.insert(name, before),
                Some((name, None)) => self.bindings.remove(&name),
                None => return,
            };
        }
    }
}

impl Resolver {
    pub(super) fn bind(&mut self, name: &Ident, binding: Binding) {
        let outer = self.scope.bindings.get(&name.name).map(|&(_, span)| span);
        let item = self.symbols.visible(self.context.module, &name.name);
        let first = outer.or(item.map(|declared| declared.span));
        if let Some(first) = first {
            let message = format!("`{}` is declared already where this is visible", name.name);
            let error = fault(Code::DuplicateName, name.span, message)
                .at("hides the other declaration")
                .label(first, "first declared here")
                .help("rename one of them, so that traces can be read");
            self.report(error);
        }
        let before = self.scope.bindings.insert(name.name.clone(), (binding, name.span));
        self.scope.hidden.push((name.name.clone(), before));
    }

    /// Binds parameters of a predicate or a quantifier, whose types are known to be right or
    /// reported.
    pub(super) fn bind_params(&mut self, params: &[Param], types: &[Option<Ty>]) -> Vec<BoundId> {
        let mut ids = Vec::new();
        for (param, ty) in params.iter().zip(types) {
            let id = BoundId::from_index(self.program.bounds.len());
            let (name, span) = (param.name.name.clone(), param.name.span);
            let ty = ty.clone();
            let binding = if ty.is_some() { Binding::Bound(id) } else { Binding::Broken };
            self.program.bounds.push(hir::Binder { name, ty: ty.unwrap_or(Ty::Int), span });
            self.bind(&param.name, binding);
            ids.push(id);
        }
        ids
    }

    pub(super) fn bind_local(&mut self, name: &Ident, ty: Option<Ty>) -> LocalId {
        let id = LocalId::from_index(self.scope.locals.len());
        let binding = if ty.is_some() { Binding::Local(id) } else { Binding::Broken };
        let ty = ty.unwrap_or(Ty::Int);
        self.scope.locals.push(hir::Local { name: name.name.clone(), ty, span: name.span });
        self.bind(name, binding);
        id
    }

    /// Runs a rule in a context, with nothing seen yet; then restores the old one.
    pub(super) fn within<T>(&mut self, context: Context, rule: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.context, context);
        let result = rule(self);
        self.context = before;
        result
    }
}
