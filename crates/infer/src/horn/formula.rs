//! Formulas of a solver's model, simplified and as text of the language.

use super::Term;
use std::collections::{BTreeMap, BTreeSet};

/// A variable of a formula.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Whether no other thread knows it.
    pub(super) is_local: bool,
}

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Truth,
    Number,
    /// One of some values that have names; the flag says whether it can have others, too.
    Named(Vec<String>, bool),
}

/// What a parameter of a predicate stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Variable(usize),
    Value(i128),
}

/// A formula without negations of anything but atoms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Formula {
    Truth(bool),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Atom(Atom),
}

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// A truth value is this.
    Is(usize, bool),
    /// The sum is zero, or it is not.
    Zero(Sum, bool),
    /// The sum is at most zero.
    AtMost(Sum),
}

/// A sum of multiples of variables and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    factors: BTreeMap<usize, i128>,
    constant: i128,
}

/// Limit on the size of a formula that somebody could read.
const LARGE: usize = 400;

/// Reads a term. What cannot be said is left out where that makes the formula say less.
pub(super) fn formula(
    term: &Term,
    meanings: &BTreeMap<&str, Meaning>,
    variables: &[Variable],
) -> Formula {
    let mut left = LARGE;
    let Some(term) = expanded(term, &BTreeMap::new(), &mut left) else {
        return Formula::Truth(true);
    };
    Reader { meanings, variables }.formula(&term, true).unwrap_or(Formula::Truth(true))
}

/// The term without `let`.
fn expanded(term: &Term, bound: &BTreeMap<String, Term>, left: &mut usize) -> Option<Term> {
    *left = left.checked_sub(1)?;
    match term {
        Term::Atom(name) => match bound.get(name) {
            Some(term) => expanded(term, &BTreeMap::new(), left),
            None => Some(term.clone()),
        },
        Term::List(all) => {
            if let [Term::Atom(word), Term::List(pairs), body] = all.as_slice()
                && word == "let"
            {
                let mut inner = bound.clone();
                for pair in pairs {
                    let Term::List(pair) = pair else { return None };
                    let [Term::Atom(name), value] = pair.as_slice() else { return None };
                    inner.insert(name.clone(), expanded(value, bound, left)?);
                }
                return expanded(body, &inner, left);
            }
            let all: Option<Vec<Term>> = all.iter().map(|one| expanded(one, bound, left)).collect();
            Some(Term::List(all?))
        }
    }
}

struct Reader<'a> {
    meanings: &'a BTreeMap<&'a str, Meaning>,
    variables: &'a [Variable],
}

