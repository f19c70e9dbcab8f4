//! The store of terms. These facts hold of it: nodes are unique, children come before parents,
//! every node has a sort, bound variables are unique to their quantifier.

use crate::Sort;
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// A term of a [`Terms`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

/// An uninterpreted constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

/// An uninterpreted function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Func(pub(crate) u32);

/// A variable bound by a quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binder(pub(crate) u32);

/// Declaration of an uninterpreted function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FuncInfo {
    /// Its name, unique among functions.
    pub name: Arc<str>,
    /// Sorts of its arguments.
    pub args: Vec<Sort>,
    /// Sort of its value.
    pub result: Sort,
}

/// The top of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A fraction, denominator positive, in lowest terms.
    Real(i128, i128),
    /// An uninterpreted constant.
    Constant(Symbol),
    /// A bound variable.
    Bound(Binder),
    /// An uninterpreted function applied.
    Apply(Func, Vec<Term>),
    /// Negation.
    Not(Term),
    /// All of two or more.
    And(Vec<Term>),
    /// One of two or more.
    Or(Vec<Term>),
    /// Implication.
    Implies(Term, Term),
    /// Equality of any sort.
    Eq(Term, Term),
    /// All different; two or more.
    Distinct(Vec<Term>),
    /// If-then-else of any sort.
    Ite(Term, Term, Term),
    /// Sum of two or more.
    Add(Vec<Term>),
    /// Negation of a number.
    Neg(Term),
    /// An integer as a real number.
    ToReal(Term),
    /// Two numbers.
    Arithmetic(ArithmeticOp, Term, Term),
    /// Value of a map.
    Select(Term, Term),
    /// Map changed at one key.
    Store(Term, Term, Term),
    /// Map with the same value everywhere, for this sort of keys.
    ConstArray(Sort, Term),
    /// Two sets combined.
    Set(SetOp, Term, Term),
    /// A quantified formula.
    Quantified {
        /// Which quantifier.
        quantifier: Quantifier,
        /// What it binds.
        binders: Vec<Binder>,
        /// Alternatives, each a set of terms to match together. Empty: the solver must use models.
        triggers: Vec<Vec<Term>>,
        /// The body.
        body: Term,
    },
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// All values.
    Forall,
    /// Some value.
    Exists,
}

/// Operators on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    /// Multiplication.
    Mul,
    /// Euclidean division of integers.
    Div,
    /// Remainder of Euclidean division.
    Mod,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// Operators on two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOp {
    /// In one of them.
    Union,
    /// In both.
    Intersection,
    /// In the first only.
    Difference,
}

/// The store.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IndexMap<Node, Sort>,
    symbols: IndexMap<Arc<str>, Sort>,
    funcs: IndexSet<FuncInfo>,
    binders: Vec<(Arc<str>, Sort)>,
}

impl Terms {
    /// The symbol of this name, declared with this sort. Declaring a name twice with different
    /// sorts is a defect.
    pub fn symbol(&mut self, name: impl AsRef<str>, sort: Sort) -> Symbol {
        let (index, old) = self.symbols.insert_full(name.as_ref().into(), sort.clone());
        if let Some(old) = old {
            assert_eq!(old, sort, "internal error: symbol {} has two sorts", name.as_ref());
        }
        Symbol(small(index))
    }

    /// A symbol whose name starts with `stem` and is not in use.
    pub fn fresh(&mut self, stem: &str, sort: Sort) -> Symbol {
        let mut number = self.symbols.len();
        loop {
            let name = format!("{stem}@{number}");
            if !self.symbols.contains_key(name.as_str()) {
                return self.symbol(name, sort);
            }
            number += 1;
        }
    }

    /// The function with this declaration.
    pub fn func(&mut self, name: &str, args: Vec<Sort>, result: Sort) -> Func {
        let info = FuncInfo { name: name.into(), args, result };
        Func(small(self.funcs.insert_full(info).0))
    }

    /// A new bound variable.
    pub fn binder(&mut self, name: &str, sort: Sort) -> Binder {
        self.binders.push((name.into(), sort));
        Binder(small(self.binders.len() - 1))
    }

    /// The symbol's name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.get_index(symbol.0 as usize).expect("internal error: foreign symbol").0
    }

    /// The symbol's sort.
    pub fn symbol_sort(&self, symbol: Symbol) -> &Sort {
        &self.symbols[symbol.0 as usize]
    }

    /// The function's declaration.
    pub fn func_info(&self, func: Func) -> &FuncInfo {
        &self.funcs[func.0 as usize]
    }

    /// The bound variable's name and sort.
    pub fn binder_info(&self, binder: Binder) -> (&str, &Sort) {
        let (name, sort) = &self.binders[binder.0 as usize];
        (name, sort)
    }

    /// The top of the term.
    pub fn node(&self, term: Term) -> &Node {
        self.nodes.get_index(term.0 as usize).expect("internal error: foreign term").0
    }

    /// The sort of the term.
    pub fn sort(&self, term: Term) -> &Sort {
        &self.nodes[term.0 as usize]
    }

    /// The number of distinct terms in the store.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the store holds no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let (index, _) = self.nodes.insert_full(node, sort);
        Term(small(index))
    }
}

impl Node {
    /// The terms directly below, each once per occurrence, triggers excluded.
    pub fn children(&self) -> Vec<Term> {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::Real(..) | Self::Constant(_) | Self::Bound(_) => {
                Vec::new()
            }
            Self::Apply(_, args)
            | Self::And(args)
            | Self::Or(args)
            | Self::Distinct(args)
            | Self::Add(args) => args.clone(),
            Self::Not(a) | Self::Neg(a) | Self::ToReal(a) | Self::ConstArray(_, a) => vec![*a],
            Self::Implies(a, b)
            | Self::Eq(a, b)
            | Self::Arithmetic(_, a, b)
            | Self::Select(a, b)
            | Self::Set(_, a, b) => vec![*a, *b],
            Self::Ite(a, b, c) | Self::Store(a, b, c) => vec![*a, *b, *c],
            Self::Quantified { body, .. } => vec![*body],
        }
    }
}

fn small(index: usize) -> u32 {
    u32::try_from(index).expect("internal error: more than 2^32 terms")
}
