//! What is to be shown of a program by a search: everything in it that can go wrong.

use crate::properties::Fault;
use diagnostic::{Code, Runs};
use plato::hir::{
    Action, BinaryOp, Expr, ExprKind, NeverKind, Place, ProcId, Program, Root, Spec, Stmt,
    StmtKind, Ty,
};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// One thing to be shown: that nothing of this code happens at this place, or to this annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Goal {
    /// The code that is reported if it fails.
    pub code: Code,
    /// The statement, or the annotation.
    pub span: Span,
}

impl Goal {
    /// The goal that fails if this happens. An invariant that does not hold at the start, or where
    /// its loop is entered, is one that does not hold.
    pub fn of(fault: &Fault) -> Self {
        let code = match fault.code {
            Code::InvariantNotInitial => Code::InvariantBroken,
            Code::LoopInvariantNotEstablished => Code::LoopInvariantNotPreserved,
            code => code,
        };
        Self { code, span: fault.declared.unwrap_or(fault.span) }
    }
}

/// What searches are asked about a program.
#[derive(Clone, Debug, Default)]
pub struct Goals {
    /// What a search can decide, in the order of the text: invariants, error sets, relies, and
    /// what the threads' code can do wrong.
    pub searched: Vec<Goal>,
    /// The same about the specifications of procedures that threads call. To follow them makes
    /// more states, so that they are looked at in a search of their own.
    pub specified: Vec<Goal>,
    /// What no search looks at, each with its name.
    pub beyond: Vec<(Goal, String)>,
    /// Places that a translation could not express, and what they are. If a run may reach one of
    /// them, nothing holds; if not, they do not matter.
    pub unsupported: BTreeMap<Goal, String>,
}

/// All goals of a program.
pub fn goals(program: &Program) -> Goals {
    let (goals, called) = (BTreeSet::new(), BTreeSet::new());
    let unsupported = BTreeMap::new();
    let mut found = Found { program, goals, unsupported, called, running: None };
    let own = program.threads.iter().flat_map(|thread| &thread.relies);
    for rely in program.relies.iter().chain(own) {
        found.add(Code::RelyViolated, rely.span);
    }
    for invariant in &program.invariants {
        found.add(Code::InvariantBroken, invariant.span);
    }
    for never in &program.nevers {
        let code = match never.kind {
            NeverKind::Formula(_) => Code::NeverReached,
            NeverKind::Deadlock => Code::Deadlock,
            NeverKind::Race(_) => Code::DataRace,
        };
        found.add(code, never.span);
    }
    for thread in &program.threads {
        found.stmts(&thread.body.stmts);
    }
    let searched = found.goals.into_iter().chain(found.unsupported.keys().copied()).collect();
    let mut goals = Goals { searched, unsupported: found.unsupported, ..Goals::default() };
    let inside = called_inside_atomic(program);
    for (id, procedure) in (0..).map(ProcId).zip(&program.procs) {
        let Some(spec) = &procedure.spec else { continue };
        let why = if inside.contains(&id) {
            "is called inside of an atomic block"
        } else if found.called.contains(&id) {
            goals.specified.extend(of_specification(spec));
            performed(&procedure.body.stmts, &mut goals.beyond);
            continue;
        } else {
            "no thread calls"
        };
        let goal = Goal { code: Code::StepNotAllowed, span: spec.span };
        let what = format!("the specification of `{}`, which {why}", procedure.name);
        goals.beyond.push((goal, what));
    }
    goals.searched.sort_by_key(|goal| (goal.span, goal.code));
    goals.without_atomic(program);
    goals
}

impl Goals {
    /// Whether runs must be compared with relies and loop invariants.
    pub fn has_annotations(&self) -> bool {
        self.searched.iter().any(|goal| goal.code.info().shown == Runs::Annotation)
    }

    /// Relies, loop invariants and specifications are about the stores outside of atomic
    /// procedures, and about their steps taken together, which single steps say nothing of.
    fn without_atomic(&mut self, program: &Program) {
        let atomic: Vec<_> = program.procs.iter().filter(|procedure| procedure.is_atomic).collect();
        if atomic.is_empty() {
            return;
        }
        let (annotations, searched) = std::mem::take(&mut self.searched)
            .into_iter()
            .partition(|goal| goal.code.info().shown == Runs::Annotation);
        self.searched = searched;
        let annotations: Vec<Goal> = annotations;
        for goal in annotations.into_iter().chain(std::mem::take(&mut self.specified)) {
            let what = "annotations of a program with an `atomic proc`";
            self.beyond.push((goal, what.to_owned()));
        }
        for procedure in atomic {
            let goal = Goal { code: Code::NotAtomic, span: procedure.span };
            self.beyond.push((goal, "whether an `atomic proc` acts like one step".to_owned()));
        }
    }
}

