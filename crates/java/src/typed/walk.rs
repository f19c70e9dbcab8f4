//! Walks over typed trees without knowing all of them.

use super::{Expr, ExprKind, MethodId, Place, Stmt, StmtKind, SwitchLabel};

/// The expressions directly inside an expression, those of places included.
pub(crate) fn children<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::Null
        | ExprKind::Local(_)
        | ExprKind::This
        | ExprKind::Static(_)
        | ExprKind::ClassObject(_)
        | ExprKind::Unsupported(_)
        | ExprKind::Result
        | ExprKind::Tid
        | ExprKind::MainThread
        | ExprKind::Bound(_) => {}
        ExprKind::Field(one, _)
        | ExprKind::Length(one)
        | ExprKind::Unary(_, one)
        | ExprKind::InstanceOf(one, _, _)
        | ExprKind::Cast(one)
        | ExprKind::Convert(one)
        | ExprKind::Box(one)
        | ExprKind::Unbox(one)
        | ExprKind::Old(one)
        | ExprKind::Size(one)
        | ExprKind::CloneOf(one)
        | ExprKind::Holder(one)
        | ExprKind::Started(one) => visit(one),
        ExprKind::Index(one, other)
        | ExprKind::Binary(_, one, other)
        | ExprKind::MapAt(one, other) => {
            visit(one);
            visit(other);
        }
        ExprKind::Conditional(one, two, three) | ExprKind::MapWith(one, two, three) => {
            visit(one);
            visit(two);
            visit(three);
        }
        ExprKind::NewArray(all)
        | ExprKind::ArrayOf(all)
        | ExprKind::Concat(all)
        | ExprKind::SetOf(all) => all.iter().for_each(visit),
        ExprKind::New { .. }
        | ExprKind::Call(_)
        | ExprKind::Assign(..)
        | ExprKind::AssignOp(..)
        | ExprKind::Step { .. }
        | ExprKind::Switch(_)
        | ExprKind::Quantified(_) => of_structure(expr, visit),
    }
}

/// The expressions directly inside one that consists of more than expressions.
fn of_structure<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::New { args, captured, .. } => {
            args.iter().for_each(&mut *visit);
            captured.iter().for_each(|(_, value)| visit(value));
        }
        ExprKind::Call(callee) => {
            callee.receiver.iter().for_each(&mut *visit);
            callee.args.iter().for_each(visit);
        }
        ExprKind::Assign(place, value) | ExprKind::AssignOp(place, _, _, value) => {
            of_place(place, visit);
            visit(value);
        }
        ExprKind::Step { place, .. } => of_place(place, visit),
        ExprKind::Switch(switch) => {
            visit(&switch.value);
            for case in &switch.cases {
                case.guard.iter().for_each(&mut *visit);
            }
        }
        ExprKind::Quantified(quantified) => {
            quantified.range.iter().for_each(&mut *visit);
            visit(&quantified.body);
        }
        _ => {}
    }
}

/// The expressions directly inside a place.
pub(crate) fn of_place<'e>(place: &'e Place, visit: &mut dyn FnMut(&'e Expr)) {
    match place {
        Place::Local(..) | Place::Static(..) => {}
        Place::Field(object, _, _) => visit(object),
        Place::Index(array, index, _) => {
            visit(array);
            visit(index);
        }
        Place::MapAt(inner, key, _) => {
            of_place(inner, visit);
            visit(key);
        }
    }
}

