//! The body of one function.

use super::temporaries::Temporaries;
use super::{Answer, Instance, Lowering, Names, Owner, Refused, Target, Variable, refuse};
use crate::build;
use crate::constant::Typed;
use crate::syntax::{Expr, ExprKind, Function, Stmt, StmtKind, Type};
use plato::ast::{self, Item, ItemKind, Proc};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The meaning of a name inside a function.
#[derive(Clone)]
pub(super) enum Meaning {
    Variable(Variable),
    Pointer(Target),
    /// Something that Plato cannot express.
    Other(String),
}

/// A construct around a statement.
#[derive(Clone)]
pub(super) enum Around {
    /// A loop, with the code before its next iteration.
    Loop(Next),
    /// A `switch` that became a loop of one iteration.
    Switch,
    /// An atomic block, which nothing leaves.
    Atomic,
}

/// The code between an iteration and the head of its loop.
#[derive(Clone)]
pub(super) enum Next {
    Nothing,
    Step(Expr),
    Test(Expr, Span),
}

pub(super) struct Body<'l, 'u> {
    pub(super) lowering: &'l mut Lowering<'u>,
    pub(super) function: &'u Function,
    /// Whether a thread begins here.
    pub(super) is_start: bool,
    /// The thread that runs this, if that matters.
    pub(super) owner: Owner,
    /// Names in the function whose address somebody may have.
    addressed: BTreeSet<String>,
    scopes: Vec<BTreeMap<String, Meaning>>,
    /// Names of locals that are taken.
    names: Names,
    /// The statements of the innermost block so far.
    pub(super) out: Vec<ast::Stmt>,
    /// Variables for values that are needed for a short time, in the innermost block.
    pub(super) temporaries: Temporaries,
    pub(super) around: Vec<Around>,
    /// Whether all of it happens at once, so that accesses need not be separate steps.
    pub(super) whole: bool,
    /// Values of the variables of loops that are written out, by their names in Plato.
    pub(super) known: BTreeMap<String, Typed>,
    /// Bounds on the next arbitrary value, from the assumption that follows it.
    pub(super) bounds: Option<(i128, i128)>,
    /// Whether the innermost loop does nothing but start threads.
    pub(super) only_creates: bool,
}

impl<'l, 'u> Body<'l, 'u> {
    /// The procedure for a function.
    pub(super) fn function(lowering: &'l mut Lowering<'u>, instance: &Instance<'u>) -> Item {
        let function = instance.function;
        let mut body = Body {
            lowering,
            function,
            is_start: instance.is_start,
            owner: instance.owner,
            addressed: addressed(&function.body),
            scopes: vec![BTreeMap::new()],
            names: Names::default(),
            out: Vec::new(),
            temporaries: Temporaries::default(),
            around: Vec::new(),
            whole: function.name.starts_with("__VERIFIER_atomic_"),
            known: BTreeMap::new(),
            bounds: None,
            only_creates: false,
        };
        body.names.unique("result", |_| false);
        body.own_variables();
        body.scopes.push(BTreeMap::new());
        let params = body.params(&instance.targets);
        body.stmts(&function.body);
        let span = function.span;
        let mut results = Vec::new();
        if function.ty != Type::Void {
            results.push(build::param("result", span));
            body.fall_off(span);
        }
        let proc = Proc {
            is_atomic: false,
            name: build::ident(&instance.name, span),
            params,
            results,
            spec: Vec::new(),
            body: build::block(body.out, span),
        };
        Item { kind: ItemKind::Proc(Box::new(proc)), span }
    }

    fn params(&mut self, targets: &[Option<Target>]) -> Vec<ast::Param> {
        let function = self.function;
        let mut params = Vec::new();
        for (param, target) in function.params.iter().zip(targets) {
            if let Some(target) = target {
                self.bind(&param.name, Meaning::Pointer(target.clone()));
                continue;
            }
            let ty = param.ty.clone();
            // Pointers that point nowhere are numbers, too, such as the arguments of threads.
            let is_number = matches!(ty, Type::Int(..) | Type::Bool | Type::Pointer(_));
            let given = self.fresh(&param.name);
            params.push(build::param(&given, param.span));
            let is_shared = self.addressed.contains(&param.name);
            if !is_number
                || is_shared
                || self.is_start && function.name == "main" && params.len() > 1
            {
                let what = match &ty {
                    Type::Other(what) => what.clone(),
                    _ if is_shared => "a parameter whose address is taken".to_owned(),
                    _ => "a parameter of this type".to_owned(),
                };
                self.bind(&param.name, Meaning::Other(what));
                continue;
            }
            let mut name = given.clone();
            if is_changed(&function.body, &param.name) {
                name = self.fresh(&param.name);
                let value = build::name(&given, param.span);
                self.define(&name, Some(value), param.span);
            }
            self.bind(&param.name, Meaning::Variable(local(name, ty)));
        }
        params
    }

    /// The end of a function with a result: if somebody uses the result, there is none.
    pub(super) fn fall_off(&mut self, span: Span) {
        let function = self.function;
        let is_wanted = matches!(function.ty, Type::Int(..) | Type::Bool)
            && function.name != "main"
            && self.lowering.wanted.contains(function.name.as_str());
        if is_wanted {
            self.attempt(span, |_| refuse("the end of a function whose result is wanted"));
        }
        self.out.push(build::stmt(ast::StmtKind::Return(vec![build::int(0, span)]), span));
    }

