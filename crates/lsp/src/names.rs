//! What the words of a text mean, by what its outline declares: a name means what the innermost
//! declaration around it says.

use crate::documents::Document;
use driver::Language;
use source::{Declaration, DeclarationKind, Span};
use std::collections::BTreeMap;

/// A word of the text that is in no comment and no string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// All words that may be names.
pub(crate) fn words(text: &str, language: Language) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.char_indices().peekable();
    let has = |at: usize, sign: &str| text[at..].starts_with(sign);
    while let Some((at, character)) = rest.next() {
        // Annotations of Java stand in comments.
        let is_java = language == Language::Java;
        let skipped = if is_java && (has(at, "//@") || has(at, "/*@")) {
            3
        } else if is_java && character == '\'' {
            letter(&text[at..])
        } else if has(at, "//") || (language == Language::Pds && character == '#') {
            text[at..].find('\n').unwrap_or(text.len() - at)
        } else if has(at, "/*") {
            text[at + 2..].find("*/").map_or(text.len() - at, |inner| inner + 4)
        } else if character == '"' {
            string(&text[at..])
        } else {
            0
        };
        let is_name = |other: char| other.is_alphanumeric() || other == '_' || other == '$';
        let mut end = at + skipped;
        if skipped == 0 && (character.is_alphabetic() || character == '_' || character == '$') {
            end = text[at..].find(|other| !is_name(other)).map_or(text.len(), |length| at + length);
            words.push(Word { start: at, end });
        } else if skipped == 0 && character.is_ascii_digit() {
            end = text[at..].find(|other| !is_name(other)).map_or(text.len(), |length| at + length);
        }
        while rest.next_if(|(next, _)| *next < end).is_some() {}
    }
    words
}

/// The length of a letter of Java, such as `'"'`.
fn letter(text: &str) -> usize {
    let inner = if text[1..].starts_with('\\') { 3 } else { 1 };
    let rest = text.get(inner..).unwrap_or_default();
    rest.find('\'').filter(|length| *length < 12).map_or(1, |length| inner + length + 1)
}

/// The length of a string that ends in its line.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' => return at,
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = character == '\\' && !is_escaped,
        }
    }
    text.len()
}

impl Document {
    /// The word at a place.
    pub(crate) fn word(&self, at: usize) -> Option<Word> {
        // Words come in order; at the end of one and the start of another the first one counts.
        let first = self.words.partition_point(|word| word.end < at);
        self.words.get(first).copied().filter(|word| word.start <= at)
    }

    pub(crate) fn text_of(&self, word: Word) -> &str {
        &self.text[word.start..word.end]
    }

    /// What a word means: the declaration of that name that is known there, the innermost first. A
    /// member of another class or module counts if nothing else does.
    pub(crate) fn meaning(&self, word: Word) -> Option<&Known> {
        let known = self.known.get(self.text_of(word))?;
        known
            .iter()
            .filter_map(|one| Some((one.rank(word)?, one)))
            .max_by_key(|(rank, _)| *rank)
            .map(|(_, one)| one)
    }

    /// All words that mean the same as one.
    pub(crate) fn references(&self, word: Word) -> Vec<Word> {
        let Some(meant) = self.meaning(word) else { return Vec::new() };
        let place = meant.name_span;
        let name = self.text_of(word);
        let same = self.words.iter().copied().filter(|other| self.text_of(*other) == name);
        let means = |other: &Word| self.meaning(*other).is_some_and(|one| one.name_span == place);
        same.filter(means).collect()
    }
}

/// A declaration, as one of those with its name.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) kind: DeclarationKind,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    span: Span,
    /// What it is declared in.
    around: Option<Span>,
    depth: usize,
}

/// The rank of a declaration: whether it is known at the word at all, and how deep it is.
type Rank = (bool, usize);

impl Known {
    fn rank(&self, word: Word) -> Option<Rank> {
        let contains =
            |span: &Span| span.start as usize <= word.start && word.end <= span.end as usize;
        let is_here = self.name_span.start as usize == word.start;
        let is_local = self.kind == DeclarationKind::Local;
        // A local variable is known in its block alone, other names also from afar.
        let is_around = self.around.as_ref().is_none_or(contains);
        let is_known = is_around && (!is_local || contains(&self.span));
        let depth = if is_here { usize::MAX } else { self.depth };
        (is_known || is_here || !is_local).then_some((is_known || is_here, depth))
    }
}

/// All declarations, by their names.
pub(crate) fn known(outline: &[Declaration]) -> BTreeMap<String, Vec<Known>> {
    let mut found = BTreeMap::new();
    note(outline, None, 0, &mut found);
    found
}

fn note(
    all: &[Declaration],
    around: Option<Span>,
    depth: usize,
    found: &mut BTreeMap<String, Vec<Known>>,
) {
    for one in all {
        let (kind, name_span, span) = (one.kind, one.name_span, one.span);
        let name = one.name.clone();
        let known = Known { kind, name, name_span, span, around, depth };
        found.entry(one.name.clone()).or_default().push(known);
        note(&one.inside, Some(span), depth + 1, found);
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use crate::documents::{Document, uri};
    use driver::Language;

    #[test]
    fn words_are_outside_of_comments_and_strings() {
        let text = "a // b\n/* c\n d */ e1 \"f \\\" g\" 12h _i \u{e9}";
        let found = words(text, Language::Java);
        let found: Vec<&str> = found.iter().map(|word| &text[word.start..word.end]).collect();
        assert_eq!(found, ["a", "e1", "_i", "\u{e9}"]);
        let text = "if (c == '\"' || c == '\\'') n++; //@ requires k";
        let found = words(text, Language::Java);
        let found: Vec<&str> = found.iter().map(|word| &text[word.start..word.end]).collect();
        assert_eq!(found, ["if", "c", "c", "n", "requires", "k"]);
    }

    /// The words that mean the same as the one at the mark `|`.
    fn check(text: &str, expected: &[usize]) {
        let at = text.find('|').expect("a mark");
        let text = text.replacen('|', "", 1);
        let document = Document::new(uri("/a.plato"), 1, text);
        let word = document.word(at).expect("a word");
        let starts: Vec<usize> = document.references(word).iter().map(|one| one.start).collect();
        assert_eq!(starts, expected, "{}", document.text);
    }

    #[test]
    fn names_mean_the_innermost_declaration() {
        let text = "var x: int; thread T { var x: int; x := 1; } thread U { x := 2; }";
        let at = |number: usize| text.match_indices('x').nth(number).expect("a name").0;
        let marked = |number: usize| {
            let (before, after) = text.split_at(at(number));
            format!("{before}|{after}")
        };
        check(&marked(0), &[at(0), at(3)]);
        check(&marked(1), &[at(1), at(2)]);
        check(&marked(2), &[at(1), at(2)]);
        check(&marked(3), &[at(0), at(3)]);
    }
}
