//! Expressions and types, with parentheses only where they are needed.

use crate::ast::{BinaryOp, Expr, ExprKind, NameExpr, Param, Path, Type, TypeKind, precedence};

pub(super) fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    write(&mut out, expr, precedence::QUANTIFIER);
    out
}

pub(super) fn exprs(all: &[Expr]) -> String {
    let mut out = String::new();
    write_all(&mut out, all, ", ", precedence::QUANTIFIER);
    out
}

pub(super) fn path(path: &Path) -> String {
    path.segments.iter().map(|segment| segment.name.as_str()).collect::<Vec<_>>().join(".")
}

pub(super) fn ty(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Error => "/* error */".into(),
        TypeKind::Int => "int".into(),
        TypeKind::Bool => "bool".into(),
        TypeKind::Tid => "Tid".into(),
        TypeKind::Range(low, high) => {
            let mut out = String::new();
            write(&mut out, low, precedence::SUM);
            out.push_str("..");
            write(&mut out, high, precedence::SUM);
            out
        }
        TypeKind::Named(name) => path(name),
        TypeKind::Set(element) => format!("set<{}>", self::ty(element)),
        TypeKind::Map(key, value) => format!("[{}]{}", self::ty(key), self::ty(value)),
    }
}

/// `i, j: T, k: U`: neighbours of one type share it.
pub(super) fn params(all: &[Param]) -> String {
    let mut out = String::new();
    let mut last: Option<String> = None;
    for param in all {
        let ty = ty(&param.ty);
        if let Some(last) = last.take() {
            if last != ty {
                out.push_str(": ");
                out.push_str(&last);
            }
            out.push_str(", ");
        }
        out.push_str(param.name.name.as_str());
        last = Some(ty);
    }
    if let Some(last) = last {
        out.push_str(": ");
        out.push_str(&last);
    }
    out
}

/// How tightly the outermost operator binds.
fn precedence_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Forall(..) | ExprKind::Exists(..) => precedence::QUANTIFIER,
        ExprKind::Conditional(..) => precedence::CONDITIONAL,
        ExprKind::Or(_) => precedence::OR,
        ExprKind::And(_) => precedence::AND,
        ExprKind::Binary(op, ..) => op.precedence(),
        ExprKind::Not(_) | ExprKind::Neg(_) => precedence::UNARY,
        ExprKind::Error
        | ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Tid
        | ExprKind::Name(_)
        | ExprKind::Apply(..)
        | ExprKind::At(..)
        | ExprKind::Index(..)
        | ExprKind::Update(..)
        | ExprKind::ConstMap(_)
        | ExprKind::Set(_)
        | ExprKind::Size(_) => precedence::POSTFIX,
    }
}

/// Writes an expression where operators must bind at least this tightly.
fn write(out: &mut String, expr: &Expr, least: u8) {
    if precedence_of(expr) < least {
        out.push('(');
        write_bare(out, expr);
        out.push(')');
    } else {
        write_bare(out, expr);
    }
}

fn write_bare(out: &mut String, expr: &Expr) {
    let any = precedence::QUANTIFIER;
    match &expr.kind {
        ExprKind::Error => out.push_str("/* error */"),
        ExprKind::Int(value) => out.push_str(&value.to_string()),
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Tid => out.push_str("tid"),
        ExprKind::Name(name) => write_name(out, name),
        ExprKind::Apply(name, args) => {
            write_name(out, name);
            write_group(out, "(", args, ")");
        }
        ExprKind::At(thread, label) => write_at(out, thread, label),
        ExprKind::Not(inner) => {
            out.push('!');
            write(out, inner, precedence::UNARY);
        }
        // Two minus signs in a row would be another token.
        ExprKind::Neg(inner) => {
            out.push('-');
            let double = matches!(inner.kind, ExprKind::Neg(_));
            write(out, inner, if double { precedence::POSTFIX } else { precedence::UNARY });
        }
        ExprKind::And(all) => write_all(out, all, " && ", precedence::AND + 1),
        ExprKind::Or(all) => write_all(out, all, " || ", precedence::OR + 1),
        ExprKind::Binary(op, left, right) => write_binary(out, *op, left, right),
        ExprKind::Conditional(cond, then, otherwise) => {
            write(out, cond, precedence::CONDITIONAL + 1);
            out.push_str(" ? ");
            write(out, then, any);
            out.push_str(" : ");
            write(out, otherwise, precedence::CONDITIONAL);
        }
        ExprKind::Index(map, key) => {
            write(out, map, precedence::POSTFIX);
            out.push('[');
            write(out, key, any);
            out.push(']');
        }
        ExprKind::Update(map, key, value) => {
            write(out, map, precedence::POSTFIX);
            out.push('[');
            write(out, key, any);
            out.push_str(" := ");
            write(out, value, any);
            out.push(']');
        }
        ExprKind::ConstMap(value) => {
            out.push_str("[_ => ");
            write(out, value, any);
            out.push(']');
        }
        ExprKind::Size(set) => {
            out.push('#');
            write(out, set, precedence::POSTFIX);
        }
        ExprKind::Set(all) => write_group(out, "{", all, "}"),
        ExprKind::Forall(all, body) => write_quantified(out, "forall", all, body),
        ExprKind::Exists(all, body) => write_quantified(out, "exists", all, body),
    }
}

fn write_at(out: &mut String, thread: &Expr, label: &Path) {
    out.push_str("at(");
    write(out, thread, precedence::QUANTIFIER);
    out.push_str(", ");
    out.push_str(&path(label));
    out.push(')');
}

fn write_binary(out: &mut String, op: BinaryOp, left: &Expr, right: &Expr) {
    let own = op.precedence();
    // Arithmetic associates to the left, implication to the right, comparison not at all.
    let to_right = matches!(op, BinaryOp::Implies | BinaryOp::Iff);
    write(out, left, if op.is_arithmetic() { own } else { own + 1 });
    out.push(' ');
    out.push_str(op.text());
    out.push(' ');
    write(out, right, if to_right { own } else { own + 1 });
}

fn write_quantified(out: &mut String, word: &str, all: &[Param], body: &Expr) {
    out.push_str(word);
    out.push(' ');
    out.push_str(&params(all));
    out.push_str(" :: ");
    write(out, body, precedence::QUANTIFIER);
}

fn write_name(out: &mut String, name: &NameExpr) {
    out.push_str(&path(&name.path));
    if name.primed {
        out.push('\'');
    }
}

fn write_group(out: &mut String, open: &str, all: &[Expr], close: &str) {
    out.push_str(open);
    write_all(out, all, ", ", precedence::QUANTIFIER);
    out.push_str(close);
}

fn write_all(out: &mut String, all: &[Expr], between: &str, least: u8) {
    for (at, one) in all.iter().enumerate() {
        if at > 0 {
            out.push_str(between);
        }
        write(out, one, least);
    }
}
