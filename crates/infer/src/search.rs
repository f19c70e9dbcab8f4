//! The search for what is missing: candidates, those that hold in real runs, the largest part of
//! them that keeps itself, and of that what the proof needs.

use crate::candidate::{Candidate, Place, merged};
use crate::facts::{Fact, facts};
use crate::filter::{Resolved, Runs, Subject, resolved};
use crate::horn::{self, Definition};
use crate::invariants::{self, Sampled};
use crate::loops;
use crate::needed::needed;
use crate::places;
use crate::relies::{self, relies};
use crate::sketch::{Sketch, Written};
use crate::specifications;
use crate::vocabulary::Vocabulary;
use machine::Value;
use plato::hir::Program;
use source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use verdict::{Halt, Obligation};

/// A program in which annotations are missing.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Its file.
    pub file: FileId,
    /// Its text, which is accepted.
    pub text: &'a str,
    /// Values for constants.
    pub definitions: &'a [(String, String)],
    /// When to stop.
    pub halt: &'a Halt,
}

/// Somebody who tells which formulas hold together.
pub trait Prover {
    /// Takes a program in which each formula stands under a switch (see [`crate::switch`]).
    fn load(&mut self, program: &Program, switched: &Written);

    /// Switches these formulas off, then all that others do not keep, until the rest keeps itself,
    /// or as far as it is wanted; `None` if there is no time left.
    fn settle(&mut self, off: &BTreeSet<usize>, until: Until) -> Option<Settled>;

    /// Everything ends with this from now on.
    fn until(&mut self, halt: &Halt);

    /// A model of Horn clauses in SMT-LIB, if one is found. Neither that there is one nor that
    /// there is none is evidence for anything.
    fn model(&mut self, clauses: &str) -> Option<Vec<Definition>>;
}

/// How far to switch off what others do not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until the rest keeps itself.
    Settled,
    /// Until something is not proved: with fewer formulas it is not proved either.
    Open,
}

/// What holds together.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// The formulas that are off, among them those that were off from the start.
    pub off: BTreeSet<usize>,
    /// What is not proved with the others.
    pub open: Vec<Obligation>,
}

/// A formula that was found.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The formula; it may stand for several with the same condition.
    pub formula: Candidate,
    /// Something that is not proved without it, with its place in the text as it was given.
    pub needed_for: Option<Obligation>,
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Found {
    /// With these formulas everything is proved, and without any part of them something is not.
    /// They can be written at the places of the sketch, which may insert ghost variables.
    Enough(Vec<Annotation>, Sketch),
    /// What holds is not enough.
    TooLittle(TooLittle),
    /// There was no time.
    Stopped,
}

/// What holds, if it is not enough.
#[derive(Clone, Debug)]
pub struct TooLittle {
    /// The formulas that hold.
    pub formulas: Vec<Annotation>,
    /// What is open with them, with its places in the text as it was given.
    pub open: Vec<Obligation>,
    /// Formulas that no run breaks and that some step may break all the same, as far as the others
    /// tell, those that read best first; then those that were not tried.
    pub dropped: Vec<Candidate>,
    /// Where formulas can be written.
    pub sketch: Sketch,
}

/// Looks for relies, invariants and loop invariants with which the program is proved.
pub fn search(request: Request<'_>, prover: &mut impl Prover) -> Found {
    let (tree, _) = plato::parse(request.file, request.text);
    let bare = Sketch::new(request.text, &tree);
    let program = plato::resolve(&tree, request.definitions).program;
    let needed = specifications::needed(&program);
    let mut first = None;
    let actions: &[bool] = if needed.is_empty() { &[false] } else { &[false, true] };
    for with_actions in actions {
        let sketch = bare.with_clauses(&program, &needed, *with_actions);
        let found = with_sketch(request, sketch, prover);
        if !matches!(found, Found::TooLittle(..)) {
            return found;
        }
        first.get_or_insert(found);
    }
    first.unwrap_or(Found::Stopped)
}

