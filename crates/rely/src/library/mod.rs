//! Class files of the library of Java: those of an installed JDK, and those that `--classpath`
//! names.

mod class_path;
mod jdk;

use crate::arguments::LibraryArguments;
use driver::{Choice, Input, Language, Library, NoLibrary};
use std::ffi::OsStr;
use std::sync::Arc;

/// The JDK that is found by itself.
const AUTO: &str = "auto";

/// One library after the other.
#[derive(Debug)]
struct Libraries {
    all: Vec<Box<dyn Library>>,
}

impl Library for Libraries {
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let found = self.all.iter().map(|library| library.class_file(name));
        found.into_iter().find(|found| !matches!(found, Ok(None))).unwrap_or(Ok(None))
    }
}

/// The library that inputs may use. Without Java among them, nothing is looked for.
pub(crate) fn open(
    arguments: &LibraryArguments,
    inputs: &[Input],
) -> anyhow::Result<Arc<dyn Library>> {
    if !inputs.iter().any(|input| Language::of(&input.name) == Language::Java) {
        return Ok(Arc::new(NoLibrary));
    }
    open_for_java(arguments)
}

/// The library that texts in Java may use.
pub(crate) fn open_for_java(arguments: &LibraryArguments) -> anyhow::Result<Arc<dyn Library>> {
    let mut all: Vec<Box<dyn Library>> = Vec::new();
    let jdk = arguments.jdk.as_deref().unwrap_or(OsStr::new(AUTO));
    if let Some(jdk) = jdk::open(jdk)? {
        all.push(Box::new(jdk));
    }
    if let Some(path) = &arguments.classpath {
        all.extend(class_path::open(path)?);
    }
    Ok(Arc::new(Libraries { all }))
}

/// What is asked for that is only for Java.
pub(crate) fn choices(arguments: &LibraryArguments) -> Vec<Choice> {
    let given = [
        (arguments.jdk.as_deref().is_some_and(|jdk| jdk != AUTO), Choice::Jdk),
        (arguments.classpath.is_some(), Choice::ClassPath),
    ];
    given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, choice)| choice).collect()
}

/// Larger class files are refused; no compiler writes them.
const MAX_BYTES: u64 = 64 << 20;
