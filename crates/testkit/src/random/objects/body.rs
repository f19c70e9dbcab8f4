//! Bodies of methods, with the knowledge of their writer.

use super::super::rng::Rng;
use super::{Class, FIELDS, FULL, Fact, HALF, READ, VOLATILE, indented, permission, share};

/// The knowledge about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    Is(i64),
    /// This much more than when the method was entered.
    Entry(i64),
    /// This much more than when the monitor was acquired.
    Acquired(i64),
}

impl Known {
    pub(super) fn plus(self, more: i64) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            Self::Is(value) => Self::Is(value + more),
            Self::Entry(value) => Self::Entry(value + more),
            Self::Acquired(value) => Self::Acquired(value + more),
        }
    }
}

/// The permissions that a method takes of an object, and those that it gives back.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) has: [u32; 3],
    pub(super) mu: u32,
    pub(super) level: bool,
    pub(super) predicate: bool,
    /// Whether the monitor is held, before and after.
    pub(super) holds: bool,
    pub(super) after: [u32; 3],
    pub(super) after_mu: u32,
    pub(super) after_predicate: bool,
    pub(super) known: [Known; 3],
}

/// A method that others can call.
#[derive(Clone, Debug)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) this: Part,
    pub(super) other: Option<Part>,
    pub(super) result: bool,
    /// Whether the receiver is below the other object.
    pub(super) order: bool,
}

/// An object in a body.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) has: [u32; 3],
    pub(super) mu: u32,
    pub(super) known: [Known; 3],
    /// Whether it is known to be shared, and above everything held at entry.
    pub(super) level: bool,
    /// Whether it is known not to be shared.
    pub(super) unshared: bool,
    pub(super) held: bool,
    pub(super) predicate: bool,
    /// Whether the body made it.
    pub(super) own: bool,
    pub(super) next: Option<usize>,
}

impl Var {
    /// The beginning of a path to its fields.
    pub(super) fn prefix(&self) -> String {
        if self.name == "this" { String::new() } else { format!("{}.", self.name) }
    }
}

pub(super) struct Body<'g> {
    pub(super) class: &'g Class,
    pub(super) methods: &'g [Method],
    pub(super) rng: &'g mut Rng,
    pub(super) vars: Vec<Var>,
    pub(super) lines: Vec<String>,
    pub(super) ints: Vec<String>,
    /// Pairs of objects of which the first is below the second.
    pub(super) order: Vec<(usize, usize)>,
    pub(super) tokens: Vec<(String, usize, usize, Option<usize>)>,
    /// The facts of the contract at entry.
    pub(super) entry: Vec<Var>,
    pub(super) result: bool,
    pub(super) next: usize,
}

impl<'g> Body<'g> {
    fn new(class: &'g Class, methods: &'g [Method], rng: &'g mut Rng) -> Self {
        Self {
            class,
            methods,
            rng,
            vars: Vec::new(),
            lines: Vec::new(),
            ints: Vec::new(),
            order: Vec::new(),
            tokens: Vec::new(),
            entry: Vec::new(),
            result: false,
            next: 0,
        }
    }

    pub(super) fn of_main(class: &'g Class, methods: &'g [Method], rng: &'g mut Rng) -> Self {
        Self::new(class, methods, rng)
    }

    pub(super) fn of_method(class: &'g Class, methods: &'g [Method], rng: &'g mut Rng) -> Self {
        let mut body = Self::new(class, methods, rng);
        // Every other method is for threads that share the object.
        let locks = methods.len().is_multiple_of(2);
        body.given("this", locks);
        if !locks && body.rng.percent(35) {
            body.hold();
        }
        if body.rng.percent(30) {
            body.given("o", locks);
            if body.vars.iter().all(|var| var.level) && body.rng.percent(80) {
                body.order.push((0, 1));
            }
        }
        body.result = body.rng.percent(25);
        body.entry = body.vars.clone();
        body
    }

