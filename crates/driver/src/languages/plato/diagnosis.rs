//! Why a program is not proved with what was found: what would show the obligation that is open,
//! which step may break that, and what a person could add.
//!
//! Nothing is told that was not asked: a formula is named if the obligation is proved with it and
//! still reached, and a step if a run that the formulas allow shows it breaking that formula.

use super::advice::advice;
use super::guess::Guessing;
use super::inferred::{bare_item, line};
use super::plan::plans;
use super::relies::check_relies;
use crate::deduce::{Answer, Decided};
use crate::options::Options;
use crate::pool::Executor;
use diagnostic::Code;
use infer::{Candidate, Sketch, TooLittle, Written};
use plato::hir::Program;
use source::{FileId, Span};
use verdict::{Halt, Obligation, Relevance, StepKind, TaskKind, TaskName, Trace};

/// Why something is open.
#[derive(Clone, Debug)]
pub(crate) struct Diagnosis {
    /// What is open, with its place in the text as it was given.
    pub(crate) open: Obligation,
    /// What would show it, and is not known to hold.
    pub(crate) wanted: Vec<Wanted>,
    /// If nothing was found that would: values that the formulas allow at the start, and with which
    /// it fails while others do nothing that matters.
    pub(crate) fails_from: Option<String>,
    /// What a person could add.
    pub(crate) advice: Vec<String>,
}

/// A formula that would help.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The formula.
    pub(crate) formula: Candidate,
    /// A step that may break it.
    pub(crate) broken_by: Option<Breaking>,
}

/// A step that may break a formula.
#[derive(Clone, Debug)]
pub(crate) struct Breaking {
    /// Where it stands in the text as it was given.
    pub(crate) span: Span,
    /// The thread or procedure that takes it.
    pub(crate) task: TaskName,
    /// Values of shared variables from which it does so.
    pub(crate) from: String,
}

impl Diagnosis {
    /// What to tell, beside the place of what is open.
    pub(crate) fn notes(&self, text: &str, sketch: &Sketch) -> Vec<String> {
        let mut all = Vec::new();
        for Wanted { formula, broken_by } in &self.wanted {
            let label = |(at, name): (usize, &str)| format!(", {name} in line {}", line(text, at));
            let labels: String = sketch.new_labels(formula).into_iter().map(label).collect();
            let item = bare_item(formula, text, sketch);
            all.push(format!("it would be proved with `{}`{labels}", item.trim_end_matches(';')));
            all.push(match broken_by {
                None => "no step was found that breaks this, and it is not proved".to_owned(),
                Some(Breaking { span, task, from }) => {
                    let (start, end) = (span.start as usize, span.end as usize);
                    let step = text[start..end].lines().next().unwrap_or_default();
                    let from = if from.is_empty() { from.clone() } else { format!(": {from}") };
                    let line = line(text, start);
                    format!(
                        "line {line}, {task}: `{step}` may break this, as far as is known from \
                         here{from}"
                    )
                }
            });
        }
        if let Some(from) = &self.fails_from {
            all.push(format!(
                "nothing that was tried would show it: what was found allows a run with {from} in \
                 which it fails"
            ));
        }
        all
    }
}

/// Limit on the formulas that are told.
const MANY_WANTED: usize = 3;
/// Limit on the dropped formulas that are tried.
const MANY_DROPPED: usize = 80;
/// Limit on how often a thread is left alone at more places.
const MANY_ROUNDS: usize = 6;

