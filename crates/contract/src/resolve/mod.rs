//! Names to numbers, and the rules that a design obeys before anything is run.

mod classes;
mod numbers;
mod systems;

pub(crate) use classes::classes;
pub(crate) use numbers::Numbers;
pub(crate) use systems::{lookup, system};

use crate::syntax::Ident;
use diagnostic::{Code, Diagnostic, most_similar};
use source::Name;

/// Reports a name that is not declared, with the one that was perhaps meant.
pub(crate) fn unknown<'n>(
    ident: &Ident,
    what: &str,
    candidates: impl Iterator<Item = &'n Name>,
) -> Diagnostic {
    let message = format!("there is no {what} `{}`", ident.name);
    let fault = Diagnostic::new(Code::UnknownName, ident.span, message);
    match most_similar(&ident.name, candidates) {
        Some(name) => fault.help(format!("perhaps `{name}` is meant")),
        None => fault,
    }
}

/// Reports a second declaration.
pub(crate) fn duplicate(ident: &Ident, what: &str) -> Diagnostic {
    let message = format!("there is a {what} `{}` already", ident.name);
    Diagnostic::new(Code::DuplicateName, ident.span, message)
}

/// Reports something of the wrong class or number.
pub(crate) fn mismatch(ident: &Ident, message: String) -> Diagnostic {
    Diagnostic::new(Code::TypeMismatch, ident.span, message)
}
