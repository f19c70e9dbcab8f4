//! Expressions to instructions: each leaves its value on the stack.

use super::Compiler;
use crate::play::code::Op;
use crate::play::store::Value;
use crate::tree::{BinaryOp, Prim};
use crate::typed::{Callee, Expr, ExprKind, Place, Ty};
use source::Span;

impl<'p> Compiler<'p> {
    pub(super) fn exprs(&mut self, exprs: &'p [Expr]) {
        for expr in exprs {
            self.expr(expr);
            self.height += 1;
        }
        self.height -= exprs.len();
    }

    /// The second of two operands, while the first is on the stack.
    fn second(&mut self, expr: &'p Expr) {
        self.height += 1;
        self.expr(expr);
        self.height -= 1;
    }

    pub(super) fn expr(&mut self, expr: &'p Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => self.push(Value::Int(*value), span),
            ExprKind::Float => self.push(Value::Fraction, span),
            ExprKind::Bool(value) => self.push(Value::Bool(*value), span),
            ExprKind::Null => self.push(Value::Null, span),
            ExprKind::Text(text) => self.one(Op::Text(text), span),
            ExprKind::Local(local) => self.one(Op::Load(local.index()), span),
            ExprKind::This => self.one(Op::This, span),
            ExprKind::Field(..)
            | ExprKind::Static(_)
            | ExprKind::Index(..)
            | ExprKind::Length(_) => self.read(expr),
            ExprKind::Call(callee) => self.call(callee, span),
            ExprKind::New { .. } | ExprKind::NewArray(_) | ExprKind::ArrayOf(_) => self.made(expr),
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp(place, op, works_at, value) => {
                self.assign_op((place, &expr.ty), (*op, works_at), value, span);
            }
            ExprKind::Step { place, by, gives_old } => {
                self.increment((place, &expr.ty), *by, *gives_old, span);
            }
            ExprKind::ClassObject(_) | ExprKind::CloneOf(_) | ExprKind::Unsupported(_) => {
                self.other(expr);
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Concat(_)
            | ExprKind::Conditional(..)
            | ExprKind::InstanceOf(..)
            | ExprKind::Cast(_)
            | ExprKind::Convert(_)
            | ExprKind::Box(_)
            | ExprKind::Unbox(_)
            | ExprKind::Switch(_) => self.operator(expr),
            ExprKind::Old(_)
            | ExprKind::Result
            | ExprKind::Tid
            | ExprKind::MainThread
            | ExprKind::Holder(_)
            | ExprKind::Started(_)
            | ExprKind::Bound(_)
            | ExprKind::Quantified(_)
            | ExprKind::SetOf(_)
            | ExprKind::Size(_)
            | ExprKind::MapAt(..)
            | ExprKind::MapWith(..) => self.one(Op::Eval(expr), span),
        }
    }

