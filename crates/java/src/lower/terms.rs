//! Short ways to write formulas and statements of Plato.

use crate::tree::Prim;
use crate::typed::Ty;
use plato::ast::{
    Action, BinaryOp, Block, Cond, Expr, ExprKind, Fault, Formula, IfArm, Item, ItemKind, NameExpr,
    Param, Source, Stmt, StmtKind, Type, TypeKind,
};
use plato::build;
use source::{Name, Span};

pub(super) use build::{boolean, int, name};

/// A variable, in the store after a step if `primed`.
pub(super) fn variable(name: &str, primed: bool, span: Span) -> Expr {
    let path = build::path(name, span);
    Expr { kind: ExprKind::Name(NameExpr { path, primed }), span }
}

pub(super) fn tid(span: Span) -> Expr {
    Expr { kind: ExprKind::Tid, span }
}

/// Operators, from left to right.
pub(super) trait Term: Sized {
    fn of(self, op: BinaryOp, other: Expr) -> Expr;
    fn equals(self, other: Expr) -> Expr;
    fn differs(self, other: Expr) -> Expr;
    fn implies(self, other: Expr) -> Expr;
    fn negated(self) -> Expr;
    /// `map[key]`
    fn at(self, key: Expr) -> Expr;
}

impl Term for Expr {
    fn of(self, op: BinaryOp, other: Expr) -> Expr {
        let span = self.span;
        build::binary(op, self, other, span)
    }

    fn equals(self, other: Expr) -> Expr {
        self.of(BinaryOp::Eq, other)
    }

    fn differs(self, other: Expr) -> Expr {
        self.of(BinaryOp::Ne, other)
    }

    fn implies(self, other: Expr) -> Expr {
        self.of(BinaryOp::Implies, other)
    }

    fn negated(self) -> Expr {
        match self.kind {
            ExprKind::Bool(value) => boolean(!value, self.span),
            ExprKind::Not(inner) => *inner,
            _ => build::not(self),
        }
    }

    fn at(self, key: Expr) -> Expr {
        let span = self.span;
        build::index(self, key, span)
    }
}

/// All of them.
pub(super) fn and(mut all: Vec<Expr>, span: Span) -> Expr {
    all.retain(|one| !matches!(one.kind, ExprKind::Bool(true)));
    match all.len() {
        0 => boolean(true, span),
        1 => all.remove(0),
        _ => Expr { kind: ExprKind::And(all), span },
    }
}

/// One of them.
pub(super) fn or(mut all: Vec<Expr>, span: Span) -> Expr {
    all.retain(|one| !matches!(one.kind, ExprKind::Bool(false)));
    match all.len() {
        0 => boolean(false, span),
        1 => all.remove(0),
        _ => Expr { kind: ExprKind::Or(all), span },
    }
}

pub(super) fn forall(vars: &[(&str, Type)], body: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Forall(params(vars, span), Box::new(body)), span }
}

pub(super) fn exists(vars: &[(&str, Type)], body: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Exists(params(vars, span), Box::new(body)), span }
}

fn params(vars: &[(&str, Type)], span: Span) -> Vec<Param> {
    vars.iter().map(|(name, ty)| Param { name: build::ident(name, span), ty: ty.clone() }).collect()
}

/// The type of objects.
pub(super) fn reference(span: Span) -> Type {
    build::ty(TypeKind::Named(build::path("Ref", span)), span)
}

pub(super) fn map(key: Type, value: Type) -> Type {
    let span = key.span;
    build::ty(TypeKind::Map(Box::new(key), Box::new(value)), span)
}

/// `map[_ => value]`
pub(super) fn constant_map(value: Expr) -> Expr {
    let span = value.span;
    Expr { kind: ExprKind::ConstMap(Box::new(value)), span }
}

pub(super) fn set(elements: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Set(elements), span }
}

pub(super) fn update(map: Expr, key: Expr, value: Expr) -> Expr {
    let span = map.span;
    Expr { kind: ExprKind::Update(Box::new(map), Box::new(key), Box::new(value)), span }
}

/// `name[keys] := value;`
pub(super) fn write(name: &str, keys: Vec<Expr>, value: Expr, span: Span) -> Stmt {
    build::assign(build::place(name, keys, span), value, span)
}

/// Several writes at once.
pub(super) fn write_all(writes: Vec<(&str, Expr, Expr)>, span: Span) -> Stmt {
    let mut places = Vec::new();
    let mut values = Vec::new();
    for (name, key, value) in writes {
        places.push(build::place(name, vec![key], span));
        values.push(value);
    }
    build::stmt(StmtKind::Assign(places, Source::Values(values)), span)
}

