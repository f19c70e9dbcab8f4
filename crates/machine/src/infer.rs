//! Which formulas hold of everything a thread-modular search finds: relies of what others do to
//! each thread, invariants of every store. The guarantees that the search computes are tables;
//! these are formulas that people can read.

use crate::cutoff::copies;
use crate::eval::{Stores, holds};
use crate::scope::crowd;
use crate::tables::{Machine, Settings};
use plato::hir::Program;
use search::{Budget, Relations, thread_modular};
use verdict::StopReason;

/// The relies and invariants of the program that hold of all that was found, by their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Positions in [`Program::relies`].
    pub relies: Vec<usize>,
    /// Positions in [`Program::invariants`].
    pub invariants: Vec<usize>,
}

/// The relies and invariants that hold, or why that cannot be said.
pub fn kept(program: &Program, budget: &Budget<'_>) -> Result<Kept, StopReason> {
    let sizes = copies(program, false).map_err(StopReason::Unsupported)?;
    let mut relies: Vec<usize> = (0..program.relies.len()).collect();
    let mut invariants: Vec<usize> = (0..program.invariants.len()).collect();
    for scope in crowd(program, &sizes) {
        let mut machine = Machine::new(scope, Settings::default());
        let found = thread_modular(&mut machine, budget);
        if let Some(reason) = found.cut.clone().or_else(|| machine.incomplete()) {
            return Err(reason);
        }
        relies.retain(|&at| machine.keeps_rely(&found, at));
        invariants.retain(|&at| machine.keeps_invariant(&found, at));
    }
    Ok(Kept { relies, invariants })
}

impl Machine<'_> {
    /// Whether every step of a thread respects the rely of every other one.
    fn keeps_rely(&self, found: &Relations, at: usize) -> bool {
        let rely = &self.scope.program.relies[at].expr;
        let threads = source::number(self.scope.threads.len());
        found.stores().all(|before| {
            found.steps_from(before).all(|(after, by)| {
                let others = (0..threads).filter(|thread| by.iter().any(|other| other != thread));
                others.into_iter().all(|thread| {
                    let stores = Stores {
                        after: Some((self.stores.get(after), &[])),
                        tid: thread + 1,
                        ..Stores::global(self.stores.get(before))
                    };
                    holds(&self.scope, stores, rely) == Ok(true)
                })
            })
        })
    }

    /// Whether an invariant holds in every store that some thread sees.
    fn keeps_invariant(&self, found: &Relations, at: usize) -> bool {
        let invariant = &self.scope.program.invariants[at].expr;
        let threads = 0..self.scope.threads.len();
        found.stores().all(|global| {
            let met = threads.clone().any(|thread| !found.reachable(thread, global).is_empty());
            let stores = Stores::global(self.stores.get(global));
            !met || holds(&self.scope, stores, invariant) == Ok(true)
        })
    }
}
