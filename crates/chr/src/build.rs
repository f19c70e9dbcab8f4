//! Programs made in Rust.

use crate::constant::{Constant, Constants, Symbol};
use crate::plan::variables;
use crate::program::{
    Atom, Comparison, Declared, Expr, Goal, Kind, Predicate, Program, Rule, Variable,
};
use std::collections::BTreeSet;

/// Makes a [`Program`].
///
/// ```
/// use chr::{Builder, Goal, Heads, Kind, Outcome, Store, var};
///
/// let mut builder = Builder::default();
/// let edge = builder.declare("edge", 2, Kind::Set);
/// let (x, y, z) = (var(0), var(1), var(2));
/// let heads = Heads::kept([edge.of([x.clone(), y.clone()]), edge.of([y, z.clone()])]);
/// builder.rule("transitive", heads, Vec::new(), vec![Goal::Post(edge.of([x, z]))]);
/// let program = builder.finish();
/// let mut store = Store::new(&program);
/// for (from, to) in [("a", "b"), ("b", "c")] {
///     let (from, to) = (store.symbol(from), store.symbol(to));
///     assert_eq!(store.post(edge, &[from, to]), Outcome::Done);
/// }
/// assert_eq!(store.show("edge"), ["edge(a, b)", "edge(b, c)", "edge(a, c)"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    predicates: Vec<Declared>,
    rules: Vec<Rule>,
    constants: Constants,
}

/// The heads of a rule.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    /// Those that stay in the store.
    pub kept: Vec<Atom>,
    /// These are removed.
    pub removed: Vec<Atom>,
}

impl Heads {
    /// Heads of a propagation rule.
    pub fn kept(atoms: impl IntoIterator<Item = Atom>) -> Self {
        Self { kept: atoms.into_iter().collect(), removed: Vec::new() }
    }

    /// Heads of a simplification rule.
    pub fn removed(atoms: impl IntoIterator<Item = Atom>) -> Self {
        Self { kept: Vec::new(), removed: atoms.into_iter().collect() }
    }
}

/// The variable with this number in its rule.
pub fn var(number: u32) -> Expr {
    Expr::Variable(Variable(number))
}

impl Predicate {
    /// A constraint of this predicate in a rule.
    pub fn of(self, arguments: impl IntoIterator<Item = Expr>) -> Atom {
        Atom { predicate: self, arguments: arguments.into_iter().collect() }
    }
}

impl Builder {
    /// Declares a predicate with this number of arguments.
    pub fn declare(&mut self, name: &str, arity: usize, kind: Kind) -> Predicate {
        let number = u32::try_from(self.predicates.len()).expect("internal error: too many");
        self.predicates.push(Declared { name: name.to_owned(), arity, kind });
        Predicate(number)
    }

    /// The number of a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.constants.intern(Constant::Name(name.to_owned()))
    }

    /// The number of an integer.
    pub fn integer(&mut self, value: i64) -> Symbol {
        self.constants.intern(Constant::Integer(value))
    }

    pub(crate) fn find(&self, name: &str) -> Option<(Predicate, usize)> {
        let found = (0..).zip(&self.predicates).find(|(_, declared)| declared.name == name);
        found.map(|(at, declared)| (Predicate(at), declared.arity))
    }

    /// Adds a rule. Rules are tried in the order in which they are added.
    ///
    /// # Panics
    /// Panics if a constraint has the wrong number of arguments, a head has a computed
    /// argument, there is no head, or a variable is used that has no value.
    pub fn rule(&mut self, name: &str, heads: Heads, guard: Vec<Comparison>, body: Vec<Goal>) {
        let kept = heads.kept.len();
        let heads: Vec<Atom> = heads.kept.into_iter().chain(heads.removed).collect();
        assert!(!heads.is_empty(), "a rule has a head");
        let mut bound = BTreeSet::new();
        for head in &heads {
            self.assert_arity(head);
            for argument in &head.arguments {
                let plain = matches!(argument, Expr::Variable(_) | Expr::Constant(_));
                assert!(plain, "the arguments of heads are variables and constants");
                variables(argument, &mut bound);
            }
        }
        for part in &guard {
            assert_known(&part.left, &bound);
            assert_known(&part.right, &bound);
        }
        let mut most = bound.last().map_or(0, |variable| variable.0 as usize + 1);
        self.assert_body(&body, bound, &mut most);
        let name = name.to_owned();
        self.rules.push(Rule { name, heads, kept, guard, body, variables: most });
    }

    /// The program.
    pub fn finish(self) -> Program {
        Program::new(self.predicates, self.rules, self.constants)
    }

    fn assert_arity(&self, atom: &Atom) {
        let arity = self.predicates[atom.predicate.0 as usize].arity;
        assert_eq!(atom.arguments.len(), arity, "arguments of a constraint");
    }

    fn assert_body(&self, body: &[Goal], mut bound: BTreeSet<Variable>, most: &mut usize) {
        for goal in body {
            match goal {
                Goal::Post(atom) => {
                    self.assert_arity(atom);
                    atom.arguments.iter().for_each(|argument| assert_known(argument, &bound));
                }
                Goal::Is(variable, value) => {
                    assert_known(value, &bound);
                    bound.insert(*variable);
                    *most = (*most).max(variable.0 as usize + 1);
                }
                Goal::Fail => {}
                Goal::Choice(first, second) => {
                    self.assert_body(first, bound.clone(), most);
                    self.assert_body(second, bound.clone(), most);
                }
            }
        }
    }
}

fn assert_known(expr: &Expr, bound: &BTreeSet<Variable>) {
    let mut used = BTreeSet::new();
    variables(expr, &mut used);
    assert!(used.is_subset(bound), "a variable of a rule has a value before it is used");
}
