//! Calls of methods that are not written in Java and have a contract: what it promises is known
//! after the call.

use super::calls::Call;
use super::{Frame, Lowering};

use super::terms;
use crate::typed::{MethodId, Ty};
use plato::ast;
use source::Span;
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Before a call of a method that is not written in Java: what its contract says of the store
    /// is kept.
    pub(super) fn begin_contract(
        &mut self,
        method: MethodId,
        call: &Call<'_>,
    ) -> Option<(MethodId, Frame)> {
        let about = self.program.method(method);
        let has_contract = !about.spec.ensures.is_empty() && !about.is_abstract;
        if !has_contract || !self.is_checked(about.class) {
            return None;
        }
        let mut locals = Vec::new();
        for (ty, value) in about.params.iter().zip(&call.args) {
            let local = self.temp("value", terms::sort(ty, call.span));
            self.push(terms::write(&local, Vec::new(), value.clone(), call.span));
            locals.push(local);
        }
        self.frames.push(Frame {
            method: None,
            this: call.receiver.clone(),
            locals,
            result: None,
            scopes: self.scopes.len(),
            end: String::new(),
            returns: false,
            olds: BTreeMap::new(),
        });
        self.keep_olds(about);
        Some((method, self.frames.pop()?))
    }

    /// After such a call: what its contract says holds.
    pub(super) fn end_contract(
        &mut self,
        promised: Option<(MethodId, Frame)>,
        value: &ast::Expr,
        span: Span,
    ) {
        let Some((method, mut frame)) = promised else { return };
        let about = self.program.method(method);
        let name = self.program.method_name(method);
        let text =
            format!("`{name}`, which is not written in Java, keeps to what is written of it");
        self.assume_silently(span, text);
        if about.result != Ty::Void {
            let result = self.temp("value", terms::sort(&about.result, span));
            self.push(terms::write(&result, Vec::new(), value.clone(), span));
            frame.result = Some(result);
        }
        self.frames.push(frame);
        let mut facts = Vec::new();
        for formula in &about.spec.ensures {
            facts.push(self.formula_here(formula));
        }
        self.frames.pop();
        self.push(terms::assume(terms::and(facts, span), span));
    }
}
