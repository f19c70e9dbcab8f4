//! Views of a run: text for people, formats for programs, sequence diagrams of designs. Nothing but
//! this crate draws pictures.

mod checkstyle;
mod github;
mod html;
mod json;
mod junit;
mod lanes;
mod picture;
mod proof;
mod sarif;
mod sequence;
mod svg;
mod text;
mod xml;

pub use checkstyle::checkstyle;
pub use github::github;
pub use html::html;
pub use json::{json, run_value};
pub use junit::junit;
pub use picture::picture;
pub use proof::proof;
pub use sarif::{sarif, uri};
pub use sequence::sequence;
pub use svg::svg;
pub use text::{quiet, summary, text};

use driver::Run;

/// What is wrong with a run as a whole, and not with a place in a file.
fn about_run(run: &Run) -> Vec<String> {
    let options = run.unknown_options.iter().map(ToString::to_string);
    let unreadable = run.unreadable.iter().map(|line| format!("cannot read {line}"));
    let solver = run.unfit_solver.iter().map(|why| format!("the solver cannot be used: {why}"));
    options.chain(unreadable).chain(solver).collect()
}
