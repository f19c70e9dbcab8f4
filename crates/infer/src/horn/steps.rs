//! The steps of a thread as conditions and new values: one for each way through an atomic block.

use super::terms::{Names, sort, within};
use machine::{Branch, Graph, Node, Pc};
use plato::hir::{Expr, ExprKind, Place, Root, Stmt, StmtKind, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A step from a place.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) from: Pc,
    /// Where it leads to; `None` if something goes wrong in it.
    pub(super) to: Option<Pc>,
    /// Under which conditions, terms over the values before it.
    pub(super) conditions: Vec<String>,
    /// The values that it writes.
    pub(super) values: BTreeMap<Root, String>,
    /// Arbitrary values in it, each with its sort.
    pub(super) fresh: Vec<(String, &'static str)>,
}

impl Step {
    /// Whether it does nothing but lead to another place.
    pub(super) fn is_idle(&self) -> bool {
        self.to.is_some() && self.conditions.is_empty() && self.values.is_empty()
    }

    /// Whether it writes shared variables.
    pub(super) fn is_seen(&self) -> bool {
        self.values.keys().any(|root| matches!(root, Root::Global(_)))
    }
}

/// Limit on the steps of all threads, and on the statements that one step goes through.
const MANY: usize = 400;

/// All steps of a thread that begins at a place, and the places that it can be at; `None` if some
/// step has no terms, or if there are too many.
pub(super) fn steps(
    graph: &Graph<'_>,
    start: Pc,
    names: &Names<'_>,
) -> Option<(Vec<Step>, BTreeSet<Pc>)> {
    let (mut all, mut places) = (Vec::new(), BTreeSet::new());
    let mut rest = vec![start];
    while let Some(from) = rest.pop() {
        if !places.insert(from) {
            continue;
        }
        let steps = Ways { graph, names, from, left: MANY }.all()?;
        rest.extend(steps.iter().filter_map(|step| step.to));
        all.extend(steps);
        if all.len() > MANY {
            return None;
        }
    }
    Some((all, places))
}

/// The ways that a step from a place may take.
struct Ways<'g, 'p> {
    graph: &'g Graph<'p>,
    names: &'g Names<'p>,
    from: Pc,
    /// How many statements may still be gone through.
    left: usize,
}

impl Ways<'_, '_> {
    fn all(mut self) -> Option<Vec<Step>> {
        let mut done = Vec::new();
        for pc in self.graph.ready(self.from) {
            let begun = self.begun();
            match &self.graph.nodes[pc] {
                Node::Atomic(_, entry, next) => {
                    for step in self.inside(Step { to: Some(*entry), ..begun })? {
                        let to = step.to.map(|_| *next);
                        done.push(Step { to, ..step });
                    }
                }
                Node::End => {}
                _ => done.extend(self.one(pc, begun)?),
            }
        }
        Some(done)
    }

    fn begun(&self) -> Step {
        let (conditions, values) = (Vec::new(), BTreeMap::new());
        Step { from: self.from, to: Some(self.from), conditions, values, fresh: Vec::new() }
    }

    /// Goes on until the block is left or something goes wrong.
    fn inside(&mut self, begun: Step) -> Option<Vec<Step>> {
        let (mut done, mut rest) = (Vec::new(), vec![begun]);
        while let Some(step) = rest.pop() {
            let Some(at) = step.to else {
                done.push(step);
                continue;
            };
            for pc in self.graph.ready(at) {
                match &self.graph.nodes[pc] {
                    Node::Leave => done.push(step.clone()),
                    _ => rest.extend(self.one(pc, step.clone())?),
                }
            }
        }
        Some(done)
    }

    /// What comes of the statement at a place.
    fn one(&mut self, pc: Pc, step: Step) -> Option<Vec<Step>> {
        self.left = self.left.checked_sub(1)?;
        match &self.graph.nodes[pc] {
            Node::Op(stmt, next) => self.op(stmt, Step { to: Some(*next), ..step }),
            Node::Branch(Branch { cond: None, then, otherwise, .. }) => {
                let to = |to: &Pc| Step { to: Some(*to), ..step.clone() };
                Some(vec![to(then), to(otherwise)])
            }
            Node::Branch(Branch { cond: Some(cond), then, otherwise, .. }) => {
                if let ExprKind::Bool(holds) = cond.kind {
                    let to = if holds { *then } else { *otherwise };
                    return Some(vec![Step { to: Some(to), ..step }]);
                }
                let cond = self.names.term(cond, &step.values)?;
                let to = |to: &Pc, cond: String| {
                    let mut step = Step { to: Some(*to), ..step.clone() };
                    step.conditions.push(cond);
                    step
                };
                Some(vec![to(then, cond.clone()), to(otherwise, not(&cond))])
            }
            Node::Atomic(..)
            | Node::Choose(_)
            | Node::Leave
            | Node::Call(..)
            | Node::Return(..)
            | Node::End
            | Node::Reserved => None,
        }
    }

