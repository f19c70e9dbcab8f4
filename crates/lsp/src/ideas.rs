//! Edits that may mend a finding. Nobody believes in them before they are tried.

use crate::documents::Document;
use diagnostic::{Code, Diagnostic};
use driver::Language;
use source::{Declaration, DeclarationKind, Span};
use std::collections::BTreeSet;

/// An edit that may mend something.
pub(crate) struct Idea {
    pub(crate) title: String,
    /// What to insert, and where, in order.
    pub(crate) insertions: Vec<(usize, String)>,
}

/// More variables or locks of one place are not tried.
const MOST: usize = 4;

impl Document {
    /// What may mend a finding.
    pub(crate) fn ideas(&self, told: &Diagnostic) -> Vec<Idea> {
        match self.language() {
            Language::Java => self.ideas_of_java(told.code, told.primary.span),
            Language::Plato => self.ideas_of_plato(told),
            _ => Vec::new(),
        }
    }

    fn ideas_of_java(&self, code: Code, span: Span) -> Vec<Idea> {
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
                let insertions = vec![(start + after + indent, "synchronized ".to_owned())];
                ideas.push(Idea { title, insertions });
            }
        }
        ideas.extend(self.wrapped_line(span));
        ideas
    }

    /// The statement on the line of a finding, inside of `synchronized`, with each of the locks
    /// that the file takes somewhere.
    fn wrapped_line(&self, span: Span) -> Vec<Idea> {
        let at = span.start as usize;
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let code = line.split("//").next().unwrap_or_default().trim();
        let is_statement = code.ends_with(';') && !code.contains('{') && !code.contains('}');
        if !is_statement {
            return Vec::new();
        }
        let from = start + line.find(code).unwrap_or_default();
        let to = from + code.len();
        let mut locks = BTreeSet::from(["this".to_owned()]);
        for (word, after) in self.words.iter().map(|word| (self.text_of(*word), word.end)) {
            let rest = self.text[after..].trim_start();
            if word == "synchronized"
                && let Some(lock) = rest.strip_prefix('(').and_then(|rest| rest.split(')').next())
            {
                locks.insert(lock.trim().to_owned());
            }
        }
        let idea = |lock: String| Idea {
            title: format!("wrap the statement in `synchronized ({lock})`"),
            insertions: vec![(from, format!("synchronized ({lock}) {{ ")), (to, " }".to_owned())],
        };
        locks.into_iter().take(MOST).map(idea).collect()
    }

    fn ideas_of_plato(&self, told: &Diagnostic) -> Vec<Idea> {
        let is_about_steps = matches!(
            told.code,
            Code::InvariantBroken | Code::AssertionFailed | Code::RelyViolated | Code::DataRace
        );
        let is_open = matches!(told.code, Code::AnnotationMissing | Code::AssertionFailed);
        let span = told.primary.span;
        let mut ideas = Vec::new();
        if is_open {
            ideas.extend(self.invariants_to_add(span));
            ideas.extend(self.relies_to_add(span));
        }
        let Some(thread) = innermost(&self.outline, span, DeclarationKind::Thread) else {
            return ideas;
        };
        let body = &self.text[thread.name_span.end as usize..thread.span.end as usize];
        let (Some(open), Some(close)) = (body.find('{'), body.rfind('}')) else { return ideas };
        if !is_about_steps {
            return ideas;
        }
        let start = thread.name_span.end as usize + open + 1;
        let end = thread.name_span.end as usize + close;
        ideas.push(Idea {
            title: format!("make the body of `{}` atomic", thread.name),
            insertions: vec![(start, " atomic {".to_owned()), (end, "} ".to_owned())],
        });
        for name in self.mutexes() {
            ideas.push(Idea {
                title: format!("hold `{name}` in `{}`", thread.name),
                insertions: vec![
                    (start, format!(" acquire {name};")),
                    (end, format!("release {name}; ")),
                ],
            });
        }
        ideas
    }

    fn mutexes(&self) -> Vec<&str> {
        let mutexes = self.outline.iter().filter(|one| one.kind == DeclarationKind::Mutex);
        mutexes.map(|one| one.name.as_str()).take(MOST).collect()
    }

    /// The condition of an assertion as an invariant, if it speaks of nothing but the store:
    /// always, or while nobody holds a mutex.
    fn invariants_to_add(&self, span: Span) -> Vec<Idea> {
        let Some((text, names)) = self.asserted(span) else { return Vec::new() };
        let is_shared = |name: &str| {
            let all = self.outline.iter().filter(|one| one.name == name);
            let shared = all.map(|one| {
                use DeclarationKind as Kind;
                matches!(one.kind, Kind::Variable | Kind::Mutex | Kind::Constant | Kind::Function)
            });
            shared.max().unwrap_or(false)
        };
        if !names.iter().all(|name| is_shared(name)) || names.is_empty() {
            return Vec::new();
        }
        let mut formulas = vec![text.to_owned()];
        formulas.extend(self.mutexes().iter().map(|mutex| format!("{mutex} == 0 ==> ({text})")));
        formulas.iter().filter_map(|formula| self.added("invariant", formula)).collect()
    }

    /// What others may be asked to do to the variables of an assertion.
    fn relies_to_add(&self, span: Span) -> Vec<Idea> {
        let Some((_, names)) = self.asserted(span) else { return Vec::new() };
        let is_variable = |name: &&&str| {
            let mut all = self.outline.iter();
            all.any(|one| one.name == ***name && one.kind == DeclarationKind::Variable)
        };
        let mut formulas = Vec::new();
        for name in names.iter().filter(is_variable).take(MOST) {
            for mutex in self.mutexes() {
                formulas
                    .push(format!("{mutex} == tid ==> {mutex}' == {mutex} && {name}' == {name}"));
            }
            formulas.push(format!("{name}' >= {name}"));
            formulas.push(format!("{name}' <= {name}"));
        }
        formulas.iter().filter_map(|formula| self.added("rely", formula)).collect()
    }

    /// The condition of the assertion at a place, and the names in it.
    fn asserted(&self, span: Span) -> Option<(&str, BTreeSet<&str>)> {
        let text = &self.text;
        let start = text[..span.end as usize].rfind("assert")?;
        let from = start + "assert".len();
        let to = from + text[from..].find(';')?;
        let inside = |word: &&crate::names::Word| from <= word.start && word.end <= to;
        let has_begun_here = text[start..(span.start as usize).max(start)].find(';').is_none();
        let names = self.words.iter().filter(inside).map(|word| self.text_of(*word));
        let names = names.filter(|name| !matches!(*name, "true" | "false" | "in"));
        has_begun_here.then(|| (text[from..to].trim(), names.collect()))
    }

    /// An annotation before the first thread or procedure.
    fn added(&self, word: &str, formula: &str) -> Option<Idea> {
        use DeclarationKind as Kind;
        let bodies = self
            .outline
            .iter()
            .filter(|one| matches!(one.kind, Kind::Thread | Kind::Method | Kind::Module));
        let first = bodies.map(|one| one.span.start as usize).min()?;
        let line = self.text[..first].rfind('\n').map_or(0, |newline| newline + 1);
        let is_alone = self.text[line..first].trim().is_empty();
        let at = if is_alone { line } else { first };
        Some(Idea {
            title: format!("add `{word} {formula}`"),
            insertions: vec![(at, format!("{word} {formula};\n"))],
        })
    }
}

/// The innermost declaration of a kind around a place.
fn innermost(all: &[Declaration], span: Span, kind: DeclarationKind) -> Option<&Declaration> {
    let around = all.iter().filter(|one| one.span.start <= span.start && span.end <= one.span.end);
    let mut around = around.filter_map(|one| {
        innermost(&one.inside, span, kind).or_else(|| (one.kind == kind).then_some(one))
    });
    around.next()
}
