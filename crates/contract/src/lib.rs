//! Synchronization contracts (paper 4: Sarna-Starosta, Stirewalt, Dillon, "A model-based
//! design-for-verification approach to checking for deadlock in multi-threaded applications"):
//! designs in which unit classes say which units they need in which states, and a middleware
//! negotiates them between threads. Is there a run in which threads wait for each other for ever?
//!
//! [`read`] turns a text (`docs/szumo.md`) into [`System`]s, [`read_diagrams`] diagrams. [`steps`]
//! is the meaning of one step under a [`Policy`], with the negotiation computed directly
//! ([`Views`]) or by constraint handling rules ([`Rules`], the specification). [`Model`] is a
//! system as a model for `search`, and [`verify`] decides everything that a system promises.
//! [`skeleton`] writes a program for the middleware.
//!
//! ```
//! use contract::{Policy, read, verify};
//! use search::{Budget, Engine};
//!
//! let text = "
//! root class Client { cond using; var first, second: Lock; sync using ==> first ^ second;
//!   state idle initial; state busy {using}; before use: idle -> busy; after use: busy -> idle; }
//! unit class Lock { }
//! system Two { A: Lock; B: Lock; c: Client; d: Client;
//!   c.first = A; c.second = B; d.first = B; d.second = A; }
//! ";
//! let mut sources = source::SourceMap::default();
//! let design = read(sources.add("two.szumo", text), text, &[]);
//! assert!(design.diagnostics.is_empty());
//! let found = |policy| {
//!     let verified = verify(&design.systems[0], policy, Engine::Ladder, &Budget::default());
//!     verified.goals[0].1.holds()
//! };
//! assert!(found(Policy::Aon));
//! assert!(!found(Policy::Unit));
//! ```

mod any_size;
mod design;
mod explain;
mod family;
mod graph;
mod hygiene;
mod lexer;
mod model;
mod negotiate;
mod outline;
mod parser;
mod plantuml;
mod property;
mod repair;
mod resolve;
mod rules;
mod rungs;
mod sequence;
mod skeleton;
mod state;
mod steps;
mod stuck;
pub mod syntax;
mod system;
mod trace;
mod verify;
mod waiting;

pub use any_size::Sizes;
pub use design::{
    Assign, Call, Class, ClassId, Condition, Constraint, GuardPart, SyncState, ThreadId,
    Transition, UnitId, Value, Variable,
};
pub use hygiene::{Hygiene, Seen};
pub use model::Model;
pub use negotiate::{Asks, Negotiation, Realm, Views, realm};
pub use outline::outline;
pub use parser::parse;
pub use property::{Claim, Fact, Property};
pub use rules::{RULES, Rules};
pub use skeleton::skeleton;
pub use state::{Frame, State};
pub use steps::{Event, Step, Violation, steps};
pub use system::{Policy, System, Unit};
pub use verify::{Goal, Refutation, Verified, verify};

use diagnostic::Diagnostic;
use source::FileId;
use std::sync::Arc;

/// A text after reading.
#[derive(Clone, Debug)]
pub struct Read {
    /// Its systems; meaningful only if there are no errors among the diagnostics.
    pub systems: Vec<System>,
    /// The errors in it.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of definitions that were used.
    pub used_definitions: Vec<String>,
}

/// Reads a design: parses and resolves it, and counts its systems out. `definitions` replace the
/// values of parameters.
pub fn read(file: FileId, text: &str, definitions: &[(String, String)]) -> Read {
    let (design, diagnostics) = parse(file, text);
    resolve_design(&design, diagnostics, definitions)
}

/// Reads a design that is drawn in `PlantUML`: class, state and object diagrams.
pub fn read_diagrams(file: FileId, text: &str) -> Read {
    let (design, diagnostics) = plantuml::parse(file, text);
    resolve_design(&design, diagnostics, &[])
}

fn resolve_design(
    design: &syntax::Design,
    mut diagnostics: Vec<Diagnostic>,
    definitions: &[(String, String)],
) -> Read {
    let classes: Arc<[Class]> = resolve::classes(design, &mut diagnostics).into();
    let mut used_definitions = Vec::new();
    let mut systems: Vec<System> = Vec::new();
    for written in &design.systems {
        if systems.iter().any(|other| other.name == written.name.name) {
            diagnostics.push(resolve::duplicate(&written.name, "system"));
        }
        let faults = &mut diagnostics;
        systems.push(resolve::system(
            written,
            &classes,
            definitions,
            &mut used_definitions,
            faults,
        ));
    }
    diagnostics.sort_by_key(|fault| fault.primary.span);
    Read { systems, diagnostics, used_definitions }
}
