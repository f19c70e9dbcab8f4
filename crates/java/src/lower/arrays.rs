//! Whole arrays: copies of parts, clones, arrays of arrays.
//!
//! A copy reads and writes element by element, and others may act in between. Where it goes to an
//! array that only this thread knows, that is one step. What comes out of an array that others know
//! too may be anything that was ever in it.

use super::calls::Call;
use super::heap::Element;
use super::places::At;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::tree::Prim;
use crate::typed::{Callee, Ty};
use diagnostic::Code;
use plato::ast::{self, BinaryOp, Cond, LoopFormulas, Stmt, StmtKind, TypeKind};
use plato::build;
use source::Span;

/// A part of an array that is copied.
struct Copied {
    from: ast::Expr,
    /// Where it begins there.
    start: ast::Expr,
    to: ast::Expr,
    /// Where it begins there.
    at: ast::Expr,
    length: ast::Expr,
    kind: Element,
    /// The type of the elements.
    ty: Ty,
    span: Span,
}

impl Copied {
    /// `low <= index < low + length`
    fn is_inside(&self, index: &ast::Expr, low: &ast::Expr) -> ast::Expr {
        let end = low.clone().of(BinaryOp::Add, self.length.clone());
        let above = low.clone().of(BinaryOp::Le, index.clone());
        terms::and(vec![above, index.clone().of(BinaryOp::Lt, end)], self.span)
    }

    fn index(&self) -> ast::Expr {
        terms::name("$i", self.span)
    }

    /// Something about every index.
    fn every(&self, body: ast::Expr) -> ast::Expr {
        terms::forall(&[("$i", build::ty(TypeKind::Int, self.span))], body, self.span)
    }

    /// Something about every index at which elements are written.
    fn every_inside(&self, body: ast::Expr) -> ast::Expr {
        self.every(self.is_inside(&self.index(), &self.at).implies(body))
    }

    fn elements(&self, array: &ast::Expr) -> ast::Expr {
        terms::name(self.kind.name(), self.span).at(array.clone())
    }

    /// Outside of the part, the new elements are those that are there.
    fn elsewhere_same(&self, new: &str) -> ast::Expr {
        let value = terms::name(new, self.span).at(self.index());
        let same = value.equals(self.elements(&self.to).at(self.index()));
        let inside = self.is_inside(&self.index(), &self.at);
        self.every(terms::or(vec![inside, same], self.span))
    }

    /// In the part, the new elements are those of the other array.
    fn is_copy(&self, new: &str) -> ast::Expr {
        let shift = self.start.clone().of(BinaryOp::Sub, self.at.clone());
        let from = self.elements(&self.from).at(self.index().of(BinaryOp::Add, shift));
        self.every_inside(terms::name(new, self.span).at(self.index()).equals(from))
    }

    /// In the part, the new elements are such that others may know them.
    fn known_inside(&self, new: &str) -> ast::Expr {
        if self.kind != Element::Object {
            return terms::boolean(true, self.span);
        }
        let value = || terms::name(new, self.span).at(self.index());
        let is_null = value().equals(terms::null(self.span));
        let shared = terms::name("shared", self.span).at(value());
        self.every_inside(terms::or(vec![is_null, shared], self.span))
    }
}