impl Reader<'_> {
    /// The formula, or its negation; `None` if it cannot be said.
    fn formula(&self, term: &Term, holds: bool) -> Option<Formula> {
        match term {
            Term::Atom(text) => match (text.as_str(), self.meanings.get(text.as_str())) {
                ("true", _) => Some(Formula::Truth(holds)),
                ("false", _) => Some(Formula::Truth(!holds)),
                (_, Some(Meaning::Variable(at))) => Some(Formula::Atom(Atom::Is(*at, holds))),
                _ => None,
            },
            Term::List(all) => {
                let (Term::Atom(sign), operands) = all.split_first()? else { return None };
                self.compound(sign, operands, holds)
            }
        }
    }

    fn compound(&self, sign: &str, operands: &[Term], holds: bool) -> Option<Formula> {
        match (sign, operands) {
            ("not", [one]) => self.formula(one, !holds),
            ("and", all) => self.joined(all.iter().map(|one| (one, holds)), holds),
            ("or", all) => self.joined(all.iter().map(|one| (one, holds)), !holds),
            ("=>", [left, right]) => {
                self.joined([(left, !holds), (right, holds)].into_iter(), !holds)
            }
            ("ite", [cond, then, otherwise]) => {
                let yes = self.joined([(cond, false), (then, holds)].into_iter(), false);
                let no = self.joined([(cond, true), (otherwise, holds)].into_iter(), false);
                Some(all_of(yes.into_iter().chain(no)))
            }
            ("=" | "<=" | "<" | ">=" | ">", [left, right]) => {
                match (self.sum(left), self.sum(right)) {
                    (Some(left), Some(right)) => Some(compared(sign, &left, &right, holds)),
                    _ if sign == "=" => {
                        let one = self.joined([(left, false), (right, holds)].into_iter(), false);
                        let other = self.joined([(left, true), (right, !holds)].into_iter(), false);
                        Some(all_of([one?, other?]))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// All of them, or any of them. What cannot be said of all of them is left out.
    fn joined<'t>(
        &self,
        parts: impl Iterator<Item = (&'t Term, bool)>,
        all: bool,
    ) -> Option<Formula> {
        let mut formulas = parts.map(|(part, holds)| self.formula(part, holds));
        if all {
            return Some(all_of(formulas.flatten()));
        }
        let formulas: Option<Vec<Formula>> = formulas.by_ref().collect();
        Some(any_of(formulas?))
    }

    fn sum(&self, term: &Term) -> Option<Sum> {
        match term {
            Term::Atom(text) => match self.meanings.get(text.as_str()) {
                Some(Meaning::Value(value)) => Some(Sum::number(*value)),
                Some(Meaning::Variable(at)) if self.variables[*at].kind != Kind::Truth => {
                    Some(Sum { factors: BTreeMap::from([(*at, 1)]), constant: 0 })
                }
                Some(Meaning::Variable(_)) => None,
                None => text.parse().ok().map(Sum::number),
            },
            Term::List(all) => {
                let (Term::Atom(sign), operands) = all.split_first()? else { return None };
                let sums: Option<Vec<Sum>> = operands.iter().map(|one| self.sum(one)).collect();
                let mut sums = sums?.into_iter();
                let first = sums.next()?;
                match (sign.as_str(), sums.len()) {
                    ("+", _) => Some(sums.fold(first, |sum, one| sum.plus(&one, 1))),
                    ("-", 0) => Some(Sum::default().plus(&first, -1)),
                    ("-", _) => Some(sums.fold(first, |sum, one| sum.plus(&one, -1))),
                    ("*", 1) => first.times(&sums.next()?),
                    _ => None,
                }
            }
        }
    }
}

impl Sum {
    fn number(constant: i128) -> Self {
        Self { constant: within(constant), ..Self::default() }
    }

    fn plus(mut self, other: &Self, times: i128) -> Self {
        for (at, factor) in &other.factors {
            let sum = self.factors.entry(*at).or_default();
            *sum = within(sum.saturating_add(factor.saturating_mul(times)));
        }
        self.factors.retain(|_, factor| *factor != 0);
        let constant = other.constant.saturating_mul(times);
        self.constant = within(self.constant.saturating_add(constant));
        self
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let (number, sum) = match (self.factors.is_empty(), other.factors.is_empty()) {
            (true, _) => (self.constant, other),
            (_, true) => (other.constant, self),
            _ => return None,
        };
        Some(Self::default().plus(sum, number))
    }

    /// What all factors share, if there are any.
    fn shared(&self) -> i128 {
        self.factors.values().fold(0, |shared, factor| divisor(shared, factor.saturating_abs()))
    }

    fn divided(&self, by: i128, constant: i128) -> Self {
        let factors = self.factors.iter().map(|(at, factor)| (*at, factor / by)).collect();
        Self { factors, constant }
    }
}

/// Far from where numbers overflow. Nobody would read larger ones.
fn within(number: i128) -> i128 {
    const MOST: i128 = i128::MAX / 8;
    number.clamp(-MOST, MOST)
}

fn divisor(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { divisor(other, one % other) }
}

/// How two sums compare, or that they do not.
fn compared(sign: &str, left: &Sum, right: &Sum, holds: bool) -> Formula {
    let difference = |one: &Sum, other: &Sum, more: i128| {
        one.clone().plus(other, -1).plus(&Sum::number(more), 1)
    };
    match (sign, holds) {
        ("=", _) => zero(&difference(left, right, 0), holds),
        ("<=", true) | (">", false) => at_most(&difference(left, right, 0)),
        ("<", true) | (">=", false) => at_most(&difference(left, right, 1)),
        (">=", true) | ("<", false) => at_most(&difference(right, left, 0)),
        _ => at_most(&difference(right, left, 1)),
    }
}

fn zero(sum: &Sum, holds: bool) -> Formula {
    match sum.shared() {
        0 => Formula::Truth((sum.constant == 0) == holds),
        shared if sum.constant % shared != 0 => Formula::Truth(!holds),
        shared => {
            let sum = sum.divided(shared, sum.constant / shared);
            // Of an equation and its mirror image only one is used.
            let is_mirrored = sum.factors.values().next().is_some_and(|factor| *factor < 0);
            let sum = if is_mirrored { Sum::default().plus(&sum, -1) } else { sum };
            Formula::Atom(Atom::Zero(sum, holds))
        }
    }
}

/// `sum <= 0`
fn at_most(sum: &Sum) -> Formula {
    match sum.shared() {
        0 => Formula::Truth(sum.constant <= 0),
        // Rounded up, since the rest is a whole number.
        shared => {
            let constant = -((-sum.constant).div_euclid(shared));
            Formula::Atom(Atom::AtMost(sum.divided(shared, constant)))
        }
    }
}

fn all_of(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = BTreeSet::new();
    for part in parts {
        match part {
            Formula::Truth(true) => {}
            Formula::Truth(false) => return part,
            Formula::All(inner) => all.extend(inner),
            Formula::Any(_) | Formula::Atom(_) => all.extend([part]),
        }
    }
    only(all, true, Formula::All)
}

fn any_of(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = BTreeSet::new();
    for part in parts {
        match part {
            Formula::Truth(false) => {}
            Formula::Truth(true) => return part,
            Formula::Any(inner) => all.extend(inner),
            Formula::All(_) | Formula::Atom(_) => all.extend([part]),
        }
    }
    only(all, false, Formula::Any)
}

fn only(all: BTreeSet<Formula>, none: bool, of: fn(Vec<Formula>) -> Formula) -> Formula {
    let mut all: Vec<Formula> = all.into_iter().collect();
    match all.len() {
        0 => Formula::Truth(none),
        1 => all.remove(0),
        _ => of(all),
    }
}

/// Limit on the parts that one formula is taken apart into.
const MANY: usize = 24;

impl Formula {
    /// Formulas that say the same together, none of which is a conjunction.
    pub(super) fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::All(all) => all.into_iter().flat_map(Self::conjuncts).collect(),
            Self::Any(all) => {
                let mut rows: Vec<Vec<Self>> = vec![Vec::new()];
                for one in &all {
                    let parts = one.clone().conjuncts();
                    let longer = |row: &Vec<Self>| {
                        let row = row.clone();
                        parts.iter().map(move |part| {
                            row.iter().chain([part]).cloned().collect::<Vec<Self>>()
                        })
                    };
                    rows = rows.iter().flat_map(longer).collect();
                    if rows.len() > MANY {
                        return vec![any_of(all)];
                    }
                }
                rows.into_iter().map(any_of).collect()
            }
            Self::Truth(true) => Vec::new(),
            Self::Truth(false) | Self::Atom(_) => vec![self],
        }
    }

    /// The same formulas, where two that bound a sum from both sides are one equation.
    pub(super) fn with_equations(all: Vec<Self>) -> Vec<Self> {
        let mirrored = |sum: &Sum| Self::Atom(Atom::AtMost(Sum::default().plus(sum, -1)));
        let mut found = Vec::new();
        for one in &all {
            let equation = match one {
                Self::Atom(Atom::AtMost(sum)) if all.contains(&mirrored(sum)) => zero(sum, true),
                _ => one.clone(),
            };
            if !found.contains(&equation) {
                found.push(equation);
            }
        }
        found
    }

    /// Whether it is about a variable that is like this.
    pub(super) fn mentions(&self, is_meant: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Truth(_) => false,
            Self::All(all) | Self::Any(all) => all.iter().any(|one| one.mentions(is_meant)),
            Self::Atom(Atom::Is(at, _)) => is_meant(*at),
            Self::Atom(Atom::Zero(sum, _) | Atom::AtMost(sum)) => {
                sum.factors.keys().any(|at| is_meant(*at))
            }
        }
    }

    /// The formula in the language, if it can be said there.
    pub(super) fn text(&self, variables: &[Variable]) -> Option<String> {
        let joined = |all: &[Self], sign: &str| {
            let part = |one: &Self| {
                let text = one.text(variables)?;
                let is_atom = matches!(one, Self::Atom(_)) && !text.contains("||");
                Some(if is_atom { text } else { format!("({text})") })
            };
            let all: Option<Vec<String>> = all.iter().map(part).collect();
            Some(all?.join(sign))
        };
        match self {
            Self::Truth(truth) => Some(truth.to_string()),
            Self::All(all) => joined(all, " && "),
            Self::Any(all) => joined(all, " || "),
            Self::Atom(Atom::Is(at, true)) => Some(variables[*at].text.clone()),
            Self::Atom(Atom::Is(at, false)) => Some(format!("!{}", variables[*at].text)),
            Self::Atom(Atom::Zero(sum, holds)) => sum.text(Relation::of_zero(*holds), variables),
            Self::Atom(Atom::AtMost(sum)) => sum.text(Relation::AtMost, variables),
        }
    }
}

/// How a sum compares with zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Zero,
    NotZero,
    AtMost,
}

