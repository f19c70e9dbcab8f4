//! Which guessed formulas hold together: every task of a program in which each stands under a
//! switch, asked in turn until nothing more is switched off.

use super::plan::{Plan, plans};
use super::relies::{UsableRely, specified, thread_owner};
use crate::deduce::{Prepared, prepare};
use crate::options::Options;
use crate::pool::Executor;
use gcl::{Guess, Patience, wrong_guesses};
use infer::{Definition, Prover, Settled, Until, Written, switch};
use logic::{Sort, Term};
use modular::{Conjunct, Guesses, Owner, Task, conjuncts, transitivity_task};
use plato::hir::Program;
use smt::Sexp;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use verdict::{Halt, Obligation, ObligationId, Relevance};

/// Asks solvers about all tasks of a program.
pub(super) struct Switches<'a, E> {
    executor: &'a mut E,
    options: &'a Options,
    /// When to stop.
    halt: Halt,
    /// Where the written relies stand that cannot be used, in the text without formulas.
    unusable: BTreeSet<u32>,
    count: usize,
    tasks: Vec<Switched>,
    /// The task that something was open in most recently.
    latest: usize,
}

/// A task of the program with switches.
struct Switched {
    prepared: Prepared<Task>,
    /// Guesses by position: first the formulas, then guesses of the task's own, then its goals,
    /// which are guesses that nothing stands on.
    guesses: Vec<Guess>,
    /// Which obligation each goal is; their positions come last.
    goals: Vec<ObligationId>,
    /// What is left open whatever is switched on.
    never: Vec<ObligationId>,
}

impl<'a, E: Executor> Switches<'a, E> {
    pub(super) fn new(
        executor: &'a mut E,
        options: &'a Options,
        halt: Halt,
        unusable: BTreeSet<u32>,
    ) -> Self {
        Self { executor, options, halt, unusable, count: 0, tasks: Vec::new(), latest: 0 }
    }

    /// The positions of the guesses of a task that do not hold while these are off.
    fn wrong(
        &mut self,
        asked: &[usize],
        (off, patience): (&BTreeSet<usize>, Patience),
    ) -> Option<Vec<BTreeSet<usize>>> {
        let (tasks, options, halt) = (&self.tasks, self.options, &self.halt);
        let weight = asked.iter().map(|&task| tasks[task].prepared.weight()).sum();
        let found = self.executor.run(asked, weight, |session, &task| {
            let task = &tasks[task];
            let question = task.prepared.question(options);
            let before = session.until(halt.clone());
            let patience = Patience { up_to: task.up_to(patience), ..patience };
            let wrong = wrong_guesses(session, question, &task.guesses, (off.clone(), patience));
            session.until(before);
            wrong.into_keys().collect::<BTreeSet<usize>>()
        });
        found.into_iter().collect::<Result<_, _>>().ok()
    }
}

