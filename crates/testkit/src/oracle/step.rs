//! The steps of one thread.

use super::code::{Branch, Code, Node, Pc};
use super::eval::{Answer, Fault, Stores, eval, holds};
use super::scope::Scope;
use super::value::{Value, lookup, updated, within};
use plato::hir::{Action, BinaryOp, Body, Expr, ExprKind, Place, ProcId, Root, Stmt, StmtKind, Ty};
use source::Span;
use std::collections::BTreeSet;

/// A running body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Frame {
    pub(super) pc: Pc,
    pub(super) locals: Vec<Value>,
}

/// The shared variables and one thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Local {
    pub(super) globals: Vec<Value>,
    /// Innermost last. A caller waits at its call.
    pub(super) frames: Vec<Frame>,
}

/// What a step can come to.
pub(super) enum Effect {
    Next(Local),
    /// Goes wrong, with a code of the registry and its place.
    Wrong(&'static str, Span),
    /// Not for this search to say.
    Unknown,
}

/// So many frames; a deeper call is not followed.
const FRAMES: usize = 8;
/// So many steps inside one atomic block.
const INSIDE: usize = 400;
/// So many stores are tried as the outcome of one action.
const OUTCOMES: usize = 5_000;

/// The steps of the thread `tid`.
pub(super) struct Stepper<'s> {
    pub(super) scope: &'s Scope<'s>,
    pub(super) code: &'s Code<'s>,
    pub(super) tid: u32,
}

impl<'s> Stepper<'s> {
    /// All steps the thread can take, each with the place in the code where it is.
    pub(super) fn steps(&self, before: &Local) -> Vec<(Pc, Effect)> {
        let Some(frame) = before.frames.last() else { return Vec::new() };
        let mut all = Vec::new();
        for pc in self.code.ready(frame.pc) {
            all.extend(self.step(before, pc).into_iter().map(|effect| (pc, effect)));
        }
        all
    }

    /// What holds at loop heads that the thread has reached: the head, its invariant, and whether it holds.
    pub(super) fn broken_heads(&self, at: &Local) -> Vec<(&'s Branch<'s>, Pc, &'s Expr)> {
        let Some(frame) = at.frames.last() else { return Vec::new() };
        let mut broken = Vec::new();
        for pc in self.code.ready(frame.pc) {
            let Node::Branch(branch) = &self.code.nodes[pc] else { continue };
            for invariant in branch.invariants {
                if holds(self.scope, self.stores(at), invariant) == Ok(false) {
                    broken.push((branch, pc, invariant));
                }
            }
        }
        broken
    }

