//! Views of a run: text for people, JSON for programs.

mod json;
mod text;

pub use json::json;
pub use text::{summary, text};
