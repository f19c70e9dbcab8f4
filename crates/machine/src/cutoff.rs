//! How many copies of a thread stand for any number of them.
//!
//! Thread identifiers can only be compared for equality (a scalarset), so that renaming the copies
//! of a family carries runs to runs, and the rules of a thread-modular search or a search of pairs
//! to themselves. Let `N` be at least the number of identifiers of one family that occur in any
//! instance of a rule. Then every fact that the search derives with more than `N` copies is a
//! renaming of one it derives with `N`: by induction over its derivation. The premises of its last
//! rule are renamings of facts with `N` copies; an injection of the identifiers that occur into the
//! first `N` carries them to facts with `N` copies, because those are closed under renaming; the
//! rule yields the conclusion there, and renaming back gives the fact. With fewer copies there are
//! fewer steps of others, so fewer facts. Hence nothing goes wrong for any number of
//! copies if nothing does for `N`.
//!
//! An instance of a rule mentions the identifiers in two shared stores and in the local states of
//! at most three threads before and after a step (with stacks: in three stores and four frames),
//! those threads' own, that of a thread whose rely the step is compared with, and what a quantifier
//! over `Tid` ranges over: it does not tell apart two threads that are mentioned nowhere, so one
//! more per nested quantifier is enough.
//!
//! That needs a bound on the identifiers in a store: no sets of threads and no maps from threads in
//! variables. And no constant that tells how many copies there are.

use plato::hir::{Count, Expr, ExprKind, NeverKind, Program, Stmt, StmtKind, Ty};
use source::Name;

/// The numbers of copies to search instead of those that the program asks for, per thread; or why
/// there are none. With `stacks`, facts are about single frames, of which one rule mentions four.
pub fn copies(program: &Program, stacks: bool) -> Result<Vec<u64>, String> {
    let unbounded = |count: Count| matches!(count, Count::Any | Count::Symbolic(_));
    let enough = cutoff(program, stacks);
    let mut all = Vec::new();
    for thread in &program.threads {
        all.push(match (thread.count, &enough) {
            (Count::One, _) => 1,
            (Count::Copies(count), Ok(enough)) => count.min(*enough),
            (Count::Copies(count), Err(_)) => count,
            (_, Ok(enough)) => *enough,
            (_, Err(why)) => return Err(why.clone()),
        });
    }
    if let Some(thread) = program.threads.iter().find(|t| unbounded(t.count))
        && let Count::Symbolic(_) = thread.count
    {
        let name = &thread.name;
        return Err(format!("the number of copies of `{name}` is a constant without a value"));
    }
    Ok(all)
}

fn cutoff(program: &Program, stacks: bool) -> Result<u64, String> {
    let held = |name: &Name, ty: &Ty| {
        identifiers(ty).ok_or_else(|| format!("`{name}`, which can hold any number of threads"))
    };
    let mut shared = 0;
    for global in &program.globals {
        shared += held(&global.name, &global.ty)?;
    }
    let threads = program.threads.iter().map(|thread| &thread.body);
    let mut frames = Vec::new();
    for body in threads.chain(program.procs.iter().map(|procedure| &procedure.body)) {
        let mut own = 0;
        for local in &body.locals {
            own += held(&local.name, &local.ty)?;
        }
        frames.push(own);
    }
    let relying = u64::from(has_relies(program));
    if stacks {
        let frame = frames.into_iter().max().unwrap_or(0);
        return Ok(3 * shared + 4 * frame + 2 + relying + quantifiers(program));
    }
    if is_recursive(program) {
        return Err("a recursive procedure".to_owned());
    }
    // A thread may be inside all procedures at once.
    let frames = frames.into_iter().sum::<u64>();
    Ok(2 * shared + 3 * frames + 3 + relying + quantifiers(program))
}

fn has_relies(program: &Program) -> bool {
    !program.relies.is_empty() || program.threads.iter().any(|thread| !thread.relies.is_empty())
}

