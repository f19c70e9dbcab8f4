//! New objects and arrays. They are private to the thread that makes them.

use super::ended::MAKER;
use super::heap::Element;
use super::lambdas::Exact;
use super::places::At;
use super::shared_locks::READS;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::typed::{ClassId, Expr, FieldId, MethodId, Ty};
use diagnostic::Code;
use plato::ast::{self, BinaryOp, Stmt};
use source::Span;
use std::collections::BTreeMap;

/// `new C(args)`
pub(super) struct New<'e> {
    pub(super) class: ClassId,
    pub(super) constructor: Option<MethodId>,
    pub(super) args: &'e [Expr],
    /// First values of fields, from variables around the class.
    pub(super) captured: &'e [(FieldId, Expr)],
    pub(super) span: Span,
}

impl Lowering<'_> {
    pub(super) fn new_object(&mut self, new: &New<'_>) -> ast::Expr {
        let New { class, constructor, args, captured, span } = *new;
        let args = self.args(args);
        let mut taken = Vec::new();
        for (field, value) in captured {
            let of = self.captured_value(class, value);
            taken.push((*field, self.steady(of, &value.ty), value.ty.clone()));
        }
        if self.protections.run_at_once.contains(&class) {
            return self.run_at_once(class, taken, span);
        }
        let object = self.allocate(class, span);
        for (field, value, ty) in taken {
            self.write(&At::Field(object.clone(), field, span), value, &ty);
        }
        match constructor {
            Some(constructor) => self.construct(constructor, object.clone(), args, span),
            None if self.is_checked(class) => {}
            None => {
                let name = self.program.class(class).name.clone();
                self.assume_silently(span, format!("the constructor of `{name}` has no effect"));
            }
        }
        object
    }

    /// An object of a class with the first values of its fields.
    pub(super) fn allocate(&mut self, class: ClassId, span: Span) -> ast::Expr {
        let name = self.program.class(class).name.to_string();
        let local = self.temp(&format!("new {name}"), terms::reference(span));
        self.made.push(local.clone());
        let object = terms::name(&local, span);
        // What is promised of its fields is due when others see it, whether or not the method
        // touches them.
        let promised = self.promised_fields(class);
        self.used.fields.extend(promised);
        let mut known = self.is_new(&object, span);
        known.push(self.is_exactly(&object, class));
        let mut stmts =
            vec![terms::havoc(&local, span), terms::assume(terms::and(known, span), span)];
        stmts.extend(self.owned(&object, span));
        stmts.extend(self.first_values(&object, None, span));
        self.private_step(stmts, span);
        self.exact.insert(local.clone(), Exact { class, captured: BTreeMap::new() });
        self.private.insert(local);
        object
    }

    /// Makes an object belong to this thread alone.
    fn owned(&self, object: &ast::Expr, span: Span) -> Vec<Stmt> {
        let mut stmts = vec![terms::write("owner", vec![object.clone()], terms::tid(span), span)];
        if self.used.in_heap {
            let no = terms::boolean(false, span);
            stmts.push(terms::write("inheap", vec![object.clone()], no, span));
        }
        stmts
    }

    /// First values of all fields and elements, but for elements of a kind.
    fn first_values(
        &mut self,
        object: &ast::Expr,
        besides: Option<Element>,
        span: Span,
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for field in self.used.fields.clone() {
            let about = self.program.field(field);
            // Also of fields that its class does not have: what holds of all objects holds of it.
            if about.is_static {
                continue;
            }
            let zero = terms::zero(&about.ty, span);
            let name = self.field_name(field);
            stmts.push(terms::write(&name, vec![object.clone()], zero, span));
        }
        if self.used.ends {
            stmts.push(terms::write(MAKER, vec![object.clone()], terms::tid(span), span));
        }
        if self.used.starts {
            let no = terms::boolean(false, span);
            stmts.push(terms::write("started", vec![object.clone()], no, span));
        }
        for kind in self.used.elements.clone() {
            if Some(kind) != besides {
                let zeros = terms::constant_map(terms::zero(&kind.ty(), span));
                stmts.push(terms::write(kind.name(), vec![object.clone()], zeros, span));
            }
        }
        stmts
    }

    /// That an object is none that anybody knows.
    fn is_new(&mut self, object: &ast::Expr, span: Span) -> Vec<ast::Expr> {
        self.used.allocates = true;
        let at = |map: &str| terms::name(map, span).at(object.clone());
        let mut known = vec![
            object.clone().differs(terms::null(span)),
            at("shared").negated(),
            at("owner").equals(terms::int(0, span)),
        ];
        if self.used.monitors {
            known.push(at("holder").equals(terms::int(0, span)));
        }
        if self.used.reads {
            let thread = terms::name("$t", span);
            let none = at(READS).at(thread).equals(terms::int(0, span));
            let tid = plato::build::ty(ast::TypeKind::Tid, span);
            known.push(terms::forall(&[("$t", tid)], none, span));
        }
        known
    }

    /// An array of a length; its elements have their first values.
    pub(super) fn allocate_array(
        &mut self,
        length: ast::Expr,
        element: &Ty,
        span: Span,
    ) -> ast::Expr {
        let local = self.temp("new array", terms::reference(span));
        self.made.push(local.clone());
        let array = terms::name(&local, span);
        let kind = Element::of(element);
        self.used.lengths = true;
        self.used.elements.insert(kind);
        let mut known = self.is_new(&array, span);
        known.push(terms::name("length", span).at(array.clone()).equals(length));
        known.push(self.is_no_class(&array));
        let zeros = terms::constant_map(terms::zero(element, span));
        let mut stmts =
            vec![terms::havoc(&local, span), terms::assume(terms::and(known, span), span)];
        stmts.extend(self.owned(&array, span));
        stmts.push(terms::write(kind.name(), vec![array.clone()], zeros, span));
        stmts.extend(self.first_values(&array, Some(kind), span));
        self.private_step(stmts, span);
        self.private.insert(local);
        array
    }

    pub(super) fn new_array(&mut self, sizes: &[Expr], ty: &Ty, span: Span) -> ast::Expr {
        let lengths = self.args(sizes);
        for (length, size) in lengths.iter().zip(sizes) {
            let told = fault(Code::NegativeSize, "the size of this array may be negative");
            let cond = length.clone().of(BinaryOp::Ge, terms::int(0, size.span));
            if !matches!(length.kind, ast::ExprKind::Int(_)) {
                self.must(cond, told, "java.lang.NegativeArraySizeException", size.span);
            }
        }
        self.array_of_arrays(&lengths, ty, span)
    }

    pub(super) fn array_of(&mut self, values: &[Expr], ty: &Ty, span: Span) -> ast::Expr {
        let Ty::Array(element) = ty else {
            self.unsupported("an array whose type is not known", span);
            return terms::null(span);
        };
        let computed = self.args(values);
        let length = i128::try_from(values.len()).unwrap_or(i128::MAX);
        let array = self.allocate_array(terms::int(length, span), element, span);
        for (index, value) in computed.into_iter().enumerate() {
            let index = terms::int(i128::try_from(index).unwrap_or(i128::MAX), span);
            let at = At::Index(array.clone(), index, Element::of(element), span);
            self.write(&at, value, element);
        }
        array
    }
}
