//! Terms as SMT-LIB text.

use crate::term::{ArithmeticOp, Node, Quantifier, SetOp, Symbol, Term, Terms};
use std::borrow::Cow;
use std::fmt::Write;

/// The SMT-LIB text of a term, without sharing.
pub fn print(terms: &Terms, term: Term) -> String {
    let mut out = String::new();
    write_term(&mut out, terms, term, &|_| None);
    out
}

/// The SMT-LIB text of a symbol.
pub fn symbol_text(terms: &Terms, symbol: Symbol) -> String {
    quote(terms.name(symbol)).into_owned()
}

/// A name as SMT-LIB needs it: quoted unless it is plain.
pub(crate) fn quote(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.!@$%&*+-/<=>?~^".contains(c);
    let starts_well =
        name.chars().next().is_some_and(|c| !c.is_ascii_digit() && c != '@' && c != '.');
    if starts_well && name.chars().all(plain) && !RESERVED.contains(&name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("|{name}|"))
    }
}

/// Words that SMT-LIB would read as something else. Quoting does not separate them from the
/// theories' own functions, so callers give program variables names that cannot be theory functions
/// (see `Terms::symbol` users); this list covers the syntax.
const RESERVED: &[&str] =
    &["let", "forall", "exists", "as", "par", "match", "_", "!", "true", "false"];

/// Writes the term; `named` gives the name of a term that was defined before.
pub(crate) fn write_term(
    out: &mut String,
    terms: &Terms,
    term: Term,
    named: &dyn Fn(Term) -> Option<String>,
) {
    if let Some(name) = named(term) {
        out.push_str(&name);
        return;
    }
    write_node(out, terms, term, named);
}

/// Writes the term's own node even if the term has a name.
pub(crate) fn write_node(
    out: &mut String,
    terms: &Terms,
    term: Term,
    named: &dyn Fn(Term) -> Option<String>,
) {
    let list = |out: &mut String, head: &str, parts: &[Term]| {
        out.push('(');
        out.push_str(head);
        for &part in parts {
            out.push(' ');
            write_term(out, terms, part, named);
        }
        out.push(')');
    };
    match terms.node(term) {
        Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Node::Int(value) => write_int(out, *value),
        Node::Real(numerator, denominator) => {
            out.push_str("(/ ");
            write_int(out, *numerator);
            out.push(' ');
            write_int(out, *denominator);
            out.push(')');
        }
        Node::Constant(symbol) => out.push_str(&quote(terms.name(*symbol))),
        Node::Bound(binder) => write_binder(out, terms, *binder),
        Node::Apply(func, args) if args.is_empty() => {
            out.push_str(&quote(&terms.func_info(*func).name));
        }
        Node::Apply(func, args) => list(out, &quote(&terms.func_info(*func).name), args),
        Node::Not(a) => list(out, "not", &[*a]),
        Node::And(parts) => list(out, "and", parts),
        Node::Or(parts) => list(out, "or", parts),
        Node::Implies(a, b) => list(out, "=>", &[*a, *b]),
        Node::Eq(a, b) => list(out, "=", &[*a, *b]),
        Node::Distinct(parts) => list(out, "distinct", parts),
        Node::Ite(a, b, c) => list(out, "ite", &[*a, *b, *c]),
        Node::Add(parts) => list(out, "+", parts),
        Node::Neg(a) => list(out, "-", &[*a]),
        Node::ToReal(a) => list(out, "to_real", &[*a]),
        Node::Arithmetic(op, a, b) => list(out, arithmetic(*op), &[*a, *b]),
        Node::Select(a, b) => list(out, "select", &[*a, *b]),
        Node::Store(a, b, c) => list(out, "store", &[*a, *b, *c]),
        Node::ConstArray(..) => {
            let Node::ConstArray(_, value) = terms.node(term) else { return };
            list(out, &format!("(as const {})", terms.sort(term)), &[*value]);
        }
        Node::Set(SetOp::Union, a, b) => list(out, "(_ map or)", &[*a, *b]),
        Node::Set(SetOp::Intersection, a, b) => list(out, "(_ map and)", &[*a, *b]),
        Node::Set(SetOp::Difference, a, b) => {
            out.push_str("((_ map and) ");
            write_term(out, terms, *a, named);
            out.push(' ');
            list(out, "(_ map not)", &[*b]);
            out.push(')');
        }
        Node::Quantified { .. } => write_quantified(out, terms, term, named),
    }
}

fn arithmetic(op: ArithmeticOp) -> &'static str {
    match op {
        ArithmeticOp::Mul => "*",
        ArithmeticOp::Div => "div",
        ArithmeticOp::Mod => "mod",
        ArithmeticOp::Lt => "<",
        ArithmeticOp::Le => "<=",
    }
}

fn write_int(out: &mut String, value: i128) {
    if value < 0 {
        let _ = write!(out, "(- {})", value.unsigned_abs());
    } else {
        let _ = write!(out, "{value}");
    }
}

fn write_binder(out: &mut String, terms: &Terms, binder: crate::Binder) {
    let (name, _) = terms.binder_info(binder);
    out.push_str(&quote(&format!("{name}?{}", binder.0)));
}

fn write_quantified(
    out: &mut String,
    terms: &Terms,
    term: Term,
    named: &dyn Fn(Term) -> Option<String>,
) {
    let Node::Quantified { quantifier, binders, triggers, body } = terms.node(term) else { return };
    out.push_str(match quantifier {
        Quantifier::Forall => "(forall (",
        Quantifier::Exists => "(exists (",
    });
    for (index, &binder) in binders.iter().enumerate() {
        out.push_str(if index > 0 { " (" } else { "(" });
        write_binder(out, terms, binder);
        let _ = write!(out, " {})", terms.binder_info(binder).1);
    }
    out.push_str(") (! ");
    write_term(out, terms, *body, named);
    for trigger in triggers {
        out.push_str(" :pattern (");
        for (index, &part) in trigger.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            write_term(out, terms, part, named);
        }
        out.push(')');
    }
    let _ = write!(out, " :qid q{}))", term.0);
}
