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
        let time = self.begun.elapsed();
        // What is over at once needs no line.
        if time >= PAUSE {
            output::progress(&line(&state, self.meter.states(), time));
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
    let mut parts = vec![format!("{} s", time.as_secs())];
    if !state.planned.is_empty() {
        parts.push(format!("{} of {} decided", state.decided.len(), state.planned.len()));
    }
    let running = state.running.last().map(|(_, name)| name.as_str());
    let is_over = state.decided.len() == state.planned.len();
    parts.push(match running {
        Some(name) => name.to_owned(),
        None if state.planned.is_empty() => "reading".to_owned(),
        // Runs are looked for then, or annotations that nobody wrote.
        None if is_over => "looking further".to_owned(),
        None => "preparing".to_owned(),
    });
    if states > 0 {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
        let rate = states.saturating_mul(1000) / milliseconds;
        parts.push(format!("{states} states, {rate} a second"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{State, line};
    use std::time::Duration;

    fn check(planned: u32, decided: u32, running: &[u32], states: u64, expected: &str) {
        let task = |number: u32| (0, format!("thread {number}"));
        let state = State {
            planned: (1..=planned).map(task).collect(),
            decided: (1..=decided).map(task).collect(),
            running: running.iter().copied().map(task).collect(),
        };
        assert_eq!(line(&state, states, Duration::from_millis(2500)), expected);
    }

    #[test]
    fn lines_tell_what_runs() {
        check(7, 3, &[4, 5], 0, "2 s, 3 of 7 decided, thread 5");
        check(7, 3, &[5], 3000, "2 s, 3 of 7 decided, thread 5, 3000 states, 1200 a second");
        check(0, 0, &[], 0, "2 s, reading");
        check(2, 0, &[], 0, "2 s, 0 of 2 decided, preparing");
        check(2, 2, &[], 0, "2 s, 2 of 2 decided, looking further");
    }
}
