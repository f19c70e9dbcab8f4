//! Values of expressions (the function `Tr` of paper 3). `defined` checks whether reading is
//! allowed.

use super::Encoder;
use super::functions::Application;
use super::sorts::{Place, reference, sort_of};
use super::state::{Env, State};
use crate::hir::{BinaryOp, EvalState, Expr, ExprKind, Loc, Quantified, Type};
use logic::{Node, Quantifier, Sort, Term};

impl Encoder<'_> {
    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: &Expr, env: &Env) -> Term {
        match &expr.kind {
            ExprKind::Int(value) => self.terms.int(*value),
            ExprKind::Bool(value) => self.terms.bool(*value),
            ExprKind::Str(text) => self.text(text),
            ExprKind::Null => self.null(),
            ExprKind::This => env.this.expect("internal error: `this` where there is none"),
            ExprKind::Result => env.result.expect("internal error: `result` where there is none"),
            ExprKind::Local(id) => match env.locals.get(id) {
                Some(&term) => term,
                None => {
                    let symbol = self.local(*id);
                    self.terms.constant(symbol)
                }
            },
            ExprKind::Read(object, loc) => {
                let object = self.value(object, env);
                self.read(&env.state, Place::Loc(*loc), object)
            }
            ExprKind::LockBottom => self.lock_bottom(),
            ExprKind::WaitLevel => panic!("internal error: waitlevel outside a comparison"),
            ExprKind::Not(inner) => {
                let inner = self.value(inner, env);
                self.terms.not(inner)
            }
            ExprKind::Neg(inner) => {
                let inner = self.value(inner, env);
                self.terms.neg(inner)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, env),
            ExprKind::Ite(cond, then, otherwise) => {
                let (cond, then) = (self.value(cond, env), self.value(then, env));
                let otherwise = self.value(otherwise, env);
                self.terms.ite(cond, then, otherwise)
            }
            ExprKind::Call(id, receiver, args) => {
                let receiver = receiver.as_deref();
                self.function_value(Application { function: *id, receiver, args }, env)
            }
            ExprKind::Old(inner) => {
                let env = env.in_old();
                self.value(inner, &env)
            }
            ExprKind::Assigned(id) => {
                let symbol = self.assigned(*id);
                self.terms.constant(symbol)
            }
            ExprKind::Unfolding(access, inner) => {
                let env = self.unfolded(access, env);
                self.value(inner, &env)
            }
            ExprKind::Eval(state, inner) => {
                let (env, said) = self.looked_back(state, env);
                let inner = self.value(inner, &env);
                if expr.ty == Type::Bool { self.terms.and(vec![said, inner]) } else { inner }
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified, env),
            _ => self.other_value(expr, env),
        }
    }

    fn other_value(&mut self, expr: &Expr, env: &Env) -> Term {
        match &expr.kind {
            ExprKind::Holds(object) => {
                let object = self.value(object, env);
                self.terms.select(env.state.held(), object)
            }
            ExprKind::RdHolds(object) => {
                let object = self.value(object, env);
                self.terms.select(env.state.rd_held(), object)
            }
            ExprKind::SeqLiteral(elements) => {
                let Type::Seq(element) = &expr.ty else {
                    panic!("internal error: a sequence of another type")
                };
                let mut elements = elements.iter();
                let Some(first) = elements.next() else {
                    return self.seq_empty(&sort_of(element));
                };
                let first = self.value(first, env);
                let mut whole = self.seq_one(first);
                for element in elements {
                    let element = self.value(element, env);
                    let next = self.seq_one(element);
                    whole = self.seq_append(whole, next);
                }
                whole
            }
            ExprKind::SeqRange(low, high) => {
                let (low, high) = (self.value(low, env), self.value(high, env));
                self.seq_range(low, high)
            }
            ExprKind::SeqLength(seq) => {
                let seq = self.value(seq, env);
                self.seq_length(seq)
            }
            ExprKind::SeqAt(seq, index) => {
                let (seq, index) = (self.value(seq, env), self.value(index, env));
                self.seq_at(seq, index)
            }
            ExprKind::SeqDrop(seq, count) => {
                let (seq, count) = (self.value(seq, env), self.value(count, env));
                self.seq_drop(seq, count)
            }
            ExprKind::SeqTake(seq, count) => {
                let (seq, count) = (self.value(seq, env), self.value(count, env));
                self.seq_take(seq, count)
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what, expr.span);
                let symbol = self.terms.fresh("unsupported", sort_of(&expr.ty));
                self.terms.constant(symbol)
            }
            _ => panic!("internal error: an expression of no kind"),
        }
    }

    /// The value at a place of an object.
    pub(crate) fn read(&mut self, state: &State, place: Place, key: Term) -> Term {
        let map = self.matchable(state.heap[&place], key);
        self.terms.select(map, key)
    }

    /// The first term. It gets a name if the second has bound variables and the first has none and
    /// is not a plain term itself: triggers are made of plain terms.
    pub(crate) fn matchable(&mut self, whole: Term, part: Term) -> Term {
        if self.is_plain(whole) || self.is_closed(part) || !self.is_closed(whole) {
            return whole;
        }
        self.pin("named", whole)
    }

    fn is_plain(&self, term: Term) -> bool {
        match self.terms.node(term) {
            Node::Constant(_) | Node::Bound(_) | Node::Int(_) | Node::Bool(_) => true,
            Node::Apply(_, args) => args.iter().all(|&arg| self.is_plain(arg)),
            Node::Select(map, key) => self.is_plain(*map) && self.is_plain(*key),
            _ => false,
        }
    }

    /// Whether a term has no bound variables.
    fn is_closed(&mut self, term: Term) -> bool {
        if let Some(&known) = self.closed.get(&term) {
            return known;
        }
        let node = self.terms.node(term).clone();
        let closed = !matches!(node, Node::Bound(_))
            && node.children().into_iter().all(|child| self.is_closed(child));
        self.closed.insert(term, closed);
        closed
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, env: &Env) -> Term {
        if is_wait_level(left) || is_wait_level(right) {
            return self.compare_wait_level(op, left, right, env);
        }
        if op == BinaryOp::Below {
            let (low, high) = (self.position_of(left, env), self.position_of(right, env));
            return self.below(low, high);
        }
        let (a, b) = (self.value(left, env), self.value(right, env));
        match op {
            BinaryOp::Iff => self.terms.eq(a, b),
            BinaryOp::Implies => self.terms.implies(a, b),
            BinaryOp::And => self.terms.and(vec![a, b]),
            BinaryOp::Or => self.terms.or(vec![a, b]),
            BinaryOp::Eq => self.equal(a, b, &left.ty, &right.ty),
            BinaryOp::Ne => {
                let same = self.equal(a, b, &left.ty, &right.ty);
                self.terms.not(same)
            }
            BinaryOp::Lt => self.terms.lt(a, b),
            BinaryOp::Le => self.terms.le(a, b),
            BinaryOp::Gt => self.terms.lt(b, a),
            BinaryOp::Ge => self.terms.le(b, a),
            BinaryOp::In => self.seq_contains(b, a),
            BinaryOp::Append => self.seq_append(a, b),
            BinaryOp::Add => self.terms.add(vec![a, b]),
            BinaryOp::Sub => self.terms.sub(a, b),
            BinaryOp::Mul => self.terms.mul(a, b),
            BinaryOp::Div => self.terms.div(a, b),
            BinaryOp::Mod => self.terms.modulo(a, b),
            BinaryOp::Below => panic!("internal error: positions were compared above"),
        }
    }

    fn equal(&mut self, a: Term, b: Term, left: &Type, right: &Type) -> Term {
        if matches!((left, right), (Type::Seq(_), Type::Seq(_))) {
            self.seq_equal(a, b)
        } else {
            self.terms.eq(a, b)
        }
    }

    /// The position of a monitor, or a position itself.
    pub(crate) fn position_of(&mut self, expr: &Expr, env: &Env) -> Term {
        let value = self.value(expr, env);
        if *self.terms.sort(value) == reference() {
            self.read(&env.state, Place::Loc(Loc::Mu), value)
        } else {
            value
        }
    }

    /// `forall i in [a..b] :: e` is about numbers, `forall x in s :: e` about positions in `s`.
    fn quantified(&mut self, quantified: &Quantified<Expr>, env: &Env) -> Term {
        let (inner, binders, range) = self.bind(quantified, env);
        let body = self.value(&quantified.body, &inner);
        let body = if quantified.forall {
            self.terms.implies(range, body)
        } else {
            self.terms.and(vec![range, body])
        };
        let quantifier = if quantified.forall { Quantifier::Forall } else { Quantifier::Exists };
        self.quantify(quantifier, binders, body)
    }

    /// A quantified formula whose triggers are taken from its body. If there are none, it gets one
    /// that nothing matches: a formula that is to be shown needs none, and the solver does not have
    /// to guess.
    pub(crate) fn quantify(
        &mut self,
        quantifier: Quantifier,
        binders: Vec<logic::Binder>,
        body: Term,
    ) -> Term {
        let found = logic::find_triggers(&self.terms, &binders, body);
        let triggers = if found.is_empty() {
            let mut trigger = Vec::new();
            for &binder in &binders {
                let bound = self.terms.bound(binder);
                let sort = self.terms.sort(bound).clone();
                let func = self.func_over(&format!("nowhere<{sort}>"), &[bound], Sort::Bool);
                trigger.push(self.terms.apply(func, vec![bound]));
            }
            vec![trigger]
        } else {
            let with_twins = |encoder: &mut Self, trigger: Vec<Term>| -> Vec<Term> {
                trigger.into_iter().map(|part| encoder.with_twins(part)).collect()
            };
            found.into_iter().map(|trigger| with_twins(self, trigger)).collect()
        };
        self.terms.quantified(quantifier, binders, triggers, body)
    }

    /// Binds the variables; returns their ranges.
    pub(crate) fn bind<T>(
        &mut self,
        quantified: &Quantified<T>,
        env: &Env,
    ) -> (Env, Vec<logic::Binder>, Term) {
        let mut inner = env.clone();
        let mut binders = Vec::new();
        let mut ranges = Vec::new();
        for &local in &quantified.binders {
            let info = self.locals_of(local);
            let (name, ty) = info;
            match &quantified.range {
                Some(Expr { kind: ExprKind::SeqRange(low, high), .. }) => {
                    let (low, high) = (self.value(low, env), self.value(high, env));
                    let binder = self.terms.binder(&name, Sort::Int);
                    let term = self.terms.bound(binder);
                    ranges.push(self.terms.le(low, term));
                    ranges.push(self.terms.lt(term, high));
                    binders.push(binder);
                    inner.locals.insert(local, term);
                }
                Some(seq) => {
                    let seq = self.value(seq, env);
                    let binder = self.terms.binder(&format!("{name}#"), Sort::Int);
                    let index = self.terms.bound(binder);
                    ranges.push(self.in_bounds(seq, index));
                    binders.push(binder);
                    let element = self.seq_at(seq, index);
                    inner.locals.insert(local, element);
                }
                None => {
                    let binder = self.terms.binder(&name, sort_of(&ty));
                    let term = self.terms.bound(binder);
                    // Objects are created over time; the meaning of a formula must not change with
                    // that.
                    ranges.extend(self.fact_of_type(term, &ty));
                    binders.push(binder);
                    inner.locals.insert(local, term);
                }
            }
        }
        let range = self.terms.and(ranges);
        (inner, binders, range)
    }

    fn locals_of(&self, local: crate::hir::LocalId) -> (String, Type) {
        let info = &self.locals[local.index()];
        (info.name.to_string(), info.ty.clone())
    }

    /// The meaning of names in the state that `eval` looks back at, and the facts about that state.
    pub(crate) fn looked_back(&mut self, state: &EvalState, env: &Env) -> (Env, Term) {
        let (moment, said) = match state {
            EvalState::Acquire(object) => {
                let object = self.value(object, env);
                (self.acquired_at(object), self.terms.bool(true))
            }
            EvalState::Release(object) => {
                let object = self.value(object, env);
                (self.released_at(object), self.terms.bool(true))
            }
            EvalState::Fork { token, receiver, method, args } => {
                let token = self.value(token, env);
                let forked = self.forked(token, *method);
                let receiver = self.value(receiver, env);
                let mut said = vec![self.terms.eq(forked.receiver, receiver)];
                for (arg, &given) in args.iter().zip(&forked.args) {
                    if let Some(arg) = arg {
                        let arg = self.value(arg, env);
                        said.push(self.terms.eq(given, arg));
                    }
                }
                (forked.moment, self.terms.and(said))
            }
        };
        let state = self.heap_at(moment);
        (Env { state, ..env.clone() }, said)
    }
}

/// Whether an expression is `waitlevel`, now or in the old state.
pub(crate) fn is_wait_level(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::WaitLevel => true,
        ExprKind::Old(inner) => is_wait_level(inner),
        _ => false,
    }
}
