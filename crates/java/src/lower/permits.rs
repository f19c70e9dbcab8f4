//! Semaphores with one permit that are used as locks: who has the permit holds the lock.
//!
//! Which semaphores those are is guessed from the text. That nobody gives back a permit that he
//! does not have, so that there never are two, is checked wherever one is given back.

use super::calls::Call;
use super::calm::Held;
use super::terms::{self, Term as _};
use super::{Lowering, fault};
use crate::typed::{
    Body, Callee, Expr, ExprKind, FieldId, MethodId, Place, Program, StmtKind, walk,
};
use diagnostic::Code;
use plato::ast;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const SEMAPHORE: &str = "java.util.concurrent.Semaphore";

/// What a method of a semaphore does with one permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permit {
    Take,
    TakeOrInterrupted,
    Try,
    TryOrInterrupted,
    GiveBack,
}

/// What a call does with the permit of a field, if that is all that it does.
fn permit(program: &Program, callee: &Callee) -> Option<(FieldId, Permit)> {
    let method = program.method(callee.method?);
    if program.class(method.class).qualified.as_str() != SEMAPHORE {
        return None;
    }
    let field = match &callee.receiver.as_ref()?.kind {
        ExprKind::Field(_, field) | ExprKind::Static(field) => *field,
        _ => return None,
    };
    let permit = match (method.name.as_str(), callee.args.len()) {
        ("acquireUninterruptibly", 0) => Permit::Take,
        ("acquire", 0) => Permit::TakeOrInterrupted,
        ("tryAcquire", 0) => Permit::Try,
        ("tryAcquire", 2) => Permit::TryOrInterrupted,
        ("release", 0) => Permit::GiveBack,
        _ => return None,
    };
    Some((field, permit))
}

/// Private fields whose semaphores have one permit, are known by no other name, and are asked for
/// it in each method that gives it back, or in all that call this one, if only the program does.
pub(super) fn locks(program: &Program) -> BTreeSet<FieldId> {
    let mut uses = Uses::new(program);
    for (at, method) in program.methods.iter().enumerate() {
        if let Some(body) = &method.body {
            uses.body(Some(MethodId::from_index(at)), body);
        }
    }
    for body in program.classes.iter().filter_map(|class| class.static_init.as_ref()) {
        uses.body(None, body);
    }
    let callers = callers(program);
    let is_lock = |id: &FieldId| {
        let field = program.field(*id);
        field.is_private
            && field.is_final
            && !uses.others.contains(id)
            && uses.taken.get(id).is_some_and(|taken| {
                let mut given = uses.given.get(id).into_iter().flatten();
                given.all(|method| is_between(program, &callers, *method, taken))
            })
    };
    uses.made.iter().copied().filter(is_lock).collect()
}

/// The methods that name each method.
fn callers(program: &Program) -> BTreeMap<MethodId, BTreeSet<Option<MethodId>>> {
    let mut callers: BTreeMap<MethodId, BTreeSet<Option<MethodId>>> = BTreeMap::new();
    let methods = program.methods.iter().enumerate();
    let methods = methods
        .filter_map(|(at, method)| Some((Some(MethodId::from_index(at)), method.body.as_ref()?)));
    let initializers = program.classes.iter().filter_map(|class| class.static_init.as_ref());
    for (caller, body) in methods.chain(initializers.map(|body| (None, body))) {
        walk::callees(&body.stmts, &mut |called, is_virtual| {
            let below = program.method(called).overridden_by.iter().filter(|_| is_virtual);
            for id in below.copied().chain([called]) {
                callers.entry(id).or_default().insert(caller);
            }
        });
    }
    callers
}

/// Whether a method takes the permit, or is called by such methods alone.
fn is_between(
    program: &Program,
    callers: &BTreeMap<MethodId, BTreeSet<Option<MethodId>>>,
    method: Option<MethodId>,
    taken: &BTreeSet<Option<MethodId>>,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut rest = vec![method];
    while let Some(method) = rest.pop() {
        if taken.contains(&method) || !seen.insert(method) {
            continue;
        }
        let inner = method.filter(|id| !program.method(*id).is_open);
        match inner.and_then(|id| callers.get(&id)) {
            Some(callers) => rest.extend(callers),
            None => return false,
        }
    }
    true
}

