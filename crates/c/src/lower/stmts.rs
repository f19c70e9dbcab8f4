//! Statements.

use super::body::{Around, Body, Meaning, Next};
use super::values::converted;
use super::{Answer, refuse};
use crate::syntax::{Expr, ExprKind, Initial, Stmt, StmtKind, Type};
use crate::{build, constant};
use plato::ast;
use source::Span;

impl Body<'_, '_> {
    /// The statements of a block, in the names of the scope around them.
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        let mut at = 0;
        while let Some(stmt) = stmts.get(at) {
            at += 1;
            let is_own = |name| self.lowering.find_function(name).is_some();
            let is_bracket = !is_own("__VERIFIER_atomic_begin") && !is_own("__VERIFIER_atomic_end");
            if is_bracket && is_call(stmt, "__VERIFIER_atomic_begin") {
                let end =
                    stmts[at..].iter().position(|stmt| is_call(stmt, "__VERIFIER_atomic_end"));
                let Some(end) = end else {
                    self.attempt(stmt.span, |_| {
                        refuse("an atomic block that does not end in the same block")
                    });
                    return;
                };
                self.at_once(&stmts[at..at + end], stmt.span);
                at += end + 1;
                continue;
            }
            self.bounds = stmts.get(at).and_then(|next| self.bounds_on(stmt, next));
            self.stmt(stmt, &stmts[at..]);
            self.temporaries.free();
            self.bounds = None;
        }
    }

    /// The statements between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end`. Their
    /// declarations can be used afterwards.
    fn at_once(&mut self, stmts: &[Stmt], span: Span) {
        if self.whole {
            self.stmts(stmts);
            return;
        }
        let outer = std::mem::take(&mut self.out);
        self.whole = true;
        self.around.push(Around::Atomic);
        self.stmts(stmts);
        self.around.pop();
        self.whole = false;
        let inside = std::mem::replace(&mut self.out, outer);
        // Declarations go before the block, so that their names are visible behind it.
        let mut body = Vec::new();
        for stmt in inside {
            match stmt.kind {
                ast::StmtKind::Var(var) => self.declare_before(var, stmt.span, &mut body),
                _ => body.push(stmt),
            }
        }
        self.out.push(build::stmt(ast::StmtKind::Atomic(build::block(body, span)), span));
    }

    /// A declaration in two parts: the name before an atomic block, its value inside.
    fn declare_before(&mut self, var: ast::LocalVar, span: Span, body: &mut Vec<ast::Stmt>) {
        let Some(ty) = var.ty else { return };
        for name in var.names {
            let value = ast::Source::Values(vec![some_value(&ty)]);
            self.out.push(build::local(name.name.as_str(), ty.clone(), Some(value), span));
            let place = build::place(name.name.as_str(), Vec::new(), span);
            let kind = match &var.value {
                Some(source) => ast::StmtKind::Assign(vec![place], source.clone()),
                None => ast::StmtKind::Havoc(vec![place]),
            };
            body.push(build::stmt(kind, span));
        }
    }

    /// A statement, with those that follow it in its block.
    pub(super) fn stmt(&mut self, stmt: &Stmt, rest: &[Stmt]) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Label(_) => {}
            StmtKind::Block(stmts) => {
                let inside = self.scoped(|body| body.stmts(stmts));
                self.out.extend(inside);
            }
            StmtKind::Declare(all) => {
                for declared in all {
                    self.attempt(declared.span, |body| body.declare_local(declared, rest));
                }
            }
            StmtKind::Expr(expr) => self.attempt(span, |body| body.effect_stmt(expr, span)),
            StmtKind::If(cond, then, otherwise) => {
                self.attempt(span, |body| body.choice(cond, then, otherwise.as_deref(), span));
            }
            StmtKind::While(cond, inside) => {
                self.attempt(span, |body| body.while_loop(cond, inside, span));
            }
            StmtKind::DoWhile(inside, cond) => {
                self.attempt(span, |body| body.do_loop(inside, cond, span));
            }
            StmtKind::For(first, cond, step, inside) => {
                self.attempt(span, |body| {
                    body.for_loop(first, (cond.as_ref(), step.as_ref()), inside, span)
                });
            }
            StmtKind::Switch(value, inside) => {
                self.attempt(span, |body| body.switch(value, inside, span));
            }
            StmtKind::Break => self.attempt(span, |body| body.leave_loop(span)),
            StmtKind::Continue => self.attempt(span, |body| body.next_iteration(span)),
            StmtKind::Return(value) => {
                self.attempt(span, |body| body.give_back(value.as_ref(), span));
            }
            StmtKind::Goto(label) => self.attempt(span, |body| body.jump(label, span)),
            StmtKind::Case(_) | StmtKind::Default => {
                self.attempt(span, |_| refuse("a `case` that is not at the top of its `switch`"));
            }
            StmtKind::Unsupported(what) => self.attempt(span, |_| refuse(what.clone())),
        }
    }

    /// An expression as a statement. An assertion has the place of the whole statement.
    fn effect_stmt(&mut self, expr: &Expr, span: Span) -> Answer<()> {
        match &expr.kind {
            ExprKind::Call(name, args) => {
                self.call(name, args, span)?;
                Ok(())
            }
            _ => self.effect(expr),
        }
    }

    fn choice(
        &mut self,
        cond: &Expr,
        then: &Stmt,
        otherwise: Option<&Stmt>,
        span: Span,
    ) -> Answer<()> {
        let cond = self.value(cond)?;
        if let Some(known) = cond.known {
            // No jump leads into the other part: `goto` is refused unless it leads to an error.
            let chosen = if known != 0 { Some(then) } else { otherwise };
            if let Some(chosen) = chosen {
                let inside = self.scoped(|body| body.stmt(chosen, &[]));
                self.out.extend(inside);
            }
            return Ok(());
        }
        let before = self.handles();
        let then = self.scoped(|body| body.stmt(then, &[]));
        let after = self.set_handles(before);
        let otherwise =
            otherwise.map_or_else(Vec::new, |other| self.scoped(|body| body.stmt(other, &[])));
        self.meet_handles(&after);
        self.branch(cond, then, otherwise, span);
        Ok(())
    }

    fn leave_loop(&mut self, span: Span) -> Answer<()> {
        match self.around.last() {
            Some(Around::Loop(_) | Around::Switch) => {
                self.out.push(build::stmt(ast::StmtKind::Break(None), span));
                Ok(())
            }
            Some(Around::Atomic) => refuse("leaving an atomic block"),
            None => refuse("`break` outside of a loop"),
        }
    }

    fn next_iteration(&mut self, span: Span) -> Answer<()> {
        match self.around.last().cloned() {
            Some(Around::Loop(next)) => {
                match next {
                    Next::Nothing => {}
                    Next::Step(step) => self.effect(&step)?,
                    Next::Test(cond, place) => self.leave_unless(&cond, place)?,
                }
                self.out.push(build::stmt(ast::StmtKind::Continue(None), span));
                Ok(())
            }
            Some(Around::Switch) => refuse("`continue` inside of this `switch`"),
            Some(Around::Atomic) => refuse("leaving an atomic block"),
            None => refuse("`continue` outside of a loop"),
        }
    }

    /// `return value;`
    pub(super) fn give_back(&mut self, value: Option<&Expr>, span: Span) -> Answer<()> {
        if self.around.iter().any(|around| matches!(around, Around::Atomic)) {
            return refuse("leaving an atomic block");
        }
        let ty = self.function.ty.clone();
        let values = match (&ty, value) {
            (Type::Void, None) => Vec::new(),
            (Type::Void, Some(value)) => {
                self.effect(value)?;
                Vec::new()
            }
            (Type::Int(..) | Type::Bool, Some(value)) => {
                let value = self.value(value)?;
                vec![converted(value, &ty).expr]
            }
            // Results of other types are refused where somebody uses them, and so are those of
            // threads.
            (_, Some(value)) => {
                self.discard(value)?;
                vec![build::int(0, span)]
            }
            (_, None) => {
                self.fall_off(span);
                return Ok(());
            }
        };
        self.out.push(build::stmt(ast::StmtKind::Return(values), span));
        Ok(())
    }

    /// Jumps are followed only if they lead to an error.
    fn jump(&mut self, label: &str, span: Span) -> Answer<()> {
        let is_error = leads_to_error(&self.function.body, label);
        if !is_error {
            return refuse("`goto`");
        }
        self.out.push(build::stmt(ast::StmtKind::Assert(build::boolean(false, span)), span));
        Ok(())
    }

    /// Bounds that the statement assumes of a variable.
    fn bounds_on(&self, given: &Stmt, stmt: &Stmt) -> Option<(i128, i128)> {
        let (name, ty) = self.assigned(given)?;
        let StmtKind::Expr(Expr { kind: ExprKind::Call(called, args), .. }) = &stmt.kind else {
            return None;
        };
        let [cond] = &args[..] else { return None };
        let (mut low, mut high) = (i128::MIN, i128::MAX);
        self.narrow((name, &ty), cond, &mut low, &mut high);
        (self.is_assumption(called) && low > i128::MIN && high < i128::MAX).then_some((low, high))
    }

    /// The variable to which a statement gives an arbitrary value of its type, if nobody else sees
    /// it before the assumption that follows.
    fn assigned<'s>(&self, stmt: &'s Stmt) -> Option<(&'s str, Type)> {
        let (name, ty, value) = match &stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Assign(None, place, value), .. }) => {
                let ExprKind::Name(name) = &place.kind else { return None };
                match self.meaning(name)? {
                    Meaning::Variable(variable) if !variable.shared || self.whole => {
                        (name, variable.ty, value.as_ref())
                    }
                    _ => return None,
                }
            }
            StmtKind::Declare(all) => match &all[..] {
                [one] if !one.is_static && !self.is_addressed(&one.name) => match &one.value {
                    Some(Initial::Value(value)) => (&one.name, one.ty.clone(), value),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let ExprKind::Call(called, _) = &value.kind else { return None };
        (super::library::arbitrary_type(called)? == ty).then_some((name, ty))
    }

    fn narrow(&self, (name, ty): (&str, &Type), cond: &Expr, low: &mut i128, high: &mut i128) {
        let ExprKind::Binary(sign, one, other) = &cond.kind else { return };
        if *sign == "&&" {
            self.narrow((name, ty), one, low, high);
            self.narrow((name, ty), other, low, high);
            return;
        }
        let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(found) if found == name);
        let (sign, bound) = match (is_it(one), is_it(other)) {
            (true, false) => (*sign, self.known_value(other)),
            (false, true) => (mirrored(sign), self.known_value(one)),
            _ => return,
        };
        let Some((bound, bound_type)) = bound else { return };
        // The comparison is one of numbers only if the variable keeps its value in the common type.
        let keeps = match (ty, constant::common(ty, &bound_type)) {
            (Type::Int(_, true), Type::Int(_, signed)) => signed,
            (Type::Int(_, false) | Type::Bool, Type::Int(..)) => bound >= 0,
            _ => false,
        };
        if !keeps {
            return;
        }
        match sign {
            "<" => *high = (*high).min(bound - 1),
            "<=" => *high = (*high).min(bound),
            ">" => *low = (*low).max(bound + 1),
            ">=" => *low = (*low).max(bound),
            "==" => (*low, *high) = ((*low).max(bound), (*high).min(bound)),
            _ => {}
        }
    }
}

