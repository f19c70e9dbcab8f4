//! Places of threads, where what threads know of each other depends on how far they are: `at(T, L)`
//! for statements `L` of threads of which there is one each. Statements without a label get one.

use crate::candidate::{Candidate, Place};
use crate::facts::Fact;
use crate::vocabulary::Vocabulary;
use plato::ast::{Copies, File, Ident, ItemKind, Stmt, StmtKind};
use plato::hir::ThreadId;
use std::collections::BTreeSet;

/// A statement of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) thread: String,
    /// Whether there is one such thread, and not a family.
    pub(crate) is_single: bool,
    pub(crate) name: String,
    /// Where the statement begins.
    pub(crate) start: usize,
    /// Where it is to be written, if it is new.
    pub(crate) written_at: Option<usize>,
}

/// Limit on the statements whose places are looked at.
const MANY: usize = 24;

/// The statements of threads, those of threads of which there is one each first.
pub(crate) fn labels(text: &str, tree: &File) -> Vec<Label> {
    let mut found = Vec::new();
    let mut names = Names { words: words(text).collect(), number: 0 };
    for single in [true, false] {
        for item in &tree.items {
            if let ItemKind::Thread(thread) = &item.kind
                && matches!(thread.copies, Copies::One) == single
            {
                let about = (thread.name.name.as_str(), single);
                in_stmts(&thread.body.stmts, about, &mut names, &mut found);
            }
        }
    }
    found
}

/// Those of threads of which there is one each, unless there are too many.
pub(crate) fn of_single(labels: &[Label]) -> &[Label] {
    let count = labels.iter().take_while(|label| label.is_single).count();
    if count <= MANY { &labels[..count] } else { &[] }
}

fn in_stmts(stmts: &[Stmt], about: (&str, bool), names: &mut Names<'_>, into: &mut Vec<Label>) {
    let (thread, is_single) = (about.0.to_owned(), about.1);
    for stmt in stmts {
        let (thread, start) = (thread.clone(), stmt.span.start as usize);
        if let Some(Ident { name, .. }) = &stmt.label {
            let name = name.to_string();
            into.push(Label { thread, is_single, name, start, written_at: None });
        } else if is_step(&stmt.kind) {
            let name = names.fresh();
            into.push(Label { thread, is_single, name, start, written_at: Some(start) });
        }
        if !matches!(stmt.kind, StmtKind::Atomic(_)) {
            for block in stmt.blocks() {
                in_stmts(&block.stmts, about, names, into);
            }
        }
    }
}

/// Whether a statement is a step at which a thread can be told to be. Declarations are not: nothing
/// happened yet that others could know of.
fn is_step(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Assign(..)
        | StmtKind::Havoc(_)
        | StmtKind::Assert(_)
        | StmtKind::Assume(_)
        | StmtKind::Acquire(_)
        | StmtKind::Release(_)
        | StmtKind::Signal(_)
        | StmtKind::Broadcast(_)
        | StmtKind::Fork(_)
        | StmtKind::Join(_)
        | StmtKind::Cas(_)
        | StmtKind::Action(_)
        | StmtKind::Atomic(_)
        | StmtKind::If(..)
        | StmtKind::While(..)
        | StmtKind::Loop(..) => true,
        StmtKind::Skip
        | StmtKind::Var(_)
        | StmtKind::Check(..)
        | StmtKind::Choose(_)
        | StmtKind::Block(_)
        | StmtKind::Wait(..)
        | StmtKind::Call(_)
        | StmtKind::Return(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Unsupported(_) => false,
    }
}

/// Names for labels.
struct Names<'a> {
    /// The words of the text.
    words: BTreeSet<&'a str>,
    number: usize,
}

impl Names<'_> {
    /// A name that the text does not mention.
    fn fresh(&mut self) -> String {
        loop {
            self.number += 1;
            let name = format!("p{}", self.number);
            if !self.words.contains(name.as_str()) {
                return name;
            }
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

impl Label {
    /// That the thread is there; of a family, that the thread is that relies on something.
    pub(crate) fn here(&self) -> String {
        let thread = if self.is_single { self.thread.as_str() } else { "tid" };
        format!("at({thread}, {})", self.name)
    }

    /// Whether a formula asks whether some thread is there.
    pub(crate) fn is_asked_in(&self, formula: &str) -> bool {
        // Of a family, formulas have names of their own for the thread that they ask about.
        let thread = if self.is_single { format!("at({}", self.thread) } else { String::new() };
        let asked = format!("{thread}, {})", self.name);
        formula.contains(&asked)
    }

    /// That others leave a variable alone while the thread is there.
    pub(crate) fn stays(&self, variable: &str) -> Candidate {
        let own =
            if self.is_single { format!("tid == {} && ", self.thread) } else { String::new() };
        let premise = format!("{own}{}", self.here());
        Candidate::under(Place::Rely, premise, format!("{variable}' == {variable}"))
    }
}

/// A formula that asks for all of them and says nothing, so that the places are the same whatever
/// else asks for them.
pub(crate) fn anchor(labels: &[Label]) -> String {
    let all: Vec<String> =
        labels.iter().map(|label| format!("{0} ==> {0}", label.here())).collect();
    format!("invariant ({});\n", all.join(") && ("))
}

/// Where one thread is, where it is not, and where two are, as conditions for facts.
pub(crate) fn facts(labels: &[Label]) -> Vec<Fact> {
    let premise =
        |text: String| Fact { binder: String::new(), text, is_premise: true, is_conclusion: false };
    let mut all = Vec::new();
    for (position, one) in labels.iter().enumerate() {
        all.push(premise(one.here()));
        all.push(premise(format!("!{}", one.here())));
        let others = labels[position + 1..].iter().filter(|other| other.thread != one.thread);
        all.extend(others.map(|other| premise(format!("{} && {}", one.here(), other.here()))));
    }
    all
}

/// Places of two threads that exclude each other.
pub(crate) fn exclusions(labels: &[Label]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (position, one) in labels.iter().enumerate() {
        for other in labels[position + 1..].iter().filter(|other| other.thread != one.thread) {
            let text = format!("!({} && {})", one.here(), other.here());
            all.push(Candidate::plain(Place::Invariant, text));
        }
    }
    all
}

/// What stays as long as a thread is at a place.
pub(crate) fn relies(words: &Vocabulary<'_>, labels: &[Label]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for thread in words.single_threads().collect::<Vec<ThreadId>>() {
        let name = words.program.threads[thread.index()].name.as_str();
        for label in labels.iter().filter(|label| label.thread == name) {
            for global in &words.program.globals {
                all.push(label.stays(global.name.as_str()));
            }
        }
    }
    all
}
