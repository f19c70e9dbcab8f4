//! Methods that do nothing but give a value, such as `Object lock() { return lock; }`. Annotations
//! may call them: what is meant is the value.

use super::{Callee, Expr, ExprKind, Program, StmtKind, Ty};

/// How many of them may call each other.
const MAX_DEPTH: usize = 8;

/// What a call gives, as an expression without calls, if the method does nothing else. Which
/// method runs must not depend on the class of the object.
pub(crate) fn value(program: &Program, callee: &Callee) -> Option<Expr> {
    value_at(program, callee, 0)
}

/// An expression whose calls are replaced by what they give, as far as possible.
pub(crate) fn expanded(program: &Program, expr: &Expr) -> Expr {
    let itself = Expr { kind: ExprKind::This, ty: Ty::Unknown, span: expr.span };
    let found = Given { program, receiver: Some(&itself), args: None, depth: 0 }.in_place(expr);
    found.unwrap_or_else(|| expr.clone())
}

fn value_at(program: &Program, callee: &Callee, depth: usize) -> Option<Expr> {
    let method = program.method(callee.method?);
    let [stmt] = method.body.as_ref()?.stmts.as_slice() else { return None };
    let StmtKind::Return(Some(result)) = &stmt.kind else { return None };
    let is_open = callee.is_virtual && !method.overridden_by.is_empty();
    if is_open || method.is_synchronized || depth > MAX_DEPTH {
        return None;
    }
    let (receiver, args) = (callee.receiver.as_ref(), Some(callee.args.as_slice()));
    let value = Given { program, receiver, args, depth }.in_place(result)?;
    Some(Expr { ty: result.ty.clone(), ..value })
}

/// What `this` and the parameters stand for.
struct Given<'g> {
    program: &'g Program,
    receiver: Option<&'g Expr>,
    /// None if locals stand for themselves.
    args: Option<&'g [Expr]>,
    depth: usize,
}

impl Given<'_> {
    fn in_place(&self, expr: &Expr) -> Option<Expr> {
        let with = |kind: ExprKind| Expr { kind, ..expr.clone() };
        Some(match &expr.kind {
            ExprKind::This if self.args.is_some() => self.receiver?.clone(),
            ExprKind::Local(local) => match self.args {
                Some(args) => args.get(local.index())?.clone(),
                None => expr.clone(),
            },
            ExprKind::This
            | ExprKind::Static(_)
            | ExprKind::ClassObject(_)
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Null => expr.clone(),
            ExprKind::Field(object, field) => {
                with(ExprKind::Field(Box::new(self.in_place(object)?), *field))
            }
            ExprKind::Length(array) => with(ExprKind::Length(Box::new(self.in_place(array)?))),
            ExprKind::Call(callee) => {
                let mut inner = (**callee).clone();
                if let Some(receiver) = &callee.receiver {
                    inner.receiver = Some(self.in_place(receiver)?);
                }
                inner.args =
                    callee.args.iter().map(|arg| self.in_place(arg)).collect::<Option<_>>()?;
                value_at(self.program, &inner, self.depth + 1)?
            }
            _ => return None,
        })
    }
}
