//! Values of expressions. The conditions for a value are checked on the way, in the order of the
//! verifier.

use crate::fraction::Fraction;
use crate::state::{Failure, Heap, Held, Key, Mask, Moment, Stop, Value, check};
use crate::transfer::{Give, exhale, permissions};
use chalice::hir::{
    Assertion, BinaryOp, EvalState, Expr, ExprKind, FunctionId, Loc, LocalId, PredicateAccess,
    Program, Quantified, Type,
};
use diagnostic::Code;
use source::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What names mean.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    pub(crate) heap: &'a Heap,
    pub(crate) held: &'a Held,
    pub(crate) old: Option<&'a Moment>,
    pub(crate) this: usize,
    pub(crate) locals: &'a [Option<Value>],
    pub(crate) result: Option<&'a Value>,
    /// What `rd` means.
    pub(crate) read: Fraction,
    /// What it means elsewhere.
    pub(crate) reads: &'a Reads,
    /// Whether volatile fields may be read without permission.
    pub(crate) unframed: bool,
    pub(crate) acquired: &'a BTreeMap<usize, Rc<Moment>>,
    /// The number of functions that are being applied.
    pub(crate) depth: usize,
    /// The positions of what the thread that joins this one keeps.
    pub(crate) joiner: &'a [Fraction],
}

/// The meaning of `rd` in monitors, predicates and channels, and for the tokens of forked calls.
#[derive(Clone, Debug)]
pub(crate) struct Reads {
    pub(crate) monitor: Fraction,
    pub(crate) predicate: Fraction,
    pub(crate) channel: Fraction,
    pub(crate) tokens: BTreeMap<usize, Forked>,
}

/// The facts about its call that a token remembers.
#[derive(Clone, Debug)]
pub(crate) struct Forked {
    pub(crate) read: Fraction,
    pub(crate) receiver: usize,
    pub(crate) args: Vec<Value>,
    pub(crate) moment: Rc<Moment>,
}

/// The permissions to read; without a mask, everything may be read.
pub(crate) type Access<'a> = Option<&'a Mask>;

const MOST_CALLS: usize = 40;

const LARGE: Stop = Stop::GaveUp("a large number");

impl<'a> Scope<'a> {
    /// The state that `old` means.
    fn before(self) -> Result<(Self, &'a Moment), Stop> {
        let old = self.old.ok_or(Stop::GaveUp("`old` without a state"))?;
        Ok((Scope { heap: &old.heap, held: &old.held, unframed: false, ..self }, old))
    }

    pub(crate) fn truth(&self, expr: &Expr, access: Access<'_>) -> Result<bool, Stop> {
        self.value(expr, access)?.bool()
    }

