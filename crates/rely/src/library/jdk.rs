//! The class files of an installed JDK: the file `lib/modules` of its folder.

use super::MAX_BYTES;
use crate::environment;
use anyhow::{Context, ensure};
use driver::{Extent, IMAGE_HEADER, Image, Library};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The class files of a JDK.
#[derive(Debug)]
pub(super) struct Jdk {
    image: Image,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    size: u64,
    /// The module of each package that was asked for.
    modules: BTreeMap<String, Option<String>>,
}

/// The JDK that is asked for: `auto`, `none` or the path of one.
pub(super) fn open(choice: &OsStr) -> anyhow::Result<Option<Jdk>> {
    if choice == "none" {
        return Ok(None);
    }
    if choice == "auto" {
        // What is found by itself and is of no use is as good as none: types that are not known
        // are told in any case.
        return Ok(installed().and_then(|path| open_image(&path).ok()));
    }
    let path = image_of(Path::new(choice));
    let told = || format!("--jdk {}", Path::new(choice).display());
    let path = path.context("there is no file lib/modules in this folder").with_context(told)?;
    open_image(&path).map(Some).with_context(told)
}

/// `JAVA_HOME`, else the JDK of the `java` that would be run.
fn installed() -> Option<PathBuf> {
    let home = environment::variable("JAVA_HOME").map(PathBuf::from);
    if let Some(found) = home.and_then(|home| image_of(&home)) {
        return Some(found);
    }
    let folders = environment::variable("PATH")?;
    let name = format!("java{}", std::env::consts::EXE_SUFFIX);
    let mut programs = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    let program = programs.find(|program| program.is_file())?.canonicalize().ok()?;
    image_of(program.parent()?.parent()?)
}

/// The image in the folder of a JDK; the image itself may be given too.
fn image_of(path: &Path) -> Option<PathBuf> {
    let candidates = [path.join("lib").join("modules"), path.to_owned()];
    candidates.into_iter().find(|path| path.is_file())
}

fn open_image(path: &Path) -> anyhow::Result<Jdk> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut header = vec![0; IMAGE_HEADER];
    file.read_exact(&mut header).context("it ends too early")?;
    let tables = Image::tables_size(&header).map_err(anyhow::Error::msg)?;
    ensure!((IMAGE_HEADER + tables) as u64 <= size, "it ends too early");
    let mut content = vec![0; tables];
    file.read_exact(&mut content)?;
    let image = Image::new(&header, content).map_err(anyhow::Error::msg)?;
    Ok(Jdk { image, open: Mutex::new(Open { file, size, modules: BTreeMap::new() }) })
}

impl Library for Jdk {
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (package, _) = name.rsplit_once('/').unwrap_or(("", name));
        let Some(module) = open.module(&self.image, package)? else { return Ok(None) };
        let path = format!("/{module}/{name}.class");
        let Some(extent) = self.image.find(&path)? else { return Ok(None) };
        open.read(extent).map(Some)
    }
}

impl Open {
    fn module(&mut self, image: &Image, package: &str) -> Result<Option<String>, String> {
        if let Some(known) = self.modules.get(package) {
            return Ok(known.clone());
        }
        let path = format!("/packages/{}", package.replace('/', "."));
        let module = match image.find(&path)? {
            Some(extent) => image.module(&self.read(extent)?)?,
            None => None,
        };
        self.modules.insert(package.to_owned(), module.clone());
        Ok(module)
    }

    fn read(&mut self, extent: Extent) -> Result<Vec<u8>, String> {
        let Extent { offset, size } = extent;
        let is_inside = offset.checked_add(size).is_some_and(|end| end <= self.size);
        let size = usize::try_from(size.min(MAX_BYTES + 1)).unwrap_or_default();
        if !is_inside || size as u64 > MAX_BYTES {
            return Err("it stands outside of the image".to_owned());
        }
        let mut content = vec![0; size];
        let read = self.file.seek(SeekFrom::Start(offset));
        read.and_then(|_| self.file.read_exact(&mut content)).map_err(|error| error.to_string())?;
        Ok(content)
    }
}
