//! How long it takes from an edit to the new verdict, as an editor sees it: through the server,
//! with all that is told besides.

use super::Bench;
use crate::checkout::Checkout;
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Bodies in each text.
const BODIES: usize = 1_000;
/// How often one of them is edited.
const EDITS: usize = 10;

/// The table.
pub(super) fn table(bench: &Bench, _: &Checkout) -> anyhow::Result<()> {
    println!("\nthrough the server, {BODIES} bodies, one of which is edited {EDITS} times");
    println!(
        "{:>18} {:>10} {:>12} {:>12} {:>12}",
        "", "opened s", "median s", "longest s", "asked s"
    );
    for (name, program) in
        [("threads.plato", threads as fn() -> String), ("methods.chalice", methods)]
    {
        let mut editor = Editor::start(bench)?;
        let text = program();
        let begun = Instant::now();
        let uri = format!("file:///bench/{name}");
        editor.tell(
            "textDocument/didOpen",
            &json!({ "textDocument": {
            "uri": uri, "languageId": "", "version": 1, "text": text } }),
        )?;
        editor.until_checked()?;
        let opened = begun.elapsed();
        let (mut times, mut asked) = editor.edits(&uri, &text)?;
        times.sort();
        asked.sort();
        let seconds = |time: Duration| time.as_secs_f64();
        println!(
            "{name:>18} {:>10.2} {:>12.3} {:>12.3} {:>12.3}",
            seconds(opened),
            seconds(times[EDITS / 2]),
            seconds(times[EDITS - 1]),
            seconds(asked[EDITS / 2])
        );
        editor.end()?;
    }
    Ok(())
}

/// An editor with a server of its own.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Editor {
    fn start(bench: &Bench) -> anyhow::Result<Self> {
        let mut command = Command::new(&bench.rely);
        command.args(["lsp", "--jdk", "none"]).env("RELY_Z3", &bench.solver);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().context("cannot start the server")?;
        let to = server.stdin.take().context("the server does not listen")?;
        let from = BufReader::new(server.stdout.take().context("the server does not talk")?);
        let mut editor = Self { server, to, from };
        editor.ask("initialize", &json!({ "capabilities": {} }))?;
        editor.tell("initialized", &json!({}))?;
        Ok(editor)
    }

    /// Edits a body in the middle; the times until the new verdicts are shown, and those that the
    /// answers take which an editor asks for then.
    fn edits(&mut self, uri: &str, text: &str) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
        let named = [format!("M{}(", BODIES / 2), format!("T{} ", BODIES / 2)];
        let body =
            named.iter().find_map(|name| text.find(name)).context("there is no such body")?;
        let value = body + text[body..].find(":= ").context("it writes nothing")? + 3;
        let (before, _) = text.split_at(value);
        let (line, start) = (before.matches('\n').count(), before.rfind('\n').unwrap_or(0));
        let character = value - start - 1;
        let (mut times, mut asked) = (Vec::new(), Vec::new());
        for edit in 0..EDITS {
            let place = json!({ "line": line, "character": character });
            let change = json!({ "range": { "start": place, "end": place },
                "text": format!("{edit} - {edit} + ") });
            let begun = Instant::now();
            self.tell(
                "textDocument/didChange",
                &json!({ "textDocument": { "uri": uri, "version": edit + 2 },
                    "contentChanges": [change] }),
            )?;
            self.until_checked()?;
            times.push(begun.elapsed());
            let begun = Instant::now();
            for method in ["codeLens", "semanticTokens/full", "inlayHint"] {
                let nowhere = json!({ "line": 0, "character": 0 });
                let about = json!({ "textDocument": { "uri": uri },
                    "range": { "start": nowhere, "end": nowhere } });
                self.ask(&format!("textDocument/{method}"), &about)?;
            }
            asked.push(begun.elapsed());
        }
        Ok((times, asked))
    }

    fn write(&mut self, message: &Value) -> anyhow::Result<()> {
        let text = message.to_string();
        let mut whole = String::new();
        write!(whole, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.to.write_all(whole.as_bytes())?;
        Ok(self.to.flush()?)
    }

    fn tell(&mut self, method: &str, params: &Value) -> anyhow::Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn ask(&mut self, method: &str, params: &Value) -> anyhow::Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))?;
        while self.read()?["id"] != 1 {}
        Ok(())
    }

    fn read(&mut self) -> anyhow::Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                bail!("the server is gone");
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse()?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }

    /// Waits for the end of a check, at which everything is shown.
    fn until_checked(&mut self) -> anyhow::Result<()> {
        loop {
            let message = self.read()?;
            if message["method"] != "rely/state" {
                continue;
            }
            match message["params"]["state"].as_str() {
                Some("checked") => return Ok(()),
                Some("cancelled") => bail!("the check was cancelled"),
                _ => {}
            }
        }
    }

    fn end(mut self) -> anyhow::Result<()> {
        self.ask("shutdown", &Value::Null)?;
        self.tell("exit", &Value::Null)?;
        self.server.wait()?;
        Ok(())
    }
}

fn threads() -> String {
    let mut text = "mutex m;\nvar x: int = 0;\nrely m == tid ==> m' == m && x' == x;\n".to_owned();
    for index in 0..BODIES {
        let _ = writeln!(
            text,
            "thread T{index} {{\n  acquire m;\n  x := {index};\n  assert x == {index};\n  release m;\n}}"
        );
    }
    text
}

fn methods() -> String {
    let mut text = "class C { var n: int;\n".to_owned();
    for index in 0..BODIES {
        let _ = writeln!(
            text,
            "  method M{index}() requires acc(n) ensures acc(n) && n == old(n) + 1 {{ n := n + 1; }}"
        );
    }
    text + "}\n"
}
