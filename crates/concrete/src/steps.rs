//! Statements.

use crate::eval::{Forked, Scope};
use crate::fraction::Fraction;
use crate::machine::Machine;
use crate::monitors::Site;
use crate::state::{Failure, Held, Key, Mask, Stop, Value, Work, check};
use crate::transfer::{Give, broken_level, credits, exhale, permissions};
use chalice::hir::{
    Assertion, ChannelId, ClassId, Expr, FieldId, Loc, LocalId, LocalKind, MethodId,
    PredicateAccess, Rhs, Stmt, StmtKind, Type,
};
use diagnostic::Code;
use source::Span;
use std::collections::BTreeMap;

/// One statement of a thread.
pub(crate) fn step<'p>(machine: &mut Machine<'p>, at: usize, stmt: &'p Stmt) -> Result<(), Stop> {
    let span = stmt.span;
    match &stmt.kind {
        StmtKind::Assert(assertion) => machine.assert(at, assertion, span),
        StmtKind::Assume(expr) => {
            let holds = machine.code(at, expr)?.bool()?;
            if holds { Ok(()) } else { Err(Stop::Irrelevant) }
        }
        StmtKind::Assign(local, rhs) => {
            machine.not_constant(at, *local)?;
            let value = machine.rhs(at, rhs, span)?;
            machine.frame_mut(at).locals[local.index()] = Some(value);
            Ok(())
        }
        StmtKind::Havoc(local) => {
            machine.not_constant(at, *local)?;
            let method = &machine.program.methods[machine.frame(at).method.index()];
            let value = machine.any(&method.locals[local.index()].ty);
            machine.frame_mut(at).locals[local.index()] = Some(value);
            Ok(())
        }
        StmtKind::Write(object, field, rhs) => machine.write(at, object, *field, (rhs, span)),
        StmtKind::Call { results, receiver, method, args } => {
            machine.call(at, results, Call { receiver, method: *method, args, span })
        }
        StmtKind::Fork { token, receiver, method, args } => {
            machine.fork(at, *token, Call { receiver, method: *method, args, span })
        }
        StmtKind::Join { results, token } => machine.join(at, results, token, span),
        StmtKind::If(condition, then, otherwise) => {
            let holds = machine.code(at, condition)?.bool()?;
            let stmts = if holds { then } else { otherwise };
            machine.frame_mut(at).work.push(Work::Stmts(stmts));
            Ok(())
        }
        StmtKind::While { .. } => machine.enter_loop(at, stmt),
        StmtKind::Block(stmts) => {
            machine.frame_mut(at).work.push(Work::Stmts(stmts));
            Ok(())
        }
        StmtKind::Free(object) => machine.free(at, object, span),
        StmtKind::Fold(access) => machine.fold(at, access, span),
        StmtKind::Unfold(access) => machine.unfold(at, access, span),
        StmtKind::Send(channel, of, args) => machine.send(at, channel, *of, (args, span)),
        StmtKind::Receive { results, channel, .. } => machine.receive(at, results, channel, span),
        StmtKind::Share(object, bounds) => machine.share(Site { at, object, span }, bounds),
        StmtKind::Unshare(object) => machine.unshare(Site { at, object, span }),
        StmtKind::Reorder(object, bounds) => machine.reorder(Site { at, object, span }, bounds),
        StmtKind::Acquire(object) => machine.acquire(Site { at, object, span }),
        StmtKind::Release(object) => machine.release(Site { at, object, span }),
        StmtKind::RdAcquire(object) => machine.rd_acquire(Site { at, object, span }),
        StmtKind::RdRelease(object) => machine.rd_release(Site { at, object, span }),
        StmtKind::Downgrade(object) => machine.downgrade(Site { at, object, span }),
        StmtKind::Wait(..)
        | StmtKind::Signal { .. }
        | StmtKind::Specify { .. }
        | StmtKind::Unsupported(_) => Err(Stop::GaveUp("a statement")),
    }
}

