//! Every declaration by itself, as guarded commands.

use super::amount::Reader;
use super::exhale::Exhale;
use super::inhale::Inhale;
use super::plan::{Facts, Plan};
use super::sorts::{Place, reference};
use super::state::Env;
use super::stmt::MethodContext;
use super::task::Task;
use super::{Encoder, MarkKind, Reason};
use crate::hir::{
    AmountKind, AssertionKind, ChannelId, ClassId, ConditionId, Expr, ExprKind, FunctionId, Loc,
    MethodId, PredicateId, Program, Type,
};
use crate::walk::Walk;
use diagnostic::Code;
use gcl::Stmt as Command;
use logic::{Quantifier, Term};
use std::collections::BTreeMap;
use verdict::TaskKind;

impl Plan {
    /// The guarded commands.
    pub fn task(self, program: &Program, facts: &Facts) -> Task {
        match self {
            Self::Method(id) => method(program, facts, id),
            Self::Function(id) => function(program, facts, id),
            Self::Predicate(id) => predicate(program, facts, id),
            Self::Monitor(id) => monitor(program, facts, id),
            Self::Channel(id) => channel(program, facts, id),
            Self::Condition(id) => condition(program, facts, id),
            Self::Refining(id) => refining(program, facts, id),
        }
    }
}

/// Whether some formula looks back at when a monitor was acquired or released.
pub(crate) fn looks_back(program: &Program) -> bool {
    let mut found = false;
    let mut look = |expr: &Expr| found |= matches!(expr.kind, ExprKind::Eval(..));
    Walk { expr: &mut look, amount: &mut |_| {} }.program(program);
    let mut old = |expr: &Expr| found |= matches!(expr.kind, ExprKind::Old(_));
    let mut walk = Walk { expr: &mut old, amount: &mut |_| {} };
    program.classes.iter().for_each(|class| walk.assertions(&class.invariants));
    found
}

fn class_name(program: &Program, class: ClassId) -> &str {
    program.classes[class.index()].name.as_str()
}

/// A receiver that exists.
fn receiver(encoder: &mut Encoder<'_>, ty: &Type) -> Term {
    let symbol = encoder.terms.symbol("this", reference());
    let shown = super::Shown::Local { name: "this".to_owned(), ty: ty.clone(), given: true };
    encoder.shown.insert(symbol, shown);
    encoder.variables.insert(symbol);
    let this = encoder.terms.constant(symbol);
    let yes = encoder.terms.bool(true);
    encoder.assume_not_null(yes, this);
    if let Some(fact) = encoder.fact_of_value(this, ty) {
        encoder.assume(fact);
    }
    this
}

fn method(program: &Program, facts: &Facts, id: MethodId) -> Task {
    let method = &program.methods[id.index()];
    let mut encoder = Encoder::new(program, facts, &method.locals, Plan::Method(id));
    let this = receiver(&mut encoder, &Type::Object(method.class));
    method.params.iter().chain(&method.results).for_each(|&local| encoder.assume_local(local));
    encoder.drop_everything();
    encoder.assume_held_one_way();
    let read = encoder.any_part("rd");
    let before = encoder.now.clone();
    encoder.method =
        Some(MethodContext { this, old: before, read, lockchange: method.spec.lockchange.clone() });
    let env = encoder.here();
    encoder.inhale(&method.spec.requires, &env, &Inhale { checked: true, ..Inhale::default() });
    if let Some(first) = method.spec.requires.first() {
        let text = "no state satisfies the precondition";
        encoder.cover(&Reason::new(Code::ContradictorySpecification, first.span, text));
    }
    let old = encoder.save("old");
    if let Some(context) = &mut encoder.method {
        context.old = old;
    }
    encoder.mark(MarkKind::Start, None, "");
    let contract = encoder.block(|encoder| check_postcondition(encoder, id));
    let code = encoder.block(|encoder| {
        encoder.stmts(&method.body);
        end_of_method(encoder, id);
    });
    encoder.emit(Command::Choice(vec![contract, code]));
    let name = format!("{}.{}", class_name(program, method.class), method.name);
    encoder.finish(TaskKind::Method, name)
}

/// Checks that the postcondition reads only locations that it brings permission to, or was allowed
/// to read in the state at entry.
fn check_postcondition(encoder: &mut Encoder<'_>, id: MethodId) {
    let method = &encoder.program.methods[id.index()];
    encoder.time_passes();
    let changed: Vec<Term> = {
        let env = encoder.here();
        method.spec.lockchange.iter().map(|expr| encoder.checked_value(expr, &env)).collect()
    };
    let changed: Vec<Term> = changed.into_iter().map(|t| encoder.pin("lockchange", t)).collect();
    encoder.havoc_held(&changed);
    // The method may have moved monitors.
    let positions = encoder.variable_of(encoder.now.heap[&Place::Loc(Loc::Mu)]);
    encoder.emit(Command::Havoc(vec![positions]));
    encoder.drop_everything();
    let env = encoder.here();
    encoder.inhale(&method.spec.ensures, &env, &Inhale { checked: true, ..Inhale::default() });
    if let Some(first) = method.spec.ensures.first() {
        let text = "no state satisfies the postcondition";
        encoder.cover(&Reason::new(Code::ContradictorySpecification, first.span, text));
    }
    let no = encoder.terms.bool(false);
    encoder.assume(no);
}

