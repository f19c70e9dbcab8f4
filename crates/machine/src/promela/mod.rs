//! A world as a model in Promela, the language of the model checker SPIN, so that SPIN is an oracle
//! for the exhaustive search.
//!
//! Each running thread is a process, each place in its code a control state, each step one
//! transition: a bare assignment, or a `d_step` of a guard and assignments. So SPIN counts the
//! states that [`crate::check`] counts, if it leaves out no states and no variables:
//!
//! ```text
//! spin -o1 -o2 -o3 -a model.pml && cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m10000000
//! ```
//!
//! with one state more if there are several initial stores, because a process chooses among them.
//! Threads that have ended stay where they are. Invariants and error sets are watched by a process
//! that takes a step only if one is violated. Without `never deadlock` every control state is a
//! valid end, so that `pan` needs no option for that.

mod action;
mod expr;
mod layout;
mod paths;
mod process;
mod term;

use crate::graph::{Graph, compile};
use crate::initial::initial_stores;
use crate::scope::Scope;
use diagnostic::Code;
use expr::{Context, Env};
use layout::Storage;
use plato::hir::{Expr, LabelId, NeverKind};
use process::{Process, process};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use term::{FALSE, Term, and, not};

/// More initial stores than these are not written out.
const STORES: usize = 1_000;
/// SPIN has at most 255 processes; two are for the start and the properties.
const THREADS: usize = 253;

/// The model of a world, or which construct stands in the way.
pub fn promela(scope: &Scope<'_>) -> Result<String, String> {
    if let Some(guarded) = scope.program.globals.iter().find(|global| global.guard.is_some()) {
        return Err(format!("`{}`: a variable with `guarded by`", guarded.name));
    }
    if scope.threads.len() > THREADS {
        return Err(format!("{} threads: SPIN runs at most {THREADS}", scope.threads.len()));
    }
    let code = compile(scope.program);
    let mut names = Names::new();
    let mut globals = Vec::new();
    for global in &scope.program.globals {
        let name = names.fresh(global.name.as_str());
        globals.push(Storage::new(scope, name, &global.ty)?);
    }
    let (stores, complete) = initial_stores(scope, STORES);
    if !complete {
        return Err("initial stores: there are too many".to_owned());
    }
    let mut first = Vec::new();
    for store in &stores {
        let values = globals.iter().zip(store).map(|(global, value)| global.elements(value));
        first.push(values.collect::<Result<Vec<_>, String>>()?);
    }
    let model = Model { scope, code: &code, globals: &globals, first: &first };
    model.text(&mut names)
}

/// What all parts of the text look at.
struct Model<'m> {
    scope: &'m Scope<'m>,
    code: &'m Graph<'m>,
    globals: &'m [Storage],
    /// For each initial store the elements of each variable.
    first: &'m [Vec<Vec<i128>>],
}

