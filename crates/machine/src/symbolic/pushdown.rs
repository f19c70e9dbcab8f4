//! Threads with stacks, with decision diagrams: the rules of paper 5, section 3.1, which stand in
//! `search/src/pushdown.rs`.
//!
//! `P(t, g1,l1, g2,l2)` is a set over the identifier, the copy `Start` (`g1,l1`, the start of a
//! procedure) and the copy `Now`. As with tables, `Q` is not stored: `W(t, g1,l1, f, g2,l3)` says
//! that the procedure that starts in `g2,l3` (copy `Start`) was called from the one that starts in
//! `g1,l1` (copy `Outer`), whose frame `f` (copy `Other`) waits. By (PUSH), (ENV2) and (STEP2)
//!
//! ```text
//! Q(t, g1,l1,f, g,l)  =  W(t, g1,l1, f, g2,l3),  P(t, g2,l3, g,l)      for some g2, l3
//! ```
//!
//! since `P` is closed under (ENV1). So (POP) joins `W` with the paths of `P` that have come to an
//! end. All sets grow and there are finitely many bits, so that the search ends, whatever the depth
//! of stacks. It is sound by Lemma 2 of the paper: the innermost frame of every reachable state, of
//! every thread, has a path in `P`.

use super::bits::{Built, Function};
use super::calls::Resume;
use super::space::{Copy, from_the_last};
use super::steps::Moves;
use super::{Search, substituted};
use crate::goals::Goal;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator};
use std::collections::BTreeSet;

/// What the closure under the rules comes to.
pub(super) struct Closure {
    /// `P`.
    pub(super) paths: Function,
    pub(super) rounds: usize,
    /// What goes wrong where results are written.
    pub(super) alarms: BTreeSet<Goal>,
}

/// The sets so far.
struct Sets {
    /// `P`.
    paths: Function,
    /// What came to `P` in the last round.
    new: Function,
    /// `W`.
    waiting: Function,
    guarantee: Function,
    environment: Function,
    /// Ends of procedures with the frames that wait for them.
    popped: Function,
}

/// Sets of variables, as quantification wants them, and a condition that is often needed.
struct Cubes {
    now: Function,
    start: Function,
    outer: Function,
    private: Function,
    shared_now: Function,
    frame: Function,
    /// That a path has just begun.
    begun: Function,
}

