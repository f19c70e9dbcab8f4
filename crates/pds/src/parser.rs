//! Text to [`System`]. Lines are read one by one; a wrong one is reported and passed over.

use crate::system::{Configuration, Rule, State, Symbol, System, Target, Thread, Top};
use diagnostic::{Code, Diagnostic};
use source::{FileId, Span};

/// Limit on faults: the rest of the text is not looked at.
const MAX_DIAGNOSTICS: usize = 100;

/// Reads a system. Whatever the text, there is one; diagnostics say what is wrong with the text.
pub fn parse(file: FileId, text: &str) -> (System, Vec<Diagnostic>) {
    let mut parser = Parser { file, ..Parser::default() };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if parser.diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
        parser.line(start, line.trim_end_matches(['\n', '\r']));
        start += line.len();
    }
    parser.finish(text)
}

struct Parser {
    file: FileId,
    system: System,
    /// How many shared states there are, once that was read.
    states: Option<u32>,
    /// The initial configuration as written.
    initial: Option<(Span, Pattern)>,
    targets: Vec<(Span, Pattern)>,
    diagnostics: Vec<Diagnostic>,
}

impl Default for Parser {
    fn default() -> Self {
        Self {
            file: FileId(0),
            system: System::default(),
            states: None,
            initial: None,
            targets: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// `state|stack,stack`: symbols, `-` for an empty stack and `*` for any.
struct Pattern {
    state: Option<State>,
    stacks: Vec<Option<Vec<Symbol>>>,
}

/// A word of a line and its place.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    start: usize,
}

impl Parser {
    fn line(&mut self, start: usize, line: &str) {
        let (code, comment) = match comment_start(line) {
            Some(at) => (&line[..at], &line[at..]),
            None => (line, ""),
        };
        let words = words(start, code);
        if let Some(first) = words.first() {
            match first.text {
                "PDA" => self.thread(&words),
                _ if words.iter().any(|word| word.text.starts_with("->")) => self.rule(&words),
                _ => self.count(&words),
            }
        }
        if let Some(directive) = comment.strip_prefix("#@") {
            // Another comment may follow the directive.
            let end = comment_start(directive).unwrap_or(directive.len());
            self.directive(start + code.len() + 2, &directive[..end]);
        }
    }

    /// The number of shared states.
    fn count(&mut self, words: &[Word<'_>]) {
        let span = self.span_of(words);
        if self.states.is_some() || words.len() != 1 {
            self.fault(span, "this is not an action `q a -> q w`, nor a thread `PDA first last`");
            return;
        }
        self.states = self.number(words[0], "how many shared states there are");
        self.system.states = self.states.unwrap_or(0);
    }

    /// `PDA first last`
    fn thread(&mut self, words: &[Word<'_>]) {
        let span = self.span_of(words);
        let first = match words.get(1) {
            Some(&word) => self.number(word, "the first stack symbol"),
            None => {
                self.fault(span, "`PDA` needs its first and last stack symbol");
                None
            }
        };
        if let Some(&word) = words.get(2) {
            self.number(word, "the last stack symbol");
        }
        if let [_, _, _, rest @ ..] = words
            && !rest.is_empty()
        {
            self.fault(self.span_of(rest), "nothing more is needed here");
        }
        self.system.threads.push(Thread { span, first: first.unwrap_or(0), rules: Vec::new() });
    }

    /// `q a -> q w`
    fn rule(&mut self, words: &[Word<'_>]) {
        let span = self.span_of(words);
        let [from, top, arrow, to, word @ ..] = words else {
            self.fault(span, "an action is `q a -> q w`");
            return;
        };
        if arrow.text != "->" {
            self.fault(self.span_of(&[*arrow]), "`->` is expected here");
            return;
        }
        let from = self.state(*from);
        let top = self.stack(&[*top]);
        let to = self.state(*to);
        let word = self.stack(word);
        let (Some(from), Some(top), Some(to), Some(word)) = (from, top, to, word) else { return };
        let Some(thread) = self.system.threads.last_mut() else {
            self.fault(span, "an action belongs to a thread: a line `PDA first last` comes before");
            return;
        };
        thread.rules.push(Rule { span, from, top: top.first().copied(), to, word });
    }

    /// `init: ...` and `never: ...`
    fn directive(&mut self, start: usize, text: &str) {
        let words = words(start, text);
        let span =
            if words.is_empty() { self.place(start - 2, start) } else { self.span_of(&words) };
        let Some((name, rest)) = text.split_once(':') else {
            self.fault(span, "after `#@` comes `init:` or `never:`");
            return;
        };
        let Some(pattern) = self.pattern(span, rest) else { return };
        match name.trim() {
            "init" if self.initial.is_some() => {
                self.fault(span, "there is an initial configuration already");
            }
            "init" => self.initial = Some((span, pattern)),
            "never" => self.targets.push((span, pattern)),
            _ => self.fault(span, "after `#@` comes `init:` or `never:`"),
        }
    }

    fn pattern(&mut self, span: Span, text: &str) -> Option<Pattern> {
        let Some((state, stacks)) = text.split_once('|') else {
            self.fault(span, "a configuration is `state|stack,stack`");
            return None;
        };
        let state = match state.trim() {
            "*" => None,
            number => match number.parse() {
                Ok(number) => Some(number),
                Err(_) => {
                    self.fault(span, format!("`{number}` is no shared state"));
                    return None;
                }
            },
        };
        let mut pattern = Pattern { state, stacks: Vec::new() };
        for stack in stacks.split(',').map(str::trim) {
            let symbols = match stack {
                "*" => None,
                "-" => Some(Vec::new()),
                // The top is written last.
                _ => match stack.split('.').rev().map(|symbol| symbol.trim().parse()).collect() {
                    Ok(symbols) => Some(symbols),
                    Err(_) => {
                        self.fault(span, format!("`{stack}` is no stack: write `1`, `1.2` or `-`"));
                        return None;
                    }
                },
            };
            pattern.stacks.push(symbols);
        }
        Some(pattern)
    }

    fn state(&mut self, word: Word<'_>) -> Option<State> {
        let state = self.number(word, "a shared state")?;
        if self.states.is_some_and(|states| state >= states) {
            let message = format!("there are only {} shared states", self.system.states);
            self.fault(self.span_of(&[word]), message);
            return None;
        }
        Some(state)
    }

    /// The symbols of a stack, none for `-`.
    fn stack(&mut self, words: &[Word<'_>]) -> Option<Vec<Symbol>> {
        if let [Word { text: "-", .. }] | [] = words {
            return Some(Vec::new());
        }
        words.iter().map(|&word| self.number(word, "a stack symbol")).collect()
    }

    fn number(&mut self, word: Word<'_>, what: &str) -> Option<u32> {
        // The largest number is kept for other uses.
        let number = word.text.parse().ok().filter(|&number| number < u32::MAX);
        if number.is_none() {
            self.fault(self.span_of(&[word]), format!("a number is expected here: {what}"));
        }
        number
    }

    fn finish(mut self, text: &str) -> (System, Vec<Diagnostic>) {
        let start = self.place(0, text.len().min(1));
        if self.states.is_none() && self.diagnostics.is_empty() {
            self.fault(start, "the number of shared states is missing");
        }
        if self.system.threads.is_empty() && self.diagnostics.is_empty() {
            self.fault(start, "there is no thread: none begins with `PDA first last`");
        }
        let stacks = self.system.threads.iter().map(|thread| vec![thread.first]).collect();
        self.system.initial = Configuration { state: 0, stacks };
        if let Some((span, pattern)) = self.initial.take() {
            self.start(span, pattern);
        }
        for (span, pattern) in std::mem::take(&mut self.targets) {
            self.target(span, pattern);
        }
        (self.system, self.diagnostics)
    }

    fn start(&mut self, span: Span, pattern: Pattern) {
        self.check(span, &pattern);
        let stacks: Option<Vec<Vec<Symbol>>> = pattern.stacks.into_iter().collect();
        match (pattern.state, stacks) {
            (Some(state), Some(stacks)) => {
                self.system.initial = Configuration { state, stacks };
            }
            _ => self.fault(span, "runs start in one configuration; `*` has no place here"),
        }
    }

    fn target(&mut self, span: Span, pattern: Pattern) {
        self.check(span, &pattern);
        let mut tops = Vec::new();
        for stack in &pattern.stacks {
            tops.push(match stack.as_deref() {
                None => Top::Any,
                Some([]) => Top::Empty,
                Some([top]) => Top::Is(*top),
                Some(_) => {
                    self.fault(span, "of each stack only its top can be named here");
                    return;
                }
            });
        }
        self.system.targets.push(Target { span, state: pattern.state, tops });
    }

    /// Whether a configuration fits the system.
    fn check(&mut self, span: Span, pattern: &Pattern) {
        let (given, needed) = (pattern.stacks.len(), self.system.threads.len());
        if given != needed {
            self.fault(span, format!("{given} stacks are given for {needed} threads"));
        }
        if pattern.state.is_some_and(|state| state >= self.system.states) {
            let message = format!("there are only {} shared states", self.system.states);
            self.fault(span, message);
        }
    }

    fn span_of(&self, words: &[Word<'_>]) -> Span {
        let start = words.first().map_or(0, |word| word.start);
        let end = words.last().map_or(start, |word| word.start + word.text.len());
        self.place(start, end)
    }

    fn place(&self, start: usize, end: usize) -> Span {
        let offset = |at: usize| source::number(at);
        Span::new(self.file, offset(start), offset(end))
    }

    fn fault(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(Code::SyntaxError, span, message));
    }
}

/// Where a comment begins: `#` or `//`.
fn comment_start(line: &str) -> Option<usize> {
    match (line.find('#'), line.find("//")) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn words(start: usize, text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text;
    let mut at = start;
    while let Some(gap) = rest.find(|c: char| !c.is_whitespace()) {
        let word = &rest[gap..];
        let length = word.find(char::is_whitespace).unwrap_or(word.len());
        words.push(Word { text: &word[..length], start: at + gap });
        rest = &word[length..];
        at += gap + length;
    }
    words
}
