//! The shared part of a random program.

use super::rng::Rng;
use std::fmt::Write as _;

/// A type of a shared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    /// `0..3`
    Range,
    Bool,
    /// `Mode`
    Enum,
    Tid,
    /// `set<Tid>`
    TidSet,
    /// `[Tid]int`
    TidMap,
    /// `[0..2]bool`
    Flags,
    /// `[Mode]int`
    ModeMap,
}

/// The threads that may write a variable, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// Who holds this mutex.
    Lock(String),
    /// This thread.
    Owner(String),
    /// Anybody, but it only grows: a number, a truth value that stays, a set.
    Grows,
    /// Each thread its own entry or its own membership.
    Slot,
    /// Nobody.
    Fixed,
    /// Anybody, anything.
    Free,
}

/// A shared variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) guard: Guard,
    /// Whether a value that holds when its lock is free is part of the invariants.
    pub(super) restored: bool,
}

/// A thread or a family.
#[derive(Clone, Debug)]
pub(super) struct ThreadHead {
    pub(super) name: String,
    /// Empty, `[2]`, `[*]`, `[N]`.
    pub(super) copies: &'static str,
    pub(super) relies: String,
}

/// Everything outside of the threads.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) threads: Vec<ThreadHead>,
    pub(super) mutexes: Vec<String>,
    pub(super) vars: Vec<Var>,
    /// Whether there are procedures.
    pub(super) procs: bool,
}

const CROWDS: &[&[(&str, &str)]] = &[
    &[("T1", "")],
    &[("T1", ""), ("T2", "")],
    &[("T1", ""), ("T2", "")],
    &[("T1", ""), ("T2", ""), ("T3", "")],
    &[("W", "[2]")],
    &[("W", "[*]")],
    &[("T1", ""), ("W", "[*]")],
    &[("T1", ""), ("W", "[2]")],
    &[("V", "[*]"), ("W", "[*]")],
    &[("W", "[N]")],
];

const KINDS: &[Kind] = &[
    Kind::Int,
    Kind::Int,
    Kind::Int,
    Kind::Range,
    Kind::Range,
    Kind::Bool,
    Kind::Bool,
    Kind::Enum,
    Kind::Tid,
    Kind::TidSet,
    Kind::TidMap,
    Kind::Flags,
    Kind::ModeMap,
];

