//! Methods, threads and channels: resolves who is called, the arguments, and where results go.

use super::symbols::Member;
use super::types::fits;
use super::{Checker, Owner};
use crate::hir::{Expr, LocalId, LocalKind, MethodId, StmtKind, Type};
use crate::syntax::{self, Ident, Target};
use diagnostic::{Code, Diagnostic};
use source::Span;

impl Checker<'_> {
    /// The receiver and method that a call names.
    pub(super) fn method_of(&mut self, target: &Target) -> Option<(Expr, MethodId)> {
        let receiver = match &target.receiver {
            Some(receiver) => self.expr(receiver),
            None => self.this(target.name.span),
        };
        let member = match receiver.ty {
            Type::Object(class) => self.symbols.member(class, &target.name.name),
            _ => None,
        };
        match member {
            Some(Member::Method(id)) => Some((receiver, id)),
            Some(Member::Transform) => None,
            _ => {
                self.no_such_member(&receiver.ty, &target.name, "a method");
                None
            }
        }
    }

    pub(super) fn argument_count(&mut self, span: Span, wanted: usize, found: usize, what: &str) {
        let message = format!("{what} takes {}, not {found}", counted(wanted, "argument"));
        let error = Diagnostic::new(Code::WrongArgumentCount, span, message);
        self.report(error.at(counted(found, "argument")));
    }

    /// Arguments of the types that are wanted.
    pub(super) fn args(
        &mut self,
        args: &[syntax::Expr],
        types: &[Type],
        span: Span,
        what: &str,
    ) -> Vec<Expr> {
        if args.len() != types.len() {
            self.argument_count(span, types.len(), args.len(), what);
        }
        let missing = std::iter::repeat(&Type::Unsupported);
        let pairs = args.iter().zip(types.iter().chain(missing));
        pairs.map(|(arg, ty)| self.typed(arg, ty, "the argument")).collect()
    }

    pub(super) fn call(&mut self, targets: &[Ident], callee: &Target) -> StmtKind {
        let Some((receiver, method)) = self.method_of(callee) else {
            self.lost_call(targets, callee);
            return StmtKind::Unsupported("a call that has no target".into());
        };
        let symbols = self.symbols;
        let (ins, outs) = &symbols.methods[method.index()];
        let what = format!("the method `{}`", callee.name.name);
        let args = self.args(&callee.args, ins, callee.span, &what);
        let results = self.results(targets, outs, callee.span);
        StmtKind::Call { results, receiver, method, args }
    }

    /// Checks the arguments of a call that names no method and declares its variables, so that the
    /// fault does not echo.
    fn lost_call(&mut self, targets: &[Ident], callee: &Target) {
        for arg in &callee.args {
            self.expr(arg);
        }
        let types = vec![Type::Unsupported; targets.len()];
        self.results(targets, &types, callee.span);
    }

    pub(super) fn fork(&mut self, token: Option<&Ident>, callee: &Target) -> StmtKind {
        let Some((receiver, method)) = self.method_of(callee) else {
            let tokens: Vec<Ident> = token.into_iter().cloned().collect();
            self.lost_call(&tokens, callee);
            return StmtKind::Unsupported("a call that has no target".into());
        };
        let symbols = self.symbols;
        let ins = &symbols.methods[method.index()].0;
        let what = format!("the method `{}`", callee.name.name);
        let args = self.args(&callee.args, ins, callee.span, &what);
        let token = token.and_then(|token| {
            let results =
                self.results(std::slice::from_ref(token), &[Type::Token(method)], token.span);
            results.first().copied()
        });
        StmtKind::Fork { token, receiver, method, args }
    }

    /// The variables that receive results; new ones are declared.
    pub(super) fn results(
        &mut self,
        targets: &[Ident],
        types: &[Type],
        span: Span,
    ) -> Vec<LocalId> {
        if targets.len() != types.len() {
            let message = format!(
                "there are {}, but {}",
                counted(types.len(), "result"),
                counted(targets.len(), "variable")
            );
            let error = Diagnostic::new(Code::WrongArgumentCount, span, message);
            self.report(error.at("results and variables do not match"));
        }
        let missing = std::iter::repeat(&Type::Unsupported);
        let mut results = Vec::new();
        for (target, ty) in targets.iter().zip(types.iter().chain(missing)) {
            let id = match self.lookup(&target.name) {
                Some(id) => self.result_into(target, id, ty, &results),
                None => self.declare(target, ty.clone(), LocalKind::Var, false),
            };
            results.push(id);
        }
        results
    }

    fn result_into(
        &mut self,
        target: &Ident,
        id: LocalId,
        ty: &Type,
        before: &[LocalId],
    ) -> LocalId {
        let variable = self.locals[id.index()].ty.clone();
        if before.contains(&id) {
            let message = format!("`{}` cannot hold two results", target.name);
            let error = Diagnostic::new(Code::DuplicateName, target.span, message);
            self.report(error.at("assigned already").help("use another variable"));
        }
        if !fits(&variable, ty) {
            let (variable, result) = (self.show(&variable), self.show(ty));
            let message =
                format!("a result of type `{result}` for a variable of type `{variable}`");
            self.mismatch(target.span, message);
        }
        self.want_assignable(id, target.span);
        id
    }

    /// Reports a variable that cannot be assigned.
    pub(super) fn want_assignable(&mut self, id: LocalId, span: Span) {
        let local = &self.locals[id.index()];
        let what = match local.kind {
            LocalKind::Param => "an in-parameter",
            LocalKind::Const if !self.is_ghost(id) => "a constant",
            LocalKind::Bound => "a bound variable",
            LocalKind::Const | LocalKind::Result | LocalKind::Var => return,
        };
        let message = format!("`{}` is {what} and cannot be assigned", local.name);
        let error = Diagnostic::new(Code::NotAssignable, span, message)
            .at("assigned here")
            .label(local.span, "declared here")
            .help("assign to a variable: `var x: T := ..;`");
        self.report(error);
    }

    pub(super) fn join(&mut self, targets: &[Ident], token: &syntax::Expr) -> StmtKind {
        let token = self.expr(token);
        let mut all_known = true;
        for target in targets {
            if self.lookup(&target.name).is_none() {
                all_known = false;
                self.not_a_local(target);
            }
        }
        let symbols = self.symbols;
        let results = match token.ty {
            Type::Token(method) => {
                let outs = &symbols.methods[method.index()].1;
                if all_known && !targets.is_empty() {
                    self.results(targets, outs, token.span)
                } else {
                    Vec::new()
                }
            }
            Type::Unsupported => Vec::new(),
            ref other => {
                let found = self.show(other);
                let message = format!("`join` needs the token of a fork, not `{found}`");
                self.mismatch(token.span, message);
                Vec::new()
            }
        };
        StmtKind::Join { results, token }
    }

    fn not_a_local(&mut self, target: &Ident) {
        let message = format!("there is no local variable `{}`", target.name);
        let mut error = Diagnostic::new(Code::UnknownName, target.span, message).at("not declared");
        if self.field_of_this(&target.name).is_some() {
            error = error.help("results go to local variables; assign the field afterwards");
        } else {
            error = error.help(format!("declare it before: `var {}: T`", target.name));
        }
        self.report(error);
    }

    pub(super) fn send(&mut self, channel: &syntax::Expr, args: &[syntax::Expr]) -> StmtKind {
        let span = channel.span;
        let channel = self.expr(channel);
        let symbols = self.symbols;
        match channel.ty {
            Type::Channel(id) => {
                let types = &symbols.channels[id.index()];
                let args = self.args(args, types, span, "a message of the channel");
                StmtKind::Send(channel, id, args)
            }
            ref other => {
                self.want_channel(other, span, "send");
                StmtKind::Unsupported("a message to nobody".into())
            }
        }
    }

    pub(super) fn receive(&mut self, targets: &[Ident], channel: &syntax::Expr) -> StmtKind {
        let channel = self.expr(channel);
        let symbols = self.symbols;
        match channel.ty {
            Type::Channel(of) => {
                let types = &symbols.channels[of.index()];
                let results = self.results(targets, types, channel.span);
                StmtKind::Receive { results, channel, of }
            }
            ref other => {
                self.want_channel(other, channel.span, "receive");
                let types = vec![Type::Unsupported; targets.len()];
                self.results(targets, &types, channel.span);
                StmtKind::Unsupported("a message from nobody".into())
            }
        }
    }

    fn want_channel(&mut self, ty: &Type, span: Span, word: &str) {
        if *ty != Type::Unsupported {
            let found = self.show(ty);
            self.mismatch(span, format!("`{word}` needs a channel, not `{found}`"));
        }
    }

    /// `wait e.c`, `signal e.c`
    pub(super) fn condition(
        &mut self,
        e: &syntax::Expr,
    ) -> Option<(Expr, crate::hir::ConditionId)> {
        let (receiver, name) = match &e.kind {
            syntax::ExprKind::Field(object, name) => (self.expr(object), name.clone()),
            syntax::ExprKind::Name(name) => {
                (self.this(e.span), Ident { name: name.clone(), span: e.span })
            }
            _ => {
                self.mismatch(e.span, "expected a condition variable `e.c`");
                return None;
            }
        };
        let member = match (&receiver.ty, self.owner) {
            (Type::Object(class), Owner::Class(_)) => self.symbols.member(*class, &name.name),
            _ => None,
        };
        if let Some(Member::Condition(id)) = member {
            return Some((receiver, id));
        }
        self.no_such_member(&receiver.ty, &name, "a condition");
        None
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