impl<E: Executor> Prover for Switches<'_, E> {
    fn load(&mut self, program: &Program, switched: &Written) {
        let is_usable = |conjunct: &Conjunct<'_>| {
            let start = conjunct.formula.span.start;
            let place = switched.original(start as usize);
            switched.formula_at(start as usize).is_some()
                || !self.unusable.contains(&source::number(place))
        };
        let mut owners = BTreeSet::from([Owner::Everybody]);
        owners.extend(program.thread_ids().map(|id| thread_owner(program, id)));
        owners.extend(specified(program).map(|id| Owner::of_procedure(program, id)));
        let mut relies = Vec::new();
        let mut tasks = Vec::new();
        for owner in owners {
            let all = conjuncts(program, &owner);
            let usable: Vec<Conjunct<'_>> = all.iter().copied().filter(&is_usable).collect();
            tasks.push(prepare(transitivity_task(program, &owner, &usable), None));
            let positions = all.iter().enumerate();
            let dropped = positions.filter(|(_, one)| !is_usable(one)).map(|(at, _)| at).collect();
            let (warnings, closures) = (Vec::new(), Vec::new());
            relies.push(UsableRely { owner, dropped, warnings, closures });
        }
        let facts = modular::facts(program);
        let lowering = modular::Options { guesses: Guesses::Switched, ..self.options.lowering() };
        let plans: Vec<Plan<'_>> = plans(program, &relies, &[]);
        tasks.extend(plans.iter().map(|plan| prepare(plan.task(program, &facts, &lowering), None)));
        self.count = switched.ranges.len();
        self.tasks = tasks.into_iter().map(|task| Switched::new(task, switched)).collect();
        // The written relies are known to be transitive together, also beside others.
        self.tasks.iter_mut().take(relies.len()).for_each(Switched::forget_goals);
    }

    fn settle(&mut self, off: &BTreeSet<usize>, until: Until) -> Option<Settled> {
        let hard = match until {
            Until::Settled => 100,
            Until::Open => 1,
        };
        // Whoever waits for something open is content with the first.
        let up_to = if until == Until::Open { 0 } else { usize::MAX };
        let patience = Patience { hard, each: Duration::from_millis(500), up_to };
        let mut off = off.clone();
        let mut open: BTreeMap<usize, Vec<Obligation>> = BTreeMap::new();
        let mut asked: Vec<usize> = (0..self.tasks.len()).collect();
        if until == Until::Open && self.latest < self.tasks.len() {
            // It is open again more often than not.
            let wrong = self.wrong(&[self.latest], (&off, patience))?;
            let open = wrong.first().map(|wrong| self.tasks[self.latest].open(wrong));
            if let Some(open) = open.filter(|open| !open.is_empty()) {
                return Some(Settled { off, open });
            }
        }
        while !asked.is_empty() {
            let wrong = self.wrong(&asked, (&off, patience))?;
            if self.halt.reason().is_some() {
                return None;
            }
            let before = off.clone();
            for (&task, wrong) in asked.iter().zip(&wrong) {
                off.extend(wrong.iter().filter(|&&at| at < self.count));
                open.insert(task, self.tasks[task].open(wrong));
            }
            if until == Until::Open
                && let Some((&task, _)) = open.iter().find(|(_, open)| !open.is_empty())
            {
                self.latest = task;
                break;
            }
            // A task that switched off nothing new, or all that is new, need not look again.
            let is_new = |at: &&usize| !before.contains(at);
            let new: BTreeSet<usize> = off.iter().filter(is_new).copied().collect();
            let own: BTreeMap<usize, &BTreeSet<usize>> =
                asked.iter().copied().zip(&wrong).collect();
            asked = (0..self.tasks.len())
                .filter(|task| !own.get(task).map_or(new.is_empty(), |own| new.is_subset(own)))
                .collect();
        }
        Some(Settled { off, open: open.into_values().flatten().collect() })
    }

    fn until(&mut self, halt: &Halt) {
        self.halt = halt.clone();
    }

    fn model(&mut self, clauses: &str) -> Option<Vec<Definition>> {
        let halt = &self.halt;
        let mut found = self.executor.run(&[()], 1, |session, ()| {
            let before = session.until(halt.clone());
            let model = session.model_of_clauses(clauses, MODEL_TIME);
            session.until(before);
            model.map(|model| definitions(&model))
        });
        found.pop()?.ok()?
    }
}

/// How long a solver may look for a model of Horn clauses. Those that it finds it finds soon.
const MODEL_TIME: Duration = Duration::from_secs(10);

