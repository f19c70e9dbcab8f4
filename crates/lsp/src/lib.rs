//! Rely in editors: a server of the Language Server Protocol, over [`driver::Analysis`].
//!
//! The front door is [`serve`]. One thread answers the editor (`server.rs`), another one checks
//! (`checker.rs`); an edit cancels the check of its file. What a front end finds wrong is told at
//! once, verdicts as they arrive. Findings of the text before the last edit stay, greyed, until
//! the new check ends.
//!
//! The crate touches no files: whoever starts it says how other files of a program are read.

mod actions;
mod checker;
mod documents;
mod findings;
mod format;
mod hover;
mod inferred;
mod lenses;
mod names;
mod places;
mod requests;
mod server;
mod symbols;

pub use server::serve;

use driver::{Input, Options};
use std::time::Duration;

/// What the server needs to know of the world.
pub struct Setup {
    /// How to check, or why nothing can be checked.
    pub options: Result<Options, String>,
    /// The other files that belong to one program with the file of this name.
    pub siblings: Siblings,
}

/// Reads the other files of a program.
pub type Siblings = Box<dyn Fn(&str) -> Vec<Input>>;

/// How long looking for annotations may take after an edit, unless the editor says otherwise.
const INFER: Duration = Duration::from_secs(10);
