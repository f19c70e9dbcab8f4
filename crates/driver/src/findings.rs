//! What was found out about one file, as it comes in.

use crate::decide::{Decision, Witness};
use crate::diagnose::{self, Told};
use crate::relies::UsableRely;
use crate::run::{FileReport, ObligationResult};
use crate::settle::{Settled, Settling};
use diagnostic::Diagnostic;
use plato::hir::Program;
use source::{FileId, SourceMap, Span};
use std::collections::BTreeMap;
use verdict::{Obligation, StopReason, Verdict};

/// What was found out about one file, or about a part of it.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) results: Vec<ObligationResult>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Per task the procedures whose specifications it stands on.
    pub(crate) uses: BTreeMap<String, Vec<String>>,
    /// The first thing that was shown by visiting all states, of a program without relies.
    pub(crate) by_search_alone: Option<Span>,
    /// What was tried.
    pub(crate) tried: Vec<String>,
    /// Runs of a design to be drawn.
    pub(crate) drawings: Vec<(&'static str, contract::Drawing)>,
}

impl Findings {
    /// Takes over what else was found.
    pub(crate) fn extend(&mut self, other: Self) {
        self.results.extend(other.results);
        self.diagnostics.extend(other.diagnostics);
        self.uses.extend(other.uses);
        self.by_search_alone = self.by_search_alone.or(other.by_search_alone);
        self.tried.extend(other.tried);
        self.drawings.extend(other.drawings);
    }

    /// Whether the input turned out to be rejected.
    pub(crate) fn is_rejected(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.code.info().rejects_input)
    }

    /// Code that is not verified because nothing leads to it.
    pub(crate) fn uncalled(&mut self, program: &Program) {
        self.diagnostics.extend(
            modular::uncalled(program)
                .into_iter()
                .map(|(span, name)| diagnose::unused_procedure(span, &name)),
        );
    }

    /// Labels that formulas ask for in vain.
    pub(crate) fn unreachable_labels(&mut self, program: &Program) {
        let labels = machine::unreachable_labels(program);
        self.diagnostics.extend(labels.iter().map(diagnose::unreachable_label));
    }

    /// Nothing was decided, because what was asked for is not for this input.
    pub(crate) fn not_looked_at(&mut self, why: &str, span: Span) {
        self.unknown("options", StopReason::Engine(format!("this input: {why}")), span);
    }

    /// Rely itself failed, while it was busy with what is here.
    pub(crate) fn internal_error(&mut self, task: &str, message: &str, span: Span) {
        self.unknown(task, StopReason::InternalError(message.to_owned()), span);
    }

    fn unknown(&mut self, task: &str, reason: StopReason, span: Span) {
        let code = diagnose::code_of(&reason);
        self.diagnostics.push(diagnose::unknown(&reason, span));
        self.results.push(ObligationResult {
            task: task.to_owned(),
            obligation: Obligation::new(code, span, reason.to_string()),
            verdict: Verdict::Unknown(reason),
        });
    }

    /// Relies that are not used as they were written.
    pub(crate) fn weakened(&mut self, rely: &UsableRely) {
        for warning in &rely.warnings {
            let twin =
                |d: &Diagnostic| d.code == warning.code && d.primary.span == warning.primary.span;
            if !self.diagnostics.iter().any(twin) {
                self.diagnostics.push(warning.clone());
            }
        }
    }

    /// What was decided of a task.
    pub(crate) fn task(
        &mut self,
        task: &Decision,
        settling: &Settling<'_>,
        sources: &SourceMap,
        file: FileId,
    ) {
        match task {
            Ok(task) => {
                for (mut result, witness) in task.results() {
                    let failure = match (&result.verdict, witness) {
                        (Verdict::Refuted(trace), Some(witness)) => Some((witness, trace.clone())),
                        _ => None,
                    };
                    match failure {
                        Some((witness, trace)) => {
                            let settled = settling.settle(&result.obligation, witness, *trace);
                            self.settled(&mut result, witness, settled, sources);
                        }
                        None => self.diagnostics.extend(diagnose::undecided(&result)),
                    }
                    self.results.push(result);
                }
                self.diagnostics.extend(diagnose::uncovered(task));
                let about = &task.prepared.task;
                if !about.uses.is_empty() {
                    self.uses.insert(about.name.clone(), about.uses.clone());
                }
            }
            Err(message) => self.internal_error(FAILED, message, start(file)),
        }
    }

    /// What a failure came to.
    fn settled(
        &mut self,
        result: &mut ObligationResult,
        witness: Witness<'_>,
        settled: Settled,
        sources: &SourceMap,
    ) {
        let about = &result.obligation;
        let (verdict, diagnostic) = match settled {
            Settled::Refuted(trace) => {
                let told = Told { about, witness, trace: &trace }.refuted(sources);
                (Verdict::Refuted(Box::new(trace)), Some(told))
            }
            Settled::Missing(what, trace) => {
                let told = Told { about, witness, trace: &trace }.missing(&what, sources);
                (Verdict::Unknown(StopReason::Missing(what)), Some(told))
            }
            Settled::Holds(evidence, trace) => {
                let told = Told { about, witness, trace: &trace };
                let told = witness.task.has_rely.then(|| told.too_weak(sources));
                if told.is_none() {
                    self.by_search_alone.get_or_insert(about.span);
                }
                (Verdict::Proved(evidence), told)
            }
        };
        self.diagnostics.extend(diagnostic);
        result.verdict = verdict;
    }

    /// The report, for a file that was accepted or not.
    pub(crate) fn report(mut self, file: FileId, accepted: bool) -> FileReport {
        if let Some(span) = self.by_search_alone {
            self.diagnostics.push(diagnose::by_search_alone(span));
        }
        if self.results.is_empty() && accepted {
            self.diagnostics.push(diagnose::nothing(start(file)));
        }
        let Self { results, diagnostics, uses, tried, drawings, .. } = self;
        let report = FileReport::new(file, diagnostics, results);
        FileReport { uses, searches: tried, drawings, ..report }
    }
}

/// The name of a task of which nothing is left but a message.
pub(crate) const FAILED: &str = "internal error";

/// Where a file starts: the place of what is about all of it.
pub(crate) fn start(file: FileId) -> Span {
    Span::new(file, 0, 0)
}
