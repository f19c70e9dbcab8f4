//! What the tests and surveys of this crate look at: typed programs as text.

mod calls;
mod exprs;
mod files;
mod stmts;

pub use calls::calls;
pub use files::{ClassSketch, class_file, image, read_class_file};

use crate::typed::{
    Acts, Class, ClassId, Constant, Expr, ExprKind, Field, Formula, Method, Origin, Place, Program,
    Stmt, StmtKind, SwitchLabel, walk,
};
use crate::{Library, NoLibrary, parse, resolve, stubs};
use diagnostic::Diagnostic;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the resolver makes of files.
#[derive(Debug, Default)]
pub struct Survey {
    /// Classes that were read.
    pub classes: usize,
    /// Methods with bodies, and what runs when classes are initialized.
    pub methods: usize,
    /// Methods without a part that is not supported.
    pub whole: usize,
    /// What is not supported, and where.
    pub unsupported: BTreeMap<String, Vec<Span>>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves files and goes no further.
pub fn survey(sources: &mut SourceMap, files: &[FileId], library: &dyn Library) -> Survey {
    let (program, diagnostics) = read(sources, files, library);
    let mut survey = Survey { diagnostics, ..Survey::default() };
    for class in program.classes.iter().filter(|class| class.origin == Origin::Checked) {
        survey.classes += 1;
        let methods = class.methods.iter().filter_map(|id| program.method(*id).body.as_ref());
        for body in methods.chain(&class.static_init) {
            survey.methods += 1;
            let mut found = Vec::new();
            of_stmts(&body.stmts, &mut found);
            survey.whole += usize::from(found.is_empty());
            for (what, span) in found {
                survey.unsupported.entry(what.to_owned()).or_default().push(span);
            }
        }
    }
    survey
}

/// The typed program of texts, as far as the texts declare it, after what is reported.
pub fn typed(texts: &[&str]) -> String {
    typed_with(texts, &NoLibrary)
}

/// The same, with class files of a library.
pub fn typed_with(texts: &[&str], library: &dyn Library) -> String {
    let mut sources = SourceMap::default();
    let names = texts.iter().enumerate().map(|(at, text)| sources.add(format!("{at}.java"), *text));
    let files: Vec<FileId> = names.collect();
    let (program, diagnostics) = read(&mut sources, &files, library);
    let mut text = reported(&sources, &diagnostics);
    for class in program.classes.iter().filter(|class| class.origin == Origin::Checked) {
        Printer { program: &program }.class(class, &mut text);
    }
    text
}

/// What is reported of texts.
pub fn faults(texts: &[&str]) -> String {
    let mut sources = SourceMap::default();
    let names = texts.iter().enumerate().map(|(at, text)| sources.add(format!("{at}.java"), *text));
    let files: Vec<FileId> = names.collect();
    let (_, diagnostics) = read(&mut sources, &files, &NoLibrary);
    reported(&sources, &diagnostics)
}

fn reported(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for told in diagnostics {
        let span = told.primary.span;
        let (line, column) = sources.line_column(span);
        let place = sources.text(span).lines().next().unwrap_or_default();
        let _ = writeln!(text, "{line}:{column} {}: {} [{place}]", told.code, told.message);
    }
    text
}

fn read(
    sources: &mut SourceMap,
    files: &[FileId],
    library: &dyn Library,
) -> (Program, Vec<Diagnostic>) {
    let (units, mut diagnostics) = parsed(sources, files);
    let place = sources.add(crate::library::PLACE, "");
    let files: Vec<resolve::File<'_>> =
        units.iter().map(|(unit, origin)| resolve::File { unit, origin: *origin }).collect();
    let (program, faults) = resolve::resolve(&files, library, place);
    diagnostics.extend(faults);
    diagnostics.extend(program.wrong_guards.iter().map(|(_, told)| told.clone()));
    (program, diagnostics)
}

/// The files and the stubs.
fn parsed(
    sources: &mut SourceMap,
    files: &[FileId],
) -> (Vec<(crate::tree::Unit, Origin)>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut units = Vec::new();
    for id in files {
        let (unit, faults) = parse::parse(*id, &sources.file(*id).text);
        diagnostics.extend(faults);
        units.push((unit, Origin::Checked));
    }
    for (name, text) in stubs::FILES {
        let id = sources.add(name, text);
        units.push((parse::parse(id, text).0, Origin::Library));
    }
    (units, diagnostics)
}

/// What is not supported in statements, and where.
fn of_stmts<'s>(stmts: &'s [Stmt], found: &mut Vec<(&'s str, Span)>) {
    for stmt in stmts {
        if let StmtKind::Unsupported(what) = &stmt.kind {
            found.push((what, stmt.span));
        }
        if let StmtKind::Switch(_, switch) = &stmt.kind {
            of_labels(switch, found);
        }
        walk::exprs(stmt, &mut |expr| of_expr(expr, found));
        for block in walk::blocks(stmt) {
            of_stmts(block, found);
        }
    }
}

fn of_labels<'s>(switch: &'s crate::typed::Switch, found: &mut Vec<(&'s str, Span)>) {
    for case in &switch.cases {
        for label in &case.labels {
            if let SwitchLabel::Unsupported(what) = label {
                found.push((what, case.span));
            }
        }
    }
}

fn of_expr<'s>(expr: &'s Expr, found: &mut Vec<(&'s str, Span)>) {
    match &expr.kind {
        ExprKind::Unsupported(what) => found.push((what, expr.span)),
        ExprKind::Call(callee) if callee.method.is_none() => {
            found.push(("a call of an unknown method", expr.span));
        }
        ExprKind::Switch(switch) => {
            of_labels(switch, found);
            for case in &switch.cases {
                of_stmts(&case.body, found);
            }
        }
        _ => {}
    }
    walk::children(expr, &mut |child| of_expr(child, found));
}

/// Prints parts of a program.
#[derive(Clone, Copy)]
struct Printer<'p> {
    program: &'p Program,
}

