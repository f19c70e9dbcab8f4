//! Sources: files held in memory, spans into them, line numbers, names, and the numbers that stand
//! for declarations ([`ids!`]).
//!
//! This crate knows nothing of the file system; the binary reads files and hands their text to a
//! [`SourceMap`].
//!
//! ```
//! use source::{SourceMap, Span};
//! let mut map = SourceMap::default();
//! let file = map.add("lock.plato", "var x: int;\nvar y: int;\n");
//! let span = Span::new(file, 16, 17);
//! assert_eq!(map.text(span), "y");
//! assert_eq!(map.line_column(span), (2, 5));
//! ```

mod ids;
mod mention;
mod name;
mod outline;

pub use ids::number;
pub use mention::Mention;
pub use name::Name;
pub use outline::{Declaration, DeclarationKind};

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The smallest range that covers both. Both must lie in the same file.
    pub fn to(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file's name, text and line starts.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown to the user.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// The one-based line that holds the byte at `offset`.
    pub fn line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset)
    }

    /// The one-based line and column (in characters) of the byte at `offset`.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).clamp(start, self.text.len());
        let column = self.text.get(start..end).map_or(0, |prefix| prefix.chars().count());
        (line, column + 1)
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file and returns its id. The caller must refuse texts of 4 GiB and more.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts =
            std::iter::once(0).chain(newlines.map(|(at, _)| number(at + 1))).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        FileId(number(self.files.len() - 1))
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text a span covers; empty if the span does not fall on character boundaries.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// One-based line and column of the span's start.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        self.file(span.file).line_column(span.start)
    }

    /// All files in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(number(at)), file))
    }
}
