//! Which shared variables a step touches.

use crate::eval::eval;
use crate::graph::{Graph, Node, Owner, Pc};
use crate::step::Moment;
use crate::tables::Machine;
use crate::value::Value;
use plato::hir::{Expr, ExprKind, Place, Program, Root, Stmt, StmtKind};
use search::{Global, Local};
use std::collections::BTreeSet;

/// An access to a shared variable, or to an element of it.
#[derive(Clone, Debug)]
pub(crate) struct Access<'p> {
    pub(crate) global: usize,
    /// The indices, outermost map first.
    keys: Vec<&'p Expr>,
    pub(crate) writes: bool,
}

/// The same with the values of the indices, as far as they have any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) global: usize,
    keys: Vec<Value>,
    writes: bool,
}

impl Touched {
    /// Whether both touch the same variable or element, and one of them writes.
    pub(crate) fn conflicts(&self, other: &Self) -> bool {
        self.global == other.global
            && (self.writes || other.writes)
            && self.keys.iter().zip(&other.keys).all(|(one, two)| one == two)
    }
}

/// What evaluating an expression reads.
fn reads<'p>(program: &'p Program, expr: &'p Expr, into: &mut Vec<Access<'p>>) {
    let mut keys = Vec::new();
    let mut base = expr;
    while let ExprKind::Index(map, key) = &base.kind {
        keys.insert(0, &**key);
        base = map;
    }
    match &base.kind {
        ExprKind::Var { root: Root::Global(id), primed: false } => {
            keys.iter().for_each(|key| reads(program, key, into));
            into.push(Access { global: id.index(), keys, writes: false });
        }
        ExprKind::Var { .. } => keys.iter().for_each(|key| reads(program, key, into)),
        kind => {
            if let ExprKind::Pred { pred, .. } = kind {
                reads(program, &program.preds[pred.index()].body, into);
            }
            expr.children().into_iter().for_each(|child| reads(program, child, into));
        }
    }
}

fn write<'p>(program: &'p Program, place: &'p Place, into: &mut Vec<Access<'p>>) {
    place.indices.iter().for_each(|index| reads(program, index, into));
    if let Root::Global(id) = place.root {
        into.push(Access {
            global: id.index(),
            keys: place.indices.iter().collect(),
            writes: true,
        });
    }
}

