//! `rely.toml`: what a project is checked with. It is found in the current folder or above.

use crate::arguments::{EngineName, InferWhen, LibraryArguments};
use anyhow::{Context as _, bail};
use diagnostic::{Code, Severity, most_similar};
use driver::{Input, Level, Settings};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the file.
pub(crate) const FILE: &str = "rely.toml";

/// A project, with its folder.
#[derive(Debug, Default)]
pub(crate) struct Project {
    /// The folder of the file, as it is seen from the current one.
    root: PathBuf,
    /// The file, as it was read.
    read: String,
    pub(crate) text: ProjectFile,
    severities: BTreeMap<Code, Level>,
}

/// What the file says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct ProjectFile {
    inputs: Vec<String>,
    exclude: Vec<String>,
    classpath: Vec<PathBuf>,
    pub(crate) jdk: Option<String>,
    baseline: Option<PathBuf>,
    define: BTreeMap<String, toml::Value>,
    check: CheckTable,
    pub(crate) limits: LimitsTable,
    severity: BTreeMap<String, LevelName>,
    folder: BTreeMap<String, CheckTable>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct CheckTable {
    engine: Option<EngineName>,
    states: Option<u64>,
    infer: Option<InferWhen>,
    strict: Option<bool>,
    hygiene: Option<bool>,
    severity: BTreeMap<String, LevelName>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct LimitsTable {
    pub(crate) timeout: Option<u64>,
    pub(crate) time_limit: Option<u64>,
    pub(crate) memory: Option<u32>,
    pub(crate) jobs: Option<u16>,
    pub(crate) infer_budget: Option<u64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LevelName {
    Off,
    Warning,
    Error,
}

/// The project of the current folder, if there is one.
pub(crate) fn find() -> anyhow::Result<Option<Project>> {
    let here = std::env::current_dir().context("there is no current folder")?;
    let mut root = PathBuf::new();
    for folder in here.ancestors() {
        let path = folder.join(FILE);
        if path.is_file() {
            return read(&path, root).map(Some);
        }
        root.push("..");
    }
    Ok(None)
}

/// The project of a folder, which is not the current one, if there is one.
pub(crate) fn find_above(folder: &Path) -> anyhow::Result<Option<Project>> {
    let found = folder.ancestors().find(|folder| folder.join(FILE).is_file());
    found.map(|root| read(&root.join(FILE), root.to_path_buf())).transpose()
}

fn read(path: &Path, root: PathBuf) -> anyhow::Result<Project> {
    let shown = root.join(FILE);
    let shown = shown.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not UTF-8 text"))?;
    let read = text;
    let text: ProjectFile = match toml::from_str(&read) {
        Ok(text) => text,
        Err(error) => bail!("{shown}: {error}{}", suggestion(error.message())),
    };
    let severities = levels(&text.severity).with_context(|| format!("{shown}"))?;
    for (folder, table) in &text.folder {
        levels(&table.severity).with_context(|| format!("{shown}: folder `{folder}`"))?;
    }
    for pattern in text.inputs.iter().chain(&text.exclude) {
        let why = || format!("{shown}: `{pattern}` is no pattern");
        glob::Pattern::new(pattern).with_context(why)?;
    }
    Ok(Project { root, read, text, severities })
}

/// What a misspelt key may mean: the message lists all that are known.
fn suggestion(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((wrong, known)) = quoted.split_first().filter(|_| message.contains("expected")) else {
        return String::new();
    };
    let meant = most_similar(*wrong, known.iter().copied());
    meant.map(|meant| format!("did you mean `{meant}`?")).unwrap_or_default()
}

fn levels(names: &BTreeMap<String, LevelName>) -> anyhow::Result<BTreeMap<Code, Level>> {
    let mut levels = BTreeMap::new();
    for (name, level) in names {
        let Some(code) = Code::find(name) else {
            let known = Code::ALL.iter().map(|code| code.as_str());
            let meant = most_similar(name, known);
            let meant = meant.map(|code| format!("; did you mean `{code}`?")).unwrap_or_default();
            bail!("there is no code `{name}`{meant}");
        };
        if code.info().severity != Severity::Warning {
            bail!("`{code}` is no warning: what is refuted or unknown cannot be turned off");
        }
        let level = match level {
            LevelName::Off => Level::Off,
            LevelName::Warning => Level::Warning,
            LevelName::Error => Level::Error,
        };
        levels.insert(code, level);
    }
    Ok(levels)
}

impl Project {
    /// The paths to check if none are given.
    pub(crate) fn paths(&self) -> anyhow::Result<Vec<PathBuf>> {
        if self.text.inputs.is_empty() {
            return Ok(vec![self.seen_from_here(".")]);
        }
        let mut paths = Vec::new();
        for pattern in &self.text.inputs {
            let path = self.seen_from_here(pattern);
            let mut found: Vec<PathBuf> =
                glob::glob(&path.to_string_lossy())?.filter_map(Result::ok).collect();
            if found.is_empty() {
                bail!("{}: nothing fits the input `{pattern}`", self.root.join(FILE).display());
            }
            found.sort();
            paths.append(&mut found);
        }
        Ok(paths)
    }

    /// A path of the file, as it is seen from the current folder.
    fn seen_from_here(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = self.root.join(path);
        let plain = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
        if plain.as_os_str().is_empty() { PathBuf::from(".") } else { plain }
    }

    /// Whether a file in a folder that was searched is left out.
    pub(crate) fn excludes(&self, path: &Path) -> bool {
        let Some(inside) = self.inside(path) else { return false };
        self.text.exclude.iter().any(|pattern| {
            let fits = glob::Pattern::new(pattern.trim_start_matches("./"));
            inside.ancestors().any(|part| fits.as_ref().is_ok_and(|fits| fits.matches_path(part)))
        })
    }

    /// A path as it is seen from the folder of the project, however it is spelt.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let root = if self.root.as_os_str().is_empty() { Path::new(".") } else { &self.root };
        let (root, path) = (root.canonicalize().ok()?, path.canonicalize().ok()?);
        path.strip_prefix(root).ok().map(Path::to_path_buf)
    }

    /// The names of inputs as they are seen from the folder of the project.
    pub(crate) fn names(&self, inputs: &[Input]) -> BTreeMap<String, String> {
        let name = |input: &Input| {
            let inside = self.inside(Path::new(&input.name))?;
            Some((input.name.clone(), inside.display().to_string()))
        };
        inputs.iter().filter_map(name).collect()
    }

    pub(crate) fn baseline(&self) -> Option<PathBuf> {
        self.text.baseline.as_ref().map(|path| self.seen_from_here(path))
    }

    /// Tells projects apart, and what they say.
    pub(crate) fn identity(&self) -> String {
        format!("{}\0{}", self.root.display(), self.read)
    }

    /// The class files of libraries; the command line comes first.
    pub(crate) fn libraries(&self, given: &LibraryArguments) -> anyhow::Result<LibraryArguments> {
        let paths = self.text.classpath.iter().map(|path| self.seen_from_here(path));
        let paths: Vec<PathBuf> = paths.collect();
        let joined = (!paths.is_empty()).then(|| std::env::join_paths(paths)).transpose()?;
        Ok(LibraryArguments {
            jdk: given.jdk.clone().or_else(|| self.text.jdk.clone().map(Into::into)),
            classpath: given.classpath.clone().or(joined),
        })
    }

    pub(crate) fn definitions(&self) -> Vec<(String, String)> {
        let shown = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.text.define.iter().map(|(name, value)| (name.clone(), shown(value))).collect()
    }

    /// What is set for each of these inputs; the innermost folder counts first.
    pub(crate) fn settings(&self, inputs: &[Input]) -> BTreeMap<String, Settings> {
        let of_all = Settings { severities: self.severities.clone(), ..table(&self.text.check) };
        let one = |input: &Input| {
            let path = Path::new(&input.name);
            let inside = self.inside(path).unwrap_or_else(|| path.to_path_buf());
            let mut folders: Vec<(PathBuf, &CheckTable)> = self
                .text
                .folder
                .iter()
                .map(|(folder, table)| (PathBuf::from(folder.trim_start_matches("./")), table))
                .filter(|(folder, _)| inside.starts_with(folder))
                .collect();
            folders.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.components().count()));
            let inner = folders.iter().map(|(_, one)| table(one));
            let all = inner.fold(Settings::default(), |all, one| all.or(&one));
            (input.name.clone(), all.or(&of_all))
        };
        inputs.iter().map(one).collect()
    }
}

