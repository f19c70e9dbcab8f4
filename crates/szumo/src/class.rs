//! Classes as they are written down: by names, which [`crate::Design::start`] looks up.

/// A class: variables that refer to units, states with the units that they need, transitions.
#[derive(Clone, Debug)]
pub struct Class {
    pub(crate) name: String,
    pub(crate) is_root: bool,
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) states: Vec<(String, Vec<String>)>,
    pub(crate) initial: Option<String>,
    pub(crate) calls: Vec<[String; 3]>,
    pub(crate) transitions: Vec<Transition>,
}

impl Class {
    /// A class each instance of which has a thread of its own.
    pub fn root(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            is_root: true,
            variables: Vec::new(),
            states: Vec::new(),
            initial: None,
            calls: Vec::new(),
            transitions: Vec::new(),
        }
    }

    /// A class of shared units.
    pub fn unit(name: &str) -> Self {
        Self { is_root: false, ..Self::root(name) }
    }

    /// Adds a variable that refers to units of a class.
    pub fn variable(mut self, name: &str, class: &str) -> Self {
        self.variables.push((name.to_owned(), class.to_owned()));
        self
    }

    /// Adds a state, in which the units of these variables are needed. The first state is the
    /// initial one.
    pub fn state(mut self, name: &str, needs: &[&str]) -> Self {
        self.states.push((name.to_owned(), needs.iter().map(|&one| one.to_owned()).collect()));
        self
    }

    /// Begins in this state instead of the first one.
    pub fn initial(mut self, state: &str) -> Self {
        self.initial = Some(state.to_owned());
        self
    }

    /// Lets an operation of the units of a variable be called in a state.
    pub fn calls(mut self, state: &str, variable: &str, operation: &str) -> Self {
        self.calls.push([state, variable, operation].map(str::to_owned));
        self
    }

    /// Adds a transition.
    pub fn transition(mut self, transition: Transition) -> Self {
        self.transitions.push(transition);
        self
    }
}

/// What a transition is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The beginning of an operation.
    Before,
    /// The end of an operation.
    After,
    /// Neither.
    Step,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Step => "step",
        }
    }
}

/// A transition: from one state to another, under a guard, with assignments that happen all at
/// once.
#[derive(Clone, Debug)]
pub struct Transition {
    pub(crate) kind: Kind,
    pub(crate) label: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) guard: Vec<(String, bool, Option<String>)>,
    pub(crate) assigns: Vec<(String, Value)>,
}

impl Transition {
    /// The beginning of an operation.
    pub fn before(operation: &str, from: &str, to: &str) -> Self {
        Self::new(Kind::Before, operation, from, to)
    }

    /// The end of an operation.
    pub fn after(operation: &str, from: &str, to: &str) -> Self {
        Self::new(Kind::After, operation, from, to)
    }

    /// Another transition.
    pub fn step(label: &str, from: &str, to: &str) -> Self {
        Self::new(Kind::Step, label, from, to)
    }

    fn new(kind: Kind, label: &str, from: &str, to: &str) -> Self {
        let [label, from, to] = [label, from, to].map(str::to_owned);
        Self { kind, label, from, to, guard: Vec::new(), assigns: Vec::new() }
    }

    /// Only if two variables refer to the same unit; without a second one, only if the first refers
    /// to nothing.
    pub fn equal(mut self, left: &str, right: Option<&str>) -> Self {
        self.guard.push((left.to_owned(), true, right.map(str::to_owned)));
        self
    }

    /// Only if two variables do not refer to the same unit; without a second one, only if the first
    /// refers to something.
    pub fn differ(mut self, left: &str, right: Option<&str>) -> Self {
        self.guard.push((left.to_owned(), false, right.map(str::to_owned)));
        self
    }

    /// Sets a variable.
    pub fn assign(mut self, variable: &str, value: Value) -> Self {
        self.assigns.push((variable.to_owned(), value));
        self
    }
}

/// The new value of a variable.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing.
    Nil,
    /// The unit that another variable refers to.
    Variable(String),
    /// The unit that a variable of another unit refers to; the thread must hold that other unit.
    Path(String, String),
    /// A unit of a class that the program chooses when it takes the transition.
    Any(String),
}

impl Value {
    /// The unit that another variable refers to.
    pub fn variable(name: &str) -> Self {
        Self::Variable(name.to_owned())
    }

    /// The unit that `field` of the unit of `through` refers to.
    pub fn path(through: &str, field: &str) -> Self {
        Self::Path(through.to_owned(), field.to_owned())
    }

    /// A unit of a class.
    pub fn any(class: &str) -> Self {
        Self::Any(class.to_owned())
    }
}