    fn stores<'l>(&self, at: &'l Local) -> Stores<'l> {
        let locals = at.frames.last().map_or(&[][..], |frame| &frame.locals);
        Stores { globals: &at.globals, locals, after: None, tid: self.tid }
    }

    fn step(&self, before: &Local, pc: Pc) -> Vec<Effect> {
        let span = self.code.span(pc);
        let effects = match &self.code.nodes[pc] {
            Node::Op(stmt, next) => self.operation(before, stmt, *next),
            Node::Branch(branch) => self.branch(before, branch),
            Node::Atomic(_, entry, next) => Ok(self.atomic(before, *entry, *next)),
            Node::Call(stmt, _) => self.call(before, stmt),
            Node::Return(stmt, next) => self.return_values(before, stmt, *next),
            Node::End => self.leave(before),
            Node::Choose(_) | Node::Leave | Node::Reserved => Ok(Vec::new()),
        };
        match (effects, span) {
            (Ok(effects), _) => effects,
            (Err(Fault::Wrong(code)), Some(span)) => vec![Effect::Wrong(code, span)],
            (Err(_), _) => vec![Effect::Unknown],
        }
    }

    fn branch(&self, before: &Local, branch: &Branch) -> Answer<Vec<Effect>> {
        let chosen = match branch.cond {
            None => vec![branch.then, branch.otherwise],
            Some(cond) if holds(self.scope, self.stores(before), cond)? => vec![branch.then],
            Some(_) => vec![branch.otherwise],
        };
        Ok(chosen.into_iter().map(|pc| Effect::Next(moved(before, pc))).collect())
    }

    /// Runs the block with no other thread between. A statement that blocks undoes it all.
    fn atomic(&self, before: &Local, entry: Pc, next: Pc) -> Vec<Effect> {
        let depth = before.frames.len();
        let mut effects = Vec::new();
        let mut rest = vec![moved(before, entry)];
        let mut seen: BTreeSet<Local> = rest.iter().cloned().collect();
        while let Some(at) = rest.pop() {
            for (_, _, invariant) in self.broken_heads(&at) {
                effects.push(Effect::Wrong("loop-invariant-not-preserved", invariant.span));
            }
            let pc = at.frames.last().map_or(0, |frame| frame.pc);
            for pc in self.code.ready(pc) {
                if matches!(self.code.nodes[pc], Node::Leave) && at.frames.len() == depth {
                    effects.push(Effect::Next(moved(&at, next)));
                    continue;
                }
                for effect in self.step(&at, pc) {
                    match effect {
                        Effect::Next(_) if seen.len() > INSIDE => effects.push(Effect::Unknown),
                        Effect::Next(after) => {
                            if seen.insert(after.clone()) {
                                rest.push(after);
                            }
                        }
                        other => effects.push(other),
                    }
                }
            }
        }
        effects
    }

    fn operation(&self, before: &Local, stmt: &Stmt, next: Pc) -> Answer<Vec<Effect>> {
        let one = |after: Local| Ok(vec![Effect::Next(moved(&after, next))]);
        let (scope, stores) = (self.scope, self.stores(before));
        match &stmt.kind {
            StmtKind::Assign(all) => {
                let mut writes = Vec::new();
                for (place, value) in all {
                    writes.push((self.target(before, place)?, eval(scope, stores, value)?));
                }
                one(written(before, writes)?)
            }
            StmtKind::Havoc(places) => self.havoc(before, places, next),
            StmtKind::Assert(cond) if holds(scope, stores, cond)? => one(before.clone()),
            StmtKind::Assert(_) => Err(Fault::Wrong("assertion-failed")),
            StmtKind::Assume(cond) if holds(scope, stores, cond)? => one(before.clone()),
            StmtKind::Assume(_) => Ok(Vec::new()),
            StmtKind::Acquire(place) => {
                let target = self.target(before, place)?;
                if read(before, &target)? != Value::Tid(0) {
                    return Ok(Vec::new());
                }
                one(written(before, vec![(target, Value::Tid(self.tid))])?)
            }
            StmtKind::Release(place) => {
                let target = self.target(before, place)?;
                if read(before, &target)? != Value::Tid(self.tid) {
                    return Err(Fault::Wrong("release-not-held"));
                }
                one(written(before, vec![(target, Value::Tid(0))])?)
            }
            StmtKind::CasSwap { location, expected, new } => {
                let (location, new) = (self.target(before, location)?, self.target(before, new)?);
                let (old, own) = (read(before, &location)?, read(before, &new)?);
                if old != eval(scope, stores, expected)? {
                    return one(before.clone());
                }
                one(written(before, vec![(location, own), (new, old)])?)
            }
            StmtKind::Cas { result, location, expected, new } => {
                let location = self.target(before, location)?;
                let result = result.as_ref().map(|place| self.target(before, place)).transpose()?;
                let new = eval(scope, stores, new)?;
                let success = read(before, &location)? == eval(scope, stores, expected)?;
                let mut writes = if success { vec![(location, new)] } else { Vec::new() };
                writes.extend(result.map(|place| (place, Value::Bool(success))));
                one(written(before, writes)?)
            }
            StmtKind::Action(action) => self.action(before, action, stmt.span, next),
            _ => one(before.clone()),
        }
    }

    fn havoc(&self, before: &Local, places: &[Place], next: Pc) -> Answer<Vec<Effect>> {
        let mut rows: Vec<Local> = vec![moved(before, next)];
        for place in places {
            let target = self.target(before, place)?;
            let mut longer = Vec::new();
            for value in self.scope.domain(&place.ty).values {
                for row in &rows {
                    longer.push(written(row, vec![(target.clone(), value.clone())])?);
                }
            }
            rows = longer;
        }
        Ok(rows.into_iter().map(Effect::Next).collect())
    }

    /// Every store that satisfies the relation and differs in `modifies` only.
    fn action(&self, before: &Local, action: &Action, span: Span, next: Pc) -> Answer<Vec<Effect>> {
        let (scope, stores) = (self.scope, self.stores(before));
        if let Some(requires) = &action.requires
            && !holds(scope, stores, requires)?
        {
            return Err(Fault::Wrong("precondition-failed"));
        }
        let mut outcomes: Vec<Local> = vec![before.clone()];
        for &root in &action.modifies {
            let values = self.outcomes(before, root, &action.action);
            let vary = |one: &Local| {
                let one = one.clone();
                values.clone().into_iter().map(move |value| with(&one, root, value))
            };
            outcomes = outcomes.iter().flat_map(vary).take(OUTCOMES).collect();
        }
        let mut effects = Vec::new();
        for after in outcomes {
            let locals = after.frames.last().map_or(&[][..], |frame| &frame.locals);
            let both = Stores { after: Some((&after.globals, locals)), ..stores };
            match holds(scope, both, &action.action) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(_) => {
                    effects.push(Effect::Unknown);
                    continue;
                }
            }
            let checked = action.ensures.as_ref().map(|ensures| holds(scope, both, ensures));
            effects.push(match checked {
                None | Some(Ok(true)) => Effect::Next(moved(&after, next)),
                Some(Ok(false)) => Effect::Wrong("action-check-failed", span),
                Some(Err(Fault::Wrong(code))) => Effect::Wrong(code, span),
                Some(Err(Fault::Unknown)) => Effect::Unknown,
            });
        }
        Ok(effects)
    }

    /// What a variable may be after an action: all its values, or those near, arbitrary ones, and what it must equal.
    fn outcomes(&self, before: &Local, root: Root, relation: &Expr) -> Vec<Value> {
        let old = read(before, &Target { root, keys: Vec::new(), ty: Ty::Bool }).ok();
        let Some(ty) = self.root_ty(before, root) else { return old.into_iter().collect() };
        let domain = self.scope.domain(&ty);
        let mut values = domain.values;
        if !domain.complete {
            if let Some(Value::Int(old)) = &old {
                values.extend([old - 1, old + 1].map(Value::Int));
            }
            values.extend(old);
            for sides in equations(relation) {
                for (left, right) in [sides, (sides.1, sides.0)] {
                    let is_root = matches!(&left.kind, ExprKind::Var { root: found, primed: true } if *found == root);
                    if is_root && let Ok(value) = eval(self.scope, self.stores(before), right) {
                        values.push(value);
                    }
                }
            }
        }
        values.retain(|value| within(value, &ty));
        values.sort();
        values.dedup();
        values
    }

    fn call(&self, before: &Local, stmt: &Stmt) -> Answer<Vec<Effect>> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return Err(Fault::Unknown) };
        if before.frames.len() >= FRAMES {
            return Err(Fault::Unknown);
        }
        let proc = &self.scope.program.procs[callee.index()];
        let mut locals = vec![Value::Unset; proc.body.locals.len()];
        for (param, arg) in proc.params.iter().zip(args) {
            let value = eval(self.scope, self.stores(before), arg)?;
            if !within(&value, &proc.body.locals[param.index()].ty) {
                return Err(Fault::Wrong("value-out-of-range"));
            }
            locals[param.index()] = value;
        }
        let mut rows = vec![locals];
        for result in &proc.results {
            let values = self.scope.domain(&proc.body.locals[result.index()].ty).values;
            let vary = |row: &Vec<Value>| {
                let row = row.clone();
                values.clone().into_iter().map(move |value| {
                    let mut row = row.clone();
                    row[result.index()] = value;
                    row
                })
            };
            rows = rows.iter().flat_map(vary).collect();
        }
        let entry = self.code.procs[callee.index()];
        let enter = |locals| {
            let mut after = before.clone();
            let waiting = self.waiting(before, stmt);
            after = moved(&after, waiting);
            after.frames.push(Frame { pc: entry, locals });
            Effect::Next(after)
        };
        Ok(rows.into_iter().map(enter).collect())
    }

    /// The place of the call itself: a caller waits there, also if it came through a choice.
    fn waiting(&self, before: &Local, stmt: &Stmt) -> Pc {
        let pc = before.frames.last().map_or(0, |frame| frame.pc);
        let is_call =
            |pc: &Pc| matches!(self.code.nodes[*pc], Node::Call(one, _) if std::ptr::eq(one, stmt));
        self.code.ready(pc).into_iter().find(is_call).unwrap_or(pc)
    }

    fn return_values(&self, before: &Local, stmt: &Stmt, next: Pc) -> Answer<Vec<Effect>> {
        let StmtKind::Return(values) = &stmt.kind else { return Err(Fault::Unknown) };
        let Some((id, body)) = self.running(before) else { return Err(Fault::Unknown) };
        let mut after = moved(before, next);
        for (&result, value) in self.scope.program.procs[id.index()].results.iter().zip(values) {
            let value = eval(self.scope, self.stores(before), value)?;
            if !within(&value, &body.locals[result.index()].ty) {
                return Err(Fault::Wrong("value-out-of-range"));
            }
            after = with(&after, Root::Local(result), value);
        }
        Ok(vec![Effect::Next(after)])
    }

    /// The end of a procedure: its results are written where the caller wants them.
    fn leave(&self, before: &Local) -> Answer<Vec<Effect>> {
        let Some((id, _)) = self.running(before) else { return Ok(Vec::new()) };
        let mut caller = before.clone();
        let callee = caller.frames.pop().ok_or(Fault::Unknown)?;
        let pc = caller.frames.last().map_or(0, |frame| frame.pc);
        let Node::Call(stmt, next) = &self.code.nodes[pc] else { return Err(Fault::Unknown) };
        let StmtKind::Call { results, .. } = &stmt.kind else { return Err(Fault::Unknown) };
        let write = || -> Answer<Local> {
            let mut writes = Vec::new();
            for (place, local) in results.iter().zip(&self.scope.program.procs[id.index()].results)
            {
                let value = callee.locals[local.index()].clone();
                writes.push((self.target(&caller, place)?, value));
            }
            written(&caller, writes)
        };
        Ok(vec![match write() {
            Ok(after) => Effect::Next(moved(&after, *next)),
            Err(Fault::Wrong(code)) => Effect::Wrong(code, stmt.span),
            Err(Fault::Unknown) => Effect::Unknown,
        }])
    }

    /// The procedure that runs, unless it is the body of the thread.
    fn running(&self, at: &Local) -> Option<(ProcId, &'s Body)> {
        let caller = at.frames.len().checked_sub(2)?;
        let Node::Call(stmt, _) = &self.code.nodes[at.frames[caller].pc] else { return None };
        let StmtKind::Call { callee, .. } = &stmt.kind else { return None };
        Some((*callee, &self.scope.program.procs[callee.index()].body))
    }

    fn root_ty(&self, at: &Local, root: Root) -> Option<Ty> {
        match root {
            Root::Global(id) => Some(self.scope.program.globals[id.index()].ty.clone()),
            Root::Local(id) => {
                let thread = self.scope.threads[self.tid as usize - 1];
                let own = &self.scope.program.threads[thread.index()].body;
                let body = self.running(at).map_or(own, |(_, body)| body);
                body.locals.get(id.index()).map(|local| local.ty.clone())
            }
        }
    }

    /// A place with its indices evaluated and found in their domains.
    fn target(&self, at: &Local, place: &Place) -> Answer<Target> {
        let mut keys = Vec::new();
        let mut ty = self.root_ty(at, place.root).ok_or(Fault::Unknown)?;
        for index in &place.indices {
            let key = eval(self.scope, self.stores(at), index)?;
            let Ty::Map(key_ty, value_ty) = ty else { return Err(Fault::Unknown) };
            if !within(&key, &key_ty) {
                return Err(Fault::Wrong("index-out-of-range"));
            }
            keys.push(key);
            ty = *value_ty;
        }
        Ok(Target { root: place.root, keys, ty })
    }
}