fn end_of_method(encoder: &mut Encoder<'_>, id: MethodId) {
    let method = &encoder.program.methods[id.index()];
    let end = method.end;
    encoder.mark(MarkKind::Attempt, Some(end), "the method ends");
    let env = encoder.here();
    let mut before = Env { state: encoder.save("end"), ..env };
    before.state = encoder.as_owing(&method.spec.ensures, &before);
    let text = "the postcondition need not hold at the end of the method";
    let how = Exhale { may_owe: true, ..Exhale::new(end, Code::PostconditionFailed, text) };
    encoder.exhale(&method.spec.ensures, &before, &how);
    let old = before.in_old();
    let changed: Vec<Term> =
        method.spec.lockchange.iter().map(|expr| encoder.value(expr, &old)).collect();
    let yes = encoder.terms.bool(true);
    let pairs =
        [(old.state.held(), encoder.now.held()), (old.state.rd_held(), encoder.now.rd_held())];
    for (was, is) in pairs {
        let fact = encoder.only_these_change(was, is, &changed);
        let text = "the method may end with other monitors held than before, and `lockchange` does not name them";
        encoder.check(yes, fact, &Reason::new(Code::LockchangeViolated, end, text));
    }
    encoder.check_no_debt(end);
    leaks(encoder, id);
}

/// Permission that the caller gave and that the method neither returns nor gives to anybody else is
/// lost for good. That is allowed, and often a mistake. A method may leave behind objects that it
/// made itself.
fn leaks(encoder: &mut Encoder<'_>, id: MethodId) {
    let method = &encoder.program.methods[id.index()];
    let Some(first) = method.spec.requires.first() else { return };
    let env = encoder.here().in_old();
    let pieces = encoder.pieces(&method.spec.requires, &mut env.clone(), &mut |_, _, _| {});
    // The amount of `rd*` is unknown, so some of it stays where some is returned.
    let mut end = encoder.here();
    let returned = encoder.pieces(&method.spec.ensures, &mut end, &mut |_, _, _| {});
    let is_returned = |place| returned.iter().any(|piece| piece.place == place);
    let counted = pieces.iter().filter(|piece| {
        !(matches!(piece.amount.kind, AmountKind::Star) && is_returned(piece.place))
    });
    let mut places: Vec<Place> = counted.map(|piece| piece.place).collect();
    places.sort_unstable();
    places.dedup();
    places.retain(|&place| encoder.key_sort(place) == reference());
    for place in places {
        let binder = encoder.terms.binder("o", reference());
        let object = encoder.terms.bound(binder);
        let before = encoder.permission(&env.state, place, object);
        let after = encoder.permission(&encoder.now.clone(), place, object);
        let mut lost = vec![encoder.is_some(before), encoder.is_some(after)];
        if place == Place::Loc(Loc::Mu) {
            // A monitor that is shared for good needs no more of it.
            let position = encoder.read(&encoder.now.clone(), place, object);
            let bottom = encoder.lock_bottom();
            lost.push(encoder.terms.eq(position, bottom));
        }
        let lost = encoder.terms.and(lost);
        let kept = encoder.terms.not(lost);
        let triggers = vec![vec![after.parts]];
        let none = encoder.terms.quantified(Quantifier::Forall, vec![binder], triggers, kept);
        let name = encoder.short_place_name(place);
        let text =
            format!("permission to `{name}` that the caller gave is lost here: it is not returned");
        let help = "return it with `ensures`, or `free` the object";
        let reason =
            Reason::new(Code::PermissionLost, method.end, text).about(first.span).help(help);
        encoder.should(vec![none], &reason);
    }
}

fn declaration_env(encoder: &mut Encoder<'_>, this: Option<Term>, reader: Reader) -> Env {
    Env {
        state: encoder.now.clone(),
        old: None,
        this,
        locals: BTreeMap::new(),
        result: None,
        read: Some(encoder.read_part(reader)),
        limited: false,
        unframed: false,
    }
}

