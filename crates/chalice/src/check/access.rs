//! Checks the targets of permissions: what `acc` and `rd` give permission to.

use super::symbols::Member;
use super::{Checker, Owner};
use crate::hir::{
    Amount, AmountKind, Assertion, AssertionKind, Expr, FieldId, Loc, PredicateAccess, Target, Type,
};
use crate::syntax::{self, ExprKind};
use diagnostic::{Code, Diagnostic};
use source::{Name, Span};

/// Stands for a permission to nothing. It is not a formula that is true, since the object may be of
/// a class that is not supported.
const NOT_A_LOCATION: &str = "permission to what is not supported";

impl Checker<'_> {
    /// `acc(place, amount)`
    pub(super) fn acc(
        &mut self,
        place: &syntax::Expr,
        amount: Option<&syntax::Expr>,
        span: Span,
    ) -> Assertion {
        let amount = match amount {
            None => Amount { kind: AmountKind::Full, span },
            Some(amount) => self.amount(amount),
        };
        self.access(place, amount, span)
    }

    /// `rd(place, count)`
    pub(super) fn rd(
        &mut self,
        place: &syntax::Expr,
        count: Option<&syntax::Expr>,
        span: Span,
    ) -> Assertion {
        let kind = match count {
            None => AmountKind::Read,
            Some(count) => {
                AmountKind::Epsilons(self.typed(count, &Type::Int, "the number of epsilons"))
            }
        };
        self.access(place, Amount { kind, span }, span)
    }

    pub(super) fn access(&mut self, place: &syntax::Expr, amount: Amount, span: Span) -> Assertion {
        let kind = self.access_kind(place, amount);
        Assertion { kind, span }
    }

    fn access_kind(&mut self, place: &syntax::Expr, amount: Amount) -> AssertionKind {
        match &place.kind {
            ExprKind::AllFields(inside) => match &inside.kind {
                ExprKind::AllElements(seq) => self.each_all(seq, amount),
                _ => self.all_fields(inside, amount),
            },
            ExprKind::Field(inside, name) => match &inside.kind {
                ExprKind::AllElements(seq) => self.each(seq, name, amount),
                _ if has_all_elements(inside) => {
                    AssertionKind::Unsupported("`[*]` before more than one field".into())
                }
                _ => self.one(place, amount),
            },
            ExprKind::BackPointers(object, class, field) => {
                self.back_pointers(object.as_deref(), class, field, place.span);
                AssertionKind::Unsupported("permission to back-pointers".into())
            }
            ExprKind::Name(_) | ExprKind::Apply(_) => self.one(place, amount),
            ExprKind::Error => AssertionKind::Unsupported(NOT_A_LOCATION.into()),
            _ => {
                self.not_a_location(place.span);
                AssertionKind::Unsupported(NOT_A_LOCATION.into())
            }
        }
    }

    fn not_a_location(&mut self, span: Span) {
        self.report(
            Diagnostic::new(Code::TypeMismatch, span, "a permission is to a location")
                .at("not a location")
                .help("write a field `e.f`, a predicate `e.P`, `e.*` or `s[*].f`"),
        );
    }

    /// One field or predicate. Local variables are not on the heap: a name alone is a member of
    /// `this`.
    fn one(&mut self, place: &syntax::Expr, amount: Amount) -> AssertionKind {
        if let ExprKind::Name(name) = &place.kind {
            return self.own_member(name, place, amount);
        }
        if let Some(access) = self.predicate_access(place, amount.clone()) {
            return AssertionKind::Predicate(access);
        }
        let ExprKind::Field(object, name) = &place.kind else {
            self.not_a_location(place.span);
            return AssertionKind::Unsupported(NOT_A_LOCATION.into());
        };
        let object = self.expr(object);
        match self.location(&object.ty, name) {
            Some((loc, _)) => AssertionKind::Access(Target::One(object, loc), amount),
            None => AssertionKind::Unsupported(NOT_A_LOCATION.into()),
        }
    }

    fn own_member(&mut self, name: &Name, place: &syntax::Expr, amount: Amount) -> AssertionKind {
        let this = self.this(place.span);
        let member = match self.owner {
            Owner::Class(class) => self.symbols.member(class, name),
            Owner::Channel(_) => None,
        };
        match member {
            Some(Member::Predicate(predicate)) => {
                let symbols = self.symbols;
                let types = &symbols.predicates[predicate.index()];
                let args = self.args(&[], types, place.span, &format!("the predicate `{name}`"));
                let (receiver, span) = (this, place.span);
                let access = PredicateAccess { receiver, predicate, args, amount, span };
                AssertionKind::Predicate(access)
            }
            None if self.lookup(name).is_some() => {
                let error = Diagnostic::new(
                    Code::TypeMismatch,
                    place.span,
                    format!("`{name}` is a local variable, which needs no permission"),
                );
                self.report(error.at("not a location").help("write the field that is meant"));
                AssertionKind::Unsupported(NOT_A_LOCATION.into())
            }
            _ => {
                let ident = syntax::Ident { name: name.clone(), span: place.span };
                match self.location(&this.ty, &ident) {
                    Some((loc, _)) => AssertionKind::Access(Target::One(this, loc), amount),
                    None => AssertionKind::Unsupported(NOT_A_LOCATION.into()),
                }
            }
        }
    }

    fn all_fields(&mut self, object: &syntax::Expr, amount: Amount) -> AssertionKind {
        let object = self.expr(object);
        match object.ty {
            Type::Object(class) => AssertionKind::Access(Target::All(object, class), amount),
            Type::Channel(_) | Type::Token(_) | Type::Unsupported => {
                AssertionKind::Unsupported("`.*` of what is no object".into())
            }
            _ => {
                self.want_object(&object, "what stands before `.*`");
                AssertionKind::Unsupported(NOT_A_LOCATION.into())
            }
        }
    }

    /// The sequence before `[*]` and the type of its elements.
    fn elements(&mut self, seq: &syntax::Expr) -> (Expr, Type) {
        let seq = self.expr(seq);
        let element = match &seq.ty {
            Type::Seq(element) => (**element).clone(),
            Type::Unsupported => Type::Unsupported,
            other => {
                let found = self.show(other);
                self.mismatch(seq.span, format!("`[*]` needs a sequence, not `{found}`"));
                Type::Unsupported
            }
        };
        (seq, element)
    }

    fn each_all(&mut self, seq: &syntax::Expr, amount: Amount) -> AssertionKind {
        let (seq, element) = self.elements(seq);
        match element {
            Type::Object(class) => AssertionKind::Access(Target::EachAll(seq, class), amount),
            Type::Unsupported => AssertionKind::Unsupported("`[*].*`".into()),
            other => {
                let found = self.show(&other);
                self.mismatch(seq.span, format!("`[*].*` needs objects, not `{found}`"));
                AssertionKind::Unsupported(NOT_A_LOCATION.into())
            }
        }
    }

    fn each(&mut self, seq: &syntax::Expr, name: &syntax::Ident, amount: Amount) -> AssertionKind {
        let (seq, element) = self.elements(seq);
        if let Type::Object(class) = element
            && let Some(Member::Predicate(_)) = self.symbols.member(class, &name.name)
        {
            return AssertionKind::Unsupported("`[*]` before a predicate".into());
        }
        if element == Type::Unsupported {
            return AssertionKind::Unsupported("`[*]`".into());
        }
        match self.location(&element, name) {
            Some((loc, _)) => AssertionKind::Access(Target::Each(seq, loc), amount),
            None => AssertionKind::Unsupported(NOT_A_LOCATION.into()),
        }
    }

    /// The location of this name in an object, with its type. A name that is no location is
    /// reported.
    pub(super) fn location(&mut self, ty: &Type, name: &syntax::Ident) -> Option<(Loc, Type)> {
        let member = match ty {
            Type::Object(class) => self.symbols.member(*class, &name.name),
            _ => None,
        };
        match (ty, member, name.name.as_str()) {
            (_, Some(Member::Field(id)), _) => Some((Loc::Field(id), self.field_type(id))),
            (Type::Object(_) | Type::Channel(_), None, "mu") => Some((Loc::Mu, Type::Mu)),
            (Type::Token(_), _, "joinable") => Some((Loc::Joinable, Type::Bool)),
            (Type::Unsupported, ..) => None,
            _ => {
                self.no_such_member(ty, name, "a field");
                None
            }
        }
    }

    pub(super) fn field_type(&self, id: FieldId) -> Type {
        self.program.fields[id.index()].ty.clone()
    }
}

fn has_all_elements(e: &syntax::Expr) -> bool {
    match &e.kind {
        ExprKind::AllElements(_) => true,
        ExprKind::Field(inside, _) => has_all_elements(inside),
        _ => false,
    }
}
