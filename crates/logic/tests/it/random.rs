//! Constructors and substitution never change the meaning of a term: random terms are built and
//! evaluated side by side.

use crate::evaluate::{Environment, Map, Value, divide, evaluate, remainder};
use crate::{constant, numbers};
use logic::{Node, SetOp, Sort, Term, Terms, substitute};

const SEED: u64 = 20_260_101;
const TERMS: usize = 4_000;
const DEPTH: u32 = 5;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Number,
    Numbers,
    Set,
}

impl Kind {
    fn sort(self) -> Sort {
        match self {
            Self::Truth => Sort::Bool,
            Self::Number => Sort::Int,
            Self::Numbers => numbers(),
            Self::Set => Sort::array(Sort::Int, Sort::Bool),
        }
    }
}

struct Generator {
    state: u64,
    terms: Terms,
    env: Environment,
    /// Per kind some constants.
    constants: Vec<(Kind, Term)>,
}

/// A term and its value, computed without looking at the term.
type Built = (Term, Value);

impl Generator {
    fn new() -> Self {
        let (terms, env) = (Terms::default(), Environment::new());
        let mut generator = Self { state: SEED, terms, env, constants: Vec::new() };
        for kind in [Kind::Truth, Kind::Number, Kind::Numbers, Kind::Set] {
            for number in 0..2 {
                let name = format!("{}{number}", ["b", "x", "m", "s"][kind as usize]);
                let term = constant(&mut generator.terms, &name, kind.sort());
                generator.constants.push((kind, term));
            }
        }
        generator
    }