/// The same with formulas that can be written at the places of a sketch, or of one with more.
fn with_sketch(request: Request<'_>, sketch: Sketch, prover: &mut impl Prover) -> Found {
    let usual = attempt(request, Pass::new(sketch.clone(), Extent::Plain), prover);
    if !matches!(usual, Found::TooLittle(..)) {
        return usual;
    }
    let has_places = sketch.has_places();
    let anchored = || if has_places { sketch.anchored() } else { sketch.clone() };
    let with_ghosts = sketch.with_ghosts().map(|with| Pass::new(with, Extent::Quantified));
    // With ghosts there are all formulas that there are without.
    let alone = with_ghosts.is_none().then(|| Pass::new(sketch.clone(), Extent::Quantified));
    let with_places = has_places.then(|| Pass::new(anchored(), Extent::Plain));
    let with_clauses = Some(Pass::new(anchored(), Extent::Clauses));
    let mut late = vec![with_clauses, alone];
    for pass in [with_ghosts, with_places].into_iter().flatten() {
        if !has_places {
            late.push(Some(pass));
            continue;
        }
        match attempt(request, Pass { haste: true, ..pass.clone() }, prover) {
            found @ Found::Enough(..) => return found,
            Found::TooLittle(_) => {}
            Found::Stopped => late.push(Some(pass)),
        }
    }
    for pass in late.into_iter().flatten() {
        if let found @ Found::Enough(..) = attempt(request, pass, prover) {
            return found;
        }
    }
    usual
}

/// What is tried.
#[derive(Clone)]
struct Pass {
    sketch: Sketch,
    extent: Extent,
    /// Whether only formulas count that are found soon, since there is more to try.
    haste: bool,
}

impl Pass {
    fn new(sketch: Sketch, extent: Extent) -> Self {
        Self { sketch, extent, haste: false }
    }
}

/// Limit on the formulas of a pass in haste: of more, those that are needed are not found soon.
const MANY_IN_HASTE: usize = 500;
/// How long a pass in haste may take.
const HASTE: Duration = Duration::from_secs(8);

/// Which formulas are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Those without quantifiers.
    Plain,
    /// All that are made of the program's words.
    Quantified,
    /// Those that a solver for Horn clauses proposes.
    Clauses,
}

/// Looks for formulas that can be written at the places of the sketch.
fn attempt(
    request: Request<'_>,
    Pass { sketch, extent, haste }: Pass,
    prover: &mut impl Prover,
) -> Found {
    let Request { file, definitions, halt, .. } = request;
    let soon = if haste { halt.within(HASTE) } else { halt.clone() };
    let halt = &soon;
    prover.until(halt);
    let subject = Subject { file, sketch: &sketch, definitions, halt };
    let candidates = match extent {
        Extent::Clauses => of_clauses(subject, prover),
        Extent::Plain | Extent::Quantified => order(candidates(subject)),
    };
    let is_nothing = extent == Extent::Clauses && candidates.is_empty();
    let is_much = haste && candidates.len() > MANY_IN_HASTE;
    if halt.reason().is_some() || is_nothing || is_much {
        return Found::Stopped;
    }
    let is_tried = |one: &Candidate| extent != Extent::Plain || one.binder.is_empty();
    let (tried, not_tried) = candidates.into_iter().partition(is_tried);
    let candidates: Vec<Candidate> = tried;
    let written = load(subject, prover, &candidates);
    let Some(all) = largest(prover, &candidates) else { return Found::Stopped };
    let (dropped, kept): (Vec<usize>, Vec<usize>) =
        (0..candidates.len()).partition(|at| all.off.contains(at));
    let kept = without_implied(chosen(&candidates, &kept));
    if !all.open.is_empty() {
        let open = all.open.into_iter().map(|open| moved(open, &written)).collect();
        let unexplained = |(formula, _)| Annotation { formula, needed_for: None };
        let formulas = merged(&kept).into_iter().map(unexplained).collect();
        let mut dropped = chosen(&candidates, &dropped);
        dropped.extend::<Vec<Candidate>>(not_tried);
        // No run was asked about these.
        dropped.retain(|one| !matches!(one.place, Place::Requires(_) | Place::Ensures(_)));
        return Found::TooLittle(TooLittle { formulas, open, dropped, sketch });
    }
    prover.until(request.halt);
    let annotations = needed(subject, prover, kept);
    let sketch = sketch.with_needed_ghosts(&annotations);
    Found::Enough(annotations, sketch)
}

