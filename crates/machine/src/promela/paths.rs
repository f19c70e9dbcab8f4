//! The steps of a thread as guarded assignments: every path through the code of a step, with the
//! condition under which it is taken and what it writes, both over the values before the step. So
//! one step is one transition of the model, and an atomic block that blocks in the middle leaves no
//! trace.

use super::expr::{Answer, Context, Env, Val, beyond, narrow};
use super::layout::Storage;
use super::term::{FALSE, TRUE, Term, and, eq, not};
use crate::graph::{Graph, Node, Owner, Pc};
use crate::scope::Scope;
use diagnostic::Code;
use plato::hir::{Expr, Local, Place, ProcId, Root, Stmt, StmtKind, Ty};

/// A place in the code, in one of the calls of a thread.
pub(super) type Location = (usize, Pc);

/// One way that a step can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) guard: Term,
    /// What goes wrong instead of a next state.
    pub(super) fault: Option<Code>,
    pub(super) env: Env,
    pub(super) next: Location,
}

/// A body that runs: that of the thread, or of a procedure called from a place in another one.
pub(super) struct Call {
    pub(super) caller: Option<Location>,
    pub(super) callee: Option<ProcId>,
    pub(super) locals: Vec<Storage>,
}

/// A path through a step.
#[derive(Clone)]
pub(super) struct Path {
    pub(super) guard: Term,
    pub(super) env: Env,
    at: Location,
}

/// The code of one thread declaration, unfolded.
pub(super) struct Paths<'p> {
    pub(super) scope: &'p Scope<'p>,
    pub(super) code: &'p Graph<'p>,
    pub(super) globals: &'p [Storage],
    pub(super) tid: Term,
    pub(super) calls: Vec<Call>,
    /// Gives a local of the model its name.
    pub(super) name: &'p mut dyn FnMut(&str) -> String,
    faults: Vec<Outcome>,
}

/// Limit on the places that are passed inside of one atomic block.
const INSIDE: usize = 2_000;
/// Limit on the calls that are unfolded in one thread.
const CALLS: usize = 500;

impl<'p> Paths<'p> {
    pub(super) fn new(
        scope: &'p Scope<'p>,
        code: &'p Graph<'p>,
        globals: &'p [Storage],
        tid: Term,
        name: &'p mut dyn FnMut(&str) -> String,
    ) -> Self {
        Self { scope, code, globals, tid, calls: Vec::new(), name, faults: Vec::new() }
    }

    /// A new running body.
    pub(super) fn enter(
        &mut self,
        caller: Option<Location>,
        callee: Option<ProcId>,
        locals: &[Local],
    ) -> Answer<usize> {
        let known = |call: &Call| call.caller == caller && call.callee == callee;
        if let Some(call) = self.calls.iter().position(known) {
            return Ok(call);
        }
        let mut storages = Vec::new();
        for local in locals {
            let name = (self.name)(local.name.as_str());
            storages.push(Storage::new(self.scope, name, &local.ty)?);
        }
        if self.calls.len() >= CALLS {
            return Err("too many calls of procedures to unfold them".to_owned());
        }
        self.calls.push(Call { caller, callee, locals: storages });
        Ok(self.calls.len() - 1)
    }

