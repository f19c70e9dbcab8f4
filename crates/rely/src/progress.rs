//! A line that says what a check is doing.

use crate::output;
use driver::{Event, Meter};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often the line is written.
const PAUSE: Duration = Duration::from_millis(100);

/// What is known of a check under way.
pub(crate) struct Progress {
    meter: Arc<Meter>,
    begun: Instant,
    state: Mutex<State>,
}

/// A task, with the number of its file.
type Task = (u32, String);

#[derive(Default)]
struct State {
    planned: BTreeSet<Task>,
    decided: BTreeSet<Task>,
    /// The tasks that somebody works on, with the newest last.
    running: Vec<Task>,
}

impl Progress {
    pub(crate) fn new(meter: Arc<Meter>) -> Self {
        Self { meter, begun: Instant::now(), state: Mutex::default() }
    }

    /// Does some work while the line is written now and then.
    pub(crate) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !is_done.load(Ordering::Acquire) {
                    self.write();
                    thread::park_timeout(PAUSE);
                }
            });
            let result = work();
            is_done.store(true, Ordering::Release);
            writer.thread().unpark();
            result
        })
    }

    fn write(&self) {
        let Ok(state) = self.state.lock() else { return };
        let text = line(&state, self.meter.states(), self.begun.elapsed());
        if !state.planned.is_empty() {
            output::progress(&text);
        }
    }

    /// Takes an event in.
    pub(crate) fn hears(&self, event: &Event<'_>) {
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Parsed { .. } | Event::Finished { .. } => {}
            Event::Planned { file, tasks } => {
                state.planned.extend(tasks.iter().map(|task| (file.0, task.to_string())));
            }
            Event::Started { file, task } => state.running.push((file.0, task.to_string())),
            Event::Decided { file, task, .. } => {
                let task = (file.0, task.to_string());
                state.running.retain(|running| *running != task);
                state.decided.insert(task);
            }
        }
    }
}

fn line(state: &State, states: u64, time: Duration) -> String {
    let mut parts = vec![format!("{} of {} decided", state.decided.len(), state.planned.len())];
    if states > 0 {
        let seconds = time.as_secs().max(1);
        parts.push(format!("{states} states, {} a second", states / seconds));
    }
    parts.extend(state.running.last().map(|(_, name)| name.clone()));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{State, line};
    use std::time::Duration;

    #[test]
    fn lines_tell_what_runs() {
        let task = |number: u32| (0, format!("thread {number}"));
        let state = State {
            planned: (1..=7).map(task).collect(),
            decided: (1..=3).map(task).collect(),
            running: vec![task(4), task(5)],
        };
        assert_eq!(line(&state, 0, Duration::from_secs(2)), "3 of 7 decided, thread 5");
        let told = line(&state, 3000, Duration::from_secs(2));
        assert_eq!(told, "3 of 7 decided, 3000 states, 1500 a second, thread 5");
    }
}
