//! Searches of small systems whose states can be counted by hand.

mod exploring;
mod simple;
