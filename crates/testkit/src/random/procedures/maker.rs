//! Decides on the actions of a procedure, before its text is written.

use super::Writer;
use super::cells::Rule;
use super::specification::{Action, Amount, Effect, Item, Proc};

/// A part of a body.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Item(Item),
    /// A call of an earlier procedure with this argument, and the specification it stands for.
    Call(usize, Amount, Vec<Item>),
    /// `if (n > 0) { .. itself(n - 1); }`
    Recursion(Action),
    /// The result is computed from the parameter.
    Pure(Amount),
}

/// Makes one procedure.
pub(super) struct Maker<'m, 'r> {
    writer: &'m mut Writer<'r>,
    proc: Proc,
}

impl<'m, 'r> Maker<'m, 'r> {
    pub(super) fn new(writer: &'m mut Writer<'r>) -> Self {
        let module = writer.rng.below(writer.world.modules.len());
        let proc = Proc {
            name: writer.new_name("p"),
            module,
            held: None,
            wraps: None,
            owner: false,
            param: writer.rng.percent(35),
            result: false,
            scribbles: Vec::new(),
            items: Vec::new(),
            claims: Vec::new(),
            computes: None,
        };
        Self { writer, proc }
    }

    pub(super) fn make(mut self) -> (Proc, Vec<Part>) {
        let kind = self.writer.rng.below(100);
        let plan = match kind {
            0..6 => self.pure(),
            6..18 => self.recursive(),
            18..45 if !self.writer.procs.is_empty() => self.layered(),
            _ => self.plain(),
        };
        (self.proc, plan)
    }

    fn pure(&mut self) -> Vec<Part> {
        self.proc.param = true;
        self.proc.result = true;
        let amount =
            Amount { base: *self.writer.rng.pick(&[0, 1]), per: *self.writer.rng.pick(&[1, 2]) };
        self.proc.computes = Some(amount);
        vec![Part::Pure(amount)]
    }

    fn recursive(&mut self) -> Vec<Part> {
        self.proc.param = true;
        let cell = self.main_cell();
        if self.proc.wraps.is_some() {
            self.proc.held = self.proc.wraps.take();
        }
        let step = if self.writer.world.cells[cell].even { 2 } else { 1 };
        let action = self.changing(cell, Effect::Add(Amount::of(step)));
        self.proc.items.push(Item::Repeat(vec![Item::Act(action.clone())]));
        for &(cell, _) in &action.changes {
            if self.writer.knows(&self.proc, cell) {
                self.proc.claims.push((cell, Effect::Add(Amount { base: 0, per: step })));
            }
        }
        vec![Part::Recursion(action)]
    }

    fn layered(&mut self) -> Vec<Part> {
        let id = self.writer.rng.below(self.writer.procs.len());
        let callee = self.writer.procs[id].clone();
        self.proc.held = callee.held;
        self.proc.wraps = callee.wraps;
        self.proc.owner = callee.owner;
        self.proc.result = callee.result;
        let argument = match self.writer.rng.below(3) {
            0 if self.proc.param => Amount { base: 0, per: 1 },
            _ => Amount::of(*self.writer.rng.pick(&[0, 1, 2])),
        };
        self.proc.computes = callee.computes.map(|amount| amount.at(argument));
        let claims = callee.claims.iter().filter(|(cell, _)| callee.scribbles.contains(cell));
        self.proc.claims = claims.map(|(cell, effect)| (*cell, effect.at(argument))).collect();
        self.proc.scribbles = callee.scribbles;
        let items: Vec<Item> = callee.items.iter().map(|item| item.at(argument)).collect();
        let mut plan = Vec::new();
        if self.writer.rng.percent(30) {
            plan.extend(self.another());
        }
        plan.push(Part::Call(id, argument, items));
        if self.writer.rng.percent(30) {
            plan.extend(self.another());
        }
        for part in &plan {
            match part {
                Part::Item(item) => self.proc.items.push(item.clone()),
                Part::Call(_, _, items) => self.proc.items.extend(items.iter().cloned()),
                Part::Recursion(_) | Part::Pure(_) => {}
            }
        }
        plan
    }

    /// An action beside a call: not on variables that the callee locks.
    fn another(&mut self) -> Option<Part> {
        let cell = self.any_allowed()?;
        let clash = self.proc.wraps.is_some() && self.writer.world.cells[cell].rule == Rule::Locked;
        let scribbled = self.proc.scribbles.contains(&cell);
        let effect = self.effect(cell);
        (!clash && !scribbled).then(|| Part::Item(Item::Act(self.changing(cell, effect))))
    }

