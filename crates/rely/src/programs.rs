//! What the server for editors checks a file with: the settings of its project, and the files that
//! belong to one program with it.

use crate::arguments::LibraryArguments;
use crate::check::{TIMEOUT, limits};
use crate::project::{self, Project};
use crate::{baseline, inputs, library, memory};
use driver::{Input, Language, Library, Options};
use lsp::Program;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// More files beside one in Java are not read: a check would take too long for an editor.
const MOST_OTHERS: usize = 200;

/// What is kept from one edit to the next.
pub(crate) struct Kept {
    /// Where classes of libraries come from.
    given: LibraryArguments,
    /// Libraries that were opened, by what was asked for.
    opened: RefCell<BTreeMap<String, Arc<dyn Library>>>,
    /// The files that projects name, and when they were listed.
    listed: RefCell<BTreeMap<String, (Instant, Vec<PathBuf>)>>,
}

/// A folder may have very many files; a new one is seen after this time.
const LISTED_FOR: Duration = Duration::from_secs(3);

impl Kept {
    pub(crate) fn new(given: LibraryArguments) -> Self {
        Self { given, opened: RefCell::default(), listed: RefCell::default() }
    }

    /// The files that a project names.
    fn files(&self, project: &Project) -> anyhow::Result<Vec<PathBuf>> {
        let key = project.identity();
        if let Some((then, files)) = self.listed.borrow().get(&key)
            && then.elapsed() < LISTED_FOR
        {
            return Ok(files.clone());
        }
        let files = inputs::files(&project.paths()?, &|path: &Path| project.excludes(path));
        self.listed.borrow_mut().insert(key, (Instant::now(), files.clone()));
        Ok(files)
    }

    fn library(&self, project: &Project) -> anyhow::Result<Arc<dyn Library>> {
        let wanted = project.libraries(&self.given)?;
        let key = format!("{:?} {:?}", wanted.jdk, wanted.classpath);
        if let Some(known) = self.opened.borrow().get(&key) {
            return Ok(Arc::clone(known));
        }
        let opened = library::open_for_java(&wanted)?;
        self.opened.borrow_mut().insert(key, Arc::clone(&opened));
        Ok(opened)
    }
}

/// What a file is checked with. A text that is in no file has no project.
pub(crate) fn program(input: &Input, options: &Options, kept: &Kept) -> anyhow::Result<Program> {
    let path = Path::new(&input.name);
    let folder = path.parent().filter(|folder| folder.is_absolute() && folder.is_dir());
    let project = folder.map(project::find_above).transpose()?.flatten();
    let has_project = project.is_some();
    let project = project.unwrap_or_default();
    let is_java = Language::of(&input.name) == Language::Java;
    let others = match folder {
        Some(folder) if is_java => others(path, folder, has_project.then_some((&project, kept)))?,
        _ => Vec::new(),
    };
    let mut all = vec![input.clone()];
    all.extend(others.iter().cloned());
    let set = &project.text.limits;
    let memory = set.memory.unwrap_or_else(|| memory::default_mib(options.jobs));
    let own = Options {
        definitions: project.definitions(),
        settings: Arc::new(project.settings(&all)),
        limits: limits(set.timeout.unwrap_or(TIMEOUT), memory),
        infer: options.infer.map(|usual| set.infer_budget.map_or(usual, Duration::from_secs)),
        library: if is_java { kept.library(&project)? } else { Arc::clone(&options.library) },
        ..options.clone()
    };
    Ok(Program {
        settings: project.identity(),
        options: own,
        others,
        time_limit: set.time_limit.map(Duration::from_secs),
        baseline: project.baseline().map(|path| baseline::read(&path)).transpose()?,
        known_as: project.names(&all),
    })
}

/// The other files of Java that belong to one program with a file: those that the project names,
/// if it names the file itself; else those in its folder.
fn others(
    path: &Path,
    folder: &Path,
    project: Option<(&Project, &Kept)>,
) -> anyhow::Result<Vec<Input>> {
    let is_other = |file: &PathBuf| {
        Language::of(&file.to_string_lossy()) == Language::Java && file.as_path() != path
    };
    if let Some((project, kept)) = project {
        let mut files = kept.files(project)?;
        if files.iter().any(|file| file == path) {
            files.retain(is_other);
            return Ok(texts(files));
        }
    }
    let Ok(entries) = folder.read_dir() else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(is_other);
    files.sort();
    Ok(texts(files))
}

fn texts(mut files: Vec<PathBuf>) -> Vec<Input> {
    files.truncate(MOST_OTHERS);
    files.iter().flat_map(|file| inputs::read_one(file).texts).collect()
}
