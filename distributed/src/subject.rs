//! The searched program.

use crate::outcome::{Outcome, describe};
use crate::shard::hash;
use diagnostic::Severity;
use machine::{Machine, Scope, Settings, Strategy};
use plato::hir::{Count, Program};
use search::{Budget, thread_modular};
use source::SourceMap;

/// A program, as text: every worker reads it for itself.
#[derive(Clone, Debug)]
pub struct Subject {
    name: String,
    text: String,
}

/// A program that was read.
pub(crate) struct Parsed {
    pub(crate) sources: SourceMap,
    program: Program,
    /// The numbers of copies of each thread.
    sizes: Vec<u64>,
}

impl Subject {
    /// The program of a file, if the search supports it.
    pub fn new(name: &str, text: &str) -> anyhow::Result<Self> {
        let subject = Self { name: name.to_owned(), text: text.to_owned() };
        subject.parsed()?;
        Ok(subject)
    }

    /// The answer of the built-in search.
    pub fn built_in(&self) -> Outcome {
        let parsed = self.parsed().expect("internal error: a program that was read before");
        let mut all = parsed.outcome();
        for scope in parsed.worlds() {
            let mut machine = Machine::new(scope, parsed.settings());
            let found = thread_modular(&mut machine, &Budget::default());
            let cuts = [found.cut.clone(), machine.incomplete()].into_iter().flatten();
            let alarms = found.alarms.iter().map(|alarm| machine.fault(alarm.fault));
            all.add(Outcome {
                facts: found.states(),
                guarantees: found.guarantees(),
                alarms: alarms.map(|fault| describe(&parsed.sources, fault)).collect(),
                cuts: cuts.map(|reason| reason.to_string()).collect(),
            });
        }
        all
    }

    /// A number that tells this program from others.
    pub(crate) fn hash(&self) -> u64 {
        hash(self.text.as_bytes())
    }

    pub(crate) fn parsed(&self) -> anyhow::Result<Parsed> {
        let mut sources = SourceMap::default();
        let file = sources.add(&self.name, &self.text);
        let (tree, mut diagnostics) = plato::parse(file, &self.text);
        let resolved = plato::resolve(&tree, &[]);
        diagnostics.extend(resolved.diagnostics);
        // A file with errors has no meaning; `rely check` shows them in full.
        if let Some(error) = diagnostics.iter().find(|one| one.severity == Severity::Error) {
            let (line, column) = sources.line_column(error.primary.span);
            anyhow::bail!("{}:{line}:{column}: {}", self.name, error.message);
        }
        let program = resolved.program;
        if let Some(why) = machine::infinite(&program) {
            anyhow::bail!("{}: not finite: {why}", self.name);
        }
        if machine::is_recursive(&program) {
            anyhow::bail!("{}: stacks may grow without end: a procedure calls itself", self.name);
        }
        let sizes = sizes(&program).map_err(anyhow::Error::msg)?;
        Ok(Parsed { sources, program, sizes })
    }
}

impl Parsed {
    /// The settings of the search.
    pub(crate) fn settings(&self) -> Settings {
        Settings::of(&self.program)
    }

    /// The outcome before the search: the obligations that it does not cover.
    pub(crate) fn outcome(&self) -> Outcome {
        let uncovered = machine::uncovered(&self.program, Strategy::OneThread);
        let cuts = uncovered.iter().map(|what| format!("this search does not look at {what}"));
        Outcome { cuts: cuts.collect(), ..Outcome::default() }
    }

    pub(crate) fn worlds(&self) -> Vec<Scope<'_>> {
        machine::crowd(&self.program, &self.sizes)
    }
}

/// As many copies as the program says; for families of any size, as many as are enough.
fn sizes(program: &Program) -> Result<Vec<u64>, String> {
    let known = program.threads.iter().map(|thread| match thread.count {
        Count::One => Some(1),
        Count::Copies(count) => Some(count),
        Count::Symbolic(_) | Count::Any => None,
    });
    known.collect::<Option<_>>().map_or_else(|| machine::copies(program, false), Ok)
}
