//! `rely watch`: verifies again whenever a file changes, and no more than what changed.

use crate::arguments::CheckArguments;
use crate::check::Prepared;
use crate::output;
use diagnostic::Style;
use driver::{Analysis, Run};
use notify::{Event, EventKind, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use verdict::Halt;

/// Editors write a file in several steps; the last one counts.
const SETTLES: Duration = Duration::from_millis(50);

pub(crate) fn watch(arguments: &CheckArguments) -> anyhow::Result<u8> {
    let prepared = Prepared::new(arguments)?;
    let mut analysis = Analysis::new(prepared.options.clone());
    let running: Arc<Mutex<Halt>> = Arc::default();
    let (changed, changes) = channel();
    let ends = Arc::clone(&running);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let is_change = |event: &Event| !matches!(event.kind, EventKind::Access(_));
        if event.as_ref().is_ok_and(is_change) {
            // The check under way is of a text that is gone.
            ends.lock().unwrap_or_else(PoisonError::into_inner).cancel();
            let _ = changed.send(());
        }
    })?;
    for folder in folders(&prepared) {
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
    }
    loop {
        let halt = Halt::default();
        *running.lock().unwrap_or_else(PoisonError::into_inner) = halt.clone();
        let inputs = Prepared::new(arguments)?.inputs;
        let run = analysis.check(&inputs.texts, &halt, &|_| {});
        if halt.reason().is_none() {
            show(arguments, &run);
        }
        if !settled(&changes) {
            return Ok(run.exit_code());
        }
    }
}

/// The folders of all files: an editor may put a new file in the place of an old one.
fn folders(prepared: &Prepared) -> BTreeSet<PathBuf> {
    let folder = |name: &String| match Path::new(name).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    prepared.inputs.texts.iter().map(|input| folder(&input.name)).collect()
}

/// The verdicts first, then what is told of them.
fn show(arguments: &CheckArguments, run: &Run) {
    let is_coloured = output::wants_colour(arguments.color);
    let style = if is_coloured { Style::Colour } else { Style::Plain };
    let text = report::text(run, style, output::width());
    let summary = report::summary(run);
    let told = text.strip_suffix(&summary).unwrap_or(&text);
    output::clear();
    output::result(&format!("{summary}\n{told}"));
}

/// Waits for a change and the end of what comes with it. Nobody can say that something changed
/// any more if the answer is no.
fn settled(changes: &Receiver<()>) -> bool {
    let has_changed = changes.recv().is_ok();
    while changes.recv_timeout(SETTLES).is_ok() {}
    has_changed
}
