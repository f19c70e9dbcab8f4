use diagnostic::Code;
use source::Span;

source::ids! {
    /// Index of an obligation in its task's table. Intermediate forms carry only this.
    ObligationId,
}

/// What kind of answer is good news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// Must be proved; counts towards the verdict of the file.
    Required,
    /// A check of the specification itself; a failure is a warning.
    Hygiene,
    /// A step of the proof that the user did not ask for; if it fails, nothing that uses it is
    /// proved.
    Internal,
}

/// One thing to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The diagnostic code reported when it fails, e.g. `assertion-failed`.
    pub code: Code,
    /// Whether a failure is an error or a warning.
    pub relevance: Relevance,
    /// The place that is at fault when it fails: usually a statement.
    pub span: Span,
    /// The place of the annotation that is broken, if it is another one.
    pub declared: Option<Span>,
    /// The message if it fails: "the assertion may fail".
    pub failed: String,
    /// What would repair it.
    pub help: Option<String>,
}

impl Obligation {
    /// Something that must be shown, and what is said if it fails.
    pub fn new(code: Code, span: Span, failed: impl Into<String>) -> Self {
        Self {
            code,
            relevance: Relevance::Required,
            span,
            declared: None,
            failed: failed.into(),
            help: None,
        }
    }
}
