//! The registry: every code a user can meet, one row each.
//!
//! A code names the fault, is never reused, and has a page `docs/codes/CODE.md`.

use crate::Severity;
use std::cmp::Ordering;
use std::fmt;

/// The row of a code in the registry.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code as users see it.
    pub text: &'static str,
    /// How it is reported.
    pub severity: Severity,
    /// Whether it means that the input was rejected before any verification.
    pub rejects_input: bool,
    /// One sentence that says what it means.
    pub summary: &'static str,
    /// The message of a search that found a run in which it happens.
    pub fails: &'static str,
    /// The text at the annotation that is broken.
    pub label: &'static str,
    /// Whether runs of a program in Plato show it.
    pub shown: Runs,
}

/// Whether runs of a program show that an obligation of deduction fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// No run shows it: it is about the annotations, or about all callers.
    Never,
    /// Every run in which it happens shows it.
    Always,
    /// A run shows it if runs are compared with relies and loop invariants.
    Annotation,
    /// A run shows it if runs are compared with specifications of procedures. A run that is not
    /// known to break a specification gets the benefit of the doubt: if no run shows such a
    /// failure, that does not exclude it.
    Specification,
}

impl CodeInfo {
    const fn new(text: &'static str, severity: Severity, summary: &'static str) -> Self {
        Self {
            text,
            severity,
            rejects_input: false,
            summary,
            fails: "this goes wrong",
            label: "this is false",
            shown: Runs::Never,
        }
    }

    const fn fails(self, fails: &'static str) -> Self {
        Self { fails, ..self }
    }

    const fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    const fn shown(self, shown: Runs) -> Self {
        Self { shown, ..self }
    }
}

const fn rejects(text: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo { rejects_input: true, ..CodeInfo::new(text, Severity::Error, summary) }
}

const fn refutes(text: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo::new(text, Severity::Error, summary)
}

const fn unknown(text: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo::new(text, Severity::Unknown, summary)
}

const fn warns(text: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo::new(text, Severity::Warning, summary)
}

/// Declares [`Code`] with the rows of the registry.
macro_rules! codes {
    ($($name:ident: $kind:ident($text:literal, $summary:literal)
        $(.$field:ident($value:expr))*,)*) => {
        /// A code of the registry.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $summary] $name,)*
        }

        impl Code {
            /// Every code, grouped by what it means.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            const INFO: &[CodeInfo] = &[$($kind($text, $summary)$(.$field($value))*),*];
        }
    };
}

impl Code {
    /// The code of this text, if there is one.
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// The text of the code.
    pub fn as_str(self) -> &'static str {
        self.info().text
    }

    /// What the registry says.
    pub fn info(self) -> &'static CodeInfo {
        &Self::INFO[self as usize]
    }
}

