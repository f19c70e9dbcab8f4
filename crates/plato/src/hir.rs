//! The typed program.
//!
//! True of it: every name is resolved to an id, every expression has a type, every constant that has a value is evaluated,
//! definitions of constants from outside are applied, no predicate is recursive, primes stand only where there are two
//! stores, threads' locals stand only in code. Sugar that carries meaning for messages (`acquire`, `cas`, `while`) is
//! still there; labels, local declarations and `!in` are not.

use source::{Name, Span};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Named constants.
    pub consts: Vec<Const>,
    /// Enumerations.
    pub enums: Vec<Enum>,
    /// Uninterpreted types.
    pub opaques: Vec<Opaque>,
    /// Shared variables, those of modules included.
    pub globals: Vec<Global>,
    /// Predicates, one store or two.
    pub preds: Vec<Pred>,
    /// What is true of the initial stores, from `init` items and initial values of variables.
    pub inits: Vec<Formula>,
    /// One-store formulas that hold always.
    pub invariants: Vec<Formula>,
    /// Two-store formulas: what others may do to thread `tid`, for every thread.
    pub relies: Vec<Formula>,
    /// Error sets.
    pub nevers: Vec<Never>,
    /// The threads and families of threads.
    pub threads: Vec<Thread>,
    /// The procedures, those of modules included.
    pub procs: Vec<Proc>,
    /// The modules.
    pub modules: Vec<Module>,
    /// Names of bound variables: quantified ones and parameters of predicates.
    pub bounds: Vec<Binder>,
    /// Labels of statements.
    pub labels: Vec<Label>,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Program::consts`].
    ConstId,
    /// Index into [`Program::enums`].
    EnumId,
    /// Index into [`Program::opaques`].
    OpaqueId,
    /// Index into [`Program::globals`].
    GlobalId,
    /// Index into [`Program::preds`].
    PredId,
    /// Index into [`Program::threads`].
    ThreadId,
    /// Index into [`Program::procs`].
    ProcId,
    /// Index into [`Program::modules`].
    ModuleId,
    /// Index into [`Program::bounds`]; unique in the whole program, so substitution never captures.
    BoundId,
    /// Index into [`Program::labels`].
    LabelId,
    /// Index into the `locals` of the enclosing [`Body`].
    LocalId,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ty {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// The integers from the first to the second, both included.
    Range(i128, i128),
    /// An enumeration.
    Enum(EnumId),
    /// Thread identifiers and nobody; only equality makes sense.
    Tid,
    /// An uninterpreted, non-empty type.
    Opaque(OpaqueId),
    /// Sets over a simple type.
    Set(Box<Ty>),
    /// Total maps from a simple type.
    Map(Box<Ty>, Box<Ty>),
}

/// A named constant. Without a value it stands for every value of its type.
#[derive(Clone, Debug)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Its value, after definitions from outside.
    pub value: Option<Value>,
    /// Its declaration.
    pub span: Span,
}

/// A value known before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of type `int` or a range.
    Int(i128),
    /// Of type `bool`.
    Bool(bool),
    /// The variant at this position.
    Variant(EnumId, u32),
}

/// An enumeration with at least one variant.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// The variants in order.
    pub variants: Vec<Name>,
    /// Its declaration.
    pub span: Span,
}

/// An uninterpreted type.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// Its name.
    pub name: Name,
    /// Its declaration.
    pub span: Span,
}

/// A shared variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; `Module.name` in a module.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Declared with `mutex`.
    pub is_mutex: bool,
    /// The module that owns it.
    pub module: Option<ModuleId>,
    /// Its declaration (the name).
    pub span: Span,
}

/// A variable bound by a quantifier or a parameter of a predicate.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Where it is bound.
    pub span: Span,
}

/// `pred name(params) = body;` Not recursive, also not through others.
#[derive(Clone, Debug)]
pub struct Pred {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<BoundId>,
    /// Its body; mentions parameters, globals, constants, `tid`.
    pub body: Expr,
    /// Whether the body mentions a primed variable, itself or through another predicate.
    pub two_store: bool,
    /// Its declaration.
    pub span: Span,
}

/// A named or nameless formula of the program.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name, if it was given one.
    pub name: Option<Name>,
    /// The formula itself, of type `bool`.
    pub expr: Expr,
    /// The module it was written in.
    pub module: Option<ModuleId>,
    /// The whole item.
    pub span: Span,
}

/// Something that must never happen.
#[derive(Clone, Debug)]
pub struct Never {
    /// What.
    pub kind: NeverKind,
    /// The whole item.
    pub span: Span,
}

/// What must never happen.
#[derive(Clone, Debug)]
pub enum NeverKind {
    /// A store and program counters that satisfy the formula.
    Formula(Expr),
    /// A state in which no thread can step and not all have ended.
    Deadlock,
    /// Two threads about to access one of these variables, one of them writing. Empty means every variable.
    Race(Vec<GlobalId>),
}

/// A module: it owns the globals, formulas and procedures that name it.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Its declaration.
    pub span: Span,
}

/// A thread or a family of threads that run the same code.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name. As an expression, the name of a single thread is a `Tid`, that of a family a `set<Tid>`.
    pub name: Name,
    /// How many copies run.
    pub count: Count,
    /// Relies of this thread alone, beside those of the program.
    pub relies: Vec<Formula>,
    /// Its code.
    pub body: Body,
    /// The name in its declaration.
    pub span: Span,
}

/// How many copies of a thread run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `thread T`.
    One,
    /// `thread T[N]` with a known N.
    Copies(u64),
    /// `thread T[N]` with a constant that has no value.
    Symbolic(ConstId),
    /// `thread T[*]`.
    Any,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name; `Module.name` in a module.
    pub name: Name,
    /// Its parameters, which are locals of the body.
    pub params: Vec<LocalId>,
    /// Its results, which are locals of the body.
    pub results: Vec<LocalId>,
    /// Its specification, if any clause was written.
    pub spec: Option<Spec>,
    /// Its code.
    pub body: Body,
    /// The module it belongs to.
    pub module: Option<ModuleId>,
    /// The name in its declaration.
    pub span: Span,
}

/// A specification (paper 2): what the steps of a procedure look like from outside.
#[derive(Clone, Debug)]
pub struct Spec {
    /// One-store formulas over globals and parameters that hold on entry.
    pub requires: Vec<Expr>,
    /// What stuttering steps may change.
    pub modifies: Vec<GlobalId>,
    /// The visible steps in order.
    pub actions: Vec<ActionSpec>,
    /// Two-store formulas over entry and exit, also over results.
    pub ensures: Vec<Expr>,
    /// All the clauses.
    pub span: Span,
}

/// One visible step.
#[derive(Clone, Debug)]
pub struct ActionSpec {
    /// What it may change.
    pub modifies: Vec<GlobalId>,
    /// Its two-store formula.
    pub ensures: Expr,
    /// The clause.
    pub span: Span,
}

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
    /// Its name.
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

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its label.
    pub label: Option<LabelId>,
    /// Its text, without the blocks it contains (for `if`, `while`, ...: keyword and condition).
    pub span: Span,
}

/// What a statement does. Unless said otherwise, it is one step.
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
    /// Writes the results if values are given (one step), and leaves the procedure or ends the thread.
    Return(Vec<Expr>),
    /// Leaves the innermost loop; no step.
    Break,
    /// Goes to the next iteration of the innermost loop; no step.
    Continue,
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

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type. Arithmetic has type `Int`; variables have their declared type.
    pub ty: Ty,
    /// Its text.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A variable, in the post-store if `primed`.
    Var {
        /// The variable.
        root: Root,
        /// Whether it has a prime.
        primed: bool,
    },
    /// A named constant.
    Const(ConstId),
    /// A quantified variable or a parameter of a predicate.
    Bound(BoundId),
    /// The running thread.
    Tid,
    /// `0` of type `Tid`.
    Nobody,
    /// A single thread (`Tid`) or a family (`set<Tid>`).
    Thread(ThreadId),
    /// A variant of an enumeration.
    Variant(EnumId, u32),
    /// Negation of a truth value.
    Not(Box<Expr>),
    /// Negation of a number.
    Neg(Box<Expr>),
    /// All of them; two or more.
    And(Vec<Expr>),
    /// One of them; two or more.
    Or(Vec<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `m[k]`.
    Index(Box<Expr>, Box<Expr>),
    /// `m[k := v]`.
    Update(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `[_ => v]`: the map that is `v` everywhere.
    ConstMap(Box<Expr>),
    /// `{a, b}`; may be empty.
    Set(Vec<Expr>),
    /// `a in s`.
    In(Box<Expr>, Box<Expr>),
    /// `forall` or `exists`.
    Quantified(Quantifier, Vec<BoundId>, Box<Expr>),
    /// A predicate's instance; with `primed`, of the post-store (one-store predicates only).
    Pred {
        /// Which.
        pred: PredId,
        /// Its arguments.
        args: Vec<Expr>,
        /// Whether the predicate's name has a prime.
        primed: bool,
    },
    /// Whether this thread's next step is at one of these labels; in `never` only.
    At(Box<Expr>, Vec<LabelId>),
}

/// A quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// All values.
    Forall,
    /// Some value.
    Exists,
}

/// An operator with two operands. Division and remainder are Euclidean, as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+` of numbers.
    Add,
    /// `-` of numbers.
    Sub,
    /// `*` of numbers.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Mod,
    /// `==` of any type.
    Eq,
    /// `!=` of any type.
    Ne,
    /// `<`.
    Lt,
    /// `<=` of numbers.
    Le,
    /// `>`.
    Gt,
    /// `>=` of numbers.
    Ge,
    /// `==>`.
    Implies,
    /// `<==>`.
    Iff,
    /// `+` of sets.
    Union,
    /// `-` of sets.
    Difference,
    /// `*` of sets.
    Intersection,
    /// `<=` of sets; `>=` has its operands swapped.
    Subset,
}
