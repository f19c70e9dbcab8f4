//! Looking for runs that fail, and for nothing else: what has none is not proved.

use crate::conditions::Group;
use crate::model::Failure;
use crate::solve::{Care, Outcome, Question, Solver};
use logic::Script;
use smt::{Answer, Session};
use verdict::ObligationId;

/// Runs that fail at sites of the group, without a doubt. Asked as it is meant from the start, in
/// conversations that do not depend on earlier ones.
pub fn refute(
    session: &mut Session,
    question: Question<'_>,
    group: &Group,
) -> Vec<(ObligationId, Failure)> {
    let conditions = question.conditions;
    let open: Vec<usize> =
        group.sites.iter().copied().filter(|&site| conditions.sites[site].is_some()).collect();
    let mut solver = Solver::new(session, question);
    find(&mut solver, open);
    let outcomes = std::mem::take(&mut solver.outcomes);
    session.set_limits(question.limits);
    let failed = outcomes.into_iter().filter_map(|(site, outcome)| match outcome {
        Outcome::Failed(failure) => Some((question.graph.sites[site].obligation, *failure)),
        Outcome::Proved(_) | Outcome::Unknown(_) | Outcome::Doubtful(..) => None,
    });
    failed.collect()
}

/// Looks for runs that fail at any of the sites; what is too hard together is asked in halves.
fn find(solver: &mut Solver<'_, '_>, mut open: Vec<usize>) {
    if open.is_empty() || solver.session.halted().is_some() {
        return;
    }
    solver.session.fresh();
    let mut script = Script::default();
    solver.load_sites(&mut script, &open, usize::MAX, Care::Usual);
    match solver.ask(&mut script, &open) {
        Answer::Sat => {
            let Some(&site) = solver.failing(&open).first() else { return };
            if let Some(failure) = solver.calm_failure(&mut script, site) {
                solver.outcomes.insert(site, Outcome::Failed(Box::new(failure)));
            }
            open.retain(|other| *other != site);
            find(solver, open);
        }
        Answer::Candidate | Answer::Unknown(_) if open.len() > 1 => {
            let rest = open.split_off(open.len() / 2);
            find(solver, open);
            find(solver, rest);
        }
        Answer::Unsat(_) | Answer::Candidate | Answer::Unknown(_) => {}
    }
}
