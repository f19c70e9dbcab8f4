//! Critical sections of a random thread.

use super::shared::{Guard, Kind, Var, restored};
use super::threads::Writer;

impl Writer<'_> {
    pub(super) fn locked(&mut self, depth: usize) {
        let free: Vec<String> =
            self.shared.mutexes.iter().filter(|m| !self.held.contains(m)).cloned().collect();
        if free.is_empty() {
            return self.write();
        }
        let mutex = self.rng.pick(&free).clone();
        let skipped = self.slip();
        let mut conditional = false;
        if !skipped {
            conditional = self.take(&mutex);
            self.held.push(mutex.clone());
            self.know(&mutex, format!("{mutex} == tid"));
        }
        let free_facts: Vec<Var> = self.shared.vars.clone();
        if !skipped && self.rng.percent(30) {
            let own =
                free_facts.iter().find(|v| v.restored && v.guard == Guard::Lock(mutex.clone()));
            if let Some(var) = own {
                self.line(&format!("assert {};", restored(var)));
            }
        }
        for _ in 0..=self.rng.below(3) {
            if self.rng.percent(70) { self.write() } else { self.statement(depth + 1) }
        }
        if self.rng.percent(50) {
            self.assertion();
        }
        self.restore(&mutex);
        if !skipped || self.rng.percent(50) {
            self.give(&mutex);
        }
        self.held.retain(|held| *held != mutex);
        let vars = self.shared.vars.iter().filter(|v| v.guard == Guard::Lock(mutex.clone()));
        let stale: Vec<String> = vars.map(|var| var.name.clone()).chain([mutex.clone()]).collect();
        if self.slip() {
            self.assertion();
        }
        stale.iter().for_each(|name| self.forget(name));
        if conditional {
            self.facts.clear();
            self.close("}");
        }
    }

    /// Takes a mutex in one of many ways; returns whether a block was opened.
    fn take(&mut self, mutex: &str) -> bool {
        match self.rng.below(9) {
            0 => self
                .line(&format!("atomic modifies {mutex} action {mutex} == 0 && {mutex}' == tid;")),
            1 => self.line(&format!("atomic {{ assume {mutex} == 0; {mutex} := tid; }}")),
            2 => {
                self.line(&format!("while ({mutex} != tid) {{ cas({mutex}, 0, tid); }}"));
                self.facts.clear();
            }
            3 => {
                let ok = self.new_local();
                self.line(&format!("var {ok}: bool := false;"));
                let call = if self.shared.procs {
                    format!("try_{mutex}()")
                } else {
                    format!("cas({mutex}, 0, tid)")
                };
                self.line(&format!("{ok} := {call};"));
                self.open(&format!("if ({ok}) {{"));
                return true;
            }
            4 => {
                let own = self.new_local();
                self.line(&format!("var {own}: Tid := tid;"));
                self.line(&format!("while ({own} == tid) {{ cas({mutex}, 0, {own}); }}"));
                self.line(&format!("assume {mutex} == tid;"));
                self.facts.clear();
            }
            5 if self.shared.procs => self.line(&format!("lock_{mutex}();")),
            _ => self.line(&format!("acquire {mutex};")),
        }
        false
    }

    fn give(&mut self, mutex: &str) {
        match self.rng.below(7) {
            0 => self.line(&format!("atomic {{ assert {mutex} == tid; {mutex} := 0; }}")),
            1 => self.line(&format!(
                "atomic modifies {mutex} requires {mutex} == tid action {mutex}' == 0;"
            )),
            2 => self.line(&format!(
                "atomic modifies {mutex} action {mutex}' == 0 ensures {mutex} == tid;"
            )),
            3 if self.shared.procs => self.line(&format!("unlock_{mutex}();")),
            _ => self.line(&format!("release {mutex};")),
        }
    }

    /// Makes the formulas true that must hold when the mutex is free.
    fn restore(&mut self, mutex: &str) {
        for var in &self.shared.vars {
            if !var.restored || var.guard != Guard::Lock(mutex.to_owned()) || self.slip() {
                continue;
            }
            let x = &var.name;
            let text = match var.kind {
                Kind::Int => format!("if ({x} < 0) {{ {x} := 0; }}"),
                Kind::Range => format!("{x} := {};", self.rng.below(2)),
                Kind::Bool => format!("{x} := false;"),
                Kind::Enum => format!("{x} := Idle;"),
                Kind::Tid => format!("{x} := 0;"),
                Kind::TidSet => format!("{x} := {{}};"),
                Kind::TidMap => format!("{x}[0] := 0;"),
                Kind::Flags => format!("{x}[1] := false;"),
                Kind::ModeMap => format!("{x}[Idle] := 0;"),
            };
            self.forget(x);
            self.line(&text);
        }
    }
}
