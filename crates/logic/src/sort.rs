use std::fmt;
use std::sync::Arc;

/// The name of an uninterpreted sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortName(pub Arc<str>);

/// A sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Rational and real numbers.
    Real,
    /// An uninterpreted sort.
    Opaque(SortName),
    /// Total maps. A set is a map to `Bool`.
    Array(Arc<Sort>, Arc<Sort>),
}

impl Sort {
    /// The uninterpreted sort of this name.
    pub fn opaque(name: &str) -> Self {
        Self::Opaque(SortName(name.into()))
    }

    /// Maps from `key` to `value`.
    pub fn array(key: Self, value: Self) -> Self {
        Self::Array(Arc::new(key), Arc::new(value))
    }
}

/// The SMT-LIB spelling.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("Bool"),
            Self::Int => f.write_str("Int"),
            Self::Real => f.write_str("Real"),
            Self::Opaque(name) => f.write_str(&crate::print::quote(&name.0)),
            Self::Array(key, value) => write!(f, "(Array {key} {value})"),
        }
    }
}
