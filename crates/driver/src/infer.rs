//! Finding relies, invariants and loop invariants of a program in Plato.

use crate::analysis::check;
use crate::language::Language;
use crate::languages::chalice::loops::look_for as look_for_loops;
use crate::languages::plato::diagnosis::diagnose;
use crate::languages::plato::inferred::{Verified, halts, items, look_for, verify, verify_text};
use crate::load::{load, load_plato};
use crate::options::{Given, Input, Options};
use crate::pool::Pool;
use crate::results::{ObligationResult, Run, Status};
use ::infer::{Found, Written};
use ::java::NoLibrary;
use source::SourceMap;
use std::time::Duration;
use verdict::{Obligation, StopReason, Verdict};

/// What was found for one input.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// What is to be written: ghost variables, relies, invariants, and invariants of loops; with
    /// each what is not proved without it, if that was looked at.
    pub formulas: Vec<(String, Option<Obligation>)>,
    /// Whether each of them is known to be needed.
    pub is_minimal: bool,
    /// The text with them.
    pub text: String,
    /// What the text with them comes to, verified without answers of earlier runs.
    pub run: Run,
    /// What was open when no more was found; nothing if it was enough.
    pub open: Vec<Obligation>,
    /// Why it is open, as far as is known, and what a person could add.
    pub why: Vec<String>,
    /// The text that was given.
    pub sources: SourceMap,
}

impl Inferred {
    /// Whether the program with what was found is proved.
    pub fn suffices(&self) -> bool {
        self.run.files.iter().all(|file| file.status == Status::Proved)
    }
}

/// Why nothing was looked for or found.
#[derive(Debug)]
pub enum NotInferred {
    /// The input is rejected; the run says why.
    Rejected(Box<Run>),
    /// Another reason.
    Other(String),
}

impl NotInferred {
    fn rejected(input: &Input, options: &Options) -> Self {
        let options = Options { infer: None, ..options.clone() };
        Self::Rejected(Box::new(check(std::slice::from_ref(input), &options, &|_| {})))
    }
}

/// Finds relies and invariants, or says why not; of programs in Chalice, invariants of loops.
pub fn infer(input: &Input, options: &Options) -> Result<Inferred, NotInferred> {
    match Language::of(&input.name) {
        Language::Plato => of_program(input, options),
        Language::Chalice => of_loops(input, options),
        _ => Err(NotInferred::Other("this is for programs in Plato and Chalice only".to_owned())),
    }
}

fn of_program(input: &Input, options: &Options) -> Result<Inferred, NotInferred> {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let loaded = load_plato(id, input, &options.definitions);
    let program = loaded.map_err(|_| NotInferred::rejected(input, options))?;
    let (halt, last) = options
        .infer
        .map_or_else(|| (options.halt.clone(), options.halt.clone()), |time| halts(options, time));
    let mut pool = Pool::new(options);
    pool.join(&halt);
    let found = look_for(&mut pool, &program, (id, &input.text), options, halt.clone());
    let mut why = Vec::new();
    let (annotations, sketch, open) = match found {
        Found::Enough(annotations, sketch) => (annotations, sketch, Vec::new()),
        Found::TooLittle(found) => {
            let reason = diagnose(&mut pool, (id, &input.text), options, &found, &last);
            if let Some(reason) = reason {
                why = reason.notes(&input.text, &found.sketch);
                why.extend(reason.advice);
            }
            (found.formulas, found.sketch, found.open)
        }
        Found::Stopped => {
            let why = halt.reason().unwrap_or(StopReason::Timeout);
            return Err(NotInferred::Other(format!("nothing was found: {why}")));
        }
    };
    let Verified { written, run } = verify(input, &sketch, &annotations, options);
    let items = items(&annotations, &input.text, &sketch);
    let ghosts = items.len() - annotations.len();
    let is_minimal = annotations.iter().all(|one| one.needed_for.is_some());
    let needed_for = annotations.into_iter().map(|one| one.needed_for);
    let needed_for = std::iter::repeat_n(None, ghosts).chain(needed_for);
    let formulas = items.into_iter().zip(needed_for).collect();
    Ok(Inferred { formulas, is_minimal, text: written.text, run, open, why, sources })
}

fn of_loops(input: &Input, options: &Options) -> Result<Inferred, NotInferred> {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let given = Given { definitions: &options.definitions, library: &NoLibrary };
    if load(id, input, given).loaded.is_none() {
        return Err(NotInferred::rejected(input, options));
    }
    let budget = options.infer.unwrap_or(Duration::MAX);
    let (halt, _) = halts(options, budget);
    let mut pool = Pool::new(options);
    pool.join(&halt);
    let found = look_for_loops(&mut pool, (id, &input.text), options, &halt);
    let items = found.as_ref().map(|found| found.items(&input.text)).unwrap_or_default();
    let is_minimal = found.as_ref().is_none_or(|found| found.is_minimal);
    let nothing = || Written::of(&input.text, 0, Vec::new());
    let written = found.map_or_else(nothing, |found| found.written);
    let Verified { written, run } = verify_text(input, written, options);
    let is_open = |result: &&ObligationResult| !matches!(result.verdict, Verdict::Proved(_));
    let results = run.files.iter().flat_map(|file| &file.results).filter(is_open);
    let open = results.map(|result| result.obligation.clone()).collect();
    let formulas = items.into_iter().map(|item| (item, None)).collect();
    let why = Vec::new();
    Ok(Inferred { formulas, is_minimal, text: written.text, run, open, why, sources })
}
