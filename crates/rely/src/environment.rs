//! What the environment says.

use std::path::PathBuf;

/// A variable that is set to something.
#[expect(clippy::disallowed_methods, reason = "the binary is where the environment is read")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The user's folder for what programs need.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let folder = variable("XDG_DATA_HOME").map(PathBuf::from);
    let home = || variable("HOME").map(|home| PathBuf::from(home).join(".local").join("share"));
    Some(folder.or_else(home)?.join("rely"))
}

/// The user's folder for what can be made again.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let folder = variable("XDG_CACHE_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")));
    Some(folder?.join("rely"))
}