fn table(table: &CheckTable) -> Settings {
    Settings {
        engine: table.engine.map(Into::into),
        states: table.states,
        strict: table.strict,
        hygiene: table.hygiene,
        infer: table.infer.map(|when| when == InferWhen::Auto),
        // Codes were looked at when the file was read.
        severities: levels(&table.severity).unwrap_or_default(),
    }
}

/// `rely init`: a file with everything that it can say.
pub(crate) fn init() -> anyhow::Result<u8> {
    write(Path::new(FILE), TEMPLATE)?;
    crate::output::result(&format!("{FILE} is written; `rely check` uses it from now on\n"));
    Ok(0)
}

/// `rely new`: a folder with a project and a first program.
pub(crate) fn new(folder: &Path) -> anyhow::Result<u8> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    write(&folder.join(FILE), TEMPLATE)?;
    write(&folder.join("bank.plato"), PROGRAM)?;
    crate::output::result(&format!(
        "{0} is made. Next:\n  cd {0}\n  rely check          # everything is proved\n  \
         then move `acquire m;` and `release m;` into the `if` of bank.plato, and check again\n",
        folder.display()
    ));
    Ok(0)
}

/// Writes a file that must not be there yet.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if path.exists() {
        bail!("{} is there already", path.display());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

const TEMPLATE: &str = include_str!("project/rely.toml");
const PROGRAM: &str = include_str!("project/bank.plato");
