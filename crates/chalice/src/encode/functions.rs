//! Functions: their values, when they may be applied, and their definitions as axioms.
//!
//! A function's value is a term over its receiver, its arguments and the values of the pieces of
//! its precondition (see `pieces`). Its definition is an axiom that the solver uses for every
//! application that occurs; a recursive function uses a twin without definition inside, so that
//! each application is unfolded once.
//!
//! Definitions are consistent because recursion ends: each recursive call is about a smaller
//! snapshot of a predicate, a smaller number, or a shorter sequence (`Measure`).

use super::amount::Reader;
use super::defined::{Condition, Conditions};
use super::parts::{Part, Portion};
use super::pieces::{Piece, PieceOwner};
use super::recursion::recursive_group;
use super::sorts::{snapshot, sort_of};
use super::state::{Env, State};
use super::{Encoder, Reason};
use crate::hir::{Assertion, AssertionKind, Expr, Function, FunctionId};
use diagnostic::Code;
use logic::{Node, Quantifier, Sort, Term};
use source::Span;
use std::collections::BTreeMap;

/// A function applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Application<'e> {
    pub(crate) function: FunctionId,
    pub(crate) receiver: Option<&'e Expr>,
    pub(crate) args: &'e [Expr],
}

impl Encoder<'_> {
    fn function_name(&self, id: FunctionId) -> String {
        let function = &self.program.functions[id.index()];
        format!("{}.{}", self.program.classes[function.class.index()].name, function.name)
    }

    /// The meaning of the names in a function's contract, for a call.
    fn function_env(&mut self, application: Application<'_>, env: &Env) -> Env {
        let Application { function: id, receiver, args } = application;
        let this = receiver.map(|receiver| self.value(receiver, env));
        let args: Vec<Term> = args.iter().map(|arg| self.value(arg, env)).collect();
        let params = &self.program.functions[id.index()].params;
        Env {
            state: env.state.clone(),
            old: None,
            this,
            locals: params.iter().copied().zip(args).collect(),
            result: None,
            read: Some(self.read_part(Reader::Function)),
            limited: env.limited,
            unframed: false,
        }
    }

    /// The value of an application.
    pub(crate) fn function_value(&mut self, application: Application<'_>, env: &Env) -> Term {
        let mut inner = self.function_env(application, env);
        let values = self.footprint(application.function, &mut inner);
        self.application(application.function, &inner, values, env.limited)
    }

    /// The values of the pieces of the precondition.
    pub(crate) fn footprint(&mut self, id: FunctionId, env: &mut Env) -> Vec<Term> {
        let pieces = self.function_pieces(id, env, &mut |_, _, _| {});
        pieces.iter().map(|piece| self.piece_value(piece, &env.state)).collect()
    }

    fn function_pieces(
        &mut self,
        id: FunctionId,
        env: &mut Env,
        found: &mut dyn FnMut(&mut Self, &mut Env, &Piece),
    ) -> Vec<Piece> {
        let function = &self.program.functions[id.index()];
        let saved = std::mem::replace(&mut self.locals, &function.locals);
        let pieces = self.pieces(&function.requires, env, found);
        self.locals = saved;
        pieces
    }

    /// Whether a function calls itself, perhaps through others.
    fn is_recursive(&mut self, id: FunctionId) -> bool {
        let program = self.program;
        *self.recursive.entry(id).or_insert_with(|| recursive_group(program, id).is_some())
    }

    /// The term of an application. Only recursive functions have a twin without definition.
    fn application(&mut self, id: FunctionId, env: &Env, values: Vec<Term>, limited: bool) -> Term {
        let limited = limited && self.is_recursive(id);
        if !self.functions_used.contains(&id) {
            self.functions_used.push(id);
        }
        let function = &self.program.functions[id.index()];
        let mut all: Vec<Term> = env.this.into_iter().collect();
        all.extend(function.params.iter().map(|param| env.locals[param]));
        all.extend(values);
        let result = sort_of(&function.ty);
        let name = self.function_name(id);
        let name = if limited { format!("limited:{name}") } else { name };
        if all.is_empty() {
            let symbol = self.terms.symbol(format!("value:{name}"), result);
            return self.terms.constant(symbol);
        }
        let func = self.func_over(&name, &all, result.clone());
        if self.is_recursive(id) && !limited {
            let twin = self.func_over(&format!("limited:{name}"), &all, result);
            self.twins.insert(func, twin);
        }
        self.terms.apply(func, all)
    }

    /// The trigger with every recursive function replaced by its twin. Every application has a
    /// twin, also the applications that come from definitions.
    pub(crate) fn with_twins(&mut self, trigger: Term) -> Term {
        match self.terms.node(trigger).clone() {
            Node::Apply(func, args) => {
                let args = args.into_iter().map(|arg| self.with_twins(arg)).collect();
                let func = self.twins.get(&func).copied().unwrap_or(func);
                self.terms.apply(func, args)
            }
            Node::Select(map, key) => {
                let (map, key) = (self.with_twins(map), self.with_twins(key));
                self.terms.select(map, key)
            }
            _ => trigger,
        }
    }

    /// The conditions of an application: its precondition, and that recursion ends.
    pub(crate) fn applicable(
        &mut self,
        application: Application<'_>,
        env: &Env,
        span: Span,
        out: &mut Conditions,
    ) {
        let Application { function: id, receiver, .. } = application;
        let program = self.program;
        let function = &program.functions[id.index()];
        if let Some(receiver) = receiver {
            let object = self.value(receiver, env);
            let (fine, reason) = self.not_null(object, receiver.span);
            out.push(Condition::Must(fine, reason));
        }
        let mut inner = self.function_env(application, env);
        let saved = std::mem::replace(&mut self.locals, &function.locals);
        self.holds_here(&function.requires, &inner, span, out);
        self.locals = saved;
        self.smaller(id, &mut inner, span, out);
    }

    /// The conditions of the precondition, without taking its permissions.
    fn holds_here(&mut self, requires: &[Assertion], env: &Env, span: Span, out: &mut Conditions) {
        for (guard, part) in self.parts_of(requires, env) {
            match part {
                Part::Condition(_) => {}
                Part::Formula(expr) => {
                    let holds = self.value(expr, env);
                    let holds = self.terms.implies(guard, holds);
                    let text = "the precondition of this function need not hold";
                    let reason = Reason::new(Code::PreconditionFailed, span, text).about(expr.span);
                    out.push(Condition::Must(holds, reason));
                }
                Part::Other(assertion) => {
                    if let AssertionKind::Credit(..) = assertion.kind {
                        self.unsupported("credits for a function", assertion.span);
                    }
                    for portion in self.portions(guard, assertion, env) {
                        self.portion_held(&portion, env, span, out);
                    }
                }
            }
        }
    }

    fn portion_held(&mut self, portion: &Portion<'_>, env: &Env, span: Span, out: &mut Conditions) {
        let text =
            format!("not enough permission to `{}` here", self.short_place_name(portion.place));
        let reason = Reason::new(Code::InsufficientPermission, span, text).about(portion.span);
        let enough = match portion.owner {
            PieceOwner::One(key) => {
                let held = self.permission(&env.state, portion.place, key);
                self.enough_for(held, portion.amount, env)
            }
            PieceOwner::Each(seq) => {
                let binder = self.terms.binder("i", Sort::Int);
                let index = self.terms.bound(binder);
                let (element, inside) = (self.seq_at(seq, index), self.in_bounds(seq, index));
                let held = self.permission(&env.state, portion.place, element);
                let enough = self.enough_for(held, portion.amount, env);
                let body = self.terms.implies(inside, enough);
                let trigger = vec![vec![element]];
                self.terms.quantified(Quantifier::Forall, vec![binder], trigger, body)
            }
        };
        let enough = self.terms.implies(portion.guard, enough);
        out.push(Condition::Must(enough, reason));
    }

    /// The axioms of all functions that occur, and of those that occur in these axioms.
    pub(crate) fn function_axioms(&mut self) {
        let mut done = 0;
        while let Some(&id) = self.functions_used.get(done) {
            done += 1;
            self.define(id);
        }
    }

    /// `requires ==> f(x, v) == body`, `requires ==> ensures`, `f(x, v) == limited:f(x, v)`.
    fn define(&mut self, id: FunctionId) {
        let program = self.program;
        let function = &program.functions[id.index()];
        let saved = std::mem::replace(&mut self.locals, &function.locals);
        let (env, binders, values) = self.definition_env(id, function);
        let value = self.application(id, &env, values.clone(), false);
        let recursive = self.is_recursive(id);
        let mut pre = self.formulas(&function.requires, &env);
        pre.push(self.known_already(id, &env, &values));
        let pre = self.terms.and(pre);
        let mut facts = Vec::new();
        if let Some(body) = &function.body {
            let inner = Env { limited: recursive && !function.unlimited, ..env.clone() };
            let body = self.value(body, &inner);
            facts.push(self.terms.eq(value, body));
        }
        let ensuring = Env { result: Some(value), limited: recursive, ..env.clone() };
        for ensures in &function.ensures {
            facts.push(self.value(ensures, &ensuring));
        }
        let facts = self.terms.and(facts);
        let mut body = vec![self.terms.implies(pre, facts)];
        let mut triggers = vec![vec![value]];
        if recursive {
            let twin = self.application(id, &env, values.clone(), true);
            body.push(self.terms.eq(value, twin));
            // Where a predicate was folded or unfolded, its functions are unfolded too.
            for taken in values {
                if *self.terms.sort(taken) == snapshot() {
                    let opened = self.opened(taken);
                    triggers.push(vec![twin, opened]);
                }
            }
        }
        let body = self.terms.and(body);
        let axiom = if binders.is_empty() {
            body
        } else {
            self.terms.quantified(Quantifier::Forall, binders, triggers, body)
        };
        self.background.push(axiom);
        self.locals = saved;
    }

    /// The meaning of names in a definition: everything is bound; the heap has the values of the
    /// pieces and nothing else.
    fn definition_env(
        &mut self,
        id: FunctionId,
        function: &Function,
    ) -> (Env, Vec<logic::Binder>, Vec<Term>) {
        let mut binders = Vec::new();
        let mut bind = |encoder: &mut Self, name: &str, sort: Sort| {
            let binder = encoder.terms.binder(name, sort);
            binders.push(binder);
            encoder.terms.bound(binder)
        };
        let this = (!function.is_static).then(|| bind(self, "this", super::sorts::reference()));
        let mut locals = BTreeMap::new();
        for &param in &function.params {
            let local = &function.locals[param.index()];
            locals.insert(param, bind(self, local.name.as_str(), sort_of(&local.ty)));
        }
        let state = self.nowhere();
        let mut env = Env {
            state,
            old: None,
            this,
            locals,
            result: None,
            read: Some(self.read_part(Reader::Function)),
            limited: true,
            unframed: false,
        };
        let mut values = Vec::new();
        self.function_pieces(id, &mut env, &mut |encoder, env, piece| {
            let heap = env.state.heap[&piece.place];
            let (sort, stored);
            match piece.owner {
                PieceOwner::One(key) => {
                    sort = encoder.place_sort(piece.place);
                    let value = bind(encoder, &format!("v{}", piece.index), sort);
                    values.push(value);
                    stored = encoder.terms.store(heap, key, value);
                }
                PieceOwner::Each(_) => {
                    sort = encoder.terms.sort(heap).clone();
                    stored = bind(encoder, &format!("v{}", piece.index), sort);
                    values.push(stored);
                }
            }
            let heap = encoder.terms.ite(piece.guard, stored, heap);
            env.state.heap.insert(piece.place, heap);
        });
        (env, binders, values)
    }

    /// A state of which nothing is known and to which nobody has permission.
    fn nowhere(&mut self) -> State {
        let mut state = State::default();
        for place in self.all_places() {
            let sort = Sort::array(self.key_sort(place), self.place_sort(place));
            let symbol = self.terms.symbol(format!("nowhere:{}", self.place_name(place)), sort);
            state.heap.insert(place, self.terms.constant(symbol));
        }
        let flags = Sort::array(super::sorts::reference(), Sort::Bool);
        let nobody = self.terms.symbol("nobody", flags);
        let nobody = self.terms.constant(nobody);
        let none =
            self.terms.symbol("nothing owed", Sort::array(super::sorts::reference(), Sort::Int));
        let none = self.terms.constant(none);
        State { held: Some(nobody), rd_held: Some(nobody), credits: Some(none), ..state }
    }
}
