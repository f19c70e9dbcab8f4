//! Whether a variable without an initial value may be read before it is written.

use crate::syntax::{Expr, ExprKind, Initial, Stmt, StmtKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Untouched,
    Written,
    Read,
}

/// Whether some run may read the variable before it writes it, as far as the form of the code
/// shows.
pub(super) fn is_read_first(name: &str, stmts: &[Stmt]) -> bool {
    sequence(name, stmts) == Fate::Read
}

fn sequence(name: &str, stmts: &[Stmt]) -> Fate {
    let fates = stmts.iter().map(|stmt| fate(name, stmt));
    fates.into_iter().find(|fate| *fate != Fate::Untouched).unwrap_or(Fate::Untouched)
}

fn fate(name: &str, stmt: &Stmt) -> Fate {
    let then = |first: Fate, second: Fate| if first == Fate::Untouched { second } else { first };
    match &stmt.kind {
        StmtKind::Expr(expr) => of_expr(name, expr),
        StmtKind::Block(stmts) => sequence(name, stmts),
        StmtKind::If(cond, one, other) => {
            let other = other.as_ref().map_or(Fate::Untouched, |other| fate(name, other));
            let inside = match (fate(name, one), other) {
                (Fate::Read, _) | (_, Fate::Read) => Fate::Read,
                (Fate::Written, Fate::Written) => Fate::Written,
                _ => Fate::Untouched,
            };
            then(of_expr(name, cond), inside)
        }
        // The body may not run at all, so its writes do not count afterwards.
        StmtKind::While(cond, body) => then(of_expr(name, cond), only_read(fate(name, body))),
        // The code after a jump may not run, so any mention counts.
        StmtKind::For(..) | StmtKind::DoWhile(..) if stmt.any(&jumps) => {
            if mentioned(name, stmt) {
                Fate::Read
            } else {
                Fate::Untouched
            }
        }
        StmtKind::For(first, cond, step, body) => {
            let cond = cond.as_ref().map_or(Fate::Untouched, |cond| of_expr(name, cond));
            let step = step.as_ref().map_or(Fate::Untouched, |step| of_expr(name, step));
            let inside = then(fate(name, body), step);
            then(fate(name, first), then(cond, only_read(inside)))
        }
        StmtKind::DoWhile(body, cond) => then(fate(name, body), of_expr(name, cond)),
        StmtKind::Declare(all) => {
            let values = all.iter().filter_map(|declared| declared.value.as_ref());
            let fates = values.map(|value| match value {
                Initial::Value(value) => of_expr(name, value),
                Initial::List(_) if mentions_initial(name, value) => Fate::Read,
                Initial::List(_) => Fate::Untouched,
            });
            fates.fold(Fate::Untouched, then)
        }
        StmtKind::Return(Some(expr)) => of_expr(name, expr),
        // Jumps into the middle: any mention counts.
        StmtKind::Switch(..) => {
            if mentioned(name, stmt) {
                Fate::Read
            } else {
                Fate::Untouched
            }
        }
        StmtKind::Unsupported(_) => Fate::Read,
        _ => Fate::Untouched,
    }
}

fn only_read(fate: Fate) -> Fate {
    if fate == Fate::Read { Fate::Read } else { Fate::Untouched }
}

/// The effect on the variable of evaluating an expression.
fn of_expr(name: &str, expr: &Expr) -> Fate {
    let then = |first: Fate, second: Fate| if first == Fate::Untouched { second } else { first };
    match &expr.kind {
        ExprKind::Assign(None, place, value) if is(name, place) => {
            then(of_expr(name, value), Fate::Written)
        }
        ExprKind::Assign(None, place, value) if matches!(place.kind, ExprKind::Name(_)) => {
            of_expr(name, value)
        }
        ExprKind::Comma(one, other) => then(of_expr(name, one), of_expr(name, other)),
        ExprKind::Cast(_, one) | ExprKind::Unary(_, one) => of_expr(name, one),
        _ if mentions(name, expr) => Fate::Read,
        _ => Fate::Untouched,
    }
}

/// Whether a statement leaves its loop, or an iteration of it, early.
fn jumps(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Break | StmtKind::Continue)
}

fn mentioned(name: &str, stmt: &Stmt) -> bool {
    stmt.any_expr(&|expr: &Expr| is(name, expr))
}

fn is(name: &str, expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(found) if found == name)
}

fn mentions(name: &str, expr: &Expr) -> bool {
    expr.any(&|expr: &Expr| is(name, expr))
}

fn mentions_initial(name: &str, value: &Initial) -> bool {
    match value {
        Initial::Value(value) => mentions(name, value),
        Initial::List(all) => all.iter().any(|one| mentions_initial(name, one)),
    }
}
