//! The shared variables behind the procedures, the promises about them, and where the promises are
//! written.

use crate::random::Rng;
use std::fmt::Write as _;

/// The threads that may change a variable, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// `[Tid]int`: each thread its own entry.
    Slot,
    /// The holder of the lock of its module.
    Locked,
    /// Anybody, but it only grows.
    Grows,
    /// The thread `T1`.
    Owned,
    /// Anybody, but it only grows.
    Free,
}

/// A shared number.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) name: String,
    pub(super) module: usize,
    pub(super) rule: Rule,
    /// Whether the rely is outside of the module, so that procedures neither know nor keep it: only
    /// their specifications do.
    pub(super) outside: bool,
    /// The same of the invariants.
    pub(super) invariants_outside: bool,
    /// Whether it is always even.
    pub(super) even: bool,
    /// Whether it is never negative.
    pub(super) floor: bool,
    /// A variable that always has the same value.
    pub(super) twin: Option<usize>,
}

/// Everything but procedures and threads.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// The first is the program outside of modules.
    pub(super) modules: Vec<&'static str>,
    pub(super) cells: Vec<Cell>,
    /// Names and copies of the threads.
    pub(super) crowd: &'static [(&'static str, &'static str)],
}

const CROWDS: &[&[(&str, &str)]] = &[
    &[("T1", ""), ("T2", "")],
    &[("T1", ""), ("T2", "")],
    &[("T1", ""), ("T2", ""), ("T3", "")],
    &[("W", "[2]")],
    &[("W", "[*]")],
    &[("T1", ""), ("W", "[*]")],
];

const RULES: &[Rule] = &[
    Rule::Slot,
    Rule::Slot,
    Rule::Locked,
    Rule::Locked,
    Rule::Grows,
    Rule::Grows,
    Rule::Owned,
    Rule::Free,
];

impl World {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let modules = [&["", "A"][..], &["", "A"], &["", "A", "B"], &[""]];
        let mut world = Self {
            modules: (*rng.pick(&modules)).to_vec(),
            cells: Vec::new(),
            crowd: *rng.pick(CROWDS),
        };
        for at in 0..2 + rng.below(2) {
            let cell = world.cell(rng, at);
            world.cells.push(cell);
        }
        if rng.percent(30) {
            let at = world.cells.len();
            let mut twin = world.cells[at - 1].clone();
            twin.name = format!("y{at}");
            twin.twin = Some(at - 1);
            world.cells[at - 1].twin = Some(at);
            world.cells.push(twin);
        }
        world
    }

    fn cell(&self, rng: &mut Rng, at: usize) -> Cell {
        let mut rule = *rng.pick(RULES);
        if rule == Rule::Owned && self.crowd[0].0 != "T1" {
            rule = Rule::Slot;
        }
        // Most are in modules, where the promise can be kept from the procedures.
        let module = if rng.percent(20) { 0 } else { self.modules.len() - 1 };
        Cell {
            name: format!("{}{at}", letter(rule)),
            module: if rng.percent(70) { module } else { rng.below(self.modules.len()) },
            rule,
            outside: rng.percent(40),
            invariants_outside: rng.percent(70),
            // Quantified invariants with remainders are slow when they fail.
            even: rule != Rule::Slot && rng.percent(25),
            floor: rng.percent(if rule == Rule::Slot { 5 } else { 25 }),
            twin: None,
        }
    }

    /// The name of a variable, seen from a module.
    pub(super) fn root(&self, cell: usize, from: usize) -> String {
        let cell = &self.cells[cell];
        self.qualified(&cell.name, cell.module, from)
    }

    /// The number itself.
    pub(super) fn place(&self, cell: usize, from: usize) -> String {
        let root = self.root(cell, from);
        if self.cells[cell].rule == Rule::Slot { format!("{root}[tid]") } else { root }
    }

    pub(super) fn lock(&self, module: usize, from: usize) -> String {
        self.qualified(["m", "ma", "mb"][module], module, from)
    }

    pub(super) fn qualified(&self, name: &str, module: usize, from: usize) -> String {
        if module == 0 || module == from {
            return name.to_owned();
        }
        format!("{}.{name}", self.modules[module])
    }

    pub(super) fn has_lock(&self, module: usize) -> bool {
        self.cells.iter().any(|cell| cell.module == module && cell.rule == Rule::Locked)
    }

    /// Variables and locks of a module.
    pub(super) fn variables(&self, module: usize) -> String {
        let mut text = String::new();
        for cell in self.cells.iter().filter(|cell| cell.module == module) {
            // Not zero, so that a wait for a large enough number ends.
            let (ty, value) =
                if cell.rule == Rule::Slot { ("[Tid]int", "[_ => 2]") } else { ("int", "2") };
            let _ = writeln!(text, "var {}: {ty} = {value};", cell.name);
        }
        if self.has_lock(module) {
            let _ = writeln!(text, "var {}: Tid = 0;", self.lock(module, module));
        }
        text
    }

    /// Relies and invariants that are written in a module.
    pub(super) fn promises(&self, module: usize) -> Vec<String> {
        let mut all = Vec::new();
        if self.has_lock(module) {
            let m = self.lock(module, module);
            all.push(format!("rely {m} == tid ==> {m}' == {m};"));
            all.push(format!("rely {m} != tid ==> {m}' != tid;"));
        }
        for (at, cell) in self.cells.iter().enumerate() {
            let x = self.root(at, module);
            if module == if cell.outside { 0 } else { cell.module } {
                match cell.rule {
                    Rule::Slot => all.push(format!("rely {x}'[tid] == {x}[tid];")),
                    Rule::Locked => {
                        let m = self.lock(cell.module, module);
                        all.push(format!("rely {m} == tid ==> {x}' == {x};"));
                    }
                    Rule::Grows => all.push(format!("rely {x}' >= {x};")),
                    Rule::Owned => all.push(format!("rely tid == T1 ==> {x}' == {x};")),
                    Rule::Free => {}
                }
            }
            if module == if cell.invariants_outside { 0 } else { cell.module } {
                self.invariants(at, module, &mut all);
            }
        }
        all
    }

    fn invariants(&self, at: usize, from: usize, all: &mut Vec<String>) {
        let cell = &self.cells[at];
        let (mut x, mut quantifier) = (self.root(at, from), "");
        if cell.rule == Rule::Slot {
            x.push_str("[i]");
            quantifier = "forall i: Tid :: ";
        }
        if cell.even {
            all.push(format!("invariant {quantifier}{x} % 2 == 0;"));
        }
        if cell.floor {
            all.push(format!("invariant {quantifier}{x} >= 0;"));
        }
        if let Some(twin) = cell.twin.filter(|&twin| twin < at) {
            let y = self.root(twin, from);
            all.push(format!("invariant {} == {y};", self.root(at, from)));
        }
    }
}

fn letter(rule: Rule) -> &'static str {
    match rule {
        Rule::Slot => "s",
        Rule::Locked => "x",
        Rule::Grows => "g",
        Rule::Owned => "o",
        Rule::Free => "f",
    }
}
