//! One thread as a sequential program: paper 1's i-abstraction.
//!
//! ```text
//! [[X | Y]]  =  A*; X | (Y && G); A*          (section 4)
//! [[S1; S2]] =  [[S1]]; [[S2]]      and so on, homomorphically
//! ```
//!
//! Every step is preceded by the environment on what it touches (see [`crate::environment`]) and
//! followed by the checks that it satisfies the guarantee `G = (forall j != tid :: A_j) && (I ==>
//! I')`. The trailing `A*` merges with the leading one of the next step.

mod abstraction;
mod access;
mod automaton;
mod calls;
mod control;
mod defined;
mod emit;
mod frames;
mod guarantee;
mod guesses;
mod interference;
mod reduction;
mod results;
mod simulation;
mod statements;
mod step;

use crate::environment::{self, Conjunct, Owner};
use crate::expr::Scope;
use crate::mentions::Touched;
use crate::task::{Numbering, Shown, Task};
use crate::{Context, Facts, Options};
use emit::Emit;
use frames::{Frame, Frames};
use gcl::{Gap, MarkKind, Stmt as Command, Variable};
use guesses::Guessing;
use interference::Interference;
use logic::{Sort, Symbol, Term};
use plato::hir::{Body, Count, LocalId, ProcId, Program, Root, Stmt, ThreadId, Ty};
use reduction::Reduction;
use simulation::Simulation;
use std::collections::BTreeSet;
use verdict::{TaskKind, TaskName};

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

/// The task of verifying one procedure against its specification, for every thread that may call
/// it.
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

impl Subject {
    fn name(self, program: &Program) -> TaskName {
        match self {
            Self::Thread(id) => TaskKind::Thread.of(program.threads[id.index()].name.as_str()),
            Self::Procedure(id) => TaskKind::Procedure.of(program.procs[id.index()].name.as_str()),
        }
    }
}

