//! Branches, loops and atomic blocks of a random thread.

use super::shared::Kind;
use super::threads::Writer;
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn condition(&mut self, depth: usize) {
        let var = self.rng.below(self.shared.vars.len());
        let test = match self.rng.below(4) {
            0 => "*".to_owned(),
            _ => self.guess(&self.shared.vars[var]),
        };
        self.open(&format!("if ({test}) {{"));
        let stable = self.is_mine(&self.shared.vars[var]) && test != "*";
        let before = self.facts.clone();
        if stable {
            let name = self.shared.vars[var].name.clone();
            self.facts.push((name, test));
        }
        self.block(depth, 2);
        self.leave_early();
        let then = std::mem::replace(&mut self.facts, before);
        if self.rng.percent(40) {
            self.close("} else {");
            self.indent += 1;
            self.block(depth, 1);
        }
        self.facts.retain(|fact| then.contains(fact));
        self.close("}");
    }

    fn leave_early(&mut self) {
        if self.in_atomic || !self.held.is_empty() && !self.slip() {
            return;
        }
        if self.in_loop && self.rng.percent(30) {
            let word = *self.rng.pick(&["break;", "continue;"]);
            self.line(word);
        } else if !self.in_loop && self.rng.percent(8) {
            self.line("return;");
        }
    }

    pub(super) fn repetition(&mut self, depth: usize) {
        let counted = self.rng.percent(60);
        let kept = if self.facts.is_empty() || self.rng.percent(25) {
            None
        } else {
            Some(self.rng.pick(&self.facts.clone()).clone())
        };
        let mut clauses =
            kept.as_ref().map_or(String::new(), |(_, fact)| format!(" invariant {fact}"));
        for mutex in self.held.clone() {
            if !clauses.contains(&format!("{mutex} == tid")) && !self.slip() {
                let _ = write!(clauses, " invariant {mutex} == tid");
            }
        }
        let counter = self.new_local();
        if counted {
            let limit = 1 + self.rng.below(2);
            self.line(&format!("var {counter}: int := 0;"));
            let bound = if self.slip() { limit - 1 } else { limit };
            self.open(&format!(
                "while ({counter} < {limit}) invariant {counter} <= {bound}{clauses} {{"
            ));
        } else {
            let head = *self.rng.pick(&["loop", "while (*)", "while (true)"]);
            self.open(&format!("{head}{clauses} {{"));
        }
        let was_in_loop = std::mem::replace(&mut self.in_loop, !counted);
        self.facts = kept.iter().cloned().collect();
        self.block(depth, 2);
        self.in_loop = was_in_loop;
        self.facts.retain(|fact| kept.as_ref() == Some(fact));
        if counted {
            self.line(&format!("{counter} := {counter} + 1;"));
        }
        self.close("}");
        if counted {
            let text = format!("{counter} >= 1");
            self.facts.push((counter, text));
        }
    }

    pub(super) fn choice(&mut self, depth: usize) {
        self.open("choose {");
        let before = self.facts.clone();
        self.block(depth, 2);
        let first = std::mem::replace(&mut self.facts, before);
        self.close("} or {");
        self.indent += 1;
        self.block(depth, 1);
        self.facts.retain(|fact| first.contains(fact));
        self.close("}");
    }

    /// Inside an atomic block nobody interferes, so the value just written can be asserted.
    pub(super) fn atomic(&mut self, depth: usize) {
        self.open("atomic {");
        self.in_atomic = true;
        let before = self.facts.clone();
        if self.rng.percent(60) {
            let shared = self.shared;
            let var = self.rng.pick(&shared.vars);
            if self.may_write(var) && matches!(var.kind, Kind::Int | Kind::Range) {
                let x = &var.name;
                self.line(&format!("if ({x} < 3) {{ {x} := {x} + 1; assert {x} > {x} - 1; }}"));
                self.forget(x);
            }
        }
        self.block(depth.max(1), 2);
        self.in_atomic = false;
        self.facts.retain(|fact| before.contains(fact));
        self.close("}");
    }
}
