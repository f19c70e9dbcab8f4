//! Loops and `switch`.

use super::body::{Around, Body, Meaning, Next};
use super::exprs::acts;
use super::values::Value;
use super::{Answer, operators, refuse};
use crate::constant::Typed;
use crate::syntax::{Expr, ExprKind, Initial, Stmt, StmtKind, Type};
use crate::{build, constant};
use plato::ast;
use source::Span;
use std::collections::BTreeMap;

/// Limit on the iterations of loops that start threads and are therefore unrolled.
const MAX_ITERATIONS: usize = 64;

impl Body<'_, '_> {
    pub(super) fn while_loop(&mut self, cond: &Expr, inside: &Stmt, span: Span) -> Answer<()> {
        let creates = self.only_creates;
        self.only_creates = self.is_open(Some(cond)) && creates_only(inside);
        let result =
            self.repeated(inside, &[cond], |body| body.iterate(Some(cond), None, inside, span));
        self.only_creates = creates;
        result
    }

    /// Whether a loop with this condition may go on any number of times.
    fn is_open(&self, cond: Option<&Expr>) -> bool {
        cond.is_none_or(|cond| {
            self.known_value(cond).is_some_and(|(value, _)| value != 0) || is_any(cond)
        })
    }

    /// Runs a part that may happen any number of times. If it creates threads, the threads behind
    /// handles are known neither inside, where a handle may be from the iteration before, nor
    /// behind it.
    fn repeated(
        &mut self,
        inside: &Stmt,
        exprs: &[&Expr],
        part: impl FnOnce(&mut Self) -> Answer<()>,
    ) -> Answer<()> {
        let creates =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Call(name, _) if name == "pthread_create");
        if !inside.any_expr(&creates) && !exprs.iter().any(|expr| expr.any(&creates)) {
            return part(self);
        }
        self.set_handles(BTreeMap::new());
        let result = part(self);
        self.set_handles(BTreeMap::new());
        result
    }

    /// A loop that tests first.
    fn iterate(
        &mut self,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        inside: &Stmt,
        span: Span,
    ) -> Answer<()> {
        let always = Value { known: None, ..Value::truth(build::boolean(true, span), false) };
        let (test, before) = match cond {
            Some(cond) => self.apart(|body| body.value(cond))?,
            None => (always.clone(), Vec::new()),
        };
        let next = step.map_or(Next::Nothing, |step| Next::Step(step.clone()));
        self.around.push(Around::Loop(next));
        let mut body = self.scoped(|body| body.stmt(inside, &[]));
        self.around.pop();
        if let Some(step) = step {
            let ((), after) = self.apart(|body| body.effect(step))?;
            body.extend(after);
        }
        let head = if before.is_empty() {
            test.into_truth()
        } else {
            let mut whole = before;
            whole.push(break_unless(test.into_truth(), span));
            whole.append(&mut body);
            body = whole;
            build::boolean(true, span)
        };
        let kind = ast::StmtKind::While(
            ast::Cond::Expr(head),
            ast::LoopFormulas::default(),
            build::block(body, span),
        );
        self.out.push(build::stmt(kind, span));
        Ok(())
    }

    pub(super) fn do_loop(&mut self, inside: &Stmt, cond: &Expr, span: Span) -> Answer<()> {
        let creates = std::mem::replace(&mut self.only_creates, false);
        let result = self.repeated(inside, &[cond], |body| body.repeat_until(inside, cond, span));
        self.only_creates = creates;
        result
    }

    fn repeat_until(&mut self, inside: &Stmt, cond: &Expr, span: Span) -> Answer<()> {
        self.around.push(Around::Loop(Next::Test(cond.clone(), cond.span)));
        let mut body = self.scoped(|body| body.stmt(inside, &[]));
        self.around.pop();
        let ((), test) = self.apart(|body| body.leave_unless(cond, cond.span))?;
        body.extend(test);
        let always = build::boolean(true, span);
        let kind = ast::StmtKind::While(
            ast::Cond::Expr(always),
            ast::LoopFormulas::default(),
            build::block(body, span),
        );
        self.out.push(build::stmt(kind, span));
        Ok(())
    }

    /// Leaves the innermost loop unless a condition holds.
    pub(super) fn leave_unless(&mut self, cond: &Expr, span: Span) -> Answer<()> {
        let cond = self.value(cond)?.into_truth();
        self.out.push(break_unless(cond, span));
        Ok(())
    }

    pub(super) fn for_loop(
        &mut self,
        first: &Stmt,
        (cond, step): (Option<&Expr>, Option<&Expr>),
        inside: &Stmt,
        span: Span,
    ) -> Answer<()> {
        let threads = |expr: &Expr| matches!(&expr.kind, ExprKind::Call(name, _) if name == "pthread_create" || name == "pthread_join");
        if inside.any_expr(&threads)
            && let (Some(cond), Some(step)) = (cond, step)
            && let Some((name, values, last)) = self.iterations(first, cond, step, inside)
        {
            self.write_out(first, (&name, &values, last), inside, span);
            return Ok(());
        }
        let creates = self.only_creates;
        let unseen = step.is_none_or(|step| self.is_unseen(first, step));
        self.only_creates = unseen && self.is_open(cond) && creates_only(inside);
        let mut result = Ok(());
        // The code after a declaration: the condition, the body, and the step.
        let as_stmt = |expr: &Expr| Stmt { kind: StmtKind::Expr(expr.clone()), span: expr.span };
        let rest: Vec<Stmt> = cond
            .map(as_stmt)
            .into_iter()
            .chain([inside.clone()])
            .chain(step.map(as_stmt))
            .collect();
        let exprs: Vec<&Expr> = cond.into_iter().chain(step).collect();
        let whole = self.scoped(|body| {
            body.stmt(first, &rest);
            result = body.repeated(inside, &exprs, |body| body.iterate(cond, step, inside, span));
        });
        self.only_creates = creates;
        self.out.extend(whole);
        result
    }

    /// Whether a step of a loop only counts in a variable that no other thread sees.
    fn is_unseen(&self, first: &Stmt, step: &Expr) -> bool {
        let ExprKind::Step(_, _, place) = &step.kind else { return false };
        let ExprKind::Name(name) = &place.kind else { return false };
        let declares = matches!(&first.kind, StmtKind::Declare(all)
            if all.iter().any(|one| one.name == *name && !one.is_static));
        let is_local = matches!(self.meaning(name), Some(Meaning::Variable(one)) if !one.shared);
        !self.is_addressed(name) && (declares || is_local)
    }

    /// The variable of a loop, its values in the iterations, and its value after the last.
    fn iterations(
        &self,
        first: &Stmt,
        cond: &Expr,
        step: &Expr,
        inside: &Stmt,
    ) -> Option<(String, Vec<Typed>, Typed)> {
        let (name, start, ty) = match &first.kind {
            StmtKind::Declare(all) => match &all[..] {
                [one] if !one.is_static && !self.is_addressed(&one.name) => match &one.value {
                    Some(Initial::Value(value)) => {
                        (one.name.clone(), self.known_value(value)?, one.ty.clone())
                    }
                    _ => return None,
                },
                _ => return None,
            },
            StmtKind::Expr(Expr { kind: ExprKind::Assign(None, place, value), .. }) => {
                let ExprKind::Name(name) = &place.kind else { return None };
                // Only the loop itself changes it.
                match self.meaning(name)? {
                    Meaning::Variable(variable) if !variable.shared => {
                        (name.clone(), self.known_value(value)?, variable.ty)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let start = constant::fitted(start.0, &ty)?;
        let is_it = |expr: &Expr| expr.kind == ExprKind::Name(name.clone());
        let by = match &step.kind {
            ExprKind::Step(by, _, place) if is_it(place) => *by,
            ExprKind::Assign(Some("+"), place, by) if is_it(place) => self.known_value(by)?.0,
            ExprKind::Assign(Some("-"), place, by) if is_it(place) => -self.known_value(by)?.0,
            _ => return None,
        };
        let changes = |expr: &Expr| match &expr.kind {
            ExprKind::Assign(_, place, _)
            | ExprKind::Step(_, _, place)
            | ExprKind::Address(place) => is_it(place),
            _ => false,
        };
        let jumps = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Break | StmtKind::Continue);
        if inside.any_expr(&changes) || inside.any(&jumps) {
            return None;
        }
        let mut values = Vec::new();
        let mut value = start;
        loop {
            let typed = (value, ty.clone());
            let names = |other: &str| {
                if other == name { Some(typed.clone()) } else { self.known_name(other) }
            };
            if constant::value(cond, &names)?.0 == 0 {
                return Some((name, values, typed));
            }
            if values.len() >= MAX_ITERATIONS {
                return None;
            }
            values.push(typed);
            value = constant::fitted(value + by, &ty)?;
        }
    }

    /// Unrolls a loop.
    fn write_out(
        &mut self,
        first: &Stmt,
        (name, values, last): (&str, &[Typed], Typed),
        inside: &Stmt,
        span: Span,
    ) {
        let whole = self.scoped(|body| {
            body.stmt(first, std::slice::from_ref(inside));
            let Some(Meaning::Variable(variable)) = body.meaning(name) else { return };
            for (at, (value, ty)) in values.iter().chain([&last]).enumerate() {
                if at > 0 {
                    body.attempt(span, |body| {
                        let variable = Expr { kind: ExprKind::Name(name.to_owned()), span };
                        let place = body.place(&variable)?;
                        body.write(&place, Value::number(*value, ty.clone(), span), span)?;
                        Ok(())
                    });
                }
                if at < values.len() {
                    body.known.insert(variable.name.clone(), (*value, ty.clone()));
                    let copy = body.scoped(|body| body.stmt(inside, &[]));
                    body.out.extend(copy);
                }
            }
            body.known.remove(&variable.name);
        });
        self.out.extend(whole);
    }

    pub(super) fn switch(&mut self, value: &Expr, inside: &Stmt, span: Span) -> Answer<()> {
        let StmtKind::Block(stmts) = &inside.kind else {
            return refuse("a `switch` without a block");
        };
        check_switch(stmts)?;
        let value = self.value(value)?;
        let value = Value { reads: true, ..value };
        let value = Value { known: None, ..self.kept(value) };
        let groups = groups(stmts)?;
        let creates = std::mem::replace(&mut self.only_creates, false);
        let before = self.handles();
        let mut after = before.clone();
        let leaves = groups.iter().any(|group| group.body.iter().any(breaks));
        if leaves {
            self.around.push(Around::Switch);
        }
        let mut chain: Vec<ast::Stmt> = Vec::new();
        let mut cases = Vec::new();
        for group in &groups {
            self.set_handles(before.clone());
            let body = self.scoped(|body| body.stmts(&group.body));
            self.meet_handles(&after);
            after = self.handles();
            if group.is_default {
                chain = body;
            } else {
                cases.push((self.matches(&value, &group.values, span)?, body));
            }
        }
        for (cond, body) in cases.into_iter().rev() {
            let ((), one) = self.apart(|inner| {
                inner.branch(Value::truth(cond, false), body, std::mem::take(&mut chain), span);
                Ok(())
            })?;
            chain = one;
        }
        self.only_creates = creates;
        self.set_handles(after);
        if leaves {
            self.around.pop();
            chain.push(build::stmt(ast::StmtKind::Break(None), span));
            let always = ast::Cond::Expr(build::boolean(true, span));
            let kind = ast::StmtKind::While(
                always,
                ast::LoopFormulas::default(),
                build::block(chain, span),
            );
            chain = vec![build::stmt(kind, span)];
        }
        self.out.extend(chain);
        Ok(())
    }

    fn matches(&mut self, value: &Value, cases: &[Expr], span: Span) -> Answer<ast::Expr> {
        let mut all = Vec::new();
        for case in cases {
            let Some((case, ty)) = self.known_value(case) else {
                return refuse("a `case` that is no constant");
            };
            // Cases are converted to the type of the value that is compared with them.
            let promoted = constant::promoted(&value.ty);
            let Some(case) = constant::fitted(case, &promoted) else {
                return refuse(format!("a `case` of the type {ty:?}"));
            };
            let case = Value::number(case, promoted, span);
            all.push(operators::binary("==", value.clone(), case, span)?.into_truth());
        }
        match all.len() {
            1 => Ok(all.remove(0)),
            _ => Ok(ast::Expr { kind: ast::ExprKind::Or(all), span }),
        }
    }
}

/// Checks that each place that a `switch` may jump to is known, and that no declared name is used
/// behind another `case`.
fn check_switch(stmts: &[Stmt]) -> Answer<()> {
    let is_case = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Case(_) | StmtKind::Default);
    let hides =
        |stmt: &Stmt| stmt.any(&|inner: &Stmt| matches!(inner.kind, StmtKind::Unsupported(_)));
    if stmts.iter().any(|stmt| hides(stmt) || !is_case(stmt) && has_case(stmt)) {
        return refuse("a `switch` with something that is not understood, or a `case` deep inside");
    }
    let last = stmts.iter().rposition(is_case).unwrap_or(0);
    if stmts[..last].iter().any(|stmt| matches!(stmt.kind, StmtKind::Declare(_))) {
        return refuse("a variable that is declared between two cases");
    }
    Ok(())
}

/// Whether a `case` of the `switch` around a statement is inside of it.
fn has_case(stmt: &Stmt) -> bool {
    match stmt.kind {
        StmtKind::Case(_) | StmtKind::Default => true,
        StmtKind::Switch(..) => false,
        _ => stmt.inside().into_iter().any(has_case),
    }
}

fn break_unless(cond: ast::Expr, span: Span) -> ast::Stmt {
    let arm = ast::IfArm {
        cond: ast::Cond::Expr(build::not(cond)),
        then: build::block(vec![build::stmt(ast::StmtKind::Break(None), span)], span),
        span,
    };
    build::stmt(ast::StmtKind::If(vec![arm], None), span)
}

/// Cases with the same code.
struct Group {
    values: Vec<Expr>,
    is_default: bool,
    body: Vec<Stmt>,
}

/// The cases of a `switch`, each with all code that runs for it, also by falling through, without
/// the `break` at its end.
fn groups(stmts: &[Stmt]) -> Answer<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut starts = Vec::new();
    let mut fresh = true;
    for (at, stmt) in stmts.iter().enumerate() {
        let (value, is_default) = match &stmt.kind {
            StmtKind::Case(value) => (Some(value.clone()), false),
            StmtKind::Default => (None, true),
            _ if groups.is_empty() => return refuse("a statement before the first `case`"),
            _ => {
                fresh = true;
                continue;
            }
        };
        if fresh {
            groups.push(Group { values: Vec::new(), is_default: false, body: Vec::new() });
            starts.push(at);
        }
        fresh = false;
        if let Some(group) = groups.last_mut() {
            group.values.extend(value);
            group.is_default |= is_default;
        }
    }
    for (group, start) in groups.iter_mut().zip(starts) {
        for stmt in &stmts[start..] {
            match &stmt.kind {
                StmtKind::Case(_) | StmtKind::Default => {}
                StmtKind::Break => break,
                StmtKind::Return(_) | StmtKind::Continue | StmtKind::Goto(_) => {
                    group.body.push(stmt.clone());
                    break;
                }
                StmtKind::Block(inside)
                    if inside.last().is_some_and(|last| last.kind == StmtKind::Break) =>
                {
                    let kind = StmtKind::Block(inside[..inside.len() - 1].to_vec());
                    group.body.push(Stmt { kind, span: stmt.span });
                    break;
                }
                _ => group.body.push(stmt.clone()),
            }
        }
    }
    Ok(groups)
}

/// Whether a statement leaves the `switch` it is in.
fn breaks(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(..) | StmtKind::Switch(..) => {
            false
        }
        _ => stmt.inside().into_iter().any(breaks),
    }
}

/// Whether an expression is an arbitrary value.
fn is_any(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call(name, _) if name.starts_with("__VERIFIER_nondet_"))
}

/// Whether a loop does nothing but start threads.
fn creates_only(inside: &Stmt) -> bool {
    match &inside.kind {
        StmtKind::Block(stmts) => stmts.iter().all(creates_only),
        StmtKind::Empty => true,
        StmtKind::If(cond, one, other) => {
            is_any(cond) && creates_only(one) && other.as_deref().is_none_or(creates_only)
        }
        StmtKind::Declare(all) => all.iter().all(|one| one.ty == Type::Thread),
        StmtKind::Expr(expr) => {
            let call = match &expr.kind {
                ExprKind::Assign(None, place, value) if matches!(place.kind, ExprKind::Name(_)) => {
                    value
                }
                _ => expr,
            };
            match &call.kind {
                ExprKind::Call(name, args) => {
                    name == "pthread_create" && !args.iter().any(|arg| arg.any(&acts))
                }
                _ => false,
            }
        }
        _ => false,
    }
}
