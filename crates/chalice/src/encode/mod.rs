//! From the typed program to guarded commands (paper 3, section 4).
//!
//! The state of the running thread is a set of variables: for each place (a field, `mu`,
//! `joinable`, a predicate) a map of values and a map of permissions; the monitors it holds; its
//! credits with channels; a clock for allocation. Contracts are inhaled and exhaled (`inhale`,
//! `exhale`); statements are sequences of checks, assignments and transfers.
//!
//! DIVERGENCE: the paper has one heap indexed by object and field; one map per field says the same
//! and needs no axioms. A predicate is a place whose value is a snapshot of the values it holds, so
//! that functions of predicates are framed by their arguments alone (`pieces`).

mod amount;
mod calls;
mod channels;
mod defined;
mod each;
mod exhale;
mod expr;
mod folds;
mod functions;
mod inhale;
mod joins;
mod loops;
mod monitors;
mod order;
mod parts;
mod pieces;
mod plan;
mod recursion;
mod relevant;
mod seqs;
mod sorts;
mod state;
mod stmt;
mod task;
mod tasks;
mod volatile;

pub use plan::{Facts, Plan, facts, name_of, plans, statement_count};
pub use task::{Shown, Task};

use crate::hir::{Local, Program};
use diagnostic::Code;
use gcl::{Check, Gap, MarkKind, Marks, Obligations, Stmt, Variable};
use logic::{Sort, Symbol, Term, Terms};
use sorts::Place;
use source::Span;
use state::State;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Obligation, ObligationId, Relevance, StopReason, TaskKind};

/// One task under construction.
pub(crate) struct Encoder<'a> {
    pub(crate) program: &'a Program,
    pub(crate) terms: Terms,
    /// The locals of the declaration at hand.
    locals: &'a [Local],
    /// What can be assigned.
    variables: BTreeSet<Symbol>,
    /// Facts about symbols that have one value throughout.
    background: Vec<Term>,
    /// The statements so far; the last list is the one being written.
    blocks: Vec<Vec<Stmt>>,
    obligations: Obligations,
    marks: Marks,
    shown: BTreeMap<Symbol, Shown>,
    undecided: Vec<(ObligationId, StopReason)>,
    /// The places that the declaration can be about.
    places: Vec<Place>,
    /// The variables of the running thread.
    now: State,
    clock: Symbol,
    /// Sorts of elements of sequences, and those whose sequences occur in formulas.
    known_elements: Vec<Sort>,
    elements: Vec<Sort>,
    /// Sorts of maps that are limited to the elements of a sequence (see `pieces`).
    limited_maps: BTreeSet<Sort>,
    texts: BTreeSet<Term>,
    /// Predicates with parameters that occur.
    instances_used: BTreeSet<crate::hir::PredicateId>,
    /// Functions whose axioms are needed, in the order in which they were met.
    functions_used: Vec<crate::hir::FunctionId>,
    /// Whether functions call themselves; filled when asked.
    recursive: BTreeMap<crate::hir::FunctionId, bool>,
    /// Recursive functions with their twins without definition.
    twins: BTreeMap<logic::Func, logic::Func>,
    /// Whether terms have no bound variables; filled when asked.
    closed: BTreeMap<Term, bool>,
    /// The measure that decreases with every recursive call of the current function.
    measure: Option<recursion::Measure>,
    /// The method at hand.
    method: Option<stmt::MethodContext>,
    /// Whether some formula looks back at when a monitor was acquired or released.
    looks_back: bool,
    /// Whether this declaration, or anything that it uses, counts infinitesimals; otherwise
    /// permissions need no second number.
    counts_epsilons: bool,
}

/// The reason for a check: the obligation it makes if it is not trivially true.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    /// The diagnostic code.
    pub(crate) code: Code,
    /// The place at fault.
    pub(crate) span: Span,
    /// The place of the annotation, if it is a different one.
    pub(crate) declared: Option<Span>,
    /// The message if it fails.
    pub(crate) failed: String,
    /// What would repair it.
    pub(crate) help: Option<String>,
}

impl Reason {
    pub(crate) fn new(code: Code, span: Span, failed: impl Into<String>) -> Self {
        Self { code, span, declared: None, failed: failed.into(), help: None }
    }

