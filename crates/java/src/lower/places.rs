//! Reads and writes of shared places. Each is one step.

use super::heap::Element;
use super::protect::Protection;
use super::terms::{self, Term as _};
use super::{Lowering, fault, name_of};
use crate::typed::{Expr, ExprKind, FieldId, Place, Ty};
use diagnostic::Code;
use plato::ast::{self, Stmt};
use plato::build;
use source::Span;

/// A place whose parts were computed.
#[derive(Clone)]
pub(super) enum At {
    Local(String, Span),
    Field(ast::Expr, FieldId, Span),
    Static(FieldId, Span),
    Index(ast::Expr, ast::Expr, Element, Span),
    Entry(Box<At>, ast::Expr),
}

impl Lowering<'_> {
    /// Computes the parts of a place.
    pub(super) fn place(&mut self, place: &Place, ty: &Ty) -> At {
        match place {
            Place::Local(local, span) => At::Local(self.local_name(*local).to_owned(), *span),
            Place::Field(object, field, span) => {
                let value = self.value(object);
                let value = self.steady(value, &object.ty);
                self.must_exist(object, &value);
                At::Field(value, *field, *span)
            }
            Place::Static(field, span) => At::Static(*field, *span),
            Place::Index(array, index, span) => {
                let of = self.value(array);
                let of = self.steady(of, &array.ty);
                let at = self.value(index);
                let at = self.steady(at, &index.ty);
                self.must_exist(array, &of);
                self.must_be_inside(&of, &at, index.span);
                At::Index(of, at, Element::of(ty), *span)
            }
            Place::MapAt(inner, key, _) => {
                let inner = self.place(inner, ty);
                let key = self.value(key);
                At::Entry(Box::new(inner), key)
            }
        }
    }

    /// A value that stays the same while other parts are computed.
    pub(super) fn steady(&mut self, value: ast::Expr, ty: &Ty) -> ast::Expr {
        match &value.kind {
            ast::ExprKind::Int(_) | ast::ExprKind::Bool(_) => value,
            ast::ExprKind::Name(name) if is_fixed(name.path.segments[0].name.as_str()) => value,
            _ => {
                let kept = self.kept("value", value.clone(), ty);
                if let Some(name) = name_of(&kept) {
                    self.same_object(&value, name);
                }
                kept
            }
        }
    }

    /// Checks that an object is not `null`.
    pub(super) fn must_exist(&mut self, object: &Expr, value: &ast::Expr) {
        let never_null = matches!(
            object.kind,
            ExprKind::This
                | ExprKind::New { .. }
                | ExprKind::Text(_)
                | ExprKind::ClassObject(_)
                | ExprKind::Concat(_)
        );
        if never_null {
            return;
        }
        self.must_not_be_null(value, object.span);
    }

    pub(super) fn must_not_be_null(&mut self, value: &ast::Expr, span: Span) {
        let told = fault(Code::NullReceiver, "this may be null");
        let mut exists = value.clone().differs(terms::null(span));
        exists.span = span;
        self.must(exists, told, "java.lang.NullPointerException", span);
    }

    pub(super) fn must_be_inside(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) {
        self.used.lengths = true;
        let length = terms::name("length", span).at(array.clone());
        let low = terms::int(0, span).of(ast::BinaryOp::Le, index.clone());
        let high = index.clone().of(ast::BinaryOp::Lt, length);
        let told = fault(Code::IndexOutOfRange, "this index may be outside of the array");
        let inside = terms::and(vec![low, high], span);
        self.must(inside, told, "java.lang.ArrayIndexOutOfBoundsException", span);
    }

    /// Reads a place in one step; gives its value.
    pub(super) fn read(&mut self, at: &At, ty: &Ty) -> ast::Expr {
        self.read_as(at, ty, false).0
    }

    /// The same; if it is `told` of, gives also whether the access was guarded, so that a write
    /// which follows is not told of again.
    pub(super) fn read_as(
        &mut self,
        at: &At,
        ty: &Ty,
        is_told: bool,
    ) -> (ast::Expr, Option<ast::Expr>) {
        let mut guarded = None;
        let value = match at {
            At::Local(name, span) => terms::name(name, *span),
            At::Entry(inner, key) => self.read(inner, ty).at(key.clone()),
            At::Field(object, field, _) if self.captured(object, *field).is_some() => {
                return (self.captured(object, *field).unwrap_or_else(|| object.clone()), None);
            }
            At::Field(_, field, span) | At::Static(field, span) => {
                let name = format!("read {}", self.program.field(*field).name);
                self.used.fields.insert(*field);
                let sort = terms::sort(&self.program.field(*field).ty, *span);
                let local = self.temp(&name, sort);
                let mut step = Vec::new();
                let is_told = is_told || self.protections.homes.of(*field).is_some();
                if let Some((cond, told)) = self.guard(at, false) {
                    if is_told {
                        let name = self.temp("guarded", build::ty(ast::TypeKind::Bool, *span));
                        step.push(terms::write(&name, Vec::new(), cond.clone(), *span));
                        guarded = Some(terms::name(&name, *span));
                    }
                    step.push(terms::check(cond, told, *span));
                }
                let value = self.variable_of(at);
                step.push(terms::write(&local, Vec::new(), value, *span));
                self.note_fixed_read(&local, at);
                self.note_array_read(&local, at, guarded.clone());
                if self.is_calm_read(at) && !self.is_private(at) {
                    self.calm_step(step, *span);
                } else {
                    self.step_at(at, step, *span);
                }
                terms::name(&local, *span)
            }
            At::Index(array, _, element, span) => {
                self.used.elements.insert(*element);
                let sort = terms::sort(ty, *span);
                let local = self.temp("read element", sort);
                let value = self.variable_of(at);
                let mut step = Vec::new();
                if let Some(guard) = self.element_guard((array, ty), false, *span) {
                    step = guard.checks(None, *span);
                    if is_told {
                        let name = self.temp("guarded", build::ty(ast::TypeKind::Bool, *span));
                        step.push(terms::write(&name, Vec::new(), guard.holds(*span), *span));
                        guarded = Some(terms::name(&name, *span));
                    }
                }
                step.push(terms::write(&local, Vec::new(), value, *span));
                if self.is_calm_read(at) && !self.is_private(at) {
                    self.calm_step(step, *span);
                } else {
                    self.step_at(at, step, *span);
                }
                terms::name(&local, *span)
            }
        };
        (value, guarded)
    }

    /// One step on a place.
    fn step_at(&mut self, at: &At, stmts: Vec<Stmt>, span: Span) {
        if self.is_private(at) { self.private_step(stmts, span) } else { self.step(stmts, span) }
    }

    /// What is stored in an object that others may know, they may know too.
    fn stored(&mut self, at: &At, ty: &Ty) {
        if ty.is_reference() && !self.is_private(at) {
            self.leak();
        }
    }

    /// One step, which may be part of a larger one.
    pub(super) fn step(&mut self, mut stmts: Vec<Stmt>, span: Span) {
        if self.in_atomic {
            self.steps_in_atomic += 1;
        }
        if self.in_atomic || stmts.len() == 1 {
            self.out.append(&mut stmts);
        } else {
            self.push(terms::atomic(stmts, span));
        }
    }

    /// One step that others do not disturb.
    fn calm_step(&mut self, stmts: Vec<Stmt>, span: Span) {
        self.step(stmts, span);
        if let (false, Some(step)) = (self.in_atomic, self.out.last_mut()) {
            step.undisturbed = true;
        }
    }

    /// Notes the action that the step written last is said to perform.
    pub(super) fn note_performed(&mut self) {
        if self.in_atomic {
            return;
        }
        if let (Some((name, span)), Some(step)) = (self.witness.take(), self.out.last_mut()) {
            let action = ast::Ident { name, span };
            step.performs = Some(ast::Performs { action, cond: None, span });
        }
    }

    /// The place as an expression of Plato.
    fn variable_of(&self, at: &At) -> ast::Expr {
        match at {
            At::Local(name, span) => terms::name(name, *span),
            At::Field(object, field, span) => {
                terms::name(&self.field_name(*field), *span).at(object.clone())
            }
            At::Static(field, span) => terms::name(&self.field_name(*field), *span),
            At::Index(array, index, element, span) => {
                terms::name(element.name(), *span).at(array.clone()).at(index.clone())
            }
            At::Entry(inner, key) => self.variable_of(inner).at(key.clone()),
        }
    }

    /// Writes a place in one step.
    pub(super) fn write(&mut self, at: &At, value: ast::Expr, ty: &Ty) {
        self.write_after(at, value, ty, None);
    }

    /// The same, after a read that was guarded if the last condition holds.
    pub(super) fn write_after(
        &mut self,
        at: &At,
        value: ast::Expr,
        ty: &Ty,
        guarded: Option<ast::Expr>,
    ) {
        match at {
            At::Local(name, span) => self.push(terms::write(name, Vec::new(), value, *span)),
            At::Entry(inner, key) => {
                let updated = terms::update(self.variable_of(inner), key.clone(), value);
                let stmt = self.plain_write(inner, updated);
                self.push(stmt);
            }
            At::Field(_, field, span) | At::Static(field, span) => {
                self.used.fields.insert(*field);
                let value = self.steady_for_step(value, ty);
                let guard = self.guard(at, true);
                let mut step = self.store_rule(at, &value, ty, *span);
                step.extend(self.belongs(at, &value, *span));
                let mut write = self.plain_write(at, value);
                if let Some((cond, told)) = guard {
                    let protection = self.protections.of(*field);
                    if matches!(protection, Protection::Locked { .. } | Protection::Handed) {
                        // What is written without the lock is told once. It is left out then, so
                        // that others, who rely on the lock, are not disturbed too.
                        write = terms::branch(cond.clone(), vec![write], Vec::new(), *span);
                    }
                    let cond = match guarded {
                        Some(guarded) => guarded.implies(cond),
                        None => cond,
                    };
                    step.insert(0, terms::check(cond, told, *span));
                }
                step.push(write);
                self.step_at(at, step, *span);
                self.note_performed();
                self.stored(at, ty);
            }
            At::Index(array, _, element, span) => {
                self.used.elements.insert(*element);
                let value = self.steady_for_step(value, ty);
                let mut step: Vec<Stmt> = self.known_keeper(array, ty, *span).into_iter().collect();
                let guard = self.element_guard((array, ty), true, *span);
                let mut writes = self.store_rule(at, &value, ty, *span);
                writes.push(self.plain_write(at, value));
                match guard {
                    Some(guard) => {
                        step.extend(guard.checks(guarded.as_ref(), *span));
                        step.push(terms::branch(guard.holds(*span), writes, Vec::new(), *span));
                    }
                    None => step.append(&mut writes),
                }
                self.step_at(at, step, *span);
                self.note_performed();
                self.stored(at, ty);
            }
        }
    }

    /// Values are computed before the step that stores them.
    fn steady_for_step(&mut self, value: ast::Expr, ty: &Ty) -> ast::Expr {
        if ty.is_reference() { self.steady(value, ty) } else { value }
    }

    fn plain_write(&self, at: &At, value: ast::Expr) -> Stmt {
        match at {
            At::Local(name, span) => terms::write(name, Vec::new(), value, *span),
            At::Field(object, field, span) => {
                terms::write(&self.field_name(*field), vec![object.clone()], value, *span)
            }
            At::Static(field, span) => {
                terms::write(&self.field_name(*field), Vec::new(), value, *span)
            }
            At::Index(array, index, element, span) => {
                let keys = vec![array.clone(), index.clone()];
                terms::write(element.name(), keys, value, *span)
            }
            At::Entry(inner, key) => {
                let updated = terms::update(self.variable_of(inner), key.clone(), value);
                self.plain_write(inner, updated)
            }
        }
    }

    /// Writes of ghosts, which nobody guards, into the step that is being written.
    pub(super) fn ghost_write(&mut self, at: &At, value: ast::Expr) {
        if let At::Field(_, field, _) | At::Static(field, _) = at {
            self.used.fields.insert(*field);
        }
        if let At::Entry(inner, _) = at
            && let At::Field(_, field, _) | At::Static(field, _) = &**inner
        {
            self.used.fields.insert(*field);
        }
        let stmt = self.plain_write(at, value);
        self.push(stmt);
        self.note_performed();
    }
}

/// Whether a variable is written once: it was made for one value.
pub(super) fn is_fixed(name: &str) -> bool {
    matches!(name, "null" | "this")
        || ["$value", "$read ", "$new "].iter().any(|start| name.starts_with(start))
}
