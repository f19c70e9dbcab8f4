//! Statements of the typed program.

use super::{Expr, GlobalId, LabelId, LocalId, ProcId, Ty};
use crate::ast::Fault;
use source::{Name, Span};

/// Code with its local variables.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// All locals, of all scopes.
    pub locals: Vec<Local>,
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A variable of one thread.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty if the language made it, so that there is nothing to show.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Its declaration.
    pub span: Span,
}

/// A label of a statement.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// Which action of the procedure's specification a step performs.
#[derive(Clone, Debug)]
pub struct Performs {
    /// Index into [`Spec::actions`](super::Spec::actions).
    pub action: usize,
    /// It does so if this holds after the step.
    pub cond: Option<Expr>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its label.
    pub label: Option<LabelId>,
    /// The action that its one step performs.
    pub performs: Option<Performs>,
    /// Whether it makes no difference if others step just before or just after it.
    pub undisturbed: bool,
    /// Its text, without the blocks it contains (for `if`, `while`, ...: keyword and condition).
    pub span: Span,
}

impl Stmt {
    /// The expressions of the statement itself, without those of nested statements and of places.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Skip
            | StmtKind::Havoc(_)
            | StmtKind::Acquire(_)
            | StmtKind::Release(_)
            | StmtKind::Atomic(_)
            | StmtKind::Choose(_)
            | StmtKind::Block(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Unsupported(_) => Vec::new(),
            StmtKind::Assign(pairs) => pairs.iter().map(|(_, value)| value).collect(),
            StmtKind::Assert(expr) | StmtKind::Check(expr, _) | StmtKind::Assume(expr) => {
                vec![expr]
            }
            StmtKind::CasSwap { expected, .. } => vec![expected],
            StmtKind::Cas { expected, new, .. } => vec![expected, new],
            StmtKind::Action(action) => action
                .requires
                .iter()
                .chain(std::iter::once(&action.action))
                .chain(&action.ensures)
                .collect(),
            StmtKind::If { cond, .. } => cond.iter().collect(),
            StmtKind::While { cond, invariants, guesses, .. } => {
                cond.iter().chain(invariants).chain(guesses).collect()
            }
            StmtKind::Call { args, .. } => args.iter().collect(),
            StmtKind::Return(values) => values.iter().collect(),
        }
    }

    /// The places the statement itself writes.
    pub fn places(&self) -> Vec<&Place> {
        match &self.kind {
            StmtKind::Assign(pairs) => pairs.iter().map(|(place, _)| place).collect(),
            StmtKind::Havoc(places) => places.iter().collect(),
            StmtKind::Acquire(place) | StmtKind::Release(place) => vec![place],
            StmtKind::CasSwap { location, new, .. } => vec![location, new],
            StmtKind::Cas { result, location, .. } => {
                result.iter().chain(std::iter::once(location)).collect()
            }
            StmtKind::Call { results, .. } => results.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The statement lists directly inside.
    pub fn blocks(&self) -> Vec<&[Self]> {
        match &self.kind {
            StmtKind::Atomic(body) | StmtKind::Block(body) | StmtKind::While { body, .. } => {
                vec![body]
            }
            StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
            StmtKind::Choose(branches) => branches.iter().map(Vec::as_slice).collect(),
            _ => Vec::new(),
        }
    }
}

/// The kind of a statement. Unless said otherwise, it is one step.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing.
    Skip,
    /// All right-hand sides and indices are evaluated, then all places are written.
    /// A local declared with a value is an assignment too.
    Assign(Vec<(Place, Expr)>),
    /// Arbitrary values of the places' types. A local declared without a value is a `havoc` too.
    Havoc(Vec<Place>),
    /// Goes wrong unless the expression holds.
    Assert(Expr),
    /// Goes wrong unless the expression holds, and then is told in other words.
    Check(Expr, Box<Fault>),
    /// Blocks until the expression holds.
    Assume(Expr),
    /// Blocks until the place is 0, then writes `tid`.
    Acquire(Place),
    /// Goes wrong unless the place is `tid`, then writes 0.
    Release(Place),
    /// Paper 2, figure 2: if `location == expected`, swaps `location` and `new`.
    CasSwap {
        /// The shared place.
        location: Place,
        /// The value it is compared with.
        expected: Expr,
        /// The place it is swapped with.
        new: Place,
    },
    /// `result := cas(location, expected, new)`: writes `new` and true, or just false.
    Cas {
        /// Where success is written.
        result: Option<Place>,
        /// The shared place.
        location: Place,
        /// The value it is compared with.
        expected: Expr,
        /// The value written on success.
        new: Expr,
    },
    /// `requires ? <action>_modifies`, checked by `ensures`.
    Action(Box<Action>),
    /// All of the statements in one step; blocks if one of them does.
    Atomic(Vec<Stmt>),
    /// The evaluation of the condition is one step; without a condition, an arbitrary choice.
    If {
        /// `None` means `*`.
        cond: Option<Expr>,
        /// If it holds.
        then: Vec<Stmt>,
        /// If not.
        otherwise: Vec<Stmt>,
    },
    /// Each evaluation of the condition is one step; without a condition, iteration `S*`.
    While {
        /// `None` means `*`, also written `loop`.
        cond: Option<Expr>,
        /// Loop invariants; two stores never, locals allowed.
        invariants: Vec<Expr>,
        /// Loop invariants that are used if they hold.
        guesses: Vec<Expr>,
        /// The iterated statements.
        body: Vec<Stmt>,
    },
    /// An arbitrary one of the branches; the choice itself is no step.
    Choose(Vec<Vec<Stmt>>),
    /// The statements in order; no step of its own.
    Block(Vec<Stmt>),
    /// Evaluates the arguments (one step), runs the body, writes the results (one step).
    Call {
        /// The callee.
        callee: ProcId,
        /// Its arguments.
        args: Vec<Expr>,
        /// Where the results go: none, or one place per result.
        results: Vec<Place>,
    },
    /// Writes the results if values are given (one step), and leaves the procedure or ends the
    /// thread.
    Return(Vec<Expr>),
    /// Leaves the loop or block with this label, or the innermost loop; no step.
    Break(Option<LabelId>),
    /// Goes to the next iteration of the loop with this label, or of the innermost loop; no step.
    Continue(Option<LabelId>),
    /// Something that a translation could not express; the text names it. The behaviour of a run
    /// from here on is not known.
    Unsupported(String),
}

/// An atomic operation in full.
#[derive(Clone, Debug)]
pub struct Action {
    /// The variables that may change.
    pub modifies: Vec<Root>,
    /// Goes wrong unless this holds before.
    pub requires: Option<Expr>,
    /// The two-store relation; primes on globals and locals.
    pub action: Expr,
    /// Goes wrong unless this holds of both stores.
    pub ensures: Option<Expr>,
}

/// Something that can be written: a variable, or a place inside a map: `x`, `m[i]`, `m[i][j]`.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// The indices, outermost map first.
    pub indices: Vec<Expr>,
    /// The type of the place.
    pub ty: Ty,
    /// Its text.
    pub span: Span,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// Shared.
    Global(GlobalId),
    /// Of this thread.
    Local(LocalId),
}
