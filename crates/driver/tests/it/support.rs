//! Checking small texts.

use driver::{Analysis, Event, FileReport, Input, Options, Run};
use std::sync::Mutex;
use verdict::Halt;

pub(crate) fn input(name: &str, text: &str) -> Input {
    Input { name: name.to_owned(), text: text.to_owned() }
}

pub(crate) fn options() -> Options {
    Options::new(testkit::find_solver())
}

/// What happens during a check, in words.
pub(crate) struct Heard {
    pub(crate) run: Run,
    pub(crate) events: Vec<String>,
}

impl Heard {
    /// The tasks that somebody worked on.
    pub(crate) fn started(&self) -> Vec<&str> {
        self.events.iter().filter_map(|event| event.strip_prefix("started ")).collect()
    }

    pub(crate) fn only_file(&self) -> &FileReport {
        let [file] = &self.run.files[..] else { panic!("{} files", self.run.files.len()) };
        file
    }
}

/// Checks a text and listens.
pub(crate) fn check(analysis: &mut Analysis, halt: &Halt, input: Input) -> Heard {
    let events = Mutex::new(Vec::new());
    let run = analysis.check(&[input], halt, &|event| {
        let text = match event {
            Event::Parsed { accepted, .. } => format!("parsed {accepted}"),
            Event::Planned { tasks, .. } => format!("planned {}", tasks.len()),
            Event::Started { task, .. } => format!("started {task}"),
            Event::Decided { task, proved, .. } => format!("decided {task} {proved}"),
            Event::Finished { report } => format!("finished {:?}", report.status),
        };
        events.lock().expect("nobody panics").push(text);
    });
    Heard { run, events: events.into_inner().expect("nobody panics") }
}
