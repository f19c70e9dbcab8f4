//! Which methods code outside of the program may call.
//!
//! Nobody outside can name a private class, or one that is declared in a body. Its objects get out
//! all the same, as objects of classes and interfaces that can be named: what is declared there can
//! be called on them, so that the methods run that override it. All else in such a class is called
//! by the program alone.

use super::{Class, ClassId, ClassKind, Method, MethodId, Origin, Program, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// Notes of each method whether code outside of the program may call it.
pub(crate) fn note(program: &mut Program) {
    let classes = Classes::new(program);
    let open: Vec<bool> = program.methods.iter().map(|method| classes.is_open(method)).collect();
    for (method, is_open) in program.methods.iter_mut().zip(open) {
        method.is_open = is_open;
    }
}

/// Whether code outside of the program cannot name a class.
pub(crate) fn is_hidden(program: &Program, id: ClassId) -> bool {
    let mut class = Some(id);
    while let Some(id) = class {
        let about = program.class(id);
        if about.origin == Origin::Checked && (about.is_private || about.kind == ClassKind::Lambda)
        {
            return true;
        }
        class = about.outer;
    }
    false
}

/// Whether a method is where a program may begin.
pub(crate) fn is_main(method: &Method) -> bool {
    method.is_static
        && method.name.as_str() == "main"
        && matches!(method.params.as_slice(), [Ty::Array(_)])
}

/// The classes of a program, as code outside of it sees them.
struct Classes<'p> {
    program: &'p Program,
    hidden: BTreeSet<ClassId>,
    /// Hidden classes with all that are below them, and themselves.
    below: BTreeMap<ClassId, Vec<ClassId>>,
}

impl<'p> Classes<'p> {
    fn new(program: &'p Program) -> Self {
        let hidden: BTreeSet<ClassId> =
            program.class_ids().filter(|id| is_hidden(program, *id)).collect();
        let mut below: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::new();
        for id in program.class_ids() {
            for above in program.above(id).iter().filter(|above| hidden.contains(above)) {
                below.entry(*above).or_default().push(id);
            }
        }
        Self { program, hidden, below }
    }

    fn is_open(&self, method: &Method) -> bool {
        if self.program.class(method.class).origin != Origin::Checked || is_main(method) {
            return true;
        }
        if method.is_private || !self.hidden.contains(&method.class) {
            return !method.is_private;
        }
        if method.is_constructor {
            return false;
        }
        let below = self.below.get(&method.class).map_or(&[][..], Vec::as_slice);
        if below.iter().any(|id| !self.hidden.contains(id)) {
            return true;
        }
        let is_seen = |above: &MethodId| !self.hidden.contains(&self.program.method(*above).class);
        !method.is_static
            && (method.overrides.iter().any(is_seen)
                || below.iter().any(|id| self.may_override_unknown(*id, method)))
    }

    /// Whether a method may override one of which nothing is known, on objects of a class. Of
    /// classes of libraries, not all members need be known.
    fn may_override_unknown(&self, class: ClassId, method: &Method) -> bool {
        let program = self.program;
        let is_unknown = |about: &Class| {
            let is_function = about.kind == ClassKind::Lambda && method.overrides.is_empty();
            is_function || about.marks.iter().any(|mark| mark.as_str() == "unknown superclass")
        };
        program.above(class).iter().map(|id| program.class(*id)).any(|about| {
            // What only its package may call overrides nothing of other packages, and implements
            // nothing of interfaces.
            let may_fit = !method.is_of_package
                || about.kind != ClassKind::Interface && may_share(program, class, about);
            is_unknown(about) || about.origin == Origin::Library && !is_complete(about) && may_fit
        })
    }
}

/// Whether all methods of a class of the library are known that classes below may override.
fn is_complete(about: &Class) -> bool {
    matches!(
        about.qualified.as_str(),
        "java.lang.Object" | "java.lang.Enum" | "java.lang.Record" | "java.lang.Runnable"
    )
}

/// Whether a class of the library may be in the package of a class of the program.
fn may_share(program: &Program, class: ClassId, library: &Class) -> bool {
    match program.class(program.outermost(class)).qualified.as_str().rsplit_once('.') {
        Some((package, _)) => {
            let inside = library.qualified.as_str().strip_prefix(package);
            inside.is_some_and(|name| name.starts_with('.'))
        }
        None => {
            let first = library.qualified.as_str().split('.').next().unwrap_or_default();
            !first.starts_with(char::is_lowercase)
        }
    }
}
