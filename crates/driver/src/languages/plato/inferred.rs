//! Annotations that nobody wrote: looked for where those that are written do not suffice.

use super::diagnosis::diagnose;
use super::relies::{UsableRely, check_relies};
use super::switches::Switches;
use crate::analysis::{Context, check};
use crate::findings::Findings;
use crate::options::{Input, Options};
use crate::pool::Executor;
use crate::results::{FileReport, ObligationResult, Run, Status};
use infer::{Annotation, Candidate, Found, Place, Request, Sketch, Written, search};
use modular::conjuncts;
use plato::hir::Program;
use source::{FileId, Span};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;
use verdict::{Halt, Obligation};

/// Looks for annotations with which the program is proved.
pub(crate) fn look_for(
    executor: &mut impl Executor,
    program: &Program,
    (file, text): (FileId, &str),
    options: &Options,
    halt: Halt,
) -> Found {
    let relies = check_relies(executor, program, options);
    let unusable = relies.iter().flat_map(|rely| unusable(program, rely)).collect();
    let mut switches = Switches::new(executor, options, halt.clone(), unusable);
    let request = Request { file, text, definitions: &options.definitions, halt: &halt };
    search(request, &mut switches)
}

/// When looking for annotations has to stop, and when looking for the reason why none were found
/// has to.
pub(crate) fn halts(options: &Options, budget: Duration) -> (Halt, Halt) {
    (options.halt.within(budget / 6 * 5), options.halt.within(budget))
}

/// Where the conjuncts of a rely stand that cannot be used.
fn unusable(program: &Program, rely: &UsableRely) -> BTreeSet<u32> {
    let all = conjuncts(program, &rely.owner);
    rely.dropped.iter().map(|&at| all[at].formula.span.start).collect()
}

/// A text with formulas written into it, and what is said of it.
pub(crate) struct Verified {
    pub(crate) written: Written,
    pub(crate) run: Run,
}

/// Writes formulas into a text and verifies it as if a person had written them, without answers of
/// earlier runs. Nothing else counts as proved.
pub(crate) fn verify(
    input: &Input,
    sketch: &Sketch,
    formulas: &[Annotation],
    options: &Options,
) -> Verified {
    let formulas: Vec<Candidate> = formulas.iter().map(|one| one.formula.clone()).collect();
    let written = sketch.with(&formulas);
    verify_text(input, written, options)
}

/// The same for a text with formulas.
pub(crate) fn verify_text(input: &Input, written: Written, options: &Options) -> Verified {
    let with = Input { name: input.name.clone(), text: written.text.clone() };
    let anew = Options { infer: None, hygiene: false, memory: None, ..options.clone() };
    let run = check(&[with], &anew, &|_| {});
    Verified { written, run }
}

/// Everything that is to be written, as a person would write it.
pub(crate) fn items(formulas: &[Annotation], text: &str, sketch: &Sketch) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (at, inserted) in sketch.ghosts() {
        match (inserted.strip_suffix('\n'), all.last_mut()) {
            // What is written to a ghost variable stands with its declaration.
            (None, Some(declared)) => {
                let line = line(text, at);
                let _ = write!(declared, "\n  // line {line}: insert `{}`", inserted.trim());
            }
            (declaration, _) => all.push(declaration.unwrap_or(inserted).to_owned()),
        }
    }
    for (at, inserted, name) in sketch.clauses() {
        all.push(format!("proc {name} in line {}: {inserted}", line(text, at)));
    }
    all.extend(formulas.iter().map(|one| item(&one.formula, text, sketch)));
    all
}