    /// The value of an expression.
    pub(crate) fn value(&self, expr: &Expr, access: Access<'_>) -> Result<Value, Stop> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Bool(value) => Ok(Value::Bool(*value)),
            ExprKind::Str(text) => Ok(Value::Text(text.clone())),
            ExprKind::Null => Ok(Value::Ref(0)),
            ExprKind::This => Ok(Value::Ref(self.this)),
            ExprKind::Result => self.result.cloned().ok_or(Stop::GaveUp("no result")),
            ExprKind::Local(id) => {
                let value = self.locals.get(id.index()).cloned().flatten();
                value.ok_or(Stop::GaveUp("a variable without a value"))
            }
            ExprKind::Read(object, loc) => self.read(expr, object, *loc, access),
            ExprKind::LockBottom => Ok(Value::Position(Fraction::ZERO)),
            ExprKind::Not(inner) => Ok(Value::Bool(!self.truth(inner, access)?)),
            ExprKind::Neg(inner) => {
                let value = self.value(inner, access)?.int()?.checked_neg();
                value.map(Value::Int).ok_or(LARGE)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, access),
            ExprKind::Ite(condition, then, otherwise) => {
                let branch = if self.truth(condition, access)? { then } else { otherwise };
                self.value(branch, access)
            }
            ExprKind::Call(id, receiver, args) => {
                self.apply((*id, receiver.as_deref(), args), expr.span, access)
            }
            ExprKind::Old(inner) => {
                let (scope, old) = self.before()?;
                scope.value(inner, access.map(|_| &old.mask))
            }
            ExprKind::Holds(object) => {
                let object = self.value(object, access)?.reference()?;
                Ok(Value::Bool(self.held.write.contains(&object)))
            }
            ExprKind::RdHolds(object) => {
                let object = self.value(object, access)?.reference()?;
                Ok(Value::Bool(self.held.read.contains(&object)))
            }
            ExprKind::Unfolding(predicate, inner) => self.unfolding(predicate, inner, access),
            ExprKind::Eval(state, inner) => self.looked_back(state, inner, access),
            ExprKind::Quantified(quantified) => self.quantified(quantified, access),
            ExprKind::WaitLevel | ExprKind::Assigned(_) | ExprKind::Unsupported(_) => {
                Err(Stop::GaveUp("an expression"))
            }
            _ => self.seq_value(expr, access),
        }
    }

    fn seq_value(&self, expr: &Expr, access: Access<'_>) -> Result<Value, Stop> {
        let at = |seq: &Expr, index: &Expr, end: usize| -> Result<(Vec<Value>, usize), Stop> {
            let seq = self.value(seq, access)?.seq()?.to_vec();
            let at = usize::try_from(self.value(index, access)?.int()?).ok();
            let inside = at.filter(|at| *at < seq.len() + end);
            let failure = Failure::new(Code::IndexOutOfRange, index.span);
            inside.map(|at| (seq, at)).ok_or(Stop::Failed(failure))
        };
        match &expr.kind {
            ExprKind::SeqLiteral(elements) => {
                let elements = elements.iter().map(|element| self.value(element, access));
                Ok(Value::Seq(elements.collect::<Result<_, _>>()?))
            }
            ExprKind::SeqRange(low, high) => {
                let (low, high) =
                    (self.value(low, access)?.int()?, self.value(high, access)?.int()?);
                if high.saturating_sub(low) > 1000 {
                    return Err(Stop::GaveUp("a long sequence"));
                }
                Ok(Value::Seq((low..high).map(Value::Int).collect()))
            }
            ExprKind::SeqLength(seq) => {
                let length = self.value(seq, access)?.seq()?.len();
                Ok(Value::Int(i128::try_from(length).unwrap_or(i128::MAX)))
            }
            ExprKind::SeqAt(seq, index) => {
                let (seq, at) = at(seq, index, 0)?;
                Ok(seq[at].clone())
            }
            ExprKind::SeqDrop(seq, index) => {
                let (seq, at) = at(seq, index, 1)?;
                Ok(Value::Seq(seq[at..].to_vec()))
            }
            ExprKind::SeqTake(seq, index) => {
                let (seq, at) = at(seq, index, 1)?;
                Ok(Value::Seq(seq[..at].to_vec()))
            }
            _ => Err(Stop::GaveUp("an expression")),
        }
    }

    fn read(
        &self,
        expr: &Expr,
        object: &Expr,
        loc: Loc,
        access: Access<'_>,
    ) -> Result<Value, Stop> {
        let owner = self.value(object, access)?.reference()?;
        check(owner != 0, || Failure::new(Code::NullReceiver, object.span))?;
        let free = self.unframed && unframed_read(self.program, expr);
        readable(owner, loc, access.filter(|_| !free), expr.span)?;
        self.location(owner, loc)
    }

    pub(crate) fn location(&self, owner: usize, loc: Loc) -> Result<Value, Stop> {
        let missing = Stop::GaveUp("an object that was not there");
        let object = self.heap.get(owner).ok_or(missing.clone())?;
        match loc {
            Loc::Field(id) => object.fields.get(&id).cloned().ok_or(missing),
            Loc::Mu => Ok(Value::Position(object.mu)),
            Loc::Joinable => Ok(Value::Bool(object.joinable)),
        }
    }

    fn binary(
        &self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        access: Access<'_>,
    ) -> Result<Value, Stop> {
        if is_wait_level(left) || is_wait_level(right) {
            return self.compare_levels(op, left, right, access);
        }
        let a = self.value(left, access)?;
        match (op, &a) {
            (BinaryOp::And, Value::Bool(false)) => return Ok(Value::Bool(false)),
            (BinaryOp::Implies, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => {
                return Ok(Value::Bool(true));
            }
            _ => {}
        }
        let b = self.value(right, access)?;
        if op == BinaryOp::Below {
            let low = self.position(left, &a, access)?;
            return Ok(Value::Bool(low < self.position(right, &b, access)?));
        }
        operate(op, &a, &b, right.span)
    }

    /// The position that an operand of `<<` stands for.
    pub(crate) fn position(
        &self,
        expr: &Expr,
        value: &Value,
        access: Access<'_>,
    ) -> Result<Fraction, Stop> {
        let owner = match value {
            Value::Position(position) => return Ok(*position),
            value => value.reference()?,
        };
        check(owner != 0, || Failure::new(Code::NullReceiver, expr.span))?;
        readable(owner, Loc::Mu, access, expr.span)?;
        self.mu(owner)
    }

    pub(crate) fn mu(&self, owner: usize) -> Result<Fraction, Stop> {
        match self.location(owner, Loc::Mu)? {
            Value::Position(position) => Ok(position),
            _ => Err(Stop::GaveUp("no position")),
        }
    }

    /// The positions of everything for which others may wait.
    pub(crate) fn levels(&self) -> Result<Vec<Fraction>, Stop> {
        let own = self.held.blocking().map(|object| self.mu(object));
        own.chain(self.joiner.iter().copied().map(Ok)).collect()
    }

    fn compare_levels(
        &self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        access: Access<'_>,
    ) -> Result<Value, Stop> {
        let level = |expr: &Expr| -> Result<Fraction, Stop> {
            if !is_wait_level(expr) {
                let value = self.value(expr, access)?;
                return self.position(expr, &value, access);
            }
            let scope = match &expr.kind {
                ExprKind::Old(_) => self.before()?.0,
                _ => *self,
            };
            Ok(scope.levels()?.into_iter().max().unwrap_or(Fraction::ZERO))
        };
        let (a, b) = (level(left)?, level(right)?);
        Ok(Value::Bool(match op {
            BinaryOp::Below => a < b,
            BinaryOp::Ne => a != b,
            _ => a == b,
        }))
    }

    /// The locals of something that is applied to arguments.
    pub(crate) fn bind(
        &self,
        count: usize,
        params: &[LocalId],
        args: &[Expr],
        access: Access<'_>,
    ) -> Result<Vec<Option<Value>>, Stop> {
        let mut locals = vec![None; count];
        for (param, arg) in params.iter().zip(args) {
            locals[param.index()] = Some(self.value(arg, access)?);
        }
        Ok(locals)
    }

    fn apply(
        &self,
        (id, receiver, args): (FunctionId, Option<&Expr>, &[Expr]),
        span: Span,
        access: Access<'_>,
    ) -> Result<Value, Stop> {
        let function = &self.program.functions[id.index()];
        let this = match receiver {
            Some(receiver) => self.value(receiver, access)?.reference()?,
            None => 0,
        };
        let locals = self.bind(function.locals.len(), &function.params, args, access)?;
        if let Some(receiver) = receiver {
            check(this != 0, || Failure::new(Code::NullReceiver, receiver.span))?;
        }
        if self.depth > MOST_CALLS {
            return Err(Stop::GaveUp("deep recursion"));
        }
        let scope =
            Scope { this, locals: &locals, unframed: false, depth: self.depth + 1, ..*self };
        if let Some(mask) = access {
            scope.holds_here(&function.requires, mask, span)?;
        }
        let body = function.body.as_ref().ok_or(Stop::GaveUp("a function without a body"))?;
        scope.value(body, None)
    }

    /// Checks that the precondition of a function holds.
    fn holds_here(&self, requires: &[Assertion], mask: &Mask, span: Span) -> Result<(), Stop> {
        let how = Give { for_reading: true, ..Give::new(span, Code::PreconditionFailed) };
        exhale(self, requires, &mut mask.clone(), &how)?;
        Ok(())
    }

    fn unfolding(
        &self,
        predicate: &PredicateAccess,
        inner: &Expr,
        access: Access<'_>,
    ) -> Result<Value, Stop> {
        let this = self.value(&predicate.receiver, access)?.reference()?;
        let info = &self.program.predicates[predicate.predicate.index()];
        let locals = self.bind(info.locals.len(), &info.params, &predicate.args, access)?;
        check(this != 0, || Failure::new(Code::NullReceiver, predicate.receiver.span))?;
        let Some(mask) = access else { return self.value(inner, access) };
        let args = info.params.iter().filter_map(|id| locals[id.index()].clone()).collect();
        let held = mask.get(&Key::Predicate(predicate.predicate, this, args));
        let needed = self.amount(&predicate.amount)?;
        let enough = held.is_positive() && needed.is_none_or(|needed| needed <= held);
        check(enough, || Failure::new(Code::InsufficientPermission, predicate.span))?;
        let body = Scope { this, locals: &locals, read: self.reads.predicate, ..*self };
        let mut inside = mask.clone();
        inside.add_all(permissions(&body, std::slice::from_ref(&info.body), None)?)?;
        Scope { unframed: false, ..*self }.value(inner, Some(&inside))
    }

    fn looked_back(
        &self,
        state: &EvalState,
        inner: &Expr,
        access: Access<'_>,
    ) -> Result<Value, Stop> {
        let none = Stop::GaveUp("eval");
        let moment = match state {
            EvalState::Acquire(object) => {
                let object = self.value(object, access)?.reference()?;
                self.acquired.get(&object).ok_or(none)?
            }
            EvalState::Release(_) => return Err(none),
            EvalState::Fork { token, receiver, args, .. } => {
                let token = self.value(token, access)?.reference()?;
                let forked = self.reads.tokens.get(&token).ok_or(none)?;
                let mut same = self.value(receiver, access)?.reference()? == forked.receiver;
                for (arg, was) in args.iter().zip(&forked.args) {
                    if let Some(arg) = arg {
                        same &= self.value(arg, access)? == *was;
                    }
                }
                if !same && inner.ty == Type::Bool {
                    return Ok(Value::Bool(false));
                }
                &forked.moment
            }
        };
        Scope { heap: &moment.heap, ..*self }.value(inner, None)
    }

    fn quantified(&self, quantified: &Quantified<Expr>, access: Access<'_>) -> Result<Value, Stop> {
        let (Some(range), [binder]) = (&quantified.range, &quantified.binders[..]) else {
            return Err(Stop::GaveUp("a quantifier over a type"));
        };
        let mut locals = self.locals.to_vec();
        let mut all = true;
        for element in self.value(range, access)?.seq()? {
            locals[binder.index()] = Some(element.clone());
            let scope = Scope { locals: &locals, unframed: false, ..*self };
            all &= scope.truth(&quantified.body, access)? == quantified.forall;
        }
        Ok(Value::Bool(all == quantified.forall))
    }

    /// The value of an expression of the program: it may read one volatile field without
    /// permission.
    pub(crate) fn code(&self, expr: &Expr, mask: &Mask) -> Result<Value, Stop> {
        let unframed = unframed_reads(self.program, expr) == 1;
        Scope { unframed, ..*self }.value(expr, Some(mask))
    }
}

