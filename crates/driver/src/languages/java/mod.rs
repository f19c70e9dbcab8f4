//! Java with annotations: files are read together, methods are checked one by one.

mod runs;
mod show;

use super::{Loaded, Read, plato};
use crate::analysis::Context;
use crate::deduce::Content;
use crate::dump::Stage;
use crate::events::Event;
use crate::findings::Findings;
use crate::options::{Input, Options};
use crate::pool::{Alone, Executor};
use diagnostic::{Code, Diagnostic};
use java::{Library, Method, Translated};
use smt::Session;
use source::{FileId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verdict::{TaskKind, TaskName};

/// The methods of a file, and the program that they are part of.
pub(crate) struct Methods {
    all: Vec<Method>,
    /// Guards that are not understood, with the names of their classes, and why.
    wrong_guards: Vec<(String, Span, String)>,
    play: Arc<java::play::Play>,
}

impl Methods {
    /// The program, to be run or looked at.
    pub(crate) fn play(&self) -> &java::play::Play {
        &self.play
    }
}

/// Reads files as one program.
pub(crate) fn read(
    sources: &mut SourceMap,
    files: &[FileId],
    library: &dyn Library,
) -> BTreeMap<FileId, Read> {
    if files.is_empty() {
        return BTreeMap::new();
    }
    let whole = java::read(sources, files, library);
    let mut reads: BTreeMap<FileId, (Vec<Method>, Vec<Diagnostic>)> =
        files.iter().map(|id| (*id, Default::default())).collect();
    for told in whole.diagnostics {
        let file = told.primary.span.file;
        if let Some((_, diagnostics)) = reads.get_mut(&file) {
            diagnostics.push(told);
        }
    }
    for method in whole.methods {
        if let Some((methods, _)) = reads.get_mut(&method.span.file) {
            methods.push(method);
        }
    }
    let play = Arc::new(whole.play);
    let finish = |(id, (methods, diagnostics))| {
        let used_definitions = Vec::new();
        let is_here = |(_, span, _): &&(String, Span, String)| span.file == id;
        let wrong_guards = whole.wrong_guards.iter().filter(is_here).cloned().collect();
        let methods = Methods { all: methods, wrong_guards, play: Arc::clone(&play) };
        let loaded = Loaded::Java(methods);
        (id, Read { loaded, diagnostics, used_definitions })
    };
    reads.into_iter().map(finish).collect()
}

/// Reads a file that stands alone.
pub(super) fn read_alone(id: FileId, input: &Input, library: &dyn Library) -> Read {
    let mut sources = SourceMap::default();
    // Places are those of the run's own sources.
    for _ in 0..id.0 {
        sources.add("", "");
    }
    let own = sources.add(input.name.as_str(), input.text.as_str());
    let mut reads = read(&mut sources, &[own], library);
    reads.remove(&own).unwrap_or(Read {
        loaded: Loaded::Java(Methods {
            all: Vec::new(),
            wrong_guards: Vec::new(),
            play: Arc::default(),
        }),
        diagnostics: Vec::new(),
        used_definitions: Vec::new(),
    })
}

/// Checks every method.
pub(super) fn check(
    executor: &mut impl Executor,
    methods: &Methods,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let only = &context.options.only;
    let is_wanted = |method: &&Method| only.is_empty() || only.contains(&method.name);
    let mut wanted: Vec<(usize, &Method)> =
        methods.all.iter().filter(is_wanted).enumerate().collect();
    // Short methods first: if there is a limit on time, as many as possible get their turn.
    wanted.sort_by_key(|(at, method)| (method.length, *at));
    let weight = wanted.iter().map(|(_, method)| weight(method)).sum();
    let results = executor
        .run(&wanted, weight, |session, (_, method)| check_method(session, method, file, context));
    let mut all: Vec<(usize, (Span, Findings))> = Vec::new();
    for ((at, method), result) in wanted.iter().zip(results) {
        let found = result.unwrap_or_else(|message| {
            let mut found = Findings::default();
            let task = TaskKind::Method.of(method.name.as_str());
            found.internal_error(task, &message, method.span);
            found
        });
        all.push((*at, (method.span, found)));
    }
    all.sort_by_key(|(at, _)| *at);
    let mut all: Vec<(Span, Findings)> = all.into_iter().map(|(_, found)| found).collect();
    let contradiction = runs::look(&methods.play, &mut all, &context.options.halt);
    let mut found = Findings::default();
    for (class, span, why) in &methods.wrong_guards {
        let what = format!("a guard that is not understood ({why})");
        found.unsupported(TaskKind::Class.of(class.as_str()), &what, *span);
    }
    all.into_iter().for_each(|(_, findings)| found.extend(findings));
    if let Some(failure) = contradiction {
        let message = format!("a run shows `{}` in methods that are proved", failure.code);
        found.internal_error(TaskKind::Failed.alone(), &message, failure.span);
    }
    found
}

/// Checks one method, unless that was done before.
fn check_method(
    session: &mut Session,
    method: &Method,
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    if let Some(reason) = context.options.halt.reason() {
        let mut found = Findings::default();
        found.unknown(TaskKind::Method.of(method.name.as_str()), reason, method.span);
        return found;
    }
    let translated = method.translate();
    let Some(known) = context.known else {
        return check_translated(session, (method, &translated), file, context);
    };
    let told = (&method.name, method.span, method.precondition, &method.params);
    let content = Content::of(&(&translated, told), context);
    if let Some(found) = known.contents.recall(&content) {
        let tasks: BTreeSet<&TaskName> = found.results().iter().map(|one| &one.task).collect();
        for task in tasks {
            context.tell(&Event::Decided { file, task, proved: true });
        }
        return found;
    }
    let found = check_translated(session, (method, &translated), file, context);
    known.contents.learn(content, &found);
    found
}

/// Checks the translation of a method.
fn check_translated(
    session: &mut Session,
    (method, translated): (&Method, &Translated),
    file: FileId,
    context: &Context<'_>,
) -> Findings {
    let mut found = Findings::default();
    let Translated { tree, assumptions } = translated;
    let resolved = ::plato::resolve(tree, &[]);
    if let Some(fault) = resolved.diagnostics.first() {
        let task = TaskKind::Method.of(method.name.as_str());
        let message = format!("the translation is wrong: {}", fault.message);
        found.internal_error(task, &message, method.span);
        return found;
    }
    // An annotation that is not expressed as it is meant makes all of it worth nothing.
    if let Some(gap) = resolved.program.unsupported.first() {
        let task = TaskKind::Method.of(method.name.as_str());
        found.unsupported(task, &gap.message, gap.span);
        return found;
    }
    // Methods are remembered as a whole.
    let context = &context.without_memory();
    // Of what no run reaches, only a method that cannot even begin is told.
    let hygiene = context.options.hygiene && method.precondition.is_some();
    let options = &Options { hygiene, ..context.options.clone() };
    let context = &context.with(options);
    found.extend(plato::check_method(&mut Alone(session), &resolved.program, file, context));
    // Ways out that nobody takes are made by the translation. A method that cannot even begin
    // has a precondition that nobody can satisfy.
    found.keep_warnings(|told| {
        if told.code == Code::UnreachableCode {
            "no caller can satisfy this".clone_into(&mut told.message);
            told.notes.clear();
            return Some(told.primary.span) == method.precondition;
        }
        true
    });
    found.reword(|text| text.replace("the procedure", "the method"));
    found.map_traces(|trace| show::in_java(trace, &method.params));
    if context.options.strict {
        for (span, what) in assumptions {
            found.assumed(TaskKind::Method.of(method.name.as_str()), what, *span);
        }
    }
    found.assumptions.extend(assumptions.iter().cloned());
    found.rename_tasks(|task| match task.kind {
        TaskKind::Thread | TaskKind::Procedure => TaskKind::Method.of(method.name.as_str()),
        TaskKind::Relies => TaskKind::ReliesOf.of(method.name.as_str()),
        _ => task.clone(),
    });
    found
}

/// Whether a method has this name.
pub(super) fn has_part(methods: &Methods, name: &str) -> bool {
    methods.all.iter().any(|method| method.name == name)
}

pub(super) fn statement_count(methods: &Methods) -> usize {
    methods.all.iter().map(weight).sum()
}

/// About how many statements the translation of a method has.
fn weight(method: &Method) -> usize {
    const OF_ONE: usize = 10;
    OF_ONE * (1 + method.length)
}

/// The text of a stage, method by method.
pub(super) fn dump(methods: &Methods, stage: Stage) -> Result<String, String> {
    let mut text = String::new();
    for method in &methods.all {
        let tree = method.translate().tree;
        let printed = match stage {
            Stage::Plato => ::plato::print(&tree),
            stage => plato::dump(&::plato::resolve(&tree, &[]).program, stage)?,
        };
        text += &["// ", &method.name, "\n", &printed, "\n"].concat();
    }
    Ok(text)
}
