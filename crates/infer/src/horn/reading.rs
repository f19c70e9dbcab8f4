//! What a model says about a program, as formulas that can be written into it.

use super::clauses::{Actor, Argument, Clauses, predicate};
use super::formula::{Formula, Kind, Meaning, Variable, formula};
use super::terms::number_of;
use super::{Definition, Term};
use crate::candidate::{Candidate, Place};
use crate::filter::Subject;
use crate::places::Label;
use crate::sketch::Written;
use machine::{Graph, Node, Pc};
use plato::hir::{Count, Program, ThreadId, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A model, and the program that it is about.
pub(super) struct Reading<'a, 'p> {
    pub(super) clauses: &'a Clauses<'p>,
    pub(super) graph: &'a Graph<'p>,
    pub(super) subject: Subject<'a>,
    pub(super) written: &'a Written,
}

/// Limit on what is made of a model.
const MANY: usize = 400;
/// Limit on the combinations of places of other threads that a predicate is looked at in.
const MANY_PLACES: usize = 200;
/// Somewhere without a label is said as not being at any of the labels, if there are so few.
const FEW_LABELS: usize = 5;

/// A conjunct: its text, whether it is about locals, and the places of other threads where it is
/// said, by the positions of these.
struct Said {
    text: String,
    is_local: bool,
    at: BTreeSet<Vec<usize>>,
}

impl Reading<'_, '_> {
    pub(super) fn candidates(&self, model: &[Definition]) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        for actor in &self.clauses.actors {
            for place in 0..actor.places.len() {
                let name = predicate(actor.id, place);
                if let Some(definition) = model.iter().find(|one| one.name == name) {
                    all.extend(self.of_place(actor, place, definition));
                }
            }
        }
        all.extend(self.clauses.actors.iter().filter_map(|actor| self.whereabouts(actor)));
        let plain = |one: &Candidate| Candidate::plain(Place::Invariant, &one.conclusion);
        let is_invariant = |one: &&Candidate| one.place == Place::Invariant;
        let everywhere: Vec<Candidate> = all
            .iter()
            .filter(is_invariant)
            .map(plain)
            .filter(|one| one.conclusion != "false")
            .collect();
        all.extend(everywhere);
        all.sort();
        all.dedup();
        all.truncate(MANY);
        all
    }

    /// What is said of a thread at a place.
    fn of_place(&self, actor: &Actor, place: usize, definition: &Definition) -> Vec<Candidate> {
        let arguments = self.clauses.arguments(actor);
        let variables: Vec<Variable> =
            arguments.iter().map(|argument| self.variable(actor, argument)).collect();
        let others = self.others(&arguments, definition);
        let all = combinations(&others.iter().map(|one| one.places.len()).collect::<Vec<_>>());
        if all.len() > MANY_PLACES {
            return Vec::new();
        }
        let mut said: Vec<Said> = Vec::new();
        let mut never = BTreeSet::new();
        for at in &all {
            let meanings = meanings(definition, &arguments, (&others, at));
            let body = formula(&definition.body, &meanings, &variables);
            for one in Formula::with_equations(body.conjuncts()) {
                if one == Formula::Truth(false) {
                    never.insert(at.clone());
                    continue;
                }
                let Some(text) = one.text(&variables) else { continue };
                let is_local = one.mentions(&|at| variables[at].is_local);
                match said.iter_mut().find(|known| known.text == text) {
                    Some(known) => {
                        known.at.insert(at.clone());
                    }
                    None => {
                        let at = BTreeSet::from([at.clone()]);
                        said.push(Said { text, is_local, at });
                    }
                }
            }
        }
        let mut found = Vec::new();
        for one in said {
            let is_everywhere = all.iter().all(|at| one.at.contains(at) || never.contains(at));
            let at = if is_everywhere { BTreeSet::from([Vec::new()]) } else { one.at };
            if one.is_local {
                let places = actor.places[place].iter().filter(|_| is_everywhere);
                let heads = places.filter_map(|&pc| self.loop_at(pc));
                found.extend(heads.map(|number| Candidate::plain(Place::Loop(number), &one.text)));
                continue;
            }
            let premises = at.iter().filter_map(|at| self.premise(actor, place, (&others, at)));
            found.extend(premises.map(|(binder, premise)| {
                Candidate::under(Place::Invariant, premise, &one.text).for_all(&binder)
            }));
        }
        let is_never = never.len() == all.len();
        let never = if is_never { BTreeSet::from([Vec::new()]) } else { never };
        let premises = never.iter().filter_map(|at| self.premise(actor, place, (&others, at)));
        found.extend(premises.map(|(binder, premise)| {
            Candidate::plain(Place::Invariant, format!("!({premise})")).for_all(&binder)
        }));
        found
    }

    /// The other threads whose places the predicate depends on.
    fn others(&self, arguments: &[Argument], definition: &Definition) -> Vec<&Actor> {
        let mut words = BTreeSet::new();
        names(&definition.body, &mut words);
        let is_used = |(argument, name): (&Argument, &String)| match argument {
            Argument::PlaceOf(id) if words.contains(name.as_str()) => {
                self.clauses.actors.iter().find(|one| one.id == *id)
            }
            _ => None,
        };
        arguments.iter().zip(&definition.parameters).filter_map(is_used).collect()
    }

    fn variable(&self, actor: &Actor, argument: &Argument) -> Variable {
        let program = self.clauses.program;
        let is_local = matches!(argument, Argument::Local(_) | Argument::Own);
        let (text, ty) = match argument {
            Argument::Constant(at) => {
                (program.consts[*at].name.to_string(), &program.consts[*at].ty)
            }
            Argument::Global(at) => {
                (program.globals[*at].name.to_string(), &program.globals[*at].ty)
            }
            Argument::Local(at) => {
                let local = &program.threads[actor.id.index()].body.locals[*at];
                (local.name.to_string(), &local.ty)
            }
            Argument::Own | Argument::PlaceOf(_) => ("tid".to_owned(), &Ty::Tid),
        };
        Variable { text, kind: kind(program, ty), is_local }
    }

    /// What binds a thread, and that threads are at these places; `None` if that cannot be said.
    fn premise(
        &self,
        actor: &Actor,
        place: usize,
        (others, at): (&[&Actor], &[usize]),
    ) -> Option<(String, String)> {
        let (binder, own) = self.is_at(actor, &actor.places[place])?;
        let mut parts = vec![own];
        for (other, &place) in others.iter().zip(at) {
            parts.push(self.is_at(other, &other.places[place])?.1);
        }
        Some((binder, parts.join(" && ")))
    }

    /// That a thread is always at one of its places: others do not see that it never gets to its
    /// end.
    fn whereabouts(&self, actor: &Actor) -> Option<Candidate> {
        let program = self.clauses.program;
        let thread = program.threads[actor.id.index()].name.as_str();
        let own = self.subject.sketch.all_labels().iter().filter(|one| one.thread == thread);
        let mut left: BTreeMap<&str, &Label> =
            own.map(|label| (label.name.as_str(), label)).collect();
        let mut texts = Vec::new();
        for &pc in actor.places.iter().flatten() {
            let labels = self.graph.labels(pc).iter();
            let mut names = labels.map(|label| program.labels[label.index()].name.as_str());
            texts.push(left.remove(names.find(|name| left.contains_key(name))?)?.here());
        }
        let is_single = program.threads[actor.id.index()].count == Count::One;
        is_single.then(|| Candidate::plain(Place::Invariant, texts.join(" || ")))
    }

    /// That a thread is at one of these places, and what binds it if it is one of a family.
    fn is_at(&self, actor: &Actor, places: &[Pc]) -> Option<(String, String)> {
        let program = self.clauses.program;
        let thread = program.threads[actor.id.index()].name.as_str();
        let all = self.subject.sketch.all_labels().iter();
        let own: Vec<&Label> = all.filter(|label| label.thread == thread).collect();
        let is_single = own.first().is_none_or(|label| label.is_single);
        let (binder, who, of) = if is_single {
            ("", thread, String::new())
        } else {
            ("forall i: Tid ::", "i", format!("i in {thread} && "))
        };
        let here = |label: &Label| format!("at({who}, {})", label.name);
        let mut texts = Vec::new();
        for &pc in places {
            let labels = self.graph.labels(pc).iter();
            let names: Vec<&str> =
                labels.map(|label| program.labels[label.index()].name.as_str()).collect();
            match own.iter().find(|label| names.contains(&label.name.as_str())) {
                Some(label) => texts.push(here(label)),
                None if (1..=FEW_LABELS).contains(&own.len()) => {
                    let all: Vec<String> =
                        own.iter().map(|label| format!("!{}", here(label))).collect();
                    texts.push(all.join(" && "));
                }
                None => {}
            }
        }
        let text = match texts.len() {
            0 => return None,
            1 => texts.remove(0),
            _ => format!("({})", texts.join(" || ")),
        };
        Some((binder.to_owned(), format!("{of}{text}")))
    }

    /// The number of the loop whose head is at a place.
    fn loop_at(&self, pc: Pc) -> Option<usize> {
        match &self.graph.nodes[pc] {
            Node::Branch(branch) if branch.end > 0 => {
                let end = self.written.original(branch.span.end as usize);
                self.subject.sketch.loop_after(end)
            }
            _ => None,
        }
    }
}

