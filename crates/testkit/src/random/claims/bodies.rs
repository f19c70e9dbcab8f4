//! Bodies, and the specifications that follow from them.

use super::specification::{Spec, actions, called};
use super::{LIMIT, Proc, Writer, qualified};
use std::collections::BTreeSet;

/// Lines of a body with the actions they perform.
#[derive(Clone, Debug, Default)]
struct Code {
    text: String,
    spec: Vec<Spec>,
}

impl Code {
    fn add(&mut self, text: &str, spec: impl IntoIterator<Item = Spec>) {
        self.text.push_str(text);
        self.text.push('\n');
        self.spec.extend(spec);
    }

    fn then(&mut self, next: Self) {
        self.text.push_str(&next.text);
        self.spec.extend(next.spec);
    }
}

impl Writer<'_> {
    pub(super) fn procedure(&mut self) {
        let atomic = self.guarded && self.rng.percent(60);
        let home = *self.rng.pick(&["A", "A", "B", ""]);
        let mut proc = Proc {
            name: format!("p{}", self.procs.len()),
            module: if atomic { "" } else { home },
            param: self.rng.percent(50),
            result: self
                .rng
                .percent(if self.small { 40 } else { 60 })
                .then(|| *self.rng.pick(&[LIMIT - 1, LIMIT - 1, 1])),
            spec: Vec::new(),
            scribbles: BTreeSet::new(),
            text: String::new(),
        };
        let recursive = !atomic && !self.small && self.rng.percent(12);
        let code = if atomic { self.locked(&proc) } else { self.body(&proc, recursive) };
        proc.spec = code.spec;
        proc.scribbles = std::mem::take(&mut self.scribbles);
        if recursive {
            let mut all = Vec::new();
            actions(&proc.spec, &mut all);
            let any = all.into_iter().rev().reduce(|rest, one| Spec::Choose(vec![one], vec![rest]));
            proc.spec = vec![Spec::Repeat(any.into_iter().collect())];
        }
        let head = if recursive || self.rng.percent(90) {
            self.head(&proc, atomic)
        } else {
            // Without specification.
            let spec = std::mem::take(&mut proc.spec);
            let head = self.head(&proc, atomic);
            proc.spec = spec;
            head.lines().next().map(|line| format!("{line}\n")).unwrap_or_default()
        };
        let body = self.seen_from(proc.module, &code.text);
        proc.text = format!("{head}{{\n{body}}}\n");
        self.procs.push(proc);
    }

    fn body(&mut self, proc: &Proc, recursive: bool) -> Code {
        let mut code = Code::default();
        if proc.param && self.slips > 0 && self.rng.percent(30) {
            // The specification is about the parameter as it was before.
            self.slips -= 1;
            let var = self.var();
            let text = format!("n := {};\n{var} := n;", self.rng.below(LIMIT));
            code.add(&text, [Spec::Action(vec![var.clone()], vec![format!("{var}' == n")])]);
        }
        let count = 1 + self.rng.below(2);
        code.then(self.block(proc, count, if self.small { 1 } else { 2 }));
        if recursive {
            let argument = if proc.param { "n" } else { "" };
            code.add(&format!("if (*) {{ {}({argument}); }}", proc.name), []);
            code.then(self.block(proc, 1, 1));
        } else if !self.small && self.rng.percent(20) {
            // Leaves early.
            let test = self.literal(false);
            let mut early = self.block(proc, 1, 1);
            early.then(self.answer(proc));
            let mut rest = self.block(proc, 1, 1);
            rest.then(self.answer(proc));
            let back = if proc.result.is_some() { "return r;" } else { "return;" };
            let text = format!("if ({test}) {{\n{}{back}\n}}\n{}", early.text, rest.text);
            code.add(text.trim_end(), [Spec::Choose(early.spec, rest.spec)]);
            return code;
        }
        code.then(self.answer(proc));
        if self.rng.percent(30) {
            code.then(self.block(proc, 1, 1));
        }
        if proc.param && self.rng.percent(30) {
            code.add(&format!("n := {};", self.rng.below(LIMIT)), []);
        }
        if self.rng.percent(12) {
            let end = *self.rng.pick(&["while (true) { skip; }", "assume false;"]);
            code.add(end, []);
        }
        code
    }

    /// Gives the result a value, at most once in a run.
    fn answer(&mut self, proc: &Proc) -> Code {
        let mut code = Code::default();
        let Some(high) = proc.result else { return code };
        let var = self.var();
        let say = self.rng.percent(60);
        let value = self.rng.below(high + 1).to_string();
        let action = |changes: Vec<String>, mut parts: Vec<String>, result: &str| {
            parts.extend(say.then(|| format!("r == {result}")));
            Spec::Action(changes, parts)
        };
        match self.rng.below(5) {
            0 if high + 1 == LIMIT => {
                code.add(&format!("r := {var};"), [action(vec![], vec![], &var)]);
            }
            1 if high + 1 == LIMIT => {
                let text = format!("atomic {{ r := {var}; {var} := {value}; }}");
                code.add(
                    &text,
                    [action(vec![var.clone()], vec![format!("{var}' == {value}")], &var)],
                );
            }
            2 => {
                let (old, new) = (self.rng.below(LIMIT), self.rng.below(LIMIT));
                let text = format!(
                    "atomic {{ if ({var} == {old}) {{ {var} := {new}; r := 1; }} else {{ r := 0; }} }}"
                );
                let won = vec![format!("{var} == {old}"), format!("{var}' == {new}")];
                let won = action(vec![var.clone()], won, "1");
                let lost = action(vec![], vec![format!("{var} != {old}")], "0");
                code.add(&text, [Spec::Choose(vec![won], vec![lost])]);
            }
            3 if self.procs.iter().any(|one| one.result == Some(high)) => {
                let able: Vec<Proc> =
                    self.procs.iter().filter(|one| one.result == Some(high)).cloned().collect();
                let callee = self.rng.pick(&able).clone();
                code.then(self.call(proc, &callee, "r := "));
            }
            _ => {
                let text = format!("atomic {{ r := {value}; {var} := {value}; }}");
                let result = if self.rng.percent(50) { format!("{var}'") } else { value.clone() };
                code.add(
                    &text,
                    [action(vec![var.clone()], vec![format!("{var}' == {value}")], &result)],
                );
            }
        }
        code
    }

    fn block(&mut self, proc: &Proc, count: usize, depth: usize) -> Code {
        let mut code = Code::default();
        for _ in 0..count {
            code.then(self.statement(proc, depth));
        }
        code
    }

    fn statement(&mut self, proc: &Proc, depth: usize) -> Code {
        let mut code = Code::default();
        let (var, other) = (self.var(), self.var());
        let value = self.operand(proc.param);
        let constant = self.rng.below(LIMIT).to_string();
        let kind = match self.rng.below(100) {
            // A quiet write.
            0..20 if self.small => 99,
            // A loop.
            20..35 if self.small => 80,
            _ => self.rng.below(100),
        };
        match kind {
            0..30 => {
                let spec = Spec::Action(vec![var.clone()], vec![format!("{var}' == {value}")]);
                code.add(&format!("{var} := {value};"), [spec]);
            }
            30..40 if var != other => {
                let after = if value == var { format!("{value}'") } else { value.clone() };
                let parts = vec![format!("{var}' == {constant}"), format!("{other}' == {after}")];
                let text = format!("atomic {{ {var} := {constant}; {other} := {value}; }}");
                code.add(&text, [Spec::Action(vec![var, other], parts)]);
            }
            40..50 => {
                let test = self.literal(false);
                let text = format!("atomic {{ if ({test}) {{ {var} := {constant}; }} }}");
                let yes = vec![test.clone(), format!("{var}' == {constant}")];
                let yes = Spec::Action(vec![var], yes);
                let no = Spec::Action(vec![], vec![format!("!({test})")]);
                code.add(&text, [Spec::Choose(vec![yes], vec![no])]);
            }
            50..56 => {
                let test = self.literal(false);
                let look = Spec::Action(vec![], vec![test.clone()]);
                code.add(&format!("assume {test};"), self.rng.percent(50).then_some(look));
            }
            56..74 if depth > 0 => self.branch(proc, depth, &mut code),
            74..84 if depth > 0 => {
                let test = if self.rng.percent(50) { self.literal(false) } else { "*".to_owned() };
                let inner = self.block(proc, 1, depth - 1);
                let leave = if self.rng.percent(20) { "if (*) { break; }\n" } else { "" };
                let text = format!("while ({test}) {{\n{}{leave}}}", inner.text);
                code.add(&text, [Spec::Repeat(inner.spec)]);
            }
            84..93 if !self.procs.is_empty() => {
                let callee = self.rng.pick(&self.procs).clone();
                code.then(self.call(proc, &callee, ""));
            }
            93.. => {
                code.add(&format!("{var} := {constant};"), []);
                self.scribbles.insert(var);
            }
            _ => code.add("skip;", []),
        }
        code
    }

    fn branch(&mut self, proc: &Proc, depth: usize, code: &mut Code) {
        let test = if self.rng.percent(60) { self.literal(false) } else { "*".to_owned() };
        let yes = self.block(proc, 1, depth - 1);
        if test == "*" && self.rng.percent(50) {
            let text = format!("if (*) {{\n{}}}", yes.text);
            return code.add(&text, [Spec::Optional(yes.spec)]);
        }
        let no = self.block(proc, 1, depth - 1);
        let text = format!("if ({test}) {{\n{}}} else {{\n{}}}", yes.text, no.text);
        let (mut one, mut two) = (yes.spec, no.spec);
        if test != "*" && self.rng.percent(50) {
            one.insert(0, Spec::Action(vec![], vec![test.clone()]));
            two.insert(0, Spec::Action(vec![], vec![format!("!({test})")]));
        }
        code.add(&text, [Spec::Choose(one, two)]);
    }

    fn call(&mut self, proc: &Proc, callee: &Proc, target: &str) -> Code {
        let mut code = Code::default();
        self.scribbles.extend(callee.scribbles.iter().cloned());
        let argument = match self.rng.below(3) {
            0 if proc.param => "n".to_owned(),
            _ => self.rng.below(LIMIT).to_string(),
        };
        let name = qualified(&callee.name, callee.module, proc.module);
        let passed = if callee.param { argument.as_str() } else { "" };
        let spec = called(&callee.spec, &argument, !target.is_empty());
        code.add(&format!("{target}{name}({passed});"), spec);
        code
    }

    /// A body that acts like one step: what is guarded changes under the lock, and one step is
    /// seen.
    fn locked(&mut self, proc: &Proc) -> Code {
        let (var, value) = (self.var(), self.operand(proc.param));
        let (first, last) = (self.rng.below(LIMIT), self.rng.below(LIMIT));
        let mut lines = [
            "acquire m;".to_owned(),
            format!("w := {first};"),
            format!("{var} := {value};"),
            format!("w := {last};"),
            "release m;".to_owned(),
        ];
        if self.rng.percent(10) {
            let (one, two) = (self.rng.below(lines.len()), self.rng.below(lines.len()));
            lines.swap(one, two);
        }
        let parts = vec![format!("{var}' == {value}"), format!("w' == {last}")];
        let mut code = Code::default();
        code.add(&lines.join("\n"), [Spec::Action(vec![var, "w".to_owned()], parts)]);
        if proc.result.is_some() {
            code.add("r := 0;", []);
        }
        code
    }
}
