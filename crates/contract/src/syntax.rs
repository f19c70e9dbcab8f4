//! A design as it is written: names are not resolved, nothing is expanded yet. Every node has its
//! place.

use source::{Name, Span};

/// A whole text.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// The unit classes in order.
    pub classes: Vec<Class>,
    /// The instance configurations in order.
    pub systems: Vec<System>,
}

/// A name at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// `root class A { ... }` or `unit class A { ... }`
#[derive(Clone, Debug)]
pub struct Class {
    /// What it is called.
    pub name: Ident,
    /// Whether each of its instances has a thread of its own.
    pub is_root: bool,
    /// What it has.
    pub members: Vec<Member>,
}

/// A member of a class.
#[derive(Clone, Debug)]
pub enum Member {
    /// `cond a, b;`
    Conditions(Vec<Ident>),
    /// `var a, b: C;` or `var a: C[*];`
    Variables {
        /// The variables.
        names: Vec<Ident>,
        /// What they refer to.
        class: Ident,
        /// Whether each refers to any number of units.
        many: bool,
    },
    /// `sync c ==> a ^ b;`
    Constraint {
        /// Where it stands.
        span: Span,
        /// When it entails.
        when: Formula<Ident>,
        /// What it entails.
        entails: Vec<Ident>,
    },
    /// `state s {a} initial calls x.op;`
    State {
        /// What it is called.
        name: Ident,
        /// The conditions that are true in it.
        truths: Vec<Ident>,
        /// The word `initial`, if it is there.
        initial: Option<Span>,
        /// What may be called in it.
        calls: Vec<(Ident, Ident)>,
    },
    /// `before eat [g]: s -> t / x := y;`
    Transition(Transition),
    /// `calls any;`, at its place
    CallsAny(Span),
}

/// A transition of a class.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it stands.
    pub span: Span,
    /// What it is part of.
    pub kind: TransitionKind,
    /// The operation or the step.
    pub label: Ident,
    /// All of these must be true.
    pub guard: Vec<GuardPart>,
    /// The state before.
    pub from: Ident,
    /// The state after.
    pub to: Ident,
    /// What changes, all at once.
    pub assigns: Vec<(Ident, Value)>,
}

/// What a transition is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransitionKind {
    /// The beginning of an operation.
    Before,
    /// The end of an operation.
    After,
    /// Neither.
    Step,
}

/// `x == y` or `x != nil`
#[derive(Clone, Debug)]
pub struct GuardPart {
    /// The left variable.
    pub left: Ident,
    /// Whether they must be equal.
    pub equal: bool,
    /// The right variable; `nil` if there is none.
    pub right: Option<Ident>,
}

/// What a variable is set to.
#[derive(Clone, Debug)]
pub enum Value {
    /// `nil`
    Nil,
    /// `x`
    Variable(Ident),
    /// `x.y`
    Path(Ident, Ident),
    /// `any C`
    Any(Ident),
}

/// A formula over atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula<A> {
    /// Always.
    True,
    /// An atom.
    Atom(A),
    /// Not this.
    Not(Box<Formula<A>>),
    /// All of these.
    And(Vec<Formula<A>>),
    /// One of these.
    Or(Vec<Formula<A>>),
}

/// `system S(n = 3) { ... }`
#[derive(Clone, Debug)]
pub struct System {
    /// What it is called.
    pub name: Ident,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// What it consists of.
    pub decls: Vec<Decl>,
}

/// `n = 3`, or `n >= 3` for all of these values
#[derive(Clone, Debug)]
pub struct Parameter {
    /// What it is called.
    pub name: Ident,
    /// Its value, or the least one.
    pub value: i64,
    /// Whether it stands for every greater number as well.
    pub is_any: bool,
}

/// A part of a system.
#[derive(Clone, Debug)]
pub enum Decl {
    /// `P[i]: C;`
    Unit(Reference, Ident),
    /// `P[i].x = F[i];`
    Binding {
        /// Whose variable.
        unit: Reference,
        /// Which variable.
        variable: Ident,
        /// What it refers to.
        values: Vec<Reference>,
    },
    /// `for i in 0..n { ... }`
    For {
        /// The loop variable.
        name: Ident,
        /// From here.
        from: Number,
        /// Up to here, not including.
        to: Number,
        /// What is repeated.
        body: Vec<Decl>,
    },
    /// `policy aon, unit;`
    Policies(Vec<Ident>),
    /// `property p: ...;`
    Property(Property),
}

/// `P`, `P[i]` or `P[*]`
#[derive(Clone, Debug)]
pub struct Reference {
    /// The name of the unit or family.
    pub name: Ident,
    /// Which member.
    pub index: Option<Index>,
    /// Where it stands.
    pub span: Span,
}

/// Which member of a family.
#[derive(Clone, Debug)]
pub enum Index {
    /// The one with this number.
    Number(Number),
    /// All of them.
    All,
}

/// A number, computed when the system is made.
#[derive(Clone, Debug)]
pub enum Number {
    /// Itself.
    Literal(i64, Span),
    /// The value of a parameter or of a loop variable.
    Name(Ident),
    /// Two numbers and an operator.
    Binary(Box<[Number; 2]>, Operator, Span),
}

/// An operator on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `%`, never negative
    Modulo,
}

/// `property p: never ...;`
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is called.
    pub name: Ident,
    /// What it says.
    pub claim: Claim,
}

/// What a property says.
#[derive(Clone, Debug)]
pub enum Claim {
    /// No reachable state satisfies it.
    Never(Formula<Atom>),
    /// Every reachable state satisfies it.
    Always(Formula<Atom>),
    /// No two threads are inside the same unit.
    NoInterference,
    /// None of these threads waits for ever while the middleware is fair.
    NoStarvation(Reference),
}

/// A question about a state.
#[derive(Clone, Debug)]
pub enum Atom {
    /// `u at s`
    At(Reference, Ident),
    /// `u is c`
    Is(Reference, Ident),
    /// `u held`, `u held by t`
    Held(Reference, Option<Reference>),
    /// `t waits`, `t waits for u`
    Waits(Reference, Option<Reference>),
    /// `u.x == v`
    Refers(Reference, Ident, Option<Reference>),
    /// `all i in 0..n: ...` if the flag is set, else `some i in 0..n: ...`
    Each {
        /// Whether all are meant.
        all: bool,
        /// The loop variable.
        name: Ident,
        /// From here.
        from: Number,
        /// Up to here, not including.
        to: Number,
        /// The formula about each.
        body: Box<Formula<Atom>>,
    },
}

impl Number {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Literal(_, span) | Self::Binary(_, _, span) => *span,
            Self::Name(ident) => ident.span,
        }
    }
}
