//! Typed statements as text.

use super::Printer;
use crate::typed::{Expr, Formula, LoopSpec, Stmt, StmtKind, Switch, SwitchLabel};
use std::fmt::Write as _;

impl Printer<'_> {
    pub(super) fn stmts(self, stmts: &[Stmt], depth: usize, text: &mut String) {
        for stmt in stmts {
            self.stmt(stmt, depth, text);
        }
    }

    fn stmt(self, stmt: &Stmt, depth: usize, text: &mut String) {
        let value =
            |value: &Option<Expr>| value.as_ref().map_or(String::new(), |one| self.expr(one));
        let head = match &stmt.kind {
            StmtKind::Block(_) => "block".to_owned(),
            StmtKind::Local(local, None) => format!("local ${}", local.0),
            StmtKind::Local(local, first) => format!("local ${} = {}", local.0, value(first)),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::If(cond, _, _) => format!("if {}", self.expr(cond)),
            StmtKind::Loop { label, test_first, cond, .. } => {
                let word = if *test_first { "while" } else { "do-while" };
                format!("L{}: {word} {}", label.0, value(cond))
            }
            StmtKind::ForEach { label, local, values, .. } => {
                format!("L{}: for ${} in {}", label.0, local.0, self.expr(values))
            }
            StmtKind::Labelled(label, _) => format!("L{}:", label.0),
            StmtKind::Switch(label, _) => format!("L{}: switch", label.0),
            StmtKind::Return(result) => format!("return {}", value(result)),
            StmtKind::Break(label) => format!("break L{}", label.0),
            StmtKind::Continue(label) => format!("continue L{}", label.0),
            StmtKind::Yield(expr) => format!("yield {}", self.expr(expr)),
            StmtKind::Throw(expr) => format!("throw {}", self.expr(expr)),
            StmtKind::Synchronized(lock, _) => format!("synchronized {}", self.expr(lock)),
            StmtKind::Try { .. } => "try".to_owned(),
            StmtKind::Check(cond) => format!("assert {}", self.expr(cond)),
            StmtKind::Construct { constructor, args } => {
                format!("<{}>({})", self.program.method_name(*constructor), self.exprs(args))
            }
            StmtKind::Init(place, first) => {
                format!("{} := {}", self.place(place), self.expr(first))
            }
            StmtKind::Assert(Formula { expr, .. }) => format!("//@ assert {}", self.expr(expr)),
            StmtKind::Assume(Formula { expr, .. }) => format!("//@ assume {}", self.expr(expr)),
            StmtKind::Set(place, Formula { expr, .. }) => {
                format!("//@ set {} = {}", self.place(place), self.expr(expr))
            }
            StmtKind::Witness(name) => format!("//@ witness {name}"),
            StmtKind::Atomic(_) => "//@ atomic".to_owned(),
            StmtKind::Unsupported(what) => format!("<{what}>"),
        };
        let _ = writeln!(text, "{:depth$}{}", "", head.trim_end(), depth = depth * 2);
        self.parts(stmt, depth, text);
    }

    /// The blocks of a statement.
    fn parts(self, stmt: &Stmt, depth: usize, text: &mut String) {
        let line = |text: &mut String, words: &str| {
            let _ = writeln!(text, "{:depth$}{words}", "", depth = depth * 2);
        };
        let invariants = |text: &mut String, spec: &LoopSpec| {
            for one in &spec.invariants {
                line(text, &format!("  //@ loop_invariant {}", self.expr(&one.expr)));
            }
        };
        match &stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                self.stmts(then, depth + 1, text);
                if !otherwise.is_empty() {
                    line(text, "else");
                    self.stmts(otherwise, depth + 1, text);
                }
            }
            StmtKind::Loop { spec, body, update, .. } => {
                invariants(text, spec);
                self.stmts(body, depth + 1, text);
                if !update.is_empty() {
                    line(text, &format!("  update {}", self.exprs(update)));
                }
            }
            StmtKind::ForEach { spec, body, .. } => {
                invariants(text, spec);
                self.stmts(body, depth + 1, text);
            }
            StmtKind::Switch(_, switch) => self.switch(switch, depth + 1, text),
            StmtKind::Try { body, catches, finally } => {
                self.stmts(body, depth + 1, text);
                for catch in catches {
                    let types: Vec<&str> = catch
                        .types
                        .iter()
                        .map(|id| self.program.class(*id).name.as_str())
                        .collect();
                    let unknown = if catch.catches_unknown { " ?" } else { "" };
                    line(text, &format!("catch {}{unknown} ${}", types.join(" | "), catch.local.0));
                    self.stmts(&catch.body, depth + 1, text);
                }
                if !finally.is_empty() {
                    line(text, "finally");
                    self.stmts(finally, depth + 1, text);
                }
            }
            StmtKind::Block(stmts)
            | StmtKind::Labelled(_, stmts)
            | StmtKind::Synchronized(_, stmts)
            | StmtKind::Atomic(stmts) => self.stmts(stmts, depth + 1, text),
            _ => {}
        }
    }

    pub(super) fn switch(self, switch: &Switch, depth: usize, text: &mut String) {
        let _ = writeln!(text, "{:depth$}of {}", "", self.expr(&switch.value), depth = depth * 2);
        for case in &switch.cases {
            let labels: Vec<String> = case.labels.iter().map(|label| self.label(label)).collect();
            let guard = case.guard.as_ref();
            let guard = guard.map_or(String::new(), |guard| format!(" when {}", self.expr(guard)));
            let arrow = if case.falls_through { ":" } else { " ->" };
            let labels = labels.join(", ");
            let _ = writeln!(text, "{:depth$}{labels}{guard}{arrow}", "", depth = depth * 2);
            self.stmts(&case.body, depth + 1, text);
        }
    }

    fn label(self, label: &SwitchLabel) -> String {
        match label {
            SwitchLabel::Default => "default".to_owned(),
            SwitchLabel::Value(value) => self.expr(value),
            SwitchLabel::Constant(value) => format!("constant {}", self.expr(value)),
            SwitchLabel::Type(ty, local) => {
                let local = local.map_or(String::new(), |local| format!(" ${}", local.0));
                format!("{}{local}", self.program.type_name(ty))
            }
            SwitchLabel::Unsupported(what) => format!("<{what}>"),
        }
    }
}
