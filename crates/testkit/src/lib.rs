//! Examples and documentation pages as tests: compares the annotations in their comments with the
//! findings of a run.
//!
//! The front doors are [`check_examples`] and [`compare_examples`] for the files of a folder,
//! [`run_pages`] for the code blocks of Markdown files, and [`Console`] for the command lines that
//! a page shows. Only tests depend on this crate, and unlike the other libraries it reads files and
//! the environment.
//!
//! ```text
//! //@ proved: 7; unroll: 3; define: N=5; only: Worker
//! count := count + 1;  //~ error[rely-violated] "count"
//! //~ unknown[bound-reached]
//! while (busy) {}                          // the comment above speaks of this line
//! turn := 1;           //~ missed[rely-violated]
//! assert turn == 1;    //~ spurious[assertion-failed]
//! ```
//!
//! - `error`, `warning` and `unknown` expect a diagnostic of that severity and code that starts on
//!   the line. Every text in quotes must occur somewhere in it.
//! - `missed` is a known gap: nothing is reported although it should be. `spurious` is a known
//!   false alarm. The test fails when either is repaired, so that the comment goes.
//! - A comment alone on its line is about the next line that is no such comment.
//! - Nothing else may be reported. A proved file gives the number of its proved obligations, so
//!   that a lost one is noticed.
//!
//! ```
//! let text = "var x: int = 0;
//!     thread T { assert x == 0; } //~ error[assertion-failed] \"x == 0\"
//! ";
//! let (annotations, problems) = testkit::annotations(text);
//! assert!(problems.is_empty());
//! assert_eq!(annotations.expectations[0].line, 2);
//! ```

mod annotation;
mod compare;
mod console;
pub mod differential;
mod example;
mod files;
pub mod inference;
pub mod java;
mod markdown;
pub mod mutants;
pub mod mutation;
pub mod objects;
pub mod oracle;
mod pages;
pub mod random;
mod report;
pub mod searches;
mod solver;

pub use ::java::testing::{ClassSketch, class_file, image};
pub use annotation::{Annotations, Expectation, Header, Kind, Malformed, annotations};
pub use console::{Console, ConsoleCommand, consoles};
pub use example::{Example, check_examples, compare_examples, load_examples};
pub use files::{files_below, page_files, read, repository};
pub use markdown::{Block, blocks};
pub use pages::{check_pages, run_pages};
pub use report::{Mismatch, Report};
pub use solver::{find_solver, options};
