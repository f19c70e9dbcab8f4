//! What the abstract searches note as they go.

use crate::join::join;
use crate::report::Budget;
use crate::threads::{Fault, Global, Local, Threads};
use std::collections::BTreeSet;
use verdict::StopReason;

/// Something that goes wrong in a state that may be impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// What.
    pub fault: Fault,
    /// The shared store.
    pub global: Global,
    /// The threads that matter, and their local states.
    pub locals: Vec<(usize, Local)>,
}

/// Alarms, each fault once, and why the search does not see everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) alarms: Vec<Alarm>,
    pub(crate) cut: Option<StopReason>,
    seen: BTreeSet<Fault>,
}

impl Notes {
    pub(crate) fn alarm(&mut self, alarm: Alarm) {
        if self.seen.insert(alarm.fault) {
            self.alarms.push(alarm);
        }
    }

    /// The first reason counts.
    pub(crate) fn cut(&mut self, reason: StopReason) {
        self.cut.get_or_insert(reason);
    }

    /// Whether the run has to end that the search is a part of; that is noted.
    pub(crate) fn is_halted(&mut self, budget: &Budget<'_>) -> bool {
        let reason = budget.halted();
        let is_halted = reason.is_some();
        reason.into_iter().for_each(|reason| self.cut(reason));
        is_halted
    }

    /// Faults of a step that one thread takes.
    pub(crate) fn faults(&mut self, faults: &[Fault], global: Global, thread: (usize, Local)) {
        for &fault in faults {
            self.alarm(Alarm { fault, global, locals: vec![thread] });
        }
    }

    /// Faults of a state of all threads.
    pub(crate) fn whole(&mut self, faults: Vec<Fault>, global: Global, locals: &[Local]) {
        for fault in faults {
            let locals = locals.iter().copied().enumerate().collect();
            self.alarm(Alarm { fault, global, locals });
        }
    }

    /// The states in which runs start, looked at.
    pub(crate) fn initial(
        &mut self,
        threads: &mut impl Threads,
        budget: &Budget<'_>,
    ) -> Vec<(Global, Vec<Local>)> {
        let starts = threads.initial();
        for (global, locals) in &starts {
            if self.is_halted(budget) {
                break;
            }
            let faults = threads.initial_faults(*global, locals);
            self.whole(faults, *global, locals);
        }
        starts
    }

    /// Error sets over several threads at one store. `reachable` tells the local states of a thread
    /// there.
    pub(crate) fn join(
        &mut self,
        threads: &mut impl Threads,
        global: Global,
        reachable: impl FnMut(usize) -> Vec<Local>,
    ) {
        match join(threads, global, reachable) {
            Ok(alarms) => alarms.into_iter().for_each(|alarm| self.alarm(alarm)),
            Err(reason) => self.cut(reason),
        }
    }
}