/// A variable, or a place inside a map.
#[derive(Clone)]
struct Target {
    root: Root,
    keys: Vec<Value>,
    ty: Ty,
}

fn read(at: &Local, target: &Target) -> Answer<Value> {
    let value = match target.root {
        Root::Global(id) => at.globals.get(id.index()),
        Root::Local(id) => at.frames.last().and_then(|frame| frame.locals.get(id.index())),
    };
    let mut value = value.filter(|value| **value != Value::Unset).cloned().ok_or(Fault::Unknown)?;
    for key in &target.keys {
        value = lookup(&value, key).ok_or(Fault::Wrong("index-out-of-range"))?;
    }
    Ok(value)
}

/// All of the writes, in order.
fn written(before: &Local, writes: Vec<(Target, Value)>) -> Answer<Local> {
    let mut after = before.clone();
    for (target, value) in writes {
        if !within(&value, &target.ty) {
            return Err(Fault::Wrong("value-out-of-range"));
        }
        let whole = Target { keys: Vec::new(), ..target.clone() };
        let old = if target.keys.is_empty() { Value::Unset } else { read(&after, &whole)? };
        after = with(&after, target.root, replaced(&old, &target.keys, value)?);
    }
    Ok(after)
}

/// The old value with another one inside.
fn replaced(old: &Value, keys: &[Value], value: Value) -> Answer<Value> {
    let Some((first, rest)) = keys.split_first() else { return Ok(value) };
    let inner = lookup(old, first).ok_or(Fault::Wrong("index-out-of-range"))?;
    Ok(updated(old, first.clone(), replaced(&inner, rest, value)?))
}

fn with(at: &Local, root: Root, value: Value) -> Local {
    let mut after = at.clone();
    match root {
        Root::Global(id) => after.globals[id.index()] = value,
        Root::Local(id) => {
            if let Some(frame) = after.frames.last_mut() {
                frame.locals[id.index()] = value;
            }
        }
    }
    after
}

fn moved(at: &Local, pc: Pc) -> Local {
    let mut after = at.clone();
    if let Some(frame) = after.frames.last_mut() {
        frame.pc = pc;
    }
    after
}

/// The equations that a relation demands.
fn equations(relation: &Expr) -> Vec<(&Expr, &Expr)> {
    match &relation.kind {
        ExprKind::And(all) => all.iter().flat_map(equations).collect(),
        ExprKind::Binary(BinaryOp::Eq, left, right) => vec![(left, right)],
        _ => Vec::new(),
    }
}
