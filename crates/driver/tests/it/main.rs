//! A run as a library sees it.

mod analysis;
mod searches;
mod support;
