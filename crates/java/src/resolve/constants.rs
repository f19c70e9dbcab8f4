//! Values that are known before the program runs.

use super::body::{Body, Frame};
use super::types::T;
use super::{Decl, World};
use crate::tree::{BinaryOp, Prim};
use crate::typed::{Constant, Expr, ExprKind, FieldId, Ty};

/// The value of an operation on constants. A result that does not fit its type is left to the
/// program that computes it.
pub(super) fn fold(op: BinaryOp, left: &Expr, right: &Expr, ty: &T) -> Option<ExprKind> {
    if let (ExprKind::Bool(left), ExprKind::Bool(right)) = (&left.kind, &right.kind) {
        return Some(ExprKind::Bool(match op {
            BinaryOp::And => *left && *right,
            BinaryOp::Or => *left || *right,
            BinaryOp::Eq => left == right,
            BinaryOp::Ne => left != right,
            _ => return None,
        }));
    }
    let (ExprKind::Int(left), ExprKind::Int(right)) = (&left.kind, &right.kind) else {
        return None;
    };
    let (left, right) = (*left, *right);
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left.checked_mul(right)?,
        BinaryOp::Div if right != 0 => left / right,
        BinaryOp::Rem if right != 0 => left % right,
        BinaryOp::ShiftLeft => left.checked_mul(1 << distance(right, ty))?,
        BinaryOp::ShiftRight => left >> distance(right, ty),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Eq => return Some(ExprKind::Bool(left == right)),
        BinaryOp::Ne => return Some(ExprKind::Bool(left != right)),
        BinaryOp::Lt => return Some(ExprKind::Bool(left < right)),
        BinaryOp::Le => return Some(ExprKind::Bool(left <= right)),
        BinaryOp::Gt => return Some(ExprKind::Bool(left > right)),
        BinaryOp::Ge => return Some(ExprKind::Bool(left >= right)),
        _ => return None,
    };
    let T::Prim(prim) = ty else { return None };
    Body::fits(value, *prim).then_some(ExprKind::Int(value))
}

/// How far a shift goes: only the lowest bits of its right side count.
fn distance(right: i128, ty: &T) -> i128 {
    right.rem_euclid(if *ty == T::Prim(Prim::Long) { 64 } else { 32 })
}

impl World<'_> {
    /// The value of a static final field, if it is known before the program runs.
    pub(super) fn constant(&mut self, id: FieldId) -> Option<Constant> {
        let field = self.program.field(id);
        if let Some(known) = &field.constant {
            return Some(known.clone());
        }
        let is_simple = matches!(field.ty, Ty::Prim(_))
            || matches!(&field.ty, Ty::Class(class) if Some(*class) == self.program.well_known.string);
        if !field.is_static || !field.is_final || !is_simple || !self.computing.insert(id) {
            return None;
        }
        let (class, name) = (field.class, field.name.clone());
        let decl: Decl<'_> = self.infos[class.index()].decl;
        let value = decl.body().and_then(|body| {
            body.fields.iter().find(|field| field.name.name == name)?.value.as_ref()
        });
        let mut found = None;
        if let Some(value) = value {
            let ty = self.field_types[id.index()].clone();
            let scope = self.scope_of(class);
            let reported = self.diagnostics.len();
            let mut body = Body::new(self, Frame::new(scope, class, true));
            if is_plain(value) {
                let value = body.expr(value);
                found = match body.convert(value, &ty).expr.kind {
                    ExprKind::Int(value) => Some(Constant::Int(value)),
                    ExprKind::Bool(value) => Some(Constant::Bool(value)),
                    ExprKind::Text(text) => Some(Constant::Text(text)),
                    _ => None,
                };
            }
            // The initializer is resolved again where it runs, and reported there.
            self.diagnostics.truncate(reported);
        }
        self.computing.remove(&id);
        self.program.fields[id.index()].constant.clone_from(&found);
        found
    }
}

/// Whether an expression has only parts that constants are made of.
fn is_plain(expr: &crate::tree::Expr) -> bool {
    use crate::tree::ExprKind as Tree;
    match &expr.kind {
        Tree::Literal(_) | Tree::Name(_) => true,
        Tree::Field(object, _) => is_plain(object),
        Tree::Unary(_, operand) | Tree::Cast(_, operand) => is_plain(operand),
        Tree::Binary(_, left, right) => is_plain(left) && is_plain(right),
        Tree::Conditional(cond, one, other) => is_plain(cond) && is_plain(one) && is_plain(other),
        _ => false,
    }
}
