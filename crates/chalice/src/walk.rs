//! Walks over the typed program: every expression and every amount of permission in it, outer ones
//! first.

use crate::hir::{
    Amount, AmountKind, Assertion, AssertionKind, EvalState, Expr, ExprKind, PredicateAccess,
    Program, Rhs, Spec, Stmt, StmtKind, Target,
};

/// The functions to call on the way.
pub struct Walk<'a> {
    /// With each expression.
    pub expr: &'a mut dyn FnMut(&Expr),
    /// With each amount of permission.
    pub amount: &'a mut dyn FnMut(&Amount),
}

impl Walk<'_> {
    /// Everything in the program.
    pub fn program(&mut self, program: &Program) {
        for class in &program.classes {
            self.assertions(&class.invariants);
            class.rely.iter().for_each(|expr| self.expr(expr));
        }
        for clause in program.channels.iter().filter_map(|channel| channel.where_clause.as_ref()) {
            self.assertion(clause);
        }
        for clause in program.conditions.iter().filter_map(|one| one.where_clause.as_ref()) {
            self.assertion(clause);
        }
        for predicate in &program.predicates {
            self.assertion(&predicate.body);
        }
        for function in &program.functions {
            self.assertions(&function.requires);
            function.ensures.iter().chain(&function.body).for_each(|expr| self.expr(expr));
        }
        for method in &program.methods {
            self.spec(&method.spec);
            self.stmts(&method.body);
        }
    }

    /// A contract.
    pub fn spec(&mut self, spec: &Spec) {
        self.assertions(&spec.requires);
        self.assertions(&spec.ensures);
        spec.lockchange.iter().for_each(|expr| self.expr(expr));
    }

    /// Code.
    pub fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assert(assertion) => self.assertion(assertion),
            StmtKind::Assign(_, rhs) => self.rhs(rhs),
            StmtKind::Write(object, _, rhs) => {
                self.expr(object);
                self.rhs(rhs);
            }
            StmtKind::Call { receiver, args, .. } | StmtKind::Fork { receiver, args, .. } => {
                self.expr(receiver);
                args.iter().for_each(|arg| self.expr(arg));
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::While { condition, invariants, lockchange, body } => {
                self.expr(condition);
                self.assertions(invariants);
                lockchange.iter().for_each(|expr| self.expr(expr));
                self.stmts(body);
            }
            StmtKind::Share(object, bounds) | StmtKind::Reorder(object, bounds) => {
                self.expr(object);
                bounds.above.iter().chain(&bounds.below).for_each(|bound| self.expr(bound));
            }
            StmtKind::Fold(access) | StmtKind::Unfold(access) => self.access(access),
            StmtKind::Send(channel, _, args) => {
                self.expr(channel);
                args.iter().for_each(|arg| self.expr(arg));
            }
            StmtKind::Specify { requires, ensures, .. } => {
                requires.iter().chain([ensures]).for_each(|expr| self.expr(expr));
            }
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Assume(object)
            | StmtKind::Join { token: object, .. }
            | StmtKind::Unshare(object)
            | StmtKind::Acquire(object)
            | StmtKind::Release(object)
            | StmtKind::RdAcquire(object)
            | StmtKind::RdRelease(object)
            | StmtKind::Downgrade(object)
            | StmtKind::Free(object)
            | StmtKind::Wait(object, _)
            | StmtKind::Signal { receiver: object, .. }
            | StmtKind::Receive { channel: object, .. } => self.expr(object),
            StmtKind::Havoc(_) | StmtKind::Unsupported(_) => {}
        }
    }

    fn rhs(&mut self, rhs: &Rhs) {
        match rhs {
            Rhs::Value(value) => self.expr(value),
            Rhs::New(_, fields) => fields.iter().for_each(|(_, value)| self.expr(value)),
            Rhs::NewChannel(_, bounds) => {
                bounds.above.iter().chain(&bounds.below).for_each(|bound| self.expr(bound));
            }
        }
    }

    /// Several assertions.
    pub fn assertions(&mut self, assertions: &[Assertion]) {
        assertions.iter().for_each(|assertion| self.assertion(assertion));
    }

    /// One assertion.
    pub fn assertion(&mut self, assertion: &Assertion) {
        match &assertion.kind {
            AssertionKind::Pure(expr) => self.expr(expr),
            AssertionKind::And(parts) => self.assertions(parts),
            AssertionKind::Implies(premise, conclusion) => {
                self.expr(premise);
                self.assertion(conclusion);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                self.expr(condition);
                self.assertion(then);
                self.assertion(otherwise);
            }
            AssertionKind::Access(target, amount) => {
                let (Target::One(expr, _)
                | Target::All(expr, _)
                | Target::Each(expr, _)
                | Target::EachAll(expr, _)) = target;
                self.expr(expr);
                self.amount(amount);
            }
            AssertionKind::Predicate(access) => self.access(access),
            AssertionKind::Credit(channel, count) => {
                self.expr(channel);
                count.iter().for_each(|count| self.expr(count));
            }
            AssertionKind::Forall(quantified) => {
                quantified.range.iter().for_each(|range| self.expr(range));
                self.assertion(&quantified.body);
            }
            AssertionKind::Unsupported(_) => {}
        }
    }

    fn access(&mut self, access: &PredicateAccess) {
        self.expr(&access.receiver);
        access.args.iter().for_each(|arg| self.expr(arg));
        self.amount(&access.amount);
    }

    fn amount(&mut self, amount: &Amount) {
        (self.amount)(amount);
        match &amount.kind {
            AmountKind::Full | AmountKind::Read | AmountKind::PredicateRead | AmountKind::Star => {}
            AmountKind::Percent(expr) | AmountKind::ReadOf(expr) | AmountKind::Epsilons(expr) => {
                self.expr(expr);
            }
            AmountKind::Add(left, right) | AmountKind::Sub(left, right) => {
                self.amount(left);
                self.amount(right);
            }
            AmountKind::Times(factor, inner) => {
                self.expr(factor);
                self.amount(inner);
            }
        }
    }

    /// One expression.
    pub fn expr(&mut self, expr: &Expr) {
        (self.expr)(expr);
        match &expr.kind {
            ExprKind::Unfolding(access, inner) => {
                self.access(access);
                self.expr(inner);
            }
            ExprKind::Eval(state, inner) => {
                match &**state {
                    EvalState::Acquire(object) | EvalState::Release(object) => self.expr(object),
                    EvalState::Fork { token, receiver, args, .. } => {
                        self.expr(token);
                        self.expr(receiver);
                        args.iter().flatten().for_each(|arg| self.expr(arg));
                    }
                }
                self.expr(inner);
            }
            ExprKind::Quantified(quantified) => {
                quantified.range.iter().for_each(|range| self.expr(range));
                self.expr(&quantified.body);
            }
            _ => expr.kind.operands().into_iter().for_each(|operand| self.expr(operand)),
        }
    }
}

