//! The typed program: all files together, every name resolved.
//!
//! These facts hold of it: types are erased. Anonymous classes, local classes, lambda expressions
//! and method references are classes like any other; what they capture stands in fields of theirs.
//! An inner class has a field with the object around it. A constructor does all that Java makes it
//! do: it calls another constructor, then (unless that is one of the same class) gives fields their
//! first values in the order of the text, then runs its own statements. Conversions between
//! primitive and boxed values are explicit. Constants are folded. A construct that the resolver
//! does not handle is an `Unsupported` node at its place.

mod expr;
pub(crate) mod getters;
pub(crate) mod open;
mod spec;
mod stmt;
pub(crate) mod walk;

pub(crate) use expr::{Callee, Expr, ExprKind, Place, Quantified};
pub(crate) use spec::{Act, Acts, ClassSpec, FieldSpec, Formula, Guarding, MethodSpec, Summary};
pub(crate) use stmt::{Case, Catch, Label, LoopSpec, Stmt, StmtKind, Switch, SwitchLabel};

use crate::tree::Prim;
use diagnostic::Diagnostic;
use source::{Name, Span};
use std::collections::BTreeSet;

source::ids! {
    /// Index into [`Program::classes`].
    ClassId,
    /// Index into [`Program::fields`].
    FieldId,
    /// Index into [`Program::methods`].
    MethodId,
    /// Index into [`Body::locals`].
    LocalId,
    /// A variable of a quantifier; different in every quantifier of a program.
    BoundId,
}

/// All classes that were read, and those of libraries that they mention.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) classes: Vec<Class>,
    pub(crate) fields: Vec<Field>,
    pub(crate) methods: Vec<Method>,
    pub(crate) well_known: WellKnown,
    /// Guards that are not understood, with the classes of which they are, and why.
    pub(crate) wrong_guards: Vec<(Option<ClassId>, Diagnostic)>,
    /// For each class all those above it, once the hierarchy is complete.
    above: Vec<BTreeSet<ClassId>>,
}

/// Classes that the language itself speaks of, if they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WellKnown {
    pub(crate) object: Option<ClassId>,
    pub(crate) string: Option<ClassId>,
    pub(crate) thread: Option<ClassId>,
}

/// A type after erasure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ty {
    Void,
    /// Of `null`.
    Null,
    Prim(Prim),
    Class(ClassId),
    Array(Box<Ty>),
    /// A library type that was not found: nothing is known of its members.
    Unknown,
    /// Of ghosts.
    Map(Box<Ty>, Box<Ty>),
    /// Of ghosts: a set of threads or objects.
    Set(Box<Ty>),
    /// Of `tid` and `o.holder` in annotations.
    Thread,
}

impl Ty {
    /// Whether its values are objects or `null`.
    pub(crate) fn is_reference(&self) -> bool {
        matches!(self, Self::Null | Self::Class(_) | Self::Array(_) | Self::Unknown)
    }
}

/// Where a class comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An input: its methods are checked.
    Checked,
    /// A library, of which signatures are known, and perhaps contracts.
    Library,
}

/// What a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
    /// Made from a lambda expression or a method reference.
    Lambda,
}

/// A class.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// As in messages: `Outer.Inner`, `Vector`, `Main$1` for one without a name.
    pub(crate) name: Name,
    /// With its package.
    pub(crate) qualified: Name,
    pub(crate) kind: ClassKind,
    pub(crate) origin: Origin,
    pub(crate) is_abstract: bool,
    pub(crate) is_final: bool,
    pub(crate) is_static: bool,
    /// Seen in the class around it only, or in the body in which it is declared.
    pub(crate) is_private: bool,
    pub(crate) superclass: Option<ClassId>,
    /// All that it names itself.
    pub(crate) interfaces: Vec<ClassId>,
    /// The class around it.
    pub(crate) outer: Option<ClassId>,
    /// The field with the object around it, of an inner class.
    pub(crate) outer_field: Option<FieldId>,
    /// Declared here, in the order of the text.
    pub(crate) fields: Vec<FieldId>,
    /// Declared here, constructors included.
    pub(crate) methods: Vec<MethodId>,
    /// First values of static fields and static initializers.
    pub(crate) static_init: Option<Body>,
    pub(crate) spec: ClassSpec,
    /// Annotations of Java about it, by simple name: `ThreadSafe`, `Immutable`, ...
    pub(crate) marks: Vec<Name>,
    pub(crate) span: Span,
}

