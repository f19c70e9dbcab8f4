//! The body of one function.

use super::temporaries::Temporaries;
use super::values::converted;
use super::{Answer, Instance, Lowering, Names, Refused, Target, Variable, refuse};
use crate::constant::Typed;
use crate::syntax::{Declared, Expr, ExprKind, Function, Initial, Stmt, StmtKind, Type};
use crate::{Unsupported, build};
use plato::ast::{self, Item, ItemKind, Proc};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for inside a function.
#[derive(Clone)]
pub(super) enum Meaning {
    Variable(Variable),
    Pointer(Target),
    /// Something that is not expressed in Plato.
    Other(String),
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
    /// Whether a thread begins here.
    pub(super) is_start: bool,
    /// Names in the function that somebody may have the address of.
    addressed: BTreeSet<String>,
    scopes: Vec<BTreeMap<String, Meaning>>,
    /// Names of locals that are taken.
    names: Names,
    /// What was made so far of the innermost block.
    pub(super) out: Vec<ast::Stmt>,
    /// Variables for values that are needed for a short time, in the innermost block.
    pub(super) temporaries: Temporaries,
    pub(super) around: Vec<Around>,
    /// Whether all of it happens at once, so that accesses need not be apart.
    pub(super) whole: bool,
    /// Values of the variables of loops that are written out, by their names in Plato.
    pub(super) known: BTreeMap<String, Typed>,
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
            is_start: instance.is_start,
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
            // Pointers that point nowhere are numbers too: those that threads are started with.
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

    /// The end of a function with a result: where somebody wants it, there is none.
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

    /// What a part of the code comes to, with names of its own.
    pub(super) fn scoped(&mut self, part: impl FnOnce(&mut Self)) -> Vec<ast::Stmt> {
        let outer = std::mem::take(&mut self.out);
        let temporaries = std::mem::take(&mut self.temporaries);
        self.scopes.push(BTreeMap::new());
        part(self);
        self.scopes.pop();
        self.temporaries = temporaries;
        std::mem::replace(&mut self.out, outer)
    }

    /// What is emitted while an expression is translated, apart.
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

    /// Runs a part of the translation of a statement; what is refused becomes an assertion that fails.
    pub(super) fn attempt(&mut self, span: Span, part: impl FnOnce(&mut Self) -> Answer<()>) {
        let (before, around) = (self.out.len(), self.around.len());
        let whole = self.whole;
        let declared = self.temporaries.declared();
        if let Err(Refused(message)) = part(self) {
            self.whole = whole;
            self.around.truncate(around);
            self.out.truncate(before);
            self.temporaries.forget(declared);
            self.out.push(build::stmt(ast::StmtKind::Assert(build::boolean(false, span)), span));
            self.lowering.unsupported.push(Unsupported { span, message, anyway: false });
        }
    }

    /// Declares a local variable.
    pub(super) fn declare_local(&mut self, declared: &Declared, rest: &[Stmt]) -> Answer<()> {
        let Declared { name, ty, span, .. } = declared;
        let is_static = declared.is_static;
        if is_static || lives_outside(ty) || self.addressed.contains(name) {
            return self.declare_outside(declared, rest);
        }
        if !matches!(ty, Type::Int(..) | Type::Bool) {
            return self.declare_array(declared);
        }
        let value = match &declared.value {
            Some(Initial::Value(value)) => {
                let value = self.value(value)?;
                Some(converted(value, ty).expr)
            }
            Some(_) => return refuse("an initial value of this form"),
            // What nobody reads before it is written may as well be 0.
            None if !super::assigned::is_read_first(name, rest) => Some(build::int(0, *span)),
            None => None,
        };
        let plato = self.fresh(name);
        self.define(&plato, value, *span);
        self.bind(name, Meaning::Variable(local(plato, ty.clone())));
        Ok(())
    }

