//! Random procedures over small numbers, with specifications that follow from how they were made,
//! and random claims: relies, invariants, postconditions, assertions, most of them wrong.
//!
//! A claim stands on a line of its own that ends in [`CLAIM`]. Claims that are not proved are
//! dropped, until all others are ([`crate::differential`]). So the rest is all that the verifier
//! believes, and the oracle judges that. Most relies belong to a single thread and no procedure
//! knows them: only specifications keep them.

mod bodies;
mod specification;

use super::Rng;
use specification::{Spec, actions, spec_text};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The end of a line that may be dropped.
pub(crate) const CLAIM: &str = " //?";

/// How such programs begin.
pub(crate) const HEADER: &str = "// claims";

/// Values are below this.
const LIMIT: usize = 3;

/// A procedure.
#[derive(Clone, Debug)]
struct Proc {
    name: String,
    module: &'static str,
    param: bool,
    /// The largest result, if there is one.
    result: Option<usize>,
    spec: Vec<Spec>,
    /// The variables that it and its callees change without an action.
    scribbles: BTreeSet<String>,
    text: String,
}

/// The text so far. In formulas `@x` is the shared variable `x`, whose name depends on the module
/// it is seen from.
struct Writer<'r> {
    rng: &'r mut Rng,
    vars: Vec<(char, &'static str)>,
    procs: Vec<Proc>,
    /// Whether there is a lock `m` which guards `w`.
    guarded: bool,
    /// Whether procedures are few and short, so that little can hide a fault.
    small: bool,
    /// The variables that the current body changes without an action.
    scribbles: BTreeSet<String>,
    /// The number of mistakes that may still be made in specifications.
    slips: usize,
}

/// The program of a seed.
pub(super) fn program(rng: &mut Rng) -> String {
    let mut vars = vec![('x', "A"), ('y', *rng.pick(&["A", "B", ""]))];
    if rng.percent(40) {
        vars.push(('z', *rng.pick(&["A", "B", ""])));
    }
    let guarded = rng.percent(25);
    let slips = *rng.pick(&[0, 0, 1, 1, 2]);
    let scribbles = BTreeSet::new();
    let small = !guarded && rng.percent(55);
    let mut writer = Writer { rng, vars, procs: Vec::new(), guarded, small, scribbles, slips };
    let most = if small { 2 } else { 3 };
    for _ in 0..=writer.rng.below(most) {
        writer.procedure();
    }
    writer.finish()
}

