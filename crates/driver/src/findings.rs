//! What was found out about one file, as it comes in.

use crate::results::{FileReport, Notice, ObligationResult, ResultId};
use crate::words;
use diagnostic::Diagnostic;
use source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Confirmation, Obligation, StopReason, TaskKind, TaskName, Trace, Verdict};

/// What was found out about one file, or about a part of it.
#[derive(Default)]
pub(crate) struct Findings {
    results: Vec<ObligationResult>,
    notices: Vec<Notice>,
    /// Per task the procedures whose specifications it stands on.
    pub(crate) uses: BTreeMap<TaskName, Vec<String>>,
    /// The first thing that was shown by visiting all states, of a program without relies.
    pub(crate) by_search_alone: Option<Span>,
    /// What was taken for granted and not checked.
    pub(crate) assumptions: BTreeSet<(Span, String)>,
    /// The searches that were made.
    pub(crate) tried: Vec<String>,
    /// The annotations that were found, and without which the results would not be what they are.
    pub(crate) inferred: Vec<String>,
    /// The text with these annotations.
    pub(crate) inferred_text: Option<String>,
}

/// What to tell the user of an obligation, and the run that shows it if no other does.
pub(crate) struct Told {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) run: Option<Box<Trace>>,
}

impl From<Diagnostic> for Told {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, run: None }
    }
}