/// Loads a program in which these formulas stand under switches.
pub(crate) fn load(
    subject: Subject<'_>,
    prover: &mut impl Prover,
    candidates: &[Candidate],
) -> Written {
    let written = subject.sketch.with_switches(candidates);
    let (tree, _) = plato::parse(subject.file, &written.text);
    prover.load(&plato::resolve(&tree, subject.definitions).program, &written);
    written
}

/// A part of the candidates that keeps itself: the largest one of those without quantifiers, and if
/// that is not enough, with a few more with quantifiers at a time. Wrong ones take most of the
/// time, and more so if there are many at once.
fn largest(prover: &mut impl Prover, candidates: &[Candidate]) -> Option<Settled> {
    let is_quantified = |at: &usize| !candidates[*at].binder.is_empty();
    let quantified: Vec<usize> = (0..candidates.len()).filter(is_quantified).collect();
    let mut settled = prover.settle(&quantified.iter().copied().collect(), Until::Settled)?;
    // What was dropped once may hold with what is there the second time.
    let at_once = [quantified.as_slice()].into_iter().filter(|all| all.len() <= MANY_AT_ONCE);
    let few = || quantified.chunks(FEW_QUANTIFIED);
    for few in at_once.chain(few()).chain(few()) {
        if settled.open.is_empty() {
            break;
        }
        let mut off: BTreeSet<usize> = settled.off.iter().copied().filter(is_quantified).collect();
        off.retain(|at| !few.contains(at));
        match prover.settle(&off, Until::Settled) {
            Some(more) => settled = more,
            None => break,
        }
    }
    Some(settled)
}

/// An obligation with the place that it has in the text without formulas.
pub(crate) fn moved(open: Obligation, written: &Written) -> Obligation {
    let move_back = |span: Span| {
        let place = |at: u32| source::number(written.original(at as usize));
        Span::new(span.file, place(span.start), place(span.end))
    };
    Obligation { span: move_back(open.span), declared: open.declared.map(move_back), ..open }
}

pub(crate) fn chosen(candidates: &[Candidate], positions: &[usize]) -> Vec<Candidate> {
    positions.iter().map(|&at| candidates[at].clone()).collect()
}

/// Limit on the candidates with quantifiers that a solver is asked about: wrong ones take long.
const MANY_QUANTIFIED: usize = 60;
/// How many of these are tried together.
const MANY_AT_ONCE: usize = 50;
/// If there are more, how many of them are added at a time.
const FEW_QUANTIFIED: usize = 10;

/// Those that read best first.
fn order(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|one| (one.ugliness(), one.place));
    candidates.dedup();
    let mut quantified = 0;
    candidates.retain(|one| {
        quantified += usize::from(!one.binder.is_empty());
        one.binder.is_empty() || quantified <= MANY_QUANTIFIED
    });
    candidates
}

