//! Running jobs: on several workers, each with a solver of its own, or one after the other.

use crate::options::Options;
use smt::{Health, Session};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use verdict::Halt;

/// Something that runs jobs. A job that panics yields an `Err` with the message.
pub(crate) trait Executor {
    /// Runs `work` on every job; results come in the order of the jobs. `weight` tells how much
    /// work there is in all.
    fn run<J: Sync, R: Send>(
        &mut self,
        jobs: &[J],
        weight: usize,
        work: impl Fn(&mut Session, &J) -> R + Sync,
    ) -> Vec<Result<R, String>>;
}

/// One job after the other, all in one conversation with one solver.
pub(crate) struct Alone<'a>(pub(crate) &'a mut Session);

impl Executor for Alone<'_> {
    fn run<J: Sync, R: Send>(
        &mut self,
        jobs: &[J],
        _weight: usize,
        work: impl Fn(&mut Session, &J) -> R + Sync,
    ) -> Vec<Result<R, String>> {
        jobs.iter().map(|job| caught(|| work(self.0, job))).collect()
    }
}

/// Workers with solvers of their own, kept from one check to the next.
pub(crate) struct Pool {
    sessions: Vec<Session>,
    /// What is known of the solver.
    pub(crate) health: Health,
}

/// Deep terms are walked recursively in a few places; the nesting limit of the front end fits well
/// into this.
const STACK: usize = 64 << 20;

impl Pool {
    /// As many workers as jobs may run at once.
    pub(crate) fn new(options: &Options) -> Self {
        let mut sessions: Vec<Session> = (0..options.jobs.max(1))
            .map(|_| Session::start(&options.solver, options.limits))
            .collect();
        if let Some(memory) = &options.memory {
            sessions.iter_mut().for_each(|session| session.remember(memory.clone()));
        }
        Self { sessions, health: Health::default() }
    }

    /// Lets all workers end with a run.
    pub(crate) fn join(&mut self, halt: &Halt) {
        let health = &self.health;
        health.begin();
        self.sessions.iter_mut().for_each(|one| one.join(health.clone(), halt.clone()));
    }
}

impl Executor for Pool {
    /// Every job is a new conversation, so that no answer depends on which worker takes which job.
    /// Starting a second solver for a few small queries costs more than it gains.
    fn run<J: Sync, R: Send>(
        &mut self,
        jobs: &[J],
        weight: usize,
        work: impl Fn(&mut Session, &J) -> R + Sync,
    ) -> Vec<Result<R, String>> {
        const WORTH_A_WORKER: usize = 400;
        let workers = self.sessions.len().min(jobs.len()).min(1 + weight / WORTH_A_WORKER);
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(jobs.len()));
        std::thread::scope(|scope| {
            for session in self.sessions.iter_mut().take(workers) {
                let work = || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = jobs.get(index) else { break };
                        session.fresh();
                        let result = caught(|| work(session, job));
                        results
                            .lock()
                            .expect("internal error: a worker died")
                            .push((index, result));
                    }
                };
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, work)
                    .expect("internal error: cannot start a worker");
            }
        });
        let mut results = results.into_inner().expect("internal error: a worker died");
        results.sort_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

fn caught<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without message".to_owned())
}
