//! What a person could add to a program that is not proved: a variable that says what the program
//! knows and does not store.

use super::diagnosis::{Breaking, Wanted};
use plato::hir::{BinaryOp, Body, Expr, ExprKind, GlobalId, Program, Root, Stmt, StmtKind};
use std::collections::BTreeSet;
use verdict::{TaskKind, TaskName};

/// What would help to exclude that the steps are taken that break formulas, as far as the code
/// tells.
pub(super) fn advice(
    program: &Program,
    text: &str,
    open: &TaskName,
    wanted: &[Wanted],
) -> Vec<String> {
    let mut all = Vec::new();
    for (one, by) in wanted.iter().filter_map(|one| Some((one, one.broken_by.as_ref()?))) {
        let mut more = counted(program, text, [open, &by.task]);
        if more.is_empty() {
            more.extend(of_elements(program, by));
        }
        if more.is_empty() && one.formula.text().contains("at(") {
            more.push(format!(
                "if {} is not there at the same time, a variable that says so helps: one that \
                 notes who is inside, written as part of the steps that lead in and out",
                by.task
            ));
        }
        all.extend(more);
    }
    let mut seen = BTreeSet::new();
    all.retain(|one| seen.insert(one.clone()));
    all
}

/// Numbers that one of the threads counts up and down, and that the other one looks at: how many
/// there are is stored, and not who.
fn counted(program: &Program, text: &str, tasks: [&TaskName; 2]) -> Vec<String> {
    let bodies: Vec<(&TaskName, &Body)> =
        tasks.into_iter().filter_map(|task| Some((task, body(program, task)?))).collect();
    let mut all = Vec::new();
    for (task, body) in &bodies {
        let steps = counting(body);
        for (global, up) in steps.iter().filter(|(_, by)| *by > 0) {
            let down = steps.iter().any(|(other, by)| other == global && *by == -up);
            let is_looked_at = bodies.iter().any(|(_, other)| is_tested(&other.stmts, *global));
            let name = &program.globals[global.index()].name;
            let has_set =
                text.contains(&format!("#{name}")) || text.contains(&format!("{name} == #"));
            if down && is_looked_at && !has_set {
                let each = if *up == 1 { String::new() } else { format!("{up} * ") };
                all.push(format!(
                    "`{name}` says how many are counted in {task} and not who: a set of threads \
                     beside it, written in the same steps, says that this thread is one of them \
                     (`{name} == {each}#counted`, with `var counted: set<Tid>`)"
                ));
            }
        }
    }
    all
}

/// Who may write an element of a map: nothing says it if one is written whose key is no thread.
fn of_elements(program: &Program, by: &Breaking) -> Option<String> {
    let mut rest: Vec<&Stmt> = body(program, &by.task)?.stmts.iter().collect();
    while let Some(stmt) = rest.pop() {
        rest.extend(stmt.blocks().into_iter().flatten());
        if stmt.span.start > by.span.start || by.span.end > stmt.span.end {
            continue;
        }
        for place in stmt.places() {
            if let (Root::Global(id), false) = (place.root, place.indices.is_empty()) {
                let name = &program.globals[id.index()].name;
                return Some(format!(
                    "nothing says whose an element of `{name}` is: a map from its keys to threads, \
                     written when a thread gets an element, says who alone writes it"
                ));
            }
        }
    }
    None
}

fn body<'p>(program: &'p Program, task: &TaskName) -> Option<&'p Body> {
    if task.kind == TaskKind::Thread {
        let thread = program.threads.iter().find(|thread| thread.name.as_str() == task.name)?;
        return Some(&thread.body);
    }
    let mut procedures = program.procs.iter();
    Some(&procedures.find(|procedure| procedure.name.as_str() == task.name)?.body)
}

/// The shared numbers that code counts by one, up or down.
fn counting(body: &Body) -> Vec<(GlobalId, i128)> {
    let mut found = Vec::new();
    let mut rest: Vec<&Stmt> = body.stmts.iter().collect();
    while let Some(stmt) = rest.pop() {
        if let StmtKind::Assign(pairs) = &stmt.kind {
            for (place, value) in pairs {
                let (Root::Global(id), true) = (place.root, place.indices.is_empty()) else {
                    continue;
                };
                found.extend(counted_by(value, id).map(|by| (id, by)));
            }
        }
        rest.extend(stmt.blocks().into_iter().flatten());
    }
    found
}

/// By how much an expression differs from a variable.
fn counted_by(value: &Expr, global: GlobalId) -> Option<i128> {
    let ExprKind::Binary(op, left, right) = &value.kind else { return None };
    let is_variable =
        matches!(left.kind, ExprKind::Var { root: Root::Global(id), .. } if id == global);
    match (op, &right.kind) {
        (BinaryOp::Add, ExprKind::Int(by)) if is_variable => Some(*by),
        (BinaryOp::Sub, ExprKind::Int(by)) if is_variable => Some(-by),
        _ => None,
    }
}

/// Whether a condition looks at a variable.
fn is_tested(stmts: &[Stmt], global: GlobalId) -> bool {
    stmts.iter().any(|stmt| {
        let is_condition =
            matches!(stmt.kind, StmtKind::Assume(_) | StmtKind::If { .. } | StmtKind::While { .. });
        is_condition && stmt.exprs().into_iter().any(|expr| mentions(expr, global))
            || stmt.blocks().into_iter().any(|block| is_tested(block, global))
    })
}

fn mentions(expr: &Expr, global: GlobalId) -> bool {
    matches!(expr.kind, ExprKind::Var { root: Root::Global(id), .. } if id == global)
        || expr.children().into_iter().any(|child| mentions(child, global))
}
