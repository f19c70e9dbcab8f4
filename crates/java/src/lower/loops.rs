//! Loops, and what is guessed of them.
//!
//! A guess that is no invariant is dropped, so that guesses can cost proofs time and nothing else.

use super::Lowering;
use super::calm::Held;
use super::control::Scope;
use super::heap::Element;
use super::places::At;
use super::terms::{self, Term as _};
use crate::typed::{Expr, ExprKind, Label, LocalId, LoopSpec, Stmt, Ty, walk};
use plato::ast::{self, BinaryOp, Cond, LoopFormulas, StmtKind, TypeKind};
use plato::build;
use source::Span;
use std::collections::BTreeSet;

/// What all kinds of loops have.
pub(super) struct Loop<'s> {
    pub(super) label: Label,
    pub(super) spec: &'s LoopSpec,
    pub(super) body: &'s [Stmt],
    pub(super) span: Span,
}

impl Lowering<'_> {
    /// A loop with a condition, if it has one, and whether that is tested before the first time.
    pub(super) fn loop_stmt(
        &mut self,
        looping: &Loop<'_>,
        cond: Option<(&Expr, bool)>,
        update: &[Expr],
    ) {
        let Loop { label, spec, body, span } = *looping;
        let guesses = self.guesses(cond.map(|(cond, _)| cond), span);
        let invariants = spec.invariants.iter().map(|formula| self.formula_here(formula)).collect();
        let (leave, next) = (self.new_label("left"), self.new_label("next"));
        let frame = self.frames.len();
        self.scopes.push(Scope::Labelled {
            label,
            frame,
            leave: leave.clone(),
            next: Some(next.clone()),
        });
        // `do` tests from the second time on.
        let again = match cond {
            Some((_, false)) => {
                let again = self.temp("again", build::ty(TypeKind::Bool, span));
                self.push(terms::write(&again, Vec::new(), terms::boolean(false, span), span));
                Some(again)
            }
            _ => None,
        };
        let (mut iteration, ()) = self.nested(|lowering| {
            if let Some((cond, _)) = cond {
                let (mut test, ()) = lowering.nested(|lowering| {
                    let holds = lowering.value(cond);
                    let out = vec![terms::leave(&leave, span)];
                    lowering.push(terms::branch(holds.negated(), out, Vec::new(), span));
                });
                match &again {
                    Some(again) => {
                        let tests = terms::name(again, span);
                        lowering.push(terms::branch(tests, test, Vec::new(), span));
                        let yes = terms::boolean(true, span);
                        lowering.push(terms::write(again, Vec::new(), yes, span));
                    }
                    None => lowering.out.append(&mut test),
                }
            }
        });
        let (inner, ()) = self.nested(|lowering| lowering.stmts(body));
        iteration.push(terms::labelled(&next, inner, span));
        let (updates, ()) = self.nested(|lowering| {
            for expr in update {
                lowering.value(expr);
            }
        });
        iteration.extend(updates);
        self.scopes.pop();
        let formulas = LoopFormulas { invariants, guesses };
        let always = Cond::Expr(terms::boolean(true, span));
        let looping = StmtKind::While(always, formulas, terms::block(iteration, span));
        let looping = build::stmt(looping, span);
        self.push(terms::labelled(&leave, vec![looping], span));
    }

    /// What may hold whenever an iteration starts.
    pub(super) fn guesses(&mut self, cond: Option<&Expr>, span: Span) -> Vec<ast::Expr> {
        // What comes later in the text may have run before.
        self.leak();
        let mut guesses = Vec::new();
        self.held.iter_mut().for_each(Held::doubt);
        for Held { lock, .. } in self.held.clone() {
            self.used.monitors = true;
            let held = terms::name("holder", span).at(lock.clone()).equals(terms::tid(span));
            guesses.push(held);
            let depth = terms::name("depth", span).at(lock.clone());
            let before = self.kept("depth", depth.clone(), &Ty::Prim(crate::tree::Prim::Int));
            guesses.push(depth.equals(before));
        }
        for lock in self.reading.clone() {
            let reads = terms::name(super::shared_locks::READS, span).at(lock).at(terms::tid(span));
            let before = self.kept("reads", reads.clone(), &Ty::Prim(crate::tree::Prim::Int));
            guesses.push(reads.equals(before));
        }
        let mut objects = BTreeSet::new();
        for frame in &self.frames {
            let Some(method) = frame.method else { continue };
            let Some(body) = &self.program.method(method).body else { continue };
            for (name, local) in frame.locals.iter().zip(&body.locals) {
                if local.ty.is_reference() {
                    objects.insert(name.clone());
                }
            }
            if let Some(ast::ExprKind::Name(name)) = frame.this.as_ref().map(|this| &this.kind) {
                objects.insert(name.path.segments[0].name.to_string());
            }
        }
        for name in objects {
            let value = || terms::name(&name, span);
            guesses.push(terms::name("shared", span).at(value()));
            if self.used.starts {
                guesses.push(terms::name("started", span).at(value()));
            }
            if name == "this" && self.arguments.contains("this") {
                // Nobody assigns to it, and others know it since the method began.
                continue;
            }
            guesses.push(value().differs(terms::null(span)));
            let is_null = value().equals(terms::null(span));
            let is_shared = terms::name("shared", span).at(value());
            guesses.push(terms::or(vec![is_null, is_shared], span));
            if self.used.allocates {
                let owner = terms::name("owner", span).at(value());
                guesses.push(owner.equals(terms::tid(span)));
                let known = self.is_known_object(&value());
                guesses.push(known);
            }
        }
        self.entered_guesses(&mut guesses, span);
        self.static_guesses(&mut guesses, span);
        self.thread_guesses(&mut guesses, span);
        self.field_guesses(&mut guesses, span);
        self.private_guesses(&mut guesses, span);
        if let Some(cond) = cond {
            self.number_guesses(cond, &mut guesses, span);
        }
        guesses
    }

    /// The private objects of this thread are those that were made before the loop, and none of
    /// them was stored in another one.
    fn private_guesses(&mut self, guesses: &mut Vec<ast::Expr>, span: Span) {
        if !self.used.allocates {
            return;
        }
        let r = || terms::name("$r", span);
        let own = || terms::name("owner", span).at(r()).equals(terms::tid(span));
        let all = |body: ast::Expr| terms::forall(&[("$r", terms::reference(span))], body, span);
        let made = self.made.iter().map(|local| r().equals(terms::name(local, span)));
        let one_of_them = terms::or(made.collect(), span);
        guesses.push(all(own().implies(one_of_them)));
        if self.used.in_heap {
            let stored = terms::name("inheap", span).at(r());
            guesses.push(all(own().implies(stored.negated())));
        }
    }

    /// Fields of `this` are as before the loop, if a lock is held that may guard them, or if nobody
    /// else knows it.
    fn field_guesses(&mut self, guesses: &mut Vec<ast::Expr>, span: Span) {
        let is_maker = |frame: &super::Frame| {
            frame.method.is_some_and(|method| self.program.method(method).is_constructor)
        };
        let makes = self.frames.iter().any(is_maker);
        if self.held.is_empty() && !makes {
            return;
        }
        let mut objects: Vec<(ast::Expr, crate::typed::ClassId)> = Vec::new();
        for frame in &self.frames {
            if let (Some(this), Some(method)) = (&frame.this, frame.method) {
                let class = self.program.method(method).class;
                let is_new = |(_, other): &(ast::Expr, crate::typed::ClassId)| *other != class;
                if objects.iter().all(is_new) {
                    objects.push((this.clone(), class));
                }
            }
        }
        for (object, class) in objects {
            for field in self.used.fields.clone() {
                let about = self.program.field(field);
                if about.is_static || !self.program.is_subclass(class, about.class) {
                    continue;
                }
                let ty = about.ty.clone();
                let value = terms::name(&self.field_name(field), span).at(object.clone());
                let before = self.kept("before", value.clone(), &ty);
                guesses.push(value.equals(before.clone()));
                if makes && matches!(ty, Ty::Array(_)) {
                    let owner = terms::name("owner", span).at(before.clone());
                    guesses.push(owner.equals(terms::tid(span)));
                }
            }
        }
    }

    /// Numbers in the condition of a loop: against zero, against what they were before, and against
    /// each other.
    fn number_guesses(&mut self, cond: &Expr, guesses: &mut Vec<ast::Expr>, span: Span) {
        walk::deep(cond, &mut |part| {
            if let ExprKind::Binary(op, left, right) = &part.kind {
                use crate::tree::BinaryOp as Op;
                if matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Ne) {
                    self.bound_guesses(left, right, guesses, span);
                    self.bound_guesses(right, left, guesses, span);
                }
            }
        });
    }

    fn bound_guesses(
        &mut self,
        one: &Expr,
        other: &Expr,
        guesses: &mut Vec<ast::Expr>,
        span: Span,
    ) {
        let ExprKind::Local(local) = &one.kind else { return };
        if !matches!(one.ty, Ty::Prim(prim) if prim.is_integral()) {
            return;
        }
        let value = || terms::name(self.local_name(*local), span);
        let (low, high) = (value(), value());
        let start = self.kept("start", value(), &one.ty);
        for bound in [terms::int(-1, span), terms::int(0, span), start] {
            guesses.push(low.clone().of(BinaryOp::Ge, bound.clone()));
            guesses.push(low.clone().of(BinaryOp::Le, bound));
        }
        if let Some(limit) = self.simple(other, span) {
            guesses.push(high.clone().of(BinaryOp::Le, limit.clone()));
            guesses.push(high.clone().of(BinaryOp::Lt, limit.clone()));
            guesses.push(high.of(BinaryOp::Ge, limit));
        }
    }

    /// An expression that can be looked at without a step.
    fn simple(&mut self, expr: &Expr, span: Span) -> Option<ast::Expr> {
        Some(match &expr.kind {
            ExprKind::Int(value) => terms::int(*value, span),
            ExprKind::Local(local) => terms::name(self.local_name(*local), span),
            ExprKind::This => self.this(span),
            ExprKind::Length(array) => {
                self.used.lengths = true;
                let array = self.simple(array, span)?;
                terms::name("length", span).at(array)
            }
            ExprKind::Field(object, field) => {
                let object = self.simple(object, span)?;
                self.used.fields.insert(*field);
                terms::name(&self.field_name(*field), span).at(object)
            }
            ExprKind::Static(field) => {
                self.used.fields.insert(*field);
                terms::name(&self.field_name(*field), span)
            }
            _ => return None,
        })
    }

    /// `for (local : values) body`: over an array by index, over anything else any number of times.
    pub(super) fn for_each(&mut self, looping: &Loop<'_>, local: LocalId, values: &Expr) {
        let Loop { label, spec, body, span } = *looping;
        let all = self.value(values);
        let all = self.steady(all, &values.ty);
        self.must_exist(values, &all);
        let local_ty = self.local_type(local);
        let name = self.local_name(local).to_owned();
        let element = match &values.ty {
            Ty::Array(element) => Some((**element).clone()),
            _ => None,
        };
        let index = self.temp("index", build::ty(TypeKind::Int, span));
        self.push(terms::write(&index, Vec::new(), terms::int(0, span), span));
        let mut guesses = self.guesses(None, span);
        let at = || terms::name(&index, span);
        guesses.push(terms::int(0, span).of(BinaryOp::Le, at()));
        let invariants = spec.invariants.iter().map(|formula| self.formula_here(formula)).collect();
        let (leave, next) = (self.new_label("left"), self.new_label("next"));
        let frame = self.frames.len();
        self.scopes.push(Scope::Labelled {
            label,
            frame,
            leave: leave.clone(),
            next: Some(next.clone()),
        });
        let (mut iteration, ()) = self.nested(|lowering| {
            let goes_on = match &element {
                Some(_) => {
                    lowering.used.lengths = true;
                    at().of(BinaryOp::Lt, terms::name("length", span).at(all.clone()))
                }
                None => {
                    lowering.assume_silently(span, "what is iterated over does not fail");
                    lowering.unknown_value("more", &Ty::Prim(crate::tree::Prim::Boolean), span)
                }
            };
            let out = vec![terms::leave(&leave, span)];
            lowering.push(terms::branch(goes_on.negated(), out, Vec::new(), span));
            let value = match &element {
                Some(element) => {
                    let place = At::Index(all.clone(), at(), Element::of(element), span);
                    lowering.read(&place, element)
                }
                None => lowering.unknown_value("next", &local_ty, span),
            };
            lowering.push(terms::write(&name, Vec::new(), value, span));
        });
        let (inner, ()) = self.nested(|lowering| lowering.stmts(body));
        iteration.push(terms::labelled(&next, inner, span));
        let further = at().of(BinaryOp::Add, terms::int(1, span));
        iteration.push(terms::write(&index, Vec::new(), further, span));
        self.scopes.pop();
        let formulas = LoopFormulas { invariants, guesses };
        let always = Cond::Expr(terms::boolean(true, span));
        let looping = StmtKind::While(always, formulas, terms::block(iteration, span));
        let looping = build::stmt(looping, span);
        self.push(terms::labelled(&leave, vec![looping], span));
    }

    fn local_type(&self, local: LocalId) -> Ty {
        let frame = self.frames.last();
        let method = frame.and_then(|frame| frame.method);
        let body = method.and_then(|method| self.program.method(method).body.as_ref());
        body.and_then(|body| body.locals.get(local.index()))
            .map_or(Ty::Unknown, |local| local.ty.clone())
    }
}
