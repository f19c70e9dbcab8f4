//! The rules of the thread-modular search, by Rely and by ascent, on the same tabulated steps.

use crate::programs::{parsed, simple};
use crate::{cpu, machine};
use ascent::ascent;
use search::{Budget, Effect, Global, Local, Step, Threads, thread_modular};

ascent! {
    struct Rules;
    relation start(u32, u32, u32);
    relation step(u32, u32, u32, u32, u32);
    relation reached(u32, u32, u32);
    relation does(u32, u32, u32);
    reached(t, g, l) <-- start(t, g, l);
    reached(t, after, next), does(t, g, after) <-- reached(t, g, l), step(t, g, l, after, next);
    reached(t, after, l) <-- reached(t, g, l), does(e, g, after), if t != e;
}

/// Steps that are all known beforehand, in a table by thread, store and local state.
struct Tabulated {
    count: usize,
    start: (Global, Vec<Local>),
    stores: usize,
    locals: usize,
    /// For each thread, store and local state where its steps begin and end.
    index: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// For each store and local state whether no thread has a step there.
    idle: Vec<bool>,
}

impl Tabulated {
    fn at(&self, thread: usize, global: Global, local: Local) -> usize {
        (thread * self.stores + global as usize) * self.locals + local as usize
    }
}

impl Threads for Tabulated {
    fn count(&self) -> usize {
        self.count
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        vec![self.start.clone()]
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let (from, to) = self.index[self.at(thread, global, local)];
        into.extend_from_slice(&self.steps[from as usize..to as usize]);
    }

    fn is_idle(&mut self, global: Global, local: Local) -> bool {
        self.idle[self.at(0, global, local)]
    }
}

/// Averages are of so many runs.
const RUNS: u32 = 30;

/// Both on Simple(n).
pub(crate) fn against_ascent(n: usize) -> anyhow::Result<()> {
    let program = parsed(&simple(n))?;
    let mut table = tabulated(&program)?;
    let mut rules = Rules::default();
    rules.start = (0u32..).zip(&table.start.1).map(|(t, &l)| (t, table.start.0, l)).collect();
    for thread in 0..table.count {
        for global in 0..table.stores as u32 {
            for local in 0..table.locals as u32 {
                let (from, to) = table.index[table.at(thread, global, local)];
                for step in &table.steps[from as usize..to as usize] {
                    if let Effect::To(after, next) = step.effect {
                        rules.step.push((thread as u32, global, local, after, next));
                    }
                }
            }
        }
    }
    // Short runs are repeated: the clock of processor time is coarse.
    let (mut ours, mut theirs) = (0.0, 0.0);
    let mut found = thread_modular(&mut table, &Budget::default());
    let (start, step) = (rules.start.clone(), rules.step.clone());
    for _ in 0..RUNS {
        rules = Rules { start: start.clone(), step: step.clone(), ..Rules::default() };
        theirs += cpu::measured(|| rules.run())?.1 / f64::from(RUNS);
    }
    for _ in 0..RUNS {
        let (again, seconds) = cpu::measured(|| thread_modular(&mut table, &Budget::default()))?;
        ours += seconds / f64::from(RUNS);
        found = again;
    }
    anyhow::ensure!(found.states() == rules.reached.len() as u64, "not the same facts");
    let moves = rules.does.iter().filter(|(_, before, after)| before != after).count();
    anyhow::ensure!(found.guarantees() == moves as u64, "not the same steps of others");
    println!("\nSimple({n}), one thread at a time, steps known beforehand, against ascent");
    println!("{:>10} {:>10} {:>12} {:>7}", "facts", "cpu s", "ascent cpu s", "ratio");
    println!("{:>10} {ours:>10.3} {theirs:>12.3} {:>7.1}", found.states(), theirs / ours);
    Ok(())
}

/// All steps that a search asks for.
fn tabulated(program: &plato::hir::Program) -> anyhow::Result<Tabulated> {
    let mut model = machine(program)?;
    let found = thread_modular(&mut model, &Budget::default());
    let count = model.count();
    let mut all = Vec::new();
    for global in found.stores() {
        for thread in 0..count {
            all.extend(found.reachable(thread, global).into_iter().map(|l| (thread, global, l)));
        }
    }
    let stores = found.stores().count();
    let locals = all.iter().map(|(_, _, local)| *local as usize + 1).max().unwrap_or(0);
    let mut table = Tabulated {
        count,
        start: model.initial().remove(0),
        stores,
        locals,
        index: vec![(0, 0); count * stores * locals],
        steps: Vec::new(),
        idle: vec![true; stores * locals],
    };
    for (thread, global, local) in all {
        let from = table.steps.len() as u32;
        model.steps(thread, global, local, &mut table.steps);
        let to = table.steps.len() as u32;
        let (at, shared) = (table.at(thread, global, local), table.at(0, global, local));
        table.index[at] = (from, to);
        table.idle[shared] &= from == to;
    }
    Ok(table)
}