/// One body on its way to guarded commands. Each part has its own job; the methods of this type say
/// how they work together.
struct Lowering<'a> {
    program: &'a Program,
    facts: &'a Facts,
    subject: Subject,
    /// Turns expressions into terms.
    context: Context<'a>,
    /// Holds what is written.
    emit: Emit,
    /// Knows the locals and what is inlined.
    frames: Frames,
    /// Knows what other threads do, and what they rely on.
    interference: Interference<'a>,
    /// Follows the specification that the body is compared with.
    simulation: Option<Simulation<'a>>,
    /// The `atomic proc` whose steps are brought together.
    reduction: Option<Reduction>,
    /// Whether the statements at hand are parts of one step.
    in_atomic: bool,
    /// The text of the atomic block. What it is made of may have no text of its own.
    atomic_text: Option<source::Span>,
    /// Whether others need not step before the statement at hand.
    is_undisturbed: bool,
    /// Numbers the loop invariants that are guessed.
    guessing: Guessing,
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
        if options.list_more {
            context.most_listed = crate::types::MORE_LISTED;
        }
        let owner = match subject {
            Subject::Thread(id) => Owner::Thread(id),
            Subject::Procedure(id) => Owner::of_procedure(program, id),
        };
        let tid = running_thread(&mut context, subject);
        let mut lowering = Self {
            program,
            facts,
            subject,
            interference: Interference::new(&mut context, owner, tid, relies, options),
            context,
            emit: Emit::new(),
            frames: Frames::default(),
            simulation: None,
            reduction: None,
            in_atomic: false,
            atomic_text: None,
            is_undisturbed: false,
            guessing: Guessing::new(options.guesses.clone()),
        };
        for (index, global) in program.globals.iter().enumerate() {
            let symbol = lowering.context.globals[index];
            lowering.declare(symbol, &global.ty);
            let shown = Shown::shared(global.name.as_str(), &global.ty);
            lowering.emit.shown.insert(symbol, shown);
        }
        lowering
    }

    /// Starts in an initial store, which satisfies the invariant (a task of its own shows that).
    fn whole_thread(&mut self, thread: ThreadId) {
        let scope = Scope::default();
        for init in &self.program.inits {
            let term = self.context.term(&scope, &init.expr);
            self.emit.assume(term);
        }
        let info = &self.program.threads[thread.index()];
        self.start(&info.body, info.name.as_str(), Vec::new());
        self.run(&info.body);
    }

    /// Starts in any store that satisfies the invariant and `requires`.
    fn whole_procedure(&mut self, id: ProcId) {
        let info = &self.program.procs[id.index()];
        self.start(&info.body, info.name.as_str(), info.results.clone());
        self.frames.calls.push(id);
        for param in &info.params {
            let symbol = self.root_symbol(Root::Local(*param));
            self.emit.shown.entry(symbol).and_modify(|shown| shown.from_start = true);
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
        for invariant in environment::invariants(self.program, &self.interference.owner) {
            for (term, _) in self.context.invariant_parts(&Scope::default(), &invariant) {
                self.emit.assume(term);
            }
        }
        let end = self.emit.label();
        let locals = self.activate(body, name);
        self.frames.stack.push(Frame { locals, results, end, exits: Vec::new() });
        self.emit.mark(MarkKind::Start, None, "");
    }

    fn run(&mut self, body: &Body) {
        let end = self.frames.current().end;
        let inner = self.nested(|this| this.stmts(&body.stmts));
        self.emit.push(Command::Block(end, inner));
    }

    fn finish(self) -> Task {
        let Self { program, facts, subject, mut context, mut emit, interference, .. } = self;
        let incomplete = emit.undecided.first().map(|(_, reason)| reason.clone());
        let undecided = emit
            .undecided
            .into_iter()
            .map(|(obligation, reason)| (emit.obligations.id(obligation, Vec::new()), reason))
            .collect();
        let mut numbering = Numbering::new(&context.layout);
        numbering.tid = Some(interference.tid);
        numbering.other = Some(interference.other);
        let mut observed: Vec<Symbol> = context.layout.bounds.clone();
        observed.extend(context.constants.iter().map(|(symbol, ..)| *symbol));
        for term in [interference.tid, interference.other] {
            observed.extend(logic::free_symbols(&context.terms, term));
        }
        for (symbol, name, ty) in &context.constants {
            emit.shown.insert(*symbol, Shown::shared(name, ty));
        }
        let not_written_by_others = match subject {
            Subject::Thread(id) => facts.not_written_by_others(id),
            Subject::Procedure(_) => BTreeSet::new(),
        };
        let not_written_by_others =
            not_written_by_others.iter().map(|global| context.globals[global.index()]).collect();
        let uses = self.frames.uses.iter().map(|id| program.procs[id.index()].name.to_string());
        let variables =
            emit.variables.into_iter().map(|(symbol, fact)| Variable { symbol, fact }).collect();
        let body = gcl::Body {
            variables,
            background: std::mem::take(&mut context.axioms),
            stmts: emit.out,
        };
        let name = subject.name(program);
        let thread = Some(name.name.clone());
        let common = gcl::Task {
            name,
            terms: context.terms,
            body,
            obligations: emit.obligations.list,
            parts: emit.obligations.parts,
            undecided,
            gap: incomplete.map(Gap::LeftOut),
            candidates: self.guessing.candidates,
            marks: emit.marks.list,
            observed,
            whole: false,
        };
        Task {
            common,
            thread,
            uses: uses.collect(),
            specified: self.simulation.map(Simulation::specified),
            shown: emit.shown,
            numbering,
            has_rely: interference.has_rely,
            not_written_by_others,
            dropped: Vec::new(),
        }
    }

    /// Symbols for the locals of an activation.
    fn activate(&mut self, body: &Body, owner: &str) -> Vec<Symbol> {
        let copy = self.frames.fresh();
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
            self.emit.shown.insert(symbol, shown);
            locals.push(symbol);
        }
        locals
    }

    /// Makes the symbol a variable that holds values of the type.
    fn declare(&mut self, symbol: Symbol, ty: &Ty) {
        if !self.emit.variables.contains_key(&symbol) {
            let term = self.context.terms.constant(symbol);
            let fact = self.context.in_type(ty, term);
            self.emit.variables.insert(symbol, fact);
        }
    }

    /// The thread that runs.
    fn tid(&self) -> Term {
        self.interference.tid
    }

    /// The scope of code: current values.
    fn scope(&self) -> Scope {
        self.scope_of(self.frames.locals())
    }

    /// The same for these locals.
    fn scope_of(&self, locals: Vec<Symbol>) -> Scope {
        Scope { tid: Some(self.tid()), locals, ..Scope::default() }
    }

    fn root_symbol(&self, root: Root) -> Symbol {
        self.context.symbol_of(&self.scope(), root, false)
    }

    fn root_ty(&self, root: Root) -> Ty {
        match root {
            Root::Global(id) => self.program.globals[id.index()].ty.clone(),
            Root::Local(_) => {
                let symbol = self.root_symbol(root);
                self.emit.shown[&symbol].ty.clone()
            }
        }
    }

    /// The commands that `write` writes, apart from those written before.
    fn nested(&mut self, write: impl FnOnce(&mut Self)) -> Vec<Command> {
        let before = std::mem::take(&mut self.emit.out);
        write(self);
        std::mem::replace(&mut self.emit.out, before)
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
