//! The steps of all threads as relations between bits.

use super::bits::{Built, Function, Number, unsupported};
use super::expr::{Eval, Store, choose};
use super::space::{Copy, Locals, Space, Value};
use crate::goals::Goal;
use crate::graph::{Branch, Graph, Node, Pc};
use diagnostic::Code;
use oxidd::BooleanFunction;
use plato::hir::{Action, Expr, Place, Root, Stmt, StmtKind, Ty};
use source::Span;

/// All steps from one place.
pub(crate) struct Moves {
    /// Over the thread, the state before and the state after.
    pub(crate) relation: Function,
    /// Calls: over the thread, the state before, the start of the procedure, and the frame that
    /// waits.
    pub(crate) push: Function,
    /// What goes wrong, over the thread and the state before.
    pub(crate) wrong: Vec<(Goal, Function)>,
}

/// A way through a step so far.
#[derive(Clone)]
pub(super) struct Path {
    pub(super) guard: Function,
    pub(super) store: Store,
    /// Variables with an arbitrary value after the step.
    pub(super) free: Vec<Root>,
}

pub(crate) struct Steps<'a> {
    pub(crate) code: &'a Graph<'a>,
    pub(crate) eval: Eval<'a>,
    /// The local variables of the body whose code is looked at.
    pub(crate) locals: &'a Locals,
    pub(super) wrong: Vec<(Goal, Function)>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(code: &'a Graph<'a>, eval: Eval<'a>, locals: &'a Locals) -> Self {
        Self { code, eval, locals, wrong: Vec::new() }
    }

    pub(super) fn space(&self) -> &'a Space {
        self.eval.space
    }

    /// The state as it is now.
    pub(crate) fn store(&self, copy: Copy) -> Built<Store> {
        let mut slots = self.space().shared_slots();
        let mut globals = Vec::new();
        for global in &self.eval.program.globals {
            globals.push(value_at(self.space(), &global.ty, copy, &mut slots)?);
        }
        let mut slots = self.locals.slots.iter().copied();
        let mut locals = Vec::new();
        for ty in &self.locals.types {
            locals.push(value_at(self.space(), ty, copy, &mut slots)?);
        }
        let tid = self.space().tid[0].clone();
        Ok(Store { globals, locals, after: None, tid, bound: Vec::new() })
    }

    /// That the place in the code is this one.
    pub(crate) fn at(&self, pc: Pc, copy: Copy) -> Built<Function> {
        let Value::Number(bits) = self.space().slot(self.space().shared, copy)? else {
            return unsupported("a place that is no number");
        };
        let number = self.space().constants.number(i128::try_from(pc).unwrap_or(i128::MAX));
        self.space().constants.equal(&bits, &number)
    }

    /// The steps that a thread at this place can take.
    pub(crate) fn moves(&mut self, pc: Pc) -> Built<Moves> {
        self.wrong.clear();
        let here = self.at(pc, Copy::Now)?;
        let mut relation = self.space().constants.no.clone();
        let mut push = relation.clone();
        for ready in self.code.ready(pc) {
            let start =
                Path { guard: here.clone(), store: self.store(Copy::Now)?, free: Vec::new() };
            if let Node::Call(stmt, _) = &self.code.nodes[ready] {
                push = push.or(&self.call(start, stmt, ready)?)?;
                continue;
            }
            for (path, next) in self.step(start, ready)? {
                relation = relation.or(&self.relation(&path, next)?)?;
            }
        }
        Ok(Moves { relation, push, wrong: std::mem::take(&mut self.wrong) })
    }

    /// The paths through one step, with the place where each goes on.
    fn step(&mut self, path: Path, pc: Pc) -> Built<Vec<(Path, Pc)>> {
        match &self.code.nodes[pc] {
            Node::Op(stmt, next) => {
                let next = *next;
                Ok(self.operation(path, stmt)?.map(|path| (path, next)).into_iter().collect())
            }
            Node::Branch(branch) => self.branch(path, branch),
            Node::Atomic(_, entry, next) => {
                let (entry, next) = (*entry, *next);
                let mut ends = Vec::new();
                self.inside(path, entry, &mut ends)?;
                Ok(ends.into_iter().map(|path| (path, next)).collect())
            }
            Node::End => Ok(Vec::new()),
            Node::Call(..) => unsupported("calls of procedures in atomic blocks"),
            Node::Return(stmt, next) => Ok(vec![(self.return_values(path, stmt, pc)?, *next)]),
            Node::Choose(_) | Node::Leave | Node::Reserved => unsupported("a step that is none"),
        }
    }

    /// Follows an atomic block to its end.
    fn inside(&mut self, path: Path, pc: Pc, ends: &mut Vec<Path>) -> Built<()> {
        for ready in self.code.ready(pc) {
            match &self.code.nodes[ready] {
                Node::Leave => ends.push(path.clone()),
                Node::Branch(branch) if branch.end != 0 => {
                    return unsupported("a loop in an atomic block");
                }
                _ => {
                    for (path, next) in self.step(path.clone(), ready)? {
                        self.inside(path, next, ends)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn branch(&mut self, path: Path, branch: &Branch<'_>) -> Built<Vec<(Path, Pc)>> {
        let Some(cond) = branch.cond else {
            return Ok(vec![(path.clone(), branch.then), (path, branch.otherwise)]);
        };
        let cond = self.eval.truth(&path.store, cond)?;
        let yes = Path { guard: path.guard.and(&cond)?, ..path.clone() };
        let no = Path { guard: path.guard.and(&cond.not()?)?, ..path };
        Ok(vec![(yes, branch.then), (no, branch.otherwise)])
    }

    /// `None` if no run gets past it.
    fn operation(&mut self, mut path: Path, stmt: &Stmt) -> Built<Option<Path>> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => {}
            StmtKind::Assign(pairs) => {
                let mut writes = Vec::new();
                for (place, value) in pairs {
                    writes.push((place, self.eval.value(&path.store, value)?));
                }
                self.write(&mut path, span, writes)?;
            }
            StmtKind::Unsupported(_) => {
                let never = self.space().constants.no.clone();
                self.require(&mut path, Code::Unsupported, span, &never)?;
            }
            StmtKind::Assert(cond) => self.check(&mut path, Code::AssertionFailed, span, cond)?,
            StmtKind::Check(cond, fault) => self.check(&mut path, fault.code, span, cond)?,
            StmtKind::Assume(cond) => {
                path.guard = path.guard.and(&self.eval.truth(&path.store, cond)?)?;
            }
            StmtKind::Acquire(place) => {
                let free = self.is(&path, place, &self.space().constants.number(0))?;
                path.guard = path.guard.and(&free)?;
                let tid = Value::Number(self.space().tid[0].clone());
                self.write(&mut path, span, vec![(place, tid)])?;
            }
            StmtKind::Release(place) => {
                let held = self.is(&path, place, &self.space().tid[0])?;
                self.require(&mut path, Code::ReleaseNotHeld, span, &held)?;
                let nobody = Value::Number(self.space().constants.number(0));
                self.write(&mut path, span, vec![(place, nobody)])?;
            }
            StmtKind::CasSwap { location, expected, new } => {
                let (old, own) = (self.read(&path, location)?, self.read(&path, new)?);
                let equal = self.eval.equal(&old, &self.eval.value(&path.store, expected)?)?;
                let to_location = choose(&equal, &own, &old)?;
                let to_new = choose(&equal, &old, &own)?;
                self.write(&mut path, span, vec![(location, to_location), (new, to_new)])?;
            }
            StmtKind::Cas { result, location, expected, new } => {
                let old = self.read(&path, location)?;
                let equal = self.eval.equal(&old, &self.eval.value(&path.store, expected)?)?;
                let new = self.eval.value(&path.store, new)?;
                let mut writes = vec![(location, choose(&equal, &new, &old)?)];
                writes.extend(result.as_ref().map(|place| (place, Value::Truth(equal))));
                self.write(&mut path, span, writes)?;
            }
            StmtKind::Havoc(places) => {
                for place in places {
                    if !place.indices.is_empty() {
                        return unsupported("an arbitrary element of a map");
                    }
                    self.forget(&mut path, place.root)?;
                }
            }
            StmtKind::Action(action) => self.action(&mut path, span, action)?,
            _ => return unsupported("a statement in an unexpected place"),
        }
        Ok(path.guard.satisfiable().then_some(path))
    }

    fn action(&mut self, path: &mut Path, span: Span, action: &Action) -> Built<()> {
        if let Some(requires) = &action.requires {
            self.check(path, Code::PreconditionFailed, span, requires)?;
        }
        let before = path.store.clone();
        for &root in &action.modifies {
            self.forget(path, root)?;
        }
        let after = Some((path.store.globals.clone(), path.store.locals.clone()));
        let both = Store { after, ..before };
        path.guard = path.guard.and(&self.eval.truth(&both, &action.action)?)?;
        if action.ensures.is_some() {
            return unsupported("the `ensures` of an operation");
        }
        Ok(())
    }

    /// An arbitrary value from here on: what the variable has after the step.
    fn forget(&mut self, path: &mut Path, root: Root) -> Built<()> {
        if path.free.contains(&root) {
            return unsupported("two arbitrary values of one variable in one step");
        }
        let after = self.store(Copy::Next)?;
        match root {
            Root::Global(id) => path.store.globals[id.index()] = after.globals[id.index()].clone(),
            Root::Local(id) => path.store.locals[id.index()] = after.locals[id.index()].clone(),
        }
        path.free.push(root);
        Ok(())
    }

    fn check(&mut self, path: &mut Path, code: Code, span: Span, cond: &Expr) -> Built<()> {
        let cond = self.eval.truth(&path.store, cond)?;
        self.require(path, code, span, &cond)
    }

    /// Goes wrong unless it holds.
    fn require(&mut self, path: &mut Path, code: Code, span: Span, holds: &Function) -> Built<()> {
        if !path.free.is_empty() {
            return unsupported("a check after an arbitrary value in one step");
        }
        let wrong = path.guard.and(&holds.not()?)?;
        self.wrong.push((Goal { code, span }, wrong));
        path.guard = path.guard.and(holds)?;
        Ok(())
    }

    fn read(&self, path: &Path, place: &Place) -> Built<Value> {
        let mut value = match place.root {
            Root::Global(id) => path.store.globals[id.index()].clone(),
            Root::Local(id) => path.store.locals[id.index()].clone(),
        };
        for key in self.keys(path, place)? {
            let Value::Map(low, elements) = value else { return unsupported("an index") };
            let mut found = elements[0].clone();
            for (element, at) in elements.iter().zip(low..).skip(1) {
                let constants = &self.space().constants;
                let here = constants.equal(&key, &constants.number(at))?;
                found = choose(&here, element, &found)?;
            }
            value = found;
        }
        Ok(value)
    }

    fn is(&self, path: &Path, place: &Place, number: &Number) -> Built<Function> {
        self.eval.equal(&self.read(path, place)?, &Value::Number(number.clone()))
    }

    /// The indices, which must be inside the domains for sure.
    fn keys(&self, path: &Path, place: &Place) -> Built<Vec<Number>> {
        let mut ty = match place.root {
            Root::Global(id) => &self.eval.program.globals[id.index()].ty,
            Root::Local(id) => &self.locals.types[id.index()],
        };
        let mut keys = Vec::new();
        for index in &place.indices {
            let Ty::Map(domain, inner) = ty else { return unsupported("an index") };
            let inside = match (&index.ty, &**domain) {
                (Ty::Range(low, high), Ty::Range(least, most)) => least <= low && high <= most,
                _ => matches!((&index.kind, &**domain),
                    (plato::hir::ExprKind::Int(value), Ty::Range(least, most))
                        if least <= value && value <= most),
            };
            if !inside {
                return unsupported("an index that may be outside the domain");
            }
            let Value::Number(key) = self.eval.value(&path.store, index)? else {
                return unsupported("an index that is no number");
            };
            keys.push(key);
            ty = inner;
        }
        Ok(keys)
    }

    pub(super) fn write(
        &mut self,
        path: &mut Path,
        span: Span,
        writes: Vec<(&Place, Value)>,
    ) -> Built<()> {
        let before = path.clone();
        for (place, value) in writes {
            if path.free.contains(&place.root) {
                return unsupported("an assignment after an arbitrary value in one step");
            }
            self.require_fit(path, span, &place.ty, &value)?;
            let keys = self.keys(&before, place)?;
            let old = match place.root {
                Root::Global(id) => &mut path.store.globals[id.index()],
                Root::Local(id) => &mut path.store.locals[id.index()],
            };
            *old = self.eval.updated(&old.clone(), &keys, &value)?;
        }
        Ok(())
    }

    /// Goes wrong if a number lies outside of its range.
    pub(super) fn require_fit(
        &mut self,
        path: &mut Path,
        span: Span,
        ty: &Ty,
        value: &Value,
    ) -> Built<()> {
        if let (Ty::Range(low, high), Value::Number(number)) = (ty, value) {
            let fits = self.space().constants.within(number, *low, *high)?;
            if !fits.valid() {
                self.require(path, Code::ValueOutOfRange, span, &fits)?;
            }
        }
        Ok(())
    }

    /// The step as a relation: everything after it has the value that the path says.
    pub(super) fn relation(&self, path: &Path, next: Pc) -> Built<Function> {
        let after = self.store(Copy::Next)?;
        // From the last variable on: each equation stands above what is there already, and is used
        // as it is.
        let mut relation = self.unused(Copy::Next)?;
        let globals = after.globals.iter().zip(&path.store.globals);
        let locals = after.locals.iter().zip(&path.store.locals);
        for (new, value) in globals.chain(locals).rev() {
            relation = relation.and(&self.eval.equal(new, value)?)?;
        }
        for &root in &path.free {
            relation = relation.and(&self.in_type(root, &after)?)?;
        }
        Ok(relation.and(&path.guard.and(&self.at(next, Copy::Next)?)?)?)
    }

    /// That slots are zero which the body does not take.
    pub(super) fn unused(&self, copy: Copy) -> Built<Function> {
        let space = self.space();
        let locals = space.private_slots().skip(1);
        let unused = locals.filter(|slot| !self.locals.slots.contains(slot));
        space.zero(unused.flat_map(|slot| space.bits(slot, copy).to_vec()))
    }

    fn in_type(&self, root: Root, store: &Store) -> Built<Function> {
        let (ty, value) = match root {
            Root::Global(id) => {
                (&self.eval.program.globals[id.index()].ty, &store.globals[id.index()])
            }
            Root::Local(id) => (&self.locals.types[id.index()], &store.locals[id.index()]),
        };
        self.has_type(ty, value)
    }

    /// That the bits are a value of the type.
    pub(crate) fn has_type(&self, ty: &Ty, value: &Value) -> Built<Function> {
        let constants = &self.space().constants;
        match (ty, value) {
            (Ty::Range(low, high), Value::Number(number)) => constants.within(number, *low, *high),
            (Ty::Enum(id), Value::Number(number)) => {
                let count = self.eval.program.enums[id.index()].variants.len();
                constants.within(number, 0, i128::try_from(count).unwrap_or(1) - 1)
            }
            (Ty::Tid, Value::Number(number)) => {
                constants.within(number, 0, i128::from(self.space().threads))
            }
            (Ty::Map(_, inner), Value::Map(_, elements)) => {
                let mut all = constants.yes.clone();
                for element in elements {
                    all = all.and(&self.has_type(inner, element)?)?;
                }
                Ok(all)
            }
            _ => Ok(constants.yes.clone()),
        }
    }
}

fn value_at(
    space: &Space,
    ty: &Ty,
    copy: Copy,
    slots: &mut impl Iterator<Item = usize>,
) -> Built<Value> {
    if let Ty::Map(key, inner) = ty {
        let Ty::Range(low, high) = **key else { return unsupported("a map from other keys") };
        let mut elements = Vec::new();
        for _ in low..=high {
            elements.push(value_at(space, inner, copy, slots)?);
        }
        return Ok(Value::Map(low, elements));
    }
    match slots.next() {
        Some(slot) => space.slot(slot, copy),
        None => unsupported("a variable without bits"),
    }
}
