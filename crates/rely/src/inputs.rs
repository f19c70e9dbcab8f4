//! From paths to texts.

use anyhow::Context;
use driver::{Input, Language};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name that standard input has in messages.
pub(crate) const STANDARD_INPUT: &str = "<standard input>";

/// Larger texts are refused; nobody writes them by hand.
const MAX_BYTES: u64 = 64 << 20;

/// What the paths hold.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) texts: Vec<Input>,
    /// Paths that could not be read, and why. The other inputs are checked all the same.
    pub(crate) unreadable: Vec<String>,
}

/// Reads files, all of those with a known ending below folders in order of name, and standard input
/// for `-`.
pub(crate) fn read(
    paths: &[PathBuf],
    standard_input: &str,
    is_excluded: &dyn Fn(&Path) -> bool,
) -> Inputs {
    let mut inputs = Inputs::default();
    let mut seen = BTreeSet::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.add(standard_input.to_owned(), read_standard_input());
            continue;
        }
        let mut files = Vec::new();
        if path.is_dir() {
            if let Err(error) = collect(path, &mut files) {
                inputs.unreadable.push(format!("{}: {error}", path.display()));
            }
            files.retain(|file| !is_excluded(file.strip_prefix(".").unwrap_or(file)));
            let has_none = files.is_empty();
            // Patterns of a project may name a folder and what is in it.
            files.retain(|file| seen.insert(named(file)));
            if has_none {
                inputs.unreadable.push(format!(
                    "{}: no files in this folder whose names end in .{}",
                    path.display(),
                    endings().collect::<Vec<_>>().join(", .")
                ));
            }
        } else {
            files.extend(Some(path.clone()).filter(|file| seen.insert(named(file))));
        }
        for file in files {
            inputs.add(named(&file), read_with_neighbours(&file));
        }
    }
    inputs
}

/// The files that paths name, those in folders included.
pub(crate) fn files(paths: &[PathBuf], is_excluded: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            // What cannot be read is told by `rely check`.
            let mut inside = Vec::new();
            let _ = collect(path, &mut inside);
            files.extend(inside.into_iter().filter(|file| !is_excluded(file)));
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.dedup();
    files
}

/// The name of a file in messages.
fn named(file: &Path) -> String {
    file.strip_prefix(".").unwrap_or(file).display().to_string()
}

/// The same for one path.
pub(crate) fn read_one(path: &PathBuf) -> Inputs {
    read(std::slice::from_ref(path), STANDARD_INPUT, &|_| false)
}

impl Inputs {
    fn add(&mut self, name: String, bytes: anyhow::Result<Vec<u8>>) {
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).context("not UTF-8 text"));
        match text {
            Ok(text) => self.texts.push(Input { name, text }),
            Err(error) => self.unreadable.push(format!("{name}: {error:#}")),
        }
    }
}

fn read_standard_input() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    anyhow::ensure!(bytes.len() as u64 <= MAX_BYTES, "larger than {MAX_BYTES} bytes");
    Ok(bytes)
}

fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    // A pipe or a device may have no end, or keep a reader waiting for ever.
    anyhow::ensure!(about.is_file(), "not a regular file; use - for standard input");
    let length = about.len();
    anyhow::ensure!(length <= MAX_BYTES, "larger than {MAX_BYTES} bytes");
    Ok(std::fs::read(path)?)
}

/// The text of a file. A pushdown system may have its initial configuration and its target in files
/// beside it, named alike; they are read as if they stood at its end.
fn read_with_neighbours(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = read_file(path)?;
    if path.extension().is_none_or(|extension| extension != "pds") {
        return Ok(bytes);
    }
    for (extension, word) in [("init", "init"), ("spec", "never")] {
        let has = |word: &str| String::from_utf8_lossy(&bytes).contains(&format!("#@ {word}:"));
        let beside = path.with_extension(extension);
        if beside.is_file() && !has(word) {
            let content = read_file(&beside)?;
            let content = String::from_utf8_lossy(&content);
            for line in content.lines().filter(|line| !line.trim().is_empty()) {
                bytes.extend(format!("\n#@ {word}: {line}").into_bytes());
            }
        }
    }
    Ok(bytes)
}

fn endings() -> impl Iterator<Item = &'static str> {
    Language::ALL.into_iter().flat_map(|language| language.endings().iter().copied())
}

/// All files with a known ending below; links to folders are not followed, so that no loop is.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<_> = folder.read_dir()?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, files)?;
        } else if endings().any(|known| path.extension().is_some_and(|ending| ending == known)) {
            files.push(path);
        }
    }
    Ok(())
}