impl Lowering<'_> {
    /// `System.arraycopy(from, start, to, at, length)`
    pub(super) fn array_copy(&mut self, callee: &Callee, call: &Call<'_>) -> ast::Expr {
        let span = call.span;
        let types: Vec<&Ty> = callee.args.iter().map(|arg| &arg.ty).collect();
        let [Ty::Array(source), _, Ty::Array(element), _, _] = types.as_slice() else {
            self.unsupported("a copy of an array whose type is not known", span);
            return terms::int(0, span);
        };
        if Element::of(source) != Element::of(element) {
            self.unsupported("a copy between arrays of different kinds", span);
            return terms::int(0, span);
        }
        let [from, start, to, at, length] = call.args.as_slice() else {
            return terms::int(0, span);
        };
        let copied = Copied {
            from: from.clone(),
            start: start.clone(),
            to: to.clone(),
            at: at.clone(),
            length: length.clone(),
            kind: Element::of(element),
            ty: (**element).clone(),
            span,
        };
        let [from_span, to_span] = [0, 2].map(|at: usize| callee.args[at].span);
        self.must_not_be_null(from, from_span);
        self.must_not_be_null(to, to_span);
        let part = (&copied.from, &copied.start, from_span);
        self.must_contain(&copied, part, "the part that is read");
        let part = (&copied.to, &copied.at, to_span);
        self.must_contain(&copied, part, "the part that is written");
        self.used.elements.insert(copied.kind);
        self.may_access((&copied.from, source), false, from_span);
        self.all_must_fit((&callee.args[2], to), source, length, to_span);
        let known = self.known_keeper(&copied.to, element, span);
        self.out.extend(known);
        let guarded = self.may_access((&copied.to, element), true, to_span);
        let (copy, ()) = self.nested(|lowering| lowering.copy(&copied));
        match guarded {
            // What others rely on is kept: the access was told.
            Some(guarded) => self.push(terms::branch(guarded, copy, Vec::new(), span)),
            None => self.out.extend(copy),
        }
        terms::int(0, span)
    }

    /// Checks that no other thread accesses the elements of an array meanwhile.
    fn may_access(
        &mut self,
        array: (&ast::Expr, &Ty),
        is_write: bool,
        span: Span,
    ) -> Option<ast::Expr> {
        let guard = self.element_guard(array, is_write, span)?;
        self.out.extend(guard.checks(None, span));
        Some(guard.holds(span))
    }

    fn copy(&mut self, copied: &Copied) {
        let span = copied.span;
        self.copies = true;
        if self.is_private_object(&copied.to) {
            self.copy_at_once(copied);
        } else if self.used.allocates {
            let is_own = terms::name("owner", span).at(copied.to.clone()).equals(terms::tid(span));
            let (at_once, ()) = self.nested(|lowering| lowering.copy_at_once(copied));
            let (shared, ()) = self.nested(|lowering| lowering.copy_to_shared(copied));
            self.push(terms::branch(is_own, at_once, shared, span));
        } else {
            self.copy_to_shared(copied);
        }
        self.copies = false;
    }

    /// A copy to an array that others may know.
    ///
    /// They see every element change. If no formula speaks of elements and others know those of the
    /// other array, then each of these steps keeps all that is promised; and what the thread knows
    /// of the elements when all steps are done is that others know them. So one step says the same.
    fn copy_to_shared(&mut self, copied: &Copied) {
        if self.is_compared || self.speaks_of_elements(copied.kind) {
            return self.copy_one_by_one(copied);
        }
        let span = copied.span;
        let (at_once, ()) = self.nested(|lowering| {
            let new = lowering.new_elements(copied);
            let stmts = vec![
                terms::havoc(&new, span),
                terms::assume(copied.elsewhere_same(&new), span),
                terms::assume(copied.known_inside(&new), span),
            ];
            lowering.copied(copied, &new, stmts);
        });
        if !self.used.allocates || copied.kind != Element::Object {
            return self.out.extend(at_once);
        }
        let is_own = terms::name("owner", span).at(copied.from.clone()).equals(terms::tid(span));
        let (one_by_one, ()) = self.nested(|lowering| lowering.copy_one_by_one(copied));
        self.push(terms::branch(is_own, one_by_one, at_once, span));
    }

    /// The step of a copy: the elements are chosen, then written.
    fn copied(&mut self, copied: &Copied, new: &str, mut stmts: Vec<Stmt>) {
        let whole = terms::name(new, copied.span);
        let array = vec![copied.to.clone()];
        stmts.push(terms::write(copied.kind.name(), array, whole, copied.span));
        self.step(stmts, copied.span);
    }

    /// That a part lies in an array.
    fn must_contain(
        &mut self,
        copied: &Copied,
        (array, low, span): (&ast::Expr, &ast::Expr, Span),
        what: &str,
    ) {
        self.used.lengths = true;
        let none = || terms::int(0, span);
        let end = low.clone().of(BinaryOp::Add, copied.length.clone());
        let length = terms::name("length", span).at(array.clone());
        let inside = vec![
            none().of(BinaryOp::Le, low.clone()),
            none().of(BinaryOp::Le, copied.length.clone()),
            end.of(BinaryOp::Le, length),
        ];
        let told = fault(Code::IndexOutOfRange, format!("{what} may not lie inside of this array"));
        let exception = "java.lang.IndexOutOfBoundsException";
        self.must(terms::and(inside, span), told, exception, span);
    }

    /// All elements of an array, as a variable of the thread.
    fn new_elements(&mut self, copied: &Copied) -> String {
        let span = copied.span;
        let inner = terms::sort(&copied.kind.ty(), span);
        self.temp("elements", terms::map(build::ty(TypeKind::Int, span), inner))
    }

    /// A copy to an array that only this thread knows.
    fn copy_at_once(&mut self, copied: &Copied) {
        let span = copied.span;
        let new = self.new_elements(copied);
        let mut stmts =
            vec![terms::havoc(&new, span), terms::assume(copied.elsewhere_same(&new), span)];
        let is_own = terms::name("owner", span).at(copied.from.clone()).equals(terms::tid(span));
        // Others may change an array that they know, so that only what they may put there is known.
        let copies = vec![terms::assume(copied.is_copy(&new), span)];
        let takes = vec![terms::assume(copied.known_inside(&new), span)];
        stmts.push(terms::branch(is_own, copies, takes, span));
        self.copied(copied, &new, stmts);
    }

    /// A copy to an array that others may know: they see every element change. In which order is
    /// not said, and whether an element is read before or after others are written.
    fn copy_one_by_one(&mut self, copied: &Copied) {
        let span = copied.span;
        let old = self.new_elements(copied);
        let elements = terms::name(copied.kind.name(), span).at(copied.from.clone());
        self.push(terms::write(&old, Vec::new(), elements, span));
        let [count, from] = ["count", "from"].map(|name| {
            let int = build::ty(TypeKind::Int, span);
            self.temp(name, int)
        });
        let number = |name: &str| terms::name(name, span);
        self.push(terms::write(&count, Vec::new(), terms::int(0, span), span));
        let mut guesses = self.guesses(None, span);
        guesses.push(terms::int(0, span).of(BinaryOp::Le, number(&count)));
        guesses.push(number(&count).of(BinaryOp::Le, copied.length.clone()));
        let (body, ()) = self.nested(|lowering| {
            lowering.push(terms::havoc(&from, span));
            let inside = copied.is_inside(&number(&from), &copied.start);
            lowering.push(terms::assume(inside, span));
            let value = lowering.read_now_or_before(copied, &old, &number(&from));
            let index = copied.at.clone().of(BinaryOp::Add, number(&count));
            let index = lowering.kept("value", index, &Ty::Prim(Prim::Int));
            let at = At::Index(copied.to.clone(), index, copied.kind, span);
            lowering.write(&at, value, &copied.ty);
            let next = number(&count).of(BinaryOp::Add, terms::int(1, span));
            lowering.push(terms::write(&count, Vec::new(), next, span));
        });
        let goes_on = Cond::Expr(number(&count).of(BinaryOp::Lt, copied.length.clone()));
        let formulas = LoopFormulas { invariants: Vec::new(), guesses };
        let looping = StmtKind::While(goes_on, formulas, terms::block(body, span));
        self.push(build::stmt(looping, span));
    }

    /// An element as it is now, or as it was before.
    fn read_now_or_before(&mut self, copied: &Copied, old: &str, at: &ast::Expr) -> ast::Expr {
        let span = copied.span;
        let local = self.temp("value", terms::sort(&copied.ty, span));
        let (now, ()) = self.nested(|lowering| {
            let place = At::Index(copied.from.clone(), at.clone(), copied.kind, span);
            let value = lowering.read(&place, &copied.ty);
            lowering.push(terms::write(&local, Vec::new(), value, span));
        });
        let before = terms::name(old, span).at(at.clone());
        let before = vec![terms::write(&local, Vec::new(), before, span)];
        let branches = vec![terms::block(now, span), terms::block(before, span)];
        self.push(build::stmt(StmtKind::Choose(branches), span));
        let value = terms::name(&local, span);
        if copied.kind == Element::Object {
            // Whatever was ever in an array that others know, they know too.
            let mut ways = vec![
                value.clone().equals(terms::null(span)),
                terms::name("shared", span).at(value.clone()),
            ];
            if self.used.allocates {
                let owner = |of: &ast::Expr| terms::name("owner", span).at(of.clone());
                let own = |of: &ast::Expr| owner(of).equals(terms::tid(span));
                ways.push(terms::and(vec![own(&copied.from), own(&value)], span));
            }
            self.push(terms::assume(terms::or(ways, span), span));
        }
        value
    }

    /// `array.clone()`
    pub(super) fn array_clone(&mut self, from: &ast::Expr, element: &Ty, span: Span) -> ast::Expr {
        self.used.lengths = true;
        self.may_access((from, element), false, span);
        let length = terms::name("length", span).at(from.clone());
        let length = self.kept("length", length, &Ty::Prim(Prim::Int));
        let to = self.allocate_array(length.clone(), element, span);
        let none = || terms::int(0, span);
        let (kind, ty) = (Element::of(element), element.clone());
        let (from, start, at) = (from.clone(), none(), none());
        self.copy_at_once(&Copied { from, start, to: to.clone(), at, length, kind, ty, span });
        to
    }

    /// `new T[n][m]`: arrays in an array.
    pub(super) fn array_of_arrays(
        &mut self,
        lengths: &[ast::Expr],
        ty: &Ty,
        span: Span,
    ) -> ast::Expr {
        let (Ty::Array(element), [length, inner @ ..]) = (ty, lengths) else {
            self.unsupported("an array whose type is not known", span);
            return terms::null(span);
        };
        let outer = self.allocate_array(length.clone(), element, span);
        if inner.is_empty() {
            return outer;
        }
        let count = self.temp("count", build::ty(TypeKind::Int, span));
        let number = || terms::name(&count, span);
        self.push(terms::write(&count, Vec::new(), terms::int(0, span), span));
        let mut guesses = self.guesses(None, span);
        guesses.push(terms::int(0, span).of(BinaryOp::Le, number()));
        guesses.push(number().of(BinaryOp::Le, length.clone()));
        guesses.extend(made_arrays(&outer, &number(), &inner[0], span));
        let (body, ()) = self.nested(|lowering| {
            let inside = number().of(BinaryOp::Lt, length.clone());
            lowering.push(terms::assume(inside, span));
            let made = lowering.array_of_arrays(inner, element, span);
            let at = At::Index(outer.clone(), number(), Element::Object, span);
            lowering.write(&at, made, element);
            let next = number().of(BinaryOp::Add, terms::int(1, span));
            lowering.push(terms::write(&count, Vec::new(), next, span));
        });
        let goes_on = Cond::Expr(number().of(BinaryOp::Lt, length.clone()));
        let formulas = LoopFormulas { invariants: Vec::new(), guesses };
        let looping = StmtKind::While(goes_on, formulas, terms::block(body, span));
        self.push(build::stmt(looping, span));
        outer
    }
}

/// What is guessed of the arrays that were made so far.
fn made_arrays(
    outer: &ast::Expr,
    count: &ast::Expr,
    length: &ast::Expr,
    span: Span,
) -> Vec<ast::Expr> {
    let i = || terms::name("$i", span);
    let made = || terms::name(Element::Object.name(), span).at(outer.clone()).at(i());
    let above = terms::int(0, span).of(BinaryOp::Le, i());
    let inside = terms::and(vec![above, i().of(BinaryOp::Lt, count.clone())], span);
    let exists = made().differs(terms::null(span));
    let fits = terms::name("length", span).at(made()).equals(length.clone());
    let own = terms::name("owner", span).at(made()).equals(terms::tid(span));
    let every = |body: ast::Expr| {
        let body = inside.clone().implies(body);
        terms::forall(&[("$i", build::ty(TypeKind::Int, span))], body, span)
    };
    let own_outer = terms::name("owner", span).at(outer.clone()).equals(terms::tid(span));
    let is_outer = outer.clone().differs(terms::null(span));
    vec![is_outer, own_outer, every(exists), every(fits), every(own)]
}
