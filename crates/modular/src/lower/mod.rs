//! One thread as a sequential program: paper 1's i-abstraction.
//!
//! ```text
//! [[X | Y]]  =  A*; X | (Y && G); A*          (section 4)
//! [[S1; S2]] =  [[S1]]; [[S2]]      and so on, homomorphically
//! ```
//!
//! Every step is preceded by the environment on what it touches (see [`crate::environment`]) and followed by the checks
//! that it satisfies the guarantee `G = (forall j != tid :: A_j) && (I ==> I')`. The trailing `A*` merges with the leading
//! one of the next step.

mod abstraction;
mod access;
mod automaton;
mod calls;
mod control;
mod defined;
mod guarantee;
mod guesses;
mod reduction;
mod simulation;
mod statements;
mod step;

use crate::environment::{Conjunct, Environment, Owner, environment};
use crate::expected::Specified;
use crate::expr::Scope;
use crate::mentions::Touched;
use crate::task::{Numbering, Shown, Task};
use crate::{Context, Facts, Guesses, Options};
use gcl::{
    BlockLabel, Candidate, Check, Gap, MarkId, MarkKind, Marks, Obligations, Stmt as Command,
    Variable,
};
use guarantee::Guarantee;
use logic::{Sort, Symbol, Term};
use plato::hir::{Body, Count, LocalId, Performs, ProcId, Program, Root, Stmt, ThreadId, Ty};
use reduction::Reduction;
use simulation::Simulation;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Obligation, StopReason, TaskKind};

/// The task of verifying one thread, for every copy of it at once. `relies` is what it may rely on.
pub fn thread_task(
    program: &Program,
    facts: &Facts,
    thread: ThreadId,
    relies: &[Conjunct<'_>],
    options: &Options,
) -> Task {
    let subject = Subject::Thread(thread);
    let mut lowering = Lowering::new(program, facts, subject, relies, options);
    lowering.whole_thread(thread);
    lowering.finish()
}

/// The task of verifying one procedure against its specification, for every thread that may call it.
pub fn procedure_task(
    program: &Program,
    facts: &Facts,
    procedure: ProcId,
    relies: &[Conjunct<'_>],
    options: &Options,
) -> Task {
    let subject = Subject::Procedure(procedure);
    let mut lowering = Lowering::new(program, facts, subject, relies, options);
    lowering.whole_procedure(procedure);
    lowering.finish()
}

/// What is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Thread(ThreadId),
    Procedure(ProcId),
}

/// Inlining stops here; a program that needs more should give its procedures specifications.
const MAX_INLINED_STATEMENTS: usize = 200_000;

struct Lowering<'a> {
    context: Context<'a>,
    program: &'a Program,
    facts: &'a Facts,
    subject: Subject,
    owner: Owner,
    tid: Term,
    other: Term,
    environment: Environment<'a>,
    guarantees: Vec<Guarantee<'a>>,
    obligations: Obligations,
    marks: Marks,
    shown: BTreeMap<Symbol, Shown>,
    variables: BTreeMap<Symbol, Option<Term>>,
    undecided: Vec<(Obligation, StopReason)>,
    /// The commands written so far; nested lists are swapped in and out.
    out: Vec<Command>,
    frames: Vec<Frame>,
    calls: Vec<ProcId>,
    inlined: usize,
    in_atomic: bool,
    /// Whether a rely says anything about other threads.
    has_rely: bool,
    /// How many steps the environment takes in a row.
    environment_steps: usize,
    /// Whether there is no other thread, so that nothing interferes.
    alone: bool,
    /// Whether the next statement may be unreachable although this one is not.
    narrowed: bool,
    /// Procedures of which it was said that they cannot be inlined.
    refused: BTreeSet<ProcId>,
    labels: u32,
    /// The statement that is being lowered.
    current: Option<Span>,
    copies: u32,
    /// The specification that the body is compared with.
    simulation: Option<Simulation<'a>>,
    /// What the step at hand is said to perform.
    performs: Option<Performs>,
    /// The same for messages.
    specified: Option<Specified>,
    /// The procedures whose specifications stand for them.
    uses: BTreeSet<ProcId>,
    /// The results of the calls that are being lowered.
    called_results: Vec<Symbol>,
    /// The `atomic proc` whose steps are brought together.
    reduction: Option<Reduction>,
    /// How many loop invariants were guessed, what to do with them, and those that are used.
    guesses: usize,
    use_of_guesses: Guesses,
    candidates: Vec<Candidate>,
}

/// The locals and jump targets of one procedure activation.
#[derive(Clone, Debug)]
struct Frame {
    locals: Vec<Symbol>,
    results: Vec<LocalId>,
    end: BlockLabel,
    loops: Vec<LoopLabels>,
}

#[derive(Clone, Copy, Debug)]
struct LoopLabels {
    leave: BlockLabel,
    next: BlockLabel,
}

