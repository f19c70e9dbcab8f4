//! A system that is written for any size.

use super::shape::{self, Shape};
use crate::resolve;
use crate::syntax::{self, Decl, Parameter};
use crate::system::System;
use source::Name;

/// What is needed to count a system out for a size.
#[derive(Clone, Debug)]
pub struct Sizes {
    written: syntax::System,
    definitions: Vec<(String, String)>,
    /// The parameters that stand for any number; at least one.
    any: Vec<Parameter>,
}

impl Sizes {
    /// Nothing if every parameter has a value, in the text or by a definition.
    pub(crate) fn new(written: &syntax::System, definitions: &[(String, String)]) -> Option<Self> {
        let is_defined = |name: &Name| definitions.iter().any(|(one, _)| one == name.as_str());
        let parameters = written.parameters.iter();
        let any: Vec<Parameter> =
            parameters.filter(|one| one.is_any && !is_defined(&one.name.name)).cloned().collect();
        let definitions = definitions.to_vec();
        (!any.is_empty()).then(|| Self { written: written.clone(), definitions, any })
    }

    /// The parameter that stands for any number.
    pub fn parameter(&self) -> &Name {
        &self.any[0].name.name
    }

    /// The smallest size.
    pub fn least(&self) -> i64 {
        self.any[0].value
    }

    /// Whether units of a class are declared, in some size.
    pub(crate) fn declares(&self, class: &Name) -> bool {
        declares(&self.written.decls, class)
    }

    /// The system of a size. `smallest` is the smallest one.
    ///
    /// # Errors
    /// What is wrong with it in this size.
    pub fn system(&self, smallest: &System, size: i64) -> Result<System, String> {
        let mut definitions = self.definitions.clone();
        definitions.push((self.parameter().to_string(), size.to_string()));
        let mut faults = Vec::new();
        let classes = &smallest.classes;
        let system =
            resolve::system(&self.written, classes, &definitions, &mut Vec::new(), &mut faults);
        match faults.first() {
            Some(fault) => Err(format!("with {} = {size}: {}", self.parameter(), fault.message)),
            None => Ok(system),
        }
    }

    /// How it grows.
    pub(super) fn shape(&self) -> Result<Shape, String> {
        if self.any.len() > 1 {
            return Err("more than one parameter without a value".to_owned());
        }
        let numbers = resolve::Numbers::new(
            &self.written.parameters,
            &self.definitions,
            &mut Vec::new(),
            &mut Vec::new(),
        );
        shape::shape(&self.written.decls, self.parameter(), &numbers)
    }
}

fn declares(decls: &[Decl], class: &Name) -> bool {
    decls.iter().any(|decl| match decl {
        Decl::Unit(_, of) => of.name == *class,
        Decl::For { body, .. } => declares(body, class),
        Decl::Binding { .. } | Decl::Policies(_) | Decl::Property(_) => false,
    })
}
