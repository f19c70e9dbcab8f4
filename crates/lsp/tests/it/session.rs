//! An editor that talks to the server.

use driver::{Input, Options};
use lsp::{Program, Setup, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::thread::JoinHandle;
use std::time::Duration;

/// A message that does not come is a failure.
const PATIENCE: Duration = Duration::from_secs(120);

/// A file without a project, and without others beside it.
pub(crate) fn alone(options: &Options) -> Program {
    Program {
        settings: String::new(),
        options: options.clone(),
        others: Vec::new(),
        time_limit: None,
        baseline: None,
        known_as: BTreeMap::new(),
    }
}

pub(crate) struct Session {
    editor: Connection,
    server: JoinHandle<()>,
    last: i32,
    versions: BTreeMap<String, i32>,
    /// What came while something else was waited for.
    kept: Vec<Message>,
}

impl Session {
    pub(crate) fn begin(options: Value) -> Self {
        let solver = testkit::find_solver();
        Self::with(Ok(Options::new(solver)), options, |_, options| Ok(alone(options)))
    }

    /// A session in which files are checked with what is said of them.
    pub(crate) fn of(
        program: impl Fn(&Input, &Options) -> Result<Program, String> + Send + 'static,
    ) -> Self {
        Self::with(Ok(Options::new(testkit::find_solver())), json!({}), program)
    }

    pub(crate) fn without_solver() -> Self {
        let why = "there is no solver".to_owned();
        Self::with(Err(why), json!({}), |_, options| Ok(alone(options)))
    }

    fn with(
        options: Result<Options, String>,
        given: Value,
        program: impl Fn(&Input, &Options) -> Result<Program, String> + Send + 'static,
    ) -> Self {
        let (editor, served) = Connection::memory();
        let server = std::thread::spawn(move || {
            let setup = Setup { options, programs: Box::new(program) };
            serve(&served, setup).expect("the server understands");
        });
        let (kept, versions) = (Vec::new(), BTreeMap::new());
        let mut session = Self { editor, server, last: 0, versions, kept };
        let asked = json!({ "capabilities": {}, "initializationOptions": given });
        let answer = session.ask("initialize", asked);
        assert!(answer["capabilities"]["hoverProvider"] == json!(true), "{answer}");
        session.tell("initialized", json!({}));
        session
    }

    pub(crate) fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.join().expect("the server ends");
    }

    fn tell(&self, method: &str, params: Value) {
        let told = Notification { method: method.to_owned(), params };
        self.editor.sender.send(told.into()).expect("the server listens");
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).expect("an answer")
    }

    pub(crate) fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last += 1;
        let id = RequestId::from(self.last);
        let asked = Request { id: id.clone(), method: method.to_owned(), params };
        self.editor.sender.send(asked.into()).expect("the server listens");
        let is_answer =
            |message: &Message| matches!(message, Message::Response(answer) if answer.id == id);
        let Message::Response(answer) = self.wait(is_answer) else { unreachable!("it is one") };
        match answer.error {
            Some(error) => Err(error.message),
            None => Ok(answer.result.unwrap_or_default()),
        }
    }

    /// Asks again until the answer is not empty: repairs are tried after the check.
    pub(crate) fn until(&mut self, method: &str, params: &Value) -> Value {
        for _ in 0..600 {
            let answer = self.ask(method, params.clone());
            if answer.as_array().is_some_and(|all| !all.is_empty()) {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{method}: nothing came");
    }

    pub(crate) fn at(&mut self, method: &str, file: &str, (line, character): (u32, u32)) -> Value {
        self.ask(
            method,
            json!({
                "textDocument": { "uri": format!("file://{file}") },
                "position": { "line": line, "character": character },
                "context": { "includeDeclaration": true },
            }),
        )
    }

    pub(crate) fn open(&mut self, file: &str, text: &str) {
        self.versions.insert(file.to_owned(), 1);
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": {
            "uri": format!("file://{file}"), "languageId": "", "version": 1, "text": text,
        } }),
        );
    }

    /// Replaces a part of a line.
    pub(crate) fn change(&mut self, file: &str, (line, from, to): (u32, u32, u32), text: &str) {
        let version = self.versions.get_mut(file).expect("an open file");
        *version += 1;
        let params = json!({
            "textDocument": { "uri": format!("file://{file}"), "version": version },
            "contentChanges": [{
                "range": {
                    "start": { "line": line, "character": from },
                    "end": { "line": line, "character": to },
                },
                "text": text,
            }],
        });
        self.tell("textDocument/didChange", params);
    }

    /// The next message that is wanted. The others wait for somebody else.
    fn wait(&mut self, is_wanted: impl Fn(&Message) -> bool) -> Message {
        if let Some(at) = self.kept.iter().position(&is_wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.editor.receiver.recv_timeout(PATIENCE).expect("a message comes");
            if is_wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    pub(crate) fn notified(&mut self, method: &str) -> Value {
        let is_it = |message: &Message| matches!(message, Message::Notification(told) if told.method == method);
        match self.wait(is_it) {
            Message::Notification(told) => told.params,
            Message::Request(_) | Message::Response(_) => unreachable!("it is a notification"),
        }
    }

    /// What is shown of a file next.
    pub(crate) fn diagnostics(&mut self, file: &str) -> Value {
        let uri = format!("file://{file}");
        let is_it = |message: &Message| {
            matches!(message, Message::Notification(told)
                if told.method == "textDocument/publishDiagnostics" && told.params["uri"] == uri)
        };
        match self.wait(is_it) {
            Message::Notification(told) => told.params["diagnostics"].clone(),
            Message::Request(_) | Message::Response(_) => unreachable!("it is a notification"),
        }
    }

    /// What the last of a number of edits comes to.
    pub(crate) fn diagnostics_of_version(&mut self, file: &str, version: i32) -> Value {
        loop {
            let told = self.notified("textDocument/publishDiagnostics");
            let is_new = |one: &Value| one["tags"].is_null();
            let all = told["diagnostics"].as_array().expect("a list");
            let is_done = !all.is_empty() && all.iter().all(is_new);
            if told["uri"] == format!("file://{file}") && told["version"] == version && is_done {
                return told["diagnostics"].clone();
            }
        }
    }

    /// What is shown when the check of the text as it is has ended: the second time for each edit.
    pub(crate) fn checked(&mut self, file: &str) -> Value {
        self.diagnostics(file);
        self.diagnostics(file)
    }
}
