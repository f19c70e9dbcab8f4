//! Operators with two operands.

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`
    In,
    /// `!in`
    NotIn,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
}

impl BinaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Iff => "<==>",
            Self::Implies => "==>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::In => "in",
            Self::NotIn => "!in",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
        }
    }

    /// How tightly it binds; see [`precedence`].
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Self::Iff => precedence::IFF,
            Self::Implies => precedence::IMPLIES,
            Self::Eq
            | Self::Ne
            | Self::Lt
            | Self::Le
            | Self::Gt
            | Self::Ge
            | Self::In
            | Self::NotIn => precedence::COMPARISON,
            Self::Add | Self::Sub => precedence::SUM,
            Self::Mul | Self::Div | Self::Mod => precedence::PRODUCT,
        }
    }

    /// `+ - * / %`, which associate to the left and may form long chains.
    pub(crate) fn is_arithmetic(self) -> bool {
        self.precedence() >= precedence::SUM
    }
}

/// How tightly operators bind, loosest first. Parser and printer must agree, so both take it from
/// here.
pub(crate) mod precedence {
    /// Quantifiers, whose body reaches as far right as possible.
    pub(crate) const QUANTIFIER: u8 = 0;
    /// `c ? a : b`
    pub(crate) const CONDITIONAL: u8 = 1;
    /// `<==>`
    pub(crate) const IFF: u8 = 2;
    /// `==>`
    pub(crate) const IMPLIES: u8 = 3;
    /// `||`
    pub(crate) const OR: u8 = 4;
    /// `&&`
    pub(crate) const AND: u8 = 5;
    /// `==` and the like
    pub(crate) const COMPARISON: u8 = 6;
    /// `+ -`
    pub(crate) const SUM: u8 = 7;
    /// `* / %`
    pub(crate) const PRODUCT: u8 = 8;
    /// `! -`
    pub(crate) const UNARY: u8 = 9;
    /// `m[k]` and atoms
    pub(crate) const POSTFIX: u8 = 10;
}
