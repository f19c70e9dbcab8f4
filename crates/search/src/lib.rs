//! Strategies that visit the states of threads over a shared store (paper 5: Flanagan, Qadeer,
//! "Thread-Modular Model Checking"). This crate knows no programming language: what runs is given
//! by the trait [`Threads`], in which shared stores and the local states of threads are numbers,
//! handed out as they are met.
//!
//! [`explore`] visits every interleaving, breadth first (paper 5, section 2.1), and answers
//! exactly: all states were seen, or here is a shortest run that goes wrong, or a limit was hit.
//! The other strategies are cheaper and may raise alarms that are not real. A [`Ladder`] tries them
//! one after the other on the goals of a [`Model`].
//!
//! ```
//! use search::{Budget, Effect, Global, Local, Options, Step, Threads, explore};
//!
//! /// Each of three threads adds one to the store, once.
//! struct Counters;
//! impl Threads for Counters {
//!     fn count(&self) -> usize {
//!         3
//!     }
//!     fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
//!         vec![(0, vec![0; 3])]
//!     }
//!     fn steps(&mut self, _: usize, global: Global, local: Local, into: &mut Vec<Step>) {
//!         if local == 0 {
//!             into.push(Step { site: 0, effect: Effect::To(global + 1, 1), faults: Vec::new() });
//!         }
//!     }
//! }
//! let report = explore(&mut Counters, &Budget::default(), &Options::default());
//! assert_eq!(report.states, 8);
//! assert!(report.is_exhausted());
//! ```

mod alarms;
mod certificate;
mod engine;
mod exhausted;
mod explore;
mod exposed;
mod intern;
mod join;
mod ladder;
mod layout;
mod modular;
mod moves;
mod pushdown;
mod report;
mod rows;
mod rung;
mod stacked;
mod table;
mod threads;
mod trace;
mod views;

pub use alarms::Alarm;
pub use certificate::{Certificate, Member, PairCertificate, Together};
pub use engine::Engine;
pub use exhausted::exhausted;
pub use explore::explore;
pub use exposed::Exposed;
pub use intern::{Interner, Mixer};
pub use join::join;
pub use ladder::{Answer, Climbed, Found, Ladder};
pub use modular::{Relations, thread_modular};
pub use pushdown::{Summaries, pushdown};
pub use report::{Budget, Meter, Moved, Options, Report, Run, Violation};
pub use rung::{Attempt, End, Faults, Model, Rung, Seen, Turn};
pub use stacked::{FrameEffect, FrameStep, Stacked};
pub use threads::{Effect, Fault, Global, Local, Site, Step, Threads};
pub use views::{Views, views};

/// A position as a small number. Memory ends long before a table has more than 2^32 rows.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("internal error: a table with more than 2^32 rows")
}
