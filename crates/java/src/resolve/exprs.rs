//! Expressions.

use super::body::Body;
use super::operators::BOOLEAN;
use super::types::T;
use crate::tree::{self, AssignOp, BinaryOp, Expr as TreeExpr, ExprKind as Tree, Literal, Prim};
use crate::typed::{Expr, ExprKind, Place, Quantified, Ty};
use diagnostic::Code;
use source::{Name, Span};

/// An expression with its type before erasure.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) ty: T,
}

impl Typed {
    /// Something of which nothing is known.
    pub(super) fn unknown(span: Span) -> Self {
        let kind = ExprKind::Unsupported("something that is not known".to_owned());
        Self { expr: Expr { kind, ty: Ty::Unknown, span }, ty: T::Unknown }
    }
}

const INT: T = T::Prim(Prim::Int);

impl<'a> Body<'_, 'a> {
    /// An expression of which no type is expected.
    pub(super) fn expr(&mut self, expr: &'a TreeExpr) -> Typed {
        self.expecting(expr, None)
    }

    /// An expression where a type is expected; it is not converted to that type yet.
    pub(super) fn expecting(&mut self, expr: &'a TreeExpr, expected: Option<&T>) -> Typed {
        let span = expr.span;
        match &expr.kind {
            Tree::Error => Typed::unknown(span),
            Tree::Literal(literal) => self.literal(literal, span),
            Tree::Name(_) | Tree::Field(..) => self.name_value(expr),
            Tree::This => match self.this(span) {
                Some(this) => this,
                None => self.misplaced(span, "`this` in code that is static"),
            },
            Tree::OuterThis(class) => self.outer_this(class, span),
            Tree::SuperField(of, name) => match self.super_object(of.as_deref(), span) {
                Some(object) => self.field_of(object, name, span),
                None => self.misplaced(span, "`super` in code that is static"),
            },
            Tree::Index(array, index) => self.index(array, index, span),
            Tree::Call(call) => self.call(call, span, expected),
            Tree::New(new) => self.new_object(new, span, expected),
            Tree::NewArray(new) => self.new_array(new, span),
            Tree::ArrayValues(values) => {
                let ty = expected.cloned().unwrap_or(T::Unknown);
                self.array_of(values, ty, span)
            }
            Tree::Assign(op, left, right) => self.assign(*op, left, right, span),
            Tree::Unary(op, operand) => self.unary(*op, operand, span),
            Tree::Step { target, by, gives_old } => {
                let (place, ty) = match self.place(target) {
                    Ok((place, ty)) => (Box::new(place), ty),
                    Err(wrong) => return *wrong,
                };
                let kind = ExprKind::Step { place, by: *by, gives_old: *gives_old };
                self.typed(kind, ty, span)
            }
            Tree::Binary(op, left, right) => self.binary(*op, left, right, span),
            Tree::Conditional(cond, one, other) => {
                let cond = self.condition(cond);
                let one = self.expecting(one, expected);
                let other = self.expecting(other, expected);
                self.conditional(cond, one, other, span)
            }
            Tree::InstanceOf(value, pattern) => self.instance_of(value, pattern, span),
            Tree::Cast(types, value) => self.cast(types, value, span),
            Tree::Lambda(params, body) => self.lambda(params, body, span, expected),
            Tree::Reference(reference) => self.reference(reference, span, expected),
            Tree::Switch(switch) => self.switch_value(switch, span, expected),
            Tree::ClassLiteral(ty) => {
                let of = self.ty(ty);
                let kind = ExprKind::ClassObject(self.world.erased(&of));
                let class = self.world.by_name.get("java.lang.Class").copied();
                let ty = class.map_or(T::Unknown, |class| T::Class(class, vec![of]));
                self.typed(kind, ty, span)
            }
            Tree::Old(_)
            | Tree::Result
            | Tree::Tid
            | Tree::Quantified(_)
            | Tree::Set(_)
            | Tree::Size(_)
            | Tree::Update(..) => self.logical(expr),
        }
    }

    /// An expression that only annotations have.
    fn logical(&mut self, expr: &'a TreeExpr) -> Typed {
        let span = expr.span;
        match &expr.kind {
            Tree::Old(inner) => {
                let inner = self.expr(inner);
                let ty = inner.ty.clone();
                self.typed(ExprKind::Old(Box::new(inner.expr)), ty, span)
            }
            Tree::Result => match self.here().annotated_result.clone() {
                Some(ty) => self.typed(ExprKind::Result, ty, span),
                None => self.misplaced(span, "`\\result` where there is no result"),
            },
            Tree::Tid => self.typed(ExprKind::Tid, T::Thread, span),
            Tree::Quantified(quantified) => self.quantified(quantified, span),
            Tree::Set(elements) => {
                let elements: Vec<Typed> = elements.iter().map(|one| self.expr(one)).collect();
                let ty = elements.first().map_or(T::Thread, |first| first.ty.clone());
                let elements = elements.into_iter().map(|one| one.expr).collect();
                self.typed(ExprKind::SetOf(elements), T::Set(Box::new(ty)), span)
            }
            Tree::Size(set) => {
                let set = self.expr(set);
                match set.ty {
                    T::Set(_) => {
                        let kind = ExprKind::Size(Box::new(set.expr));
                        self.typed(kind, T::Prim(Prim::Int), span)
                    }
                    _ => self.no_set(&set),
                }
            }
            Tree::Update(map, key, value) => {
                let (map, key, value) = (self.expr(map), self.expr(key), self.expr(value));
                let parts = [map.expr, key.expr, value.expr].map(Box::new);
                let [one, two, three] = parts;
                self.typed(ExprKind::MapWith(one, two, three), map.ty, span)
            }
            _ => Typed::unknown(span),
        }
    }

    /// Something that seems to be wrong. In annotations it is reported. Code was accepted by a
    /// compiler that knows more than this resolver, so that there it is a part of which nothing is
    /// known.
    pub(super) fn wrong(&mut self, code: Code, span: Span, message: impl Into<String>) -> Typed {
        let message = message.into();
        if self.here().in_annotation {
            self.world.report(code, span, message.clone());
        }
        self.unsupported(&message, T::Unknown, span)
    }

    pub(super) fn misplaced(&mut self, span: Span, message: &str) -> Typed {
        self.wrong(Code::MisplacedExpression, span, message)
    }

    pub(super) fn unsupported(&self, what: &str, ty: T, span: Span) -> Typed {
        self.typed(ExprKind::Unsupported(what.to_owned()), ty, span)
    }

    fn literal(&mut self, literal: &Literal, span: Span) -> Typed {
        let (kind, ty) = match literal {
            Literal::Int(value) => (ExprKind::Int(*value), INT),
            Literal::Long(value) => (ExprKind::Int(*value), T::Prim(Prim::Long)),
            Literal::Float => (ExprKind::Float, T::Prim(Prim::Float)),
            Literal::Double => (ExprKind::Float, T::Prim(Prim::Double)),
            Literal::Bool(value) => (ExprKind::Bool(*value), BOOLEAN),
            Literal::Char(value) => (ExprKind::Int(i128::from(*value)), T::Prim(Prim::Char)),
            Literal::Text(text) => (ExprKind::Text(Name::from(text.as_str())), self.string()),
            Literal::Null => (ExprKind::Null, T::Null),
        };
        self.typed(kind, ty, span)
    }

    /// The type of strings.
    pub(super) fn string(&self) -> T {
        self.world.by_name.get("java.lang.String").copied().map_or(T::Unknown, T::class)
    }

    fn outer_this(&mut self, class: &'a TreeExpr, span: Span) -> Typed {
        let super::names::Meaning::Type(T::Class(wanted, _)) = self.meaning(class) else {
            return self.misplaced(span, "`this` of something that is no class");
        };
        match self.this_of(wanted, span) {
            Some(this) => this,
            None => self.misplaced(span, "there is no object of this class around"),
        }
    }

    fn index(&mut self, array: &'a TreeExpr, index: &'a TreeExpr, span: Span) -> Typed {
        let array = self.expr(array);
        let index = self.expr(index);
        match array.ty.clone() {
            T::Array(element) => {
                let index = self.promoted(index);
                let kind = ExprKind::Index(Box::new(array.expr), Box::new(index.expr));
                self.typed(kind, *element, span)
            }
            T::Map(_, value) => {
                let kind = ExprKind::MapAt(Box::new(array.expr), Box::new(index.expr));
                self.typed(kind, *value, span)
            }
            _ => match array.expr.kind {
                ExprKind::Unsupported(what) => self.unsupported(&what, T::Unknown, span),
                _ if array.ty == T::Unknown => {
                    self.unsupported("an array that is not known", T::Unknown, span)
                }
                _ => self.wrong(Code::TypeMismatch, span, "this is no array"),
            },
        }
    }

    fn new_array(&mut self, new: &'a tree::NewArray, span: Span) -> Typed {
        let element = self.ty(&new.element);
        let dimensions = new.sizes.len() + new.open;
        let ty = (0..dimensions).fold(element, |element, _| T::Array(Box::new(element)));
        if let Some(values) = &new.values {
            return self.array_of(values, ty, span);
        }
        let mut sizes = Vec::new();
        for size in &new.sizes {
            let size = self.expr(size);
            sizes.push(self.promoted(size).expr);
        }
        self.typed(ExprKind::NewArray(sizes), ty, span)
    }

    /// `{a, b}` as an array of a type.
    pub(super) fn array_of(&mut self, values: &'a [TreeExpr], ty: T, span: Span) -> Typed {
        let element = match &ty {
            T::Array(element) => (**element).clone(),
            _ => T::Unknown,
        };
        let mut all = Vec::new();
        for value in values {
            let value = self.expecting(value, Some(&element));
            all.push(self.convert(value, &element).expr);
        }
        self.typed(ExprKind::ArrayOf(all), ty, span)
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: &'a TreeExpr) -> Expr {
        let cond = self.expr(expr);
        self.convert(cond, &BOOLEAN).expr
    }

    /// Something that can be written, with its type; or what stands there instead.
    pub(super) fn place(&mut self, expr: &'a TreeExpr) -> Result<(Place, T), Box<Typed>> {
        let value = self.expr(expr);
        let span = expr.span;
        let place = match value.expr.kind {
            ExprKind::Local(local) => Place::Local(local, span),
            ExprKind::Field(object, field) => Place::Field(*object, field, span),
            ExprKind::Static(field) => Place::Static(field, span),
            ExprKind::Index(array, index) => Place::Index(*array, *index, span),
            ExprKind::MapAt(map, key) => {
                let inner = match map.kind {
                    ExprKind::Field(object, field) => Place::Field(*object, field, map.span),
                    ExprKind::Static(field) => Place::Static(field, map.span),
                    _ => return Err(self.not_assignable(span)),
                };
                Place::MapAt(Box::new(inner), *key, span)
            }
            ExprKind::Unsupported(_) => return Err(Box::new(value)),
            _ => return Err(self.not_assignable(span)),
        };
        Ok((place, value.ty))
    }

    fn not_assignable(&mut self, span: Span) -> Box<Typed> {
        Box::new(self.wrong(Code::NotAssignable, span, "this cannot be assigned to"))
    }

    fn assign(
        &mut self,
        op: AssignOp,
        left: &'a TreeExpr,
        right: &'a TreeExpr,
        span: Span,
    ) -> Typed {
        let (place, ty) = match self.place(left) {
            Ok(found) => found,
            Err(wrong) => {
                self.expr(right);
                return *wrong;
            }
        };
        let AssignOp::With(op) = op else {
            let value = self.expecting(right, Some(&ty));
            let value = self.convert(value, &ty);
            let kind = ExprKind::Assign(Box::new(place), Box::new(value.expr));
            return self.typed(kind, ty, span);
        };
        let value = self.expr(right);
        let works_at = match (op, self.world.unboxed(&ty), self.world.unboxed(&value.ty)) {
            (BinaryOp::Add, None, _) => self.string(),
            (
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightUnsigned,
                Some(one),
                _,
            ) => T::Prim(super::operators::promote(one, Prim::Int)),
            (_, Some(Prim::Boolean), _) => BOOLEAN,
            (_, Some(one), Some(other)) => T::Prim(super::operators::promote(one, other)),
            (_, Some(one), None) => T::Prim(super::operators::promote(one, Prim::Int)),
            _ => T::Unknown,
        };
        let value = if works_at.is_primitive() { self.convert(value, &works_at) } else { value };
        let works_at = self.world.erased(&works_at);
        let kind = ExprKind::AssignOp(Box::new(place), op, works_at, Box::new(value.expr));
        self.typed(kind, ty, span)
    }

    fn cast(&mut self, types: &'a [tree::Type], value: &'a TreeExpr, span: Span) -> Typed {
        let Some(first) = types.first() else { return self.expr(value) };
        let ty = self.ty(first);
        let value = self.expecting(value, Some(&ty));
        match (&value.ty, &ty) {
            (T::Prim(one), T::Prim(other)) if one == other => value,
            (T::Prim(_), T::Prim(_)) => {
                self.typed(ExprKind::Convert(Box::new(value.expr)), ty, span)
            }
            (T::Prim(_), _) | (_, T::Prim(_)) if self.world.unboxed(&value.ty).is_some() => {
                self.convert(value, &ty)
            }
            (_, T::Prim(prim)) => {
                // An object that must be a box of that type.
                let boxed = self.world.boxed(*prim).unwrap_or(T::Unknown);
                let cast = self.typed(ExprKind::Cast(Box::new(value.expr)), boxed, span);
                self.convert(cast, &ty)
            }
            _ => self.typed(ExprKind::Cast(Box::new(value.expr)), ty, span),
        }
    }

    fn quantified(&mut self, quantified: &'a tree::Quantified, span: Span) -> Typed {
        let before = self.here().bound.len();
        let mut vars = Vec::new();
        for (ty, name) in &quantified.vars {
            let ty = self.ty(ty);
            let id = self.world.new_bound();
            vars.push((id, name.name.clone(), self.world.erased(&ty)));
            self.frame().bound.push((name.name.clone(), id, ty));
        }
        let range = quantified.range.as_ref().map(|range| self.condition(range));
        let body = self.condition(&quantified.body);
        self.frame().bound.truncate(before);
        let is_forall = quantified.is_forall;
        let quantified = Quantified { is_forall, vars, range, body };
        self.typed(ExprKind::Quantified(Box::new(quantified)), BOOLEAN, span)
    }
}

impl super::World<'_> {
    pub(super) fn new_bound(&mut self) -> crate::typed::BoundId {
        self.next_bound += 1;
        crate::typed::BoundId(self.next_bound - 1)
    }
}