pub(crate) fn line(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// A formula as it stands in the text; that of a loop with the line of the loop, and one that asks
/// for new labels with theirs.
pub(crate) fn item(formula: &Candidate, text: &str, sketch: &Sketch) -> String {
    let labels = sketch.new_labels(formula).into_iter();
    let labels = labels.map(|(at, name)| format!("{name} in line {}", line(text, at)));
    let labels: Vec<String> = labels.collect();
    let item = bare_item(formula, text, sketch);
    if labels.is_empty() { item } else { format!("{item}   // label {}", labels.join(", ")) }
}

pub(super) fn bare_item(formula: &Candidate, text: &str, sketch: &Sketch) -> String {
    match formula.place {
        Place::Rely | Place::Invariant => {
            let keyword = if formula.place == Place::Rely { "rely" } else { "invariant" };
            let module = sketch.module_of(formula);
            let module = module.map(|name| format!("module {name}: ")).unwrap_or_default();
            format!("{module}{keyword} {};", formula.text())
        }
        Place::Loop(number) => {
            let line = line(text, sketch.loop_at(number));
            format!("loop in line {line}: invariant {}", formula.text())
        }
        Place::Requires(number) => {
            let (name, at) = sketch.procedure_at(number);
            format!("proc {name} in line {}: requires {};", line(text, at), formula.text())
        }
        Place::Ensures(number) => {
            let (name, at) = sketch.procedure_at(number);
            format!("proc {name} in line {}: ensures {};", line(text, at), formula.text())
        }
    }
}

/// What is found out about a program with annotations that nobody wrote, if these prove it. If not,
/// what was found out before says so.
pub(super) fn completed(
    executor: &mut impl Executor,
    program: &Program,
    mut before: Findings,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let options = context.options;
    let Some(budget) = options.infer.filter(|_| is_worth_it(&before, options)) else {
        return before;
    };
    let source = context.sources.file(file);
    let input = Input { name: source.name.clone(), text: source.text.clone() };
    let (halt, last) = halts(options, budget);
    let note = match look_for(executor, program, (file, &input.text), options, halt) {
        Found::Enough(formulas, sketch) => {
            let is_new = !formulas.is_empty() || sketch.clauses().next().is_some();
            if !is_new || taken(&mut before, file, &input, (&formulas, &sketch), options) {
                return before;
            }
            "annotations were found, but the program with them was not proved anew"
        }
        Found::Stopped => "looking for annotations was stopped by its time limit",
        Found::TooLittle(found) => {
            // The search asks in haste. What it leaves open may be proved all the same.
            let formulas = (found.formulas.as_slice(), &found.sketch);
            let is_new = !found.formulas.is_empty();
            if is_new && taken(&mut before, file, &input, formulas, options) {
                return before;
            }
            let why = diagnose(executor, (file, &input.text), options, &found, &last);
            if let Some(why) = why {
                let notes = why.notes(&input.text, &found.sketch);
                before.note_why(&why.open, notes, why.advice);
            }
            "no annotations were found that suffice; `rely infer` shows what was found"
        }
    };
    before.note_missing(note);
    before
}

/// Verifies the text with formulas anew, and takes over what is found out if everything is proved.
fn taken(
    before: &mut Findings,
    file: FileId,
    input: &Input,
    (formulas, sketch): (&[Annotation], &Sketch),
    options: &Options,
) -> bool {
    let verified = verify(input, sketch, formulas, options);
    let report = verified.run.files.first().filter(|report| report.status == Status::Proved);
    let Some(report) = report else { return false };
    before.replace(moved(report, file, &verified.written));
    before.inferred = items(formulas, &input.text, sketch);
    before.inferred_text = Some(verified.written.text);
    true
}

/// Whether annotations can help: something is open, and nothing is known to be wrong.
fn is_worth_it(found: &Findings, options: &Options) -> bool {
    let whole = options.only.is_empty() && options.unroll.is_none();
    whole && options.engine == crate::options::Engine::Auto && found.may_be_incomplete()
}

/// The results of a report on a text with formulas, at the places that they have without them.
pub(crate) fn moved(report: &FileReport, file: FileId, written: &Written) -> Findings {
    let back = |span: Span| {
        let place = |at: u32| source::number(written.original(at as usize));
        Span::new(file, place(span.start), place(span.end))
    };
    let mut found = Findings::of_searches(report.searches.clone());
    found.uses.clone_from(&report.uses);
    for result in &report.results {
        let about = &result.obligation;
        let obligation = Obligation {
            span: back(about.span),
            declared: about.declared.map(back),
            ..about.clone()
        };
        found.add(ObligationResult { obligation, ..result.clone() }, None);
    }
    found
}
