//! Checks that the recursion of functions ends.
//!
//! Each recursive call must be about something smaller: a snapshot inside the one that the caller
//! got, a smaller number, or a shorter sequence. While a function is verified, the definitions of
//! the functions that call each other count only for something smaller, so that none of them proves
//! itself.

use super::defined::{Condition, Conditions};
use super::sorts::snapshot;
use super::state::Env;
use super::{Encoder, Reason};
use crate::hir::{Assertion, AssertionKind, Expr, ExprKind, FunctionId, LocalId, Program, Type};
use crate::walk::Walk;
use diagnostic::Code;
use logic::{Sort, Term};
use source::Span;
use std::collections::BTreeSet;

/// The measure that decreases with every recursive call.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// The functions that call each other.
    pub(crate) group: BTreeSet<FunctionId>,
    /// What is measured.
    pub(crate) of: Measured,
    /// Its value for the current call.
    pub(crate) now: Option<Term>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    /// The snapshot of the first predicate that the precondition asks for.
    Snapshot,
    /// The argument at this position: a number or a sequence.
    Argument(usize),
    /// Nothing was found.
    Nothing,
}
impl Encoder<'_> {
    /// The first predicate of the precondition, as a snapshot.
    fn first_snapshot(&mut self, id: FunctionId, env: &mut Env) -> Option<Term> {
        let values = self.footprint(id, env);
        values.into_iter().find(|&value| *self.terms.sort(value) == snapshot())
    }

    /// Starts the check that the recursion of a function ends: fixes the measure.
    pub(crate) fn begin_measure(&mut self, id: FunctionId, env: &Env) {
        let Some(group) = recursive_group(self.program, id) else { return };
        let of = measured(self.program, &group);
        let now = match of {
            Measured::Snapshot => {
                let snapshot = self.first_snapshot(id, &mut env.clone());
                snapshot.map(|snapshot| self.rank(snapshot))
            }
            Measured::Argument(index) => self.argument_size(id, index, env),
            Measured::Nothing => None,
        };
        // The definitions refer to it, too, so it needs a name that keeps its value.
        let now = now.map(|now| {
            let symbol = self.terms.fresh("measure", Sort::Int);
            let name = self.terms.constant(symbol);
            let same = self.terms.eq(name, now);
            self.assume(same);
            name
        });
        self.measure = Some(Measure { group, of, now });
    }

    /// While a function is verified, its definition and those of the functions that call it back
    /// count only for something smaller: otherwise the definition would prove itself.
    pub(crate) fn known_already(&mut self, id: FunctionId, env: &Env, values: &[Term]) -> Term {
        let Some(measure) = self.measure.clone().filter(|measure| measure.group.contains(&id))
        else {
            return self.terms.bool(true);
        };
        let size = match measure.of {
            Measured::Snapshot => {
                let first = values.iter().find(|&&value| *self.terms.sort(value) == snapshot());
                first.copied().map(|first| self.rank(first))
            }
            Measured::Argument(index) => self.argument_size(id, index, env),
            Measured::Nothing => None,
        };
        match size.zip(measure.now) {
            Some((size, now)) => {
                let zero = self.terms.int(0);
                let parts = vec![self.terms.le(zero, size), self.terms.lt(size, now)];
                self.terms.and(parts)
            }
            None => self.terms.bool(false),
        }
    }

    /// Whether the method folded or unfolded a predicate with this snapshot. Used only as a
    /// trigger.
    pub(crate) fn opened(&mut self, taken: Term) -> Term {
        let func = self.terms.func("opened", vec![snapshot()], Sort::Bool);
        self.terms.apply(func, vec![taken])
    }

    /// The depth of a snapshot: its projections that exist are less deep, since predicates are
    /// folded one by one.
    pub(crate) fn rank(&mut self, taken: Term) -> Term {
        let func = self.terms.func("rank", vec![snapshot()], Sort::Int);
        self.terms.apply(func, vec![taken])
    }

    fn argument_size(&mut self, id: FunctionId, index: usize, env: &Env) -> Option<Term> {
        let function = &self.program.functions[id.index()];
        let param = *function.params.get(index)?;
        let value = env.locals[&param];
        match &function.locals[param.index()].ty {
            Type::Int => Some(value),
            Type::Seq(_) => Some(self.seq_length(value)),
            _ => None,
        }
    }

    /// A recursive call must be about something smaller.
    pub(crate) fn smaller(
        &mut self,
        id: FunctionId,
        env: &mut Env,
        span: Span,
        out: &mut Conditions,
    ) {
        let Some(measure) = self.measure.clone() else { return };
        if !measure.group.contains(&id) {
            return;
        }
        let next = match measure.of {
            Measured::Snapshot => {
                let snapshot = self.first_snapshot(id, env);
                snapshot.map(|snapshot| self.rank(snapshot))
            }
            Measured::Argument(index) => self.argument_size(id, index, env),
            Measured::Nothing => None,
        };
        let fine = match (measure.now, next) {
            (Some(now), Some(next)) => {
                let zero = self.terms.int(0);
                let parts = vec![self.terms.le(zero, next), self.terms.lt(next, now)];
                self.terms.and(parts)
            }
            _ => self.terms.bool(false),
        };
        let text = "this recursion need not end";
        let help = "recursive calls must be inside `unfolding` of a predicate that the function requires, or have a smaller number or a shorter sequence as an argument";
        let reason = Reason::new(Code::RecursionMayNotEnd, span, text).help(help);
        out.push(Condition::Must(fine, reason));
    }
}

