//! The registry: every code a user can meet, with its severity and one sentence.
//!
//! A code names the fault, is never reused, and has a page `docs/codes/CODE.md`.

use crate::Severity;
use std::fmt;

/// A code of the registry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

/// What the registry says of a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: &'static str,
    /// How it is reported.
    pub severity: Severity,
    /// Whether it means that the input was rejected before any verification.
    pub rejects_input: bool,
    /// One sentence that says what it means.
    pub summary: &'static str,
}

impl Code {
    /// The registered code of this text. A text that is not registered is a defect of Rely.
    #[track_caller]
    pub fn of(text: &str) -> Self {
        Self::find(text)
            .unwrap_or_else(|| panic!("internal error: unregistered diagnostic code {text}"))
    }

    /// The registered code of this text, if there is one.
    pub fn find(text: &str) -> Option<Self> {
        CODES.iter().find(|info| info.code == text).map(|info| Self(info.code))
    }

    /// The text of the code.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// What the registry says.
    pub fn info(self) -> &'static CodeInfo {
        CODES
            .iter()
            .find(|info| info.code == self.0)
            .expect("internal error: codes come from the registry")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

const fn rejects(code: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo { code, severity: Severity::Error, rejects_input: true, summary }
}

const fn refutes(code: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo { code, severity: Severity::Error, rejects_input: false, summary }
}

const fn unknown(code: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo { code, severity: Severity::Unknown, rejects_input: false, summary }
}

const fn warns(code: &'static str, summary: &'static str) -> CodeInfo {
    CodeInfo { code, severity: Severity::Warning, rejects_input: false, summary }
}

/// Every code, grouped by what it means.
pub const CODES: &[CodeInfo] = &[
    // The input is rejected.
    rejects("syntax-error", "the text is not a program"),
    rejects("nesting-too-deep", "expressions or statements are nested beyond the limit"),
    rejects("unknown-name", "a name that is not declared"),
    rejects("duplicate-name", "two declarations of the same name in one scope"),
    rejects("type-mismatch", "an expression does not have the type its place needs"),
    rejects("wrong-argument-count", "a call or application with too few or too many arguments"),
    rejects("prime-not-allowed", "a primed variable where there is only one store"),
    rejects("local-not-allowed", "a name of one thread in a formula about the shared store"),
    rejects("not-assignable", "an assignment to something that is not a variable"),
    rejects("not-a-constant", "a bound or size that is not known before the run"),
    rejects("empty-type", "a type without values"),
    rejects("recursive-definition", "a definition that needs itself"),
    rejects("misplaced-statement", "a statement where it has no meaning"),
    rejects("misplaced-expression", "an expression where it has no meaning"),
    rejects("root-as-supplier", "a variable that refers to a root, which belongs to one thread"),
    rejects("contradictory-init", "no initial store exists"),
    rejects("unknown-option", "a -D or --only option that names something no input has"),
    // Something to be shown does not hold.
    refutes("assertion-failed", "an assertion can fail"),
    refutes("precondition-failed", "what an operation, method or function requires can be false"),
    refutes("action-check-failed", "the `ensures` of an atomic operation can be false"),
    refutes("step-not-allowed", "a step of a procedure that its specification does not allow"),
    refutes("action-missing", "a procedure can end before it performed all its actions"),
    refutes("postcondition-failed", "the `ensures` of a procedure need not hold at its end"),
    refutes("unguarded-access", "a guarded variable is accessed without its lock"),
    refutes("not-atomic", "an `atomic proc` whose steps cannot be brought together"),
    refutes("release-not-held", "a mutex is released by a thread that may not hold it"),
    refutes("rely-violated", "a step does what another thread relies on not to happen"),
    refutes("rely-not-reflexive", "a rely that forbids the environment to do nothing"),
    refutes("invariant-not-initial", "an invariant that need not hold at the start"),
    refutes("invariant-broken", "a step can break an invariant"),
    refutes("never-reached", "a store that must never be reached can be reached"),
    refutes(
        "deadlock",
        "no thread can go on and not all have ended, or one waits for a holder that never moves",
    ),
    refutes("circular-wait", "threads wait in a circle for units that they hold"),
    refutes("orphaned-wait", "a thread waits for a unit of one that has ended"),
    refutes("access-outside-realm", "a thread uses a unit that its contract does not entail"),
    refutes("active-unit-released", "a thread lets a unit go while it is inside of it"),
    refutes("starvation", "a thread can wait for ever although everybody gets their turn"),
    refutes("data-race", "two threads can access a variable at once, and one of them writes"),
    refutes(
        "loop-invariant-not-established",
        "a loop invariant that need not hold when the loop is entered",
    ),
    refutes("loop-invariant-not-preserved", "a loop invariant that an iteration can break"),
    refutes("value-out-of-range", "a value outside the type of the variable it is assigned to"),
    refutes("index-out-of-range", "an index outside the domain of the map"),
    refutes("division-by-zero", "a divisor can be zero"),
    refutes("insufficient-permission", "a location is used or given away without permission"),
    refutes("negative-permission", "an amount of permission can be negative"),
    refutes("null-receiver", "a reference that is used can be null"),
    refutes("lock-order", "waiting for something that need not be above what is held"),
    refutes("bounds-out-of-order", "no position lies between the bounds"),
    refutes("monitor-not-held", "a monitor is used that may not be held"),
    refutes(
        "monitor-invariant-failed",
        "a monitor invariant that need not hold when it is given back",
    ),
    refutes("monitor-keeps-mu", "a monitor invariant that keeps all permission to its own `mu`"),
    refutes("invariant-not-reflexive", "a two-state invariant that forbids standing still"),
    refutes("invariant-not-transitive", "a two-state invariant that two steps can break"),
    refutes("volatile-write", "a write that readers without permission do not expect"),
    refutes("unstable-formula", "a formula about a volatile field that others may make false"),
    refutes("already-shared", "an object is shared that may be shared already"),
    refutes("lockchange-violated", "monitors are held or not held that `lockchange` does not name"),
    refutes("not-joinable", "a thread is joined that may have been joined before"),
    refutes("predicate-not-true", "what a predicate stands for need not hold where it is folded"),
    refutes("message-promise-failed", "what a message promises need not hold where it is sent"),
    refutes(
        "condition-promise-failed",
        "what a condition promises need not hold where it is signalled",
    ),
    refutes("no-credit", "a message is awaited that nobody promised"),
    refutes("message-owed", "a promised message is not sent"),
    refutes("recursion-may-not-end", "a function that may call itself forever"),
    refutes("assigned-twice", "a constant gets a value that may have one"),
    // No verdict.
    unknown("alarm-unconfirmed", "something goes wrong in an abstraction, perhaps not really"),
    unknown("annotation-missing", "nothing is written that could show it, and no run violates it"),
    unknown("engine", "something that the chosen engine does not look at"),
    unknown("bound-reached", "loops were unrolled; nothing is claimed beyond the bound"),
    unknown("limit-reached", "the solver reached its time, resource or memory limit"),
    unknown("solver-failed", "the solver died, gave up or answered nonsense"),
    unknown("unsupported", "a construct that the chosen engine does not handle"),
    unknown("internal-error", "a defect of Rely itself"),
    // Suspicious.
    warns("rely-not-transitive", "a rely that two steps can break although each keeps it"),
    warns("trivial-rely", "a rely that says nothing"),
    warns("contradictory-rely", "a rely that no step satisfies"),
    warns("annotations-too-weak", "something holds in every run that the annotations do not show"),
    warns("contradictory-invariant", "no store satisfies the invariant"),
    warns("join-holding-monitor", "a thread is joined while a monitor is held"),
    warns("permission-lost", "permission that a method got and does not give back"),
    warns("contradictory-specification", "a specification that no state satisfies"),
    warns("unreachable-code", "a statement that no run reaches"),
    warns("unreachable-label", "a label in a formula at which no thread ever stands"),
    warns("vacuous-assertion", "an assertion that holds only because its premise is never true"),
    warns("unused-procedure", "a procedure that no thread calls, so that it is not verified"),
    warns("incremental-deadlock", "a design that deadlocks if units are acquired one by one"),
    warns("unused-class", "a class of a design that no system has an instance of"),
    warns("condition-never-true", "a condition of a design that is true in no state"),
    warns("unbound-variable", "a constraint about a variable that never refers to a unit"),
    warns("call-never-accepted", "a call that a design allows and that never happens"),
    warns("nothing-to-verify", "a file without anything to verify"),
];
