//! The rules from outside: what becomes of tiny programs.

mod control;
mod heap;
mod procedures;
mod solver;
mod steps;
mod support;
