//! What a text declares, for whoever shows a text rather than checks it.

use crate::Span;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What kind of thing is declared.
    pub kind: DeclarationKind,
    /// Its name, as the user wrote it.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Everything that belongs to it.
    pub span: Span,
    /// What is declared inside.
    pub inside: Vec<Declaration>,
}

/// A kind of thing that is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// A constant.
    Constant,
    /// A type.
    Type,
    /// An enumeration.
    Enumeration,
    /// A value of an enumeration.
    Variant,
    /// A shared variable.
    Variable,
    /// A mutex.
    Mutex,
    /// A field.
    Field,
    /// A variable of a body, or a parameter.
    Local,
    /// A predicate or a function.
    Function,
    /// A procedure or a method.
    Method,
    /// A thread.
    Thread,
    /// A class.
    Class,
    /// A module.
    Module,
    /// A channel or a condition variable.
    Channel,
    /// A state of a design.
    State,
    /// A system of a design.
    System,
}

impl Declaration {
    /// A declaration without anything inside.
    pub fn new(
        kind: DeclarationKind,
        name: impl Into<String>,
        name_span: Span,
        span: Span,
    ) -> Self {
        Self { kind, name: name.into(), name_span, span, inside: Vec::new() }
    }

    /// The same with these declarations inside.
    pub fn with(self, inside: Vec<Self>) -> Self {
        Self { inside, ..self }
    }
}
