//! A text with formulas written into it.

use crate::candidate::{Candidate, Place};
use crate::ghosts;
use crate::places::{self, Label};
use crate::search::Annotation;
use crate::specifications::{self, Needed};
use plato::ast::{File, Item, ItemKind, Stmt, StmtKind};
use plato::hir::Program;
use source::Span;
use std::ops::Range;

/// Where formulas can be written in a text.
#[derive(Clone, Debug)]
pub struct Sketch {
    text: String,
    /// Where relies and invariants stand: before the first thread, procedure or module.
    items_at: usize,
    /// The same in modules, by their names.
    modules_at: Vec<(String, usize)>,
    /// Where the invariants of each loop stand, in the order of the loops.
    loops_at: Vec<usize>,
    /// The procedures, in the order of the text.
    procedures: Vec<ProcedurePlace>,
    /// Those that get a specification, with their numbers.
    specified: Vec<(Needed, usize)>,
    /// Ghost variables.
    ghosts: Vec<Insertion>,
    /// What is inserted whatever the formulas are.
    fixed: Vec<Insertion>,
    /// Labels of statements.
    labels: Vec<Label>,
    /// Whether all labels are asked for, whatever the formulas ask for.
    anchored: bool,
}

/// Where a procedure stands.
#[derive(Clone, Debug)]
struct ProcedurePlace {
    name: String,
    /// Where its name stands.
    name_at: usize,
    /// Where its body begins.
    body_at: usize,
}

/// A text that is inserted.
#[derive(Clone, Debug)]
pub(crate) struct Insertion {
    /// Where, in the text before.
    pub(crate) at: usize,
    pub(crate) text: String,
    /// The ghost variable that it is for; empty if it is for none.
    pub(crate) owner: String,
    /// The procedure whose specification it is a part of.
    pub(crate) about: Option<String>,
}

/// A text with formulas in it, and where each of them stands.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Per formula where it stands, with what was written around it.
    pub ranges: Vec<Range<usize>>,
    /// What was inserted: where in the text before, and how many bytes.
    inserted: Vec<(usize, usize)>,
}

impl Sketch {
    /// The places in a text.
    pub fn new(text: &str, tree: &File) -> Self {
        let items_at = items_at(text, &tree.items, None);
        let modules_at = modules_at(text, tree);
        let mut loops_at = Vec::new();
        tree.items.iter().for_each(|item| loops_of(item, &mut loops_at));
        let mut procedures = Vec::new();
        tree.items.iter().for_each(|item| procedures_of(item, &mut procedures));
        let labels = places::labels(text, tree);
        let ghosts = ghosts::ghosts(text, tree, items_at);
        let (text, fixed) = (text.to_owned(), Vec::new());
        Self {
            text,
            items_at,
            modules_at,
            loops_at,
            procedures,
            specified: Vec::new(),
            ghosts,
            fixed,
            labels,
            anchored: false,
        }
    }

    /// The same with ghost variables, if there are any that may help.
    pub(crate) fn with_ghosts(&self) -> Option<Self> {
        let fixed = [self.fixed.as_slice(), &self.ghosts].concat();
        (!self.ghosts.is_empty()).then(|| Self { fixed, ..self.clone() })
    }

    /// The same with clauses about what procedures write that need a specification.
    pub(crate) fn with_clauses(
        &self,
        program: &Program,
        needed: &[Needed],
        with_actions: bool,
    ) -> Self {
        let (mut fixed, mut specified) = (self.fixed.clone(), Vec::new());
        for one in needed {
            if let Some(number) = self.procedure(program.procs[one.id.index()].span) {
                let at = self.procedures[number].body_at;
                fixed.push(specifications::clauses(program, one, (at, with_actions)));
                specified.push((one.clone(), number));
            }
        }
        Self { specified, fixed, ..self.clone() }
    }

    /// The procedures that get a specification, with their numbers.
    pub(crate) fn specified(&self) -> &[(Needed, usize)] {
        &self.specified
    }

    /// The number of the procedure whose name stands here.
    fn procedure(&self, name: Span) -> Option<usize> {
        let place = name.start as usize;
        self.procedures.iter().position(|procedure| procedure.name_at == place)
    }

