//! Threads: how a program starts them and waits for them.
//!
//! A thread of Plato runs from the beginning, so each waits until a flag says that it was created.
//! In `main` outside of loops, each creation is a thread of its own. Elsewhere it may happen any
//! number of times: then any number of copies wait, and each takes one creation; or, in a loop that
//! does nothing else, all may run once the loop was entered.

use super::body::{Around, Body};
use super::{Answer, Lowering, Owner, Target, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Function, Type};
use plato::ast::{self, BinaryOp, Copies, Item, ItemKind, Thread};
use source::Span;

/// A creation of threads.
#[derive(Clone, Debug)]
pub(super) struct Started {
    /// The name of the thread.
    name: String,
    /// The procedure it runs, and whether that has a parameter and a result.
    procedure: String,
    takes: bool,
    returns: bool,
    /// The flag that says that it was created, or the number of those that have not begun.
    flag: String,
    /// The variable with its argument, or its argument.
    argument: Argument,
    many: Many,
    /// The flag that says that it has ended, if anybody waits for it.
    ended: Option<String>,
    span: Span,
}

#[derive(Clone, Debug)]
enum Argument {
    Variable(String),
    Number(i128),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Many {
    One,
    /// As many as were created.
    Counted,
    /// Any number.
    Any,
}

impl Lowering<'_> {
    pub(super) fn main_thread(&mut self, main: &Function, procedure: &str) {
        let span = main.span;
        // A program that is started without arguments gets one argument: its name.
        let args = (0..main.params.len()).map(|at| build::int(i128::from(at == 0), span)).collect();
        let call = build::call(procedure, args, span);
        let body = vec![run(call, main.ty != Type::Void, span)];
        let name = self.unique("main");
        self.thread(&name, Copies::One, body, span);
    }

    fn thread(&mut self, name: &str, copies: Copies, body: Vec<ast::Stmt>, span: Span) {
        let thread = Thread {
            name: build::ident(name, span),
            copies,
            forked: None,
            relies: Vec::new(),
            body: build::block(body, span),
        };
        self.items.push(Item { kind: ItemKind::Thread(Box::new(thread)), span });
    }

    /// Adds the created threads, after everything else was translated.
    pub(super) fn start_threads(&mut self) {
        for started in std::mem::take(&mut self.threads) {
            let span = started.span;
            let flag = || build::name(&started.flag, span);
            let mut body = Vec::new();
            if started.many == Many::Counted {
                let some = build::binary(BinaryOp::Gt, flag(), build::int(0, span), span);
                let less = build::binary(BinaryOp::Sub, flag(), build::int(1, span), span);
                let take = vec![
                    build::stmt(ast::StmtKind::Assume(some), span),
                    build::assign(build::place(&started.flag, Vec::new(), span), less, span),
                ];
                body.push(build::stmt(ast::StmtKind::Atomic(build::block(take, span)), span));
            } else {
                body.push(build::stmt(ast::StmtKind::Assume(flag()), span));
            }
            let argument = match &started.argument {
                Argument::Variable(name) => build::name(name, span),
                Argument::Number(value) => build::int(*value, span),
            };
            let args = if started.takes { vec![argument] } else { Vec::new() };
            body.push(run(build::call(&started.procedure, args, span), started.returns, span));
            if let Some(ended) = &started.ended {
                let place = build::place(ended, Vec::new(), span);
                body.push(build::assign(place, build::boolean(true, span), span));
            }
            let copies = if started.many == Many::One { Copies::One } else { Copies::Any };
            self.thread(&started.name, copies, body, span);
        }
    }

    fn flag(&mut self, name: &str, span: Span) -> String {
        let name = self.unique(name);
        let ty = build::ty(ast::TypeKind::Bool, span);
        self.items.push(build::global(&name, ty, build::boolean(false, span), span));
        name
    }

    fn number(&mut self, name: &str, span: Span) -> String {
        let name = self.unique(name);
        let ty = build::ty(ast::TypeKind::Int, span);
        self.items.push(build::global(&name, ty, build::int(0, span), span));
        name
    }
}

/// The new value of a flag, or of a number of threads, when a thread is created.
fn created(flag: &str, many: Many, span: Span) -> ast::Expr {
    match many {
        Many::Counted => {
            build::binary(BinaryOp::Add, build::name(flag, span), build::int(1, span), span)
        }
        Many::One | Many::Any => build::boolean(true, span),
    }
}

fn run(call: ast::Call, returns: bool, span: Span) -> ast::Stmt {
    if returns {
        let int = build::ty(ast::TypeKind::Int, span);
        return build::local("value", int, Some(ast::Source::Call(call)), span);
    }
    build::stmt(ast::StmtKind::Call(call), span)
}

