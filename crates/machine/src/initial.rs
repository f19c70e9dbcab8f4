//! Initial stores.

use crate::eval::{Answer, Stores, eval, holds};
use crate::scope::{Scope, Sizes, worlds};
use crate::value::{Value, within};
use plato::hir::{BinaryOp, Expr, ExprKind, Program, Root, Ty};

/// Limit on the partial stores that are looked at.
const TRIED: usize = 100_000;

/// Whether it is certain that the program has no initial store, whatever its constants are and
/// however many threads run. Then it has no runs, and what is claimed of all of them says nothing.
pub fn has_no_start(program: &Program) -> bool {
    let independent = program.inits.iter().all(|init| is_independent(program, &init.expr));
    let excluded = |scope: &Scope<'_>| {
        let mut search = Search::new(scope, 1);
        let whole = search.candidates.iter().all(|(_, complete)| *complete);
        search.run();
        let certain = whole && search.tried < TRIED && !search.doubtful && !scope.guessed.get();
        certain && search.found.is_empty() && (independent || scope.partial.is_none())
    };
    !program.inits.is_empty() && worlds(program, &Sizes::default()).iter().all(excluded)
}

/// Whether a condition on initial stores means the same however many threads run and whatever the
/// values of constants are that have none. `x == 0` says of a `Tid` that it is nobody.
fn is_independent(program: &Program, expr: &Expr) -> bool {
    if let ExprKind::Binary(BinaryOp::Eq, left, right) = &expr.kind
        && let (ExprKind::Var { .. }, ExprKind::Nobody) = (&left.kind, value_of_all(right))
    {
        return true;
    }
    let here = match &expr.kind {
        ExprKind::Const(id) => program.consts[id.index()].value.is_some(),
        ExprKind::Quantified(_, binders, _) => {
            binders.iter().all(|id| !mentions_threads(&program.bounds[id.index()].ty))
        }
        ExprKind::Pred { pred, .. } => is_independent(program, &program.preds[pred.index()].body),
        _ => true,
    };
    here && !mentions_threads(&expr.ty)
        && expr.children().into_iter().all(|child| is_independent(program, child))
}

/// `v` of `[_ => [_ => v]]`.
fn value_of_all(expr: &Expr) -> &ExprKind {
    match &expr.kind {
        ExprKind::ConstMap(value) => value_of_all(value),
        kind => kind,
    }
}

fn mentions_threads(ty: &Ty) -> bool {
    match ty {
        Ty::Tid => true,
        Ty::Bool | Ty::Int | Ty::Range(..) | Ty::Enum(_) | Ty::Opaque(_) => false,
        Ty::Set(element) => mentions_threads(element),
        Ty::Map(key, value) => mentions_threads(key) || mentions_threads(value),
    }
}

/// Stores that satisfy all `init` formulas, at most `most` of them, and whether these are all of
/// the small world.
pub(crate) fn initial_stores(scope: &Scope, most: usize) -> (Vec<Vec<Value>>, bool) {
    let mut search = Search::new(scope, most * 4);
    let whole = search.candidates.iter().all(|(_, complete)| *complete);
    search.run();
    let complete = whole && search.tried < TRIED && search.found.len() <= most && !search.doubtful;
    // Spread over what was found, so that the last variables are not the only ones that differ.
    let stride = search.found.len().div_ceil(most.max(1)).max(1);
    (search.found.into_iter().step_by(stride).collect(), complete)
}

/// What each variable may be at first, and whether that is all: `x == e` leaves one value. The
/// values of a type are listed only where no such formula is, since maps have very many.
fn candidates(scope: &Scope) -> Vec<(Vec<Value>, bool)> {
    let globals = &scope.program.globals;
    let nothing = vec![Value::Unset; globals.len()];
    let mut only: Vec<Option<Value>> = vec![None; globals.len()];
    for init in &scope.program.inits {
        let ExprKind::Binary(BinaryOp::Eq, left, right) = &init.expr.kind else { continue };
        let ExprKind::Var { root: Root::Global(id), .. } = left.kind else { continue };
        let value: Answer<Value> = eval(scope, Stores::global(&nothing), right);
        if let Ok(value) = value
            && within(&value, &globals[id.index()].ty)
        {
            only[id.index()] = Some(value);
        }
    }
    let all = only.into_iter().zip(globals).map(|(only, global)| match only {
        Some(value) => (vec![value], true),
        None => {
            let domain = scope.domain(&global.ty);
            (domain.values, domain.complete)
        }
    });
    all.collect()
}

struct Search<'s> {
    scope: &'s Scope<'s>,
    candidates: Vec<(Vec<Value>, bool)>,
    /// The variables with a choice, in order.
    choices: Vec<usize>,
    /// Per number of choices made, the formulas whose variables have all got values by then.
    ready: Vec<Vec<&'s Expr>>,
    found: Vec<Vec<Value>>,
    tried: usize,
    most: usize,
    /// Whether a store was passed over because a formula has no known value in it.
    doubtful: bool,
}

impl<'s> Search<'s> {
    fn new(scope: &'s Scope<'s>, most: usize) -> Self {
        let candidates = candidates(scope);
        let has_choice = |at: &usize| candidates[*at].0.len() != 1;
        let choices: Vec<usize> = (0..candidates.len()).filter(has_choice).collect();
        let mut made = vec![0; candidates.len()];
        for (number, &at) in (1..).zip(&choices) {
            made[at] = number;
        }
        let mut ready = vec![Vec::new(); choices.len() + 1];
        for init in &scope.program.inits {
            let mut last = 0;
            visit_globals(scope.program, &init.expr, &mut |at| last = last.max(made[at]));
            ready[last].push(&init.expr);
        }
        let (found, tried, doubtful) = (Vec::new(), 0, false);
        Self { scope, candidates, choices, ready, found, tried, most, doubtful }
    }

    /// Looks for stores.
    fn run(&mut self) {
        let only = |(values, _): &(Vec<Value>, bool)| match values.as_slice() {
            [value] => value.clone(),
            _ => Value::Unset,
        };
        let mut store = self.candidates.iter().map(only).collect();
        self.extend(&mut store, 0);
    }

    /// Makes the choices from `at` on, as long as no formula is false.
    fn extend(&mut self, store: &mut Vec<Value>, at: usize) {
        self.tried += 1;
        for &init in &self.ready[at] {
            match holds(self.scope, Stores::global(store), init) {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => {
                    self.doubtful = true;
                    return;
                }
            }
        }
        let Some(&global) = self.choices.get(at) else {
            self.found.push(store.clone());
            return;
        };
        for value in self.candidates[global].0.clone() {
            if self.tried >= TRIED || self.found.len() >= self.most {
                return;
            }
            store[global] = value;
            self.extend(store, at + 1);
        }
        store[global] = Value::Unset;
    }
}

/// Calls `look` for every shared variable that a formula mentions, also through predicates.
fn visit_globals(program: &Program, expr: &Expr, look: &mut dyn FnMut(usize)) {
    match &expr.kind {
        ExprKind::Var { root: Root::Global(id), .. } => look(id.index()),
        ExprKind::Pred { pred, .. } => {
            visit_globals(program, &program.preds[pred.index()].body, look);
        }
        _ => {}
    }
    expr.children().into_iter().for_each(|child| visit_globals(program, child, look));
}