/// How fields with semaphores are used.
struct Uses<'p> {
    program: &'p Program,
    /// They get new semaphores with one permit.
    made: BTreeSet<FieldId>,
    /// They are used in another way.
    others: BTreeSet<FieldId>,
    taken: BTreeMap<FieldId, BTreeSet<Option<MethodId>>>,
    given: BTreeMap<FieldId, BTreeSet<Option<MethodId>>>,
}

impl<'p> Uses<'p> {
    fn new(program: &'p Program) -> Self {
        let (made, others) = (BTreeSet::new(), BTreeSet::new());
        Self { program, made, others, taken: BTreeMap::new(), given: BTreeMap::new() }
    }

    fn body(&mut self, method: Option<MethodId>, body: &Body) {
        let (mut named, mut known) = (BTreeMap::new(), BTreeMap::new());
        walk::all(&body.stmts, &mut |stmt| {
            if let StmtKind::Init(place, value) = &stmt.kind {
                self.store(place, value);
            }
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| match &part.kind {
                    ExprKind::Field(_, field) | ExprKind::Static(field) => {
                        *named.entry(*field).or_insert(0) += 1;
                    }
                    ExprKind::Assign(place, value) => self.store(place, value),
                    ExprKind::Call(callee) => {
                        if let Some((field, permit)) = permit(self.program, callee) {
                            *known.entry(field).or_insert(0) += 1;
                            let gives = permit == Permit::GiveBack;
                            let calls = if gives { &mut self.given } else { &mut self.taken };
                            calls.entry(field).or_default().insert(method);
                        }
                    }
                    _ => {}
                });
            });
        });
        let others = named.into_iter().filter(|(id, count)| known.get(id) != Some(count));
        self.others.extend(others.map(|(id, _)| id));
    }

    fn store(&mut self, place: &Place, value: &Expr) {
        let (Place::Field(_, field, _) | Place::Static(field, _)) = place else { return };
        let has_one = match &value.kind {
            ExprKind::New { class, args, .. } => {
                self.program.class(*class).qualified.as_str() == SEMAPHORE
                    && args.first().is_some_and(|arg| matches!(arg.kind, ExprKind::Int(1)))
            }
            _ => false,
        };
        if has_one {
            self.made.insert(*field);
        } else {
            self.others.insert(*field);
        }
    }
}

/// What a call does with the permit of a semaphore that is used as a lock.
pub(super) fn of_lock(
    program: &Program,
    locks: &BTreeSet<FieldId>,
    callee: &Callee,
) -> Option<Permit> {
    permit(program, callee).filter(|(field, _)| locks.contains(field)).map(|(_, permit)| permit)
}

impl Lowering<'_> {
    /// Takes the permit, or gives it back.
    pub(super) fn permit(&mut self, permit: Permit, call: &Call<'_>) -> ast::Expr {
        let span = call.span;
        let lock = call.receiver.clone().unwrap_or_else(|| terms::null(span));
        if matches!(permit, Permit::TakeOrInterrupted | Permit::TryOrInterrupted) {
            self.interrupted(span);
        }
        match permit {
            Permit::Take | Permit::TakeOrInterrupted => {
                self.enter(&lock, span);
                self.held.push(Held::by_call(lock));
            }
            Permit::Try | Permit::TryOrInterrupted => return self.try_enter(&lock, span),
            Permit::GiveBack => {
                self.used.monitors = true;
                let failed = "this may give back a permit that the thread does not have, so that \
                              two threads get one";
                let told = fault(Code::AnnotationMissing, failed);
                let held = terms::name("holder", span).at(lock.clone()).equals(terms::tid(span));
                self.push(terms::check(held, told, span));
                self.given_back(&lock);
                self.exit(&lock, span);
            }
        }
        terms::int(0, span)
    }
}
