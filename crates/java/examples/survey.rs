//! Reads all Java below some folders and tells what was found: `survey FOLDER..`. With `-p`, prints
//! the programs of Plato; with `--resolve-only`, goes no further than names and types.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use diagnostic::Diagnostic;
use source::{FileId, SourceMap};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut files = Vec::new();
    let (mut prints, mut resolves_only) = (false, false);
    for folder in std::env::args().skip(1) {
        match folder.as_str() {
            "-p" => prints = true,
            "--resolve-only" => resolves_only = true,
            folder => collect(Path::new(folder), &mut files),
        }
    }
    files.sort();
    let start = Instant::now();
    let mut sources = SourceMap::default();
    let mut ids = Vec::new();
    for path in &files {
        match text_of(path) {
            Some(text) => ids.push(sources.add(path.display().to_string(), text)),
            None => println!("{}: cannot be read", path.display()),
        }
    }
    let found =
        if resolves_only { resolve(&mut sources, &ids) } else { read(&mut sources, &ids, prints) };
    println!("{} files, {found}, {:.1} s", files.len(), start.elapsed().as_secs_f64());
}

fn read(sources: &mut SourceMap, ids: &[FileId], prints: bool) -> String {
    let program = java::read(sources, ids, &java::NoLibrary);
    let counts = tell(sources, &program.diagnostics);
    for method in &program.methods {
        for fault in plato::resolve(&method.translate().tree, &[]).diagnostics {
            println!("{}: {:?}", method.name, fault);
        }
        if prints {
            println!("// {}\n{}", method.name, plato::print(&method.translate().tree));
        }
    }
    format!("{} methods, {counts:?}", program.methods.len())
}

fn resolve(sources: &mut SourceMap, ids: &[FileId]) -> String {
    let survey = java::testing::survey(sources, ids, &java::NoLibrary);
    let counts = tell(sources, &survey.diagnostics);
    let mut unsupported: Vec<_> = survey.unsupported.iter().collect();
    unsupported.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    let total: usize = unsupported.iter().map(|(_, places)| places.len()).sum();
    for (what, places) in unsupported.into_iter().take(60) {
        println!("{:6} {what}", places.len());
        for span in places.iter().step_by(places.len() / 5 + 1) {
            let (line, _) = sources.line_column(*span);
            println!("           {}:{line}", sources.file(span.file).name);
        }
    }
    let (classes, methods, whole) = (survey.classes, survey.methods, survey.whole);
    format!("{classes} classes, {methods} methods ({whole} whole), {total} unsupported, {counts:?}")
}

/// Tells some of the faults; gives how many there are of each kind.
fn tell(sources: &SourceMap, diagnostics: &[Diagnostic]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for fault in diagnostics {
        let count: &mut usize = counts.entry(fault.code.to_string()).or_default();
        *count += 1;
        if *count <= 25 {
            let (line, _) = sources.line_column(fault.primary.span);
            let name = &sources.file(fault.primary.span.file).name;
            println!("{name}:{line}: {}: {}", fault.code, fault.message);
        }
    }
    counts
}

#[expect(clippy::disallowed_methods, reason = "a program for developers, which reads files")]
fn text_of(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_file() {
        into.push(path.to_owned());
        return;
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() || path.extension().is_some_and(|ending| ending == "java") {
            collect(&path, into);
        }
    }
}
