//! Edits that are offered. Each was tried before: with it the finding is gone and no other is new.

use crate::checker::{Found, counted};
use crate::documents::Document;
use diagnostic::Code;
use driver::{Language, findings};
use source::{Declaration, DeclarationKind, Span};

/// An edit that mends a finding.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    pub(crate) title: String,
    /// The place of the finding, in bytes.
    pub(crate) place: (usize, usize),
    /// What to insert, and where.
    pub(crate) insertions: Vec<(usize, String)>,
}

/// An edit that is to be tried.
pub(crate) struct Candidate {
    pub(crate) repair: Repair,
    /// The whole text with it.
    pub(crate) text: String,
    /// The fingerprint of what it is to mend.
    pub(crate) finding: String,
}

/// More findings of a file are not tried to mend.
const MOST: usize = 8;

impl Document {
    /// Edits to try, and what is found without them.
    pub(crate) fn candidates(&self) -> (Found, Vec<Candidate>) {
        let Some(checked) = self.checked.as_ref().filter(|checked| checked.is_current) else {
            return (Found::default(), Vec::new());
        };
        let mut all = Vec::new();
        let report = &checked.run.files[checked.file];
        let found = findings(&checked.run);
        for (notice, finding) in report.notices.iter().zip(&found[checked.file]) {
            let told = &notice.diagnostic;
            let span = told.primary.span;
            if notice.allowed.is_some() || span.file != report.file || all.len() >= MOST {
                continue;
            }
            for (title, insertions) in self.ideas(told.code, span) {
                let text = inserted(&self.text, &insertions);
                let place = (span.start as usize, span.end as usize);
                let repair = Repair { title, place, insertions };
                all.push(Candidate { repair, text, finding: finding.fingerprint.clone() });
            }
        }
        (counted(&checked.run), all)
    }

    fn ideas(&self, code: Code, span: Span) -> Vec<(String, Vec<(usize, String)>)> {
        match self.language() {
            Language::Java => self.ideas_of_java(code, span),
            Language::Plato => self.ideas_of_plato(code, span),
            _ => Vec::new(),
        }
    }

    fn ideas_of_java(&self, code: Code, span: Span) -> Vec<(String, Vec<(usize, String)>)> {
        if !matches!(code, Code::DataRace | Code::InvariantBroken | Code::UnguardedAccess) {
            return Vec::new();
        }
        let mut ideas = Vec::new();
        if let Some(method) = innermost(&self.outline, span, DeclarationKind::Method) {
            let start = method.span.start as usize;
            let head = &self.text[start..method.name_span.start as usize];
            // Annotations stand before the modifiers.
            let after = head.rfind('\n').map_or(0, |newline| newline + 1);
            let indent = head[after..].len() - head[after..].trim_start().len();
            if !head.contains("synchronized") {
                let title = format!("make `{}` synchronized", method.name);
                ideas.push((title, vec![(start + after + indent, "synchronized ".to_owned())]));
            }
        }
        ideas
    }

    fn ideas_of_plato(&self, code: Code, span: Span) -> Vec<(String, Vec<(usize, String)>)> {
        let is_about_steps = matches!(
            code,
            Code::InvariantBroken | Code::AssertionFailed | Code::RelyViolated | Code::DataRace
        );
        let Some(thread) = innermost(&self.outline, span, DeclarationKind::Thread) else {
            return Vec::new();
        };
        if !is_about_steps {
            return Vec::new();
        }
        let body = &self.text[thread.name_span.end as usize..thread.span.end as usize];
        let (Some(open), Some(close)) = (body.find('{'), body.rfind('}')) else {
            return Vec::new();
        };
        let start = thread.name_span.end as usize + open + 1;
        let end = thread.name_span.end as usize + close;
        let mut ideas = vec![(
            format!("make the body of `{}` atomic", thread.name),
            vec![(start, " atomic {".to_owned()), (end, "} ".to_owned())],
        )];
        let mutexes = self.outline.iter().filter(|one| one.kind == DeclarationKind::Mutex);
        for mutex in mutexes {
            let name = &mutex.name;
            ideas.push((
                format!("hold `{name}` in `{}`", thread.name),
                vec![(start, format!(" acquire {name};")), (end, format!("release {name}; "))],
            ));
        }
        ideas
    }
}

/// The text with everything inserted; places come in order.
fn inserted(text: &str, insertions: &[(usize, String)]) -> String {
    let mut out = text.to_owned();
    for (at, more) in insertions.iter().rev() {
        out.insert_str(*at, more);
    }
    out
}

/// The innermost declaration of a kind around a place.
fn innermost(all: &[Declaration], span: Span, kind: DeclarationKind) -> Option<&Declaration> {
    let around = all.iter().filter(|one| one.span.start <= span.start && span.end <= one.span.end);
    let mut around = around.filter_map(|one| {
        innermost(&one.inside, span, kind).or_else(|| (one.kind == kind).then_some(one))
    });
    around.next()
}