    fn plain(&mut self) -> Vec<Part> {
        let cell = self.main_cell();
        self.proc.result = self.writer.rng.percent(45);
        let mut items = Vec::new();
        for _ in 0..=self.writer.rng.below(2) {
            let item = self.item();
            items.push(item);
        }
        if self.proc.result {
            let at = self.writer.rng.below(items.len() + 1);
            let item = self.answer(cell);
            items.insert(at, item);
        }
        if self.writer.rng.percent(30) {
            self.scribble(&items);
        }
        self.proc.items.clone_from(&items);
        items.into_iter().map(Part::Item).collect()
    }

    /// The variable the procedure is about; decides about locks and owners.
    fn main_cell(&mut self) -> usize {
        let cells = &self.writer.world.cells;
        let own: Vec<usize> =
            (0..cells.len()).filter(|&cell| cells[cell].module == self.proc.module).collect();
        let cell = if own.is_empty() || self.writer.rng.percent(15) {
            self.writer.rng.below(cells.len())
        } else {
            *self.writer.rng.pick(&own)
        };
        let module = cells[cell].module;
        match cells[cell].rule {
            Rule::Owned => self.proc.owner = true,
            Rule::Locked if self.writer.rng.percent(40) => self.proc.held = Some(module),
            Rule::Locked => self.proc.wraps = Some(module),
            _ => {}
        }
        cell
    }

    fn any_allowed(&mut self) -> Option<usize> {
        let world = &self.writer.world;
        let allowed: Vec<usize> =
            (0..world.cells.len()).filter(|&cell| self.writer.allows(&self.proc, cell)).collect();
        (!allowed.is_empty()).then(|| *self.writer.rng.pick(&allowed))
    }

    fn item(&mut self) -> Item {
        match self.writer.rng.below(10) {
            0 | 1 => {
                let (one, two) = (self.act(), self.act());
                let mut other = vec![two];
                if self.writer.rng.percent(25) {
                    other.push(self.act());
                }
                Item::Choose(vec![one], other)
            }
            2 => Item::Optional(vec![self.act()]),
            3 => Item::Repeat(vec![self.act()]),
            _ => self.act(),
        }
    }

    fn act(&mut self) -> Item {
        let Some(cell) = self.any_allowed() else { return Item::Act(Action::default()) };
        let effect = self.effect(cell);
        Item::Act(self.changing(cell, effect))
    }

    fn effect(&mut self, cell: usize) -> Effect {
        let cell = &self.writer.world.cells[cell];
        let factor = if cell.even { 2 } else { 1 };
        let rng = &mut *self.writer.rng;
        // Different enough that one sum is not mistaken for another.
        let base = *rng.pick(&[1, 3, 10, -1]);
        let amount = if self.proc.param && rng.percent(50) {
            Amount { base: 0, per: factor }
        } else {
            Amount::of(base * factor)
        };
        match (cell.rule, amount.base < 0) {
            (Rule::Grows, true) => Effect::Add(Amount::of(-amount.base)),
            (Rule::Grows, false) => Effect::Add(amount),
            (_, false) if rng.percent(20) => Effect::Put(amount),
            _ => Effect::Add(amount),
        }
    }

    /// Changes a variable and its twin.
    fn changing(&self, cell: usize, effect: Effect) -> Action {
        let about = &self.writer.world.cells[cell];
        let negative = matches!(effect, Effect::Add(amount) if amount.base < 0);
        Action {
            changes: [cell].into_iter().chain(about.twin).map(|cell| (cell, effect)).collect(),
            wait: negative.then_some((cell, if about.even { 2 } else { 1 })),
            ..Action::default()
        }
    }

    /// The part of the specification that mentions the result.
    fn answer(&mut self, main: usize) -> Item {
        let cell = self.any_allowed().unwrap_or(main);
        let mut action = Action::default();
        if self.writer.rng.percent(60) {
            if self.writer.rng.percent(60) {
                let effect = self.effect(cell);
                action = self.changing(cell, effect);
            }
            return Item::Act(Action { reads: Some(cell), ..action });
        }
        let effect = self.effect(cell);
        action = self.changing(cell, effect);
        let done = Action { says: Some(1), ..action };
        let not = Action { says: Some(0), ..Action::default() };
        Item::Choose(vec![Item::Act(done)], vec![Item::Act(not)])
    }

    /// A variable that stuttering steps may write.
    fn scribble(&mut self, items: &[Item]) {
        let Some(cell) = self.any_allowed() else { return };
        let about = &self.writer.world.cells[cell];
        let used = format!("{items:?}");
        let clean = !about.even && !about.floor && about.twin.is_none();
        let used =
            used.contains(&format!("({cell}, ")) || used.contains(&format!("reads: Some({cell})"));
        if !clean || used || !self.writer.knows(&self.proc, cell) {
            return;
        }
        let effect = match about.rule {
            Rule::Grows => Effect::More,
            _ if self.writer.rng.percent(70) => Effect::Put(Amount::of(2)),
            _ => Effect::Unknown,
        };
        self.proc.scribbles.push(cell);
        self.proc.claims.push((cell, effect));
    }
}
