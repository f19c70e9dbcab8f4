//! What the editor is shown of a check under way.

use crate::checker::Check;
use crate::server::Server;
use serde_json::json;

/// What the editor is shown of a check under way.
#[derive(Default)]
pub(crate) struct Progress {
    pub(crate) is_wanted: bool,
    /// The token of the progress that is shown.
    pub(crate) token: Option<String>,
    pub(crate) planned: usize,
    pub(crate) decided: usize,
}

impl Server {
    pub(crate) fn begin_progress(&mut self, check: &Check) {
        (self.progress.planned, self.progress.decided) = (0, 0);
        if !self.progress.is_wanted {
            return;
        }
        let token = format!("rely {} {}", check.uri, check.version);
        self.request("window/workDoneProgress/create", json!({ "token": token }));
        let name = check.reading.inputs[0].name.rsplit('/').next().unwrap_or_default().to_owned();
        let begin =
            json!({ "kind": "begin", "title": format!("verifying {name}"), "cancellable": true });
        self.notify("$/progress", &json!({ "token": token, "value": begin }));
        self.progress.token = Some(token);
    }

    pub(crate) fn report_progress(&self) {
        let Some(token) = &self.progress.token else { return };
        let Progress { planned, decided, .. } = self.progress;
        let share = 100 * decided.min(planned) / planned.max(1);
        let text = format!("{decided} of {planned} decided");
        let value = json!({ "kind": "report", "message": text, "percentage": share });
        self.notify("$/progress", &json!({ "token": token, "value": value }));
    }

    pub(crate) fn end_progress(&mut self) {
        if let Some(token) = self.progress.token.take() {
            self.notify("$/progress", &json!({ "token": token, "value": { "kind": "end" } }));
        }
    }
}
