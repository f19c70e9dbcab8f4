//! The conversation with the editor.

use crate::checker::{self, Job, Told};
use crate::documents::Document;
use crate::progress::Progress;
use crate::symbols::COLOURS;
use crate::{INFER, Programs, Setup};
use crossbeam_channel::{Receiver, Sender, select};
use driver::Options;
use gen_lsp_types::{
    CodeActionProvider, CodeLensOptions, CompletionOptions, Full, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, TextDocumentSyncKind,
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

pub(crate) struct Server {
    editor: Sender<Message>,
    pub(crate) options: Option<Options>,
    pub(crate) programs: Programs,
    /// What is wrong with the settings of a project, as it was told last.
    pub(crate) wrong_settings: Option<String>,
    pub(crate) jobs: Option<Sender<Job>>,
    told: Receiver<Told>,
    /// Open documents by their references.
    pub(crate) documents: BTreeMap<String, Document>,
    /// The job under way.
    pub(crate) running: Option<Running>,
    /// Documents that are to be checked.
    pub(crate) waiting: Vec<String>,
    /// Documents whose findings may be mended by an edit.
    pub(crate) to_mend: Vec<String>,
    pub(crate) progress: Progress,
    last_request: i32,
}

/// A job under way.
pub(crate) struct Running {
    /// The document that it is about.
    pub(crate) key: String,
    pub(crate) halt: Halt,
    /// Whether edits are tried; a check is more urgent.
    pub(crate) is_trial: bool,
}

/// What is known of a document, for whoever shows it in one word.
#[derive(Clone, Copy)]
pub(crate) enum State {
    Checking,
    Checked,
    Cancelled,
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
            Some(_) => {
                let (jobs, told) = checker::start();
                (Some(jobs), told)
            }
            None => (None, crossbeam_channel::never()),
        };
        let is_wanted = asked["capabilities"]["window"]["workDoneProgress"] == json!(true);
        let server = Self {
            editor,
            options,
            programs: setup.programs,
            wrong_settings: None,
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

    pub(crate) fn notify(&self, method: &str, params: &Value) {
        let told = Notification { method: method.to_owned(), params: params.clone() };
        // If the editor is gone, the next message says so.
        let _ = self.editor.send(told.into());
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) {
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
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
