//! Which members code may name, and which of several that are alike it means.

use super::World;
use super::body::Body;
use super::overloads::Candidate;
use super::types::T;
use crate::typed::{ClassId, ClassKind, MethodId, Ty};

impl Body<'_, '_> {
    /// Without what code at this place may not name. If nothing is left, modifiers cannot decide.
    pub(super) fn accessible(&self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let Some(here) = self.here().class.filter(|_| !self.here().in_annotation) else {
            return candidates;
        };
        let may = |one: &Candidate| self.world.may_call(here, one.method);
        if candidates.iter().any(may) {
            candidates.into_iter().filter(|one| may(one)).collect()
        } else {
            candidates
        }
    }
}

impl World<'_> {
    /// Whether code in a class may call a method.
    fn may_call(&self, here: ClassId, method: MethodId) -> bool {
        let about = self.program.method(method);
        if about.is_private {
            return self.program.outermost(about.class) == self.program.outermost(here);
        }
        let decl = self.method_infos[method.index()].decl;
        let (Some(decl), false) = (decl, self.is_library(about.class)) else { return true };
        let modifiers = decl.head.modifiers;
        let is_open = modifiers.is_public || modifiers.is_protected;
        let owner = self.program.class(about.class).kind;
        is_open
            || matches!(owner, ClassKind::Interface | ClassKind::Annotation)
            || self.package(about.class) == self.package(here)
    }

    /// Whether a method is a static one of an interface, which no class below inherits.
    pub(super) fn is_of_interface(&self, method: MethodId) -> bool {
        let about = self.program.method(method);
        about.is_static && self.program.class(about.class).kind == ClassKind::Interface
    }

    /// Whether a method of a type that was found first hides another one with the same parameters.
    pub(super) fn hides(&self, first: MethodId, other: MethodId, ty: &T) -> bool {
        let (first, other) = (self.program.method(first), self.program.method(other));
        let is_interface = |class| self.program.class(class).kind == ClassKind::Interface;
        // What an interface above says of a method of `Object` again is not what is called.
        let is_own = self.erased(ty) == Ty::Class(first.class);
        let is_again = is_interface(first.class) && !is_interface(other.class) && !is_own;
        if !is_again && self.program.is_subclass(first.class, other.class) {
            return true;
        }
        match (first.is_abstract, other.is_abstract) {
            (true, false) => false,
            // Nobody says which of the two runs; what javac takes is taken.
            (true, true) => is_interface(first.class) || !is_interface(other.class),
            (false, _) => true,
        }
    }
}