    fn op(&self, stmt: &Stmt, mut step: Step) -> Option<Vec<Step>> {
        match &stmt.kind {
            StmtKind::Skip => Some(vec![step]),
            StmtKind::Assign(pairs) => {
                let mut values = Vec::new();
                for (place, value) in pairs {
                    values.push((place, self.names.term(value, &step.values)?));
                }
                let mut all = Vec::new();
                for (place, value) in values {
                    all.extend(self.write(place, value, &mut step)?);
                }
                all.push(step);
                Some(all)
            }
            StmtKind::Havoc(places) => {
                for place in places {
                    let value = format!("f{}", step.fresh.len());
                    step.fresh.push((value.clone(), sort(&place.ty)?));
                    step.conditions.extend(within(self.names.program, &place.ty, &value));
                    step.values.insert(whole(place)?, value);
                }
                Some(vec![step])
            }
            StmtKind::Assert(cond) | StmtKind::Check(cond, _) => {
                let cond = self.names.term(cond, &step.values)?;
                Some(required(step, cond))
            }
            StmtKind::Assume(cond) => {
                step.conditions.push(self.names.term(cond, &step.values)?);
                Some(vec![step])
            }
            StmtKind::Acquire(lock) => {
                step.conditions.push(format!("(= {} 0)", self.read(lock, &step)?));
                step.values.insert(whole(lock)?, self.names.tid.clone());
                Some(vec![step])
            }
            StmtKind::Release(lock) => self.release(lock, step),
            StmtKind::CasSwap { location, expected, new } => {
                self.swap((location, expected, new), step)
            }
            StmtKind::Cas { result, location, expected, new } => {
                self.compare((result.as_ref(), location, expected, new), step)
            }
            StmtKind::Atomic(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Choose(_)
            | StmtKind::Block(_)
            | StmtKind::Call { .. }
            | StmtKind::Return(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Action(_)
            | StmtKind::Unsupported(_) => None,
        }
    }

    fn release(&self, lock: &Place, step: Step) -> Option<Vec<Step>> {
        let is_held = format!("(= {} {})", self.read(lock, &step)?, self.names.tid);
        let mut all = required(step, is_held);
        if let Some(step) = all.last_mut() {
            step.values.insert(whole(lock)?, "0".to_owned());
        }
        Some(all)
    }

    fn swap(
        &self,
        (location, expected, new): (&Place, &Expr, &Place),
        step: Step,
    ) -> Option<Vec<Step>> {
        let (old, other) = (self.read(location, &step)?, self.read(new, &step)?);
        let is_expected = format!("(= {old} {})", self.names.term(expected, &step.values)?);
        let mut otherwise = step.clone();
        otherwise.conditions.push(not(&is_expected));
        let mut swapped = step;
        swapped.conditions.push(is_expected);
        let mut all = self.write(location, other, &mut swapped)?;
        all.extend(self.write(new, old, &mut swapped)?);
        all.extend([swapped, otherwise]);
        Some(all)
    }

    fn compare(
        &self,
        (result, location, expected, new): (Option<&Place>, &Place, &Expr, &Expr),
        step: Step,
    ) -> Option<Vec<Step>> {
        let expected = self.names.term(expected, &step.values)?;
        let new = self.names.term(new, &step.values)?;
        let is_expected = format!("(= {} {expected})", self.read(location, &step)?);
        let mut otherwise = step.clone();
        otherwise.conditions.push(not(&is_expected));
        let mut swapped = step;
        swapped.conditions.push(is_expected);
        let mut all = self.write(location, new, &mut swapped)?;
        if let Some(result) = result {
            swapped.values.insert(whole(result)?, "true".to_owned());
            otherwise.values.insert(whole(result)?, "false".to_owned());
        }
        all.extend([swapped, otherwise]);
        Some(all)
    }

    fn read(&self, place: &Place, step: &Step) -> Option<String> {
        let root = whole(place)?;
        sort(&place.ty)?;
        Some(step.values.get(&root).cloned().unwrap_or_else(|| self.names.before(root)))
    }

    /// Writes a value; what goes wrong if it is outside of the type of the place.
    fn write(&self, place: &Place, value: String, step: &mut Step) -> Option<Vec<Step>> {
        sort(&place.ty)?;
        let mut wrong = Vec::new();
        if let Ty::Range(..) = place.ty
            && let Some(inside) = within(self.names.program, &place.ty, &value)
        {
            let mut outside = Step { to: None, ..step.clone() };
            outside.conditions.push(not(&inside));
            wrong.push(outside);
            step.conditions.push(inside);
        }
        step.values.insert(whole(place)?, value);
        Some(wrong)
    }
}

/// What goes wrong unless a condition holds, and then what goes on if it does.
fn required(mut step: Step, cond: String) -> Vec<Step> {
    let mut wrong = Step { to: None, ..step.clone() };
    wrong.conditions.push(not(&cond));
    step.conditions.push(cond);
    vec![wrong, step]
}

fn not(cond: &str) -> String {
    format!("(not {cond})")
}

/// A whole variable.
fn whole(place: &Place) -> Option<Root> {
    place.indices.is_empty().then_some(place.root)
}
