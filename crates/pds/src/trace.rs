//! A run in the words of the text.

use crate::model::Model;
use crate::system::Symbol;
use search::{Local, Run};
use verdict::{Change, Confirmation, Lane, Step, StepKind, Trace};

/// What the shared state is called.
const SHARED: &str = "state";

impl Model<'_> {
    /// The run with one lane for each thread.
    pub fn trace(&self, run: &Run) -> Trace {
        let rules: Vec<_> = self.system.threads.iter().flat_map(|thread| &thread.rules).collect();
        let mut initial = vec![(SHARED.to_owned(), run.global.to_string())];
        for (thread, &local) in run.locals.iter().enumerate() {
            initial.push((stack_name(thread), self.shown(local)));
        }
        let (mut global, mut locals) = (run.global, run.locals.clone());
        let mut steps = Vec::new();
        for moved in &run.steps {
            let mut changes = Vec::new();
            if let Some((next, after)) = &moved.after {
                changed(&mut changes, SHARED, &global.to_string(), next.to_string());
                let thread = moved.thread;
                let old = self.shown(locals[thread]);
                changed(&mut changes, &stack_name(thread), &old, self.shown(after[thread]));
                (global, locals) = (*next, after.clone());
            }
            steps.push(Step {
                lane: moved.thread,
                kind: StepKind::Statement,
                span: rules.get(moved.site as usize).map(|rule| rule.span),
                text: String::new(),
                changes,
            });
        }
        if let Some(last) = steps.last_mut() {
            last.kind = StepKind::Violation;
        }
        let lane = |thread: usize| Lane { name: format!("thread {}", thread + 1) };
        let lanes = (0..run.locals.len()).map(lane).collect();
        Trace::new(lanes, initial, steps, Confirmation::Confirmed)
    }

    /// A stack as text, with its top last, as in an initial configuration.
    fn shown(&self, local: Local) -> String {
        let symbols: Vec<Symbol> = self.stack(local);
        if symbols.is_empty() {
            return "-".to_owned();
        }
        let symbols: Vec<String> = symbols.iter().rev().map(ToString::to_string).collect();
        symbols.join(".")
    }
}

fn stack_name(thread: usize) -> String {
    format!("stack {}", thread + 1)
}

fn changed(changes: &mut Vec<Change>, name: &str, old: &str, new: String) {
    if old != new {
        changes.push(Change { name: name.to_owned(), old: Some(old.to_owned()), new });
    }
}
