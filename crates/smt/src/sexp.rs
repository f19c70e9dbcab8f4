//! S-expressions: what solvers answer.
//!
//! Models of large arrays nest deeply, so nothing here recurses: not the parser, the printer, the
//! comparison or the destructor.

use std::fmt;

/// An s-expression.
pub enum Sexp {
    /// A symbol, number or string literal, spelt as the solver spelt it (quotes and bars included).
    Atom(String),
    /// A parenthesised list.
    List(Vec<Sexp>),
}

/// Why a text is not an s-expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SexpError {
    /// A closing parenthesis, string quote or bar is missing.
    #[error("the text ends too early")]
    EndsEarly,
    /// A closing parenthesis without its opening one.
    #[error("unexpected closing parenthesis at byte {0}")]
    UnexpectedClose(usize),
    /// Nothing, or more than one expression, where one was expected.
    #[error("expected one expression, found {0}")]
    NotOne(usize),
}

impl Sexp {
    /// Reads one expression.
    pub fn parse(text: &str) -> Result<Self, SexpError> {
        let mut all = Self::parse_all(text)?;
        match (all.pop(), all.len()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err(SexpError::NotOne(0)),
            (Some(_), others) => Err(SexpError::NotOne(others + 1)),
        }
    }

    /// Reads a sequence of expressions.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, SexpError> {
        let mut open: Vec<Vec<Self>> = Vec::new();
        let mut current = Vec::new();
        let mut position = 0;
        while let Some(&byte) = text.as_bytes().get(position) {
            match byte {
                b'(' => open.push(std::mem::take(&mut current)),
                b')' => {
                    let outer = open.pop().ok_or(SexpError::UnexpectedClose(position))?;
                    let list = std::mem::replace(&mut current, outer);
                    current.push(Self::List(list));
                }
                b';' => {
                    position += text[position..].find('\n').unwrap_or(text.len() - position - 1);
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    let end = atom_end(text, position)?;
                    current.push(Self::Atom(text[position..end].to_owned()));
                    position = end;
                    continue;
                }
            }
            position += 1;
        }
        if open.is_empty() { Ok(current) } else { Err(SexpError::EndsEarly) }
    }

    /// The text of an atom.
    pub fn as_atom(&self) -> Option<&str> {
        match self {
            Self::Atom(text) => Some(text),
            Self::List(_) => None,
        }
    }

    /// The members of a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::Atom(_) => None,
            Self::List(items) => Some(items),
        }
    }
}

/// The byte after the atom that starts at `start`.
fn atom_end(text: &str, start: usize) -> Result<usize, SexpError> {
    let bytes = text.as_bytes();
    match bytes[start] {
        b'|' => match text[start + 1..].find('|') {
            Some(length) => Ok(start + length + 2),
            None => Err(SexpError::EndsEarly),
        },
        b'"' => {
            let mut position = start + 1;
            loop {
                position += text[position..].find('"').ok_or(SexpError::EndsEarly)? + 1;
                // Two quotes stand for one.
                if bytes.get(position) != Some(&b'"') {
                    return Ok(position);
                }
                position += 1;
            }
        }
        _ => {
            let ends = |byte: &u8| {
                byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'"' | b'|' | b';')
            };
            Ok(bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length))
        }
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: Vec<std::slice::Iter<'_, Self>> = Vec::new();
        let mut next = Some(self);
        loop {
            match next {
                Some(Self::Atom(text)) => f.write_str(text)?,
                Some(Self::List(items)) => {
                    f.write_str("(")?;
                    open.push(items.iter());
                    next = open.last_mut().and_then(Iterator::next);
                    continue;
                }
                None => {
                    f.write_str(")")?;
                    open.pop();
                }
            }
            let Some(rest) = open.last_mut() else { return Ok(()) };
            next = rest.next();
            if next.is_some() {
                f.write_str(" ")?;
            }
        }
    }
}

impl fmt::Debug for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Sexp {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(self, other)];
        while let Some(pair) = pairs.pop() {
            match pair {
                (Self::Atom(left), Self::Atom(right)) if left == right => {}
                (Self::List(left), Self::List(right)) if left.len() == right.len() => {
                    pairs.extend(left.iter().zip(right));
                }
                _ => return false,
            }
        }
        true
    }
}

impl Eq for Sexp {}

impl Drop for Sexp {
    fn drop(&mut self) {
        let Self::List(items) = self else { return };
        let mut pending = std::mem::take(items);
        while let Some(mut item) = pending.pop() {
            if let Self::List(inner) = &mut item {
                pending.append(inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sexp, SexpError};

    fn check(text: &str, printed: &str) {
        assert_eq!(Sexp::parse(text).expect("well-formed").to_string(), printed);
    }

    #[test]
    fn prints_what_it_reads() {
        check("unsat", "unsat");
        check(" ( a\n ( b  () )\tc ) ", "(a (b ()) c)");
        check("((|a b) (| \"x\"\") y\"))", "((|a b) (| \"x\"\") y\"))");
        check("(a;b)\n c)", "(a c)");
        check("(a)(b)c".split_at(3).0, "(a)");
    }

    #[test]
    fn faults() {
        assert_eq!(Sexp::parse("(a"), Err(SexpError::EndsEarly));
        assert_eq!(Sexp::parse("(a \"b)"), Err(SexpError::EndsEarly));
        assert_eq!(Sexp::parse("|a"), Err(SexpError::EndsEarly));
        assert_eq!(Sexp::parse("a)"), Err(SexpError::UnexpectedClose(1)));
        assert_eq!(Sexp::parse("; only a comment"), Err(SexpError::NotOne(0)));
        assert_eq!(Sexp::parse("a (b)"), Err(SexpError::NotOne(2)));
    }

    #[test]
    fn deep_nesting() {
        let depth = 500_000;
        let text = "(".repeat(depth) + &")".repeat(depth);
        let sexp = Sexp::parse(&text).expect("well-formed");
        assert_eq!(sexp.to_string(), text);
        assert!(sexp == Sexp::parse(&text).expect("well-formed"));
    }
}