    /// The name of a procedure, and where its body begins.
    pub fn procedure_at(&self, number: usize) -> (&str, usize) {
        let procedure = &self.procedures[number];
        (&procedure.name, procedure.body_at)
    }

    /// The same with those ghosts alone that the formulas mention.
    pub(crate) fn with_needed_ghosts(mut self, formulas: &[Annotation]) -> Self {
        let texts: Vec<String> = formulas.iter().map(|one| one.formula.text()).collect();
        self.fixed.retain(|one| {
            one.about.is_some() || texts.iter().any(|text| text.contains(&one.owner))
        });
        self
    }

    /// What is inserted whatever the formulas are, each with its place.
    pub fn ghosts(&self) -> impl Iterator<Item = (usize, &str)> {
        let ghosts = self.fixed.iter().filter(|one| one.about.is_none());
        ghosts.map(|one| (one.at, one.text.as_str()))
    }

    /// What is inserted into specifications whatever the formulas are, each with its place and the
    /// procedure.
    pub fn clauses(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        let clauses = self.fixed.iter();
        clauses.filter_map(|one| Some((one.at, one.text.trim(), one.about.as_deref()?)))
    }

    /// The same for formulas that ask where threads are.
    pub(crate) fn anchored(&self) -> Self {
        Self { anchored: true, ..self.clone() }
    }

    /// Statements that formulas can ask for.
    pub(crate) fn labels(&self) -> &[Label] {
        if self.anchored { places::of_single(&self.labels) } else { &[] }
    }

    /// The statements that can get a label, of all threads.
    pub(crate) fn all_labels(&self) -> &[Label] {
        &self.labels
    }

    /// The text with a label at each of these.
    pub(crate) fn with_labels(&self) -> Written {
        let fixed = self.fixed.iter().map(|one| (one.at, None, one.text.clone()));
        let label = |label: &Label| Some((label.written_at?, None, format!("{}: ", label.name)));
        let pieces = fixed.chain(self.labels.iter().filter_map(label)).collect();
        Written::of(&self.text, 0, pieces)
    }

    /// That others leave a variable alone while a thread is at the statement around a place.
    pub fn stays_at(&self, thread: &str, place: usize, variable: &str) -> Option<Candidate> {
        Some(self.label_before(thread, place)?.stays(variable))
    }

    /// Where the statement around a place begins.
    pub fn statement_at(&self, thread: &str, place: usize) -> Option<usize> {
        Some(self.label_before(thread, place)?.start)
    }

    /// Where the first statement of a thread begins.
    pub fn first_statement(&self, thread: &str) -> Option<usize> {
        self.labels.iter().filter(|one| one.thread == thread).map(|one| one.start).min()
    }

    fn label_before(&self, thread: &str, place: usize) -> Option<&Label> {
        let labels = self.labels.iter().filter(|one| one.thread == thread && one.start <= place);
        labels.max_by_key(|one| one.start)
    }

    /// The same with something more in it, whatever the formulas are.
    pub fn with_insertion(&self, at: usize, text: &str) -> Self {
        let mut fixed =
            vec![Insertion { at, text: text.to_owned(), owner: String::new(), about: None }];
        fixed.extend(self.fixed.iter().cloned());
        Self { fixed, ..self.clone() }
    }

    /// The new labels that a formula asks for, each with its place.
    pub fn new_labels(&self, formula: &Candidate) -> Vec<(usize, &str)> {
        let text = formula.text();
        let asked = self.labels.iter().filter(|label| label.is_asked_in(&text));
        asked.filter_map(|label| Some((label.written_at?, label.name.as_str()))).collect()
    }

    /// Whether there are statements to ask for.
    pub(crate) fn has_places(&self) -> bool {
        !places::of_single(&self.labels).is_empty()
    }

    /// The module that a rely or an invariant stands in: procedures know those of their own module
    /// and of modules that they use. It is the one that the formula says something of.
    pub fn module_of(&self, formula: &Candidate) -> Option<&str> {
        Some(self.modules_at.get(self.module(formula)?)?.0.as_str())
    }

    fn module(&self, formula: &Candidate) -> Option<usize> {
        let is_item = matches!(formula.place, Place::Rely | Place::Invariant);
        let mentions = |name: &str| {
            let is_part = |c: char| c.is_alphanumeric() || "_.'".contains(c);
            let mut words = formula.conclusion.split(|c| !is_part(c));
            words.any(|word| word.split_once('.').is_some_and(|(module, _)| module == name))
        };
        self.modules_at.iter().position(|(name, _)| is_item && mentions(name))
    }

