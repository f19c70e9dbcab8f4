//! Steps of a body that perform no action, and locks.

use super::Writer;
use super::bodies::Body;
use super::cells::Rule;
use super::specification::{Effect, Proc};

impl Writer<'_> {
    /// Takes the lock of a module.
    pub(super) fn take(&mut self, body: &mut Body, module: usize, from: usize) {
        let m = self.world.lock(module, from);
        let foreign = module != from && self.rng.percent(85);
        match self.rng.below(5) {
            _ if foreign => body.line(&format!("{};", self.lock_call("lock", module, from))),
            0 => body.line(&format!("atomic {{ assume {m} == 0; {m} := tid; }}")),
            1 => {
                let got = self.new_name("d");
                body.line(&format!("var {got}: bool := false;"));
                body.line(&format!("while (!{got}) {{ {got} := cas({m}, 0, tid); }}"));
            }
            2 | 3 => body.line(&format!("{};", self.lock_call("lock", module, from))),
            _ => body.line(&format!("acquire {m};")),
        }
    }

    /// Gives it back.
    pub(super) fn give(&mut self, body: &mut Body, module: usize, from: usize) {
        let m = self.world.lock(module, from);
        match self.rng.below(4) {
            0 => body.line(&format!("{m} := 0;")),
            1 => body.line(&format!("{};", self.lock_call("unlock", module, from))),
            _ => body.line(&format!("release {m};")),
        }
    }

    fn lock_call(&self, verb: &str, module: usize, from: usize) -> String {
        let name = format!("{verb}_{}", self.world.lock(module, module));
        format!("{}()", self.world.qualified(&name, module, from))
    }

    /// Adds perhaps some steps that callers do not see.
    pub(super) fn stutter(&mut self, body: &mut Body, proc: &Proc) {
        let cell = self.rng.below(self.world.cells.len());
        if self.slip("a stuttering step writes") {
            let place = self.world.place(cell, proc.module);
            return body.line(&format!("{place} := {place} + 1;"));
        }
        if self.rng.percent(55) {
            return;
        }
        match self.rng.below(5) {
            0 => body.line("skip;"),
            1 => body.line("if (*) { skip; }"),
            2 => {
                let (name, place) = (self.new_name("t"), self.world.place(cell, proc.module));
                body.line(&format!("var {name}: int := {place};"));
            }
            3 => body.line("while (*) { skip; }"),
            _ => self.scribble(body, proc),
        }
    }

    fn scribble(&mut self, body: &mut Body, proc: &Proc) {
        let own = proc.scribbles.iter().copied().filter(|&cell| self.knows(proc, cell));
        for cell in own.collect::<Vec<_>>() {
            let place = self.world.place(cell, proc.module);
            let value = match self.world.cells[cell].rule {
                Rule::Grows => format!("{place} + 1"),
                _ => self.rng.pick(&["0", "1", "3"]).to_string(),
            };
            body.line(&format!("{place} := {value};"));
        }
    }

    /// The last values of the scribbled variables.
    pub(super) fn last_scribbles(&mut self, body: &mut Body, proc: &Proc) {
        for &cell in &proc.scribbles {
            let claim = proc.claims.iter().find(|(other, _)| *other == cell);
            if let Some((_, effect @ Effect::Put(_))) = claim {
                let wrong = i64::from(self.slip("a wrong value"));
                let place = self.world.place(cell, proc.module);
                body.line(&format!("{place} := {};", effect.off_by(wrong).value(&place)));
            }
        }
    }
}
