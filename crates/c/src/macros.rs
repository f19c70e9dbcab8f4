//! Macros and their replacements.
//!
//! A macro is not replaced inside of its own replacement, so each token knows the macros it came
//! from. Arguments are expanded before they replace parameters, and the replacement of a macro is
//! read again together with the text behind it.

use crate::text::Plain;
use crate::tokens::{Kind, Reader, Token};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A macro.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// `None` if it has no parameter list.
    pub(crate) params: Option<Vec<String>>,
    /// Whether its last parameter takes all further arguments.
    pub(crate) is_open: bool,
    pub(crate) body: Vec<Token>,
}

/// Limit on the tokens of all expansions.
const MAX_TOKENS: usize = 2_000_000;
/// Limit on the nesting of expanded arguments.
const MAX_DEPTH: usize = 40;

#[derive(Default)]
pub(crate) struct Macros {
    known: BTreeMap<String, Macro>,
    /// Whether `<assert.h>` defined `assert`, as a macro that does nothing.
    is_assert_off: bool,
}

/// The macros that a token came from.
#[derive(Clone, Default)]
struct Origins(Option<Rc<(String, Origins)>>);

impl Origins {
    fn contains(&self, name: &str) -> bool {
        let mut at = self;
        while let Some(link) = &at.0 {
            if link.0 == name {
                return true;
            }
            at = &link.1;
        }
        false
    }
}

type Piece = (Token, Origins);

impl Macro {
    /// The macro whose parameter list begins here; `None` if it is not one.
    pub(crate) fn with_params(words: &[Token]) -> Option<Self> {
        let close = words.iter().position(|token| token.kind == Kind::Sign(")"))?;
        let mut params = Vec::new();
        let mut is_open = false;
        for (at, token) in words.get(1..close)?.iter().enumerate() {
            match (&token.kind, at % 2) {
                _ if is_open => return None,
                (Kind::Name(name), 0) => params.push(name.clone()),
                (Kind::Sign("..."), 0) => {
                    params.push("__VA_ARGS__".to_owned());
                    is_open = true;
                }
                (Kind::Sign(","), 1) => {}
                _ => return None,
            }
        }
        if close > 1 && close % 2 == 1 {
            return None;
        }
        Some(Self { params: Some(params), is_open, body: words[close + 1..].to_vec() })
    }
}

impl Macros {
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    pub(crate) fn insert(&mut self, name: String, made: Macro) {
        if name == "assert" {
            self.is_assert_off = false;
        }
        self.known.insert(name, made);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.known.remove(name);
    }

    /// `<assert.h>`: where `NDEBUG` is defined, `assert` does nothing and its argument is not
    /// evaluated.
    pub(crate) fn include_assert(&mut self) {
        if self.contains("NDEBUG") {
            let plain = Plain::of("((void)0)");
            let file = source::FileId(0);
            let body = Reader { file, plain: &plain, at: 0, end: plain.text.len() }.all();
            let params = Some(vec!["condition".to_owned()]);
            self.insert("assert".to_owned(), Macro { params, is_open: false, body });
            self.is_assert_off = true;
        } else if self.is_assert_off {
            self.remove("assert");
            self.is_assert_off = false;
        }
    }

    /// Replaces macros; false if there are too many tokens.
    pub(crate) fn expand(&self, tokens: Vec<Token>, out: &mut Vec<Token>) -> bool {
        let limit = out.len() + tokens.len() + MAX_TOKENS;
        let pieces = tokens.into_iter().map(|token| (token, Origins::default())).collect();
        let mut work = Work { macros: self, left: limit, depth: 0 };
        let Some(done) = work.expand(pieces) else { return false };
        out.extend(done.into_iter().map(|(token, _)| token));
        true
    }
}

struct Work<'m> {
    macros: &'m Macros,
    /// The number of tokens that may still be made.
    left: usize,
    depth: usize,
}

