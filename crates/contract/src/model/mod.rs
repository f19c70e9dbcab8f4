//! A system under a policy as a model for `search`.
//!
//! A step of a thread looks at its root, its stack, the suppliers and who owns them, and changes
//! nothing else. So the root and the stack are the thread's local state, and suppliers and owners
//! are the shared store: the steps of a thread are computed once for all states in which the others
//! differ only in themselves, or in units that the thread never gets to know (`known.rs`). Two
//! policies hand out free units at the end of a step, also to other threads; with those, everything
//! is in the store.

mod known;
mod symmetry;

use crate::design::ThreadId;
use crate::hygiene::Seen;
use crate::negotiate::{Views, initial};
use crate::state::{Frame, State};
use crate::steps::{Event, Violation, steps};
use crate::system::{Policy, System};
use crate::waiting::{Waits, circle, waits};
use known::{Made, Memory, Store, Waited};
use search::{Effect, Fault, Global, Interner, Local, Step, Threads};
use source::Name;
use std::rc::Rc;
use verdict::StopReason;

/// Threads wait for each other in a circle.
pub(crate) const CIRCULAR_WAIT: Fault = 0;
/// Nothing can happen any more, for another reason, and not all threads have ended; or somebody
/// waits for a thread that never takes a step again.
pub(crate) const STUCK: Fault = 1;
/// A thread waits for a unit of one that has ended.
pub(crate) const ORPHANED_WAIT: Fault = 2;
/// A unit is used that is not held.
pub(crate) const ACCESS: Fault = 3;
/// A unit is let go by a thread that is inside.
pub(crate) const RELEASED: Fault = 4;
/// Properties are numbered from here on.
pub(crate) const FIRST_PROPERTY: Fault = 5;

/// A system ready to be searched.
#[derive(Debug)]
pub struct Model<'s> {
    pub(crate) system: &'s System,
    pub(crate) policy: Policy,
    /// Whether roots and stacks are local.
    is_split: bool,
    lists: Interner<Vec<usize>>,
    operations: Interner<Name>,
    stores: Interner<Vec<u32>>,
    locals: Interner<Vec<u32>>,
    sites: Interner<Site>,
    memory: Memory,
    /// Threads that are interchangeable, in groups of at least two.
    groups: Vec<Vec<ThreadId>>,
    /// Whether some thread can end.
    may_end: bool,
    /// Whether some thread may be unable to go on before it ends.
    may_stop: bool,
    /// Whether somebody waited for a thread that waits itself.
    pub(crate) has_chain: bool,
    /// Whether some thread was not followed any further into a recursion.
    is_deep: bool,
    bytes: u64,
    most_bytes: u64,
}

/// What a step was.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site {
    pub(crate) event: Event,
    pub(crate) violation: Option<Violation>,
}

impl<'s> Model<'s> {
    /// The model of a system under a policy, with a limit on the bytes of its tables.
    pub fn new(system: &'s System, policy: Policy, most_bytes: u64) -> Self {
        let is_split = !matches!(policy, Policy::Saturate | Policy::Fifo);
        Self {
            system,
            policy,
            is_split,
            lists: Interner::default(),
            operations: Interner::default(),
            stores: Interner::default(),
            locals: Interner::default(),
            sites: Interner::default(),
            memory: Memory::new(system, is_split),
            groups: if is_split { symmetry::groups(system) } else { Vec::new() },
            may_end: system.roots.iter().any(|&root| {
                let class = system.class(root);
                (0..class.states.len()).any(|state| class.is_final(state))
            }),
            may_stop: system.units.iter().any(|unit| system.classes[unit.class].may_stop()),
            has_chain: false,
            is_deep: false,
            bytes: 0,
            most_bytes,
        }
    }

    /// Whether some threads are interchangeable.
    pub fn is_symmetric(&self) -> bool {
        !self.groups.is_empty()
    }

    pub(crate) fn site(&self, site: u32) -> &Site {
        self.sites.get(site)
    }

    /// Everything that happened in the states that were searched.
    pub(crate) fn seen(&self) -> Seen {
        let mut seen = Seen::default();
        for site in 0..number(self.sites.len()) {
            seen.event(&self.site(site).event, |unit| self.system.units[unit].class);
        }
        seen
    }

    /// The state that numbers stand for.
    pub fn state(&self, global: Global, locals: &[Local]) -> State {
        let mut state = State::initial(self.system);
        let mut words = Words { words: self.stores.get(global), at: 0 };
        self.read_store(&mut words, &mut state);
        for (thread, &local) in locals.iter().enumerate() {
            self.read_local(thread, local, &mut state);
        }
        state
    }

