//! Which candidates hold in real runs. A formula that does not cannot be part of any proof.

use crate::candidate::{Candidate, Place};
use crate::facts::Fact;
use crate::sketch::{Sketch, Written};
use machine::{Samples, Scope, Sizes, samples, worlds};
use plato::hir::{Expr, Program, Stmt, StmtKind};
use source::{FileId, Span};
use std::collections::BTreeMap;
use verdict::Halt;

/// Which program is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) file: FileId,
    pub(crate) sketch: &'a Sketch,
    pub(crate) definitions: &'a [(String, String)],
    pub(crate) halt: &'a Halt,
}

/// Runs of small worlds of a program.
pub(crate) struct Runs {
    pub(crate) samples: Vec<Samples>,
}

/// The worlds that are looked at: enough copies for threads to get in each other's way.
const SIZES: Sizes = Sizes { copies: 3, known_copies: 3, worlds: 8 };
/// Limit on the states of all worlds together.
const STATES: usize = 4_000;

impl Runs {
    /// Runs of the program without candidates.
    pub(crate) fn of(subject: Subject<'_>, program: &Program) -> Self {
        let worlds = worlds(program, &SIZES);
        let each = STATES / worlds.len().max(1);
        let follow = |world| samples(world, each, subject.halt);
        Self { samples: worlds.into_iter().map(follow).collect() }
    }

    /// Per fact of which sampled stores it holds, if that is known of all. Facts that cannot be
    /// said are left out.
    pub(crate) fn truths(
        &self,
        subject: Subject<'_>,
        facts: &[Fact],
    ) -> Vec<(usize, Option<Vec<bool>>)> {
        let candidates: Vec<Candidate> = facts
            .iter()
            .map(|fact| Candidate::plain(Place::Invariant, &fact.text).for_all(&fact.binder))
            .collect();
        let (program, kept) = resolved(subject, candidates);
        let said: BTreeMap<String, usize> = facts
            .iter()
            .enumerate()
            .map(|(at, fact)| {
                let one = Candidate::plain(Place::Invariant, &fact.text).for_all(&fact.binder);
                (one.text(), at)
            })
            .collect();
        let worlds = worlds(&program.program, &SIZES);
        let mut all = Vec::new();
        for (candidate, formula) in kept.iter().zip(program.formulas()) {
            let (Some(&at), Some(formula)) = (said.get(&candidate.text()), formula) else {
                continue;
            };
            if subject.halt.reason().is_some() {
                return Vec::new();
            }
            let per_world = self.samples.iter().zip(&worlds);
            let holds: Option<Vec<Vec<bool>>> =
                per_world.map(|(samples, world)| samples.truths(world, formula)).collect();
            all.push((at, holds.map(|all| all.concat())));
        }
        all
    }

    /// The candidates that can be said and that hold in all runs.
    pub(crate) fn keep(
        &self,
        subject: Subject<'_>,
        heads: &BTreeMap<usize, Span>,
        candidates: Vec<Candidate>,
    ) -> Vec<Candidate> {
        let (program, candidates) = resolved(subject, candidates);
        let worlds = worlds(&program.program, &SIZES);
        let holds = |candidate: &Candidate, formula: &Expr| {
            let mut per_world = self.samples.iter().zip(&worlds);
            let holds = |(samples, world)| holds(samples, world, heads, candidate.place, formula);
            subject.halt.reason().is_none() && per_world.all(holds)
        };
        let formulas = program.formulas();
        let all = candidates.iter().zip(formulas);
        let kept = all.filter(|(one, formula)| formula.is_some_and(|formula| holds(one, formula)));
        kept.map(|(candidate, _)| candidate.clone()).collect()
    }
}

fn holds(
    samples: &Samples,
    world: &Scope<'_>,
    heads: &BTreeMap<usize, Span>,
    place: Place,
    formula: &Expr,
) -> bool {
    match place {
        Place::Rely => samples.keep_rely(world, formula),
        Place::Invariant => samples.keep_invariant(world, formula),
        // Runs do not tell of calls.
        Place::Requires(_) | Place::Ensures(_) => true,
        Place::Loop(number) => {
            heads.get(&number).is_some_and(|head| samples.keep_at_head(world, *head, formula))
        }
    }
}

/// A program with candidates written into it.
pub(crate) struct Resolved {
    pub(crate) program: Program,
    pub(crate) written: Written,
}

/// The program with those candidates that mean something where they would stand.
pub(crate) fn resolved(
    subject: Subject<'_>,
    candidates: Vec<Candidate>,
) -> (Resolved, Vec<Candidate>) {
    let mut kept = candidates;
    loop {
        let written = subject.sketch.with(&kept);
        let (tree, mut faults) = plato::parse(subject.file, &written.text);
        let resolved = plato::resolve(&tree, subject.definitions);
        faults.extend(resolved.diagnostics);
        let places = faults.iter().filter(|fault| fault.code.info().rejects_input);
        let wrong: Vec<usize> = places
            .filter_map(|fault| written.formula_at(fault.primary.span.start as usize))
            .collect();
        if wrong.is_empty() {
            return (Resolved { program: resolved.program, written }, kept);
        }
        let mut position = 0;
        kept.retain(|_| {
            position += 1;
            !wrong.contains(&(position - 1))
        });
    }
}

impl Resolved {
    /// Per candidate its formula.
    pub(crate) fn formulas(&self) -> Vec<Option<&Expr>> {
        let program = &self.program;
        let mut found = vec![None; self.written.ranges.len()];
        let mut add = |span: Span, expr| {
            if let Some(at) = self.written.formula_at(span.start as usize) {
                found[at] = Some(expr);
            }
        };
        for formula in program.relies.iter().chain(&program.invariants) {
            add(formula.span, &formula.expr);
        }
        let threads = program.threads.iter().map(|thread| &thread.body.stmts);
        let bodies = threads.chain(program.procs.iter().map(|procedure| &procedure.body.stmts));
        let mut rest: Vec<&Stmt> = bodies.flatten().collect();
        while let Some(stmt) = rest.pop() {
            if let StmtKind::While { invariants, .. } = &stmt.kind {
                invariants.iter().for_each(|invariant| add(invariant.span, invariant));
            }
            rest.extend(stmt.blocks().into_iter().flatten());
        }
        found
    }
}
