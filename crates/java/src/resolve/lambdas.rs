//! Lambda expressions and method references, as classes with one method.

use super::body::{Body, Frame};
use super::declare::empty;
use super::exprs::Typed;
use super::names::Meaning;
use super::overloads::{Arg, Candidate};
use super::types::T;
use super::{Decl, MethodInfo};
use crate::tree::{self, LambdaBody, LambdaParam, Receiver};
use crate::typed::{
    Body as Code, Callee, Class, ClassId, ClassKind, ExprKind, Method, MethodSpec, Origin, Stmt,
    StmtKind,
};
use source::{Name, Span};

/// What a method reference must become.
struct Function {
    /// An interface.
    ty: T,
    /// Its one abstract method.
    candidate: Candidate,
    formals: Vec<T>,
    wanted: T,
}

/// What a method that is referred to is called on.
struct Target {
    object: Option<Typed>,
    ty: T,
    is_super: bool,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn lambda(
        &mut self,
        params: &'a [LambdaParam],
        body: &'a LambdaBody,
        span: Span,
        expected: Option<&T>,
    ) -> Typed {
        let function = expected.and_then(|ty| Some((ty.clone(), self.functional(ty)?)));
        let formals: Vec<T> = match &function {
            Some((_, candidate)) => {
                let info = &self.world.method_infos[candidate.method.index()];
                info.params.iter().map(|ty| ty.with(&candidate.known).captured()).collect()
            }
            None => Vec::new(),
        };
        let class = self.function_class(function.as_ref(), span);
        let mut frame = self.function_frame(class);
        frame.result = function.as_ref().and_then(|(_, candidate)| {
            let result = &self.world.method_infos[candidate.method.index()].result;
            let result = result.with(&candidate.known).captured();
            // A result that is still a variable of the method called is found out from the body.
            (!matches!(result, T::Var(_) | T::Unknown)).then_some(result)
        });
        frame.boxes = function.is_some();
        self.frames.push(frame);
        let mut types = Vec::new();
        for (at, param) in params.iter().enumerate() {
            let (name, ty) = match param {
                LambdaParam::Inferred(name) => {
                    (name, formals.get(at).cloned().unwrap_or(T::Unknown))
                }
                LambdaParam::Typed(param) => match self.ty(&param.ty) {
                    T::Unknown => (&param.name, formals.get(at).cloned().unwrap_or(T::Unknown)),
                    ty => (&param.name, ty),
                },
            };
            self.declare(name.name.clone(), ty.clone(), name.span);
            types.push(ty);
        }
        let stmts = match body {
            LambdaBody::Block(block) => self.block(&block.stmts),
            LambdaBody::Expr(value) => {
                let wanted = self.here().result.clone();
                let value = self.expecting(value, wanted.as_ref());
                self.lambda_value(value, wanted)
            }
        };
        let frame = self.frames.pop().expect("internal error: a frame was lost");
        let returned = frame.returned.iter().cloned();
        let joined = returned.reduce(|one, other| self.world.join(&one, &other));
        // What is returned may say more than what is wanted.
        let says_more = matches!(joined, Some(T::Class(..)));
        let wanted = frame.result.clone().filter(|ty| !(ty.is_open() && says_more));
        let result = wanted.unwrap_or_else(|| {
            // One that never ends returns whatever is wanted.
            let whatever = if frame.boxes { self.world.object().map(T::class) } else { None };
            joined.or(whatever).unwrap_or(T::Void)
        });
        let code = Code { locals: frame.locals, stmts };
        self.function(class, function, (types, result), code)
    }

    /// A lambda expression's value as statements.
    fn lambda_value(&mut self, value: Typed, wanted: Option<T>) -> Vec<Stmt> {
        let span = value.expr.span;
        let is_statement = wanted == Some(T::Void) || value.ty == T::Void;
        let kind = if is_statement {
            StmtKind::Expr(value.expr)
        } else {
            StmtKind::Return(Some(self.returned(value, wanted)))
        };
        vec![Stmt { kind, span }]
    }

