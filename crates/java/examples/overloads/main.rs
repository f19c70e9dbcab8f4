//! Compares what calls are resolved to with what javac says: `overloads DUMP SOURCES CLASSES`. The
//! dump is what `Calls.java` beside this file writes, `SOURCES` the root that it was made for,
//! `CLASSES` a folder with the class files of all modules, as `jimage extract` writes them. With
//! `--all`, every difference is told; with `--without-stubs`, nothing that is shipped with Rely is
//! used, so that all classes of the library are as javac sees them.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use java::Library;
use source::{FileId, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let (flags, args): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let [dump, root, classes] = args.as_slice() else {
        println!("overloads [--all] [--without-stubs] DUMP SOURCES CLASSES");
        return;
    };
    let has = |wanted: &str| flags.iter().any(|flag| flag == wanted);
    let wanted = read_dump(&text_of(Path::new(dump)));
    let mut sources = SourceMap::default();
    let names: BTreeSet<&String> = wanted.keys().map(|(file, _)| file).collect();
    let ids: Vec<FileId> = names
        .into_iter()
        .map(|name| sources.add(name.as_str(), text_of(&Path::new(root).join(name))))
        .collect();
    let start = Instant::now();
    let found =
        resolved(&mut sources, &ids, &Folder::new(Path::new(classes)), !has("--without-stubs"));
    let seconds = start.elapsed().as_secs_f64();
    compare(&sources, &ids, &wanted, &found, has("--all"));
    println!("{} files in {seconds:.1} s", ids.len());
}

/// Files and ends of calls.
type Calls = BTreeMap<(String, usize), String>;

fn read_dump(text: &str) -> Calls {
    let mut calls = Calls::new();
    for line in text.lines() {
        if let [file, end, method] = line.split('\t').collect::<Vec<_>>().as_slice()
            && let Ok(end) = end.parse()
        {
            calls.insert(((*file).to_owned(), end), method.replace("...", "[]"));
        }
    }
    calls
}

fn resolved(
    sources: &mut SourceMap,
    ids: &[FileId],
    library: &dyn Library,
    has_stubs: bool,
) -> Calls {
    let mut calls = Calls::new();
    for (span, method) in java::testing::calls(sources, ids, library, has_stubs) {
        let file = sources.file(span.file);
        let text = without_parentheses(&file.text[span.start as usize..span.end as usize]);
        // The statement `super(..);` ends after its call.
        let text = text.strip_suffix(';').map_or(text, str::trim_end);
        let end = text.as_ptr() as usize - file.text.as_ptr() as usize + text.len();
        let end = file.text[..end].encode_utf16().count();
        calls.insert((file.name.clone(), end), method);
    }
    calls
}

/// A condition may be read together with the parentheses around it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_i32;
    let is_pair = inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    if is_pair { without_parentheses(inner.trim()) } else { text }
}

fn compare(sources: &SourceMap, ids: &[FileId], wanted: &Calls, found: &Calls, tells_all: bool) {
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut same = 0;
    let by_name: BTreeMap<&str, FileId> =
        ids.iter().map(|id| (sources.file(*id).name.as_str(), *id)).collect();
    for (key @ (file, end), method) in wanted {
        let ours = found.get(key);
        if ours == Some(method) {
            same += 1;
            continue;
        }
        let text = by_name.get(file.as_str()).map_or("", |id| sources.file(*id).text.as_str());
        let line = 1 + text.chars().take(*end).filter(|c| *c == '\n').count();
        let told = ours.map_or("nothing", String::as_str);
        let entry = format!("{file}:{line}: javac {method}, ours {told}");
        kinds.entry(kind(method, ours)).or_default().push(entry);
    }
    for (kind, entries) in &kinds {
        println!("{:6} {kind}", entries.len());
        let step = if tells_all { 1 } else { entries.len() / 12 + 1 };
        for entry in entries.iter().step_by(step) {
            println!("         {entry}");
        }
    }
    let hundredths = 10_000 * same / wanted.len().max(1);
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    println!("{same} of {} calls agree: {whole}.{rest:02} %", wanted.len());
}

/// What kind of difference there is.
fn kind(wanted: &str, ours: Option<&String>) -> &'static str {
    let Some(ours) = ours else { return "not resolved" };
    let split = |method: &str| -> (String, String) {
        let (path, params) = method.split_once('(').unwrap_or((method, ""));
        let (class, name) = path.rsplit_once('.').unwrap_or(("", path));
        (class.to_owned(), format!("{name}({params}"))
    };
    let ((class, method), (our_class, our_method)) = (split(wanted), split(ours));
    match (class == our_class, method == our_method) {
        (true, _) => "another overload of the same class",
        (_, true) => "the same method of another class",
        _ => "another method",
    }
}

/// Class files below `MODULE/` folders.
#[derive(Debug)]
struct Folder {
    modules: Vec<PathBuf>,
}

impl Folder {
    fn new(path: &Path) -> Self {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut modules: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        modules.sort();
        Self { modules }
    }
}

impl Library for Folder {
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let paths = self.modules.iter().map(|module| module.join(format!("{name}.class")));
        let path = paths.into_iter().find(|path| path.is_file());
        Ok(path.and_then(|path| std::fs::read(path).ok()))
    }
}

#[expect(clippy::disallowed_methods, reason = "a program for developers, which reads files")]
fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