/// The procedures that are called inside of atomic blocks, also through others. Where everything is
/// one step, nobody follows their specifications.
fn called_inside_atomic(program: &Program) -> BTreeSet<ProcId> {
    fn collect(program: &Program, stmts: &[Stmt], inside: bool, into: &mut BTreeSet<ProcId>) {
        for stmt in stmts {
            if let StmtKind::Call { callee, .. } = &stmt.kind
                && inside
                && into.insert(*callee)
            {
                collect(program, &program.procs[callee.index()].body.stmts, true, into);
            }
            let inside = inside || matches!(stmt.kind, StmtKind::Atomic(_));
            stmt.blocks().into_iter().for_each(|block| collect(program, block, inside, into));
        }
    }
    let mut found = BTreeSet::new();
    let threads = program.threads.iter().map(|thread| &thread.body);
    for body in threads.chain(program.procs.iter().map(|procedure| &procedure.body)) {
        collect(program, &body.stmts, false, &mut found);
    }
    found
}

/// What runs can do that the specification of a procedure does not allow.
fn of_specification(spec: &Spec) -> Vec<Goal> {
    let goal = |code, span| Goal { code, span };
    let requires = spec.requires.iter().map(|one| goal(Code::PreconditionFailed, one.span));
    let ensures = spec.ensures.iter().map(|one| goal(Code::PostconditionFailed, one.span));
    let steps = [goal(Code::StepNotAllowed, spec.span), goal(Code::ActionMissing, spec.span)];
    requires.chain(steps).chain(ensures).collect()
}

/// Steps that are said to perform an action: a search looks at what is performed, not at what is
/// said.
fn performed(stmts: &[Stmt], into: &mut Vec<(Goal, String)>) {
    for stmt in stmts {
        if stmt.performs.is_some() {
            let goal = Goal { code: Code::StepNotAllowed, span: stmt.span };
            into.push((goal, "which action a step performs".to_owned()));
        }
        stmt.blocks().into_iter().for_each(|block| performed(block, into));
    }
}

struct Found<'p> {
    program: &'p Program,
    unsupported: BTreeMap<Goal, String>,
    goals: BTreeSet<Goal>,
    called: BTreeSet<ProcId>,
    /// The procedure whose code is looked at.
    running: Option<ProcId>,
}

