use crate::heap::Object;
use crate::sequence::Sequence;
use source::Span;

/// One run that ends in a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The lanes, one per thread; the environment as a whole has one too. None if no thread runs:
    /// the initial values alone show the violation.
    pub lanes: Vec<Lane>,
    /// The values at the start, of the variables that matter.
    pub initial: Vec<(String, String)>,
    /// The steps in order; the last one is the violation.
    pub steps: Vec<Step>,
    /// Whether the run was repeated on the reference semantics.
    pub confirmation: Confirmation,
    /// The calls that are under way when the run ends.
    pub calls: Vec<Span>,
    /// The objects before the violation, with the permissions of the thread that causes it.
    pub heap: Vec<Object>,
    /// The messages between the parts of a design, unless there are too many.
    pub sequence: Option<Box<Sequence>>,
}

impl Trace {
    /// A run without calls, objects and messages.
    pub fn new(
        lanes: Vec<Lane>,
        initial: Vec<(String, String)>,
        steps: Vec<Step>,
        confirmation: Confirmation,
    ) -> Self {
        let (calls, heap) = (Vec::new(), Vec::new());
        Self { lanes, initial, steps, confirmation, calls, heap, sequence: None }
    }
}

/// Who takes the steps of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The thread's name as the user wrote it, or "other threads".
    pub name: String,
}

/// One step of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index into [`Trace::lanes`].
    pub lane: usize,
    /// What kind of step it is.
    pub kind: StepKind,
    /// The statement, if the step has one in the source.
    pub span: Option<Span>,
    /// What the step does, in a few words.
    pub text: String,
    /// The values that changed.
    pub changes: Vec<Change>,
}

/// What kind of step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A statement of the program.
    Statement,
    /// A step that other threads may take by the rely.
    Environment,
    /// An arbitrary number of loop iterations, as far as the loop invariant tells.
    LoopHead,
    /// The violation itself.
    Violation,
}

/// A variable that got a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable, as the user wrote it.
    pub name: String,
    /// Its value before, if it had one.
    pub old: Option<String>,
    /// Its value after.
    pub new: String,
}

/// What is known about the run being real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The run was repeated step by step on the reference semantics.
    Confirmed,
    /// The run was repeated step by step, from a state that the precondition of its method allows;
    /// whether the program gets there is not known.
    Allowed,
    /// The annotations allow the run. It starts or continues in a store that the program may never
    /// reach, and no run of the program was found that does the same.
    Open,
    /// The same, and the solver could not decide a quantifier, so that even the annotations may
    /// exclude the run.
    Candidate,
    /// The annotations allow the run, and no run of the program does the same: every state was
    /// visited.
    Excluded,
}

impl Confirmation {
    /// The word for it in reports: `confirmed`, `excluded` or `open`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Confirmed | Self::Allowed => "confirmed",
            Self::Open | Self::Candidate => "open",
            Self::Excluded => "excluded",
        }
    }
}
