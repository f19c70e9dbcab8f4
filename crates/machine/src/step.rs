//! The steps of one thread.

use crate::action::NOT_ALL;
use crate::eval::{Answer, Fault, Stores, check_guard, eval, holds};
use crate::graph::{Branch, Graph, Node, Owner, Pc};
use crate::place::{Target, moved, read, with, written};
use crate::scope::Scope;
use crate::value::{Value, rows_with, within};
use diagnostic::Code;
use plato::hir::{Expr, Place, Root, Stmt, StmtKind, Ty};
use search::Interner;
use source::Span;

/// A running body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Frame {
    pub(crate) pc: Pc,
    pub(crate) locals: Vec<Value>,
}

/// The shared variables, and the innermost frames of one thread: in most steps one, in an atomic
/// block also those of the procedures that it calls, and where a procedure ends that of its caller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Moment {
    pub(crate) globals: Vec<Value>,
    /// Innermost last. A caller waits at its call.
    pub(crate) frames: Vec<Frame>,
}

/// What a step can come to.
pub(crate) enum Effect {
    Next(Moment),
    /// The procedure of the only frame ends; what its caller does is for [`Stepper::leave`] with
    /// both frames.
    Leave,
    /// Goes wrong, with a code of the registry and its place.
    Wrong(Code, Span),
    /// What happens is not known, for this reason.
    Unknown(&'static str),
}

/// Limit on the steps inside one atomic block.
const INSIDE: usize = 2_000;
const NOT_CODE: Fault = Fault::Unknown("a place in the code without a step");

/// The steps of the thread `tid`.
pub(crate) struct Stepper<'s> {
    pub(crate) scope: &'s Scope<'s>,
    pub(crate) code: &'s Graph<'s>,
    pub(crate) tid: u32,
    /// Whether loop invariants are checked.
    pub(crate) annotations: bool,
}

impl<'s> Stepper<'s> {
    /// All steps the thread can take, each with the place in the code where it is.
    pub(crate) fn steps(&self, before: &Moment) -> Vec<(Pc, Effect)> {
        let Some(frame) = before.frames.last() else { return Vec::new() };
        let mut all = Vec::new();
        for pc in self.code.ready(frame.pc) {
            all.extend(self.step(before, pc).into_iter().map(|effect| (pc, effect)));
        }
        all
    }

    /// The loop invariants that do not hold although the thread is at the head of their loop.
    pub(crate) fn broken_heads(&self, at: &Moment) -> Vec<(&'s Branch<'s>, Pc, &'s Expr)> {
        let Some(frame) = at.frames.last().filter(|_| self.annotations) else {
            return Vec::new();
        };
        let mut broken = Vec::new();
        for pc in self.code.ready(frame.pc) {
            let Node::Branch(branch) = &self.code.nodes[pc] else { continue };
            for invariant in branch.invariants {
                let stores = Stores { code: false, ..self.stores(at) };
                match holds(self.scope, stores, invariant) {
                    Ok(true) => {}
                    Ok(false) => broken.push((branch, pc, invariant)),
                    Err(_) => self.scope.guessed.set(true),
                }
            }
        }
        broken
    }

