//! What was found out about one file, as it comes in.

use crate::decide::Decision;
use crate::diagnose;
use crate::relies::UsableRely;
use crate::replay::RealRuns;
use crate::run::{FileReport, ObligationResult};
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
        self.tried.extend(other.tried);
        self.drawings.extend(other.drawings);
    }

    /// Code that is not verified because nothing leads to it.
    pub(crate) fn uncalled(&mut self, program: &Program) {
        self.diagnostics.extend(
            modular::uncalled(program)
                .into_iter()
                .map(|(span, name)| diagnose::unused_procedure(span, &name)),
        );
    }

    /// Rely itself failed, while it was busy with what is here.
    pub(crate) fn internal_error(&mut self, task: &str, message: &str, span: Span) {
        let reason = StopReason::InternalError(message.to_owned());
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
        runs: &RealRuns,
        sources: &SourceMap,
        file: FileId,
    ) {
        match task {
            Ok(task) => {
                for (id, mut result, witness) in task.results() {
                    if let Verdict::Refuted(trace) = &mut result.verdict {
                        **trace = runs.confirmed(&result.obligation, (**trace).clone());
                    }
                    self.diagnostics.extend(diagnose::result(id, &result, witness, sources));
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

    /// The report, for a file that was accepted or not.
    pub(crate) fn report(mut self, file: FileId, accepted: bool) -> FileReport {
        if self.results.is_empty() && accepted {
            self.diagnostics.push(diagnose::nothing(start(file)));
        }
        let Self { results, diagnostics, uses, tried, drawings } = self;
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