impl<'a> Lowering<'a> {
    fn new(
        program: &'a Program,
        facts: &'a Facts,
        subject: Subject,
        relies: &[Conjunct<'a>],
        options: &Options,
    ) -> Self {
        let mut context = Context::new(program, facts.roll.clone());
        let owner = match subject {
            Subject::Thread(id) => Owner::Thread(id),
            Subject::Procedure(id) => Owner::of_procedure(program, id),
        };
        let tid = running_thread(&mut context, subject);
        let other = context.terms.symbol("other thread@", Sort::Int);
        let other = context.terms.constant(other);
        let mut lowering = Self {
            program,
            facts,
            subject,
            tid,
            other,
            environment: environment(program, &owner, relies, options.one_cluster),
            guarantees: guarantee::guarantees(program, &owner, context.layout.total),
            owner,
            obligations: Obligations::default(),
            marks: Marks::default(),
            shown: BTreeMap::new(),
            variables: BTreeMap::new(),
            undecided: Vec::new(),
            out: Vec::new(),
            frames: Vec::new(),
            calls: Vec::new(),
            inlined: 0,
            in_atomic: false,
            has_rely: !relies.is_empty(),
            environment_steps: options.environment_steps.max(1),
            alone: context.layout.total == Some(1),
            narrowed: true,
            refused: BTreeSet::new(),
            labels: 0,
            current: None,
            copies: 0,
            performs: None,
            simulation: None,
            uses: BTreeSet::new(),
            called_results: Vec::new(),
            specified: None,
            reduction: None,
            guesses: 0,
            use_of_guesses: options.guesses.clone(),
            candidates: Vec::new(),
            context,
        };
        for (index, global) in program.globals.iter().enumerate() {
            let symbol = lowering.context.globals[index];
            lowering.declare(symbol, &global.ty);
            let shown = Shown::shared(global.name.as_str(), &global.ty);
            lowering.shown.insert(symbol, shown);
        }
        lowering
    }

    /// Starts in an initial store, which satisfies the invariant (a task of its own shows that).
    fn whole_thread(&mut self, thread: ThreadId) {
        let scope = Scope::default();
        for init in &self.program.inits {
            let term = self.context.term(&scope, &init.expr);
            self.out.push(Command::Assume(term));
        }
        let info = &self.program.threads[thread.index()];
        self.start(&info.body, info.name.as_str(), Vec::new());
        self.run(&info.body);
    }

    /// Starts in any store that satisfies the invariant and `requires`.
    fn whole_procedure(&mut self, id: ProcId) {
        let info = &self.program.procs[id.index()];
        self.start(&info.body, info.name.as_str(), info.results.clone());
        self.calls.push(id);
        for param in &info.params {
            let symbol = self.root_symbol(Root::Local(*param));
            self.shown.entry(symbol).and_modify(|shown| shown.from_start = true);
        }
        if let Some(spec) = &info.spec {
            self.begin_simulation(info, spec);
        }
        if info.is_atomic {
            self.reduced(info, |this| this.run(&info.body));
        } else {
            self.run(&info.body);
        }
        self.end_simulation(info.span);
    }

    fn start(&mut self, body: &Body, name: &str, results: Vec<LocalId>) {
        for invariant in crate::environment::invariants(self.program, &self.owner) {
            for (term, _) in self.context.invariant_parts(&Scope::default(), &invariant) {
                self.out.push(Command::Assume(term));
            }
        }
        let end = self.label();
        let locals = self.activate(body, name);
        self.frames.push(Frame { locals, results, end, loops: Vec::new() });
        let start = self.marks.add(MarkKind::Start, None, "");
        self.out.push(Command::Mark(start));
    }

    fn run(&mut self, body: &Body) {
        let end = self.frame().end;
        let inner = self.nested(|this| this.stmts(&body.stmts));
        self.out.push(Command::Block(end, inner));
    }

    fn finish(mut self) -> Task {
        let incomplete = self.undecided.first().map(|(_, reason)| reason.clone());
        let undecided = self
            .undecided
            .into_iter()
            .map(|(obligation, reason)| (self.obligations.id(obligation, Vec::new()), reason))
            .collect();
        let mut context = self.context;
        let mut numbering = Numbering::new(&context.layout);
        numbering.tid = Some(self.tid);
        numbering.other = Some(self.other);
        let mut observed: Vec<Symbol> = context.layout.bounds.clone();
        observed.extend(context.constants.iter().map(|(symbol, ..)| *symbol));
        for term in [self.tid, self.other] {
            observed.extend(logic::free_symbols(&context.terms, term));
        }
        for (symbol, name, ty) in &context.constants {
            self.shown.insert(*symbol, Shown::shared(name, ty));
        }
        let not_written_by_others = match self.subject {
            Subject::Thread(id) => self.facts.not_written_by_others(id),
            Subject::Procedure(_) => BTreeSet::new(),
        };
        let not_written_by_others =
            not_written_by_others.iter().map(|global| context.globals[global.index()]).collect();
        let uses = self.uses.iter().map(|id| self.program.procs[id.index()].name.to_string());
        let variables =
            self.variables.into_iter().map(|(symbol, fact)| Variable { symbol, fact }).collect();
        let body = gcl::Body {
            variables,
            background: std::mem::take(&mut context.axioms),
            stmts: self.out,
        };
        let (kind, name) = match self.subject {
            Subject::Thread(id) => {
                (TaskKind::Thread, self.program.threads[id.index()].name.to_string())
            }
            Subject::Procedure(id) => {
                (TaskKind::Procedure, self.program.procs[id.index()].name.to_string())
            }
        };
        let common = gcl::Task {
            name: kind.of(name.as_str()),
            terms: context.terms,
            body,
            obligations: self.obligations.list,
            parts: self.obligations.parts,
            undecided,
            gap: incomplete.map(Gap::LeftOut),
            candidates: self.candidates,
            marks: self.marks.list,
            observed,
            whole: false,
        };
        Task {
            common,
            thread: Some(name),
            uses: uses.collect(),
            specified: self.specified,
            shown: self.shown,
            numbering,
            has_rely: self.has_rely,
            not_written_by_others,
        }
    }

    /// Symbols for the locals of an activation.
    fn activate(&mut self, body: &Body, owner: &str) -> Vec<Symbol> {
        self.copies += 1;
        let copy = self.copies;
        let mut locals = Vec::new();
        for (index, local) in body.locals.iter().enumerate() {
            let sort = self.context.sort(&local.ty);
            let symbol =
                self.context.terms.symbol(format!("{}@{owner}.{copy}.{index}", local.name), sort);
            self.declare(symbol, &local.ty);
            let shown = Shown {
                name: local.name.to_string(),
                ty: local.ty.clone(),
                shared: false,
                from_start: false,
            };
            self.shown.insert(symbol, shown);
            locals.push(symbol);
        }
        locals
    }

    /// Makes the symbol a variable that holds values of the type.
    fn declare(&mut self, symbol: Symbol, ty: &Ty) {
        if !self.variables.contains_key(&symbol) {
            let term = self.context.terms.constant(symbol);
            let fact = self.context.in_type(ty, term);
            self.variables.insert(symbol, fact);
        }
    }

    /// The scope of code: current values.
    fn scope(&self) -> Scope {
        Scope {
            tid: Some(self.tid),
            locals: self.frames.last().map(|frame| frame.locals.clone()).unwrap_or_default(),
            ..Scope::default()
        }
    }

    fn root_symbol(&self, root: Root) -> Symbol {
        self.context.symbol_of(&self.scope(), root, false)
    }

    fn root_ty(&self, root: Root) -> Ty {
        match root {
            Root::Global(id) => self.program.globals[id.index()].ty.clone(),
            Root::Local(_) => {
                let symbol = self.root_symbol(root);
                self.shown[&symbol].ty.clone()
            }
        }
    }

    /// The commands that `write` writes, apart from those written before.
    fn nested(&mut self, write: impl FnOnce(&mut Self)) -> Vec<Command> {
        let before = std::mem::take(&mut self.out);
        write(self);
        std::mem::replace(&mut self.out, before)
    }

    fn label(&mut self) -> BlockLabel {
        self.labels += 1;
        BlockLabel(self.labels)
    }

    fn mark(&mut self, kind: MarkKind, span: Span, text: &str) -> MarkId {
        let mark = self.marks.add(kind, Some(span), text);
        self.out.push(Command::Mark(mark));
        mark
    }

    /// A check of this statement itself, with the mark that shows where the run ends if it fails.
    fn check(&mut self, about: Obligation, parts: Vec<(Term, Span)>) {
        let span = self.current.unwrap_or(about.span);
        self.mark(MarkKind::Attempt, span, "");
        let (terms, spans) = parts.into_iter().unzip();
        let id = self.obligations.id(about, spans);
        self.out.push(Command::Assert(vec![Check {
            parts: terms,
            obligation: id,
            then_known: true,
        }]));
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("internal error: code runs in a frame")
    }

    fn touched(&self, stmt: &Stmt) -> Touched {
        Touched::of_stmts(self.program, std::slice::from_ref(stmt))
    }
}

/// The thread that runs: a number from its block, or any number.
fn running_thread(context: &mut Context<'_>, subject: Subject) -> Term {
    let single = |id: ThreadId| context.program.threads[id.index()].count == Count::One;
    if let Subject::Thread(id) = subject
        && single(id)
    {
        return context.layout.block(&mut context.terms, id).0;
    }
    let symbol = context.terms.symbol("this thread@", Sort::Int);
    let tid = context.terms.constant(symbol);
    let fact = match subject {
        Subject::Thread(id) => context.layout.is_copy_of(&mut context.terms, tid, id),
        Subject::Procedure(_) => context.layout.is_thread(&mut context.terms, tid),
    };
    context.axioms.push(fact);
    tid
}
