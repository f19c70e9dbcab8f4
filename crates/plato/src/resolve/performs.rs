//! `performs name:` before a statement: the action of the specification that its step performs.

use super::{Resolver, fault};
use crate::ast::{self, Ident};
use crate::hir::{self, StmtKind, Ty};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeMap;

/// The named actions of a specification: per name the index of the action, and the place of the
/// name.
pub(super) type NamedActions = BTreeMap<Name, (usize, Span)>;

impl Resolver {
    /// Declares the name of an action.
    pub(super) fn name_action(&mut self, name: &Ident, index: usize) {
        let before = self.scope.actions.insert(name.name.clone(), (index, name.span));
        if let Some((_, first)) = before {
            self.duplicate(name, first);
        }
    }

    /// The action that the step of the statement performs. The statement is resolved before: its
    /// condition may mention a variable that the statement declares.
    pub(super) fn performs(
        &mut self,
        performs: &ast::Performs,
        kind: &StmtKind,
    ) -> Option<hir::Performs> {
        if self.scope.in_atomic || self.scope.reduced {
            let error = fault(Code::MisplacedStatement, performs.span, "`performs` inside a step")
                .at("this statement is a part of a larger step")
                .help("put it before the `atomic` block; an `atomic proc` is one step, and needs none");
            self.report(error);
            return None;
        }
        if !is_one_step(kind) {
            let message = "`performs` before a statement that is not one step";
            let error = fault(Code::MisplacedStatement, performs.span, message)
                .at("says which action one step performs")
                .help("put it before the assignment, `cas`, `acquire` or `atomic` that performs the action");
            self.report(error);
            return None;
        }
        let cond = performs.cond.as_ref().map(|cond| self.check(cond, &Ty::Bool));
        let Some(&(action, _)) = self.scope.actions.get(&performs.action.name) else {
            self.no_such_action(&performs.action);
            return None;
        };
        let cond = match cond {
            Some(cond) => Some(cond?),
            None => None,
        };
        Some(hir::Performs { action, cond })
    }

    fn no_such_action(&mut self, name: &Ident) {
        let message = format!("no action `{}` in the specification of this code", name.name);
        let mut error = fault(Code::UnknownName, name.span, message).at("not declared");
        let names: Vec<String> =
            self.scope.actions.keys().map(|name| format!("`{name}`")).collect();
        error = if names.is_empty() {
            error.help("name an action of the procedure: `action take modifies m ensures ..`")
        } else {
            error.help(format!("its actions are named {}", names.join(", ")))
        };
        self.report(error);
    }
}

fn is_one_step(kind: &StmtKind) -> bool {
    !matches!(
        kind,
        StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Choose(_)
            | StmtKind::Block(_)
            | StmtKind::Call { .. }
            | StmtKind::Return(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Unsupported(_)
    )
}
