//! The negotiation as constraint handling rules: the executable specification. [`crate::Views`]
//! computes the same directly; tests compare the two, state by state.
//!
//! The rules of paper 4, table 1, do not run as printed: a rule that can fire does, so `Acquire`
//! always fires, a failing `NonInt` then ends everything, and `Block` is never tried. Here
//! acquiring and blocking are the two sides of one choice. `Lift` ends on cyclic contracts because
//! constraints are sets. Contraction has rules of its own. DIVERGENCE: from table 1, for these
//! reasons.

use crate::design::{ThreadId, UnitId};
use crate::negotiate::{Asks, Negotiation, queued, realm, restrict};
use crate::state::State;
use crate::system::{Policy, System};
use chr::{Outcome, Predicate, Program, Store, Symbol};

/// The rules.
pub const RULES: &str = "
constraints root/2 set, entails/2 set, owned/2 set, holds/2 set, needs/2 set, waits/2 set.
constraints live/2 set, contract/1, sweep/1, expand/1, complete/1, depends/2 set, deadlock/0 set.

% A unit has one holder.
nonint  @ holds(T1, U), holds(T2, U) <=> T1 != T2 | fail.

% Contraction. What is owned is marked from the root on, through owned units; marked units are held on, others let go.
seed    @ contract(T), root(T, R) ==> live(T, R).
mark    @ live(T, U), entails(U, V), owned(T, V) ==> live(T, V).
keep    @ sweep(T), live(T, U) \\ owned(T, U) <=> holds(T, U).
free    @ sweep(T) \\ owned(T, _) <=> true.
clean   @ sweep(T) \\ live(T, _) <=> true.
swept   @ sweep(_) <=> true.

% What is held needs what it entails, unless that is held or waited for already.
have    @ holds(T, U) \\ needs(T, U) <=> true.
blocked @ waits(T, U) \\ needs(T, U) <=> true.
lift    @ holds(T, U), entails(U, V) ==> needs(T, V).

% Expansion: a unit is acquired, or waited for if that fails. Completion: all units are acquired, or it fails as a whole.
obtain  @ expand(T) \\ needs(T, U) <=> (holds(T, U) ; waits(T, U)).
all     @ complete(T) \\ needs(T, U) <=> holds(T, U).

% Deadlock: who waits for a unit depends on its holder; nobody may depend on themselves.
edge    @ waits(T, U), holds(T2, U) ==> depends(T, T2).
chain   @ depends(T1, T2), depends(T2, T3) ==> depends(T1, T3).
circle  @ depends(T, T) ==> deadlock.
";

/// The negotiation by [`RULES`].
#[derive(Clone, Debug)]
pub struct Rules {
    program: Program,
}

impl Default for Rules {
    fn default() -> Self {
        let program = Program::parse(RULES);
        Self { program: program.expect("internal error: the negotiation rules are wrong") }
    }
}

impl Negotiation for Rules {
    fn contract(&mut self, system: &System, state: &mut State, thread: ThreadId) {
        let mut facts = Facts::new(&self.program);
        facts.load(system, state, Some(thread));
        for unit in 0..state.owners.len() {
            if state.owners[unit] == Some(thread) && !facts.has("holds", thread, unit) {
                state.owners[unit] = None;
            }
        }
    }

    fn asks(&mut self, system: &System, policy: Policy, state: &State, thread: ThreadId) -> Asks {
        if policy == Policy::Fifo {
            return queued(state, thread);
        }
        let mut facts = Facts::new(&self.program);
        facts.load(system, state, None);
        let needs = facts.units("needs", thread);
        if policy == Policy::Aon {
            return facts.completion(thread, &needs, state);
        }
        // The rules say which units are needed; they do not say in which order a thread tries to
        // get them.
        let mut front = realm(system, state, thread).front;
        front.retain(|unit| needs.contains(unit));
        assert_eq!(front.len(), needs.len(), "internal error: needs and front differ");
        restrict(policy, &mut front);
        let (free, blocked) = front.into_iter().partition(|&unit| state.owners[unit].is_none());
        Asks { free, blocked }
    }
}

impl Rules {
    /// Whether threads wait for each other in a circle, given what each waits for.
    pub fn is_deadlocked(&self, state: &State, asks: &[Asks]) -> bool {
        let mut facts = Facts::new(&self.program);
        for (unit, owner) in state.owners.iter().enumerate() {
            if let Some(thread) = owner {
                facts.post("holds", &[*thread, unit]);
            }
        }
        for (thread, asks) in asks.iter().enumerate() {
            for &unit in &asks.blocked {
                facts.post("waits", &[thread, unit]);
            }
        }
        !facts.store.show("deadlock").is_empty()
    }
}

struct Facts<'p> {
    program: &'p Program,
    store: Store<'p>,
}

impl<'p> Facts<'p> {
    fn new(program: &'p Program) -> Self {
        Self { program, store: Store::new(program) }
    }

    fn predicate(&self, name: &str) -> Predicate {
        self.program.named(name).expect("internal error: the rules declare it")
    }

    fn symbol(&mut self, number: usize) -> Symbol {
        self.store.integer(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn post(&mut self, name: &str, numbers: &[usize]) -> Outcome {
        let arguments: Vec<Symbol> = numbers.iter().map(|&number| self.symbol(number)).collect();
        self.store.post(self.predicate(name), &arguments)
    }

    /// Adds a state to the store. The units of `contracting` are owned and then contracted, all
    /// others are held.
    fn load(&mut self, system: &System, state: &State, contracting: Option<ThreadId>) {
        for (thread, &root) in system.roots.iter().enumerate() {
            self.post("root", &[thread, root]);
        }
        for (unit, owner) in state.owners.iter().enumerate() {
            if let Some(thread) = *owner {
                let name = if contracting == Some(thread) { "owned" } else { "holds" };
                self.post(name, &[thread, unit]);
            }
        }
        for unit in 0..system.units.len() {
            for other in state.entailed(system, unit) {
                self.post("entails", &[unit, other]);
            }
        }
        if let Some(thread) = contracting {
            self.post("contract", &[thread]);
            self.post("sweep", &[thread]);
        }
    }

    fn has(&mut self, name: &str, thread: ThreadId, unit: UnitId) -> bool {
        let arguments = [self.symbol(thread), self.symbol(unit)];
        self.store.contains(self.predicate(name), &arguments)
    }

    fn units(&mut self, name: &str, thread: ThreadId) -> Vec<UnitId> {
        let thread = self.symbol(thread);
        let of_thread = |facts: &&[Symbol]| facts[0] == thread;
        let all = self.store.all(self.predicate(name)).filter(of_thread);
        let number = |symbol: Symbol| match self.store.constant(symbol) {
            chr::Constant::Integer(value) => usize::try_from(*value).ok(),
            chr::Constant::Name(_) => None,
        };
        all.filter_map(|facts| number(facts[1])).collect()
    }

    /// All units that a thread would acquire, or those that stand in its way.
    fn completion(&mut self, thread: ThreadId, needs: &[UnitId], state: &State) -> Asks {
        if needs.is_empty() {
            return Asks::default();
        }
        let mark = self.store.mark();
        let goal =
            if self.post("complete", &[thread]) == Outcome::Done { "complete" } else { "expand" };
        let mut asks = Asks::default();
        if goal == "expand" {
            self.post("expand", &[thread]);
            asks.blocked = self.units("waits", thread);
        }
        asks.free = self.units("holds", thread);
        asks.free.retain(|&unit| state.owners[unit].is_none());
        self.store.undo(mark);
        asks
    }
}
