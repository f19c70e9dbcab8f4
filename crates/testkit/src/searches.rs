//! Compares the searches with each other on random finite programs: the exact search must not
//! refute what an abstract one proves.

use crate::random::{random_program, recursive_program};
use machine::{Fault, Goal, Request, Settings, check, crowd, verify};
use plato::hir::{Count, Program};
use search::{Budget, Engine, Found, Options, pushdown, thread_modular};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

/// The results of many comparisons.
#[derive(Clone, Debug, Default)]
pub struct SearchTally {
    /// Programs compared.
    pub programs: usize,
    /// Programs whose states could all be visited.
    pub complete: usize,
    /// Goals that each engine proved, by its name.
    pub proved: BTreeMap<&'static str, usize>,
    /// Goals that really fail.
    pub violated: usize,
    /// Certificates that were checked.
    pub certificates: usize,
    /// Programs that were also searched with decision diagrams.
    pub symbolic: usize,
    /// The contradictions, each with the program.
    pub disagreements: Vec<String>,
}

impl fmt::Display for SearchTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} programs, {} visited completely, {} goals fail; proved: ",
            self.programs, self.complete, self.violated
        )?;
        for (engine, count) in &self.proved {
            write!(f, "{engine} {count}, ")?;
        }
        let disagreements = self.disagreements.len();
        let (certificates, diagrams) = (self.certificates, self.symbolic);
        write!(f, "{certificates} certificates, {diagrams} diagrams, {disagreements} disagreements")
    }
}

/// The engines that are compared with the exact search.
const ENGINES: [(&str, Engine); 4] = [
    ("one thread", Engine::ThreadModular),
    ("stacks", Engine::Pushdown),
    ("pairs", Engine::Pairs),
    ("ladder", Engine::Ladder),
];

/// The random program of a seed with small ranges for numbers, every second one without relies.
pub fn finite_program(seed: u64) -> String {
    let text = random_program(seed).replace(": int", ": -3..6").replace("]int", "]-3..6");
    let is_kept = |line: &&str| seed.is_multiple_of(2) || !line.trim_start().starts_with("rely ");
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    lines.join("\n") + "\n"
}

fn is_recursive(seed: u64) -> bool {
    seed % 3 == 2
}

/// Compares the searches on the programs of these seeds; every third has a program with recursive
/// procedures.
pub fn compare_searches(seeds: Range<u64>, states: u64) -> SearchTally {
    let mut tally = SearchTally::default();
    for seed in seeds {
        let text = if is_recursive(seed) { recursive_program(seed) } else { finite_program(seed) };
        let mut sources = source::SourceMap::default();
        let file = sources.add("random.plato", text.as_str());
        let (tree, mut diagnostics) = plato::parse(file, &text);
        let resolved = plato::resolve(&tree, &[]);
        diagnostics.extend(resolved.diagnostics);
        if diagnostics.is_empty() {
            tally.programs += 1;
            tally.compare(seed, &text, &resolved.program, states);
        }
    }
    tally
}