impl Findings {
    /// Findings of a front end alone.
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut found = Self::default();
        diagnostics.iter().for_each(|diagnostic| found.warn(diagnostic.clone()));
        found
    }

    /// Findings of searches, of which nothing but their names is known yet.
    pub(crate) fn of_searches(tried: Vec<String>) -> Self {
        Self { tried, ..Self::default() }
    }

    /// Takes over what else was found.
    pub(crate) fn extend(&mut self, other: Self) {
        let before = self.results.len();
        self.results.extend(other.results);
        self.notices.extend(other.notices.into_iter().map(|notice| Notice {
            about: notice.about.map(|id| ResultId::from_index(before + id.index())),
            ..notice
        }));
        self.uses.extend(other.uses);
        self.by_search_alone = self.by_search_alone.or(other.by_search_alone);
        self.tried.extend(other.tried);
        self.assumptions.extend(other.assumptions);
        self.inferred.extend(other.inferred);
        self.inferred_text = self.inferred_text.take().or(other.inferred_text);
    }

    /// Takes these results for those so far. What was told about no obligation stays.
    pub(crate) fn replace(&mut self, other: Self) {
        self.results.clear();
        self.notices.retain(|notice| notice.about.is_none());
        self.by_search_alone = None;
        self.extend(other);
    }

    /// Whether what is missing may be all that is wrong: something is open or refuted, and no real
    /// run goes wrong.
    pub(crate) fn may_be_incomplete(&self) -> bool {
        let is_real = |result: &ObligationResult| match &result.verdict {
            Verdict::Refuted(trace) => trace.confirmation == Confirmation::Confirmed,
            Verdict::Unknown(reason) => matches!(reason, StopReason::InternalError(_)),
            Verdict::Proved(_) => false,
        };
        !self.is_proved() && !self.results.iter().any(is_real)
    }

    /// Adds a note to what is told of everything that is open because something is missing.
    pub(crate) fn note_missing(&mut self, note: &str) {
        for notice in &mut self.notices {
            let result = notice.about.and_then(|id| self.results.get(id.index()));
            let verdict = result.map(|result| &result.verdict);
            let is_missing = matches!(
                verdict,
                Some(Verdict::Unknown(StopReason::Missing(_) | StopReason::Unsupported(_)))
            );
            if is_missing {
                notice.diagnostic.notes.push(note.to_owned());
            }
        }
    }

    /// Adds a note to what is told first of what is not proved.
    pub(crate) fn note_open(&mut self, note: &str) {
        let results = &self.results;
        let is_open = |notice: &&mut Notice| {
            let result = notice.about.and_then(|id| results.get(id.index()));
            result.is_some_and(|result| !matches!(result.verdict, Verdict::Proved(_)))
        };
        if let Some(notice) = self.notices.iter_mut().find(is_open) {
            notice.diagnostic.notes.push(note.to_owned());
        }
    }

    /// Adds to what is told of something that is open why it is.
    pub(crate) fn note_why(&mut self, open: &Obligation, notes: Vec<String>, help: Vec<String>) {
        let is_same = |result: &ObligationResult| {
            (result.obligation.code, result.obligation.span) == (open.code, open.span)
        };
        let about = |notice: &&mut Notice| {
            let result = notice.about.and_then(|id| self.results.get(id.index()));
            result.is_some_and(is_same)
        };
        if let Some(notice) = self.notices.iter_mut().find(about) {
            notice.diagnostic.notes.extend(notes);
            notice.diagnostic.help.extend(help);
        }
    }

    /// Adds a result, with what to tell of it.
    pub(crate) fn add(&mut self, result: ObligationResult, told: Option<Told>) {
        let about = Some(ResultId::from_index(self.results.len()));
        self.results.push(result);
        self.notices.extend(told.map(|told| Notice {
            diagnostic: told.diagnostic,
            about,
            run: told.run,
            allowed: None,
        }));
    }

    /// Adds a diagnostic about no obligation, once.
    pub(crate) fn warn(&mut self, diagnostic: Diagnostic) {
        self.warn_with(diagnostic, None);
    }

    /// The same, with a run that shows it.
    pub(crate) fn warn_with(&mut self, diagnostic: Diagnostic, run: Option<Trace>) {
        let is_same = |other: &Notice| other.about.is_none() && other.diagnostic == diagnostic;
        if !self.notices.iter().any(is_same) {
            self.notices.push(Notice { run: run.map(Box::new), ..Notice::alone(diagnostic) });
        }
    }

    /// Tells everything in other words.
    pub(crate) fn reword(&mut self, words: impl Fn(&str) -> String) {
        for notice in &mut self.notices {
            let told = &mut notice.diagnostic;
            told.message = words(&told.message);
            for text in told.notes.iter_mut().chain(&mut told.help) {
                *text = words(text);
            }
        }
    }

    /// Tells every run in other words.
    pub(crate) fn map_traces(&mut self, words: impl Fn(&Trace) -> Trace) {
        for result in &mut self.results {
            if let Verdict::Refuted(trace) = &mut result.verdict {
                **trace = words(trace);
            }
        }
        for run in self.notices.iter_mut().filter_map(|notice| notice.run.as_mut()) {
            **run = words(run);
        }
    }

    /// Replaces runs by others that show the same, where there are some. What was only suspected
    /// is then known.
    pub(crate) fn confirm(&mut self, find: impl Fn(&Obligation) -> Option<Trace>) {
        for notice in &mut self.notices {
            let Some(result) = notice.about.and_then(|id| self.results.get_mut(id.index())) else {
                continue;
            };
            let is_open = match &result.verdict {
                Verdict::Refuted(trace) => trace.confirmation.word() == "open",
                Verdict::Unknown(_) => notice.run.is_some(),
                Verdict::Proved(_) => false,
            };
            let Some(trace) = find(&result.obligation).filter(|_| is_open) else { continue };
            let about = &result.obligation;
            let mut told = Diagnostic::new(about.code, about.span, words::refuted(about, &trace));
            told.secondary.clone_from(&notice.diagnostic.secondary);
            told = words::confirmation(told, &trace);
            told.help.extend(about.help.clone());
            *notice = Notice { about: notice.about, ..Notice::alone(told) };
            result.verdict = Verdict::Refuted(Box::new(trace));
        }
    }

    /// Keeps the warnings that say something, perhaps in other words.
    pub(crate) fn keep_warnings(&mut self, mut keeps: impl FnMut(&mut Diagnostic) -> bool) {
        self.notices.retain_mut(|notice| notice.about.is_some() || keeps(&mut notice.diagnostic));
    }

    /// Gives tasks other names.
    pub(crate) fn rename_tasks(&mut self, name: impl Fn(&TaskName) -> TaskName) {
        for result in &mut self.results {
            result.task = name(&result.task);
        }
        let uses = std::mem::take(&mut self.uses);
        self.uses = uses.into_iter().map(|(task, uses)| (name(&task), uses)).collect();
    }

    /// The same at other places; nothing if a place has none, or if a run is shown.
    pub(crate) fn moved(&self, place: &dyn Fn(Span) -> Option<Span>) -> Option<Self> {
        let mut moved = Self { uses: self.uses.clone(), ..Self::default() };
        for result in &self.results {
            let mut result = result.clone();
            let about = &mut result.obligation;
            about.span = place(about.span)?;
            if let Some(declared) = &mut about.declared {
                *declared = place(*declared)?;
            }
            moved.results.push(result);
        }
        for notice in &self.notices {
            let mut notice = notice.clone();
            let told = &mut notice.diagnostic;
            for label in [&mut told.primary].into_iter().chain(&mut told.secondary) {
                label.span = place(label.span)?;
            }
            if notice.run.is_some() {
                return None;
            }
            moved.notices.push(notice);
        }
        for (span, text) in &self.assumptions {
            moved.assumptions.insert((place(*span)?, text.clone()));
        }
        let is_plain = self.by_search_alone.is_none() && self.tried.is_empty();
        is_plain.then_some(moved)
    }

    /// The results so far.
    pub(crate) fn results(&self) -> &[ObligationResult] {
        &self.results
    }

    /// What to tell so far.
    pub(crate) fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Whether nothing is refuted and nothing is open.
    pub(crate) fn is_proved(&self) -> bool {
        self.results.iter().all(|result| matches!(result.verdict, Verdict::Proved(_)))
    }

    /// Whether the input turned out to be rejected.
    pub(crate) fn is_rejected(&self) -> bool {
        self.notices.iter().any(|notice| notice.diagnostic.code.info().rejects_input)
    }

    /// Nothing was decided, because what was asked for is not for this input.
    pub(crate) fn not_looked_at(&mut self, why: &str, span: Span) {
        let reason = StopReason::Engine(format!("this input: {why}"));
        self.unknown(TaskKind::Options.alone(), reason, span);
    }

    /// Rely itself failed, while it was busy with what is here.
    pub(crate) fn internal_error(&mut self, task: TaskName, message: &str, span: Span) {
        self.unknown(task, StopReason::InternalError(message.to_owned()), span);
    }

    /// Something that a translation could not express.
    pub(crate) fn unsupported(&mut self, task: TaskName, what: &str, span: Span) {
        self.unknown(task, StopReason::Unsupported(what.to_owned()), span);
    }

    /// Notes what is taken for granted and leaves the task undecided, if nothing may be.
    pub(crate) fn assumed(&mut self, task: TaskName, what: &str, span: Span) {
        self.unknown(task, StopReason::Assumed(what.to_owned()), span);
    }

    /// A task that is undecided as a whole.
    pub(crate) fn unknown(&mut self, task: TaskName, reason: StopReason, span: Span) {
        let diagnostic = words::unknown(&reason, span);
        let obligation = Obligation::new(diagnostic.code, span, reason.to_string());
        let result = ObligationResult::new(task, obligation, Verdict::Unknown(reason), "none");
        self.add(result, Some(diagnostic.into()));
    }

    /// The report, for a file that was accepted or not.
    pub(crate) fn report(mut self, file: FileId, accepted: bool) -> FileReport {
        if let Some(span) = self.by_search_alone {
            self.warn(words::by_search_alone(span));
        }
        if self.results.is_empty() && accepted {
            self.warn(words::nothing(start(file)));
        }
        let Self { results, notices, uses, tried, assumptions, inferred, inferred_text, .. } = self;
        let report = FileReport::new(file, notices, results);
        let assumptions = assumptions.into_iter().collect();
        FileReport { uses, searches: tried, assumptions, inferred, inferred_text, ..report }
    }
}

/// Where a file starts: the place of what is about all of it.
pub(crate) fn start(file: FileId) -> Span {
    Span::new(file, 0, 0)
}