    fn given(&mut self, name: &str, locks: bool) {
        let mut has = [0, 1, 2].map(|_| *self.rng.pick(&[0, 0, 0, READ, HALF, FULL]));
        if locks {
            let rest = self.class.kept.map(|kept| if kept >= FULL { 0 } else { READ });
            has = [0, 1, 2].map(|field| has[field].min(rest[field]));
        }
        let mu = *self.rng.pick(&[if locks { READ } else { 0 }, READ, READ, READ, READ, FULL]);
        let predicate = self.class.predicate.is_some() && !locks && self.rng.percent(40);
        if predicate {
            has[0] = 0;
        }
        self.vars.push(Var {
            name: name.to_owned(),
            has,
            mu,
            known: has.map(|amount| if amount > 0 { Known::Entry(0) } else { Known::Nothing }),
            level: mu > 0 && (locks || self.rng.percent(70)),
            unshared: false,
            held: false,
            predicate,
            own: false,
            next: None,
        });
    }

    /// The caller holds the monitor of the receiver.
    fn hold(&mut self) {
        let kept = self.class.kept;
        let this = &mut self.vars[0];
        (this.held, this.level, this.predicate, this.has) = (true, false, false, kept);
        this.mu = this.mu.max(READ);
        this.known = kept.map(|amount| if amount > 0 { Known::Entry(0) } else { Known::Nothing });
    }

    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    pub(super) fn small(&mut self) -> i64 {
        i64::try_from(self.rng.below(4)).unwrap_or(0)
    }

    pub(super) fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    /// Writes a wrong line now and then.
    pub(super) fn slip(&mut self) -> bool {
        self.rng.percent(1)
    }

    /// The whole method: its contract goes to the lines, and the facts for callers are returned.
    pub(super) fn method(mut self, index: usize, lines: &mut Vec<String>) -> Method {
        if self.methods.len().is_multiple_of(2) {
            self.locked(0, 2);
        }
        for _ in 0..=self.rng.below(4) {
            self.statement(2);
        }
        self.join_all();
        if self.result {
            let text = match self.rng.below(2) {
                0 => "r := v;".to_owned(),
                _ => format!("r := {};", self.rng.below(4)),
            };
            self.line(text);
        }
        let name = format!("M{index}");
        let parts: Vec<Part> = (0..self.entry.len()).map(|at| self.part(at)).collect();
        let params = if parts.len() > 1 { "o: A" } else { "" };
        let returns = if self.result { " returns (r: int)" } else { "" };
        lines.push(format!("method {name}({params}){returns}"));
        for (var, part) in self.entry.iter().zip(&parts) {
            lines.extend(contract(var, part));
        }
        if self.order.contains(&(0, 1)) {
            lines.push("requires this << o".to_owned());
        }
        let grows = self.class.facts.contains(&Fact::Grows(VOLATILE));
        if self.result && self.lines.last().is_some_and(|line| line == "r := v;") && grows {
            lines.push("ensures r <= v".to_owned());
        }
        lines.push("{".to_owned());
        lines.extend(indented(self.lines));
        lines.push("}".to_owned());
        let mut parts = parts.into_iter();
        let this = parts.next().expect("a method has a receiver");
        Method {
            name,
            this,
            other: parts.next(),
            result: self.result,
            order: self.order.contains(&(0, 1)),
        }
    }

    fn part(&mut self, at: usize) -> Part {
        let (entry, var) = (self.entry[at].clone(), self.vars[at].clone());
        let leak = self.rng.percent(6);
        let floor = |amount: u32| match amount {
            _ if leak => 0,
            amount if amount >= FULL => FULL,
            amount if amount >= HALF => HALF,
            0 => 0,
            _ => READ,
        };
        let after = var.has.map(floor);
        let mut known = var.known;
        for field in 0..3 {
            let says = match known[field] {
                Known::Entry(_) => entry.has[field] > 0,
                Known::Is(_) => true,
                _ => false,
            };
            if after[field] == 0 || !says {
                known[field] = Known::Nothing;
            }
        }
        Part {
            has: entry.has,
            mu: entry.mu,
            level: entry.level,
            predicate: entry.predicate,
            holds: entry.held,
            after,
            after_mu: floor(var.mu),
            after_predicate: var.predicate && !leak,
            known,
        }
    }

