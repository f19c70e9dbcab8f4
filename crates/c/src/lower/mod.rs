//! From C to Plato.
//!
//! Each function becomes a procedure, each start of a thread a thread that waits for a flag. What cannot be expressed
//! becomes `assert false` at its place and is listed: if that assertion is shown to be out of reach, nothing is lost; if not,
//! nothing is claimed of the rest.

mod assigned;
mod body;
mod calls;
mod exprs;
mod globals;
mod library;
mod loops;
mod operators;
mod stmts;
mod threads;
mod values;

use crate::syntax::{Function, Type, Unit};
use crate::{Translated, Unsupported};
use body::Body;
use diagnostic::{Code, Diagnostic};
use plato::ast::{self, Item};
use source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use threads::Started;

/// Why something is not expressed in Plato.
pub(crate) struct Refused(pub(crate) String);

pub(crate) type Answer<T> = Result<T, Refused>;

pub(crate) fn refuse<T>(message: impl Into<String>) -> Answer<T> {
    Err(Refused(message.into()))
}

/// A variable of the C text and its name in Plato.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) shared: bool,
}

/// What a pointer points to, if that is known beforehand.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) variable: Variable,
    pub(crate) indices: Vec<i128>,
    /// The type of what is there.
    pub(crate) ty: Type,
}

/// A function with what its pointers point to.
struct Instance<'u> {
    name: String,
    function: &'u Function,
    targets: Vec<Option<Target>>,
}

pub(crate) struct Lowering<'u> {
    unit: &'u Unit,
    globals: BTreeMap<String, Variable>,
    /// Variables that always have their first value.
    fixed: BTreeMap<String, i128>,
    items: Vec<Item>,
    /// Names that are taken outside of functions.
    names: BTreeSet<String>,
    instances: BTreeMap<String, String>,
    queue: VecDeque<Instance<'u>>,
    threads: Vec<Started>,
    /// Which thread a handle was last used for.
    handles: BTreeMap<String, usize>,
    unsupported: Vec<Unsupported>,
}

/// The most functions, counted once for each use with other pointers.
const MAX_INSTANCES: usize = 500;

pub(crate) fn lower(unit: &Unit, file: FileId) -> Translated {
    let mut lowering = Lowering {
        unit,
        globals: BTreeMap::new(),
        fixed: BTreeMap::new(),
        items: Vec::new(),
        names: BTreeSet::new(),
        instances: BTreeMap::new(),
        queue: VecDeque::new(),
        threads: Vec::new(),
        handles: BTreeMap::new(),
        unsupported: Vec::new(),
    };
    lowering.declare_globals();
    let mut diagnostics = Vec::new();
    let main = unit.functions.iter().find(|function| function.name == "main");
    match main {
        Some(main) => lowering.program(main),
        None => {
            let message = "there is no function `main`";
            diagnostics.push(Diagnostic::new(
                Code::of("syntax-error"),
                Span::new(file, 0, 0),
                message,
            ));
        }
    }
    let tree = ast::File { items: lowering.items };
    Translated {
        tree,
        diagnostics,
        unsupported: lowering.unsupported,
        used_definitions: Vec::new(),
    }
}

impl<'u> Lowering<'u> {
    fn program(&mut self, main: &'u Function) {
        let targets = vec![None; main.params.len()];
        let name = self.instance(main, targets);
        self.main_thread(main, &name);
        while let Some(instance) = self.queue.pop_front() {
            let item = Body::function(self, &instance);
            self.items.push(item);
        }
        self.start_threads();
    }

    /// The procedure for a function with these pointers.
    fn instance(&mut self, function: &'u Function, targets: Vec<Option<Target>>) -> String {
        let key = format!("{} {targets:?}", function.name);
        if let Some(name) = self.instances.get(&key) {
            return name.clone();
        }
        let name = self.unique(&format!("{}()", function.name));
        self.instances.insert(key, name.clone());
        if self.instances.len() <= MAX_INSTANCES {
            self.queue.push_back(Instance { name: name.clone(), function, targets });
        } else {
            self.unsupported.push(Unsupported {
                span: function.span,
                message: "too many functions".to_owned(),
                anyway: true,
            });
        }
        name
    }

    /// A name that is not taken yet outside of functions.
    fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}#{number}");
            number += 1;
        }
        name
    }

    fn find_function(&self, name: &str) -> Option<&'u Function> {
        self.unit.functions.iter().find(|function| function.name == name)
    }
}