/// Some permission is there.
fn readable(owner: usize, loc: Loc, access: Access<'_>, span: Span) -> Result<(), Stop> {
    let may = access.is_none_or(|mask| mask.get(&Key::Loc(owner, loc)).is_positive());
    check(may, || Failure::new(Code::InsufficientPermission, span))
}

/// The value of an operator on two values.
fn operate(op: BinaryOp, a: &Value, b: &Value, span: Span) -> Result<Value, Stop> {
    let zero = || Failure::new(Code::DivisionByZero, span);
    Ok(match op {
        BinaryOp::Iff | BinaryOp::Eq => Value::Bool(a == b),
        BinaryOp::Ne => Value::Bool(a != b),
        BinaryOp::Implies | BinaryOp::And | BinaryOp::Or => Value::Bool(b.bool()?),
        BinaryOp::Lt => Value::Bool(a.int()? < b.int()?),
        BinaryOp::Le => Value::Bool(a.int()? <= b.int()?),
        BinaryOp::Gt => Value::Bool(a.int()? > b.int()?),
        BinaryOp::Ge => Value::Bool(a.int()? >= b.int()?),
        BinaryOp::In => Value::Bool(b.seq()?.contains(a)),
        BinaryOp::Append => Value::Seq([a.seq()?, b.seq()?].concat()),
        BinaryOp::Add => Value::Int(a.int()?.checked_add(b.int()?).ok_or(LARGE)?),
        BinaryOp::Sub => Value::Int(a.int()?.checked_sub(b.int()?).ok_or(LARGE)?),
        BinaryOp::Mul => Value::Int(a.int()?.checked_mul(b.int()?).ok_or(LARGE)?),
        BinaryOp::Div => {
            check(b.int()? != 0, zero)?;
            Value::Int(a.int()?.checked_div_euclid(b.int()?).ok_or(LARGE)?)
        }
        BinaryOp::Mod => {
            check(b.int()? != 0, zero)?;
            Value::Int(a.int()?.checked_rem_euclid(b.int()?).ok_or(LARGE)?)
        }
        BinaryOp::Below => return Err(Stop::GaveUp("positions of no objects")),
    })
}

fn is_wait_level(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::WaitLevel => true,
        ExprKind::Old(inner) => is_wait_level(inner),
        _ => false,
    }
}

fn is_volatile_read(program: &Program, expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Read(_, Loc::Field(id)) if program.fields[id.index()].volatile)
}

/// Whether the expression reads a volatile field of an object that does not itself depend on one.
fn unframed_read(program: &Program, expr: &Expr) -> bool {
    fn depends(program: &Program, expr: &Expr) -> bool {
        is_volatile_read(program, expr)
            || expr.kind.operands().into_iter().any(|operand| depends(program, operand))
    }
    let ExprKind::Read(object, _) = &expr.kind else { return false };
    is_volatile_read(program, expr) && !depends(program, object)
}

/// The number of reads that need no permission: those of the present state, outside quantifiers.
pub(crate) fn unframed_reads(program: &Program, expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Old(_)
        | ExprKind::Unfolding(..)
        | ExprKind::Eval(..)
        | ExprKind::Quantified(_) => 0,
        _ => {
            let inside: usize = expr
                .kind
                .operands()
                .into_iter()
                .map(|operand| unframed_reads(program, operand))
                .sum();
            usize::from(unframed_read(program, expr)) + inside
        }
    }
}
