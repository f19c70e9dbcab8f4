//! Does some run get to each cover? A courtesy, so it is cheap before it is complete.

use crate::solve::{Care, Question, Solver, second_look_limits};
use logic::{Script, Term};
use smt::{Answer, Session};
use std::collections::BTreeSet;
use std::time::Duration;
use verdict::{Limits, ObligationId};

/// Graphs up to this many nodes are looked at as a whole.
const WHOLE: usize = 300;
/// In larger ones, this many covers at a time, with this many nodes before the first.
const COVERS_AT_ONCE: usize = 32;
const WINDOW: usize = 64;
/// What one question may cost.
const RESOURCES: u64 = 150_000;
/// What is remembered: the positions of the covers that are excluded.
const QUESTION: &str = "covers excluded";

/// The obligations none of whose covers any run satisfies. In a large graph only what the code
/// shortly before excludes is found: leaving out what came earlier allows more runs, so what is
/// reported is true.
pub fn solve_covers(session: &mut Session, question: Question<'_>) -> Vec<ObligationId> {
    let limits = second_look_limits(question.limits);
    // The wall clock too: a warning that does not come is no wrong answer.
    let wall_clock = limits.wall_clock.min(Duration::from_secs(1));
    session.set_limits(Limits { resources: limits.resources.min(RESOURCES), wall_clock, ..limits });
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
    /// Obligations with a cover that is not excluded: code that was inlined twice may be reached
    /// once.
    possible: BTreeSet<ObligationId>,
}

impl Search<'_, '_> {
    /// The obligations of those covers that are excluded.
    fn excluded(&mut self, open: Vec<usize>) -> Vec<ObligationId> {
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
        self.solver.start(&mut script, Care::Lean);
        self.solver.session.push();
        let obligation = |position: usize| covers[open[position]].obligation;
        let excluded = match self.remembered(open.len()) {
            Some(excluded) => excluded,
            None => self.find_excluded(&mut script, &open),
        };
        let possible = (0..open.len()).filter(|position| !excluded.contains(position));
        self.possible.extend(possible.map(obligation));
        excluded.iter().map(|&position| obligation(position)).collect()
    }

    /// Which covers are excluded follows from the question, so an earlier run may have found out.
    fn remembered(&self, count: usize) -> Option<BTreeSet<usize>> {
        let known = self.solver.session.recall(QUESTION)?;
        let positions: Option<BTreeSet<usize>> =
            known.split_whitespace().map(|word| word.parse().ok()).collect();
        positions.filter(|all| all.iter().all(|&position| position < count))
    }

    /// Asks for the last one first: a run to the end passes many others on its way.
    fn find_excluded(&mut self, script: &mut Script, covers: &[usize]) -> BTreeSet<usize> {
        let question = self.solver.question;
        let mut open: Vec<usize> = (0..covers.len()).collect();
        let mut excluded = BTreeSet::new();
        let mut decided = true;
        while let Some(last) = open.pop() {
            let flag = question.conditions.covers[covers[last]].0;
            let flag = script.expression(question.terms, flag);
            match self.solver.session.check(&[flag]) {
                Answer::Unsat(_) => _ = excluded.insert(last),
                Answer::Sat | Answer::Candidate => self.remove_covered(covers, &mut open),
                Answer::Unknown(_) => decided = false,
            }
        }
        if decided {
            let words: Vec<String> = excluded.iter().map(ToString::to_string).collect();
            self.solver.session.memorise(QUESTION, &words.join(" "));
        }
        excluded
    }

    /// Drops the covers that the present model satisfies.
    fn remove_covered(&mut self, covers: &[usize], open: &mut Vec<usize>) {
        let question = self.solver.question;
        let flags: Vec<Term> = open
            .iter()
            .flat_map(|&position| {
                let cover = &question.graph.covers[covers[position]];
                [question.conditions.reach[cover.node.0 as usize], cover.term]
            })
            .collect();
        let truths = self.solver.truths(&flags);
        let mut pairs = truths.chunks(2);
        open.retain(|_| pairs.next() != Some(&[true, true]));
    }
}
