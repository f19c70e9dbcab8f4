//! Types: the meaning of written ones, which fit each other, how they are shown.

use super::Checker;
use super::symbols::{Global, Member, Symbols};
use crate::hir::{Expr, ExprKind, Program, Type};
use crate::syntax::{self, TypeKind};
use diagnostic::most_similar;
use diagnostic::{Code, Diagnostic};
use source::Span;

/// The meaning of a written type.
pub(super) fn resolve_type(
    ty: &syntax::Type,
    symbols: &Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Type {
    match &ty.kind {
        TypeKind::Int => Type::Int,
        TypeKind::Bool => Type::Bool,
        TypeKind::String => Type::Str,
        TypeKind::Seq(element) => Type::Seq(Box::new(resolve_type(element, symbols, diagnostics))),
        TypeKind::Set(element) => {
            resolve_type(element, symbols, diagnostics);
            Type::Unsupported
        }
        TypeKind::Error => Type::Unsupported,
        TypeKind::Name(name) => match symbols.globals.get(name) {
            Some(&(Global::Class(id), _)) if symbols.refining.contains(&id) => Type::Unsupported,
            Some(&(Global::Class(id), _)) => Type::Object(id),
            Some(&(Global::Channel(id), _)) => Type::Channel(id),
            None => {
                let message = format!("there is no class or channel `{name}`");
                let mut error =
                    Diagnostic::new(Code::UnknownName, ty.span, message).at("not declared");
                if let Some(similar) = most_similar(name, symbols.globals.keys()) {
                    error = error.help(format!("did you mean `{similar}`?"));
                }
                diagnostics.push(error);
                Type::Unsupported
            }
        },
        TypeKind::Token(class, method) => {
            let class_type = resolve_type(class, symbols, diagnostics);
            let class_id = match class_type {
                Type::Object(id) => id,
                Type::Unsupported => return Type::Unsupported,
                _ => {
                    let message = "a token needs a method of a class";
                    let error = Diagnostic::new(Code::TypeMismatch, class.span, message);
                    diagnostics.push(error.at("not a class"));
                    return Type::Unsupported;
                }
            };
            match symbols.member(class_id, &method.name) {
                Some(Member::Method(id)) => Type::Token(id),
                Some(Member::Transform) => Type::Unsupported,
                Some(_) | None => {
                    let message = format!("the class has no method `{}`", method.name);
                    let error = Diagnostic::new(Code::UnknownName, method.span, message);
                    diagnostics.push(error.at("not a method of the class"));
                    Type::Unsupported
                }
            }
        }
    }
}

/// Whether values of the type are references.
pub(super) fn is_reference(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Object(_) | Type::Channel(_) | Type::Token(_) | Type::Null | Type::Unsupported
    )
}

/// Whether a value of type `found` may stand where `wanted` is.
pub(super) fn fits(wanted: &Type, found: &Type) -> bool {
    match (wanted, found) {
        (Type::Unsupported, _) | (_, Type::Unsupported) => true,
        (Type::Seq(wanted), Type::Seq(found)) => fits(wanted, found),
        (wanted, Type::Null) => is_reference(wanted),
        (wanted, found) => wanted == found,
    }
}

/// How a type is written.
pub(crate) fn show(ty: &Type, program: &Program) -> String {
    match ty {
        Type::Int => "int".into(),
        Type::Bool => "bool".into(),
        Type::Str => "string".into(),
        Type::Object(id) => program.classes[id.index()].name.to_string(),
        Type::Channel(id) => program.channels[id.index()].name.to_string(),
        Type::Token(id) => {
            let method = &program.methods[id.index()];
            format!("token<{}.{}>", program.classes[method.class.index()].name, method.name)
        }
        Type::Null => "null".into(),
        Type::Mu => "mu".into(),
        Type::Seq(element) => format!("seq<{}>", show(element, program)),
        Type::Unsupported => "?".into(),
    }
}

impl Checker<'_> {
    pub(super) fn resolve_type(&mut self, ty: &syntax::Type) -> Type {
        resolve_type(ty, self.symbols, self.diagnostics)
    }

    pub(super) fn show(&self, ty: &Type) -> String {
        show(ty, self.program)
    }

    /// Reports an expression that does not have the type its place needs. `[]` takes the type that
    /// is wanted.
    pub(super) fn want(&mut self, expr: &mut Expr, wanted: &Type, what: &str) {
        adopt(expr, wanted);
        if !fits(wanted, &expr.ty) {
            self.wrong_type(expr.span, wanted, &expr.ty, what);
        }
        refuse_waitlevel(expr);
    }

    pub(super) fn wrong_type(&mut self, span: Span, wanted: &Type, found: &Type, what: &str) {
        let (wanted, found) = (self.show(wanted), self.show(found));
        let message = format!("{what} must be of type `{wanted}`, not `{found}`");
        let error =
            Diagnostic::new(Code::TypeMismatch, span, message).at(format!("is of type `{found}`"));
        self.report(error);
    }

    pub(super) fn want_reference(&mut self, expr: &Expr, what: &str) {
        if !is_reference(&expr.ty) {
            let found = self.show(&expr.ty);
            let message = format!("{what} must be a reference, not of type `{found}`");
            self.mismatch(expr.span, message);
        }
    }

    pub(super) fn want_object(&mut self, expr: &Expr, what: &str) {
        if !matches!(expr.ty, Type::Object(_) | Type::Null | Type::Unsupported) {
            let found = self.show(&expr.ty);
            let message = format!("{what} must be an object, not of type `{found}`");
            self.mismatch(expr.span, message);
        }
    }
}

/// `waitlevel` is a set of positions in disguise: it can be compared, but is no value.
pub(super) fn refuse_waitlevel(expr: &mut Expr) {
    let inside = match &expr.kind {
        ExprKind::Old(inside) => &inside.kind,
        kind => kind,
    };
    if matches!(inside, ExprKind::WaitLevel) {
        expr.kind = ExprKind::Unsupported("`waitlevel` as a value".into());
    }
}

/// Gives an empty sequence the type that its place wants: it has no element that says which.
pub(super) fn adopt(expr: &mut Expr, wanted: &Type) {
    let is_empty = matches!(&expr.kind, ExprKind::SeqLiteral(elements) if elements.is_empty());
    if is_empty && matches!(wanted, Type::Seq(_)) {
        expr.ty = wanted.clone();
    }
}