    /// A class for a function, without its method.
    fn function_class(&mut self, function: Option<&(T, Candidate)>, span: Span) -> ClassId {
        let around = self.frames.iter().rev().find(|frame| !frame.is_lambda);
        let around = around.and_then(|frame| frame.class);
        let count = around.map_or(0, |around| {
            let count = self.world.anonymous.entry(around).or_default();
            *count += 1;
            *count
        });
        let outer =
            around.map_or(String::new(), |id| self.world.program.class(id).name.to_string());
        let qualified =
            around.map_or(String::new(), |id| self.world.program.class(id).qualified.to_string());
        let class = Class {
            name: Name::from(format!("{outer}$lambda{count}").as_str()),
            qualified: Name::from(format!("{qualified}$lambda{count}").as_str()),
            kind: ClassKind::Lambda,
            origin: Origin::Checked,
            is_final: true,
            is_static: true,
            ..empty(around, span)
        };
        let unit = self.here().scope.unit;
        let id = self.world.add_class(class, Decl::None, unit);
        self.world.infos[id.index()].local = Some(self.here().scope.clone());
        self.world.infos[id.index()].depth = self.frames.len() - 1;
        let above = function.map(|(ty, _)| ty.clone());
        self.world.set_supertypes(id, above.into_iter().collect());
        id
    }

    fn function_frame(&self, class: ClassId) -> Frame {
        let scope = self.here().scope.clone();
        let is_static = self.here().is_static;
        Frame {
            is_lambda: true,
            bound: self.here().bound.clone(),
            ..Frame::new(scope, class, is_static)
        }
    }

    /// Finishes the class of a function; gives the expression that makes its object.
    fn function(
        &mut self,
        class: ClassId,
        function: Option<(T, Candidate)>,
        (params, result): (Vec<T>, T),
        code: Code,
    ) -> Typed {
        let span = self.world.program.class(class).span;
        let name = match &function {
            Some((_, candidate)) => self.world.program.method(candidate.method).name.clone(),
            None => Name::from("apply"),
        };
        let method = Method {
            name,
            class,
            params: params.iter().map(|ty| self.world.erased(ty)).collect(),
            result: self.world.erased(&result),
            is_varargs: false,
            is_constructor: false,
            is_static: false,
            is_private: false,
            is_of_package: false,
            is_open: true,
            is_abstract: false,
            is_synchronized: false,
            overrides: function.iter().map(|(_, candidate)| candidate.method).collect(),
            overridden_by: Vec::new(),
            body: Some(code),
            spec: MethodSpec::default(),
            span,
        };
        let info =
            MethodInfo { decl: None, type_params: Vec::new(), params, result: result.clone() };
        self.world.push_method(method, info);
        let captured = self.captured_values(class, span);
        let kind = ExprKind::New { class, constructor: None, args: Vec::new(), captured };
        let ty = function.map_or(T::Unknown, |function| self.function_type(function, &result));
        self.typed(kind, ty, span)
    }

    /// The type of a function: its result tells what a variable in the type stands for.
    fn function_type(&self, (ty, candidate): (T, Candidate), result: &T) -> T {
        let T::Class(id, args) = &ty else { return ty };
        let formal = &self.world.method_infos[candidate.method.index()].result;
        let mut known = Vec::new();
        let params = &self.world.infos[id.index()].params;
        self.world.unify(formal, result, params, &mut known);
        let args = args.iter().zip(params).map(|(arg, var)| {
            let found = known.iter().find(|(other, _)| arg.is_open() && other == var);
            found.map_or_else(|| arg.clone(), |(_, ty)| ty.clone())
        });
        T::Class(*id, args.collect())
    }