impl Shared {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let crowd = rng.pick(CROWDS);
        let head = |&(name, copies): &(&str, &'static str)| ThreadHead {
            name: name.to_owned(),
            copies,
            relies: String::new(),
        };
        let mut shared = Self {
            threads: crowd.iter().map(head).collect(),
            mutexes: ["m", "n"]
                .iter()
                .take(*rng.pick(&[0, 1, 1, 1, 2]))
                .map(|&m| m.to_owned())
                .collect(),
            vars: Vec::new(),
            procs: rng.percent(35),
        };
        for at in 0..=rng.below(4) {
            let kind = *rng.pick(KINDS);
            let guard = shared.guard(rng, kind);
            let restored = matches!(guard, Guard::Lock(_)) && rng.percent(50);
            shared.vars.push(Var { name: format!("{}{at}", letter(kind)), kind, guard, restored });
        }
        shared.own_relies(rng);
        shared
    }

    fn guard(&self, rng: &mut Rng, kind: Kind) -> Guard {
        let single: Vec<&ThreadHead> =
            self.threads.iter().filter(|thread| thread.copies.is_empty()).collect();
        for _ in 0..6 {
            match rng.below(8) {
                0..=2 if !self.mutexes.is_empty() => {
                    return Guard::Lock(rng.pick(&self.mutexes).clone());
                }
                3 | 4 if !single.is_empty() => return Guard::Owner(rng.pick(&single).name.clone()),
                5 if matches!(kind, Kind::Int | Kind::Bool | Kind::TidSet) => return Guard::Grows,
                6 if matches!(kind, Kind::TidMap | Kind::TidSet) => return Guard::Slot,
                7 => return if rng.percent(60) { Guard::Free } else { Guard::Fixed },
                _ => {}
            }
        }
        Guard::Free
    }

    /// The owner's own relies: nobody else changes its variable.
    fn own_relies(&mut self, rng: &mut Rng) {
        for thread in &mut self.threads {
            for var in &self.vars {
                if var.guard == Guard::Owner(thread.name.clone()) && rng.percent(40) {
                    let joint = if thread.relies.is_empty() { "" } else { ";" };
                    let _ = write!(thread.relies, "{joint} rely {0}' == {0}", var.name);
                }
            }
        }
    }

    /// The text before the threads. With a slip, one of the relies may be missing or too weak.
    pub(super) fn declarations(&self, rng: &mut Rng, slip: bool) -> String {
        let mut text = String::new();
        if self.threads.iter().any(|thread| thread.copies == "[N]") {
            text.push_str(if rng.percent(50) { "const N: int = 2;\n" } else { "const N: int;\n" });
        }
        if self.vars.iter().any(|var| matches!(var.kind, Kind::Enum | Kind::ModeMap)) {
            text.push_str("enum Mode { Idle, Busy, Done }\n");
        }
        for var in &self.vars {
            let _ = writeln!(text, "var {}: {}{};", var.name, ty(var.kind), initial(rng, var));
        }
        for mutex in &self.mutexes {
            let _ = writeln!(text, "mutex {mutex};");
        }
        for var in &self.vars {
            let open = matches!(var.guard, Guard::Free | Guard::Fixed);
            if var.kind == Kind::Int && open && rng.percent(10) {
                let _ =
                    writeln!(text, "init {} {};", var.name, rng.pick(&[">= 0", "!= 2", "<= 2"]));
            }
        }
        let mut formulas = self.relies(rng);
        formulas.extend(self.invariants(rng));
        if slip && !formulas.is_empty() {
            let at = rng.below(formulas.len());
            formulas.remove(at);
        }
        for formula in formulas {
            let _ = writeln!(text, "{formula};");
        }
        if self.procs {
            text.push_str(&self.procedures());
        }
        text
    }

    fn relies(&self, rng: &mut Rng) -> Vec<String> {
        let mut all = Vec::new();
        for mutex in &self.mutexes {
            all.push(match rng.below(4) {
                0 => format!("rely {mutex} == tid <==> {mutex}' == tid"),
                1 => format!("rely {mutex} == tid ==> {mutex}' == tid"),
                _ => format!("rely {mutex} == tid ==> {mutex}' == {mutex}"),
            });
        }
        for var in &self.vars {
            let x = &var.name;
            match &var.guard {
                Guard::Lock(mutex) if rng.percent(20) => {
                    all.push(format!(
                        "rely guarded_{x}: {mutex} == tid ==> {mutex}' == {mutex} && {x}' == {x}"
                    ));
                }
                Guard::Lock(mutex) => all.push(format!("rely {mutex} == tid ==> {x}' == {x}")),
                Guard::Owner(name) => {
                    let head = self.threads.iter().find(|thread| thread.name == *name);
                    let said = head.is_some_and(|head| head.relies.contains(&format!("{x}' ==")));
                    if !said {
                        all.push(format!("rely tid == {name} ==> {x}' == {x}"));
                    }
                }
                Guard::Grows => all.push(match var.kind {
                    Kind::Bool => format!("rely {x} ==> {x}'"),
                    Kind::TidSet => format!("rely {x} <= {x}'"),
                    _ => format!("rely {x}' >= {x}"),
                }),
                Guard::Slot if var.kind == Kind::TidSet => {
                    all.push(format!("rely tid in {x} <==> tid in {x}'"));
                }
                Guard::Slot if rng.percent(25) => {
                    all.push(format!("rely forall i: Tid :: i == tid ==> {x}'[i] == {x}[i]"));
                }
                Guard::Slot => all.push(format!("rely {x}'[tid] == {x}[tid]")),
                Guard::Fixed => all.push(format!("rely {x}' == {x}")),
                Guard::Free => {}
            }
        }
        if rng.percent(6) {
            all.push("rely true".to_owned());
        }
        all
    }

    fn invariants(&self, rng: &mut Rng) -> Vec<String> {
        let mut all = Vec::new();
        for var in &self.vars {
            let x = &var.name;
            if let (true, Guard::Lock(mutex)) = (var.restored, &var.guard) {
                all.push(format!("invariant {mutex} == 0 ==> {}", restored(var)));
            } else if rng.percent(25) {
                all.push(match var.kind {
                    Kind::Int => format!("invariant {x} >= 0"),
                    Kind::Range => format!("invariant {x} <= {}", rng.pick(&[3, 3, 2])),
                    Kind::Bool => format!("never {x} && !{x}"),
                    Kind::Enum => format!("invariant {x} != Done"),
                    Kind::Tid => format!("invariant {x} == {x}"),
                    Kind::TidSet => format!("invariant 0 !in {x}"),
                    Kind::TidMap => format!("invariant forall i: Tid :: {x}[i] >= 0"),
                    Kind::Flags => format!("invariant {x}[0] || !{x}[0]"),
                    Kind::ModeMap => format!("never {x}[Busy] < 0"),
                });
            }
        }
        all
    }

    fn procedures(&self) -> String {
        let mut text = String::from(
            "proc twice(v: int) returns (w: int) { w := v; w := w + v; }\n\
             proc pick(b: bool): int { if (b) { return 1; } return 2; }\n",
        );
        for mutex in &self.mutexes {
            let _ = writeln!(text, "proc lock_{mutex}() {{ acquire {mutex}; }}");
            let _ = writeln!(text, "proc unlock_{mutex}() {{ release {mutex}; }}");
            let _ = writeln!(
                text,
                "proc try_{mutex}(): bool {{ var ok: bool := false; ok := cas({mutex}, 0, tid); return ok; }}"
            );
        }
        for var in self.vars.iter().filter(|var| var.kind == Kind::Int) {
            let x = &var.name;
            let _ = writeln!(text, "proc get_{x}(): int {{ return {x}; }}");
            let _ = writeln!(text, "proc put_{x}(v: int) {{ {x} := v; }}");
        }
        text
    }
}

