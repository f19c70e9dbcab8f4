//! A run of Rely: texts in, verdicts and diagnostics out.
//!
//! The front doors are [`check`], for one run, and [`Analysis`], for texts that change. They parse
//! every input, make tasks, decide them in parallel and turn verdicts into diagnostics. They touch
//! neither files nor processes of their own: the binary reads the inputs and says where the solver
//! is.

mod allow;
mod analysis;
mod baseline;
mod certificate;
mod deduce;
mod dump;
mod events;
mod findings;
mod generate;
mod guards;
mod infer;
mod language;
mod languages;
mod load;
mod options;
mod outline;
mod pool;
mod results;
mod settings;
mod texts;
mod words;

pub use analysis::{Analysis, Listener, check, needs_solver};
pub use baseline::{Baseline, Finding, findings};
pub use certificate::{certify, recheck};
pub use contract::Policy;
pub use dump::{Stage, dump};
pub use events::Event;
pub use generate::generate;
pub use guards::{Guard, Guards, guards};
pub use infer::{Inferred, NotInferred, infer};
pub use java::{Extent, IMAGE_HEADER, Image, Library, NoLibrary};
pub use language::{Choice, Language, unsuitable};
pub use machine::{Certified, Refused};
pub use options::{Engine, Given, Input, Options};
pub use outline::outline;
pub use results::{
    Allowed, Effort, FileReport, Notice, ObligationResult, ResultId, Run, Status, UnknownOption,
};
pub use search::Meter;
pub use settings::{Level, Settings};
pub use texts::Texts;