/// All formulas that may help and that hold in real runs.
fn candidates(subject: Subject<'_>) -> Vec<Candidate> {
    let (Resolved { program, written }, _) = resolved(subject, Vec::new());
    let words = Vocabulary::of(&program);
    let labels = subject.sketch.labels();
    let mut facts = facts(&words);
    facts.extend(places::facts(labels));
    let runs = Runs::of(subject, &program);
    let truths = runs.truths(subject, &facts);
    let said: Vec<Fact> = truths.iter().map(|(at, _)| facts[*at].clone()).collect();
    let sampled: Vec<Sampled<'_>> = said
        .iter()
        .zip(&truths)
        .map(|(fact, (_, holds))| Sampled { fact, holds: holds.clone() })
        .collect();
    let stores: Vec<&[Value]> = runs
        .samples
        .iter()
        .flat_map(|samples| samples.stores().iter().map(Vec::as_slice))
        .collect();
    let mut all = invariants::implications(&sampled);
    all.extend(invariants::equations(&words, &stores, &sampled));
    let mut doubtful = invariants::of_elements(&said);
    let without_places: Vec<Fact> =
        said.iter().filter(|fact| !fact.text.contains("at(")).cloned().collect();
    doubtful.extend(relies(&words, &without_places));
    doubtful.extend(places::relies(&words, labels));
    doubtful.extend(places::exclusions(labels));
    let loops = loops::loops(&program, subject.sketch, &written);
    for one in &loops {
        doubtful.extend(loops::candidates(&words, &without_places, one, &runs.samples));
    }
    let heads: BTreeMap<usize, Span> = loops.iter().map(|one| (one.number, one.head)).collect();
    all.extend(runs.keep(subject, &heads, doubtful));
    for (needed, number) in subject.sketch.specified() {
        all.extend(specifications::candidates(&words, needed, *number));
    }
    let (Resolved { .. }, all) = resolved(subject, all);
    without_weaker(all)
}

/// What a solver for Horn clauses proposes, and what stays while a thread is at a place or if it
/// belongs to the thread: that is all that clauses know.
fn of_clauses(subject: Subject<'_>, prover: &mut impl Prover) -> Vec<Candidate> {
    let mut all = horn::candidates(subject, prover);
    if all.is_empty() {
        return all;
    }
    let (Resolved { program, .. }, _) = resolved(subject, Vec::new());
    let words = Vocabulary::of(&program);
    all.extend(relies::simple(&words));
    all.extend(places::relies(&words, subject.sketch.labels()));
    let (loops, rest): (Vec<Candidate>, _) =
        all.into_iter().partition(|one| matches!(one.place, Place::Loop(_)));
    let mut kept = Runs::of(subject, &program).keep(subject, &BTreeMap::new(), rest);
    kept.extend(resolved(subject, loops).1);
    order(kept)
}

/// Without formulas that others say too: under a part of the condition.
fn without_implied(all: Vec<Candidate>) -> Vec<Candidate> {
    let parts = |one: &Candidate| -> BTreeSet<String> {
        let parts = one.premise.split(" && ").filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let premises: Vec<BTreeSet<String>> = all.iter().map(parts).collect();
    let is_implied = |at: usize| {
        let one = &all[at];
        all.iter().enumerate().any(|(other, stronger)| {
            let same = (one.place, &one.binder, &one.conclusion);
            let is_smaller = premises[other].len() < premises[at].len();
            same == (stronger.place, &stronger.binder, &stronger.conclusion)
                && is_smaller
                && premises[other].is_subset(&premises[at])
        })
    };
    let kept: Vec<usize> = (0..all.len()).filter(|&at| !is_implied(at)).collect();
    chosen(&all, &kept)
}

/// Without formulas under a condition if the same is there without one.
fn without_weaker(all: Vec<Candidate>) -> Vec<Candidate> {
    let plain: BTreeSet<(Place, String, String)> = all
        .iter()
        .filter(|one| one.premise.is_empty())
        .map(|one| (one.place, one.binder.clone(), one.conclusion.clone()))
        .collect();
    let is_weaker = |one: &Candidate| {
        let same = (one.place, one.binder.clone(), one.conclusion.clone());
        !one.premise.is_empty() && plain.contains(&same)
    };
    all.into_iter().filter(|one| !is_weaker(one)).collect()
}