fn mirrored(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}

/// Some value of a type.
fn some_value(ty: &ast::Type) -> ast::Expr {
    match &ty.kind {
        ast::TypeKind::Bool => build::boolean(false, ty.span),
        ast::TypeKind::Range(low, _) => (**low).clone(),
        ast::TypeKind::Map(_, element) => {
            let kind = ast::ExprKind::ConstMap(Box::new(some_value(element)));
            ast::Expr { kind, span: ty.span }
        }
        _ => build::int(0, ty.span),
    }
}

fn is_call(stmt: &Stmt, name: &str) -> bool {
    matches!(&stmt.kind, StmtKind::Expr(Expr { kind: ExprKind::Call(called, _), .. }) if called == name)
}

/// Whether an error follows a label at once.
fn leads_to_error(stmts: &[Stmt], label: &str) -> bool {
    let fails = |expr: &Expr| matches!(&expr.kind, ExprKind::Call(name, _) if matches!(name.as_str(), "reach_error" | "__VERIFIER_error" | "__assert_fail"));
    let at = stmts
        .iter()
        .position(|stmt| matches!(&stmt.kind, StmtKind::Label(found) if found == label));
    if let Some(at) = at {
        let next = stmts[at + 1..].iter().find(|stmt| stmt.kind != StmtKind::Empty);
        let first = next.and_then(|stmt| match &stmt.kind {
            StmtKind::Block(inside) => inside.first(),
            _ => Some(stmt),
        });
        return first.is_some_and(|stmt| matches!(&stmt.kind, StmtKind::Expr(expr) if fails(expr)));
    }
    stmts.iter().any(|stmt| {
        let inside: Vec<Stmt> = stmt.inside().into_iter().cloned().collect();
        !inside.is_empty() && leads_to_error(&inside, label)
    })
}