impl Search<'_> {
    /// The least `P`, `W` and `G`.
    pub(super) fn close_paths(&self, moves: &[Moves], resumes: &[Resume]) -> Built<Closure> {
        let space = self.space;
        let no = &space.constants.no;
        let cubes = self.cubes()?;
        // (AG PDA INIT)
        let first = self.initial()?.and(&cubes.begun)?;
        let mut sets = Sets {
            paths: first.clone(),
            new: first,
            waiting: no.clone(),
            guarantee: no.clone(),
            environment: no.clone(),
            popped: no.clone(),
        };
        for round in 1.. {
            let mut next = self.steps(moves, &cubes, &mut sets)?;
            let called = self.push(moves, &cubes, &mut sets, &mut next)?;
            next = next.or(&self.pop(resumes, &cubes, &mut sets, &called)?)?;
            next = next.or(&self.environment(&cubes, &mut sets)?)?;
            sets.new = next.and(&sets.paths.not()?)?;
            if !sets.new.satisfiable() {
                let mut alarms = BTreeSet::new();
                for (goal, wrong) in resumes.iter().flat_map(|resume| &resume.wrong) {
                    if sets.popped.and(wrong)?.satisfiable() {
                        alarms.insert(*goal);
                    }
                }
                return Ok(Closure { paths: sets.paths, rounds: round, alarms });
            }
            sets.paths = sets.paths.or(&sets.new)?;
        }
        unreachable!("internal error: a loop without end has ended")
    }

    /// (AG PDA STEP1)
    fn steps(&self, moves: &[Moves], cubes: &Cubes, sets: &mut Sets) -> Built<Function> {
        let mut next = self.space.constants.no.clone();
        let here = sets.new.exists(&cubes.start)?;
        for moves in moves {
            self.go_on()?;
            let step = here.and(&moves.relation)?;
            if !step.satisfiable() {
                continue;
            }
            sets.guarantee = sets.guarantee.or(&step.exists(&cubes.private)?)?;
            let after = sets.new.apply_exists(BooleanOperator::And, &moves.relation, &cubes.now)?;
            next = next.or(&self.back(&after)?)?;
        }
        Ok(next)
    }

    /// (AG PDA PUSH): what is added to `W`; the starts of the procedures are added to `next`.
    fn push(
        &self,
        moves: &[Moves],
        cubes: &Cubes,
        sets: &mut Sets,
        next: &mut Function,
    ) -> Built<Function> {
        let mut called = self.space.constants.no.clone();
        for moves in moves {
            self.go_on()?;
            let pushed = sets.new.apply_exists(BooleanOperator::And, &moves.push, &cubes.now)?;
            called = called.or(&pushed)?;
        }
        let copies = [(Copy::Start, Copy::Outer), (Copy::Next, Copy::Start)];
        let called = self.with_copies(&called, &copies)?;
        let called = called.and(&sets.waiting.not()?)?;
        sets.waiting = sets.waiting.or(&called)?;
        let starts = called.exists(&cubes.outer)?.exists(&cubes.frame)?;
        *next = next.or(&starts.and(&cubes.begun)?)?;
        Ok(called)
    }

    /// (AG PDA POP): ends that are new for all who wait, and all ends for those who are new.
    fn pop(
        &self,
        resumes: &[Resume],
        cubes: &Cubes,
        sets: &mut Sets,
        called: &Function,
    ) -> Built<Function> {
        let join = |waiting: &Function, paths: &Function| {
            waiting.apply_exists(BooleanOperator::And, paths, &cubes.start)
        };
        let mut next = self.space.constants.no.clone();
        let mut ends = next.clone();
        for resume in resumes {
            ends = ends.or(&resume.ends)?;
        }
        let new = join(&sets.waiting, &sets.new.and(&ends)?)?;
        let ended = new.or(&join(called, &sets.paths.and(&ends)?)?)?;
        sets.popped = sets.popped.or(&ended.exists(&cubes.outer)?)?;
        for resume in resumes {
            let step = ended.and(&resume.relation)?;
            if !step.satisfiable() {
                continue;
            }
            let visible = step.exists(&cubes.outer)?.exists(&cubes.frame)?;
            sets.guarantee = sets.guarantee.or(&visible.exists(&cubes.private)?)?;
            let after = step.exists(&cubes.now)?.exists(&cubes.frame)?;
            let copies = [(Copy::Outer, Copy::Start), (Copy::Next, Copy::Now)];
            next = next.or(&self.with_copies(&after, &copies)?)?;
        }
        Ok(next)
    }

    /// (AG PDA ENV1): new steps of others are for all that is known, old ones for what is new.
    fn environment(&self, cubes: &Cubes, sets: &mut Sets) -> Built<Function> {
        let others = self.others(&sets.guarantee)?;
        let changed = others != sets.environment;
        sets.environment = others;
        let from = if changed { &sets.paths } else { &sets.new };
        let moved =
            from.apply_exists(BooleanOperator::And, &sets.environment, &cubes.shared_now)?;
        self.back_shared(&moved)
    }

    /// That a path has just begun: it is where it started.
    fn has_begun(&self) -> Built<Function> {
        let space = self.space;
        let mut same = space.constants.yes.clone();
        let bits = space.all_bits(Copy::Start).into_iter().zip(space.all_bits(Copy::Now));
        for (start, now) in from_the_last(bits) {
            same = same.and(&space.variable(start)?.equiv(&space.variable(now)?)?)?;
        }
        Ok(same)
    }

    /// The set with copies under other numbers, all at once.
    fn with_copies(&self, set: &Function, copies: &[(Copy, Copy)]) -> Built<Function> {
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for &(old, new) in copies {
            from.extend(self.space.all_bits(old));
            for bit in self.space.all_bits(new) {
                to.push(self.space.variable(bit)?);
            }
        }
        substituted(set, &from, &to)
    }

    fn cubes(&self) -> Built<Cubes> {
        let space = self.space;
        Ok(Cubes {
            now: space.cube(space.all_bits(Copy::Now))?,
            start: space.cube(space.all_bits(Copy::Start))?,
            outer: space.cube(space.all_bits(Copy::Outer))?,
            private: space.cube(self.private_bits())?,
            shared_now: space.cube(self.shared_bits(Copy::Now))?,
            frame: space.cube(space.all_bits(Copy::Other))?,
            begun: self.has_begun()?,
        })
    }
}
