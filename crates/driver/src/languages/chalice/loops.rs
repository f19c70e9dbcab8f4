//! Loop invariants of Chalice programs that nobody wrote: formulas are written into the text, those
//! that fail are dropped, and what is left is verified as if a person had written it.
//!
//! A permission that is dropped changes what other formulas mean, so that nothing that is kept here
//! is known to hold. Only the text with what was found is evidence, once it is verified anew.

use crate::deduce::{Answer, Decided, prepare};
use crate::findings::Findings;
use crate::languages::plato::inferred::{Verified, halts, line, moved, verify_text};
use crate::options::{Input, Options};
use crate::pool::Executor;
use crate::results::Status;
use chalice::guess::{Given, Guess, Loop, loops};
use chalice::hir::Program;
use infer::{Piece, Written};
use source::FileId;
use std::collections::BTreeSet;
use std::time::Duration;
use verdict::{Halt, Obligation, Relevance};

/// The formulas of all loops that were chosen so far: the loop and the formula.
type Chosen = Vec<(usize, Guess)>;

/// What was found.
pub(crate) struct Found {
    /// Each formula with its loop's place.
    formulas: Vec<(usize, String)>,
    /// Whether everything is proved with them.
    is_enough: bool,
    /// Whether each of them is needed.
    pub(crate) is_minimal: bool,
    pub(crate) written: Written,
}

impl Found {
    /// The formulas as a person would write them.
    pub(crate) fn items(&self, text: &str) -> Vec<String> {
        let item = |(at, formula): &(usize, String)| {
            format!("loop in line {}: invariant {formula}", line(text, *at))
        };
        self.formulas.iter().map(item).collect()
    }
}

/// Looks for loop invariants with which all methods are proved that are not; nothing if these have
/// no loops, or if there is no time.
pub(crate) fn look_for(
    executor: &mut impl Executor,
    (file, text): (FileId, &str),
    options: &Options,
    halt: &Halt,
) -> Option<Found> {
    let first = attempt(executor, (file, text), Given::Part, (options, halt))?;
    if first.is_enough {
        return Some(first);
    }
    let second = attempt(executor, (file, text), Given::All, (options, halt));
    Some(second.filter(|second| second.is_enough).unwrap_or(first))
}

fn attempt(
    executor: &mut impl Executor,
    (file, text): (FileId, &str),
    given: Given,
    (options, halt): (&Options, &Halt),
) -> Option<Found> {
    let tree = chalice::parse(file, text).0;
    let all = loops(text, &tree, given);
    let mut search = Search { executor, file, text, options, halt, loops: all, open: None };
    let open = search.failing(&Chosen::new())?;
    let methods: BTreeSet<String> = open.into_iter().map(|failing| failing.method).collect();
    let is_open = |one: &Loop| methods.contains(&one.method);
    if !search.loops.iter().any(is_open) {
        return None;
    }
    search.open = Some(methods.clone());
    let wanted = |search: &Search<'_, _>, is_given: bool| -> Chosen {
        let loops = search.loops.iter().enumerate().filter(|(_, one)| is_open(one));
        let guesses = loops.flat_map(|(at, one)| one.guesses.iter().map(move |one| (at, one)));
        let guesses = guesses.filter(|(_, guess)| guess.is_given == is_given);
        guesses.map(|(at, guess)| (at, guess.clone())).collect()
    };
    let given = wanted(&search, true);
    let (given, _) = search.settled(given)?;
    let facts = wanted(&search, false);
    let (chosen, is_enough) = search.settled([given, facts].concat())?;
    let (chosen, is_minimal) = if is_enough { search.needed(chosen) } else { (chosen, false) };
    let formulas = chosen.iter().map(|(at, guess)| (search.loops[*at].head, guess.text.clone()));
    let formulas = formulas.collect();
    Some(Found { formulas, is_enough, is_minimal, written: search.written(&chosen) })
}

struct Search<'a, E> {
    executor: &'a mut E,
    file: FileId,
    text: &'a str,
    options: &'a Options,
    halt: &'a Halt,
    loops: Vec<Loop>,
    /// The methods that are looked at; all if nothing is said.
    open: Option<BTreeSet<String>>,
}

/// An obligation that is not proved.
struct Failing {
    method: String,
    /// The formula that it is about, if it is about one.
    of: Option<usize>,
}

