//! The files of the checkout.

use anyhow::Context as _;
use std::fs;
use std::path::Path;

/// A text file.
#[derive(Debug)]
pub(super) struct File {
    /// From the top of the checkout, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

/// Folders that are not part of the project: built, fetched or kept by tools.
const SKIPPED_FOLDERS: &[&str] = &["target", ".git", ".tools", "node_modules", "dist"];

/// All text files below a folder, in the order of their paths.
pub(super) fn load(root: &Path) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                if !SKIPPED_FOLDERS.iter().any(|&skipped| entry.file_name() == skipped) {
                    folders.push(path);
                }
            } else if kind.is_file() {
                let bytes =
                    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                // A file with a zero byte is not a text.
                if !bytes.contains(&0) {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    files.push(File { path: relative(root, &path), text });
                }
            }
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

/// The file at a path.
pub(super) fn find<'f>(files: &'f [File], path: &str) -> Option<&'f File> {
    files.iter().find(|file| file.path == path)
}

/// A path from the top of the checkout.
pub(super) fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl File {
    pub(super) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "rs")
    }

    /// Whether the whole file is a test.
    pub(super) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests") || self.path.ends_with("/tests.rs")
    }

    /// The lines before the unit tests, numbered from 1.
    pub(super) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines().take_while(|(_, line)| line.trim() != "#[cfg(test)]")
    }

    /// All lines, numbered from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}