    /// All ways that the next step from a place can go.
    pub(super) fn step(&mut self, (call, pc): Location) -> Answer<Vec<Outcome>> {
        self.faults.clear();
        let mut all: Vec<Outcome> = Vec::new();
        for ready in self.code.ready(pc) {
            let start = Path { guard: TRUE, env: Env::default(), at: (call, ready) };
            for path in self.pass(start)? {
                let Path { guard, env, at } = path;
                all.push(Outcome { guard, fault: None, env, next: at });
            }
        }
        all.append(&mut self.faults);
        all.retain(|one| one.guard != FALSE);
        let mut found: Vec<Outcome> = Vec::new();
        for one in all {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        Ok(found)
    }

    /// What comes of the step at the place where a path is.
    fn pass(&mut self, path: Path) -> Answer<Vec<Path>> {
        let (call, pc) = path.at;
        match &self.code.nodes[pc] {
            Node::Op(stmt, next) => {
                let after = self.operation(path, stmt)?;
                Ok(after.into_iter().map(|path| Path { at: (call, *next), ..path }).collect())
            }
            Node::Branch(branch) => {
                let targets = [branch.then, branch.otherwise];
                let test = match branch.cond {
                    None => return Ok(targets.map(|pc| moved(&path, pc, TRUE)).to_vec()),
                    Some(cond) => self.known(&path, cond)?,
                };
                Ok(vec![
                    moved(&path, targets[0], test.clone()),
                    moved(&path, targets[1], not(test)),
                ])
            }
            Node::Atomic(_, entry, next) => self.atomic(path, *entry, *next),
            Node::Call(stmt, _) => self.call(path, stmt),
            Node::Return(stmt, next) => self.return_values(path, stmt, *next),
            Node::End => self.leave(path),
            Node::Choose(_) | Node::Leave | Node::Reserved => Ok(Vec::new()),
        }
    }

    fn atomic(&mut self, path: Path, entry: Pc, next: Pc) -> Answer<Vec<Path>> {
        let call = path.at.0;
        let mut done = Vec::new();
        let mut rest = vec![Path { at: (call, entry), ..path }];
        let mut passed = 0;
        while let Some(path) = rest.pop() {
            passed += 1;
            if passed > INSIDE {
                return Err("a loop inside of an atomic block".to_owned());
            }
            for ready in self.code.ready(path.at.1) {
                if matches!(self.code.nodes[ready], Node::Leave) && path.at.0 == call {
                    done.push(Path { at: (call, next), ..path.clone() });
                    continue;
                }
                let here = Path { at: (path.at.0, ready), ..path.clone() };
                let after = self.pass(here)?;
                rest.extend(after.into_iter().rev().filter(|path| path.guard != FALSE));
            }
        }
        Ok(done)
    }

    fn operation(&mut self, path: Path, stmt: &Stmt) -> Answer<Vec<Path>> {
        match &stmt.kind {
            StmtKind::Skip => Ok(vec![path]),
            StmtKind::Unsupported(what) => Err(what.clone()),
            StmtKind::Assign(pairs) => {
                let mut after = path.clone();
                for (place, value) in pairs {
                    self.assign(&path, &mut after, place, value)?;
                }
                Ok(vec![after])
            }
            StmtKind::Havoc(places) => self.havoc(path, places),
            StmtKind::Assert(cond) => {
                let test = self.known(&path, cond)?;
                self.fault(&path, not(test.clone()), Code::AssertionFailed);
                Ok(vec![only_if(path, test)])
            }
            StmtKind::Check(cond, fault) => {
                let test = self.known(&path, cond)?;
                self.fault(&path, not(test.clone()), fault.code);
                Ok(vec![only_if(path, test)])
            }
            StmtKind::Assume(cond) => {
                let test = self.known(&path, cond)?;
                Ok(vec![only_if(path, test)])
            }
            StmtKind::Acquire(place) => {
                let free = Term::Int(0);
                self.lock(path, place, (free, self.tid.clone()), None)
            }
            StmtKind::Release(place) => {
                let wrong = Some(Code::ReleaseNotHeld);
                self.lock(path, place, (self.tid.clone(), Term::Int(0)), wrong)
            }
            StmtKind::Cas { .. } | StmtKind::CasSwap { .. } => self.compare_and_swap(path, stmt),
            StmtKind::Action(action) => self.action(path, action),
            _ => Err("a statement that is no single step".to_owned()),
        }
    }

    fn lock(
        &mut self,
        path: Path,
        place: &Place,
        (old, new): (Term, Term),
        wrong: Option<Code>,
    ) -> Answer<Vec<Path>> {
        let keys = self.keys(&path, place)?;
        let storage = self.storage(&path, place.root).clone();
        let is_old = eq(path.env.read(&storage, &keys), old);
        if let Some(code) = wrong {
            self.fault(&path, not(is_old.clone()), code);
        }
        let mut after = only_if(path, is_old);
        after.env.write(&storage, &keys, new);
        Ok(vec![after])
    }

    fn compare_and_swap(&mut self, path: Path, stmt: &Stmt) -> Answer<Vec<Path>> {
        let (StmtKind::Cas { location, expected, .. }
        | StmtKind::CasSwap { location, expected, .. }) = &stmt.kind
        else {
            return Err("a statement that is no single step".to_owned());
        };
        let keys = self.keys(&path, location)?;
        let storage = self.storage(&path, location.root).clone();
        let old = path.env.read(&storage, &keys);
        let same = eq(old.clone(), self.known(&path, expected)?);
        let mut equal = only_if(path.clone(), same.clone());
        let mut other = only_if(path.clone(), not(same));
        match &stmt.kind {
            StmtKind::Cas { result, new, .. } => {
                let value = self.known(&path, new)?;
                self.store(&mut equal, location, &keys, (value, &narrow(new)));
                if let Some(result) = result {
                    let keys = self.keys(&path, result)?;
                    self.store(&mut equal, result, &keys, (TRUE, &Ty::Bool));
                    self.store(&mut other, result, &keys, (FALSE, &Ty::Bool));
                }
            }
            StmtKind::CasSwap { new, .. } => {
                let own_keys = self.keys(&path, new)?;
                let own = path.env.read(self.storage(&path, new.root), &own_keys);
                self.store(&mut equal, location, &keys, (own, &new.ty));
                self.store(&mut equal, new, &own_keys, (old, &location.ty));
            }
            _ => {}
        }
        Ok(vec![equal, other])
    }

    fn havoc(&mut self, path: Path, places: &[Place]) -> Answer<Vec<Path>> {
        let mut rows = vec![path.clone()];
        for place in places {
            let keys = self.keys(&path, place)?;
            let storage = self.storage(&path, place.root).clone();
            rows = self.any_value(&rows, &storage, &keys, &place.ty)?;
        }
        Ok(rows)
    }

    /// Each path with each value of a type in this place.
    pub(super) fn any_value(
        &self,
        rows: &[Path],
        storage: &Storage,
        keys: &[Term],
        ty: &Ty,
    ) -> Answer<Vec<Path>> {
        let domain = self.scope.domain(ty);
        if !domain.complete {
            return Err("an arbitrary value of a type with very many values".to_owned());
        }
        let inner = Storage { keys: storage.keys[keys.len()..].to_vec(), ..storage.clone() };
        let mut longer = Vec::new();
        for value in &domain.values {
            let elements = inner.elements(value)?;
            for row in rows {
                let mut row = row.clone();
                for (rest, element) in inner.all_keys().iter().zip(&elements) {
                    row.env.write(storage, &[keys, rest].concat(), Term::Int(*element));
                }
                longer.push(row);
            }
        }
        Ok(longer)
    }

    /// Evaluates in `before`, writes in `after`.
    fn assign(
        &mut self,
        before: &Path,
        after: &mut Path,
        place: &Place,
        value: &Expr,
    ) -> Answer<()> {
        let keys = self.keys(before, place)?;
        if !matches!(place.ty, Ty::Set(_) | Ty::Map(..)) {
            let new = self.known(before, value)?;
            self.store(after, place, &keys, (new, &narrow(value)));
            return Ok(());
        }
        let rests = super::layout::every_list(&self.context(before).keys(&place.ty)?);
        let storage = self.storage(before, place.root).clone();
        for rest in rests {
            let new = self.context(before).element(value, &rest)?;
            let new = self.certain(before, new);
            let outside = beyond(&new, &Ty::Int, &storage.ty);
            self.fault(after, outside.clone(), Code::ValueOutOfRange);
            after.guard = and(after.guard.clone(), not(outside));
            after.env.write(&storage, &[keys.as_slice(), &rest].concat(), new);
        }
        Ok(())
    }

    /// Writes a number if it is one of the place's type; otherwise the step goes wrong.
    fn store(&mut self, path: &mut Path, place: &Place, keys: &[Term], (value, ty): (Term, &Ty)) {
        let outside = beyond(&value, ty, &place.ty);
        self.fault(path, outside.clone(), Code::ValueOutOfRange);
        path.guard = and(path.guard.clone(), not(outside));
        let storage = self.storage(path, place.root).clone();
        path.env.write(&storage, keys, value);
    }

    fn call(&mut self, path: Path, stmt: &Stmt) -> Answer<Vec<Path>> {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return Ok(Vec::new()) };
        let procedure = &self.scope.program.procs[callee.index()];
        let mut caller = Some(path.at.0);
        while let Some(call) = caller {
            if self.calls[call].callee == Some(*callee) {
                return Err(format!("`{}`, a procedure that calls itself", procedure.name));
            }
            caller = self.calls[call].caller.map(|(call, _)| call);
        }
        let inside = self.enter(Some(path.at), Some(*callee), &procedure.body.locals)?;
        let mut after = path.clone();
        for (param, arg) in procedure.params.iter().zip(args) {
            let ty = &procedure.body.locals[param.index()].ty;
            let storage = self.calls[inside].locals[param.index()].clone();
            for keys in storage.all_keys() {
                let value = self.context(&path).element(arg, &keys)?;
                let value = self.certain(&path, value);
                let outside = beyond(&value, &narrow(arg), ty);
                self.fault(&after, outside.clone(), Code::ValueOutOfRange);
                after.guard = and(after.guard.clone(), not(outside));
                after.env.write(&storage, &keys, value);
            }
        }
        let mut rows = vec![after];
        for result in &procedure.results {
            let storage = self.calls[inside].locals[result.index()].clone();
            let ty = &procedure.body.locals[result.index()].ty;
            rows = self.any_value(&rows, &storage, &[], ty)?;
        }
        let entry = self.code.procs[callee.index()];
        Ok(rows.into_iter().map(|row| Path { at: (inside, entry), ..row }).collect())
    }

