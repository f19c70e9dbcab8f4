//! Programs with procedures that call themselves and each other, over a few bits of shared store.

use super::Rng;
use std::fmt::Write as _;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Truth,
}

struct Procedure {
    param: Option<Kind>,
    result: Option<Kind>,
}

/// The program of a seed; the same seed gives the same text.
pub fn recursive_program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let kinds = [None, Some(Kind::Number), Some(Kind::Truth)];
    let count = 1 + rng.below(2);
    let procedures: Vec<Procedure> = (0..count)
        .map(|_| Procedure { param: *rng.pick(&kinds), result: *rng.pick(&kinds) })
        .collect();
    let mut text = "mutex m;\nvar x: 0..2 = 0;\nvar b: bool = false;\nvar t: Tid = 0;\n".to_owned();
    if rng.percent(30) {
        text += "invariant m == 0 ==> !b;\n";
    }
    for (at, procedure) in procedures.iter().enumerate() {
        let mut writer = Writer { rng: &mut rng, procedures: &procedures, names: Vec::new() };
        writer.names.extend(procedure.param.map(|kind| ("p", kind)));
        writer.names.extend(procedure.result.map(|kind| ("r", kind)));
        let param = procedure.param.map_or(String::new(), |kind| format!("p: {}", ty(kind)));
        let result = procedure.result;
        let result = result.map_or(String::new(), |kind| format!(" returns (r: {})", ty(kind)));
        let body = writer.body(2, procedure.result);
        let _ = writeln!(text, "proc f{at}({param}){result} {{\n{body}}}");
    }
    let copies = *rng.pick(&["[2]", "[*]", ""]);
    for (name, copies) in [("P", copies), ("Q", "")].into_iter().take(1 + rng.below(2)) {
        let mut writer = Writer { rng: &mut rng, procedures: &procedures, names: Vec::new() };
        let body = writer.body(3, None);
        let _ = writeln!(text, "thread {name}{copies} {{\n{body}}}");
    }
    text
}

fn ty(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "0..2",
        Kind::Truth => "bool",
    }
}

struct Writer<'a> {
    rng: &'a mut Rng,
    procedures: &'a [Procedure],
    /// Local variables.
    names: Vec<(&'static str, Kind)>,
}

impl Writer<'_> {
    fn body(&mut self, depth: usize, result: Option<Kind>) -> String {
        let mut text = String::new();
        if self.rng.percent(40) {
            let kind = *self.rng.pick(&[Kind::Number, Kind::Truth]);
            let value = self.value(kind);
            let _ = writeln!(text, "  var l: {} := {value};", ty(kind));
            self.names.push(("l", kind));
        }
        text += &self.block(depth);
        if let Some(kind) = result.filter(|_| self.rng.percent(60)) {
            let _ = writeln!(text, "  return {};", self.value(kind));
        }
        text
    }

    fn block(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.rng.below(3) {
            let _ = writeln!(text, "  {}", self.stmt(depth));
        }
        text
    }

    fn stmt(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 9 } else { 13 }) {
            0 => "acquire m;".to_owned(),
            1 => "release m;".to_owned(),
            2 => format!("assert {};", self.value(Kind::Truth)),
            3 => "cas(t, 0, tid);".to_owned(),
            4 => {
                let (one, other) = (self.assignment(), self.assignment());
                format!("atomic {{ {one} {other} }}")
            }
            5 => self.assignment(),
            6 => format!("havoc {};", self.rng.pick(&["x", "b"])),
            7 | 8 => self.call(),
            9 | 10 => {
                let cond =
                    if self.rng.percent(50) { "*".to_owned() } else { self.value(Kind::Truth) };
                format!("if ({cond}) {{\n{}  }}", self.block(depth - 1))
            }
            11 => format!("while (*) {{\n{}  }}", self.block(depth - 1)),
            _ => {
                let (one, other) = (self.block(depth - 1), self.block(depth - 1));
                format!("choose {{\n{one}  }} or {{\n{other}  }}")
            }
        }
    }

    fn assignment(&mut self) -> String {
        let kind = *self.rng.pick(&[Kind::Number, Kind::Truth]);
        let (place, value) = (self.place(kind), self.value(kind));
        format!("{place} := {value};")
    }

    fn call(&mut self) -> String {
        let at = self.rng.below(self.procedures.len());
        let procedure = &self.procedures[at];
        let argument = procedure.param.map_or(String::new(), |kind| self.value(kind));
        let result = procedure.result.map_or(String::new(), |kind| self.place(kind) + " := ");
        format!("{result}f{at}({argument});")
    }

    /// A variable of this kind, a shared one or an own one.
    fn place(&mut self, kind: Kind) -> String {
        let shared = if kind == Kind::Number { "x" } else { "b" };
        let own = self.names.iter().filter(|(_, of)| *of == kind).map(|(name, _)| *name);
        let all: Vec<&str> = own.chain([shared]).collect();
        (*self.rng.pick(&all)).to_owned()
    }

    fn value(&mut self, kind: Kind) -> String {
        let one = self.place(kind);
        let number = self.rng.below(3);
        match (kind, self.rng.below(6)) {
            (Kind::Number, 0) => format!("{one} + 1"),
            (Kind::Number, 1) => format!("{one} - 1"),
            (Kind::Number, 2 | 3) => number.to_string(),
            (Kind::Number, _) | (Kind::Truth, 0) => one,
            (Kind::Truth, 1) => format!("!{one}"),
            (Kind::Truth, 2) => format!("{} < {number}", self.place(Kind::Number)),
            (Kind::Truth, 3) => "m == tid".to_owned(),
            (Kind::Truth, 4) => "t != tid".to_owned(),
            (Kind::Truth, _) => format!("{} == {number}", self.place(Kind::Number)),
        }
    }
}
