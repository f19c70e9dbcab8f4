//! The order of a specification's actions as an automaton without silent steps: Glushkov's
//! construction, in which a state is the action performed last, with states put together from which
//! the same can follow.

use plato::hir::{Spec, SpecStep};
use std::collections::{BTreeMap, BTreeSet};

/// The automaton. State 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Automaton {
    /// How many states there are.
    pub(super) states: usize,
    /// From a state, by an action, to a state.
    pub(super) edges: BTreeSet<(usize, usize, usize)>,
    /// The states in which all may be over.
    pub(super) last: BTreeSet<usize>,
}

/// The automaton of a specification.
pub(super) fn automaton(spec: &Spec) -> Automaton {
    of_order(&spec.order, spec.actions.len())
}

fn of_order(order: &[SpecStep], actions: usize) -> Automaton {
    let mut follows = Follows { after: vec![BTreeSet::new(); actions + 1] };
    let last = follows.sequence(order, BTreeSet::from([0]));
    let mut classes: BTreeMap<(&BTreeSet<usize>, bool), usize> = BTreeMap::new();
    let mut class_of = Vec::new();
    for (state, after) in follows.after.iter().enumerate() {
        let next = classes.len();
        class_of.push(*classes.entry((after, last.contains(&state))).or_insert(next));
    }
    let edges = follows.after.iter().enumerate().flat_map(|(state, after)| {
        let class_of = &class_of;
        after.iter().map(move |&action| (class_of[state], action, class_of[action + 1]))
    });
    Automaton {
        states: classes.len(),
        edges: edges.collect(),
        last: last.iter().map(|&state| class_of[state]).collect(),
    }
}

/// Which actions can follow which: at 0 those at the start, at `a + 1` those after action `a`.
struct Follows {
    after: Vec<BTreeSet<usize>>,
}

impl Follows {
    /// Lets the steps follow these states; returns the states they can end in.
    fn sequence(&mut self, steps: &[SpecStep], mut here: BTreeSet<usize>) -> BTreeSet<usize> {
        for step in steps {
            here = self.step(step, here);
        }
        here
    }

    fn step(&mut self, step: &SpecStep, here: BTreeSet<usize>) -> BTreeSet<usize> {
        match step {
            SpecStep::Action(index) => {
                for state in here {
                    self.after[state].insert(*index);
                }
                BTreeSet::from([index + 1])
            }
            SpecStep::Choice(branches) => {
                branches.iter().flat_map(|branch| self.sequence(branch, here.clone())).collect()
            }
            SpecStep::Optional(inner) => {
                let mut ends = self.sequence(inner, here.clone());
                ends.extend(here);
                ends
            }
            SpecStep::Repeat(inner) => {
                let mut ends = here;
                loop {
                    let more = self.sequence(inner, ends.clone());
                    if more.is_subset(&ends) {
                        return ends;
                    }
                    ends.extend(more);
                }
            }
        }
    }
}

/// How many of the marked actions one run can perform at most; `None` if there is no bound.
pub(super) fn most_performed(steps: &[SpecStep], marked: &dyn Fn(usize) -> bool) -> Option<usize> {
    let mut sum = 0;
    for step in steps {
        sum += match step {
            SpecStep::Action(index) => usize::from(marked(*index)),
            SpecStep::Choice(branches) => {
                let all: Option<Vec<usize>> =
                    branches.iter().map(|branch| most_performed(branch, marked)).collect();
                all?.into_iter().max().unwrap_or(0)
            }
            SpecStep::Optional(inner) => most_performed(inner, marked)?,
            SpecStep::Repeat(inner) if most_performed(inner, marked)? == 0 => 0,
            SpecStep::Repeat(_) => return None,
        };
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::{Automaton, SpecStep, most_performed, of_order};

    fn check(order: &[SpecStep], actions: usize, edges: &[(usize, usize, usize)], last: &[usize]) {
        let states = edges.iter().flat_map(|&(from, _, to)| [from, to]).max().unwrap_or(0) + 1;
        let expected = Automaton {
            states,
            edges: edges.iter().copied().collect(),
            last: last.iter().copied().collect(),
        };
        assert_eq!(of_order(order, actions), expected);
    }

    #[test]
    fn one_after_the_other() {
        check(&[SpecStep::Action(0), SpecStep::Action(1)], 2, &[(0, 0, 1), (1, 1, 2)], &[2]);
    }

    #[test]
    fn optional_may_be_left_out() {
        let order = [SpecStep::Optional(vec![SpecStep::Action(0)]), SpecStep::Action(1)];
        check(&order, 2, &[(0, 0, 1), (0, 1, 2), (1, 1, 2)], &[2]);
    }

    #[test]
    fn repeated_leads_back_to_where_it_began() {
        let order = [SpecStep::Repeat(vec![SpecStep::Action(0), SpecStep::Action(1)])];
        check(&order, 2, &[(0, 0, 1), (1, 1, 0)], &[0]);
    }

    #[test]
    fn branches_end_in_one_state() {
        let branches = vec![vec![SpecStep::Action(0)], vec![SpecStep::Action(1)]];
        check(&[SpecStep::Choice(branches)], 2, &[(0, 0, 1), (0, 1, 1)], &[1]);
    }

    #[test]
    fn counts_along_one_run() {
        let both =
            |a, b| SpecStep::Choice(vec![vec![SpecStep::Action(a)], vec![SpecStep::Action(b)]]);
        assert_eq!(most_performed(&[both(0, 1)], &|_| true), Some(1));
        assert_eq!(most_performed(&[both(0, 1), SpecStep::Action(2)], &|_| true), Some(2));
        assert_eq!(most_performed(&[SpecStep::Repeat(vec![SpecStep::Action(0)])], &|_| true), None);
        assert_eq!(
            most_performed(&[SpecStep::Repeat(vec![SpecStep::Action(0)])], &|_| false),
            Some(0)
        );
    }
}
