//! The ladder itself, on rungs that say what they are told to.

use search::{
    Answer, Attempt, Climbed, End, Engine, Faults, Found, Ladder, Model, Rung, Seen, Turn,
};
use std::collections::BTreeSet;
use verdict::StopReason;

/// Notes which rungs had a turn, and with how many states.
#[derive(Default)]
struct Toy {
    turns: Vec<(&'static str, u64)>,
}

impl Model for Toy {
    type Goal = &'static str;
    type Violation = &'static str;
}

/// A search of ten states.
fn seen(faults: Faults<Toy>, end: End) -> Attempt<Toy> {
    Attempt::Ran(Seen::new("toys: 10 facts".to_owned(), 10, faults, end))
}

fn alarms(of: &[&'static str]) -> Faults<Toy> {
    Faults::Alarms(of.iter().copied().collect())
}

fn runs(of: &[&'static str]) -> Faults<Toy> {
    Faults::Runs(of.iter().map(|goal| (*goal, "a run")).collect())
}

/// A rung that needs so many states, and then sees these faults.
fn rung(name: &'static str, needs: u64, faults: impl Fn() -> Faults<Toy> + 'static) -> Rung<Toy> {
    Rung::new(name, move |toy: &mut Toy, turn: &Turn<'_, &'static str>| {
        toy.turns.push((name, turn.states));
        let cut = (turn.states < needs).then_some(StopReason::ResourceLimit);
        seen(faults(), End::of(cut))
    })
}

fn climb(
    engine: Engine,
    rungs: &[Rung<Toy>],
    turns: &[u64],
    goals: &[&'static str],
) -> (Climbed<Toy>, Toy) {
    let mut toy = Toy::default();
    let mut ladder = Ladder::new(engine, goals.iter().copied());
    ladder.climb(&mut toy, rungs, turns);
    (ladder.finish(), toy)
}

/// The answer in short, and who gave it.
fn told(answer: &Answer<&'static str>) -> (String, &'static str) {
    let found = match &answer.found {
        Found::Holds(_) => "holds".to_owned(),
        Found::Violated(run) => format!("violated by {run}"),
        Found::Open(reason) => format!("open: {reason}"),
    };
    (found, answer.by)
}

fn check(climbed: &Climbed<Toy>, expected: &[(&'static str, &str, &'static str)]) {
    let answers = climbed.answers.iter().map(|(goal, answer)| (*goal, told(answer)));
    let expected = expected.iter().map(|(goal, found, by)| (*goal, ((*found).to_owned(), *by)));
    assert_eq!(answers.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn each_rung_answers_what_it_can() {
    let rungs = [rung("alone", 0, || alarms(&["b", "c"])), rung("exact", 0, || runs(&["c"]))];
    let (climbed, _) = climb(Engine::Ladder, &rungs, &[100], &["a", "b", "c"]);
    check(
        &climbed,
        &[("a", "holds", "alone"), ("b", "holds", "exact"), ("c", "violated by a run", "exact")],
    );
    assert_eq!(climbed.tried, ["toys: 10 facts, 2 alarms", "toys: 10 facts, all of them"]);
}

#[test]
fn an_alarm_alone_decides_nothing() {
    let (climbed, _) =
        climb(Engine::Ladder, &[rung("alone", 0, || alarms(&["a", "unlisted"]))], &[100], &["a"]);
    let open = "open: an alarm that may not be real: no real run was found";
    // What goes wrong and is on no list is a goal, too.
    check(&climbed, &[("a", open, "search"), ("unlisted", open, "search")]);
}

#[test]
fn a_run_that_another_search_excludes_is_an_internal_error() {
    let rungs = [rung("alone", 0, || alarms(&["b"])), rung("exact", 0, || runs(&["a"]))];
    let (climbed, _) = climb(Engine::Ladder, &rungs, &[100], &["a", "b"]);
    let error = "open: internal error: a search found a run that another search excludes";
    check(&climbed, &[("a", error, "exact"), ("b", "holds", "exact")]);
    // The same if somebody comes with a run after the ladder.
    let mut ladder = Ladder::<Toy>::new(Engine::Ladder, ["a"]);
    ladder.climb(&mut Toy::default(), &[rung("alone", 0, || alarms(&[]))], &[100]);
    ladder.violated("late", "a", "a run");
    check(&ladder.finish(), &[("a", error, "late")]);
}

#[test]
fn a_turn_that_is_cut_short_proves_nothing() {
    let slow = || rung("alone", 50, || alarms(&[]));
    let (climbed, toy) = climb(Engine::Ladder, &[slow()], &[10], &["a"]);
    check(&climbed, &[("a", "open: the resource limit was reached", "search")]);
    assert_eq!(climbed.tried, ["toys: 10 facts, ended early: the resource limit was reached"]);
    assert_eq!(toy.turns, [("alone", 10)]);
    // What a real run shows counts even so.
    let (climbed, _) = climb(Engine::Ladder, &[rung("exact", 50, || runs(&["a"]))], &[10], &["a"]);
    check(&climbed, &[("a", "violated by a run", "exact")]);
    // And an alarm says that nobody knows.
    let loud = [rung("alone", 0, || alarms(&["a"])), rung("exact", 50, || runs(&[]))];
    let (climbed, _) = climb(Engine::Ladder, &loud, &[10], &["a"]);
    let open = "open: an alarm that may not be real: the resource limit was reached";
    check(&climbed, &[("a", open, "search")]);
}

#[test]
fn everybody_has_a_short_turn_before_a_long_one() {
    let rungs = || {
        [
            rung("slow", 1_000, || alarms(&[])),
            rung("quick", 0, || alarms(&["a"])),
            rung("exact", 5_000, || runs(&[])).within(20),
            rung("exact", 5_000, || runs(&[])),
        ]
    };
    let (climbed, toy) = climb(Engine::Ladder, &rungs(), &[100, 1_000], &["a"]);
    check(&climbed, &[("a", "holds", "slow")]);
    let first = [("slow", 100), ("quick", 100), ("exact", 20), ("exact", 100)];
    assert_eq!(toy.turns, [&first[..], &[("slow", 1_000)]].concat());
    // Nobody repeats what had as many states before, or came to its end.
    let (_, toy) = climb(Engine::Ladder, &rungs(), &[100, 500, 500], &["a"]);
    assert_eq!(toy.turns, [&first[..], &[("slow", 500), ("exact", 500)]].concat());
}

#[test]
fn what_a_rung_does_not_look_at_it_does_not_prove() {
    let narrow = || {
        rung("narrow", 0, || alarms(&[]))
            .except(|_, goal| (*goal == "b").then(|| StopReason::Engine("b".to_owned())))
    };
    let (climbed, _) = climb(Engine::Pairs, &[narrow()], &[100], &["a", "b"]);
    let open = "open: the engine does not look at b";
    check(&climbed, &[("a", "holds", "narrow"), ("b", open, "search")]);
    // With nothing that it looks at, it has no turn.
    let (climbed, toy) = climb(Engine::Pairs, &[narrow()], &[100], &["b"]);
    check(&climbed, &[("b", open, "search")]);
    assert_eq!(toy.turns, []);
    // If everything was tried, what ended the exact search is the reason.
    let rungs = [narrow(), rung("exact", 200, || runs(&[]))];
    let (climbed, _) = climb(Engine::Ladder, &rungs, &[100], &["b"]);
    check(&climbed, &[("b", "open: the resource limit was reached", "search")]);
}

#[test]
fn a_search_may_leave_goals_undecided() {
    let undecided = Rung::new("exact", |_: &mut Toy, _: &Turn<'_, &'static str>| {
        let what = "toys: 10 states".to_owned();
        let mut seen = Seen::new(what, 10, runs(&[]), End::Complete);
        seen.undecided.push(("b", StopReason::Timeout));
        seen.also.push("toys, looked at twice".to_owned());
        Attempt::Ran(seen)
    });
    let (climbed, _) = climb(Engine::Ladder, &[undecided], &[100], &["a", "b"]);
    let open = "open: the time limit was reached";
    check(&climbed, &[("a", "holds", "exact"), ("b", open, "search")]);
    assert_eq!(climbed.tried, ["toys: 10 states, all of them", "toys, looked at twice"]);
}

#[test]
fn a_search_that_stops_when_all_is_violated_proves_nothing() {
    let stops = Rung::new("exact", |_: &mut Toy, turn: &Turn<'_, &'static str>| {
        assert_eq!(turn.open, &BTreeSet::from(["a", "b"]));
        seen(runs(&["a"]), End::Enough)
    });
    let (climbed, _) = climb(Engine::Ladder, &[stops], &[100], &["a", "b"]);
    let open = "open: an alarm that may not be real: no real run was found";
    check(&climbed, &[("a", "violated by a run", "exact"), ("b", open, "search")]);
}

#[test]
fn rungs_may_refuse_or_pass() {
    let refuses = || {
        Rung::new("unfit", |_: &mut Toy, _: &Turn<'_, &'static str>| {
            let why = StopReason::Unsupported("many toys".to_owned());
            Attempt::Refused(why, Some("unfit: many toys".to_owned()))
        })
    };
    let passes = || Rung::new("idle", |_: &mut Toy, _: &Turn<'_, &'static str>| Attempt::Passed);
    let (climbed, _) = climb(Engine::Ladder, &[refuses(), passes()], &[100, 200], &["a"]);
    check(&climbed, &[("a", "open: not supported: many toys", "search")]);
    assert_eq!(climbed.tried, ["unfit: many toys"]);
    // Somebody else may still decide.
    let rungs = [refuses(), rung("alone", 0, || alarms(&[]))];
    let (climbed, _) = climb(Engine::Ladder, &rungs, &[100], &["a"]);
    check(&climbed, &[("a", "holds", "alone")]);
    // Without a rung, nothing is known.
    let (mut climbed, _) = climb(Engine::Symbolic, &[], &[100], &["a"]);
    check(&climbed, &[("a", "open: the engine does not look at inputs of this kind", "search")]);
    let (found, _) = told(&climbed.take(&"b"));
    assert_eq!(found, "open: internal error: no search was asked for \"b\"");
}
