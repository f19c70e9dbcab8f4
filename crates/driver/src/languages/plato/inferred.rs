//! Annotations that nobody wrote: looked for where those that are written do not suffice.

use super::relies::{UsableRely, check_relies};
use super::switches::Switches;
use crate::options::Options;
use crate::pool::Executor;
use infer::{Found, Request, search};
use modular::conjuncts;
use plato::hir::Program;
use source::FileId;
use std::collections::BTreeSet;
use verdict::Halt;

/// Looks for annotations with which the program is proved.
pub(crate) fn look_for(
    executor: &mut impl Executor,
    program: &Program,
    (file, text): (FileId, &str),
    options: &Options,
    halt: Halt,
) -> Found {
    let relies = check_relies(executor, program, options);
    let unusable = relies.iter().flat_map(|rely| unusable(program, rely)).collect();
    let mut switches = Switches::new(executor, options, halt, unusable);
    search(Request { file, text, definitions: &options.definitions }, &mut switches)
}

/// Where the conjuncts of a rely stand that cannot be used.
fn unusable(program: &Program, rely: &UsableRely) -> BTreeSet<u32> {
    let all = conjuncts(program, &rely.owner);
    rely.dropped.iter().map(|&at| all[at].formula.span().start).collect()
}