    pub(crate) fn about(mut self, declared: Span) -> Self {
        if declared != self.span {
            self.declared = Some(declared);
        }
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl<'a> Encoder<'a> {
    /// An encoder for a declaration with these locals.
    pub(crate) fn new(
        program: &'a Program,
        facts: &Facts,
        locals: &'a [Local],
        about: Plan,
    ) -> Self {
        let mut terms = Terms::default();
        let clock = terms.symbol("clock", Sort::Int);
        let mut encoder = Self {
            program,
            terms,
            locals,
            variables: BTreeSet::from([clock]),
            background: Vec::new(),
            blocks: vec![Vec::new()],
            obligations: Obligations::default(),
            marks: Marks::default(),
            shown: BTreeMap::new(),
            undecided: Vec::new(),
            now: State::default(),
            places: relevant::places(program, about),
            clock,
            known_elements: facts.elements.clone(),
            elements: Vec::new(),
            limited_maps: BTreeSet::new(),
            texts: BTreeSet::new(),
            instances_used: BTreeSet::new(),
            functions_used: Vec::new(),
            recursive: BTreeMap::new(),
            twins: BTreeMap::new(),
            closed: BTreeMap::new(),
            measure: None,
            method: None,
            looks_back: facts.looks_back,
            counts_epsilons: relevant::counts_epsilons(program, about),
        };
        encoder.declare_state();
        encoder
    }

    /// Adds a statement.
    pub(crate) fn emit(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("internal error: no block is being written").push(stmt);
    }

    /// Writes statements into a list of their own.
    pub(crate) fn block(&mut self, write: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        self.blocks.push(Vec::new());
        write(self);
        self.blocks.pop().expect("internal error: a block was just begun")
    }

    pub(crate) fn assume(&mut self, fact: Term) {
        self.emit(Stmt::Assume(fact));
    }

    pub(crate) fn assign(&mut self, variable: Symbol, value: Term) {
        self.emit(Stmt::Assign(vec![(variable, value)]));
    }

    /// A new variable.
    pub(crate) fn variable(&mut self, stem: &str, sort: Sort) -> Symbol {
        let symbol = self.terms.fresh(stem, sort);
        self.variables.insert(symbol);
        symbol
    }

    /// The present value of a term, which stays the same when variables change.
    pub(crate) fn pin(&mut self, stem: &str, term: Term) -> Term {
        match self.terms.node(term) {
            logic::Node::Bool(_) | logic::Node::Int(_) | logic::Node::Real(..) => term,
            logic::Node::Constant(symbol) if !self.is_variable(*symbol) => term,
            _ => {
                let sort = self.terms.sort(term).clone();
                let symbol = self.variable(stem, sort);
                self.assign(symbol, term);
                self.terms.constant(symbol)
            }
        }
    }

    fn is_variable(&self, symbol: Symbol) -> bool {
        self.variables.contains(&symbol)
    }

    /// An arbitrary value that stays the same.
    pub(crate) fn any(&mut self, stem: &str, sort: Sort) -> Term {
        let symbol = self.variable(stem, sort);
        self.emit(Stmt::Havoc(vec![symbol]));
        self.terms.constant(symbol)
    }

    /// The present time.
    pub(crate) fn clock(&mut self) -> Term {
        self.terms.constant(self.clock)
    }

    /// Lets time pass: other threads may have made objects.
    pub(crate) fn time_passes(&mut self) {
        let before = self.clock();
        let before = self.pin("clock", before);
        self.emit(Stmt::Havoc(vec![self.clock]));
        let after = self.clock();
        let later = self.terms.le(before, after);
        self.assume(later);
    }

    /// The obligation for this reason, created if necessary.
    pub(crate) fn obligation(&mut self, reason: &Reason, relevance: Relevance) -> ObligationId {
        self.obligations.id_with_text(Obligation {
            code: reason.code,
            relevance,
            span: reason.span,
            declared: reason.declared,
            failed: reason.failed.clone(),
            help: reason.help.clone(),
        })
    }

    /// Checks a formula that must hold; runs go on only if it does.
    pub(crate) fn check(&mut self, guard: Term, holds: Term, reason: &Reason) {
        let holds = self.terms.implies(guard, holds);
        let obligation = self.obligation(reason, Relevance::Required);
        self.emit(Stmt::Assert(vec![Check { parts: vec![holds], obligation, then_known: true }]));
    }

    /// Checks a formula that should hold: if not, the reason is reported as a warning.
    pub(crate) fn should(&mut self, parts: Vec<Term>, reason: &Reason) {
        let obligation = self.obligation(reason, Relevance::Hygiene);
        self.emit(Stmt::Assert(vec![Check { parts, obligation, then_known: false }]));
    }

    /// Some run should get here: if none does, the reason is reported as a warning.
    pub(crate) fn cover(&mut self, reason: &Reason) {
        let obligation = self.obligation(reason, Relevance::Hygiene);
        let yes = self.terms.bool(true);
        self.emit(Stmt::Cover(yes, obligation));
    }

    /// Marks a point that traces show.
    pub(crate) fn mark(&mut self, kind: MarkKind, span: Option<Span>, text: impl Into<String>) {
        let id = self.marks.add(kind, span, text);
        self.emit(Stmt::Mark(id));
    }

    /// Refuses a construct that is read but not verified: nothing about this declaration counts as
    /// proved.
    pub(crate) fn unsupported(&mut self, what: &str, span: Span) {
        let reason = StopReason::Unsupported(what.to_owned());
        let about = Reason::new(Code::Unsupported, span, reason.to_string());
        let id = self.obligation(&about, Relevance::Required);
        self.undecided.push((id, reason));
    }

    /// Ends the task.
    pub(crate) fn finish(mut self, kind: TaskKind, lane: String) -> Task {
        self.function_axioms();
        let facts = self.background_facts();
        self.background.extend(facts);
        let constants = vec![self.null(), self.lock_bottom()];
        let constants: Vec<Symbol> = constants.into_iter().map(|t| self.variable_of(t)).collect();
        self.shown.extend(constants.iter().copied().zip([Shown::Null, Shown::LockBottom]));
        let stmts = self.blocks.pop().expect("internal error: no block is being written");
        let variables =
            self.variables.into_iter().map(|symbol| Variable { symbol, fact: None }).collect();
        let body = gcl::Body { variables, background: self.background, stmts };
        let gap = self.undecided.first().map(|(_, reason)| Gap::AnyValue(reason.clone()));
        let common = gcl::Task {
            name: kind.of(lane.as_str()),
            terms: self.terms,
            body,
            obligations: self.obligations.list,
            parts: self.obligations.parts,
            undecided: self.undecided,
            gap,
            candidates: Vec::new(),
            marks: self.marks.list,
            observed: constants,
            // The permissions at the start come from the contract.
            whole: true,
        };
        Task { common, lane, shown: self.shown }
    }
}
