//! `rely watch`: verifies again whenever a file changes, and no more than what changed.

use crate::arguments::{CheckArguments, Format};
use crate::check::Prepared;
use crate::{baseline, output, project};
use anyhow::bail;
use diagnostic::Style;
use driver::{Analysis, Language, Run};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use verdict::Halt;

/// Editors write a file in several steps; the last one counts.
const SETTLES: Duration = Duration::from_millis(50);

/// How the check under way is ended.
type Running = Arc<Mutex<Halt>>;

pub(crate) fn watch(arguments: &CheckArguments) -> anyhow::Result<u8> {
    let writes = arguments.output.is_some() || arguments.write_baseline.is_some();
    if writes || arguments.format != Format::Text {
        bail!(
            "`rely watch` shows text: --format, --output and --write-baseline are for `rely check`"
        );
    }
    let first = Prepared::new(arguments)?;
    let mut analysis = Analysis::new(first.options.clone());
    let running = Running::default();
    let (changed, changes) = channel();
    let mut watcher = watcher(&running, changed)?;
    for (path, mode) in watched(arguments)? {
        watcher.watch(&path, mode)?;
    }
    let mut next = Ok(first);
    loop {
        match next {
            Ok(prepared) => round(arguments, prepared, &mut analysis, &running),
            // A file may be half written; the next change tells.
            Err(error) => output::error(&format!("error: {error:#}")),
        }
        if !settled(&changes) {
            return Ok(0);
        }
        next = Prepared::new(arguments);
    }
}

/// One check, of the texts as they are.
fn round(
    arguments: &CheckArguments,
    prepared: Prepared,
    analysis: &mut Analysis,
    running: &Running,
) {
    let Prepared { inputs, options, baseline, known_as, .. } = prepared;
    let halt = options.halt.clone();
    *running.lock().unwrap_or_else(PoisonError::into_inner) = halt.clone();
    analysis.set_options(options);
    let mut run = analysis.check(&inputs.texts, &halt, &|_| {});
    if halt.reason() == Some(verdict::StopReason::Cancelled) {
        return;
    }
    run.unreadable = inputs.unreadable;
    run.known_as = known_as;
    if let Some(baseline) = baseline {
        baseline::apply(&baseline, &mut run);
    }
    show(arguments, &run);
}

fn watcher(running: &Running, changed: Sender<()>) -> notify::Result<RecommendedWatcher> {
    let running = Arc::clone(running);
    notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.as_ref().is_ok_and(matters) {
            // The check under way is of a text that is gone.
            running.lock().unwrap_or_else(PoisonError::into_inner).cancel();
            let _ = changed.send(());
        }
    })
}

/// Whether something happened to a file that is read.
fn matters(event: &Event) -> bool {
    let is_read = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let mut endings = Language::ALL.into_iter().flat_map(Language::endings);
        path.ends_with(project::FILE) || endings.any(|known| *known == ending)
    };
    !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(is_read)
}

/// What is watched: folders with all below them, and the folders of single files, since an editor
/// may put a new file in the place of an old one.
fn watched(arguments: &CheckArguments) -> anyhow::Result<Vec<(PathBuf, RecursiveMode)>> {
    let paths = match arguments.paths.as_slice() {
        [] => project::find()?.unwrap_or_default().paths()?,
        paths => paths.to_vec(),
    };
    let place = |path: &PathBuf| match path.parent() {
        _ if path.is_dir() => (path.clone(), RecursiveMode::Recursive),
        Some(folder) if !folder.as_os_str().is_empty() => {
            (folder.to_path_buf(), RecursiveMode::NonRecursive)
        }
        _ => (Path::new(".").to_path_buf(), RecursiveMode::NonRecursive),
    };
    Ok(paths.iter().map(place).collect())
}

/// The verdicts first, then what is told of them.
fn show(arguments: &CheckArguments, run: &Run) {
    let is_coloured = output::wants_colour(arguments.color);
    let style = if is_coloured { Style::Colour } else { Style::Plain };
    let text = report::text(run, style, output::width());
    let told = text.strip_suffix(&report::summary(run)).unwrap_or(&text);
    let told = if arguments.quiet { "" } else { told };
    let proof = if arguments.proof { report::proof(run) } else { String::new() };
    output::clear();
    output::result(&format!("{}\n{told}{proof}", report::quiet(run)));
}

/// Waits for a change and the end of what comes with it. Nobody can say that something changed
/// any more if the answer is no.
fn settled(changes: &Receiver<()>) -> bool {
    let has_changed = changes.recv().is_ok();
    while changes.recv_timeout(SETTLES).is_ok() {}
    has_changed
}
