//! What is to be shown of the annotations themselves: that the invariant holds initially, and that
//! relies are reflexive and transitive.

use crate::environment::{Conjunct, Invariant, Owner, invariants};
use crate::expr::Scope;
use crate::layout::Roll;
use crate::task::{Numbering, Shown, Task, hygiene};
use crate::{Context, Facts, mutexes};
use diagnostic::Code;
use gcl::{Body, Check, MarkKind, Marks, Obligations, Stmt as Command, Variable};
use logic::{Sort, Symbol, Term};
use plato::hir::{Expr, Formula, Program, Root, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verdict::{Obligation, TaskKind, TaskName};

/// `Init ==> I` (paper 1, theorem 2, condition 1), and that there are such stores at all.
pub fn init_task(program: &Program) -> Task {
    let mut maker = Maker::new(program, Roll::of(program));
    let now = Scope::default();
    let mut from_init: Vec<Command> = Vec::new();
    for init in &program.inits {
        let term = maker.context.term(&now, &init.expr);
        from_init.push(Command::Assume(term));
    }
    let yes = maker.context.terms.bool(true);
    if let Some(last) = program.inits.last() {
        let id = maker
            .obligations
            .id(hygiene(Code::ContradictoryInit, last.span, "no initial store exists"), Vec::new());
        from_init.push(Command::Cover(yes, id));
    }
    let start = maker.marks.add(MarkKind::Start, None, "");
    from_init.push(Command::Mark(start));
    let mut checks = Vec::new();
    let mut any_store = Vec::new();
    for invariant in invariants(program, &Owner::Everybody) {
        let item = invariant.item;
        let parts = maker.context.invariant_parts(&now, &invariant);
        let about = if invariant.negated {
            Obligation::new(
                Code::NeverReached,
                item,
                "an initial store is one that must never be reached",
            )
        } else {
            Obligation::new(
                Code::InvariantNotInitial,
                item,
                "this invariant need not hold at the start",
            )
        };
        checks.push(maker.check(about, &parts));
        any_store.extend(parts.iter().map(|&(term, _)| Command::Assume(term)));
    }
    from_init.push(Command::Assert(checks));
    if let Some(Invariant { item, .. }) = invariants(program, &Owner::Everybody).last() {
        let about =
            hygiene(Code::ContradictoryInvariant, *item, "no store satisfies all invariants");
        let id = maker.obligations.id(about, Vec::new());
        any_store.push(Command::Cover(yes, id));
    }
    maker.finish(TaskKind::Init.alone(), vec![Command::Choice(vec![from_init, any_store])])
}

/// That each rely allows the environment to do nothing (paper 1, section 4, requirement 1), and is
/// neither contradictory nor trivial. `None`: the relies of the program, for an arbitrary thread.
///
/// DIVERGENCE: reflexivity is asked of stores that satisfy the invariant only. All reachable stores
/// do, so the steps of the environment that matter start there.
pub fn rely_task(program: &Program, facts: &Facts, thread: Option<ThreadId>) -> Task {
    let relies: &[Formula] = match thread {
        Some(id) => &program.threads[id.index()].relies,
        None => &program.relies,
    };
    let mut maker = Maker::new(program, facts.roll.clone());
    maker.any_thread(thread);
    let after = maker.other_store("step");
    let mut branches = Vec::new();
    let mut same = maker.assume_invariants(&BTreeMap::new());
    let start = maker.marks.add(MarkKind::Start, None, "");
    same.push(Command::Mark(start));
    let mut checks = Vec::new();
    for rely in relies {
        let parts = maker.context.parts(&maker.scope(), &rely.expr);
        let mut about = Obligation::new(
            Code::RelyNotReflexive,
            rely.span,
            "this rely forbids other threads to do nothing",
        );
        about.help = Some(
            "a rely must hold of a step that changes nothing: replace `x' > x` by `x' >= x`, say"
                .to_owned(),
        );
        checks.push(maker.check(about, &parts));
        let scope = Scope { after: after.clone(), ..maker.scope() };
        let term = maker.context.term(&scope, &rely.expr);
        let not = maker.context.terms.not(term);
        for (code, text, term) in [
            (Code::ContradictoryRely, "no step satisfies this rely", term),
            (Code::TrivialRely, "this rely says nothing: every step satisfies it", not),
        ] {
            let id = maker.obligations.id(hygiene(code, rely.span, text), Vec::new());
            branches.push(vec![Command::Cover(term, id)]);
        }
    }
    same.push(Command::Assert(checks));
    branches.push(same);
    let name = match thread {
        Some(id) => TaskKind::ReliesOf.of(program.threads[id.index()].name.as_str()),
        None => TaskKind::Relies.alone(),
    };
    maker.finish(name, vec![Command::Choice(branches)])
}

/// That two steps that satisfy the conjuncts make one that does; obligation `n` is about conjunct
/// `n`. The conjuncts whose obligations hold of their own set are the largest transitive part:
/// dropping the others and asking again ends there, because a smaller transitive set `T` within `S`
/// is implied by `S` after `S` too, so none of `T` is ever dropped.
///
/// DIVERGENCE: asked of stores that satisfy the invariant only, as for reflexivity.
pub fn transitivity_task(program: &Program, owner: &Owner, conjuncts: &[Conjunct<'_>]) -> Task {
    let mut maker = Maker::new(program, Roll::of(program));
    maker.for_owner(owner);
    let middle = maker.other_store("middle");
    let after = maker.other_store("after");
    let mut commands = maker.assume_invariants(&BTreeMap::new());
    let start = maker.marks.add(MarkKind::Start, None, "");
    commands.push(Command::Mark(start));
    commands.extend(maker.assume_invariants(&middle));
    commands.extend(maker.assume_invariants(&after));
    let first = Scope { after: middle.clone(), ..maker.scope() };
    let second = Scope { before: middle, after: after.clone(), ..maker.scope() };
    let both = Scope { after, ..maker.scope() };
    for scope in [&first, &second] {
        commands.extend(maker.assume_step(scope, conjuncts));
    }
    let mut checks = Vec::new();
    for conjunct in conjuncts {
        let parts = maker.context.parts(&both, conjunct.formula);
        let about = Obligation::new(
            Code::RelyNotTransitive,
            conjunct.formula.span,
            "two steps that satisfy this rely need not make one that does",
        );
        checks.push(maker.own_check(about, &parts));
    }
    commands.push(Command::Assert(checks));
    maker.finish(TaskKind::Transitivity.alone(), commands)
}

/// That a step which satisfies the conjuncts satisfies these formulas too; obligation `n` is about
/// formula `n`. Those that do and are transitive hold after any number of such steps.
///
/// DIVERGENCE: asked of stores that satisfy the invariant only, as for transitivity.
pub fn closure_task(
    program: &Program,
    owner: &Owner,
    conjuncts: &[Conjunct<'_>],
    formulas: &[&Expr],
) -> Task {
    let mut maker = Maker::new(program, Roll::of(program));
    maker.for_owner(owner);
    let after = maker.other_store("after");
    let mut commands = maker.assume_invariants(&BTreeMap::new());
    let start = maker.marks.add(MarkKind::Start, None, "");
    commands.push(Command::Mark(start));
    commands.extend(maker.assume_invariants(&after));
    let scope = Scope { after, ..maker.scope() };
    commands.extend(maker.assume_step(&scope, conjuncts));
    let mut checks = Vec::new();
    for formula in formulas {
        let parts = maker.context.parts(&scope, formula);
        let failed = "a step that satisfies the relies need not satisfy this";
        let about = Obligation::new(Code::RelyNotTransitive, formula.span, failed);
        checks.push(maker.own_check(about, &parts));
    }
    commands.push(Command::Assert(checks));
    maker.finish(TaskKind::Transitivity.alone(), commands)
}

struct Maker<'a> {
    context: Context<'a>,
    program: &'a Program,
    obligations: Obligations,
    marks: Marks,
    variables: Vec<Variable>,
    shown: BTreeMap<Symbol, Shown>,
    tid: Option<Term>,
    owner: Owner,
}

impl<'a> Maker<'a> {
    fn new(program: &'a Program, roll: Arc<Roll>) -> Self {
        let mut maker = Self {
            context: Context::new(program, roll),
            program,
            obligations: Obligations::default(),
            marks: Marks::default(),
            variables: Vec::new(),
            shown: BTreeMap::new(),
            tid: None,
            owner: Owner::Everybody,
        };
        for (index, global) in program.globals.iter().enumerate() {
            let symbol = maker.context.globals[index];
            maker.declare(symbol, index, global.name.to_string());
        }
        maker
    }

    fn declare(&mut self, symbol: Symbol, global: usize, name: String) {
        let ty = self.program.globals[global].ty.clone();
        let term = self.context.terms.constant(symbol);
        let fact = self.context.in_type(&ty, term);
        self.variables.push(Variable { symbol, fact });
        self.shown.insert(symbol, Shown::shared(&name, &ty));
    }

    /// What is to be shown is about the annotations of this owner.
    fn for_owner(&mut self, owner: &Owner) {
        self.owner = owner.clone();
        self.any_thread(match owner {
            Owner::Thread(id) => Some(*id),
            Owner::Everybody | Owner::Modules(_) => None,
        });
    }

    /// Lets `tid` stand for an arbitrary thread, or an arbitrary copy of this one.
    fn any_thread(&mut self, thread: Option<ThreadId>) {
        let symbol = self.context.terms.symbol("this thread@", Sort::Int);
        let tid = self.context.terms.constant(symbol);
        let fact = match thread {
            Some(id) => self.context.layout.is_copy_of(&mut self.context.terms, tid, id),
            None => self.context.layout.is_thread(&mut self.context.terms, tid),
        };
        self.context.axioms.push(fact);
        self.tid = Some(tid);
    }

    fn scope(&self) -> Scope {
        Scope { tid: self.tid, ..Scope::default() }
    }

    /// Another store: per global a symbol of its own. Primes mark it in explanations.
    fn other_store(&mut self, role: &str) -> BTreeMap<Root, Symbol> {
        let mut store = BTreeMap::new();
        for id in self.context.global_ids() {
            let symbol = self.context.copy_of(id, role);
            let primes = if role == "after" { "''" } else { "'" };
            let name = format!("{}{primes}", self.program.globals[id.index()].name);
            self.declare(symbol, id.index(), name);
            // Only transitivity is explained with several stores.
            if role == "step" {
                self.shown.remove(&symbol);
            }
            store.insert(Root::Global(id), symbol);
        }
        store
    }

    fn assume_invariants(&mut self, store: &BTreeMap<Root, Symbol>) -> Vec<Command> {
        let scope = Scope { before: store.clone(), ..Scope::default() };
        let mut commands = Vec::new();
        for invariant in invariants(self.program, &self.owner) {
            let parts = self.context.invariant_parts(&scope, &invariant);
            commands.extend(parts.into_iter().map(|(term, _)| Command::Assume(term)));
        }
        commands
    }

    /// A step of others that satisfies the conjuncts, and leaves mutexes with those who have them.
    fn assume_step(&mut self, scope: &Scope, conjuncts: &[Conjunct<'_>]) -> Vec<Command> {
        let mut facts: Vec<Term> =
            conjuncts.iter().map(|one| self.context.term(scope, one.formula)).collect();
        if let Some(tid) = scope.tid {
            let mutexes = mutexes::mutexes(self.program);
            facts.extend(mutexes::kept(&mut self.context, scope, tid, &mutexes));
        }
        facts.into_iter().map(Command::Assume).collect()
    }

    /// A check with an obligation of its own, whatever others there are at this place: who counts
    /// obligations can tell which formula each one is about.
    fn own_check(&mut self, about: Obligation, parts: &[(Term, source::Span)]) -> Check {
        let (terms, spans) = parts.iter().copied().unzip();
        Check { parts: terms, obligation: self.obligations.fresh(about, spans), then_known: true }
    }

    fn check(&mut self, about: Obligation, parts: &[(Term, source::Span)]) -> Check {
        let (terms, spans) = parts.iter().copied().unzip();
        Check { parts: terms, obligation: self.obligations.id(about, spans), then_known: true }
    }

    fn finish(mut self, name: TaskName, stmts: Vec<Command>) -> Task {
        let mut numbering = Numbering::new(&self.context.layout);
        numbering.tid = self.tid;
        let mut observed = self.context.layout.bounds.clone();
        observed.extend(
            self.tid.map(|tid| logic::free_symbols(&self.context.terms, tid)).into_iter().flatten(),
        );
        for (symbol, name, ty) in &self.context.constants {
            observed.push(*symbol);
            self.shown.insert(*symbol, Shown::shared(name, ty));
        }
        let common = gcl::Task {
            name,
            body: Body { variables: self.variables, background: self.context.axioms, stmts },
            terms: self.context.terms,
            obligations: self.obligations.list,
            parts: self.obligations.parts,
            undecided: Vec::new(),
            gap: None,
            candidates: Vec::new(),
            marks: self.marks.list,
            observed,
            whole: false,
        };
        Task {
            common,
            thread: None,
            uses: Vec::new(),
            specified: None,
            shown: self.shown,
            numbering,
            has_rely: true,
            not_written_by_others: BTreeSet::new(),
            dropped: Vec::new(),
        }
    }
}
