//! Does some run get to each cover? A courtesy, so it is cheap before it is complete.

use crate::solve::{Question, Solver, second_look_limits};
use logic::{Script, Term};
use smt::{Answer, Session};
use std::collections::BTreeSet;
use verdict::ObligationId;

/// Graphs up to this many nodes are looked at as a whole.
const WHOLE: usize = 300;
/// In larger ones, this many covers at a time, with this many nodes before the first.
const COVERS_AT_ONCE: usize = 32;
const WINDOW: usize = 64;

/// The obligations none of whose covers any run satisfies. In a large graph only what the code shortly before excludes is
/// found: leaving out what came earlier allows more runs, so what is reported is true.
pub fn solve_covers(session: &mut Session, question: Question<'_>) -> Vec<ObligationId> {
    session.set_limits(second_look_limits(question.limits));
    let covers = &question.graph.covers;
    let all: Vec<usize> = (0..covers.len()).collect();
    let at_once =
        if question.graph.nodes.len() <= WHOLE { all.len().max(1) } else { COVERS_AT_ONCE };
    let mut search = Search { solver: Solver::new(session, question), possible: BTreeSet::new() };
    let mut excluded = Vec::new();
    for chunk in all.chunks(at_once) {
        excluded.extend(search.excluded(chunk.to_vec()));
    }
    let possible = search.possible;
    session.set_limits(question.limits);
    excluded.retain(|id| !possible.contains(id));
    excluded
}

struct Search<'a, 'b> {
    solver: Solver<'a, 'b>,
    /// Obligations with a cover that is not excluded: code that was inlined twice may be reached once.
    possible: BTreeSet<ObligationId>,
}

impl Search<'_, '_> {
    /// The obligations of those covers that are excluded.
    fn excluded(&mut self, mut open: Vec<usize>) -> Vec<ObligationId> {
        let question = self.solver.question;
        let covers = &question.graph.covers;
        let node = |index: usize| covers[index].node.0 as usize;
        let first = open.first().map_or(0, |&index| node(index));
        let whole = question.graph.nodes.len() <= WHOLE;
        let start = if whole { 0 } else { first.saturating_sub(WINDOW) };
        let mut script = Script::default();
        self.solver.load(&mut script, open.iter().map(|&index| covers[index].node), start);
        for &index in &open {
            script.assert(question.terms, question.conditions.covers[index].1);
        }
        self.solver.start(&mut script, false);
        self.solver.session.push();
        let mut excluded = Vec::new();
        // The last one first: a run to the end passes many others on its way.
        while let Some(last) = open.pop() {
            let flag = script.expression(question.terms, question.conditions.covers[last].0);
            match self.solver.session.check(&[flag]) {
                Answer::Unsat => excluded.push(covers[last].obligation),
                Answer::Sat | Answer::Candidate => {
                    self.possible.insert(covers[last].obligation);
                    self.remove_covered(&mut open);
                }
                Answer::Unknown(_) => {
                    self.possible.insert(covers[last].obligation);
                }
            }
        }
        excluded.reverse();
        excluded
    }

    /// Drops the covers that the present model satisfies.
    fn remove_covered(&mut self, open: &mut Vec<usize>) {
        let question = self.solver.question;
        let covers = &question.graph.covers;
        let flags: Vec<Term> = open
            .iter()
            .flat_map(|&index| {
                let cover = &covers[index];
                [question.conditions.reach[cover.node.0 as usize], cover.term]
            })
            .collect();
        let truths = self.solver.truths(&flags);
        let mut pairs = truths.chunks(2);
        open.retain(|&index| {
            let covered = pairs.next() == Some(&[true, true]);
            if covered {
                self.possible.insert(covers[index].obligation);
            }
            !covered
        });
    }
}
