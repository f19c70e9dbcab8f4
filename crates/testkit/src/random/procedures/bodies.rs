//! The text of a procedure: its specification, and a body that keeps it unless a slip is made.

use super::Writer;
use super::cells::Rule;
use super::maker::Part;
use super::specification::{Action, Amount, Effect, Item, Proc, formula, outcomes};
use std::fmt::Write as _;

/// Lines of a body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) text: String,
    pub(super) indent: usize,
    pub(super) in_helper: bool,
}

impl Default for Body {
    fn default() -> Self {
        Self { text: String::new(), indent: 1, in_helper: false }
    }
}

impl Body {
    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", self.indent * 2);
    }

    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    pub(super) fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }
}

impl Writer<'_> {
    /// Whether the procedure may change the variable.
    pub(super) fn allows(&self, proc: &Proc, cell: usize) -> bool {
        let cell = &self.world.cells[cell];
        match cell.rule {
            Rule::Locked => proc.held == Some(cell.module) || proc.wraps == Some(cell.module),
            Rule::Owned => proc.owner,
            Rule::Slot | Rule::Grows | Rule::Free => true,
        }
    }

    /// Whether the procedure knows from start to end what others do not do to the variable.
    pub(super) fn knows(&self, proc: &Proc, cell: usize) -> bool {
        let about = &self.world.cells[cell];
        let told = about.module == proc.module && !about.outside;
        let mine = about.rule != Rule::Locked || proc.held == Some(about.module);
        told && mine && about.rule != Rule::Free && self.allows(proc, cell)
    }

    /// Whether nobody else changes it while the body works on it.
    pub(super) fn stable(&self, proc: &Proc, cell: usize) -> bool {
        let about = &self.world.cells[cell];
        let locked = about.rule == Rule::Locked && about.module == proc.module && !about.outside;
        about.rule != Rule::Grows && (self.knows(proc, cell) || locked && self.allows(proc, cell))
    }

    /// A formula about the end of a call.
    pub(super) fn claim(&self, cell: usize, effect: Effect, from: usize) -> Option<String> {
        let (root, place) = (self.world.root(cell, from), self.world.place(cell, from));
        let after = place.replacen(&root, &format!("{root}'"), 1);
        let grows = self.world.cells[cell].rule == Rule::Grows;
        match effect {
            Effect::Unknown => None,
            Effect::More => Some(format!("{after} >= {place}")),
            _ if grows => Some(format!("{after} >= {}", effect.value(&place))),
            _ => Some(format!("{after} == {}", effect.value(&place))),
        }
    }

    pub(super) fn lock_invariant(&self, proc: &Proc) -> String {
        let module = proc.held.or(proc.wraps);
        let lock = module.map(|module| self.world.lock(module, proc.module));
        lock.map_or(String::new(), |lock| format!(" invariant {lock} == tid"))
    }

    /// `lock` and `unlock` for some of the modules.
    pub(super) fn lock_procedures(&mut self) {
        for module in 0..self.world.modules.len() {
            if !self.world.has_lock(module) {
                continue;
            }
            let m = self.world.lock(module, module);
            let way = *self.rng.pick(&[
                "acquire M;",
                "var t: Tid := tid; while (t == tid) { cas(M, 0, t); }",
                "var got: bool := false; while (!got) { got := cas(M, 0, tid); }",
                "atomic { assume M == 0; M := tid; }",
                "while (M != tid) { cas(M, 0, tid); }",
            ]);
            let way = if self.slip("a lock without waiting") { "M := tid;" } else { way };
            let way = way.replace('M', &m);
            self.texts.push((
                module,
                format!(
                    "proc lock_{m}()\n  requires {m} != tid\n  action modifies {m} ensures {m} == 0 && {m}' == tid\n{{ {way} }}\n\
                     proc unlock_{m}()\n  requires {m} == tid\n  action modifies {m} ensures {m}' == 0\n\
                     {{ {m} := 0; }}\n"
                ),
            ));
        }
    }

    pub(super) fn write_procedure(&mut self, proc: Proc, plan: &[Part]) {
        let mut text = format!("proc {}(", proc.name);
        text.push_str(if proc.param { "n: int)" } else { ")" });
        text.push_str(if proc.result { " returns (r: int)\n" } else { "\n" });
        text.push_str(&self.specification(&proc));
        let mut body = Body::default();
        self.body(&mut body, &proc, plan);
        let _ = writeln!(text, "{{\n{}}}", body.text);
        self.texts.push((proc.module, text));
        self.procs.push(proc);
    }

    fn specification(&mut self, proc: &Proc) -> String {
        let mut text = String::new();
        let mut modifies: Vec<String> =
            proc.scribbles.iter().map(|cell| self.world.root(*cell, proc.module)).collect();
        let lock = |module: Option<usize>| module.map(|at| self.world.lock(at, proc.module));
        let (held, wraps) = (lock(proc.held), lock(proc.wraps));
        let mut ensures = Vec::new();
        let mut requires = Vec::new();
        if let Some(m) = held {
            requires.push(format!("{m} == tid"));
        }
        if let Some(m) = wraps {
            requires.push(format!("{m} != tid"));
            ensures.push(format!("{m}' != tid"));
            modifies.push(m);
        }
        if proc.owner {
            requires.push("tid == T1".to_owned());
        }
        if proc.param {
            requires.push("0 <= n && n <= 2".to_owned());
        }
        if !requires.is_empty() && self.slip("a requires is missing") {
            requires.remove(self.rng.below(requires.len()));
        }
        for cell in 0..self.world.cells.len() {
            let root = self.world.root(cell, proc.module);
            if !modifies.contains(&root)
                && self.slips > 0
                && self.rng.percent(30)
                && self.slip("stuttering steps may change too much")
            {
                modifies.push(root);
            }
        }
        for one in &requires {
            let _ = writeln!(text, "  requires {one};");
        }
        if !modifies.is_empty() {
            let _ = writeln!(text, "  modifies {};", modifies.join(", "));
        }
        self.items_text(&proc.items, proc, &mut text);
        ensures.extend(self.ends(proc));
        for one in &ensures {
            let _ = writeln!(text, "  ensures {one}");
        }
        text
    }

    /// The formulas about the end.
    fn ends(&mut self, proc: &Proc) -> Vec<String> {
        let mut claims = proc.claims.clone();
        if let [only] = &outcomes(&proc.items)[..] {
            for (&cell, &effect) in &only.totals {
                if self.knows(proc, cell)
                    && claims.iter().all(|(other, _)| *other != cell)
                    && self.rng.percent(30)
                {
                    claims.push((cell, effect));
                }
            }
        }
        let mut all = Vec::new();
        for (cell, effect) in claims {
            let error = i64::from(self.slip("too much is claimed of the end"));
            all.extend(self.claim(cell, effect.off_by(error), proc.module));
        }
        let computed = proc.computes.map(|amount| format!("r == {}", amount.added_to("")));
        all.into_iter().chain(computed).collect()
    }

    fn items_text(&mut self, items: &[Item], proc: &Proc, text: &mut String) {
        for item in items {
            match item {
                Item::Act(action) => {
                    let line = self.action_text(action, proc);
                    text.push_str(&line);
                    if self.slip("an action too many is promised") {
                        text.push_str(&line);
                    }
                }
                Item::Choose(one, two) => {
                    text.push_str("  choose {\n");
                    self.items_text(one, proc, text);
                    text.push_str("  } or {\n");
                    self.items_text(two, proc, text);
                    text.push_str("  }\n");
                }
                Item::Optional(inner) => {
                    text.push_str("  optional {\n");
                    self.items_text(inner, proc, text);
                    text.push_str("  }\n");
                }
                Item::Repeat(inner) => {
                    text.push_str("  repeat {\n");
                    self.items_text(inner, proc, text);
                    text.push_str("  }\n");
                }
            }
        }
    }

    fn action_text(&mut self, action: &Action, proc: &Proc) -> String {
        let mut action = action.clone();
        let mut roots: Vec<String> =
            action.changes.iter().map(|(cell, _)| self.world.root(*cell, proc.module)).collect();
        if !action.changes.is_empty() && self.slip("an action promises another value") {
            action.changes[0].1 = action.changes[0].1.off_by(1);
        }
        let mut parts = formula(&self.world, &action, proc.module);
        if !parts.is_empty() && self.slip("an action promises too little") {
            parts.remove(self.rng.below(parts.len()));
        }
        if roots.len() > 1 && self.slip("an action may not change what it says") {
            roots.pop();
        }
        if parts.is_empty() {
            parts.push("true".to_owned());
        }
        let modifies = if roots.is_empty() {
            String::new()
        } else {
            format!(" modifies {}", roots.join(", "))
        };
        format!("  action{modifies} ensures {}\n", parts.join(" && "))
    }

    fn body(&mut self, body: &mut Body, proc: &Proc, plan: &[Part]) {
        let calls = plan.iter().any(|part| matches!(part, Part::Call(..)));
        let wraps = proc.wraps.filter(|_| !calls);
        let mut plan = plan.to_vec();
        if plan.len() > 1 && self.slip("two actions in the other order") {
            plan.swap(0, 1);
        }
        let skipped = wraps.is_some() && self.slip("a lock is not taken");
        if let Some(module) = wraps.filter(|_| !skipped) {
            self.take(body, module, proc.module);
        }
        let mut early = wraps.is_some() && !skipped && self.slip("a lock is given back early");
        for (at, part) in plan.iter().enumerate() {
            self.stutter(body, proc);
            if std::mem::take(&mut early) {
                self.give(body, wraps.unwrap_or(0), proc.module);
                self.part(body, proc, part);
                return;
            }
            let last = at + 1 == plan.len() && wraps.is_none() && proc.scribbles.is_empty();
            match part {
                Part::Item(Item::Choose(one, two)) if last && self.rng.percent(40) => {
                    let test = self.test(proc);
                    body.open(&format!("if ({test}) {{"));
                    self.items(body, proc, one);
                    body.line(if proc.result { "return r;" } else { "return;" });
                    body.close("}");
                    self.items(body, proc, two);
                }
                _ => self.part(body, proc, part),
            }
        }
        self.stutter(body, proc);
        if !calls {
            self.last_scribbles(body, proc);
        }
        if let Some(module) = wraps.filter(|_| !skipped) {
            self.give(body, module, proc.module);
        }
    }

    fn part(&mut self, body: &mut Body, proc: &Proc, part: &Part) {
        match part {
            Part::Item(item) => self.items(body, proc, std::slice::from_ref(item)),
            Part::Call(id, argument, _) => {
                let callee = self.procs[*id].clone();
                let name = self.world.qualified(&callee.name, callee.module, proc.module);
                let wrong = i64::from(callee.param && self.slip("a wrong argument"));
                let argument = Amount { base: argument.base + wrong, ..*argument };
                let argument = if callee.param { argument.added_to("") } else { String::new() };
                let target = if callee.result { "r := " } else { "" };
                body.line(&format!("{target}{name}({argument});"));
            }
            Part::Recursion(action) => {
                let least = u8::from(self.slip("an iteration too few"));
                body.open(&format!("if (n > {least}) {{"));
                let first = self.rng.percent(50);
                if first {
                    self.perform(body, proc, action);
                }
                body.line(&format!("{}(n - 1);", proc.name));
                if !first {
                    self.perform(body, proc, action);
                }
                body.close("}");
            }
            Part::Pure(amount) => {
                let base = amount.base + i64::from(self.slip("a wrong result"));
                if self.rng.percent(50) {
                    body.line(&format!("if (n == 0) {{ return {base}; }}"));
                    body.line(&format!("r := {}(n - 1);", proc.name));
                    body.line(&format!("r := r + {};", amount.per));
                } else {
                    let amount = Amount { base, ..*amount };
                    body.line(&format!("return {};", amount.added_to("")));
                }
            }
        }
    }

    fn items(&mut self, body: &mut Body, proc: &Proc, items: &[Item]) {
        for item in items {
            match item {
                Item::Act(action) => self.perform(body, proc, action),
                Item::Choose(one, two) => {
                    let test = self.test(proc);
                    body.open(&format!("if ({test}) {{"));
                    self.items(body, proc, one);
                    body.close("} else {");
                    body.indent += 1;
                    self.items(body, proc, two);
                    body.close("}");
                }
                Item::Optional(inner) => match self.rng.below(4) {
                    0 => {}
                    1 => self.items(body, proc, inner),
                    _ => {
                        let test = self.test(proc);
                        body.open(&format!("if ({test}) {{"));
                        self.items(body, proc, inner);
                        body.close("}");
                    }
                },
                Item::Repeat(inner) => self.repeat(body, proc, inner),
            }
        }
    }

    fn repeat(&mut self, body: &mut Body, proc: &Proc, inner: &[Item]) {
        match self.rng.below(4) {
            0 => {
                self.items(body, proc, inner);
                self.items(body, proc, inner);
            }
            1 => {
                let counter = self.new_name("i");
                let lock = self.lock_invariant(proc);
                body.line(&format!("var {counter}: int := 0;"));
                body.open(&format!("while ({counter} < 2){lock} {{"));
                body.line(&format!("{counter} := {counter} + 1;"));
                self.items(body, proc, inner);
                body.close("}");
            }
            _ => {
                let head = *self.rng.pick(&["while (*)", "loop"]);
                let lock = self.lock_invariant(proc);
                body.open(&format!("{head}{lock} {{"));
                self.items(body, proc, inner);
                body.close("}");
            }
        }
    }

    /// A condition that decides nothing of importance.
    fn test(&mut self, proc: &Proc) -> String {
        let cell = self.rng.below(self.world.cells.len());
        match self.rng.below(4) {
            0 if proc.param => "n > 0".to_owned(),
            1 => format!("{} > 0", self.world.place(cell, proc.module)),
            _ => "*".to_owned(),
        }
    }
}
