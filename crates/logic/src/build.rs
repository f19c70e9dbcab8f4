//! Constructors. Each simplifies locally, and so cheaply that avoiding a call never pays.

use crate::term::{ArithmeticOp, Binder, Func, Node, Quantifier, SetOp, Symbol, Term, Terms};
use crate::trigger::is_trigger;
use crate::{Sort, find_triggers};

impl Terms {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// An integer.
    pub fn int(&mut self, value: i128) -> Term {
        self.intern(Node::Int(value), Sort::Int)
    }

    /// A fraction.
    pub fn real(&mut self, numerator: i128, denominator: i128) -> Term {
        assert!(denominator > 0, "internal error: a fraction needs a positive denominator");
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1);
        let divisor =
            i128::try_from(divisor).expect("internal error: a divisor of two numbers is no larger");
        self.intern(Node::Real(numerator / divisor, denominator / divisor), Sort::Real)
    }

    /// An uninterpreted constant.
    pub fn constant(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbol_sort(symbol).clone();
        self.intern(Node::Constant(symbol), sort)
    }

    /// A bound variable.
    pub fn bound(&mut self, binder: Binder) -> Term {
        let sort = self.binder_info(binder).1.clone();
        self.intern(Node::Bound(binder), sort)
    }

    /// An uninterpreted function applied.
    pub fn apply(&mut self, func: Func, args: Vec<Term>) -> Term {
        let sort = self.func_info(func).result.clone();
        self.intern(Node::Apply(func, args), sort)
    }

    /// Negation.
    pub fn not(&mut self, term: Term) -> Term {
        match *self.node(term) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(term), Sort::Bool),
        }
    }

    /// Conjunction: flattened, without duplicates, `false` if one part is.
    pub fn and(&mut self, parts: Vec<Term>) -> Term {
        self.junction(parts, true)
    }

    /// Disjunction: flattened, without duplicates, `true` if one part is.
    pub fn or(&mut self, parts: Vec<Term>) -> Term {
        self.junction(parts, false)
    }

    fn junction(&mut self, parts: Vec<Term>, conjunction: bool) -> Term {
        let mut flat = indexmap::IndexSet::new();
        for part in parts {
            match self.node(part) {
                Node::Bool(value) if *value == conjunction => {}
                Node::Bool(value) => {
                    let value = *value;
                    return self.bool(value);
                }
                Node::And(inner) if conjunction => flat.extend(inner.iter().copied()),
                Node::Or(inner) if !conjunction => flat.extend(inner.iter().copied()),
                _ => {
                    flat.insert(part);
                }
            }
        }
        let flat: Vec<Term> = flat.into_iter().collect();
        match flat[..] {
            [] => self.bool(conjunction),
            [only] => only,
            _ if conjunction => self.intern(Node::And(flat), Sort::Bool),
            _ => self.intern(Node::Or(flat), Sort::Bool),
        }
    }

    /// Implication.
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        match (self.node(premise), self.node(conclusion)) {
            (Node::Bool(true), _) => conclusion,
            (Node::Bool(false), _) | (_, Node::Bool(true)) => self.bool(true),
            (_, Node::Bool(false)) => self.not(premise),
            _ if premise == conclusion => self.bool(true),
            _ => self.intern(Node::Implies(premise, conclusion), Sort::Bool),
        }
    }

    /// Equality, also of truth values.
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        if left == right {
            return self.bool(true);
        }
        match (self.node(left), self.node(right)) {
            (Node::Bool(true), _) => right,
            (_, Node::Bool(true)) => left,
            (Node::Bool(false), _) => self.not(right),
            (_, Node::Bool(false)) => self.not(left),
            (Node::Int(_), Node::Int(_)) | (Node::Real(..), Node::Real(..)) => self.bool(false),
            _ => self.intern(Node::Eq(left, right), Sort::Bool),
        }
    }

    /// All different.
    pub fn distinct(&mut self, parts: Vec<Term>) -> Term {
        if parts.len() < 2 {
            self.bool(true)
        } else {
            self.intern(Node::Distinct(parts), Sort::Bool)
        }
    }

    /// If-then-else.
    pub fn ite(&mut self, cond: Term, then: Term, otherwise: Term) -> Term {
        match self.node(cond) {
            Node::Bool(true) => then,
            Node::Bool(false) => otherwise,
            _ if then == otherwise => then,
            _ => {
                let sort = self.sort(then).clone();
                self.intern(Node::Ite(cond, then, otherwise), sort)
            }
        }
    }

    /// Sum. Literals are added up while they do not overflow.
    pub fn add(&mut self, parts: Vec<Term>) -> Term {
        let mut sum = 0_i128;
        let mut fraction = (0_i128, 1_i128);
        let mut reals = false;
        let mut rest = Vec::new();
        for part in parts {
            reals |= *self.sort(part) == Sort::Real;
            match *self.node(part) {
                Node::Int(value) if sum.checked_add(value).is_some() => sum += value,
                Node::Real(over, under) => match add_fractions(fraction, (over, under)) {
                    Some(total) => fraction = total,
                    None => rest.push(part),
                },
                _ => rest.push(part),
            }
        }
        if reals {
            if fraction.0 != 0 || rest.is_empty() {
                rest.push(self.real(fraction.0, fraction.1));
            }
            sum = 0;
        }
        if sum != 0 || rest.is_empty() {
            let literal = self.int(sum);
            rest.push(literal);
        }
        if rest.len() == 1 {
            return rest[0];
        }
        let sort = self.sort(rest[0]).clone();
        self.intern(Node::Add(rest), sort)
    }

    /// Negation of a number.
    pub fn neg(&mut self, term: Term) -> Term {
        match *self.node(term) {
            Node::Int(value) if value != i128::MIN => self.int(-value),
            Node::Real(over, under) if over != i128::MIN => self.real(-over, under),
            Node::Neg(inner) => inner,
            _ => {
                let sort = self.sort(term).clone();
                self.intern(Node::Neg(term), sort)
            }
        }
    }

    /// An integer as a real number.
    pub fn to_real(&mut self, term: Term) -> Term {
        match *self.node(term) {
            Node::Int(value) => self.real(value, 1),
            _ => self.intern(Node::ToReal(term), Sort::Real),
        }
    }

    /// Difference.
    pub fn sub(&mut self, left: Term, right: Term) -> Term {
        let right = self.neg(right);
        self.add(vec![left, right])
    }

    /// Product.
    pub fn mul(&mut self, left: Term, right: Term) -> Term {
        match (self.node(left), self.node(right)) {
            (Node::Int(a), Node::Int(b)) if a.checked_mul(*b).is_some() => {
                let product = a * b;
                self.int(product)
            }
            (Node::Int(1) | Node::Real(1, 1), _) => right,
            (_, Node::Int(1) | Node::Real(1, 1)) => left,
            (&Node::Real(a, b), &Node::Real(c, d))
                if a.checked_mul(c).and(b.checked_mul(d)).is_some() =>
            {
                self.real(a * c, b * d)
            }
            _ => {
                let sort = self.sort(left).clone();
                self.intern(Node::Arithmetic(ArithmeticOp::Mul, left, right), sort)
            }
        }
    }

    /// Euclidean division of integers; division by zero has some value.
    pub fn div(&mut self, left: Term, right: Term) -> Term {
        self.intern(Node::Arithmetic(ArithmeticOp::Div, left, right), Sort::Int)
    }

    /// Remainder of Euclidean division.
    pub fn modulo(&mut self, left: Term, right: Term) -> Term {
        self.intern(Node::Arithmetic(ArithmeticOp::Mod, left, right), Sort::Int)
    }

    /// Less.
    pub fn lt(&mut self, left: Term, right: Term) -> Term {
        match (self.node(left), self.node(right)) {
            (Node::Int(a), Node::Int(b)) => {
                let value = a < b;
                self.bool(value)
            }
            (&Node::Real(a, b), &Node::Real(c, d))
                if a.checked_mul(d).and(c.checked_mul(b)).is_some() =>
            {
                self.bool(a * d < c * b)
            }
            _ if left == right => self.bool(false),
            _ => self.intern(Node::Arithmetic(ArithmeticOp::Lt, left, right), Sort::Bool),
        }
    }

    /// Less or equal.
    pub fn le(&mut self, left: Term, right: Term) -> Term {
        match (self.node(left), self.node(right)) {
            (Node::Int(a), Node::Int(b)) => {
                let value = a <= b;
                self.bool(value)
            }
            (&Node::Real(a, b), &Node::Real(c, d))
                if a.checked_mul(d).and(c.checked_mul(b)).is_some() =>
            {
                self.bool(a * d <= c * b)
            }
            _ if left == right => self.bool(true),
            _ => self.intern(Node::Arithmetic(ArithmeticOp::Le, left, right), Sort::Bool),
        }
    }

    /// Value of a map.
    pub fn select(&mut self, array: Term, key: Term) -> Term {
        match *self.node(array) {
            Node::Store(_, at, value) if at == key => value,
            Node::ConstArray(_, value) => value,
            _ => {
                let Sort::Array(_, value) = self.sort(array) else {
                    panic!("internal error: select from something that is not a map")
                };
                let sort = Sort::clone(value);
                self.intern(Node::Select(array, key), sort)
            }
        }
    }

    /// Map changed at one key.
    ///
    /// What writes the old value back changes nothing, also under a condition: `m[k := c ? v :
    /// m[k]]` is `c ? m[k := v] : m`. So solvers see without extensionality that the map is the
    /// same.
    pub fn store(&mut self, array: Term, key: Term, value: Term) -> Term {
        let old = self.select(array, key);
        match *self.node(value) {
            _ if value == old => array,
            Node::Ite(cond, then, same) if same == old => {
                let stored = self.store(array, key, then);
                self.ite(cond, stored, array)
            }
            Node::Ite(cond, same, otherwise) if same == old => {
                let stored = self.store(array, key, otherwise);
                self.ite(cond, array, stored)
            }
            _ => {
                let sort = self.sort(array).clone();
                self.intern(Node::Store(array, key, value), sort)
            }
        }
    }

    /// Map with the same value everywhere.
    pub fn const_array(&mut self, key: Sort, value: Term) -> Term {
        let sort = Sort::array(key.clone(), self.sort(value).clone());
        self.intern(Node::ConstArray(key, value), sort)
    }

    /// Two sets combined.
    pub fn set_op(&mut self, op: SetOp, left: Term, right: Term) -> Term {
        let sort = self.sort(left).clone();
        self.intern(Node::Set(op, left, right), sort)
    }

    /// A quantified formula; triggers are found if none are given.
    pub fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: Vec<Binder>,
        triggers: Vec<Vec<Term>>,
        body: Term,
    ) -> Term {
        if binders.is_empty() || matches!(self.node(body), Node::Bool(_)) {
            return body;
        }
        // A substitution may have simplified away a trigger, or its bound variables.
        let mut triggers = triggers;
        triggers.retain(|trigger| is_trigger(self, &binders, trigger));
        let triggers =
            if triggers.is_empty() { find_triggers(self, &binders, body) } else { triggers };
        self.intern(Node::Quantified { quantifier, binders, triggers, body }, Sort::Bool)
    }
}

/// The sum of two fractions, unless it overflows.
fn add_fractions((a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let over = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
    Some((over, b.checked_mul(d)?))
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
