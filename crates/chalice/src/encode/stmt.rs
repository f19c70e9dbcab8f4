//! Statements (paper 3, section 4).

use super::calls::CallSite;
use super::exhale::Exhale;
use super::loops::While;
use super::parts::Part;
use super::sorts::{Place, reference, sort_of};
use super::state::{Env, State};
use super::{Encoder, MarkKind, Reason};
use crate::hir::{
    Assertion, AssertionKind, ClassId, Expr, ExprKind, FieldId, Loc, LocalId, LocalKind, Rhs, Stmt,
    StmtKind, Type,
};
use diagnostic::Code;
use gcl::Stmt as Command;
use logic::Term;
use source::Span;
use std::collections::BTreeMap;

/// The context of a method's statements.
#[derive(Clone, Debug)]
pub(crate) struct MethodContext {
    pub(crate) this: Term,
    /// The state at entry.
    pub(crate) old: State,
    /// What `rd` stands for.
    pub(crate) read: Term,
    /// The monitors that, by the contract, may be held afterwards and not before, or the other way
    /// round.
    pub(crate) lockchange: Vec<Expr>,
}

impl Encoder<'_> {
    /// The meaning of names in the current method, now.
    pub(crate) fn here(&self) -> Env {
        let method = self.method.as_ref().expect("internal error: a statement outside a method");
        Env {
            state: self.now.clone(),
            old: Some(Box::new(method.old.clone())),
            this: Some(method.this),
            locals: BTreeMap::new(),
            result: None,
            read: Some(method.read),
            limited: false,
            unframed: false,
        }
    }

    pub(crate) fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        if !matches!(stmt.kind, StmtKind::Block(_)) {
            self.mark(MarkKind::Attempt, Some(span), "");
        }
        match &stmt.kind {
            StmtKind::Assert(assertion) => self.assert_stmt(assertion, span),
            StmtKind::Assume(expr) => {
                let yes = self.terms.bool(true);
                let unframed = self.look_again_for(yes, expr, &self.here());
                let env = Env { unframed, ..self.here() };
                let fact = self.checked_value(expr, &env);
                self.assume(fact);
                self.cover_after(span);
            }
            StmtKind::Assign(local, rhs) => self.assign_local(*local, rhs, span),
            StmtKind::Havoc(local) => {
                let symbol = self.local(*local);
                self.emit(Command::Havoc(vec![symbol]));
                self.assume_local(*local);
                if self.locals[local.index()].kind == LocalKind::Const {
                    let assigned = self.assigned(*local);
                    let no = self.terms.bool(false);
                    self.assign(assigned, no);
                }
            }
            StmtKind::Write(object, field, rhs) => self.write(object, *field, rhs, span),
            StmtKind::Call { results, receiver, method, args } => {
                let site = CallSite { receiver, method: *method, args, span };
                self.call(results, site);
            }
            StmtKind::Fork { token, receiver, method, args } => {
                let site = CallSite { receiver, method: *method, args, span };
                self.fork(*token, site);
            }
            StmtKind::Join { results, token } => self.join(results, token, span),
            StmtKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            StmtKind::While { condition, invariants, lockchange, body } => {
                self.while_loop(While { condition, invariants, lockchange, body, span });
            }
            StmtKind::Free(object) => self.free(object, span),
            StmtKind::Fold(access) => self.fold(access, span),
            StmtKind::Unfold(access) => self.unfold(access, span),
            StmtKind::Specify { vars, requires, ensures } => {
                self.specify(vars, requires.as_ref(), ensures, span);
            }
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Unsupported(what) => {
                self.unsupported(what, span);
                let no = self.terms.bool(false);
                self.assume(no);
            }
            _ => self.synchronization(stmt),
        }
    }

    /// Statements about monitors and channels.
    fn synchronization(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Share(object, bounds) => self.share(object, bounds, span),
            StmtKind::Unshare(object) => self.unshare(object, span),
            StmtKind::Reorder(object, bounds) => self.reorder(object, bounds, span),
            StmtKind::Acquire(object) => self.acquire(object, span),
            StmtKind::Release(object) => self.release(object, span),
            StmtKind::RdAcquire(object) => self.rd_acquire(object, span),
            StmtKind::RdRelease(object) => self.rd_release(object, span),
            StmtKind::Downgrade(object) => self.downgrade(object, span),
            StmtKind::Wait(object, _) => self.wait(object, span),
            StmtKind::Signal { receiver, condition, .. } => {
                self.signal(receiver, *condition, span);
            }
            StmtKind::Send(channel, of, args) => self.send(channel, *of, args, span),
            StmtKind::Receive { results, channel, of } => {
                self.receive(results, channel, *of, span);
            }
            _ => panic!("internal error: a statement of no kind"),
        }
    }

    /// Reports code that no run gets to.
    pub(crate) fn cover_after(&mut self, span: Span) {
        let text = "no run gets beyond this statement";
        self.cover(&Reason::new(Code::UnreachableCode, span, text));
    }

    /// Checks everything as exhale does, and gives nothing away.
    fn assert_stmt(&mut self, assertion: &Assertion, span: Span) {
        let env = self.here();
        self.defined_assertion(assertion, &env);
        let masks = self.save_masks("kept");
        let credits = self.now.credits();
        let kept = self.pin("kept", credits);
        let env = Env { state: self.save("asserted"), ..env };
        let text = "this assertion can fail";
        let how = Exhale { may_owe: true, ..Exhale::new(span, Code::AssertionFailed, text) };
        self.exhale(std::slice::from_ref(assertion), &env, &how);
        self.check_credits_left(assertion, &env, &how);
        self.restore_masks(&masks);
        self.assign(self.variable_of(credits), kept);
    }

    /// A thread that gives a credit away without having it owes a message. A thread that asserts
    /// one must have it.
    fn check_credits_left(&mut self, assertion: &Assertion, env: &Env, how: &Exhale) {
        let zero = self.terms.int(0);
        for (guard, channel, count) in self.credits_of(std::slice::from_ref(assertion), env) {
            let asked = self.terms.lt(zero, count);
            let guard = self.terms.and(vec![guard, asked]);
            let left = self.terms.select(self.now.credits(), channel);
            let enough = self.terms.le(zero, left);
            let reason = Reason::new(how.code, how.span, how.failed.clone());
            self.check(guard, enough, &reason.about(assertion.span));
        }
    }

    /// Checks that every formula of the assertion has a value now, and its amounts and receivers as
    /// well.
    fn defined_assertion(&mut self, assertion: &Assertion, env: &Env) {
        for (guard, part) in self.parts_of(std::slice::from_ref(assertion), env) {
            let exprs: Vec<&Expr> = match part {
                Part::Condition(expr) | Part::Formula(expr) => vec![expr],
                Part::Other(assertion) => operands(assertion),
            };
            let unframed = match part {
                Part::Formula(expr) => self.look_again_for(guard, expr, env),
                _ => false,
            };
            let env = Env { unframed, ..env.clone() };
            exprs.into_iter().for_each(|expr| self.check_defined(guard, expr, &env));
        }
    }

    /// Assigns a value to a local; constants are assigned once.
    fn assign_local(&mut self, local: LocalId, rhs: &Rhs, span: Span) {
        let value = self.rhs(rhs, span);
        let symbol = self.local(local);
        if self.locals[local.index()].kind == LocalKind::Const {
            let assigned = self.assigned(local);
            let before = self.terms.constant(assigned);
            let (fresh, yes) = (self.terms.not(before), self.terms.bool(true));
            // A declaration with a value is the first assignment.
            if self.locals[local.index()].span.start < span.start
                || self.locals[local.index()].span.end > span.end
            {
                let text = "this constant may have a value already";
                self.check(yes, fresh, &Reason::new(Code::AssignedTwice, span, text));
                if self.is_given(rhs) {
                    let now = self.terms.constant(symbol);
                    let same = self.terms.eq(now, value);
                    self.assume(same);
                    return self.assign(assigned, yes);
                }
            }
            self.assign(symbol, value);
            return self.assign(assigned, yes);
        }
        self.assign(symbol, value);
    }

    /// Whether a value was fixed before the method began: it consists of numbers and parameters.
    ///
    /// A constant that gets such a value later has had it all along. That is sound: constants that
    /// are assigned later are for specifications only, so neither the path of a run nor the value
    /// depends on the constant; each run gives it one value, and the constant can be chosen to be
    /// that.
    fn is_given(&self, rhs: &Rhs) -> bool {
        fn all_given(locals: &[crate::hir::Local], expr: &Expr) -> bool {
            match &expr.kind {
                ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::This => true,
                ExprKind::Local(id) => locals[id.index()].kind == LocalKind::Param,
                ExprKind::Not(_) | ExprKind::Neg(_) | ExprKind::Binary(..) => {
                    expr.kind.operands().into_iter().all(|operand| all_given(locals, operand))
                }
                _ => false,
            }
        }
        matches!(rhs, Rhs::Value(value) if all_given(self.locals, value))
    }

    fn rhs(&mut self, rhs: &Rhs, span: Span) -> Term {
        let env = self.here();
        match rhs {
            Rhs::Value(value) => self.code_value(value),
            Rhs::New(class, fields) => {
                let mut values = Vec::new();
                for (field, value) in fields {
                    let value = self.code_value(value);
                    values.push((*field, self.pin("initial", value)));
                }
                let object = self.new_object(*class, &values);
                self.check_initial(object, *class, span);
                object
            }
            Rhs::NewChannel(channel, bounds) => {
                let exprs = bounds.above.iter().chain(&bounds.below);
                exprs.for_each(|bound| self.check_bound(bound, &env));
                let position = self.choose_position(bounds, &env, span);
                let object = self.allocate(&Type::Channel(*channel));
                self.own(object, Place::Loc(Loc::Mu), position);
                object
            }
        }
    }

    /// `x := new C` (paper 3, "Object creation"): a new object, all fields zero, full permission to
    /// all of them.
    fn new_object(&mut self, class: ClassId, initial: &[(FieldId, Term)]) -> Term {
        let object = self.allocate(&Type::Object(class));
        for loc in self.locations_of(class) {
            let Loc::Field(id) = loc else { continue };
            let given = initial.iter().find(|(field, _)| *field == id).map(|(_, value)| *value);
            let ty = self.program.fields[id.index()].ty.clone();
            let value = given.unwrap_or_else(|| self.zero(&ty));
            self.own(object, Place::Loc(loc), value);
        }
        let bottom = self.lock_bottom();
        self.own(object, Place::Loc(Loc::Mu), bottom);
        object
    }

    /// A reference that nobody has yet.
    pub(crate) fn allocate(&mut self, ty: &Type) -> Term {
        let object = self.any("new", reference());
        let fact = self.fact_of_new(object, ty);
        self.assume(fact);
        let (clock, one) = (self.clock(), self.terms.int(1));
        let next = self.terms.add(vec![clock, one]);
        self.assign(self.clock, next);
        // Nobody holds it, and nobody owes it a message.
        let held = self.terms.select(self.now.held(), object);
        let rd_held = self.terms.select(self.now.rd_held(), object);
        let (credits, zero) = (self.terms.select(self.now.credits(), object), self.terms.int(0));
        let facts = [self.terms.not(held), self.terms.not(rd_held), self.terms.eq(credits, zero)];
        facts.into_iter().for_each(|fact| self.assume(fact));
        object
    }

    /// Full permission to a place of a new object, and its value.
    pub(crate) fn own(&mut self, object: Term, place: Place, value: Term) {
        let (yes, full) = (self.terms.bool(true), self.full());
        let heap = self.now.heap[&place];
        let changed = self.terms.store(heap, object, value);
        self.assign(self.variable_of(heap), changed);
        self.set_permission(yes, place, object, full);
    }

    /// `o.f := x`: `assert CanWrite(o.f)`.
    fn write(&mut self, object: &Expr, field: FieldId, rhs: &Rhs, span: Span) {
        let owner = self.code_value(object);
        let owner = self.pin("owner", owner);
        let value = self.rhs(rhs, span);
        let value = self.pin("value", value);
        let yes = self.terms.bool(true);
        let (fine, reason) = self.not_null(owner, object.span);
        self.check(yes, fine, &reason);
        let place = Place::Loc(Loc::Field(field));
        let state = self.now.clone();
        let held = self.permission(&state, place, owner);
        let full = self.is_full(held);
        let name = &self.program.fields[field.index()].name;
        let text = format!("no permission to write `{name}` here");
        let help = format!("full permission, `acc({name})`, is needed");
        let reason = Reason::new(Code::InsufficientPermission, span, text).help(help);
        self.check(yes, full, &reason);
        if let Some(class) = self.volatile_class(place) {
            return self.write_volatile((owner, class), (place, value), span);
        }
        let heap = self.now.heap[&place];
        let changed = self.terms.store(heap, owner, value);
        self.assign(self.variable_of(heap), changed);
    }

    fn branch(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let condition = self.code_value(condition);
        let condition = self.pin("if", condition);
        let not = self.terms.not(condition);
        let branches = [(condition, then), (not, otherwise)].map(|(fact, stmts)| {
            self.block(|encoder| {
                encoder.assume(fact);
                if let Some(first) = stmts.first() {
                    let text = "no run gets here";
                    encoder.cover(&Reason::new(Code::UnreachableCode, first.span, text));
                }
                encoder.stmts(stmts);
            })
        });
        self.emit(Command::Choice(branches.into()));
    }

    /// Gives up full permission to all fields of the object.
    fn free(&mut self, object: &Expr, span: Span) {
        let env = self.here();
        let owner = self.checked_value(object, &env);
        let owner = self.pin("freed", owner);
        let yes = self.terms.bool(true);
        let (fine, reason) = self.not_null(owner, object.span);
        self.check(yes, fine, &reason);
        let mut places = match object.ty {
            Type::Object(class) => self.locations_of(class),
            Type::Token(_) => vec![Loc::Joinable],
            _ => Vec::new(),
        };
        if !matches!(object.ty, Type::Token(_)) {
            places.push(Loc::Mu);
        }
        let none = self.terms.real(0, 1);
        let none = self.of_parts(none);
        for loc in places {
            let place = Place::Loc(loc);
            let state = self.now.clone();
            let held = self.permission(&state, place, owner);
            let full = self.is_full(held);
            let text = format!(
                "full permission to `{}` is needed to free the object",
                self.short_place_name(place)
            );
            self.check(yes, full, &Reason::new(Code::InsufficientPermission, span, text));
            self.set_permission(yes, place, owner, none);
        }
    }

    /// Gives the variables values that satisfy the formula.
    fn specify(&mut self, vars: &[LocalId], requires: Option<&Expr>, ensures: &Expr, span: Span) {
        let env = self.here();
        let yes = self.terms.bool(true);
        if let Some(requires) = requires {
            let holds = self.checked_value(requires, &env);
            let text = "what this statement requires need not hold";
            let reason = Reason::new(Code::PreconditionFailed, span, text).about(requires.span);
            self.check(yes, holds, &reason);
        }
        let old = self.save("before");
        for &var in vars {
            let symbol = self.local(var);
            self.emit(Command::Havoc(vec![symbol]));
            self.assume_local(var);
        }
        let env = Env { old: Some(Box::new(old)), ..env };
        let fact = self.checked_value(ensures, &env);
        self.assume(fact);
        self.cover_after(span);
    }

    /// Assumes the facts about every value of the local.
    pub(crate) fn assume_local(&mut self, local: LocalId) {
        let symbol = self.local(local);
        let value = self.terms.constant(symbol);
        let ty = self.locals[local.index()].ty.clone();
        if let Some(fact) = self.fact_of_value(value, &ty) {
            self.assume(fact);
        }
        debug_assert_eq!(*self.terms.sort(value), sort_of(&ty));
    }
}

/// The expressions directly inside a part with permissions or credits, amounts excluded.
fn operands(assertion: &Assertion) -> Vec<&Expr> {
    match &assertion.kind {
        AssertionKind::Access(target, _) => vec![Encoder::receiver_of(target)],
        AssertionKind::Predicate(access) => {
            [&access.receiver].into_iter().chain(&access.args).collect()
        }
        AssertionKind::Credit(channel, count) => [channel].into_iter().chain(count).collect(),
        AssertionKind::Forall(quantified) => quantified.range.iter().collect(),
        _ => Vec::new(),
    }
}
