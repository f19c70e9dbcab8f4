//! What holds if a method ends with an exception: `exsures (E e) P`.
//!
//! In such a formula, `\result` stands for the exception: it says `P` of every `e` of the class `E`
//! that is the exception.

use super::control::Target;
use super::roots::is_inner;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::typed::{Method, MethodId};
use diagnostic::Code;
use plato::ast;
use source::Span;

/// The result of a procedure with the exception that ended it.
pub(super) const THROWN: &str = "$thrown";

impl Lowering<'_> {
    /// Whether something is promised for the end of the method that is checked by an exception.
    pub(super) fn promises_after_exceptions(&self) -> bool {
        self.root.is_some_and(|id| !self.program.method(id).spec.exsures.is_empty())
    }

    /// An exception leaves the method that is checked: what it promises for that holds.
    pub(super) fn exceptional_end(&mut self, span: Span) {
        let Some(root) = self.root else { return };
        let method = self.program.method(root);
        if method.spec.exsures.is_empty() {
            return;
        }
        if self.is_compared {
            let thrown = self.exception(span);
            return self.push(terms::write(THROWN, Vec::new(), thrown, span));
        }
        // Names are those of the method, not of what is written in place of calls.
        let inner = self.frames.split_off(1);
        self.promised_of_exception(method, None, span);
        self.frames.extend(inner);
    }

    /// Checks what a method promises of the exception that was thrown last.
    fn promised_of_exception(&mut self, method: &Method, only_if: Option<ast::Expr>, span: Span) {
        self.exception(span);
        let result = self.frame().result.replace("thrown".to_owned());
        for formula in &method.spec.exsures {
            let cond = self.formula_here(formula);
            let cond = match &only_if {
                Some(premise) => premise.clone().implies(cond),
                None => cond,
            };
            let failed = "this may not hold after an exception";
            let told = fault(Code::PostconditionFailed, failed);
            self.push(terms::check(cond, told, formula.span));
        }
        self.frame().result = result;
    }

    /// Writes the body of a method that is checked where it is called, with what it promises for
    /// its end by an exception.
    pub(super) fn with_exceptional_end(
        &mut self,
        id: MethodId,
        span: Span,
        body: impl FnOnce(&mut Self),
    ) {
        let method = self.program.method(id);
        if method.spec.exsures.is_empty() || !is_inner(self.program, id) {
            return body(self);
        }
        self.with_cleanup(span, body, |lowering, ways| {
            let number = ways.iter().position(|(target, _)| *target == Target::Throw);
            if let Some((_, is_taken)) = number.map(|at| &ways[at]) {
                lowering.promised_of_exception(method, Some(is_taken.clone()), span);
            }
        });
    }
}
