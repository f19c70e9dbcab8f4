//! Calls of methods and constructors.

use super::Chosen;
use super::body::Body;
use super::exprs::Typed;
use super::names::{Meaning, static_imports};
use super::overloads::{Arg, Candidate, Phase};
use super::types::{Substitution, T};
use crate::tree::{self, Receiver};
use crate::typed::{Callee, ClassId, ClassKind, Expr, ExprKind, MethodId};
use diagnostic::Code;
use source::{Name, Span};

/// What a method is called on.
enum On {
    /// An object; `super` decides by the text what runs.
    Object(Typed, bool),
    /// The class of a static method.
    Class(T),
    /// Nothing is known of it.
    Unknown(Option<Expr>),
}

impl<'a> Body<'_, 'a> {
    pub(super) fn call(
        &mut self,
        call: &'a tree::CallExpr,
        span: Span,
        expected: Option<&T>,
    ) -> Typed {
        let on = self.receiver(call, span);
        let ty = match &on {
            On::Object(object, _) => object.ty.clone(),
            On::Class(ty) => ty.clone(),
            On::Unknown(_) => T::Unknown,
        };
        let candidates = self.candidates(&ty, call.name.name.as_str());
        let args = self.args(&call.args, &candidates);
        if let On::Unknown(Some(Expr { kind: ExprKind::Unsupported(what), .. })) = &on {
            self.unknown_args(args);
            return self.unsupported(what, T::Unknown, span);
        }
        if ty == T::Unknown {
            return self.unknown_call(on, call, args, span);
        }
        let is_clone = call.name.name.as_str() == "clone" && args.is_empty();
        if let (T::Array(_), On::Object(array, _), true) = (&ty, &on, is_clone) {
            self.world.chosen.push((span, Chosen::ArrayCopy));
            let kind = ExprKind::CloneOf(Box::new(array.expr.clone()));
            return self.typed(kind, ty, span);
        }
        let Some((chosen, phase)) = self.choose(&candidates, &args) else {
            let is_known = match &ty {
                T::Class(id, _) => self.is_fully_known(*id) && !has_unknown(&args),
                _ => false,
            };
            if is_known {
                self.unknown_args(args);
                return self.no_method(&ty, &call.name, candidates.is_empty());
            }
            return self.unknown_call(on, call, args, span);
        };
        self.world.chosen.push((span, Chosen::Method(chosen.method)));
        self.chosen_call(on, call, (chosen, phase, args), (span, expected))
    }

    /// A call of a method that was chosen.
    fn chosen_call(
        &mut self,
        on: On,
        call: &'a tree::CallExpr,
        (chosen, phase, args): (Candidate, Phase, Vec<Arg<'a>>),
        (span, expected): (Span, Option<&T>),
    ) -> Typed {
        let explicit: Vec<T> = call.type_args.iter().map(|ty| self.ty(ty)).collect();
        let mut known = self.infer(&chosen, phase, &args);
        let info = &self.world.method_infos[chosen.method.index()];
        if explicit.len() == info.type_params.len() {
            known.extend(info.type_params.iter().copied().zip(explicit));
        }
        if let Some(expected) = expected {
            self.learn_from(chosen.method, expected, &mut known);
        }
        let args = self.finish_args(&chosen, phase, args, &mut known);
        let mut result = self.result(chosen.method, &mut known, expected);
        self.world.load_type(&result);
        // `getClass` knows the type of its receiver.
        if let (On::Object(object, _), "getClass", T::Class(_, known)) =
            (&on, call.name.name.as_str(), &mut result)
        {
            *known = vec![object.ty.clone()];
        }
        let method = self.world.program.method(chosen.method);
        let (is_static, is_private) = (method.is_static, method.is_private);
        let (receiver, is_super) = match on {
            On::Object(object, is_super) => (Some(object.expr), is_super),
            On::Class(_) | On::Unknown(_) => (None, false),
        };
        let receiver = receiver.filter(|_| !is_static);
        if receiver.is_none() && !is_static {
            let message = format!("`{}` needs an object", call.name.name);
            return self.misplaced(call.name.span, &message);
        }
        let is_virtual = !is_static && !is_private && !is_super;
        let name = call.name.name.clone();
        let callee = Callee { method: Some(chosen.method), name, receiver, args, is_virtual };
        self.typed(ExprKind::Call(Box::new(callee)), result, span)
    }

    fn no_method(&mut self, ty: &T, name: &tree::Ident, is_none: bool) -> Typed {
        let of = self.world.erased(ty);
        let of = self.world.program.type_name(&of);
        let message = if is_none {
            format!("`{of}` has no method `{}`", name.name)
        } else {
            format!("no method `{}` of `{of}` takes these arguments", name.name)
        };
        self.wrong(Code::UnknownName, name.span, message)
    }

    /// The type of a call's value.
    fn result(&self, method: MethodId, known: &mut Substitution, expected: Option<&T>) -> T {
        let info = &self.world.method_infos[method.index()];
        if let Some(expected) = expected {
            let own = info.type_params.iter().copied();
            let open: Vec<_> =
                own.filter(|var| !known.iter().any(|(other, _)| other == var)).collect();
            self.world.unify(&info.result, expected, &open, known);
        }
        info.result.with(known).captured()
    }

    /// What a call is expected to give tells what variables of the method stand for that its values
    /// do not tell, before functions among its arguments are looked at.
    fn learn_from(&self, method: MethodId, expected: &T, known: &mut Substitution) {
        let info = &self.world.method_infos[method.index()];
        let own = info.type_params.iter().copied();
        let open: Vec<_> = own.filter(|var| !known.iter().any(|(other, _)| other == var)).collect();
        let mut learnt = Substitution::new();
        let above = match (&info.result, expected) {
            (T::Class(..), T::Class(wanted, _)) => self.world.as_super(&info.result, *wanted),
            _ => None,
        };
        let result = above.as_ref().unwrap_or(&info.result);
        self.world.unify(result, expected, &open, &mut learnt);
        known.extend(learnt.into_iter().filter(|(_, ty)| !ty.is_open()));
    }

    fn receiver(&mut self, call: &'a tree::CallExpr, span: Span) -> On {
        match &call.receiver {
            Receiver::Implicit => self.implicit(&call.name.name, span),
            Receiver::Expr(expr) => match self.meaning(expr) {
                Meaning::Value(value) if value.ty == T::Unknown => On::Unknown(Some(value.expr)),
                Meaning::Value(value) if value.ty.is_primitive() => {
                    let message = "a primitive value has no methods";
                    On::Unknown(Some(self.wrong(Code::TypeMismatch, expr.span, message).expr))
                }
                Meaning::Value(value) => On::Object(value, false),
                Meaning::Type(ty) => On::Class(ty),
                Meaning::Package(names) => {
                    let text: Vec<&str> = names.iter().map(Name::as_str).collect();
                    let is_class = |name: &str| name.chars().next().is_some_and(char::is_uppercase);
                    if text.last().is_some_and(|last| is_class(last)) {
                        self.world.not_found(&text.join("."), expr.span);
                        return On::Unknown(None);
                    }
                    let message = format!("`{}` is not declared", text.join("."));
                    let is_error = !self.inherits_unknown();
                    On::Unknown(Some(self.unresolved(expr.span, message, is_error).expr))
                }
            },
            Receiver::Super(of) => self.super_receiver(of.as_ref(), span),
        }
    }

    fn super_receiver(&mut self, of: Option<&'a tree::Expr>, span: Span) -> On {
        match self.super_object(of, span) {
            Some(object) => On::Object(object, true),
            None => {
                let message = "`super` of something that is not known";
                On::Unknown(Some(self.unsupported(message, T::Unknown, span).expr))
            }
        }
    }

    /// `super` or `Outer.super`: the object as one of the class above.
    pub(super) fn super_object(&mut self, of: Option<&'a tree::Expr>, span: Span) -> Option<Typed> {
        let mut object = self.this(span)?;
        let T::Class(mut class, _) = object.ty.clone() else { return None };
        if let Some(of) = of
            && let Meaning::Type(T::Class(named, _)) = self.meaning(of)
        {
            let is_interface = self.world.program.class(named).kind == ClassKind::Interface;
            // `Interface.super.m()`
            let above = self.world.as_super(&object.ty, named);
            if let (true, true, Some(above)) = (is_interface, class != named, above) {
                object.ty = above;
                return Some(object);
            }
            (object, class) = (self.this_of(named, span)?, named);
        }
        let info = &self.world.infos[class.index()];
        let above = info.supertypes.first().cloned().or_else(|| self.world.object().map(T::class));
        object.ty = above?;
        Some(object)
    }

    /// The object or class that a call without a receiver is about: the nearest class around that
    /// has such a method.
    fn implicit(&mut self, name: &Name, span: Span) -> On {
        let mut static_of = None;
        for at in (0..self.frames.len()).rev() {
            let mut class = self.frames[at].class.filter(|_| !self.frames[at].is_lambda);
            while let Some(around) = class {
                let own = self.own_type(around);
                if !self.candidates(&own, name.as_str()).is_empty() {
                    static_of = Some(around);
                    break;
                }
                if self.world.infos[around.index()].local.is_some() && at > 0 {
                    break;
                }
                class = self.world.program.class(around).outer;
            }
            if static_of.is_some() {
                break;
            }
        }
        if let Some(class) = static_of {
            return match self.this_of(class, span) {
                Some(this) => On::Object(this, false),
                None => On::Class(self.own_type(class)),
            };
        }
        if let Some(class) = self.imported_method(name) {
            return On::Class(T::class(class));
        }
        if self.inherits_unknown() {
            return On::Unknown(None);
        }
        let message = format!("no method `{name}` is declared");
        On::Unknown(Some(self.wrong(Code::UnknownName, span, message).expr))
    }

    /// `import static a.B.m;`
    fn imported_method(&mut self, name: &Name) -> Option<ClassId> {
        let scope = self.here().scope.clone();
        let imports = self.world.units.get(scope.unit)?.imports;
        for import in static_imports(imports) {
            let mut path: Vec<Name> = import.path.iter().map(|part| part.name.clone()).collect();
            if !import.all && path.pop().as_ref() != Some(name) {
                continue;
            }
            let Some(class) = self.world.class_of_path(&path, &scope) else { continue };
            if !self.candidates(&T::class(class), name.as_str()).is_empty() {
                return Some(class);
            }
        }
        None
    }

    /// A call of something of which nothing is known.
    fn unknown_call(
        &mut self,
        on: On,
        call: &'a tree::CallExpr,
        args: Vec<Arg<'a>>,
        span: Span,
    ) -> Typed {
        let receiver = match on {
            On::Object(object, _) => Some(object.expr),
            On::Unknown(receiver) => receiver,
            On::Class(_) => None,
        };
        let args = self.unknown_args(args);
        let name = call.name.name.clone();
        let callee = Callee { method: None, name, receiver, args, is_virtual: true };
        self.typed(ExprKind::Call(Box::new(callee)), T::Unknown, span)
    }

    pub(super) fn unknown_args(&mut self, args: Vec<Arg<'a>>) -> Vec<Expr> {
        args.into_iter()
            .map(|arg| match arg {
                Arg::Value(value) => value.expr,
                Arg::Function(expr) => self.expecting(expr, None).expr,
            })
            .collect()
    }

    /// Arguments as the method takes them. Functions tell more about type arguments.
    pub(super) fn finish_args(
        &mut self,
        chosen: &Candidate,
        phase: Phase,
        args: Vec<Arg<'a>>,
        known: &mut Substitution,
    ) -> Vec<Expr> {
        let info = &self.world.method_infos[chosen.method.index()];
        let (params, mut free) = (info.params.clone(), info.type_params.clone());
        let method = self.world.program.method(chosen.method);
        if method.is_constructor {
            // Of `new C<>(..)`, what is not known yet.
            free.extend(&self.world.infos[method.class.index()].params);
            free.retain(|var| !known.iter().any(|(other, _)| other == var));
        }
        let mut done = Vec::new();
        for (at, arg) in args.into_iter().enumerate() {
            let formal = match (phase, params.last()) {
                (Phase::Varargs, Some(T::Array(element))) if at + 1 >= params.len() => {
                    (**element).clone()
                }
                _ => params.get(at).cloned().unwrap_or(T::Unknown),
            };
            let wanted = formal.with(known);
            let value = match arg {
                Arg::Value(value) => value,
                Arg::Function(expr) => {
                    let value = self.expecting(expr, Some(&wanted));
                    self.world.unify(&formal, &value.ty, &free, known);
                    value
                }
            };
            done.push(self.convert(value, &wanted).expr);
        }
        if phase == Phase::Varargs {
            let first = params.len().saturating_sub(1);
            let rest: Vec<Expr> = done.split_off(first.min(done.len()));
            let span =
                rest.first().map_or(self.world.program.method(chosen.method).span, |one| one.span);
            let ty = params.last().map_or(T::Unknown, |ty| ty.with(known));
            done.push(self.typed(ExprKind::ArrayOf(rest), ty, span).expr);
        }
        done
    }

    /// The constructor that is meant, with its arguments.
    pub(super) fn constructor(
        &mut self,
        ty: &T,
        args: &'a [tree::Expr],
        span: Span,
    ) -> (Option<MethodId>, Vec<Expr>, Substitution) {
        let T::Class(class, type_args) = ty else {
            let args = self.args(args, &[]);
            return (None, self.unknown_args(args), Vec::new());
        };
        self.world.load_type(ty);
        let known = self.arguments_of(*class, type_args);
        let methods = self.world.program.class(*class).methods.clone();
        let is_constructor = |id: &MethodId| self.world.program.method(*id).is_constructor;
        let candidates: Vec<Candidate> = methods
            .into_iter()
            .filter(is_constructor)
            .map(|method| Candidate { method, known: known.clone() })
            .collect();
        let candidates = self.accessible(candidates);
        self.load_formals(&candidates);
        let args = self.args(args, &candidates);
        match self.choose(&candidates, &args) {
            Some((chosen, phase)) => {
                self.world.chosen.push((span, Chosen::Method(chosen.method)));
                let mut known = self.infer(&chosen, phase, &args);
                if type_args.is_empty() {
                    self.infer_class(&chosen, &args, *class, &mut known);
                }
                let args = self.finish_args(&chosen, phase, args, &mut known);
                (Some(chosen.method), args, known)
            }
            None => {
                let kind = self.world.program.class(*class).kind;
                let is_interface = kind == ClassKind::Interface && args.is_empty();
                let is_known = self.is_fully_known(*class) && !has_unknown(&args);
                let mut args = self.unknown_args(args);
                if !is_interface && is_known {
                    let name = &self.world.program.class(*class).name;
                    let message = format!("no constructor of `{name}` takes these arguments");
                    args.push(self.wrong(Code::UnknownName, span, message).expr);
                }
                (None, args, Vec::new())
            }
        }
    }

    /// Type arguments of a class that is made with `<>`.
    fn infer_class(
        &self,
        chosen: &Candidate,
        args: &[Arg<'a>],
        class: ClassId,
        known: &mut Substitution,
    ) {
        let free = &self.world.infos[class.index()].params;
        let params = &self.world.method_infos[chosen.method.index()].params;
        for (formal, arg) in params.iter().zip(args) {
            if let Arg::Value(value) = arg {
                self.world.unify(formal, &value.ty, free, known);
            }
        }
    }
}

fn has_unknown(args: &[Arg<'_>]) -> bool {
    args.iter().any(|arg| match arg {
        Arg::Value(value) => value.ty == T::Unknown,
        Arg::Function(_) => false,
    })
}
