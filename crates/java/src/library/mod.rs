//! Classes of libraries that are not shipped with Rely: signatures from class files.

pub(crate) mod class_file;
pub(crate) mod image;
mod reader;
pub(crate) mod signature;

use std::fmt::Debug;

/// Where class files come from. The same name must always give the same bytes.
pub trait Library: Debug + Send + Sync {
    /// The class file of a class, or `None` if there is no such class. The name is as in class
    /// files: `java/util/Map$Entry`.
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String>;
}

/// The name of the file in which things of class files are said to stand.
pub(crate) const PLACE: &str = "class files";

/// No class files: only what is shipped with Rely is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn class_file(&self, _: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}
