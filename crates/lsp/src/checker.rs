//! The thread that checks. It takes one job after the other and tells what happens.

use crate::actions::{Candidate, Repair};
use crate::documents::{FOCUS, Reading};
use crate::program::Analyses;
use crossbeam_channel::{Receiver, Sender, unbounded};
use driver::{Event, Language, Options, Run, findings};
use source::FileId;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use verdict::{Halt, Verdict};

/// Of larger programs, in bytes, no locks are looked for: that takes several checks of all of it.
const MOST_TO_GUARD: usize = 50_000;

/// What is to be checked.
pub(crate) enum Job {
    /// A document, with the other files of its program.
    Check(Check),
    /// Edits that may mend what was found.
    Try { check: Check, found: Found, candidates: Vec<Candidate> },
}

/// What fails or is open.
#[derive(Default)]
pub(crate) struct Found {
    /// The fingerprints of what is told of it.
    fingerprints: BTreeSet<String>,
    /// How many obligations it is; not of each something is told.
    obligations: usize,
}

/// A check of one version of a document.
#[derive(Clone)]
pub(crate) struct Check {
    pub(crate) uri: String,
    pub(crate) version: i32,
    pub(crate) reading: Arc<Reading>,
    pub(crate) halt: Halt,
}

/// What happened to a job.
pub(crate) enum Told {
    /// So many tasks are to be decided.
    Planned(usize),
    /// One of them is.
    Decided { uri: String, version: i32, task: String, proved: bool },
    /// The check came to its end, perhaps because it was cancelled.
    Checked { check: Check, run: Box<Run> },
    /// The candidates were tried.
    Tried {
        uri: String,
        version: i32,
        repairs: Vec<Repair>,
        /// The text of the document with the locks of its fields, if some are not written.
        guarded: Option<String>,
    },
    /// Rely itself failed.
    Failed,
}

/// Starts the thread. It ends when nobody can send jobs any more.
pub(crate) fn start() -> (Sender<Job>, Receiver<Told>) {
    let (jobs, waiting) = unbounded();
    let (teller, told) = unbounded();
    thread::spawn(move || {
        let mut analyses = Analyses::default();
        for job in waiting {
            let done = catch_unwind(AssertUnwindSafe(|| done(&mut analyses, job, &teller)));
            let answer = done.unwrap_or(Told::Failed);
            if teller.send(answer).is_err() {
                return;
            }
        }
    });
    (jobs, told)
}

fn done(analyses: &mut Analyses, job: Job, teller: &Sender<Told>) -> Told {
    match job {
        Job::Check(check) => {
            let run = Box::new(run(analyses, &check, teller));
            Told::Checked { check, run }
        }
        Job::Try { check, found, candidates } => {
            let repairs = attempt(analyses, &check, &found, candidates);
            let guarded = guarded(&check);
            Told::Tried { uri: check.uri, version: check.version, repairs, guarded }
        }
    }
}

fn run(analyses: &mut Analyses, check: &Check, teller: &Sender<Told>) -> Run {
    let Reading { program, texts, .. } = &*check.reading;
    let analysis = analyses.of(program);
    let mut run = analysis.check_texts(texts, &check.halt, &|event| {
        let (uri, version) = (check.uri.clone(), check.version);
        let is_focus = |file: FileId| file == FOCUS;
        let told = match event {
            Event::Planned { file, tasks } if is_focus(*file) => Told::Planned(tasks.len()),
            Event::Decided { file, task, proved } if is_focus(*file) => {
                Told::Decided { uri, version, task: task.to_string(), proved: *proved }
            }
            _ => return,
        };
        // If nobody listens any more, the editor is gone.
        let _ = teller.send(told);
    });
    if let Some(baseline) = &program.baseline {
        run.known_as.clone_from(&program.known_as);
        baseline.apply(&mut run);
    }
    run
}

/// The candidates after which the finding is gone and no other one is new.
fn attempt(
    analyses: &mut Analyses,
    check: &Check,
    found: &Found,
    candidates: Vec<Candidate>,
) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let program = &check.reading.program;
    let analysis = analyses.of(program);
    // An edit that needs others to be found is none to offer, and looking for them takes long.
    analysis.set_options(Options { infer: None, ..program.options.clone() });
    for candidate in candidates {
        let mut inputs = check.reading.inputs.clone();
        inputs[0].text.clone_from(&candidate.text);
        let run = analysis.check(&inputs, &check.halt, &|_| {});
        if check.halt.reason().is_some() {
            return Vec::new();
        }
        let now = counted(&run);
        let is_gone = !now.fingerprints.contains(&candidate.finding);
        let is_better = now.obligations < found.obligations;
        let is_known = now.fingerprints.is_subset(&found.fingerprints);
        if run.unfit_solver.is_none() && is_gone && is_better && is_known {
            repairs.push(candidate.repair);
        }
    }
    repairs
}

/// The text of a document in Java with the locks of its fields that nobody wrote, which are proved.
fn guarded(check: &Check) -> Option<String> {
    let Reading { program, inputs, .. } = &*check.reading;
    let size: usize = inputs.iter().map(|input| input.text.len()).sum();
    let is_java = inputs.iter().all(|input| Language::of(&input.name) == Language::Java);
    if !is_java || size > MOST_TO_GUARD || check.halt.reason().is_some() {
        return None;
    }
    let halt = check.halt.clone();
    let options = Options { infer: None, hygiene: false, halt, ..program.options.clone() };
    let found = driver::guards(inputs, &options).ok()?;
    let text = found.written.into_iter().next()?.text;
    let is_whole = check.halt.reason().is_none() && found.run.unfit_solver.is_none();
    (is_whole && text != inputs[0].text).then_some(text)
}

/// Everything that fails or is open, warnings apart.
pub(crate) fn counted(run: &Run) -> Found {
    let mut found = Found::default();
    for (file, findings) in run.files.iter().zip(findings(run)) {
        let is_open = |verdict: &Verdict| !matches!(verdict, Verdict::Proved(_));
        found.obligations += file.results.iter().filter(|one| is_open(&one.verdict)).count();
        for (notice, finding) in file.notices.iter().zip(findings) {
            let is_warning = notice.diagnostic.severity == diagnostic::Severity::Warning;
            if notice.allowed.is_none() && !is_warning {
                found.fingerprints.insert(finding.fingerprint);
            }
        }
    }
    found
}
