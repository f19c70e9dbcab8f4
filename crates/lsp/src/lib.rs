//! Rely in editors: a server of the Language Server Protocol, over [`driver::Analysis`].
//!
//! The front door is [`serve`]. One thread answers the editor (`server.rs`), another one checks
//! (`checker.rs`); an edit cancels the check of its file. What a front end finds wrong is told at
//! once, verdicts as they arrive. Findings of the text before the last edit stay, greyed, until
//! the new check ends.
//!
//! The crate touches no files: whoever starts it says what a file is checked with, which other
//! files of its program and settings of its project included.

mod across;
mod actions;
mod checker;
mod documents;
mod edits;
mod findings;
mod format;
mod hover;
mod ideas;
mod inferred;
mod jobs;
mod lenses;
mod names;
mod places;
mod program;
mod progress;
mod rename;
mod requests;
mod server;
mod symbols;

pub use program::{Program, Programs};
pub use server::serve;

use driver::Options;
use std::time::Duration;

/// What the server needs to know of the world.
pub struct Setup {
    /// How to check, or why nothing can be checked.
    pub options: Result<Options, String>,
    /// What a file is checked with.
    pub programs: Programs,
}

/// How long looking for annotations may take after an edit, unless the editor says otherwise.
const INFER: Duration = Duration::from_secs(10);
