//! A class: its sync-state machine, and a type with what a thread can do inside.

use super::names::{Names, fresh, part};
use crate::design::{Class, GuardPart, Transition, Value};
use crate::syntax::TransitionKind;
use crate::system::System;
use std::collections::BTreeSet;
use std::fmt::Write;

pub(crate) fn write(class: &Class, system: &System, names: &Names, text: &mut String) {
    let id = system.classes.iter().position(|one| one.name == class.name).unwrap_or(0);
    let name = names.class(id);
    let of = &class.name;
    let looks = "#[allow(non_camel_case_types)]";
    if !class.is_root {
        let _ = writeln!(text, "/// What is in a unit of class `{of}`.");
        let _ = writeln!(text, "{looks}\n#[derive(Debug, Default)]\npub struct {name}Data {{}}\n");
    }
    let whose = if class.is_root { "as" } else { "inside of" };
    let _ = writeln!(text, "/// What a thread can do {whose} a unit of class `{of}`.");
    let _ = writeln!(text, "{looks}\n#[derive(Debug)]\npub struct {name}<'r> {{");
    let _ =
        writeln!(text, "    /// What the thread holds.\n    pub realm: &'r mut szumo::Realm,\n}}");
    let _ = writeln!(text, "\nimpl {name}<'_> {{");
    machine(class, system, text);
    let mut used = BTreeSet::from(["class".to_owned()]);
    moves(class, &mut used, text);
    calls(class, system, names, &mut used, text);
    text.push_str("}\n");
}

fn machine(class: &Class, system: &System, text: &mut String) {
    let kind = if class.is_root { "root" } else { "unit" };
    let variable = |at: usize| class.variables[at].name.as_str();
    let state = |at: usize| class.states[at].name.as_str();
    let _ =
        writeln!(text, "    /// The sync-state machine.\n    pub fn class() -> szumo::Class {{");
    let _ = writeln!(text, "        szumo::Class::{kind}({:?})", class.name.as_str());
    for one in &class.variables {
        let of = system.classes[one.class].name.as_str();
        let _ = writeln!(text, "            .variable({:?}, {of:?})", one.name.as_str());
    }
    for one in &class.states {
        let needs: Vec<&str> = one.entails.iter().map(|&at| variable(at)).collect();
        let _ = writeln!(text, "            .state({:?}, &{needs:?})", one.name.as_str());
    }
    if class.initial != 0 {
        let _ = writeln!(text, "            .initial({:?})", state(class.initial));
    }
    for one in &class.states {
        for call in &one.calls {
            let (through, operation) = (variable(call.variable), call.operation.as_str());
            let from = one.name.as_str();
            let _ = writeln!(text, "            .calls({from:?}, {through:?}, {operation:?})");
        }
    }
    for one in &class.transitions {
        let (kind, label) = (word(one.kind), one.label.as_str());
        let ends = (state(one.from), state(one.to));
        let _ = write!(text, "            .transition(szumo::Transition::{kind}({label:?}, ");
        let _ = write!(text, "{:?}, {:?})", ends.0, ends.1);
        for GuardPart { left, equal, right } in &one.guard {
            let how = if *equal { "equal" } else { "differ" };
            let _ = write!(text, ".{how}({:?}, {:?})", variable(*left), right.map(variable));
        }
        for assign in &one.assigns {
            let value = value(class, system, &assign.value);
            let _ = write!(text, ".assign({:?}, szumo::Value::{value})", variable(assign.variable));
        }
        text.push_str(")\n");
    }
    text.push_str("    }\n");
}

fn value(class: &Class, system: &System, value: &Value) -> String {
    let variable = |at: usize| class.variables[at].name.as_str();
    match *value {
        Value::Nil => "Nil".to_owned(),
        Value::Variable(other) => format!("variable({:?})", variable(other)),
        Value::Path(through, field) => {
            let other = &system.classes[class.variables[through].class];
            format!("path({:?}, {:?})", variable(through), other.variables[field].name.as_str())
        }
        Value::Any(other) => format!("any({:?})", system.classes[other].name.as_str()),
    }
}

/// A function for each name of a transition. Operations of suppliers begin and end by calls.
fn moves(class: &Class, used: &mut BTreeSet<String>, text: &mut String) {
    let mut seen = BTreeSet::new();
    for one in &class.transitions {
        let is_own = class.is_root || one.kind == TransitionKind::Step;
        if !is_own || !seen.insert((one.kind, one.label.clone())) {
            continue;
        }
        let (kind, label) = (word(one.kind), one.label.as_str());
        let name = fresh(format!("{kind}_{}", part(label)), used);
        let chooses = chooses(class, one.kind, label);
        let (parameter, chosen) =
            if chooses { (", chosen: &[szumo::UnitId]", "chosen") } else { ("", "&[]") };
        let more = if chooses { "; `chosen` are the units for `any`" } else { "" };
        let _ = writeln!(text, "\n    /// `{kind} {label}`{more}.");
        let _ = writeln!(
            text,
            "    pub fn {name}(&mut self{parameter}) -> Result<(), szumo::Error> {{"
        );
        let _ = writeln!(text, "        self.realm.{kind}({label:?}, {chosen})\n    }}");
    }
}

fn calls(
    class: &Class,
    system: &System,
    names: &Names,
    used: &mut BTreeSet<String>,
    text: &mut String,
) {
    let mut seen = BTreeSet::new();
    for call in class.states.iter().flat_map(|state| &state.calls) {
        if !seen.insert((call.variable, call.operation.clone())) {
            continue;
        }
        let variable = &class.variables[call.variable];
        let (through, operation) = (variable.name.as_str(), call.operation.as_str());
        let callee = &system.classes[variable.class];
        let name = fresh(format!("call_{}_{}", part(through), part(operation)), used);
        let at = if variable.many { "at: usize, " } else { "" };
        let place = if variable.many { ".get(at)" } else { ".first()" };
        let kinds = [TransitionKind::Before, TransitionKind::After];
        let chooses = kinds.iter().any(|&kind| chooses(callee, kind, operation));
        let (chosen, [begin, end]) = if chooses {
            ("chosen: [&[szumo::UnitId]; 2], ", ["chosen[0]", "chosen[1]"])
        } else {
            ("", ["&[]", "&[]"])
        };
        let inside = names.class(variable.class);
        let _ = write!(
            text,
            "
    /// Calls `{operation}` of `{through}`, and does `body` inside. \
                If the body fails, the thread stays inside.
    pub fn {name}<R>(&mut self, {at}{chosen}body: impl FnOnce(&mut {inside}<'_>) -> Result<R, szumo::Error>) -> Result<R, szumo::Error> {{
        let unit = self.realm.bound({variable}){place}.copied().ok_or(szumo::Error::Access {{ unit: None }})?;
        self.realm.call(unit, {operation:?}, {begin})?;
        let result = body(&mut {inside} {{ realm: &mut *self.realm }})?;
        self.realm.finish({end})?;
        Ok(result)
    }}
",
            variable = call.variable,
        );
    }
}

/// Whether the user chooses units in some transition of this name.
fn chooses(class: &Class, kind: TransitionKind, label: &str) -> bool {
    let is_meant = |one: &&Transition| one.kind == kind && one.label.as_str() == label;
    let mut all = class.transitions.iter().filter(is_meant).flat_map(|one| &one.assigns);
    all.any(|assign| matches!(assign.value, Value::Any(_)))
}

fn word(kind: TransitionKind) -> &'static str {
    match kind {
        TransitionKind::Before => "before",
        TransitionKind::After => "after",
        TransitionKind::Step => "step",
    }
}