    /// The state as one thread sees it: other roots and stacks are not as they are.
    fn partial(&self, thread: ThreadId, global: Global, local: Local) -> State {
        let mut state = State::initial(self.system);
        self.read_store(&mut Words { words: self.stores.get(global), at: 0 }, &mut state);
        self.read_local(thread, local, &mut state);
        state
    }

    fn suppliers(&self) -> impl Iterator<Item = usize> + use<'s> {
        let system = self.system;
        (0..system.units.len()).filter(|&unit| system.units[unit].thread.is_none())
    }

    fn words(&mut self, state: &State) -> Vec<u32> {
        let mut words = Vec::new();
        for unit in self.suppliers() {
            words.push(state.owners[unit].map_or(0, |owner| number(owner) + 1));
            self.write_unit(unit, state, &mut words);
        }
        if !self.is_split {
            for thread in 0..self.system.roots.len() {
                self.write_thread(thread, state, &mut words);
            }
            for queue in &state.queues {
                words.push(self.lists.intern(queue.clone()));
            }
        }
        words
    }

    fn store(&mut self, words: Vec<u32>) -> Global {
        let (before, length) = (self.stores.len(), words.len() as u64);
        let store = self.stores.intern(words);
        if self.stores.len() > before {
            self.bytes += 40 + 4 * length;
        }
        store
    }

    fn read_store(&self, words: &mut Words<'_>, state: &mut State) {
        for unit in self.suppliers() {
            let owner = words.next();
            state.owners[unit] = owner.checked_sub(1).map(|owner| owner as usize);
            self.read_unit(unit, words, state);
        }
        if !self.is_split {
            for thread in 0..self.system.roots.len() {
                self.read_thread(thread, words, state);
            }
            for queue in &mut state.queues {
                queue.clone_from(self.lists.get(words.next()));
            }
        }
    }

    fn local(&mut self, thread: ThreadId, state: &State) -> Local {
        let mut words = Vec::new();
        if self.is_split {
            self.write_thread(thread, state, &mut words);
        }
        self.locals.intern(words)
    }

    fn read_local(&self, thread: ThreadId, local: Local, state: &mut State) {
        if self.is_split {
            self.read_thread(thread, &mut Words { words: self.locals.get(local), at: 0 }, state);
        }
    }

    fn write_unit(&mut self, unit: usize, state: &State, words: &mut Vec<u32>) {
        words.push(number(state.states[unit]));
        for slot in self.system.slots(unit) {
            words.push(self.lists.intern(state.bindings[slot].clone()));
        }
    }

    fn read_unit(&self, unit: usize, words: &mut Words<'_>, state: &mut State) {
        state.states[unit] = words.next() as usize;
        for slot in self.system.slots(unit) {
            state.bindings[slot].clone_from(self.lists.get(words.next()));
        }
    }

    /// A root and what its thread is inside of. The root itself is not named, so that alike threads
    /// have alike local states.
    fn write_thread(&mut self, thread: ThreadId, state: &State, words: &mut Vec<u32>) {
        self.write_unit(self.system.roots[thread], state, words);
        words.push(number(state.stacks[thread].len()));
        for frame in &state.stacks[thread][1..] {
            words.push(number(frame.unit));
            let operation = frame.operation.clone().unwrap_or_else(|| Name::from(""));
            words.push(self.operations.intern(operation));
        }
    }

    fn read_thread(&self, thread: ThreadId, words: &mut Words<'_>, state: &mut State) {
        self.read_unit(self.system.roots[thread], words, state);
        let length = words.next();
        let stack = &mut state.stacks[thread];
        stack.truncate(1);
        for _ in 1..length {
            let unit = words.next() as usize;
            let operation = Some(self.operations.get(words.next()).clone());
            stack.push(Frame { unit, operation });
        }
    }

    fn find_waits(&self, thread: ThreadId, global: Global, local: Local) -> Waits {
        let state = self.partial(thread, global, local);
        waits(&mut Views, self.system, self.policy, &state, thread)
    }

    pub(crate) fn all_waits(&mut self, global: Global, locals: &[Local]) -> Vec<Rc<Waited>> {
        let threads = locals.iter().enumerate();
        threads.map(|(thread, &local)| self.waits(thread, global, local)).collect()
    }

    /// The steps of a thread, computed.
    fn make(&mut self, thread: ThreadId, global: Global, local: Local) -> Vec<Made> {
        let state = self.partial(thread, global, local);
        let mut all = Vec::new();
        for step in steps(&mut Views, self.system, self.policy, &state, thread) {
            let violation = step.result.as_ref().err().cloned();
            let site = self.sites.intern(Site { event: step.event, violation });
            let (next, faults) = match step.result {
                Ok(next) => {
                    self.is_deep |= next.is_deep(thread);
                    let words = self.words(&next);
                    let local = self.local(thread, &next);
                    let store = if self.is_split {
                        let both = self.stores.get(global).iter().zip(words).enumerate();
                        let changes = both.filter(|(_, (before, after))| *before != after);
                        Store::Changed(changes.map(|(at, (_, after))| (at, after)).collect())
                    } else {
                        Store::Whole(words)
                    };
                    (Some((store, local)), Vec::new())
                }
                Err(Violation::Access { .. }) => (None, vec![ACCESS]),
                Err(Violation::Released(_)) => (None, vec![RELEASED]),
            };
            all.push(Made { site, faults, next });
        }
        all
    }
}

