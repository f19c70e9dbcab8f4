//! Names and types: syntax tree to typed program.
//!
//! A rule that fails has reported why and returns `None`; the node around it is left out of the
//! typed program without a further report. So a program without diagnostics is complete.

mod assigns;
mod bodies;
mod collect;
mod collections;
mod conditions;
mod constants;
mod exprs;
mod fork_stmts;
mod forks;
mod guards;
mod items;
mod jumps;
mod names;
mod operators;
mod order;
mod performs;
mod places;
mod preds;
mod scope;
mod stmts;
mod symbols;
mod terms;
mod types;

use crate::ast;
use crate::exposed;
use crate::hir::{self, GlobalId, LabelId, PredId, ProcId, ThreadId, Ty};
use diagnostic::{Code, Diagnostic};
use forks::Forked;
use items::AboutPlaces;
use scope::{Context, Scope};
use source::{Name, Span};
use std::collections::{BTreeMap, BTreeSet};
use symbols::Symbols;

/// What [`resolve`] returns.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// The typed program; complete if there are no diagnostics.
    pub program: hir::Program,
    /// The errors, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The names among the definitions that are constants of the program.
    pub used_definitions: Vec<String>,
}

/// Resolves names and types. Definitions are pairs of a constant's name (`N` or `M.N`) and the text
/// of its value, and replace the values in the file; of two for the same name the later one counts.
pub fn resolve(file: &ast::File, definitions: &[(String, String)]) -> Resolved {
    let mut resolver = Resolver::default();
    let declarations = resolver.collect(file);
    resolver.types_and_constants(&declarations, definitions);
    resolver.global_types(&declarations);
    resolver.signatures(&declarations);
    resolver.forked_types(&declarations);
    resolver.preds(&declarations);
    resolver.thread_counts(&declarations);
    resolver.formulas(&declarations, AboutPlaces(false));
    resolver.forked_formulas(&declarations);
    resolver.guards(&declarations);
    resolver.threads(&declarations);
    resolver.procs(&declarations);
    resolver.rely_on_sole_forkers();
    resolver.nevers(&declarations);
    resolver.formulas(&declarations, AboutPlaces(true));
    resolver.expose_places();
    resolver.refuse_silent_loss();
    let Resolver { program, mut diagnostics, used_definitions, .. } = resolver;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    Resolved { program, diagnostics, used_definitions }
}

/// Limit on kept diagnostics; nobody reads more.
const MAX_DIAGNOSTICS: usize = 200;

/// Types are `None` where a fault was reported.
#[derive(Default)]
struct Resolver {
    program: hir::Program,
    diagnostics: Vec<Diagnostic>,
    used_definitions: Vec<String>,
    symbols: Symbols,
    aliases: Vec<Option<Ty>>,
    const_types: Vec<Option<Ty>>,
    global_types: Vec<Option<Ty>>,
    pred_facts: Vec<PredFacts>,
    signatures: Vec<Signature>,
    /// By thread; `None` of those that run from the beginning.
    forked: Vec<Option<Forked>>,
    /// Who forks which threads.
    forks: Vec<(ThreadId, Owner)>,
    /// The variables that only the language writes.
    own_variables: BTreeSet<GlobalId>,
    labels: BTreeMap<Name, Vec<(Owner, LabelId)>>,
    /// Locals of any thread or procedure, to explain why a formula cannot name them.
    local_names: BTreeMap<Name, Span>,
    scope: Scope,
    context: Context,
    /// The place of a part that was left out of the typed program, which must never happen without
    /// a diagnostic.
    lost: Option<Span>,
    /// Whether the parser left an error in the tree, with a diagnostic of its own.
    met_error: bool,
}

/// The facts about a predicate beyond its typed form.
#[derive(Default)]
struct PredFacts {
    params: Vec<Option<Ty>>,
    /// The type of its values.
    ty: Option<Ty>,
    two_store: bool,
    uses_tid: bool,
}

/// Types of a procedure's parameters and results.
#[derive(Default)]
struct Signature {
    params: Vec<Option<Ty>>,
    results: Vec<Option<Ty>>,
}

/// Whose code it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Thread(ThreadId),
    Proc(ProcId),
}

/// The facts met while resolving one formula.
#[derive(Default)]
struct Seen {
    prime: bool,
    tid: bool,
    preds: Vec<(PredId, Span, bool)>,
}

impl Resolver {
    /// A shared part, such as the value in `var x, y: T = e`, is resolved more than once; its
    /// faults are reported once.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Makes places of threads a variable where formulas ask for them.
    fn expose_places(&mut self) {
        if !exposed::is_asked(&self.program) {
            return;
        }
        for span in exposed::out_of_sight(&self.program) {
            let message = "a rely or an invariant asks for this label";
            let error = fault(Code::LocalNotAllowed, span, message)
                .at("no thread is seen inside of a procedure or an atomic block")
                .help("use a shared variable that says where the thread is");
            self.report(error);
        }
        if self.diagnostics.is_empty() && !self.met_error && self.lost.is_none() {
            exposed::expose(&mut self.program);
        }
    }

    /// A verdict about an incomplete program would be a lie.
    fn refuse_silent_loss(&mut self) {
        let silent = self.diagnostics.is_empty() && !self.met_error;
        if let Some(span) = self.lost.filter(|_| silent) {
            let error = fault(
                Code::InternalError,
                span,
                "this could not be resolved, and no reason is known",
            );
            self.report(error);
        }
    }

    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }
}

fn fault(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message)
}

/// `1 argument`, `2 arguments`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
