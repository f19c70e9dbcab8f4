//! Finding relies, invariants and loop invariants of a program in Plato.

use crate::analysis::check;
use crate::languages::plato::inferred::look_for;
use crate::load::load_plato;
use crate::options::{Engine, Input, Options};
use crate::pool::Pool;
use crate::results::{Run, Status};
use ::infer::{Candidate, Found, Place, Sketch, merged};
use source::{FileId, SourceMap};
use verdict::{Obligation, StopReason};

/// What was found for one input.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The formulas, those with the same condition as one.
    pub formulas: Vec<Candidate>,
    /// The text with them.
    pub text: String,
    /// The run of the deductive engine on that text, without answers of earlier runs.
    pub run: Run,
    /// What was open when no more was found; nothing if it was enough.
    pub open: Vec<Obligation>,
}

impl Inferred {
    /// Whether deduction from what was found proves the program.
    pub fn suffices(&self) -> bool {
        self.run.files.iter().all(|file| file.status == Status::Proved)
    }

    /// The formulas as items of a program, and those of loops with the number of the loop.
    pub fn items(&self) -> impl Iterator<Item = String> {
        self.formulas.iter().map(|one| match one.place {
            Place::Rely => format!("rely {};", one.text()),
            Place::Invariant => format!("invariant {};", one.text()),
            Place::Loop(number) => format!("loop {}: invariant {}", number + 1, one.text()),
        })
    }
}

/// Finds relies and invariants, or says why not.
pub fn infer(input: &Input, options: &Options) -> Result<Inferred, String> {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let program = load_plato(id, input, &options.definitions)?;
    let mut pool = Pool::new(options);
    pool.join(&options.halt);
    let found = look_for(&mut pool, &program, (id, &input.text), options, options.halt.clone());
    let (formulas, open) = match found {
        Found::Enough(formulas) => (formulas, Vec::new()),
        Found::TooLittle(formulas, open) => (formulas, open),
        Found::Stopped => {
            let why = options.halt.reason().unwrap_or(StopReason::Timeout);
            return Err(why.to_string());
        }
    };
    let formulas = merged(&formulas);
    let (text, run) = gate(id, input, &formulas, options);
    Ok(Inferred { formulas, text, run, open })
}

/// The text with formulas, and what the ordinary deductive engine says of it without answers of
/// earlier runs. Nothing else counts as proved.
fn gate(id: FileId, input: &Input, formulas: &[Candidate], options: &Options) -> (String, Run) {
    let (tree, _) = plato::parse(id, &input.text);
    let text = Sketch::new(&input.text, &tree).with(formulas).text;
    let with = Input { name: input.name.clone(), text: text.clone() };
    let deductive =
        Options { engine: Engine::Deductive, hygiene: false, memory: None, ..options.clone() };
    let run = check(&[with], &deductive, &|_| {});
    (text, run)
}
