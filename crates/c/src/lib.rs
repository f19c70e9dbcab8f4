//! A part of C with POSIX threads, translated to Plato (`docs/c.md` says which part, and what it
//! means).
//!
//! [`translate`] gives a tree of Plato whose places are those of the C text, so that all results
//! are reported in terms of that text. It never fails: a construct that cannot be expressed becomes
//! an `Unsupported` statement or item.
//!
//! ```
//! let text = "
//!     int x;
//!     void *other(void *arg) { x = 1; return 0; }
//!     int main() { pthread_t t; pthread_create(&t, 0, other, 0); assert(x == 0); }
//! ";
//! let mut sources = source::SourceMap::default();
//! let translated = c::translate(sources.add("race.c", text), text, &[]);
//! assert!(translated.diagnostics.is_empty());
//! let program = plato::resolve(&translated.tree, &[]).program;
//! assert_eq!(program.threads.len(), 2);
//! assert!(program.unsupported.is_empty());
//! ```

use plato::build;
mod constant;
mod constructs;
mod headers;
mod lower;
mod macros;
mod parse;
mod preprocess;
mod syntax;
mod text;
mod tokens;

pub use constructs::{constructs, passed_over, tree};

use diagnostic::{Code, Diagnostic};
use plato::ast;
use source::FileId;

/// The translation of a C text.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The program in Plato.
    pub tree: ast::File,
    /// Errors so severe that there is no program.
    pub diagnostics: Vec<Diagnostic>,
    /// The definitions that replaced macros.
    pub used_definitions: Vec<String>,
}

/// Translates a text. `definitions` replace its macros of the same names.
pub fn translate(file: FileId, text: &str, definitions: &[(String, String)]) -> Translated {
    let preprocess::Preprocessed { tokens, used, refused } =
        preprocess::tokens(file, text, definitions);
    let (unit, stuck) = parse::parse(tokens);
    let mut translated = lower::lower(&unit, file);
    let fault = |stuck: parse::Stuck| Diagnostic::new(Code::SyntaxError, stuck.span, stuck.message);
    let stuck: Vec<Diagnostic> = refused.into_iter().chain(stuck).map(fault).collect();
    if !stuck.is_empty() {
        translated.diagnostics = stuck;
    }
    Translated { used_definitions: used, ..translated }
}