fn initial(rng: &mut Rng, var: &Var) -> &'static str {
    let fixed = rng.percent(75) || var.restored;
    match var.kind {
        _ if !fixed => "",
        Kind::Int | Kind::Range => [" = 0", " = 0", " = 1"][rng.below(3)],
        Kind::Bool => " = false",
        Kind::Enum => " = Idle",
        Kind::Tid => " = 0",
        Kind::TidSet => " = {}",
        Kind::TidMap | Kind::ModeMap => " = [_ => 0]",
        Kind::Flags => " = [_ => false]",
    }
}

/// The formula about a protected variable while its lock is free.
pub(super) fn restored(var: &Var) -> String {
    let x = &var.name;
    match var.kind {
        Kind::Int => format!("{x} >= 0"),
        Kind::Range => format!("{x} <= 1"),
        Kind::Bool => format!("!{x}"),
        Kind::Enum => format!("{x} == Idle"),
        Kind::Tid => format!("{x} == 0"),
        Kind::TidSet => format!("{x} == {{}}"),
        Kind::TidMap => format!("{x}[0] == 0"),
        Kind::Flags => format!("!{x}[1]"),
        Kind::ModeMap => format!("{x}[Idle] == 0"),
    }
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "x",
        Kind::Range => "r",
        Kind::Bool => "b",
        Kind::Enum => "e",
        Kind::Tid => "t",
        Kind::TidSet => "s",
        Kind::TidMap => "a",
        Kind::Flags => "f",
        Kind::ModeMap => "c",
    }
}

fn ty(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "int",
        Kind::Range => "0..3",
        Kind::Bool => "bool",
        Kind::Enum => "Mode",
        Kind::Tid => "Tid",
        Kind::TidSet => "set<Tid>",
        Kind::TidMap => "[Tid]int",
        Kind::Flags => "[0..2]bool",
        Kind::ModeMap => "[Mode]int",
    }
}
