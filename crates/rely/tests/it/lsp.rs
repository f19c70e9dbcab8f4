//! The server as an editor starts it.

use crate::support::Folder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::process::Stdio;

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

/// A race between methods of two files: the one beside the open text is read, too.
#[test]
fn files_of_java_are_checked_with_those_beside_them() {
    let counter = "class Counter { int n; synchronized void up() { n++; } }\n";
    let user = "class User { void use(Counter c) { if (c != null) { c.n = 0; } } }\n";
    let folder = Folder::new("lsp", &[("Counter.java", counter)]);
    let mut command = folder.command(&["lsp", "--stdio", "--jdk", "none"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = BufReader::new(child.stdout.take().expect("a pipe"));
    let ask = |id: i32, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let tell = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    write(&mut to, &ask(1, "initialize", json!({ "capabilities": {} })));
    assert_eq!(read(&mut from)["id"], 1);
    write(&mut to, &tell("initialized", json!({})));
    let uri = format!("file://{}/User.java", folder.place());
    let opened = json!({ "uri": uri, "languageId": "java", "version": 1, "text": user });
    write(&mut to, &tell("textDocument/didOpen", json!({ "textDocument": opened })));
    let told = loop {
        let message = read(&mut from);
        let all = &message["params"]["diagnostics"];
        if all.as_array().is_some_and(|all| !all.is_empty()) {
            break all.clone();
        }
    };
    assert_eq!(told[0]["code"], "data-race", "{told}");
    write(&mut to, &ask(2, "shutdown", Value::Null));
    while read(&mut from)["id"] != 2 {}
    write(&mut to, &tell("exit", Value::Null));
    assert!(child.wait().expect("it ends").success());
}