/// Looks for the reason why the first thing is open that says what a thread wants.
pub(crate) fn diagnose(
    executor: &mut impl Executor,
    (file, text): (FileId, &str),
    options: &Options,
    found: &TooLittle,
    halt: &Halt,
) -> Option<Diagnosis> {
    let is_assertion = |open: &&Obligation| open.code == Code::AssertionFailed;
    let open = found.open.iter().find(is_assertion).or(found.open.first())?.clone();
    let tree = plato::parse(file, text).0;
    let program = plato::resolve(&tree, &options.definitions).program;
    let mut inquiry = Inquiry { executor, file, program: &program, options, found, halt };
    let State::Fails(failing) = inquiry.first_failing(&[], &open) else { return None };
    // Without a run there is nothing to learn from.
    failing.trace.as_ref()?;
    let (wanted, fails_from) = match inquiry.hypotheses(&open, &failing) {
        (_, State::Fails(last)) => (Vec::new(), last.trace.map(|trace| start(&trace, &program))),
        (all, State::Proved) => (inquiry.wanted(&open, &failing.task, all), None),
        (_, State::NotKnown) => (Vec::new(), None),
    };
    let wanted = inquiry.with_breaking(wanted);
    let advice = advice(&program, text, &failing.task, &wanted);
    Some(Diagnosis { open, wanted, fails_from, advice })
}

/// Questions about one program with the formulas that hold.
struct Inquiry<'a, E> {
    executor: &'a mut E,
    file: FileId,
    program: &'a Program,
    options: &'a Options,
    found: &'a TooLittle,
    halt: &'a Halt,
}

/// An obligation that is not proved.
#[derive(Clone)]
struct Failing {
    /// With its places in the text with formulas.
    about: Obligation,
    task: TaskName,
    /// A run that shows it, if the solver gave one.
    trace: Option<Trace>,
    written: Written,
}

/// What is known of an obligation.
enum State {
    Proved,
    Fails(Box<Failing>),
    NotKnown,
}

