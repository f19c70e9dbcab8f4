//! The thread-modular search of Rely on several workers: threads of one process, processes, hosts.
//!
//! The rules are those of `search::thread_modular` (paper 5, section 2.2), and so is the answer. A
//! hash of its content assigns each store to a worker; every worker has a machine and numbers of
//! its own, and sends only contents to others. The crate `timely` carries the messages and finds
//! out when there are none left.
//!
//! ```
//! let text = "var x: 0..1 = 1; mutex m;
//!     thread P[5] { acquire m; x := 0; x := x + 1; assert x > 0; release m; }";
//! let subject = distributed::Subject::new("simple.plato", text)?;
//! let workers = timely::Config::process(2);
//! let found = distributed::run(&subject, workers)?.expect("process 0 has the answer");
//! assert_eq!(found, subject.built_in());
//! assert!(found.is_proof());
//! # anyhow::Ok(())
//! ```

mod dataflow;
mod facts;
mod outcome;
mod parcel;
mod shard;
mod subject;

pub use dataflow::run;
pub use outcome::Outcome;
pub use subject::Subject;