    /// Declares a local number.
    pub(super) fn define(&mut self, name: &str, value: Option<ast::Expr>, span: Span) {
        let ty = build::ty(ast::TypeKind::Int, span);
        let value = value.map(|value| ast::Source::Values(vec![value]));
        self.out.push(build::local(name, ty, value, span));
    }

    /// A name for a local that is not taken yet.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let outside = &self.lowering.names;
        self.names.unique(wanted, |name| outside.contains(name))
    }

    pub(super) fn bind(&mut self, name: &str, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.cloned().or_else(|| self.lowering.globals.get(name).cloned().map(Meaning::Variable))
    }

    /// Whether a name means something that the function declares.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains_key(name))
    }

    /// Whether somebody may have the address of a local of this name.
    pub(super) fn is_addressed(&self, name: &str) -> bool {
        self.addressed.contains(name)
    }

    /// The value of a variable that is known beforehand.
    pub(super) fn known_name(&self, name: &str) -> Option<Typed> {
        if !self.is_local(name) {
            return self.lowering.fixed.get(name).cloned();
        }
        match self.meaning(name)? {
            Meaning::Variable(variable) => self.known.get(&variable.name).cloned(),
            Meaning::Pointer(_) | Meaning::Other(_) => None,
        }
    }

    /// The value of an expression that is known beforehand.
    pub(super) fn known_value(&self, expr: &Expr) -> Option<Typed> {
        crate::constant::value(expr, &|name| self.known_name(name))
    }

    /// The statements of a part of the code, with names of its own.
    pub(super) fn scoped(&mut self, part: impl FnOnce(&mut Self)) -> Vec<ast::Stmt> {
        let outer = std::mem::take(&mut self.out);
        let temporaries = std::mem::take(&mut self.temporaries);
        self.scopes.push(BTreeMap::new());
        part(self);
        self.scopes.pop();
        self.temporaries = temporaries;
        std::mem::replace(&mut self.out, outer)
    }

    /// Translates an expression and keeps its statements apart.
    pub(super) fn apart<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Answer<T>,
    ) -> Answer<(T, Vec<ast::Stmt>)> {
        let outer = std::mem::take(&mut self.out);
        let handles = self.handles();
        let temporaries = std::mem::take(&mut self.temporaries);
        let result = part(self);
        self.temporaries = temporaries;
        self.meet_handles(&handles);
        let emitted = std::mem::replace(&mut self.out, outer);
        Ok((result?, emitted))
    }

    /// Translates a part of a statement; if it is refused, an `Unsupported` statement takes its
    /// place.
    pub(super) fn attempt(&mut self, span: Span, part: impl FnOnce(&mut Self) -> Answer<()>) {
        let (before, around) = (self.out.len(), self.around.len());
        let whole = self.whole;
        let declared = self.temporaries.declared();
        if let Err(Refused(message)) = part(self) {
            self.whole = whole;
            self.around.truncate(around);
            self.out.truncate(before);
            self.temporaries.forget(declared);
            self.out.push(build::stmt(ast::StmtKind::Unsupported(message), span));
        }
    }
}

/// A variable that no other thread sees.
pub(super) fn local(name: String, ty: Type) -> Variable {
    Variable { name, ty, shared: false, atomic: false }
}

/// The least and the greatest number of a type.
pub(super) fn bounds(ty: &Type) -> (i128, i128) {
    match ty {
        Type::Int(bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Type::Int(bits, false) => (0, (1 << bits) - 1),
        _ => (0, 1),
    }
}

/// The names whose address somebody may get: those behind `&`, and those of arrays that are not
/// followed by an index.
fn addressed(body: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut arrays = BTreeSet::new();
    body.iter().for_each(|stmt| declared_arrays(stmt, &mut arrays));
    let mut look = |expr: &Expr| {
        if let ExprKind::Address(one) = &expr.kind {
            let mut root = &**one;
            while let ExprKind::Index(inner, _) = &root.kind {
                root = inner;
            }
            if let ExprKind::Name(name) = &root.kind {
                names.insert(name.clone());
            }
        }
        let bases = matches!(expr.kind, ExprKind::Index(..)).then(|| expr.children()[0]);
        for child in expr.children() {
            if let ExprKind::Name(name) = &child.kind
                && bases != Some(child)
                && arrays.contains(name)
            {
                names.insert(name.clone());
            }
        }
    };
    body.iter().for_each(|stmt| stmt.each_expr(&mut look));
    names
}

fn declared_arrays(stmt: &Stmt, arrays: &mut BTreeSet<String>) {
    if let StmtKind::Declare(all) = &stmt.kind {
        let found = all.iter().filter(|declared| matches!(declared.ty, Type::Array(..)));
        arrays.extend(found.map(|declared| declared.name.clone()));
    }
    stmt.inside().into_iter().for_each(|stmt| declared_arrays(stmt, arrays));
}

/// Whether a name is assigned to.
fn is_changed(body: &[Stmt], name: &str) -> bool {
    let changes = |expr: &Expr| match &expr.kind {
        ExprKind::Assign(_, place, _) | ExprKind::Step(_, _, place) => {
            place.kind == ExprKind::Name(name.to_owned())
        }
        _ => false,
    };
    body.iter().any(|stmt| stmt.any_expr(&changes) && !matches!(stmt.kind, StmtKind::Empty))
}
