//! The conversation with the editor.

use crate::checker::{self, Check, Job, Told};
use crate::documents::{Checked, Document};
use crate::findings::findings;
use crate::symbols::COLOURS;
use crate::{INFER, Setup, Siblings};
use crossbeam_channel::{Receiver, Sender, select};
use driver::{Language, Options};
use gen_lsp_types::{
    CodeActionProvider, CodeLensOptions, CompletionOptions, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Full, PublishDiagnosticsParams,
    SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities, TextDocumentSyncKind, Uri,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;
use verdict::Halt;

/// Answers an editor until it says goodbye.
pub fn serve(connection: &Connection, setup: Setup) -> Result<(), Box<dyn Error + Send + Sync>> {
    let asked = connection.initialize(json!(capabilities()))?;
    let mut server = Server::new(connection, setup, &asked);
    server.listen(connection)
}

fn capabilities() -> ServerCapabilities {
    let types = COLOURS.iter().map(|word| (*word).to_owned()).collect();
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncKind::Incremental.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        inlay_hint_provider: Some(true.into()),
        rename_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        code_action_provider: Some(CodeActionProvider::Bool(true)),
        code_lens_provider: Some(CodeLensOptions::default()),
        completion_provider: Some(CompletionOptions::default()),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend { token_types: types, token_modifiers: Vec::new() },
                full: Some(Full::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        ..ServerCapabilities::default()
    }
}

struct Server {
    editor: Sender<Message>,
    options: Option<Options>,
    siblings: Siblings,
    jobs: Option<Sender<Job>>,
    told: Receiver<Told>,
    /// Open documents by their references.
    documents: BTreeMap<String, Document>,
    /// The job under way.
    running: Option<Running>,
    /// Documents that are to be checked.
    waiting: Vec<String>,
    /// Documents whose findings may be mended by an edit.
    to_mend: Vec<String>,
    progress: Progress,
    last_request: i32,
}

/// A job under way.
struct Running {
    /// The document that it is about.
    key: String,
    halt: Halt,
    /// Whether edits are tried; a check is more urgent.
    is_trial: bool,
}

/// What is known of a document, for whoever shows it in one word.
#[derive(Clone, Copy)]
enum State {
    Checking,
    Checked,
    Cancelled,
}

/// What the editor is shown of a check under way.
#[derive(Default)]
struct Progress {
    is_wanted: bool,
    /// The token of the progress that is shown.
    token: Option<String>,
    planned: usize,
    decided: usize,
}

impl Server {
    fn new(connection: &Connection, setup: Setup, asked: &Value) -> Self {
        let editor = connection.sender.clone();
        let given = &asked["initializationOptions"];
        let infer = given["inferBudget"].as_f64().map(Duration::try_from_secs_f64);
        let infer = infer.and_then(Result::ok).unwrap_or(INFER);
        let infer = Some(infer).filter(|budget| !budget.is_zero());
        let options = setup.options.map(|options| Options { infer, ..options });
        let (options, why) = match options {
            Ok(options) => (Some(options), None),
            Err(why) => (None, Some(why)),
        };
        let (jobs, told) = match &options {
            Some(options) => {
                let (jobs, told) = checker::start(options.clone());
                (Some(jobs), told)
            }
            None => (None, crossbeam_channel::never()),
        };
        let is_wanted = asked["capabilities"]["window"]["workDoneProgress"] == json!(true);
        let server = Self {
            editor,
            options,
            siblings: setup.siblings,
            jobs,
            told,
            documents: BTreeMap::new(),
            running: None,
            waiting: Vec::new(),
            to_mend: Vec::new(),
            progress: Progress { is_wanted, ..Progress::default() },
            last_request: 0,
        };
        if let Some(why) = why {
            let text = format!("nothing is verified: {why}");
            server.notify("window/showMessage", &json!({ "type": 1, "message": text }));
        }
        server
    }

    fn listen(&mut self, connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
        loop {
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        self.answer(request);
                    }
                    Ok(Message::Notification(told)) => self.hear(told),
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(self.told) -> told => match told {
                    Ok(told) => self.learn(told),
                    // The checker is gone; it does not come back.
                    Err(_) => self.told = crossbeam_channel::never(),
                },
            }
            self.go_on();
        }
    }

    fn notify(&self, method: &str, params: &Value) {
        let told = Notification { method: method.to_owned(), params: params.clone() };
        // If the editor is gone, the next message says so.
        let _ = self.editor.send(told.into());
    }

    fn request(&mut self, method: &str, params: Value) {
        self.last_request += 1;
        let id = RequestId::from(self.last_request);
        let asked = Request { id, method: method.to_owned(), params };
        let _ = self.editor.send(asked.into());
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let response = match self.answered(&method, params) {
            Ok(Some(value)) => Response::new_ok(id, value),
            Ok(None) => {
                let text = format!("`{method}` is not known");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, text)
            }
            Err(why) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
        };
        let _ = self.editor.send(response.into());
    }

    fn answered(&self, method: &str, params: Value) -> Result<Option<Value>, String> {
        let uri = params["textDocument"]["uri"].as_str().or_else(|| params["uri"].as_str());
        let Some(document) = uri.and_then(|uri| self.documents.get(uri)) else {
            let is_about_text = method.starts_with("textDocument/") || method == "rely/run";
            return Ok(is_about_text.then_some(Value::Null));
        };
        let value = match method {
            "textDocument/hover" => document.asked_hover(&read(params)?),
            "textDocument/definition" => document.asked_definition(&read(params)?),
            "textDocument/references" => document.asked_references(&read(params)?),
            "textDocument/documentHighlight" => document.asked_highlight(&read(params)?),
            "textDocument/documentSymbol" => json!(document.symbols()),
            "textDocument/foldingRange" => json!(document.folds()),
            "textDocument/semanticTokens/full" => json!(document.colours()),
            "textDocument/completion" => document.asked_completion(&read(params)?),
            "textDocument/rename" => document.asked_rename(&read(params)?)?,
            "textDocument/formatting" => document.asked_format(),
            "textDocument/codeLens" => json!(document.lenses()),
            "textDocument/inlayHint" => json!(document.hints()),
            "textDocument/codeAction" => document.asked_actions(&read(params)?),
            "rely/run" => {
                let notice = params["notice"].as_u64().and_then(|one| usize::try_from(one).ok());
                document.asked_run(notice.ok_or("`notice` is a number")?)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn hear(&mut self, told: Notification) {
        let Notification { method, params } = told;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Ok(opened) = read::<DidOpenTextDocumentParams>(params) else { return };
                let item = opened.text_document;
                let key = item.uri.0.clone();
                self.documents
                    .insert(key.clone(), Document::new(item.uri, item.version, item.text));
                self.edited(&key);
                self.program_changed(&key);
            }
            "textDocument/didChange" => {
                let Ok(changed) = read::<DidChangeTextDocumentParams>(params) else { return };
                let about = changed.text_document;
                let key = about.text_document_identifier.uri.0;
                let Some(document) = self.documents.get_mut(&key) else { return };
                document.change(about.version, changed.content_changes);
                self.edited(&key);
                self.program_changed(&key);
            }
            "textDocument/didClose" => {
                let Ok(closed) = read::<DidCloseTextDocumentParams>(params) else { return };
                let uri = closed.text_document.uri;
                self.program_changed(&uri.0);
                self.documents.remove(&uri.0);
                self.waiting.retain(|waiting| *waiting != uri.0);
                self.cancel(&uri.0);
                self.publish(&uri, None, Vec::new());
            }
            // Files beside the text changed: what is open may mean something else now.
            "workspace/didChangeWatchedFiles" | "textDocument/didSave" => {
                let java = |document: &&Document| document.language() == Language::Java;
                let keys = self.documents.values().filter(java).map(|one| one.uri.0.clone());
                for key in keys.collect::<Vec<_>>() {
                    self.outdate(&key);
                }
            }
            "window/workDoneProgress/cancel" => {
                let is_shown = self.progress.token.as_deref() == params["token"].as_str();
                if let Some(running) = self.running.as_ref().filter(|_| is_shown) {
                    running.halt.cancel();
                }
            }
            _ => {}
        }
    }

    /// A file of a program is new: what is known of its other files is old.
    fn program_changed(&mut self, key: &str) {
        let Some(changed) = self.documents.get(key) else { return };
        if changed.language() != Language::Java {
            return;
        }
        let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let here = folder(&changed.name);
        let is_beside = |other: &&Document| {
            let is_java = other.language() == Language::Java;
            is_java && other.uri.0 != key && folder(&other.name) == here
        };
        let others = self.documents.values().filter(is_beside).map(|one| one.uri.0.clone());
        others.collect::<Vec<_>>().iter().for_each(|other| self.outdate(other));
    }

    /// The text is the same, and what was found out about it is not known to hold any more.
    fn outdate(&mut self, key: &str) {
        if let Some(document) = self.documents.get_mut(key) {
            document.outdate();
        }
        self.edited(key);
    }

    /// A text is new: what its front end says is told at once, the rest is to be found out.
    fn edited(&mut self, key: &str) {
        self.cancel(key);
        if let Some(running) = self.running.as_ref().filter(|running| running.is_trial) {
            running.halt.cancel();
            let key = running.key.clone();
            self.to_mend.push(key);
        }
        self.tell_state(key, State::Checking);
        self.to_mend.retain(|other| other != key);
        if !self.waiting.iter().any(|waiting| waiting == key) {
            self.waiting.push(key.to_owned());
        }
        let (inputs, focus) = self.inputs(key);
        let Some(document) = self.documents.get_mut(key) else { return };
        if let Some(options) = &self.options {
            let run = driver::parse(&inputs, options);
            document.findings.retain(|finding| finding.notice.is_some());
            let mut all = findings(&run, focus, false);
            // A text that is rejected has no other findings.
            if run.files[focus].status != driver::Status::Rejected {
                all.append(&mut document.findings);
            }
            document.findings = all;
        }
        self.show(key);
    }

    /// The program that a document is part of, and which of its files it is. What is open counts
    /// as it is in the editor.
    fn inputs(&self, key: &str) -> (Vec<driver::Input>, usize) {
        let Some(document) = self.documents.get(key) else { return (Vec::new(), 0) };
        let mut inputs = vec![document.input()];
        if document.language() == Language::Java {
            let others = (self.siblings)(&document.name).into_iter();
            inputs.extend(others.filter(|other| other.name != document.name).map(|other| {
                let open = self.documents.values().find(|open| open.name == other.name);
                open.map_or(other, Document::input)
            }));
        }
        (inputs, 0)
    }

    fn cancel(&self, key: &str) {
        if let Some(running) = self.running.as_ref().filter(|running| running.key == key) {
            running.halt.cancel();
        }
    }

    fn tell_state(&self, key: &str, state: State) {
        let state = match state {
            State::Checking => "checking",
            State::Checked => "checked",
            State::Cancelled => "cancelled",
        };
        self.notify("rely/state", &json!({ "uri": key, "state": state }));
    }

    /// Starts the next job, if none is under way.
    fn go_on(&mut self) {
        let Some(jobs) = self.jobs.clone() else { return };
        while self.running.is_none() {
            let (key, is_trial) = match (self.waiting.is_empty(), self.to_mend.is_empty()) {
                (false, _) => (self.waiting.remove(0), false),
                (true, false) => (self.to_mend.remove(0), true),
                (true, true) => return,
            };
            let (Some(check), Some(document)) = (self.check(&key), self.documents.get(&key)) else {
                continue;
            };
            let halt = check.halt.clone();
            let job = if is_trial {
                let (found, candidates) = document.candidates();
                if candidates.is_empty() {
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

    fn check(&self, key: &str) -> Option<Check> {
        let document = self.documents.get(key)?;
        let (inputs, focus) = self.inputs(key);
        let uri = key.to_owned();
        Some(Check { uri, version: document.version, inputs, focus, halt: Halt::default() })
    }

    fn learn(&mut self, told: Told) {
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
            Told::Tried { uri, version, repairs } => {
                self.running = None;
                let document = self.documents.get_mut(&uri);
                if let Some(document) = document.filter(|document| document.version == version) {
                    document.repairs = repairs;
                }
            }
        }
    }

    fn checked(&mut self, check: &Check, run: driver::Run) {
        let document = self.documents.get_mut(&check.uri);
        let Some(document) = document.filter(|document| document.version == check.version) else {
            return;
        };
        if check.halt.reason().is_some() {
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
        document.findings = findings(&run, check.focus, true);
        document.checked = Some(Checked { run, file: check.focus, is_current: true });
        self.to_mend.push(check.uri.clone());
        self.show(&check.uri);
        self.tell_state(&check.uri, State::Checked);
        self.request("workspace/codeLens/refresh", Value::Null);
        self.request("workspace/inlayHint/refresh", Value::Null);
    }

    fn show(&self, key: &str) {
        if let Some(document) = self.documents.get(key) {
            self.publish(&document.uri, Some(document.version), document.diagnostics());
        }
    }

    fn publish(
        &self,
        uri: &Uri,
        version: Option<i32>,
        diagnostics: Vec<gen_lsp_types::Diagnostic>,
    ) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), version, diagnostics };
        self.notify("textDocument/publishDiagnostics", &json!(params));
    }

    fn begin_progress(&mut self, check: &Check) {
        (self.progress.planned, self.progress.decided) = (0, 0);
        if !self.progress.is_wanted {
            return;
        }
        let token = format!("rely {} {}", check.uri, check.version);
        self.request("window/workDoneProgress/create", json!({ "token": token }));
        let name = check.inputs[check.focus].name.rsplit('/').next().unwrap_or_default().to_owned();
        let begin =
            json!({ "kind": "begin", "title": format!("verifying {name}"), "cancellable": true });
        self.notify("$/progress", &json!({ "token": token, "value": begin }));
        self.progress.token = Some(token);
    }

    fn report_progress(&self) {
        let Some(token) = &self.progress.token else { return };
        let Progress { planned, decided, .. } = self.progress;
        let share = 100 * decided.min(planned) / planned.max(1);
        let text = format!("{decided} of {planned} decided");
        let value = json!({ "kind": "report", "message": text, "percentage": share });
        self.notify("$/progress", &json!({ "token": token, "value": value }));
    }

    fn end_progress(&mut self) {
        if let Some(token) = self.progress.token.take() {
            self.notify("$/progress", &json!({ "token": token, "value": { "kind": "end" } }));
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