    /// Where the body of a loop begins.
    pub fn loop_at(&self, number: usize) -> usize {
        self.loops_at[number]
    }

    /// The number of the loop whose keyword and condition end here.
    pub(crate) fn loop_after(&self, place: usize) -> Option<usize> {
        self.loops_at.iter().position(|&at| at >= place)
    }

    /// The text with these formulas.
    pub fn with(&self, candidates: &[Candidate]) -> Written {
        self.write(candidates, "", |_, text| text)
    }

    /// The text with each formula under a truth value of its own, an unknown constant.
    pub(crate) fn with_switches(&self, candidates: &[Candidate]) -> Written {
        let constants = (0..candidates.len()).map(|at| format!("const {}: bool;\n", switch(at)));
        let constants: String = constants.collect();
        self.write(candidates, &constants, |at, text| format!("{} ==> ({text})", switch(at)))
    }

    fn write(
        &self,
        candidates: &[Candidate],
        before: &str,
        formula: impl Fn(usize, String) -> String,
    ) -> Written {
        let mut pieces: Vec<Piece> =
            self.fixed.iter().map(|one| (one.at, None, one.text.clone())).collect();
        pieces.push((self.items_at, None, before.to_owned()));
        if self.anchored {
            pieces.push((self.items_at, None, places::anchor(self.labels())));
        }
        let texts: Vec<String> =
            candidates.iter().map(Candidate::text).filter(|text| text.contains("at(")).collect();
        for label in &self.labels {
            let is_anchored = self.labels().iter().any(|one| one.name == label.name);
            let is_asked = is_anchored || texts.iter().any(|text| label.is_asked_in(text));
            if let Some(place) = label.written_at.filter(|_| is_asked) {
                pieces.push((place, None, format!("{}: ", label.name)));
            }
        }
        for (at, candidate) in candidates.iter().enumerate() {
            let text = formula(at, candidate.text());
            let module = self.module(candidate).map(|at| self.modules_at[at].1);
            let items_at = module.unwrap_or(self.items_at);
            let (place, piece) = match candidate.place {
                Place::Rely => (items_at, format!("rely {text};\n")),
                Place::Invariant => (items_at, format!("invariant {text};\n")),
                Place::Loop(number) => (self.loops_at[number], format!("invariant {text} ")),
                Place::Requires(number) => {
                    (self.procedures[number].body_at, format!("requires {text}; "))
                }
                Place::Ensures(number) => {
                    (self.procedures[number].body_at, format!("ensures {text}; "))
                }
            };
            pieces.push((place, Some(at), piece));
        }
        Written::of(&self.text, candidates.len(), pieces)
    }
}

/// The name of the truth value under which a formula is used. No program is likely to have it.
pub fn switch(number: usize) -> String {
    format!("guess_{number}_of_rely")
}

/// A text that is inserted: where, which formula it is, and what is written.
pub type Piece = (usize, Option<usize>, String);

impl Written {
    /// A text with pieces, among them this number of formulas.
    pub fn of(text: &str, formulas: usize, mut pieces: Vec<Piece>) -> Self {
        pieces.sort_by_key(|(place, ..)| *place);
        let mut written = Self { ranges: vec![0..0; formulas], ..Self::default() };
        let mut done = 0;
        for (place, number, piece) in pieces {
            written.text += &text[done..place];
            done = place;
            let start = written.text.len();
            written.text += &piece;
            if let Some(number) = number {
                written.ranges[number] = start..written.text.len();
            }
            written.inserted.push((place, piece.len()));
        }
        written.text += &text[done..];
        written
    }

    /// The formula that stands at a place, if one does.
    pub fn formula_at(&self, place: usize) -> Option<usize> {
        self.ranges.iter().position(|range| range.contains(&place))
    }

    /// Where a place of this text was before anything was inserted. What was inserted comes from
    /// the place where it was.
    pub fn original(&self, place: usize) -> usize {
        let mut inserted = 0;
        for &(at, length) in &self.inserted {
            let here = at + inserted;
            if place < here {
                break;
            }
            if place < here + length {
                return at;
            }
            inserted += length;
        }
        place - inserted
    }
}

