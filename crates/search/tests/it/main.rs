//! Searches of small systems whose states can be counted by hand.

mod abstract_searches;
mod exploring;
mod ladder;
mod simple;
