//! Statements.

use super::body::Body;
use super::exprs::Typed;
use super::types::T;
use crate::tree::{self, ClauseKind, Resource, StmtKind as Tree};
use crate::typed::{
    Callee, Catch, Expr, ExprKind, Formula, Label, LoopSpec, Place, Stmt, StmtKind, Ty,
};
use diagnostic::Code;
use source::{Name, Span};

impl<'a> Body<'_, 'a> {
    /// Statements in a block of their own.
    pub(super) fn block(&mut self, stmts: &'a [tree::Stmt]) -> Vec<Stmt> {
        self.in_block(|body| body.stmts(stmts))
    }

    pub(super) fn stmts(&mut self, stmts: &'a [tree::Stmt]) -> Vec<Stmt> {
        // `{{` and `}}` group statements.
        let mut open: Vec<(Vec<Stmt>, Span)> = Vec::new();
        let mut done = Vec::new();
        for stmt in stmts {
            match &stmt.kind {
                Tree::Clause(clause) if matches!(clause.kind, ClauseKind::AtomicBegin) => {
                    open.push((std::mem::take(&mut done), clause.span));
                }
                Tree::Clause(clause) if matches!(clause.kind, ClauseKind::AtomicEnd) => {
                    match open.pop() {
                        Some((before, span)) => {
                            let inner = std::mem::replace(&mut done, before);
                            done.push(Stmt { kind: StmtKind::Atomic(inner), span });
                        }
                        None => {
                            let message = "`}}` without `{{` in this block";
                            self.world.report(Code::SyntaxError, clause.span, message);
                        }
                    }
                }
                _ => done.extend(self.stmt(stmt)),
            }
        }
        while let Some((before, span)) = open.pop() {
            self.world.report(Code::SyntaxError, span, "`{{` without `}}` in this block");
            let inner = std::mem::replace(&mut done, before);
            done.push(Stmt { kind: StmtKind::Atomic(inner), span });
        }
        done
    }

    /// The statement that another contains.
    fn inner(&mut self, stmt: &'a tree::Stmt) -> Vec<Stmt> {
        match &stmt.kind {
            Tree::Block(block) => self.block(&block.stmts),
            _ => self.in_block(|body| body.stmt(stmt).into_iter().collect()),
        }
    }

    fn stmt(&mut self, stmt: &'a tree::Stmt) -> Option<Stmt> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            Tree::Empty | Tree::Error => return None,
            Tree::Block(block) => StmtKind::Block(self.block(&block.stmts)),
            Tree::Local(local) => self.local(local),
            Tree::LocalClass(decl) => {
                self.local_class(decl);
                return None;
            }
            Tree::Expr(expr) => StmtKind::Expr(self.expr(expr).expr),
            Tree::If(cond, then, otherwise) => self.if_stmt(cond, then, otherwise.as_deref()),
            Tree::While(..) | Tree::Do(..) | Tree::For(..) | Tree::ForEach(..) => {
                return Some(self.loop_stmt(stmt, None));
            }
            Tree::Labelled(name, inner) => {
                return Some(self.labelled(name, inner, span));
            }
            Tree::Switch(switch) => {
                let label = self.frame().new_label(None, false);
                let switch = self.switch(switch, T::Void);
                self.frame().labels.pop();
                StmtKind::Switch(label, Box::new(switch))
            }
            Tree::Return(value) => self.return_stmt(value.as_ref()),
            Tree::Break(name) => match self.target(name.as_ref(), false) {
                Some(label) => StmtKind::Break(label),
                None => no_target(name.as_ref()),
            },
            Tree::Continue(name) => match self.target(name.as_ref(), true) {
                Some(label) => StmtKind::Continue(label),
                None => no_target(name.as_ref()),
            },
            Tree::Yield(value) => self.yield_stmt(value),
            Tree::Throw(value) => StmtKind::Throw(self.expr(value).expr),
            Tree::Synchronized(lock, block) => {
                let lock = self.expr(lock).expr;
                StmtKind::Synchronized(lock, self.block(&block.stmts))
            }
            Tree::Try(resources, block, catches, finally) => {
                let finally = finally.as_ref();
                let body = self.in_block(|body| body.with_resources(resources, &block.stmts));
                let catches = catches.iter().map(|catch| self.catch(catch)).collect();
                let finally = finally.map_or_else(Vec::new, |block| self.block(&block.stmts));
                StmtKind::Try { body, catches, finally }
            }
            Tree::Assert(cond, detail) => self.check(cond, detail.as_ref()),
            Tree::Constructor(_) => {
                let message = "a constructor is called at the start of another one only";
                StmtKind::Unsupported(message.to_owned())
            }
            Tree::Clause(clause) => return self.clause(clause),
        };
        Some(Stmt { kind, span })
    }

    fn if_stmt(
        &mut self,
        cond: &'a tree::Expr,
        then: &'a tree::Stmt,
        otherwise: Option<&'a tree::Stmt>,
    ) -> StmtKind {
        let cond = self.condition(cond);
        let then = self.inner(then);
        let otherwise = otherwise.map_or_else(Vec::new, |other| self.inner(other));
        StmtKind::If(cond, then, otherwise)
    }

    /// The value of the switch expression around.
    pub(super) fn yield_stmt(&mut self, value: &'a tree::Expr) -> StmtKind {
        let wanted = self.here().yields.last().and_then(|(wanted, _)| wanted.clone());
        let value = self.expecting(value, wanted.as_ref());
        let value = match wanted {
            Some(ty) => self.convert(value, &ty),
            None => value,
        };
        if let Some((_, types)) = self.frame().yields.last_mut() {
            types.push(value.ty.clone());
        }
        StmtKind::Yield(value.expr)
    }

    /// Java's `assert`. The detail is resolved for what it declares.
    fn check(&mut self, cond: &'a tree::Expr, detail: Option<&'a tree::Expr>) -> StmtKind {
        let cond = self.condition(cond);
        if let Some(detail) = detail {
            self.expr(detail);
        }
        StmtKind::Check(cond)
    }

    fn local(&mut self, local: &'a tree::LocalDecl) -> StmtKind {
        let ty = self.ty(&local.ty);
        let is_inferred = matches!(local.ty.kind, tree::TypeKind::Inferred);
        let expected = Some(&ty).filter(|_| !is_inferred);
        let value = local.value.as_ref().map(|value| self.expecting(value, expected));
        let (ty, value) = match value {
            Some(value) if is_inferred => (value.ty.clone(), Some(value.expr)),
            Some(value) => {
                let value = self.convert(value, &ty);
                (ty, Some(value.expr))
            }
            None => (ty, None),
        };
        let id = self.declare(local.name.name.clone(), ty, local.name.span);
        StmtKind::Local(id, value)
    }

    fn return_stmt(&mut self, value: Option<&'a tree::Expr>) -> StmtKind {
        let wanted = self.here().result.clone();
        let Some(value) = value else { return StmtKind::Return(None) };
        let value = self.expecting(value, wanted.as_ref());
        StmtKind::Return(Some(self.returned(value, wanted)))
    }

    /// A value as it is returned.
    pub(super) fn returned(&mut self, value: Typed, wanted: Option<T>) -> Expr {
        let ty = match wanted {
            Some(ty) => ty,
            None if self.here().boxes => self.boxed_type(&value.ty),
            None => value.ty.clone(),
        };
        let value = self.convert(value, &ty);
        self.frame().returned.push(value.ty.clone());
        value.expr
    }

    /// The statement that `break` or `continue` leaves.
    fn target(&self, name: Option<&tree::Ident>, needs_loop: bool) -> Option<Label> {
        let labels = &self.here().labels;
        let found = labels.iter().rev().find(|(other, _, is_loop)| match name {
            Some(name) => other.as_ref() == Some(&name.name) && (*is_loop || !needs_loop),
            None => *is_loop || !needs_loop && other.is_none(),
        });
        found.map(|(_, label, _)| *label)
    }

    fn labelled(&mut self, name: &'a tree::Ident, inner: &'a tree::Stmt, span: Span) -> Stmt {
        match &inner.kind {
            Tree::While(..) | Tree::Do(..) | Tree::For(..) | Tree::ForEach(..) => {
                self.loop_stmt(inner, Some(name.name.clone()))
            }
            _ => {
                let label = self.frame().new_label(Some(name.name.clone()), false);
                let stmts = self.inner(inner);
                self.frame().labels.pop();
                Stmt { kind: StmtKind::Labelled(label, stmts), span }
            }
        }
    }

    fn loop_stmt(&mut self, stmt: &'a tree::Stmt, name: Option<Name>) -> Stmt {
        self.in_block(|body| {
            let mut before = Vec::new();
            if let Tree::For(init, ..) = &stmt.kind {
                before = body.stmts(init);
            }
            let kind = body.loop_kind(stmt, name);
            let looping = Stmt { kind, span: stmt.span };
            if before.is_empty() {
                return looping;
            }
            before.push(looping);
            Stmt { kind: StmtKind::Block(before), span: stmt.span }
        })
    }

    fn loop_kind(&mut self, stmt: &'a tree::Stmt, name: Option<Name>) -> StmtKind {
        match &stmt.kind {
            Tree::While(cond, clauses, inner) => {
                let label = self.frame().new_label(name, true);
                let cond = Some(self.condition(cond));
                let spec = self.loop_spec(clauses);
                let body = self.inner(inner);
                self.frame().labels.pop();
                StmtKind::Loop { label, spec, test_first: true, cond, body, update: Vec::new() }
            }
            Tree::Do(inner, clauses, cond) => {
                let label = self.frame().new_label(name, true);
                let spec = self.loop_spec(clauses);
                let body = self.inner(inner);
                let cond = Some(self.condition(cond));
                self.frame().labels.pop();
                StmtKind::Loop { label, spec, test_first: false, cond, body, update: Vec::new() }
            }
            Tree::For(_, cond, update, clauses, inner) => {
                let label = self.frame().new_label(name, true);
                let cond = cond.as_ref().map(|cond| self.condition(cond));
                let spec = self.loop_spec(clauses);
                let body = self.inner(inner);
                let update = update.iter().map(|expr| self.expr(expr).expr).collect();
                self.frame().labels.pop();
                StmtKind::Loop { label, spec, test_first: true, cond, body, update }
            }
            Tree::ForEach(local, values, clauses, inner) => {
                let values = self.expr(values);
                let element = self.element(&values.ty);
                let ty = match self.ty(&local.ty) {
                    T::Unknown => element,
                    ty => ty,
                };
                let id = self.declare(local.name.name.clone(), ty, local.name.span);
                let label = self.frame().new_label(name, true);
                let spec = self.loop_spec(clauses);
                let body = self.inner(inner);
                self.frame().labels.pop();
                StmtKind::ForEach { label, spec, local: id, values: values.expr, body }
            }
            _ => StmtKind::Unsupported("a loop of another kind".to_owned()),
        }
    }

    /// The type of what is iterated over.
    fn element(&mut self, values: &T) -> T {
        self.world.load_type(values);
        if let T::Array(element) = values {
            return (**element).clone();
        }
        let iterable = self.world.by_name.get("java.lang.Iterable").copied();
        match iterable.and_then(|iterable| self.world.as_super(values, iterable)) {
            Some(T::Class(_, args)) => {
                let object = || self.world.object().map_or(T::Unknown, T::class);
                args.first().map_or_else(object, T::captured)
            }
            _ => T::Unknown,
        }
    }

    fn loop_spec(&mut self, clauses: &'a [tree::Clause]) -> LoopSpec {
        let mut spec = LoopSpec::default();
        for clause in clauses {
            if let ClauseKind::LoopInvariant(expr) = &clause.kind {
                spec.invariants.push(self.formula(expr, clause.span));
            }
        }
        spec
    }

    /// A formula of an annotation, in the code around it.
    pub(super) fn formula(&mut self, expr: &'a tree::Expr, span: Span) -> Formula {
        let before = std::mem::replace(&mut self.frame().in_annotation, true);
        let expr = self.condition(expr);
        self.frame().in_annotation = before;
        Formula { expr, span }
    }

    fn clause(&mut self, clause: &'a tree::Clause) -> Option<Stmt> {
        let span = clause.span;
        let kind = match &clause.kind {
            ClauseKind::Assert(expr) => StmtKind::Assert(self.formula(expr, span)),
            ClauseKind::Assume(expr) => StmtKind::Assume(self.formula(expr, span)),
            ClauseKind::Unreachable => {
                let kind = ExprKind::Bool(false);
                let expr = Expr { kind, ty: Ty::Prim(tree::Prim::Boolean), span };
                StmtKind::Assert(Formula { expr, span })
            }
            ClauseKind::Set(place, value) => {
                self.frame().in_annotation = true;
                let place = self.annotated_place(place);
                let value = self.expr(value);
                let value = match &place {
                    Some((_, ty)) => self.convert(value, ty),
                    None => value,
                };
                self.frame().in_annotation = false;
                let (place, _) = place?;
                self.must_be_ghost(&place);
                StmtKind::Set(place, Formula { expr: value.expr, span })
            }
            ClauseKind::Witness(name) => StmtKind::Witness(name.clone()),
            _ => return None,
        };
        Some(Stmt { kind, span })
    }

    /// Annotations must not change what the program does.
    fn must_be_ghost(&mut self, place: &Place) {
        let field = match place {
            Place::Field(_, field, _) | Place::Static(field, _) => Some(*field),
            Place::MapAt(inner, _, _) => return self.must_be_ghost(inner),
            Place::Local(..) | Place::Index(..) => None,
        };
        let is_ghost = field.is_some_and(|field| self.world.program.field(field).is_ghost);
        if !is_ghost {
            let message = "only ghosts can be set in annotations";
            self.world.report(Code::NotAssignable, place.span(), message);
        }
    }

    fn catch(&mut self, catch: &'a tree::Catch) -> Catch {
        self.in_block(|body| {
            let types: Vec<T> = catch.types.iter().map(|ty| body.ty(ty)).collect();
            let known = types.iter().filter_map(|ty| match ty {
                T::Class(id, _) => Some(*id),
                _ => None,
            });
            let known: Vec<_> = known.collect();
            let joined = types.iter().cloned().reduce(|one, other| body.world.join(&one, &other));
            let local = body.declare(
                catch.name.name.clone(),
                joined.unwrap_or(T::Unknown),
                catch.name.span,
            );
            let catches_unknown = known.len() < types.len();
            let stmts = body.block(&catch.body.stmts);
            Catch { types: known, catches_unknown, local, body: stmts, span: catch.span }
        })
    }

    /// `try (R r = e; ..) { body }`: each resource is closed after what follows it.
    fn with_resources(&mut self, resources: &'a [Resource], stmts: &'a [tree::Stmt]) -> Vec<Stmt> {
        let Some((first, rest)) = resources.split_first() else { return self.stmts(stmts) };
        let (before, value) = match first {
            Resource::Declared(local) => {
                let kind = self.local(local);
                let value = self.variable(&local.name.name, local.name.span);
                (Some(Stmt { kind, span: local.name.span }), value)
            }
            Resource::Value(value) => (None, Some(self.expr(value))),
        };
        let body = self.in_block(|inner| inner.with_resources(rest, stmts));
        let finally = value.map(|value| self.close(value)).into_iter().collect();
        let span = match first {
            Resource::Declared(local) => local.name.span,
            Resource::Value(value) => value.span,
        };
        let kind = StmtKind::Try { body, catches: Vec::new(), finally };
        before.into_iter().chain([Stmt { kind, span }]).collect()
    }

    /// `if (r != null) r.close();`
    fn close(&mut self, value: Typed) -> Stmt {
        let span = value.expr.span;
        let candidates = self.candidates(&value.ty, "close");
        let found =
            candidates.iter().find(|one| self.world.program.method(one.method).params.is_empty());
        let method = found.map(|one| one.method);
        let boolean = Ty::Prim(tree::Prim::Boolean);
        let null = Expr { kind: ExprKind::Null, ty: Ty::Null, span };
        let parts = (Box::new(value.expr.clone()), Box::new(null));
        let kind = ExprKind::Binary(tree::BinaryOp::Ne, parts.0, parts.1);
        let cond = Expr { kind, ty: boolean, span };
        let callee = Callee {
            method,
            name: Name::from("close"),
            receiver: Some(value.expr),
            args: Vec::new(),
            is_virtual: true,
        };
        let call = Expr { kind: ExprKind::Call(Box::new(callee)), ty: Ty::Void, span };
        let call = Stmt { kind: StmtKind::Expr(call), span };
        Stmt { kind: StmtKind::If(cond, vec![call], Vec::new()), span }
    }
}

fn no_target(name: Option<&tree::Ident>) -> StmtKind {
    StmtKind::Unsupported(match name {
        Some(name) => format!("no statement around this has the label `{}`", name.name),
        None => "there is no loop around this".to_owned(),
    })
}
