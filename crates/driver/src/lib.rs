//! A run of Rely: texts in, verdicts and diagnostics out.
//!
//! The front doors are [`check`], for one run, and [`Analysis`], for texts that change. They parse
//! every input, make tasks, decide them in parallel and turn verdicts into diagnostics. They touch
//! neither files nor processes of their own: the binary reads the inputs and says where the solver
//! is.

mod analysis;
mod certificate;
mod deduce;
mod dump;
mod events;
mod findings;
mod generate;
mod infer;
mod language;
mod languages;
mod load;
mod options;
mod pool;
mod results;
mod words;

pub use analysis::{Analysis, Listener, check, needs_solver};
pub use certificate::{certify, recheck};
pub use contract::Policy;
pub use dump::{Stage, dump};
pub use events::Event;
pub use generate::generate;
pub use infer::{Inferred, NotInferred, infer};
pub use java::{Extent, IMAGE_HEADER, Image, Library, NoLibrary};
pub use language::{Choice, Language, unsuitable};
pub use machine::{Certified, Refused};
pub use options::{Engine, Given, Input, Options};
pub use results::{
    Effort, FileReport, Notice, ObligationResult, ResultId, Run, Status, UnknownOption,
};
pub use search::Meter;
