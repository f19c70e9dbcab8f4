//! Collects the pages of `docs/codes` so that `rely explain` works without the checkout, and the
//! solver if it is to be put inside.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[expect(
    clippy::disallowed_methods,
    reason = "a build script is configured through the environment"
)]
fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let out = PathBuf::from(variable("OUT_DIR"));
    let pages = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../../docs/codes");
    let mut table = String::from("&[\n");
    for page in markdown_files(&pages) {
        let code = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(table, "    ({code:?}, include_str!({:?})),", page.display().to_string());
    }
    table.push_str("]\n");
    write(&out.join("pages.rs"), &table);
    println!("cargo::rerun-if-changed={}", pages.display());
    println!("cargo::rerun-if-env-changed=RELY_EMBED_SOLVER");
    if std::env::var("CARGO_FEATURE_EMBEDDED_SOLVER").is_ok() {
        let solver = std::env::var("RELY_EMBED_SOLVER").unwrap_or_else(|_| {
            panic!("the feature `embedded-solver` needs RELY_EMBED_SOLVER=path of the solver")
        });
        println!("cargo::rerun-if-changed={solver}");
        write(&out.join("solver.rs"), &format!("include_bytes!({solver:?})\n"));
    }
}

fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder
        .read_dir()
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text)
        .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}