/// How many thread identifiers a value holds at most; `None` if there is no bound.
fn identifiers(ty: &Ty) -> Option<u64> {
    match ty {
        Ty::Tid => Some(1),
        Ty::Bool | Ty::Int | Ty::Range(..) | Ty::Enum(_) | Ty::Opaque(_) => Some(0),
        Ty::Set(element) => (identifiers(element) == Some(0)).then_some(0),
        Ty::Map(key, value) => {
            let inside = identifiers(value)?;
            match &**key {
                Ty::Tid => None,
                _ if inside == 0 => Some(0),
                Ty::Range(low, high) => u64::try_from(high - low + 1).ok()?.checked_mul(inside),
                Ty::Bool => Some(2 * inside),
                _ => None,
            }
        }
    }
}

/// The most nested quantifiers in any formula, counted generously: all variables that a formula
/// binds.
fn quantifiers(program: &Program) -> u64 {
    let nevers = program.nevers.iter().filter_map(|never| match &never.kind {
        NeverKind::Formula(expr) => Some(expr),
        _ => None,
    });
    let relies = program.relies.iter().chain(program.threads.iter().flat_map(|one| &one.relies));
    let formulas = program.inits.iter().chain(&program.invariants).chain(relies);
    let formulas = formulas.map(|formula| &formula.expr);
    let mut most = formulas.chain(nevers).map(|expr| bound(program, expr)).max().unwrap_or(0);
    let threads = program.threads.iter().map(|thread| &thread.body);
    for body in threads.chain(program.procs.iter().map(|procedure| &procedure.body)) {
        visit(&body.stmts, &mut |stmt| {
            let indices = stmt.places().into_iter().flat_map(|place| &place.indices);
            for expr in stmt.exprs().into_iter().chain(indices) {
                most = most.max(bound(program, expr));
            }
        });
    }
    most
}

fn bound(program: &Program, expr: &Expr) -> u64 {
    let own = match &expr.kind {
        ExprKind::Quantified(_, binders, _) => binders.len() as u64,
        ExprKind::Pred { pred, .. } => bound(program, &program.preds[pred.index()].body),
        _ => 0,
    };
    own + expr.children().into_iter().map(|child| bound(program, child)).sum::<u64>()
}

/// Whether a procedure calls itself, also through others.
pub fn is_recursive(program: &Program) -> bool {
    let calls: Vec<Vec<usize>> = program
        .procs
        .iter()
        .map(|procedure| {
            let mut called = Vec::new();
            visit(&procedure.body.stmts, &mut |stmt| {
                if let StmtKind::Call { callee, .. } = &stmt.kind {
                    called.push(callee.index());
                }
            });
            called
        })
        .collect();
    // Take away procedures that call only those taken away before.
    let mut gone = vec![false; calls.len()];
    loop {
        let next =
            (0..calls.len()).find(|&at| !gone[at] && calls[at].iter().all(|&callee| gone[callee]));
        match next {
            Some(at) => gone[at] = true,
            None => return gone.contains(&false),
        }
    }
}

fn visit<'p>(stmts: &'p [Stmt], look: &mut impl FnMut(&'p Stmt)) {
    for stmt in stmts {
        look(stmt);
        stmt.blocks().into_iter().for_each(|block| visit(block, look));
    }
}

/// Why the program may have infinitely many states, by its types; `None` if it has not.
pub fn infinite(program: &Program) -> Option<String> {
    let globals = program.globals.iter().map(|global| (&global.name, &global.ty));
    let threads = program.threads.iter().map(|thread| &thread.body);
    let bodies = threads.chain(program.procs.iter().map(|procedure| &procedure.body));
    let locals = bodies.flat_map(|body| body.locals.iter().map(|local| (&local.name, &local.ty)));
    let constants = program.consts.iter().filter(|constant| constant.value.is_none());
    let constants = constants.map(|constant| (&constant.name, &constant.ty));
    let mut all = globals.chain(locals).chain(constants);
    all.find(|(_, ty)| !is_finite(ty))
        .map(|(name, _)| format!("`{name}` has infinitely many values"))
}

fn is_finite(ty: &Ty) -> bool {
    match ty {
        Ty::Bool | Ty::Range(..) | Ty::Enum(_) | Ty::Tid => true,
        Ty::Int | Ty::Opaque(_) => false,
        Ty::Set(element) => is_finite(element),
        Ty::Map(key, value) => is_finite(key) && is_finite(value),
    }
}
