//! The thread-modular search with sets of states as decision diagrams (crate `oxidd`): the same
//! rules as in `search`, but the identifier of a thread is a vector of bits like any other, so that
//! a million threads cost little more than ten.
//!
//! The translation of expressions and steps is a second reading of the semantics, for finite
//! numbers. It is compared with the interpreter on random programs: same alarms. What it does not
//! translate it refuses. Programs with procedures are searched with stacks of any depth
//! (`pushdown.rs`).

mod bits;
mod calls;
mod expr;
mod pushdown;
mod space;
mod steps;

use crate::goals::Goal;
use crate::graph::{Graph, Node, Pc, compile};
use bits::{Built, Failure, Function, unsupported};
use calls::locals_of;
use diagnostic::Code;
use expr::{Eval, Store};
use oxidd::util::SatCountCache;
use oxidd::util::num::F64;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst};
use plato::hir::{BoundId, Expr, ExprKind, LabelId, NeverKind, Program, Quantifier, Ty};
use search::Budget;
use space::{Copy, Locals, Space, Value};
use std::collections::BTreeSet;
use std::hash::RandomState;
use steps::{Moves, Steps};
use verdict::StopReason;

/// What a search with decision diagrams found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbolic {
    /// Whether procedures are called, so that the search is one with stacks.
    pub stacks: bool,
    /// How many facts `R` has; with stacks, `P`.
    pub states: u64,
    /// What may go wrong.
    pub alarms: BTreeSet<Goal>,
    /// How many rounds it took.
    pub rounds: usize,
}

/// Searches each thread alone, with these numbers of copies. Error sets over two threads are
/// joined; deadlocks and races are not for this search.
pub fn symbolic(
    program: &Program,
    copies: &[u64],
    budget: &Budget<'_>,
) -> Result<Symbolic, StopReason> {
    search(program, copies, budget).map_err(|failure| match failure {
        Failure::Halted(reason) => reason,
        Failure::Unsupported(what) => StopReason::Unsupported(what),
        Failure::Memory => StopReason::MemoryLimit,
    })
}

fn search(program: &Program, copies: &[u64], budget: &Budget<'_>) -> Built<Symbolic> {
    if program.globals.iter().any(|global| global.guard.is_some()) {
        return unsupported("guarded variables");
    }
    let code = compile(program);
    let mut families = Vec::new();
    let mut next = 1;
    for &count in copies {
        families.push((next, next + count - 1));
        next += count;
    }
    let threads = program.threads.iter().map(|thread| &thread.body);
    let bodies: Vec<Vec<Ty>> = threads
        .chain(program.procs.iter().map(|procedure| &procedure.body))
        .map(|body| body.locals.iter().map(|local| local.ty.clone()).collect())
        .collect();
    let running: BTreeSet<Pc> = code.threads.iter().flat_map(|&pc| code.reachable(pc)).collect();
    let stacks = running.iter().any(|pc| matches!(code.nodes[*pc], Node::Call(..)));
    let space = Space::new(program, next - 1, code.nodes.len(), (&bodies, stacks))?;
    let search = Search { program, code: &code, space: &space, families, running, budget };
    if stacks { search.run_with_stacks() } else { search.run() }
}

struct Search<'a> {
    program: &'a Program,
    code: &'a Graph<'a>,
    space: &'a Space,
    families: Vec<(u64, u64)>,
    /// The places that threads can come to.
    running: BTreeSet<Pc>,
    budget: &'a Budget<'a>,
}

