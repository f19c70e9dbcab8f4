//! Which executable a file is: a hash of its content.
//!
//! To hash a solver takes some hundredths of a second. So the hash is remembered beside the answers
//! of earlier runs, under the number of the file and the time of its last change of any kind, which
//! nobody can set back.

use crate::environment::cache_folder;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The hash of a file's content; of a file that cannot be read, its name.
pub(crate) fn of(path: &Path) -> String {
    let Ok(about) = std::fs::metadata(path) else { return path.display().to_string() };
    let key = key(&about);
    let remembered = remembered();
    let text = remembered.as_ref().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let known = text.lines().find_map(|line| line.strip_prefix(&key)?.strip_prefix(' '));
    if let Some(known) = known {
        return known.to_owned();
    }
    let Ok(content) = std::fs::read(path) else { return path.display().to_string() };
    let hash = Sha256::digest(&content).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    if let Some(path) = remembered {
        // A few solvers at most; what cannot be written is hashed again.
        let recent: Vec<&str> = text.lines().rev().take(MOST).collect();
        let lines: Vec<&str> = recent.into_iter().rev().collect();
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = std::fs::write(&path, format!("{}\n{key} {hash}\n", lines.join("\n")));
    }
    hash
}

/// How many hashes are remembered.
const MOST: usize = 20;

fn key(about: &Metadata) -> String {
    let (seconds, nanoseconds) = (about.ctime(), about.ctime_nsec());
    format!("{}:{}:{}:{seconds}.{nanoseconds}", about.dev(), about.ino(), about.len())
}

fn remembered() -> Option<PathBuf> {
    Some(cache_folder()?.join("solvers"))
}
