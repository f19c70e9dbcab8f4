//! Renaming. Names of Java are renamed in all files of the program, and the program with the new
//! name is read before the edit is handed out.

use crate::across::Names;
use crate::documents::{Document, FOCUS, Reading};
use crate::symbols::keywords;
use driver::{Input, Language, Texts};
use gen_lsp_types::{Location, TextEdit, Uri, WorkspaceEdit};
use source::{DeclarationKind, Span, number};
use std::collections::BTreeMap;

impl Document {
    /// The edit that gives what is named at a place another name, if that means nothing yet.
    pub(crate) fn rename(&self, at: usize, name: &str) -> Result<WorkspaceEdit, String> {
        let is_sign = |sign: char| sign.is_alphanumeric() || sign == '_';
        let is_name =
            name.chars().all(is_sign) && !name.starts_with(|sign: char| sign.is_numeric());
        if name.is_empty() || !is_name {
            return Err(format!("`{name}` is no name"));
        }
        if keywords(self.language()).any(|word| word == name) {
            return Err(format!("`{name}` is a word of the language"));
        }
        if self.words.iter().any(|word| self.text_of(*word) == name) {
            return Err(format!("`{name}` means something in this file already"));
        }
        if self.language() == Language::Java {
            return self.rename_in_program(at, name);
        }
        let words = self.word(at).map(|word| self.references(word)).unwrap_or_default();
        if words.is_empty() {
            return Err("this is no name that the file declares".to_owned());
        }
        let place = |word: &crate::names::Word| Location {
            uri: self.uri.clone(),
            range: self.range((word.start, word.end)),
        };
        Ok(edit(words.iter().map(place), name))
    }

    fn rename_in_program(&self, at: usize, name: &str) -> Result<WorkspaceEdit, String> {
        let unread = "the program has errors, so that not all names in it are known";
        let reading = self.reading.as_deref().filter(|reading| is_sound(&reading.texts));
        let (Some(reading), Some(names)) = (reading, self.program_names()) else {
            return Err(unread.to_owned());
        };
        let word = self.word(at).ok_or("this is no name")?;
        let old = self.text_of(word);
        let meant = names
            .meaning((FOCUS, number(word.start)), old)
            .ok_or("this is no name that the program declares")?;
        let head = Span::new(meant.0, meant.1, meant.1 + number(old.len()));
        match names.kind(meant) {
            DeclarationKind::Class | DeclarationKind::Enumeration => {
                return Err(
                    "a class has the name of its file: rename it with tools for Java".into()
                );
            }
            DeclarationKind::Method if reading.texts.is_one_of_several(head) => {
                return Err("it overrides a method, or is overridden".to_owned());
            }
            _ => {}
        }
        if let Some(input) = reading.inputs.iter().find(|input| speaks_of(&input.text, name)) {
            return Err(format!("`{name}` means something in {} already", input.name));
        }
        let mut spans = Vec::new();
        for (span, other) in names.uses(old) {
            match other {
                Some(other) if other == meant => spans.push(span),
                Some(_) => {}
                None => return Err(format!("it is not known what {} means", shown(reading, span))),
            }
        }
        if let Some(input) = reading.inputs.iter().find(|input| is_in_guard(&input.text, old)) {
            return Err(format!("an annotation in {} names `{old}` in a string", input.name));
        }
        agrees(reading, &names, &spans, (old, name))?;
        Ok(edit(spans.iter().map(|span| names.location(*span)), name))
    }
}

/// Whether all files were understood.
fn is_sound(texts: &Texts) -> bool {
    texts.told().files.iter().all(|file| file.status != driver::Status::Rejected)
}

fn speaks_of(text: &str, name: &str) -> bool {
    crate::names::words(text, Language::Java).iter().any(|word| &text[word.start..word.end] == name)
}

/// Whether a string of an annotation of Java contains a name.
fn is_in_guard(text: &str, name: &str) -> bool {
    let strings = text.match_indices("(\"").filter_map(|(at, _)| {
        let head = text[..at].trim_end_matches(|sign: char| sign.is_alphanumeric() || sign == '.');
        let inside = text[at + 2..].split('"').next()?;
        head.ends_with('@').then_some(inside)
    });
    strings.into_iter().any(|inside| speaks_of(inside, name))
}

fn shown(reading: &Reading, span: Span) -> String {
    let input = &reading.inputs[span.file.0 as usize];
    let line = 1 + input.text[..span.start as usize].matches('\n').count();
    format!("line {line} of {}", input.name)
}

/// Reads the program with the new name: it must mean there what the old one meant.
fn agrees(
    reading: &Reading,
    names: &Names<'_>,
    spans: &[Span],
    (old, new): (&str, &str),
) -> Result<(), String> {
    let mut inputs: Vec<Input> = reading.inputs.clone();
    for span in spans.iter().rev() {
        let text = &mut inputs[span.file.0 as usize].text;
        text.replace_range(span.start as usize..span.end as usize, new);
    }
    let texts = Texts::read(&inputs, &reading.program.options);
    let before = names.uses(old).iter().filter(|(span, _)| spans.contains(span)).count();
    let renamed = Reading { program: reading.program.unchecked(), inputs, texts };
    let after = Names::new(&renamed);
    let uses = after.uses(new);
    let meant = uses.first().and_then(|(_, meant)| *meant);
    let is_same = meant.is_some() && uses.iter().all(|(_, other)| *other == meant);
    if is_sound(&renamed.texts) && is_same && uses.len() == before {
        return Ok(());
    }
    Err(format!("with the name `{new}` the program would mean something else"))
}

fn edit(places: impl Iterator<Item = Location>, name: &str) -> WorkspaceEdit {
    let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for place in places {
        let edit = TextEdit { range: place.range, new_text: name.to_owned() };
        changes.entry(place.uri.0).or_default().push(edit);
    }
    let changes = changes.into_iter().map(|(uri, edits)| (Uri(uri), edits)).collect();
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
