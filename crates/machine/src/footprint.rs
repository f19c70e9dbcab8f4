//! Steps by what they look at: a step that touches some shared variables only is the same, whatever
//! the others are.
//!
//! For each place in the code its *footprint* is known beforehand: the shared variables that the
//! step there can touch. The interpreter is asked once for each thread, frame and values of the
//! footprint, with all other variables without a value; for every store with these values the
//! changes are repeated. This is no second semantics: if the interpreter misses a variable, its
//! answer is not used.

use crate::graph::{Graph, Node, Pc};
use crate::scope::Scope;
use crate::step::{Effect, Moment};
use crate::tables::{Machine, site};
use crate::value::Value;
use diagnostic::Code;
use plato::hir::{Expr, ExprKind, Program, StmtKind};
use search::{FrameEffect, FrameStep, Global, Interner, Site};
use source::Span;
use std::collections::BTreeSet;

/// A set of shared variables, in the order of their declarations.
type Variables = Vec<usize>;

/// What is known of steps and their footprints.
pub(crate) struct Footprints {
    /// For each place in the code the number of its footprint; `None` if the whole store counts.
    of: Vec<Option<u32>>,
    all: Interner<Variables>,
    /// Store and footprint, and for each such pair the number of the values.
    viewed: Interner<(Global, u32)>,
    views: Vec<u32>,
    values: Interner<Vec<Value>>,
    /// Thread, frame, footprint and its values, and for each what happens; `None` if the whole
    /// store must be looked at.
    asked: Interner<(u32, u32, u32, u32)>,
    answers: Vec<Option<Vec<(Site, Outcome)>>>,
    changes: Interner<Vec<(usize, Value)>>,
    /// Store and changes, and for each such pair the store afterwards.
    changed: Interner<(Global, u32)>,
    stores: Vec<Global>,
}

/// What a step comes to, for all stores alike.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// The number of the changes to the store, the frame, and the frame of a procedure that is
    /// entered.
    Next(u32, u32, Option<u32>),
    Leave,
    Wrong(Code, Span),
}

impl Footprints {
    pub(crate) fn new(scope: &Scope, code: &Graph) -> Self {
        let mut all = Interner::default();
        let footprint = |pc: Pc| Some(all.intern(footprint(scope.program, code, pc)?));
        Self {
            of: (0..code.nodes.len()).map(footprint).collect(),
            all,
            viewed: Interner::default(),
            views: Vec::new(),
            values: Interner::default(),
            asked: Interner::default(),
            answers: Vec::new(),
            changes: Interner::default(),
            changed: Interner::default(),
            stores: Vec::new(),
        }
    }
}

/// What the steps at a place can read or write, and the locks that are looked at for that. Nothing
/// if the whole store counts: for actions and quantifiers values are tried that are found there.
fn footprint(program: &Program, code: &Graph, pc: Pc) -> Option<Variables> {
    let mut found = BTreeSet::new();
    for pc in code.ready(pc) {
        let inside = match &code.nodes[pc] {
            Node::Atomic(_, entry, _) => code.reachable(*entry),
            _ => BTreeSet::from([pc]),
        };
        if !inside.iter().all(|&pc| is_plain(program, &code.nodes[pc])) {
            return None;
        }
        found.extend(code.accesses(program, pc).iter().map(|access| access.global));
    }
    let locks = found.iter().filter_map(|&at| program.globals[at].guard).map(|guard| guard.lock);
    let locks: Vec<usize> = locks.map(plato::hir::GlobalId::index).collect();
    found.extend(locks);
    (found.len() < program.globals.len()).then(|| found.into_iter().collect())
}