impl SearchTally {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.complete += other.complete;
        self.violated += other.violated;
        self.certificates += other.certificates;
        self.symbolic += other.symbolic;
        self.disagreements.extend(other.disagreements);
        for (engine, count) in other.proved {
            *self.proved.entry(engine).or_default() += count;
        }
    }

    fn compare(&mut self, seed: u64, text: &str, program: &Program, states: u64) {
        let budget = Budget { states, ..Budget::default() };
        let (real, complete) = real_faults(program, &budget);
        self.complete += usize::from(complete);
        self.violated += real.len();
        for (name, engine) in ENGINES {
            for (goal, answer) in verify(program, engine, &budget, |_| true).goals {
                let wrong = match answer.found {
                    Found::Holds(_) if real.contains(&goal) => "is proved and fails",
                    Found::Holds(_) => {
                        *self.proved.entry(name).or_default() += 1;
                        continue;
                    }
                    Found::Violated(_) if complete && !real.contains(&goal) => "fails and holds",
                    Found::Open(verdict::StopReason::InternalError(_)) => "is an internal error",
                    Found::Violated(_) | Found::Open(_) => continue,
                };
                self.disagreements.push(format!("seed {seed}, {name}: {goal:?} {wrong}\n{text}"));
            }
        }
        self.certify(seed, text, program, &budget);
        self.diagrams(seed, text, program, &budget);
    }

    /// Checks that tables and decision diagrams raise the same alarms, and have the same number of
    /// facts if procedures are called.
    fn diagrams(&mut self, seed: u64, text: &str, program: &Program, budget: &Budget<'_>) {
        let sizes = sizes(program);
        let Ok(symbolic) = machine::symbolic(program, &sizes, &Budget::default()) else { return };
        let mut alarms = BTreeSet::new();
        let mut facts = 0;
        for scope in crowd(program, &sizes) {
            let mut machine = machine::Machine::new(scope, Settings::default());
            let (found, count, cut) = if program.procs.is_empty() {
                let relations = thread_modular(&mut machine, budget);
                (relations.alarms, 0, relations.cut)
            } else {
                let summaries = pushdown(&mut machine, &Budget { states: 50_000, ..*budget });
                let paths = summaries.paths();
                (summaries.alarms, paths, summaries.cut)
            };
            if cut.is_some() || machine.incomplete().is_some() {
                return;
            }
            alarms.extend(found.iter().map(|alarm| Goal::of(machine.fault(alarm.fault))));
            facts += count;
        }
        self.symbolic += 1;
        // A local variable has no value before its declaration, and diagrams do not tell that from
        // zero. In the programs with recursive procedures all declarations come first.
        let is_counted = symbolic.stacks && is_recursive(seed);
        if symbolic.alarms != alarms || is_counted && symbolic.states != facts {
            let both = format!("{symbolic:?}\n{alarms:?} {facts}");
            self.disagreements.push(format!("seed {seed}, diagrams: {both}\n{text}"));
        }
    }

    /// Checks that a proof of the thread-modular search has a certificate that holds.
    fn certify(&mut self, seed: u64, text: &str, program: &Program, budget: &Budget<'_>) {
        for scope in crowd(program, &sizes(program)) {
            let mut machine = machine::Machine::new(scope.clone(), Settings::default());
            let relations = thread_modular(&mut machine, budget);
            if !relations.is_proof() || relations.states() > 20_000 {
                continue;
            }
            self.certificates += 1;
            // The numbers are those of this machine, so the same machine checks them.
            if let Err(why) = relations.certificate().check(&mut machine) {
                self.disagreements.push(format!("seed {seed}, certificate: {why}\n{text}"));
            }
        }
    }
}

/// All faults with two copies of each family of unknown size, and whether the search was
/// exhaustive.
fn real_faults(program: &Program, budget: &Budget<'_>) -> (BTreeSet<Goal>, bool) {
    let mut real = BTreeSet::new();
    let is_known = |count: Count| matches!(count, Count::One) || matches!(count, Count::Copies(_));
    let mut complete = program.threads.iter().all(|thread| is_known(thread.count));
    let followed: BTreeSet<Goal> = machine::goals(program).specified.into_iter().collect();
    let specifications = Settings { specifications: true, ..Settings::default() };
    let with = if followed.is_empty() { None } else { Some(specifications) };
    for (scope, settings) in crowd(program, &sizes(program)).into_iter().flat_map(|scope| {
        [Settings::of(program)].into_iter().chain(with.clone()).map(move |one| (scope.clone(), one))
    }) {
        let is_of_specifications = settings.specifications;
        let request = Request {
            settings,
            options: Options { all: true, ..Options::default() },
            budget: *budget,
        };
        let checked = check(scope, &request);
        complete &= checked.cut.is_none();
        let goals = checked.violations.iter().map(|violation: &machine::Violation| {
            let fault: &Fault = &violation.fault;
            Goal::of(fault)
        });
        real.extend(goals.filter(|goal| followed.contains(goal) == is_of_specifications));
    }
    (real, complete)
}

fn sizes(program: &Program) -> Vec<u64> {
    let size = |count: Count| match count {
        Count::One => 1,
        Count::Copies(count) => count.min(3),
        Count::Symbolic(_) | Count::Any => 2,
    };
    program.threads.iter().map(|thread| size(thread.count)).collect()
}
