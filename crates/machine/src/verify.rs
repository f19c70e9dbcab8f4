//! Decides the goals of a program: which goals go up which ladder, and what is on none.

use crate::check::Violation;
use crate::found::Verified;
use crate::goals::{Goal, Goals, goals};
use crate::rungs::Searched;
use crate::tables::Settings;
use plato::hir::Program;
use search::{Answer, Budget, Climbed, Engine, Ladder};
use std::collections::BTreeSet;
use verdict::StopReason;

/// How many states each strategy may visit before all of them had their first turn. A strategy that
/// suits a program usually needs fewer, and one that does not must not keep the others waiting.
pub(crate) const SHORT_TURN: u64 = 30_000;

/// How many times longer each turn is than the one before. All turns together cost little more than
/// the last one.
const LONGER: u64 = 10;

/// Decides the goals of a program, or some of them.
pub fn verify(
    program: &Program,
    engine: Engine,
    budget: &Budget<'_>,
    wanted: impl Fn(&Goal) -> bool,
) -> Verified {
    let all = goals(program);
    let annotations = Settings { annotations: all.has_annotations(), ..Settings::default() };
    let specifications = Settings { specifications: true, ..Settings::default() };
    let Goals { searched, specified, beyond, unsupported } = all;
    let followed: BTreeSet<Goal> = specified.iter().copied().collect();
    let plain = |goal: &Goal| wanted(goal) && !followed.contains(goal);
    let of_specifications = |goal: &Goal| wanted(goal) && followed.contains(goal);
    let request = Asked { program, engine, budget };
    let mut found = request.decide(searched, annotations, &plain);
    let more = request.decide(specified, specifications, &of_specifications);
    found.tried.extend(more.tried.into_iter().map(|text| format!("specifications: {text}")));
    let mut goals: Vec<(Goal, Answer<Box<Violation>>)> =
        found.answers.into_iter().chain(more.answers).collect();
    let beyond = beyond.into_iter().filter(|(goal, _)| wanted(goal));
    goals.extend(beyond.map(|(goal, what)| (goal, Answer::open(StopReason::Engine(what)))));
    let mut verified = Verified { goals, tried: found.tried };
    verified.without_unsupported(&unsupported, &program.unsupported);
    verified.goals.sort_by_key(|(goal, _)| (goal.span, goal.code));
    verified
}

/// What is asked, whatever the goals.
#[derive(Clone, Copy)]
struct Asked<'a> {
    program: &'a Program,
    engine: Engine,
    budget: &'a Budget<'a>,
}

impl<'a> Asked<'a> {
    /// Decides some goals on a ladder of their own.
    fn decide(
        self,
        goals: Vec<Goal>,
        settings: Settings,
        wanted: &'a dyn Fn(&Goal) -> bool,
    ) -> Climbed<Searched<'a>> {
        let Self { program, engine, budget } = self;
        let mut model = Searched { program, budget, settings, wanted, is_tabulated: false };
        let rungs = model.rungs(engine);
        let mut ladder = Ladder::new(engine, goals.into_iter().filter(wanted));
        // A strategy that was asked for by name has nobody to wait for.
        let first = if engine == Engine::Ladder { SHORT_TURN } else { budget.states };
        let longer = |&turn: &u64| turn.checked_mul(LONGER);
        let shorter = std::iter::successors(Some(first), longer);
        let mut turns: Vec<u64> = shorter.take_while(|&turn| turn < budget.states).collect();
        turns.push(budget.states);
        ladder.climb(&mut model, &rungs, &turns);
        ladder.finish()
    }
}
