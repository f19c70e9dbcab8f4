//! What a program speaks of: its variables by what they may be for, the conditions in its code, the
//! numbers that it writes. Candidates are made of these and of nothing else.

use crate::words::{Words, type_text};
use plato::hir::{
    BinaryOp, Body, Count, Expr, ExprKind, Global, GlobalId, LocalId, Place, Program, Root, Stmt,
    StmtKind, ThreadId, Ty,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The words that candidates are made of.
pub(crate) struct Vocabulary<'p> {
    pub(crate) program: &'p Program,
    /// Numbers that stand in the code.
    pub(crate) literals: BTreeSet<i128>,
    /// Conditions of the code that are about shared variables alone, weakened and negated too.
    pub(crate) conditions: Vec<String>,
    /// The same about an arbitrary element of a map, each with what binds the key.
    pub(crate) of_elements: Vec<(String, String)>,
    /// Per shared variable the threads whose code writes it.
    pub(crate) writers: BTreeMap<GlobalId, BTreeSet<ThreadId>>,
}

/// Limit on the conditions of the code that are used.
const MANY_CONDITIONS: usize = 40;
/// Limit on the numbers of the code that are used.
const MANY_LITERALS: usize = 10;
/// The name of the key in formulas about all elements of a map.
pub(crate) const KEY: &str = "k";

impl<'p> Vocabulary<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        let mut found = Self {
            program,
            literals: BTreeSet::from([0]),
            conditions: Vec::new(),
            of_elements: Vec::new(),
            writers: writers(program),
        };
        for init in &program.inits {
            found.literals_of(&init.expr);
        }
        let bodies = program.threads.iter().map(|thread| &thread.body);
        for body in bodies.chain(program.procs.iter().map(|procedure| &procedure.body)) {
            let copies = copies(body);
            found.visit(body, &copies, &body.stmts);
        }
        found.literals =
            std::mem::take(&mut found.literals).into_iter().take(MANY_LITERALS).collect();
        found.conditions.truncate(MANY_CONDITIONS);
        found
    }

    /// The shared variables of a kind of type.
    pub(crate) fn globals(&self, is_wanted: fn(&Ty) -> bool) -> impl Iterator<Item = &'p Global> {
        self.program.globals.iter().filter(move |global| is_wanted(&global.ty))
    }

    /// The threads of which there is one each.
    pub(crate) fn single_threads(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let is_single = |id: &ThreadId| self.program.threads[id.index()].count == Count::One;
        self.program.thread_ids().filter(is_single)
    }

    /// What code of threads writes.
    pub(crate) fn is_written(&self, id: GlobalId) -> bool {
        self.writers.contains_key(&id)
    }

    fn visit(&mut self, body: &Body, copies: &BTreeMap<LocalId, Expr>, stmts: &[Stmt]) {
        for stmt in stmts {
            for expr in stmt.exprs() {
                self.literals_of(expr);
            }
            let conditions: Vec<&Expr> = match &stmt.kind {
                StmtKind::Assert(expr) | StmtKind::Assume(expr) => vec![expr],
                StmtKind::If { cond, .. } => cond.iter().collect(),
                StmtKind::While { cond, invariants, .. } => cond.iter().chain(invariants).collect(),
                StmtKind::Assign(pairs) => {
                    pairs.iter().map(|(_, value)| value).filter(|v| v.ty == Ty::Bool).collect()
                }
                _ => Vec::new(),
            };
            for cond in conditions {
                self.condition(body, copies, cond);
            }
            for block in stmt.blocks() {
                self.visit(body, copies, block);
            }
        }
    }

    fn literals_of(&mut self, expr: &Expr) {
        if let ExprKind::Int(value) = expr.kind
            && expr.ty != Ty::Tid
            && value.unsigned_abs() < 1_000_000
        {
            self.literals.insert(value);
        }
        expr.children().into_iter().for_each(|child| self.literals_of(child));
    }

    /// Takes a condition apart.
    fn condition(&mut self, body: &Body, copies: &BTreeMap<LocalId, Expr>, expr: &Expr) {
        match &expr.kind {
            ExprKind::And(all) | ExprKind::Or(all) => {
                all.iter().for_each(|one| self.condition(body, copies, one));
                self.atom(body, copies, expr);
            }
            ExprKind::Not(inner) => self.condition(body, copies, inner),
            ExprKind::Binary(BinaryOp::Implies | BinaryOp::Iff, left, right) => {
                self.condition(body, copies, left);
                self.condition(body, copies, right);
                self.atom(body, copies, expr);
            }
            ExprKind::Bool(_) | ExprKind::Quantified(..) => {}
            _ => self.atom(body, copies, expr),
        }
    }

    /// Adds a condition, its negation and what is a little weaker, if shared variables suffice to
    /// say it.
    fn atom(&mut self, body: &Body, copies: &BTreeMap<LocalId, Expr>, expr: &Expr) {
        for expr in variants(expr) {
            let unnamed: RefCell<BTreeSet<LocalId>> = RefCell::default();
            let name = |root: Root| self.shared_name(copies, root, &unnamed);
            let words = Words { program: self.program, name: &name };
            // A local that turns out to be a key has the name of one everywhere.
            let text = words.text(&expr).and(words.text(&expr));
            let Some(text) = text.filter(|text| !is_trivial(text)) else { continue };
            let unnamed = unnamed.into_inner();
            if !mentions_shared(copies, &expr) {
                continue;
            }
            let mut unnamed = unnamed.into_iter();
            match (unnamed.next(), unnamed.next()) {
                (None, _) => add(&mut self.conditions, text),
                (Some(key), None) if is_key(copies, &expr, key) => {
                    let ty = type_text(self.program, &body.locals[key.index()].ty);
                    add(&mut self.of_elements, (format!("forall {KEY}: {ty} ::"), text));
                }
                _ => {}
            }
        }
    }

    /// What a variable is called outside of its thread: a local that is a copy of something shared
    /// has the name of that, any other one that of a key.
    fn shared_name(
        &self,
        copies: &BTreeMap<LocalId, Expr>,
        root: Root,
        unnamed: &RefCell<BTreeSet<LocalId>>,
    ) -> Option<String> {
        match root {
            Root::Global(id) => Some(self.program.globals[id.index()].name.to_string()),
            Root::Local(id) if unnamed.borrow().contains(&id) => Some(KEY.to_owned()),
            Root::Local(id) => match copies.get(&id) {
                Some(shared) => {
                    let name = |root: Root| self.shared_name(&BTreeMap::new(), root, unnamed);
                    let text = Words { program: self.program, name: &name }.text(shared)?;
                    Some(text)
                }
                None => {
                    unnamed.borrow_mut().insert(id);
                    Some(KEY.to_owned())
                }
            },
        }
    }
}

