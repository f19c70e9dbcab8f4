//! Statements about objects.

use super::body::{Body, Known};
use super::{FIELDS, FULL, Fact, HALF, READ, VOLATILE, permission};

impl Body<'_> {
    pub(super) fn write(&mut self, at: usize) {
        let field = self.rng.below(3);
        let slip = self.slip();
        if self.vars[at].has[field] < FULL && !slip {
            return;
        }
        let place = self.vars[at].prefix() + FIELDS[field];
        let value = self.small();
        let known = &mut self.vars[at].known[field];
        let volatile = field == VOLATILE;
        if volatile || self.rng.percent(60) {
            let more = if volatile && self.class.facts.iter().any(|fact| stops(*fact)) {
                0
            } else {
                value
            };
            *known = known.plus(more);
            self.line(format!("{place} := {place} + {more};"));
        } else if let (Some(name), true) = (self.ints.last().cloned(), self.rng.percent(20)) {
            self.vars[at].known[field] = Known::Nothing;
            self.line(format!("{place} := {name};"));
        } else {
            self.vars[at].known[field] = Known::Is(value);
            self.line(format!("{place} := {value};"));
        }
    }

    pub(super) fn assertion(&mut self, at: usize) {
        let field = self.rng.below(3);
        let var = self.vars[at].clone();
        if var.has[field] == 0 && !self.slip() {
            return;
        }
        let place = var.prefix() + FIELDS[field];
        let wrong = i64::from(self.rng.percent(3));
        let text = match (var.known[field], self.rng.below(6)) {
            (_, 0) => {
                let more = self.rng.percent(4);
                let fits = [READ, HALF, FULL]
                    .into_iter()
                    .filter(|a| more || *a <= var.has[field].max(READ));
                let fits: Vec<u32> = fits.collect();
                permission(&place, *self.rng.pick(&fits)).unwrap_or_default()
            }
            (Known::Is(value), 1) if self.class.function && var.has[0] > 0 && field == 0 => {
                format!("{}Twice() == {}", var.prefix(), 2 * value + wrong)
            }
            (Known::Is(value), _) => format!("{place} == {}", value + wrong),
            (Known::Entry(more), _) => format!("{place} == old({place}) + {}", more + wrong),
            (Known::Acquired(_), _) if var.held => {
                let facts = self.class.facts.iter().filter(|fact| !fact.is_about_two_states());
                let facts: Vec<Fact> = facts.copied().filter(|f| f.holds(&var.known)).collect();
                match facts.len() {
                    0 => return,
                    count => facts[self.rng.below(count)].text(&var.prefix()),
                }
            }
            _ if self.rng.percent(4) => format!("{} <= {place}", self.rng.below(3)),
            _ => return,
        };
        self.line(format!("assert {text};"));
    }

    /// Two reads of the volatile field.
    pub(super) fn volatile(&mut self, at: usize) {
        let place = self.vars[at].prefix() + FIELDS[VOLATILE];
        let (first, second) = (self.fresh("i"), self.fresh("i"));
        self.line(format!("var {first}: int := {place};"));
        self.line(format!("var {second}: int := {place};"));
        self.ints.push(first.clone());
        let of_field = |fact: &&Fact| match fact {
            Fact::AtLeast(field, _)
            | Fact::AtMost(field, _)
            | Fact::Grows(field)
            | Fact::Stays(field, _) => *field == VOLATILE,
            Fact::Equal => false,
        };
        let facts: Vec<Fact> = self.class.facts.iter().filter(of_field).copied().collect();
        let text = match facts.first() {
            _ if self.rng.percent(3) => format!("{first} == {second}"),
            Some(Fact::AtLeast(_, bound)) => format!("{bound} <= {second}"),
            Some(Fact::AtMost(_, bound)) => format!("{first} <= {bound}"),
            Some(Fact::Stays(_, value)) => format!("({first} == {value} ==> {second} == {value})"),
            Some(Fact::Grows(_)) => match self.rng.below(2) {
                0 => format!("{first} <= {second}"),
                _ => format!("{first} <= {place}"),
            },
            _ => return,
        };
        self.line(format!("assert {text};"));
    }

    pub(super) fn local(&mut self, at: usize) {
        let field = self.rng.below(2);
        if self.vars[at].has[field] == 0 && !self.slip() {
            return;
        }
        let (name, place) = (self.fresh("i"), self.vars[at].prefix() + FIELDS[field]);
        self.line(format!("var {name}: int := {place};"));
        self.ints.push(name);
    }

    pub(super) fn may_wait(&self, at: usize) -> bool {
        let var = &self.vars[at];
        let below = |held: usize| self.order.contains(&(held, at));
        var.level
            && var.mu > 0
            && (0..self.vars.len()).all(|other| !self.vars[other].held || below(other))
    }

    pub(super) fn locked(&mut self, at: usize, depth: usize) {
        if !(self.may_wait(at) && !self.vars[at].held || self.slip()) {
            return;
        }
        let name = self.vars[at].name.clone();
        let reading = self.rng.percent(12);
        let word = if reading { "rd " } else { "" };
        self.line(format!("{word}acquire {name};"));
        self.vars[at].held = true;
        let kept = if reading { self.class.kept.map(|k| k.min(READ)) } else { self.class.kept };
        for (field, amount) in kept.into_iter().enumerate() {
            if self.vars[at].has[field] == 0 && amount > 0 {
                self.vars[at].known[field] = Known::Acquired(0);
            }
            self.vars[at].has[field] += amount;
        }
        for _ in 0..=self.rng.below(3) {
            self.simple(depth);
        }
        if self.rng.percent(40) && !reading {
            self.call(at);
        }
        if self.rng.percent(20) && !reading {
            self.cycle(at);
        }
        if self.vars[at].mu >= FULL && self.rng.percent(10) && !reading {
            let text = *self.rng.pick(&["unshare", "reorder"]);
            self.line(format!("{text} {name};"));
            if text == "unshare" {
                self.vars[at].held = false;
                (self.vars[at].level, self.vars[at].unshared) = (false, true);
                return;
            }
        }
        if self.rng.percent(90) {
            self.repair(at);
        }
        self.line(format!("{word}release {name};"));
        self.vars[at].held = false;
        for (field, amount) in kept.into_iter().enumerate() {
            let left = self.vars[at].has[field].saturating_sub(amount);
            self.vars[at].has[field] = left;
            if left == 0 {
                self.vars[at].known[field] = Known::Nothing;
            } else if let Known::Acquired(_) = self.vars[at].known[field] {
                self.vars[at].known[field] = Known::Nothing;
            }
        }
    }

    /// Leaves a monitor and enters it again in another way.
    pub(super) fn cycle(&mut self, at: usize) {
        if self.vars[at].mu < FULL {
            return;
        }
        let name = self.vars[at].name.clone();
        let unshares = self.rng.percent(60);
        self.line(if unshares { format!("unshare {name};") } else { format!("reorder {name};") });
        if unshares {
            self.vars[at].held = false;
            (self.vars[at].level, self.vars[at].unshared) = (false, true);
            if self.rng.percent(50) {
                self.write(at);
            }
            self.share(at);
        } else {
            self.repair(at);
            self.line(format!("release {name};"));
        }
        (self.vars[at].level, self.vars[at].held) = (true, false);
        if self.rng.percent(60) {
            self.fork(at);
        }
        self.line(format!("acquire {name};"));
        self.vars[at].held = true;
        for (field, amount) in self.class.kept.into_iter().enumerate() {
            self.vars[at].has[field] = self.vars[at].has[field].max(amount);
            if amount > 0 {
                self.vars[at].known[field] = Known::Acquired(0);
            }
        }
    }

    /// Writes values with which the monitor invariant holds.
    pub(super) fn repair(&mut self, at: usize) {
        for fact in self.class.facts.clone() {
            let var = &self.vars[at];
            if fact.holds(&var.known) {
                continue;
            }
            let (field, value) = match fact {
                Fact::AtLeast(field, bound) | Fact::AtMost(field, bound) => (field, bound),
                Fact::Equal => {
                    if var.has[1] >= FULL && var.has[0] > 0 {
                        let prefix = var.prefix();
                        self.line(format!("{prefix}g := {prefix}f;"));
                        self.vars[at].known[1] = self.vars[at].known[0];
                    }
                    continue;
                }
                Fact::Grows(_) | Fact::Stays(..) => continue,
            };
            if field != VOLATILE && var.has[field] >= FULL {
                let place = var.prefix() + FIELDS[field];
                self.line(format!("{place} := {value};"));
                self.vars[at].known[field] = Known::Is(value);
            }
        }
    }

    pub(super) fn share(&mut self, at: usize) {
        let var = self.vars[at].clone();
        let has_enough = var.has.iter().zip(self.class.kept).all(|(has, kept)| *has >= kept);
        if !(var.unshared && var.mu >= FULL && has_enough || self.slip()) {
            return;
        }
        self.repair(at);
        let others: Vec<usize> =
            (0..self.vars.len()).filter(|&o| o != at && self.vars[o].level).collect();
        let text = match others.first() {
            Some(&other) if self.rng.percent(60) => {
                let name = self.vars[other].name.clone();
                if self.rng.percent(60) {
                    self.order.push((other, at));
                    format!("share {} above {name};", var.name)
                } else {
                    self.order.push((at, other));
                    format!("share {} below {name};", var.name)
                }
            }
            _ => format!("share {};", var.name),
        };
        self.line(text);
        let var = &mut self.vars[at];
        (var.level, var.unshared) = (true, false);
        for (field, kept) in self.class.kept.into_iter().enumerate() {
            var.has[field] = var.has[field].saturating_sub(kept);
            if var.has[field] == 0 {
                var.known[field] = Known::Nothing;
            }
        }
    }

    pub(super) fn fold(&mut self, at: usize) {
        let Some(fact) = self.class.predicate else { return };
        let var = &mut self.vars[at];
        let name = format!("{}P", var.prefix());
        if var.predicate {
            var.predicate = false;
            var.has[0] += FULL;
            var.known[0] = Known::Nothing;
            self.line(format!("unfold {name};"));
        } else if var.has[0] >= FULL && (fact.holds(&var.known) || self.rng.percent(10)) {
            let var = &mut self.vars[at];
            var.predicate = true;
            var.has[0] -= FULL;
            var.known[0] = Known::Nothing;
            self.line(format!("fold {name};"));
        }
    }

    /// Writes a field by another way.
    pub(super) fn alias(&mut self, at: usize) {
        let var = &self.vars[at];
        if !var.own {
            return;
        }
        let name = var.name.clone();
        if let Some(next) = var.next {
            if self.vars[next].has[0] >= FULL {
                let value = self.small();
                self.line(format!("{name}.next.f := {value};"));
                self.vars[next].known[0] = Known::Is(value);
            }
            return;
        }
        let next = self.rng.below(self.vars.len());
        let other = self.vars[next].name.clone();
        self.line(format!("{name}.next := {other};"));
        self.vars[at].next = Some(next);
    }
}

/// Whether a value of the volatile field cannot grow without bound.
fn stops(fact: Fact) -> bool {
    match fact {
        Fact::AtMost(field, _) | Fact::Stays(field, _) => field == VOLATILE,
        _ => false,
    }
}