    /// `target::name`
    pub(super) fn reference(
        &mut self,
        reference: &'a tree::Reference,
        span: Span,
        expected: Option<&T>,
    ) -> Typed {
        let Some(function) = expected.and_then(|ty| self.wanted_function(ty)) else {
            let message = "a method reference without a known interface";
            return self.unsupported(message, T::Unknown, span);
        };
        // The target is evaluated once, outside.
        let target = match (&reference.ty, &reference.target) {
            (Some(ty), _) => Meaning::Type(self.ty(ty)),
            (None, Receiver::Expr(expr)) => self.meaning(expr),
            (None, Receiver::Super(of)) => match self.super_object(of.as_ref(), span) {
                Some(object) => Meaning::Value(object),
                None => return self.misplaced(span, "`super` in code that is static"),
            },
            (None, Receiver::Implicit) => return Typed::unknown(span),
        };
        match (target, &reference.name) {
            (Meaning::Type(T::Unknown) | Meaning::Package(_), _) => {
                let message = "a method reference of a type that is not known";
                self.unsupported(message, function.ty, span)
            }
            (Meaning::Type(of), _) => self.type_reference(reference, of, function, span),
            (Meaning::Value(value), Some(name)) => {
                let is_super = matches!(reference.target, Receiver::Super(_));
                self.object_reference((value, is_super), name, function, span)
            }
            (Meaning::Value(_), None) => Typed::unknown(span),
        }
    }

    /// The function that a type asks for.
    fn wanted_function(&self, ty: &T) -> Option<Function> {
        let candidate = self.functional(ty)?;
        let info = &self.world.method_infos[candidate.method.index()];
        let formals = info.params.iter().map(|ty| ty.with(&candidate.known).captured()).collect();
        let wanted = info.result.with(&candidate.known).captured();
        Some(Function { ty: ty.clone(), candidate, formals, wanted })
    }

    /// `object::name`
    fn object_reference(
        &mut self,
        (value, is_super): (Typed, bool),
        name: &tree::Ident,
        function: Function,
        span: Span,
    ) -> Typed {
        let Function { ty, candidate, formals, wanted } = function;
        let receiver_ty = value.ty.clone();
        let class = self.function_class(Some(&(ty.clone(), candidate.clone())), span);
        let field = self.world.add_synthetic(class, "target", receiver_ty.clone(), span);
        let frame = Frame { boxes: true, ..self.function_frame(class) };
        self.frames.push(frame);
        let args = self.reference_params(&formals, span);
        let own = T::class(class);
        let this = self.typed(ExprKind::This, own, span);
        let kind = ExprKind::Field(Box::new(this.expr), field);
        let object = Some(self.typed(kind, receiver_ty.clone(), span));
        let target = Target { object, ty: receiver_ty, is_super };
        let call = self.referenced_call(target, name, args, span);
        let wanted = Some(wanted).filter(|ty| !matches!(ty, T::Var(_)));
        let stmts = self.lambda_value(call, wanted);
        let frame = self.frames.pop().expect("internal error: a frame was lost");
        let result = frame.returned.first().cloned().unwrap_or(T::Void);
        let code = Code { locals: frame.locals, stmts };
        let mut made = self.function(class, Some((ty, candidate)), (formals, result), code);
        if let ExprKind::New { captured, .. } = &mut made.expr.kind {
            captured.push((field, value.expr));
        }
        made
    }

    /// Parameters of a method made from a reference, as arguments.
    fn reference_params(&mut self, formals: &[T], span: Span) -> Vec<Typed> {
        let mut args = Vec::new();
        for (at, ty) in formals.iter().enumerate() {
            let local = self.declare(Name::from(format!("arg{at}").as_str()), ty.clone(), span);
            args.push(self.typed(ExprKind::Local(local), ty.clone(), span));
        }
        args
    }