impl Writer<'_> {
    fn finish(mut self) -> String {
        let single = self.rng.percent(80);
        let two = if self.small { 60 } else { 40 };
        let crowd: &[&str] = match (single, self.rng.percent(two)) {
            (true, true) => &["U", "V"],
            (true, false) => &["U"],
            (false, _) => &["U[2]"],
        };
        let relies = self.relies(single);
        let invariants = self.invariants();
        let mut text = format!("{HEADER}\n");
        for module in ["A", "B", ""] {
            if !module.is_empty() {
                let _ = writeln!(text, "module {module} {{");
            }
            for (name, _) in self.vars.iter().filter(|(_, home)| *home == module) {
                let _ = writeln!(text, "var {name}: 0..{} = 0;", LIMIT - 1);
            }
            if module.is_empty() && self.guarded {
                let _ = writeln!(text, "mutex m;\nvar w: 0..{} = 0 guarded by m;", LIMIT - 1);
            }
            for (_, formula) in relies.iter().filter(|(home, _)| *home == module) {
                let _ = writeln!(text, "rely {};{CLAIM}", self.seen_from(module, formula));
            }
            for (_, formula) in invariants.iter().filter(|(home, _)| *home == module) {
                let _ = writeln!(text, "invariant {};{CLAIM}", self.seen_from(module, formula));
            }
            for proc in self.procs.iter().filter(|proc| proc.module == module) {
                text.push_str(&proc.text);
            }
            text.push_str(if module.is_empty() { "" } else { "}\n" });
        }
        // A procedure that is never called shows nothing.
        let mut uncalled = self.procs.clone();
        for (at, name) in crowd.iter().enumerate() {
            let some = uncalled.len().div_ceil(crowd.len() - at);
            let own = uncalled.split_off(uncalled.len() - some);
            let body = self.thread(own);
            let _ = writeln!(text, "thread {name} {{\n{body}}}");
        }
        text.push_str("thread T\n");
        for _ in 0..4 + self.rng.below(5) {
            let formula = self.relation();
            let _ = writeln!(text, "  rely {}{CLAIM}", self.seen_from("", &formula));
        }
        text.push_str("{ skip; }\n");
        text
    }

    fn relies(&mut self, single: bool) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        for (name, home) in self.vars.clone() {
            let module = *self.rng.pick(&[home, home, "", "A", "B"]);
            let value = self.rng.below(LIMIT);
            let kept = format!("@{name}' == @{name}");
            if single && self.rng.percent(70) {
                all.push((module, format!("tid == U ==> {kept}")));
            }
            if self.rng.percent(30) {
                all.push((module, format!("@{name}' >= @{name}")));
            }
            if self.rng.percent(30) {
                all.push((module, format!("@{name} == {value} ==> {kept}")));
            }
        }
        for _ in 0..self.rng.below(3) {
            all.push((*self.rng.pick(&["A", "B", ""]), self.relation()));
        }
        all
    }

    fn invariants(&mut self) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        for _ in 0..=self.rng.below(4) {
            let (one, two) = (self.var(), self.var());
            let (low, high) = (self.rng.below(LIMIT), 1 + self.rng.below(LIMIT - 1));
            let formula = match self.rng.below(3) {
                0 => format!("{one} <= {two}"),
                1 => format!("{one} != {high}"),
                _ => format!("{one} == {high} ==> {two} != {low}"),
            };
            all.push((*self.rng.pick(&["A", "B", ""]), formula));
        }
        all
    }

    /// Something about two stores.
    fn relation(&mut self) -> String {
        let (one, two) = (self.var(), self.var());
        let (from, to) = (self.rng.below(LIMIT), self.rng.below(LIMIT));
        match self.rng.below(6) {
            0 => format!("{one} == {from} ==> {one}' != {to}"),
            1 => format!("{one} != {from} ==> {one}' != {from}"),
            2 => format!("{one}' == {from} ==> {two} == {two}'"),
            3 => format!("{one}' >= {one}"),
            4 => format!("{one}' != {one} ==> {two} == {to}"),
            _ => format!("{one}' != {one} ==> {two}' == {to}"),
        }
    }

    /// Calls of these procedures, and claims about their effects.
    fn thread(&mut self, mut procs: Vec<Proc>) -> String {
        let mut text = String::new();
        if procs.len() < 2 && self.rng.percent(50) {
            procs.push(self.rng.pick(&self.procs).clone());
        }
        for (call, proc) in procs.into_iter().enumerate() {
            let argument =
                if proc.param { self.rng.below(LIMIT).to_string() } else { String::new() };
            let name = qualified(&proc.name, proc.module, "");
            let target =
                proc.result.map_or(String::new(), |high| format!("var r{call}: 0..{high} := "));
            let _ = writeln!(text, "  {target}{name}({argument});");
            for _ in 0..4 + self.rng.below(4) {
                let (one, two, value) = (self.var(), self.var(), self.rng.below(LIMIT));
                let fact = (*self.rng.pick(&["@ != #", "@ == #", "@ >= %"])).replace('@', &one);
                let fact = fact.replace('#', &value.to_string()).replace('%', &two);
                let result = self.rng.below(LIMIT);
                let fact = match self.rng.below(5) {
                    0 if proc.result.is_some() => format!("r{call} != {result}"),
                    1 if proc.result.is_some() => format!("r{call} == {result} ==> {fact}"),
                    2 if proc.result.is_some() => format!("r{call} <= {result}"),
                    _ => fact,
                };
                let _ = writeln!(text, "  assert {};{CLAIM}", self.seen_from("", &fact));
            }
            for effect in self.last_effects(&proc.spec) {
                let fact = effect.replace('\'', "");
                let words = fact.split(' ').map(|word| if word == "n" { &argument } else { word });
                let fact = words.collect::<Vec<_>>().join(" ");
                let _ = writeln!(text, "  assert {};{CLAIM}", self.seen_from("", &fact));
            }
        }
        text
    }

    fn var(&mut self) -> String {
        format!("@{}", self.rng.pick(&self.vars).0)
    }

    /// The formula with the names that variables have in this module.
    fn seen_from(&self, module: &str, formula: &str) -> String {
        let mut text = formula.to_owned();
        for (name, home) in &self.vars {
            text = text.replace(&format!("@{name}"), &qualified(&name.to_string(), home, module));
        }
        text
    }

    fn head(&mut self, proc: &Proc, atomic: bool) -> String {
        let param = if proc.param { format!("n: 0..{}", LIMIT - 1) } else { String::new() };
        let result = proc.result.map_or(String::new(), |high| format!(" returns (r: 0..{high})"));
        let atomic = if atomic { "atomic " } else { "" };
        let mut text = format!("{atomic}proc {}({param}){result}\n", proc.name);
        if self.rng.percent(15) {
            let formula = self.literal(false);
            let _ = writeln!(text, "  requires {};{CLAIM}", self.seen_from(proc.module, &formula));
        }
        let mut scribbled = proc.scribbles.clone();
        if self.rng.percent(5) {
            scribbled.insert(self.var());
        }
        let scribbled = Vec::from_iter(scribbled).join(", ");
        let _ = writeln!(text, "  modifies {};", self.seen_from(proc.module, &scribbled));
        let mut spec = String::new();
        spec_text(self.rng, &mut self.slips, &proc.spec, &mut spec);
        text.push_str(&self.seen_from(proc.module, &spec));
        for claim in self.last_effects(&proc.spec) {
            let _ = writeln!(text, "  ensures {}{CLAIM}", self.seen_from(proc.module, &claim));
        }
        for _ in 0..=self.rng.below(3) {
            let mut claim = self.literal(true);
            if proc.param && self.rng.percent(30) {
                claim = format!("{}' {} n", self.var(), self.rng.pick(&["==", "<="]));
            }
            if proc.result.is_some() && self.rng.percent(60) {
                let other = self.operand(false);
                claim = format!("r {} {other}", self.rng.pick(&["==", "!=", "<="]));
            }
            if self.rng.percent(40) {
                claim = format!("{claim} ==> {}", self.literal(true));
            }
            let _ = writeln!(text, "  ensures {}{CLAIM}", self.seen_from(proc.module, &claim));
        }
        text
    }

    /// The facts that the actions give about the stores after them, as if nothing happened later.
    fn last_effects(&mut self, spec: &[Spec]) -> Vec<String> {
        let mut all = Vec::new();
        actions(spec, &mut all);
        let parts = all.into_iter().rev().flat_map(|one| match one {
            Spec::Action(_, parts) => parts,
            _ => Vec::new(),
        });
        let effects = parts.filter(|part| part.contains('\''));
        effects.filter(|_| self.rng.percent(60)).take(3).collect()
    }

    fn literal(&mut self, primes: bool) -> String {
        let prime = if primes && self.rng.percent(50) { "'" } else { "" };
        let (var, other) = (self.var(), self.operand(false));
        format!("{var}{prime} {} {other}", self.rng.pick(&["==", "!=", "<="]))
    }

    fn operand(&mut self, param: bool) -> String {
        match self.rng.below(10) {
            0..3 => self.var(),
            3 | 4 if param => "n".to_owned(),
            5..8 if param && self.small => "n".to_owned(),
            _ => self.rng.below(LIMIT).to_string(),
        }
    }
}

fn qualified(name: &str, home: &str, from: &str) -> String {
    if home.is_empty() || home == from { name.to_owned() } else { format!("{home}.{name}") }
}
