//! What annotations say about classes, fields and methods.

use super::body::{Body, Frame};
use super::types::T;
use crate::tree::{self, ClauseKind};
use crate::typed::{
    Act, Acts, ClassId, ClassSpec, Expr, ExprKind, FieldId, FieldSpec, Formula, Guarding, MethodId,
    MethodSpec, Place, Quantified, Ty,
};
use diagnostic::Code;
use source::{Name, Span};

impl<'a> Body<'_, 'a> {
    /// Annotations of a class and of its fields.
    pub(super) fn class_spec(&mut self, id: ClassId, members: &'a tree::ClassBody) {
        let mut frame = Frame::new(self.world.scope_of(id), id, false);
        frame.in_annotation = true;
        self.frames.push(frame);
        let mut spec = ClassSpec::default();
        for clause in &members.clauses {
            match &clause.kind {
                ClauseKind::EnvAssumption(expr) => {
                    spec.env_assumptions.push(self.formula(expr, clause.span));
                }
                ClauseKind::GlobalInvariant(expr) => {
                    spec.invariants.push(self.formula(expr, clause.span));
                }
                ClauseKind::Axiom(expr) => {
                    spec.axioms.push(self.formula(expr, clause.span));
                }
                ClauseKind::NoEffect | ClauseKind::Error => {}
                _ => self.wrong_place(clause.span, "a class"),
            }
        }
        self.world.program.classes[id.index()].spec = spec;
        for field in &members.fields {
            let has_name = |other: &&FieldId| {
                let other = self.world.program.field(**other);
                other.name == field.name.name && !other.is_synthetic
            };
            let found = self.world.program.class(id).fields.iter().find(has_name).copied();
            if let Some(field_id) = found {
                let spec = self.field_spec(field_id, &field.head.clauses);
                self.world.program.fields[field_id.index()].spec = spec;
            }
        }
        self.frames.pop();
    }

    fn not_looked_at(&mut self, span: Span, message: &str) {
        self.world.report(Code::AnnotationUnknown, span, message);
    }

    fn wrong_place(&mut self, span: Span, what: &str) {
        let message = format!("this annotation is not about {what}");
        self.world.report(Code::MisplacedStatement, span, message);
    }

    fn field_spec(&mut self, field: FieldId, clauses: &'a [tree::Clause]) -> FieldSpec {
        let mut spec = FieldSpec::default();
        for clause in clauses {
            match &clause.kind {
                ClauseKind::Unwritable(expr) => {
                    spec.unwritable.push(self.formula(expr, clause.span));
                }
                ClauseKind::ElementsUnwritable(index, expr) => {
                    let id = self.world.new_bound();
                    let ty = T::Prim(tree::Prim::Int);
                    self.frame().bound.push((index.name.clone(), id, ty));
                    spec.elements_unwritable.push((id, self.formula(expr, clause.span)));
                    self.frame().bound.pop();
                }
                ClauseKind::Guarded(locks, kind) => {
                    // A static variable belongs to no object: no lock of an object is meant.
                    let mut found = Vec::new();
                    self.frame().is_static = self.world.program.field(field).is_static;
                    let is_right = self.is_understood(locks, Some(field), &mut found);
                    self.frame().is_static = false;
                    // If it is not, what guards the field is looked for.
                    if is_right {
                        let locks = found;
                        spec.guards.push(Guarding { locks, kind: *kind, span: clause.span });
                    }
                }
                ClauseKind::NonNull => spec.is_non_null = true,
                ClauseKind::NoEffect | ClauseKind::Error => {}
                _ => self.wrong_place(clause.span, "a variable"),
            }
        }
        spec
    }

    /// The object whose monitor a guard means. What is no object is an error at its place.
    fn lock(&mut self, lock: &'a tree::Expr, field: Option<FieldId>) -> Expr {
        let found = match (&lock.kind, field) {
            (tree::ExprKind::Name(name), Some(field)) if name.as_str() == "itself" => {
                self.itself(field, lock.span)
            }
            _ => self.expr(lock).expr,
        };
        if found.ty.is_reference() {
            return found;
        }
        let message = "a lock is an object, and this is none";
        self.wrong(Code::TypeMismatch, lock.span, message).expr
    }

    /// The locks of a guard; gives whether all are understood. Code that mentions what they guard
    /// is checked also if one is not.
    fn is_understood(
        &mut self,
        locks: &'a [tree::Expr],
        field: Option<FieldId>,
        found: &mut Vec<Expr>,
    ) -> bool {
        let before = self.world.diagnostics.len();
        found.extend(locks.iter().map(|lock| self.lock(lock, field)));
        let class = self.frame().class;
        let (warnings, faults): (Vec<_>, Vec<_>) = self
            .world
            .diagnostics
            .split_off(before)
            .into_iter()
            .partition(|told| !told.code.info().rejects_input);
        self.world.diagnostics.extend(warnings);
        let is_right = faults.is_empty();
        let faults = faults.into_iter().map(|told| (class, told));
        self.world.program.wrong_guards.extend(faults);
        is_right
    }

    /// What a field refers to.
    fn itself(&self, field: FieldId, span: Span) -> Expr {
        let about = self.world.program.field(field);
        let (class, ty) = (about.class, about.ty.clone());
        if about.is_static {
            return Expr { kind: ExprKind::Static(field), ty, span };
        }
        let this = Expr { kind: ExprKind::This, ty: Ty::Class(class), span };
        Expr { kind: ExprKind::Field(Box::new(this), field), ty, span }
    }

    /// Annotations of a method.
    pub(super) fn method_spec(&mut self, id: MethodId) {
        let Some(decl) = self.world.method_infos[id.index()].decl else { return };
        let method = self.world.program.method(id);
        let (class, is_static) = (method.class, method.is_static);
        let is_private = method.is_private;
        let mut frame = Frame::new(self.world.scope_of(class), class, is_static);
        frame.scope.vars.extend(&self.world.method_infos[id.index()].type_params);
        frame.in_annotation = true;
        let result = self.world.method_infos[id.index()].result.clone();
        self.frames.push(frame);
        self.declare_params(id, decl);
        let mut spec = MethodSpec::default();
        for (at, param) in decl.params.iter().enumerate() {
            if param.head.clauses.iter().any(|clause| super::headers::is_non_null(&clause.kind)) {
                spec.non_null_params.push(at);
            }
        }
        for clause in &decl.head.clauses {
            self.method_clause(clause, (&result, is_private), &mut spec);
        }
        self.frames.pop();
        self.world.program.methods[id.index()].spec = spec;
    }

    fn method_clause(
        &mut self,
        clause: &'a tree::Clause,
        (result, is_private): (&T, bool),
        spec: &mut MethodSpec,
    ) {
        let span = clause.span;
        match &clause.kind {
            ClauseKind::Requires(expr) => spec.requires.push(self.formula(expr, span)),
            ClauseKind::Ensures(expr) => {
                self.frame().annotated_result = Some(result.clone());
                spec.ensures.push(self.formula(expr, span));
                self.frame().annotated_result = None;
            }
            ClauseKind::Modifies(places) => {
                self.modified(places, spec);
            }
            ClauseKind::Action(acts) => {
                self.frame().annotated_result = Some(result.clone());
                let acts = self.acts(acts);
                self.frame().annotated_result = None;
                spec.actions.push(acts);
            }
            ClauseKind::Guarded(locks, _) => {
                let mut found = Vec::new();
                // Callers are told of one that is not understood.
                self.is_understood(locks, None, &mut found);
                spec.requires.extend(found.into_iter().map(|lock| held(lock, span)));
            }
            ClauseKind::EnsuresHeld(locks) => {
                for lock in locks {
                    let lock = self.lock(lock, None);
                    spec.ensures.push(held(lock, span));
                }
            }
            ClauseKind::NonNull => spec.is_non_null = true,
            ClauseKind::Helper => {
                spec.is_helper = true;
                if !is_private {
                    let message = "`helper` says nothing of a method that others may call";
                    self.not_looked_at(span, message);
                }
            }
            ClauseKind::Pure => spec.is_pure = true,
            ClauseKind::Exsures(ty, name, cond) => {
                let name = name.as_ref().map_or(Name::from("$exception"), |name| name.name.clone());
                if let Some(cond) = cond {
                    spec.exsures.push(self.exsures(ty, name, cond, span));
                }
            }
            ClauseKind::NoEffect | ClauseKind::Error => {}
            _ => self.wrong_place(span, "a method"),
        }
    }

    /// `exsures (T e) P`, as `\forall T e; e == \result; P`.
    fn exsures(
        &mut self,
        ty: &'a tree::Type,
        name: Name,
        cond: &'a tree::Expr,
        span: Span,
    ) -> Formula {
        let ty = self.ty(ty);
        let erased = self.world.erased(&ty);
        let id = self.world.new_bound();
        self.frame().bound.push((name.clone(), id, ty));
        let body = self.formula(cond, span).expr;
        self.frame().bound.pop();
        let part = |kind: ExprKind| Box::new(Expr { kind, ty: erased.clone(), span });
        let (bound, result) = (part(ExprKind::Bound(id)), part(ExprKind::Result));
        let boolean = || Ty::Prim(tree::Prim::Boolean);
        let kind = ExprKind::Binary(tree::BinaryOp::Eq, bound, result);
        let range = Some(Expr { kind, ty: boolean(), span });
        let vars = vec![(id, name, erased)];
        let quantified = Quantified { is_forall: true, vars, range, body };
        let kind = ExprKind::Quantified(Box::new(quantified));
        Formula { expr: Expr { kind, ty: boolean(), span }, span }
    }

    /// What stands behind `modifies`: places, and monitors that are given up for a while.
    fn modified(&mut self, exprs: &'a [tree::Expr], spec: &mut MethodSpec) {
        let modifies = spec.modifies.get_or_insert_default();
        for expr in exprs {
            let name = match &expr.kind {
                tree::ExprKind::Name(name) => name.as_str(),
                tree::ExprKind::Field(_, name) => name.name.as_str(),
                _ => "",
            };
            if name == "holder"
                && let ExprKind::Holder(lock) = self.expr(expr).expr.kind
            {
                spec.gives_up.push(Formula { expr: *lock, span: expr.span });
            } else if let Some((place, _)) = self.annotated_place(expr) {
                modifies.push(place);
            }
        }
    }

    fn places(&mut self, exprs: &'a [tree::Expr]) -> Vec<Place> {
        exprs.iter().filter_map(|expr| Some(self.annotated_place(expr)?.0)).collect()
    }

    /// A place in an annotation. One of which nothing is known is an error.
    pub(super) fn annotated_place(&mut self, expr: &'a tree::Expr) -> Option<(Place, T)> {
        let reported = self.world.diagnostics.len();
        match self.place(expr) {
            Ok(found) => Some(found),
            Err(wrong) => {
                if let ExprKind::Unsupported(what) = &wrong.expr.kind
                    && self.world.diagnostics.len() == reported
                {
                    self.world.report(Code::UnknownName, expr.span, what.clone());
                }
                None
            }
        }
    }

    fn acts(&mut self, acts: &'a tree::Acts) -> Acts {
        match acts {
            tree::Acts::One(act) => {
                let name: Option<Name> = act.name.as_ref().map(|name| name.name.clone());
                let modifies = self.places(&act.modifies);
                let ensures = act.ensures.as_ref().map(|expr| self.formula(expr, expr.span));
                Acts::One(Act { name, modifies, ensures })
            }
            tree::Acts::Sequence(all) => {
                Acts::Sequence(all.iter().map(|one| self.acts(one)).collect())
            }
            tree::Acts::Choice(all) => Acts::Choice(all.iter().map(|one| self.acts(one)).collect()),
        }
    }
}

/// `lock.holder == tid`
fn held(lock: Expr, span: Span) -> Formula {
    let holder = Expr { kind: ExprKind::Holder(Box::new(lock)), ty: Ty::Thread, span };
    let tid = Expr { kind: ExprKind::Tid, ty: Ty::Thread, span };
    let kind = ExprKind::Binary(tree::BinaryOp::Eq, Box::new(holder), Box::new(tid));
    Formula { expr: Expr { kind, ty: Ty::Prim(tree::Prim::Boolean), span }, span }
}
