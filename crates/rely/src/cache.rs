//! Answers of earlier runs, in one file: a line per answer, its key and what was found. Keys are
//! made of the content of the question and the solver's version, never of times; `unknown` is never
//! written.

use crate::environment::cache_folder;
use crate::output;
use anyhow::Context as _;
use smt::Memory;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

/// A larger file is begun anew.
const MAX_BYTES: u64 = 256 << 20;

/// The file and what it holds.
#[derive(Debug)]
pub(crate) struct Cache {
    path: PathBuf,
    known: BTreeMap<String, String>,
    /// What this run found out, in the order it did.
    new: Mutex<Vec<(String, String)>>,
}

impl Cache {
    /// Reads the file, if there is one.
    pub(crate) fn open() -> Option<Self> {
        let path = path()?;
        let small = std::fs::metadata(&path).is_ok_and(|file| file.len() <= MAX_BYTES);
        let text = if small { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let mut known = BTreeMap::new();
        // A line cut off by a crash has no newline or no key of the right length; it is not used.
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let Some(line) =
                std::str::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n'))
            else {
                continue;
            };
            match line.split_once(' ') {
                Some((key, value)) if key.len() == 32 => {
                    known.insert(key.to_owned(), value.to_owned())
                }
                _ => None,
            };
        }
        Some(Self { path, known, new: Mutex::new(Vec::new()) })
    }

    /// Appends what this run found out. A cache that cannot be written is no reason to fail.
    pub(crate) fn save(&self) {
        let Ok(new) = self.new.lock() else { return };
        if new.is_empty() {
            return;
        }
        let too_large = std::fs::metadata(&self.path).is_ok_and(|file| file.len() > MAX_BYTES);
        let mut lines = Vec::new();
        for (key, value) in new.iter() {
            let _ = writeln!(lines, "{key} {value}");
        }
        let write = || -> std::io::Result<()> {
            if let Some(folder) = self.path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let mut options = std::fs::OpenOptions::new();
            options.create(true).append(!too_large).write(true).truncate(too_large);
            options.open(&self.path)?.write_all(&lines)
        };
        let _ = write();
    }
}

impl Memory for Cache {
    fn get(&self, key: &str) -> Option<String> {
        self.known.get(key).cloned()
    }

    fn put(&self, key: &str, value: &str) {
        if let Ok(mut new) = self.new.lock() {
            new.push((key.to_owned(), value.to_owned()));
        }
    }
}

/// `rely cache`: where it is and how much it holds; with `clear`, nothing any more.
pub(crate) fn cache(clear: bool) -> anyhow::Result<u8> {
    let path = path().context("there is no folder for caches: set XDG_CACHE_HOME or HOME")?;
    if clear {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", path.display()));
            }
            _ => {}
        }
    }
    let entries = Cache::open().map_or(0, |cache| cache.known.len());
    output::result(&format!("{}: {entries} answers\n", path.display()));
    Ok(0)
}

fn path() -> Option<PathBuf> {
    Some(cache_folder()?.join("answers"))
}
