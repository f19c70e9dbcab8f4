//! Places of threads that formulas speak of, as a shared variable.
//!
//! A rely or an invariant may ask `at(i, L)`: whether the next step of thread `i` is at the label
//! `L`. This pass adds the variable `at: [Tid]place` and lets every step that leads from one place
//! to another write `at[tid]`. A place is a set of labels that formulas ask for; `at(i, L)` becomes
//! `at[i]` being one of the places with `L`. After the pass no rely and no invariant asks for
//! labels, so that every engine treats them as any other.
//!
//! The variable is auxiliary: nothing that the program does depends on it. A step writes it as part
//! of itself. Only where a procedure returns, and where an endless loop is left or entered, the new
//! place is written by a step of its own, so that it lags behind. A run in which each thread
//! catches up at once is a run of the program with the places that it has, hence what holds of all
//! runs with the variable holds of those, too.

use crate::hir::{
    BinaryOp, Count, Enum, EnumId, Expr, ExprKind, Formula, Global, GlobalId, LabelId, Place,
    Program, Quantifier, Root, Stmt, StmtKind, Ty,
};
use source::{Name, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The labels of the next step that formulas ask for.
type Labels = BTreeSet<LabelId>;

/// Whether relies or invariants ask where threads are.
pub(crate) fn is_asked(program: &Program) -> bool {
    !asked(program).is_empty()
}

/// The labels that relies or invariants ask for and at which no thread is seen: those inside of
/// procedures, where threads are not followed, and of atomic blocks, where none ever is.
pub(crate) fn out_of_sight(program: &Program) -> Vec<Span> {
    let mut seen = Labels::new();
    let mut rest: Vec<&Stmt> =
        program.threads.iter().flat_map(|thread| &thread.body.stmts).collect();
    while let Some(stmt) = rest.pop() {
        seen.extend(stmt.label);
        if !matches!(stmt.kind, StmtKind::Atomic(_)) {
            rest.extend(stmt.blocks().into_iter().flatten());
        }
    }
    let asked = asked(program);
    asked.difference(&seen).map(|label| program.labels[label.index()].span).collect()
}

fn asked(program: &Program) -> Labels {
    let mut labels = Labels::new();
    for formula in program.relies.iter().chain(&program.invariants) {
        asked_in(&formula.expr, &mut labels);
    }
    labels
}

fn asked_in(expr: &Expr, into: &mut Labels) {
    if let ExprKind::At(_, labels) = &expr.kind {
        into.extend(labels);
    }
    expr.children().into_iter().for_each(|child| asked_in(child, into));
}

/// Adds the variable if formulas ask for it.
pub(crate) fn expose(program: &mut Program) {
    let asked = asked(program);
    if asked.is_empty() {
        return;
    }
    let is_asked = |formula: &&Formula| {
        let mut labels = Labels::new();
        asked_in(&formula.expr, &mut labels);
        !labels.is_empty()
    };
    let formulas = program.relies.iter().chain(&program.invariants);
    let span = formulas
        .into_iter()
        .find(is_asked)
        .map_or(Span::new(source::FileId(0), 0, 0), |one| one.span);
    let mut pass = Pass {
        asked,
        places: BTreeMap::from([(Labels::new(), 0)]),
        global: GlobalId::from_index(program.globals.len()),
        kind: EnumId::from_index(program.enums.len()),
        span,
    };
    let ids: Vec<_> = program.thread_ids().collect();
    for id in ids {
        let thread = &mut program.threads[id.index()];
        let stmts = std::mem::take(&mut thread.body.stmts);
        let start = pass.first(&stmts, &Labels::new(), &Around::default());
        thread.body.stmts = pass.stmts(stmts, &start, &Labels::new(), &Around::default());
        let (count, family) = (thread.count, ExprKind::Thread(id));
        let start = pass.start(program, count, family, &start);
        program.inits.push(pass.formula(start));
    }
    let others = pass.nobody(program);
    program.inits.push(pass.formula(others));
    pass.declare(program);
}

struct Pass {
    asked: Labels,
    /// The places that were met, with their numbers.
    places: BTreeMap<Labels, u32>,
    global: GlobalId,
    kind: EnumId,
    /// The first formula that asks: where the variable seems to be declared.
    span: Span,
}

/// The evaluation of a condition, or an arbitrary choice, and its outcome.
struct Test {
    cond: Option<Expr>,
    truth: bool,
    span: Span,
}

/// Where `break` and `continue` lead: for each loop and labelled block around, the places after it
/// and at its head.
#[derive(Clone, Default)]
struct Around {
    targets: Vec<Target>,
}

#[derive(Clone)]
struct Target {
    label: Option<LabelId>,
    after: Labels,
    /// Of a loop, its head.
    head: Option<Labels>,
}

impl Around {
    fn with(&self, target: Target) -> Self {
        let mut all = self.clone();
        all.targets.push(target);
        all
    }

    fn after(&self, label: Option<LabelId>) -> Labels {
        let is_meant = |target: &&Target| match label {
            Some(_) => target.label == label,
            None => target.head.is_some(),
        };
        let found = self.targets.iter().rev().find(is_meant);
        found.map(|target| target.after.clone()).unwrap_or_default()
    }

    fn head(&self, label: Option<LabelId>) -> Labels {
        let is_meant =
            |target: &&Target| target.head.is_some() && (label.is_none() || target.label == label);
        let found = self.targets.iter().rev().find(is_meant);
        found.and_then(|target| target.head.clone()).unwrap_or_default()
    }
}

impl Pass {
    /// The place before the first step of statements, if `after` is the place after them.
    fn first(&self, stmts: &[Stmt], after: &Labels, around: &Around) -> Labels {
        let Some((stmt, rest)) = stmts.split_first() else { return after.clone() };
        let own = stmt.label.filter(|label| self.asked.contains(label));
        let mut labels: Labels = own.into_iter().collect();
        match &stmt.kind {
            StmtKind::Block(body) => {
                let after = self.first(rest, after, around);
                let inner = Target { label: stmt.label, after: after.clone(), head: None };
                labels.extend(self.first(body, &after, &around.with(inner)));
            }
            StmtKind::Choose(branches) => {
                let after = self.first(rest, after, around);
                for branch in branches {
                    labels.extend(self.first(branch, &after, around));
                }
            }
            StmtKind::Break(label) => labels.extend(around.after(*label)),
            StmtKind::Continue(label) => labels.extend(around.head(*label)),
            _ => {}
        }
        labels
    }

    /// The statements, each step of which writes the place that it leads to. `before` is the place
    /// where they begin, which may have labels of statements around them.
    fn stmts(
        &mut self,
        stmts: Vec<Stmt>,
        before: &Labels,
        after: &Labels,
        around: &Around,
    ) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rest = stmts;
        let mut here = before.clone();
        if rest.is_empty() && before != after {
            out.push(self.write(after, self.span));
        }
        while !rest.is_empty() {
            let later = rest.split_off(1);
            let next = self.first(&later, after, around);
            let stmt = rest.pop();
            out.extend(stmt.into_iter().flat_map(|stmt| self.stmt(stmt, &here, &next, around)));
            rest = later;
            here = next;
        }
        out
    }

    fn stmt(&mut self, stmt: Stmt, here: &Labels, next: &Labels, around: &Around) -> Vec<Stmt> {
        let Stmt { kind, label, performs, undisturbed, span } = stmt;
        let with = |kind| Stmt { kind, label, performs: performs.clone(), undisturbed, span };
        match kind {
            StmtKind::Block(body) => {
                let around = around.with(Target { label, after: next.clone(), head: None });
                vec![with(StmtKind::Block(self.stmts(body, here, next, &around)))]
            }
            StmtKind::Choose(branches) => {
                let branches = branches.into_iter().map(|one| self.stmts(one, here, next, around));
                vec![with(StmtKind::Choose(branches.collect()))]
            }
            StmtKind::If { cond, then, otherwise } => {
                let yes = self.arm(
                    Test { cond: cond.clone(), truth: true, span },
                    then,
                    (here, next),
                    around,
                );
                let no =
                    self.arm(Test { cond, truth: false, span }, otherwise, (here, next), around);
                vec![with(StmtKind::Choose(vec![yes, no]))]
            }
            StmtKind::While { cond, invariants, guesses, body } => {
                let parts = (cond, invariants, guesses, body);
                self.repeat(parts, (label, span), (here, next), around)
            }
            StmtKind::Call { .. } => {
                // Where a thread is inside of the procedure is not followed: until it is back it
                // seems to be before the call.
                let mut all = vec![with(kind)];
                all.extend((here != next).then(|| self.write(next, span)));
                all
            }
            StmtKind::Atomic(mut body) => {
                body.extend((here != next).then(|| self.write(next, span)));
                vec![with(StmtKind::Atomic(body))]
            }
            StmtKind::Break(target) => self.jump(with(kind), here, &around.after(target)),
            StmtKind::Continue(target) => self.jump(with(kind), here, &around.head(target)),
            StmtKind::Return(_) => self.jump(with(kind), here, &Labels::new()),
            _ if here == next => vec![with(kind)],
            _ => {
                let step = Stmt { kind, label: None, performs: None, undisturbed: false, span };
                let both = vec![step, self.write(next, span)];
                vec![with(StmtKind::Atomic(both))]
            }
        }
    }

    /// A jump, which is no step, behind one that writes where it leads.
    fn jump(&mut self, jump: Stmt, here: &Labels, to: &Labels) -> Vec<Stmt> {
        let label = jump.label;
        let written = (here != to).then(|| Stmt { label, ..self.write(to, jump.span) });
        let jump = if written.is_some() { Stmt { label: None, ..jump } } else { jump };
        written.into_iter().chain([jump]).collect()
    }

    /// `atomic { assume cond; at[tid] := .. } body`, or with the negation of the condition.
    fn arm(
        &mut self,
        Test { cond, truth, span }: Test,
        body: Vec<Stmt>,
        (here, next): (&Labels, &Labels),
        around: &Around,
    ) -> Vec<Stmt> {
        let first = self.first(&body, next, around);
        let mut step = Vec::new();
        match cond {
            Some(cond) if truth => step.push(plain(StmtKind::Assume(cond), span)),
            Some(cond) => {
                let not =
                    Expr { ty: Ty::Bool, span: cond.span, kind: ExprKind::Not(Box::new(cond)) };
                step.push(plain(StmtKind::Assume(not), span));
            }
            None => step.push(plain(StmtKind::Skip, span)),
        }
        step.extend((*here != first).then(|| self.write(&first, span)));
        let mut all = vec![plain(StmtKind::Atomic(step), span)];
        all.extend(self.stmts(body, &first, next, around));
        all
    }

    /// A loop. With a condition it becomes
    /// `while (true) { choose { atomic { assume cond; .. } body } or { atomic { .. } break; } }`.
    fn repeat(
        &mut self,
        (cond, invariants, mut guesses, body): (Option<Expr>, Vec<Expr>, Vec<Expr>, Vec<Stmt>),
        (label, span): (Option<LabelId>, Span),
        (here, next): (&Labels, &Labels),
        around: &Around,
    ) -> Vec<Stmt> {
        let around = around.with(Target { label, after: next.clone(), head: Some(here.clone()) });
        guesses.push(self.is_at(own(span), here, span));
        let is_endless = cond.is_none();
        let yes =
            self.arm(Test { cond: cond.clone(), truth: true, span }, body, (here, here), &around);
        let (cond, body) = match cond {
            None => (None, yes),
            Some(cond) => {
                let test = Test { cond: Some(cond), truth: false, span };
                let mut no = self.arm(test, Vec::new(), (here, next), &around);
                no.push(plain(StmtKind::Break(None), span));
                let truth = Expr { kind: ExprKind::Bool(true), ty: Ty::Bool, span };
                let choose = StmtKind::Choose(vec![yes, no]);
                (Some(truth), vec![Stmt { label, ..plain(choose, span) }])
            }
        };
        let kind = StmtKind::While { cond, invariants, guesses, body };
        let mut all = vec![Stmt { label, ..plain(kind, span) }];
        all.extend(is_endless.then(|| self.write(next, span)));
        all
    }

    /// `at[tid] := place`
    fn write(&mut self, to: &Labels, span: Span) -> Stmt {
        let ty = Ty::Enum(self.kind);
        let place = Place {
            root: Root::Global(self.global),
            indices: vec![own(span)],
            ty: ty.clone(),
            span,
        };
        let value = Expr { kind: ExprKind::Variant(self.kind, self.number(to)), ty, span };
        plain(StmtKind::Assign(vec![(place, value)]), span)
    }

    fn number(&mut self, labels: &Labels) -> u32 {
        let new = source::number(self.places.len());
        *self.places.entry(labels.clone()).or_insert(new)
    }

    /// `at[thread] == place`
    fn is_at(&mut self, thread: Expr, labels: &Labels, span: Span) -> Expr {
        let number = self.number(labels);
        let ty = Ty::Enum(self.kind);
        let value = Expr { kind: ExprKind::Variant(self.kind, number), ty, span };
        equal(self.place_of(thread, false, span), value)
    }

    /// `at[thread]`
    fn place_of(&self, thread: Expr, primed: bool, span: Span) -> Expr {
        let ty = Ty::Map(Box::new(Ty::Tid), Box::new(Ty::Enum(self.kind)));
        let kind = ExprKind::Var { root: Root::Global(self.global), primed };
        let map = Expr { kind, ty, span };
        let kind = ExprKind::Index(Box::new(map), Box::new(thread));
        Expr { kind, ty: Ty::Enum(self.kind), span }
    }

    /// Where copies of a thread are at the start.
    fn start(
        &mut self,
        program: &mut Program,
        count: Count,
        thread: ExprKind,
        at: &Labels,
    ) -> Expr {
        let span = self.span;
        if count == Count::One {
            return self.is_at(Expr { kind: thread, ty: Ty::Tid, span }, at, span);
        }
        let id = crate::hir::BoundId::from_index(program.bounds.len());
        program.bounds.push(crate::hir::Binder { name: Name::from("i"), ty: Ty::Tid, span });
        let bound = || Expr { kind: ExprKind::Bound(id), ty: Ty::Tid, span };
        let family = Expr { kind: thread, ty: Ty::Set(Box::new(Ty::Tid)), span };
        let of_family = ExprKind::In(Box::new(bound()), Box::new(family));
        let of_family = Expr { kind: of_family, ty: Ty::Bool, span };
        let there = self.is_at(bound(), at, span);
        let kind = ExprKind::Binary(BinaryOp::Implies, Box::new(of_family), Box::new(there));
        let body = Box::new(Expr { kind, ty: Ty::Bool, span });
        Expr { kind: ExprKind::Quantified(Quantifier::Forall, vec![id], body), ty: Ty::Bool, span }
    }

    /// Who is no thread is nowhere.
    fn nobody(&mut self, program: &mut Program) -> Expr {
        let span = self.span;
        let id = crate::hir::BoundId::from_index(program.bounds.len());
        program.bounds.push(crate::hir::Binder { name: Name::from("i"), ty: Ty::Tid, span });
        let bound = || Expr { kind: ExprKind::Bound(id), ty: Ty::Tid, span };
        let mut all = vec![self.is_at(bound(), &Labels::new(), span)];
        for thread in program.thread_ids() {
            let kind = ExprKind::Thread(thread);
            all.push(if program.threads[thread.index()].count == Count::One {
                equal(bound(), Expr { kind, ty: Ty::Tid, span })
            } else {
                let family = Expr { kind, ty: Ty::Set(Box::new(Ty::Tid)), span };
                let kind = ExprKind::In(Box::new(bound()), Box::new(family));
                Expr { kind, ty: Ty::Bool, span }
            });
        }
        let body = Box::new(Expr { kind: ExprKind::Or(all), ty: Ty::Bool, span });
        Expr { kind: ExprKind::Quantified(Quantifier::Forall, vec![id], body), ty: Ty::Bool, span }
    }

    fn formula(&self, expr: Expr) -> Formula {
        Formula { name: None, expr, module: None, is_written: true, span: self.span }
    }

    /// Declares the variable, says that nobody moves another thread, and lets formulas ask for it.
    fn declare(mut self, program: &mut Program) {
        let mut variants: Vec<Name> = vec![Name::from("elsewhere"); self.places.len()];
        for (labels, &number) in &self.places {
            let names: Vec<&str> =
                labels.iter().map(|label| program.labels[label.index()].name.as_str()).collect();
            if !names.is_empty() {
                variants[number as usize] = Name::from(names.join("/").as_str());
            }
        }
        let span = self.span;
        program.enums.push(Enum { name: Name::from("place"), variants, span });
        program.globals.push(Global {
            name: Name::from("at"),
            ty: Ty::Map(Box::new(Ty::Tid), Box::new(Ty::Enum(self.kind))),
            // No data of the program: `never race;` does not mean it.
            is_sync: true,
            guard: None,
            module: None,
            span,
        });
        let stays =
            equal(self.place_of(own(span), true, span), self.place_of(own(span), false, span));
        let mut relies = std::mem::take(&mut program.relies);
        let mut invariants = std::mem::take(&mut program.invariants);
        for formula in relies.iter_mut().chain(&mut invariants) {
            self.replace(&mut formula.expr);
        }
        relies.push(self.formula(stays));
        (program.relies, program.invariants) = (relies, invariants);
    }

    /// `at[i] == P || at[i] == Q || ..` for `at(i, L)`, where `P`, `Q`, .. are the places with `L`.
    fn replace(&mut self, expr: &mut Expr) {
        expr.children_mut().into_iter().for_each(|child| self.replace(child));
        let ExprKind::At(thread, labels) = &expr.kind else { return };
        let wanted: BTreeSet<LabelId> = labels.iter().copied().collect();
        let (thread, span) = ((**thread).clone(), expr.span);
        let places: Vec<Labels> =
            self.places.keys().filter(|place| !place.is_disjoint(&wanted)).cloned().collect();
        let mut all: Vec<Expr> =
            places.iter().map(|place| self.is_at(thread.clone(), place, span)).collect();
        expr.kind = match all.len() {
            0 => ExprKind::Bool(false),
            1 => all.remove(0).kind,
            _ => ExprKind::Or(all),
        };
    }
}

fn plain(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, label: None, performs: None, undisturbed: false, span }
}

fn own(span: Span) -> Expr {
    Expr { kind: ExprKind::Tid, ty: Ty::Tid, span }
}

fn equal(left: Expr, right: Expr) -> Expr {
    let span = left.span;
    let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(left), Box::new(right));
    Expr { kind, ty: Ty::Bool, span }
}
