//! Walks the tree without knowing all of it.

use super::{Block, Expr, ExprKind, Param, Path, Stmt, StmtKind, Type, TypeKind};
use source::{FileId, Span};

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Tid
            | ExprKind::Name(_) => Vec::new(),
            ExprKind::Apply(_, all)
            | ExprKind::And(all)
            | ExprKind::Or(all)
            | ExprKind::Set(all) => all.iter().collect(),
            ExprKind::At(inner, _)
            | ExprKind::Not(inner)
            | ExprKind::Neg(inner)
            | ExprKind::Size(inner)
            | ExprKind::ConstMap(inner)
            | ExprKind::Forall(_, inner)
            | ExprKind::Exists(_, inner) => vec![inner],
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => vec![left, right],
            ExprKind::Conditional(a, b, c) | ExprKind::Update(a, b, c) => vec![a, b, c],
        }
    }

    /// All names in it, those in types of bound variables included.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        let mut paths = Vec::new();
        let mut rest = vec![self];
        while let Some(expr) = rest.pop() {
            match &expr.kind {
                ExprKind::Name(name) | ExprKind::Apply(name, _) => paths.push(&name.path),
                ExprKind::Forall(params, _) | ExprKind::Exists(params, _) => {
                    paths.extend(params.iter().flat_map(|param: &Param| param.ty.paths()));
                }
                _ => {}
            }
            rest.extend(expr.children());
        }
        paths
    }
}

impl Type {
    /// All names in it.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        match &self.kind {
            TypeKind::Error | TypeKind::Int | TypeKind::Bool | TypeKind::Tid => Vec::new(),
            TypeKind::Named(path) => vec![path],
            TypeKind::Range(low, high) => {
                let mut paths = low.paths();
                paths.extend(high.paths());
                paths
            }
            TypeKind::Set(element) => element.paths(),
            TypeKind::Map(key, value) => {
                let mut paths = key.paths();
                paths.extend(value.paths());
                paths
            }
        }
    }
}

impl Stmt {
    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If(arms, otherwise) => {
                arms.iter().map(|arm| &arm.then).chain(otherwise.as_ref()).collect()
            }
            StmtKind::Choose(branches) => branches.iter().collect(),
            StmtKind::While(_, _, body) | StmtKind::Loop(_, body) => vec![body],
            StmtKind::Atomic(block) | StmtKind::Block(block) => vec![block],
            StmtKind::Skip
            | StmtKind::Var(_)
            | StmtKind::Assign(..)
            | StmtKind::Havoc(_)
            | StmtKind::Assert(_)
            | StmtKind::Check(..)
            | StmtKind::Assume(_)
            | StmtKind::Acquire(_)
            | StmtKind::Release(_)
            | StmtKind::Wait(..)
            | StmtKind::Signal(_)
            | StmtKind::Broadcast(_)
            | StmtKind::Fork(_)
            | StmtKind::Join(_)
            | StmtKind::Cas(_)
            | StmtKind::Action(_)
            | StmtKind::Call(_)
            | StmtKind::Return(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Unsupported(_) => Vec::new(),
        }
    }

    /// Says that it stands at another place, with all inside that stands in a certain file: there
    /// it was written out.
    pub fn move_from(&mut self, file: FileId, to: Span) {
        let moved = |span: &mut Span| {
            if span.file == file {
                *span = to;
            }
        };
        let mut rest = vec![self];
        while let Some(stmt) = rest.pop() {
            moved(&mut stmt.span);
            match &mut stmt.kind {
                StmtKind::Check(cond, _) | StmtKind::Assert(cond) => moved(&mut cond.span),
                StmtKind::Assign(places, _) | StmtKind::Havoc(places) => {
                    places.iter_mut().for_each(|place| moved(&mut place.span));
                }
                StmtKind::If(arms, otherwise) => {
                    for arm in arms {
                        moved(&mut arm.span);
                        rest.extend(arm.then.stmts.iter_mut());
                    }
                    rest.extend(otherwise.iter_mut().flat_map(|block| &mut block.stmts));
                }
                StmtKind::Choose(branches) => {
                    rest.extend(branches.iter_mut().flat_map(|block| &mut block.stmts));
                }
                StmtKind::While(_, _, block)
                | StmtKind::Loop(_, block)
                | StmtKind::Atomic(block)
                | StmtKind::Block(block) => rest.extend(block.stmts.iter_mut()),
                _ => {}
            }
        }
    }
}
