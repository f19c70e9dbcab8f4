//! Reads all Java below some folders and tells what was found: `survey FOLDER..`. With `-p`, prints
//! the programs of Plato; with `--resolve-only`, goes no further than names and types. With
//! `--lower N`, reads each folder as a program of its own, or all with `--together`, translates up
//! to N of its methods, evenly chosen, and tells how many of them have nothing that is not
//! supported.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use diagnostic::Diagnostic;
use plato::ast::{File, ItemKind, Stmt, StmtKind};
use source::{FileId, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut files = Vec::new();
    let (mut prints, mut resolves_only, mut together, mut most) = (false, false, false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(folder) = arguments.next() {
        match folder.as_str() {
            "-p" => prints = true,
            "--lower" => most = arguments.next().and_then(|count| count.parse().ok()),
            "--resolve-only" => resolves_only = true,
            "--together" => together = true,
            folder => collect(Path::new(folder), &mut files),
        }
    }
    files.sort();
    if let Some(most) = most {
        return lower(&files, most, together);
    }
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

/// How many methods of each folder are translated without a gap, and what the gaps are.
fn lower(files: &[PathBuf], most: usize, together: bool) {
    let mut folders: BTreeMap<&Path, Vec<&PathBuf>> = BTreeMap::new();
    for file in files {
        let folder = file.parent().filter(|_| !together).unwrap_or(Path::new("all"));
        folders.entry(folder).or_default().push(file);
    }
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut all, mut chosen, mut whole) = (0, 0, 0);
    for (folder, files) in folders {
        let start = Instant::now();
        let mut sources = SourceMap::default();
        let texts = files.iter().filter_map(|path| Some((path, text_of(path)?)));
        let ids: Vec<FileId> =
            texts.map(|(path, text)| sources.add(path.display().to_string(), text)).collect();
        let program = java::read(&mut sources, &ids, &java::NoLibrary);
        let every = program.methods.len().div_ceil(most.max(1)).max(1);
        let (mut tried, mut good) = (0, 0);
        for method in program.methods.iter().step_by(every) {
            let gaps = gaps(&method.translate().tree);
            tried += 1;
            good += usize::from(gaps.is_empty());
            for gap in gaps {
                *reasons.entry(without_names(&gap)).or_default() += 1;
            }
        }
        let (count, seconds) = (program.methods.len(), start.elapsed().as_secs_f64());
        println!("{}: {count} methods, {good} of {tried}, {seconds:.1} s", folder.display());
        all += count;
        chosen += tried;
        whole += good;
    }
    let mut reasons: Vec<(usize, String)> =
        reasons.into_iter().map(|(what, n)| (n, what)).collect();
    reasons.sort_unstable_by(|one, other| other.cmp(one));
    for (count, what) in reasons.into_iter().take(25) {
        println!("{count:6} {what}");
    }
    println!("{all} methods, {whole} of {chosen}");
}

/// What is not supported in a translation: each reason once.
fn gaps(tree: &File) -> BTreeSet<String> {
    let mut gaps = BTreeSet::new();
    let mut rest: Vec<&Stmt> = Vec::new();
    for item in &tree.items {
        match &item.kind {
            ItemKind::Thread(thread) => rest.extend(&thread.body.stmts),
            ItemKind::Proc(procedure) => rest.extend(&procedure.body.stmts),
            ItemKind::Unsupported(what) => _ = gaps.insert(what.clone()),
            _ => {}
        }
    }
    while let Some(stmt) = rest.pop() {
        if let StmtKind::Unsupported(what) = &stmt.kind {
            gaps.insert(what.clone());
        }
        rest.extend(stmt.blocks().into_iter().flat_map(|block| &block.stmts));
    }
    gaps
}

/// A text with the same word for every name in it.
fn without_names(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { "_" }).collect()
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
