//! From C to Plato.
//!
//! Each function becomes a procedure; each start of a thread becomes a thread that waits for a
//! flag. A construct that cannot be expressed becomes an `Unsupported` statement at its place: if
//! no run reaches it, nothing is lost; otherwise nothing is claimed of the rest.

mod assigned;
mod atomics;
mod body;
mod calls;
mod exprs;
mod functions;
mod globals;
mod handles;
mod library;
mod locals;
mod loops;
mod operators;
mod stmts;
mod temporaries;
mod threads;
mod values;

pub(crate) use functions::functions_without_effect;

use crate::Translated;
use crate::constant::Typed;
use crate::syntax::{Function, Type, Unit};
use body::Body;
use diagnostic::{Code, Diagnostic};
use handles::Handles;
use plato::ast::{self, Item};
use source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use threads::Started;

/// The reason why Plato cannot express something.
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
    /// Whether operators that read and write it do so in one step.
    pub(crate) atomic: bool,
}

/// The target of a pointer, if it is known beforehand.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) variable: Variable,
    pub(crate) indices: Vec<i128>,
    /// The type of the target.
    pub(crate) ty: Type,
}

/// A function with the targets of its pointers.
struct Instance<'u> {
    name: String,
    function: &'u Function,
    targets: Vec<Option<Target>>,
    /// Whether a thread begins with it, so that leaving it ends the thread.
    is_start: bool,
    owner: Owner,
}

/// The thread that runs a function; it matters only where threads have variables of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// No thread has variables of its own.
    Anybody,
    Main,
    /// The thread of the creation with this number.
    One(usize),
    /// One of any number of threads.
    Some,
}

pub(crate) struct Lowering<'u> {
    unit: &'u Unit,
    globals: BTreeMap<String, Variable>,
    /// Descriptions of variables that are not declared in Plato.
    others: BTreeMap<String, String>,
    functions: BTreeMap<&'u str, &'u Function>,
    /// Functions whose result somebody uses.
    wanted: BTreeSet<&'u str>,
    /// Variables that always have their first value.
    fixed: BTreeMap<String, Typed>,
    /// Static variables inside of functions, by the number of their declaration: there is one,
    /// however often its function is translated.
    statics: BTreeMap<(usize, Owner), Variable>,
    /// Whether threads have variables of their own.
    has_thread_local: bool,
    items: Vec<Item>,
    /// Names that are taken outside of functions.
    names: Names,
    instances: BTreeMap<String, String>,
    queue: VecDeque<Instance<'u>>,
    threads: Vec<Started>,
    handles: Handles,
}

/// Limit on how often functions are translated again for other pointers, in all.
const MAX_INSTANCES: usize = 500;

pub(crate) fn lower(unit: &Unit, file: FileId) -> Translated {
    let mut lowering = Lowering {
        unit,
        globals: BTreeMap::new(),
        others: BTreeMap::new(),
        functions: unit.functions.iter().map(|one| (one.name.as_str(), one)).collect(),
        wanted: calls::wanted(unit),
        fixed: BTreeMap::new(),
        statics: BTreeMap::new(),
        has_thread_local: globals::has_thread_local(unit),
        items: Vec::new(),
        names: Names::default(),
        instances: BTreeMap::new(),
        queue: VecDeque::new(),
        threads: Vec::new(),
        handles: Handles::default(),
    };
    lowering.declare_globals();
    let mut diagnostics = Vec::new();
    let main = unit.functions.iter().find(|function| function.name == "main");
    match main {
        Some(main) => lowering.program(main),
        None => {
            let message = "there is no function `main`";
            diagnostics.push(Diagnostic::new(Code::SyntaxError, Span::new(file, 0, 0), message));
        }
    }
    let tree = ast::File { items: lowering.items };
    Translated { tree, diagnostics, used_definitions: Vec::new() }
}

impl<'u> Lowering<'u> {
    fn program(&mut self, main: &'u Function) {
        let targets = vec![None; main.params.len()];
        // The first function never exceeds the limit.
        let Ok(name) = self.instance(main, targets, true, Owner::Main) else { return };
        self.main_thread(main, &name);
        while let Some(instance) = self.queue.pop_front() {
            let item = Body::function(self, &instance);
            self.items.push(item);
        }
        self.check_joins();
        self.start_threads();
    }

    /// The procedure for a function with these pointers.
    fn instance(
        &mut self,
        function: &'u Function,
        targets: Vec<Option<Target>>,
        is_start: bool,
        owner: Owner,
    ) -> Answer<String> {
        let owner = if self.has_thread_local { owner } else { Owner::Anybody };
        let key = format!("{} {is_start} {owner:?} {targets:?}", function.name);
        if let Some(name) = self.instances.get(&key) {
            return Ok(name.clone());
        }
        // Each function once, and some more with other pointers.
        if self.instances.len() >= MAX_INSTANCES + self.functions.len() {
            return refuse("a function that is used with too many different pointers");
        }
        let name = self.unique(&format!("{}()", function.name));
        self.instances.insert(key, name.clone());
        self.queue.push_back(Instance { name: name.clone(), function, targets, is_start, owner });
        Ok(name)
    }

    /// A name that is not taken yet outside of functions.
    fn unique(&mut self, wanted: &str) -> String {
        self.names.unique(wanted, |_| false)
    }

    fn find_function(&self, name: &str) -> Option<&'u Function> {
        self.functions.get(name).copied()
    }
}

/// Names that are taken.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    /// The number to try next for a name.
    next: BTreeMap<String, usize>,
}

impl Names {
    fn contains(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// A name like the wanted one that is taken neither here nor elsewhere. It is taken here from
    /// now on.
    fn unique(&mut self, wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
        if !is_taken(wanted) && self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let next = self.next.entry(wanted.to_owned()).or_insert(2);
        loop {
            let name = format!("{wanted}#{next}");
            *next += 1;
            if !is_taken(&name) && self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
