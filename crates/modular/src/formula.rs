//! Formulas that the rules assume and check: those that somebody wrote, and those that are looked
//! for.
//!
//! An unknown formula is a predicate of which nothing is known:
//!
//! ```text
//! R(tid, x, .., x', ..)     a rely: the running thread, the shared store before and after a step
//! J(x, ..)                  an invariant: the shared store
//! ```
//!
//! The rules treat it like a written formula that mentions all shared variables and `tid`. If for
//! some meaning of the unknown formulas all obligations of all tasks hold, made with the same
//! [`Unknowns`] and together with those of [`crate::unknowns_task`], then with that meaning they
//! are relies and invariants of the program.

use crate::Context;
use crate::environment::{Conjunct, Invariant};
use crate::expr::Scope;
use crate::mentions;
use crate::types::sort;
use logic::{Func, Sort, Term, Terms};
use plato::hir::{Expr, GlobalId, Program, Root};
use source::Span;
use std::collections::BTreeSet;
use std::fmt;

/// A formula of a rely or an invariant.
#[derive(Clone, Copy, Debug)]
pub enum Formula<'a> {
    /// Somebody wrote it.
    Written(&'a Expr),
    /// It is looked for.
    Unknown(Unknown),
}

/// A predicate of which nothing is known, made by [`Unknowns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unknown {
    stores: Stores,
    /// Its position among those of the same kind.
    number: u32,
    span: Span,
}

/// What an unknown formula speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stores {
    /// One shared store: an invariant.
    One,
    /// A thread and the shared store before and after a step: a rely.
    Two,
}

/// The unknown formulas that stand beside the written ones: none unless some are added.
#[derive(Clone, Debug, Default)]
pub struct Unknowns {
    relies: Vec<Unknown>,
    invariants: Vec<Unknown>,
}

impl Unknowns {
    /// Adds a rely of every thread. Failures to keep it are reported about `span`, a place where it
    /// could be written.
    pub fn add_rely(&mut self, span: Span) -> Unknown {
        add(&mut self.relies, Stores::Two, span)
    }

    /// Adds an invariant. Failures to keep it are reported about `span`, a place where it could be
    /// written.
    pub fn add_invariant(&mut self, span: Span) -> Unknown {
        add(&mut self.invariants, Stores::One, span)
    }

    /// The relies.
    pub(crate) fn relies<'a>(&self) -> impl Iterator<Item = Conjunct<'a>> + '_ {
        let conjunct = |&unknown: &Unknown| (Formula::Unknown(unknown), unknown.span);
        self.relies.iter().map(conjunct).map(|(formula, item)| Conjunct { formula, item })
    }

    /// The invariants.
    pub(crate) fn invariants<'a>(&self) -> impl Iterator<Item = Invariant<'a>> + '_ {
        self.invariants.iter().map(|&unknown| Invariant {
            formula: Formula::Unknown(unknown),
            item: unknown.span,
            negated: false,
            name: None,
        })
    }
}

fn add(to: &mut Vec<Unknown>, stores: Stores, span: Span) -> Unknown {
    let number = source::number(to.len());
    let unknown = Unknown { stores, number, span };
    to.push(unknown);
    unknown
}

impl Unknown {
    /// The predicate in the terms of a task: over the thread, if it is a rely, and the values of
    /// all shared variables in the order of their declarations, for a rely before the step and then
    /// after it.
    pub fn predicate(self, program: &Program, terms: &mut Terms) -> Func {
        let store = || program.globals.iter().map(|global| sort(program, &global.ty));
        let args = match self.stores {
            Stores::One => store().collect(),
            Stores::Two => std::iter::once(Sort::Int).chain(store()).chain(store()).collect(),
        };
        terms.func(&format!("{self}@"), args, Sort::Bool)
    }

    /// The predicate of the thread and the stores of the scope.
    fn term(self, context: &mut Context<'_>, scope: &Scope) -> Term {
        let func = self.predicate(context.program, &mut context.terms);
        let mut args = Vec::new();
        let primes: &[bool] = match self.stores {
            Stores::One => &[false],
            Stores::Two => {
                args.push(scope.tid.expect("internal error: a rely where no thread runs"));
                &[false, true]
            }
        };
        for &primed in primes {
            for global in context.global_ids() {
                let symbol = context.symbol_of(scope, Root::Global(global), primed);
                args.push(context.terms.constant(symbol));
            }
        }
        context.terms.apply(func, args)
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stores {
            Stores::One => write!(f, "unknown invariant {}", self.number),
            Stores::Two => write!(f, "unknown rely {}", self.number),
        }
    }
}

impl Formula<'_> {
    /// Its place, or for an unknown one where it could be written.
    pub fn span(self) -> Span {
        match self {
            Self::Written(expr) => expr.span,
            Self::Unknown(unknown) => unknown.span,
        }
    }

    /// The shared variables that it mentions.
    pub(crate) fn mentions(self, program: &Program) -> BTreeSet<GlobalId> {
        let mut found = BTreeSet::new();
        match self {
            Self::Written(expr) => mentions::of_expr(program, expr, &mut found),
            Self::Unknown(_) => found.extend(mentions::all_globals(program)),
        }
        found
    }

    /// Whether it may say one thing of one thread and another thing of another.
    pub(crate) fn mentions_tid(self, program: &Program) -> bool {
        match self {
            Self::Written(expr) => mentions::mentions_tid(program, expr),
            Self::Unknown(unknown) => unknown.stores == Stores::Two,
        }
    }
}

impl Context<'_> {
    /// The term of a formula.
    pub(crate) fn formula(&mut self, scope: &Scope, formula: Formula<'_>) -> Term {
        match formula {
            Formula::Written(expr) => self.term(scope, expr),
            Formula::Unknown(unknown) => unknown.term(self, scope),
        }
    }

    /// Terms whose conjunction is the formula, each with its place.
    pub(crate) fn formula_parts(
        &mut self,
        scope: &Scope,
        formula: Formula<'_>,
    ) -> Vec<(Term, Span)> {
        match formula {
            Formula::Written(expr) => self.parts(scope, expr),
            Formula::Unknown(unknown) => vec![(unknown.term(self, scope), unknown.span)],
        }
    }
}
