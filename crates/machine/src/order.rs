//! The order of a specification's actions: which can come after which (first, last and follow sets
//! of a regular expression).

use plato::hir::{Spec, SpecStep};
use std::collections::BTreeSet;

/// What can come next. State 0 is the start, state `a + 1` the one after action `a`.
pub(crate) struct Order {
    /// Per state the actions that can come next.
    next: Vec<BTreeSet<usize>>,
    /// The states in which nothing need come any more.
    over: BTreeSet<usize>,
}

/// What is known of a part of a specification.
struct Part {
    /// Whether it may be left out.
    empty: bool,
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
}

impl Order {
    pub(crate) fn of(spec: &Spec) -> Self {
        let mut order =
            Self { next: vec![BTreeSet::new(); spec.actions.len() + 1], over: BTreeSet::new() };
        let whole = order.sequence(&spec.order);
        order.over = whole.last.iter().map(|action| action + 1).collect();
        if whole.empty {
            order.over.insert(0);
        }
        order.next[0] = whole.first;
        order
    }

    /// The actions that can come next.
    pub(crate) fn next(&self, state: usize) -> &BTreeSet<usize> {
        &self.next[state]
    }

    /// Whether nothing need come any more.
    pub(crate) fn may_be_over(&self, state: usize) -> bool {
        self.over.contains(&state)
    }

    fn sequence(&mut self, steps: &[SpecStep]) -> Part {
        let mut whole = Part { empty: true, first: BTreeSet::new(), last: BTreeSet::new() };
        for step in steps {
            let part = self.step(step);
            self.connect(&whole.last, &part.first);
            if whole.empty {
                whole.first.extend(&part.first);
            }
            if !part.empty {
                whole.last.clear();
            }
            whole.last.extend(part.last);
            whole.empty &= part.empty;
        }
        whole
    }

    fn step(&mut self, step: &SpecStep) -> Part {
        match step {
            SpecStep::Action(index) => {
                let own = BTreeSet::from([*index]);
                Part { empty: false, first: own.clone(), last: own }
            }
            SpecStep::Choice(branches) => {
                let mut any = Part { empty: false, first: BTreeSet::new(), last: BTreeSet::new() };
                for branch in branches {
                    let part = self.sequence(branch);
                    any.empty |= part.empty;
                    any.first.extend(part.first);
                    any.last.extend(part.last);
                }
                any
            }
            SpecStep::Optional(inner) => Part { empty: true, ..self.sequence(inner) },
            SpecStep::Repeat(inner) => {
                let part = self.sequence(inner);
                self.connect(&part.last, &part.first);
                Part { empty: true, ..part }
            }
        }
    }

    /// Any of `after` can come after any of `before`.
    fn connect(&mut self, before: &BTreeSet<usize>, after: &BTreeSet<usize>) {
        for action in before {
            self.next[action + 1].extend(after);
        }
    }
}