impl Search<'_> {
    /// Fails if the run has to end.
    fn go_on(&self) -> Built<()> {
        self.budget.halted().map_or(Ok(()), |reason| Err(Failure::Halted(reason)))
    }

    fn eval(&self) -> Eval<'_> {
        let (program, space) = (self.program, self.space);
        Eval { program, space, families: &self.families, labels: None }
    }

    fn run(&self) -> Built<Symbolic> {
        let moves = self.moves()?;
        let (reached, rounds) = self.close(&moves)?;
        let alarms = self.alarms(&reached, &moves)?;
        let states = self.count(&reached, &[Copy::Now])?;
        Ok(Symbolic { stacks: false, states, alarms, rounds })
    }

    fn run_with_stacks(&self) -> Built<Symbolic> {
        let moves = self.moves()?;
        let mut resumes = Vec::new();
        for &pc in &self.running {
            resumes.extend(self.steps_at(pc).resume(pc)?);
        }
        let found = self.close_paths(&moves, &resumes)?;
        // Error sets do not depend on what lies below the innermost frames.
        let start = self.space.cube(self.space.all_bits(Copy::Start))?;
        let mut alarms = self.alarms(&found.paths.exists(&start)?, &moves)?;
        alarms.extend(found.alarms);
        let states = self.count(&found.paths, &[Copy::Now, Copy::Start])?;
        Ok(Symbolic { stacks: true, states, alarms, rounds: found.rounds })
    }

    /// The code at a place, with the variables of its body.
    fn steps_at(&self, pc: Pc) -> Steps<'_> {
        let locals = locals_of(self.program, &self.space.locals, self.code.owner(pc));
        Steps::new(self.code, self.eval(), locals)
    }

    fn moves(&self) -> Built<Vec<Moves>> {
        let steps = self.running.iter().filter(|pc| !matches!(self.code.nodes[**pc], Node::Leave));
        steps.map(|&pc| self.go_on().and_then(|()| self.steps_at(pc).moves(pc))).collect()
    }

    /// What goes wrong in a set of states of single threads.
    fn alarms(&self, reached: &Function, moves: &[Moves]) -> Built<BTreeSet<Goal>> {
        let mut alarms = BTreeSet::new();
        for (goal, wrong) in moves.iter().flat_map(|moves| &moves.wrong) {
            if reached.and(wrong)?.satisfiable() {
                alarms.insert(*goal);
            }
        }
        self.whole_states(reached, &mut alarms)?;
        Ok(alarms)
    }

    /// The least `R`: (AG INIT), (AG STEP) and (AG ENV) until nothing is new.
    fn close(&self, moves: &[Moves]) -> Built<(Function, usize)> {
        let now = self.space.cube(self.space.all_bits(Copy::Now))?;
        let private = self.space.cube(self.private_bits())?;
        let shared_now = self.space.cube(self.shared_bits(Copy::Now))?;
        let mut reached = self.initial()?;
        let mut new = reached.clone();
        let mut guarantee = self.space.constants.no.clone();
        let mut environment = self.space.constants.no.clone();
        for round in 1.. {
            let mut next = self.space.constants.no.clone();
            for moves in moves {
                self.go_on()?;
                let step = new.and(&moves.relation)?;
                if !step.satisfiable() {
                    continue;
                }
                next = next.or(&self.back(&step.exists(&now)?)?)?;
                guarantee = guarantee.or(&step.exists(&private)?)?;
            }
            let others = self.others(&guarantee)?;
            // New steps of others are for all that is known, old ones for what is new.
            let changed = others != environment;
            environment = others;
            let from = if changed { reached.or(&new)? } else { new.clone() };
            let moved = from.apply_exists(BooleanOperator::And, &environment, &shared_now)?;
            next = next.or(&self.back_shared(&moved)?)?;
            new = next.and(&reached.not()?)?;
            if !new.satisfiable() {
                return Ok((reached, round));
            }
            reached = reached.or(&new)?;
        }
        unreachable!("internal error: a loop without end has ended")
    }

    /// (AG INIT)
    fn initial(&self) -> Built<Function> {
        let constants = &self.space.constants;
        let mut all = constants.no.clone();
        for (at, &(first, last)) in self.families.iter().enumerate() {
            let steps = self.steps_at(self.code.threads[at]);
            let store = steps.store(Copy::Now)?;
            let mut start = steps.at(self.code.threads[at], Copy::Now)?;
            let tid = &self.space.tid[0];
            start = start.and(&constants.within(tid, i128::from(first), i128::from(last))?)?;
            for (global, value) in self.program.globals.iter().zip(&store.globals) {
                start = start.and(&steps.has_type(&global.ty, value)?)?;
            }
            for init in &self.program.inits {
                start = start.and(&self.init(&store, &init.expr)?)?;
            }
            let locals = self.space.shared + 1..self.space.slot_count();
            start = start.and(&self.space.zero(self.space.bits_of(locals, Copy::Now))?)?;
            all = all.or(&start)?;
        }
        Ok(all)
    }

    /// `map == [_ => v]` is the one way in which whole maps are written down.
    fn init(&self, store: &Store, expr: &Expr) -> Built<Function> {
        if let ExprKind::Binary(plato::hir::BinaryOp::Eq, left, right) = &expr.kind
            && let ExprKind::ConstMap(value) = &right.kind
            && let Value::Map(_, elements) = self.eval().value(store, left)?
        {
            let value = self.eval().value(store, value)?;
            let mut all = self.space.constants.yes.clone();
            for element in &elements {
                all = all.and(&self.eval().equal(element, &value)?)?;
            }
            return Ok(all);
        }
        self.eval().truth(store, expr)
    }

    /// What others do to a thread: steps of `G` by somebody else.
    fn others(&self, guarantee: &Function) -> Built<Function> {
        let [tid, other] = &self.space.tid;
        let by_other = substituted(guarantee, &self.space.tid_bits[0], other)?;
        let same = self.space.constants.equal(tid, other)?;
        let cube = self.space.cube(self.space.tid_bits[1].iter().copied())?;
        Ok(by_other.apply_exists(BooleanOperator::And, &same.not()?, &cube)?)
    }

    /// Invariants, and error sets with and without `at`.
    fn whole_states(&self, reached: &Function, alarms: &mut BTreeSet<Goal>) -> Built<()> {
        let nothing = Locals::default();
        let steps = Steps::new(self.code, self.eval(), &nothing);
        let store = steps.store(Copy::Now)?;
        for invariant in &self.program.invariants {
            let holds = self.eval().truth(&store, &invariant.expr)?;
            if reached.and(&holds.not()?)?.satisfiable() {
                alarms.insert(Goal { code: Code::InvariantBroken, span: invariant.span });
            }
        }
        for never in &self.program.nevers {
            let NeverKind::Formula(expr) = &never.kind else {
                return unsupported("deadlocks and races");
            };
            if self.is_met(reached, &store, expr)? {
                alarms.insert(Goal { code: Code::NeverReached, span: never.span });
            }
        }
        Ok(())
    }

    /// Whether some store, or some pair of threads at one, satisfies the formula.
    fn is_met(&self, reached: &Function, store: &Store, expr: &Expr) -> Built<bool> {
        let (binders, body) = match &expr.kind {
            ExprKind::Quantified(Quantifier::Exists, binders, body) => {
                (binders.as_slice(), &**body)
            }
            _ => (&[][..], expr),
        };
        let threads: Vec<BoundId> = binders
            .iter()
            .copied()
            .filter(|binder| self.program.bounds[binder.index()].ty == Ty::Tid)
            .collect();
        if threads.is_empty() {
            let holds = self.eval().truth(store, expr)?;
            return Ok(reached.and(&holds)?.satisfiable());
        }
        if threads.len() != binders.len()
            || threads.len() > 2
            || !threads.iter().all(|thread| is_placed(body, *thread))
        {
            return unsupported("an error set of this form");
        }
        let where_is = |thread: BoundId, labels: &[LabelId]| {
            let copy = if threads.first() == Some(&thread) { Copy::Now } else { Copy::Other };
            self.at_labels(labels, copy)
        };
        let eval = Eval { labels: Some(&where_is), ..self.eval() };
        let mut inner = store.clone();
        for (&thread, tid) in threads.iter().zip(&self.space.tid) {
            inner.bound.push((thread, Value::Number(tid.clone())));
        }
        let holds = eval.truth(&inner, body)?;
        let mut together = reached.and(&holds)?;
        if threads.len() == 2 {
            let second = substituted(reached, &self.space.tid_bits[0], &self.space.tid[1])?;
            let second = self.moved(&second, Copy::Now, Copy::Other, false)?;
            together = together.and(&second)?;
            // One thread is not two, and cannot be at two places.
            let same = self.space.constants.equal(&self.space.tid[0], &self.space.tid[1])?;
            together = together.and(&same.not()?)?;
            if !is_apart(body) {
                return unsupported("an error set whose threads may be the same");
            }
        }
        Ok(together.satisfiable())
    }

    fn at_labels(&self, labels: &[LabelId], copy: Copy) -> Built<Function> {
        let nothing = Locals::default();
        let steps = Steps::new(self.code, self.eval(), &nothing);
        let mut some = self.space.constants.no.clone();
        for pc in 0..self.code.nodes.len() {
            if self.code.labels(pc).iter().any(|label| labels.contains(label)) {
                some = some.or(&steps.at(pc, copy)?)?;
            }
        }
        Ok(some)
    }

    fn shared_bits(&self, copy: Copy) -> Vec<u32> {
        self.space.bits_of(self.space.shared_slots(), copy)
    }

    /// The place and the locals, before and after.
    fn private_bits(&self) -> Vec<u32> {
        let bits = |copy| self.space.bits_of(self.space.private_slots(), copy);
        [bits(Copy::Now), bits(Copy::Next)].concat()
    }

    /// The state after becomes the state before.
    fn back(&self, set: &Function) -> Built<Function> {
        self.moved(set, Copy::Next, Copy::Now, true)
    }

    fn back_shared(&self, set: &Function) -> Built<Function> {
        let (from, to) = (self.shared_bits(Copy::Next), self.shared_bits(Copy::Now));
        self.renamed(set, &from, &to)
    }

    /// All slots, or only those that are not shared, under other numbers.
    fn moved(&self, set: &Function, from: Copy, to: Copy, shared: bool) -> Built<Function> {
        let first = if shared { 0 } else { self.space.shared };
        let slots = first..self.space.slot_count();
        let bits = |copy| self.space.bits_of(slots.clone(), copy);
        self.renamed(set, &bits(from), &bits(to))
    }

    fn renamed(&self, set: &Function, from: &[u32], to: &[u32]) -> Built<Function> {
        let mut variables = Vec::new();
        for &bit in to {
            variables.push(self.space.variable(bit)?);
        }
        substituted(set, from, &variables)
    }

    /// How many members the set has, which depends on these copies only. All other bits are fixed,
    /// so that they do not count.
    fn count(&self, set: &Function, copies: &[Copy]) -> Built<u64> {
        let unused = self.space.copies().filter(|copy| !copies.contains(copy));
        let unused = unused.flat_map(|copy| self.space.all_bits(copy));
        let other = self.space.tid_bits[1].iter().copied();
        let set = set.and(&self.space.zero(unused.chain(other))?)?;
        // All bits together have more values than a `u64` can count; a float is exact as long as
        // the answer is below 2^53.
        let mut cache: SatCountCache<F64, RandomState> = SatCountCache::default();
        let count = set.sat_count(self.space.variables, &mut cache).0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        Ok(count.round() as u64)
    }
}