/// Whether both sides are the same: a copy was compared with what it is a copy of.
fn is_trivial(text: &str) -> bool {
    let signs = [" == ", " != ", " <= ", " >= ", " < ", " > "];
    signs.iter().any(|sign| text.split_once(sign).is_some_and(|(left, right)| left == right))
}

fn add<T: PartialEq>(to: &mut Vec<T>, one: T) {
    if !to.contains(&one) {
        to.push(one);
    }
}

/// The condition, its negation, and what is a little weaker than each.
fn variants(expr: &Expr) -> Vec<Expr> {
    let with = |kind: ExprKind| Expr { kind, ty: Ty::Bool, span: expr.span };
    let ExprKind::Binary(op, left, right) = &expr.kind else {
        return vec![expr.clone(), with(ExprKind::Not(Box::new(expr.clone())))];
    };
    let others: &[BinaryOp] = match op {
        BinaryOp::Lt | BinaryOp::Le => &[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Ge, BinaryOp::Gt],
        BinaryOp::Gt | BinaryOp::Ge => &[BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Le, BinaryOp::Lt],
        BinaryOp::Eq => &[BinaryOp::Eq, BinaryOp::Ne],
        BinaryOp::Ne => &[BinaryOp::Ne, BinaryOp::Eq],
        _ => &[],
    };
    if others.is_empty() {
        return vec![expr.clone()];
    }
    let other = |op: &BinaryOp| with(ExprKind::Binary(*op, left.clone(), right.clone()));
    others.iter().map(other).collect()
}

fn mentions_shared(copies: &BTreeMap<LocalId, Expr>, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var { root: Root::Global(_), .. } => true,
        ExprKind::Var { root: Root::Local(id), .. } => copies.contains_key(id),
        _ => expr.children().into_iter().any(|child| mentions_shared(copies, child)),
    }
}

/// Whether a local is a key of a map somewhere in the expression, or in what its locals are copies
/// of.
fn is_key(copies: &BTreeMap<LocalId, Expr>, expr: &Expr, local: LocalId) -> bool {
    let here = match &expr.kind {
        ExprKind::Index(_, key) => {
            matches!(key.kind, ExprKind::Var { root: Root::Local(id), .. } if id == local)
        }
        ExprKind::Var { root: Root::Local(id), .. } => {
            copies.get(id).is_some_and(|shared| is_key(&BTreeMap::new(), shared, local))
        }
        _ => false,
    };
    here || expr.children().into_iter().any(|child| is_key(copies, child, local))
}

/// Locals that get their value from a shared variable or an element of one, and what that is.
pub(crate) fn copies(body: &Body) -> BTreeMap<LocalId, Expr> {
    let mut found = BTreeMap::new();
    let mut rest: Vec<&Stmt> = body.stmts.iter().rev().collect();
    while let Some(stmt) = rest.pop() {
        if let StmtKind::Assign(pairs) = &stmt.kind {
            for (place, value) in pairs {
                if let (Root::Local(id), true) = (place.root, place.indices.is_empty())
                    && is_shared_place(value)
                {
                    found.entry(id).or_insert_with(|| value.clone());
                }
            }
        }
        rest.extend(stmt.blocks().into_iter().flatten());
    }
    found
}

fn is_shared_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var { root: Root::Global(_), .. } => true,
        ExprKind::Index(map, _) => is_shared_place(map),
        _ => false,
    }
}

/// Per shared variable the threads whose code writes it, itself or in procedures that it calls.
fn writers(program: &Program) -> BTreeMap<GlobalId, BTreeSet<ThreadId>> {
    let mut found: BTreeMap<GlobalId, BTreeSet<ThreadId>> = BTreeMap::new();
    for thread in program.thread_ids() {
        let mut entered = BTreeSet::new();
        let mut rest: Vec<&Stmt> = program.threads[thread.index()].body.stmts.iter().collect();
        while let Some(stmt) = rest.pop() {
            let mut written: Vec<Root> =
                stmt.places().iter().map(|place: &&Place| place.root).collect();
            match &stmt.kind {
                StmtKind::Action(action) => written.extend(&action.modifies),
                StmtKind::Call { callee, .. } if entered.insert(*callee) => {
                    rest.extend(&program.procs[callee.index()].body.stmts);
                }
                _ => {}
            }
            for root in written {
                if let Root::Global(id) = root {
                    found.entry(id).or_default().insert(thread);
                }
            }
            rest.extend(stmt.blocks().into_iter().flatten());
        }
    }
    found
}
