//! Expressions of the typed program as terms for a solver. Enumerations and threads are numbers;
//! maps, sets and quantifiers have no term.

use plato::hir::{BinaryOp, Count, Expr, ExprKind, Program, Root, ThreadId, Ty, Value};
use std::collections::BTreeMap;

/// What variables stand for while a thread takes a step.
#[derive(Clone)]
pub(super) struct Names<'p> {
    pub(super) program: &'p Program,
    /// What the locals of the thread begin with.
    pub(super) local: char,
    /// The number of the thread.
    pub(super) tid: String,
}

/// The name of a shared variable before a step.
pub(super) fn global(at: usize) -> String {
    format!("g{at}")
}

/// The name of a constant.
pub(super) fn constant(at: usize) -> String {
    format!("c{at}")
}

/// The number of a thread of which there is one; families have no number of their own.
pub(super) fn number_of(thread: ThreadId) -> usize {
    thread.index() + 1
}

/// A number as a term.
pub(super) fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// All of these.
pub(super) fn all_of(parts: &[String]) -> String {
    match parts {
        [] => "true".to_owned(),
        [one] => one.clone(),
        _ => format!("(and {})", parts.join(" ")),
    }
}

/// The sort of a type, if it has one.
pub(super) fn sort(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Bool => Some("Bool"),
        Ty::Int | Ty::Range(..) | Ty::Enum(_) | Ty::Tid => Some("Int"),
        Ty::Opaque(_) | Ty::Set(_) | Ty::Map(..) => None,
    }
}

/// That a term has a value of a type; `None` if all terms of its sort do.
pub(super) fn within(program: &Program, ty: &Ty, term: &str) -> Option<String> {
    let between =
        |low: i128, high: i128| Some(format!("(<= {} {term} {})", number(low), number(high)));
    match ty {
        Ty::Range(low, high) => between(*low, *high),
        Ty::Enum(id) => {
            let count = program.enums[id.index()].variants.len();
            between(0, i128::try_from(count).unwrap_or(i128::MAX) - 1)
        }
        Ty::Tid => Some(format!("(>= {term} 0)")),
        Ty::Bool | Ty::Int | Ty::Opaque(_) | Ty::Set(_) | Ty::Map(..) => None,
    }
}

impl Names<'_> {
    /// What a variable is called before the step.
    pub(super) fn before(&self, root: Root) -> String {
        match root {
            Root::Global(id) => global(id.index()),
            Root::Local(id) => format!("{}{}", self.local, id.index()),
        }
    }

    /// The term of an expression where variables have these values, and the others the ones that
    /// they had before.
    pub(super) fn term(&self, expr: &Expr, values: &BTreeMap<Root, String>) -> Option<String> {
        let term = |expr: &Expr| self.term(expr, values);
        let joined = |sign: &str, all: &[Expr]| {
            let all: Option<Vec<String>> = all.iter().map(term).collect();
            Some(format!("({sign} {})", all?.join(" ")))
        };
        match &expr.kind {
            ExprKind::Int(value) => Some(number(*value)),
            ExprKind::Bool(value) => Some(value.to_string()),
            ExprKind::Var { root, primed: false } => {
                sort(&expr.ty)?;
                Some(values.get(root).cloned().unwrap_or_else(|| self.before(*root)))
            }
            ExprKind::Const(id) => {
                let info = &self.program.consts[id.index()];
                sort(&info.ty)?;
                Some(match info.value {
                    Some(Value::Int(value)) => number(value),
                    Some(Value::Bool(value)) => value.to_string(),
                    Some(Value::Variant(_, at)) => at.to_string(),
                    None => constant(id.index()),
                })
            }
            ExprKind::Tid => Some(self.tid.clone()),
            ExprKind::Nobody => Some("0".to_owned()),
            ExprKind::Thread(id) => {
                let is_single = self.program.threads[id.index()].count == Count::One;
                is_single.then(|| number_of(*id).to_string())
            }
            ExprKind::Variant(_, at) => Some(at.to_string()),
            ExprKind::Not(inner) => Some(format!("(not {})", term(inner)?)),
            ExprKind::Neg(inner) => Some(format!("(- {})", term(inner)?)),
            ExprKind::And(all) => joined("and", all),
            ExprKind::Or(all) => joined("or", all),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (term(left)?, term(right)?);
                Some(match op {
                    BinaryOp::Ne => format!("(not (= {left} {right}))"),
                    _ => format!("({} {left} {right})", sign(*op)?),
                })
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                Some(format!("(ite {} {} {})", term(cond)?, term(then)?, term(otherwise)?))
            }
            ExprKind::Var { primed: true, .. }
            | ExprKind::Bound(_)
            | ExprKind::Index(..)
            | ExprKind::Update(..)
            | ExprKind::ConstMap(_)
            | ExprKind::Set(_)
            | ExprKind::Size(_)
            | ExprKind::In(..)
            | ExprKind::Quantified(..)
            | ExprKind::Pred { .. }
            | ExprKind::At(..) => None,
        }
    }
}

fn sign(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Eq | BinaryOp::Iff => "=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Implies => "=>",
        BinaryOp::Ne
        | BinaryOp::Union
        | BinaryOp::Difference
        | BinaryOp::Intersection
        | BinaryOp::Subset => return None,
    })
}
