//! Calls, forks and joins (paper 3, section 4, "Thread creation and termination").

use super::exhale::Exhale;
use super::inhale::Inhale;
use super::pieces::PieceOwner;
use super::sorts::{Place, reference, sort_of};
use super::state::{Env, State};
use super::{Encoder, Reason};
use crate::hir::{Assertion, Expr, Loc, LocalId, MethodId, Type};
use diagnostic::Code;
use gcl::Stmt as Command;
use logic::{Quantifier, Sort, Term};
use source::Span;

/// A call in the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSite<'e> {
    pub(crate) receiver: &'e Expr,
    pub(crate) method: MethodId,
    pub(crate) args: &'e [Expr],
    pub(crate) span: Span,
}

/// The facts about its call that a token remembers.
pub(crate) struct Forked {
    pub(crate) receiver: Term,
    pub(crate) args: Vec<Term>,
    /// When it was forked.
    pub(crate) moment: Term,
}

impl Encoder<'_> {
    /// The receiver and the arguments, with fixed values.
    pub(crate) fn operands(&mut self, receiver: &Expr, args: &[Expr]) -> (Term, Vec<Term>) {
        let object = self.code_value(receiver);
        let object = self.pin("receiver", object);
        // Evaluate each at once: the next may read a volatile field, at a later moment.
        let mut values = Vec::new();
        for arg in args {
            let value = self.code_value(arg);
            values.push(self.pin("arg", value));
        }
        let yes = self.terms.bool(true);
        let (fine, reason) = self.not_null(object, receiver.span);
        self.check(yes, fine, &reason);
        (object, values)
    }

    pub(crate) fn contract_env(
        &self,
        method: MethodId,
        this: Term,
        args: &[Term],
        read: Term,
    ) -> Env {
        let params = &self.program.methods[method.index()].params;
        Env {
            state: self.now.clone(),
            old: None,
            this: Some(this),
            locals: params.iter().copied().zip(args.iter().copied()).collect(),
            result: None,
            read: Some(read),
            limited: false,
            unframed: false,
        }
    }

    /// A part for `rd` of a call: unknown, and small compared with the permissions that it is to be
    /// a part of. There is such a part, since those permissions are fixed before it is chosen.
    pub(crate) fn choose_read(&mut self, assertions: &[Assertion], env: &Env) {
        let read = env.read.expect("internal error: a call without a part for `rd`");
        let pieces = self.pieces(assertions, &mut env.clone(), &mut |_, _, _| {});
        let thousand = self.terms.real(1000, 1);
        let many = self.terms.mul(thousand, read);
        for piece in pieces.iter().filter(|piece| Self::is_read(&piece.amount)) {
            let state = self.now.clone();
            let zero = self.terms.real(0, 1);
            let fact = match piece.owner {
                PieceOwner::One(key) => {
                    let held = self.permission(&state, piece.place, key).parts;
                    let (some, small) = (self.terms.lt(zero, held), self.terms.lt(many, held));
                    self.terms.implies(some, small)
                }
                PieceOwner::Each(seq) => {
                    let binder = self.terms.binder("i", Sort::Int);
                    let index = self.terms.bound(binder);
                    let (element, inside) = (self.seq_at(seq, index), self.in_bounds(seq, index));
                    let held = self.permission(&state, piece.place, element).parts;
                    let (some, small) = (self.terms.lt(zero, held), self.terms.lt(many, held));
                    let premise = self.terms.and(vec![inside, some]);
                    let body = self.terms.implies(premise, small);
                    let trigger = vec![vec![element]];
                    self.terms.quantified(Quantifier::Forall, vec![binder], trigger, body)
                }
            };
            self.assume(fact);
        }
    }

    /// `call r := o.m(args)`: exhales the precondition, forgets everything that may have changed,
    /// inhales the postcondition.
    pub(crate) fn call(&mut self, results: &[LocalId], site: CallSite<'_>) {
        let CallSite { receiver, method, args, span } = site;
        let (this, values) = self.operands(receiver, args);
        let program = self.program;
        let callee = &program.methods[method.index()];
        let read = self.any_part("rd");
        let before = self.save("call");
        let mut env = self.contract_env(method, this, &values, read);
        let saved = std::mem::replace(&mut self.locals, &callee.locals);
        self.choose_read(&callee.spec.requires, &env);
        env.state = before.clone();
        env.state = self.as_owing(&callee.spec.requires, &env);
        let text = format!("the precondition of `{}` need not hold here", callee.name);
        let how = Exhale {
            within_thread: true,
            may_owe: true,
            ..Exhale::new(span, Code::PreconditionFailed, text)
        };
        self.exhale(&callee.spec.requires, &env, &how);
        let changed: Vec<Term> =
            callee.spec.lockchange.iter().map(|expr| self.value(expr, &env)).collect();
        let changed: Vec<Term> =
            changed.into_iter().map(|term| self.pin("lockchange", term)).collect();
        self.havoc_held(&changed);
        let known = self.forget_moments();
        self.keep_moments_of_held(&known, &before, &changed);
        self.forget_positions(&changed);
        self.time_passes();
        self.locals = saved;
        changed.iter().for_each(|&object| self.check_caller_knows(object, span));
        let outputs = self.fresh_results(results, method);
        let mut env = self.contract_env(method, this, &values, read);
        env.old = Some(Box::new(before));
        env.locals.extend(callee.results.iter().copied().zip(outputs));
        let saved = std::mem::replace(&mut self.locals, &callee.locals);
        self.inhale(&callee.spec.ensures, &env, &Inhale::default());
        self.locals = saved;
        self.cover_after(span);
    }

    /// Assigns arbitrary results to their locals.
    fn fresh_results(&mut self, results: &[LocalId], method: MethodId) -> Vec<Term> {
        let callee = &self.program.methods[method.index()];
        let types: Vec<Type> =
            callee.results.iter().map(|id| callee.locals[id.index()].ty.clone()).collect();
        let mut outputs = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let value = self.any("result", sort_of(ty));
            if let Some(fact) = self.fact_of_value(value, ty) {
                self.assume(fact);
            }
            if let Some(&local) = results.get(index) {
                let symbol = self.local(local);
                self.assign(symbol, value);
            }
            outputs.push(value);
        }
        outputs
    }

    /// Forgets whether the thread holds the monitors of these objects.
    pub(crate) fn havoc_held(&mut self, changed: &[Term]) {
        if changed.is_empty() {
            return;
        }
        for map in [self.now.held(), self.now.rd_held()] {
            let before = self.pin("held", map);
            let symbol = self.variable_of(map);
            self.emit(Command::Havoc(vec![symbol]));
            let fact = self.only_these_change(before, map, changed);
            self.assume(fact);
        }
        self.assume_held_one_way();
    }

    /// The facts that the token remembers, as functions of it: a token is new with every fork.
    pub(crate) fn forked(&mut self, token: Term, method: MethodId) -> Forked {
        let callee = &self.program.methods[method.index()];
        let sorts: Vec<Sort> =
            callee.params.iter().map(|id| sort_of(&callee.locals[id.index()].ty)).collect();
        let receiver = self.terms.func("token:receiver", vec![reference()], reference());
        let receiver = self.terms.apply(receiver, vec![token]);
        let mut args = Vec::new();
        for (index, sort) in sorts.into_iter().enumerate() {
            let name = format!("token:{index}:{sort}");
            let func = self.terms.func(&name, vec![reference()], sort);
            args.push(self.terms.apply(func, vec![token]));
        }
        let moment = self.terms.func("token:moment", vec![reference()], Sort::Int);
        let moment = self.terms.apply(moment, vec![token]);
        Forked { receiver, args, moment }
    }

    /// `fork tk := o.m(args)`: the new thread holds nothing, and owes only the debts that it is
    /// given.
    pub(crate) fn fork(&mut self, token: Option<LocalId>, site: CallSite<'_>) {
        let CallSite { receiver, method, args, span } = site;
        let (this, values) = self.operands(receiver, args);
        let program = self.program;
        let callee = &program.methods[method.index()];
        if !callee.spec.lockchange.is_empty() {
            let no = self.terms.bool(false);
            let yes = self.terms.bool(true);
            let text = "a thread of its own would end while it holds a monitor";
            let reason = Reason::new(Code::LockchangeViolated, span, text);
            self.check(yes, no, &reason.about(callee.spec.lockchange[0].span));
        }
        self.check_hands_no_debt(&callee.spec.ensures, span);
        let object = self.allocate(&Type::Token(method));
        let moment = self.moment("fork");
        let read = self.any_part("rd");
        let mut env = self.contract_env(method, this, &values, read);
        let saved = std::mem::replace(&mut self.locals, &callee.locals);
        self.choose_read(&callee.spec.requires, &env);
        let before = self.save("fork");
        env.state = self.as_new_thread(before, &callee.spec.requires, &env);
        let text = format!("the precondition of `{}` need not hold here", callee.name);
        let how = Exhale { may_owe: true, ..Exhale::new(span, Code::PreconditionFailed, text) };
        self.exhale(&callee.spec.requires, &env, &how);
        self.locals = saved;
        let forked = self.forked(object, method);
        let token_read = self.token_read(object);
        let mut facts = vec![
            self.terms.eq(forked.receiver, this),
            self.terms.eq(forked.moment, moment),
            self.terms.eq(token_read, read),
        ];
        for (&arg, &value) in forked.args.iter().zip(&values) {
            facts.push(self.terms.eq(arg, value));
        }
        facts.into_iter().for_each(|fact| self.assume(fact));
        let yes = self.terms.bool(true);
        self.own(object, Place::Loc(Loc::Joinable), yes);
        if let Some(local) = token {
            let symbol = self.local(local);
            self.assign(symbol, object);
        }
    }

    /// The state as the new thread sees it: it holds no monitor, and its credits are those that it
    /// is given.
    pub(crate) fn as_new_thread(
        &mut self,
        state: State,
        requires: &[Assertion],
        env: &Env,
    ) -> State {
        let (no, zero) = (self.terms.bool(false), self.terms.int(0));
        let nothing = self.terms.const_array(reference(), no);
        let mut credits = self.terms.const_array(reference(), zero);
        for (guard, channel, count) in self.credits_of(requires, env) {
            let had = self.terms.select(credits, channel);
            let has = self.terms.add(vec![had, count]);
            let changed = self.terms.store(credits, channel, has);
            credits = self.terms.ite(guard, changed, credits);
        }
        State { held: Some(nothing), rd_held: Some(nothing), credits: Some(credits), ..state }
    }

    /// `join r := tk`: only once, by the thread that has all of `joinable`; brings the
    /// postcondition.
    pub(crate) fn join(&mut self, results: &[LocalId], token: &Expr, span: Span) {
        let env = self.here();
        let object = self.checked_value(token, &env);
        let object = self.pin("token", object);
        let Type::Token(method) = token.ty else {
            return self.unsupported("a join of something that is no token", span);
        };
        let yes = self.terms.bool(true);
        let (fine, reason) = self.not_null(object, token.span);
        self.check(yes, fine, &reason);
        let place = Place::Loc(Loc::Joinable);
        let state = self.now.clone();
        let held = self.permission(&state, place, object);
        let full = self.is_full(held);
        let text = "full permission to `joinable` of the token is needed";
        self.check(yes, full, &Reason::new(Code::InsufficientPermission, span, text));
        let joinable = self.read(&state, place, object);
        let text = "this thread may have been joined already";
        self.check(yes, joinable, &Reason::new(Code::NotJoinable, span, text));
        self.check_join_order(object, method, span);
        let no = self.terms.bool(false);
        let heap = self.now.heap[&place];
        let changed = self.terms.store(heap, object, no);
        self.assign(self.variable_of(heap), changed);
        self.time_passes();
        self.inhale_joined(results, object, method);
        self.cover_after(span);
    }

    fn inhale_joined(&mut self, results: &[LocalId], object: Term, method: MethodId) {
        let program = self.program;
        let callee = &program.methods[method.index()];
        let forked = self.forked(object, method);
        let read = self.token_read(object);
        self.assume_small(read);
        self.assume_arguments(&forked, method);
        let outputs = self.fresh_results(results, method);
        let mut then = self.heap_at(forked.moment);
        let mut env = self.contract_env(method, forked.receiver, &forked.args, read);
        // The monitors and credits of the other thread are not ours.
        let other = self.other_thread();
        then.held = other.held;
        then.rd_held = other.rd_held;
        then.credits = other.credits;
        env.state.held = other.held;
        env.state.rd_held = other.rd_held;
        env.state.credits = other.credits;
        env.old = Some(Box::new(then.clone()));
        env.locals.extend(callee.results.iter().copied().zip(outputs));
        let saved = std::mem::replace(&mut self.locals, &callee.locals);
        // The thread that forked it knew the precondition (paper 3, appendix A.2, `JustJoin`).
        let before = Env { state: then, old: None, ..env.clone() };
        let facts = self.formulas(&callee.spec.requires, &before);
        facts.into_iter().for_each(|fact| self.assume(fact));
        // `eval` there refers to the moments at which the other thread acquired and released.
        let ours = self.forget_moments();
        self.inhale(&callee.spec.ensures, &env, &Inhale::default());
        ours.into_iter().for_each(|(symbol, kept)| self.assign(symbol, kept));
        self.locals = saved;
    }

    fn assume_arguments(&mut self, forked: &Forked, method: MethodId) {
        let yes = self.terms.bool(true);
        self.assume_not_null(yes, forked.receiver);
        let callee = &self.program.methods[method.index()];
        let class = Type::Object(callee.class);
        let types = callee.params.iter().map(|id| callee.locals[id.index()].ty.clone());
        let pairs: Vec<(Term, Type)> = forked.args.iter().copied().zip(types).collect();
        for (value, ty) in pairs.into_iter().chain([(forked.receiver, class)]) {
            if let Some(fact) = self.fact_of_value(value, &ty) {
                self.assume(fact);
            }
        }
    }

    /// Monitors and credits of another thread, of which nothing is known.
    fn other_thread(&mut self) -> State {
        let flags = Sort::array(reference(), Sort::Bool);
        let credits = Sort::array(reference(), Sort::Int);
        State {
            held: Some(self.any("held", flags.clone())),
            rd_held: Some(self.any("rdheld", flags)),
            credits: Some(self.any("credits", credits)),
            ..State::default()
        }
    }
}