impl<E: Executor> Inquiry<'_, E> {
    /// What is not proved of some obligations, with these formulas beside those that hold.
    fn failing(
        &mut self,
        sketch: &Sketch,
        formulas: &[Candidate],
        of: Option<&TaskName>,
        is_wanted: impl Fn(&Obligation, &Written) -> bool + Sync,
    ) -> Option<Vec<Failing>> {
        let known = self.found.formulas.iter().map(|one| one.formula.clone());
        let all: Vec<Candidate> = known.chain(formulas.iter().cloned()).collect();
        let written = sketch.with(&all);
        let program = self.program(&written)?;
        let relies = check_relies(self.executor, &program, self.options);
        let facts = modular::facts(&program);
        let mut plans = plans(&program, &relies, &[]);
        plans.retain(|plan| of.is_none_or(|task| plan.about(&program, self.file).0 == *task));
        let (options, halt, file) = (self.options, self.halt, self.file);
        let results = self.executor.run(&plans, plans.len() * 20, |session, plan| {
            let before = session.until(halt.clone());
            let task = Guessing { plan, program: &program, facts: &facts, options }.task(session);
            let sites = task.solve_those(session, options, |about| is_wanted(about, &written));
            session.until(before);
            let decided = Decided::new(task, sites);
            let name = plan.about(&program, file).0;
            let failing = |(id, about): (_, &Obligation)| {
                let trace = match decided.outcomes.contains_key(&id).then(|| decided.answer(id))? {
                    Answer::Proved(_) => return None,
                    Answer::Unknown(_) => None,
                    Answer::Failed(failure, _) => {
                        Some(modular::trace(&decided.prepared.task, failure))
                    }
                };
                let (about, task, written) = (about.clone(), name.clone(), written.clone());
                is_wanted(&about, &written).then_some(Failing { about, task, trace, written })
            };
            decided.obligations().filter_map(failing).collect::<Vec<Failing>>()
        });
        let all: Result<Vec<Vec<Failing>>, String> = results.into_iter().collect();
        (self.halt.reason().is_none()).then_some(all.ok()?.concat())
    }

    /// The program with formulas, if they can be said together.
    fn program(&self, written: &Written) -> Option<Program> {
        let (tree, mut faults) = plato::parse(self.file, &written.text);
        let resolved = plato::resolve(&tree, &self.options.definitions);
        faults.extend(resolved.diagnostics);
        let is_accepted = !faults.iter().any(|fault| fault.code.info().rejects_input);
        is_accepted.then_some(resolved.program)
    }

    /// How an obligation fails with these formulas.
    fn first_failing(&mut self, formulas: &[Candidate], open: &Obligation) -> State {
        let is_open = |about: &Obligation, written: &Written| is_same(about, written, open);
        let sketch = self.found.sketch.clone();
        match self.failing(&sketch, formulas, None, is_open) {
            None => State::NotKnown,
            Some(failing) => {
                let first = failing.into_iter().next();
                first.map_or(State::Proved, |first| State::Fails(Box::new(first)))
            }
        }
    }

    /// Formulas with which the obligation is proved, best first; or how it fails with all that are
    /// tried.
    ///
    /// The first to be tried say that others leave alone what they change in a run that fails,
    /// while the thread is where they do it; then come formulas that were dropped.
    fn hypotheses(&mut self, open: &Obligation, first: &Failing) -> (Vec<Candidate>, State) {
        let mut all: Vec<Candidate> = Vec::new();
        let mut failing = first.clone();
        for _ in 0..MANY_ROUNDS {
            let before = all.len();
            for one in self.left_alone(&failing) {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
            if all.len() == before {
                break;
            }
            match self.first_failing(&all, open) {
                State::Fails(next) => failing = *next,
                known => return (all, known),
            }
        }
        let dropped = self.found.dropped.iter().take(MANY_DROPPED).cloned();
        all.extend(dropped);
        let last = self.first_failing(&all, open);
        (all, last)
    }

    /// That others leave alone what they change in the run, while the thread is where they do it,
    /// unless it has done nothing before.
    fn left_alone(&self, failing: &Failing) -> Vec<Candidate> {
        let Some(trace) = &failing.trace else { return Vec::new() };
        let (sketch, thread) = (&self.found.sketch, failing.task.name.as_str());
        let mut found = Vec::new();
        for (at, step) in trace.steps.iter().enumerate() {
            let next = trace.steps[at + 1..].iter().find(|next| next.lane != step.lane);
            let Some(span) = next.and_then(|next| next.span) else { continue };
            let place = failing.written.original(span.start as usize);
            let is_later = sketch.statement_at(thread, place) != sketch.first_statement(thread);
            if step.kind == StepKind::Environment && is_later {
                let changed = step.changes.iter().map(|change| variable(&change.name));
                let changed = changed.filter(|name| is_shared(self.program, name));
                found.extend(changed.filter_map(|name| sketch.stays_at(thread, place, name)));
            }
        }
        found
    }

    /// The formulas without which the obligation is not proved, unless they keep the thread from
    /// getting there.
    fn wanted(
        &mut self,
        open: &Obligation,
        task: &TaskName,
        mut formulas: Vec<Candidate>,
    ) -> Vec<Candidate> {
        let sketch = self.found.sketch.clone();
        let is_open = |about: &Obligation, written: &Written| is_same(about, written, open);
        let mut size = formulas.len();
        while size > 1 {
            size = size.div_ceil(2);
            let mut end = formulas.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut fewer = formulas.clone();
                fewer.drain(start..end);
                match self.failing(&sketch, &fewer, Some(task), is_open) {
                    Some(failing) if failing.is_empty() => formulas = fewer,
                    Some(_) => {}
                    None => return Vec::new(),
                }
                end = start;
            }
        }
        if self.is_reached(open, task, &formulas) { formulas } else { Vec::new() }
    }

    /// Whether a thread still gets to the statement of an obligation: with formulas that keep it
    /// away everything is proved.
    fn is_reached(&mut self, open: &Obligation, task: &TaskName, formulas: &[Candidate]) -> bool {
        let sketch = &self.found.sketch;
        let Some(place) = sketch.statement_at(&task.name, open.span.start as usize) else {
            return true;
        };
        let stopped = sketch.with_insertion(place, "assert false; ");
        let is_inserted = |about: &Obligation, written: &Written| {
            let span = original(written, about.span);
            about.code == Code::AssertionFailed && (span.start, span.end) == (place, place)
        };
        let reached = self.failing(&stopped, formulas, Some(task), is_inserted);
        reached.is_some_and(|reached| !reached.is_empty())
    }

    /// The formulas, each with a step that breaks it while the others hold.
    fn with_breaking(&mut self, formulas: Vec<Candidate>) -> Vec<Wanted> {
        let known = self.found.formulas.len();
        let sketch = self.found.sketch.clone();
        let formula_of = |about: &Obligation, written: &Written| {
            let declared = about.declared.and_then(|at| written.formula_at(at.start as usize));
            declared.or_else(|| written.formula_at(about.span.start as usize))?.checked_sub(known)
        };
        let is_wanted = |about: &Obligation, written: &Written| {
            about.relevance == Relevance::Required && formula_of(about, written).is_some()
        };
        let failing = self.failing(&sketch, &formulas, None, is_wanted).unwrap_or_default();
        let broken_by = |position: usize| {
            let of = |one: &&Failing| formula_of(&one.about, &one.written) == Some(position);
            let is_step = |one: &&Failing| one.task.kind != TaskKind::Init && one.trace.is_some();
            let one = failing.iter().filter(of).find(is_step)?;
            let from = one.trace.as_ref().map(|trace| before_last(trace, self.program));
            let span = back(&one.written, one.about.span);
            Some(Breaking { span, task: one.task.clone(), from: from.unwrap_or_default() })
        };
        let wanted = formulas.into_iter().enumerate().take(MANY_WANTED);
        wanted
            .map(|(position, formula)| Wanted { formula, broken_by: broken_by(position) })
            .collect()
    }
}