    /// A local that others may see: it becomes a shared variable, of which there is one.
    fn declare_outside(&mut self, declared: &Declared, rest: &[Stmt]) -> Answer<()> {
        let Declared { name, ty, span, is_static, number, .. } = declared;
        if let Some(variable) = self.lowering.statics.get(number).filter(|_| *is_static) {
            let meaning = Meaning::Variable(variable.clone());
            self.bind(name, meaning);
            return Ok(());
        }
        if !is_static && self.function.name != "main" && *ty != Type::Ignored {
            return refuse("a local variable outside of `main` whose address is taken");
        }
        let is_number = matches!(ty, Type::Int(..) | Type::Bool);
        let is_list = matches!(ty, Type::Array(element, _) if matches!(**element, Type::Int(..) | Type::Bool));
        let mut outside = declared.clone();
        if !is_static && (is_number || is_list) {
            outside.value = None;
            if let (Type::Array(_, size @ None), Some(Initial::List(all))) =
                (&mut outside.ty, &declared.value)
            {
                let count = i128::try_from(all.len()).unwrap_or(0);
                let kind = ExprKind::Number(count, Type::Int(32, true));
                *size = Some(Box::new(Expr { kind, span: *span }));
            }
        }
        // The names of locals that came before are taken too.
        let wanted = self.fresh(name);
        let Some(variable) = self.lowering.declare(&outside, &wanted) else {
            return refuse(match ty {
                Type::Other(what) => what.clone(),
                _ => "a variable of this type".to_owned(),
            });
        };
        self.bind(name, Meaning::Variable(variable.clone()));
        if *is_static {
            self.lowering.statics.insert(*number, variable);
            return Ok(());
        }
        let place = build::place(&variable.name, Vec::new(), *span);
        match &declared.value {
            Some(Initial::Value(value)) if is_number => {
                let value = self.value(value)?;
                let value = self.settled(value);
                let value = converted(value, ty);
                self.out.push(build::assign(place, value.expr, *span));
            }
            Some(Initial::List(all)) if is_list => {
                let map = self.list(&outside.ty, all, *span)?;
                self.out.push(build::assign(place, map, *span));
            }
            // What nobody reads before it is written may as well be 0.
            None if is_number && super::assigned::is_read_first(name, rest) => {
                self.out.push(build::stmt(ast::StmtKind::Havoc(vec![place]), *span));
                let low_high = bounds(ty);
                let value = || build::name(&variable.name, *span);
                let within = build::within(value(), low_high, *span);
                self.out.push(build::stmt(ast::StmtKind::Assume(within), *span));
            }
            None if is_list => return refuse("a local array without an initial value"),
            Some(_) if is_number || is_list => return refuse("an initial value of this form"),
            _ => {}
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
        let Some(Initial::List(all)) = &declared.value else {
            return refuse("a local array without an initial value");
        };
        if !matches!(**element, Type::Int(..) | Type::Bool) {
            return refuse("a local array of this type");
        }
        let mut c_type = declared.ty.clone();
        if let Type::Array(_, size @ None) = &mut c_type {
            let count = i128::try_from(all.len()).unwrap_or(0);
            let kind = ExprKind::Number(count, Type::Int(32, true));
            *size = Some(Box::new(Expr { kind, span }));
        }
        let ty = self.lowering.plato_type(&c_type, span)?;
        let map = self.list(&c_type, all, span)?;
        let name = self.fresh(&declared.name);
        self.out.push(build::local(&name, ty, Some(ast::Source::Values(vec![map])), span));
        self.bind(&declared.name, Meaning::Variable(local(name, c_type)));
        Ok(())
    }

    /// An array of numbers with its first values; what is not said is 0.
    fn list(&mut self, ty: &Type, all: &[Initial], span: Span) -> Answer<ast::Expr> {
        let Type::Array(element, Some(size)) = ty else {
            return refuse("an array of unknown size");
        };
        let size = self.lowering.constant(size).map(|(size, _)| size);
        if size.is_none_or(|size| usize::try_from(size).is_ok_and(|size| size < all.len())) {
            return refuse("more initial values than elements");
        }
        let zero = Box::new(build::int(0, span));
        let mut map = ast::Expr { kind: ast::ExprKind::ConstMap(zero), span };
        for (at, one) in (0..).zip(all) {
            let Initial::Value(one) = one else {
                return refuse("an initial value of this form");
            };
            let one = self.value(one)?;
            // A later value may change what this one is made of.
            let one = if one.known.is_some() { one } else { self.kept(one) };
            let one = converted(one, element).expr;
            let key = Box::new(build::int(at, span));
            map =
                ast::Expr { kind: ast::ExprKind::Update(Box::new(map), key, Box::new(one)), span };
        }
        Ok(map)
    }
}

/// A variable that no other thread sees.
fn local(name: String, ty: Type) -> Variable {
    Variable { name, ty, shared: false, atomic: false }
}

/// Whether variables of a type are not in the procedure of their function.
fn lives_outside(ty: &Type) -> bool {
    match ty {
        Type::Mutex | Type::Condition | Type::Thread | Type::Ignored => true,
        Type::Array(element, _) => lives_outside(element),
        _ => false,
    }
}

/// The least and the greatest number of a type.
pub(super) fn bounds(ty: &Type) -> (i128, i128) {
    match ty {
        Type::Int(bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Type::Int(bits, false) => (0, (1 << bits) - 1),
        _ => (0, 1),
    }
}

/// The names whose address somebody may get hold of: those behind `&`, and those of arrays that are not followed by an index.
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
