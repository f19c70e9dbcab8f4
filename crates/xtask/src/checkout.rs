//! The place of the checkout and its crates.

use crate::command::cargo;
use anyhow::{Context as _, anyhow};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The checkout that the tasks work on.
#[derive(Debug)]
pub(crate) struct Checkout {
    /// Its top folder.
    pub(crate) root: PathBuf,
    /// The folder in which cargo builds.
    pub(crate) target: PathBuf,
    /// The crates of the workspace, by name.
    pub(crate) crates: Vec<Package>,
}

/// A crate of the workspace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// The root files of its library and its programs.
    pub(crate) roots: Vec<PathBuf>,
    /// The crates of the workspace that it needs to be built; dependencies of its tests do not
    /// count.
    pub(crate) dependencies: BTreeSet<String>,
}

impl Checkout {
    /// Asks cargo.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let output = cargo(&["metadata", "--format-version", "1", "--no-deps"])
            .output()
            .context("cannot run cargo")?;
        if !output.status.success() {
            return Err(anyhow!(
                "cargo metadata failed:\n{}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        Self::from_metadata(&serde_json::from_slice(&output.stdout)?)
            .context("cargo metadata has an unknown form")
    }

    fn from_metadata(metadata: &Value) -> Option<Self> {
        let mut crates: Vec<Package> =
            metadata["packages"].as_array()?.iter().map(package).collect::<Option<_>>()?;
        crates.sort_by(|left, right| left.name.cmp(&right.name));
        Some(Self {
            root: metadata["workspace_root"].as_str()?.into(),
            target: metadata["target_directory"].as_str()?.into(),
            crates,
        })
    }
}

fn package(package: &Value) -> Option<Package> {
    let mut dependencies = BTreeSet::new();
    for dependency in package["dependencies"].as_array()? {
        // Only the crates of the workspace have a path here.
        if dependency["kind"].as_str() != Some("dev") && dependency["path"].is_string() {
            dependencies.insert(dependency["name"].as_str()?.to_owned());
        }
    }
    let mut roots = Vec::new();
    for target in package["targets"].as_array()? {
        let kinds = target["kind"].as_array()?;
        if kinds.iter().any(|kind| matches!(kind.as_str(), Some("lib" | "bin" | "proc-macro"))) {
            roots.push(target["src_path"].as_str()?.into());
        }
    }
    Some(Package { name: package["name"].as_str()?.to_owned(), roots, dependencies })
}