/// The functions that call each other with this one; `None` if it does not call itself.
pub(crate) fn recursive_group(program: &Program, id: FunctionId) -> Option<BTreeSet<FunctionId>> {
    let reached = reached_from(program, id);
    if !reached.contains(&id) {
        return None;
    }
    let back = reached.iter().copied().filter(|&other| reached_from(program, other).contains(&id));
    Some(back.collect())
}

fn reached_from(program: &Program, id: FunctionId) -> BTreeSet<FunctionId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        let function = &program.functions[next.index()];
        let mut look = |expr: &Expr| {
            if let ExprKind::Call(callee, ..) = &expr.kind
                && reached.insert(*callee)
            {
                open.push(*callee);
            }
        };
        let mut walk = Walk { expr: &mut look, amount: &mut |_| {} };
        walk.assertions(&function.requires);
        function.ensures.iter().chain(&function.body).for_each(|expr| walk.expr(expr));
    }
    reached
}

/// The measure: snapshots if every function requires a predicate, otherwise the first argument that
/// differs in every recursive call.
fn measured(program: &Program, group: &BTreeSet<FunctionId>) -> Measured {
    let functions = || group.iter().map(|id| &program.functions[id.index()]);
    if functions().all(|function| function.requires.iter().any(asks_for_predicate)) {
        return Measured::Snapshot;
    }
    let count = functions().map(|function| function.params.len()).min().unwrap_or(0);
    let changes = |index: usize| {
        functions().all(|function| {
            let param = function.params[index];
            let mut same = false;
            let mut look = |expr: &Expr| {
                if let ExprKind::Call(callee, _, args) = &expr.kind
                    && group.contains(callee)
                {
                    same |= is_local(&args[index], param);
                }
            };
            let mut walk = Walk { expr: &mut look, amount: &mut |_| {} };
            function.body.iter().for_each(|body| walk.expr(body));
            !same
        })
    };
    (0..count).find(|&index| changes(index)).map_or(Measured::Nothing, Measured::Argument)
}

fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(id) if id == local)
}

fn asks_for_predicate(assertion: &Assertion) -> bool {
    match &assertion.kind {
        AssertionKind::Predicate(_) => true,
        AssertionKind::And(parts) => parts.iter().any(asks_for_predicate),
        _ => false,
    }
}