impl Printer<'_> {
    fn class(self, class: &Class, text: &mut String) {
        let kind = format!("{:?}", class.kind).to_lowercase();
        let name = |id: &ClassId| self.program.class(*id).name.to_string();
        let above: Vec<String> =
            class.superclass.iter().chain(&class.interfaces).map(name).collect();
        let marks: Vec<String> = class.marks.iter().map(|mark| format!("@{mark} ")).collect();
        let _ = write!(
            text,
            "{}{}{kind} {}",
            marks.concat(),
            word(class.is_static, "static "),
            class.name
        );
        let _ =
            writeln!(text, "{}", format!(" < {}", above.join(", ")).trim_end_matches([' ', '<']));
        let spec = &class.spec;
        self.formulas("env_assumption", &spec.env_assumptions, text);
        self.formulas("global_invariant", &spec.invariants, text);
        self.formulas("axiom", &spec.axioms, text);
        for id in &class.fields {
            self.field(self.program.field(*id), text);
        }
        for id in &class.methods {
            let method = self.program.method(*id);
            self.method(method, text);
            if let Some(body) = &method.body {
                self.stmts(&body.stmts, 2, text);
            }
        }
        if let Some(body) = &class.static_init {
            text.push_str("  static:\n");
            self.stmts(&body.stmts, 2, text);
        }
    }

    fn field(self, field: &Field, text: &mut String) {
        let words = [
            (field.is_ghost, "ghost "),
            (field.is_synthetic, "synthetic "),
            (field.is_static, "static "),
            (field.is_final, "final "),
            (field.is_volatile, "volatile "),
            (field.spec.is_non_null, "non_null "),
        ];
        let words: String = words.iter().map(|(is, text)| word(*is, text)).collect();
        let ty = self.program.type_name(&field.ty);
        let value = match &field.constant {
            Some(Constant::Int(value)) => format!(" = {value}"),
            Some(Constant::Bool(value)) => format!(" = {value}"),
            Some(Constant::Text(value)) => format!(" = {value}"),
            None => String::new(),
        };
        let _ = writeln!(text, "  {words}{ty} {}{value}", field.name);
        let spec = &field.spec;
        self.formulas("  unwritable", &spec.unwritable, text);
        for (bound, formula) in &spec.elements_unwritable {
            let _ = writeln!(text, "    elements[#{}]: {}", bound.0, self.expr(&formula.expr));
        }
        for guard in &spec.guards {
            let _ = writeln!(text, "    guarded {:?}: {}", guard.kind, self.exprs(&guard.locks));
        }
    }

    fn method(self, method: &Method, text: &mut String) {
        let words = [
            (method.is_static, "static "),
            (method.is_private, "private "),
            (method.is_abstract, "abstract "),
            (method.is_synchronized, "synchronized "),
            (method.is_varargs, "varargs "),
            (method.spec.is_non_null, "non_null "),
            (method.spec.is_pure, "pure "),
            (method.spec.is_helper, "helper "),
        ];
        let words: String = words.iter().map(|(is, text)| word(*is, text)).collect();
        let params: Vec<String> =
            method.params.iter().map(|ty| self.program.type_name(ty)).collect();
        let result = self.program.type_name(&method.result);
        let over: Vec<String> =
            method.overrides.iter().map(|id| self.program.method_name(*id)).collect();
        let over = if over.is_empty() { String::new() } else { format!(" > {}", over.join(", ")) };
        let _ = writeln!(text, "  {words}{result} {}({}){over}", method.name, params.join(", "));
        let spec = &method.spec;
        self.formulas("  requires", &spec.requires, text);
        if let Some(places) = &spec.modifies {
            let _ = writeln!(text, "    modifies: {}", self.places(places));
        }
        for acts in &spec.actions {
            let _ = writeln!(text, "    action {}", self.acts(acts));
        }
        self.formulas("  ensures", &spec.ensures, text);
        self.formulas("  exsures", &spec.exsures, text);
        if !spec.non_null_params.is_empty() {
            let _ = writeln!(text, "    non_null {:?}", spec.non_null_params);
        }
    }

    fn formulas(self, what: &str, formulas: &[Formula], text: &mut String) {
        for formula in formulas {
            let _ = writeln!(text, "  {what}: {}", self.expr(&formula.expr));
        }
    }

    fn acts(self, acts: &Acts) -> String {
        let all = |inner: &[Acts], between: &str| {
            let inner: Vec<String> = inner.iter().map(|one| self.acts(one)).collect();
            format!("({})", inner.join(between))
        };
        match acts {
            Acts::One(act) => {
                let name = act.name.as_ref().map_or("", |name| name.as_str());
                let ensures = act.ensures.as_ref();
                let ensures = ensures.map_or(String::new(), |one| self.expr(&one.expr));
                format!("{name}[{}]{{{ensures}}}", self.places(&act.modifies))
            }
            Acts::Sequence(inner) => all(inner, "; "),
            Acts::Choice(inner) => all(inner, " [] "),
        }
    }

    fn places(self, places: &[Place]) -> String {
        let places: Vec<String> = places.iter().map(|place| self.place(place)).collect();
        places.join(", ")
    }
}

fn word(is: bool, text: &str) -> &str {
    if is { text } else { "" }
}