    fn return_values(&mut self, path: Path, stmt: &Stmt, next: Pc) -> Answer<Vec<Path>> {
        let StmtKind::Return(values) = &stmt.kind else { return Ok(Vec::new()) };
        let Owner::Proc(id) = self.code.owner(next) else { return Ok(Vec::new()) };
        let procedure = &self.scope.program.procs[id.index()];
        let mut after = Path { at: (path.at.0, next), ..path.clone() };
        for (result, value) in procedure.results.iter().zip(values) {
            let local = &procedure.body.locals[result.index()];
            let (root, ty) = (Root::Local(*result), local.ty.clone());
            let place = Place { root, indices: Vec::new(), ty, span: local.span };
            self.assign(&path, &mut after, &place, value)?;
        }
        Ok(vec![after])
    }

    /// The end of a procedure: its results are written where the caller wants them, and its locals
    /// are no more.
    fn leave(&mut self, path: Path) -> Answer<Vec<Path>> {
        let inside = path.at.0;
        let Some((call, pc)) = self.calls[inside].caller else { return Ok(Vec::new()) };
        let Node::Call(stmt, next) = &self.code.nodes[pc] else { return Ok(Vec::new()) };
        let StmtKind::Call { results, callee, .. } = &stmt.kind else { return Ok(Vec::new()) };
        let procedure = &self.scope.program.procs[callee.index()];
        let before = Path { at: (call, pc), ..path };
        let mut after = Path { at: (call, *next), ..before.clone() };
        for (place, local) in results.iter().zip(&procedure.results) {
            let from = self.calls[inside].locals[local.index()].clone();
            let keys = self.keys(&before, place)?;
            let to = self.storage(&before, place.root).clone();
            for rest in from.all_keys() {
                let value = before.env.read(&from, &rest);
                let outside = beyond(&value, &from.ty, &to.ty);
                self.fault(&after, outside.clone(), Code::ValueOutOfRange);
                after.guard = and(after.guard.clone(), not(outside));
                after.env.write(&to, &[keys.as_slice(), &rest].concat(), value);
            }
        }
        for storage in &self.calls[inside].locals {
            for keys in storage.all_keys() {
                after.env.write(storage, &keys, Term::Int(storage.unset()));
            }
        }
        Ok(vec![after])
    }

