//! The annotations of an example in its comments.

use diagnostic::{Code, Severity};
use driver::Engine;
use std::fmt;

/// All annotations of an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The first lines.
    pub header: Header,
    /// The expected diagnostics, in order of the text.
    pub expectations: Vec<Expectation>,
}

/// The lines `//@ ...` at the start, `//: ...` in Java.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Header {
    /// The number of proved obligations.
    pub proved: Option<usize>,
    /// The number of rounds for which loops are unrolled.
    pub unroll: Option<u32>,
    /// Values for constants.
    pub definitions: Vec<(String, String)>,
    /// The only threads to check.
    pub only: Vec<String>,
    /// How to decide.
    pub engine: Option<Engine>,
    /// How many annotations are found; without it none are looked for.
    pub inferred: Option<usize>,
    /// Whether nothing may be taken for granted.
    pub strict: Option<()>,
}

/// One comment `//~ ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The line it is about, from 1.
    pub line: usize,
    /// What is expected.
    pub kind: Kind,
    /// The code.
    pub code: Code,
    /// Texts that the diagnostic contains.
    pub texts: Vec<String>,
}

/// What is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A diagnostic of this severity.
    Reported(Severity),
    /// A diagnostic that a comment allows.
    Allowed,
    /// No diagnostic, although there should be one.
    Missed,
    /// A diagnostic, although there should be none.
    Spurious,
}

/// A comment that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Its line, from 1.
    pub line: usize,
    /// The fault in it.
    pub message: String,
}

/// Reads the comments of a text. Comments that cannot be understood are listed, and fail the
/// example.
pub fn annotations(text: &str) -> (Annotations, Vec<Malformed>) {
    read(text, Reader::default())
}

/// The same of a text in Java, where lines of the header begin with `//:`.
pub(crate) fn java_annotations(text: &str) -> (Annotations, Vec<Malformed>) {
    read(text, Reader { is_java: true, ..Reader::default() })
}

fn read(text: &str, mut reader: Reader) -> (Annotations, Vec<Malformed>) {
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(number, line);
    }
    reader.speak_of(text.lines().count() + 1);
    (reader.annotations, reader.malformed)
}

#[derive(Default)]
struct Reader {
    annotations: Annotations,
    malformed: Vec<Malformed>,
    /// The first expectation whose line is not known yet.
    waiting: usize,
    /// Whether a line was seen that is not of the header.
    header_ended: bool,
    /// Whether lines of the header begin with `//:`.
    is_java: bool,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let mut parts = line.split("//~");
        let before = parts.next().unwrap_or_default().trim();
        // In diagrams, comments begin with a quote.
        let before = before.strip_prefix('\'').map_or(before, str::trim_start);
        // In Java, `//@` begins an annotation of the program.
        let marker = if self.is_java { "//:" } else { "//@" };
        if let Some(header) = before.strip_prefix(marker) {
            self.header(number, header);
            return;
        }
        self.header_ended = true;
        let mut annotated = false;
        for part in parts {
            annotated = true;
            match expectation(part.trim()) {
                Ok(expectation) => self.annotations.expectations.push(expectation),
                Err(message) => self.malformed.push(Malformed { line: number, message }),
            }
        }
        if !annotated || !before.is_empty() {
            self.speak_of(number);
        }
    }

    /// Gives this line to the expectations that wait for theirs.
    fn speak_of(&mut self, number: usize) {
        for expectation in &mut self.annotations.expectations[self.waiting..] {
            expectation.line = number;
        }
        self.waiting = self.annotations.expectations.len();
    }

    fn header(&mut self, number: usize, text: &str) {
        if self.header_ended {
            let message = "`//@` stands in the first lines only".to_owned();
            self.malformed.push(Malformed { line: number, message });
            return;
        }
        for entry in text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            if let Err(message) = self.annotations.header.entry(entry) {
                self.malformed.push(Malformed { line: number, message });
            }
        }
    }
}

impl Header {
    fn entry(&mut self, entry: &str) -> Result<(), String> {
        let wrong = || {
            format!(
                "`{entry}` is not `proved: n`, `inferred: n`, `unroll: n`, `define: N=5`, `only: T`, `engine: explore` or `strict`"
            )
        };
        if entry == "strict" {
            return set(&mut self.strict, (), entry);
        }
        let (key, value) = entry.split_once(':').ok_or_else(wrong)?;
        let value = value.trim();
        match key.trim() {
            "proved" => set(&mut self.proved, value.parse().map_err(|_| wrong())?, entry),
            "inferred" => set(&mut self.inferred, value.parse().map_err(|_| wrong())?, entry),
            "unroll" => set(&mut self.unroll, value.parse().map_err(|_| wrong())?, entry),
            "define" => {
                let (name, value) = value.split_once('=').ok_or_else(wrong)?;
                self.definitions.push((name.trim().to_owned(), value.trim().to_owned()));
                Ok(())
            }
            "only" if !value.is_empty() => {
                self.only.push(value.to_owned());
                Ok(())
            }
            "engine" => {
                let engine = Engine::named(value).ok_or_else(wrong)?;
                set(&mut self.engine, engine, entry)
            }
            _ => Err(wrong()),
        }
    }
}

