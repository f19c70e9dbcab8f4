//! Rules as data. Every variable of a body or guard occurs in a head, or is set by an `is` to the
//! left; predicates exist and have the right number of arguments. [`crate::Builder`] and the parser
//! make sure of that.

use crate::constant::{Constant, Constants, Symbol};
use crate::plan::{Occurrence, occurrences};

/// The number of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Predicate(pub u32);

/// The number of a variable within its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// A value in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// The value of the variable.
    Variable(Variable),
    /// A constant.
    Constant(Symbol),
    /// A sum.
    Add(Box<[Expr; 2]>),
    /// A difference.
    Subtract(Box<[Expr; 2]>),
    /// A product.
    Multiply(Box<[Expr; 2]>),
    /// The remainder, never negative.
    Modulo(Box<[Expr; 2]>),
}

/// A constraint in a rule. In heads the arguments are variables and constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which.
    pub predicate: Predicate,
    /// With what.
    pub arguments: Vec<Expr>,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

/// One part of a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How.
    pub compare: Compare,
    /// The left value.
    pub left: Expr,
    /// The right value.
    pub right: Expr,
}

/// One part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Add a constraint.
    Post(Atom),
    /// Bind a variable to a value; fails if there is no such value.
    Is(Variable, Expr),
    /// Fails: goes back to the innermost open choice.
    Fail,
    /// The first body, or the second if the first fails.
    Choice(Vec<Goal>, Vec<Goal>),
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, perhaps empty.
    pub name: String,
    /// All heads: those that stay first, in the order of the text.
    pub heads: Vec<Atom>,
    /// How many heads stay.
    pub kept: usize,
    /// All of these must be true.
    pub guard: Vec<Comparison>,
    /// What is done.
    pub body: Vec<Goal>,
    /// The number of variables.
    pub variables: usize,
}

/// How often a constraint may be in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As often as it is posted.
    Bag,
    /// Once; posting it again does nothing.
    Set,
    /// This number of first arguments determines the others.
    Key(usize),
}

/// A predicate as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) kind: Kind,
}

/// Declarations and rules, ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) predicates: Vec<Declared>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) constants: Constants,
    /// For each predicate, its occurrences in heads.
    pub(crate) occurrences: Vec<Vec<Occurrence>>,
    /// All bodies, so that two numbers name a place in one.
    pub(crate) bodies: Vec<Vec<Op>>,
    /// The body of each rule.
    pub(crate) rule_bodies: Vec<usize>,
}

/// A goal with its inner bodies by number.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Post(Atom),
    Is(Variable, Expr),
    Fail,
    Choice(usize, usize),
}

impl Program {
    pub(crate) fn new(predicates: Vec<Declared>, rules: Vec<Rule>, constants: Constants) -> Self {
        let occurrences = occurrences(predicates.len(), &rules);
        let mut bodies = Vec::new();
        let rule_bodies = rules.iter().map(|rule| flatten(&rule.body, &mut bodies)).collect();
        Self { predicates, rules, constants, occurrences, bodies, rule_bodies }
    }

    /// The predicate of this name.
    pub fn named(&self, name: &str) -> Option<Predicate> {
        (0..).zip(&self.predicates).find(|(_, one)| one.name == name).map(|(at, _)| Predicate(at))
    }

    /// The name of a predicate.
    pub fn name(&self, predicate: Predicate) -> &str {
        &self.predicates[predicate.0 as usize].name
    }

    /// The number of arguments of a predicate.
    pub fn arity(&self, predicate: Predicate) -> usize {
        self.predicates[predicate.0 as usize].arity
    }

    /// How often constraints of a predicate may be in the store.
    pub fn kind(&self, predicate: Predicate) -> Kind {
        self.predicates[predicate.0 as usize].kind
    }

    /// The rules in the order of the text.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// A constant that occurs in the rules.
    pub fn constant(&self, symbol: Symbol) -> &Constant {
        self.constants.get(symbol)
    }
}

fn flatten(goals: &[Goal], bodies: &mut Vec<Vec<Op>>) -> usize {
    let mut body = Vec::new();
    for goal in goals {
        body.push(match goal {
            Goal::Post(atom) => Op::Post(atom.clone()),
            Goal::Is(variable, value) => Op::Is(*variable, value.clone()),
            Goal::Fail => Op::Fail,
            Goal::Choice(first, second) => {
                Op::Choice(flatten(first, bodies), flatten(second, bodies))
            }
        });
    }
    bodies.push(body);
    bodies.len() - 1
}
