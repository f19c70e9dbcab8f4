//! Classes of objects.

use super::Lowering;
use super::terms::{self, Term as _};
use crate::typed::{ClassId, ClassKind, Origin, Ty};
use plato::ast::Expr;
use source::Span;
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// That an object is of a class, or of one below it. Which classes there are is known when the
    /// whole method is written; here their names are noted.
    pub(super) fn is_instance(&mut self, object: &Expr, class: ClassId) -> Expr {
        if Some(class) == self.program.well_known.object {
            return terms::boolean(true, object.span);
        }
        self.used.classes.insert(class);
        let name = self.class_predicate(class);
        apply(&name, object.clone())
    }

    pub(super) fn class_predicate(&self, class: ClassId) -> String {
        format!("is {}", self.program.class(class).name)
    }

    /// That a value has a type, `null` included.
    pub(super) fn has_type(&mut self, value: &Expr, ty: &Ty) -> Expr {
        match ty {
            Ty::Class(class) if Some(*class) != self.program.well_known.object => {
                let is_null = value.clone().equals(terms::null(value.span));
                let is_instance = self.is_instance(value, *class);
                terms::or(vec![is_null, is_instance], value.span)
            }
            _ => terms::boolean(true, value.span),
        }
    }

    /// That a value is `null`, or an object that this thread may know.
    pub(super) fn is_known_object(&mut self, value: &Expr) -> Expr {
        let span = value.span;
        let mut ways = vec![
            value.clone().equals(terms::null(span)),
            terms::name("shared", span).at(value.clone()),
        ];
        if self.used.allocates {
            ways.push(terms::name("owner", span).at(value.clone()).equals(terms::tid(span)));
        }
        terms::or(ways, span)
    }

    /// All classes whose objects can be told apart, given those that matter: each has a name of its
    /// own, which objects of classes below it have too unless those matter.
    pub(super) fn relevant_classes(&self) -> Vec<ClassId> {
        let mut all: BTreeSet<ClassId> = self.used.classes.clone();
        all.extend(self.used.exact.iter().copied());
        all.into_iter().filter(|id| !self.is_interface(*id)).collect()
    }

    fn is_interface(&self, id: ClassId) -> bool {
        matches!(self.program.class(id).kind, ClassKind::Interface | ClassKind::Annotation)
    }

    /// The test for an object of a class: by names of classes, or for an interface perhaps also by
    /// a class that nobody knows.
    pub(super) fn class_test(&self, class: ClassId, object: &Expr) -> Expr {
        let span = object.span;
        let of = |id: &ClassId| {
            let variant = terms::name(&self.class_variant(*id), span);
            terms::name("class", span).at(object.clone()).equals(variant)
        };
        let relevant = self.relevant_classes();
        let below: Vec<&ClassId> =
            relevant.iter().filter(|id| self.program.is_subclass(**id, class)).collect();
        let mut tests: Vec<Expr> = below.into_iter().map(of).collect();
        if self.is_interface(class) {
            // An object of a class that is not among them may implement it, unless its class is
            // final.
            let open = relevant.iter().filter(|id| {
                let other = self.program.class(**id);
                !other.is_final && !self.program.is_subclass(**id, class)
            });
            let mut may: Vec<Expr> = open.map(of).collect();
            let other = terms::name("other class", span);
            may.push(terms::name("class", span).at(object.clone()).equals(other));
            let implements = terms::name(&self.interface_map(class), span).at(object.clone());
            tests.push(terms::and(vec![terms::or(may, span), implements], span));
        }
        let exists = object.clone().differs(terms::null(span));
        terms::and(vec![exists, terms::or(tests, span)], span)
    }

    pub(super) fn class_variant(&self, class: ClassId) -> String {
        format!("class {}", self.program.class(class).name)
    }

    pub(super) fn interface_map(&self, class: ClassId) -> String {
        format!("implements {}", self.program.class(class).name)
    }

    /// That an object is of exactly this class.
    pub(super) fn is_exactly(&mut self, object: &Expr, class: ClassId) -> Expr {
        self.used.exact.insert(class);
        let span = object.span;
        let variant = terms::name(&self.class_variant(class), span);
        terms::name("class", span).at(object.clone()).equals(variant)
    }

    /// That an object is of no class that matters: an array.
    pub(super) fn is_no_class(&self, object: &Expr) -> Expr {
        let span = object.span;
        if self.used.classes.is_empty() && self.used.exact.is_empty() {
            return terms::boolean(true, span);
        }
        terms::name("class", span).at(object.clone()).equals(terms::name("other class", span))
    }

    /// Whether a class is one of those that are checked.
    pub(super) fn is_checked(&self, class: ClassId) -> bool {
        self.program.class(class).origin == Origin::Checked
    }
}

/// `name(argument)` of a predicate.
pub(super) fn apply(name: &str, argument: Expr) -> Expr {
    let span: Span = argument.span;
    let path = plato::build::path(name, span);
    let name = plato::ast::NameExpr { path, primed: false };
    Expr { kind: plato::ast::ExprKind::Apply(name, vec![argument]), span }
}