/// A call or fork.
#[derive(Clone, Copy)]
struct Call<'p> {
    receiver: &'p Expr,
    method: MethodId,
    args: &'p [Expr],
    span: Span,
}

impl Machine<'_> {
    fn not_constant(&self, at: usize, local: LocalId) -> Result<(), Stop> {
        let method = &self.program.methods[self.frame(at).method.index()];
        match method.locals[local.index()].kind {
            LocalKind::Const => Err(Stop::GaveUp("a constant")),
            _ => Ok(()),
        }
    }

    fn assert(&mut self, at: usize, assertion: &Assertion, span: Span) -> Result<(), Stop> {
        let (scope, mask) = (self.scope(at), &self.frame(at).mask);
        scope.defined(assertion, mask)?;
        let mut kept = mask.clone();
        let how = Give { may_owe: true, ..Give::new(span, Code::AssertionFailed) };
        exhale(&scope, std::slice::from_ref(assertion), &mut kept, &how)?;
        // A thread that asserts a credit must have it.
        let mut asked = Mask::default();
        credits(&scope, std::slice::from_ref(assertion), &mut asked)?;
        let lacks = kept.owed().any(|channel| asked.credits.get(&channel).is_some_and(|n| *n > 0));
        check(!lacks, || Failure::new(Code::AssertionFailed, span).about(assertion.span))
    }

    fn rhs(&mut self, at: usize, rhs: &Rhs, span: Span) -> Result<Value, Stop> {
        match rhs {
            Rhs::Value(value) => self.code(at, value),
            Rhs::New(class, fields) => {
                let exprs: Vec<&Expr> = fields.iter().map(|(_, value)| value).collect();
                let values = self.codes(at, &exprs)?;
                let values = fields.iter().map(|(id, _)| *id).zip(values);
                let object = self.allocate(*class);
                self.heap[object].fields.extend(values);
                let keys: Vec<FieldId> = self.heap[object].fields.keys().copied().collect();
                let mask = &mut self.frame_mut(at).mask;
                for loc in keys.into_iter().map(Loc::Field).chain([Loc::Mu]) {
                    mask.add(Key::Loc(object, loc), Fraction::FULL)?;
                }
                self.check_rely((at, object), *class, &self.heap.clone(), span)?;
                Ok(Value::Ref(object))
            }
            Rhs::NewChannel(channel, bounds) => {
                self.check_bounds(at, bounds)?;
                let position = self.choose_position(at, bounds, span)?;
                let object = self.new_reference(Type::Channel(*channel), BTreeMap::new());
                self.heap[object].mu = position;
                self.frame_mut(at).mask.add(Key::Loc(object, Loc::Mu), Fraction::FULL)?;
                Ok(Value::Ref(object))
            }
        }
    }

    /// Checks that the rely of volatile fields holds from the old heap to the present one.
    fn check_rely(
        &self,
        (at, this): (usize, usize),
        class: ClassId,
        old: &crate::state::Heap,
        span: Span,
    ) -> Result<(), Stop> {
        let class = &self.program.classes[class.index()];
        let old = crate::state::Moment { heap: old.clone(), ..Default::default() };
        let locals = vec![None; class.locals.len()];
        let scope = Scope { this, locals: &locals, old: Some(&old), ..self.scope(at) };
        for part in &class.rely {
            let holds = scope.truth(part, None)?;
            check(holds, || Failure::new(Code::VolatileWrite, span).about(part.span))?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        at: usize,
        object: &Expr,
        field: FieldId,
        (rhs, span): (&Rhs, Span),
    ) -> Result<(), Stop> {
        let owner = self.code(at, object)?.reference()?;
        let value = self.rhs(at, rhs, span)?;
        check(owner != 0, || Failure::new(Code::NullReceiver, object.span))?;
        let held = self.frame(at).mask.get(&Key::Loc(owner, Loc::Field(field)));
        check(held >= Fraction::FULL, || Failure::new(Code::InsufficientPermission, span))?;
        let info = &self.program.fields[field.index()];
        let before = info.volatile.then(|| self.heap.clone());
        self.heap[owner].fields.insert(field, value);
        match before {
            Some(before) => self.check_rely((at, owner), info.class, &before, span),
            None => Ok(()),
        }
    }

    /// The receiver and the arguments.
    fn operands(
        &mut self,
        at: usize,
        receiver: &Expr,
        args: &[Expr],
    ) -> Result<(usize, Vec<Value>), Stop> {
        let exprs: Vec<&Expr> = [receiver].into_iter().chain(args).collect();
        let mut values = self.codes(at, &exprs)?;
        let this = values.remove(0).reference()?;
        check(this != 0, || Failure::new(Code::NullReceiver, receiver.span))?;
        Ok((this, values))
    }

    fn locals_of(&self, method: MethodId, args: &[Value]) -> Vec<Option<Value>> {
        let method = &self.program.methods[method.index()];
        let mut locals = vec![None; method.locals.len()];
        for (param, arg) in method.params.iter().zip(args) {
            locals[param.index()] = Some(arg.clone());
        }
        locals
    }

    fn call(&mut self, at: usize, results: &[LocalId], call: Call<'_>) -> Result<(), Stop> {
        let (this, args) = self.operands(at, call.receiver, call.args)?;
        let requires = &self.program.methods[call.method.index()].spec.requires;
        let mask = self.frame(at).mask.clone();
        let read = self.choose_read(requires, &mask)?;
        let (locals, old) = (self.locals_of(call.method, &args), self.frame(at).old.clone());
        let how = Give {
            framed: true,
            may_owe: true,
            within: Some(&old),
            ..Give::new(call.span, Code::PreconditionFailed)
        };
        let given = self.give(at, |scope, mask| {
            let scope = Scope { this, locals: &locals, old: None, read, ..scope };
            exhale(&scope, requires, mask, &how)
        })?;
        let mut frame = self.new_frame(call.method, this, args, (given, read));
        frame.results = results.to_vec();
        self.threads[at].frames.push(frame);
        if self.threads[at].frames.len() > 30 {
            return Err(Stop::GaveUp("deep recursion"));
        }
        self.enter(at);
        Ok(())
    }

    fn fork(&mut self, at: usize, token: Option<LocalId>, call: Call<'_>) -> Result<(), Stop> {
        let (this, args) = self.operands(at, call.receiver, call.args)?;
        let spec = &self.program.methods[call.method.index()].spec;
        if let Some(first) = spec.lockchange.first() {
            let failure = Failure::new(Code::LockchangeViolated, call.span).about(first.span);
            return Err(Stop::Failed(failure));
        }
        let mask = self.frame(at).mask.clone();
        let read = self.choose_read(&spec.requires, &mask)?;
        let locals = self.locals_of(call.method, &args);
        let mut asked = Mask::default();
        let scope = Scope { this, locals: &locals, old: None, read, ..self.scope(at) };
        credits(&scope, &spec.requires, &mut asked)?;
        let nothing = Held { owed: asked.owed().collect(), ..Held::default() };
        let how =
            Give { framed: true, may_owe: true, ..Give::new(call.span, Code::PreconditionFailed) };
        let given = self.give(at, |scope, mask| {
            let held = &nothing;
            let scope = Scope { this, locals: &locals, old: None, read, held, ..scope };
            exhale(&scope, &spec.requires, mask, &how)
        })?;
        let object = self.new_reference(Type::Token(call.method), BTreeMap::new());
        self.heap[object].joinable = true;
        self.frame_mut(at).mask.add(Key::Loc(object, Loc::Joinable), Fraction::FULL)?;
        let forked = Forked { read, receiver: this, args: args.clone(), moment: self.moment(at) };
        self.reads.tokens.insert(object, forked);
        let thread = self.spawn(call.method, this, args, (given, read));
        self.tokens.insert(object, thread);
        if let Some(local) = token {
            self.frame_mut(at).locals[local.index()] = Some(Value::Ref(object));
        }
        Ok(())
    }

    fn join(
        &mut self,
        at: usize,
        results: &[LocalId],
        token: &Expr,
        span: Span,
    ) -> Result<(), Stop> {
        let object = self.scope(at).value(token, Some(&self.frame(at).mask))?.reference()?;
        check(object != 0, || Failure::new(Code::NullReceiver, token.span))?;
        let held = self.frame(at).mask.get(&Key::Loc(object, Loc::Joinable));
        check(held >= Fraction::FULL, || Failure::new(Code::InsufficientPermission, span))?;
        check(self.heap[object].joinable, || Failure::new(Code::NotJoinable, span))?;
        self.check_join_order(at, object, span)?;
        let thread = *self.tokens.get(&object).ok_or(Stop::GaveUp("a token of no thread"))?;
        let Some((values, given)) = &mut self.threads[thread].outcome else {
            return Err(Stop::Blocked);
        };
        let (values, given) = (values.clone(), std::mem::take(given));
        self.heap[object].joinable = false;
        for (local, value) in results.iter().zip(values) {
            self.frame_mut(at).locals[local.index()] = Some(value);
        }
        self.receive_all(at, given)
    }

    /// What the joined thread required of `waitlevel` is true of this thread, too.
    fn check_join_order(&self, at: usize, token: usize, span: Span) -> Result<(), Stop> {
        let (Type::Token(method), Some(forked)) =
            (&self.heap[token].ty, self.reads.tokens.get(&token))
        else {
            return Ok(());
        };
        let levels = self.scope(at).levels()?;
        let requires = &self.program.methods[method.index()].spec.requires;
        let locals = self.locals_of(*method, &forked.args);
        let nothing = Held::default();
        let scope = Scope {
            this: forked.receiver,
            locals: &locals,
            old: None,
            heap: &forked.moment.heap,
            held: &nothing,
            joiner: &levels,
            ..self.scope(at)
        };
        let mut asked = Mask::default();
        credits(&scope, requires, &mut asked)?;
        let own = Held { owed: asked.owed().collect(), ..Held::default() };
        let scope = Scope { held: &own, ..scope };
        match broken_level(&scope, requires)? {
            Some(place) => {
                Err(Stop::Failed(Failure::new(Code::JoinHoldingMonitor, span).about(place)))
            }
            None => Ok(()),
        }
    }

    fn free(&mut self, at: usize, object: &Expr, span: Span) -> Result<(), Stop> {
        let owner = self.scope(at).value(object, Some(&self.frame(at).mask))?.reference()?;
        check(owner != 0, || Failure::new(Code::NullReceiver, object.span))?;
        let mut locs: Vec<Loc> = self.heap[owner].fields.keys().copied().map(Loc::Field).collect();
        let token = matches!(self.heap[owner].ty, Type::Token(_));
        locs.push(if token { Loc::Joinable } else { Loc::Mu });
        for loc in locs {
            let key = Key::Loc(owner, loc);
            let held = self.frame(at).mask.get(&key);
            check(held >= Fraction::FULL, || Failure::new(Code::InsufficientPermission, span))?;
            self.frame_mut(at).mask.take(&key, held)?;
        }
        Ok(())
    }

    /// The predicate's receiver, its locals, its arguments, and the factor of its amounts.
    fn instance(
        &self,
        at: usize,
        access: &PredicateAccess,
        span: Span,
    ) -> Result<(Key, Vec<Option<Value>>, Fraction), Stop> {
        let (scope, mask) = (self.scope(at), &self.frame(at).mask);
        let info = &self.program.predicates[access.predicate.index()];
        let receiver = scope.value(&access.receiver, Some(mask))?.reference()?;
        check(receiver != 0, || Failure::new(Code::NullReceiver, access.receiver.span))?;
        let locals = scope.bind(info.locals.len(), &info.params, &access.args, Some(mask))?;
        let amount = scope.amount(&access.amount)?.ok_or(Stop::GaveUp("`rd*` of a predicate"))?;
        let failure = || Failure::new(Code::NegativePermission, span).about(access.amount.span);
        check(amount.is_positive(), failure)?;
        let args = info.params.iter().filter_map(|id| locals[id.index()].clone()).collect();
        Ok((Key::Predicate(access.predicate, receiver, args), locals, amount))
    }

    fn fold(&mut self, at: usize, access: &PredicateAccess, span: Span) -> Result<(), Stop> {
        let (key, locals, amount) = self.instance(at, access, span)?;
        let Key::Predicate(id, this, _) = key else { return Ok(()) };
        let body = std::slice::from_ref(&self.program.predicates[id.index()].body);
        let scale = Some(amount.times(Fraction::new(1, 100)?)?);
        let how = Give { scale, ..Give::new(span, Code::PredicateNotTrue) };
        let read = self.reads.predicate;
        self.give(at, |scope, mask| {
            exhale(&Scope { this, locals: &locals, read, old: None, ..scope }, body, mask, &how)
        })?;
        self.frame_mut(at).mask.add(key, amount)
    }

    fn unfold(&mut self, at: usize, access: &PredicateAccess, span: Span) -> Result<(), Stop> {
        let (key, locals, amount) = self.instance(at, access, span)?;
        let Key::Predicate(id, this, _) = key else { return Ok(()) };
        let held = self.frame(at).mask.get(&key);
        let failure = || Failure::new(Code::InsufficientPermission, span).about(access.span);
        check(amount <= held, failure)?;
        self.frame_mut(at).mask.take(&key, amount)?;
        let body = std::slice::from_ref(&self.program.predicates[id.index()].body);
        let scale = Some(amount.times(Fraction::new(1, 100)?)?);
        let scope = self.scope(at);
        let scope = Scope { this, locals: &locals, read: self.reads.predicate, old: None, ..scope };
        let given = permissions(&scope, body, scale)?;
        self.receive_all(at, given)
    }

    fn send(
        &mut self,
        at: usize,
        channel: &Expr,
        of: ChannelId,
        (args, span): (&[Expr], Span),
    ) -> Result<(), Stop> {
        let (object, values) = self.operands(at, channel, args)?;
        let info = &self.program.channels[of.index()];
        let mut locals = vec![None; info.locals.len()];
        for (param, value) in info.params.iter().zip(&values) {
            locals[param.index()] = Some(value.clone());
        }
        let clause = info.where_clause.as_slice();
        let how = Give::new(span, Code::MessagePromiseFailed);
        let read = self.reads.channel;
        let given = self.give(at, |scope, mask| {
            let scope = Scope { this: object, locals: &locals, read, old: None, ..scope };
            exhale(&scope, clause, mask, &how)
        })?;
        self.queues.entry(object).or_default().push_back((values, given));
        *self.frame_mut(at).mask.credits.entry(object).or_default() += 1;
        Ok(())
    }

    fn receive(
        &mut self,
        at: usize,
        results: &[LocalId],
        channel: &Expr,
        span: Span,
    ) -> Result<(), Stop> {
        let object = self.object(at, channel)?;
        let credits = self.frame(at).mask.credits.get(&object).copied().unwrap_or(0);
        check(credits > 0, || Failure::new(Code::NoCredit, span))?;
        self.check_may_wait(at, object, span)?;
        let message = self.queues.entry(object).or_default().pop_front();
        let Some((values, given)) = message else {
            self.threads[at].waits_for = Some(object);
            return Err(Stop::Blocked);
        };
        *self.frame_mut(at).mask.credits.entry(object).or_default() -= 1;
        for (local, value) in results.iter().zip(values) {
            self.frame_mut(at).locals[local.index()] = Some(value);
        }
        self.receive_all(at, given)
    }
}
