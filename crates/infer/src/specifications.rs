//! Specifications of procedures that have none and cannot be inlined: those that are recursive, and
//! those that are called too often in a program that is too large with all of them inlined.
//!
//! What a procedure writes stands in its code, and is inserted whatever else is found: as
//! `modifies`, or as the action of the step that writes it. What holds when it is called and when
//! it ends is tried like any other formula.

use crate::candidate::{Candidate, Place};
use crate::sketch::Insertion;
use crate::vocabulary::Vocabulary;
use crate::words::Words;
use plato::hir::{Body, Expr, GlobalId, LocalId, ProcId, Program, Root, Stmt, StmtKind, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A procedure that needs a specification.
#[derive(Clone, Debug)]
pub(crate) struct Needed {
    pub(crate) id: ProcId,
    /// Whether it may call itself.
    is_recursive: bool,
}

/// Above this many statements with all calls inlined, procedures get specifications.
const LARGE: usize = 20_000;

/// The procedures that need a specification.
pub(crate) fn needed(program: &Program) -> Vec<Needed> {
    let ids = || (0..program.procs.len()).map(ProcId::from_index);
    let callees: BTreeMap<ProcId, Vec<ProcId>> =
        ids().map(|id| (id, calls(&program.procs[id.index()].body))).collect();
    let reach = |from: ProcId| {
        let mut seen = BTreeSet::new();
        let mut rest = callees[&from].clone();
        while let Some(id) = rest.pop() {
            if seen.insert(id) && program.procs[id.index()].spec.is_none() {
                rest.extend(&callees[&id]);
            }
        }
        seen
    };
    let mut called: BTreeMap<ProcId, usize> = BTreeMap::new();
    let of_threads = program.threads.iter().flat_map(|thread| calls(&thread.body));
    for id in of_threads.chain(callees.values().flatten().copied()) {
        *called.entry(id).or_default() += 1;
    }
    let bare = |id: &ProcId| {
        let procedure = &program.procs[id.index()];
        procedure.spec.is_none() && !procedure.is_atomic
    };
    let is_large = || {
        let mut sizes = BTreeMap::new();
        let mut bodies = program.threads.iter().map(|thread| &thread.body);
        bodies.any(|body| inlined(program, body, &mut sizes) > LARGE)
    };
    let recursive: BTreeSet<ProcId> = ids().filter(|id| reach(*id).contains(id)).collect();
    let is_large = recursive.iter().all(|id| !bare(id)) && is_large();
    let is_needed = |id: &ProcId| {
        recursive.contains(id) || is_large && called.get(id).is_some_and(|count| *count > 1)
    };
    ids()
        .filter(bare)
        .filter(is_needed)
        .map(|id| Needed { id, is_recursive: recursive.contains(&id) })
        .collect()
}

/// The procedures that code calls, once for each call.
fn calls(body: &Body) -> Vec<ProcId> {
    let mut found = Vec::new();
    let mut rest: Vec<&Stmt> = body.stmts.iter().collect();
    while let Some(stmt) = rest.pop() {
        if let StmtKind::Call { callee, .. } = &stmt.kind {
            found.push(*callee);
        }
        rest.extend(stmt.blocks().into_iter().flatten());
    }
    found
}

/// How many statements code has with calls inlined; there is no recursion.
fn inlined(program: &Program, body: &Body, sizes: &mut BTreeMap<ProcId, usize>) -> usize {
    let mut size: usize = 0;
    let mut rest: Vec<&Stmt> = body.stmts.iter().collect();
    while let Some(stmt) = rest.pop() {
        size = size.saturating_add(1);
        if let StmtKind::Call { callee, .. } = &stmt.kind
            && program.procs[callee.index()].spec.is_none()
        {
            let known = sizes.get(callee).copied();
            let more = known.unwrap_or_else(|| {
                // Of a procedure that calls itself, no more is counted.
                sizes.insert(*callee, 0);
                inlined(program, &program.procs[callee.index()].body, sizes)
            });
            sizes.insert(*callee, more);
            size = size.saturating_add(more);
        }
        rest.extend(stmt.blocks().into_iter().flatten());
    }
    size
}

/// The clauses about what a procedure writes: all in `modifies`, or with an action for each
/// variable that one statement writes.
pub(crate) fn clauses(
    program: &Program,
    needed: &Needed,
    (at, with_actions): (usize, bool),
) -> Insertion {
    let procedure = &program.procs[needed.id.index()];
    let all = written(program, needed.id);
    let mut actions = String::new();
    let mut modified: Vec<&str> = Vec::new();
    for global in all {
        let name = program.globals[global.index()].name.as_str();
        let action = if with_actions { action(program, needed, global) } else { None };
        match action {
            Some(action) => actions += &action,
            None => modified.push(name),
        }
    }
    let mut text = match modified.as_slice() {
        [] if actions.is_empty() => "requires true; ".to_owned(),
        [] => String::new(),
        modified => format!("modifies {}; ", modified.join(", ")),
    };
    text += &actions;
    Insertion { at, text, owner: String::new(), about: Some(procedure.name.to_string()) }
}

/// The shared variables that a procedure writes, itself or in others that it calls.
fn written(program: &Program, id: ProcId) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    let mut entered = BTreeSet::from([id]);
    let mut rest: Vec<&Stmt> = program.procs[id.index()].body.stmts.iter().collect();
    while let Some(stmt) = rest.pop() {
        let mut roots: Vec<Root> = stmt.places().iter().map(|place| place.root).collect();
        match &stmt.kind {
            StmtKind::Action(action) => roots.extend(&action.modifies),
            StmtKind::Call { callee, .. } if entered.insert(*callee) => {
                let callee = &program.procs[callee.index()];
                match &callee.spec {
                    Some(spec) => {
                        found.extend(&spec.modifies);
                        found.extend(spec.actions.iter().flat_map(|action| &action.modifies));
                    }
                    None => rest.extend(&callee.body.stmts),
                }
            }
            _ => {}
        }
        found.extend(roots.into_iter().filter_map(|root| match root {
            Root::Global(id) => Some(id),
            Root::Local(_) => None,
        }));
        rest.extend(stmt.blocks().into_iter().flatten());
    }
    found
}

