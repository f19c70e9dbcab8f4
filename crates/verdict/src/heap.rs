//! The objects at the end of a run, with what a thread may do to them.

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The name that traces give it, such as `#1`.
    pub name: String,
    /// The variables that refer to it.
    pub variables: Vec<String>,
    /// What is known of it.
    pub cells: Vec<Cell>,
}

/// A field, a predicate, or a state such as `held`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it is called.
    pub name: String,
    /// Its value, if it has one that can be written down.
    pub value: Option<String>,
    /// How much permission the thread has to it; a state needs none.
    pub permission: Option<String>,
}

impl Cell {
    /// Something that is true of an object.
    pub fn state(name: impl Into<String>) -> Self {
        Self { name: name.into(), value: None, permission: None }
    }
}