/// A variable of a class or of its objects.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) class: ClassId,
    pub(crate) ty: Ty,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) is_volatile: bool,
    /// Seen in its class only.
    pub(crate) is_private: bool,
    /// Exists in annotations only.
    pub(crate) is_ghost: bool,
    /// Made by the resolver: a captured variable or the object around.
    pub(crate) is_synthetic: bool,
    /// The value of a constant.
    pub(crate) constant: Option<Constant>,
    pub(crate) spec: FieldSpec,
    pub(crate) span: Span,
    /// The whole declaration, if it is one of a field.
    pub(crate) declared: Option<Span>,
}

/// A value that is known before the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Int(i128),
    Bool(bool),
    Text(Name),
}

/// A method or constructor.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: Name,
    pub(crate) class: ClassId,
    /// Types of the parameters; in its body they are the first locals.
    pub(crate) params: Vec<Ty>,
    pub(crate) result: Ty,
    pub(crate) is_varargs: bool,
    pub(crate) is_constructor: bool,
    pub(crate) is_static: bool,
    pub(crate) is_private: bool,
    /// Seen in its package only: neither public, protected nor private.
    pub(crate) is_of_package: bool,
    /// Whether code outside of the program may call it (`open.rs`).
    pub(crate) is_open: bool,
    pub(crate) is_abstract: bool,
    pub(crate) is_synchronized: bool,
    /// What it overrides or implements, directly or not.
    pub(crate) overrides: Vec<MethodId>,
    /// What overrides or implements it, directly or not, among all classes of the program.
    pub(crate) overridden_by: Vec<MethodId>,
    /// Not of abstract, native and library methods.
    pub(crate) body: Option<Body>,
    pub(crate) spec: MethodSpec,
    /// Its head, up to the body.
    pub(crate) span: Span,
}

/// Code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// Parameters first, then all others.
    pub(crate) locals: Vec<Local>,
    pub(crate) stmts: Vec<Stmt>,
}

/// A local variable.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: Name,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

impl Program {
    pub(crate) fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    pub(crate) fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    pub(crate) fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    pub(crate) fn class_ids(&self) -> impl Iterator<Item = ClassId> {
        (0..self.classes.len()).map(ClassId::from_index)
    }

    /// Whether objects of one class are objects of the other.
    pub(crate) fn is_subclass(&self, one: ClassId, other: ClassId) -> bool {
        one == other
            || self.well_known.object == Some(other)
            || match self.above.get(one.index()) {
                Some(above) => above.contains(&other),
                None => self.classes_above(one).contains(&other),
            }
    }

    /// The class that is in no other one, around a class.
    pub(crate) fn outermost(&self, mut id: ClassId) -> ClassId {
        while let Some(outer) = self.class(id).outer {
            id = outer;
        }
        id
    }

    /// A class and all that it extends or implements, once the hierarchy is complete.
    pub(crate) fn above(&self, id: ClassId) -> &BTreeSet<ClassId> {
        &self.above[id.index()]
    }

    /// A class and all that it extends or implements, directly or not.
    fn classes_above(&self, id: ClassId) -> BTreeSet<ClassId> {
        let mut seen = BTreeSet::new();
        let mut rest = vec![id];
        while let Some(id) = rest.pop() {
            if seen.insert(id) {
                let class = self.class(id);
                rest.extend(class.superclass.iter().chain(&class.interfaces));
            }
        }
        seen
    }

    /// Keeps which classes extend which. From here on that does not change.
    pub(crate) fn keep_hierarchy(&mut self) {
        self.above = self.class_ids().map(|id| self.classes_above(id)).collect();
    }

    /// How a method is named in messages: `Vector.add(Object)`.
    pub(crate) fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        let class = &self.class(method.class).name;
        let params: Vec<String> = method.params.iter().map(|ty| self.type_name(ty)).collect();
        let params = params.join(", ");
        if method.is_constructor {
            format!("{class}({params})")
        } else {
            format!("{class}.{}({params})", method.name)
        }
    }

    /// How a type is named in messages.
    pub(crate) fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Void => "void".to_owned(),
            Ty::Null => "null".to_owned(),
            Ty::Prim(prim) => prim.text().to_owned(),
            Ty::Class(id) => self.class(*id).name.to_string(),
            Ty::Array(element) => format!("{}[]", self.type_name(element)),
            Ty::Unknown => "Object".to_owned(),
            Ty::Map(key, value) => {
                format!("{} -> {}", self.type_name(key), self.type_name(value))
            }
            Ty::Set(element) => format!("set of {}", self.type_name(element)),
            Ty::Thread => "Thread".to_owned(),
        }
    }
}
