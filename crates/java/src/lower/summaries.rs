//! Calls that cannot be followed to their ends: recursion, and calls that may run very many
//! methods.
//!
//! Such a method gets a summary, as if it were written behind `modifies`: the fields and elements
//! that its code, and all that this may call, writes. Its body is compared with it like with what
//! is written, and so are the bodies of methods that override it. What it requires and ensures
//! stays as it is written.

use super::inherited::says_steps;
use super::library::{Effect, effect};
use crate::tree::{BinaryOp, Prim};
use crate::typed::{
    Acts, Expr, ExprKind, Formula, MethodId, Origin, Place, Program, StmtKind, Summary, Ty, walk,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many methods a call may run before it stands for a summary of them.
const MOST_TARGETS: usize = 6;

/// Which methods each method may run: those that it names, and those that override it.
pub(super) type Graph = BTreeMap<MethodId, BTreeSet<MethodId>>;

/// Gives summaries to methods whose calls cannot be followed.
pub(crate) fn summarize(program: &mut Program) {
    let graph = graph(program);
    let mut chosen: BTreeSet<MethodId> = BTreeSet::new();
    for (id, method) in ids(program) {
        let bodies = method.overridden_by.iter().filter(|id| program.method(**id).body.is_some());
        let is_run_by = |(other, runs): (&MethodId, &BTreeSet<MethodId>)| {
            runs.contains(&id) && !method.overrides.contains(other)
        };
        let is_many = bodies.count() > MOST_TARGETS;
        if is_many && may_have(program, id) && graph.iter().any(is_run_by) {
            chosen.insert(id);
        }
    }
    let mut seen = chosen.clone();
    while let Some(cycle) = cycle(program, &graph, &seen) {
        match best(program, &cycle) {
            Some(id) => {
                chosen.insert(id);
                seen.insert(id);
            }
            // A cycle of constructors is told where it is met.
            None => seen.extend(cycle.first()),
        }
    }
    for id in &chosen {
        let summary = summary(program, &graph, *id);
        give(program, *id, &summary);
    }
    require_locks(program, &chosen);
}

fn ids(program: &Program) -> impl Iterator<Item = (MethodId, &crate::typed::Method)> {
    let numbered = program.methods.iter().enumerate();
    numbered.map(|(at, method)| (MethodId::from_index(at), method))
}

pub(super) fn graph(program: &Program) -> Graph {
    let mut graph = Graph::new();
    for (id, method) in ids(program) {
        let runs = graph.entry(id).or_default();
        // A call stands for what is written of the method, not for what runs.
        if is_written(program, id) {
            continue;
        }
        runs.extend(&method.overridden_by);
        if let Some(body) = &method.body {
            walk::callees(&body.stmts, &mut |method, _| _ = runs.insert(method));
        }
    }
    graph
}

/// Whether calls of a method stand for what is written of it.
pub(super) fn is_written(program: &Program, id: MethodId) -> bool {
    super::specified::is_specified(program, id)
}

/// Whether a method may have a summary: nobody knows the object of a constructor yet, and what the
/// language says of a method of the library is not replaced.
fn may_have(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    let is_checked = program.class(method.class).origin == Origin::Checked;
    let has_code = method.body.is_some() && is_checked;
    let runs_code = method.overridden_by.iter().any(|other| {
        let other = program.method(*other);
        other.body.is_some() && program.class(other.class).origin == Origin::Checked
    });
    !method.is_constructor
        && method.name.as_str() != "<fields>"
        && effect(program, id).is_none()
        && (has_code || runs_code)
}

/// A cycle among calls, but for those of methods that have a summary.
fn cycle(program: &Program, graph: &Graph, without: &BTreeSet<MethodId>) -> Option<Vec<MethodId>> {
    let mut done: BTreeSet<MethodId> = without.clone();
    for (start, method) in ids(program) {
        if program.class(method.class).origin != Origin::Checked || done.contains(&start) {
            continue;
        }
        // The way from the start, each with what it may still go on to.
        let mut way: Vec<(MethodId, Vec<MethodId>)> = vec![(start, runs(graph, start))];
        let mut on_way = BTreeSet::from([start]);
        while let Some((id, rest)) = way.last_mut() {
            let id = *id;
            let Some(next) = rest.pop() else {
                done.insert(id);
                on_way.remove(&id);
                way.pop();
                continue;
            };
            if on_way.contains(&next) {
                let from = way.iter().position(|(id, _)| *id == next)?;
                return Some(way[from..].iter().map(|(id, _)| *id).collect());
            }
            if !done.contains(&next) {
                on_way.insert(next);
                way.push((next, runs(graph, next)));
            }
        }
    }
    None
}

fn runs(graph: &Graph, id: MethodId) -> Vec<MethodId> {
    graph.get(&id).into_iter().flatten().copied().collect()
}

/// The method of a cycle that gets a summary: one of which something is written, else one that
/// stands for several others, else one that others may call anyway.
fn best(program: &Program, cycle: &[MethodId]) -> Option<MethodId> {
    let rank = |id: &MethodId| {
        let method = program.method(*id);
        let says = !method.spec.requires.is_empty() || !method.spec.ensures.is_empty();
        (says, method.overridden_by.len(), !method.is_private, std::cmp::Reverse(*id))
    };
    cycle.iter().copied().filter(|id| may_have(program, *id)).max_by_key(rank)
}

/// What the code of a method, and all that this may run, writes.
fn summary(program: &Program, graph: &Graph, id: MethodId) -> Summary {
    let mut summary = Summary::default();
    let mut seen = BTreeSet::from([id]);
    let mut rest = vec![id];
    while let Some(id) = rest.pop() {
        let method = program.method(id);
        method.spec.modifies.iter().flatten().for_each(|place| add_place(place, &mut summary));
        method.spec.actions.iter().for_each(|acts| add_acts(acts, &mut summary));
        summary.gives_up |= !method.spec.gives_up.is_empty();
        match effect(program, id) {
            Some(Effect::Wait) => summary.gives_up = true,
            Some(Effect::ArrayCopy) => summary.all_elements = true,
            _ => {}
        }
        if let Some(body) = &method.body {
            walk::all(&body.stmts, &mut |stmt| {
                if let StmtKind::Init(place, _) | StmtKind::Set(place, _) = &stmt.kind {
                    add_place(place, &mut summary);
                }
                walk::exprs(stmt, &mut |expr| {
                    walk::deep(expr, &mut |part| match &part.kind {
                        ExprKind::Assign(place, _)
                        | ExprKind::AssignOp(place, ..)
                        | ExprKind::Step { place, .. } => add_place(place, &mut summary),
                        _ => {}
                    });
                });
            });
        }
        let all = runs(graph, id).into_iter().chain(method.overridden_by.iter().copied());
        rest.extend(all.filter(|next| seen.insert(*next)));
    }
    summary
}

fn add_acts(acts: &Acts, summary: &mut Summary) {
    match acts {
        Acts::One(act) => act.modifies.iter().for_each(|place| add_place(place, summary)),
        Acts::Sequence(all) | Acts::Choice(all) => {
            all.iter().for_each(|one| add_acts(one, summary));
        }
    }
}

fn add_place(place: &Place, summary: &mut Summary) {
    match place {
        Place::Local(..) => {}
        Place::Field(_, field, _) | Place::Static(field, _) => {
            summary.fields.insert(*field);
        }
        Place::Index(array, _, _) => match &array.ty {
            Ty::Array(element) => {
                summary.elements.insert((**element).clone());
            }
            _ => summary.all_elements = true,
        },
        Place::MapAt(inner, _, _) => add_place(inner, summary),
    }
}

/// Gives a method and those that override it a summary, but for those of which steps are written.
fn give(program: &mut Program, id: MethodId, summary: &Summary) {
    let below = program.method(id).overridden_by.clone();
    for other in below.into_iter().chain([id]) {
        let method = &mut program.methods[other.index()];
        if says_steps(method) {
            continue;
        }
        method.spec.modifies = Some(Vec::new());
        method.spec.summary = Some(summary.clone());
        method.spec.inherits = (other != id).then_some(id);
    }
}

/// A private method that is called with the monitor of `this` alone requires it: it is no longer
/// checked where it is called.
fn require_locks(program: &mut Program, chosen: &BTreeSet<MethodId>) {
    let is_candidate = |id: &&MethodId| {
        let method = program.method(**id);
        method.is_private && !method.is_static && method.spec.requires.is_empty()
    };
    let mut found: BTreeSet<MethodId> = chosen.iter().filter(is_candidate).copied().collect();
    loop {
        let mut called_without: BTreeSet<MethodId> = BTreeSet::new();
        let mut called: BTreeSet<MethodId> = BTreeSet::new();
        for (id, method) in ids(program) {
            let holds = method.is_synchronized && !method.is_static || found.contains(&id);
            if let Some(body) = &method.body {
                walk::all(&body.stmts, &mut |stmt| {
                    walk::exprs(stmt, &mut |expr| {
                        walk::deep(expr, &mut |part| {
                            if let ExprKind::Call(callee) = &part.kind
                                && let Some(target) = callee.method
                            {
                                let receiver = callee.receiver.as_ref().map(|one| &one.kind);
                                let is_own = matches!(receiver, Some(ExprKind::This));
                                if holds && is_own { &mut called } else { &mut called_without }
                                    .insert(target);
                            }
                        });
                    });
                });
            }
        }
        let kept: BTreeSet<MethodId> = found
            .iter()
            .filter(|id| called.contains(id) && !called_without.contains(id))
            .copied()
            .collect();
        if kept == found {
            break;
        }
        found = kept;
    }
    for id in found {
        let method = &mut program.methods[id.index()];
        let span = method.span;
        let this = Expr { kind: ExprKind::This, ty: Ty::Class(method.class), span };
        let holder = Expr { kind: ExprKind::Holder(Box::new(this)), ty: Ty::Thread, span };
        let tid = Expr { kind: ExprKind::Tid, ty: Ty::Thread, span };
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(holder), Box::new(tid));
        let expr = Expr { kind, ty: Ty::Prim(Prim::Boolean), span };
        method.spec.requires.push(Formula { expr, span });
    }
}
