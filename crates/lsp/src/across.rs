//! What names of Java mean, over all files of a program. The front end says what names in bodies
//! and annotations mean; names of types are found by what the files declare.

use crate::documents::{Document, FOCUS, Reading, uri};
use crate::names::{Word, words};
use crate::places::Lines;
use driver::{Language, outline};
use gen_lsp_types::Location;
use source::{Declaration, DeclarationKind, FileId, Span, number};
use std::collections::{BTreeMap, BTreeSet};

/// The names of a program.
pub(crate) struct Names<'r> {
    reading: &'r Reading,
    outlines: Vec<Vec<Declaration>>,
    /// What the words mean that mean something: the places of names.
    meanings: BTreeMap<Place, Place>,
    /// The names of declarations.
    declared: BTreeSet<Place>,
}

/// A word of a file of the program: where it begins.
pub(crate) type Place = (FileId, u32);

impl Document {
    /// The names of the program that this text of Java is part of, if it can be read.
    pub(crate) fn program_names(&self) -> Option<Names<'_>> {
        let reading = self.reading.as_deref()?;
        (self.language() == Language::Java).then(|| Names::new(reading))
    }
}

impl<'r> Names<'r> {
    pub(crate) fn new(reading: &'r Reading) -> Self {
        let files = (0..).map(FileId).zip(&reading.inputs);
        let outlines: Vec<Vec<Declaration>> =
            files.map(|(id, input)| outline(id, &input.name, &input.text)).collect();
        let mut names =
            Self { reading, outlines, meanings: BTreeMap::new(), declared: BTreeSet::new() };
        for one in names.outlines.iter().flatten() {
            declarations(one, &mut |one| {
                names.declared.insert((one.name_span.file, one.name_span.start));
            });
        }
        for mention in reading.texts.mentions(FOCUS) {
            let text = names.text(mention.span);
            if let Some(declared) = mention.means.and_then(|means| names.name_in(means, text)) {
                names.meanings.insert((mention.span.file, mention.span.start), declared);
                names.declared.insert(declared);
            }
        }
        names
    }

    fn text(&self, span: Span) -> &'r str {
        let input = self.reading.inputs.get(span.file.0 as usize);
        let text = input.map_or("", |input| input.text.as_str());
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The place of a name in a declaration; none if that is in a library.
    fn name_in(&self, declaration: Span, name: &str) -> Option<Place> {
        let text = self.text(declaration);
        let found = words(text, Language::Java).into_iter();
        // Of a method, the whole head is known; annotations and types stand before its name.
        let mut found: Vec<Word> =
            found.filter(|word| &text[word.start..word.end] == name).collect();
        found.sort_by_key(|word| !text[word.end..].trim_start().starts_with('('));
        let word = found.first()?;
        Some((declaration.file, declaration.start + number(word.start)))
    }

    /// The declaration that a word names.
    pub(crate) fn meaning(&self, place: Place, word: &str) -> Option<Place> {
        let known = self.meanings.get(&place).copied();
        let own = || self.declared.contains(&place).then_some(place);
        known.or_else(own).or_else(|| self.ty(place.0, word))
    }

    /// A class of this name, in the same file if there is one.
    fn ty(&self, file: FileId, name: &str) -> Option<Place> {
        let mut found = Vec::new();
        for one in self.outlines.iter().flatten() {
            declarations(one, &mut |one| {
                let is_type =
                    matches!(one.kind, DeclarationKind::Class | DeclarationKind::Enumeration);
                if is_type && one.name == name {
                    found.push((one.name_span.file, one.name_span.start));
                }
            });
        }
        found.sort_by_key(|place| (place.0 != file, *place));
        found.first().copied()
    }

    /// The kind of what is declared at a place. What is no part of an outline is a local variable.
    pub(crate) fn kind(&self, place: Place) -> DeclarationKind {
        let mut kind = DeclarationKind::Local;
        for one in self.outlines.iter().flatten() {
            declarations(one, &mut |one| {
                if (one.name_span.file, one.name_span.start) == place {
                    kind = one.kind;
                }
            });
        }
        kind
    }

