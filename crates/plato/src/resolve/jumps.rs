//! `break` and `continue`.

use super::scope::Around;
use super::{Resolver, fault};
use crate::ast::Ident;
use crate::hir::LabelId;
use diagnostic::{Code, most_similar};
use source::Span;

/// Something was reported.
pub(super) struct Reported;

impl Resolver {
    /// The label that a jump is about, if one is given. A jump that may not stand here is a fault.
    pub(super) fn jump(
        &mut self,
        word: &str,
        target: Option<&Ident>,
        span: Span,
    ) -> Result<Option<LabelId>, Reported> {
        let Some(target) = target else {
            return self.in_loop(word, span).map(|()| None);
        };
        if let Some(found) = self.named(&self.scope.around, target) {
            if word == "continue" && !found.is_loop {
                let message = format!("`continue {}`, which is no loop", target.name);
                let help = format!("`break {}` leaves the block", target.name);
                self.misplaced(span, &message, "has no next iteration", &help);
                return Err(Reported);
            }
            return Ok(found.label);
        }
        self.no_target(word, target, span);
        Err(Reported)
    }

    fn named(&self, around: &[Around], target: &Ident) -> Option<Around> {
        let is_named = |one: &&Around| {
            one.label.is_some_and(|id| self.program.labels[id.index()].name == target.name)
        };
        around.iter().rev().find(is_named).cloned()
    }

    /// Says why nothing of this name can be left or gone on with.
    fn no_target(&mut self, word: &str, target: &Ident, span: Span) {
        let name = &target.name;
        if self.named(&self.scope.around_atomic, target).is_some() {
            let message = format!("`{word} {name}` would leave an `atomic` block in the middle");
            let label = format!("`{name}` is outside the `atomic`");
            let help = "set a local variable and test it after the block";
            self.misplaced(span, &message, &label, help);
        } else if self.scope.labels.contains_key(name) {
            let message = format!("`{word} {name}` outside of `{name}`");
            let label = "no loop or block around it has this label";
            let help = "put the label before the `{` or the loop that is meant";
            self.misplaced(span, &message, label, help);
        } else {
            let message = format!("there is no label `{name}` around this statement");
            let mut error = fault(Code::UnknownName, target.span, message);
            error = error.at("no loop or block around it has this label");
            let around = self.scope.around.iter().filter_map(|one| one.label);
            let names: Vec<_> =
                around.map(|id| self.program.labels[id.index()].name.clone()).collect();
            if let Some(similar) = most_similar(name, names.iter()) {
                error = error.help(format!("did you mean `{similar}`?"));
            }
            self.report(error);
        }
    }

    fn in_loop(&mut self, word: &str, span: Span) -> Result<(), Reported> {
        let is_loop = |one: &Around| one.is_loop;
        if self.scope.around.iter().any(is_loop) {
            return Ok(());
        }
        if self.scope.around_atomic.iter().any(is_loop) {
            let message = format!("`{word}` would leave an `atomic` block in the middle");
            self.misplaced(
                span,
                &message,
                "its loop is outside the `atomic`",
                "set a local variable and test it after the block",
            );
        } else {
            let message = format!("`{word}` outside a loop");
            self.misplaced(span, &message, "no `while` or `loop` around it", "remove it");
        }
        Err(Reported)
    }
}
