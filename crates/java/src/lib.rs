//! Java with annotations: text to a typed program, and on to Plato.

mod library;
mod lower;
mod mentions;
mod outline;
mod parse;
pub mod play;
mod pragma;
mod resolve;
mod stubs;
#[doc(hidden)]
pub mod testing;
mod tree;
mod typed;

pub use library::image::{Extent, HEADER as IMAGE_HEADER, Image};
pub use library::{Library, NoLibrary};
pub use outline::outline;

use diagnostic::Diagnostic;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A method that is checked on its own.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name in messages: `Vector.add(Object)`.
    pub name: String,
    /// Its head.
    pub span: Span,
    /// The first thing that it requires; code there that no run reaches means that no caller can
    /// satisfy what it requires.
    pub precondition: Option<Span>,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// How many statements it has, with all that is written out in it, roughly.
    pub length: usize,
    root: lower::Root,
    whole: Arc<Whole>,
}

/// What the translation of every method needs.
#[derive(Debug)]
struct Whole {
    program: typed::Program,
    protections: lower::Protections,
}

/// A lock of a field that nobody wrote down. Whether each access holds it, checks of methods tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundGuard {
    /// The field, with its class.
    pub field: String,
    /// Where the field is declared.
    pub span: Span,
    /// The lock as the class names it, as behind `@GuardedBy`.
    pub lock: String,
    /// The declaration before which it can be written; none if it declares several fields with
    /// different locks.
    pub declaration: Option<Span>,
    /// The accesses that need it.
    pub accesses: Vec<Span>,
}

/// A method as a program of Plato.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The program whose only threads run it.
    pub tree: plato::ast::File,
    /// What is taken for granted and not checked, with the places.
    pub assumptions: Vec<(Span, String)>,
}

impl Method {
    /// Translates it. That takes time and memory if much is called, so it is done where a method is
    /// checked.
    pub fn translate(&self) -> Translated {
        let lowered = lower::lower(&self.whole.program, &self.whole.protections, &self.root);
        let assumptions = lowered.assumptions.into_iter().map(|one| (one.span, one.text));
        Translated { tree: lowered.tree, assumptions: assumptions.collect() }
    }
}

/// What files say together.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The methods that are checked.
    pub methods: Vec<Method>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The locks of fields that nobody wrote down.
    pub found_guards: Vec<FoundGuard>,
    /// Guards that are not understood: names of classes, places, and why.
    pub wrong_guards: Vec<(String, Span, String)>,
    /// The same program, to be run.
    pub play: play::Play,
}

/// Reads files as one program. The files of the library are added to the sources; what these do not
/// declare is looked for in `library`.
pub fn read(sources: &mut SourceMap, files: &[FileId], library: &dyn Library) -> Program {
    let mut diagnostics = Vec::new();
    let mut units = Vec::new();
    for id in files {
        let (unit, faults) = parse::parse(*id, &sources.file(*id).text);
        diagnostics.extend(faults);
        units.push((*id, unit, typed::Origin::Checked));
    }
    for (name, text) in stubs::FILES {
        let id = sources.add(name, text);
        let (unit, faults) = parse::parse(id, text);
        diagnostics.extend(faults);
        units.push((id, unit, typed::Origin::Library));
    }
    let files: Vec<resolve::File<'_>> =
        units.iter().map(|(_, unit, origin)| resolve::File { unit, origin: *origin }).collect();
    let place = sources.add(library::PLACE, "");
    let (mut program, faults) = resolve::resolve(&files, library, place);
    diagnostics.extend(faults);
    typed::open::note(&mut program);
    lower::inherit(&mut program);
    lower::summarize(&mut program);
    let play = play::Play::new(program.clone());
    let protections = lower::Protections::new(&program);
    lower::add_comparisons(&mut program);
    lower::add_initializers(&mut program, &protections.never_null);
    let rejects = |told: &&Diagnostic| told.code.info().rejects_input;
    let rejected: BTreeSet<FileId> =
        diagnostics.iter().filter(rejects).map(|told| told.primary.span.file).collect();
    let whole = Arc::new(Whole { program, protections });
    let program = &whole.program;
    let roots = lower::roots(program, &whole.protections.never_made).into_iter();
    let mut lengths = lower::Lengths::new(program);
    let methods = roots
        .filter(|root| !rejected.contains(&root.span.file))
        .map(|root| {
            let method = program.method(root.method);
            let locals = method.body.iter().flat_map(|body| &body.locals);
            let params =
                locals.take(method.params.len()).map(|local| local.name.to_string()).collect();
            let length = lengths.of(root.method);
            let precondition = method.spec.requires.first().map(|formula| formula.span);
            let (name, span, whole) = (root.name.clone(), root.span, Arc::clone(&whole));
            Method { name, span, precondition, params, length, root, whole }
        })
        .collect();
    let guard = |(class, told): &(Option<typed::ClassId>, Diagnostic)| {
        let class = class.map_or(String::new(), |class| program.class(class).name.to_string());
        (class, told.primary.span, told.message.clone())
    };
    let wrong_guards = program.wrong_guards.iter().map(guard).collect();
    let found_guards = lower::found_guards(program, &whole.protections);
    Program { methods, diagnostics, found_guards, wrong_guards, play }
}