fn kind(program: &Program, ty: &Ty) -> Kind {
    match ty {
        Ty::Bool => Kind::Truth,
        Ty::Enum(id) => {
            let info = &program.enums[id.index()];
            let names = info.variants.iter().map(|variant| format!("{}.{variant}", info.name));
            Kind::Named(names.collect(), false)
        }
        Ty::Tid => {
            let mut names = vec!["0".to_owned()];
            for id in program.thread_ids() {
                debug_assert_eq!(number_of(id), names.len(), "threads are numbered in order");
                names.push(program.threads[id.index()].name.to_string());
            }
            Kind::Named(names, true)
        }
        _ => Kind::Number,
    }
}

/// What each parameter stands for, with other threads at these places.
fn meanings<'d>(
    definition: &'d Definition,
    arguments: &[Argument],
    (others, at): (&[&Actor], &[usize]),
) -> BTreeMap<&'d str, Meaning> {
    let value = |id: ThreadId| {
        let position = others.iter().position(|one| one.id == id)?;
        i128::try_from(at[position]).ok()
    };
    let pairs = definition.parameters.iter().zip(arguments).enumerate();
    pairs
        .map(|(position, (name, argument))| {
            let meaning = match argument {
                Argument::PlaceOf(id) => value(*id).map(Meaning::Value),
                _ => None,
            };
            (name.as_str(), meaning.unwrap_or(Meaning::Variable(position)))
        })
        .collect()
}

/// All rows with a number below each of these.
fn combinations(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for &size in sizes {
        if rows.len() * size > MANY_PLACES {
            return vec![Vec::new(); MANY_PLACES + 1];
        }
        let longer = |row: &Vec<usize>| {
            let row = row.clone();
            (0..size).map(move |at| [row.as_slice(), &[at]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}

/// The names in a term.
fn names<'t>(term: &'t Term, into: &mut BTreeSet<&'t str>) {
    match term {
        Term::Atom(name) => {
            into.insert(name);
        }
        Term::List(all) => all.iter().for_each(|one| names(one, into)),
    }
}