pub(super) fn havoc(name: &str, span: Span) -> Stmt {
    build::stmt(StmtKind::Havoc(vec![build::place(name, Vec::new(), span)]), span)
}

pub(super) fn assume(cond: Expr, span: Span) -> Stmt {
    build::stmt(StmtKind::Assume(cond), span)
}

pub(super) fn check(cond: Expr, fault: Fault, span: Span) -> Stmt {
    build::stmt(StmtKind::Check(cond, Box::new(fault)), span)
}

pub(super) fn atomic(stmts: Vec<Stmt>, span: Span) -> Stmt {
    build::stmt(StmtKind::Atomic(build::block(stmts, span)), span)
}

pub(super) fn branch(cond: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>, span: Span) -> Stmt {
    let arm = IfArm { cond: Cond::Expr(cond), then: build::block(then, span), span };
    let otherwise = (!otherwise.is_empty()).then(|| build::block(otherwise, span));
    build::stmt(StmtKind::If(vec![arm], otherwise), span)
}

/// `L: { stmts }`
pub(super) fn labelled(label: &str, stmts: Vec<Stmt>, span: Span) -> Stmt {
    let block = build::stmt(StmtKind::Block(build::block(stmts, span)), span);
    Stmt { label: Some(build::ident(label, span)), ..block }
}

/// `break L;`
pub(super) fn leave(label: &str, span: Span) -> Stmt {
    build::stmt(StmtKind::Break(Some(build::ident(label, span))), span)
}

/// A step given by a relation between the stores before and after.
pub(super) fn relation(modifies: &[&str], relation: Expr, span: Span) -> Stmt {
    let modifies = modifies.iter().map(|name| build::path(name, span)).collect();
    let (requires, ensures) = (Vec::new(), Vec::new());
    let action = Action { modifies, requires, action: relation, ensures };
    build::stmt(StmtKind::Action(Box::new(action)), span)
}

fn formula(label: Option<&str>, expr: Expr, span: Span) -> Formula {
    let name = label.map(|label| plato::ast::Ident { name: Name::from(label), span });
    Formula { name, expr, span }
}

pub(super) fn invariant(label: Option<&str>, expr: Expr, span: Span) -> Item {
    Item { kind: ItemKind::Invariant(formula(label, expr, span)), span }
}

pub(super) fn init(expr: Expr, span: Span) -> Item {
    Item { kind: ItemKind::Init(formula(None, expr, span)), span }
}

pub(super) fn rely(label: Option<&str>, expr: Expr, span: Span) -> Item {
    Item { kind: ItemKind::Rely(formula(label, expr, span)), span }
}

pub(super) fn block(stmts: Vec<Stmt>, span: Span) -> Block {
    build::block(stmts, span)
}

/// The type of Plato whose values stand for those of a type of Java.
pub(super) fn sort(ty: &Ty, span: Span) -> Type {
    match ty {
        Ty::Prim(Prim::Boolean) => build::ty(TypeKind::Bool, span),
        Ty::Prim(_) | Ty::Void => build::ty(TypeKind::Int, span),
        Ty::Thread => build::ty(TypeKind::Tid, span),
        Ty::Map(key, value) => map(sort(key, span), sort(value, span)),
        Ty::Set(element) => build::ty(TypeKind::Set(Box::new(sort(element, span))), span),
        Ty::Null | Ty::Class(_) | Ty::Array(_) | Ty::Unknown => reference(span),
    }
}

/// The first value of a variable of a type.
pub(super) fn zero(ty: &Ty, span: Span) -> Expr {
    match ty {
        Ty::Prim(Prim::Boolean) => boolean(false, span),
        Ty::Prim(_) | Ty::Void | Ty::Thread => int(0, span),
        Ty::Map(_, value) => constant_map(zero(value, span)),
        Ty::Set(_) => set(Vec::new(), span),
        Ty::Null | Ty::Class(_) | Ty::Array(_) | Ty::Unknown => null(span),
    }
}

/// No object.
pub(super) fn null(span: Span) -> Expr {
    name("null", span)
}

/// That a value is a real object that others may know too.
pub(super) fn is_object(value: &Expr) -> Expr {
    let span = value.span;
    let exists = value.clone().differs(null(span));
    and(vec![exists, name("shared", span).at(value.clone())], span)
}
