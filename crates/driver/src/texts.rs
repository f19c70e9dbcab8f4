//! Texts that were read, for whoever shows them while they are checked.

use crate::languages::Loaded;
use crate::load::{File, load_all};
use crate::options::{Input, Options};
use crate::results::{FileReport, Notice, Run};
use source::{FileId, Mention, SourceMap, Span};
use std::fmt;

/// Texts that were read. Checking them does not read them again.
pub struct Texts {
    pub(crate) sources: SourceMap,
    pub(crate) files: Vec<File>,
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl Texts {
    /// Reads every input and checks nothing.
    pub fn read(inputs: &[Input], options: &Options) -> Self {
        let mut sources = SourceMap::default();
        let files = load_all(&mut sources, inputs, options.given());
        Self { sources, files }
    }

    /// What front ends find wrong with the texts.
    pub fn told(&self) -> Run {
        let report = |file: &File| {
            let notices = file.diagnostics.iter().cloned().map(Notice::alone).collect();
            FileReport::new(file.id, notices, Vec::new())
        };
        let files = self.files.iter().map(report).collect();
        Run { files, ..Run::of(self.sources.clone()) }
    }

    /// The texts, and those of libraries that were read with them.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The parts of a text, and of others that belong to its program, that stand for values; none
    /// of a text that was rejected.
    pub fn mentions(&self, file: FileId) -> Vec<Mention> {
        let loaded = self.files.iter().find(|one| one.id == file);
        match loaded.and_then(|file| file.loaded.as_ref()) {
            Some(Loaded::Plato(program)) => program.mentions(),
            Some(Loaded::Chalice(program)) => program.mentions(),
            Some(Loaded::Java(methods)) => methods.play().mentions(&self.sources),
            Some(Loaded::C(_) | Loaded::Pds(_) | Loaded::Design(_)) | None => Vec::new(),
        }
    }

    /// Whether the method whose head is here overrides another one or is overridden.
    pub fn is_one_of_several(&self, head: Span) -> bool {
        self.files.iter().any(|file| match &file.loaded {
            Some(Loaded::Java(methods)) => methods.play().is_one_of_several(head),
            _ => false,
        })
    }
}