fn set<T>(place: &mut Option<T>, value: T, entry: &str) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{entry}` says again what was said before")),
    }
}

/// The text behind one `//~`. Its line is set later.
fn expectation(text: &str) -> Result<Expectation, String> {
    let wrong = || format!("`{text}` is not of the form error[code] \"text\"");
    let (kind, rest) = text.split_once('[').ok_or_else(wrong)?;
    let (code, rest) = rest.split_once(']').ok_or_else(wrong)?;
    let kind = match kind {
        "error" => Kind::Reported(Severity::Error),
        "warning" => Kind::Reported(Severity::Warning),
        "unknown" => Kind::Reported(Severity::Unknown),
        "allowed" => Kind::Allowed,
        "missed" => Kind::Missed,
        "spurious" => Kind::Spurious,
        _ => {
            return Err(format!(
                "`{kind}` is not error, warning, unknown, allowed, missed or spurious"
            ));
        }
    };
    let code = Code::find(code).ok_or_else(|| format!("there is no code `{code}`"))?;
    let mut texts = Vec::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let (quoted, after) = quoted.ok_or_else(wrong)?;
        texts.push(quoted.to_owned());
        rest = after.trim_start();
    }
    Ok(Expectation { line: 0, kind, code, texts })
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Reported(severity) => severity_word(severity),
            Kind::Allowed => "allowed",
            Kind::Missed => "missed",
            Kind::Spurious => "spurious",
        };
        write!(f, "{kind}[{}]", self.code)?;
        self.texts.iter().try_for_each(|text| write!(f, " \"{text}\""))
    }
}

/// The word that comments and messages use for a severity.
pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Unknown => "unknown",
        Severity::Warning => "warning",
    }
}

#[cfg(test)]
mod tests {
    use super::{Header, annotations};

    /// The expectations as `line: expectation` and the faults as `line! message`.
    fn check(text: &str, expected: &[&str]) {
        let (annotations, malformed) = annotations(text);
        let mut found: Vec<String> = annotations
            .expectations
            .iter()
            .map(|expectation| format!("{}: {expectation}", expectation.line))
            .collect();
        found.extend(malformed.iter().map(|wrong| format!("{}! {}", wrong.line, wrong.message)));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn on_its_line() {
        check("x := 1; //~ error[rely-violated]", &["1: error[rely-violated]"]);
        check(
            "\nx := 1; //~ warning[trivial-rely] \"x\" \"a b\"",
            &["2: warning[trivial-rely] \"x\" \"a b\""],
        );
        check(
            "x := 1; //~ error[rely-violated] //~unknown[limit-reached]",
            &["1: error[rely-violated]", "1: unknown[limit-reached]"],
        );
        check("// error[rely-violated]\n\"//\" ~ error[x]", &[]);
    }

    #[test]
    fn alone_speaks_of_the_next_line() {
        let text =
            "a\n  //~ error[rely-violated]\n//~ missed[unsupported]\nb //~ spurious[unsupported]\n";
        check(
            text,
            &["4: error[rely-violated]", "4: missed[unsupported]", "4: spurious[unsupported]"],
        );
        check("//~ error[syntax-error]\n// words\nx", &["2: error[syntax-error]"]);
        check("a\n//~ error[syntax-error]\n", &["3: error[syntax-error]"]);
    }

    #[test]
    fn malformed() {
        check("x //~ error", &["1! `error` is not of the form error[code] \"text\""]);
        check(
            "x //~ fault[unsupported]",
            &["1! `fault` is not error, warning, unknown, allowed, missed or spurious"],
        );
        check("x //~ error[nonsense]", &["1! there is no code `nonsense`"]);
        for text in ["error[unsupported] words", "error[unsupported] \"open"] {
            let message = format!("1! `{text}` is not of the form error[code] \"text\"");
            check(&format!("x //~ {text}"), &[&message]);
        }
    }

    #[test]
    fn header() {
        let read = |text: &str| annotations(text).0.header;
        assert_eq!(read("// words\n"), Header::default());
        let header =
            read("//@ proved: 11; unroll: 3; define: N=5\n//@ only: T1; define: M = 2; only: T2\n");
        assert_eq!(header.proved, Some(11));
        assert_eq!(header.unroll, Some(3));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(header.definitions, [pair("N", "5"), pair("M", "2")]);
        assert_eq!(header.only, ["T1", "T2"]);
    }

    #[test]
    fn malformed_headers() {
        let wrong = |entry: &str| {
            format!(
                "1! `{entry}` is not `proved: n`, `inferred: n`, `unroll: n`, `define: N=5`, `only: T`, `engine: explore` or `strict`"
            )
        };
        for entry in ["proved", "proved: many", "unroll: -1", "define: N", "only:", "prove: 1"] {
            check(&format!("//@ {entry}"), &[&wrong(entry)]);
        }
        check("//@ proved: 1; proved: 1", &["1! `proved: 1` says again what was said before"]);
        check("var x: int;\n//@ proved: 1", &["2! `//@` stands in the first lines only"]);
    }
}
