//! Calls of procedures as relations between bits.

use super::bits::{Built, Function, unsupported};
use super::space::{Copy, Locals, Value};
use super::steps::{Path, Steps};
use crate::goals::Goal;
use crate::graph::{Graph, Node, Owner, Pc};
use oxidd::BooleanFunction;
use plato::hir::{ProcId, Stmt, StmtKind, Ty};

/// What a caller does when its procedure ends.
pub(crate) struct Resume {
    /// Over the thread, the state in which the procedure ends, the frame of the caller, and the
    /// state afterwards.
    pub(crate) relation: Function,
    /// That the procedure has come to its end.
    pub(crate) ends: Function,
    /// What goes wrong, over the same without the state afterwards.
    pub(crate) wrong: Vec<(Goal, Function)>,
}

/// Limit on the values of an arbitrary result, as in the interpreter.
const MANY: u128 = 300;

impl<'a> Steps<'a> {
    /// A call: the store stays, a frame of the procedure is the new state, and the caller's frame
    /// waits at its call.
    pub(super) fn call(&mut self, mut path: Path, stmt: &Stmt, pc: Pc) -> Built<Function> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return unsupported("a call") };
        let program = self.eval.program;
        let procedure = &program.procs[callee.index()];
        if procedure.is_atomic {
            return unsupported("atomic procedures");
        }
        let inside = self.inside_of(*callee);
        let entered = inside.store(Copy::Next)?;
        let mut start = inside.at(self.code.procs[callee.index()], Copy::Next)?;
        start = start.and(&inside.unused(Copy::Next)?)?;
        let mut given = vec![false; procedure.body.locals.len()];
        for (&param, arg) in procedure.params.iter().zip(args) {
            let value = self.eval.value(&path.store, arg)?;
            let ty = &procedure.body.locals[param.index()].ty;
            self.require_fit(&mut path, stmt.span, ty, &value)?;
            start = start.and(&self.eval.equal(&entered.locals[param.index()], &value)?)?;
            given[param.index()] = true;
        }
        // Results are arbitrary at first.
        for result in &procedure.results {
            let ty = &procedure.body.locals[result.index()].ty;
            if !is_small(ty) {
                return unsupported("results with very many values");
            }
            start = start.and(&inside.has_type(ty, &entered.locals[result.index()])?)?;
            given[result.index()] = true;
        }
        for (value, _) in entered.locals.iter().zip(given).filter(|(_, given)| !given) {
            start = start.and(&self.is_zero(value)?)?;
        }
        for (new, value) in entered.globals.iter().zip(&path.store.globals).rev() {
            start = start.and(&self.eval.equal(new, value)?)?;
        }
        let mut waits = self.at(pc, Copy::Other)?.and(&self.unused(Copy::Other)?)?;
        for (new, value) in self.store(Copy::Other)?.locals.iter().zip(&path.store.locals) {
            waits = waits.and(&self.eval.equal(new, value)?)?;
        }
        Ok(path.guard.and(&start)?.and(&waits)?)
    }

    /// `return` writes the results and goes on to the end of the procedure.
    pub(super) fn return_values(&mut self, mut path: Path, stmt: &Stmt, pc: Pc) -> Built<Path> {
        let (StmtKind::Return(values), Owner::Proc(id)) = (&stmt.kind, self.code.owner(pc)) else {
            return unsupported("a `return`");
        };
        let procedure = &self.eval.program.procs[id.index()];
        let before = path.store.clone();
        for (&result, value) in procedure.results.iter().zip(values) {
            let value = self.eval.value(&before, value)?;
            let ty = &procedure.body.locals[result.index()].ty;
            self.require_fit(&mut path, stmt.span, ty, &value)?;
            path.store.locals[result.index()] = value;
        }
        Ok(path)
    }

    /// The steps with which the calls in this body go on. Their results are in the frame of the
    /// procedure, which is the state before; variables and indices are those of the caller,
    /// whose frame waits.
    pub(crate) fn resume(&mut self, pc: Pc) -> Built<Option<Resume>> {
        let Node::Call(stmt, next) = &self.code.nodes[pc] else { return Ok(None) };
        let StmtKind::Call { callee, results, .. } = &stmt.kind else { return Ok(None) };
        self.wrong.clear();
        let inside = self.inside_of(*callee);
        let ended = inside.store(Copy::Now)?;
        let mut ended_here = self.space().constants.no.clone();
        for end in ends(self.code, *callee) {
            ended_here = ended_here.or(&self.at(end, Copy::Now)?)?;
        }
        let guard = ended_here.and(&self.at(pc, Copy::Other)?)?;
        let mut store = self.store(Copy::Other)?;
        store.globals.clone_from(&ended.globals);
        let mut path = Path { guard, store, free: Vec::new() };
        let locals = &self.eval.program.procs[callee.index()].results;
        let values = locals.iter().map(|local| ended.locals[local.index()].clone());
        self.write(&mut path, stmt.span, results.iter().zip(values).collect())?;
        let relation = self.relation(&path, *next)?;
        Ok(Some(Resume { relation, ends: ended_here, wrong: std::mem::take(&mut self.wrong) }))
    }

    /// The same for the body of a procedure.
    fn inside_of(&self, callee: ProcId) -> Steps<'a> {
        let locals = locals_of(self.eval.program, &self.space().locals, Owner::Proc(callee));
        Steps::new(self.code, self.eval, locals)
    }

    fn is_zero(&self, value: &Value) -> Built<Function> {
        let constants = &self.space().constants;
        match value {
            Value::Truth(truth) => Ok(truth.not()?),
            Value::Number(number) => constants.equal(number, &constants.number(0)),
            Value::Map(_, elements) => {
                let mut all = constants.yes.clone();
                for element in elements {
                    all = all.and(&self.is_zero(element)?)?;
                }
                Ok(all)
            }
        }
    }
}

/// The local variables of a body: those of the threads come first, then those of the procedures.
pub(super) fn locals_of<'l>(
    program: &plato::hir::Program,
    all: &'l [Locals],
    owner: Owner,
) -> &'l Locals {
    match owner {
        Owner::Thread(id) => &all[id.index()],
        Owner::Proc(id) => &all[program.threads.len() + id.index()],
    }
}

/// The places from which a procedure ends.
fn ends(code: &Graph<'_>, callee: ProcId) -> Vec<Pc> {
    let is_end = |pc: &Pc| {
        let ready = code.ready(*pc);
        code.owner(*pc) == Owner::Proc(callee)
            && ready.iter().any(|pc| matches!(code.nodes[*pc], Node::End))
    };
    (0..code.nodes.len()).filter(is_end).collect()
}

fn is_small(ty: &Ty) -> bool {
    match ty {
        Ty::Bool | Ty::Enum(_) | Ty::Tid => true,
        Ty::Range(low, high) => high.abs_diff(*low) < MANY,
        Ty::Int | Ty::Opaque(_) | Ty::Set(_) | Ty::Map(..) => false,
    }
}
