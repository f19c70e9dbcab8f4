//! Rules that every parser on top of a [`Cursor`] has.

use crate::{Cursor, Language, Parsed};
use std::ops::DerefMut;

/// The rules of a parser that can be used like its cursor.
pub trait Rules<'t, L: Language>: DerefMut<Target = Cursor<'t, L>> {
    /// One or more, with commas between.
    fn comma_list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(L::COMMA) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Runs a rule one level deeper, unless that is too deep.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Runs a rule; where it fails, takes at least one token and skips to where the next may start.
    fn one_or_skip<T>(
        &mut self,
        rule: impl FnOnce(&mut Self) -> Parsed<T>,
        skip: impl FnOnce(&mut Self),
    ) -> Option<T> {
        let start = self.at;
        let one = rule(self);
        if one.is_err() {
            // The fault may be the very first word; skipping stops at words that start something.
            if self.at == start {
                self.bump();
            }
            skip(self);
        }
        one.ok()
    }
}

/// Makes the type of a parser: the rules of a language on top of a [`Cursor`](crate::Cursor), like
/// which it can be used.
#[macro_export]
macro_rules! parser {
    ($parser:ident, $token:ty) => {
        struct $parser<'t>($crate::Cursor<'t, $token>);

        impl<'t> std::ops::Deref for $parser<'t> {
            type Target = $crate::Cursor<'t, $token>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl std::ops::DerefMut for $parser<'_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }
    };
}

impl<'t, L: Language, P: DerefMut<Target = Cursor<'t, L>>> Rules<'t, L> for P {}