    /// `C::m`, `C::new`, `T[]::new`
    fn type_reference(
        &mut self,
        reference: &'a tree::Reference,
        of: T,
        function: Function,
        span: Span,
    ) -> Typed {
        let Function { ty, candidate, formals, wanted } = function;
        let class = self.function_class(Some(&(ty.clone(), candidate.clone())), span);
        let frame = Frame { boxes: true, ..self.function_frame(class) };
        self.frames.push(frame);
        let mut args = self.reference_params(&formals, span);
        let value = match (&reference.name, &of) {
            (None, T::Array(_)) => {
                let sizes = args.into_iter().map(|arg| self.promoted(arg).expr).collect();
                self.typed(ExprKind::NewArray(sizes), of, span)
            }
            (None, T::Class(id, _)) => self.referenced_new(*id, of.clone(), args, span),
            (Some(name), _) => {
                // Static, or on the first argument.
                let candidates = self.candidates(&of, name.name.as_str());
                let is_static = |one: &Candidate| {
                    let method = self.world.program.method(one.method);
                    method.is_static && method.params.len() == formals.len()
                };
                if candidates.iter().any(is_static) || args.is_empty() {
                    let target = Target { object: None, ty: of, is_super: false };
                    self.referenced_call(target, name, args, span)
                } else {
                    let object = args.remove(0);
                    let ty = match &object.ty {
                        T::Class(..) if self.world.is_subtype(&object.ty, &of) => object.ty.clone(),
                        _ => of,
                    };
                    let target = Target { object: Some(object), ty, is_super: false };
                    self.referenced_call(target, name, args, span)
                }
            }
            _ => Typed::unknown(span),
        };
        let wanted = Some(wanted).filter(|ty| !matches!(ty, T::Var(_) | T::Unknown));
        let stmts = self.lambda_value(value, wanted);
        let frame = self.frames.pop().expect("internal error: a frame was lost");
        let result = frame.returned.first().cloned().unwrap_or(T::Void);
        let code = Code { locals: frame.locals, stmts };
        self.function(class, Some((ty, candidate)), (formals, result), code)
    }

    fn referenced_new(&mut self, class: ClassId, ty: T, args: Vec<Typed>, span: Span) -> Typed {
        let methods = self.world.program.class(class).methods.clone();
        let is_constructor =
            |id: &crate::typed::MethodId| self.world.program.method(*id).is_constructor;
        let candidates: Vec<Candidate> = methods
            .into_iter()
            .filter(is_constructor)
            .map(|method| Candidate { method, known: Vec::new() })
            .collect();
        self.load_formals(&candidates);
        let args: Vec<Arg<'a>> = args.into_iter().map(Arg::Value).collect();
        let (constructor, args) = match self.choose(&candidates, &args) {
            Some((chosen, phase)) => {
                let mut known = self.infer(&chosen, phase, &args);
                (Some(chosen.method), self.finish_args(&chosen, phase, args, &mut known))
            }
            None => (None, self.unknown_args(args)),
        };
        let captured = self.inner_captured(class, None, span);
        self.typed(ExprKind::New { class, constructor, args, captured }, ty, span)
    }

    fn referenced_call(
        &mut self,
        target: Target,
        name: &tree::Ident,
        args: Vec<Typed>,
        span: Span,
    ) -> Typed {
        let Target { object, ty, is_super } = target;
        let candidates = self.candidates(&ty, name.name.as_str());
        let args: Vec<Arg<'a>> = args.into_iter().map(Arg::Value).collect();
        let receiver = object.map(|object| object.expr);
        let Some((chosen, phase)) = self.choose(&candidates, &args) else {
            let args = self.unknown_args(args);
            let name = name.name.clone();
            let callee = Callee { method: None, name, receiver, args, is_virtual: true };
            return self.typed(ExprKind::Call(Box::new(callee)), T::Unknown, span);
        };
        let mut known = self.infer(&chosen, phase, &args);
        let args = self.finish_args(&chosen, phase, args, &mut known);
        let info = &self.world.method_infos[chosen.method.index()];
        let result = info.result.with(&known).captured();
        let method = self.world.program.method(chosen.method);
        let is_virtual = !method.is_static && !method.is_private && !is_super;
        let receiver = receiver.filter(|_| !method.is_static);
        let name = name.name.clone();
        let callee = Callee { method: Some(chosen.method), name, receiver, args, is_virtual };
        self.typed(ExprKind::Call(Box::new(callee)), result, span)
    }
}
