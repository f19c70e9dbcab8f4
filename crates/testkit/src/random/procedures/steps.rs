//! The ways in which a body performs an action.

use super::Writer;
use super::bodies::Body;
use super::cells::Rule;
use super::specification::{Action, Effect, Proc, formula};

impl Writer<'_> {
    /// The lines that perform an action.
    pub(super) fn perform(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let mut action = action.clone();
        if !action.changes.is_empty() && self.slip("a wrong value") {
            let at = self.rng.below(action.changes.len());
            let (cell, effect) = action.changes[at];
            let error = if self.world.cells[cell].even { 2 } else { 1 };
            action.changes[at] = (cell, effect.off_by(*self.rng.pick(&[error, -error])));
        }
        if action.wait.is_some() && self.slip("does not wait") {
            action.wait = None;
        }
        if self.slip("an action is missing on one path") {
            body.open("if (*) {");
            self.step(body, proc, &action);
            return body.close("}");
        }
        if action.changes.len() > 1 && self.slip("one step as two") {
            let second = Action { changes: action.changes.split_off(1), ..Action::default() };
            self.step(body, proc, &action);
            return self.step(body, proc, &second);
        }
        self.step(body, proc, &action);
        if self.slip("an action is performed twice") {
            self.step(body, proc, &action);
        }
    }

    fn step(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let says = action.says.map(|value| {
            format!("r := {};", if self.slip("a wrong result") { 1 - value } else { value })
        });
        // Rely matches the result at the moment of the action; it seldom understands a later
        // assignment.
        let early = self.rng.percent(92);
        says.iter().filter(|_| early).for_each(|line| body.line(line));
        self.one_way(body, proc, action);
        says.iter().filter(|_| !early).for_each(|line| body.line(line));
    }

    fn one_way(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let single = action.changes.len() == 1;
        let plain = action.wait.is_none() && action.reads.is_none();
        let stable = action.changes.iter().all(|(cell, _)| self.stable(proc, *cell))
            && action.reads.is_none_or(|cell| self.stable(proc, cell));
        match self.rng.below(10) {
            0 if action.reads.is_none() && !action.changes.is_empty() => {
                body.line(&self.as_relation(proc, action));
            }
            1..=3 if single && action.wait.is_none() && stable => {
                self.read_then_write(body, proc, action);
            }
            4 | 5 if single && self.can_swap(action) => self.swap(body, proc, action),
            6 if plain && !body.in_helper => self.through_helper(body, proc, action),
            7 if plain => {
                let head = *self.rng.pick(&["if (*) {", "choose {"]);
                body.open(head);
                self.at_once(body, proc, action);
                body.close(if head == "choose {" { "} or {" } else { "} else {" });
                body.indent += 1;
                self.at_once(body, proc, action);
                body.close("}");
            }
            _ => self.at_once(body, proc, action),
        }
    }

    /// In one step.
    fn at_once(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let mut parts = Vec::new();
        if let Some((cell, least)) = action.wait {
            parts.push(format!("assume {} >= {least};", self.world.place(cell, proc.module)));
        }
        if let Some(cell) = action.reads {
            parts.push(format!("r := {};", self.world.place(cell, proc.module)));
        }
        for (cell, effect) in &action.changes {
            let place = self.world.place(*cell, proc.module);
            parts.push(format!("{place} := {};", effect.value(&place)));
        }
        if parts.is_empty() {
            parts.push("skip;".to_owned());
        }
        if parts.len() > 1 && self.slip("an atomic block is forgotten") {
            return parts.iter().for_each(|part| body.line(part));
        }
        if parts.len() == 1 && self.rng.percent(60) {
            return body.line(&parts[0]);
        }
        body.line(&format!("atomic {{ {} }}", parts.join(" ")));
    }

    fn as_relation(&self, proc: &Proc, action: &Action) -> String {
        let silent = Action { says: None, ..action.clone() };
        let all = formula(&self.world, &silent, proc.module).join(" && ");
        let roots: Vec<String> =
            action.changes.iter().map(|(cell, _)| self.world.root(*cell, proc.module)).collect();
        format!("atomic modifies {} action {all};", roots.join(", "))
    }

    /// Reads first and writes later; nobody else changes the variable in between.
    fn read_then_write(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let (cell, effect) = action.changes[0];
        let place = self.world.place(cell, proc.module);
        if let Some(read) = action.reads {
            body.line(&format!("r := {};", self.world.place(read, proc.module)));
        }
        let seen = self.new_name("t");
        body.line(&format!("var {seen}: int := {place};"));
        self.stutter(body, proc);
        match self.rng.below(3) {
            0 => {
                body.line(&format!("if ({seen} > 0) {{"));
                body.line(&format!("  {place} := {};", effect.value(&seen)));
                body.line(&format!("}} else {{ {place} := {}; }}", effect.value(&seen)));
            }
            1 => {
                body.line(&format!("{seen} := {};", effect.value(&seen)));
                body.line(&format!("{place} := {seen};"));
            }
            _ => body.line(&format!("{place} := {};", effect.value(&seen))),
        }
    }

    fn can_swap(&self, action: &Action) -> bool {
        let (cell, effect) = action.changes[0];
        matches!(effect, Effect::Add(_))
            && action.wait.is_none_or(|(waits, _)| waits == cell)
            && action.reads.is_none_or(|reads| reads == cell)
            && self.world.cells[cell].rule != Rule::Slot
    }

    /// A loop of compare-and-swap.
    fn swap(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let (cell, effect) = action.changes[0];
        let place = self.world.place(cell, proc.module);
        let (seen, done) = (self.new_name("t"), self.new_name("d"));
        body.line(&format!("var {seen}: int;"));
        body.line(&format!("var {done}: bool := false;"));
        let lock = self.lock_invariant(proc);
        body.open(&format!("while (!{done}){lock} {{"));
        body.line(&format!("{seen} := {place};"));
        let swap = format!("{done} := cas({place}, {seen}, {});", effect.value(&seen));
        let swap = if self.slip("a swap that always succeeds") {
            format!("{place} := {}; {done} := true;", effect.value(&seen))
        } else {
            swap
        };
        match action.wait {
            Some((_, least)) => body.line(&format!("if ({seen} >= {least}) {{ {swap} }}")),
            None => body.line(&swap),
        }
        if action.reads.is_some() && self.rng.percent(50) {
            body.line(&format!("r := {seen};"));
            return body.close("}");
        }
        body.close("}");
        if action.reads.is_some() {
            let wrong = if self.slip("a wrong result") { " + 1" } else { "" };
            body.line(&format!("r := {seen}{wrong};"));
        }
    }

    /// Calls a procedure without specification that does it.
    fn through_helper(&mut self, body: &mut Body, proc: &Proc, action: &Action) {
        let name = self.new_name("h");
        let mut inner = Body { in_helper: true, ..Body::default() };
        let module = if self.rng.percent(5) { 0 } else { proc.module };
        let silent = Action { says: None, ..action.clone() };
        let place = Proc { module, ..proc.clone() };
        self.one_way(&mut inner, &place, &silent);
        let (params, args) = if proc.param { ("n: int", "n") } else { ("", "") };
        let text = format!("proc {name}({params}) {{\n{}}}\n", inner.text);
        self.texts.push((module, text));
        body.line(&format!("{}({args});", self.world.qualified(&name, module, proc.module)));
    }
}
