//! A walk through a tree that makes the change with a given number.

use plato::ast::{
    Action, BinaryOp, Block, Clause, ClauseKind, Cond, Copies, Expr, ExprKind, Formula, Item,
    ItemKind, Never, Place, Source, Stmt, StmtKind, Thread,
};
use source::Span;

/// What was changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) kind: &'static str,
    pub(super) span: Span,
}

/// Counts the places where something can be changed, and changes the requested one.
pub(super) struct Walk {
    left: usize,
    pub(super) change: Option<Change>,
}

impl Walk {
    pub(super) fn new(target: usize) -> Self {
        Self { left: target, change: None }
    }

    /// Whether this is the place of the change.
    fn here(&mut self, kind: &'static str, span: Span) -> bool {
        if self.change.is_some() {
            return false;
        }
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.change = Some(Change { kind, span });
        true
    }

    pub(super) fn items(&mut self, items: &mut Vec<Item>) {
        let mut at = 0;
        while at < items.len() {
            let annotation = matches!(
                items[at].kind,
                ItemKind::Init(_) | ItemKind::Invariant(_) | ItemKind::Rely(_)
            );
            if annotation && self.here("annotation deleted", items[at].span) {
                items.remove(at);
                return;
            }
            self.item(&mut items[at]);
            at += 1;
        }
    }

    fn item(&mut self, item: &mut Item) {
        let span = item.span;
        match &mut item.kind {
            ItemKind::Const(item) => self.exprs(item.value.as_mut()),
            ItemKind::Var(item) => {
                if item.value.is_some() && self.here("initial value deleted", span) {
                    item.value = None;
                }
                self.exprs(item.value.as_mut());
            }
            ItemKind::Init(item) | ItemKind::Invariant(item) | ItemKind::Rely(item) => {
                self.annotation(&mut item.expr);
            }
            ItemKind::Never(Never::Formula(item)) => self.expr(&mut item.expr),
            ItemKind::Pred(item) => self.annotation(&mut item.body),
            ItemKind::Proc(item) => {
                self.clauses(&mut item.spec);
                self.block(&mut item.body);
            }
            ItemKind::Thread(item) => self.thread(item),
            ItemKind::Module(item) => self.items(&mut item.items),
            ItemKind::Never(_)
            | ItemKind::Type(_)
            | ItemKind::Enum(_)
            | ItemKind::Mutex(_)
            | ItemKind::Condition(_)
            | ItemKind::Unsupported(_) => {}
        }
    }

    fn clauses(&mut self, clauses: &mut [Clause]) {
        for clause in clauses {
            match &mut clause.kind {
                ClauseKind::Requires(formula)
                | ClauseKind::Ensures(formula)
                | ClauseKind::Action(_, _, formula) => self.expr(formula),
                ClauseKind::Choose(branches) => {
                    branches.iter_mut().for_each(|branch| self.clauses(branch));
                }
                ClauseKind::Optional(inner) | ClauseKind::Repeat(inner) => self.clauses(inner),
                ClauseKind::Modifies(_, frame) => {
                    frame.iter_mut().for_each(|frame| self.expr(frame));
                }
            }
        }
    }

    fn thread(&mut self, thread: &mut Thread) {
        if let Copies::Counted(count) = &mut thread.copies {
            self.expr(count);
        }
        let spans: Vec<Span> = thread.relies.iter().map(|rely| rely.span).collect();
        for (at, span) in spans.into_iter().enumerate() {
            if self.here("annotation deleted", span) {
                thread.relies.remove(at);
                break;
            }
        }
        thread.relies.iter_mut().for_each(|rely: &mut Formula| self.annotation(&mut rely.expr));
        if let Some(forked) = &mut thread.forked {
            self.formulas(&mut forked.requires);
            self.formulas(&mut forked.ensures);
        }
        self.block(&mut thread.body);
    }

