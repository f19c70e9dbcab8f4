//! A run of Rely: texts in, verdicts and diagnostics out.
//!
//! The front door is [`check`]. It parses every input, makes tasks, decides them in parallel and turns verdicts into
//! diagnostics. It touches neither files nor processes of its own: the binary reads the inputs and says where the solver
//! is.

mod certificate;
mod decide;
mod deciding;
mod designs;
mod diagnose;
mod dump;
mod findings;
mod generate;
mod infer;
mod language;
mod load;
mod objects;
mod pool;
mod predicate_reads;
mod prepare;
mod relies;
mod replay;
mod run;
mod searching;
mod settle;
mod small_scope;
mod systems;
mod tasks;
mod translated;
mod verify;

pub use certificate::{certify, recheck};
pub use contract::{Drawing, Message, MessageKind, Policy};
pub use dump::{Stage, dump};
pub use generate::generate;
pub use infer::{Inferred, infer};
pub use language::{Choice, Language, unsuitable};
pub use machine::{Certified, Refused};
pub use run::{
    Engine, FileReport, Input, ObligationResult, Options, Progress, Run, Status, UnknownOption,
};
pub use verify::{check, needs_solver};
