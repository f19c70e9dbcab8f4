//! Tasks that were proved before and did not change since: they are not made again.
//!
//! A task depends on the declarations of its text, on its own body and the bodies of what it calls,
//! and on what is found out about all bodies together ([`Extent`]). If all of that is the same to
//! the letter, the task is the same but for the places of its parts, which move with the text.

use super::{Contents, Deductive};
use crate::analysis::Context;
use crate::findings::Findings;
use crate::results::{Notice, ObligationResult, ResultId};
use diagnostic::Label;
use source::{FileId, Span};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use verdict::TaskName;

/// The parts of a text that tasks depend on or not.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    /// The bodies of threads, procedures and methods, in the order of the text.
    pub(crate) bodies: Arc<Vec<Span>>,
    /// What tasks know of bodies that they do not look into.
    pub(crate) facts: String,
}

/// What earlier checks proved.
#[derive(Default)]
pub(crate) struct Known {
    /// The tasks, by the name of their file.
    tasks: Mutex<BTreeMap<String, FileMemory>>,
    /// Programs that parts of others were translated to.
    pub(crate) contents: Contents,
}

#[derive(Debug, Default)]
struct FileMemory {
    /// Everything but the bodies.
    rest: String,
    tasks: BTreeMap<TaskName, Remembered>,
}

#[derive(Debug)]
struct Remembered {
    /// The bodies that the task looks into.
    own: String,
    /// Where all bodies were.
    bodies: Arc<Vec<Span>>,
    results: Vec<ObligationResult>,
    notices: Vec<Notice>,
    uses: Vec<String>,
}

/// A task that is known to be proved.
pub(super) struct Recalled {
    pub(super) name: TaskName,
    pub(super) findings: Findings,
}

/// A task that was proved.
pub(super) struct Learned<'a> {
    pub(super) name: TaskName,
    pub(super) findings: &'a Findings,
}

/// Tells the plans that are known from those that are open.
pub(super) fn recall<L: Deductive>(
    program: &L,
    plans: Vec<L::Plan>,
    extent: &Extent,
    (file, context): (FileId, &Context<'_>),
) -> (Vec<Recalled>, Vec<L::Plan>) {
    let Some(known) = context.known else { return (Vec::new(), plans) };
    let Ok(mut files) = known.tasks.lock() else { return (Vec::new(), plans) };
    let (rest, name) = (rest(extent, file, context), &context.sources.file(file).name);
    let memory = files.entry(name.clone()).or_default();
    if memory.rest != rest {
        *memory = FileMemory { rest, tasks: BTreeMap::new() };
    }
    let (mut recalled, mut open) = (Vec::new(), Vec::new());
    for plan in plans {
        let (name, _) = program.about(&plan);
        let own = own(program, &plan, extent, context);
        match memory.tasks.get(&name).filter(|task| task.own == own) {
            Some(task) => recalled.push(Recalled {
                findings: task
                    .findings(&name, &Moves { from: &task.bodies, to: &extent.bodies, file }),
                name,
            }),
            None => open.push(plan),
        }
    }
    (recalled, open)
}

/// Remembers a task that was proved.
pub(super) fn learn<L: Deductive>(
    program: &L,
    plan: &L::Plan,
    learned: Learned<'_>,
    extent: &Extent,
    (file, context): (FileId, &Context<'_>),
) {
    let Some(known) = context.known else { return };
    let Ok(mut files) = known.tasks.lock() else { return };
    let Some(memory) = files.get_mut(&context.sources.file(file).name) else { return };
    let (results, notices) = (learned.findings.results(), learned.findings.notices());
    // A run is about the program as it was.
    if notices.iter().any(|notice| notice.run.is_some()) {
        return;
    }
    let own = own(program, plan, extent, context);
    let uses = learned.findings.uses.values().next().cloned().unwrap_or_default();
    let task = Remembered {
        own,
        bodies: extent.bodies.clone(),
        results: results.to_vec(),
        notices: notices.to_vec(),
        uses,
    };
    memory.tasks.insert(learned.name, task);
}

/// Everything that all tasks depend on: the text between the bodies, the facts and the options.
fn rest(extent: &Extent, file: FileId, context: &Context<'_>) -> String {
    let text = &context.sources.file(file).text;
    let mut rest = String::new();
    let mut at = 0;
    for body in extent.bodies.iter() {
        rest.push_str(&text[at..body.start as usize]);
        rest.push('\0');
        at = body.end as usize;
    }
    rest.push_str(&text[at..]);
    rest.push('\0');
    rest.push_str(&extent.facts);
    rest.push('\0');
    rest.push_str(&context.options.of_deduction());
    rest
}

/// The bodies that a task looks into.
fn own<L: Deductive>(
    program: &L,
    plan: &L::Plan,
    extent: &Extent,
    context: &Context<'_>,
) -> String {
    let mut own = String::new();
    for body in program.looks_into(plan) {
        let place = extent.bodies.binary_search(&body).unwrap_or(usize::MAX);
        let _ = write!(own, "{place}:");
        own.push_str(context.sources.text(body));
        own.push('\0');
    }
    own
}

impl Remembered {
    fn findings(&self, name: &TaskName, moves: &Moves<'_>) -> Findings {
        let mut found = Findings::default();
        for (index, result) in self.results.iter().enumerate() {
            let id = Some(ResultId::from_index(index));
            let mut result = result.clone();
            moves.apply(&mut result.obligation.span);
            result.obligation.declared.iter_mut().for_each(|span| moves.apply(span));
            let told = self.notices.iter().find(|notice| notice.about == id);
            let told = told.map(|notice| moves.notice(notice).diagnostic.into());
            found.add(result, told);
        }
        for notice in self.notices.iter().filter(|notice| notice.about.is_none()) {
            found.warn(moves.notice(notice).diagnostic);
        }
        if !self.uses.is_empty() {
            found.uses.insert(name.clone(), self.uses.clone());
        }
        found
    }
}

/// Where places of a text are after bodies changed their lengths. Bodies that a task looks into and
/// the text between bodies are the same as before.
struct Moves<'a> {
    from: &'a [Span],
    to: &'a [Span],
    file: FileId,
}

impl Moves<'_> {
    fn notice(&self, notice: &Notice) -> Notice {
        let mut notice = notice.clone();
        let about = &mut notice.diagnostic;
        self.apply(&mut about.primary.span);
        let others = about.secondary.iter_mut();
        others.for_each(|label: &mut Label| self.apply(&mut label.span));
        notice
    }

    fn apply(&self, span: &mut Span) {
        *span = Span::new(self.file, self.moved(span.start), self.moved(span.end));
    }

    fn moved(&self, at: u32) -> u32 {
        // The last body that begins at or before the place.
        let before = self.from.partition_point(|body| body.start <= at);
        let Some(last) = before.checked_sub(1) else { return at };
        let (from, to) = (self.from[last], self.to[last]);
        if at < from.end { to.start + (at - from.start) } else { to.end + (at - from.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::Moves;
    use source::{FileId, Span};

    #[test]
    fn places_move_with_the_text() {
        let span = |start, end| Span::new(FileId(0), start, end);
        // The first body grew by five characters.
        let (from, to) = ([span(10, 20), span(30, 40)], [span(10, 25), span(35, 45)]);
        let moves = Moves { from: &from, to: &to, file: FileId(0) };
        let moved: Vec<u32> = [3, 12, 20, 25, 30, 33, 40, 44].map(|at| moves.moved(at)).into();
        assert_eq!(moved, [3, 12, 25, 30, 35, 38, 45, 49]);
    }
}
