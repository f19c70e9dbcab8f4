//! Cuts a stream of solver output into replies, and decides whether a text is made of complete
//! commands.

/// Where the scan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between replies.
    Idle,
    /// In a reply that is one line of text, such as `unsat`.
    Line,
    /// In a parenthesised reply.
    Form,
    /// In a string literal of a form. A doubled quote leaves and enters again, which is the same.
    Text,
    /// In a `|quoted symbol|` of a form.
    Symbol,
    /// In a comment of a form.
    Comment,
}

/// Assembles replies from pieces of output.
#[derive(Debug)]
pub(crate) struct Splitter {
    state: State,
    depth: usize,
    reply: Vec<u8>,
}

impl Splitter {
    pub(crate) fn new() -> Self {
        Self { state: State::Idle, depth: 0, reply: Vec::new() }
    }

    /// The length of the unfinished reply.
    pub(crate) fn pending(&self) -> usize {
        self.reply.len()
    }

    /// Takes one byte; returns the reply that it completes.
    pub(crate) fn take(&mut self, byte: u8) -> Option<String> {
        match self.state {
            State::Idle if byte.is_ascii_whitespace() => return None,
            State::Idle if byte == b'(' => {
                self.state = State::Form;
                self.depth = 1;
            }
            State::Idle => self.state = State::Line,
            State::Line if byte == b'\n' => return self.finish(),
            State::Line => {}
            State::Form | State::Text | State::Symbol | State::Comment => {
                self.state = inside(self.state, byte, &mut self.depth);
            }
        }
        self.reply.push(byte);
        if self.state == State::Form && self.depth == 0 { self.finish() } else { None }
    }

    /// The rest when the output ends: a last line without its line end, or a form cut short.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.state = State::Idle;
        let bytes = std::mem::take(&mut self.reply);
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

/// Whether every parenthesis, string and quoted symbol of the text is closed, and none is closed
/// that is not open.
///
/// An open one would swallow the commands that follow it.
pub(crate) fn is_complete(text: &str) -> bool {
    let mut state = State::Form;
    let mut depth = 0usize;
    for byte in text.bytes() {
        if state == State::Form && byte == b')' && depth == 0 {
            return false;
        }
        state = inside(state, byte, &mut depth);
    }
    depth == 0 && matches!(state, State::Form | State::Comment)
}

/// The state after a byte of a form.
fn inside(state: State, byte: u8, depth: &mut usize) -> State {
    match (state, byte) {
        (State::Text, b'"') | (State::Symbol, b'|') | (State::Comment, b'\n') => State::Form,
        (State::Text | State::Symbol | State::Comment, _) => state,
        (_, b'"') => State::Text,
        (_, b'|') => State::Symbol,
        (_, b';') => State::Comment,
        (_, b'(') => {
            *depth += 1;
            State::Form
        }
        (_, b')') => {
            *depth = depth.saturating_sub(1);
            State::Form
        }
        (_, _) => State::Form,
    }
}

#[cfg(test)]
mod tests {
    use super::{Splitter, is_complete};

    fn check(output: &str, replies: &[&str]) {
        let mut splitter = Splitter::new();
        let mut found: Vec<String> =
            output.bytes().filter_map(|byte| splitter.take(byte)).collect();
        found.extend(splitter.finish());
        assert_eq!(found, replies);
    }

    #[test]
    fn lines_and_forms() {
        check(
            "unsat\n(error \"x) \"\"y\")\nrely-1\n",
            &["unsat", "(error \"x) \"\"y\")", "rely-1"],
        );
        check("((a\n  |b) (|)) sat", &["((a\n  |b) (|))", "sat"]);
        check("(a ; )\n b)", &["(a ; )\n b)"]);
        check("(a (b", &["(a (b"]);
        check("\n\n  \n", &[]);
    }

    #[test]
    fn complete_texts() {
        for text in ["", "x", "(assert (= x |a)|))", "(echo \")\") ; (", "(a) (b)"] {
            assert!(is_complete(text), "{text}");
        }
        for text in ["(", ")", "(a))", ")(", "\"", "(a |b)", "(a ; )"] {
            assert!(!is_complete(text), "{text}");
        }
    }
}
