//! Expressions: what is shared is read step by step into variables of the thread.

use super::alloc::New;
use super::places::At;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::{BinaryOp, Prim};
use crate::typed::{Expr, ExprKind, LocalId, Place, Ty};
use diagnostic::Code;
use plato::ast;
use plato::build;
use source::Span;

impl Lowering<'_> {
    /// Computes a value; what is left is an expression over the thread's own variables.
    pub(super) fn value(&mut self, expr: &Expr) -> ast::Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => terms::int(*value, span),
            ExprKind::Bool(value) => terms::boolean(*value, span),
            ExprKind::Float => self.unknown_value("number", &expr.ty, span),
            ExprKind::Text(text) => self.constant_object(text.as_str(), span),
            ExprKind::Null => terms::null(span),
            ExprKind::Local(local) => terms::name(self.local_name(*local), span),
            ExprKind::This => self.this(span),
            ExprKind::Field(..)
            | ExprKind::Static(_)
            | ExprKind::Index(..)
            | ExprKind::Length(_) => self.read_value(expr),
            ExprKind::Call(callee) => self.call(callee, &expr.ty, span),
            ExprKind::New { class, constructor, args, captured } => {
                let (class, constructor) = (*class, *constructor);
                self.new_object(&New { class, constructor, args, captured, span })
            }
            ExprKind::NewArray(_) | ExprKind::ArrayOf(_) | ExprKind::CloneOf(_) => {
                self.array_value(expr)
            }
            ExprKind::Assign(place, value) => self.assign(place, value, &expr.ty),
            ExprKind::AssignOp(..) => self.assign_op(expr),
            ExprKind::Step { .. } => self.increment(expr),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Concat(_)
            | ExprKind::Conditional(..)
            | ExprKind::InstanceOf(..) => self.operator_value(expr),
            ExprKind::Cast(inner) => self.cast(inner, &expr.ty, span),
            ExprKind::Convert(inner) => {
                let value = self.value(inner);
                self.converted(value, &inner.ty, &expr.ty, span)
            }
            ExprKind::Box(inner) => self.boxed(inner, span),
            ExprKind::Unbox(inner) => self.unboxed(inner, &expr.ty, span),
            ExprKind::Switch(switch) => self.switch_value(switch, &expr.ty, span),
            ExprKind::ClassObject(ty) => {
                let name = format!("{}.class", self.program.type_name(ty));
                self.constant_object(&name, span)
            }
            ExprKind::Unsupported(what) => self.unsupported_value(what, &expr.ty, span),
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
            | ExprKind::MapWith(..) => {
                let formula = crate::typed::Formula { expr: expr.clone(), span };
                self.formula_here(&formula)
            }
        }
    }

    fn unsupported_value(&mut self, what: &str, ty: &Ty, span: Span) -> ast::Expr {
        self.unsupported(what, span);
        terms::zero(ty, span)
    }

    /// A new array.
    fn array_value(&mut self, expr: &Expr) -> ast::Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::NewArray(sizes) => self.new_array(sizes, &expr.ty, span),
            ExprKind::ArrayOf(values) => self.array_of(values, &expr.ty, span),
            ExprKind::CloneOf(array) => self.clone_value(array, span),
            _ => unreachable!("internal error: no array is made here"),
        }
    }

    /// `array.clone()`
    fn clone_value(&mut self, array: &Expr, span: Span) -> ast::Expr {
        let value = self.value(array);
        let value = self.steady(value, &array.ty);
        self.must_exist(array, &value);
        match &array.ty {
            Ty::Array(element) => self.array_clone(&value, element, span),
            _ => self.unknown_value("clone", &array.ty, span),
        }
    }

    /// Reads a field, an element or the length of an array.
    fn read_value(&mut self, expr: &Expr) -> ast::Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Field(object, field) => {
                let value = self.value(object);
                self.must_exist(object, &value);
                self.read(&At::Field(value, *field, span), &expr.ty)
            }
            ExprKind::Static(field) => self.read(&At::Static(*field, span), &expr.ty),
            ExprKind::Index(array, index) => {
                let (of, at) = self.two(array, index);
                self.must_exist(array, &of);
                self.must_be_inside(&of, &at, index.span);
                let element = super::heap::Element::of(&expr.ty);
                self.read(&At::Index(of, at, element, span), &expr.ty)
            }
            ExprKind::Length(array) => {
                let value = self.value(array);
                self.must_exist(array, &value);
                self.used.lengths = true;
                terms::name("length", span).at(value)
            }
            _ => unreachable!("internal error: nothing to read"),
        }
    }

    /// The result of an operator that changes no place.
    fn operator_value(&mut self, expr: &Expr) -> ast::Expr {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Unary(op, operand) => self.unary(*op, operand, &expr.ty, span),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.lazy(expr),
            ExprKind::Binary(op, left, right) => {
                let pair = self.two(left, right);
                self.operation(*op, pair, &left.ty, span)
            }
            ExprKind::Concat(parts) => {
                for part in parts {
                    self.value(part);
                }
                self.new_immutable("text", span)
            }
            ExprKind::Conditional(cond, one, other) => {
                self.choice(cond, (one, other), &expr.ty, span)
            }
            ExprKind::InstanceOf(value, ty, local) => self.instance_of(value, ty, *local, span),
            _ => unreachable!("internal error: no operator"),
        }
    }

    /// `place = value`
    fn assign(&mut self, place: &Place, value: &Expr, ty: &Ty) -> ast::Expr {
        let at = self.place(place, ty);
        let of = &value.ty;
        let value = self.value(value);
        let value = match at {
            At::Local(..) => value,
            _ => self.steady(value, ty),
        };
        self.must_fit(&at, place, (&value, of));
        self.write(&at, value.clone(), ty);
        match &at {
            At::Local(name, span) => terms::name(name, *span),
            _ => value,
        }
    }

    /// `place op= value`
    fn assign_op(&mut self, expr: &Expr) -> ast::Expr {
        let ExprKind::AssignOp(place, op, works_at, value) = &expr.kind else {
            return self.value(expr);
        };
        let span = expr.span;
        let at = self.place(place, &expr.ty);
        let (old, guarded) = self.read_as(&at, &expr.ty, true);
        let old = self.kept("value", old, &expr.ty);
        let value = self.value(value);
        let new = self.compound(*op, (old, value), (&expr.ty, works_at), span);
        let new = self.steady(new, &expr.ty);
        self.must_fit(&at, place, (&new, works_at));
        self.write_after(&at, new.clone(), &expr.ty, guarded);
        new
    }

    /// `place++` and the like.
    fn increment(&mut self, expr: &Expr) -> ast::Expr {
        let ExprKind::Step { place, by, gives_old } = &expr.kind else { return self.value(expr) };
        let span = expr.span;
        let at = self.place(place, &expr.ty);
        let (old, guarded) = self.read_as(&at, &expr.ty, true);
        let old = if *gives_old { self.kept("value", old, &expr.ty) } else { old };
        let works_at = Ty::Prim(Prim::Int);
        let by = terms::int(i128::from(*by), span);
        let pair = (old.clone(), by);
        let new = self.compound(BinaryOp::Add, pair, (&expr.ty, &works_at), span);
        let new = match at {
            At::Local(..) => new,
            _ => self.steady(new, &expr.ty),
        };
        self.write_after(&at, new.clone(), &expr.ty, guarded);
        match (&at, gives_old) {
            (_, true) => old,
            (At::Local(name, span), false) => terms::name(name, *span),
            _ => new,
        }
    }

    /// `value instanceof ty local`
    fn instance_of(
        &mut self,
        value: &Expr,
        ty: &Ty,
        local: Option<LocalId>,
        span: Span,
    ) -> ast::Expr {
        let value = self.value(value);
        let value = self.steady(value, &Ty::Unknown);
        let exists = value.clone().differs(terms::null(span));
        let is_it = self.is_of_type(&value, ty, span);
        let cond = terms::and(vec![exists, is_it], span);
        let Some(local) = local else { return cond };
        let local = self.local_name(local).to_owned();
        let cond = self.kept("is", cond, &Ty::Prim(Prim::Boolean));
        let write = terms::write(&local, Vec::new(), value, span);
        self.push(terms::branch(cond.clone(), vec![write], Vec::new(), span));
        cond
    }

    /// A number as an object.
    fn boxed(&mut self, inner: &Expr, span: Span) -> ast::Expr {
        let value = self.value(inner);
        let boxed = self.new_immutable("box", span);
        if let (Ty::Prim(prim), true) = (&inner.ty, is_number(&inner.ty)) {
            debug_assert!(prim.is_integral(), "fractions are not looked at");
            self.used.boxes = true;
            let same = terms::name("boxed", span).at(boxed.clone()).equals(value);
            self.push(terms::assume(same, span));
        }
        boxed
    }

    /// The number that an object stands for.
    fn unboxed(&mut self, inner: &Expr, ty: &Ty, span: Span) -> ast::Expr {
        let value = self.value(inner);
        self.must_exist(inner, &value);
        if is_number(ty) {
            self.used.boxes = true;
            return terms::name("boxed", span).at(value);
        }
        self.unknown_value("number", ty, span)
    }

    pub(super) fn this(&mut self, span: Span) -> ast::Expr {
        let this = self.frame().this.clone();
        let mut this = this.unwrap_or_else(|| terms::name("null", span));
        this.span = span;
        this
    }

    /// Two operands, from left to right.
    fn two(&mut self, one: &Expr, other: &Expr) -> (ast::Expr, ast::Expr) {
        let first = self.value(one);
        let first = if has_effects(other) { self.steady(first, &one.ty) } else { first };
        (first, self.value(other))
    }

    /// `place op value`, at the type at which the operator works, and back at the type of the
    /// place.
    fn compound(
        &mut self,
        op: BinaryOp,
        (old, value): (ast::Expr, ast::Expr),
        (ty, works_at): (&Ty, &Ty),
        span: Span,
    ) -> ast::Expr {
        if !matches!(works_at, Ty::Prim(_)) {
            // `+=` of strings.
            return self.new_immutable("text", span);
        }
        if !matches!(ty, Ty::Prim(_)) {
            // A box is opened and made anew.
            self.must_not_be_null(&old, span);
            return self.new_immutable("box", span);
        }
        let new = self.operation(op, (old, value), works_at, span);
        self.converted(new, works_at, ty, span)
    }

    /// `a && b`, `a || b`: the right side is not computed if the left decides.
    fn lazy(&mut self, expr: &Expr) -> ast::Expr {
        let ExprKind::Binary(op, left, right) = &expr.kind else { return self.value(expr) };
        let span = expr.span;
        let one = self.value(left);
        let (stmts, other) = self.nested(|lowering| lowering.value(right));
        let is_and = *op == BinaryOp::And;
        if stmts.is_empty() {
            let both = vec![one, other];
            return if is_and { terms::and(both, span) } else { terms::or(both, span) };
        }
        let result = self.temp("test", build::ty(ast::TypeKind::Bool, span));
        self.push(terms::write(&result, Vec::new(), one, span));
        let goes_on = terms::name(&result, span);
        let goes_on = if is_and { goes_on } else { goes_on.negated() };
        let mut stmts = stmts;
        stmts.push(terms::write(&result, Vec::new(), other, span));
        self.push(terms::branch(goes_on, stmts, Vec::new(), span));
        terms::name(&result, span)
    }

    fn choice(
        &mut self,
        cond: &Expr,
        (one, other): (&Expr, &Expr),
        ty: &Ty,
        span: Span,
    ) -> ast::Expr {
        let cond = self.value(cond);
        let (mut first, one) = self.nested(|lowering| lowering.value(one));
        let (mut second, other) = self.nested(|lowering| lowering.value(other));
        if first.is_empty() && second.is_empty() {
            return build::conditional(cond, one, other, span);
        }
        let sort = terms::sort(ty, span);
        let result = self.temp("value", sort);
        first.push(terms::write(&result, Vec::new(), one, span));
        second.push(terms::write(&result, Vec::new(), other, span));
        self.push(terms::branch(cond, first, second, span));
        terms::name(&result, span)
    }

    /// Whether an object that is not null has a type.
    pub(super) fn is_of_type(&mut self, value: &ast::Expr, ty: &Ty, span: Span) -> ast::Expr {
        match ty {
            Ty::Class(class) => self.is_instance(value, *class),
            // Of arrays and of types that are not known, nothing is known.
            _ => self.unknown_value("is", &Ty::Prim(Prim::Boolean), span),
        }
    }

    fn cast(&mut self, inner: &Expr, ty: &Ty, span: Span) -> ast::Expr {
        let value = self.value(inner);
        let is_safe = match (&inner.ty, ty) {
            (Ty::Class(from), Ty::Class(to)) => self.program.is_subclass(*from, *to),
            (Ty::Null, _) => true,
            (from, to) => from == to,
        };
        if is_safe {
            return value;
        }
        match ty {
            Ty::Class(class) => {
                let value = self.steady(value, &inner.ty);
                let is_null = value.clone().equals(terms::null(span));
                let is_instance = self.is_instance(&value, *class);
                let told = fault(
                    Code::BadCast,
                    format!("this may not be a `{}`", self.program.class(*class).name),
                );
                let cond = terms::or(vec![is_null, is_instance], span);
                self.must(cond, told, "java.lang.ClassCastException", span);
                value
            }
            _ => {
                let to = self.program.type_name(ty);
                self.assume_silently(span, format!("the cast to `{to}` succeeds"));
                value
            }
        }
    }

    /// A new object that never changes: a string or a box.
    pub(super) fn new_immutable(&mut self, what: &str, span: Span) -> ast::Expr {
        let local = self.temp(what, terms::reference(span));
        self.push(terms::havoc(&local, span));
        let value = terms::name(&local, span);
        let exists = terms::is_object(&value);
        self.push(terms::assume(exists, span));
        value
    }
}

fn is_number(ty: &Ty) -> bool {
    matches!(ty, Ty::Prim(prim) if prim.is_integral())
}

/// Whether computing an expression can change variables of the thread.
fn has_effects(expr: &Expr) -> bool {
    let mut found = false;
    crate::typed::walk::deep(expr, &mut |part| {
        found |= matches!(
            part.kind,
            ExprKind::Assign(..)
                | ExprKind::AssignOp(..)
                | ExprKind::Step { .. }
                | ExprKind::Switch(_)
                | ExprKind::InstanceOf(_, _, Some(_))
        );
    });
    found
}
