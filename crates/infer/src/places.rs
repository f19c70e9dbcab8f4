//! Places of threads, where what threads know of each other depends on how far they are: `at(T, L)`
//! for statements `L` of threads of which there is one each. Statements without a label get one.

use crate::candidate::{Candidate, Place};
use crate::facts::Fact;
use crate::vocabulary::Vocabulary;
use plato::ast::{Copies, File, Ident, ItemKind, Stmt, StmtKind};
use plato::hir::ThreadId;

/// A statement of a thread of which there is one.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) thread: String,
    pub(crate) name: String,
    /// Where it is to be written, if it is new.
    pub(crate) written_at: Option<usize>,
}

/// Limit on the statements whose places are looked at.
const MANY: usize = 24;

/// The statements of threads of which there is one each, unless there are too many.
pub(crate) fn labels(text: &str, tree: &File) -> Vec<Label> {
    let mut found = Vec::new();
    let mut number = 0;
    for item in &tree.items {
        if let ItemKind::Thread(thread) = &item.kind
            && matches!(thread.copies, Copies::One)
        {
            let name = thread.name.name.as_str();
            in_stmts(&thread.body.stmts, name, text, &mut number, &mut found);
        }
    }
    if found.len() <= MANY { found } else { Vec::new() }
}

fn in_stmts(stmts: &[Stmt], thread: &str, text: &str, number: &mut usize, into: &mut Vec<Label>) {
    for stmt in stmts {
        if let Some(Ident { name, .. }) = &stmt.label {
            let (thread, name) = (thread.to_owned(), name.to_string());
            into.push(Label { thread, name, written_at: None });
        } else if is_step(&stmt.kind) {
            let name = fresh(text, number);
            let written_at = Some(stmt.span.start as usize);
            into.push(Label { thread: thread.to_owned(), name, written_at });
        }
        if !matches!(stmt.kind, StmtKind::Atomic(_)) {
            for block in stmt.blocks() {
                in_stmts(&block.stmts, thread, text, number, into);
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
        | StmtKind::Call(_)
        | StmtKind::Return(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Unsupported(_) => false,
    }
}

/// A name for a label that the text does not mention.
fn fresh(text: &str, number: &mut usize) -> String {
    loop {
        *number += 1;
        let name = format!("p{number}");
        let is_word = |word: &str| word == name;
        if !text.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_word) {
            return name;
        }
    }
}

impl Label {
    /// That the thread is there.
    pub(crate) fn here(&self) -> String {
        format!("at({}, {})", self.thread, self.name)
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
                let premise = format!("tid == {name} && {}", label.here());
                let stays = format!("{0}' == {0}", global.name);
                all.push(Candidate::under(Place::Rely, premise, stays));
            }
        }
    }
    all
}