/// By their texts, so that reports do not depend on the order of the registry.
impl Ord for Code {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

codes! {
    // The input is rejected.
    SyntaxError: rejects("syntax-error", "the text is not a program"),
    NestingTooDeep: rejects(
        "nesting-too-deep",
        "expressions or statements are nested beyond the limit"
    ),
    UnknownName: rejects("unknown-name", "a name that is not declared"),
    DuplicateName: rejects("duplicate-name", "two declarations of the same name in one scope"),
    TypeMismatch: rejects("type-mismatch", "an expression does not have the type its place needs"),
    WrongArgumentCount: rejects(
        "wrong-argument-count",
        "a call or application with too few or too many arguments"
    ),
    PrimeNotAllowed: rejects(
        "prime-not-allowed",
        "a primed variable where there is only one store"
    ),
    LocalNotAllowed: rejects(
        "local-not-allowed",
        "a name of one thread in a formula about the shared store"
    ),
    NotAssignable: rejects("not-assignable", "an assignment to something that is not a variable"),
    NotAConstant: rejects("not-a-constant", "a bound or size that is not known before the run"),
    EmptyType: rejects("empty-type", "a type without values"),
    RecursiveDefinition: rejects("recursive-definition", "a definition that needs itself"),
    MisplacedStatement: rejects("misplaced-statement", "a statement where it has no meaning"),
    MisplacedExpression: rejects("misplaced-expression", "an expression where it has no meaning"),
    RootAsSupplier: rejects(
        "root-as-supplier",
        "a variable that refers to a root, which belongs to one thread"
    ),
    ContradictoryInit: rejects("contradictory-init", "no initial store exists"),
    UnknownOption: rejects(
        "unknown-option",
        "a -D or --only option that names something no input has"
    ),
    // An obligation does not hold.
    AssertionFailed: refutes("assertion-failed", "an assertion can fail")
        .fails("this assertion fails")
        .shown(Runs::Always),
    PreconditionFailed: refutes("precondition-failed", "what an operation, method or function requires can be false")
        .fails("the `requires` of this operation is false")
        .label("this can be false")
        .shown(Runs::Specification),
    ActionCheckFailed: refutes("action-check-failed", "the `ensures` of an atomic operation can be false")
        .fails("the `ensures` of this operation is false")
        .shown(Runs::Always),
    StepNotAllowed: refutes("step-not-allowed", "a step of a procedure that its specification does not allow")
        .fails("the specification does not allow this step")
        .label("the specification")
        .shown(Runs::Specification),
    ActionMissing: refutes("action-missing", "a procedure can end before it performed all its actions")
        .fails("the procedure ends before it performed all its actions")
        .label("the specification")
        .shown(Runs::Specification),
    PostconditionFailed: refutes("postcondition-failed", "the `ensures` of a procedure need not hold at its end")
        .fails("the `ensures` of this procedure is false at its end")
        .label("this can be false")
        .shown(Runs::Specification),
    UnguardedAccess: refutes("unguarded-access", "a guarded variable is accessed without its lock")
        .fails("a guarded variable is accessed without its lock")
        .shown(Runs::Always),
    NoSuchThread: refutes("no-such-thread", "a thread is forked twice, or one is joined that was not forked")
        .fails("there is no such thread to fork or join")
        .label("there may be no such thread")
        .shown(Runs::Always),
    NotAtomic: refutes("not-atomic", "an `atomic proc` whose steps cannot be brought together"),
    ReleaseNotHeld: refutes("release-not-held", "a mutex is released by a thread that may not hold it")
        .fails("this thread does not hold the mutex it releases")
        .label("may not be held here")
        .shown(Runs::Always),
    RelyViolated: refutes("rely-violated", "a step does what another thread relies on not to happen")
        .fails("this step does what another thread relies on not to happen")
        .label("this is relied on")
        .shown(Runs::Annotation),
    RelyNotReflexive: refutes(
        "rely-not-reflexive",
        "a rely that forbids the environment to do nothing"
    ),
    InvariantNotInitial: refutes("invariant-not-initial", "an invariant that need not hold at the start")
        .fails("this invariant does not hold at the start")
        .shown(Runs::Always),
    InvariantBroken: refutes("invariant-broken", "a step can break an invariant")
        .fails("this step breaks an invariant")
        .label("this can become false")
        .shown(Runs::Always),
    NeverReached: refutes("never-reached", "a store that must never be reached can be reached")
        .fails("a state is reached that must never be reached")
        .label("this can become true")
        .shown(Runs::Always),
    Deadlock: refutes(
        "deadlock",
        "no thread can go on and not all have ended, or one waits for a holder that never moves"
    )
        .fails("the program gets stuck"),
    CircularWait: refutes("circular-wait", "threads wait in a circle for units that they hold"),
    OrphanedWait: refutes("orphaned-wait", "a thread waits for a unit of one that has ended"),
    AccessOutsideRealm: refutes(
        "access-outside-realm",
        "a thread uses a unit that its contract does not entail"
    ),
    ActiveUnitReleased: refutes(
        "active-unit-released",
        "a thread lets a unit go while it is inside of it"
    ),
    Starvation: refutes(
        "starvation",
        "a thread can wait for ever although everybody gets their turn"
    ),
    DataRace: refutes("data-race", "two threads can access a variable at once, and one of them writes")
        .fails("two threads access the same variable at once"),
    LoopInvariantNotEstablished: refutes("loop-invariant-not-established", "a loop invariant that need not hold when the loop is entered")
        .fails("this loop invariant does not hold at first")
        .shown(Runs::Annotation),
    LoopInvariantNotPreserved: refutes("loop-invariant-not-preserved", "a loop invariant that an iteration can break")
        .fails("this loop invariant does not hold")
        .shown(Runs::Annotation),
    ValueOutOfRange: refutes("value-out-of-range", "a value outside the type of the variable it is assigned to")
        .fails("the value is outside the type of the variable")
        .label("here")
        .shown(Runs::Always),
    IndexOutOfRange: refutes("index-out-of-range", "an index outside the domain of the map")
        .fails("the index is outside the map's domain here")
        .label("here")
        .shown(Runs::Always),
    DivisionByZero: refutes("division-by-zero", "a divisor can be zero")
        .fails("the divisor is zero here")
        .label("here")
        .shown(Runs::Always),
    InsufficientPermission: refutes(
        "insufficient-permission",
        "a location is used or given away without permission"
    ),
    NegativePermission: refutes("negative-permission", "an amount of permission can be negative"),
    NullReceiver: refutes("null-receiver", "a reference that is used can be null"),
    LockOrder: refutes("lock-order", "waiting for something that need not be above what is held"),
    BoundsOutOfOrder: refutes("bounds-out-of-order", "no position lies between the bounds")
        .label("this bound"),
    MonitorNotHeld: refutes("monitor-not-held", "a monitor is used that may not be held"),
    MonitorInvariantFailed: refutes(
        "monitor-invariant-failed",
        "a monitor invariant that need not hold when it is given back"
    ),
    MonitorKeepsMu: refutes(
        "monitor-keeps-mu",
        "a monitor invariant that keeps all permission to its own `mu`"
    ),
    InvariantNotReflexive: refutes(
        "invariant-not-reflexive",
        "a two-state invariant that forbids standing still"
    ),
    InvariantNotTransitive: refutes(
        "invariant-not-transitive",
        "a two-state invariant that two steps can break"
    ),
    VolatileWrite: refutes(
        "volatile-write",
        "a write that readers without permission do not expect"
    ),
    UnstableFormula: refutes(
        "unstable-formula",
        "a formula about a volatile field that others may make false"
    ),
    AlreadyShared: refutes("already-shared", "an object is shared that may be shared already"),
    LockchangeViolated: refutes(
        "lockchange-violated",
        "monitors are held or not held that `lockchange` does not name"
    ),
    JoinHoldingMonitor: refutes(
        "join-holding-monitor",
        "a thread is joined that may wait for what the joining one keeps"
    ),
    NotJoinable: refutes("not-joinable", "a thread is joined that may have been joined before"),
    PredicateNotTrue: refutes(
        "predicate-not-true",
        "what a predicate stands for need not hold where it is folded"
    ),
    MessagePromiseFailed: refutes(
        "message-promise-failed",
        "what a message promises need not hold where it is sent"
    ),
    ConditionPromiseFailed: refutes(
        "condition-promise-failed",
        "what a condition promises need not hold where it is signalled"
    ),
    NoCredit: refutes("no-credit", "a message is awaited that nobody promised"),
    MessageOwed: refutes("message-owed", "a promised message is not sent"),
    RecursionMayNotEnd: refutes("recursion-may-not-end", "a function that may call itself forever"),
    AssignedTwice: refutes("assigned-twice", "a constant gets a value that may have one"),
    NegativeSize: refutes("negative-size", "an array is made whose size may be negative"),
    BadCast: refutes("bad-cast", "an object is cast to a class that it may not be of"),
    StartedTwice: refutes("started-twice", "a thread is started that may have been started before"),
    // No verdict.
    AlarmUnconfirmed: unknown(
        "alarm-unconfirmed",
        "something goes wrong in an abstraction, perhaps not really"
    ),
    AnnotationMissing: unknown(
        "annotation-missing",
        "nothing is written that could show it, and no run violates it"
    ),
    Engine: unknown("engine", "something that the chosen engine does not look at"),
    BoundReached: unknown(
        "bound-reached",
        "loops were unrolled; nothing is claimed beyond the bound"
    ),
    LimitReached: unknown("limit-reached", "the solver reached its time, resource or memory limit"),
    SolverFailed: unknown("solver-failed", "the solver died, gave up or answered nonsense"),
    Assumed: unknown("assumed", "something taken for granted, where nothing may be"),
    Unsupported: unknown("unsupported", "a construct that the chosen engine does not handle"),
    InternalError: unknown("internal-error", "a defect of Rely itself"),
    // Suspicious.
    RelyNotTransitive: warns(
        "rely-not-transitive",
        "a rely that two steps can break although each keeps it"
    ),
    TrivialRely: warns("trivial-rely", "a rely that says nothing"),
    ContradictoryRely: warns("contradictory-rely", "a rely that no step satisfies"),
    AnnotationUnknown: warns(
        "annotation-unknown",
        "an annotation in a comment that says nothing to Rely"
    ),
    UnresolvedType: warns("unresolved-type", "a type of a library that was not found"),
    AnnotationsTooWeak: warns(
        "annotations-too-weak",
        "something holds in every run that the annotations do not show"
    ),
    ContradictoryInvariant: warns("contradictory-invariant", "no store satisfies the invariant"),
    SwitchNotFollowed: warns(
        "switch-not-followed",
        "a switch of an older tool in the first line of a file"
    ),
    PermissionLost: warns("permission-lost", "permission that a method got and does not give back"),
    ContradictorySpecification: warns(
        "contradictory-specification",
        "a specification that no state satisfies"
    ),
    UnreachableCode: warns("unreachable-code", "a statement that no run reaches"),
    VacuousAssertion: warns(
        "vacuous-assertion",
        "an assertion that holds only because its premise is never true"
    ),
    UnreachableLabel: warns("unreachable-label", "a label in a formula at which no thread ever stands"),
    UnusedProcedure: warns(
        "unused-procedure",
        "a procedure that no thread calls, so that it is not verified"
    ),
    IncrementalDeadlock: warns(
        "incremental-deadlock",
        "a design that deadlocks if units are acquired one by one"
    ),
    UnusedClass: warns("unused-class", "a class of a design that no system has an instance of"),
    ConditionNeverTrue: warns(
        "condition-never-true",
        "a condition of a design that is true in no state"
    ),
    UnboundVariable: warns(
        "unbound-variable",
        "a constraint about a variable that never refers to a unit"
    ),
    CallNeverAccepted: warns(
        "call-never-accepted",
        "a call that a design allows and that never happens"
    ),
    MalformedAllowance: warns("malformed-allowance", "a comment `rely: allow` that allows nothing"),
    UnusedAllowance: warns(
        "unused-allowance",
        "a comment `rely: allow` for something that is not reported there"
    ),
    NothingToVerify: warns("nothing-to-verify", "a file without anything to verify"),
}