    pub(super) fn root_ty(&self, path: &Path, root: Root) -> Ty {
        match root {
            Root::Global(id) => self.scope.program.globals[id.index()].ty.clone(),
            Root::Local(id) => {
                self.code.body_of(self.scope.program, path.at.1).locals[id.index()].ty.clone()
            }
        }
    }

    /// The indices of a place; the path goes wrong where they are outside of the domain.
    fn keys(&mut self, path: &Path, place: &Place) -> Answer<Vec<Term>> {
        let mut ty = self.root_ty(path, place.root);
        let mut keys = Vec::new();
        for index in &place.indices {
            let outside = self.context(path).outside(&ty, index)?;
            let key = self.known(path, index)?;
            self.fault(path, outside, Code::IndexOutOfRange);
            keys.push(key);
            if let Ty::Map(_, value) = ty {
                ty = *value;
            }
        }
        Ok(keys)
    }

    /// The value of an expression; the path goes wrong where it has none.
    pub(super) fn known(&mut self, path: &Path, expr: &Expr) -> Answer<Term> {
        let value = self.context(path).value(expr)?;
        Ok(self.certain(path, value))
    }

    pub(super) fn certain(&mut self, path: &Path, value: Val) -> Term {
        self.fault(path, value.wrong, Code::IndexOutOfRange);
        value.term
    }

    pub(super) fn fault(&mut self, path: &Path, when: Term, code: Code) {
        let guard = and(path.guard.clone(), when);
        if guard != FALSE {
            let fault = Some(code);
            self.faults.push(Outcome { guard, fault, env: Env::default(), next: path.at });
        }
    }

    pub(super) fn storage(&self, path: &Path, root: Root) -> &Storage {
        match root {
            Root::Global(id) => &self.globals[id.index()],
            Root::Local(id) => &self.calls[path.at.0].locals[id.index()],
        }
    }

    pub(super) fn context<'c>(&'c self, path: &'c Path) -> Context<'c> {
        Context {
            scope: self.scope,
            globals: self.globals,
            locals: &self.calls[path.at.0].locals,
            env: &path.env,
            after: None,
            tid: self.tid.clone(),
            places: None,
            bound: Vec::new(),
        }
    }
}

fn moved(path: &Path, pc: Pc, when: Term) -> Path {
    Path { guard: and(path.guard.clone(), when), env: path.env.clone(), at: (path.at.0, pc) }
}

pub(super) fn only_if(path: Path, when: Term) -> Path {
    Path { guard: and(path.guard, when), ..path }
}
