//! Annotations that projects carry already: `@GuardedBy` and its kin.

use super::tokens::TokenKind;
use super::{Cursor, Pragma};
use crate::tree::{Annotation, Clause, ClauseKind, Expr, Guard};
use diagnostic::{Code, Diagnostic};
use parsing::{Parsed, Rules as _};
use source::{FileId, Span};

/// What an annotation of Java means here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Convention {
    Guarded,
    Held,
    EnsuresHeld,
    NonNull,
    Pure,
}

/// The meaning of an annotation, by its simple name.
fn meaning(name: &str) -> Option<Convention> {
    Some(match name {
        "GuardedBy" => Convention::Guarded,
        "Holding" | "LockHeld" => Convention::Held,
        "EnsuresLockHeld" => Convention::EnsuresHeld,
        "NonNull" | "NotNull" | "Nonnull" => Convention::NonNull,
        "Pure" | "SideEffectFree" => Convention::Pure,
        _ => return None,
    })
}

/// Whether a comment starts with such an annotation, without its `@`.
pub(crate) fn is_convention(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    meaning(&text[..end]).is_some()
}

/// What an annotation of Java says in the annotation language.
pub(crate) fn of_annotation(
    file: FileId,
    text: &str,
    annotation: &Annotation,
) -> (Vec<Clause>, Vec<Diagnostic>) {
    let Some(meaning) = meaning(annotation.name.as_str()) else {
        return (Vec::new(), Vec::new());
    };
    let (mut exprs, mut diagnostics) = (Vec::new(), Vec::new());
    if meaning.has_locks() {
        for value in &annotation.values {
            let is_named = value.key.as_str() != "value";
            if is_named || value.other.is_some() {
                let span = value.other.unwrap_or(annotation.span);
                let message = "only locks in quotes are looked at";
                diagnostics.push(Diagnostic::new(Code::AnnotationUnknown, span, message));
                continue;
            }
            for span in &value.texts {
                let (start, end) = (span.start as usize, span.end as usize);
                let mut parser = Pragma(Cursor::of_part(file, &text[..end], start));
                exprs.extend(parser.guard().ok());
                diagnostics.extend(parser.0.finish());
            }
        }
        if exprs.is_empty() && diagnostics.is_empty() {
            diagnostics.push(no_lock(annotation.span));
        }
    }
    let kind = clause(meaning, exprs);
    (vec![Clause { kind, span: annotation.span }], diagnostics)
}

fn no_lock(span: Span) -> Diagnostic {
    Diagnostic::new(Code::AnnotationUnknown, span, "no lock is named here")
}

impl Convention {
    /// Whether its arguments name locks; those of others change nothing.
    fn has_locks(self) -> bool {
        matches!(self, Self::Guarded | Self::Held | Self::EnsuresHeld)
    }
}

fn clause(meaning: Convention, exprs: Vec<Expr>) -> ClauseKind {
    match meaning {
        // Reported already.
        _ if meaning.has_locks() && exprs.is_empty() => ClauseKind::Error,
        Convention::Guarded | Convention::Held => ClauseKind::Guarded(exprs, Guard::All),
        Convention::EnsuresHeld => ClauseKind::EnsuresHeld(exprs),
        Convention::NonNull => ClauseKind::NonNull,
        Convention::Pure => ClauseKind::Pure,
    }
}

impl Pragma<'_> {
    /// An expression up to the end.
    fn guard(&mut self) -> Parsed<Expr> {
        let expr = self.expr()?;
        if !self.is_at(TokenKind::End) {
            return Err(self.unexpected("the end of the expression"));
        }
        Ok(expr)
    }

    /// `@GuardedBy("e")` in a comment.
    pub(super) fn convention(&mut self, warnings: &mut Vec<Diagnostic>) -> Parsed<ClauseKind> {
        let start = self.bump().span;
        let name = self.ident("the name of an annotation")?;
        let Some(meaning) = meaning(name.name.as_str()) else {
            return Err(self.unexpected("an annotation"));
        };
        let mut exprs = Vec::new();
        if !meaning.has_locks() {
            // What a person adds in words is no annotation.
            self.rest();
        } else if self.eat(TokenKind::OpenParen) {
            let texts = self.comma_list(|parser| parser.expect(TokenKind::Text))?;
            self.expect(TokenKind::CloseParen)?;
            for text in texts {
                let span = text.span;
                let whole = self.text_of(Span { start: 0, end: span.end - 1, ..span });
                let mut inner = Pragma(Cursor::of_part(span.file, whole, span.start as usize + 1));
                exprs.push(inner.guard()?);
            }
        } else {
            warnings.push(no_lock(start));
        }
        Ok(clause(meaning, exprs))
    }
}
