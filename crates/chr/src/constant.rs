//! Names and integers as small numbers.

use std::collections::BTreeMap;
use std::fmt;

/// The number of a constant, in the order in which constants were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// A value in a constraint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    /// An integer.
    Integer(i64),
    /// A name.
    Name(String),
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// All constants met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    all: Vec<Constant>,
    numbers: BTreeMap<Constant, Symbol>,
}

impl Constants {
    pub(crate) fn intern(&mut self, constant: Constant) -> Symbol {
        if let Some(&symbol) = self.numbers.get(&constant) {
            return symbol;
        }
        let number = u32::try_from(self.all.len()).expect("internal error: too many constants");
        self.all.push(constant.clone());
        self.numbers.insert(constant, Symbol(number));
        Symbol(number)
    }

    pub(crate) fn get(&self, symbol: Symbol) -> &Constant {
        &self.all[symbol.0 as usize]
    }
}
