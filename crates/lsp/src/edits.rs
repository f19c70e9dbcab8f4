//! What the editor tells: texts that are opened, edited and closed.

use crate::documents::{Document, Reading};
use crate::findings::findings;
use crate::server::{Server, State, read};
use driver::{Input, Language, Texts};
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
};
use lsp_server::Notification;
use serde_json::json;
use std::sync::Arc;

impl Server {
    pub(crate) fn hear(&mut self, told: Notification) {
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
                let is_project = params.to_string().contains("rely.toml\"");
                let concerned =
                    |document: &&Document| is_project || document.language() == Language::Java;
                let keys = self.documents.values().filter(concerned).map(|one| one.uri.0.clone());
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
        let (name, here) = (&changed.name, folder(&changed.name));
        let is_beside = |other: &&Document| {
            let mut inputs = other.reading.iter().flat_map(|reading| &reading.inputs);
            let is_same = inputs.any(|input| input.name == *name) || folder(&other.name) == here;
            is_same && other.language() == Language::Java && other.uri.0 != key
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
        let reading = self.read(key).map(Arc::new);
        let Some(document) = self.documents.get_mut(key) else { return };
        document.reading.clone_from(&reading);
        if let Some(reading) = reading {
            let run = reading.texts.told();
            document.findings.retain(|finding| finding.notice.is_some());
            let mut all = findings(&run, false);
            // A text that is rejected has no other findings.
            if run.files[0].status != driver::Status::Rejected {
                all.append(&mut document.findings);
            }
            document.findings = all;
        }
        self.show(key);
    }

    /// Reads the program that a document is part of. What is open counts as it is in the editor.
    fn read(&mut self, key: &str) -> Option<Reading> {
        let (document, options) = (self.documents.get(key)?, self.options.as_ref()?);
        let input = document.input();
        let program = match (self.programs)(&input, options) {
            Ok(program) => program,
            Err(why) => {
                self.tell_wrong_settings(why);
                return None;
            }
        };
        self.wrong_settings = None;
        let mut inputs = vec![input];
        let others = program.others.iter().filter(|other| other.name != inputs[0].name);
        let others: Vec<Input> = others
            .map(|other| {
                let open = self.documents.values().find(|open| open.name == other.name);
                open.map_or_else(|| other.clone(), Document::input)
            })
            .collect();
        inputs.extend(others);
        let texts = Texts::read(&inputs, &program.options);
        Some(Reading { program, inputs, texts })
    }

    /// Nothing is checked with settings that nobody understands.
    fn tell_wrong_settings(&mut self, why: String) {
        if self.wrong_settings.as_ref() != Some(&why) {
            let text = format!("nothing is verified: {why}");
            self.notify("window/showMessage", &json!({ "type": 1, "message": text }));
            self.wrong_settings = Some(why);
        }
    }
}