/// Whether a step is neither an action nor asks a quantifier.
fn is_plain(program: &Program, node: &Node) -> bool {
    let conditions = |exprs: &[&Expr]| exprs.iter().all(|expr| has_no_quantifier(program, expr));
    match node {
        Node::Op(stmt, _) | Node::Call(stmt, _) | Node::Return(stmt, _) => {
            let indices = stmt.places().into_iter().flat_map(|place| &place.indices);
            !matches!(stmt.kind, StmtKind::Action(_))
                && conditions(&stmt.exprs())
                && conditions(&indices.collect::<Vec<_>>())
        }
        Node::Branch(branch) => conditions(branch.cond.as_slice()),
        Node::Choose(_) | Node::Atomic(..) | Node::Leave | Node::End | Node::Reserved => true,
    }
}

fn has_no_quantifier(program: &Program, expr: &Expr) -> bool {
    let inside = match &expr.kind {
        ExprKind::Quantified(..) => return false,
        ExprKind::Pred { pred, .. } => {
            has_no_quantifier(program, &program.preds[pred.index()].body)
        }
        _ => true,
    };
    inside && expr.children().into_iter().all(|child| has_no_quantifier(program, child))
}

impl Machine<'_> {
    /// The steps of a thread at a store and a frame, by the footprint of the frame's place. Nothing
    /// if that does not tell.
    pub(crate) fn steps_by_footprint(
        &mut self,
        thread: usize,
        global: Global,
        frame: u32,
    ) -> Option<Vec<FrameStep>> {
        // Loop invariants look at the whole store.
        if self.settings.annotations {
            return None;
        }
        let footprint = self.footprints.of[self.frames.get(frame).pc]?;
        let values = self.view(global, footprint);
        let key = (u32::try_from(thread).ok()?, frame, footprint, values);
        let at = match self.footprints.asked.find(&key) {
            Some(at) => at,
            None => {
                let answer = self.outcomes(thread, frame, footprint, values);
                self.footprints.answers.push(answer);
                self.footprints.asked.intern(key)
            }
        };
        let outcomes = self.footprints.answers[at as usize].clone()?;
        let steps = outcomes.into_iter().map(|(site, outcome)| {
            let (effect, faults) = match outcome {
                Outcome::Next(changes, frame, callee) => {
                    let after = self.change(global, changes);
                    let faults = self.step_faults(thread, (global, after), site);
                    let effect = match callee {
                        Some(callee) => FrameEffect::Push { global: after, callee, caller: frame },
                        None => FrameEffect::Next { global: after, frame },
                    };
                    (effect, faults)
                }
                Outcome::Leave => (FrameEffect::Pop, Vec::new()),
                Outcome::Wrong(code, span) => (FrameEffect::Wrong, self.wrong(code, span)),
            };
            FrameStep { site, effect, faults }
        });
        Some(steps.collect())
    }

    /// The number of the values that a store has in a footprint.
    fn view(&mut self, global: Global, footprint: u32) -> u32 {
        let known = &mut self.footprints;
        if let Some(at) = known.viewed.find(&(global, footprint)) {
            return known.views[at as usize];
        }
        let store = self.stores.get(global);
        let values = known.all.get(footprint).iter().map(|&at| store[at].clone()).collect();
        let values = known.values.intern(values);
        known.viewed.intern((global, footprint));
        known.views.push(values);
        values
    }

    /// A store after changes.
    fn change(&mut self, global: Global, changes: u32) -> Global {
        let known = &mut self.footprints;
        if known.changes.get(changes).is_empty() {
            return global;
        }
        if let Some(at) = known.changed.find(&(global, changes)) {
            return known.stores[at as usize];
        }
        let mut store = self.stores.get(global).clone();
        for (at, value) in known.changes.get(changes) {
            store[*at] = value.clone();
        }
        let after = self.stores.intern(store);
        known.changed.intern((global, changes));
        known.stores.push(after);
        after
    }

    /// Asks the interpreter, in a store that has values in the footprint only. A step outside of it
    /// would read a variable without a value, which is an unknown effect; then nothing is said
    /// here.
    fn outcomes(
        &mut self,
        thread: usize,
        frame: u32,
        footprint: u32,
        values: u32,
    ) -> Option<Vec<(Site, Outcome)>> {
        let mut globals = vec![Value::Unset; self.scope.program.globals.len()];
        let known = &self.footprints;
        for (&at, value) in known.all.get(footprint).iter().zip(known.values.get(values)) {
            globals[at] = value.clone();
        }
        let before = Moment { globals, frames: vec![self.frames.get(frame).clone()] };
        let mut found = Vec::new();
        for (pc, effect) in self.stepper(thread).steps(&before) {
            let outcome = match effect {
                Effect::Next(after) => {
                    let pairs = before.globals.iter().zip(after.globals).enumerate();
                    let changed = pairs.filter(|(_, (old, new))| *old != new);
                    let changes = changed.map(|(at, (_, new))| (at, new)).collect();
                    let changes = self.footprints.changes.intern(changes);
                    let mut frames = after.frames.into_iter().map(|one| self.frames.intern(one));
                    let (first, second) = (frames.next()?, frames.next());
                    Outcome::Next(changes, first, second)
                }
                Effect::Leave => Outcome::Leave,
                Effect::Wrong(code, span) => Outcome::Wrong(code, span),
                Effect::Unknown(_) => return None,
            };
            // Two ways to the same end are one step.
            let step = (site(pc), outcome);
            if !found.contains(&step) {
                found.push(step);
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use crate::tables::{Machine, NONE, Settings};
    use crate::{Sizes, worlds};
    use search::{Budget, Options, Threads, explore};

    /// Visits all states; then every step by footprint is the interpreter's. Tells how many there
    /// are.
    fn compared(text: &str) -> usize {
        let mut sources = source::SourceMap::default();
        let file = sources.add("test.plato", text);
        let resolved = plato::resolve(&plato::parse(file, text).0, &[]);
        assert!(resolved.diagnostics.is_empty(), "{:?}", resolved.diagnostics);
        let scope = worlds(&resolved.program, &Sizes::default()).remove(0);
        let mut machine = Machine::new(scope, Settings::default());
        let options = Options { all: true, ..Options::default() };
        let report = explore(&mut machine, &Budget::default(), &options);
        assert_eq!(report.cut, None);
        let (stores, frames) = (machine.stores.len(), machine.frames.len());
        let number = |all: usize| u32::try_from(all).expect("few");
        let mut count = 0;
        for thread in 0..machine.count() {
            for (global, frame) in
                (0..number(stores)).flat_map(|g| (0..number(frames)).map(move |f| (g, f)))
            {
                if let Some(steps) = machine.steps_by_footprint(thread, global, frame) {
                    assert_eq!(steps, machine.interpreted(thread, global, frame, NONE));
                    count += 1;
                }
            }
        }
        count
    }

    #[test]
    fn tell_what_the_interpreter_tells() {
        let forks = "var forks: [0..2]Tid = [_ => 0]; var seats: 0..3 = 0; invariant seats <= 3;
            thread P[3] { var mine: 0..2;
              atomic { assume seats < 3; mine := seats; seats := seats + 1; }
              acquire forks[mine]; release forks[mine]; }";
        assert!(compared(forks) > 100);
        let guarded = "mutex m; var x: 0..3 guarded by m = 0; var y: 0..3 = 0; var z: bool = false;
            thread P { y := y + 1; acquire m; x := x + 1; z := x == y; release m; }
            thread Q { x := 1; assert !z; }";
        assert!(compared(guarded) > 20);
        let calls = "var x, y: 0..3 = 0;
            proc add(by: 0..3) returns (r: 0..3) { y := by; r := (x + by) % 4; }
            thread P[2] { var r: 0..3; r := add(1); x := r; atomic { r := add(x); y := r; } assert y < 3; }";
        assert!(compared(calls) > 20);
        let quantified = "var x, y: 0..3 = 0; var z: int = 0;
            thread P[2] { assume exists i: int :: i > x && i > y; x := 1; y := z; }";
        assert!(compared(quantified) > 5);
    }
}
