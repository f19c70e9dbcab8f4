//! The middleware of synchronization contracts (paper 4: Sarna-Starosta, Stirewalt, Dillon, "A
//! model-based design-for-verification approach to checking for deadlock in multi-threaded
//! applications"): it runs designs that `rely check` proves free of deadlock.
//!
//! Classes say which units they need in which states. A thread never locks anything: it says what
//! it does (`before`, `after`, `step`, `call`), and the middleware lets go of the units that are no
//! longer needed and waits for the missing ones, all units or none (policy `aon`). `rely generate`
//! writes everything below, except for the bodies, from a design.
//!
//! ```
//! use szumo::{Class, Design, Transition};
//!
//! let mut design = Design::new();
//! design.class(Class::unit("Fork").state("lies", &[]));
//! design.class(
//!     Class::root("Philosopher")
//!         .variable("left", "Fork")
//!         .variable("right", "Fork")
//!         .state("thinking", &[])
//!         .state("dining", &["left", "right"])
//!         .transition(Transition::before("eat", "thinking", "dining"))
//!         .transition(Transition::after("eat", "dining", "thinking")),
//! );
//! let forks: Vec<_> = (0..3).map(|i| design.unit(&format!("F[{i}]"), "Fork", 0)).collect();
//! for i in 0..3 {
//!     let philosopher = design.root(&format!("P[{i}]"), "Philosopher");
//!     design.bind(philosopher, "left", &[forks[(i + 1) % 3].id()]);
//!     design.bind(philosopher, "right", &[forks[i].id()]);
//! }
//! let system = design.start()?;
//! std::thread::scope(|scope| {
//!     for (i, root) in system.roots().into_iter().enumerate() {
//!         let (system, forks) = (&system, &forks);
//!         scope.spawn(move || -> Result<(), szumo::Error> {
//!             let mut realm = system.enter(root)?;
//!             assert!(forks[i].with(&realm, |_| ()).is_err(), "not while thinking");
//!             for _ in 0..100 {
//!                 realm.before("eat", &[])?;
//!                 forks[i].with(&realm, |uses| *uses += 1)?;
//!                 forks[(i + 1) % 3].with(&realm, |uses| *uses += 1)?;
//!                 realm.after("eat", &[])?;
//!             }
//!             Ok(())
//!         });
//!     }
//! });
//! for fork in &forks {
//!     assert_eq!(fork.with_free(&system, |uses| *uses)?, 200);
//! }
//! # Ok::<(), szumo::Error>(())
//! ```
//!
//! The middleware promises:
//!
//! - each run is a run of the design's model under the policy `aon`, step by step; [`Design::log`]
//!   keeps a log to check that;
//! - no two threads use the data of a unit at once, and none uses a unit that it does not hold
//!   ([`Error::Access`]);
//! - a thread that waits in a circle, which does not happen in a checked design, or for a thread
//!   that has ended gets an error ([`Error::Deadlock`], [`Error::Orphaned`]);
//! - a waiting thread gets its units as soon as all of them are free, before anybody takes another
//!   step; of several that ask for the same unit, the one that has waited longest. So what the
//!   checker proves of a design holds of its runs, `no starvation of` included, as long as threads
//!   that can take steps do. A thread that could have its units only now and then may be passed
//!   over for ever; `no starvation of` finds that.

mod class;
mod design;
mod error;
mod log;
mod negotiate;
mod realm;
mod system;
mod unit;

pub use class::{Class, Kind, Transition, Value};
pub use design::Design;
pub use error::Error;
pub use log::{Entry, Event};
pub use realm::{Move, Realm};
pub use system::System;
pub use unit::{Unit, UnitId};
