//! What may hold after any number of steps each of which satisfies a formula. These are guesses,
//! made from the words of the formula; [`crate::closure_task`] says what is to be shown of them.

use plato::hir::{BinaryOp, Expr, ExprKind, Program, Quantifier, Root, Ty};

/// Limit on the places of a formula about which something is guessed.
const MOST_PLACES: usize = 4;

/// A guess, and its words.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The formula.
    pub formula: Expr,
    /// What it says of a place: `x' >= x`.
    pub words: String,
}

/// A variable, or an element of a map, after a step and before it.
struct Place {
    after: Expr,
    before: Expr,
    words: [String; 2],
}

/// Guesses for a conjunct of a rely. It has the form `forall ..; P ==> Q`; the guesses say of one
/// place in `Q` that it stays, or changes in one direction only, under the same quantifiers and the
/// same condition.
pub fn closures(program: &Program, formula: &Expr) -> Vec<Closure> {
    let mut places = Vec::new();
    changed_places(program, body(formula), &mut places);
    let mut closures: Vec<Closure> = Vec::new();
    for place in places.iter().take(MOST_PLACES) {
        let [after, before] = &place.words;
        for (op, sign, is_swapped) in directions(&place.after.ty) {
            let (mut left, mut right) = (place.after.clone(), place.before.clone());
            if *is_swapped {
                std::mem::swap(&mut left, &mut right);
            }
            let kind = ExprKind::Binary(*op, Box::new(left), Box::new(right));
            let said = Expr { kind, ty: Ty::Bool, span: formula.span };
            let words = format!("{after} {sign} {before}");
            closures.push(Closure { formula: with_body(formula, said), words });
        }
    }
    closures
}

/// How a value of a type may change: the operator between the value after and before a step, its
/// words, and whether the operands are swapped.
fn directions(ty: &Ty) -> &'static [(BinaryOp, &'static str, bool)] {
    use BinaryOp::{Eq, Ge, Implies, Le, Subset};
    match ty {
        Ty::Int | Ty::Range(..) => &[(Eq, "==", false), (Ge, ">=", false), (Le, "<=", false)],
        Ty::Bool => &[(Eq, "==", false), (Implies, "==>", false), (Implies, "<==", true)],
        Ty::Set(_) => &[(Eq, "==", false), (Subset, "<=", false), (Subset, ">=", true)],
        _ => &[(Eq, "==", false)],
    }
}

/// What stands behind the quantifiers and conditions of a formula.
fn body(formula: &Expr) -> &Expr {
    match &formula.kind {
        ExprKind::Quantified(Quantifier::Forall, _, inner) => body(inner),
        ExprKind::Binary(BinaryOp::Implies, _, inner) => body(inner),
        _ => formula,
    }
}

/// The formula with another body.
fn with_body(formula: &Expr, said: Expr) -> Expr {
    let kind = match &formula.kind {
        ExprKind::Quantified(Quantifier::Forall, bound, inner) => {
            let inner = Box::new(with_body(inner, said));
            ExprKind::Quantified(Quantifier::Forall, bound.clone(), inner)
        }
        ExprKind::Binary(BinaryOp::Implies, premise, inner) => {
            let inner = Box::new(with_body(inner, said));
            ExprKind::Binary(BinaryOp::Implies, premise.clone(), inner)
        }
        _ => return said,
    };
    Expr { kind, ..formula.clone() }
}

/// The places of which a formula says what they are after the step.
fn changed_places(program: &Program, expr: &Expr, out: &mut Vec<Place>) {
    if let Some(place) = place(program, expr) {
        if out.iter().all(|other| other.words != place.words) {
            out.push(place);
        }
        return;
    }
    if !matches!(expr.kind, ExprKind::Quantified(..)) {
        expr.children().into_iter().for_each(|child| changed_places(program, child, out));
    }
}

/// `x'`, or `m'[k]` for a simple `k` that is the same before and after.
fn place(program: &Program, expr: &Expr) -> Option<Place> {
    match &expr.kind {
        ExprKind::Var { root: Root::Global(id), primed: true } => {
            let name = &program.globals[id.index()].name;
            let kind = ExprKind::Var { root: Root::Global(*id), primed: false };
            let before = Expr { kind, ..expr.clone() };
            Some(Place {
                after: expr.clone(),
                before,
                words: [format!("{name}'"), name.to_string()],
            })
        }
        ExprKind::Index(map, key) => {
            let key_words = match &key.kind {
                ExprKind::Bound(id) => program.bounds[id.index()].name.to_string(),
                ExprKind::Tid => "tid".to_owned(),
                ExprKind::Int(value) => value.to_string(),
                _ => return None,
            };
            let of = place(program, map)?;
            let kind = ExprKind::Index(Box::new(of.before), key.clone());
            let before = Expr { kind, ..expr.clone() };
            let words = of.words.map(|words| format!("{words}[{key_words}]"));
            Some(Place { after: expr.clone(), before, words })
        }
        _ => None,
    }
}
