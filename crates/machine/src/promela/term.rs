//! Expressions of the model: numbers, with 0 and 1 for truth values.

use std::fmt::{self, Display, Formatter};

/// An expression over the variables of the model. Made with the functions below, which compute what
/// is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    /// A number or a truth value.
    Int(i128),
    /// A variable.
    Var(String),
    /// An element of an array.
    Element(String, Box<Term>),
    /// Whether a process is at one of these labels: `P[0]@L1 || ..`, as text.
    Place(String),
    /// Negation of a truth value.
    Not(Box<Term>),
    /// Two operands.
    Op(&'static str, Box<Term>, Box<Term>),
    /// `(c -> a : b)`.
    Cond(Box<Term>, Box<Term>, Box<Term>),
}

pub(super) const FALSE: Term = Term::Int(0);
pub(super) const TRUE: Term = Term::Int(1);

pub(super) fn truth(value: bool) -> Term {
    Term::Int(i128::from(value))
}

pub(super) fn not(term: Term) -> Term {
    match term {
        Term::Int(value) => truth(value == 0),
        Term::Not(inner) => *inner,
        Term::Op("==", a, b) => Term::Op("!=", a, b),
        Term::Op("!=", a, b) => Term::Op("==", a, b),
        Term::Op("<", a, b) => Term::Op(">=", a, b),
        Term::Op(">=", a, b) => Term::Op("<", a, b),
        Term::Op("<=", a, b) => Term::Op(">", a, b),
        Term::Op(">", a, b) => Term::Op("<=", a, b),
        Term::Op("||", a, b) => and(not(*a), not(*b)),
        other => Term::Not(Box::new(other)),
    }
}

pub(super) fn and(left: Term, right: Term) -> Term {
    match (left, right) {
        (FALSE, _) | (_, FALSE) => FALSE,
        (TRUE, other) | (other, TRUE) => other,
        (left, right) if left == right => left,
        (left, right) if left == not(right.clone()) => FALSE,
        (left, right) => Term::Op("&&", Box::new(left), Box::new(right)),
    }
}

pub(super) fn or(left: Term, right: Term) -> Term {
    match (left, right) {
        (TRUE, _) | (_, TRUE) => TRUE,
        (FALSE, other) | (other, FALSE) => other,
        (left, right) if left == right => left,
        (left, right) => Term::Op("||", Box::new(left), Box::new(right)),
    }
}

pub(super) fn cond(test: Term, then: Term, otherwise: Term) -> Term {
    match test {
        Term::Int(value) => {
            if value != 0 {
                then
            } else {
                otherwise
            }
        }
        _ if then == otherwise => then,
        test => Term::Cond(Box::new(test), Box::new(then), Box::new(otherwise)),
    }
}

pub(super) fn eq(left: Term, right: Term) -> Term {
    if left == right { TRUE } else { op("==", left, right) }
}

/// An operator of arithmetic or a comparison; not for division by something that may be 0.
pub(super) fn op(name: &'static str, left: Term, right: Term) -> Term {
    if let (Term::Int(a), Term::Int(b)) = (&left, &right)
        && let Some(value) = computed(name, *a, *b)
    {
        return Term::Int(value);
    }
    match (name, &left, &right) {
        ("+", Term::Int(0), _) => right,
        ("+" | "-", _, Term::Int(0)) | ("*", _, Term::Int(1)) => left,
        ("*", Term::Int(1), _) => right,
        _ => Term::Op(name, Box::new(left), Box::new(right)),
    }
}

fn computed(name: &str, a: i128, b: i128) -> Option<i128> {
    match name {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "==" => Some(i128::from(a == b)),
        "!=" => Some(i128::from(a != b)),
        "<" => Some(i128::from(a < b)),
        "<=" => Some(i128::from(a <= b)),
        ">" => Some(i128::from(a > b)),
        ">=" => Some(i128::from(a >= b)),
        _ => None,
    }
}

impl Term {
    /// Whether it mentions this variable.
    pub(super) fn mentions(&self, wanted: &str) -> bool {
        match self {
            Term::Int(_) | Term::Place(_) => false,
            Term::Var(name) => name == wanted,
            Term::Element(name, at) => name == wanted || at.mentions(wanted),
            Term::Not(inner) => inner.mentions(wanted),
            Term::Op(_, left, right) => left.mentions(wanted) || right.mentions(wanted),
            Term::Cond(a, b, c) => [a, b, c].into_iter().any(|one| one.mentions(wanted)),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Int(value) if *value < 0 => write!(f, "({value})"),
            Term::Int(value) => write!(f, "{value}"),
            Term::Var(name) => write!(f, "{name}"),
            Term::Element(name, at) => write!(f, "{name}[{at}]"),
            Term::Place(text) => write!(f, "({text})"),
            Term::Not(inner) => write!(f, "!{inner}"),
            Term::Op(name, left, right) => write!(f, "({left} {name} {right})"),
            Term::Cond(test, then, otherwise) => write!(f, "({test} -> {then} : {otherwise})"),
        }
    }
}