    pub(crate) fn stores<'l>(&self, at: &'l Moment) -> Stores<'l> {
        let locals = at.frames.last().map_or(&[][..], |frame| &frame.locals);
        Stores {
            globals: &at.globals,
            locals,
            after: None,
            tid: self.tid,
            labels: None,
            code: true,
        }
    }

    fn step(&self, before: &Moment, pc: Pc) -> Vec<Effect> {
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
            (Err(Fault::Wrong(code)), Some(span)) | (Err(Fault::WrongAt(code, span)), _) => {
                vec![Effect::Wrong(code, span)]
            }
            (Err(Fault::Wrong(_)), None) => vec![Effect::Unknown("a step without a place")],
            (Err(Fault::Unknown(why)), _) => vec![Effect::Unknown(why)],
        }
    }

    fn branch(&self, before: &Moment, branch: &Branch) -> Answer<Vec<Effect>> {
        let chosen = match branch.cond {
            None => vec![branch.then, branch.otherwise],
            Some(cond) if holds(self.scope, self.stores(before), cond)? => vec![branch.then],
            Some(_) => vec![branch.otherwise],
        };
        Ok(chosen.into_iter().map(|pc| Effect::Next(moved(before.clone(), pc))).collect())
    }

    /// Runs the block with no other thread between. A statement that blocks undoes it all.
    fn atomic(&self, before: &Moment, entry: Pc, next: Pc) -> Vec<Effect> {
        let depth = before.frames.len();
        let mut effects = Vec::new();
        let mut seen: Interner<Moment> = Interner::default();
        let mut rest = vec![seen.intern(moved(before.clone(), entry))];
        while let Some(number) = rest.pop() {
            let at = seen.get(number);
            for (_, _, invariant) in self.broken_heads(at) {
                effects.push(Effect::Wrong(Code::LoopInvariantNotPreserved, invariant.span));
            }
            let pc = at.frames.last().map_or(0, |frame| frame.pc);
            for pc in self.code.ready(pc) {
                let at = seen.get(number);
                if matches!(self.code.nodes[pc], Node::Leave) && at.frames.len() == depth {
                    effects.push(Effect::Next(moved(at.clone(), next)));
                    continue;
                }
                for effect in self.step(at, pc) {
                    match effect {
                        Effect::Next(_) if seen.len() > INSIDE => {
                            effects.push(Effect::Unknown("an atomic block of very many steps"));
                            return effects;
                        }
                        Effect::Next(after) => {
                            let known = seen.len();
                            let after = seen.intern(after);
                            if seen.len() > known {
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

    fn operation(&self, before: &Moment, stmt: &Stmt, next: Pc) -> Answer<Vec<Effect>> {
        let one = |after: Moment| Ok(vec![Effect::Next(moved(after, next))]);
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
            StmtKind::Assert(_) => Err(Fault::Wrong(Code::AssertionFailed)),
            StmtKind::Check(cond, _) if holds(scope, stores, cond)? => one(before.clone()),
            StmtKind::Check(_, fault) => Err(Fault::Wrong(fault.code)),
            StmtKind::Unsupported(_) => Err(Fault::Wrong(Code::Unsupported)),
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
                    return Err(Fault::Wrong(Code::ReleaseNotHeld));
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

    fn call(&self, before: &Moment, stmt: &Stmt) -> Answer<Vec<Effect>> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return Err(NOT_CODE) };
        let proc = &self.scope.program.procs[callee.index()];
        let mut locals = vec![Value::Unset; proc.body.locals.len()];
        for (param, arg) in proc.params.iter().zip(args) {
            let value = eval(self.scope, self.stores(before), arg)?;
            if !within(&value, &proc.body.locals[param.index()].ty) {
                return Err(Fault::Wrong(Code::ValueOutOfRange));
            }
            locals[param.index()] = value;
        }
        let mut rows = vec![locals];
        for result in &proc.results {
            let domain = self.scope.domain(&proc.body.locals[result.index()].ty);
            // Results are arbitrary at first. With too many values to try, reading one before it is
            // written stops.
            if !domain.complete {
                continue;
            }
            rows = rows_with(&rows, result.index(), &domain.values);
        }
        let entry = self.code.procs[callee.index()];
        let enter = |locals| {
            let mut after = before.clone();
            let waiting = self.waiting(before, stmt);
            after = moved(after, waiting);
            after.frames.push(Frame { pc: entry, locals });
            Effect::Next(after)
        };
        Ok(rows.into_iter().map(enter).collect())
    }

    /// The place of the call itself: a caller waits there, also if it came through a choice.
    fn waiting(&self, before: &Moment, stmt: &Stmt) -> Pc {
        let pc = before.frames.last().map_or(0, |frame| frame.pc);
        let is_call =
            |pc: &Pc| matches!(self.code.nodes[*pc], Node::Call(one, _) if std::ptr::eq(one, stmt));
        self.code.ready(pc).into_iter().find(is_call).unwrap_or(pc)
    }

    fn return_values(&self, before: &Moment, stmt: &Stmt, next: Pc) -> Answer<Vec<Effect>> {
        let StmtKind::Return(values) = &stmt.kind else { return Err(NOT_CODE) };
        let Owner::Proc(id) = self.code.owner(next) else { return Err(NOT_CODE) };
        let body = &self.scope.program.procs[id.index()].body;
        let mut after = moved(before.clone(), next);
        for (&result, value) in self.scope.program.procs[id.index()].results.iter().zip(values) {
            let value = eval(self.scope, self.stores(before), value)?;
            if !within(&value, &body.locals[result.index()].ty) {
                return Err(Fault::Wrong(Code::ValueOutOfRange));
            }
            after = with(after, Root::Local(result), value);
        }
        Ok(vec![Effect::Next(after)])
    }

    /// The end of a procedure: its results are written where the caller wants them.
    pub(crate) fn leave(&self, before: &Moment) -> Answer<Vec<Effect>> {
        let mut caller = before.clone();
        let callee = caller.frames.pop().ok_or(NOT_CODE)?;
        let Owner::Proc(id) = self.code.owner(callee.pc) else { return Ok(Vec::new()) };
        let Some(pc) = caller.frames.last().map(|frame| frame.pc) else {
            return Ok(vec![Effect::Leave]);
        };
        let Node::Call(stmt, next) = &self.code.nodes[pc] else { return Err(NOT_CODE) };
        let StmtKind::Call { results, .. } = &stmt.kind else { return Err(NOT_CODE) };
        let mut rows: Vec<Vec<(Target<'s>, Value)>> = vec![Vec::new()];
        let mut complete = true;
        let locals = &self.scope.program.procs[id.index()].results;
        for (place, local) in results.iter().zip(locals) {
            let target = match self.target(&caller, place) {
                Ok(target) => target,
                Err(Fault::Wrong(code)) => return Ok(vec![Effect::Wrong(code, stmt.span)]),
                Err(Fault::WrongAt(code, span)) => return Ok(vec![Effect::Wrong(code, span)]),
                Err(unknown) => return Err(unknown),
            };
            let mut values = vec![callee.locals[local.index()].clone()];
            if values[0] == Value::Unset {
                let body = &self.scope.program.procs[id.index()].body;
                let domain = self.scope.domain(&body.locals[local.index()].ty);
                complete &= domain.complete;
                values = domain.values;
            }
            let longer = |row: &Vec<(Target<'s>, Value)>| {
                let (row, target) = (row.clone(), target.clone());
                let one = move |value| [row.as_slice(), &[(target.clone(), value)]].concat();
                values.clone().into_iter().map(one)
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        let mut effects: Vec<Effect> = Vec::new();
        for row in rows {
            effects.push(match written(&caller, row) {
                Ok(after) => Effect::Next(moved(after, *next)),
                Err(Fault::Wrong(code)) => Effect::Wrong(code, stmt.span),
                Err(Fault::WrongAt(code, span)) => Effect::Wrong(code, span),
                Err(Fault::Unknown(why)) => Effect::Unknown(why),
            });
        }
        effects.extend((!complete).then_some(Effect::Unknown(NOT_ALL)));
        Ok(effects)
    }

    pub(crate) fn root_ty(&self, at: &Moment, root: Root) -> Option<&'s Ty> {
        match root {
            Root::Global(id) => Some(&self.scope.program.globals[id.index()].ty),
            Root::Local(id) => {
                let body = self.code.body_of(self.scope.program, at.frames.last()?.pc);
                body.locals.get(id.index()).map(|local| &local.ty)
            }
        }
    }

    /// A place with its indices evaluated and found in their domains.
    pub(crate) fn target(&self, at: &Moment, place: &Place) -> Answer<Target<'s>> {
        let mut keys = Vec::new();
        let mut ty = self.root_ty(at, place.root).ok_or(NOT_CODE)?;
        for index in &place.indices {
            let key = eval(self.scope, self.stores(at), index)?;
            let Ty::Map(key_ty, value_ty) = ty else { return Err(NOT_CODE) };
            if !within(&key, key_ty) {
                return Err(Fault::Wrong(Code::IndexOutOfRange));
            }
            keys.push(key);
            ty = value_ty;
        }
        if let Root::Global(id) = place.root {
            check_guard(self.scope, self.stores(at), (id, keys.first()), place.span)?;
        }
        Ok(Target { root: place.root, keys, ty })
    }
}
