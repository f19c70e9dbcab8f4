//! The statements of the annotation language.

use super::Pragma;
use super::tokens::TokenKind;
use crate::tree::{
    Act, Acts, Clause, ClauseKind, Expr, FieldDecl, Guard, Head, Ident, Modifiers, Type, TypeKind,
};
use diagnostic::{Code, Diagnostic};
use parsing::{Parsed, Rules as _};
use source::{Name, Span};

impl Pragma<'_> {
    /// All statements up to the end.
    pub(super) fn all(&mut self, warnings: &mut Vec<Diagnostic>) -> Vec<Clause> {
        let mut clauses = Vec::new();
        while !self.is_at(TokenKind::End) {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            let start = self.span();
            let rule = |parser: &mut Self| parser.clause(warnings);
            let kind = self.one_or_skip(rule, Self::skip);
            let kind = kind.unwrap_or(ClauseKind::Error);
            clauses.push(Clause { kind, span: self.span_from(start) });
        }
        clauses
    }

    /// Up to the next statement or the end.
    fn skip(&mut self) {
        while !self.is_at(TokenKind::End) && !self.is_at(TokenKind::Semicolon) {
            self.bump();
        }
    }

    /// A word at the current token.
    pub(super) fn word(&self) -> &str {
        if self.is_at(TokenKind::Ident) { self.text_of(self.span()) } else { "" }
    }

    fn clause(&mut self, warnings: &mut Vec<Diagnostic>) -> Parsed<ClauseKind> {
        if self.eat(TokenKind::AtomicOpen) {
            return Ok(ClauseKind::AtomicBegin);
        }
        if self.eat(TokenKind::AtomicClose) {
            return Ok(ClauseKind::AtomicEnd);
        }
        let start = self.span();
        if self.is_at(TokenKind::At) && self.nth(1) == TokenKind::Ident {
            return self.convention(warnings);
        }
        let word = self.word().to_owned();
        self.bump();
        match self.known(&word, start)? {
            Some(kind) => Ok(kind),
            None => {
                warnings.push(self.not_evaluated(&word, start));
                Ok(ClauseKind::NoEffect)
            }
        }
    }

    /// A statement that starts with a word, which was taken already.
    fn known(&mut self, word: &str, start: Span) -> Parsed<Option<ClauseKind>> {
        Ok(Some(match word {
            "env_assumption" => ClauseKind::EnvAssumption(self.expr()?),
            "global_invariant" | "invariant" => ClauseKind::GlobalInvariant(self.expr()?),
            "axiom" => ClauseKind::Axiom(self.expr()?),
            "ghost" | "abstract" => ClauseKind::Ghost(Box::new(self.ghost()?)),
            "unwritable_by_env_if" => ClauseKind::Unwritable(self.expr()?),
            "elems_unwritable_by_env_if" => self.elements()?,
            "monitored" => {
                let this = Expr { kind: crate::tree::ExprKind::This, span: start };
                ClauseKind::Guarded(vec![this], Guard::OneForReads)
            }
            "monitored_by" => ClauseKind::Guarded(self.exprs()?, Guard::OneForReads),
            "guarded_by" => ClauseKind::Guarded(self.exprs()?, Guard::All),
            "non_null" => ClauseKind::NonNull,
            "requires" | "also_requires" => ClauseKind::Requires(self.expr()?),
            "modifies" | "also_modifies" => ClauseKind::Modifies(self.exprs()?),
            "ensures" | "also_ensures" => ClauseKind::Ensures(self.expr()?),
            "exsures" | "also_exsures" | "signals" => self.exsures()?,
            "action" => ClauseKind::Action(Acts::One(self.act()?)),
            "performs" => ClauseKind::Action(self.performs()?),
            "helper" => ClauseKind::Helper,
            "pure" => ClauseKind::Pure,
            "loop_invariant" | "maintaining" => ClauseKind::LoopInvariant(self.expr()?),
            "assert" => ClauseKind::Assert(self.expr()?),
            "assume" => ClauseKind::Assume(self.expr()?),
            "set" => self.set()?,
            "unreachable" => ClauseKind::Unreachable,
            "spec_public" | "public" | "uninitialized" | "non_null_elements" => {
                ClauseKind::NoEffect
            }
            _ => return Ok(None),
        }))
    }

    /// `(T e) P`
    fn exsures(&mut self) -> Parsed<ClauseKind> {
        self.expect(TokenKind::OpenParen)?;
        let ty = self.ty()?;
        let name =
            if self.is_at(TokenKind::Ident) { Some(self.ident("a variable")?) } else { None };
        self.expect(TokenKind::CloseParen)?;
        let is_over = self.is_at(TokenKind::End) || self.is_at(TokenKind::Semicolon);
        let cond = if is_over { None } else { Some(self.expr()?) };
        Ok(ClauseKind::Exsures(ty, name, cond))
    }

    /// Passes over a statement that says nothing here. After a word that is none of the language,
    /// the rest of the comment is passed over too: it is written for another tool.
    fn not_evaluated(&mut self, word: &str, start: Span) -> Diagnostic {
        let message = match word {
            "nowarn" => "`nowarn` is not obeyed: whatever can go wrong is reported".to_owned(),
            "readable_if" | "writable_if" | "writable_deferred" | "defined_if" | "decreases" => {
                format!("`{word}` is not looked at")
            }
            _ => {
                self.rest();
                let message = match word {
                    "" => "no annotation starts like this".to_owned(),
                    word => format!("no annotation is called `{word}`"),
                };
                let told = Diagnostic::new(Code::AnnotationUnknown, start, message);
                return told.at("from here on, this comment is not looked at");
            }
        };
        self.skip();
        Diagnostic::new(Code::AnnotationUnknown, self.span_from(start), message)
    }

    /// Up to the end of the comment.
    pub(super) fn rest(&mut self) {
        while !self.is_at(TokenKind::End) {
            self.bump();
        }
    }

    /// `[i] P`
    fn elements(&mut self) -> Parsed<ClauseKind> {
        self.expect(TokenKind::OpenBracket)?;
        let index = self.ident("an index")?;
        self.expect(TokenKind::CloseBracket)?;
        Ok(ClauseKind::ElementsUnwritable(index, self.expr()?))
    }

    pub(super) fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let (name, span) = self.name(what, false)?;
        Ok(Ident { name, span })
    }

    fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        self.comma_list(Self::expr)
    }

    /// `public static T x = e`
    fn ghost(&mut self) -> Parsed<FieldDecl> {
        let mut modifiers = Modifiers::default();
        loop {
            match self.word() {
                "public" | "private" | "protected" | "instance" | "ghost" => {}
                "static" => modifiers.is_static = true,
                "final" => modifiers.is_final = true,
                _ => break,
            }
            self.bump();
        }
        let ty = self.ty()?;
        let name = self.ident("the name of the ghost")?;
        let value = if self.eat(TokenKind::Eq) { Some(self.expr()?) } else { None };
        let head = Head { modifiers, ..Head::default() };
        let span = name.span;
        let mut field = FieldDecl { head, ty, name, value, is_ghost: true, span, order: 0 };
        while self.word() == "unwritable_by_env_if" {
            let start = self.bump().span;
            let kind = ClauseKind::Unwritable(self.expr()?);
            field.head.clauses.push(Clause { kind, span: self.span_from(start) });
        }
        Ok(field)
    }

    /// `C`, `a.b.C`, `int[]`, `C -> D`
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let mut segments = Vec::new();
        loop {
            let name = self.ident("a type")?;
            let mut args = Vec::new();
            if self.eat(TokenKind::Less) {
                args = self.comma_list(Self::ty)?;
                self.expect(TokenKind::Greater)?;
            }
            segments.push(crate::tree::TypeSegment { name, args });
            if !self.eat(TokenKind::Dot) {
                break;
            }
        }
        let prim = match segments.as_slice() {
            [one] => crate::tree::Prim::of(one.name.name.as_str()),
            _ => None,
        };
        let kind = prim.map_or(TypeKind::Named(segments), TypeKind::Prim);
        let mut ty = Type { kind, span: self.span_from(start) };
        while self.eat(TokenKind::Box) {
            ty = Type { kind: TypeKind::Array(Box::new(ty)), span: self.span_from(start) };
        }
        if self.eat(TokenKind::Arrow) {
            let value = self.ty()?;
            let kind = TypeKind::Map(Box::new(ty), Box::new(value));
            ty = Type { kind, span: self.span_from(start) };
        }
        Ok(ty)
    }

    /// `name: also_modifies x, y ensures P`
    fn act(&mut self) -> Parsed<Act> {
        let name = match self.word() {
            "" | "also_modifies" | "modifies" | "ensures" => None,
            _ => Some(self.ident("the name of the action")?),
        };
        self.eat(TokenKind::Colon);
        let mut modifies = Vec::new();
        if matches!(self.word(), "also_modifies" | "modifies") {
            self.bump();
            modifies = self.exprs()?;
        }
        let mut ensures = None;
        if self.word() == "ensures" {
            self.bump();
            ensures = Some(self.expr()?);
        }
        if modifies.is_empty() && ensures.is_none() {
            return Err(self.unexpected("`also_modifies` or `ensures`"));
        }
        Ok(Act { name, modifies, ensures })
    }

    /// `action "label" (locations) { E }` with `;` and `[]` between.
    fn performs(&mut self) -> Parsed<Acts> {
        let mut choices = vec![self.performs_sequence()?];
        while self.eat(TokenKind::Box) {
            choices.push(self.performs_sequence()?);
        }
        Ok(if choices.len() == 1 { choices.remove(0) } else { Acts::Choice(choices) })
    }

    fn performs_sequence(&mut self) -> Parsed<Acts> {
        let mut all = vec![self.performed()?];
        while self.is_at(TokenKind::Semicolon) && self.follows_act() {
            self.bump();
            all.push(self.performed()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Acts::Sequence(all) })
    }

    /// Whether `;` stands before another action.
    fn follows_act(&self) -> bool {
        match self.nth(1) {
            TokenKind::OpenParen => true,
            TokenKind::Ident => {
                matches!(self.nth(2), TokenKind::Text | TokenKind::OpenParen)
            }
            _ => false,
        }
    }

    fn performed(&mut self) -> Parsed<Acts> {
        if self.eat(TokenKind::OpenParen) {
            let inner = self.nested(Self::performs)?;
            self.expect(TokenKind::CloseParen)?;
            return Ok(inner);
        }
        if self.word() != "action" {
            return Err(self.unexpected("`action`"));
        }
        self.bump();
        let name = match self.kind() {
            TokenKind::Text => {
                let span = self.bump().span;
                Some(Ident { name: self.unquoted(span), span })
            }
            _ => None,
        };
        self.expect(TokenKind::OpenParen)?;
        let modifies = if self.is_at(TokenKind::CloseParen) { Vec::new() } else { self.exprs()? };
        self.expect(TokenKind::CloseParen)?;
        self.expect(TokenKind::OpenBrace)?;
        let ensures = Some(self.expr()?);
        self.eat(TokenKind::Semicolon);
        self.expect(TokenKind::CloseBrace)?;
        Ok(Acts::One(Act { name, modifies, ensures }))
    }

    /// What stands between quotes.
    pub(super) fn unquoted(&self, span: Span) -> Name {
        Name::from(self.text_of(span).trim_matches('"'))
    }

    /// `set place = e`, `set \witness = "label"`
    fn set(&mut self) -> Parsed<ClauseKind> {
        let is_witness =
            self.is_at(TokenKind::Backslash) && self.text_of(self.nth_span(1)) == "witness";
        if is_witness {
            self.bump();
            self.bump();
            self.expect(TokenKind::Eq)?;
            let span = self.expect(TokenKind::Text)?.span;
            return Ok(ClauseKind::Witness(self.unquoted(span)));
        }
        let place = self.expr()?;
        self.expect(TokenKind::Eq)?;
        Ok(ClauseKind::Set(place, self.expr()?))
    }
}