    /// All words of the program that are a name, with what they mean.
    pub(crate) fn uses(&self, name: &str) -> Vec<(Span, Option<Place>)> {
        let mut all = Vec::new();
        for (file, input) in (0..).map(FileId).zip(&self.reading.inputs) {
            let text = &input.text;
            for word in words(text, Language::Java) {
                if &text[word.start..word.end] == name {
                    let span = Span::new(file, number(word.start), number(word.end));
                    all.push((span, self.meaning((file, span.start), name)));
                }
            }
        }
        all
    }

    /// A name, for the editor.
    pub(crate) fn location(&self, span: Span) -> Location {
        let input = &self.reading.inputs[span.file.0 as usize];
        let place = (span.start as usize, span.end as usize);
        Location { uri: uri(&input.name), range: Lines::of(&input.text).range(&input.text, place) }
    }
}

/// A declaration and all inside.
fn declarations(one: &Declaration, visit: &mut dyn FnMut(&Declaration)) {
    visit(one);
    one.inside.iter().for_each(|inner| declarations(inner, visit));
}

impl Document {
    /// Where the name at a place is declared, in any file of the program.
    pub(crate) fn declared_at(&self, at: usize) -> Option<Location> {
        let word = self.word(at)?;
        if let Some(names) = self.program_names() {
            let text = self.text_of(word);
            if let Some(place) = names.meaning((FOCUS, number(word.start)), text) {
                let end = place.1 + number(text.len());
                return Some(names.location(Span::new(place.0, place.1, end)));
            }
        }
        let meant = self.meaning(word)?;
        let place = (meant.name_span.start as usize, meant.name_span.end as usize);
        Some(Location { uri: self.uri.clone(), range: self.range(place) })
    }

    /// The line of another file on which the name at a place is declared.
    pub(crate) fn line_elsewhere(&self, at: usize) -> Option<&str> {
        let word = self.word(at)?;
        let place = self.program_names()?.meaning((FOCUS, number(word.start)), self.text_of(word));
        let (file, start) = place.filter(|(file, _)| *file != FOCUS)?;
        let text = &self.reading.as_deref()?.inputs[file.0 as usize].text;
        let line = text[..start as usize].rfind('\n').map_or(0, |newline| newline + 1);
        text[line..].lines().next()
    }

    /// All words that mean what the one at a place means, in any file of the program, and whether
    /// each is the declaration.
    pub(crate) fn uses_of(&self, at: usize) -> Option<Vec<(Location, bool)>> {
        let word = self.word(at)?;
        if let Some(names) = self.program_names() {
            let text = self.text_of(word);
            if let Some(meant) = names.meaning((FOCUS, number(word.start)), text) {
                let all = names.uses(text).into_iter();
                let same = all.filter(|(_, other)| *other == Some(meant));
                let shown =
                    same.map(|(span, _)| (names.location(span), (span.file, span.start) == meant));
                return Some(shown.collect());
            }
        }
        let declared = self.meaning(word).map(|meant| meant.name_span.start as usize);
        let place = |word: &Word| Location {
            uri: self.uri.clone(),
            range: self.range((word.start, word.end)),
        };
        let all = self.references(word);
        Some(all.iter().map(|word| (place(word), Some(word.start) == declared)).collect())
    }

    /// The type of the value at a place, with its text: of the word, else of the smallest part.
    pub(crate) fn type_at(&self, at: usize) -> Option<(&str, String)> {
        let reading = self.reading.as_deref()?;
        let around = |span: Span| span.start as usize <= at && at <= span.end as usize;
        let word = self.word(at);
        let mentions = reading.texts.mentions(FOCUS).into_iter();
        let found = mentions.filter(|one| one.span.file == FOCUS && around(one.span)).min_by_key(
            |one| {
                let is_word = word.is_some_and(|word| word.start == one.span.start as usize);
                (!is_word, one.span.end - one.span.start, one.means.is_none())
            },
        )?;
        let text = self.text.get(found.span.start as usize..found.span.end as usize)?;
        (!text.contains('\n') && found.ty != "void").then_some((text, found.ty))
    }
}
