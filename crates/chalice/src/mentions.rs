//! The types of all parts of a program.

use crate::check::types::show;
use crate::hir::{Expr, Program};
use crate::walk::Walk;
use source::Mention;

impl Program {
    /// Every expression of the text with its type.
    pub fn mentions(&self) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut expr = |expr: &Expr| {
            found.push(Mention { span: expr.span, ty: show(&expr.ty, self), means: None });
        };
        Walk { expr: &mut expr, amount: &mut |_| {} }.program(self);
        found
    }
}
