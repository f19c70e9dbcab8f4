//! Views of a run: text for people, JSON for programs, sequence diagrams of designs. Nothing but
//! this crate draws pictures.

mod json;
mod lanes;
mod picture;
mod proof;
mod sequence;
mod svg;
mod text;

pub use json::json;
pub use picture::picture;
pub use proof::proof;
pub use sequence::sequence;
pub use svg::svg;
pub use text::{summary, text};
