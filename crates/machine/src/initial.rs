//! Initial stores.

use crate::eval::{Answer, Stores, eval, holds};
use crate::scope::Scope;
use crate::value::{Value, within};
use plato::hir::{BinaryOp, ExprKind, Root};

/// So many partial stores are looked at.
const TRIED: usize = 100_000;

/// Stores that satisfy all `init` formulas, at most `most` of them, and whether these are all of the small world.
pub(crate) fn initial_stores(scope: &Scope, most: usize) -> (Vec<Vec<Value>>, bool) {
    let mut search = Search {
        scope,
        candidates: candidates(scope),
        found: Vec::new(),
        tried: 0,
        most: most * 4,
    };
    let whole = search.candidates.iter().all(|(_, complete)| *complete);
    let mut store = vec![Value::Unset; scope.program.globals.len()];
    search.extend(&mut store, 0);
    let complete = whole && search.tried < TRIED && search.found.len() <= most;
    // Spread over what was found, so that the last variables are not the only ones that differ.
    let stride = search.found.len().div_ceil(most.max(1)).max(1);
    (search.found.into_iter().step_by(stride).collect(), complete)
}

/// What each variable may be at first, and whether that is all: `x == e` leaves one value.
fn candidates(scope: &Scope) -> Vec<(Vec<Value>, bool)> {
    let domains = scope.program.globals.iter().map(|global| scope.domain(&global.ty));
    let mut all: Vec<(Vec<Value>, bool)> =
        domains.map(|domain| (domain.values, domain.complete)).collect();
    let nothing = vec![Value::Unset; all.len()];
    for init in &scope.program.inits {
        let ExprKind::Binary(BinaryOp::Eq, left, right) = &init.expr.kind else { continue };
        let ExprKind::Var { root: Root::Global(id), .. } = left.kind else { continue };
        let value: Answer<Value> = eval(scope, Stores::global(&nothing), right);
        if let Ok(value) = value
            && within(&value, &scope.program.globals[id.index()].ty)
        {
            all[id.index()] = (vec![value], true);
        }
    }
    all
}

struct Search<'s> {
    scope: &'s Scope<'s>,
    candidates: Vec<(Vec<Value>, bool)>,
    found: Vec<Vec<Value>>,
    tried: usize,
    most: usize,
}

impl Search<'_> {
    /// Chooses the variables from `at` on, as long as no formula is false.
    fn extend(&mut self, store: &mut Vec<Value>, at: usize) {
        self.tried += 1;
        let full = at == store.len();
        for init in &self.scope.program.inits {
            match holds(self.scope, Stores::global(store), &init.expr) {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) if full => return,
                Err(_) => {}
            }
        }
        if full {
            self.found.push(store.clone());
            return;
        }
        for value in self.candidates[at].0.clone() {
            if self.tried >= TRIED || self.found.len() >= self.most {
                return;
            }
            store[at] = value;
            self.extend(store, at + 1);
        }
        store[at] = Value::Unset;
    }
}
