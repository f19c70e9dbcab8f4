//! Expressions: everything that is not a permission.

use super::operators::Pair;
use super::symbols::Member;
use super::types::refuse_waitlevel;
use super::{Checker, error_expr};
use crate::hir::{Amount, AmountKind, EvalState, Expr, ExprKind, PredicateAccess, Type};
use crate::syntax::{self, Mode, StateKind};
use source::Span;

impl Checker<'_> {
    /// An expression that must be a truth value.
    pub(super) fn bool_expr(&mut self, e: &syntax::Expr, what: &str) -> Expr {
        self.typed(e, &Type::Bool, what)
    }

    pub(super) fn typed(&mut self, e: &syntax::Expr, wanted: &Type, what: &str) -> Expr {
        let mut expr = self.expr(e);
        self.want(&mut expr, wanted, what);
        expr
    }

    pub(super) fn expr(&mut self, e: &syntax::Expr) -> Expr {
        let span = e.span;
        let (kind, ty) = match &e.kind {
            syntax::ExprKind::Int(value) => (ExprKind::Int(*value), Type::Int),
            syntax::ExprKind::Bool(value) => (ExprKind::Bool(*value), Type::Bool),
            syntax::ExprKind::Null => (ExprKind::Null, Type::Null),
            syntax::ExprKind::Str(text) => (ExprKind::Str(text.to_string()), Type::Str),
            syntax::ExprKind::Lockbottom => (ExprKind::LockBottom, Type::Mu),
            syntax::ExprKind::This => return self.this(span),
            syntax::ExprKind::Waitlevel => return self.waitlevel(span),
            syntax::ExprKind::Result => return self.result(span),
            syntax::ExprKind::Name(name) => return self.name(name, span),
            syntax::ExprKind::Error => return error_expr(span),
            syntax::ExprKind::Field(object, name) => {
                let object = self.expr(object);
                return self.read(object, name, span);
            }
            syntax::ExprKind::Apply(target) => return self.application(target),
            syntax::ExprKind::Acc(..)
            | syntax::ExprKind::Rd(..)
            | syntax::ExprKind::RdStar(_)
            | syntax::ExprKind::RdAmount
            | syntax::ExprKind::Credit(..) => return self.permission_as_value(e),
            syntax::ExprKind::AllFields(_)
            | syntax::ExprKind::AllElements(_)
            | syntax::ExprKind::Any => return self.no_value(e),
            syntax::ExprKind::BackPointers(object, class, field) => {
                return self.back_pointers(object.as_deref(), class, field, span);
            }
            syntax::ExprKind::Not(_)
            | syntax::ExprKind::Neg(_)
            | syntax::ExprKind::And(_)
            | syntax::ExprKind::Or(_)
            | syntax::ExprKind::Binary(..)
            | syntax::ExprKind::Conditional(..) => return self.operator(e),
            syntax::ExprKind::Index(..)
            | syntax::ExprKind::Slice(..)
            | syntax::ExprKind::Range(..)
            | syntax::ExprKind::Seq(_)
            | syntax::ExprKind::Nil(_)
            | syntax::ExprKind::Set(_)
            | syntax::ExprKind::EmptySet(_)
            | syntax::ExprKind::Length(_) => return self.collection(e),
            syntax::ExprKind::Old(_)
            | syntax::ExprKind::Assigned(_)
            | syntax::ExprKind::Holds(..)
            | syntax::ExprKind::Unfolding(..)
            | syntax::ExprKind::Eval(..)
            | syntax::ExprKind::Quantified(..) => return self.specification(e),
        };
        Expr { kind, ty, span }
    }

    fn result(&mut self, span: Span) -> Expr {
        match self.place.result.clone() {
            Some(ty) => Expr { kind: ExprKind::Result, ty, span },
            None => {
                let help = "`result` is the value of a function, in its `ensures`";
                self.misplaced(span, "`result` outside the postcondition of a function", help);
                error_expr(span)
            }
        }
    }

    /// Refuses a permission in place of a value. The operands are not checked: they mean something
    /// else if an amount was meant.
    fn permission_as_value(&mut self, e: &syntax::Expr) -> Expr {
        let what = match &e.kind {
            syntax::ExprKind::Acc(..) => "`acc`",
            syntax::ExprKind::Credit(..) => "`credit`",
            _ => "`rd`",
        };
        let help = "permissions stand alone, in conjunctions, right of `==>`, and under `forall`";
        self.misplaced(e.span, format!("{what} is not a truth value"), help);
        error_expr(e.span)
    }

    fn no_value(&mut self, e: &syntax::Expr) -> Expr {
        let (what, help) = match &e.kind {
            syntax::ExprKind::Any => ("`_`", "`_` stands for an argument in `eval`"),
            _ => ("`*`", "`.*` and `[*]` stand in `acc` and `rd`"),
        };
        self.misplaced(e.span, format!("{what} has no value"), help);
        error_expr(e.span)
    }

    /// Expressions that mostly occur in specifications.
    fn specification(&mut self, e: &syntax::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            syntax::ExprKind::Old(inside) => {
                if !self.place.two_state {
                    let help = "`old` has a meaning in postconditions, loop invariants, monitor \
                                invariants and assertions";
                    self.misplaced(span, "`old` where there is no earlier state", help);
                }
                let inside = self.expr(inside);
                let ty = inside.ty.clone();
                Expr { kind: ExprKind::Old(Box::new(inside)), ty, span }
            }
            syntax::ExprKind::Assigned(name) => self.assigned(name, span),
            syntax::ExprKind::Holds(mode, object) => {
                let object = self.expr(object);
                self.holds(object, *mode == Mode::Read, span)
            }
            syntax::ExprKind::Unfolding(predicate, body) => {
                let predicate = self.folded(predicate, "unfolding");
                let mut body = self.expr(body);
                refuse_waitlevel(&mut body);
                let ty = body.ty.clone();
                match predicate {
                    Ok(predicate) => {
                        let kind = ExprKind::Unfolding(Box::new(predicate), Box::new(body));
                        Expr { kind, ty, span }
                    }
                    Err(what) => Expr { kind: ExprKind::Unsupported(what), ty, span },
                }
            }
            syntax::ExprKind::Eval(state, body) => {
                self.refuse_eval(span);
                let state = self.eval_state(state);
                let mut body = self.with_place(|place| place.two_state = false, |c| c.expr(body));
                refuse_waitlevel(&mut body);
                let ty = body.ty.clone();
                Expr { kind: ExprKind::Eval(Box::new(state), Box::new(body)), ty, span }
            }
            syntax::ExprKind::Quantified(quantifier, names, domain, body) => {
                self.quantified((*quantifier, names), domain, body, span)
            }
            _ => error_expr(span),
        }
    }

    fn assigned(&mut self, name: &syntax::Ident, span: Span) -> Expr {
        let Some(id) = self.lookup(&name.name) else {
            return self.name(&name.name, name.span);
        };
        let is_const = self.locals[id.index()].kind == crate::hir::LocalKind::Const;
        if !(is_const && self.is_ghost(id)) {
            let help = "declare the variable with `ghost const`";
            self.misplaced(span, "`assigned` asks about a ghost constant", help);
        }
        self.local(id, name.span);
        Expr { kind: ExprKind::Assigned(id), ty: Type::Bool, span }
    }

    pub(super) fn refuse_eval(&mut self, span: Span) {
        if let Some(place) = self.place.no_eval {
            let help = "`eval` speaks of the states of one thread";
            self.misplaced(span, format!("`eval` in {place}"), help);
        }
    }

    pub(super) fn eval_state(&mut self, state: &syntax::State) -> EvalState {
        let base = self.expr(&state.base);
        match &state.kind {
            StateKind::Acquire => {
                self.want_reference(&base, "the monitor");
                EvalState::Acquire(base)
            }
            StateKind::Release => {
                self.want_reference(&base, "the monitor");
                EvalState::Release(base)
            }
            StateKind::Fork(target) => {
                if !matches!(base.ty, Type::Token(_) | Type::Unsupported) {
                    let found = self.show(&base.ty);
                    self.mismatch(
                        base.span,
                        format!("`fork` is a state of a token, not of `{found}`"),
                    );
                }
                self.fork_state(base, target)
            }
        }
    }

    fn fork_state(&mut self, token: Expr, target: &syntax::Target) -> EvalState {
        let Some((receiver, method)) = self.method_of(target) else {
            return EvalState::Acquire(error_expr(target.span));
        };
        let symbols = self.symbols;
        let types = &symbols.methods[method.index()].0;
        if types.len() != target.args.len() {
            self.argument_count(target.span, types.len(), target.args.len(), "the method");
        }
        let args = target.args.iter().zip(types).map(|(arg, ty)| match arg.kind {
            syntax::ExprKind::Any => None,
            _ => Some(self.typed(arg, ty, "the argument")),
        });
        let args = args.collect();
        EvalState::Fork { token, receiver, method, args }
    }

    /// The operand of `fold`, `unfold` and `unfolding`: a predicate, perhaps in `acc` or `rd`.
    pub(super) fn folded(
        &mut self,
        e: &syntax::Expr,
        word: &str,
    ) -> Result<PredicateAccess, String> {
        let span = e.span;
        let (place, amount) = match &e.kind {
            syntax::ExprKind::Acc(place, Some(amount)) => (&**place, self.amount(amount)),
            syntax::ExprKind::Acc(place, None) => {
                (&**place, Amount { kind: AmountKind::Full, span })
            }
            syntax::ExprKind::Rd(place, None) => {
                (&**place, Amount { kind: AmountKind::Read, span })
            }
            syntax::ExprKind::Rd(place, Some(count)) => {
                let count = self.typed(count, &Type::Int, "the number of epsilons");
                (&**place, Amount { kind: AmountKind::Epsilons(count), span })
            }
            syntax::ExprKind::RdStar(place) => (&**place, Amount { kind: AmountKind::Star, span }),
            _ => (e, Amount { kind: AmountKind::Full, span }),
        };
        if let Some(access) = self.predicate_access(place, amount) {
            return Ok(access);
        }
        let reported = self.diagnostics.len();
        let value = self.expr(place);
        if self.diagnostics.len() == reported && value.ty != Type::Unsupported {
            let message = format!("`{word}` needs a predicate");
            self.mismatch(span, message);
        }
        Err("what is not a predicate".into())
    }

    fn application(&mut self, target: &syntax::Target) -> Expr {
        let span = target.span;
        let function = match &target.receiver {
            Some(receiver) => {
                let receiver = self.expr(receiver);
                self.function_of(receiver, target)
            }
            None => {
                // A static function may be applied where there is no `this`.
                let is_static = std::mem::take(&mut self.place.is_static);
                let this = self.this(target.name.span);
                self.place.is_static = is_static;
                self.function_of(this, target)
            }
        };
        let Some((receiver, function)) = function else {
            for arg in &target.args {
                self.expr(arg);
            }
            return error_expr(span);
        };
        let symbols = self.symbols;
        let (types, ty) = &symbols.functions[function.index()];
        let name = format!("the function `{}`", target.name.name);
        let args = self.args(&target.args, types, span, &name);
        let is_static = self.program.functions[function.index()].is_static;
        if !is_static && target.receiver.is_none() && self.place.is_static {
            self.this(target.name.span);
        }
        if *ty == Type::Unsupported {
            return error_expr(span);
        }
        let receiver = (!is_static).then(|| Box::new(receiver));
        Expr { kind: ExprKind::Call(function, receiver, args), ty: ty.clone(), span }
    }

    fn function_of(
        &mut self,
        receiver: Expr,
        target: &syntax::Target,
    ) -> Option<(Expr, crate::hir::FunctionId)> {
        let member = match receiver.ty {
            Type::Object(class) => self.symbols.member(class, &target.name.name),
            _ => None,
        };
        match member {
            Some(Member::Function(id)) => Some((receiver, id)),
            Some(Member::Predicate(_)) => {
                self.predicate_as_value(&target.name.name, target.span);
                None
            }
            _ => {
                self.no_such_member(&receiver.ty, &target.name, "a function");
                None
            }
        }
    }

    /// Both operands, neither of which may be `waitlevel`.
    pub(super) fn pair(&mut self, left: &syntax::Expr, right: &syntax::Expr) -> Pair {
        (Box::new(self.expr(left)), Box::new(self.expr(right)))
    }
}