/// The predicates that a model defines: `(define-fun p ((x Int) ..) Bool body)`.
fn definitions(model: &Sexp) -> Vec<Definition> {
    let definition = |one: &Sexp| {
        let [keyword, name, parameters, _, body] = one.as_list()? else { return None };
        let name_of = |one: &Sexp| Some(one.as_list()?.first()?.as_atom()?.to_owned());
        let parameters: Option<Vec<String>> = parameters.as_list()?.iter().map(name_of).collect();
        let is_definition = keyword.as_atom() == Some("define-fun");
        let name = name.as_atom().filter(|_| is_definition)?.to_owned();
        Some(Definition { name, parameters: parameters?, body: term(body, MAX_DEPTH)? })
    };
    model.as_list().into_iter().flatten().filter_map(definition).collect()
}

/// Limit on the depth of a term. Nobody would read what is deeper.
const MAX_DEPTH: usize = 200;

fn term(sexp: &Sexp, depth: usize) -> Option<infer::Term> {
    let depth = depth.checked_sub(1)?;
    match sexp.as_list() {
        Some(all) => {
            let all: Option<Vec<infer::Term>> = all.iter().map(|one| term(one, depth)).collect();
            Some(infer::Term::List(all?))
        }
        None => Some(infer::Term::Atom(sexp.as_atom()?.to_owned())),
    }
}

impl Switched {
    fn new(mut prepared: Prepared<Task>, switched: &Written) -> Self {
        let obligations: Vec<Obligation> = prepared.task.obligations.clone();
        let at = |about: &Obligation| {
            let declared = about.declared.and_then(|at| switched.formula_at(at.start as usize));
            declared.or_else(|| switched.formula_at(about.span.start as usize))
        };
        let mut shown_by = vec![Vec::new(); switched.ranges.len()];
        let mut goals = Vec::new();
        let own: BTreeSet<ObligationId> =
            prepared.task.candidates.iter().flat_map(|guess| guess.shown_by).collect();
        for (index, about) in obligations.iter().enumerate() {
            let id = ObligationId::from_index(index);
            match at(about) {
                _ if own.contains(&id) || about.relevance == Relevance::Hygiene => {}
                Some(formula) => shown_by[formula].push(id),
                None => goals.push(id),
            }
        }
        let terms = &mut prepared.task.terms;
        let mut constant = |name: &str| {
            let symbol = terms.symbol(name, Sort::Bool);
            terms.constant(symbol)
        };
        let mut guesses: Vec<Guess> = shown_by
            .into_iter()
            .enumerate()
            .map(|(at, shown_by)| Guess {
                switch: constant(&modular::constant_symbol(&switch(at))),
                shown_by,
            })
            .collect();
        // Nothing mentions the switch of a goal; each has its own, since they are set apart.
        let goal_switches: Vec<Term> =
            (0..goals.len()).map(|at| constant(&format!("goal {at}@"))).collect();
        let of_task = prepared.task.candidates.iter();
        guesses.extend(
            of_task.map(|guess| Guess { switch: guess.switch, shown_by: guess.shown_by.to_vec() }),
        );
        let with_switches = goals.iter().zip(goal_switches);
        guesses.extend(with_switches.map(|(&id, switch)| Guess { switch, shown_by: vec![id] }));
        let never = prepared.task.undecided.iter().map(|(id, _)| *id).collect();
        Self { prepared, guesses, goals, never }
    }

    /// The position of the first goal, if the first open one ends the search.
    fn up_to(&self, patience: Patience) -> usize {
        let first = self.guesses.len() - self.goals.len();
        if patience.up_to == usize::MAX { usize::MAX } else { first }
    }

    /// Asks about formulas alone.
    fn forget_goals(&mut self) {
        self.guesses.truncate(self.guesses.len() - self.goals.len());
        self.goals.clear();
    }

    /// The obligations that are not proved if these guesses are wrong.
    fn open(&self, wrong: &BTreeSet<usize>) -> Vec<Obligation> {
        let first = self.guesses.len() - self.goals.len();
        let failing = (first..).zip(&self.goals).filter(|(at, _)| wrong.contains(at));
        let failing = failing.map(|(_, id)| id).chain(&self.never);
        failing.map(|id| self.prepared.task.obligations[id.index()].clone()).collect()
    }
}
