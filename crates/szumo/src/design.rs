//! Designs: classes, units, and the initial values of their variables; names are looked up when the
//! design starts.

use crate::Error;
use crate::class::{Class, Kind, Transition, Value};
use crate::system::System;
use crate::unit::{Unit, UnitId};
use std::sync::Arc;

/// A design under construction.
#[derive(Debug, Default)]
pub struct Design {
    /// An identity by which units know that they belong to it.
    identity: Arc<()>,
    classes: Vec<Class>,
    /// The name and the class of each unit.
    units: Vec<(String, String)>,
    bindings: Vec<(UnitId, String, Vec<UnitId>)>,
    is_logged: bool,
}

impl Design {
    /// A design without anything in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class.
    pub fn class(&mut self, class: Class) {
        self.classes.push(class);
    }

    /// Adds an instance of a root class.
    pub fn root(&mut self, name: &str, class: &str) -> UnitId {
        self.units.push((name.to_owned(), class.to_owned()));
        UnitId(self.units.len() - 1)
    }

    /// Adds a shared unit with data.
    pub fn unit<T>(&mut self, name: &str, class: &str, data: T) -> Unit<T> {
        Unit::new(self.root(name, class), self.identity.clone(), data)
    }

    /// Sets the initial value of a variable. Without that it refers to nothing.
    pub fn bind(&mut self, unit: UnitId, variable: &str, to: &[UnitId]) {
        self.bindings.push((unit, variable.to_owned(), to.to_vec()));
    }

    /// Keeps a log of the run.
    pub fn log(&mut self) {
        self.is_logged = true;
    }

    /// Looks up all names and makes the design ready for threads.
    pub fn start(self) -> Result<System, Error> {
        let mut classes = Vec::new();
        for class in &self.classes {
            classes.push(self.resolve(class)?);
        }
        let mut units = Vec::new();
        for (name, class) in &self.units {
            units.push((name.clone(), self.find(class)?));
        }
        let variables = |unit: usize| &self.classes[units[unit].1].variables;
        let mut bindings: Vec<Vec<Vec<usize>>> =
            (0..units.len()).map(|unit| vec![Vec::new(); variables(unit).len()]).collect();
        for (unit, variable, to) in &self.bindings {
            let (name, class) = units.get(unit.0).ok_or_else(|| wrong("there is no such unit"))?;
            let at = place(variables(unit.0).iter().map(|one| &one.0), variable, name)?;
            let expected = &self.classes[*class].variables[at].1;
            let fits = |one: &UnitId| self.units.get(one.0).is_some_and(|one| one.1 == *expected);
            if !to.iter().all(fits) {
                return Err(wrong(format!("{name}.{variable} refers to units of {expected}")));
            }
            bindings[unit.0][at] = to.iter().map(|one| one.0).collect();
        }
        Ok(System::new(Tables { classes, units }, bindings, self.identity, self.is_logged))
    }

    fn find(&self, class: &str) -> Result<usize, Error> {
        place(self.classes.iter().map(|one| &one.name), class, "the design")
    }

    fn resolve(&self, class: &Class) -> Result<ClassTable, Error> {
        let name = class.name.as_str();
        let state = |text: &str| place(class.states.iter().map(|one| &one.0), text, name);
        let variable = |text: &str| place(class.variables.iter().map(|one| &one.0), text, name);
        for (_, other) in &class.variables {
            if self.classes[self.find(other)?].is_root {
                return Err(wrong(format!("a variable of {name} refers to a root")));
            }
        }
        if class.states.is_empty() {
            return Err(wrong(format!("{name} has no state")));
        }
        let mut states = Vec::new();
        for (state, needs) in &class.states {
            let needs: Result<Vec<usize>, Error> = needs.iter().map(|one| variable(one)).collect();
            states.push(StateTable { name: state.clone(), needs: needs?, calls: Vec::new() });
        }
        for [from, through, operation] in &class.calls {
            states[state(from)?].calls.push((variable(through)?, operation.clone()));
        }
        let mut transitions = Vec::new();
        for written in &class.transitions {
            let (from, to) = (state(&written.from)?, state(&written.to)?);
            let guard = guard(written, &variable)?;
            let mut assigns = Vec::new();
            for (target, value) in &written.assigns {
                assigns.push((variable(target)?, self.value(class, value, &variable)?));
            }
            let (kind, label) = (written.kind, written.label.clone());
            transitions.push(TransitionTable { kind, label, from, to, guard, assigns });
        }
        let initial = class.initial.as_deref().map_or(Ok(0), state)?;
        Ok(ClassTable { is_root: class.is_root, states, initial, transitions })
    }

    fn value(
        &self,
        class: &Class,
        value: &Value,
        variable: &dyn Fn(&str) -> Result<usize, Error>,
    ) -> Result<ValueTable, Error> {
        Ok(match value {
            Value::Nil => ValueTable::Nil,
            Value::Variable(name) => ValueTable::Variable(variable(name)?),
            Value::Path(through, field) => {
                let through = variable(through)?;
                let other = &self.classes[self.find(&class.variables[through].1)?];
                let names = other.variables.iter().map(|one| &one.0);
                ValueTable::Path(through, place(names, field, &other.name)?)
            }
            Value::Any(name) => ValueTable::Any(self.find(name)?),
        })
    }
}

type Guard = Vec<(usize, bool, Option<usize>)>;

fn guard(
    written: &Transition,
    variable: &dyn Fn(&str) -> Result<usize, Error>,
) -> Result<Guard, Error> {
    let part = |(left, equal, right): &(String, bool, Option<String>)| {
        let right = right.as_deref().map(variable).transpose()?;
        Ok((variable(left)?, *equal, right))
    };
    written.guard.iter().map(part).collect()
}

/// The place of a name among others.
fn place<'n>(
    mut names: impl Iterator<Item = &'n String>,
    name: &str,
    of: &str,
) -> Result<usize, Error> {
    names.position(|one| one == name).ok_or_else(|| wrong(format!("{of} has no {name}")))
}

fn wrong(why: impl Into<String>) -> Error {
    Error::Design(why.into())
}

/// A design by numbers.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) classes: Vec<ClassTable>,
    /// The name and the class of each unit.
    pub(crate) units: Vec<(String, usize)>,
}

impl Tables {
    pub(crate) fn class(&self, unit: usize) -> &ClassTable {
        &self.classes[self.units[unit].1]
    }

    pub(crate) fn name(&self, unit: usize) -> String {
        self.units[unit].0.clone()
    }
}

#[derive(Debug)]
pub(crate) struct ClassTable {
    pub(crate) is_root: bool,
    pub(crate) states: Vec<StateTable>,
    pub(crate) initial: usize,
    pub(crate) transitions: Vec<TransitionTable>,
}

#[derive(Debug)]
pub(crate) struct StateTable {
    pub(crate) name: String,
    /// The variables whose units are needed.
    pub(crate) needs: Vec<usize>,
    pub(crate) calls: Vec<(usize, String)>,
}

#[derive(Debug)]
pub(crate) struct TransitionTable {
    pub(crate) kind: Kind,
    pub(crate) label: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) guard: Guard,
    pub(crate) assigns: Vec<(usize, ValueTable)>,
}

#[derive(Debug)]
pub(crate) enum ValueTable {
    Nil,
    Variable(usize),
    Path(usize, usize),
    Any(usize),
}
