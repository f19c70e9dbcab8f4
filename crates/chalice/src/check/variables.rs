//! Resolves a name in an expression: a variable, or a member of `this`.

use super::symbols::Member;
use super::{Checker, Owner, error_expr};
use crate::hir::{Expr, ExprKind, FieldId, Loc, LocalId, Type};
use crate::syntax::{self, Ident};
use diagnostic::most_similar;
use diagnostic::{Code, Diagnostic};
use source::{Name, Span};

impl Checker<'_> {
    pub(super) fn this(&mut self, span: Span) -> Expr {
        let ty = match self.owner {
            Owner::Class(class) => Type::Object(class),
            Owner::Channel(channel) => Type::Channel(channel),
        };
        if self.place.is_static {
            let help = "drop `static`, or pass the object as a parameter";
            self.misplaced(span, "`this` in a static function", help);
            return error_expr(span);
        }
        Expr { kind: ExprKind::This, ty, span }
    }

    /// A variable if there is one, else a field of `this`, else `maxlock`, the old spelling of
    /// `waitlevel`.
    pub(super) fn name(&mut self, name: &Name, span: Span) -> Expr {
        if let Some(id) = self.lookup(name) {
            return self.local(id, span);
        }
        let ident = Ident { name: name.clone(), span };
        let member = match self.owner {
            Owner::Class(class) => self.symbols.member(class, name),
            Owner::Channel(_) => None,
        };
        match (member, name.as_str()) {
            (None, "maxlock") => self.waitlevel(span),
            (None, "mu") | (Some(_), _) => {
                let this = self.this(span);
                self.read(this, &ident, span)
            }
            _ => {
                self.unknown_variable(name, span);
                error_expr(span)
            }
        }
    }

    pub(super) fn local(&mut self, id: LocalId, span: Span) -> Expr {
        let local = &self.locals[id.index()];
        let (ty, name) = (local.ty.clone(), local.name.clone());
        if self.is_ghost(id) {
            self.refuse_ghost(&name, span);
        }
        if ty == Type::Unsupported {
            return error_expr(span);
        }
        Expr { kind: ExprKind::Local(id), ty, span }
    }

    fn refuse_ghost(&mut self, name: &Name, span: Span) {
        if !self.place.ghost {
            let help =
                "code that runs cannot depend on ghost state; drop `ghost` where it is declared";
            self.misplaced(span, format!("`{name}` is for specifications only"), help);
        }
    }

    fn unknown_variable(&mut self, name: &Name, span: Span) {
        let mut error = Diagnostic::new(
            Code::UnknownName,
            span,
            format!("there is no variable or field `{name}`"),
        )
        .at("not declared");
        let members = match self.owner {
            Owner::Class(class) => self.symbols.members.get(class.index()),
            Owner::Channel(_) => None,
        };
        let locals = self.visible.iter().rev().map(|id| &self.locals[id.index()].name);
        let candidates = locals.chain(members.into_iter().flat_map(|names| names.keys()));
        if let Some(similar) = most_similar(name, candidates) {
            error = error.help(format!("did you mean `{similar}`?"));
        }
        self.report(error);
    }

    /// `e.f` as a value.
    pub(super) fn read(&mut self, object: Expr, name: &Ident, span: Span) -> Expr {
        if let Type::Object(class) = object.ty {
            match self.symbols.member(class, &name.name) {
                Some(Member::Predicate(_)) => {
                    self.predicate_as_value(&name.name, span);
                    return error_expr(span);
                }
                Some(Member::Field(id)) if self.program.fields[id.index()].ghost => {
                    self.refuse_ghost(&name.name, span);
                }
                None if matches!(name.name.as_str(), "held" | "rdheld") => {
                    return self.holds(object, name.name.as_str() == "rdheld", span);
                }
                _ => {}
            }
        }
        match self.location(&object.ty, name) {
            Some((_, Type::Unsupported)) | None => error_expr(span),
            Some((loc, ty)) => Expr { kind: ExprKind::Read(Box::new(object), loc), ty, span },
        }
    }

    pub(super) fn predicate_as_value(&mut self, name: &Name, span: Span) {
        let help = "permissions stand alone, in conjunctions, right of `==>`, and under `forall`";
        self.misplaced(span, format!("the predicate `{name}` is not a truth value"), help);
    }

    pub(super) fn holds(&mut self, object: Expr, read: bool, span: Span) -> Expr {
        if let Some(place) = self.place.no_holds {
            let word = if read { "rd holds" } else { "holds" };
            let help = "whether a monitor is held is a matter of one thread at one time";
            self.misplaced(span, format!("`{word}` in {place}"), help);
        }
        self.want_reference(&object, "the operand of `holds`");
        let object = Box::new(object);
        let kind = if read { ExprKind::RdHolds(object) } else { ExprKind::Holds(object) };
        Expr { kind, ty: Type::Bool, span }
    }

    pub(super) fn waitlevel(&mut self, span: Span) -> Expr {
        if let Some(place) = self.place.no_waitlevel {
            let help = "the locks that are held are a matter of one thread at one time";
            self.misplaced(span, format!("`waitlevel` in {place}"), help);
        }
        Expr { kind: ExprKind::WaitLevel, ty: Type::Mu, span }
    }

    /// Whether a name alone can mean a member of `this`.
    pub(super) fn is_member_of_this(&self, name: &Name) -> bool {
        match self.owner {
            Owner::Class(class) => {
                name.as_str() == "mu" || self.symbols.member(class, name).is_some()
            }
            Owner::Channel(_) => false,
        }
    }

    pub(super) fn field_of_this(&self, name: &Name) -> Option<FieldId> {
        match self.owner {
            Owner::Class(class) => match self.symbols.member(class, name) {
                Some(Member::Field(id)) => Some(id),
                _ => None,
            },
            Owner::Channel(_) => None,
        }
    }

    /// Reports a member that is missing or of another kind than wanted.
    pub(super) fn no_such_member(&mut self, ty: &Type, name: &Ident, wanted: &str) {
        let class = match ty {
            Type::Object(class) => *class,
            Type::Unsupported => return,
            _ => {
                let shown = self.show(ty);
                let message = format!("`{shown}` has no member `{}`", name.name);
                let error = Diagnostic::new(Code::UnknownName, name.span, message);
                self.report(error.at("not a member"));
                return;
            }
        };
        let shown = self.show(ty);
        let error = match self.symbols.member(class, &name.name) {
            Some(member) => {
                let what = member.describe();
                let message = format!("`{}` is {what} of `{shown}`, not {wanted}", name.name);
                Diagnostic::new(Code::TypeMismatch, name.span, message).at(format!("not {wanted}"))
            }
            None => {
                let message = format!("the class `{shown}` has no member `{}`", name.name);
                let mut error =
                    Diagnostic::new(Code::UnknownName, name.span, message).at("not declared");
                let names = self.symbols.members[class.index()].keys();
                if let Some(similar) = most_similar(&name.name, names) {
                    error = error.help(format!("did you mean `{similar}`?"));
                }
                error
            }
        };
        self.report(error);
    }

    /// `o.~(C.f)`: not supported, but its names are checked.
    pub(super) fn back_pointers(
        &mut self,
        object: Option<&syntax::Expr>,
        class: &Ident,
        field: &Ident,
        span: Span,
    ) -> Expr {
        let object = match object {
            Some(object) => self.expr(object),
            None => self.this(span),
        };
        let ty =
            syntax::Type { kind: syntax::TypeKind::Name(class.name.clone()), span: class.span };
        let ty = self.resolve_type(&ty);
        if let Some((Loc::Field(id), target)) = self.location(&ty, field) {
            let is_tracked = self.symbols.tracked.contains(&id);
            if !super::types::fits(&target, &object.ty) {
                self.wrong_type(object.span, &target, &object.ty, "the target of the field");
            } else if !is_tracked {
                let message = format!("the field `{}` is not tracked", field.name);
                self.mismatch(field.span, message);
            }
        }
        Expr { kind: ExprKind::Unsupported("back-pointers".into()), ty: Type::Unsupported, span }
    }
}
