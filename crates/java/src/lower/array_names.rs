//! By which names arrays are known, as far as the text tells.

use super::homes::Homes;
use super::library::{Effect, effect};
use crate::tree::BinaryOp;
use crate::typed::{
    Body, Expr, ExprKind, FieldId, LocalId, MethodId, Place, Program, StmtKind, Ty, walk,
};
use std::collections::{BTreeMap, BTreeSet};

/// Variables that get a value where they are declared and never again.
pub(super) fn written_once(body: &Body) -> BTreeMap<LocalId, &Expr> {
    let mut values: BTreeMap<LocalId, &Expr> = BTreeMap::new();
    let mut others = written_again(body);
    walk::all(&body.stmts, &mut |stmt| {
        if let StmtKind::Local(local, Some(value)) = &stmt.kind
            && values.insert(*local, value).is_some()
        {
            others.insert(*local);
        }
    });
    values.retain(|local, _| !others.contains(local));
    values
}

/// Variables that get values elsewhere than where they are declared.
fn written_again(body: &Body) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let mut add = |place: &Place| {
        if let Place::Local(local, _) = place {
            found.insert(*local);
        }
    };
    walk::all(&body.stmts, &mut |stmt| {
        if let StmtKind::Init(place, _) | StmtKind::Set(place, _) = &stmt.kind {
            add(place);
        }
        walk::exprs(stmt, &mut |expr| {
            walk::deep(expr, &mut |part| {
                if let ExprKind::Assign(place, _)
                | ExprKind::AssignOp(place, ..)
                | ExprKind::Step { place, .. } = &part.kind
                {
                    add(place);
                }
            });
        });
    });
    found
}

/// Whether nothing writes a parameter.
pub(super) fn is_never_written(body: &Body, param: LocalId) -> bool {
    !written_again(body).contains(&param)
}

/// Variables that have the arrays of fields, with the expressions that give them.
pub(super) fn array_names(body: &Body) -> BTreeMap<LocalId, &Expr> {
    let mut names = written_once(body);
    let is_array = |value: &Expr| matches!(value.ty, Ty::Array(_));
    let is_field = |value: &Expr| matches!(value.kind, ExprKind::Field(..) | ExprKind::Static(_));
    names.retain(|_, value| is_array(value) && is_field(value));
    names
}

/// Fields whose arrays may be known by other names than fields and the variables that are found
/// here: they are returned, passed on or stored elsewhere.
pub(super) fn escaping(program: &Program, homes: &Homes) -> BTreeSet<FieldId> {
    let mut escaping = BTreeSet::new();
    for (at, method) in program.methods.iter().enumerate() {
        if let Some(body) = &method.body {
            Names::new(homes, Some(MethodId::from_index(at)), body)
                .escaping(&mut escaping, program);
        }
    }
    for body in program.classes.iter().filter_map(|class| class.static_init.as_ref()) {
        Names::new(homes, None, body).escaping(&mut escaping, program);
    }
    escaping
}

/// Names of arrays of fields in a body.
struct Names<'p> {
    homes: &'p Homes,
    method: Option<MethodId>,
    body: &'p Body,
    locals: BTreeMap<LocalId, &'p Expr>,
}

impl<'p> Names<'p> {
    fn new(homes: &'p Homes, method: Option<MethodId>, body: &'p Body) -> Self {
        Self { homes, method, body, locals: array_names(body) }
    }

    /// The field whose array an expression gives.
    fn field(&self, expr: &Expr) -> Option<FieldId> {
        let field = match &expr.kind {
            ExprKind::Field(_, field) | ExprKind::Static(field) => Some(*field),
            ExprKind::Assign(place, _) => match **place {
                Place::Field(_, field, _) | Place::Static(field, _) => Some(field),
                _ => None,
            },
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(value) => self.field(value),
                None => self.method.and_then(|method| self.homes.stored(method, *local)),
            },
            _ => None,
        };
        field.filter(|field| self.homes.is_own(*field))
    }

    /// Counts where arrays are named, and where that makes no other name for them.
    fn escaping(&self, escaping: &mut BTreeSet<FieldId>, program: &Program) {
        let mut named: BTreeMap<FieldId, usize> = BTreeMap::new();
        let mut harmless: BTreeMap<FieldId, usize> = BTreeMap::new();
        let add = |counts: &mut BTreeMap<FieldId, usize>, expr: &Expr| {
            if let Some(field) = self.field(expr) {
                *counts.entry(field).or_default() += 1;
            }
        };
        walk::all(&self.body.stmts, &mut |stmt| {
            match &stmt.kind {
                StmtKind::Expr(value)
                | StmtKind::ForEach { values: value, .. }
                | StmtKind::Synchronized(value, _) => add(&mut harmless, value),
                StmtKind::Local(local, Some(value)) if self.locals.contains_key(local) => {
                    add(&mut harmless, value);
                }
                StmtKind::Init(place, value) => {
                    used_by_place(place, &mut |part| add(&mut harmless, part));
                    self.its_store(place, value).iter().for_each(|part| add(&mut harmless, part));
                }
                _ => {}
            }
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| {
                    add(&mut named, part);
                    self.uses(program, part, &mut |part| add(&mut harmless, part));
                });
            });
        });
        let is_told = |field: &FieldId, count: &usize| harmless.get(field) == Some(count);
        escaping.extend(named.iter().filter(|(id, n)| !is_told(id, n)).map(|(id, _)| *id));
    }

    /// The parts of an expression for which no other name is made.
    fn uses(&self, program: &Program, part: &Expr, visit: &mut dyn FnMut(&Expr)) {
        match &part.kind {
            ExprKind::Index(array, _) | ExprKind::Length(array) | ExprKind::CloneOf(array) => {
                visit(array);
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, one, other) => {
                visit(one);
                visit(other);
            }
            ExprKind::Assign(place, value) => {
                used_by_place(place, visit);
                self.its_store(place, value).into_iter().for_each(visit);
            }
            ExprKind::AssignOp(place, ..) | ExprKind::Step { place, .. } => {
                used_by_place(place, visit);
            }
            ExprKind::Call(callee) => {
                let method = callee.method.and_then(|id| effect(program, id));
                if method == Some(Effect::ArrayCopy) {
                    callee.args.iter().for_each(visit);
                }
            }
            _ => {}
        }
    }

    /// The variable from which a new array gets to the field to which it belongs.
    fn its_store<'e>(&self, place: &Place, value: &'e Expr) -> Option<&'e Expr> {
        let mut value = value;
        while let ExprKind::Cast(inner) = &value.kind {
            value = inner;
        }
        let (Place::Field(_, field, _) | Place::Static(field, _)) = place else { return None };
        let is_it = matches!(value.kind, ExprKind::Local(_)) && self.field(value) == Some(*field);
        is_it.then_some(value)
    }
}

/// The array of an element.
fn used_by_place(place: &Place, visit: &mut dyn FnMut(&Expr)) {
    if let Place::Index(array, ..) = place {
        visit(array);
    }
}
