//! Diagrams as lines, and lines as words.

use crate::lexer::place;
use crate::syntax::Ident;
use source::{FileId, Span};

/// A line without the space around it, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) start: usize,
    pub(super) text: &'t str,
}

/// Lines that start with one of these concern the appearance only.
const LOOKS: &[&str] = &[
    "skinparam",
    "hide",
    "show",
    "left to right",
    "top to bottom",
    "scale",
    "!theme",
    "header",
    "footer",
    "caption",
    "autonumber",
];

/// The lines of each `@startuml` ... `@enduml` that have a meaning.
pub(super) fn blocks(text: &str) -> Vec<Vec<Line<'_>>> {
    let mut blocks: Vec<Vec<Line<'_>>> = Vec::new();
    let mut is_inside = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = Line { start, text: line }.trimmed();
        start += line.len();
        if trimmed.text.starts_with("@startuml") {
            is_inside = true;
            blocks.push(Vec::new());
        } else if trimmed.text.starts_with("@enduml") {
            is_inside = false;
        } else if is_inside
            && !trimmed.text.is_empty()
            && !trimmed.text.starts_with('\'')
            && !LOOKS.iter().any(|word| trimmed.text.starts_with(word))
            && let Some(block) = blocks.last_mut()
        {
            block.push(trimmed);
        }
    }
    blocks
}

impl Line<'_> {
    pub(super) fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        Self { start, text: text.trim_end() }
    }

    /// The part from one byte to another.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        Self { start: self.start + from, text: &self.text[from..to] }.trimmed()
    }

    /// Both sides of the first occurrence of a sign.
    pub(super) fn split(self, sign: &str) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        Some((self.part(0, at), self.part(at + sign.len(), self.text.len())))
    }

    /// The rest, if the line begins with this word.
    pub(super) fn after_word(self, word: &str) -> Option<Self> {
        let rest = self.text.strip_prefix(word)?;
        let ends = rest.chars().next().is_none_or(char::is_whitespace);
        ends.then(|| self.part(word.len(), self.text.len()))
    }

    pub(super) fn starts_with_word(self, word: &str) -> bool {
        self.after_word(word).is_some()
    }

    /// The words; what stands in quotes is one word, without them.
    pub(super) fn words(self) -> Vec<Self> {
        let mut words = Vec::new();
        let mut rest = self.trimmed();
        while !rest.text.is_empty() {
            let (word, length) = match rest.text.strip_prefix('"') {
                Some(quoted) => {
                    let end = quoted.find('"').unwrap_or(quoted.len());
                    (rest.part(1, 1 + end), (end + 2).min(rest.text.len()))
                }
                None => {
                    let end = rest.text.find(char::is_whitespace).unwrap_or(rest.text.len());
                    (rest.part(0, end), end)
                }
            };
            words.push(word);
            rest = rest.part(length, rest.text.len());
        }
        words
    }

    pub(super) fn span(self, file: FileId) -> Span {
        place(file, self.start, self.start + self.text.len())
    }

    /// The line as a name; none if it is not one.
    pub(super) fn ident(self, file: FileId) -> Option<Ident> {
        let mut chars = self.text.chars();
        let is_name = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_');
        is_name.then(|| Ident { name: self.text.into(), span: self.span(file) })
    }
}

/// `A --> B`, with a text in quotes at either end.
pub(super) struct Arrow<'t> {
    pub(super) from: Line<'t>,
    pub(super) to: Line<'t>,
    /// The number at the second end.
    pub(super) count: Option<Line<'t>>,
}

/// Reads an arrow to the right.
pub(super) fn arrow<'t>(words: &[Line<'t>]) -> Option<Arrow<'t>> {
    let at = words.iter().position(|word| {
        let is_line = |c: char| "-.>o*<|".contains(c);
        word.text.ends_with('>') && word.text.chars().all(is_line)
    })?;
    let (from, to) = (words.first()?, words.last()?);
    let count = match words.len() - at {
        2 => None,
        3 => Some(words[at + 1]),
        _ => return None,
    };
    (at == 1 || at == 2).then_some(Arrow { from: *from, to: *to, count })
}
