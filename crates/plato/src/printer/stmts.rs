//! Statements.

use super::exprs::{expr, exprs, path, ty};
use super::{Printer, names, paths};
use crate::ast::{
    Action, Block, Call, Cas, Cond, Fork, Ident, IfArm, Join, LocalVar, LoopFormulas, Place,
    Source, Stmt, StmtKind,
};
use std::fmt::Write as _;

impl Printer {
    /// `head { ... }`, the clauses each on a line between.
    pub(super) fn headed_block(&mut self, head: &str, clauses: Vec<String>, block: &Block) {
        if clauses.is_empty() {
            return self.block(head, block);
        }
        self.line(head);
        self.indent += 1;
        for clause in clauses {
            self.line(&clause);
        }
        self.indent -= 1;
        self.block("", block);
    }

    fn block(&mut self, head: &str, block: &Block) {
        let space = if head.is_empty() { "" } else { " " };
        if block.stmts.is_empty() {
            return self.line(&format!("{head}{space}{{}}"));
        }
        self.line(&format!("{head}{space}{{"));
        self.inside(block);
        self.line("}");
    }

    fn inside(&mut self, block: &Block) {
        self.indent += 1;
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let mut label =
            stmt.label.as_ref().map_or(String::new(), |label| format!("{}: ", label.name));
        if let Some(performs) = &stmt.performs {
            let cond =
                performs.cond.as_ref().map_or(String::new(), |e| format!(" if ({})", expr(e)));
            let _ = write!(label, "performs {}{cond}: ", performs.action.name);
        }
        match &stmt.kind {
            StmtKind::Atomic(block) => self.block(&format!("{label}atomic"), block),
            StmtKind::If(arms, otherwise) => self.if_stmt(&label, arms, otherwise.as_ref()),
            StmtKind::While(test, invariants, body) => {
                self.loop_stmt(&format!("{label}while ({})", cond(test)), invariants, body);
            }
            StmtKind::Loop(invariants, body) => {
                self.loop_stmt(&format!("{label}loop"), invariants, body);
            }
            StmtKind::Choose(branches) => self.choose(&label, branches),
            StmtKind::Block(block) => self.block(label.trim_end(), block),
            StmtKind::Unsupported(what) => {
                self.line(&format!("{label}assert false; // not supported: {what}"));
            }
            other => {
                let text = simple(other);
                self.line(&format!("{label}{text};"));
            }
        }
    }

    fn loop_stmt(&mut self, head: &str, formulas: &LoopFormulas, body: &Block) {
        let invariants = formulas.invariants.iter().map(|one| format!("invariant {}", expr(one)));
        let guesses = formulas.guesses.iter().map(|one| format!("guess {}", expr(one)));
        self.headed_block(head, invariants.chain(guesses).collect(), body);
    }

    fn if_stmt(&mut self, label: &str, arms: &[IfArm], otherwise: Option<&Block>) {
        for (at, arm) in arms.iter().enumerate() {
            let before = if at == 0 { label } else { "} else " };
            self.line(&format!("{before}if ({}) {{", cond(&arm.cond)));
            self.inside(&arm.then);
        }
        if let Some(block) = otherwise {
            self.line("} else {");
            self.inside(block);
        }
        self.line("}");
    }

    fn choose(&mut self, label: &str, branches: &[Block]) {
        for (at, branch) in branches.iter().enumerate() {
            let head = if at == 0 { format!("{label}choose {{") } else { "} or {".into() };
            self.line(&head);
            self.inside(branch);
        }
        self.line("}");
    }
}

/// `break` or `continue`.
fn jump(word: &str, target: Option<&Ident>) -> String {
    match target {
        Some(label) => format!("{word} {}", label.name),
        None => word.to_owned(),
    }
}

/// Statements on one line, without their `;`. Those with blocks have none and are printed
/// elsewhere.
fn simple(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Skip => "skip".into(),
        StmtKind::Var(var) => local_var(var),
        StmtKind::Assign(targets, source) => {
            format!("{} := {}", places(targets), self::source(source))
        }
        StmtKind::Havoc(all) => format!("havoc {}", places(all)),
        StmtKind::Assert(formula) | StmtKind::Check(formula, _) => {
            format!("assert {}", expr(formula))
        }
        StmtKind::Assume(formula) => format!("assume {}", expr(formula)),
        StmtKind::Acquire(one) => format!("acquire {}", place(one)),
        StmtKind::Release(one) => format!("release {}", place(one)),
        StmtKind::Wait(condition, lock) => {
            format!("wait {} with {}", place(condition), place(lock))
        }
        StmtKind::Signal(condition) => format!("signal {}", place(condition)),
        StmtKind::Broadcast(condition) => format!("broadcast {}", place(condition)),
        StmtKind::Fork(one) => fork(one),
        StmtKind::Join(one) => join(one),
        StmtKind::Cas(all) => cas(all),
        StmtKind::Action(all) => action(all),
        StmtKind::Call(one) => call(one),
        StmtKind::Return(values) if values.is_empty() => "return".into(),
        StmtKind::Return(values) => format!("return {}", exprs(values)),
        StmtKind::Break(target) => jump("break", target.as_ref()),
        StmtKind::Continue(target) => jump("continue", target.as_ref()),
        StmtKind::Atomic(_)
        | StmtKind::If(..)
        | StmtKind::While(..)
        | StmtKind::Loop(..)
        | StmtKind::Choose(_)
        | StmtKind::Block(_)
        | StmtKind::Unsupported(_) => String::new(),
    }
}

fn local_var(var: &LocalVar) -> String {
    let ty = var.ty.as_ref().map_or(String::new(), |one| format!(": {}", ty(one)));
    let value = var.value.as_ref().map_or(String::new(), |value| format!(" := {}", source(value)));
    format!("var {}{ty}{value}", names(&var.names))
}

fn source(source: &Source) -> String {
    match source {
        Source::Values(values) => exprs(values),
        Source::Call(one) => format!("call {}", call(one)),
        Source::Cas(all) => cas(all),
        Source::Fork(one) => fork(one),
        Source::Join(one) => join(one),
    }
}

fn fork(fork: &Fork) -> String {
    format!("fork {}({})", path(&fork.thread), exprs(&fork.args))
}

fn join(join: &Join) -> String {
    let which = join.which.as_ref().map_or(String::new(), |which| format!(" {}", expr(which)));
    format!("join {}{which}", path(&join.thread))
}

fn call(call: &Call) -> String {
    format!("{}({})", path(&call.callee), exprs(&call.args))
}

fn cas(cas: &Cas) -> String {
    format!("cas({}, {}, {})", place(&cas.location), expr(&cas.expected), expr(&cas.new))
}

fn action(action: &Action) -> String {
    let mut out = String::from("atomic");
    if !action.modifies.is_empty() {
        out.push_str(" modifies ");
        out.push_str(&paths(&action.modifies));
    }
    for formula in &action.requires {
        out.push_str(" requires ");
        out.push_str(&expr(formula));
    }
    out.push_str(" action ");
    out.push_str(&expr(&action.action));
    for formula in &action.ensures {
        out.push_str(" ensures ");
        out.push_str(&expr(formula));
    }
    out
}

fn cond(cond: &Cond) -> String {
    match cond {
        Cond::Expr(one) => expr(one),
        Cond::Any => "*".into(),
    }
}

fn place(place: &Place) -> String {
    let mut out = path(&place.path);
    for key in &place.indices {
        out.push('[');
        out.push_str(&expr(key));
        out.push(']');
    }
    out
}

fn places(all: &[Place]) -> String {
    all.iter().map(place).collect::<Vec<_>>().join(", ")
}
