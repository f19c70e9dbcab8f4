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

struct State {
    planned: usize,
    decided: usize,
    /// The tasks that somebody works on, with the newest last.
    running: Vec<String>,
    /// Tasks that are decided.
    told: BTreeSet<(u32, String)>,
}

impl Progress {
    pub(crate) fn new(meter: Arc<Meter>) -> Self {
        let begun = Instant::now();
        let (running, told) = (Vec::new(), BTreeSet::new());
        let state = State { planned: 0, decided: 0, running, told };
        Self { meter, begun, state: Mutex::new(state) }
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
        if state.planned > 0 {
            output::progress(&text);
        }
    }

    /// Takes an event in.
    pub(crate) fn hears(&self, event: &Event<'_>) {
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Parsed { .. } => {}
            Event::Planned { tasks, .. } => state.planned += tasks.len(),
            Event::Started { task, .. } => state.running.push(task.to_string()),
            Event::Decided { file, task, .. } => {
                let name = task.to_string();
                state.running.retain(|running| *running != name);
                if state.told.insert((file.0, name)) {
                    state.decided += 1;
                }
            }
            Event::Finished { .. } => state.running.retain(|running| running != "search"),
        }
    }
}

fn line(state: &State, states: u64, time: Duration) -> String {
    let mut parts = vec![format!("{} of {} decided", state.decided, state.planned)];
    if states > 0 {
        let seconds = time.as_secs().max(1);
        parts.push(format!("{states} states, {} a second", states / seconds));
    }
    parts.extend(state.running.last().cloned());
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{State, line};
    use std::collections::BTreeSet;
    use std::time::Duration;

    #[test]
    fn lines_tell_what_runs() {
        let running = vec!["thread A".to_owned(), "thread B".to_owned()];
        let state = State { planned: 7, decided: 3, running, told: BTreeSet::new() };
        assert_eq!(line(&state, 0, Duration::from_secs(2)), "3 of 7 decided, thread B");
        let told = line(&state, 3000, Duration::from_secs(2));
        assert_eq!(told, "3 of 7 decided, 3000 states, 1500 a second, thread B");
    }
}
