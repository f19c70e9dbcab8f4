//! `rely lsp`.

use crate::arguments::LspArguments;
use crate::check::{TIMEOUT, cores, limits};
use crate::{inputs, library, memory, solver};
use driver::{Input, Language, Options};
use lsp::Setup;
use lsp_server::Connection;
use std::path::Path;
use std::sync::Arc;

/// More files beside one in Java are not read: a check would take too long for an editor.
const MOST_SIBLINGS: usize = 200;

pub(crate) fn lsp(arguments: &LspArguments) -> anyhow::Result<u8> {
    let library = library::open_for_java(&arguments.library)?;
    let options = solver::find().map_err(|error| error.to_string()).map(|solver| {
        let jobs = cores();
        let memory = memory::default_mib(jobs);
        Options {
            jobs,
            limits: limits(TIMEOUT, memory),
            solver_name: solver::name(&solver),
            library: Arc::clone(&library),
            ..Options::new(solver)
        }
    });
    let setup = Setup { options, siblings: Box::new(siblings) };
    let (connection, threads) = Connection::stdio();
    let served = lsp::serve(&connection, setup);
    // The threads end when the connection is gone.
    drop(connection);
    served.map_err(|error| anyhow::anyhow!("the editor is not understood: {error}"))?;
    threads.join()?;
    Ok(0)
}

/// The files of Java in the folder of a file.
fn siblings(name: &str) -> Vec<Input> {
    let path = Path::new(name);
    let Some(folder) = path.parent().filter(|folder| folder.is_dir()) else { return Vec::new() };
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| Language::of(&file.to_string_lossy()) == Language::Java && file != path);
    files.sort();
    files.truncate(MOST_SIBLINGS);
    files.iter().flat_map(|file| inputs::read_one(file).texts).collect()
}
