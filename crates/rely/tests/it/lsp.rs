//! The server as an editor starts it.

use crate::support::Folder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

fn write(to: &mut impl Write, message: &Value) {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
}

fn read(from: &mut BufReader<impl Read>) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        from.read_line(&mut line).expect("a header");
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().expect("a number"),
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).expect("a message");
    serde_json::from_slice(&bytes).expect("JSON")
}

/// A server, and a text that is open.
struct Open {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Open {
    fn new(folder: &Folder, name: &str, text: &str) -> Self {
        let mut command = folder.command(&["lsp", "--stdio", "--jdk", "none"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut open = Self { child, to, from };
        open.send(json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
        assert_eq!(read(&mut open.from)["id"], 1);
        open.send(json!({ "method": "initialized", "params": {} }));
        let uri = format!("file://{}/{name}", folder.place());
        let about = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        let params = json!({ "textDocument": about });
        open.send(json!({ "method": "textDocument/didOpen", "params": params }));
        open
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        write(&mut self.to, &message);
    }

    /// What is shown when the check has ended.
    fn shown(&mut self) -> Value {
        let mut shown = Value::Null;
        loop {
            let message = read(&mut self.from);
            match message["method"].as_str() {
                Some("textDocument/publishDiagnostics") => {
                    shown = message["params"]["diagnostics"].clone();
                }
                Some("rely/state") if message["params"]["state"] == "checked" => return shown,
                _ => {}
            }
        }
    }

    fn end(mut self) {
        self.send(json!({ "id": 2, "method": "shutdown", "params": null }));
        while read(&mut self.from)["id"] != 2 {}
        self.send(json!({ "method": "exit", "params": null }));
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// A race between methods of two files: the one beside the open text is read, too.
#[test]
fn files_of_java_are_checked_with_those_beside_them() {
    let counter = "class Counter { int n; synchronized void up() { n++; } }\n";
    let user = "class User { void use(Counter c) { if (c != null) { c.n = 0; } } }\n";
    let folder = Folder::new("lsp", &[("Counter.java", counter)]);
    let mut open = Open::new(&folder, "User.java", user);
    let told = open.shown();
    assert_eq!(told[0]["code"], "data-race", "{told}");
    open.end();
}

/// Files of other folders belong to the program if the project says so, and its settings count.
#[test]
fn projects_are_read() {
    let counter = "class Counter { int n; synchronized void up() { n++; } }\n";
    let user = "class User { void use(Counter c) { if (c != null) { c.n = 0; } } }\n";
    let text = "[define]\nN = 5\n[severity]\nunused-procedure = \"off\"\n";
    let files = [("rely.toml", text), ("a/Counter.java", counter), ("b/User.java", user)];
    let folder = Folder::new("lsp-project", &files);
    let mut open = Open::new(&folder, "b/User.java", user);
    assert_eq!(open.shown()[0]["code"], "data-race");
    open.end();
    let text = "const N: int = 1;\nproc p() { skip; }\nthread T { assert N == 5; }\n";
    let mut open = Open::new(&folder, "c.plato", text);
    assert_eq!(open.shown(), json!([]));
    open.end();
}
