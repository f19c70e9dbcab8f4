//! Runs that lead to what was found, from the levels of a search.

use crate::explore::{Found, Frontier, Search};
use crate::report::{Moved, Run, Violation};
use crate::threads::{Effect, Threads};

/// A shortest run for everything that was found.
pub(crate) fn violations<M: Threads, const N: usize>(
    frontier: &Frontier<N>,
    search: &mut Search<M>,
) -> Vec<Violation> {
    let found = std::mem::take(&mut search.found);
    let runs = found.iter().map(|found| {
        let path = path(frontier, search, found);
        Violation { fault: found.fault, run: run(search, found, &path) }
    });
    runs.collect()
}

/// A state on the way, which thread steps next, and which of its moves it makes.
struct Stage {
    parts: Vec<u64>,
    thread: usize,
    at: usize,
}

/// The states before the one at fault, from the start. A state at some level has a predecessor at
/// the level before.
fn path<M: Threads, const N: usize>(
    frontier: &Frontier<N>,
    search: &mut Search<M>,
    found: &Found,
) -> Vec<Stage> {
    let levels = frontier.levels.as_deref().unwrap_or_default();
    let mut stages: Vec<Stage> = Vec::new();
    let mut target = found.parts.clone();
    for level in levels[..found.depth as usize].iter().rev() {
        let stage = level.iter().find_map(|state| {
            let parts = frontier.parts(state);
            let all = search.successors(&parts);
            let (thread, at, _) = all.into_iter().find(|(_, _, next)| *next == target)?;
            Some(Stage { parts, thread, at })
        });
        let stage = stage.expect("internal error: a state without predecessor");
        target.clone_from(&stage.parts);
        stages.push(stage);
    }
    stages.reverse();
    stages
}

/// The run along these states. With symmetry they are representatives: `names` says which thread
/// each of them is in the run that is shown, so that the run is a real one.
fn run<M: Threads>(search: &mut Search<M>, found: &Found, path: &[Stage]) -> Run {
    let first = path.first().map_or(&found.parts, |stage| &stage.parts);
    let (global, locals) = search.moves.state(first);
    let mut names: Vec<usize> = (0..locals.len()).collect();
    let mut run = Run { global, locals, steps: Vec::new() };
    for stage in path {
        let moved = step(search, &stage.parts, (stage.thread, stage.at), true);
        let moved = renamed(search, moved, &mut names);
        run.steps.push(moved);
    }
    if let Some(at) = found.step {
        let moved = step(search, &found.parts, at, false);
        let moved = renamed(search, moved, &mut names);
        run.steps.push(moved);
    }
    run
}

/// A step of the model: the one at this place among those that lead somewhere, or among all.
fn step<M: Threads>(
    search: &mut Search<M>,
    parts: &[u64],
    (thread, at): (usize, usize),
    moves_only: bool,
) -> Moved {
    let (global, mut locals) = search.moves.state(parts);
    let mut steps = Vec::new();
    search.model.steps(thread, global, locals[thread], &mut steps);
    if moves_only {
        steps.retain(|step| matches!(step.effect, Effect::To(..)));
    }
    let step = steps.swap_remove(at);
    let after = match step.effect {
        Effect::To(global, local) => {
            locals[thread] = local;
            Some((global, locals))
        }
        Effect::Wrong | Effect::Cut(_) => None,
    };
    Moved { thread, site: step.site, after }
}

/// The step under the names of the run; the names are changed to those of the representative it
/// leads to.
fn renamed<M: Threads>(search: &mut Search<M>, moved: Moved, names: &mut Vec<usize>) -> Moved {
    if !search.options.symmetry {
        return moved;
    }
    let thread = names[moved.thread];
    let Some((global, mut locals)) = moved.after else { return Moved { thread, ..moved } };
    let after = search.model.renamed(global, &locals, names);
    let (_, places) = search.model.canonical(global, &mut locals);
    let mut next = names.clone();
    for (old, &new) in places.iter().enumerate() {
        next[new] = names[old];
    }
    *names = next;
    Moved { thread, after: Some(after), ..moved }
}
