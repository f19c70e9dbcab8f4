//! Syntax tree to typed program: names get their meaning, expressions their types, shorthands go
//! away.
//!
//! First all declarations are collected, so that order does not matter; then contracts and bodies
//! are checked one by one. A fault is reported at its place and replaced by something of type
//! [`Type::Unsupported`], which fits everywhere, so that it does not echo.

mod access;
mod amounts;
mod assertions;
mod calls;
mod collect;
mod exprs;
mod members;
mod operators;
mod quantifiers;
mod rely;
mod scope;
mod stmts;
mod symbols;
pub(crate) mod types;
mod variables;

use crate::hir::{ClassId, Expr, ExprKind, Local, LocalId, Program, Type};
use crate::syntax;
use diagnostic::{Code, Diagnostic};
use source::Span;
use symbols::Symbols;

/// The typed program of a tree and the errors in it. A program with errors cannot be verified, but
/// it is there.
pub fn check(tree: &syntax::Program) -> (Program, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let (symbols, mut program) = collect::collect(tree, &mut diagnostics);
    members::fill(tree, &symbols, &mut program, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    (program, diagnostics)
}

/// Whose declaration is being checked.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Class(ClassId),
    Channel(crate::hir::ChannelId),
}

/// What the place allows.
#[derive(Clone, Debug, Default)]
struct Place {
    /// Whether there is an earlier state for `old`.
    two_state: bool,
    /// The kind of place, if no thread is there that could hold locks.
    no_holds: Option<&'static str>,
    /// The same for `waitlevel`.
    no_waitlevel: Option<&'static str>,
    /// The same for `eval`.
    no_eval: Option<&'static str>,
    /// Whether variables and fields that exist for specifications only may be read.
    ghost: bool,
    /// Whether there is no `this`.
    is_static: bool,
    /// The type of `result`.
    result: Option<Type>,
}

impl Place {
    /// A formula that holds whichever thread looks at it, so it cannot speak of the locks of one
    /// thread.
    fn timeless(&mut self, what: &'static str) {
        (self.no_holds, self.no_waitlevel, self.no_eval) = (Some(what), Some(what), Some(what));
    }
}

/// Checks one declaration.
struct Checker<'c> {
    symbols: &'c Symbols,
    program: &'c Program,
    diagnostics: &'c mut Vec<Diagnostic>,
    owner: Owner,
    place: Place,
    /// All locals of the declaration.
    locals: Vec<Local>,
    /// For each local, whether it exists for specifications only.
    ghosts: Vec<bool>,
    /// The visible locals, innermost last.
    visible: Vec<LocalId>,
}

impl<'c> Checker<'c> {
    fn new(
        symbols: &'c Symbols,
        program: &'c Program,
        diagnostics: &'c mut Vec<Diagnostic>,
        owner: Owner,
    ) -> Self {
        let place = Place::default();
        let (locals, ghosts, visible) = (Vec::new(), Vec::new(), Vec::new());
        Self { symbols, program, diagnostics, owner, place, locals, ghosts, visible }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn mismatch(&mut self, span: Span, message: impl Into<String>) {
        let error = Diagnostic::new(Code::TypeMismatch, span, message);
        self.report(error.at("does not fit here"));
    }

    fn misplaced(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let error = Diagnostic::new(Code::MisplacedExpression, span, message)
            .at("not allowed here")
            .help(help);
        self.report(error);
    }

    /// Runs a check in a changed place, and restores the place.
    fn with_place<T>(
        &mut self,
        change: impl FnOnce(&mut Place),
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.place.clone();
        change(&mut self.place);
        let result = run(self);
        self.place = before;
        result
    }
}

/// Stands for an expression that was reported, or whose type is not supported.
fn error_expr(span: Span) -> Expr {
    let kind = ExprKind::Unsupported("a set or an object of a refining class".into());
    Expr { kind, ty: Type::Unsupported, span }
}