impl<E: Executor> Search<'_, E> {
    fn written(&self, chosen: &Chosen) -> Written {
        let piece = |(number, (at, guess)): (usize, &(usize, Guess))| -> Piece {
            (self.loops[*at].at, Some(number), format!("invariant {}; ", guess.text))
        };
        let pieces = chosen.iter().enumerate().map(piece).collect();
        Written::of(self.text, chosen.len(), pieces)
    }

    /// The program with those formulas that mean something where they stand.
    fn program(&self, chosen: &mut Chosen) -> Option<(Program, Written)> {
        loop {
            let written = self.written(chosen);
            let (tree, mut faults) = chalice::parse(self.file, &written.text);
            let (program, more) = chalice::check(&tree);
            faults.extend(more);
            faults.retain(|fault| fault.code.info().rejects_input);
            if faults.is_empty() {
                return Some((program, written));
            }
            let place = |fault: &diagnostic::Diagnostic| fault.primary.span.start as usize;
            let wrong = faults.iter().filter_map(|fault| written.formula_at(place(fault)));
            let wrong: BTreeSet<usize> = wrong.collect();
            if wrong.is_empty() {
                return None;
            }
            remove(chosen, &wrong);
        }
    }

    /// What is not proved with these formulas; those that mean nothing are left out.
    fn failing(&mut self, chosen: &Chosen) -> Option<Vec<Failing>> {
        let mut chosen = chosen.clone();
        let (program, written) = self.program(&mut chosen)?;
        self.ask(&program, &written)
    }

    fn ask(&mut self, program: &Program, written: &Written) -> Option<Vec<Failing>> {
        let facts = chalice::facts(program);
        let mut plans = chalice::plans(program);
        let name = |plan| chalice::name_of(program, plan).0.name;
        plans.retain(|plan| self.open.as_ref().is_none_or(|open| open.contains(&name(*plan))));
        let (options, halt) = (self.options, self.halt);
        let results = self.executor.run(&plans, plans.len() * 40, |session, plan| {
            let before = session.until(halt.clone());
            let task = prepare(plan.task(program, &facts), None);
            let sites =
                task.solve_those(session, options, |about| about.relevance == Relevance::Required);
            session.until(before);
            let decided = Decided::new(task, sites);
            let of = |about: &Obligation| {
                let at = about.declared.and_then(|at| written.formula_at(at.start as usize));
                at.or_else(|| written.formula_at(about.span.start as usize))
            };
            let open = decided.obligations().filter(|(id, about)| {
                let is_proved = matches!(decided.answer(*id), Answer::Proved(_));
                about.relevance == Relevance::Required && !is_proved
            });
            open.map(|(_, about)| Failing { method: name(*plan), of: of(about) }).collect()
        });
        let all: Result<Vec<Vec<Failing>>, String> = results.into_iter().collect();
        let all = all.ok()?.into_iter().flatten().collect();
        self.halt.reason().is_none().then_some(all)
    }

    /// The formulas without those that fail, until none does, and whether everything is proved with
    /// the rest.
    fn settled(&mut self, mut chosen: Chosen) -> Option<(Chosen, bool)> {
        loop {
            let (program, written) = self.program(&mut chosen)?;
            let failing = self.ask(&program, &written)?;
            let wrong: BTreeSet<usize> = failing.iter().filter_map(|failing| failing.of).collect();
            if wrong.is_empty() {
                return Some((chosen, failing.is_empty()));
            }
            let weaker = wrong.iter().filter_map(|&at| {
                let (place, guess) = &chosen[at];
                let text = guess.weaker.clone()?;
                Some((*place, Guess { text, is_given: true, weaker: None }))
            });
            let mut weaker: Chosen = weaker.collect();
            remove(&mut chosen, &wrong);
            weaker.append(&mut chosen);
            chosen = weaker;
        }
    }

    /// The formulas that are needed: parts are left out, from the last to the first, if the others
    /// are enough; and whether there was time to look at each.
    fn needed(&mut self, mut chosen: Chosen) -> (Chosen, bool) {
        let mut size = chosen.len();
        while size > 0 {
            let mut end = chosen.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut fewer = chosen.clone();
                fewer.drain(start..end);
                match self.failing(&fewer) {
                    Some(failing) if failing.is_empty() => chosen = fewer,
                    Some(_) => {}
                    None => return (chosen, false),
                }
                end = start;
            }
            size = if size == 1 { 0 } else { size.div_ceil(3) };
        }
        (chosen, true)
    }
}

fn remove(chosen: &mut Chosen, wrong: &BTreeSet<usize>) {
    let mut position = 0;
    chosen.retain(|_| {
        position += 1;
        !wrong.contains(&(position - 1))
    });
}

/// What is found out about a program with loop invariants that nobody wrote, if these prove it. If
/// not, what was found out before says so.
pub(super) fn completed(
    executor: &mut impl Executor,
    mut before: Findings,
    (file, input): (FileId, &Input),
    (options, budget): (&Options, Duration),
) -> Findings {
    let (halt, _) = halts(options, budget);
    let Some(found) = look_for(executor, (file, &input.text), options, &halt) else {
        return before;
    };
    if !found.is_enough {
        before.note_open(
            "no loop invariants were found that suffice; `rely infer` shows what was found",
        );
        return before;
    }
    let items = found.items(&input.text);
    let Verified { written, run } = verify_text(input, found.written, options);
    match run.files.first() {
        Some(report) if report.status == Status::Proved => {
            before.replace(moved(report, file, &written));
            before.inferred = items;
            before.inferred_text = Some(written.text);
        }
        _ => before
            .note_open("loop invariants were found, but the program with them was not proved anew"),
    }
    before
}
