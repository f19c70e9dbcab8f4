//! Checks: which one is next, and what becomes of it.

use crate::checker::{Check, Job, Told};
use crate::documents::Checked;
use crate::findings::findings;
use crate::server::{Running, Server, State};
use driver::Language;
use gen_lsp_types::{PublishDiagnosticsParams, Uri};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use verdict::{Halt, StopReason};

impl Server {
    pub(crate) fn cancel(&self, key: &str) {
        if let Some(running) = self.running.as_ref().filter(|running| running.key == key) {
            running.halt.cancel();
        }
    }

    pub(crate) fn tell_state(&self, key: &str, state: State) {
        let state = match state {
            State::Checking => "checking",
            State::Checked => "checked",
            State::Cancelled => "cancelled",
        };
        self.notify("rely/state", &json!({ "uri": key, "state": state }));
    }

    /// Starts the next job, if none is under way.
    pub(crate) fn go_on(&mut self) {
        let Some(jobs) = self.jobs.clone() else { return };
        while self.running.is_none() {
            let (key, is_trial) = match (self.waiting.is_empty(), self.to_mend.is_empty()) {
                (false, _) => (self.waiting.remove(0), false),
                (true, false) => (self.to_mend.remove(0), true),
                (true, true) => return,
            };
            let (Some(check), Some(document)) = (self.check(&key), self.documents.get(&key)) else {
                self.tell_state(&key, State::Cancelled);
                continue;
            };
            let halt = check.halt.clone();
            let job = if is_trial {
                let (found, candidates) = document.candidates();
                // In Java, locks of fields are looked for, too.
                if candidates.is_empty() && document.language() != Language::Java {
                    continue;
                }
                Job::Try { check, found, candidates }
            } else {
                self.begin_progress(&check);
                Job::Check(check)
            };
            self.running = Some(Running { key, halt, is_trial });
            let _ = jobs.send(job);
        }
    }

    pub(crate) fn check(&self, key: &str) -> Option<Check> {
        let document = self.documents.get(key)?;
        let reading = Arc::clone(document.reading.as_ref()?);
        let limit = reading.program.time_limit;
        let halt = Halt::new(limit.and_then(|time| Instant::now().checked_add(time)), None);
        Some(Check { uri: key.to_owned(), version: document.version, reading, halt })
    }

    pub(crate) fn learn(&mut self, told: Told) {
        match told {
            Told::Planned(count) => {
                self.progress.planned += count;
                self.report_progress();
            }
            Told::Decided { uri, version, task, proved } => {
                self.progress.decided += 1;
                self.report_progress();
                let document = self.documents.get_mut(&uri);
                if let Some(document) = document.filter(|document| document.version == version) {
                    document.decided.insert(task, proved);
                }
            }
            Told::Checked { check, run } => {
                self.running = None;
                self.end_progress();
                self.checked(&check, *run);
            }
            Told::Failed => {
                if let Some(running) = self.running.take() {
                    self.tell_state(&running.key, State::Cancelled);
                }
                self.end_progress();
                let text = "internal error: Rely itself failed; please report this with the text";
                self.notify("window/showMessage", &json!({ "type": 1, "message": text }));
            }
            Told::Tried { uri, version, repairs, guarded } => {
                self.running = None;
                let document = self.documents.get_mut(&uri);
                if let Some(document) = document.filter(|document| document.version == version) {
                    document.repairs = repairs;
                    let is_news = guarded.is_some();
                    document.guarded = guarded;
                    if is_news {
                        self.request("workspace/inlayHint/refresh", Value::Null);
                    }
                }
            }
        }
    }

    pub(crate) fn checked(&mut self, check: &Check, run: driver::Run) {
        let document = self.documents.get_mut(&check.uri);
        let Some(document) = document.filter(|document| document.version == check.version) else {
            return;
        };
        if check.halt.reason() == Some(StopReason::Cancelled) {
            // Unless a new check is due, somebody cancelled this one.
            if !self.waiting.contains(&check.uri) {
                self.tell_state(&check.uri, State::Cancelled);
            }
            return;
        }
        if let Some(why) = &run.unfit_solver {
            let text = format!("nothing is verified: the solver cannot be used: {why}");
            self.notify("window/showMessage", &json!({ "type": 1, "message": text }));
            self.tell_state(&check.uri, State::Cancelled);
            return;
        }
        document.findings = findings(&run, true);
        document.checked = Some(Checked { run, is_current: true });
        self.to_mend.push(check.uri.clone());
        self.show(&check.uri);
        self.tell_state(&check.uri, State::Checked);
        self.request("workspace/codeLens/refresh", Value::Null);
        self.request("workspace/inlayHint/refresh", Value::Null);
    }

    pub(crate) fn show(&self, key: &str) {
        if let Some(document) = self.documents.get(key) {
            self.publish(&document.uri, Some(document.version), document.diagnostics());
        }
    }

    pub(crate) fn publish(
        &self,
        uri: &Uri,
        version: Option<i32>,
        diagnostics: Vec<gen_lsp_types::Diagnostic>,
    ) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), version, diagnostics };
        self.notify("textDocument/publishDiagnostics", &json!(params));
    }
}