impl Relation {
    fn of_zero(holds: bool) -> Self {
        if holds { Self::Zero } else { Self::NotZero }
    }

    fn holds(self, value: i128) -> bool {
        match self {
            Self::Zero => value == 0,
            Self::NotZero => value != 0,
            Self::AtMost => value <= 0,
        }
    }
}

impl Sum {
    fn text(&self, relation: Relation, variables: &[Variable]) -> Option<String> {
        let named = self.factors.keys().find(|at| matches!(variables[**at].kind, Kind::Named(..)));
        if let Some(&at) = named {
            return match self.factors.len() {
                1 => self.text_of_named(&variables[at], relation),
                _ => self.text_of_two(relation, variables),
            };
        }
        let side = |wanted: i128| -> Vec<String> {
            let terms = self.factors.iter().filter(|(_, factor)| **factor * wanted > 0);
            let text = |(at, factor): (&usize, &i128)| match factor.abs() {
                1 => variables[*at].text.clone(),
                factor => format!("{factor} * {}", variables[*at].text),
            };
            terms.map(text).collect()
        };
        let sign = match relation {
            Relation::Zero => "==",
            Relation::NotZero => "!=",
            Relation::AtMost => "<=",
        };
        let (mut left, mut right) = (side(1), side(-1));
        if left.is_empty() || right.is_empty() {
            // Numbers stand on the right.
            let (terms, value, sign) = match (left.is_empty(), sign) {
                (true, "<=") => (right, self.constant, ">="),
                (true, _) => (right, self.constant, sign),
                (false, _) => (left, -self.constant, sign),
            };
            return Some(format!("{} {sign} {value}", terms.join(" + ")));
        }
        match self.constant {
            0 => {}
            more if more > 0 => left.push(more.to_string()),
            more => right.push((-more).to_string()),
        }
        Some(format!("{} {sign} {}", left.join(" + "), right.join(" + ")))
    }

