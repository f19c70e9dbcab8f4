//! Calls, threads and control.

use super::body::{Body, Known, Part};
use super::{FULL, Fact, HALF, READ, VOLATILE, indented, permission, share};

impl Body<'_> {
    /// Whether the object has the permissions that the method takes of it.
    pub(super) fn fits(&self, at: usize, part: &Part, forked: bool) -> bool {
        let var = &self.vars[at];
        let level = if forked { var.level } else { self.may_wait(at) };
        var.has.iter().zip(part.has).all(|(has, needed)| *has >= needed)
            && var.mu >= part.mu
            && (level || !part.level)
            && (var.predicate || !part.predicate)
            && (var.held && !forked || !part.holds)
    }

    pub(super) fn pick_call(&mut self, at: usize, forked: bool) -> Option<(usize, Option<usize>)> {
        let index = match self.methods.len() {
            0 => return None,
            count => self.rng.below(count),
        };
        let method = &self.methods[index];
        let slip = self.slip();
        if !(self.fits(at, &method.this, forked) || slip) {
            return None;
        }
        let Some(part) = &method.other else { return Some((index, None)) };
        let fitting = (0..self.vars.len()).filter(|&other| {
            let ordered = !method.order || self.order.contains(&(at, other));
            other != at && ordered && self.fits(other, part, forked)
                || self.vars[other].has == [FULL; 3] && slip
        });
        let fitting: Vec<usize> = fitting.collect();
        let other = *fitting.first()?;
        Some((index, Some(other)))
    }

    pub(super) fn take(&mut self, at: usize, part: &Part) {
        let var = &mut self.vars[at];
        for field in 0..3 {
            var.has[field] = var.has[field].saturating_sub(part.has[field]);
        }
        var.mu = var.mu.saturating_sub(part.mu);
        var.predicate &= !part.predicate;
    }

    pub(super) fn give_back(&mut self, at: usize, part: &Part) {
        let var = &mut self.vars[at];
        for field in 0..3 {
            if var.has[field] == 0 {
                var.known[field] = match part.known[field] {
                    Known::Entry(more) => var.known[field].plus(more),
                    Known::Is(value) => Known::Is(value),
                    _ => Known::Nothing,
                };
            }
            var.has[field] += part.after[field];
            if var.has[field] == 0 {
                var.known[field] = Known::Nothing;
            }
        }
        var.mu += part.after_mu;
        var.predicate |= part.after_predicate;
    }

    pub(super) fn call(&mut self, at: usize) {
        let Some((index, other)) = self.pick_call(at, false) else { return };
        let method = self.methods[index].clone();
        let result = if method.result {
            let name = self.fresh("i");
            self.line(format!("var {name}: int;"));
            format!("{name} := ")
        } else {
            String::new()
        };
        let prefix = self.vars[at].prefix();
        let arg = other.map_or(String::new(), |other| self.vars[other].name.clone());
        self.line(format!("call {result}{prefix}{}({arg});", method.name));
        self.take(at, &method.this);
        if let (Some(other), Some(part)) = (other, &method.other) {
            self.take(other, part);
            self.give_back(other, part);
        }
        self.give_back(at, &method.this);
        let grows = self.class.facts.contains(&Fact::Grows(VOLATILE));
        if !result.is_empty() && (grows && self.rng.percent(50) || self.slip()) {
            let name = result.trim_end_matches(" := ").to_owned();
            self.line(format!("assert {name} <= {prefix}v;"));
        }
    }

    pub(super) fn fork(&mut self, at: usize) {
        let Some((index, other)) = self.pick_call(at, true) else { return };
        let method = self.methods[index].clone();
        let token = self.fresh("t");
        let prefix = self.vars[at].prefix();
        let arg = other.map_or(String::new(), |other| self.vars[other].name.clone());
        self.line(format!("fork {token} := {prefix}{}({arg});", method.name));
        self.take(at, &method.this);
        if let (Some(other), Some(part)) = (other, &method.other) {
            self.take(other, part);
        }
        self.tokens.push((token, index, at, other));
    }

    pub(super) fn join(&mut self) {
        if self.tokens.is_empty() || self.vars.iter().any(|var| var.held) {
            return;
        }
        let chosen = self.rng.below(self.tokens.len());
        let (token, index, at, other) = self.tokens.remove(chosen);
        let method = self.methods[index].clone();
        if method.result {
            let name = self.fresh("i");
            self.line(format!("var {name}: int;"));
            self.line(format!("join {name} := {token};"));
        } else {
            self.line(format!("join {token};"));
        }
        self.give_back(at, &method.this);
        if let (Some(other), Some(part)) = (other, &method.other) {
            self.give_back(other, part);
        }
    }

    /// A statement after which the same permissions are there.
    pub(super) fn simple(&mut self, depth: usize) {
        let at = self.rng.below(self.vars.len());
        match self.rng.below(9) {
            8 if depth > 0 => self.repeat(depth - 1),
            0..3 => self.write(at),
            3..5 => self.assertion(at),
            5 => self.volatile(at),
            6 if depth > 0 => self.locked(at, depth - 1),
            _ => self.local(at),
        }
    }

    pub(super) fn within(&mut self, write: impl FnOnce(&mut Self)) -> Vec<String> {
        let outside = std::mem::take(&mut self.lines);
        let ints = self.ints.len();
        write(self);
        self.ints.truncate(ints);
        indented(std::mem::replace(&mut self.lines, outside))
    }

    pub(super) fn branch(&mut self, depth: usize) {
        let condition = match self.ints.last() {
            Some(name) if self.rng.percent(60) => format!("{name} <= {}", self.rng.below(4)),
            _ => {
                let at = self.rng.below(self.vars.len());
                format!("{}v < {}", self.vars[at].prefix(), self.rng.below(4))
            }
        };
        let before = self.vars.clone();
        let then = self.within(|body| body.simple(depth));
        let after = std::mem::replace(&mut self.vars, before);
        let otherwise = self.within(|body| body.simple(depth));
        for (var, other) in self.vars.iter_mut().zip(after) {
            for field in 0..3 {
                if var.known[field] != other.known[field] {
                    var.known[field] = Known::Nothing;
                }
            }
            // An object that was unshared on one path only is of no use any more.
            if var.level != other.level || var.has != other.has {
                var.has = [0; 3];
                (var.mu, var.level, var.unshared) = (0, false, false);
            }
        }
        self.line(format!("if ({condition}) {{"));
        self.lines.extend(then);
        self.line("} else {");
        self.lines.extend(otherwise);
        self.line("}");
    }

    pub(super) fn repeat(&mut self, depth: usize) {
        let counter = self.fresh("n");
        let before = self.vars.clone();
        let mut invariants = Vec::new();
        let levels: Vec<bool> = (0..before.len()).map(|at| self.may_wait(at)).collect();
        for (var, level) in self.vars.iter_mut().zip(levels) {
            for field in 0..3 {
                let most = *self.rng.pick(&[0, READ, HALF, FULL]);
                let given =
                    [0, READ, HALF, FULL].into_iter().filter(|a| *a <= var.has[field].min(most));
                let given = given.max().unwrap_or(0);
                invariants.extend(share(&var.prefix(), field, given));
                if given == var.has[field] {
                    var.known[field] = Known::Nothing;
                }
                var.has[field] = given;
            }
            if var.held && self.rng.percent(30) {
                invariants.push(format!("holds({})", var.name));
            }
            let mu = if self.rng.percent(60) { var.mu.min(READ) } else { 0 };
            invariants.extend(permission(&format!("{}mu", var.prefix()), mu));
            var.level = level && mu > 0;
            if var.level {
                invariants.push(format!("waitlevel << {}mu", var.prefix()));
            }
            (var.mu, var.unshared) = (mu, false);
        }
        let inside = self.within(|body| {
            body.simple(depth);
            body.simple(0);
        });
        let after = std::mem::replace(&mut self.vars, before);
        for (var, other) in self.vars.iter_mut().zip(after) {
            for field in 0..3 {
                if other.has[field] == var.has[field] || var.known[field] != other.known[field] {
                    var.known[field] = Known::Nothing;
                }
            }
        }
        self.line(format!("var {counter}: int := 0;"));
        let rounds = 1 + self.rng.below(3);
        self.line(format!("while ({counter} < {rounds})"));
        if !invariants.is_empty() {
            self.line(format!("  invariant {}", invariants.join(" && ")));
        }
        self.line("{");
        self.lines.extend(inside);
        self.line(format!("  {counter} := {counter} + 1;"));
        self.line("}");
    }
}