    /// A number below `limit` (xorshift64*).
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % limit
    }

    fn small(&mut self) -> i128 {
        i128::from(self.below(7)) - 3
    }

    fn value(&mut self, kind: Kind) -> Value {
        let inner = match kind {
            Kind::Truth => return Value::Bool(self.below(2) == 0),
            Kind::Number => return Value::Int(self.small()),
            Kind::Numbers => Kind::Number,
            Kind::Set => Kind::Truth,
        };
        let mut map = Map::everywhere(self.value(inner));
        for _ in 0..self.below(3) {
            map = map.with(self.small(), self.value(inner));
        }
        Value::Map(map)
    }

    /// New values for the constants.
    fn shuffle(&mut self) {
        for (kind, term) in self.constants.clone() {
            let Node::Constant(symbol) = *self.terms.node(term) else { continue };
            let value = self.value(kind);
            self.env.insert(symbol, value);
        }
    }

    fn leaf(&mut self, kind: Kind) -> Built {
        let same: Vec<Term> =
            self.constants.iter().filter(|(k, _)| *k == kind).map(|&(_, term)| term).collect();
        // Constants more often than literals, which would fold everything away.
        if let Some(&term) = same.get(usize::try_from(self.below(3)).unwrap_or(0)) {
            return (term, evaluate(&self.terms, term, &self.env));
        }
        let value = self.value(kind);
        (value.literal(&mut self.terms), value)
    }

    fn build(&mut self, kind: Kind, depth: u32) -> Built {
        if depth == 0 || self.below(8) == 0 {
            return self.leaf(kind);
        }
        if self.below(6) == 0 {
            let (c, cond) = self.build(Kind::Truth, depth - 1);
            let (a, then) = self.build(kind, depth - 1);
            let (b, otherwise) = self.build(kind, depth - 1);
            return (self.terms.ite(c, a, b), if cond.truth() { then } else { otherwise });
        }
        match kind {
            Kind::Truth => self.truth(depth - 1),
            Kind::Number => self.number(depth - 1),
            Kind::Numbers => self.map(Kind::Numbers, Kind::Number, depth - 1),
            Kind::Set => self.set(depth - 1),
        }
    }

    fn many(&mut self, kind: Kind, depth: u32) -> (Vec<Term>, Vec<Value>) {
        let count = self.below(4);
        (0..count).map(|_| self.build(kind, depth)).unzip()
    }

    fn truth(&mut self, depth: u32) -> Built {
        let choice = self.below(9);
        let (term, value) = match choice {
            0 | 1 => {
                let (parts, values) = self.many(Kind::Truth, depth);
                if choice == 0 {
                    (self.terms.and(parts), values.iter().all(Value::truth))
                } else {
                    (self.terms.or(parts), values.iter().any(Value::truth))
                }
            }
            2 => {
                let (a, value) = self.build(Kind::Truth, depth);
                (self.terms.not(a), !value.truth())
            }
            3 => {
                let ((a, left), (b, right)) = self.two(Kind::Truth, depth);
                (self.terms.implies(a, b), !left.truth() || right.truth())
            }
            4 => {
                let kinds = [Kind::Truth, Kind::Number, Kind::Numbers, Kind::Set];
                let kind = kinds[usize::try_from(self.below(4)).unwrap_or(0)];
                let ((a, left), (b, right)) = self.two(kind, depth);
                (self.terms.eq(a, b), left == right)
            }
            5 => {
                let (parts, values) = self.many(Kind::Number, depth);
                let different: std::collections::BTreeSet<&Value> = values.iter().collect();
                (self.terms.distinct(parts), different.len() == values.len())
            }
            6 => {
                let ((a, left), (b, right)) = self.two(Kind::Number, depth);
                (self.terms.lt(a, b), left.number() < right.number())
            }
            7 => {
                let ((a, left), (b, right)) = self.two(Kind::Number, depth);
                (self.terms.le(a, b), left.number() <= right.number())
            }
            _ => {
                let (set, members) = self.build(Kind::Set, depth);
                let (key, at) = self.build(Kind::Number, depth);
                (self.terms.select(set, key), members.map().at(at.number()).truth())
            }
        };
        (term, Value::Bool(value))
    }

    fn number(&mut self, depth: u32) -> Built {
        let choice = self.below(7);
        let (term, value) = match choice {
            0 => {
                let (parts, values) = self.many(Kind::Number, depth);
                (self.terms.add(parts), values.iter().map(Value::number).sum())
            }
            1 => {
                let (a, value) = self.build(Kind::Number, depth);
                (self.terms.neg(a), -value.number())
            }
            2 => {
                let (map, values) = self.build(Kind::Numbers, depth);
                let (key, at) = self.build(Kind::Number, depth);
                (self.terms.select(map, key), values.map().at(at.number()).number())
            }
            _ => {
                let ((a, left), (b, right)) = self.two(Kind::Number, depth);
                let (left, right) = (left.number(), right.number());
                match choice {
                    3 => (self.terms.sub(a, b), left - right),
                    4 => (self.terms.mul(a, b), left * right),
                    5 => (self.terms.div(a, b), divide(left, right)),
                    _ => (self.terms.modulo(a, b), remainder(left, right)),
                }
            }
        };
        (term, Value::Int(value))
    }

    fn map(&mut self, kind: Kind, inner: Kind, depth: u32) -> Built {
        let (value, new) = self.build(inner, depth);
        if self.below(4) == 0 {
            return (self.terms.const_array(Sort::Int, value), Value::Map(Map::everywhere(new)));
        }
        let (map, old) = self.build(kind, depth);
        let (key, at) = self.build(Kind::Number, depth);
        (self.terms.store(map, key, value), Value::Map(old.map().clone().with(at.number(), new)))
    }

    fn set(&mut self, depth: u32) -> Built {
        let ops = [SetOp::Union, SetOp::Intersection, SetOp::Difference];
        let Some(&op) = ops.get(usize::try_from(self.below(5)).unwrap_or(0)) else {
            return self.map(Kind::Set, Kind::Truth, depth);
        };
        let ((a, left), (b, right)) = self.two(Kind::Set, depth);
        (self.terms.set_op(op, a, b), Value::Map(left.map().combine(right.map(), op)))
    }

    fn two(&mut self, kind: Kind, depth: u32) -> (Built, Built) {
        (self.build(kind, depth), self.build(kind, depth))
    }
}

#[test]
fn constructors_and_substitution_keep_the_meaning() {
    let mut generator = Generator::new();
    let mut folded = 0;
    for round in 0..TERMS {
        generator.shuffle();
        let kinds = [Kind::Truth, Kind::Number, Kind::Numbers, Kind::Set];
        let (term, value) = generator.build(kinds[round % 4], DEPTH);
        let text = logic::print(&generator.terms, term);
        assert_eq!(evaluate(&generator.terms, term, &generator.env), value, "{text}");

        let literals: std::collections::BTreeMap<_, _> = (generator.env.clone().into_iter())
            .map(|(symbol, value)| (symbol, value.literal(&mut generator.terms)))
            .collect();
        let closed =
            substitute(&mut generator.terms, term, &|symbol| literals.get(&symbol).copied());
        let text = format!("{text} became {}", logic::print(&generator.terms, closed));
        assert_eq!(evaluate(&generator.terms, closed, &Environment::new()), value, "{text}");
        folded += usize::from(matches!(generator.terms.node(closed), Node::Bool(_) | Node::Int(_)));
    }
    // The test would say little if nothing were simplified.
    assert!(folded > TERMS / 8, "only {folded} terms became literals");
}
