//! The code of a random thread.

use super::rng::Rng;
use super::shared::{Guard, Kind, Shared, ThreadHead, Var};
use std::fmt::Write as _;

/// Writes the body of one thread.
pub(super) struct Writer<'w> {
    pub(super) shared: &'w Shared,
    pub(super) thread: &'w ThreadHead,
    pub(super) rng: &'w mut Rng,
    pub(super) out: String,
    pub(super) indent: usize,
    /// The number of mistakes that may still be made.
    pub(super) slips: usize,
    /// The number of statements that may still be written.
    pub(super) budget: usize,
    pub(super) held: Vec<String>,
    /// The facts known to hold and to stay: the variable, and the formula.
    pub(super) facts: Vec<(String, String)>,
    /// Numbers this thread keeps for itself.
    pub(super) locals: Vec<String>,
    pub(super) fresh: usize,
    pub(super) in_atomic: bool,
    pub(super) in_loop: bool,
}

impl<'w> Writer<'w> {
    pub(super) fn new(
        shared: &'w Shared,
        thread: &'w ThreadHead,
        rng: &'w mut Rng,
        slips: usize,
    ) -> Self {
        let budget = 3 + rng.below(5);
        Self {
            shared,
            thread,
            rng,
            out: String::new(),
            indent: 1,
            slips,
            budget,
            held: Vec::new(),
            facts: Vec::new(),
            locals: Vec::new(),
            fresh: 0,
            in_atomic: false,
            in_loop: false,
        }
    }

