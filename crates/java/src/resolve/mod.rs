//! Syntax trees to a typed program: names, types, overloads.
//!
//! Classes are declared first, then their heads and members are given types, then bodies and
//! annotations are resolved. Classes inside bodies are declared where the body is resolved.
//!
//! DIVERGENCE from Java's specification, section 18: type arguments are inferred from left to
//! right, without going back. That decides overloads the same way in practice; where it does not
//! find a type, the bound of the variable stands for it.

mod access;
mod body;
mod calls;
mod classes;
mod constants;
mod convert;
pub(crate) use convert::range;
mod declare;
mod distinct;
mod exprs;
mod headers;
mod lambdas;
mod library;
mod library_members;
mod names;
mod objects;
mod operators;
mod overloads;
mod overriding;
mod patterns;
mod scope;
mod specs;
mod stmts;
mod switches;
mod types;

use crate::Library;
use crate::tree;
use crate::typed::{ClassId, FieldId, MethodId, Origin, Program};
use diagnostic::{Code, Diagnostic};
use scope::Scope;
use source::{FileId, Name, Span};
use std::collections::{BTreeMap, BTreeSet};
use types::{T, VarId};

/// A file to be resolved.
pub(crate) struct File<'a> {
    pub(crate) unit: &'a tree::Unit,
    pub(crate) origin: Origin,
}

/// Resolves files together. What they do not declare is looked for in the library; what comes from
/// there has its place in a file without text.
pub(crate) fn resolve(
    files: &[File<'_>],
    library: &dyn Library,
    place: FileId,
) -> (Program, Vec<Diagnostic>) {
    let mut world = resolve_all(files, library, place);
    distinct::distinct_names(&mut world.program);
    world.program.keep_hierarchy();
    let mut diagnostics = world.diagnostics;
    diagnostics.sort_by_key(|told| (told.primary.span.file, told.primary.span.start));
    (world.program, diagnostics)
}

/// What every call was found to mean, for comparisons with a compiler.
pub(crate) fn calls(
    files: &[File<'_>],
    library: &dyn Library,
    place: FileId,
) -> (Program, Vec<(Span, Chosen)>) {
    let world = resolve_all(files, library, place);
    (world.program, world.chosen)
}

fn resolve_all<'a>(files: &[File<'a>], library: &'a dyn Library, place: FileId) -> World<'a> {
    let nowhere = Some(Span::new(place, 0, 0));
    let mut world = World { library: Some(library), nowhere, ..World::default() };
    declare::declare(&mut world, files);
    world.find_spoken_of();
    headers::headers(&mut world);
    world.find_well_known();
    world.is_declared = true;
    classes::all_members(&mut world);
    world.tell_unreadable();
    world
}

/// What a call means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    Method(MethodId),
    /// `a.clone()` of an array.
    ArrayCopy,
}

/// Classes that the language itself speaks of. What is not shipped with Rely may be in the library.
const SPOKEN_OF: [&str; 15] = [
    "java.lang.Object",
    "java.lang.String",
    "java.lang.Thread",
    "java.lang.Class",
    "java.lang.Enum",
    "java.lang.Record",
    "java.lang.Iterable",
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Short",
    "java.lang.Character",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Float",
    "java.lang.Double",
];

/// Everything that is known of the program so far.
#[derive(Default)]
struct World<'a> {
    program: Program,
    /// Beside each class of the program.
    infos: Vec<ClassInfo<'a>>,
    /// Types of fields with arguments, beside each field of the program.
    field_types: Vec<T>,
    /// Beside each method of the program.
    method_infos: Vec<MethodInfo<'a>>,
    vars: Vec<TypeVar>,
    by_name: BTreeMap<String, ClassId>,
    /// Names of packages and of their beginnings.
    packages: BTreeSet<String>,
    units: Vec<UnitInfo<'a>>,
    diagnostics: Vec<Diagnostic>,
    /// Names that were reported as not found.
    missing: BTreeSet<String>,
    /// The number of the next variable of a quantifier.
    next_bound: u32,
    /// How many classes without a name each class contains.
    anonymous: BTreeMap<ClassId, usize>,
    /// What classes in bodies take along: variables of the body around, and their fields.
    captures: BTreeMap<ClassId, Vec<(body::Captured, FieldId)>>,
    /// Classes in bodies that are being resolved. For each, how much its objects took along that
    /// were made so far.
    open: BTreeMap<ClassId, Vec<usize>>,
    /// Constants that are being computed.
    computing: BTreeSet<FieldId>,
    /// Where classes come from that are declared nowhere.
    library: Option<&'a dyn Library>,
    /// Classes by their names in class files.
    by_file: BTreeMap<String, ClassId>,
    /// Full names that mean no class.
    absent: BTreeSet<String>,
    /// Classes whose files cannot be read, and why.
    unreadable: BTreeMap<String, String>,
    /// The unit of each package of class files.
    packages_of_files: BTreeMap<String, usize>,
    /// Packages that inputs are in.
    checked_packages: BTreeSet<String>,
    /// Whether all declared classes have their members.
    is_declared: bool,
    /// Stubs whose files were looked into before their members were declared.
    peeked: BTreeSet<ClassId>,
    /// Names of classes, as they are shown.
    shown: BTreeSet<Name>,
    nowhere: Option<Span>,
    /// What calls of methods and constructors mean, also where the code around is not supported.
    chosen: Vec<(Span, Chosen)>,
    /// The beginning of the first input.
    first_checked: Option<Span>,
}