/// The variable that a changed cell is a part of.
fn variable(changed: &str) -> &str {
    changed.split('[').next().unwrap_or(changed)
}

fn original(written: &Written, span: Span) -> std::ops::Range<usize> {
    written.original(span.start as usize)..written.original(span.end as usize)
}

fn back(written: &Written, span: Span) -> Span {
    let place = original(written, span);
    Span::new(span.file, source::number(place.start), source::number(place.end))
}

/// Whether an obligation of the text with formulas is one of the text without.
fn is_same(about: &Obligation, written: &Written, open: &Obligation) -> bool {
    let is_of_formula = |span: Span| written.formula_at(span.start as usize).is_some();
    about.code == open.code
        && !is_of_formula(about.span)
        && !about.declared.is_some_and(is_of_formula)
        && back(written, about.span) == open.span
        && about.declared.map(|declared| back(written, declared)) == open.declared
}

/// Limit on the values that are told.
const MANY_VALUES: usize = 6;

/// The values of shared variables at the start of a run.
fn start(trace: &Trace, program: &Program) -> String {
    told(trace.initial.clone(), program)
}

/// The values of shared variables before the last step of a run.
fn before_last(trace: &Trace, program: &Program) -> String {
    let mut values = trace.initial.clone();
    let steps = trace.steps.split_last().map_or(&[][..], |(_, before)| before);
    for change in steps.iter().flat_map(|step| &step.changes) {
        match values.iter_mut().find(|(name, _)| *name == change.name) {
            Some((_, value)) => value.clone_from(&change.new),
            None => values.push((change.name.clone(), change.new.clone())),
        }
    }
    told(values, program)
}

fn told(values: Vec<(String, String)>, program: &Program) -> String {
    let shared = values.into_iter().filter(|(name, _)| is_shared(program, variable(name)));
    let shared = shared.take(MANY_VALUES);
    let shared: Vec<String> = shared.map(|(name, value)| format!("{name} = {value}")).collect();
    shared.join(", ")
}

fn is_shared(program: &Program, name: &str) -> bool {
    program.globals.iter().any(|global| global.name.as_str() == name)
}