impl<'u> Body<'_, 'u> {
    /// `pthread_create(&handle, attributes, function, argument)`
    pub(super) fn create(&mut self, args: &[Expr], span: Span) -> Answer<()> {
        let [handle, attributes, function, argument] = args else {
            return refuse("`pthread_create` with other than four arguments");
        };
        self.discard(attributes)?;
        let Some(function) = self.start_function(function) else {
            return refuse("a thread whose function is not known beforehand");
        };
        if function.params.len() > 1 {
            return refuse("a thread whose function has several parameters");
        }
        if function.name == "main" || function.name.starts_with("__VERIFIER_atomic_") {
            return refuse(format!("a thread that begins with `{}`", function.name));
        }
        let many = self.how_many();
        let (target, number) = self.thread_argument(function, argument, many)?;
        self.set_handle(handle, self.lowering.threads.len())?;
        let returns = function.ty != Type::Void;
        let takes = function.params.len() == 1 && target.is_none();
        let targets = function.params.iter().map(|_| target.clone()).collect();
        let owner = match many {
            Many::One => Owner::One(self.lowering.threads.len()),
            Many::Counted | Many::Any => Owner::Some,
        };
        let procedure = self.lowering.instance(function, targets, true, owner)?;
        let name = self.lowering.unique(&function.name);
        let flag = match many {
            Many::Counted => self.lowering.number(&format!("{name} created"), span),
            Many::One | Many::Any => self.lowering.flag(&format!("{name} started"), span),
        };
        let mut places = vec![build::place(&flag, Vec::new(), span)];
        let mut values = vec![created(&flag, many, span)];
        let argument = match number {
            Some(number) if number.known.is_none() => {
                let variable = self.lowering.number(&format!("{name} argument"), span);
                places.push(build::place(&variable, Vec::new(), span));
                values.push(number.into_number());
                Argument::Variable(variable)
            }
            number => Argument::Number(number.and_then(|number| number.known).unwrap_or(0)),
        };
        self.out
            .push(build::stmt(ast::StmtKind::Assign(places, ast::Source::Values(values)), span));
        let span = function.span;
        let ended = None;
        self.lowering.threads.push(Started {
            name,
            procedure,
            takes,
            returns,
            flag,
            argument,
            many,
            ended,
            span,
        });
        Ok(())
    }

    /// The number of threads that a creation here makes.
    fn how_many(&self) -> Many {
        let in_loop = self.around.iter().any(|around| matches!(around, Around::Loop(_)));
        match (self.function.name.as_str(), in_loop) {
            ("main", false) => Many::One,
            _ if self.only_creates => Many::Any,
            _ => Many::Counted,
        }
    }

    /// The argument of a thread: the target of a pointer, or a number.
    fn thread_argument(
        &mut self,
        function: &Function,
        argument: &Expr,
        many: Many,
    ) -> Answer<(Option<Target>, Option<super::values::Value>)> {
        let Some(param) = function.params.first().filter(|_| is_used(function)) else {
            self.discard(argument)?;
            return Ok((None, None));
        };
        let Type::Pointer(to) = &param.ty else {
            return refuse("a thread whose function has a parameter that is no pointer");
        };
        if let Some(target) = self.target(argument) {
            return Ok((Some(super::calls::passed(target, to)?), None));
        }
        let value = self.value(argument)?;
        if !matches!(value.ty, Type::Int(..) | Type::Bool | Type::Pointer(_)) {
            return refuse("an argument of this type");
        }
        let value = super::values::converted(value, &param.ty);
        let value = self.settled(value);
        if many != Many::One && value.known.is_none() {
            return refuse("an argument of any number of threads that is not a constant");
        }
        Ok((None, Some(value)))
    }

    fn start_function(&self, expr: &Expr) -> Option<&'u Function> {
        match &expr.kind {
            ExprKind::Name(name) if !self.is_local(name) => self.lowering.find_function(name),
            ExprKind::Address(one) | ExprKind::Cast(_, one) => self.start_function(one),
            _ => None,
        }
    }

    /// `pthread_join(handle, result)`
    pub(super) fn join(&mut self, args: &[Expr], span: Span) -> Answer<()> {
        let [handle, result] = args else {
            return refuse("`pthread_join` with other than two arguments");
        };
        let Some(at) = self.joined(handle, span) else {
            return refuse("waiting for a thread that is not known beforehand");
        };
        if self.lowering.threads[at].many != Many::One {
            return refuse("waiting for one of any number of threads");
        }
        let mut null = result;
        while let ExprKind::Cast(_, one) = &null.kind {
            null = one;
        }
        if self.known_value(null).is_none_or(|(value, _)| value != 0) {
            return refuse("the result of a thread");
        }
        let ended = match &self.lowering.threads[at].ended {
            Some(ended) => ended.clone(),
            None => {
                let name = format!("{} ended", self.lowering.threads[at].name);
                let ended = self.lowering.flag(&name, span);
                self.lowering.threads[at].ended = Some(ended.clone());
                ended
            }
        };
        self.out.push(build::stmt(ast::StmtKind::Assume(build::name(&ended, span)), span));
        Ok(())
    }
}

/// Whether a function mentions its parameter.
fn is_used(function: &Function) -> bool {
    let Some(param) = function.params.first() else { return false };
    let mentions = |expr: &Expr| expr.kind == ExprKind::Name(param.name.clone());
    function.body.iter().any(|stmt| stmt.any_expr(&mentions))
}
