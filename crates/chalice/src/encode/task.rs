//! A task of a Chalice program, with the data to explain a failure.

use super::sorts::Place;
use crate::hir::Type;
use logic::Symbol;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// One declaration to be verified by itself.
#[derive(Clone, Debug)]
pub struct Task {
    /// What every task has.
    pub common: gcl::Task,
    /// The name of the lane in pictures.
    pub lane: String,
    /// Symbols worth showing.
    pub shown: BTreeMap<Symbol, Shown>,
}

impl Deref for Task {
    type Target = gcl::Task;

    fn deref(&self) -> &gcl::Task {
        &self.common
    }
}

impl DerefMut for Task {
    fn deref_mut(&mut self) -> &mut gcl::Task {
        &mut self.common
    }
}

/// How to show a symbol.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A parameter or local.
    Local {
        /// Its name.
        name: String,
        /// Its type.
        ty: Type,
        /// Whether it has a value from the start.
        given: bool,
    },
    /// The values of a place.
    Values {
        /// Its name, without the class.
        name: String,
        /// Its type; snapshots of predicates have none.
        ty: Option<Type>,
    },
    /// The permissions to a place, in hundredths.
    Permissions {
        /// Its name, without the class.
        name: String,
    },
    /// The infinitesimals held of a place.
    Epsilons {
        /// Its name, without the class.
        name: String,
    },
    /// The monitors held.
    Held,
    /// The monitors held for reading.
    RdHeld,
    /// Credits with channels.
    Credits,
    /// The permission at the last check that there is enough, in hundredths.
    Had,
    /// The permission needed there.
    Needed,
    /// `null`.
    Null,
    /// `lockbottom`.
    LockBottom,
}

/// The last part of a place's name.
pub(crate) fn short_name(full: &str, place: Place) -> String {
    match place {
        Place::Loc(_) | Place::Predicate(_) => {
            full.rsplit_once('.').map_or(full, |(_, name)| name).to_owned()
        }
    }
}
