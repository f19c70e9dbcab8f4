//! Finding the rely and the invariants of a finite program.

use crate::analysis::check;
use crate::load::load_plato;
use crate::options::{Engine, Input, Options};
use crate::results::{Run, Status};
use machine::{Candidate, candidates, kept, strongest};
use plato::ast::ItemKind;
use source::SourceMap;

/// What was found for one input.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The items to insert, one per line.
    pub items: Vec<String>,
    /// The text with the items inserted before the first thread or procedure.
    pub text: String,
    /// The run of the deductive engine on that text.
    pub run: Run,
}

impl Inferred {
    /// Whether deduction from what was found proves the program.
    pub fn suffices(&self) -> bool {
        self.run.files.iter().all(|file| file.status == Status::Proved)
    }
}

/// Finds relies and invariants, or says why not.
pub fn infer(input: &Input, options: &Options) -> Result<Inferred, String> {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let program = load_plato(id, input, &options.definitions)?;
    if let Some(why) = machine::infinite(&program) {
        return Err(format!("relies are found for finite programs only: {why}"));
    }
    let tried = candidates(&program);
    let (tree, _) = plato::parse(id, &input.text);
    let at = tree.items.iter().find(|item| {
        matches!(item.kind, ItemKind::Thread(_) | ItemKind::Proc(_) | ItemKind::Module(_))
    });
    let at = at.map_or(input.text.len(), |item| item.span.start as usize);
    let held = those_that_hold(input, options, &tried, at)?;
    let items: Vec<String> = strongest(held).iter().map(item).collect();
    let mut found = deduced(input, options, at, items);
    // What is not needed only hides the rest. One item may be needed only because of another, so
    // once is not enough.
    let mut before = usize::MAX;
    while found.suffices() && found.items.len() < before {
        before = found.items.len();
        for position in (0..before).rev() {
            let mut fewer = found.items.clone();
            fewer.remove(position);
            let without = deduced(input, options, at, fewer);
            if without.suffices() {
                found = without;
            }
        }
    }
    Ok(found)
}

/// What deduction says with these items.
fn deduced(input: &Input, options: &Options, at: usize, items: Vec<String>) -> Inferred {
    let text = inserted(&input.text, at, &items);
    let with = Input { name: input.name.clone(), text: text.clone() };
    let deductive = Options { engine: Engine::Deductive, hygiene: false, ..options.clone() };
    let run = check(&[with], &deductive, &|_| {});
    Inferred { items, text, run }
}

/// The candidates that hold of everything that a thread-modular search finds.
fn those_that_hold(
    input: &Input,
    options: &Options,
    tried: &[Candidate],
    at: usize,
) -> Result<Vec<Candidate>, String> {
    let (relies, invariants): (Vec<&Candidate>, Vec<&Candidate>) =
        tried.iter().partition(|candidate| candidate.is_rely);
    let ordered = relies.iter().chain(&invariants);
    let lines: Vec<String> = ordered.map(|candidate| item(candidate)).collect();
    let text = inserted(&input.text, at, &lines);
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), text.as_str());
    let (tree, _) = plato::parse(id, &text);
    let resolved = plato::resolve(&tree, &options.definitions);
    if let Some(fault) = resolved.diagnostics.first() {
        return Err(format!(
            "internal error: a formula that was tried is rejected: {}",
            fault.message
        ));
    }
    let budget = options.budget();
    let kept = kept(&resolved.program, &budget).map_err(|reason| reason.to_string())?;
    // What stood in the file before comes first only if it stands before the place; so look
    // candidates up by their text.
    let held = |formulas: &[plato::hir::Formula], positions: &[usize], all: &[&Candidate]| {
        let texts: Vec<&str> =
            positions.iter().map(|&at| sources.text(formulas[at].span)).collect();
        let is_held = |candidate: &&&Candidate| {
            texts
                .iter()
                .any(|text| text.trim_end_matches(';') == item(candidate).trim_end_matches(';'))
        };
        all.iter().filter(is_held).map(|candidate| (*candidate).clone()).collect::<Vec<_>>()
    };
    let mut all = held(&resolved.program.relies, &kept.relies, &relies);
    all.extend(held(&resolved.program.invariants, &kept.invariants, &invariants));
    Ok(all)
}

fn item(candidate: &Candidate) -> String {
    let keyword = if candidate.is_rely { "rely" } else { "invariant" };
    format!("{keyword} {};", candidate.text)
}

fn inserted(text: &str, at: usize, items: &[String]) -> String {
    let (before, after) = text.split_at(at);
    let lines = items.iter().fold(String::new(), |lines, item| lines + item + "\n");
    format!("{before}{lines}{after}")
}