/// After the last declaration before the first code, on a line of its own if there is one; in a
/// module without declarations before it, where its code begins.
fn items_at(text: &str, items: &[Item], start: Option<usize>) -> usize {
    let is_code = |item: &Item| {
        matches!(item.kind, ItemKind::Thread(_) | ItemKind::Proc(_) | ItemKind::Module(_))
    };
    let Some(code) = items.iter().position(is_code) else { return start.unwrap_or(text.len()) };
    let start = items[code].span.start as usize;
    let Some(before) = code.checked_sub(1).map(|at| items[at].span.end as usize) else {
        return start;
    };
    let line = text.get(before..start).and_then(|between| between.find('\n'));
    line.map_or(start, |end| before + end + 1)
}

/// The modules with code, and where relies and invariants stand in them.
fn modules_at(text: &str, tree: &File) -> Vec<(String, usize)> {
    let module = |item: &Item| match &item.kind {
        ItemKind::Module(module) => {
            let last = module.items.last()?.span.end as usize;
            let end = last + text[last..].find('}')?;
            let at = items_at(text, &module.items, Some(end));
            Some((module.name.name.to_string(), at))
        }
        _ => None,
    };
    tree.items.iter().filter_map(module).collect()
}

fn loops_of(item: &Item, into: &mut Vec<usize>) {
    match &item.kind {
        ItemKind::Thread(thread) => in_stmts(&thread.body.stmts, into),
        ItemKind::Proc(procedure) => in_stmts(&procedure.body.stmts, into),
        ItemKind::Module(module) => module.items.iter().for_each(|item| loops_of(item, into)),
        _ => {}
    }
}

fn procedures_of(item: &Item, into: &mut Vec<ProcedurePlace>) {
    match &item.kind {
        ItemKind::Proc(procedure) => into.push(ProcedurePlace {
            name: procedure.name.name.to_string(),
            name_at: procedure.name.span.start as usize,
            body_at: procedure.body.span.start as usize,
        }),
        ItemKind::Module(module) => {
            module.items.iter().for_each(|item| procedures_of(item, into));
        }
        _ => {}
    }
}

fn in_stmts(stmts: &[Stmt], into: &mut Vec<usize>) {
    for stmt in stmts {
        if let StmtKind::While(_, _, body) | StmtKind::Loop(_, body) = &stmt.kind {
            into.push(body.span.start as usize);
        }
        stmt.blocks().into_iter().for_each(|block| in_stmts(&block.stmts, into));
    }
}

#[cfg(test)]
mod tests {
    use super::Sketch;
    use crate::candidate::{Candidate, Place};

    const TEXT: &str = "var x: int = 0;   // a number\n\n// Counts.\nthread T {\n  while (x < 3) { x := x + 1; }\n}\n";

    fn sketch() -> Sketch {
        let file = source::FileId(0);
        Sketch::new(TEXT, &plato::parse(file, TEXT).0)
    }

    #[test]
    fn formulas_stand_where_a_person_would_write_them() {
        let formulas = [
            Candidate::plain(Place::Invariant, "x >= 0"),
            Candidate::plain(Place::Loop(0), "x <= 3"),
        ];
        let written = sketch().with(&formulas);
        let expected = "var x: int = 0;   // a number\ninvariant x >= 0;\n\n// Counts.\nthread T {\n  \
                        while (x < 3) invariant x <= 3 { x := x + 1; }\n}\n";
        assert_eq!(written.text, expected);
        let at = |text: &str| written.text.find(text).expect("it stands there");
        assert_eq!(written.formula_at(at("x <= 3")), Some(1));
        assert_eq!(written.formula_at(at("x := x")), None);
    }

    #[test]
    fn places_are_found_again() {
        let formulas =
            [Candidate::plain(Place::Rely, "x' >= x"), Candidate::plain(Place::Loop(0), "x <= 3")];
        let written = sketch().with(&formulas);
        for text in ["var", "// Counts", "thread T", "while", "x := x + 1", "}\n}"] {
            let before = TEXT.find(text).expect("it stands there");
            let after = written.text.find(text).expect("it stands there, too");
            assert_eq!(written.original(after), before, "{text}");
        }
    }
}
