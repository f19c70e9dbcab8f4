//! Guarded commands with loops. True of it: every variable that is assigned is declared in
//! [`Body::variables`]; every [`Stmt::Exit`] stands inside the block it names; formulas mention the
//! current values of variables.

use logic::{Symbol, Term};
use verdict::ObligationId;

/// The code of one thread, procedure or method.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// What can be assigned. Symbols that are not listed have one value throughout.
    pub variables: Vec<Variable>,
    /// True of the symbols that have one value throughout.
    pub background: Vec<Term>,
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// Something that can be assigned.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The variable.
    pub symbol: Symbol,
    /// True of each of its values, for instance that it lies in a range: assumed of the initial
    /// and of every arbitrary value.
    pub fact: Option<Term>,
}

/// The name of a [`Stmt::Block`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockLabel(pub u32);

source::ids! {
    /// A point to be shown in traces; the front end knows what it means.
    MarkId,
}

/// A statement. `L` is the type of loops; code without loops is `Stmt<Infallible>`.
#[derive(Clone, Debug)]
pub enum Stmt<L = Loop> {
    /// All right-hand sides are evaluated, then all variables get their values.
    Assign(Vec<(Symbol, Term)>),
    /// Arbitrary values that satisfy the variables' facts.
    Havoc(Vec<Symbol>),
    /// Only runs in which the formula holds go on.
    Assume(Term),
    /// The checks are made independently of each other; runs go on if those hold that are
    /// [`Check::then_known`].
    Assert(Vec<Check>),
    /// Some run should get here and satisfy the formula; no effect on runs.
    Cover(Term, ObligationId),
    /// One of the branches.
    Choice(Vec<Vec<Stmt<L>>>),
    /// The statements; `Exit` of the label inside goes to the end.
    Block(BlockLabel, Vec<Stmt<L>>),
    /// To the end of the enclosing block of this label.
    Exit(BlockLabel),
    /// Forever, until an `Exit`.
    Loop(L),
    /// A point to be shown in traces.
    Mark(MarkId),
}

/// Something to be shown at one place.
#[derive(Clone, Debug)]
pub struct Check {
    /// All of these must hold. They are kept apart to say which one fails.
    pub parts: Vec<Term>,
    /// The obligation it belongs to.
    pub obligation: ObligationId,
    /// Whether runs that go on may use that it holds. Leaving that out is always sound, and right
    /// for checks that are of no use later: each is one more case for the solver to consider.
    pub then_known: bool,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What must hold whenever an iteration starts.
    pub invariants: Vec<LoopInvariant>,
    /// What does hold whenever an iteration starts, by an argument of the front end. May mention
    /// variables that the loop does not change, for instance copies of values from before the
    /// loop.
    pub free: Vec<Term>,
    /// The point "after some iterations".
    pub head: MarkId,
    /// One iteration.
    pub body: Vec<Stmt>,
}

/// One loop invariant.
#[derive(Clone, Debug)]
pub struct LoopInvariant {
    /// The formula, in parts.
    pub parts: Vec<Term>,
    /// That it holds when the loop is entered.
    pub established: ObligationId,
    /// That an iteration keeps it.
    pub preserved: ObligationId,
}
