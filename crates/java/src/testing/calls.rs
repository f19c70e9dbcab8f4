//! What calls are resolved to, in the words of a compiler.

use super::parsed;
use crate::Library;
use crate::resolve::{self, Chosen};
use crate::typed::{ClassId, MethodId, Origin, Program, Ty};
use source::{FileId, SourceMap, Span};

/// What the calls in files mean: `a.b.C.m(int,a.b.D[])`, with erased types. A constructor is named
/// `<init>`. Without stubs, all classes of the library come from class files.
pub fn calls(
    sources: &mut SourceMap,
    files: &[FileId],
    library: &dyn Library,
    has_stubs: bool,
) -> Vec<(Span, String)> {
    let (mut units, _) = parsed(sources, files);
    units.retain(|(_, origin)| has_stubs || *origin == Origin::Checked);
    let place = sources.add(crate::library::PLACE, "");
    let files: Vec<resolve::File<'_>> =
        units.iter().map(|(unit, origin)| resolve::File { unit, origin: *origin }).collect();
    let (program, chosen) = resolve::calls(&files, library, place);
    let text = |chosen: Chosen| match chosen {
        Chosen::Method(id) => method(&program, id),
        Chosen::ArrayCopy => "Array.clone()".to_owned(),
    };
    chosen.into_iter().map(|(span, chosen)| (span, text(chosen))).collect()
}

fn method(program: &Program, id: MethodId) -> String {
    let method = program.method(id);
    let name = if method.is_constructor { "<init>" } else { method.name.as_str() };
    let params: Vec<String> = method.params.iter().map(|param| ty(program, param)).collect();
    format!("{}.{name}({})", class(program, method.class), params.join(","))
}

fn ty(program: &Program, of: &Ty) -> String {
    match of {
        Ty::Class(id) => class(program, *id),
        Ty::Array(element) => format!("{}[]", ty(program, element)),
        other => program.type_name(other),
    }
}

/// Classes in bodies have their simple names only.
fn class(program: &Program, id: ClassId) -> String {
    let qualified = program.class(id).qualified.as_str();
    match qualified.rsplit_once('$') {
        Some((_, local)) => local.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned(),
        None => qualified.to_owned(),
    }
}
