//! Statements.

use super::assertions::as_pure;
use super::symbols::{Global, Member};
use super::types::refuse_waitlevel;
use super::{Checker, Place};
use crate::hir::{Bounds, Expr, ExprKind, FieldId, LocalId, LocalKind, Rhs, Stmt, StmtKind, Type};
use crate::syntax::{self, Block, Ident, Mode};
use diagnostic::{Code, Diagnostic};
use source::{Name, Span};

impl Checker<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Vec<Stmt> {
        self.scoped(|c| {
            let mut out = Vec::new();
            for stmt in &block.stmts {
                c.stmt(stmt, &mut out);
            }
            out
        })
    }

    fn stmt(&mut self, stmt: &syntax::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let kind = match &stmt.kind {
            syntax::StmtKind::Assert(e) => StmtKind::Assert(self.in_spec(|c| c.assertion(e))),
            syntax::StmtKind::Assume(e) => self.assume(e),
            syntax::StmtKind::Block(block) => StmtKind::Block(self.block(block)),
            syntax::StmtKind::Local(local) => self.local_stmt(local),
            syntax::StmtKind::Specification(spec) => self.specification_stmt(spec),
            syntax::StmtKind::Call(targets, callee) => self.call(targets, callee),
            syntax::StmtKind::If(cond, then, otherwise) => {
                let cond = self.bool_expr(cond, "the condition of `if`");
                let then = self.block(then);
                let otherwise = otherwise.as_deref().map(|stmt| self.branch(stmt));
                StmtKind::If(cond, then, otherwise.unwrap_or_default())
            }
            syntax::StmtKind::While(parts) => self.while_stmt(parts),
            syntax::StmtKind::Lock(mode, object, body) => self.lock(*mode, object, body, span),
            syntax::StmtKind::Assign(place, rhs) => self.assign(place, rhs),
            syntax::StmtKind::Fold(e) => match self.in_spec(|c| c.folded(e, "fold")) {
                Ok(access) => StmtKind::Fold(access),
                Err(what) => StmtKind::Unsupported(what),
            },
            syntax::StmtKind::Unfold(e) => match self.in_spec(|c| c.folded(e, "unfold")) {
                Ok(access) => StmtKind::Unfold(access),
                Err(what) => StmtKind::Unsupported(what),
            },
            syntax::StmtKind::Fork(token, callee) => self.fork(token.as_ref(), callee),
            syntax::StmtKind::Join(targets, token) => self.join(targets, token),
            syntax::StmtKind::Wait(e) => match self.condition(e) {
                Some((receiver, condition)) => StmtKind::Wait(receiver, condition),
                None => StmtKind::Unsupported("`wait`".into()),
            },
            syntax::StmtKind::Signal(all, e) => match self.condition(e) {
                Some((receiver, condition)) => StmtKind::Signal { receiver, condition, all: *all },
                None => StmtKind::Unsupported("`signal`".into()),
            },
            syntax::StmtKind::Send(channel, args) => self.send(channel, args),
            syntax::StmtKind::Receive(targets, channel) => self.receive(targets, channel),
            syntax::StmtKind::Share(..)
            | syntax::StmtKind::Unshare(_)
            | syntax::StmtKind::Reorder(..)
            | syntax::StmtKind::Acquire(..)
            | syntax::StmtKind::Release(..)
            | syntax::StmtKind::Downgrade(_)
            | syntax::StmtKind::Free(_) => self.monitor(stmt),
        };
        out.push(Stmt { kind, span });
    }

    /// Runs a check of a formula inside code: ghost state may be read, and there is an earlier
    /// state.
    fn in_spec<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let change = |place: &mut Place| {
            place.two_state = true;
            place.ghost = true;
        };
        self.with_place(change, run)
    }

    fn assume(&mut self, e: &syntax::Expr) -> StmtKind {
        let assertion = self.in_spec(|c| c.assertion(e));
        match as_pure(assertion) {
            Ok(expr) => StmtKind::Assume(expr),
            Err(_) => StmtKind::Unsupported("`assume` with permissions".into()),
        }
    }

    /// The statement after `else`.
    fn branch(&mut self, stmt: &syntax::Stmt) -> Vec<Stmt> {
        if let syntax::StmtKind::Block(block) = &stmt.kind {
            return self.block(block);
        }
        self.scoped(|c| {
            let mut out = Vec::new();
            c.stmt(stmt, &mut out);
            out
        })
    }

    fn while_stmt(&mut self, parts: &syntax::While) -> StmtKind {
        let condition = self.bool_expr(&parts.cond, "the condition of `while`");
        let (invariants, lockchange) = self.in_spec(|c| {
            let invariants = parts.invariants.iter().map(|e| c.assertion(e)).collect();
            (invariants, c.lockchange(&parts.lockchange))
        });
        let body = self.block(&parts.body);
        StmtKind::While { condition, invariants, lockchange, body }
    }

    /// The locked object is remembered, because the body may change the meaning of its expression.
    fn lock(&mut self, mode: Mode, object: &syntax::Expr, body: &Block, span: Span) -> StmtKind {
        let object = self.expr(object);
        self.want_reference(&object, "what is locked");
        let mut out = Vec::new();
        let held = if self.stays_the_same(&object) {
            object
        } else {
            let ident = Ident { name: Name::from("lock"), span: object.span };
            let (ty, place) = (object.ty.clone(), object.span);
            let id = self.add_local(&ident, ty.clone(), LocalKind::Var, false);
            out.push(Stmt { kind: StmtKind::Assign(id, Rhs::Value(object)), span });
            Expr { kind: ExprKind::Local(id), ty, span: place }
        };
        let (acquire, release) = match mode {
            Mode::Write => (StmtKind::Acquire(held.clone()), StmtKind::Release(held)),
            Mode::Read => (StmtKind::RdAcquire(held.clone()), StmtKind::RdRelease(held)),
        };
        out.push(Stmt { kind: acquire, span });
        out.extend(self.block(body));
        out.push(Stmt { kind: release, span });
        StmtKind::Block(out)
    }

    fn stays_the_same(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::This => true,
            ExprKind::Local(id) => {
                matches!(self.locals[id.index()].kind, LocalKind::Param | LocalKind::Const)
            }
            _ => false,
        }
    }

    fn monitor(&mut self, stmt: &syntax::Stmt) -> StmtKind {
        match &stmt.kind {
            syntax::StmtKind::Share(e, bounds) => {
                let object = self.object(e, "what is shared");
                StmtKind::Share(object, self.bounds(bounds))
            }
            syntax::StmtKind::Unshare(e) => StmtKind::Unshare(self.object(e, "what is unshared")),
            syntax::StmtKind::Reorder(e, bounds) => {
                let object = self.object(e, "what is reordered");
                StmtKind::Reorder(object, self.bounds(bounds))
            }
            syntax::StmtKind::Acquire(mode, e) => {
                let object = self.object(e, "what is acquired");
                match mode {
                    Mode::Write => StmtKind::Acquire(object),
                    Mode::Read => StmtKind::RdAcquire(object),
                }
            }
            syntax::StmtKind::Release(mode, e) => {
                let object = self.object(e, "what is released");
                match mode {
                    Mode::Write => StmtKind::Release(object),
                    Mode::Read => StmtKind::RdRelease(object),
                }
            }
            syntax::StmtKind::Downgrade(e) => {
                StmtKind::Downgrade(self.object(e, "what is downgraded"))
            }
            syntax::StmtKind::Free(e) => {
                let object = self.expr(e);
                self.want_reference(&object, "what is freed");
                StmtKind::Free(object)
            }
            _ => StmtKind::Unsupported("a statement".into()),
        }
    }

    fn object(&mut self, e: &syntax::Expr, what: &str) -> Expr {
        let object = self.expr(e);
        self.want_object(&object, what);
        object
    }

    fn bounds(&mut self, bounds: &syntax::Bounds) -> Bounds {
        let check = |e: &syntax::Expr| {
            let bound = self.in_spec(|c| c.expr(e));
            if bound.ty != Type::Mu {
                self.want_reference(&bound, "a bound");
            }
            bound
        };
        let [above, below] = {
            let mut check = check;
            [&bounds.lower, &bounds.upper].map(|all| all.iter().map(&mut check).collect())
        };
        Bounds { above, below }
    }

    fn local_stmt(&mut self, local: &syntax::Local) -> StmtKind {
        let declared = local.param.ty.as_ref().map(|ty| self.resolve_type(ty));
        let init = local.init.as_ref().map(|rhs| {
            let ghost = local.ghost;
            self.with_place(|place| place.ghost = ghost, |c| c.rhs(rhs, declared.as_ref()))
        });
        let guessed = match &init {
            Some((_, Type::Null)) => {
                let span = local.param.name.span;
                let message = format!("the type of `{}` is not known", local.param.name.name);
                let error = Diagnostic::new(Code::TypeMismatch, span, message)
                    .at("`null` has every class as its type")
                    .help("write the type: `var x: C := null;`");
                if declared.is_none() {
                    self.report(error);
                }
                Type::Unsupported
            }
            Some((_, ty)) => ty.clone(),
            None => Type::Int,
        };
        let kind = if local.constant { LocalKind::Const } else { LocalKind::Var };
        let ty = declared.unwrap_or(guessed);
        let id = self.declare(&local.param.name, ty, kind, local.ghost);
        match init {
            Some((rhs, _)) => StmtKind::Assign(id, rhs),
            None => StmtKind::Havoc(id),
        }
    }

    fn specification_stmt(&mut self, spec: &syntax::Specification) -> StmtKind {
        let mut vars: Vec<LocalId> = Vec::new();
        for target in &spec.targets {
            let id = match self.lookup(&target.name.name) {
                Some(id) => {
                    self.want_assignable(id, target.name.span);
                    id
                }
                None => {
                    let ty = target.ty.as_ref().map_or(Type::Int, |ty| self.resolve_type(ty));
                    let kind = if spec.constant { LocalKind::Const } else { LocalKind::Var };
                    self.declare(&target.name, ty, kind, spec.ghost)
                }
            };
            vars.push(id);
        }
        let requires = spec
            .before
            .as_ref()
            .map(|e| self.with_place(|place| place.ghost = true, |c| as_pure(c.assertion(e))));
        // A run must not depend on state that exists for specifications only.
        let ghost = vars.iter().all(|&id| self.is_ghost(id));
        let ensures = self.in_spec(|c| {
            c.with_place(|place| place.ghost = ghost, |c| as_pure(c.assertion(&spec.after)))
        });
        match (requires.transpose(), ensures) {
            (Ok(requires), Ok(ensures)) => StmtKind::Specify { vars, requires, ensures },
            _ => StmtKind::Unsupported("a specification statement with permissions".into()),
        }
    }

    fn assign(&mut self, place: &syntax::Expr, rhs: &syntax::Rhs) -> StmtKind {
        if let syntax::ExprKind::Name(name) = &place.kind
            && let Some(id) = self.lookup(name)
        {
            let (ghost, ty) = (self.is_ghost(id), self.locals[id.index()].ty.clone());
            self.want_assignable(id, place.span);
            let change = |place: &mut Place| place.ghost = ghost;
            let (rhs, _) = self.with_place(change, |c| c.rhs(rhs, Some(&ty)));
            return StmtKind::Assign(id, rhs);
        }
        let Some((object, field)) = self.assigned_field(place) else {
            self.with_place(|place| place.ghost = true, |c| c.rhs(rhs, None));
            return StmtKind::Unsupported("an assignment to nothing".into());
        };
        let ghost = self.program.fields[field.index()].ghost;
        let ty = self.field_type(field);
        let change = |place: &mut Place| place.ghost = ghost;
        let (rhs, _) = self.with_place(change, |c| c.rhs(rhs, Some(&ty)));
        StmtKind::Write(object, field, rhs)
    }

    /// The object and field that an assignment writes; any other target is reported.
    fn assigned_field(&mut self, place: &syntax::Expr) -> Option<(Expr, FieldId)> {
        let (object, name) = match &place.kind {
            syntax::ExprKind::Name(name) => {
                if !self.is_member_of_this(name) {
                    self.name(name, place.span);
                    return None;
                }
                (self.this(place.span), Ident { name: name.clone(), span: place.span })
            }
            syntax::ExprKind::Field(object, name) => {
                // Reading ghost state on the way to a ghost field is fine; the field itself is only
                // written.
                (self.with_place(|place| place.ghost = true, |c| c.expr(object)), name.clone())
            }
            syntax::ExprKind::Error => return None,
            _ => {
                let error = Diagnostic::new(
                    Code::NotAssignable,
                    place.span,
                    "only variables and fields can be assigned",
                );
                self.report(error.at("neither a variable nor a field"));
                return None;
            }
        };
        if let Type::Object(class) = object.ty
            && let Some(Member::Field(id)) = self.symbols.member(class, &name.name)
        {
            return Some((object, id));
        }
        if self.location(&object.ty, &name).is_some() {
            let message = format!("`{}` cannot be assigned directly", name.name);
            let error = Diagnostic::new(Code::NotAssignable, place.span, message)
                .at("a built-in field")
                .help("`mu` changes by `share`, `reorder` and `unshare`, `joinable` by `fork` and `join`");
            self.report(error);
        }
        None
    }

    /// The assigned value, with its type.
    fn rhs(&mut self, rhs: &syntax::Rhs, wanted: Option<&Type>) -> (Rhs, Type) {
        let (rhs, ty, span) = match rhs {
            syntax::Rhs::Expr(e) => {
                let mut value = self.expr(e);
                match wanted {
                    Some(wanted) => self.want(&mut value, wanted, "the value"),
                    None => refuse_waitlevel(&mut value),
                }
                let ty = value.ty.clone();
                return (Rhs::Value(value), ty);
            }
            syntax::Rhs::New(new) => {
                let (rhs, ty) = self.new_rhs(new);
                (rhs, ty, new.span)
            }
        };
        if let Some(wanted) = wanted
            && !super::types::fits(wanted, &ty)
        {
            self.wrong_type(span, wanted, &ty, "the value");
        }
        (rhs, ty)
    }

    fn new_rhs(&mut self, new: &syntax::New) -> (Rhs, Type) {
        let bounds = self.bounds(&new.bounds);
        match self.symbols.globals.get(&new.class.name) {
            Some(&(Global::Class(class), _)) if self.symbols.refining.contains(&class) => {
                (Rhs::Value(super::error_expr(new.span)), Type::Unsupported)
            }
            Some(&(Global::Class(class), _)) => {
                if !new.bounds.is_empty() {
                    let help = "an object gets its place in the locking order by `share`";
                    self.misplaced(new.span, "bounds of an object that is not shared", help);
                }
                let ty = Type::Object(class);
                let inits = self.inits(&new.inits, &ty);
                (Rhs::New(class, inits), ty)
            }
            Some(&(Global::Channel(channel), _)) => {
                let ty = Type::Channel(channel);
                self.inits(&new.inits, &ty);
                (Rhs::NewChannel(channel, bounds), ty)
            }
            None => {
                let kind = syntax::TypeKind::Name(new.class.name.clone());
                self.resolve_type(&syntax::Type { kind, span: new.class.span });
                (Rhs::Value(super::error_expr(new.span)), Type::Unsupported)
            }
        }
    }

    fn inits(&mut self, inits: &[(Ident, syntax::Expr)], ty: &Type) -> Vec<(FieldId, Expr)> {
        let mut all: Vec<(FieldId, Expr)> = Vec::new();
        for (name, value) in inits {
            let member = match ty {
                Type::Object(class) => self.symbols.member(*class, &name.name),
                _ => None,
            };
            let Some(Member::Field(id)) = member else {
                if self.location(ty, name).is_some() {
                    let message = format!("`{}` cannot be initialised", name.name);
                    let error = Diagnostic::new(Code::NotAssignable, name.span, message);
                    self.report(error.at("a built-in field"));
                }
                self.expr(value);
                continue;
            };
            if all.iter().any(|(other, _)| *other == id) {
                let message = format!("`{}` is initialised twice", name.name);
                let error = Diagnostic::new(Code::DuplicateName, name.span, message);
                self.report(error.at("has a value already"));
            }
            let (ghost, ty) = (self.program.fields[id.index()].ghost, self.field_type(id));
            let change = |place: &mut Place| place.ghost |= ghost;
            let value = self.with_place(change, |c| c.typed(value, &ty, "the value of the field"));
            all.push((id, value));
        }
        all
    }
}