    /// Each part of an assumed formula may be missing.
    fn annotation(&mut self, formula: &mut Expr) {
        if let ExprKind::And(all) = &mut formula.kind {
            for at in 0..all.len() {
                if self.here("conjunct deleted", all[at].span) {
                    all.remove(at);
                    if let [only] = all.as_mut_slice() {
                        *formula = only.clone();
                    }
                    return;
                }
            }
        }
        self.expr(formula);
    }

    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.stmts.len() {
            let stmt = &mut block.stmts[at];
            match stmt.kind {
                StmtKind::Assert(_) | StmtKind::Var(_) | StmtKind::Skip => {}
                StmtKind::Acquire(_) | StmtKind::Release(_) => {
                    if self.here("lock statement deleted", stmt.span) {
                        stmt.kind = StmtKind::Skip;
                    }
                }
                _ => {
                    if self.here("statement deleted", stmt.span) {
                        block.stmts.remove(at);
                        return;
                    }
                }
            }
            self.stmt(&mut block.stmts[at]);
            at += 1;
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Var(var) => var.value.iter_mut().for_each(|source| self.source(source)),
            StmtKind::Assign(places, source) => {
                self.places(places);
                self.source(source);
            }
            StmtKind::Havoc(places) => self.places(places),
            StmtKind::Assert(expr) | StmtKind::Check(expr, _) | StmtKind::Assume(expr) => {
                self.expr(expr);
            }
            StmtKind::Acquire(place) | StmtKind::Release(place) => self.exprs(&mut place.indices),
            StmtKind::Wait(condition, lock) => {
                self.exprs(condition.indices.iter_mut().chain(&mut lock.indices));
            }
            StmtKind::Signal(place) | StmtKind::Broadcast(place) => {
                self.exprs(&mut place.indices);
            }
            StmtKind::Fork(fork) => self.exprs(&mut fork.args),
            StmtKind::Join(join) => self.exprs(&mut join.which),
            StmtKind::Cas(cas) => {
                self.exprs(&mut cas.location.indices);
                self.exprs([&mut cas.expected, &mut cas.new]);
            }
            StmtKind::Action(action) => self.action(action),
            StmtKind::Atomic(block) | StmtKind::Block(block) => self.block(block),
            StmtKind::If(arms, otherwise) => {
                for arm in arms {
                    self.cond(&mut arm.cond);
                    self.block(&mut arm.then);
                }
                otherwise.iter_mut().for_each(|block| self.block(block));
            }
            StmtKind::While(cond, invariants, body) => {
                self.cond(cond);
                self.formulas(&mut invariants.invariants);
                self.block(body);
            }
            StmtKind::Loop(invariants, body) => {
                self.formulas(&mut invariants.invariants);
                self.block(body);
            }
            StmtKind::Choose(branches) => branches.iter_mut().for_each(|block| self.block(block)),
            StmtKind::Call(call) => self.exprs(&mut call.args),
            StmtKind::Return(values) => self.exprs(values),
            StmtKind::Skip
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Unsupported(_) => {}
        }
    }

    /// Formulas that were written, each of which may be missing.
    fn formulas(&mut self, invariants: &mut Vec<Expr>) {
        for at in 0..invariants.len() {
            if self.here("annotation deleted", invariants[at].span) {
                invariants.remove(at);
                return;
            }
        }
        invariants.iter_mut().for_each(|one| self.annotation(one));
    }

    fn cond(&mut self, cond: &mut Cond) {
        let Cond::Expr(expr) = cond else { return };
        if self.here("condition negated", expr.span) {
            let span = expr.span;
            *expr = Expr { kind: ExprKind::Not(Box::new(expr.clone())), span };
        }
        self.expr(expr);
    }

    fn action(&mut self, action: &mut Action) {
        self.exprs(&mut action.requires);
        self.annotation(&mut action.action);
        self.exprs(&mut action.ensures);
    }

    fn source(&mut self, source: &mut Source) {
        match source {
            Source::Values(values) => self.exprs(values),
            Source::Call(call) => self.exprs(&mut call.args),
            Source::Fork(fork) => self.exprs(&mut fork.args),
            Source::Join(join) => self.exprs(&mut join.which),
            Source::Cas(cas) => {
                self.exprs(&mut cas.location.indices);
                self.exprs([&mut cas.expected, &mut cas.new]);
            }
        }
    }

    fn places(&mut self, places: &mut [Place]) {
        places.iter_mut().for_each(|place| self.exprs(&mut place.indices));
    }

    fn exprs<'e>(&mut self, all: impl IntoIterator<Item = &'e mut Expr>) {
        all.into_iter().for_each(|one| self.expr(one));
    }

    fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Int(value) => {
                if self.here("number changed", span) {
                    *value += 1;
                }
            }
            ExprKind::Bool(value) => {
                if self.here("truth value changed", span) {
                    *value = !*value;
                }
            }
            ExprKind::Binary(op, left, right) => {
                if let Some((kind, other)) = swapped(*op)
                    && self.here(kind, span)
                {
                    *op = other;
                }
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Error | ExprKind::Tid | ExprKind::Name(_) => {}
            ExprKind::Apply(_, all)
            | ExprKind::And(all)
            | ExprKind::Or(all)
            | ExprKind::Set(all) => self.exprs(all),
            ExprKind::At(inner, _)
            | ExprKind::Not(inner)
            | ExprKind::Neg(inner)
            | ExprKind::Size(inner)
            | ExprKind::ConstMap(inner)
            | ExprKind::Forall(_, inner)
            | ExprKind::Exists(_, inner) => self.expr(inner),
            ExprKind::Index(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(a, b, c) | ExprKind::Update(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
        }
    }
}

fn swapped(op: BinaryOp) -> Option<(&'static str, BinaryOp)> {
    let comparison = "comparison changed";
    match op {
        BinaryOp::Lt => Some((comparison, BinaryOp::Le)),
        BinaryOp::Le => Some((comparison, BinaryOp::Lt)),
        BinaryOp::Gt => Some((comparison, BinaryOp::Ge)),
        BinaryOp::Ge => Some((comparison, BinaryOp::Gt)),
        BinaryOp::Eq => Some((comparison, BinaryOp::Ne)),
        BinaryOp::Ne => Some((comparison, BinaryOp::Eq)),
        BinaryOp::In => Some((comparison, BinaryOp::NotIn)),
        BinaryOp::NotIn => Some((comparison, BinaryOp::In)),
        BinaryOp::Add => Some(("sum changed", BinaryOp::Sub)),
        BinaryOp::Sub => Some(("sum changed", BinaryOp::Add)),
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => None,
    }
}
