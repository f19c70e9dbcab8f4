//! What a solver for Horn clauses proposes where no pattern fits: linear relations between shared
//! numbers at places of threads.
//!
//! The program becomes clauses about one predicate per place of a thread (`clauses`): Gupta,
//! Popeea and Rybalchenko, "Threader", CAV 2011, with the places of single threads as arguments and
//! the predicate of whoever interferes in each clause. A model of them (Z3's Spacer: Komuravelli,
//! Gurfinkel and Chaki, CAV 2014) is read back as formulas (`reading`). That there is a model says
//! nothing about the program, and neither does that there is none: formulas are candidates like any
//! other.

mod clauses;
mod formula;
mod reading;
mod steps;
mod terms;

use crate::candidate::Candidate;
use crate::filter::Subject;
use crate::search::Prover;
use clauses::clauses;
use reading::Reading;

/// A predicate as a solver defines it.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// When it holds.
    pub body: Term,
}

/// A term as solvers write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A name or a number.
    Atom(String),
    /// An operator and its operands, or a list of other things.
    List(Vec<Term>),
}

/// What a model of the program's clauses says, if there is one.
pub(crate) fn candidates(subject: Subject<'_>, prover: &mut impl Prover) -> Vec<Candidate> {
    let written = subject.sketch.with_labels();
    let (tree, _) = plato::parse(subject.file, &written.text);
    let program = plato::resolve(&tree, subject.definitions).program;
    let is_plain = program.procs.is_empty()
        && program.unsupported.is_empty()
        && program.opaques.is_empty()
        && !program.threads.is_empty();
    if !is_plain {
        return Vec::new();
    }
    let graph = machine::compile(&program);
    let Some(clauses) = clauses(&program, &graph) else { return Vec::new() };
    let Some(model) = prover.model(clauses.text()) else { return Vec::new() };
    let reading = Reading { clauses: &clauses, graph: &graph, subject, written: &written };
    reading.candidates(&model)
}