    /// The start of the program.
    pub(super) fn main(&mut self) {
        self.create();
        if self.rng.percent(60) {
            self.create();
        }
        for _ in 0..8 {
            let at = self.rng.below(self.vars.len());
            if self.tokens.len() < 3 {
                self.fork(at);
            }
        }
        for _ in 0..2 + self.rng.below(5) {
            self.statement(2);
        }
        self.join_all();
        for _ in 0..self.rng.below(3) {
            self.statement(1);
        }
        let at = self.rng.below(self.vars.len());
        self.assertion(at);
    }

    pub(super) fn finish(self) -> Vec<String> {
        indented(self.lines)
    }

    fn create(&mut self) {
        let name = self.fresh("a");
        let start = self.small();
        self.line(format!("var {name}: A := new A {{ f := {start} }};"));
        self.vars.push(Var {
            name,
            has: [FULL; 3],
            mu: FULL,
            known: [Known::Is(start), Known::Is(0), Known::Is(0)],
            level: false,
            unshared: true,
            held: false,
            predicate: false,
            own: true,
            next: None,
        });
        if self.rng.percent(65) {
            let at = self.vars.len() - 1;
            self.share(at);
        }
    }

    fn join_all(&mut self) {
        for _ in 0..self.tokens.len() {
            if self.rng.percent(90) {
                self.join();
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        for _ in 0..12 {
            let at = self.rng.below(self.vars.len());
            let before = self.lines.len();
            match self.rng.below(20) {
                0..3 => self.write(at),
                3..5 => self.assertion(at),
                5 => self.volatile(at),
                6..8 if depth > 0 => self.locked(at, depth - 1),
                8 => self.share(at),
                9..12 => self.call(at),
                12..14 => self.fork(at),
                14 => self.join(),
                15 if depth > 0 => self.branch(depth - 1),
                16 if depth > 0 => self.repeat(depth - 1),
                17 => self.fold(at),
                18 if self.vars[at].held && depth > 0 => self.cycle(at),
                18 => self.alias(at),
                19 => self.local(at),
                _ => {}
            }
            if self.lines.len() > before {
                return;
            }
        }
    }
}

/// The clauses about one object.
fn contract(var: &Var, part: &Part) -> Vec<String> {
    let prefix = var.prefix();
    let mu = format!("{prefix}mu");
    let mut before: Vec<String> =
        (0..3).filter_map(|field| share(&prefix, field, part.has[field])).collect();
    before.extend(permission(&mu, part.mu));
    if part.predicate {
        before.push(format!("{prefix}P"));
    }
    if before.is_empty() && var.name != "this" {
        before.push(format!("{} != null", var.name));
    }
    if part.level {
        before.push(format!("waitlevel << {mu}"));
    }
    if part.holds {
        before.push(format!("holds({})", var.name));
    }
    let mut after: Vec<String> =
        (0..3).filter_map(|field| share(&prefix, field, part.after[field])).collect();
    after.extend(permission(&mu, part.after_mu));
    if part.after_predicate {
        after.push(format!("{prefix}P"));
    }
    if part.holds {
        after.push(format!("holds({})", var.name));
    }
    for (name, known) in FIELDS.iter().zip(part.known) {
        match known {
            Known::Is(value) => after.push(format!("{prefix}{name} == {value}")),
            Known::Entry(more) => {
                after.push(format!("{prefix}{name} == old({prefix}{name}) + {more}"));
            }
            _ => {}
        }
    }
    let mut clauses = Vec::new();
    if !before.is_empty() {
        clauses.push(format!("requires {}", before.join(" && ")));
    }
    if !after.is_empty() {
        clauses.push(format!("ensures {}", after.join(" && ")));
    }
    clauses
}
