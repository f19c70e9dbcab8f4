//! Formulas with maps written out as cells: what they say of maps that are made of cells is what
//! they said before.

use crate::evaluate::{Environment, Value, evaluate};
use crate::{constant, numbers};
use logic::{Binder, Cells, Node, Quantifier, Sort, Symbol, Term, Terms, free_symbols};

const SEED: u64 = 77_031;
const FORMULAS: usize = 1_500;
const LAST: u32 = 2;

struct Generator {
    state: u64,
    terms: Terms,
    numbers: Vec<Term>,
    maps: Vec<Term>,
    nested: Term,
    bound: Vec<Binder>,
}

impl Generator {
    fn new() -> Self {
        let mut terms = Terms::default();
        let of_numbers = ["x", "y"].map(|name| constant(&mut terms, name, Sort::Int)).to_vec();
        let maps = ["m", "n"].map(|name| constant(&mut terms, name, numbers())).to_vec();
        let nested = constant(&mut terms, "grid", Sort::array(Sort::Int, numbers()));
        Self { state: SEED, terms, numbers: of_numbers, maps, nested, bound: Vec::new() }
    }

    /// A number below `limit` (xorshift64*).
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let number = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16;
        usize::try_from(number % u64::try_from(limit).expect("small")).expect("small")
    }

    fn small(&mut self) -> i128 {
        i128::try_from(self.below(6)).expect("small") - 1
    }

    fn number(&mut self, depth: u32) -> Term {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => {
                let value = self.small();
                self.terms.int(value)
            }
            1..=2 if !self.bound.is_empty() => {
                let index = self.below(self.bound.len());
                self.terms.bound(self.bound[index])
            }
            1..=3 => {
                let index = self.below(2);
                self.numbers[index]
            }
            4 => {
                let (a, one) = (self.number(depth - 1), self.terms.int(1));
                self.terms.add(vec![a, one])
            }
            _ => {
                let (map, key) = (self.map(depth - 1), self.number(depth - 1));
                self.terms.select(map, key)
            }
        }
    }

    fn map(&mut self, depth: u32) -> Term {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 | 1 => {
                let index = self.below(2);
                self.maps[index]
            }
            2 => {
                let key = self.number(0);
                self.terms.select(self.nested, key)
            }
            3 => {
                let value = self.number(depth - 1);
                self.terms.const_array(Sort::Int, value)
            }
            4 => {
                let cond = self.truth(0);
                let (a, b) = (self.map(depth - 1), self.map(depth - 1));
                self.terms.ite(cond, a, b)
            }
            _ => {
                let map = self.map(depth - 1);
                let (key, value) = (self.number(depth - 1), self.number(depth - 1));
                self.terms.store(map, key, value)
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        match self.below(if depth == 0 { 3 } else { 7 }) {
            0 => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.terms.eq(a, b)
            }
            1 => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.terms.lt(a, b)
            }
            2 => {
                let (a, b) = (self.map(depth), self.map(depth));
                self.terms.eq(a, b)
            }
            3 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                self.terms.implies(a, b)
            }
            4 => {
                let a = self.truth(depth - 1);
                self.terms.not(a)
            }
            _ => {
                let binder = self.terms.binder("i", Sort::Int);
                self.bound.push(binder);
                let body = self.truth(depth - 1);
                self.bound.pop();
                let quantifiers = [Quantifier::Forall, Quantifier::Exists];
                let quantifier = quantifiers[self.below(2)];
                self.terms.quantified(quantifier, vec![binder], Vec::new(), body)
            }
        }
    }

    /// Values for all symbols of the terms.
    fn values(&mut self, terms: &[Term]) -> Environment {
        let mut env = Environment::new();
        let symbols: Vec<Symbol> =
            terms.iter().flat_map(|&term| free_symbols(&self.terms, term)).collect();
        for symbol in symbols {
            let value = Value::Int(self.small());
            env.entry(symbol).or_insert(value);
        }
        env
    }
}

fn symbol(terms: &Terms, term: Term) -> Symbol {
    let Node::Constant(symbol) = terms.node(term) else { panic!("not a constant") };
    *symbol
}

#[test]
fn cells_mean_what_their_maps_mean() {
    let mut generator = Generator::new();
    let (mut exact, mut truths) = (0, 0);
    for _ in 0..FORMULAS {
        let formula = generator.truth(4);
        let mut cells = Cells::new(LAST);
        let Ok(written) = cells.formula(&mut generator.terms, formula) else { continue };
        let conditions = cells.conditions();
        let maps: Vec<Term> = generator.maps.iter().copied().chain([generator.nested]).collect();
        let mut made = Vec::new();
        for map in maps {
            let map = symbol(&generator.terms, map);
            let built = cells.map(&mut generator.terms, map).expect("a map").expect("a map");
            made.push((map, built));
        }
        let mut all = generator.numbers.clone();
        all.extend(made.iter().map(|(_, built)| *built));
        for _ in 0..4 {
            let env = generator.values(&all);
            let terms = &generator.terms;
            if !conditions.iter().all(|&condition| evaluate(terms, condition, &env).truth()) {
                continue;
            }
            let mut before = env.clone();
            before.extend(made.iter().map(|(map, built)| (*map, evaluate(terms, *built, &env))));
            let expected = evaluate(terms, formula, &before);
            let text = || {
                let texts = [formula, written].map(|term| logic::print(terms, term));
                format!("{} became {} in {before:?}", texts[0], texts[1])
            };
            assert_eq!(evaluate(terms, written, &env), expected, "{}", text());
            exact += 1;
            truths += usize::from(expected.truth());
        }
    }
    // Both answers occur often enough to mean something.
    assert!(truths > 500 && exact - truths > 500, "{truths} of {exact} hold");
}

#[test]
fn instances_outside_of_the_window_need_no_quantifier() {
    let mut terms = Terms::default();
    let map = constant(&mut terms, "m", numbers());
    let binder = terms.binder("i", Sort::Int);
    let (index, zero) = (terms.bound(binder), terms.int(0));
    let entry = terms.select(map, index);
    let body = terms.le(zero, entry);
    let all = terms.quantified(Quantifier::Forall, vec![binder], Vec::new(), body);
    let written = Cells::new(1).formula(&mut terms, all).expect("it can be written out");
    assert_eq!(logic::print(&terms, written), "(and (<= 0 m@cell0) (<= 0 m@cell1) (<= 0 m@cell2))");
}