/// The expressions of a statement itself.
pub(crate) fn exprs<'s>(stmt: &'s Stmt, visit: &mut dyn FnMut(&'s Expr)) {
    match &stmt.kind {
        StmtKind::Local(_, value) | StmtKind::Return(value) => value.iter().for_each(visit),
        StmtKind::Expr(expr)
        | StmtKind::If(expr, _, _)
        | StmtKind::Yield(expr)
        | StmtKind::Throw(expr)
        | StmtKind::Synchronized(expr, _)
        | StmtKind::Check(expr) => visit(expr),
        StmtKind::Loop { cond, update, .. } => {
            cond.iter().for_each(&mut *visit);
            update.iter().for_each(visit);
        }
        StmtKind::ForEach { values, .. } => visit(values),
        StmtKind::Switch(_, switch) => {
            visit(&switch.value);
            for case in &switch.cases {
                case.guard.iter().for_each(&mut *visit);
                for label in &case.labels {
                    if let SwitchLabel::Value(value) | SwitchLabel::Constant(value) = label {
                        visit(value);
                    }
                }
            }
        }
        StmtKind::Construct { args, .. } => args.iter().for_each(visit),
        StmtKind::Init(place, value) => {
            of_place(place, visit);
            visit(value);
        }
        StmtKind::Set(place, value) => {
            of_place(place, visit);
            visit(&value.expr);
        }
        StmtKind::Assert(formula) | StmtKind::Assume(formula) => visit(&formula.expr),
        StmtKind::Block(_)
        | StmtKind::Labelled(..)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Try { .. }
        | StmtKind::Witness(_)
        | StmtKind::Atomic(_)
        | StmtKind::Unsupported(_) => {}
    }
}

/// The blocks of a statement.
pub(crate) fn blocks(stmt: &Stmt) -> Vec<&[Stmt]> {
    match &stmt.kind {
        StmtKind::Block(stmts)
        | StmtKind::Labelled(_, stmts)
        | StmtKind::Synchronized(_, stmts)
        | StmtKind::Atomic(stmts) => vec![stmts],
        StmtKind::If(_, then, otherwise) => vec![then, otherwise],
        StmtKind::Loop { body, .. } | StmtKind::ForEach { body, .. } => vec![body],
        StmtKind::Switch(_, switch) => switch.cases.iter().map(|case| &case.body[..]).collect(),
        StmtKind::Try { body, catches, finally } => {
            let mut all: Vec<&[Stmt]> = vec![body];
            all.extend(catches.iter().map(|catch| &catch.body[..]));
            all.push(finally);
            all
        }
        _ => Vec::new(),
    }
}

/// An expression and all inside it, but for statements of switch expressions.
pub(crate) fn deep<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    let mut rest = vec![expr];
    while let Some(expr) = rest.pop() {
        visit(expr);
        children(expr, &mut |child| rest.push(child));
    }
}

/// All statements, those inside of others and of switch expressions included.
pub(crate) fn all<'s>(stmts: &'s [Stmt], visit: &mut dyn FnMut(&'s Stmt)) {
    let mut rest: Vec<&'s [Stmt]> = vec![stmts];
    while let Some(stmts) = rest.pop() {
        for stmt in stmts {
            visit(stmt);
            rest.extend(blocks(stmt));
            exprs(stmt, &mut |expr| {
                deep(expr, &mut |part| {
                    if let ExprKind::Switch(switch) = &part.kind {
                        rest.extend(switch.cases.iter().map(|case| &case.body[..]));
                    }
                });
            });
        }
    }
}

/// The methods and constructors that statements name, each with whether the class of the object
/// decides what runs. What annotations name does not run.
pub(crate) fn callees(stmts: &[Stmt], visit: &mut dyn FnMut(MethodId, bool)) {
    all(stmts, &mut |stmt| {
        match &stmt.kind {
            StmtKind::Construct { constructor, .. } => visit(*constructor, false),
            StmtKind::Assert(_) | StmtKind::Assume(_) | StmtKind::Set(..) => return,
            _ => {}
        }
        exprs(stmt, &mut |expr| {
            deep(expr, &mut |part| match &part.kind {
                ExprKind::Call(callee) => {
                    if let Some(method) = callee.method {
                        visit(method, callee.is_virtual);
                    }
                }
                ExprKind::New { constructor: Some(constructor), .. } => visit(*constructor, false),
                _ => {}
            });
        });
    });
}
