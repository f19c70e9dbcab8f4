//! Lambda expressions that are run at once, by the library method that they are given to. They are
//! checked where that happens, with the locks that are held there.

use super::terms::{self, Term as _};
use super::{Lowering, name_of};
use crate::typed::{
    ClassId, ClassKind, Expr, ExprKind, FieldId, LocalId, MethodId, Origin, Place, Program,
    StmtKind, Ty, walk,
};
use plato::ast;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What the text tells of the object in a variable.
#[derive(Clone)]
pub(super) struct Exact {
    pub(super) class: ClassId,
    /// The values of its fields, of a lambda expression that is run at once.
    pub(super) captured: BTreeMap<FieldId, ast::Expr>,
}

impl Lowering<'_> {
    /// A lambda expression that is run at once. Nobody asks for more than its values, so that there
    /// is no object of it.
    pub(super) fn run_at_once(
        &mut self,
        class: ClassId,
        captured: Vec<(FieldId, ast::Expr, Ty)>,
        span: Span,
    ) -> ast::Expr {
        let local = self.temp("new lambda", terms::reference(span));
        let object = terms::name(&local, span);
        self.push(terms::assume(object.clone().differs(terms::null(span)), span));
        let captured = captured.into_iter().map(|(field, value, _)| (field, value)).collect();
        self.exact.insert(local, Exact { class, captured });
        object
    }

    /// The value of a field of a lambda expression that is run at once.
    pub(super) fn captured(&self, object: &ast::Expr, field: FieldId) -> Option<ast::Expr> {
        self.exact.get(name_of(object)?)?.captured.get(&field).cloned()
    }

    /// What is known of an object is known of it in another variable too.
    pub(super) fn same_object(&mut self, value: &ast::Expr, variable: &str) {
        if let Some(exact) = name_of(value).and_then(|name| self.exact.get(name)) {
            self.exact.insert(variable.to_owned(), exact.clone());
        }
        self.same_array(value, variable);
    }
}

/// The classes of lambda expressions that nobody but the method that gets them runs.
pub(super) fn run_at_once(program: &Program) -> BTreeSet<ClassId> {
    let mut classes: BTreeSet<ClassId> = BTreeSet::new();
    let bodies = program.methods.iter().filter_map(|method| method.body.as_ref());
    for body in bodies {
        walk::all(&body.stmts, &mut |stmt| {
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| {
                    let ExprKind::Call(callee) = &part.kind else { return };
                    let Some(method) = callee.method else { return };
                    for (at, arg) in callee.args.iter().enumerate() {
                        if let Some(class) = lambda(program, arg)
                            && only_calls(program, method, LocalId::from_index(at))
                        {
                            classes.insert(class);
                        }
                    }
                });
            });
        });
    }
    classes
}

/// The class that stands for a lambda expression.
fn lambda(program: &Program, expr: &Expr) -> Option<ClassId> {
    match &expr.kind {
        ExprKind::New { class, .. } if program.class(*class).kind == ClassKind::Lambda => {
            Some(*class)
        }
        ExprKind::Cast(inner) => lambda(program, inner),
        _ => None,
    }
}

/// Whether a method of the library does nothing with a parameter but call methods on it. Which
/// method runs must not depend on classes of the program.
fn only_calls(program: &Program, id: MethodId, param: LocalId) -> bool {
    let method = program.method(id);
    let is_library =
        |id: MethodId| program.class(program.method(id).class).origin != Origin::Checked;
    let Some(body) = &method.body else { return false };
    if !is_library(id) || !method.overridden_by.iter().all(|other| is_library(*other)) {
        return false;
    }
    let is_param = |expr: &Expr| matches!(expr.kind, ExprKind::Local(local) if local == param);
    let (mut uses, mut calls, mut is_written) = (0, 0, false);
    walk::all(&body.stmts, &mut |stmt| {
        if let StmtKind::Init(Place::Local(local, _), _) = &stmt.kind {
            is_written |= *local == param;
        }
        walk::exprs(stmt, &mut |expr| {
            walk::deep(expr, &mut |part| {
                uses += usize::from(is_param(part));
                match &part.kind {
                    ExprKind::Call(callee) => {
                        calls += usize::from(callee.receiver.as_ref().is_some_and(is_param));
                    }
                    ExprKind::Assign(place, _) => {
                        is_written |= matches!(**place, Place::Local(local, _) if local == param);
                    }
                    _ => {}
                }
            });
        });
    });
    uses == calls && !is_written
}
