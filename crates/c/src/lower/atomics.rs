//! Functions that read and write in one step.

use super::body::Body;
use super::functions::Does;
use super::temporaries::Kind;
use super::values::{Lvalue, Value, converted};
use super::{Answer, operators, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Type};
use plato::ast;
use source::Span;

impl Body<'_, '_> {
    pub(super) fn atomic(
        &mut self,
        does: Does,
        args: &[Expr],
        span: Span,
    ) -> Answer<Option<Value>> {
        let kind = ExprKind::Deref(Box::new(args[0].clone()));
        let place = match &args[0].kind {
            ExprKind::Address(one) => self.place(one)?,
            _ => self.place(&Expr { kind, span })?,
        };
        if !matches!(place.ty, Type::Int(..) | Type::Bool) {
            return refuse("an atomic access to something of this type");
        }
        let mut given = Vec::new();
        for arg in args[1..].iter().take(operands(does)) {
            let value = self.value(arg)?;
            // The operands are evaluated before the step.
            given.push(if value.known.is_some() { value } else { self.kept(value) });
        }
        match (does, &given[..]) {
            (Does::Load, []) => {
                let value = self.read(&place)?;
                Ok(Some(self.settled(value)))
            }
            (Does::Store, [value]) => {
                self.write(&place, value.clone(), span)?;
                Ok(None)
            }
            (Does::Exchange, [value]) => {
                let new = converted(value.clone(), &place.ty);
                Ok(Some(self.at_once_unless(&place, None, &new, span)?))
            }
            (Does::Fetch(operator, is_old_meant), [value]) => {
                let (old, new) = self.update(&place, operator, value.clone(), span)?;
                Ok(Some(if is_old_meant { old } else { new }))
            }
            (Does::CompareSwap(is_truth), [expected, new]) => {
                let expected = converted(expected.clone(), &place.ty);
                let new = converted(new.clone(), &place.ty);
                let old = self.at_once_unless(&place, Some(&expected), &new, span)?;
                if is_truth {
                    return operators::binary("==", old, expected, span).map(Some);
                }
                Ok(Some(old))
            }
            _ => refuse("an atomic access of this form"),
        }
    }

    /// In one step, reads a place and writes it if it holds the expected value or none is expected;
    /// returns the old value.
    fn at_once_unless(
        &mut self,
        place: &Lvalue,
        expected: Option<&Value>,
        new: &Value,
        span: Span,
    ) -> Answer<Value> {
        let read = self.read(place)?;
        let zero = ast::Source::Values(vec![build::int(0, span)]);
        let name = self.temporary(Kind::Number, zero, span);
        let old = build::name(&name, span);
        let target = build::place(&place.variable.name, place.indices.clone(), place.span);
        let write = build::assign(target, new.expr.clone(), span);
        let write = match expected {
            None => write,
            Some(expected) => {
                let same =
                    build::binary(ast::BinaryOp::Eq, old.clone(), expected.expr.clone(), span);
                let then = build::block(vec![write], span);
                let arm = ast::IfArm { cond: ast::Cond::Expr(same), then, span };
                build::stmt(ast::StmtKind::If(vec![arm], None), span)
            }
        };
        let keep = build::assign(build::place(&name, Vec::new(), span), read.expr, span);
        self.at_once_with(vec![keep, write], span);
        let ty = place.ty.clone();
        Ok(Value { expr: old, is_truth: false, ty, reads: false, known: None })
    }
}

/// The number of operands of an operation, beside the place.
fn operands(does: Does) -> usize {
    match does {
        Does::Store | Does::Exchange | Does::Fetch(..) => 1,
        Does::CompareSwap(_) => 2,
        _ => 0,
    }
}
