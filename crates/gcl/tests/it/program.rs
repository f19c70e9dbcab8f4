//! Guarded commands in few words, for tests.

use gcl::{
    Acyclic, BlockLabel, Body, Check, Loop, LoopInvariant, LoopMode, MarkId, Stmt, Variable,
};
use logic::{Sort, Symbol, Term, Terms};
use verdict::ObligationId;

/// A store with numbers `x`, `y`, `z`, of which `z` is from 0 to 3, and a truth value `b`.
pub(crate) struct Program {
    pub(crate) terms: Terms,
    pub(crate) x: Symbol,
    pub(crate) y: Symbol,
    pub(crate) z: Symbol,
    pub(crate) b: Symbol,
    variables: Vec<Variable>,
}

impl Program {
    pub(crate) fn new() -> Self {
        let mut terms = Terms::default();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Int));
        let b = terms.symbol("b", Sort::Bool);
        let (value, low, high) = (terms.constant(z), terms.int(0), terms.int(3));
        let (above, below) = (terms.le(low, value), terms.le(value, high));
        let fact = Some(terms.and(vec![above, below]));
        let variables = vec![
            Variable { symbol: x, fact: None },
            Variable { symbol: y, fact: None },
            Variable { symbol: z, fact },
            Variable { symbol: b, fact: None },
        ];
        Self { terms, x, y, z, b, variables }
    }

    pub(crate) fn value(&mut self, variable: Symbol) -> Term {
        self.terms.constant(variable)
    }

    /// `variable + number`
    pub(crate) fn plus(&mut self, variable: Symbol, number: i128) -> Term {
        let (value, number) = (self.terms.constant(variable), self.terms.int(number));
        self.terms.add(vec![value, number])
    }

    /// `variable == number`
    pub(crate) fn is(&mut self, variable: Symbol, number: i128) -> Term {
        let (value, number) = (self.terms.constant(variable), self.terms.int(number));
        self.terms.eq(value, number)
    }

    /// `variable <= number`
    pub(crate) fn at_most(&mut self, variable: Symbol, number: i128) -> Term {
        let (value, number) = (self.terms.constant(variable), self.terms.int(number));
        self.terms.le(value, number)
    }

    /// `variable := number`
    pub(crate) fn set<L>(&mut self, variable: Symbol, number: i128) -> Stmt<L> {
        Stmt::Assign(vec![(variable, self.terms.int(number))])
    }

    /// `variable := variable + 1`
    pub(crate) fn step<L>(&mut self, variable: Symbol) -> Stmt<L> {
        Stmt::Assign(vec![(variable, self.plus(variable, 1))])
    }

    pub(crate) fn body(&self, stmts: Vec<Stmt>) -> Body {
        Body { variables: self.variables.clone(), background: Vec::new(), stmts }
    }

    pub(crate) fn acyclic(&mut self, stmts: Vec<Stmt>) -> Acyclic {
        let body = self.body(stmts);
        gcl::cut_loops(&mut self.terms, &body, LoopMode::Cut)
    }
}

/// A check that is known afterwards.
pub(crate) fn assert<L>(number: u32, term: Term) -> Stmt<L> {
    Stmt::Assert(vec![check(number, vec![term], true)])
}

pub(crate) fn check(number: u32, parts: Vec<Term>, then_known: bool) -> Check {
    Check { parts, obligation: ObligationId(number), then_known }
}

pub(crate) fn block<L>(label: u32, stmts: Vec<Stmt<L>>) -> Stmt<L> {
    Stmt::Block(BlockLabel(label), stmts)
}

pub(crate) fn exit<L>(label: u32) -> Stmt<L> {
    Stmt::Exit(BlockLabel(label))
}

pub(crate) fn mark<L>(number: u32) -> Stmt<L> {
    Stmt::Mark(MarkId(number))
}

/// A loop whose invariant, if it has one, is obligations `number` and `number + 1`.
pub(crate) fn repeat(number: u32, invariant: Option<Term>, body: Vec<Stmt>) -> Stmt {
    let invariant = invariant.map(|term| LoopInvariant {
        parts: vec![term],
        established: ObligationId(number),
        preserved: ObligationId(number + 1),
    });
    let invariants = invariant.into_iter().collect();
    Stmt::Loop(Loop { invariants, free: Vec::new(), head: MarkId(number), body })
}