/// How often a statement is done in one call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Often {
    Once,
    Perhaps,
    Repeatedly,
}

/// The action of the only statement of a procedure that writes a variable, if what it writes can be
/// said of the store before and the parameters.
fn action(program: &Program, needed: &Needed, global: GlobalId) -> Option<String> {
    let procedure = &program.procs[needed.id.index()];
    let mut writes = Vec::new();
    writes_in(&procedure.body.stmts, global, Often::Once, &mut writes);
    let others = calls(&procedure.body).into_iter().filter(|id| *id != needed.id);
    if others.into_iter().any(|id| written(program, id).contains(&global)) {
        return None;
    }
    let [(value, often)] = writes.as_slice() else { return None };
    let copies = crate::vocabulary::copies(&procedure.body);
    let name = |root: Root| match root {
        Root::Global(id) => Some(program.globals[id.index()].name.to_string()),
        Root::Local(id) if procedure.params.contains(&id) => {
            Some(procedure.body.locals[id.index()].name.to_string())
        }
        Root::Local(id) => match &copies.get(&id)?.kind {
            plato::hir::ExprKind::Var { root: Root::Global(id), .. } => {
                Some(program.globals[id.index()].name.to_string())
            }
            _ => None,
        },
    };
    let value = Words { program, name: &name }.text((*value)?)?;
    let variable = &program.globals[global.index()].name;
    let action = format!("action modifies {variable} ensures {variable}' == {value}");
    Some(match often {
        _ if needed.is_recursive => format!("repeat {{ {action} }} "),
        Often::Once => format!("{action} "),
        Often::Perhaps => format!("optional {{ {action} }} "),
        Often::Repeatedly => format!("repeat {{ {action} }} "),
    })
}

/// The statements that write a variable, each with the value if it is an assignment.
fn writes_in<'a>(
    stmts: &'a [Stmt],
    global: GlobalId,
    often: Often,
    found: &mut Vec<(Option<&'a Expr>, Often)>,
) {
    for stmt in stmts {
        if let StmtKind::Action(action) = &stmt.kind
            && action.modifies.contains(&Root::Global(global))
        {
            found.push((None, often));
        }
        for place in stmt.places().into_iter().filter(|place| place.root == Root::Global(global)) {
            let value = match &stmt.kind {
                StmtKind::Assign(pairs) if place.indices.is_empty() => {
                    pairs.iter().find(|(one, _)| std::ptr::eq(one, place)).map(|(_, value)| value)
                }
                _ => None,
            };
            found.push((value, often));
        }
        let inside = match &stmt.kind {
            StmtKind::While { .. } => Often::Repeatedly,
            StmtKind::If { .. } | StmtKind::Choose(_) if often == Often::Once => Often::Perhaps,
            _ => often,
        };
        stmt.blocks().into_iter().for_each(|block| writes_in(block, global, inside, found));
    }
}

