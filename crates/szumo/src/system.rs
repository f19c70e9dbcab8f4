//! A running design, and the state that all threads share under one lock.

use crate::design::Tables;
use crate::log::{Entry, Event};
use crate::{Error, Realm, UnitId};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A running design; clones are the same one.
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) shared: Arc<Shared>,
}

impl System {
    pub(crate) fn new(
        tables: Tables,
        bindings: Vec<Vec<Vec<usize>>>,
        design: Arc<()>,
        is_logged: bool,
    ) -> Self {
        let units = 0..tables.units.len();
        let roots: Vec<usize> = units.clone().filter(|&unit| tables.class(unit).is_root).collect();
        let mut owners = vec![None; tables.units.len()];
        for (thread, &root) in roots.iter().enumerate() {
            owners[root] = Some(thread);
        }
        let state = State {
            states: units.map(|unit| tables.class(unit).initial).collect(),
            bindings,
            owners,
            stacks: roots.iter().map(|&root| vec![(root, String::new())]).collect(),
            phases: roots.iter().map(|_| Phase::New).collect(),
            tickets: 0,
            log: is_logged.then(Vec::new),
        };
        let bells = roots.iter().map(|_| Condvar::new()).collect();
        let state = Mutex::new(state);
        Self { shared: Arc::new(Shared { tables, roots, design, state, bells }) }
    }

    /// Makes the calling thread the thread of a root, and gets the units that the root needs at the
    /// start.
    pub fn enter(&self, root: UnitId) -> Result<Realm, Error> {
        let at = self.shared.roots.iter().position(|&one| one == root.0);
        let thread = at.ok_or_else(|| Error::Design(format!("{} is no root", self.name(root))))?;
        {
            let mut state = self.shared.lock();
            if !matches!(state.phases[thread], Phase::New) {
                return Err(Error::Entered(self.name(root)));
            }
            state.phases[thread] = Phase::Running;
        }
        Realm::new(self.clone(), thread)
    }

    /// The roots, each of which has a thread.
    pub fn roots(&self) -> Vec<UnitId> {
        self.shared.roots.iter().map(|&root| UnitId(root)).collect()
    }

    /// All units, in the order of declaration.
    pub fn units(&self) -> Vec<UnitId> {
        (0..self.shared.tables.units.len()).map(UnitId).collect()
    }

    /// The name of a unit.
    pub fn name(&self, unit: UnitId) -> String {
        self.shared.tables.name(unit.0)
    }

    /// The name of the state that a unit is in.
    pub fn state(&self, unit: UnitId) -> String {
        let at = self.shared.lock().states[unit.0];
        self.shared.tables.class(unit.0).states[at].name.clone()
    }

    /// The events so far; empty unless the design keeps a log.
    pub fn log(&self) -> Vec<Entry> {
        self.shared.lock().log.clone().unwrap_or_default()
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) tables: Tables,
    /// The root of each thread.
    pub(crate) roots: Vec<usize>,
    pub(crate) design: Arc<()>,
    state: Mutex<State>,
    /// Where each thread sleeps.
    pub(crate) bells: Vec<Condvar>,
}

impl Shared {
    /// The negotiation lock. No code of the user runs while it is locked, so the state is
    /// consistent even after a panic; the one exception, `Unit::with_free`, does not change it.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where everything is.
#[derive(Debug)]
pub(crate) struct State {
    /// The state of each unit.
    pub(crate) states: Vec<usize>,
    /// The units that each variable of each unit refers to.
    pub(crate) bindings: Vec<Vec<Vec<usize>>>,
    /// Which thread holds each unit.
    pub(crate) owners: Vec<Option<usize>>,
    /// The units that each thread is inside of, the root first, with the operations.
    pub(crate) stacks: Vec<Vec<(usize, String)>>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) tickets: u64,
    pub(crate) log: Option<Vec<Entry>>,
}

/// The phase of a thread.
#[derive(Debug)]
pub(crate) enum Phase {
    New,
    Running,
    Waiting(Wait),
    /// Another thread decided for it while it slept.
    Decided(Result<(), Error>),
    Ended,
}

/// A thread that sleeps until it gets everything.
#[derive(Debug)]
pub(crate) struct Wait {
    /// Its age: a thread that began to wait earlier has a smaller ticket.
    pub(crate) ticket: u64,
    /// The units that others hold.
    pub(crate) blocked: Vec<usize>,
    /// All units that its answer depends on: those that others hold, and free ones.
    pub(crate) looked: Vec<usize>,
}

impl State {
    /// The units that a unit's contract entails now.
    pub(crate) fn entailed<'s>(
        &'s self,
        tables: &'s Tables,
        unit: usize,
    ) -> impl Iterator<Item = usize> + 's {
        let needs = &tables.class(unit).states[self.states[unit]].needs;
        needs.iter().flat_map(move |&variable| self.bindings[unit][variable].iter().copied())
    }

    /// The root and all units that are held and entailed through held ones.
    pub(crate) fn reach(&self, shared: &Shared, thread: usize) -> Vec<usize> {
        let mut reach = vec![shared.roots[thread]];
        let mut at = 0;
        while let Some(&unit) = reach.get(at) {
            at += 1;
            for other in self.entailed(&shared.tables, unit) {
                if self.owners[other] == Some(thread) && !reach.contains(&other) {
                    reach.push(other);
                }
            }
        }
        reach
    }

    pub(crate) fn record(&mut self, thread: usize, event: Event, gained: &[usize], lost: &[usize]) {
        if let Some(log) = &mut self.log {
            let ids = |units: &[usize]| units.iter().map(|&unit| UnitId(unit)).collect();
            log.push(Entry { thread, event, gained: ids(gained), lost: ids(lost) });
        }
    }
}
