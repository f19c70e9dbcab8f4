//! Patterns, of `instanceof` and of cases.
//!
//! A pattern of a record becomes a test of its class and, joined by `&&`, what its parts ask of the
//! components. These are read as fields: where a record has an accessor of its own, which may do
//! anything, the pattern is not handled.

use super::body::Body;
use super::exprs::Typed;
use super::operators::BOOLEAN;
use super::types::T;
use crate::tree::{self, BinaryOp, Expr as TreeExpr, Pattern, Prim};
use crate::typed::{ClassId, ClassKind, Expr, ExprKind, LocalId, Origin, Place, Ty};
use source::{Name, Span};

/// What a pattern of a record asks for beside the class of the object.
pub(super) struct Taken {
    pub(super) class: Ty,
    /// Gets the object.
    pub(super) object: LocalId,
    /// Nothing if every object of the class fits.
    pub(super) parts: Option<Expr>,
}

/// Why a pattern is not handled.
type Gap = &'static str;

impl<'a> Body<'_, 'a> {
    /// `value instanceof pattern`
    pub(super) fn instance_of(
        &mut self,
        value: &'a TreeExpr,
        pattern: &'a Pattern,
        span: Span,
    ) -> Typed {
        let value = self.expr(value);
        match pattern {
            Pattern::Type(ty, name) => {
                let ty = self.ty(ty);
                let erased = self.world.erased(&ty);
                // It is in sight for longer than in Java, where flow decides: a name of a later
                // pattern replaces it.
                let local =
                    name.as_ref().map(|name| self.declare(name.name.clone(), ty, name.span));
                let kind = ExprKind::InstanceOf(Box::new(value.expr), erased, local);
                self.typed(kind, BOOLEAN, span)
            }
            Pattern::Record(ty, parts) => match self.record(ty, parts, span) {
                Ok(taken) => {
                    let expr = self.is_taken(value.expr, taken, span);
                    Typed { expr, ty: BOOLEAN }
                }
                Err(gap) => self.gap(pattern, gap, span),
            },
            Pattern::Any => self.gap(pattern, "this pattern", span),
        }
    }

    fn gap(&mut self, pattern: &'a Pattern, gap: Gap, span: Span) -> Typed {
        self.declare_patterns(std::slice::from_ref(pattern));
        self.unsupported(gap, BOOLEAN, span)
    }

    /// Whether an object is of the class of a record, and its components fit.
    fn is_taken(&mut self, value: Expr, taken: Taken, span: Span) -> Expr {
        let kind = ExprKind::InstanceOf(Box::new(value), taken.class, Some(taken.object));
        let test = self.typed(kind, BOOLEAN, span).expr;
        self.both(Some(test.clone()), taken.parts).unwrap_or(test)
    }

    /// Both of two conditions.
    pub(super) fn both(&mut self, one: Option<Expr>, other: Option<Expr>) -> Option<Expr> {
        match (one, other) {
            (Some(one), Some(other)) => {
                let span = one.span;
                let kind = ExprKind::Binary(BinaryOp::And, Box::new(one), Box::new(other));
                Some(self.typed(kind, BOOLEAN, span).expr)
            }
            (one, other) => one.or(other),
        }
    }

    /// `R(patterns)`, with the variables that it declares.
    pub(super) fn record(
        &mut self,
        ty: &'a tree::Type,
        patterns: &'a [Pattern],
        span: Span,
    ) -> Result<Taken, Gap> {
        let ty = self.ty(ty);
        let T::Class(class, args) = &ty else {
            return Err("a pattern of a type that is not known");
        };
        let (class, is_raw) = (*class, args.is_empty());
        let about = self.world.program.class(class);
        if about.kind != ClassKind::Record || about.origin != Origin::Checked {
            return Err("a pattern of a record that is not read");
        }
        let components = about.fields.iter().copied().filter(|field| {
            let field = self.world.program.field(*field);
            !field.is_static && !field.is_synthetic && !field.is_ghost
        });
        let components: Vec<_> = components.collect();
        if components.len() != patterns.len() {
            return Err("a pattern with another number of parts than the record has");
        }
        let object = self.declare(Name::from("the record"), ty.clone(), span);
        let mut parts = None;
        for (field, pattern) in components.into_iter().zip(patterns) {
            let name = self.world.program.field(field).name.clone();
            if self.has_own_accessor(class, &name) {
                return Err("a pattern of a record with an accessor of its own");
            }
            let known = self.typed(ExprKind::Local(object), ty.clone(), span);
            let kind = ExprKind::Field(Box::new(known.expr), field);
            let of = self.find_field(&ty, &name).map_or(T::Unknown, |(_, of)| of);
            // What arguments a generic record has that is named without, flow decides.
            let is_guessed = is_raw && mentions_variable(&self.world.field_types[field.index()]);
            let value = self.typed(kind, of, span);
            let part = self.part(value, pattern, is_guessed, span)?;
            parts = self.both(parts, part);
        }
        Ok(Taken { class: self.world.erased(&ty), object, parts })
    }

    fn has_own_accessor(&self, class: ClassId, name: &Name) -> bool {
        self.world.methods_named(class, name.as_str()).iter().any(|method| {
            let is_written = self.world.method_infos[method.index()].decl.is_some();
            is_written && self.world.program.method(*method).params.is_empty()
        })
    }

    /// What a part of a pattern asks of a component; nothing if everything fits.
    fn part(
        &mut self,
        value: Typed,
        pattern: &'a Pattern,
        is_guessed: bool,
        span: Span,
    ) -> Result<Option<Expr>, Gap> {
        match pattern {
            Pattern::Any => Ok(None),
            Pattern::Record(ty, parts) => {
                let taken = self.record(ty, parts, span)?;
                Ok(Some(self.is_taken(value.expr, taken, span)))
            }
            Pattern::Type(ty, name) => {
                let is_inferred = matches!(ty.kind, tree::TypeKind::Inferred);
                let ty = if is_inferred { value.ty.clone() } else { self.ty(ty) };
                if is_guessed && !is_inferred {
                    return Err("a pattern of a generic record without its arguments");
                }
                if ty.is_primitive() != value.ty.is_primitive()
                    || ty.is_primitive() && ty != value.ty
                {
                    return Err("a pattern of a number of another type");
                }
                // `null` fits a type that says no more than that of the component.
                let fits_all =
                    is_inferred || ty == value.ty || self.world.is_subtype(&value.ty, &ty);
                let local = name
                    .as_ref()
                    .map(|name| self.declare(name.name.clone(), ty.clone(), name.span));
                if fits_all {
                    return match local {
                        Some(local) => self.given(value, (local, ty), span),
                        None => Ok(None),
                    };
                }
                let erased = self.world.erased(&ty);
                let kind = ExprKind::InstanceOf(Box::new(value.expr), erased, local);
                Ok(Some(self.typed(kind, BOOLEAN, span).expr))
            }
        }
    }

    /// Gives a variable a value, as something that holds: `(x = value) == x`.
    fn given(
        &mut self,
        value: Typed,
        (local, ty): (LocalId, T),
        span: Span,
    ) -> Result<Option<Expr>, Gap> {
        if matches!(ty, T::Prim(Prim::Float | Prim::Double)) {
            return Err("a pattern of a number with a fraction");
        }
        let place = Box::new(Place::Local(local, span));
        let kind = ExprKind::Assign(place, Box::new(value.expr));
        let given = self.typed(kind, ty.clone(), span);
        let known = self.typed(ExprKind::Local(local), ty, span);
        Ok(Some(self.operation(BinaryOp::Eq, given, known, span).expr))
    }

    /// Declares the variables of patterns that are not handled, so that their names mean something.
    pub(super) fn declare_patterns(&mut self, patterns: &'a [Pattern]) {
        for pattern in patterns {
            match pattern {
                Pattern::Type(ty, Some(name)) => {
                    let ty = self.ty(ty);
                    self.declare(name.name.clone(), ty, name.span);
                }
                Pattern::Record(ty, inner) => {
                    self.ty(ty);
                    self.declare_patterns(inner);
                }
                Pattern::Type(_, None) | Pattern::Any => {}
            }
        }
    }
}

/// Whether a type depends on arguments of the class.
fn mentions_variable(ty: &T) -> bool {
    match ty {
        T::Var(_) => true,
        T::Class(_, args) => args.iter().any(mentions_variable),
        T::Array(element) => mentions_variable(element),
        _ => false,
    }
}
