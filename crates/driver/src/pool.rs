//! Running jobs: on several workers, each with a solver of its own, or one after the other.

use crate::run::{Options, Progress};
use smt::{Health, Session};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Something that runs jobs. A job that panics yields an `Err` with the message.
pub(crate) trait Executor {
    /// Runs `work` on every job; results come in the order of the jobs. `weight` tells how much work there is in all.
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

/// The workers' solvers, kept from one batch of jobs to the next.
pub(crate) struct Pool<'a> {
    sessions: Vec<Session>,
    /// What is known of the solver.
    pub(crate) health: Health,
    done: AtomicUsize,
    total: AtomicUsize,
    progress: &'a (dyn Fn(Progress) + Sync),
}

/// Deep terms are walked recursively in a few places; the nesting limit of the front end fits well into this.
const STACK: usize = 64 << 20;

impl<'a> Pool<'a> {
    /// As many workers as jobs may run at once.
    pub(crate) fn new(options: &Options, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        let mut sessions: Vec<Session> = (0..options.jobs.max(1))
            .map(|_| Session::start(&options.solver, options.limits))
            .collect();
        if let Some(memory) = &options.memory {
            sessions.iter_mut().for_each(|session| session.remember(memory.clone()));
        }
        let health = Health::default();
        sessions.iter_mut().for_each(|one| one.join(health.clone(), options.halt.clone()));
        Self { sessions, health, done: AtomicUsize::new(0), total: AtomicUsize::new(0), progress }
    }
}

impl Executor for Pool<'_> {
    /// Every job is a new conversation, so that no answer depends on which worker takes which job. Starting a second
    /// solver for a few small queries costs more than it gains.
    fn run<J: Sync, R: Send>(
        &mut self,
        jobs: &[J],
        weight: usize,
        work: impl Fn(&mut Session, &J) -> R + Sync,
    ) -> Vec<Result<R, String>> {
        const WORTH_A_WORKER: usize = 400;
        let workers = self.sessions.len().min(jobs.len()).min(1 + weight / WORTH_A_WORKER);
        self.total.fetch_add(jobs.len(), Ordering::Relaxed);
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(jobs.len()));
        let (done, total, progress) = (&self.done, &self.total, self.progress);
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
                        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                        progress(Progress { done, total: total.load(Ordering::Relaxed) });
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
