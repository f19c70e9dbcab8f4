//! Certificates of searches: written by one run, checked by another.

use crate::load::load_plato;
use crate::options::Input;
use machine::{Certified, Refused};
use plato::hir::Program;
use search::Budget;
use source::SourceMap;

/// Limit on the facts of a certificate.
const STATES: u64 = 20_000_000;

/// The certificate of an input, with these values of constants, or why there is none.
pub fn certify(input: &Input, definitions: &[(String, String)]) -> Result<String, String> {
    let program = program(input, definitions)?;
    if let Some(why) = machine::infinite(&program) {
        return Err(format!("certificates are for finite programs only: {why}"));
    }
    machine::certify(&program, &Budget { states: STATES, ..Budget::default() })
}

/// Checks a certificate of an input.
pub fn recheck(
    input: &Input,
    definitions: &[(String, String)],
    text: &str,
) -> Result<Certified, Refused> {
    let program = program(input, definitions).map_err(Refused::Unreadable)?;
    machine::recheck(&program, text)
}

fn program(input: &Input, definitions: &[(String, String)]) -> Result<Box<Program>, String> {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    load_plato(id, input, definitions)
}
