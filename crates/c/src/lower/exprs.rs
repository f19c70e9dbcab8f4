//! Expressions: their values, and the steps that come before.

use super::body::{Body, Meaning};
use super::operators;
use super::values::{INT, Lvalue, Value, converted};
use super::{Answer, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Type};
use plato::ast;
use source::Span;

impl Body<'_, '_> {
    /// The value of an expression; the steps before it are emitted.
    pub(super) fn value(&mut self, expr: &Expr) -> Answer<Value> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(value, ty) => Ok(Value::number(*value, ty.clone(), span)),
            ExprKind::Name(name) => {
                if !self.is_local(name)
                    && let Some((value, ty)) = self.lowering.fixed.get(name).cloned()
                {
                    return Ok(Value::number(value, ty, span));
                }
                let place = self.place(expr)?;
                self.read(&place)
            }
            ExprKind::Index(..) | ExprKind::Deref(_) => {
                let place = self.place(expr)?;
                self.read(&place)
            }
            ExprKind::Unary(sign, one) => {
                let one = self.value(one)?;
                operators::unary(sign, one, span)
            }
            ExprKind::Binary(sign @ ("&&" | "||"), one, other) => {
                self.short_cut(sign, one, other, span)
            }
            ExprKind::Binary(sign, one, other) => {
                let mut first = self.value(one)?;
                if self.touches(other) {
                    first = self.settled(first);
                }
                let second = self.value(other)?;
                operators::binary(sign, first, second, span)
            }
            ExprKind::Assign(operator, place, value) => self.assign(*operator, place, value, span),
            ExprKind::Step(by, is_old_meant, place) => self.count(*by, *is_old_meant, place, span),
            ExprKind::Conditional(cond, one, other) => self.either(cond, one, other, span),
            ExprKind::Call(name, args) => match self.call(name, args, span)? {
                Some(value) => Ok(value),
                None => refuse(format!("the result of `{name}`")),
            },
            ExprKind::Cast(ty, one) => self.cast(ty, one),
            ExprKind::Comma(one, other) => {
                self.effect(one)?;
                self.value(other)
            }
            ExprKind::Address(_) => refuse("an address as a value"),
            ExprKind::Text => refuse("a text"),
            ExprKind::Size => refuse("`sizeof` of an expression"),
            ExprKind::Block(_) => refuse("the value of a block"),
            ExprKind::Unsupported(what) => refuse(what.clone()),
        }
    }

    /// Translates the effect of an expression whose value is not used.
    pub(super) fn effect(&mut self, expr: &Expr) -> Answer<()> {
        match &expr.kind {
            ExprKind::Step(by, _, place) => {
                self.count(*by, false, place, expr.span)?;
            }
            ExprKind::Comma(one, other) => {
                self.effect(one)?;
                self.effect(other)?;
            }
            ExprKind::Cast(Type::Void, one) => self.effect(one)?,
            ExprKind::Call(name, args) => {
                self.call(name, args, expr.span)?;
            }
            ExprKind::Conditional(cond, one, other) => {
                let cond = self.value(cond)?;
                let ((), then) = self.apart(|body| body.effect(one))?;
                let ((), otherwise) = self.apart(|body| body.effect(other))?;
                self.branch(cond, then, otherwise, expr.span);
            }
            // A number or a name alone has no effect.
            ExprKind::Number(..) | ExprKind::Text | ExprKind::Name(_) | ExprKind::Size => {}
            ExprKind::Block(stmts) => {
                let inside = self.scoped(|body| body.stmts(stmts));
                self.out.extend(inside);
            }
            ExprKind::Assign(..) => {
                self.value(expr)?;
            }
            _ => {
                let value = self.value(expr)?;
                if may_fail(expr) {
                    self.kept(value);
                }
            }
        }
        Ok(())
    }

    /// Translates the effects of an argument whose value does not matter to the program.
    pub(super) fn discard(&mut self, expr: &Expr) -> Answer<()> {
        match &expr.kind {
            ExprKind::Cast(_, one) => self.discard(one),
            ExprKind::Address(one) => match &one.kind {
                ExprKind::Name(_) => Ok(()),
                _ => self.place(one).map(|_| ()),
            },
            _ => self.effect(expr),
        }
    }

    /// Emits a choice between two lists of statements.
    pub(super) fn branch(
        &mut self,
        cond: Value,
        then: Vec<ast::Stmt>,
        otherwise: Vec<ast::Stmt>,
        span: Span,
    ) {
        let arm = ast::IfArm {
            cond: ast::Cond::Expr(cond.into_truth()),
            then: build::block(then, span),
            span,
        };
        let otherwise = (!otherwise.is_empty()).then(|| build::block(otherwise, span));
        self.out.push(build::stmt(ast::StmtKind::If(vec![arm], otherwise), span));
    }

    /// Whether an expression reads or changes something that other threads see, or does more than
    /// reading.
    pub(super) fn touches(&self, expr: &Expr) -> bool {
        expr.any(&|expr: &Expr| match &expr.kind {
            ExprKind::Name(name) => match self.meaning(name) {
                Some(Meaning::Variable(variable)) => variable.shared && !self.whole,
                Some(Meaning::Pointer(_)) => true,
                Some(Meaning::Other(_)) | None => false,
            },
            _ => acts(expr),
        })
    }

    /// `a && b`, `a || b`: the second is evaluated only if the first does not decide.
    fn short_cut(&mut self, sign: &str, one: &Expr, other: &Expr, span: Span) -> Answer<Value> {
        let mut first = self.operand(one)?;
        let is_and = sign == "&&";
        if let Some(known) = first.known {
            if (known != 0) != is_and {
                return Ok(Value::number(i128::from(known != 0), INT, span));
            }
            let second = self.operand(other)?;
            let reads = second.reads;
            return Ok(Value::truth(second.into_truth(), reads));
        }
        if self.touches(other) {
            first = self.settled(first);
        }
        let (second, before) = self.apart(|body| body.operand(other))?;
        let acting = other.any(&acts) || may_fail(other);
        if before.is_empty() || !acting {
            // An unneeded read makes no difference.
            self.out.extend(before);
            let reads = first.reads || second.reads;
            let both = vec![first.into_truth(), second.into_truth()];
            let kind = if is_and { ast::ExprKind::And(both) } else { ast::ExprKind::Or(both) };
            return Ok(Value::truth(ast::Expr { kind, span }, reads));
        }
        let truth = Value::truth(first.into_truth(), true);
        let result = self.kept(truth);
        let mut then = before;
        then.push(set(&result, second.into_truth(), span));
        let cond = if is_and {
            result.clone()
        } else {
            Value::truth(build::not(result.expr.clone()), false)
        };
        self.branch(cond, then, Vec::new(), span);
        Ok(result)
    }

    /// A value whose truth matters. A text is an address that is never null.
    fn operand(&mut self, expr: &Expr) -> Answer<Value> {
        match expr.kind {
            ExprKind::Text => Ok(Value::number(1, INT, expr.span)),
            _ => self.value(expr),
        }
    }

    fn either(&mut self, cond: &Expr, one: &Expr, other: &Expr, span: Span) -> Answer<Value> {
        let mut cond = self.value(cond)?;
        if let Some(known) = cond.known {
            let (chosen, left) = if known != 0 { (one, other) } else { (other, one) };
            // The alternative that is not chosen is not evaluated, but its type counts.
            let (left, _) = self.apart(|body| body.value(left))?;
            let value = self.value(chosen)?;
            let ty = meeting(&value.ty, &left.ty)?;
            return Ok(converted(value, &ty));
        }
        if self.touches(one) || self.touches(other) {
            cond = self.settled(cond);
        }
        let (first, before_first) = self.apart(|body| body.value(one))?;
        let (second, before_second) = self.apart(|body| body.value(other))?;
        let ty = meeting(&first.ty, &second.ty)?;
        let (first, second) = (converted(first, &ty), converted(second, &ty));
        if before_first.is_empty() && before_second.is_empty() && !(first.reads && second.reads) {
            let reads = cond.reads || first.reads || second.reads;
            let expr = build::conditional(cond.into_truth(), first.expr, second.expr, span);
            return Ok(Value { expr, is_truth: false, ty, reads, known: None });
        }
        let zero = Value { reads: true, ..Value::number(0, ty.clone(), span) };
        let result = Value { known: None, ..self.kept(zero) };
        let (mut then, mut otherwise) = (before_first, before_second);
        then.push(set(&result, first.expr, span));
        otherwise.push(set(&result, second.expr, span));
        self.branch(cond, then, otherwise, span);
        Ok(result)
    }

    fn assign(
        &mut self,
        operator: Option<&str>,
        place: &Expr,
        value: &Expr,
        span: Span,
    ) -> Answer<Value> {
        let place = self.place(place)?;
        let Some(operator) = operator else {
            let value = self.value(value)?;
            return self.write(&place, value, span);
        };
        if place.variable.atomic && !self.whole {
            let value = self.value(value)?;
            let value = self.settled(value);
            return Ok(self.update(&place, operator, value, span)?.1);
        }
        let mut old = self.read(&place)?;
        if place.variable.shared || self.touches(value) {
            old = self.settled(old);
        }
        let value = self.value(value)?;
        let value = self.settled(value);
        let new = operators::binary(operator, old, value, span)?;
        self.write(&place, new, span)
    }

    fn count(&mut self, by: i128, is_old_meant: bool, place: &Expr, span: Span) -> Answer<Value> {
        let place = self.place(place)?;
        if place.variable.atomic && !self.whole {
            let one = Value::number(by, INT, span);
            let (old, new) = self.update(&place, "+", one, span)?;
            return Ok(if is_old_meant { old } else { new });
        }
        let old = self.read(&place)?;
        let old = if is_old_meant { self.kept(old) } else { self.settled(old) };
        let one = Value::number(by, INT, span);
        let new = operators::binary("+", old.clone(), one, span)?;
        let new = self.write(&place, new, span)?;
        Ok(if is_old_meant { old } else { new })
    }

    /// In one step, reads a place and writes the result of an operator; returns the values before
    /// and after.
    pub(super) fn update(
        &mut self,
        place: &Lvalue,
        operator: &str,
        operand: Value,
        span: Span,
    ) -> Answer<(Value, Value)> {
        let read = self.read(place)?;
        let old = self.kept(Value { reads: false, ..Value::number(0, place.ty.clone(), span) });
        let old = Value { known: None, ..old };
        let new = operators::binary(operator, old.clone(), operand, span)?;
        let new = converted(new, &place.ty);
        let target = build::place(&place.variable.name, place.indices.clone(), place.span);
        let both = vec![set(&old, read.expr, span), build::assign(target, new.expr.clone(), span)];
        self.at_once_with(both, span);
        Ok((old, new))
    }

    /// Emits statements that happen in one step.
    pub(super) fn at_once_with(&mut self, stmts: Vec<ast::Stmt>, span: Span) {
        if self.whole {
            self.out.extend(stmts);
            return;
        }
        self.out.push(build::stmt(ast::StmtKind::Atomic(build::block(stmts, span)), span));
    }

    fn cast(&mut self, ty: &Type, one: &Expr) -> Answer<Value> {
        match ty {
            Type::Int(..) | Type::Bool => {
                let value = self.value(one)?;
                Ok(converted(value, ty))
            }
            Type::Void => {
                self.effect(one)?;
                Ok(Value::number(0, INT, one.span))
            }
            // A number that was converted to a pointer.
            Type::Pointer(_) => {
                let value = self.value(one)?;
                Ok(converted(value, ty))
            }
            _ => refuse("a conversion to this type"),
        }
    }
}

/// The type of a conditional expression.
fn meeting(one: &Type, other: &Type) -> Answer<Type> {
    match crate::constant::common(one, other) {
        Type::Other(what) => refuse(what),
        ty => Ok(ty),
    }
}

/// Whether evaluating an expression may go wrong.
fn may_fail(expr: &Expr) -> bool {
    expr.any(&|expr: &Expr| {
        matches!(
            expr.kind,
            ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Binary("/" | "%", ..)
        )
    })
}

/// Whether an expression does more than reading.
pub(super) fn acts(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Step(..))
}

/// An assignment to a variable made by [`Body::kept`].
fn set(kept: &Value, value: ast::Expr, span: Span) -> ast::Stmt {
    let ast::ExprKind::Name(name) = &kept.expr.kind else {
        return build::stmt(ast::StmtKind::Skip, span);
    };
    let place = ast::Place { path: name.path.clone(), indices: Vec::new(), span };
    build::assign(place, value, span)
}
