//! Files of the checkout.

use std::path::{Path, PathBuf};

/// The top of the checkout this crate was built in.
pub fn repository() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("the crate lies in crates/testkit").to_owned()
}

/// All files below a folder whose names end in `.extension`, in order of path; empty if there is no
/// folder.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else { continue };
        for entry in entries {
            let entry = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// All Markdown files of a checkout: those at its top and those below `docs`.
pub fn page_files(root: &Path) -> Vec<PathBuf> {
    let entries = root.read_dir().unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.extend(files_below(&root.join("docs"), "md"));
    files.sort();
    files
}

/// The text of a file.
#[expect(clippy::disallowed_methods, reason = "testkit reads the files that are tested")]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path as shown: from the folder, with `/`.
pub(crate) fn shown(path: &Path, folder: &Path) -> String {
    let parts = path.strip_prefix(folder).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
