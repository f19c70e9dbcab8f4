//! Class files in folders and jars that the user names.

use super::MAX_BYTES;
use anyhow::{Context, bail};
use driver::Library;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::ZipArchive;
use zip::result::ZipError;

/// Folders and jars, separated as in `PATH`.
pub(super) fn open(paths: &OsStr) -> anyhow::Result<Vec<Box<dyn Library>>> {
    let mut all: Vec<Box<dyn Library>> = Vec::new();
    for path in std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()) {
        let opened = open_one(&path);
        all.push(opened.with_context(|| format!("--classpath {}", path.display()))?);
    }
    Ok(all)
}

fn open_one(path: &Path) -> anyhow::Result<Box<dyn Library>> {
    if path.is_dir() {
        return Ok(Box::new(Folder { path: path.to_owned() }));
    }
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        bail!("neither a folder nor a file");
    }
    let archive = ZipArchive::new(file).context("not a jar")?;
    Ok(Box::new(Jar { archive: Mutex::new(archive) }))
}

/// A folder with folders for packages.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
}

impl Library for Folder {
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        // A class file may mention any name; none may lead out of the folder.
        let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']);
        if !name.split('/').all(is_plain) {
            return Ok(None);
        }
        let path = self.path.join(format!("{name}.class"));
        if !path.is_file() {
            return Ok(None);
        }
        let file = File::open(&path).map_err(|error| error.to_string())?;
        all_of(file).map(Some)
    }
}

/// A jar: an archive with the same files.
#[derive(Debug)]
struct Jar {
    archive: Mutex<ZipArchive<File>>,
}

impl Library for Jar {
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        match archive.by_name(&format!("{name}.class")) {
            Ok(file) => all_of(file).map(Some),
            Err(ZipError::FileNotFound) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn all_of(file: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    Ok(bytes)
}
