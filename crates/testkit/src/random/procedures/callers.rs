//! Threads that call procedures and assert consequences of the specifications.

use super::Writer;
use super::bodies::Body;
use super::cells::Rule;
use super::specification::{Amount, Effect, Outcome, Proc, outcomes};
use std::collections::BTreeMap;

impl Writer<'_> {
    /// A whole thread.
    pub(super) fn thread(&mut self, at: usize) -> String {
        let (name, copies) = self.world.crowd[at];
        let mut body = Body::default();
        for _ in 0..=self.rng.below(2) {
            if self.slip("a thread writes what is not its own") {
                let cell = self.rng.below(self.world.cells.len());
                let place = self.world.place(cell, 0);
                body.line(&format!("{place} := {};", self.rng.below(3)));
            }
            if self.rng.percent(15) {
                self.observe(&mut body);
            }
            self.some_call(&mut body, name);
        }
        format!("thread {name}{copies} {{\n{}}}\n", body.text)
    }

    fn some_call(&mut self, body: &mut Body, thread: &str) {
        let any = self.slip("a thread calls what only T1 may call");
        let able: Vec<Proc> = self
            .procs
            .iter()
            .filter(|proc| any || !proc.owner || thread == "T1")
            .cloned()
            .collect();
        if able.is_empty() {
            return self.observe(body);
        }
        let proc = self.rng.pick(&able).clone();
        let lock = proc.held.filter(|_| !self.slip("a lock is not held at a call"));
        if let Some(module) = lock {
            self.take(body, module, 0);
        }
        self.call(body, thread, &proc);
        if let Some(module) = lock {
            if self.rng.percent(25) {
                self.call(body, thread, &proc);
            }
            self.give(body, module, 0);
        }
    }

    /// A call, with the facts known before and after.
    fn call(&mut self, body: &mut Body, thread: &str, proc: &Proc) {
        let argument = Amount::of(*self.rng.pick(&[0, 1, 2]));
        let wrong = if proc.param && self.slip("a wrong argument") { 3 } else { 0 };
        let argument_text =
            if proc.param { (argument.base + wrong).to_string() } else { String::new() };
        let exact = self.slip("a caller asserts too much");
        let mut outcomes = outcomes(&proc.items);
        for outcome in &mut outcomes {
            for (cell, effect) in &proc.claims {
                outcome.totals.insert(*cell, *effect);
            }
        }
        let mut before = BTreeMap::new();
        for cell in 0..self.world.cells.len() {
            let rule = self.world.cells[cell].rule;
            let mine = match rule {
                Rule::Slot | Rule::Grows => true,
                Rule::Owned => thread == "T1",
                Rule::Locked => proc.held == Some(self.world.cells[cell].module),
                Rule::Free => false,
            };
            let touched = outcomes.iter().any(|one| {
                one.totals.contains_key(&cell) || one.read.is_some_and(|(read, _)| read == cell)
            });
            if (mine || exact) && (touched || self.rng.percent(60)) {
                let name = self.new_name("a");
                body.line(&format!("var {name}: int := {};", self.world.place(cell, 0)));
                before.insert(cell, (name, exact || rule != Rule::Grows));
            }
        }
        let name = self.world.qualified(&proc.name, proc.module, 0);
        let result = self.new_name("r");
        let target = if proc.result { format!("var {result}: int := ") } else { String::new() };
        body.line(&format!("{target}{name}({argument_text});"));
        if let Some(amount) = proc.computes {
            body.line(&format!("assert {result} == {};", amount.at(argument).added_to("")));
        }
        self.conclude(body, &outcomes, &before, (argument, &result));
    }

    fn conclude(
        &mut self,
        body: &mut Body,
        outcomes: &[Outcome],
        before: &BTreeMap<usize, (String, bool)>,
        (argument, result): (Amount, &str),
    ) {
        let mut ways = Vec::new();
        for outcome in outcomes {
            let mut facts = Vec::new();
            facts.extend(outcome.says.map(|value| format!("{result} == {value}")));
            for (cell, (name, exact)) in before {
                let place = self.world.place(*cell, 0);
                let total = outcome.totals.get(cell).copied();
                let mut total = total.unwrap_or(Effect::Add(Amount::of(0))).at(argument);
                // Of a variable that a repetition changes, a caller knows the facts that every step
                // keeps.
                let grows = self.world.cells[*cell].rule == Rule::Grows;
                if total == Effect::More && !grows && self.rng.percent(90) {
                    total = Effect::Unknown;
                }
                facts.extend(fact(&place, name, total, *exact));
                if let Some((_, earlier)) = outcome.read.filter(|(read, _)| read == cell) {
                    facts.extend(fact(result, name, earlier.at(argument), *exact));
                }
            }
            if facts.is_empty() {
                return;
            }
            ways.push(facts.join(" && "));
        }
        ways.dedup();
        if ways.len() <= 4 {
            let ways: Vec<String> = match &ways[..] {
                [only] => vec![only.clone()],
                _ => ways.iter().map(|way| format!("({way})")).collect(),
            };
            body.line(&format!("assert {};", ways.join(" || ")));
        }
    }

    /// Asserts formulas that must hold at any time.
    fn observe(&mut self, body: &mut Body) {
        let at = self.rng.below(self.world.cells.len());
        let (cell, place) = (self.world.cells[at].clone(), self.world.place(at, 0));
        if cell.rule == Rule::Grows {
            let seen = self.new_name("a");
            body.line(&format!("var {seen}: int := {place};"));
            body.line(&format!("assert {place} >= {seen};"));
        }
        if let Some(twin) = cell.twin {
            body.line(&format!("assert {place} == {};", self.world.place(twin, 0)));
        }
        if cell.even {
            body.line(&format!("assert {place} % 2 == 0;"));
        }
    }
}

/// The fact about a number that was `name` before.
fn fact(place: &str, name: &str, effect: Effect, exact: bool) -> Option<String> {
    match effect {
        Effect::Unknown => None,
        Effect::More => Some(format!("{place} >= {name}")),
        _ if exact => Some(format!("{place} == {}", effect.value(name))),
        _ => Some(format!("{place} >= {}", effect.value(name))),
    }
}
