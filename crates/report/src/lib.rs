//! Views of a run: text for people, JSON for programs.

mod json;
mod proof;
mod text;

pub use json::json;
pub use proof::proof;
pub use text::{summary, text};