/// What a statement touches; for one with blocks, without them.
fn touches<'p>(program: &'p Program, stmt: &'p Stmt, into: &mut Vec<Access<'p>>) {
    match &stmt.kind {
        StmtKind::Assign(all) => {
            for (place, value) in all {
                reads(program, value, into);
                write(program, place, into);
            }
        }
        StmtKind::Havoc(places) => places.iter().for_each(|place| write(program, place, into)),
        StmtKind::Assert(cond) | StmtKind::Check(cond, _) | StmtKind::Assume(cond) => {
            reads(program, cond, into);
        }
        StmtKind::Acquire(place) | StmtKind::Release(place) => write(program, place, into),
        StmtKind::CasSwap { location, expected, new } => {
            reads(program, expected, into);
            write(program, location, into);
            write(program, new, into);
        }
        StmtKind::Cas { result, location, expected, new } => {
            reads(program, expected, into);
            reads(program, new, into);
            write(program, location, into);
            result.iter().for_each(|place| write(program, place, into));
        }
        StmtKind::Action(action) => {
            let formulas = action.requires.iter().chain([&action.action]).chain(&action.ensures);
            formulas.for_each(|formula| reads(program, formula, into));
            for root in &action.modifies {
                if let Root::Global(id) = root {
                    into.push(Access { global: id.index(), keys: Vec::new(), writes: true });
                }
            }
        }
        StmtKind::Call { args, .. } => args.iter().for_each(|arg| reads(program, arg, into)),
        StmtKind::Return(values) => values.iter().for_each(|value| reads(program, value, into)),
        StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => {
            cond.iter().for_each(|cond| reads(program, cond, into));
        }
        StmtKind::Skip
        | StmtKind::Atomic(_)
        | StmtKind::Choose(_)
        | StmtKind::Block(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Unsupported(_) => {}
    }
}

impl<'p> Graph<'p> {
    /// What the step at a place touches, the writing of a call's results apart. In an atomic block
    /// that is all that the block touches, and the procedures that it calls.
    pub(crate) fn accesses(&self, program: &'p Program, pc: Pc) -> Vec<Access<'p>> {
        let mut found = Vec::new();
        match &self.nodes[pc] {
            Node::Op(stmt, _) | Node::Call(stmt, _) | Node::Return(stmt, _) => {
                touches(program, stmt, &mut found);
            }
            Node::Branch(branch) => {
                branch.cond.iter().for_each(|cond| reads(program, cond, &mut found));
            }
            Node::Choose(all) => {
                return all.iter().flat_map(|&pc| self.accesses(program, pc)).collect();
            }
            Node::Atomic(_, entry, _) => {
                for inside in self.reachable(*entry) {
                    found.extend(self.accesses(program, inside));
                    found.extend(self.results(program, inside));
                }
                // Indices are values of moments inside the block, which are not known here.
                found.iter_mut().for_each(|access| access.keys.clear());
            }
            Node::Leave | Node::End | Node::Reserved => {}
        }
        found
    }

    /// What writing the results of the call at a place touches.
    pub(crate) fn results(&self, program: &'p Program, pc: Pc) -> Vec<Access<'p>> {
        let mut found = Vec::new();
        if let Node::Call(stmt, _) = &self.nodes[pc]
            && let StmtKind::Call { results, .. } = &stmt.kind
        {
            results.iter().for_each(|place| write(program, place, &mut found));
        }
        found
    }

    /// What writing the results of any call of the procedure at this place touches.
    pub(crate) fn results_of_all_calls(&self, program: &'p Program, pc: Pc) -> Vec<Access<'p>> {
        let Owner::Proc(running) = self.owner(pc) else { return Vec::new() };
        let is_call = |pc: &Pc| match &self.nodes[*pc] {
            Node::Call(Stmt { kind: StmtKind::Call { callee, .. }, .. }, _) => *callee == running,
            _ => false,
        };
        let calls = (0..self.nodes.len()).filter(is_call);
        calls.flat_map(|pc| self.results(program, pc)).collect()
    }

    /// All places that can be reached from one, in procedures too.
    pub(crate) fn reachable(&self, from: Pc) -> BTreeSet<Pc> {
        let mut found = BTreeSet::from([from]);
        let mut rest = vec![from];
        while let Some(pc) = rest.pop() {
            let next: Vec<Pc> = match &self.nodes[pc] {
                Node::Op(_, next) | Node::Return(_, next) => vec![*next],
                Node::Branch(branch) => vec![branch.then, branch.otherwise],
                Node::Choose(all) => all.clone(),
                Node::Atomic(_, entry, next) => vec![*entry, *next],
                Node::Call(stmt, next) => match &stmt.kind {
                    StmtKind::Call { callee, .. } => vec![*next, self.procs[callee.index()]],
                    _ => vec![*next],
                },
                Node::Leave | Node::End | Node::Reserved => Vec::new(),
            };
            rest.extend(next.into_iter().filter(|pc| found.insert(*pc)));
        }
        found
    }
}

impl Machine<'_> {
    /// What the next step of a thread touches.
    pub(crate) fn touched(&self, thread: usize, global: Global, local: Local) -> Vec<Touched> {
        let (frame, rest) = self.top(local);
        let frame = self.frames.get(frame);
        let program = self.scope.program;
        let mut found =
            self.evaluated(thread, global, frame.clone(), self.code.accesses(program, frame.pc));
        let ends =
            self.code.ready(frame.pc).iter().any(|pc| matches!(self.code.nodes[*pc], Node::End));
        match rest {
            _ if !ends => {}
            Some(rest) => {
                let caller = self.frames.get(self.top(rest).0);
                let results = self.code.results(program, caller.pc);
                found.extend(self.evaluated(thread, global, caller.clone(), results));
            }
            // A search with stacks looks at single frames, so that anybody may be the caller.
            None => {
                let results = self.code.results_of_all_calls(program, frame.pc);
                let whole = |access: Access<'_>| Touched {
                    global: access.global,
                    keys: Vec::new(),
                    writes: access.writes,
                };
                found.extend(results.into_iter().map(whole));
            }
        }
        found
    }

    fn evaluated(
        &self,
        thread: usize,
        global: Global,
        frame: crate::step::Frame,
        accesses: Vec<Access>,
    ) -> Vec<Touched> {
        let here = Moment { globals: self.stores.get(global).clone(), frames: vec![frame] };
        let stepper = self.stepper(thread);
        let touched = accesses.into_iter().map(|access| {
            let values =
                access.keys.iter().map(|key| eval(&self.scope, stepper.stores(&here), key));
            let keys = values.map_while(Result::ok).collect();
            Touched { global: access.global, keys, writes: access.writes }
        });
        touched.collect()
    }
}
