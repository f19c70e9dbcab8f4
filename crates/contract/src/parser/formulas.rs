//! Formulas: `|` binds less than `&`, `!` most.

use super::{Parsed, Parser};
use crate::syntax::{Atom, Formula};

impl Parser {
    /// A formula over any kind of atoms.
    pub(super) fn formula<A>(
        &mut self,
        atom: &mut dyn FnMut(&mut Self) -> Parsed<A>,
    ) -> Parsed<Formula<A>> {
        self.joined("|", Formula::Or, &mut |parser| {
            parser.joined("&", Formula::And, &mut |parser| parser.literal(atom))
        })
    }

    /// One or more parts with a sign between; a single part is the whole formula.
    fn joined<A>(
        &mut self,
        sign: &str,
        whole: fn(Vec<Formula<A>>) -> Formula<A>,
        part: &mut dyn FnMut(&mut Self) -> Parsed<Formula<A>>,
    ) -> Parsed<Formula<A>> {
        let first = part(self)?;
        if !self.is_sign(sign) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.takes(sign) {
            all.push(part(self)?);
        }
        Ok(whole(all))
    }

    fn literal<A>(&mut self, atom: &mut dyn FnMut(&mut Self) -> Parsed<A>) -> Parsed<Formula<A>> {
        if self.takes("!") {
            let inner = self.nested(|parser| parser.literal(atom))?;
            return Ok(Formula::Not(Box::new(inner)));
        }
        if self.takes("(") {
            let inner = self.nested(|parser| parser.formula(atom))?;
            self.sign(")")?;
            return Ok(inner);
        }
        if self.takes_word("true") {
            return Ok(Formula::True);
        }
        Ok(Formula::Atom(atom(self)?))
    }

    /// A question about a state.
    pub(super) fn atom(&mut self) -> Parsed<Atom> {
        for (word, all) in [("all", true), ("some", false)] {
            if self.takes_word(word) {
                let name = self.ident("a name")?;
                let (from, to) = self.range()?;
                self.sign(":")?;
                let body = self.nested(|parser| parser.formula(&mut Self::atom))?;
                return Ok(Atom::Each { all, name, from, to, body: Box::new(body) });
            }
        }
        let unit = self.reference()?;
        if self.takes(".") {
            let variable = self.ident("a variable")?;
            self.sign("==")?;
            let value = if self.takes_word("nil") { None } else { Some(self.reference()?) };
            return Ok(Atom::Refers(unit, variable, value));
        }
        if self.takes_word("at") {
            return Ok(Atom::At(unit, self.ident("a state")?));
        }
        if self.takes_word("is") {
            return Ok(Atom::Is(unit, self.ident("a condition")?));
        }
        if self.takes_word("held") {
            let by = if self.takes_word("by") { Some(self.reference()?) } else { None };
            return Ok(Atom::Held(unit, by));
        }
        if self.takes_word("waits") {
            let target = if self.takes_word("for") { Some(self.reference()?) } else { None };
            return Ok(Atom::Waits(unit, target));
        }
        self.expected("`at`, `is`, `held`, `waits` or a variable")
    }
}
