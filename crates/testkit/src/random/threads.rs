//! The code of a random thread.

use super::rng::Rng;
use super::shared::{Guard, Kind, Shared, ThreadHead, Var, restored};
use std::fmt::Write as _;

/// Writes the body of one thread.
pub(super) struct Writer<'w> {
    shared: &'w Shared,
    thread: &'w ThreadHead,
    rng: &'w mut Rng,
    out: String,
    indent: usize,
    /// How many mistakes may still be made.
    slips: usize,
    /// How many statements may still be written.
    budget: usize,
    held: Vec<String>,
    /// What is known to hold and to stay: the variable, and the formula.
    facts: Vec<(String, String)>,
    /// Numbers this thread keeps for itself.
    locals: Vec<String>,
    fresh: usize,
    in_atomic: bool,
    in_loop: bool,
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

    /// A mistake is made here.
    fn slip(&mut self) -> bool {
        let made = self.slips > 0 && self.rng.percent(18);
        self.slips -= usize::from(made);
        made
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.indent * 2);
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    fn new_local(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    fn know(&mut self, variable: &str, fact: String) {
        self.forget(variable);
        self.facts.push((variable.to_owned(), fact));
    }

    fn forget(&mut self, variable: &str) {
        self.facts.retain(|(about, fact)| about != variable && !fact.contains(variable));
    }

    /// Whether this thread may rely on the variable now.
    fn is_mine(&self, var: &Var) -> bool {
        match &var.guard {
            Guard::Lock(mutex) => self.held.contains(mutex),
            Guard::Owner(name) => *name == self.thread.name,
            Guard::Slot => true,
            Guard::Grows | Guard::Fixed | Guard::Free => false,
        }
    }

    fn may_write(&self, var: &Var) -> bool {
        self.is_mine(var) || matches!(var.guard, Guard::Grows | Guard::Free)
    }

    fn statement(&mut self, depth: usize) {
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

    fn block(&mut self, depth: usize, most: usize) {
        for _ in 0..1 + self.rng.below(most) {
            self.statement(depth + 1);
        }
    }

    fn locked(&mut self, depth: usize) {
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
            let own = free_facts.iter().find(|v| v.restored && v.guard == Guard::Lock(mutex.clone()));
            if let Some(var) = own {
                self.line(&format!("assert {};", restored(var)));
            }
        }
        for _ in 0..1 + self.rng.below(3) {
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

    /// Takes a mutex in one of many ways; whether a block was opened.
    fn take(&mut self, mutex: &str) -> bool {
        match self.rng.below(9) {
            0 => self.line(&format!("atomic modifies {mutex} action {mutex} == 0 && {mutex}' == tid;")),
            1 => self.line(&format!("atomic {{ assume {mutex} == 0; {mutex} := tid; }}")),
            2 => {
                self.line(&format!("while ({mutex} != tid) {{ cas({mutex}, 0, tid); }}"));
                self.facts.clear();
            }
            3 => {
                let ok = self.new_local();
                self.line(&format!("var {ok}: bool := false;"));
                let call = if self.shared.procs { format!("try_{mutex}()") } else { format!("cas({mutex}, 0, tid)") };
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

    /// What must hold when the mutex is free.
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

    fn write(&mut self) {
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

    fn assertion(&mut self) {
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
    fn guess(&mut self, var: &Var) -> String {
        let x = &var.name;
        match var.kind {
            Kind::Int => format!("{x} {} {}", self.rng.pick(&[">=", "==", "<", "!="]), self.rng.below(3)),
            Kind::Range => format!("{x} {} {}", self.rng.pick(&["<=", "==", ">"]), self.rng.below(4)),
            Kind::Bool => (*self.rng.pick(&[x.clone(), format!("!{x}")])).clone(),
            Kind::Enum => format!("{x} == {}", self.rng.pick(&["Idle", "Busy", "Done"])),
            Kind::Tid => format!("{x} {} tid", self.rng.pick(&["==", "!="])),
            Kind::TidSet => format!("tid {} {x}", self.rng.pick(&["in", "!in"])),
            Kind::TidMap => format!("{x}[tid] >= {}", self.rng.below(2)),
            Kind::Flags => format!("{x}[{}]", self.rng.below(3)),
            Kind::ModeMap => format!("{x}[Busy] == {}", self.rng.below(3)),
        }
    }

    fn condition(&mut self, depth: usize) {
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

    fn repetition(&mut self, depth: usize) {
        let counted = self.rng.percent(60);
        let kept = if self.facts.is_empty() || self.rng.percent(25) {
            None
        } else {
            Some(self.rng.pick(&self.facts.clone()).clone())
        };
        let mut clauses = kept.as_ref().map_or(String::new(), |(_, fact)| format!(" invariant {fact}"));
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

    fn choice(&mut self, depth: usize) {
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

    /// Inside an atomic block nobody interferes, so that what was just written can be asserted.
    fn atomic(&mut self, depth: usize) {
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
            (2, Some(x)) => self.line(&format!("atomic modifies {x} action {x}' == {x} ensures {x}' == {x};")),
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
