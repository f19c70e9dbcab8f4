//! The body of one function.

use super::values::converted;
use super::{Answer, Instance, Lowering, Refused, Target, Variable, refuse};
use crate::syntax::{Declared, Expr, ExprKind, Function, Stmt, StmtKind, Type};
use crate::{Unsupported, build};
use plato::ast::{self, Item, ItemKind, Proc};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for inside a function.
#[derive(Clone)]
pub(super) enum Meaning {
    Variable(Variable),
    Pointer(Target),
}

/// What a statement is inside of.
#[derive(Clone)]
pub(super) enum Around {
    /// A loop, and what happens before its next iteration.
    Loop(Next),
    /// A `switch` that became a loop of one iteration.
    Switch,
    /// An atomic block, which nothing leaves.
    Atomic,
}

/// What happens between an iteration and the head of its loop.
#[derive(Clone)]
pub(super) enum Next {
    Nothing,
    Step(Expr),
    Test(Expr, Span),
}

pub(super) struct Body<'l, 'u> {
    pub(super) lowering: &'l mut Lowering<'u>,
    pub(super) function: &'u Function,
    scopes: Vec<BTreeMap<String, Meaning>>,
    /// Names of locals that are taken.
    names: BTreeSet<String>,
    /// What was made so far of the innermost block.
    pub(super) out: Vec<ast::Stmt>,
    pub(super) around: Vec<Around>,
    /// Whether all of it happens at once, so that accesses need not be apart.
    pub(super) whole: bool,
    /// Values of the variables of loops that are written out.
    pub(super) known: BTreeMap<String, i128>,
    /// Bounds on the next arbitrary value, from what is assumed of it.
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
            scopes: vec![BTreeMap::new()],
            names: BTreeSet::from(["result".to_owned()]),
            out: Vec::new(),
            around: Vec::new(),
            whole: function.name.starts_with("__VERIFIER_atomic_"),
            known: BTreeMap::new(),
            bounds: None,
            only_creates: false,
        };
        let params = body.params(&instance.targets);
        body.stmts(&function.body);
        let span = function.span;
        let mut results = Vec::new();
        if function.ty != Type::Void {
            results.push(build::param("result", span));
            body.out.push(build::stmt(ast::StmtKind::Return(vec![build::int(0, span)]), span));
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
            // Others than numbers are numbers too: those that threads are started with.
            let ty = match &param.ty {
                ty @ (Type::Int(..) | Type::Bool) => ty.clone(),
                _ => Type::Int(64, true),
            };
            let given = self.fresh(&param.name);
            params.push(build::param(&given, param.span));
            let mut name = given.clone();
            if is_changed(&function.body, &param.name) {
                name = self.fresh(&param.name);
                let value = build::name(&given, param.span);
                self.define(&name, &ty, Some(value), param.span);
            }
            self.bind(&param.name, Meaning::Variable(Variable { name, ty, shared: false }));
        }
        params
    }

    /// Declares a local number.
    pub(super) fn define(&mut self, name: &str, _: &Type, value: Option<ast::Expr>, span: Span) {
        let ty = build::ty(ast::TypeKind::Int, span);
        let value = value.map(|value| ast::Source::Values(vec![value]));
        self.out.push(build::local(name, ty, value, span));
    }

    /// A name for a local that is not taken yet.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while self.lowering.names.contains(&name) || !self.names.insert(name.clone()) {
            name = format!("{wanted}#{number}");
            number += 1;
        }
        name
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

    /// The value of an expression that is known beforehand.
    pub(super) fn known_value(&self, expr: &Expr) -> Option<i128> {
        let names = |name: &str| {
            let known = self.known.get(name).copied();
            let is_local = self.scopes.iter().any(|scope| scope.contains_key(name));
            known.or_else(|| self.lowering.fixed.get(name).copied().filter(|_| !is_local))
        };
        crate::constant::value(expr, &names)
    }

    /// What a part of the code comes to, with names of its own.
    pub(super) fn scoped(&mut self, part: impl FnOnce(&mut Self)) -> Vec<ast::Stmt> {
        let outer = std::mem::take(&mut self.out);
        self.scopes.push(BTreeMap::new());
        part(self);
        self.scopes.pop();
        std::mem::replace(&mut self.out, outer)
    }

    /// What is emitted while an expression is translated, apart.
    pub(super) fn apart<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Answer<T>,
    ) -> Answer<(T, Vec<ast::Stmt>)> {
        let outer = std::mem::take(&mut self.out);
        let result = part(self);
        let emitted = std::mem::replace(&mut self.out, outer);
        Ok((result?, emitted))
    }

    /// Runs a part of the translation of a statement; what is refused becomes an assertion that fails.
    pub(super) fn attempt(&mut self, span: Span, part: impl FnOnce(&mut Self) -> Answer<()>) {
        let (before, around) = (self.out.len(), self.around.len());
        let whole = self.whole;
        if let Err(Refused(message)) = part(self) {
            self.whole = whole;
            self.around.truncate(around);
            self.out.truncate(before);
            self.out.push(build::stmt(ast::StmtKind::Assert(build::boolean(false, span)), span));
            self.lowering.unsupported.push(Unsupported { span, message, anyway: false });
        }
    }

    /// Declares a local variable.
    pub(super) fn declare_local(&mut self, declared: &Declared, rest: &[Stmt]) -> Answer<()> {
        let Declared { name, ty, span, .. } = declared;
        let is_static = declared.is_static;
        let lives_outside = matches!(
            ty,
            Type::Mutex | Type::Condition | Type::Thread | Type::Ignored
        ) || matches!(ty, Type::Array(element, _) if matches!(**element, Type::Mutex | Type::Thread));
        if is_static || lives_outside || address_taken(name, rest) {
            return self.declare_outside(declared, is_static);
        }
        if !matches!(ty, Type::Int(..) | Type::Bool) {
            return self.declare_array(declared);
        }
        let value = match &declared.value {
            Some(crate::syntax::Initial::Value(value)) => {
                let value = self.value(value)?;
                Some(converted(value, ty).expr)
            }
            Some(_) => return refuse("an initial value of this form"),
            // What nobody reads before it is written may as well be 0.
            None if !super::assigned::is_read_first(name, rest) => Some(build::int(0, *span)),
            None => None,
        };
        let plato = self.fresh(name);
        self.define(&plato, ty, value, *span);
        self.bind(name, Meaning::Variable(Variable { name: plato, ty: ty.clone(), shared: false }));
        Ok(())
    }

    /// A local that others may see: it becomes a shared variable, of which there is one.
    fn declare_outside(&mut self, declared: &Declared, is_static: bool) -> Answer<()> {
        if !is_static && self.function.name != "main" && declared.ty != Type::Ignored {
            return refuse("a local variable outside of `main` whose address is taken");
        }
        let mut outside = declared.clone();
        if !is_static {
            outside.value = None;
        }
        let Some(variable) = self.lowering.declare(&outside, &declared.name) else {
            return refuse("a variable of this type");
        };
        self.bind(&declared.name, Meaning::Variable(variable.clone()));
        if let (false, Type::Int(..) | Type::Bool, Some(crate::syntax::Initial::Value(value))) =
            (is_static, &declared.ty, &declared.value)
        {
            let value = self.value(value)?;
            let value = self.settled(value);
            let value = converted(value, &declared.ty);
            let place = build::place(&variable.name, Vec::new(), declared.span);
            self.out.push(build::assign(place, value.expr, declared.span));
        }
        Ok(())
    }

    /// A local array: only with an initial value, since the elements of others are arbitrary.
    fn declare_array(&mut self, declared: &Declared) -> Answer<()> {
        let span = declared.span;
        let Type::Array(element, _) = &declared.ty else {
            return refuse(match &declared.ty {
                Type::Pointer(_) => "a pointer".to_owned(),
                Type::Other(what) => what.clone(),
                _ => "a variable of this type".to_owned(),
            });
        };
        let ty = self.lowering.plato_type(&declared.ty, span)?;
        let Some(crate::syntax::Initial::List(all)) = &declared.value else {
            return refuse("a local array without an initial value");
        };
        if !matches!(**element, Type::Int(..) | Type::Bool) {
            return refuse("a local array of this type");
        }
        let zero = Box::new(build::int(0, span));
        let mut map = ast::Expr { kind: ast::ExprKind::ConstMap(zero), span };
        for (at, one) in (0..).zip(all) {
            let crate::syntax::Initial::Value(one) = one else {
                return refuse("an initial value of this form");
            };
            let one = self.value(one)?;
            let one = self.settled(one);
            let one = converted(one, element).expr;
            let key = Box::new(build::int(at, span));
            map =
                ast::Expr { kind: ast::ExprKind::Update(Box::new(map), key, Box::new(one)), span };
        }
        let name = self.fresh(&declared.name);
        self.out.push(build::local(&name, ty, Some(ast::Source::Values(vec![map])), span));
        let variable = Variable { name, ty: declared.ty.clone(), shared: false };
        self.bind(&declared.name, Meaning::Variable(variable));
        Ok(())
    }
}

/// Whether somebody may get hold of the variable by its address.
fn address_taken(name: &str, rest: &[Stmt]) -> bool {
    let takes = |expr: &Expr| match &expr.kind {
        ExprKind::Address(one) => {
            let mut root = &**one;
            while let ExprKind::Index(inner, _) = &root.kind {
                root = inner;
            }
            root.kind == ExprKind::Name(name.to_owned())
        }
        _ => false,
    };
    rest.iter().any(|stmt| stmt.any_expr(&takes))
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