impl Found<'_> {
    fn add(&mut self, code: Code, span: Span) {
        self.goals.insert(Goal { code, span });
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assert(cond) => {
                self.add(Code::AssertionFailed, span);
                self.expr(span, cond);
            }
            StmtKind::Check(cond, fault) => {
                self.add(fault.code, span);
                self.expr(span, cond);
            }
            StmtKind::Assume(cond) => self.expr(span, cond),
            StmtKind::Release(place) => {
                self.add(Code::ReleaseNotHeld, span);
                self.place(span, place);
            }
            StmtKind::Acquire(place) => self.place(span, place),
            StmtKind::Assign(pairs) => {
                for (place, value) in pairs {
                    self.place(span, place);
                    self.expr(span, value);
                    self.fits(span, &value.ty, &place.ty);
                }
            }
            StmtKind::Havoc(places) => places.iter().for_each(|place| self.place(span, place)),
            StmtKind::CasSwap { location, expected, new } => {
                self.expr(span, expected);
                [location, new].into_iter().for_each(|place| self.place(span, place));
                self.fits(span, &new.ty, &location.ty);
                self.fits(span, &location.ty, &new.ty);
            }
            StmtKind::Cas { result, location, expected, new } => {
                [expected, new].into_iter().for_each(|expr| self.expr(span, expr));
                result.iter().chain([location]).for_each(|place| self.place(span, place));
                self.fits(span, &new.ty, &location.ty);
            }
            StmtKind::Action(action) => self.action(span, action),
            StmtKind::Atomic(body) | StmtKind::Block(body) => self.stmts(body),
            StmtKind::Choose(branches) => branches.iter().for_each(|branch| self.stmts(branch)),
            StmtKind::If { cond, then, otherwise } => {
                cond.iter().for_each(|cond| self.expr(span, cond));
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::While { cond, invariants, body, .. } => {
                cond.iter().for_each(|cond| self.expr(span, cond));
                for invariant in invariants {
                    self.add(Code::LoopInvariantNotPreserved, invariant.span);
                }
                self.stmts(body);
            }
            StmtKind::Call { callee, args, results } => {
                self.call(span, *callee, args, results);
            }
            StmtKind::Return(values) => self.leave(span, values),
            StmtKind::Unsupported(what) => {
                self.unsupported.insert(Goal { code: Code::Unsupported, span }, what.clone());
            }
            StmtKind::Skip | StmtKind::Break(_) | StmtKind::Continue(_) => {}
        }
    }

    fn action(&mut self, span: Span, action: &Action) {
        if action.requires.is_some() {
            self.add(Code::PreconditionFailed, span);
        }
        if action.ensures.is_some() {
            self.add(Code::ActionCheckFailed, span);
        }
        let formulas = action.requires.iter().chain([&action.action]);
        formulas.chain(&action.ensures).for_each(|expr| self.expr(span, expr));
    }

    fn call(&mut self, span: Span, callee: ProcId, args: &[Expr], results: &[Place]) {
        let program = self.program;
        let procedure = &program.procs[callee.index()];
        let ty = |local: plato::hir::LocalId| &procedure.body.locals[local.index()].ty;
        for (&param, arg) in procedure.params.iter().zip(args) {
            self.expr(span, arg);
            self.fits(span, &arg.ty, ty(param));
        }
        for (&result, place) in procedure.results.iter().zip(results) {
            self.place(span, place);
            self.fits(span, ty(result), &place.ty);
        }
        if self.called.insert(callee) {
            let caller = self.running.replace(callee);
            self.stmts(&procedure.body.stmts);
            self.running = caller;
        }
    }

    fn leave(&mut self, span: Span, values: &[Expr]) {
        values.iter().for_each(|value| self.expr(span, value));
        let Some(running) = self.running else { return };
        let procedure = &self.program.procs[running.index()];
        for (result, value) in procedure.results.iter().zip(values) {
            self.fits(span, &value.ty, &procedure.body.locals[result.index()].ty);
        }
    }

    fn place(&mut self, span: Span, place: &Place) {
        let mut ty = match place.root {
            Root::Global(id) => Some(&self.program.globals[id.index()].ty),
            Root::Local(_) => None,
        };
        for index in &place.indices {
            self.expr(span, index);
            match ty {
                Some(Ty::Map(key, value)) => {
                    self.in_domain(span, &index.ty, key);
                    ty = Some(value);
                }
                // A local map: its type is not at hand, and a needless goal is proved like any
                // other.
                _ if index.ty == Ty::Int => self.add(Code::IndexOutOfRange, span),
                _ => {}
            }
        }
    }

    /// A goal if a value of one type need not be of the other.
    fn fits(&mut self, span: Span, from: &Ty, to: &Ty) {
        if !is_inside(from, to) {
            self.add(Code::ValueOutOfRange, span);
        }
    }

    fn in_domain(&mut self, span: Span, from: &Ty, to: &Ty) {
        if !is_inside(from, to) {
            self.add(Code::IndexOutOfRange, span);
        }
    }

    fn expr(&mut self, span: Span, expr: &Expr) {
        if let (ExprKind::ConstMap(value) | ExprKind::Update(_, _, value), Ty::Map(_, to)) =
            (&expr.kind, &expr.ty)
        {
            self.fits(span, &value.ty, to);
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) if !matches!(divisor.kind, ExprKind::Int(value) if value != 0) =>
            {
                self.add(Code::DivisionByZero, span);
            }
            ExprKind::Index(map, key) | ExprKind::Update(map, key, _) => {
                if let Ty::Map(domain, _) = &map.ty {
                    self.in_domain(span, &key.ty, domain);
                }
            }
            ExprKind::Pred { pred, .. } => {
                let program = self.program;
                self.expr(span, &program.preds[pred.index()].body);
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(span, child));
    }
}

/// Whether every value of the first type is one of the second.
fn is_inside(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Range(low, high), Ty::Range(least, most)) => least <= low && high <= most,
        (_, Ty::Range(..)) => false,
        (Ty::Map(_, from), Ty::Map(_, to)) => is_inside(from, to),
        _ => true,
    }
}