    /// A condition on a variable whose values have names.
    fn text_of_named(&self, variable: &Variable, relation: Relation) -> Option<String> {
        let Kind::Named(names, has_others) = &variable.kind else { return None };
        let factor = *self.factors.values().next()?;
        let holds = |value: usize| {
            let value = i128::try_from(value).unwrap_or(i128::MAX);
            relation.holds(factor.saturating_mul(value).saturating_add(self.constant))
        };
        let is_with_others = *has_others && holds(names.len());
        let all = (0..names.len()).filter(|&value| holds(value) != is_with_others);
        let sign = if is_with_others { "!=" } else { "==" };
        let all: Vec<String> =
            all.map(|value| format!("{} {sign} {}", variable.text, names[value])).collect();
        match (all.is_empty(), is_with_others) {
            (true, true) => Some("true".to_owned()),
            (true, false) => Some("false".to_owned()),
            (false, true) => Some(all.join(" && ")),
            (false, false) => Some(all.join(" || ")),
        }
    }

    /// That two variables are the same or not.
    fn text_of_two(&self, relation: Relation, variables: &[Variable]) -> Option<String> {
        let all: Vec<(&usize, &i128)> = self.factors.iter().collect();
        let [(one, 1), (other, -1)] = all.as_slice() else { return None };
        let (one, other) = (&variables[**one], &variables[**other]);
        let is_same_kind = one.kind == other.kind && self.constant == 0;
        match relation {
            Relation::Zero if is_same_kind => Some(format!("{} == {}", one.text, other.text)),
            Relation::NotZero if is_same_kind => Some(format!("{} != {}", one.text, other.text)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Formula, Kind, Meaning, Variable, formula};
    use crate::horn::Term;
    use std::collections::BTreeMap;

    /// A term from its text.
    fn term(text: &str) -> Term {
        let mut open = vec![Vec::new()];
        for word in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let list = Term::List(open.pop().expect("it was opened"));
                    open.last_mut().expect("it is inside of something").push(list);
                }
                _ => {
                    let atom = Term::Atom(word.to_owned());
                    open.last_mut().expect("it is inside of something").push(atom);
                }
            }
        }
        open.remove(0).remove(0)
    }

    fn check(text: &str, expected: &[&str]) {
        let variable = |text: &str, kind: Kind| Variable {
            text: text.to_owned(),
            kind,
            is_local: text == "mine",
        };
        let threads = ["0", "A", "B"].map(str::to_owned).to_vec();
        let modes = ["Mode.Idle", "Mode.Busy"].map(str::to_owned).to_vec();
        let variables = [
            variable("x", Kind::Number),
            variable("y", Kind::Number),
            variable("p", Kind::Truth),
            variable("m", Kind::Named(threads, true)),
            variable("mode", Kind::Named(modes, false)),
        ];
        let names = ["x", "y", "p", "m", "d"];
        let mut meanings: BTreeMap<&str, Meaning> =
            names.iter().enumerate().map(|(at, name)| (*name, Meaning::Variable(at))).collect();
        meanings.insert("place", Meaning::Value(2));
        let all = formula(&term(text), &meanings, &variables).conjuncts();
        let found: Vec<String> =
            Formula::with_equations(all).iter().filter_map(|one| one.text(&variables)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn linear_relations_read_like_a_persons() {
        check("(not (>= (+ x (* (- 2) y)) 1))", &["x <= 2 * y"]);
        check("(<= (+ x (* (- 1) y)) (- 3))", &["x + 3 <= y"]);
        check("(>= (* 2 x) 3)", &["x >= 2"]);
        check("(and (<= x 4) (>= x 4))", &["x == 4"]);
        check("(let ((a (<= x 0))) (or (not a) p))", &["p || x >= 1"]);
    }

    #[test]
    fn values_with_names_and_places_that_are_known() {
        check("(and (or (not (= place 2)) (= x 1)) (or (= place 2) (= x 2)))", &["x == 1"]);
        check("(not (<= m 0))", &["m != 0"]);
        check("(<= m 1)", &["m == 0 || m == A"]);
        check("(>= d 1)", &["mode == Mode.Busy"]);
    }

    #[test]
    fn what_cannot_be_said_is_left_out() {
        check("(and (= (mod x 2) 0) p)", &["p"]);
        check("(or (= (mod x 2) 0) p)", &[]);
        check("(not (and (= (mod x 2) 0) p))", &[]);
        check("(not (or (= (mod x 2) 0) p))", &["!p"]);
    }
}