    /// New objects and arrays.
    fn made(&mut self, expr: &'p Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::New { class, constructor, args, captured } => {
                self.exprs(args);
                self.height += args.len();
                for (_, value) in captured {
                    self.expr(value);
                    self.height += 1;
                }
                self.height -= args.len() + captured.len();
                let captured = captured.iter().map(|(field, _)| *field).collect();
                let (class, constructor, args) = (*class, *constructor, args.len());
                self.one(Op::New { class, constructor, args, captured }, span);
            }
            ExprKind::NewArray(sizes) => {
                self.exprs(sizes);
                let size = sizes.first().map_or(span, |size| size.span);
                self.one(Op::NewArray(sizes.len(), &expr.ty, size), span);
            }
            ExprKind::ArrayOf(values) => {
                self.exprs(values);
                self.one(Op::ArrayOf(values.len(), &expr.ty), span);
            }
            _ => {}
        }
    }

    fn one(&mut self, op: Op<'p>, span: Span) {
        self.emit(op, span);
    }

    fn push(&mut self, value: Value, span: Span) {
        self.emit(Op::Push(value), span);
    }

    fn other(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::ClassObject(ty) => self.one(Op::ClassObject(ty.clone()), expr.span),
            ExprKind::CloneOf(_) => self.one(Op::Unsupported("a copy of an array"), expr.span),
            ExprKind::Unsupported(what) => self.one(Op::Unsupported(what), expr.span),
            _ => {}
        }
    }

    fn read(&mut self, expr: &'p Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Field(object, field) => {
                self.expr(object);
                self.one(Op::Field(*field, nullable(object)), span);
            }
            ExprKind::Static(field) => self.one(Op::Static(*field), span),
            ExprKind::Index(array, index) => {
                self.expr(array);
                self.second(index);
                self.one(Op::Index(array.span, index.span), span);
            }
            ExprKind::Length(array) => {
                self.expr(array);
                self.one(Op::Length(array.span), span);
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: &'p Callee, span: Span) {
        let before = usize::from(callee.receiver.is_some());
        if let Some(receiver) = &callee.receiver {
            self.expr(receiver);
        }
        self.height += before;
        self.exprs(&callee.args);
        self.height -= before;
        self.one(Op::Call(callee), span);
    }

    fn operator(&mut self, expr: &'p Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                self.one(Op::Unary(*op, &expr.ty), span);
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.expr(left);
                self.emit(Op::Dup, span);
                let end = self.jump_if(*op == BinaryOp::Or, span);
                self.emit(Op::Pop, span);
                self.expr(right);
                self.land(end);
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.second(right);
                self.one(Op::Binary(*op, &left.ty), span);
            }
            ExprKind::Concat(parts) => {
                self.exprs(parts);
                self.one(Op::Concat(parts.len()), span);
            }
            ExprKind::Conditional(cond, one, other) => {
                self.expr(cond);
                let second = self.jump_if(false, span);
                self.expr(one);
                let end = self.jump(span);
                self.land(second);
                self.expr(other);
                self.land(end);
            }
            ExprKind::InstanceOf(value, ty, local) => {
                self.expr(value);
                self.one(Op::InstanceOf(ty, *local), span);
            }
            ExprKind::Cast(inner) => {
                self.expr(inner);
                self.one(Op::Cast(&expr.ty), span);
            }
            ExprKind::Convert(inner) => {
                self.expr(inner);
                self.one(Op::Convert(&inner.ty, &expr.ty), span);
            }
            ExprKind::Box(inner) => {
                self.expr(inner);
                self.one(Op::Box(&inner.ty), span);
            }
            ExprKind::Unbox(inner) => {
                self.expr(inner);
                self.one(Op::Unbox(inner.span), span);
            }
            ExprKind::Switch(switch) => self.switch_value(switch, span),
            _ => {}
        }
    }

    /// The parts of a place on the stack; gives how many there are.
    fn place(&mut self, place: &'p Place) -> usize {
        match place {
            Place::Local(..) | Place::Static(..) => 0,
            Place::Field(object, ..) => {
                self.expr(object);
                1
            }
            Place::Index(array, index, _) => {
                self.expr(array);
                self.second(index);
                2
            }
            Place::MapAt(..) => {
                self.emit(Op::Unsupported("a map of a ghost"), place.span());
                0
            }
        }
    }

    /// Reads a place whose parts are on the stack.
    fn get(&mut self, place: &'p Place) {
        match place {
            Place::Local(local, span) => self.one(Op::Load(local.index()), *span),
            Place::Field(object, field, span) => {
                self.one(Op::Field(*field, nullable(object)), *span);
            }
            Place::Static(field, span) => self.one(Op::Static(*field), *span),
            Place::Index(array, index, span) => self.one(Op::Index(array.span, index.span), *span),
            Place::MapAt(..) => {}
        }
    }

    /// Writes a place whose parts and value are on the stack; the value stays.
    fn put(&mut self, place: &'p Place) {
        match place {
            Place::Local(local, span) => {
                self.emit(Op::Dup, *span);
                self.one(Op::Store(local.index()), *span);
            }
            Place::Field(object, field, span) => {
                self.one(Op::PutField(*field, nullable(object)), *span);
            }
            Place::Static(field, span) => self.one(Op::PutStatic(*field), *span),
            Place::Index(array, index, span) => {
                self.one(Op::PutIndex(array.span, index.span), *span);
            }
            Place::MapAt(..) => {}
        }
    }

    pub(super) fn assign(&mut self, place: &'p Place, value: &'p Expr) {
        let parts = self.place(place);
        self.height += parts;
        self.expr(value);
        self.height -= parts;
        self.put(place);
    }

    /// Copies the parts of a place that are on the stack.
    fn copied(&mut self, parts: usize, span: Span) {
        match parts {
            1 => {
                self.emit(Op::Dup, span);
            }
            2 => {
                self.emit(Op::Dup2, span);
            }
            _ => {}
        }
    }

    fn assign_op(
        &mut self,
        (place, ty): (&'p Place, &'p Ty),
        (op, works_at): (BinaryOp, &'p Ty),
        value: &'p Expr,
        span: Span,
    ) {
        let parts = self.place(place);
        self.copied(parts, span);
        self.get(place);
        self.widen(ty, works_at, span);
        self.height += parts + 1;
        self.expr(value);
        self.height -= parts + 1;
        if matches!(works_at, Ty::Prim(_)) {
            self.one(Op::Binary(op, works_at), span);
        } else {
            self.one(Op::Concat(2), span);
        }
        self.narrow(ty, works_at, span);
        self.put(place);
    }

    fn increment(&mut self, (place, ty): (&'p Place, &'p Ty), by: i8, gives_old: bool, span: Span) {
        let parts = self.place(place);
        self.copied(parts, span);
        self.get(place);
        let old = gives_old.then(|| self.temp());
        if let Some(old) = old {
            self.emit(Op::Dup, span);
            self.emit(Op::Store(old), span);
        }
        if matches!(ty, Ty::Prim(Prim::Float | Prim::Double)) {
            self.push(Value::Fraction, span);
        } else {
            let works_at = if *ty == LONG { &LONG } else { &INT };
            self.widen(ty, works_at, span);
            self.push(Value::Int(i128::from(by)), span);
            self.one(Op::Binary(BinaryOp::Add, works_at), span);
            self.narrow(ty, works_at, span);
        }
        self.put(place);
        if let Some(old) = old {
            self.emit(Op::Pop, span);
            self.emit(Op::Load(old), span);
        }
    }

    /// A value of a place at the type at which an operator works.
    fn widen(&mut self, ty: &'p Ty, works_at: &'p Ty, span: Span) {
        match (ty, works_at) {
            (Ty::Prim(_), Ty::Prim(_)) => self.one(Op::Convert(ty, works_at), span),
            (_, Ty::Prim(_)) => self.one(Op::Unbox(span), span),
            _ => {}
        }
    }

    /// And back.
    fn narrow(&mut self, ty: &'p Ty, works_at: &'p Ty, span: Span) {
        match (ty, works_at) {
            (Ty::Prim(_), Ty::Prim(_)) => self.one(Op::Convert(works_at, ty), span),
            (_, Ty::Prim(_)) => self.one(Op::Box(works_at), span),
            _ => {}
        }
    }
}

/// The types of numbers that steps of one count in.
static LONG: Ty = Ty::Prim(Prim::Long);
static INT: Ty = Ty::Prim(Prim::Int);

/// The place of an object that may be null.
fn nullable(object: &Expr) -> Option<Span> {
    let never = matches!(
        object.kind,
        ExprKind::This
            | ExprKind::New { .. }
            | ExprKind::Text(_)
            | ExprKind::ClassObject(_)
            | ExprKind::Concat(_)
    );
    (!never).then_some(object.span)
}