fn function(program: &Program, facts: &Facts, id: FunctionId) -> Task {
    let function = &program.functions[id.index()];
    let mut encoder = Encoder::new(program, facts, &function.locals, Plan::Function(id));
    let this = (!function.is_static).then(|| receiver(&mut encoder, &Type::Object(function.class)));
    function.params.iter().for_each(|&local| encoder.assume_local(local));
    encoder.drop_everything();
    let mut env = declaration_env(&mut encoder, this, Reader::Function);
    for &param in &function.params {
        let symbol = encoder.local(param);
        let value = encoder.terms.constant(symbol);
        env.locals.insert(param, value);
    }
    let how = Inhale { checked: true, read_only: true, ..Inhale::default() };
    encoder.inhale(&function.requires, &env, &how);
    encoder.begin_measure(id, &env);
    encoder.mark(MarkKind::Start, None, "");
    if let Some(body) = &function.body {
        encoder.mark(MarkKind::Attempt, Some(body.span), "");
        let value = encoder.checked_value(body, &env);
        let with_result = Env { result: Some(value), ..env };
        let yes = encoder.terms.bool(true);
        for ensures in &function.ensures {
            encoder.check_defined(yes, ensures, &with_result);
            let holds = encoder.value(ensures, &with_result);
            let text = "the postcondition of the function need not hold";
            let reason =
                Reason::new(Code::PostconditionFailed, body.span, text).about(ensures.span);
            encoder.check(yes, holds, &reason);
        }
    } else if let Some(ensures) = function.ensures.first() {
        encoder.unsupported("a postcondition of a function without a body", ensures.span);
    }
    let name = format!("{}.{}", class_name(program, function.class), function.name);
    encoder.finish(TaskKind::Function, name)
}

fn predicate(program: &Program, facts: &Facts, id: PredicateId) -> Task {
    let predicate = &program.predicates[id.index()];
    let mut encoder = Encoder::new(program, facts, &predicate.locals, Plan::Predicate(id));
    let this = receiver(&mut encoder, &Type::Object(predicate.class));
    predicate.params.iter().for_each(|&local| encoder.assume_local(local));
    encoder.drop_everything();
    let env = declaration_env(&mut encoder, Some(this), Reader::Predicate);
    encoder.mark(MarkKind::Start, None, "");
    let parts = std::slice::from_ref(&predicate.body);
    encoder.inhale(parts, &env, &Inhale { checked: true, framed: true, ..Inhale::default() });
    let text = "no state satisfies this predicate";
    encoder.cover(&Reason::new(Code::ContradictorySpecification, predicate.body.span, text));
    let name = format!("{}.{}", class_name(program, predicate.class), predicate.name);
    encoder.finish(TaskKind::Predicate, name)
}

/// Checks that a monitor invariant reads only locations that the monitor has permission to, now and
/// when it was last acquired; that it never keeps all of `mu`; and, if it is about two states, that
/// it is reflexive and transitive.
fn monitor(program: &Program, facts: &Facts, id: ClassId) -> Task {
    let class = &program.classes[id.index()];
    let mut encoder = Encoder::new(program, facts, &class.locals, Plan::Monitor(id));
    let this = receiver(&mut encoder, &Type::Object(id));
    let about_two = looks_at_old(program, id);
    encoder.mark(MarkKind::Start, None, "");
    let rely = encoder.block(|encoder| {
        encoder.check_rely(this, id);
        let no = encoder.terms.bool(false);
        encoder.assume(no);
    });
    let invariant = encoder.block(|encoder| {
        if !class.invariants.is_empty() {
            check_invariant(encoder, this, id, about_two);
        }
    });
    encoder.emit(Command::Choice(vec![rely, invariant]));
    let name = class_name(program, id).to_owned();
    encoder.finish(TaskKind::Monitor, name)
}

fn check_invariant(encoder: &mut Encoder<'_>, this: Term, id: ClassId, about_two: bool) {
    let class = &encoder.program.classes[id.index()];
    let first = arbitrary_state(encoder, this, id, None, !about_two);
    let span = class.invariants[0].span;
    let yes = encoder.terms.bool(true);
    let held = encoder.permission(&first.clone(), Place::Loc(Loc::Mu), this);
    let full = encoder.is_full(held);
    let fine = encoder.terms.not(full);
    let text = "the monitor would keep all permission to `mu` of its object, so that nobody could acquire it";
    encoder.check(yes, fine, &Reason::new(Code::MonitorKeepsMu, span, text));
    let text = "no state satisfies this monitor invariant";
    encoder.cover(&Reason::new(Code::ContradictorySpecification, span, text));
    if about_two {
        // Reflexive: if it holds of a step to a state, it holds from that state to itself.
        let text = "this monitor invariant need not hold from a state to itself";
        check_two_states(encoder, (this, id), &first, (Code::InvariantNotReflexive, text));
        let second = arbitrary_state(encoder, this, id, Some(&first), true);
        let _ = arbitrary_state(encoder, this, id, Some(&second), false);
        let text =
            "this monitor invariant holds over two steps one by one, but not over both together";
        check_two_states(encoder, (this, id), &first, (Code::InvariantNotTransitive, text));
    }
}