impl Work<'_> {
    /// `None` if there are too many tokens.
    fn expand(&mut self, pieces: Vec<Piece>) -> Option<Vec<Piece>> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        // The pieces still to be read, the next at the end.
        let mut rest = pieces;
        rest.reverse();
        let mut out = Vec::new();
        while let Some((token, from)) = rest.pop() {
            let made = match &token.kind {
                Kind::Name(name) if !from.contains(name) => {
                    self.macros.known.get(name).map(|made| (name.clone(), made))
                }
                _ => None,
            };
            let Some((name, made)) = made else {
                out.push((token, from));
                continue;
            };
            let given = match &made.params {
                None => Vec::new(),
                Some(params) => match arguments(&mut rest, params.len(), made.is_open) {
                    Some(given) => given,
                    None => {
                        out.push((token, from));
                        continue;
                    }
                },
            };
            let inner = Origins(Some(Rc::new((name, from))));
            let body = self.substituted(made, &given, &token, &inner)?;
            self.left = self.left.checked_sub(body.len() + 1)?;
            rest.extend(body.into_iter().rev());
        }
        Some(out)
    }

    /// The body of a macro with its arguments, at the place where it is used.
    fn substituted(
        &mut self,
        made: &Macro,
        given: &[Vec<Piece>],
        used: &Token,
        inner: &Origins,
    ) -> Option<Vec<Piece>> {
        let params = made.params.as_deref().unwrap_or_default();
        let argument = |token: &Token| match &token.kind {
            Kind::Name(name) => {
                params.iter().position(|param| param == name).and_then(|at| given.get(at))
            }
            _ => None,
        };
        let is_paste =
            |at: usize| made.body.get(at).is_some_and(|token| token.kind == Kind::Sign("##"));
        let mut out: Vec<Piece> = Vec::new();
        let mut at = 0;
        while let Some(token) = made.body.get(at) {
            let here = |kind: Kind| (Token { kind, span: used.span }, inner.clone());
            at += 1;
            if token.kind == Kind::Sign("#")
                && made.params.is_some()
                && made.body.get(at).and_then(argument).is_some()
            {
                at += 1;
                out.push(here(Kind::Text("#".to_owned())));
            } else if token.kind == Kind::Sign("##") {
                let next = made.body.get(at)?;
                at += 1;
                let right =
                    argument(next).cloned().unwrap_or_else(|| vec![here(next.kind.clone())]);
                let pasted = glued(out.pop(), &right);
                out.extend(pasted.into_iter().map(here));
            } else if let Some(argument) = argument(token) {
                let pieces = argument.iter().map(|(token, from)| {
                    (Token { kind: token.kind.clone(), span: used.span }, from.clone())
                });
                let pieces: Vec<Piece> = pieces.collect();
                // Tokens that are glued are taken as they are written.
                if is_paste(at) {
                    if pieces.is_empty() {
                        out.push(here(Kind::End));
                    }
                    out.extend(pieces);
                    continue;
                }
                self.depth += 1;
                let expanded = self.expand(pieces)?;
                self.depth -= 1;
                self.left = self.left.checked_sub(expanded.len())?;
                out.extend(expanded);
            } else {
                out.push(here(token.kind.clone()));
            }
        }
        out.retain(|(token, _)| token.kind != Kind::End);
        Some(out)
    }
}

/// `left ## right`: the first token of the right side becomes part of the left one.
fn glued(left: Option<Piece>, right: &[Piece]) -> Vec<Kind> {
    let spelled = |kind: &Kind| match kind {
        Kind::Name(name) => Some(name.clone()),
        Kind::Number(value, 32, true) => Some(value.to_string()),
        Kind::Sign(sign) => Some((*sign).to_owned()),
        _ => None,
    };
    let Some((left, _)) = left else { return vec![Kind::Strange] };
    let Some(((first, _), more)) = right.split_first() else { return vec![left.kind] };
    // `Kind::End` stands for an argument without tokens.
    if left.kind == Kind::End {
        return right.iter().map(|(token, _)| token.kind.clone()).collect();
    }
    let glued = match (spelled(&left.kind), spelled(&first.kind)) {
        (Some(one), Some(other)) => one + &other,
        _ => return vec![Kind::Strange],
    };
    let plain = Plain::of(&glued);
    let file = left.span.file;
    let all = Reader { file, plain: &plain, at: 0, end: plain.text.len() }.all();
    let kind = match &all[..] {
        [one] => one.kind.clone(),
        _ => Kind::Strange,
    };
    std::iter::once(kind).chain(more.iter().map(|(token, _)| token.kind.clone())).collect()
}

/// The arguments of a macro, taken from the tokens after its name; `None`, and nothing is taken, if
/// there are none or their number is not that of the parameters.
fn arguments(rest: &mut Vec<Piece>, params: usize, is_open: bool) -> Option<Vec<Vec<Piece>>> {
    if rest.last()?.0.kind != Kind::Sign("(") {
        return None;
    }
    let mut given = vec![Vec::new()];
    let mut depth = 0;
    for (at, piece) in rest.iter().rev().enumerate() {
        match piece.0.kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") if depth == 1 => {
                let fits = given.len() == params
                    || params == 0 && given.len() == 1 && given[0].is_empty()
                    || is_open && given.len() + 1 == params;
                // Wrong use of a macro is not C: it becomes a strange token.
                let given = if fits { given } else { vec![strange(piece); params] };
                rest.truncate(rest.len() - at - 1);
                return Some(given);
            }
            Kind::Sign(")") => depth -= 1,
            Kind::Sign(",") if depth == 1 && !(is_open && given.len() == params) => {
                given.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if at > 0 {
            given.last_mut()?.push(piece.clone());
        }
    }
    None
}

fn strange(piece: &Piece) -> Vec<Piece> {
    vec![(Token { kind: Kind::Strange, span: piece.0.span }, piece.1.clone())]
}
