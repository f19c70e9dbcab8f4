//! The typed program.
//!
//! These facts hold of it: every name is resolved to an id, every expression has a type, every
//! constant that has a value is evaluated, definitions of constants from outside are applied, no
//! predicate is recursive, primes stand only where there are two stores, threads' locals stand only
//! in code. Sugar that carries meaning for messages (`acquire`, `cas`, `while`) is still there;
//! labels, local declarations and `!in` are not.

mod code;
mod expr;

pub use code::{Action, Body, Label, Local, Performs, Place, Root, Stmt, StmtKind};
pub use expr::{BinaryOp, Expr, ExprKind, Quantifier};

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
    /// Predicates and functions, about one store or two.
    pub preds: Vec<Pred>,
    /// Formulas about the initial stores, from `init` items and initial values of variables.
    pub inits: Vec<Formula>,
    /// One-store formulas that hold always.
    pub invariants: Vec<Formula>,
    /// Two-store formulas: the allowed changes by other threads to thread `tid`, for every thread.
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
    /// Constructs that a translation could not express: if there are any, nothing is known of the
    /// program.
    pub unsupported: Vec<Unsupported>,
}

/// Something that a translation could not express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is.
    pub message: String,
    /// Where it stands.
    pub span: Span,
}

impl Program {
    /// All threads and families, in order.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len()).map(ThreadId::from_index)
    }

    /// The type as it is written.
    pub fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".into(),
            Ty::Int => "int".into(),
            Ty::Range(low, high) => format!("{low}..{high}"),
            Ty::Enum(id) => self.enums[id.index()].name.to_string(),
            Ty::Tid => "Tid".into(),
            Ty::Opaque(id) => self.opaques[id.index()].name.to_string(),
            Ty::Set(element) => format!("set<{}>", self.type_name(element)),
            Ty::Map(key, value) => format!("[{}]{}", self.type_name(key), self.type_name(value)),
        }
    }
}

source::ids! {
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
    /// How many values it has, where only worlds with few are looked at.
    pub size: Option<u32>,
    /// The constant, a map from this type to an enumeration, that runs name values by: `Job#2` is
    /// one that the map says `Job` of. Translations to Plato may set it.
    pub naming: Option<ConstId>,
}

/// A shared variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; `Module.name` in a module.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Threads synchronize by it: it was declared with `mutex` or `condition`, or only the language
    /// writes it. Two that access it at once do no wrong.
    pub is_sync: bool,
    /// The lock without which no thread reads or writes it.
    pub guard: Option<Guard>,
    /// The module that owns it.
    pub module: Option<ModuleId>,
    /// Its declaration (the name).
    pub span: Span,
}

/// `guarded by lock`: only the thread whose identifier is in the lock accesses the variable. The
/// relies that follow from it stand in [`Program::relies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The lock: of type `Tid`, or a map to `Tid`.
    pub lock: GlobalId,
    /// Whether the lock is a map and each element of the variable has the lock of the same key.
    pub each: bool,
    /// The name of the lock in the clause.
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

/// `pred name(params) = body;` or `func name(params): ty = body;`. Not recursive, also not through
/// others.
#[derive(Clone, Debug)]
pub struct Pred {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<BoundId>,
    /// The type of its values, which is no range: what a function gives is looked at where it is
    /// used.
    pub ty: Ty,
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
    /// Whether somebody wrote it; the language adds some for threads that are forked.
    pub is_written: bool,
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
    /// Two threads about to access one of these variables, one of them writing. Empty means every
    /// variable.
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
    /// Its name. As an expression, the name of a single thread is a `Tid`, that of a family a
    /// `set<Tid>`.
    pub name: Name,
    /// How many copies run.
    pub count: Count,
    /// Relies of this thread alone, beside those of the program.
    pub relies: Vec<Formula>,
    /// Its code.
    pub body: Body,
    /// Whether its first step waits until somebody forks it.
    pub is_forked: bool,
    /// The name in its declaration.
    pub span: Span,
}

/// The number of copies of a thread.
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
    /// Whether its body is to be shown to act like one step.
    pub is_atomic: bool,
    /// Its code.
    pub body: Body,
    /// The module it belongs to.
    pub module: Option<ModuleId>,
    /// The name in its declaration.
    pub span: Span,
}

/// A specification (paper 2): the steps of a procedure as they look from outside.
#[derive(Clone, Debug)]
pub struct Spec {
    /// One-store formulas over globals and parameters that hold on entry.
    pub requires: Vec<Expr>,
    /// The variables that stuttering steps may change.
    pub modifies: Vec<GlobalId>,
    /// What steps satisfy that change some of these.
    pub frames: Vec<Frame>,
    /// All visible steps, each once.
    pub actions: Vec<ActionSpec>,
    /// The order in which they happen.
    pub order: Vec<SpecStep>,
    /// Two-store formulas over entry and exit, also over results.
    pub ensures: Vec<Expr>,
    /// All the clauses.
    pub span: Span,
}

/// `modifies x, y where e`
#[derive(Clone, Debug)]
pub struct Frame {
    /// The variables.
    pub globals: Vec<GlobalId>,
    /// The two-store formula.
    pub formula: Expr,
}

/// The ways in which visible steps follow each other.
#[derive(Clone, Debug)]
pub enum SpecStep {
    /// One step, by its index into [`Spec::actions`]. Each index occurs once.
    Action(usize),
    /// One of the branches.
    Choice(Vec<Vec<SpecStep>>),
    /// All of it or nothing.
    Optional(Vec<SpecStep>),
    /// Any number of times, also none.
    Repeat(Vec<SpecStep>),
}

/// One visible step.
#[derive(Clone, Debug)]
pub struct ActionSpec {
    /// Its name.
    pub name: Option<Name>,
    /// What it may change.
    pub modifies: Vec<GlobalId>,
    /// Its two-store formula.
    pub ensures: Expr,
    /// The clause.
    pub span: Span,
}
