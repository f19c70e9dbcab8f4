//! What was found out about one file, as it comes in.

use crate::decide::Decision;
use crate::diagnose;
use crate::relies::UsableRely;
use crate::replay::RealRuns;
use crate::run::{FileReport, ObligationResult};
use crate::searching::Searched;
use diagnostic::Diagnostic;
use plato::hir::Program;
use source::{FileId, SourceMap, Span};
use verdict::{Obligation, StopReason, Verdict};

/// What was found out about one file.
pub(crate) struct Findings {
    file: FileId,
    diagnostics: Vec<Diagnostic>,
    results: Vec<ObligationResult>,
    searches: Vec<String>,
    drawings: Vec<(&'static str, contract::Drawing)>,
    start: Span,
}

impl Findings {
    /// Starts with what the front end said.
    pub(crate) fn new(file: FileId, diagnostics: &[Diagnostic]) -> Self {
        Self {
            file,
            diagnostics: diagnostics.to_vec(),
            results: Vec::new(),
            searches: Vec::new(),
            drawings: Vec::new(),
            start: Span::new(file, 0, 0),
        }
    }

    /// What a search found.
    pub(crate) fn searched(&mut self, searched: Searched) {
        self.results.extend(searched.results);
        self.diagnostics.extend(searched.diagnostics);
        self.searches.extend(searched.tried);
    }

    /// What was decided elsewhere.
    pub(crate) fn add(&mut self, results: Vec<ObligationResult>, diagnostics: Vec<Diagnostic>) {
        self.results.extend(results);
        self.diagnostics.extend(diagnostics);
    }

    /// Runs of a design to be drawn.
    pub(crate) fn drawn(&mut self, drawings: Vec<(&'static str, contract::Drawing)>) {
        self.drawings.extend(drawings);
    }

    /// Code that is not verified because nothing leads to it.
    pub(crate) fn uncalled(&mut self, program: &Program) {
        self.diagnostics.extend(
            modular::uncalled(program)
                .into_iter()
                .map(|(span, name)| diagnose::unused_procedure(span, &name)),
        );
    }

    /// Rely itself failed.
    pub(crate) fn internal_error(&mut self, message: &str) {
        let reason = StopReason::InternalError(message.to_owned());
        let code = diagnose::code_of(&reason);
        self.diagnostics.push(diagnose::unknown(&reason, self.start));
        self.results.push(ObligationResult {
            task: "internal error".to_owned(),
            obligation: Obligation::new(code, self.start, reason.to_string()),
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
    pub(crate) fn task(&mut self, task: &Decision, runs: &RealRuns, sources: &SourceMap) {
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
            }
            Err(message) => self.internal_error(message),
        }
    }

    /// The report, for a file that was accepted or not.
    pub(crate) fn report(mut self, accepted: bool) -> FileReport {
        if self.results.is_empty() && accepted {
            self.diagnostics.push(diagnose::nothing(self.start));
        }
        let report = FileReport::new(self.file, self.diagnostics, self.results);
        FileReport { searches: self.searches, drawings: self.drawings, ..report }
    }
}
