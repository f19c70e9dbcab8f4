//! Pieces of trees, for translations from other languages.

use crate::ast::{
    BinaryOp, Block, Call, Expr, ExprKind, Ident, Item, ItemKind, LocalVar, NameExpr, Param, Path,
    Place, Source, Stmt, StmtKind, Type, TypeKind, VarItem,
};
use source::{Name, Span};

pub fn ident(name: &str, span: Span) -> Ident {
    Ident { name: Name::from(name), span }
}

pub fn path(name: &str, span: Span) -> Path {
    Path { segments: vec![ident(name, span)], span }
}

pub fn name(name: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(NameExpr { path: path(name, span), primed: false }), span }
}

pub fn int(value: i128, span: Span) -> Expr {
    // Plato writes negative numbers with an operator.
    if value < 0 {
        let positive = Expr { kind: ExprKind::Int(value.saturating_neg()), span };
        return Expr { kind: ExprKind::Neg(Box::new(positive)), span };
    }
    Expr { kind: ExprKind::Int(value), span }
}

pub fn boolean(value: bool, span: Span) -> Expr {
    Expr { kind: ExprKind::Bool(value), span }
}

pub fn not(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Not(Box::new(expr)), span }
}

pub fn neg(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Neg(Box::new(expr)), span }
}

pub fn binary(op: BinaryOp, one: Expr, other: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(one), Box::new(other)), span }
}

/// Whether a number is between two others.
pub fn within(value: Expr, (low, high): (i128, i128), span: Span) -> Expr {
    let least = binary(BinaryOp::Ge, value.clone(), int(low, span), span);
    let most = binary(BinaryOp::Le, value, int(high, span), span);
    Expr { kind: ExprKind::And(vec![least, most]), span }
}

pub fn conditional(cond: Expr, one: Expr, other: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Conditional(Box::new(cond), Box::new(one), Box::new(other)), span }
}

pub fn index(map: Expr, key: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Index(Box::new(map), Box::new(key)), span }
}

pub fn place(name: &str, indices: Vec<Expr>, span: Span) -> Place {
    Place { path: path(name, span), indices, span }
}

pub fn ty(kind: TypeKind, span: Span) -> Type {
    Type { kind, span }
}

pub fn range(low: i128, high: i128, span: Span) -> Type {
    ty(TypeKind::Range(Box::new(int(low, span)), Box::new(int(high, span))), span)
}

pub fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { label: None, performs: None, undisturbed: false, kind, span }
}

pub fn block(stmts: Vec<Stmt>, span: Span) -> Block {
    Block { stmts, span }
}

pub fn assign(place: Place, value: Expr, span: Span) -> Stmt {
    stmt(StmtKind::Assign(vec![place], Source::Values(vec![value])), span)
}

pub fn local(name: &str, ty: Type, value: Option<Source>, span: Span) -> Stmt {
    stmt(StmtKind::Var(LocalVar { names: vec![ident(name, span)], ty: Some(ty), value }), span)
}

pub fn call(callee: &str, args: Vec<Expr>, span: Span) -> Call {
    Call { callee: path(callee, span), args, span }
}

pub fn param(name: &str, span: Span) -> Param {
    Param { name: ident(name, span), ty: ty(TypeKind::Int, span) }
}

/// Something that cannot be expressed, so that nothing is known of the program.
pub fn unsupported(message: String, span: Span) -> Item {
    Item { kind: ItemKind::Unsupported(message), span }
}

/// `var name: ty = value;`
pub fn global(name: &str, ty: Type, value: Expr, span: Span) -> Item {
    let var = VarItem { names: vec![ident(name, span)], ty, value: Some(value), guard: None };
    Item { kind: ItemKind::Var(var), span }
}
