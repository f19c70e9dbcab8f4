//! A run of the machine in the user's names.

use crate::tables::{Machine, RETURNS};
use crate::value::Value;
use search::{Global, Local, Moved, Run};
use source::Span;
use std::collections::BTreeMap;
use verdict::{Change, Confirmation, Lane, Step, StepKind, Trace};

impl Machine<'_> {
    /// The run with one lane for each thread that takes a step. It is a real one, so that it is
    /// confirmed.
    pub fn trace(&self, run: &Run) -> Trace {
        let mut lanes: BTreeMap<usize, usize> =
            run.steps.iter().map(|moved| (moved.thread, 0)).collect();
        for (at, lane) in lanes.values_mut().enumerate() {
            *lane = at;
        }
        let mut initial = self.shared(run.global);
        initial.extend(self.chosen_constants());
        let mut steps = Vec::new();
        let (mut global, mut locals) = (run.global, run.locals.clone());
        for moved in &run.steps {
            let before = self.visible(global, locals[moved.thread]);
            let after = moved
                .after
                .as_ref()
                .map(|(global, locals)| self.visible(*global, locals[moved.thread]));
            let changes = after.map_or_else(Vec::new, |after| changes(&before, after));
            steps.push(Step {
                lane: lanes[&moved.thread],
                kind: StepKind::Statement,
                span: self.site_span(moved.site),
                text: self.text(moved),
                changes,
            });
            if let Some((next, after)) = &moved.after {
                (global, locals) = (*next, after.clone());
            }
        }
        if let Some(last) = steps.last_mut() {
            last.kind = StepKind::Violation;
        }
        let lanes =
            lanes.keys().map(|&thread| Lane { name: self.scope.thread_name(thread) }).collect();
        let trace = Trace::new(lanes, initial, steps, Confirmation::Confirmed);
        Trace { calls: self.calls_at_end(run), ..trace }
    }

    /// The calls in the middle of which the last step of a run is taken.
    fn calls_at_end(&self, run: &Run) -> Vec<Span> {
        let Some((last, before)) = run.steps.split_last() else { return Vec::new() };
        let locals = before.iter().rev().find_map(|moved| moved.after.as_ref());
        let locals = locals.map_or(&run.locals, |(_, locals)| locals);
        let mut below = self.top(locals[last.thread]).1;
        let mut calls = Vec::new();
        while let Some(local) = below {
            calls.extend(self.code.span(self.pc(local)));
            below = self.top(local).1;
        }
        calls
    }

    /// What a condition came to, and which step of a call it is.
    fn text(&self, moved: &Moved) -> String {
        if moved.site & RETURNS != 0 {
            return "returns".to_owned();
        }
        let after = moved.after.as_ref().map(|(_, locals)| self.pc(locals[moved.thread]));
        match after.and_then(|pc| self.branch_taken(moved.site, pc)) {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => String::new(),
        }
    }

    /// Constants that have no value in the program, with those of this world.
    fn chosen_constants(&self) -> Vec<(String, String)> {
        let constants = self.scope.program.consts.iter().zip(&self.scope.consts);
        let chosen = constants.filter(|(constant, _)| constant.value.is_none());
        // One of an uninterpreted type is its own name, so that nothing needs to be said of it.
        chosen
            .flat_map(|(constant, value)| {
                self.scope.cells(constant.name.as_str(), value, &constant.ty)
            })
            .filter(|(name, value)| name != value)
            .collect()
    }

    fn shared(&self, global: Global) -> Vec<(String, String)> {
        let globals = self.scope.program.globals.iter().zip(self.stores.get(global));
        let show = |(declared, value): (&plato::hir::Global, &Value)| {
            self.scope.cells(declared.name.as_str(), value, &declared.ty)
        };
        globals.flat_map(show).collect()
    }

    /// The shared variables, and those of the innermost frame of one thread that have values.
    fn visible(&self, global: Global, local: Local) -> Vec<(String, String)> {
        let mut all = self.shared(global);
        let frame = self.frames.get(self.top(local).0);
        let body = self.code.body_of(self.scope.program, frame.pc);
        for (declared, value) in body.locals.iter().zip(&frame.locals) {
            if *value != Value::Unset && !declared.name.as_str().is_empty() {
                all.extend(self.scope.cells(declared.name.as_str(), value, &declared.ty));
            }
        }
        all
    }
}

fn changes(before: &[(String, String)], after: Vec<(String, String)>) -> Vec<Change> {
    let old = |name: &str| before.iter().find(|(other, _)| other == name).map(|(_, value)| value);
    let mut changes = Vec::new();
    for (name, new) in after {
        let old = old(&name).cloned();
        if old.as_ref() != Some(&new) {
            changes.push(Change { name, old, new });
        }
    }
    changes
}