struct Words<'w> {
    words: &'w [u32],
    at: usize,
}

impl Words<'_> {
    fn next(&mut self) -> u32 {
        self.at += 1;
        self.words[self.at - 1]
    }
}

impl Threads for Model<'_> {
    fn count(&self) -> usize {
        self.system.roots.len()
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        let states = initial(&mut Views, self.system, self.policy);
        let threads = 0..self.system.roots.len();
        let mut all = Vec::new();
        for state in states {
            let words = self.words(&state);
            let store = self.store(words);
            all.push((store, threads.clone().map(|thread| self.local(thread, &state)).collect()));
        }
        all
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        for Made { site, faults, next } in self.made(thread, global, local).iter() {
            let effect = match next {
                Some((store, local)) => {
                    let words = store.after(self.stores.get(global));
                    Effect::To(self.store(words), *local)
                }
                None => Effect::Wrong,
            };
            into.push(Step { site: *site, effect, faults: faults.clone() });
        }
    }

    fn is_watched(&mut self, thread: usize, global: Global, local: Local) -> bool {
        !self.waits(thread, global, local).is_empty()
    }

    fn quorum(&self) -> Option<usize> {
        if !self.system.properties.is_empty() {
            Some(0)
        } else if self.may_end || self.may_stop {
            Some(1)
        } else {
            Some(2)
        }
    }

    fn bad(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let (system, policy) = (self.system, self.policy);
        let mut faults = Vec::new();
        let waits = self.all_waits(global, locals);
        if circle(&waits).is_some() {
            faults.push(CIRCULAR_WAIT);
        }
        let owners: Vec<ThreadId> =
            waits.iter().flat_map(|waits| waits.iter().map(|&(_, owner)| owner)).collect();
        self.has_chain |= owners.iter().any(|&owner| !waits[owner].is_empty());
        if !self.may_end && !self.may_stop && system.properties.is_empty() {
            return faults;
        }
        let state = self.state(global, locals);
        for owner in owners.into_iter().filter(|&owner| waits[owner].is_empty()) {
            if state.is_final(system, owner) {
                faults.push(ORPHANED_WAIT);
            } else if self.made(owner, global, locals[owner]).is_empty() {
                faults.push(STUCK);
            }
        }
        for (fault, property) in (FIRST_PROPERTY..).zip(&system.properties) {
            if property.is_broken(system, policy, &state) {
                faults.push(fault);
            }
        }
        faults
    }

    fn stuck(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let state = self.state(global, locals);
        let system = self.system;
        let waits = self.all_waits(global, locals);
        let ended = |thread: ThreadId| waits[thread].is_empty() && state.is_final(system, thread);
        // A circle, or waiting for a thread that has ended, is reported as that.
        let is_explained = circle(&waits).is_some()
            || waits.iter().any(|waits| waits.iter().any(|&(_, owner)| ended(owner)));
        let all_ended = (0..system.roots.len()).all(ended);
        if is_explained || all_ended { Vec::new() } else { vec![STUCK] }
    }

    fn canonical(&mut self, global: Global, locals: &mut [Local]) -> (Global, Vec<usize>) {
        self.canonical_state(global, locals)
    }

    fn renamed(&mut self, global: Global, locals: &[Local], to: &[usize]) -> (Global, Vec<Local>) {
        self.renamed_state(global, locals, to)
    }

    fn exceeded(&self) -> Option<StopReason> {
        if self.is_deep {
            let what = "a thread that enters a unit again and again";
            return Some(StopReason::Unsupported(what.to_owned()));
        }
        (self.bytes > self.most_bytes).then_some(StopReason::MemoryLimit)
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).expect("internal error: systems are smaller")
}