/// Limit on the parameters and results that are looked at.
const MANY: usize = 4;

/// What may hold when a procedure is called, and when it ends.
pub(crate) fn candidates(words: &Vocabulary<'_>, needed: &Needed, number: usize) -> Vec<Candidate> {
    let procedure = &words.program.procs[needed.id.index()];
    let locals = |ids: &[LocalId], wanted: fn(&Ty) -> bool| -> Vec<String> {
        let all = ids.iter().map(|id| &procedure.body.locals[id.index()]);
        let all = all.filter(|local| wanted(&local.ty)).take(MANY);
        all.map(|local| local.name.to_string()).collect()
    };
    let is_number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Range(..));
    let mut requires: Vec<Candidate> = Vec::new();
    let mut ensures: Vec<Candidate> = Vec::new();
    let mut at_call = |text: String| requires.push(Candidate::plain(Place::Requires(number), text));
    let mut at_end = |when: &str, text: String| {
        ensures.push(Candidate::under(Place::Ensures(number), when, text));
    };
    let parameters = locals(&procedure.params, is_number);
    let flags = locals(&procedure.results, |ty| *ty == Ty::Bool);
    for lock in words.globals(|ty| *ty == Ty::Tid).map(|lock| &lock.name) {
        at_call(format!("{lock} == tid"));
        at_call(format!("{lock} != tid"));
        at_end("", format!("{lock}' == tid"));
        at_end("", format!("{lock}' != tid"));
        for flag in &flags {
            at_end(flag, format!("{lock}' == tid"));
            at_end(&format!("!{flag}"), format!("{lock}' != tid"));
        }
    }
    for global in words.program.globals.iter().filter(|global| global.ty != Ty::Tid) {
        at_end("", format!("{0}' == {0}", global.name));
    }
    for number in words.globals(|ty| matches!(ty, Ty::Int | Ty::Range(..))).map(|one| &one.name) {
        at_end("", format!("{number}' >= {number}"));
        at_end("", format!("{number}' <= {number}"));
        for parameter in &parameters {
            at_end("", format!("{number}' == {number} + {parameter}"));
            at_end("", format!("{number}' == {number} - {parameter}"));
        }
        for result in locals(&procedure.results, is_number) {
            at_end("", format!("{result} == {number}'"));
            at_end("", format!("{result} == {number}"));
        }
    }
    for literal in &words.literals {
        for parameter in &parameters {
            at_call(format!("{parameter} >= {literal}"));
            at_call(format!("{parameter} <= {literal}"));
        }
        for result in locals(&procedure.results, is_number) {
            at_end("", format!("{result} >= {literal}"));
            at_end("", format!("{result} <= {literal}"));
        }
    }
    for result in locals(&procedure.results, is_number) {
        for parameter in &parameters {
            at_end("", format!("{result} == {parameter}"));
            at_end("", format!("{result} >= {parameter}"));
            at_end("", format!("{result} <= {parameter}"));
        }
    }
    requires.extend(ensures);
    requires
}

#[cfg(test)]
mod tests {
    use super::needed;
    use std::fmt::Write as _;

    fn check(text: &str, expected: &[&str]) {
        let (tree, faults) = plato::parse(source::FileId(0), text);
        assert!(faults.is_empty(), "{faults:?}");
        let program = plato::resolve(&tree, &[]).program;
        let names: Vec<&str> = needed(&program)
            .iter()
            .map(|one| program.procs[one.id.index()].name.as_str())
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn procedures_that_call_themselves() {
        let text = "proc even(n: int) { if (n > 0) { odd(n - 1); } } \
                    proc odd(n: int) { if (n > 0) { even(n - 1); } } \
                    proc other() { even(3); } thread T { other(); }";
        check(text, &["even", "odd"]);
    }

    #[test]
    fn procedures_with_a_specification_stay() {
        check("proc down(n: int) requires n >= 0; { down(n - 1); } thread T { down(3); }", &[]);
    }

    #[test]
    fn procedures_of_a_program_that_is_too_large_inlined() {
        let mut text = "var x: int; proc p0() { x := 1; }\n".to_owned();
        for number in 1..15 {
            let before = number - 1;
            let _ = writeln!(text, "proc p{number}() {{ p{before}(); p{before}(); }}");
        }
        let small = format!("{text} thread T {{ p3(); }}");
        check(&small, &[]);
        // The last one is called once.
        let all: Vec<String> = (0..14).map(|number| format!("p{number}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        check(&format!("{text} thread T {{ p14(); }}"), &all);
    }
}
