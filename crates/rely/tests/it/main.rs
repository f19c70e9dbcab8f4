//! The real binary on real files: exit codes, outputs, and the command lines that the pages show.

mod cache;
mod check;
mod commands;
mod designs;
mod findings;
mod guards;
mod inputs;
mod json;
mod library;
mod limits;
mod lsp;
mod objects;
mod options;
mod pages;
mod project;
mod solvers;
mod support;
