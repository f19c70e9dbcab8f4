//! A program as Horn clauses: one predicate per place of a thread, over the shared variables, the
//! places of the other threads of which there is one each, and the locals. What another thread does
//! is a clause with the predicate of that thread in it, too.

use super::steps::{Step, steps};
use super::terms::{Names, all_of, constant, global, number, number_of, sort, within};
use machine::{Graph, Pc};
use plato::hir::{Body, Count, Program, Root, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What an argument of a predicate is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Argument {
    Constant(usize),
    Global(usize),
    /// Where another thread is.
    PlaceOf(ThreadId),
    /// The number of a thread of a family.
    Own,
    Local(usize),
}

/// A thread with its steps.
pub(super) struct Actor {
    pub(super) id: ThreadId,
    is_single: bool,
    /// Whether the others know where it is.
    is_exposed: bool,
    start: Pc,
    /// Its places in the order of the code; a place is known by its position. Places between which
    /// nothing happens are one.
    pub(super) places: Vec<Vec<Pc>>,
    /// Its steps with the names that its own clauses use, and with those of others' clauses.
    own: Vec<Step>,
    as_other: Vec<Step>,
    locals: Vec<(usize, &'static str)>,
}

/// A program as clauses.
pub(super) struct Clauses<'p> {
    pub(super) program: &'p Program,
    pub(super) actors: Vec<Actor>,
    /// The values that never change and that nobody knows.
    constants: Vec<(usize, &'static str)>,
    globals: Vec<&'static str>,
    text: String,
}

/// Limit on the clauses: a solver would not be done with more.
const MANY: usize = 3_000;

/// The name of the predicate of a place.
pub(super) fn predicate(thread: ThreadId, place: usize) -> String {
    format!("at_{}_{place}", thread.index())
}

/// The clauses of a program whose steps all have terms.
pub(super) fn clauses<'p>(program: &'p Program, graph: &Graph<'p>) -> Option<Clauses<'p>> {
    let of_globals = program.globals.iter().map(|global| sort(&global.ty));
    let globals: Vec<&'static str> = of_globals.collect::<Option<_>>()?;
    let mut constants = Vec::new();
    for (at, info) in program.consts.iter().enumerate() {
        if info.value.is_none() {
            constants.push((at, sort(&info.ty)?));
        }
    }
    let actors = program.thread_ids().map(|id| actor(program, graph, id));
    let actors: Vec<Actor> = actors.collect::<Option<_>>()?;
    let mut all = Clauses { program, actors, constants, globals, text: String::new() };
    if all.count() > MANY {
        return None;
    }
    all.declare();
    let inits = all.inits()?;
    for at in 0..all.actors.len() {
        all.of_own_steps(at, &inits);
        for other in 0..all.actors.len() {
            if other != at || !all.actors[at].is_single {
                all.of_others(at, other);
            }
        }
    }
    Some(all)
}

fn actor(program: &Program, graph: &Graph<'_>, id: ThreadId) -> Option<Actor> {
    let thread = &program.threads[id.index()];
    let is_single = thread.count == Count::One;
    let start = graph.threads[id.index()];
    let tid = |name: &str| {
        if is_single { number_of(id).to_string() } else { name.to_owned() }
    };
    let names = |local: char, name: &str| Names { program, local, tid: tid(name) };
    let (own, places) = steps(graph, start, &names('x', "xt"))?;
    let (as_other, _) = steps(graph, start, &names('y', "yt"))?;
    let mut places: Vec<Pc> = places.into_iter().collect();
    places.sort_by_key(|&pc| {
        graph.span(graph.ready(pc).first().copied().unwrap_or(pc)).map_or(u32::MAX, |at| at.start)
    });
    let places = together(&places, &own);
    let locals = locals(&thread.body, &own)?;
    // Where a thread is that nobody notices makes no difference to others.
    let is_exposed = is_single && own.iter().any(Step::is_seen);
    let is_step = |step: &Step| {
        let at = |pc: Pc| places.iter().position(|all| all.contains(&pc));
        !step.is_idle() || step.to.and_then(at) != at(step.from)
    };
    let own = own.into_iter().filter(is_step).collect();
    let as_other = as_other.into_iter().filter(is_step).collect();
    Some(Actor { id, is_single, is_exposed, start, places, own, as_other, locals })
}

/// The places, those as one that are left by nothing but an idle step to the other.
fn together(places: &[Pc], steps: &[Step]) -> Vec<Vec<Pc>> {
    let mut groups: Vec<Vec<Pc>> = places.iter().map(|&pc| vec![pc]).collect();
    for &pc in places {
        let mut leaving = steps.iter().filter(|step| step.from == pc);
        let (Some(step), None) = (leaving.next(), leaving.next()) else { continue };
        let at = |pc: Pc| groups.iter().position(|all| all.contains(&pc));
        let (Some(from), Some(to)) = (at(pc), step.to.and_then(at)) else { continue };
        if step.is_idle() && from != to {
            let moved = groups.remove(from.max(to));
            groups[from.min(to)].extend(moved);
        }
    }
    groups
}

/// The locals that steps write.
fn locals(body: &Body, steps: &[Step]) -> Option<Vec<(usize, &'static str)>> {
    let mut written: BTreeSet<usize> = BTreeSet::new();
    for root in steps.iter().flat_map(|step| step.values.keys()) {
        if let Root::Local(id) = root {
            written.insert(id.index());
        }
    }
    written.into_iter().map(|at| Some((at, sort(&body.locals[at].ty)?))).collect()
}

impl Actor {
    fn position(&self, pc: Pc) -> usize {
        self.places.iter().position(|place| place.contains(&pc)).unwrap_or(0)
    }
}

impl Clauses<'_> {
    /// The clauses and the questions for a model.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// About how many clauses there are.
    fn count(&self) -> usize {
        let steps: usize = self.actors.iter().map(|one| one.own.len()).sum();
        let places: usize = self.actors.iter().map(|one| one.places.len()).sum();
        steps * (places + 1)
    }

    /// The arguments of the predicates of a thread, in order.
    pub(super) fn arguments(&self, actor: &Actor) -> Vec<Argument> {
        let mut all: Vec<Argument> =
            self.constants.iter().map(|(at, _)| Argument::Constant(*at)).collect();
        all.extend((0..self.globals.len()).map(Argument::Global));
        let others = self.actors.iter().filter(|one| one.is_exposed && one.id != actor.id);
        all.extend(others.map(|one| Argument::PlaceOf(one.id)));
        all.extend((!actor.is_single).then_some(Argument::Own));
        all.extend(actor.locals.iter().map(|(at, _)| Argument::Local(*at)));
        all
    }

    fn sort_of(&self, actor: &Actor, argument: &Argument) -> &'static str {
        let sort_in = |all: &[(usize, &'static str)], wanted: usize| {
            all.iter().find(|(at, _)| *at == wanted).map_or("Int", |(_, sort)| sort)
        };
        match argument {
            Argument::Constant(at) => sort_in(&self.constants, *at),
            Argument::Global(at) => self.globals[*at],
            Argument::PlaceOf(_) | Argument::Own => "Int",
            Argument::Local(at) => sort_in(&actor.locals, *at),
        }
    }

    fn declare(&mut self) {
        let mut text = String::new();
        for actor in &self.actors {
            let sorts: Vec<&str> =
                self.arguments(actor).iter().map(|one| self.sort_of(actor, one)).collect();
            for place in 0..actor.places.len() {
                let name = predicate(actor.id, place);
                let _ = writeln!(text, "(declare-fun {name} ({}) Bool)", sorts.join(" "));
            }
        }
        self.text += &text;
    }

    /// The predicate of a thread at a place; arguments that are not named differently have the
    /// names that they have before every step.
    fn atom(
        &self,
        (actor, place, local): (&Actor, usize, char),
        named: impl Fn(&Argument) -> Option<String>,
    ) -> String {
        let usual = |argument: &Argument| match argument {
            Argument::Constant(at) => constant(*at),
            Argument::Global(at) => global(*at),
            Argument::PlaceOf(id) => format!("p{}", id.index()),
            Argument::Own => format!("{local}t"),
            Argument::Local(at) => format!("{local}{at}"),
        };
        let arguments = self.arguments(actor);
        let all: Vec<String> =
            arguments.iter().map(|one| named(one).unwrap_or_else(|| usual(one))).collect();
        let name = predicate(actor.id, place);
        if all.is_empty() { name } else { format!("({name} {})", all.join(" ")) }
    }

    /// What holds at the start.
    fn inits(&self) -> Option<Vec<String>> {
        let program = self.program;
        let names = Names { program, local: 'x', tid: "0".to_owned() };
        let mut all = Vec::new();
        for init in &program.inits {
            all.push(names.term(&init.expr, &BTreeMap::new())?);
        }
        for (at, info) in program.globals.iter().enumerate() {
            all.extend(within(program, &info.ty, &global(at)));
        }
        for (at, _) in &self.constants {
            all.extend(within(program, &program.consts[*at].ty, &constant(*at)));
        }
        Some(all)
    }

    /// How a thread begins, and what it does.
    fn of_own_steps(&mut self, at: usize, inits: &[String]) {
        let actor = &self.actors[at];
        let starts = |argument: &Argument| match argument {
            Argument::PlaceOf(id) => self
                .actors
                .iter()
                .find(|one| one.id == *id)
                .map(|one| one.position(one.start).to_string()),
            _ => None,
        };
        let mut conditions = inits.to_vec();
        if !actor.is_single {
            conditions.push(self.is_of_family("xt"));
        }
        let body = &self.program.threads[actor.id.index()].body;
        for (local, _) in &actor.locals {
            let inside = within(self.program, &body.locals[*local].ty, &format!("x{local}"));
            conditions.extend(inside);
        }
        let start = self.atom((actor, actor.position(actor.start), 'x'), starts);
        let mut all = vec![self.clause(&[(actor, 'x')], &[], &conditions, &start)];
        for step in &actor.own {
            let before = self.atom((actor, actor.position(step.from), 'x'), |_| None);
            let mut conditions = vec![before];
            conditions.extend_from_slice(&step.conditions);
            let after = step.to.map_or("false".to_owned(), |to| {
                self.atom((actor, actor.position(to), 'x'), |argument| written(argument, step))
            });
            all.push(self.clause(&[(actor, 'x')], &step.fresh, &conditions, &after));
        }
        self.text += &all.concat();
    }

    /// That a number is that of a thread of a family.
    fn is_of_family(&self, name: &str) -> String {
        format!("(> {name} {})", number(i128::try_from(self.actors.len()).unwrap_or(i128::MAX)))
    }

    /// What another thread does to a thread, wherever both are.
    fn of_others(&mut self, at: usize, other: usize) {
        let (actor, acting) = (&self.actors[at], &self.actors[other]);
        let mut all = Vec::new();
        for place in 0..actor.places.len() {
            for step in &acting.as_other {
                let is_seen = step.is_seen() || acting.is_exposed;
                let Some(to) = step.to.filter(|_| is_seen) else { continue };
                let (from, to) = (acting.position(step.from), acting.position(to));
                let acting_at = |place: usize| {
                    move |argument: &Argument| {
                        let is_acting = *argument == Argument::PlaceOf(acting.id);
                        is_acting.then(|| place.to_string())
                    }
                };
                let actor_here = |argument: &Argument| {
                    (*argument == Argument::PlaceOf(actor.id)).then(|| place.to_string())
                };
                let mut conditions = vec![
                    self.atom((actor, place, 'x'), acting_at(from)),
                    self.atom((acting, from, 'y'), actor_here),
                ];
                // Threads of all families have numbers of one range.
                if !actor.is_single && !acting.is_single {
                    conditions.push("(not (= xt yt))".to_owned());
                }
                conditions.extend_from_slice(&step.conditions);
                let after = self.atom((actor, place, 'x'), |argument| match argument {
                    Argument::Global(_) => written(argument, step),
                    _ => acting_at(to)(argument),
                });
                let both = [(actor, 'x'), (acting, 'y')];
                all.push(self.clause(&both, &step.fresh, &conditions, &after));
            }
        }
        self.text += &all.concat();
    }

    /// A clause about the variables of some threads.
    fn clause(
        &self,
        actors: &[(&Actor, char)],
        fresh: &[(String, &'static str)],
        conditions: &[String],
        after: &str,
    ) -> String {
        let mut names: BTreeSet<(String, &'static str)> = fresh.iter().cloned().collect();
        for (actor, local) in actors {
            for argument in self.arguments(actor) {
                let name = match &argument {
                    Argument::Constant(at) => constant(*at),
                    Argument::Global(at) => global(*at),
                    Argument::PlaceOf(id) => format!("p{}", id.index()),
                    Argument::Own => format!("{local}t"),
                    Argument::Local(at) => format!("{local}{at}"),
                };
                names.insert((name, self.sort_of(actor, &argument)));
            }
        }
        let body = format!("(=> {} {after})", all_of(conditions));
        let names: Vec<String> =
            names.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        if names.is_empty() {
            return format!("(assert {body})\n");
        }
        format!("(assert (forall ({}) {body}))\n", names.join(" "))
    }
}

/// What an argument is after a step of the thread whose clause it is, if that writes it.
fn written(argument: &Argument, step: &Step) -> Option<String> {
    step.values.iter().find_map(|(root, value)| {
        let is_it = match (root, argument) {
            (Root::Global(id), Argument::Global(at)) => id.index() == *at,
            (Root::Local(id), Argument::Local(at)) => id.index() == *at,
            _ => false,
        };
        is_it.then(|| value.clone())
    })
}