fn looks_at_old(program: &Program, id: ClassId) -> bool {
    let mut found = false;
    let mut look = |expr: &Expr| found |= matches!(expr.kind, ExprKind::Old(_));
    Walk { expr: &mut look, amount: &mut |_| {} }
        .assertions(&program.classes[id.index()].invariants);
    found
}

/// A new state in which the invariant was just acquired, after `old` or, without `old`, after some
/// unknown state.
fn arbitrary_state(
    encoder: &mut Encoder<'_>,
    this: Term,
    id: ClassId,
    old: Option<&super::State>,
    checked: bool,
) -> super::State {
    let class = &encoder.program.classes[id.index()];
    encoder.drop_everything();
    let heaps: Vec<logic::Symbol> =
        encoder.now.heap.values().map(|&term| encoder.variable_of(term)).collect();
    encoder.emit(Command::Havoc(heaps));
    let before = match old {
        Some(old) => old.clone(),
        None => encoder.save("first"),
    };
    let env = encoder.monitor_env(this, encoder.now.clone(), before);
    encoder.inhale(&class.invariants, &env, &Inhale { checked, ..Inhale::default() });
    encoder.save("seen")
}

fn check_two_states(
    encoder: &mut Encoder<'_>,
    (this, id): (Term, ClassId),
    old: &super::State,
    (code, text): (Code, &str),
) {
    let class = &encoder.program.classes[id.index()];
    let now = encoder.save("now");
    let env = encoder.monitor_env(this, now, old.clone());
    let mut parts = Vec::new();
    for invariant in &class.invariants {
        let facts = encoder.formulas(std::slice::from_ref(invariant), &env);
        let all = encoder.terms.and(facts);
        parts.push((invariant.span, all));
    }
    let yes = encoder.terms.bool(true);
    for (span, holds) in parts {
        encoder.check(yes, holds, &Reason::new(code, span, text));
    }
}

fn channel(program: &Program, facts: &Facts, id: ChannelId) -> Task {
    let channel = &program.channels[id.index()];
    let mut encoder = Encoder::new(program, facts, &channel.locals, Plan::Channel(id));
    let this = receiver(&mut encoder, &Type::Channel(id));
    channel.params.iter().for_each(|&local| encoder.assume_local(local));
    encoder.drop_everything();
    let env = declaration_env(&mut encoder, Some(this), Reader::Channel);
    encoder.mark(MarkKind::Start, None, "");
    if let Some(clause) = &channel.where_clause {
        let parts = std::slice::from_ref(clause);
        encoder.inhale(parts, &env, &Inhale { checked: true, ..Inhale::default() });
        if !matches!(clause.kind, AssertionKind::Pure(_)) {
            let text = "no state satisfies what a message promises";
            encoder.cover(&Reason::new(Code::ContradictorySpecification, clause.span, text));
        }
    }
    encoder.finish(TaskKind::Channel, channel.name.to_string())
}

/// Checks that the promise of a condition reads only locations that it or the monitor brings
/// permission to. Both may name the same location, so the permission of the promise is for reading
/// only. Nobody assumes the promise.
fn condition(program: &Program, facts: &Facts, id: ConditionId) -> Task {
    let condition = &program.conditions[id.index()];
    let mut encoder = Encoder::new(program, facts, &condition.locals, Plan::Condition(id));
    let this = receiver(&mut encoder, &Type::Object(condition.class));
    encoder.mark(MarkKind::Start, None, "");
    encoder.locals = &program.classes[condition.class.index()].locals;
    let first = arbitrary_state(&mut encoder, this, condition.class, None, false);
    encoder.locals = &condition.locals;
    if let Some(clause) = &condition.where_clause {
        let env = encoder.monitor_env(this, encoder.now.clone(), first);
        let parts = std::slice::from_ref(clause);
        let how = Inhale { checked: true, read_only: true, ..Inhale::default() };
        encoder.inhale(parts, &env, &how);
    }
    let name = format!("{}.{}", class_name(program, condition.class), condition.name);
    encoder.finish(TaskKind::Condition, name)
}

/// Shows nothing of a class that refines another.
fn refining(program: &Program, facts: &Facts, id: ClassId) -> Task {
    let class = &program.classes[id.index()];
    let mut encoder = Encoder::new(program, facts, &class.locals, Plan::Refining(id));
    if let Some((what, span)) = &class.unsupported {
        encoder.unsupported(what, *span);
    }
    let name = class.name.to_string();
    encoder.finish(TaskKind::Class, name)
}