impl ExprKind {
    /// The expressions directly below that have the same names and the same state, or the state
    /// that `old` means.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Self::Int(_)
            | Self::Bool(_)
            | Self::Str(_)
            | Self::Null
            | Self::This
            | Self::Result
            | Self::Local(_)
            | Self::LockBottom
            | Self::WaitLevel
            | Self::Assigned(_)
            | Self::Unfolding(..)
            | Self::Eval(..)
            | Self::Quantified(_)
            | Self::Unsupported(_) => Vec::new(),
            Self::Read(inner, _)
            | Self::Not(inner)
            | Self::Neg(inner)
            | Self::Old(inner)
            | Self::Holds(inner)
            | Self::RdHolds(inner)
            | Self::SeqLength(inner) => vec![inner],
            Self::Binary(_, left, right)
            | Self::SeqRange(left, right)
            | Self::SeqAt(left, right)
            | Self::SeqDrop(left, right)
            | Self::SeqTake(left, right) => vec![left, right],
            Self::Ite(cond, then, otherwise) => vec![cond, then, otherwise],
            Self::Call(_, receiver, args) => {
                receiver.iter().map(AsRef::as_ref).chain(args).collect()
            }
            Self::SeqLiteral(elements) => elements.iter().collect(),
        }
    }
}

impl Expr {
    /// Whether it speaks of `waitlevel`.
    pub fn mentions_wait_level(&self) -> bool {
        has_wait_level(|walk| walk.expr(self))
    }
}

impl Assertion {
    /// Whether it speaks of `waitlevel`.
    pub fn mentions_wait_level(&self) -> bool {
        has_wait_level(|walk| walk.assertion(self))
    }
}

fn has_wait_level(visit: impl FnOnce(&mut Walk<'_>)) -> bool {
    let mut found = false;
    let mut see = |expr: &Expr| found |= matches!(expr.kind, ExprKind::WaitLevel);
    visit(&mut Walk { expr: &mut see, amount: &mut |_| {} });
    found
}