    pub(super) fn slips_left(&self) -> usize {
        self.slips
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// The whole body.
    pub(super) fn body(&mut self) {
        if self.rng.percent(40) {
            let value = self.rng.below(3);
            let name = self.new_local();
            self.line(&format!("var {name}: int := {value};"));
            self.know(&name.clone(), format!("{name} == {value}"));
            self.locals.push(name);
        }
        while self.budget > 0 {
            self.statement(0);
        }
    }

    /// Decides whether a mistake is made here.
    pub(super) fn slip(&mut self) -> bool {
        let made = self.slips > 0 && self.rng.percent(18);
        self.slips -= usize::from(made);
        made
    }

    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.indent * 2);
    }

    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    pub(super) fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    pub(super) fn new_local(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    pub(super) fn know(&mut self, variable: &str, fact: String) {
        self.forget(variable);
        self.facts.push((variable.to_owned(), fact));
    }

    pub(super) fn forget(&mut self, variable: &str) {
        self.facts.retain(|(about, fact)| about != variable && !fact.contains(variable));
    }

    /// Whether this thread may rely on the variable now.
    pub(super) fn is_mine(&self, var: &Var) -> bool {
        match &var.guard {
            Guard::Lock(mutex) => self.held.contains(mutex),
            Guard::Owner(name) => *name == self.thread.name,
            Guard::Slot => true,
            Guard::Grows | Guard::Fixed | Guard::Free => false,
        }
    }

    pub(super) fn may_write(&self, var: &Var) -> bool {
        self.is_mine(var) || matches!(var.guard, Guard::Grows | Guard::Free)
    }

    pub(super) fn statement(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        match self.rng.below(24) {
            0..=4 if !self.in_atomic => self.locked(depth),
            5..=9 => self.write(),
            10..=12 => self.assertion(),
            13 | 14 if depth < 2 => self.condition(depth),
            15 | 16 if depth < 2 => self.repetition(depth),
            17 if depth < 2 => self.choice(depth),
            18 | 19 if !self.in_atomic => self.atomic(depth),
            20 => self.snapshot(),
            21 if self.shared.procs => self.call(),
            22 => self.odd(),
            _ => self.write(),
        }
    }

    pub(super) fn block(&mut self, depth: usize, most: usize) {
        for _ in 0..=self.rng.below(most) {
            self.statement(depth + 1);
        }
    }

    pub(super) fn write(&mut self) {
        let slip = self.slip();
        let shared = self.shared;
        let able: Vec<&Var> =
            shared.vars.iter().filter(|var| slip || self.may_write(var)).collect();
        if able.is_empty() {
            return self.assertion();
        }
        let var = *self.rng.pick(&able);
        self.write_to(var, slip);
    }

    fn write_to(&mut self, var: &Var, slip: bool) {
        let x = &var.name;
        let mine = self.is_mine(var);
        if var.guard == Guard::Grows && !slip {
            let text = match var.kind {
                Kind::Bool => format!("{x} := true;"),
                Kind::TidSet => format!("{x} := {x} + {{tid}};"),
                _ => format!("{x} := {x} + 1;"),
            };
            let text = if self.in_atomic { text } else { format!("atomic {{ {text} }}") };
            self.line(&text);
            self.forget(x);
            match var.kind {
                Kind::Bool => self.know(x, x.clone()),
                Kind::TidSet => self.know(x, format!("tid in {x}")),
                _ => {}
            }
            return;
        }
        self.forget(x);
        let value = self.value(var.kind, slip);
        let (place, fact) = match var.kind {
            Kind::TidMap if var.guard == Guard::Slot && !slip => {
                (format!("{x}[tid]"), format!("{x}[tid] == {value}"))
            }
            Kind::TidMap => {
                let key = *self.rng.pick(&["tid", "0"]);
                (format!("{x}[{key}]"), format!("{x}[{key}] == {value}"))
            }
            Kind::Flags => {
                let key = if slip { 3 } else { self.rng.below(3) };
                (format!("{x}[{key}]"), format!("{x}[{key}] == {value}"))
            }
            Kind::ModeMap => (format!("{x}[Busy]"), format!("{x}[Busy] == {value}")),
            Kind::TidSet if var.guard == Guard::Slot => {
                let op = *self.rng.pick(&["+", "-"]);
                let fact = if op == "+" { "in" } else { "!in" };
                let text = format!("{x} := {x} {op} {{tid}};");
                let text = if self.in_atomic { text } else { format!("atomic {{ {text} }}") };
                self.line(&text);
                return self.know(x, format!("tid {fact} {x}"));
            }
            _ => (x.clone(), format!("{x} == {value}")),
        };
        self.assign(var, &place, &value);
        let reads_itself = value.contains(x.as_str());
        let reads_shared = self.shared.vars.iter().any(|other| value.contains(&other.name));
        if mine && !reads_itself && !reads_shared {
            self.know(x, fact);
        }
    }

    /// An assignment in one of several ways.
    fn assign(&mut self, var: &Var, place: &str, value: &str) {
        let simple = place == var.name;
        let x = &var.name;
        match self.rng.below(10) {
            0 if simple => self.line(&format!("atomic modifies {x} action {x}' == {value};")),
            1 if simple && var.kind == Kind::Int && self.shared.procs && !self.in_atomic => {
                self.line(&format!("put_{x}({value});"));
            }
            2 if simple => {
                self.line(&format!("havoc {x};"));
                self.line(&format!("assume {x} == {value};"));
            }
            3 if !self.in_atomic => self.line(&format!("atomic {{ {place} := {value}; }}")),
            _ => self.line(&format!("{place} := {value};")),
        }
    }

    fn value(&mut self, kind: Kind, slip: bool) -> String {
        match kind {
            Kind::Int | Kind::TidMap | Kind::ModeMap => self.number(),
            Kind::Range if slip => "4".to_owned(),
            Kind::Range => match self.rng.below(3) {
                0 => format!("{} % 4", self.number()),
                _ => self.rng.below(4).to_string(),
            },
            Kind::Bool | Kind::Flags => (*self.rng.pick(&["true", "false", "true"])).to_owned(),
            Kind::Enum => (*self.rng.pick(&["Idle", "Busy", "Done"])).to_owned(),
            Kind::Tid => (*self.rng.pick(&["tid", "0", "tid"])).to_owned(),
            Kind::TidSet => (*self.rng.pick(&["{tid}", "{}"])).to_owned(),
        }
    }

    /// A number without operators around it.
    fn number(&mut self) -> String {
        let readable: Vec<String> = self
            .shared
            .vars
            .iter()
            .filter(|var| matches!(var.kind, Kind::Int | Kind::Range))
            .map(|var| var.name.clone())
            .chain(self.locals.iter().cloned())
            .collect();
        match self.rng.below(10) {
            0 | 1 if !readable.is_empty() => self.rng.pick(&readable).clone(),
            2 if !readable.is_empty() => {
                let op = *self.rng.pick(&["+ 1", "* 2", "- 1", "% 3", "/ 2"]);
                format!("({} {op})", self.rng.pick(&readable))
            }
            3 if !readable.is_empty() => {
                let name = self.rng.pick(&readable).clone();
                format!("({name} > 1 ? 1 : {name})")
            }
            _ => self.rng.below(4).to_string(),
        }
    }

    pub(super) fn assertion(&mut self) {
        let shared = self.shared;
        if self.slip() {
            let var = self.rng.pick(&shared.vars);
            let guess = self.guess(var);
            return self.line(&format!("assert {guess};"));
        }
        if self.facts.is_empty() {
            return self.line("skip;");
        }
        let facts: Vec<String> = self.facts.iter().map(|(_, fact)| fact.clone()).collect();
        let first = self.rng.pick(&facts).clone();
        let text = match self.rng.below(4) {
            0 => format!("{first} && {}", self.rng.pick(&facts)),
            1 => format!("{} || {first}", self.guess(&shared.vars[0])),
            _ => first,
        };
        let word = if self.rng.percent(85) { "assert" } else { "assume" };
        self.line(&format!("{word} {text};"));
    }

    /// Something that may or may not hold.
    pub(super) fn guess(&mut self, var: &Var) -> String {
        let x = &var.name;
        match var.kind {
            Kind::Int => {
                format!("{x} {} {}", self.rng.pick(&[">=", "==", "<", "!="]), self.rng.below(3))
            }
            Kind::Range => {
                format!("{x} {} {}", self.rng.pick(&["<=", "==", ">"]), self.rng.below(4))
            }
            Kind::Bool => (*self.rng.pick(&[x.clone(), format!("!{x}")])).clone(),
            Kind::Enum => format!("{x} == {}", self.rng.pick(&["Idle", "Busy", "Done"])),
            Kind::Tid => format!("{x} {} tid", self.rng.pick(&["==", "!="])),
            Kind::TidSet => format!("tid {} {x}", self.rng.pick(&["in", "!in"])),
            Kind::TidMap => format!("{x}[tid] >= {}", self.rng.below(2)),
            Kind::Flags => format!("{x}[{}]", self.rng.below(3)),
            Kind::ModeMap => format!("{x}[Busy] == {}", self.rng.below(3)),
        }
    }

    /// Reads a variable, and asserts later what its discipline promises.
    fn snapshot(&mut self) {
        let vars: Vec<Var> =
            self.shared.vars.iter().filter(|var| var.kind == Kind::Int).cloned().collect();
        if vars.is_empty() || self.in_atomic {
            return self.write();
        }
        let var = self.rng.pick(&vars).clone();
        let x = &var.name;
        let name = self.new_local();
        if self.shared.procs && self.rng.percent(50) {
            self.line(&format!("var {name} := get_{x}();"));
        } else {
            self.line(&format!("var {name}: int := {x};"));
        }
        let claim = match var.guard {
            Guard::Grows => format!("{x} >= {name}"),
            _ if self.is_mine(&var) || var.guard == Guard::Fixed => format!("{x} == {name}"),
            _ if self.slip() => format!("{x} == {name}"),
            _ => return,
        };
        if self.rng.percent(40) {
            self.statement(2);
            if self.is_mine(&var) {
                return;
            }
        }
        self.line(&format!("assert {claim};"));
    }

    fn call(&mut self) {
        let name = self.new_local();
        if self.rng.percent(50) {
            let number = self.rng.below(3);
            self.line(&format!("var {name}: int := twice({number});"));
            let claimed = if self.slip() { 2 * number + 1 } else { 2 * number };
            self.line(&format!("assert {name} == {claimed};"));
        } else {
            let number = self.rng.percent(50);
            self.line(&format!("var {name} := pick({number});"));
            let claimed = if number != self.slip() { 1 } else { 2 };
            self.line(&format!("assert {name} == {claimed};"));
        }
    }

    /// Statements that are rare in real programs.
    fn odd(&mut self) {
        let free = self.shared.vars.iter().find(|var| var.guard == Guard::Free);
        let name = free.map(|var| var.name.clone());
        match (self.rng.below(5), name) {
            (0, Some(x)) => self.line(&format!("havoc {x};")),
            (1, Some(x)) => self.line(&format!("atomic modifies {x} action true;")),
            (2, Some(x)) => {
                self.line(&format!("atomic modifies {x} action {x}' == {x} ensures {x}' == {x};"));
            }
            (3, _) => {
                let one = self.new_local();
                self.line(&format!("var {one}: 0..2;"));
                let bound = if self.slip() { 1 } else { 2 };
                self.line(&format!("assert {one} <= {bound};"));
            }
            _ => self.line("skip;"),
        }
    }
}
