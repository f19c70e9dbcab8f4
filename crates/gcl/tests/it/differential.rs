//! Random code without loops: the solver proves a check iff no run of a brute-force search fails
//! there, and the runs that it shows are runs.

use crate::brute_force::{Command, Condition, Runs, Store, stmts};
use crate::program::Program;
use crate::solver::{prepare, session};
use gcl::{Failure, LoopMode, Outcome, PathEvent, Value};
use std::collections::BTreeSet;

const SEED: u64 = 7_041_776;
const BODIES: u32 = 400;

struct Generator {
    state: u64,
    checks: u32,
    labels: u32,
}

impl Generator {
    /// A number below `limit` (xorshift64*).
    fn below(&mut self, limit: u64) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let number = (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % limit;
        usize::try_from(number).expect("a small number")
    }

    fn small(&mut self) -> i128 {
        i128::try_from(self.below(6)).expect("a small number") - 1
    }

    fn condition(&mut self, depth: u32) -> Condition {
        match self.below(if depth == 0 { 3 } else { 5 }) {
            0 => Condition::Flag,
            1 => Condition::AtMost(self.below(3), self.small()),
            2 => Condition::Same(self.below(3), self.below(3)),
            3 => Condition::Not(Box::new(self.condition(depth - 1))),
            _ => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                Condition::Both(Box::new(a), Box::new(b))
            }
        }
    }

    fn commands(&mut self, depth: u32, open: &mut Vec<u32>) -> Vec<Command> {
        let count = 1 + self.below(4);
        (0..count).map(|_| self.command(depth, open)).collect()
    }

    fn command(&mut self, depth: u32, open: &mut Vec<u32>) -> Command {
        match self.below(if depth == 0 { 10 } else { 14 }) {
            0 | 1 => Command::Add(self.below(3), self.below(3), self.small()),
            2 => Command::Swap(self.below(3), self.below(3)),
            3 => Command::Flag(self.condition(1)),
            4 => Command::Forget,
            5 => Command::Assume(self.condition(1)),
            6..=8 => {
                let parts = (0..=self.below(2)).map(|_| self.condition(2)).collect();
                self.checks += 1;
                let then_known = self.below(2) == 0;
                Command::Assert { number: self.checks, parts, then_known }
            }
            9 => match open.get(self.below(4)) {
                Some(&label) => Command::Exit(label),
                None => Command::Forget,
            },
            10..=12 => {
                let count = 1 + self.below(3);
                Command::Choice((0..count).map(|_| self.commands(depth - 1, open)).collect())
            }
            _ => {
                self.labels += 1;
                let label = self.labels;
                open.push(label);
                let inner = self.commands(depth - 1, open);
                open.pop();
                Command::Block(label, inner)
            }
        }
    }
}

/// Initial stores: `x` and `y` have any number, of which these are enough, for the code starts by
/// bounding them.
fn initial() -> BTreeSet<Store> {
    let mut all = BTreeSet::new();
    for code in 0..3 * 3 * 4 * 2 {
        let numbers = [code % 3, code / 3 % 3, code / 9 % 4];
        all.insert(Store { numbers, flag: code / 36 == 1 });
    }
    all
}

/// `0 <= x <= 2 && 0 <= y <= 2`
fn bounds() -> Vec<Command> {
    let not = |condition| Command::Assume(Condition::Not(Box::new(condition)));
    let mut all = Vec::new();
    for number in 0..2 {
        all.push(not(Condition::AtMost(number, -1)));
        all.push(Command::Assume(Condition::AtMost(number, 2)));
    }
    all
}

/// The store in which the run of a failure starts.
fn start(program: &Program, failure: &Failure) -> Store {
    let mut store = Store { numbers: [0; 3], flag: false };
    for event in &failure.events[..4] {
        let PathEvent::Bind(variable, value) = event else { panic!("no value: {event:?}") };
        let number = [program.x, program.y, program.z].iter().position(|known| known == variable);
        match (number, value) {
            (Some(number), Value::Int(value)) => store.numbers[number] = *value,
            (None, Value::Bool(value)) => store.flag = *value,
            _ => panic!("not a value of a variable: {event:?}"),
        }
    }
    store
}

#[test]
fn solver_and_search_agree() {
    let mut generator = Generator { state: SEED, checks: 0, labels: 0 };
    let mut session = session();
    let (mut proved, mut failed) = (0, 0);
    for body in 0..BODIES {
        let mut commands = bounds();
        commands.extend(generator.commands(3, &mut Vec::new()));
        let mut runs = Runs::default();
        runs.follow(&commands, initial());

        let mut program = Program::new();
        let code = stmts(&commands, &mut program);
        // Symbols are the same in each program.
        let mut prepared = prepare(program, code, LoopMode::Cut);
        let outcomes = prepared.solve(&mut session);
        let refuted = prepared.refute(&mut session, 3).expect("no map, nothing to write out");
        let mut seen = BTreeSet::new();
        for (id, outcome) in outcomes {
            seen.insert(id.0);
            let context = format!("check {} of body {body}: {commands:#?}", id.0);
            match outcome {
                Outcome::Proved(_) => {
                    proved += 1;
                    assert!(!runs.failures.contains_key(&id.0), "wrongly proved: {context}");
                    assert!(!refuted.contains(&id.0), "wrongly refuted: {context}");
                }
                Outcome::Failed(failure) => {
                    failed += 1;
                    assert!(!failure.candidate, "{context}");
                    assert!(refuted.contains(&id.0), "not refuted: {context}");
                    let store = start(&Program::new(), &failure);
                    let mut replay = Runs::default();
                    replay.follow(&commands, BTreeSet::from([store]));
                    let possible = replay.failures.get(&id.0);
                    let is_run = possible.is_some_and(|all| all.contains(&failure.failed_parts));
                    assert!(is_run, "no such run from {store:?}: {context}");
                }
                Outcome::Unknown(reason) | Outcome::Doubtful(reason, _) => {
                    panic!("{reason}: {context}")
                }
            }
        }
        for number in runs.failures.keys() {
            assert!(seen.contains(number), "check {number} of body {body} is lost: {commands:#?}");
        }
    }
    // Both answers occur often enough to mean something.
    assert!(proved > 100 && failed > 100, "{proved} proved, {failed} failed");
}