/// Whether a conjunct says where the thread is, so that it is a thread at all.
fn is_placed(body: &Expr, thread: BoundId) -> bool {
    let is_at = |expr: &Expr| matches!(&expr.kind, ExprKind::At(who, _) if matches!(who.kind, ExprKind::Bound(id) if id == thread));
    let conjuncts: &[Expr] = match &body.kind {
        ExprKind::And(all) => all,
        _ => std::slice::from_ref(body),
    };
    conjuncts.iter().any(|conjunct| match &conjunct.kind {
        ExprKind::Or(all) => all.iter().all(is_at),
        _ => is_at(conjunct),
    })
}

/// Whether a conjunct says that two threads differ.
fn is_apart(body: &Expr) -> bool {
    let ExprKind::And(conjuncts) = &body.kind else { return false };
    conjuncts.iter().any(|conjunct| {
        matches!(&conjunct.kind, ExprKind::Binary(plato::hir::BinaryOp::Ne, left, right)
            if matches!((&left.kind, &right.kind), (ExprKind::Bound(_), ExprKind::Bound(_))))
    })
}

fn substituted(set: &Function, from: &[u32], to: &[Function]) -> Built<Function> {
    Ok(set.substitute(&Subst::new(from.to_vec(), to.to_vec()))?)
}