/// The beginning of a file.
struct UnitInfo<'a> {
    package: String,
    imports: &'a [tree::Import],
}

/// What the resolver knows of a class beside the program.
struct ClassInfo<'a> {
    decl: Decl<'a>,
    unit: usize,
    params: Vec<VarId>,
    /// Superclass first.
    supertypes: Vec<T>,
    /// Types declared inside, by name.
    types: BTreeMap<Name, ClassId>,
    /// Where a class that stands in a body stands.
    local: Option<Scope>,
    /// Which frame it stands in, counted from the outermost one.
    depth: usize,
    /// What its class file says beside.
    more: library::More,
    /// Who sees it, of one that comes from a class file.
    seen: library::Seen,
}

/// Where the members of a class stand.
#[derive(Clone, Copy)]
enum Decl<'a> {
    Type(&'a tree::TypeDecl),
    /// Of an anonymous class or of a constant of an enumeration.
    Body(&'a tree::ClassBody),
    /// Made by the resolver.
    None,
}

impl<'a> Decl<'a> {
    fn body(self) -> Option<&'a tree::ClassBody> {
        match self {
            Self::Type(decl) => Some(&decl.body),
            Self::Body(body) => Some(body),
            Self::None => None,
        }
    }
}

/// What the resolver knows of a method beside the program.
struct MethodInfo<'a> {
    decl: Option<&'a tree::MethodDecl>,
    type_params: Vec<VarId>,
    params: Vec<T>,
    result: T,
}

/// A type variable.
struct TypeVar {
    name: Name,
    bounds: Vec<T>,
    /// Whether all is known of the classes of its bounds.
    is_loaded: bool,
}

impl World<'_> {
    fn object(&self) -> Option<ClassId> {
        self.program.well_known.object
    }

    /// Finds the classes that the language itself speaks of, by whatever way they come.
    fn find_spoken_of(&mut self) {
        for name in SPOKEN_OF {
            self.find_class(name);
        }
    }

    fn find_well_known(&mut self) {
        let find = |name: &str| self.by_name.get(name).copied();
        let found = crate::typed::WellKnown {
            object: find("java.lang.Object"),
            string: find("java.lang.String"),
            thread: find("java.lang.Thread"),
        };
        self.program.well_known = found;
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    /// Reports a name of a library that was not found, once.
    fn not_found(&mut self, name: &str, span: Span) {
        if self.missing.insert(name.to_owned()) {
            let message = format!("the type `{name}` is not known");
            let told = Diagnostic::new(Code::UnresolvedType, span, message)
                .at("nothing is known of it")
                .help(
                    "give its source together with the program, or its class file with --classpath",
                );
            let fault = self.unreadable.remove(name);
            let told = match fault {
                Some(fault) => told.note(format!("there is a class file, but {fault}")),
                None => told,
            };
            self.diagnostics.push(told);
        }
    }

    /// Reports class files that were needed and cannot be read; they have no place in a program.
    fn tell_unreadable(&mut self) {
        let Some(first) = self.first_checked else { return };
        for (name, fault) in std::mem::take(&mut self.unreadable) {
            let message = format!("the class file of `{name}` cannot be used: {fault}");
            self.report(Code::UnresolvedType, first, message);
        }
    }

    fn is_library(&self, class: ClassId) -> bool {
        self.program.class(class).origin == Origin::Library
    }

    /// A library's method has no body to look into.
    fn methods_named(&self, class: ClassId, name: &str) -> Vec<MethodId> {
        let methods = &self.program.class(class).methods;
        let has_name = |id: &&MethodId| self.program.method(**id).name.as_str() == name;
        methods.iter().filter(has_name).copied().collect()
    }
}