impl Model<'_> {
    fn text(&self, names: &mut Names) -> Result<String, String> {
        let is_chosen = self.first.len() != 1;
        let mut processes = Vec::new();
        for id in self.scope.program.thread_ids() {
            let own = self.scope.threads.iter().filter(|thread| **thread == id).count();
            if own > 0 {
                processes.push(process(self, names, id, own)?);
            }
        }
        let mut out = format!(
            "/* Each step of a thread is one step here. The number of the running thread: */\n\
             #define TID {}\n\n",
            if is_chosen { "_pid" } else { "(_pid + 1)" }
        );
        for (at, global) in self.globals.iter().enumerate() {
            let value = self.first.first().map_or_else(
                || vec![global.range.0; global.all_keys().len()],
                |first| first[at].clone(),
            );
            let _ = writeln!(out, "{}", global.declaration(false, &value));
        }
        let most = processes.iter().map(|process| process.scratch).max().unwrap_or(0);
        for at in 0..most {
            let _ = writeln!(out, "hidden int scratch{at};");
        }
        for process in &processes {
            let keyword =
                if is_chosen { String::new() } else { format!("active [{}] ", process.copies) };
            let _ = write!(out, "\n{keyword}proctype {}() {{\n{}}}\n", process.name, process.text);
        }
        let monitor = self.monitor(names, &processes, is_chosen)?;
        out.push_str(&monitor);
        if is_chosen {
            let mut runs: Vec<&str> = Vec::new();
            for process in &processes {
                runs.extend(std::iter::repeat_n(process.name.as_str(), process.copies));
            }
            runs.extend((!monitor.is_empty()).then_some(names.monitor.as_str()));
            out.push_str(&self.start(&runs));
        }
        Ok(out)
    }

    /// The process that notices violated properties.
    fn monitor(
        &self,
        names: &mut Names,
        processes: &[Process],
        is_chosen: bool,
    ) -> Result<String, String> {
        let program = self.scope.program;
        let mut watched: Vec<(Term, Code)> = Vec::new();
        for invariant in &program.invariants {
            watched.push((self.formula(processes, &invariant.expr, false)?, Code::InvariantBroken));
        }
        for never in &program.nevers {
            match &never.kind {
                NeverKind::Formula(expr) => {
                    watched.push((self.formula(processes, expr, true)?, Code::NeverReached));
                }
                NeverKind::Deadlock => {}
                NeverKind::Race(_) => return Err("`never race`".to_owned()),
            }
        }
        watched.retain(|(bad, _)| *bad != FALSE);
        if watched.is_empty() {
            return Ok(String::new());
        }
        let keyword = if is_chosen { "" } else { "active " };
        let mut out = format!("\n{keyword}proctype {}() {{\n  end_watch: if\n", names.monitor);
        for (bad, code) in watched {
            let _ = writeln!(out, "  :: {bad} -> assert(false) /* {code} */");
        }
        out.push_str("  fi\n}\n");
        Ok(out)
    }

    /// When a formula has this value.
    fn formula(&self, processes: &[Process], expr: &Expr, value: bool) -> Result<Term, String> {
        let places = |tid: u32, labels: &[LabelId]| self.place(processes, tid, labels);
        let mut context = Context {
            scope: self.scope,
            globals: self.globals,
            locals: &[],
            env: &Env::default(),
            after: None,
            tid: Term::Int(0),
            places: Some(&places),
            bound: Vec::new(),
        };
        let found = context.value(expr)?;
        let term = if value { found.term } else { not(found.term) };
        Ok(and(not(found.wrong), term))
    }

    /// Whether a thread is at one of these labels.
    fn place(&self, processes: &[Process], tid: u32, labels: &[LabelId]) -> Term {
        let Some(declared) = self.scope.threads.get(tid as usize - 1) else { return FALSE };
        let Some(process) = processes.iter().find(|process| process.thread == *declared) else {
            return FALSE;
        };
        let pid = if self.first.len() == 1 { tid - 1 } else { tid };
        let mut found: BTreeSet<String> = BTreeSet::new();
        for (pc, name) in &process.places {
            if self.code.labels(*pc).iter().any(|label| labels.contains(label)) {
                found.insert(format!("{}[{pid}]@{name}", process.name));
            }
        }
        if found.is_empty() {
            return FALSE;
        }
        Term::Place(found.into_iter().collect::<Vec<_>>().join(" || "))
    }

    /// The process that chooses an initial store and starts the others.
    fn start(&self, runs: &[&str]) -> String {
        if self.first.is_empty() {
            return "\ninit { end_start: false }\n".to_owned();
        }
        let mut out = "\ninit { atomic {\n  if\n".to_owned();
        for store in self.first {
            let mut writes = vec!["true".to_owned()];
            for (global, values) in self.globals.iter().zip(store) {
                for (keys, value) in global.all_keys().iter().zip(values) {
                    let at = if keys.is_empty() {
                        global.name.clone()
                    } else {
                        format!("{}[{}]", global.name, global.index(keys))
                    };
                    writes.push(format!("{at} = {value}"));
                }
            }
            let _ = writeln!(out, "  :: {}", writes.join("; "));
        }
        out.push_str("  fi;\n");
        for name in runs {
            let _ = writeln!(out, "  run {name}();");
        }
        out.push_str("  }\n  end_start: false }\n");
        out
    }
}

/// Names that are taken in the model.
struct Names {
    taken: BTreeSet<String>,
    /// The name of the process that notices violated properties.
    monitor: String,
}

/// Words of the language, and names that the model uses itself.
const RESERVED: &str = "active assert atomic bit bool break byte chan c_code c_decl c_expr c_state c_track d_step do \
    D_proctype else empty enabled end eval false fi for full get_priority goto hidden if in init inline int len local ltl \
    mtype nempty never nfull notrace np_ od of pc_value pid printf printm priority proctype provided return run \
    select set_priority short show skip trace true timeout typedef unless unsigned xr xs TID assert_ \
    always eventually until release weakuntil implies equivalent stronguntil U V W X";

impl Names {
    fn new() -> Self {
        let taken = RESERVED.split_whitespace().map(str::to_owned).collect();
        let mut names = Self { taken, monitor: String::new() };
        names.monitor = names.fresh("monitor");
        names
    }

    /// A name like this one that nothing else has.
    fn fresh(&mut self, like: &str) -> String {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let like = if like.is_empty() { "unnamed" } else { like };
        let base: String = like.chars().map(clean).collect();
        let mut name = base.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }
}
