//! The texts that are open in the editor, with what is known of them.

use crate::findings::Finding;
use crate::names::{Known, Word, known, words};
use crate::places::Lines;
use crate::program::Program;
use driver::{Input, Language, Run, Texts, outline};
use gen_lsp_types::{Range, TextDocumentContentChangeEvent, Uri};
use source::{Declaration, FileId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A text that is open.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// The name that the text has in a check.
    pub(crate) name: String,
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) lines: Lines,
    pub(crate) outline: Vec<Declaration>,
    pub(crate) words: Vec<Word>,
    /// What it declares, by name.
    pub(crate) known: BTreeMap<String, Vec<Known>>,
    /// The text as it is, read with the other files of its program.
    pub(crate) reading: Option<Arc<Reading>>,
    /// What is told of it, at its place now.
    pub(crate) findings: Vec<Finding>,
    /// The last check that came to its end, and whether it was of this text.
    pub(crate) checked: Option<Checked>,
    /// The tasks that the check under way has decided, and whether they are proved.
    pub(crate) decided: BTreeMap<String, bool>,
    /// The text with locks of its fields that nobody wrote, if there are some.
    pub(crate) guarded: Option<String>,
    /// Edits that were tried and mend something.
    pub(crate) repairs: Vec<crate::actions::Repair>,
}

/// A text that was read, as the first one of its program.
pub(crate) struct Reading {
    pub(crate) program: Program,
    pub(crate) inputs: Vec<Input>,
    pub(crate) texts: Texts,
}

/// The document among the files of its program.
pub(crate) const FOCUS: FileId = FileId(0);

/// A check that came to its end.
pub(crate) struct Checked {
    pub(crate) run: Run,
    /// Whether the text is still the one that was checked.
    pub(crate) is_current: bool,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String) -> Self {
        let name = name(&uri);
        let mut document = Self {
            uri,
            name,
            version,
            text,
            lines: Lines::default(),
            outline: Vec::new(),
            words: Vec::new(),
            known: BTreeMap::new(),
            reading: None,
            findings: Vec::new(),
            checked: None,
            decided: BTreeMap::new(),
            guarded: None,
            repairs: Vec::new(),
        };
        document.read();
        document
    }

    pub(crate) fn language(&self) -> Language {
        Language::of(&self.name)
    }

    pub(crate) fn input(&self) -> Input {
        Input { name: self.name.clone(), text: self.text.clone() }
    }

    /// Takes edits over. What is told moves with its text.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let start = self.lines.offset(&self.text, change.range.start);
                    let end = self.lines.offset(&self.text, change.range.end).max(start);
                    self.replace((start, end), &change.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    self.replace((0, self.text.len()), &change.text);
                }
            }
        }
        self.version = version;
        self.outdate();
        self.read();
    }

    /// What was found out may not hold any more.
    pub(crate) fn outdate(&mut self) {
        self.decided.clear();
        self.repairs.clear();
        self.guarded = None;
        self.findings.iter_mut().for_each(|finding| finding.is_old = true);
        if let Some(checked) = &mut self.checked {
            checked.is_current = false;
        }
    }

    fn replace(&mut self, (start, end): (usize, usize), text: &str) {
        self.text.replace_range(start..end, text);
        self.lines = Lines::of(&self.text);
        for finding in &mut self.findings {
            finding.is_old = true;
            for at in [&mut finding.start, &mut finding.end] {
                if *at >= end {
                    *at = *at - end + start + text.len();
                } else if *at > start {
                    *at = start;
                }
            }
        }
    }

    fn read(&mut self) {
        self.reading = None;
        self.lines = Lines::of(&self.text);
        self.outline = outline(FileId(0), &self.name, &self.text);
        self.words = words(&self.text, self.language());
        self.known = known(&self.outline);
    }

    pub(crate) fn range(&self, place: (usize, usize)) -> Range {
        self.lines.range(&self.text, place)
    }
}

/// The name of a file is its path.
pub(crate) fn name(uri: &Uri) -> String {
    let Some(path) = uri.0.strip_prefix("file://") else { return uri.0.clone() };
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The reference to a file of this name.
pub(crate) fn uri(name: &str) -> Uri {
    // Other names are references already, of texts that are in no file.
    Uri(if name.starts_with('/') { report::uri(name) } else { name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{Document, name, uri};
    use gen_lsp_types::{
        Position, Range, TextDocumentContentChangeEvent, TextDocumentContentChangePartial, Uri,
    };

    #[test]
    fn names_and_references() {
        assert_eq!(
            name(&Uri("file:///tmp/a%20b/%C3%A9.plato".to_owned())),
            "/tmp/a b/\u{e9}.plato"
        );
        assert_eq!(uri("/tmp/a b/\u{e9}.plato").0, "file:///tmp/a%20b/%C3%A9.plato");
        assert_eq!(name(&Uri("untitled:One".to_owned())), "untitled:One");
        assert_eq!(name(&Uri("file:///100%".to_owned())), "/100%");
    }

    #[test]
    fn edits_are_taken_over() {
        let mut document =
            Document::new(uri("/a.plato"), 1, "var x: int;\nvar y: int;\n".to_owned());
        let change = |(line, from, to), text: &str| {
            let range = Range {
                start: Position { line, character: from },
                end: Position { line, character: to },
            };
            let text = text.to_owned();
            let partial = TextDocumentContentChangePartial { range, text, ..Default::default() };
            TextDocumentContentChangeEvent::TextDocumentContentChangePartial(partial)
        };
        document.change(2, vec![change((0, 4, 5), "one"), change((1, 0, 0), "// \u{e9}\n")]);
        assert_eq!(document.text, "var one: int;\n// \u{e9}\nvar y: int;\n");
        assert_eq!(document.outline[0].name, "one");
    }
}
