//! Thread-modular search, views and exposed threads, against exhaustive exploration.

use crate::simple::{ASSERTION, Simple, TWO_INSIDE};
use search::{
    Alarm, Budget, Effect, Exposed, Fault, Global, Local, Options, Step, Threads, explore,
    thread_modular, views,
};
use std::collections::BTreeSet;

fn faults(alarms: &[Alarm]) -> BTreeSet<Fault> {
    alarms.iter().map(|alarm| alarm.fault).collect()
}

/// Paper 5 prints `R` and `G` for this program: `R` has 4n + 2 members per thread, and `G` four
/// that change the store.
#[test]
fn simple_has_the_facts_of_the_paper() {
    for n in [1, 2, 3, 12, 100] {
        let mut simple = Simple { exclusion: true, ..Simple::new(n) };
        let relations = thread_modular(&mut simple, &Budget::default());
        assert!(relations.is_proof());
        let n = n as u64;
        assert_eq!(relations.states(), 4 * n * n + 2 * n);
        assert_eq!(relations.guarantees(), 4 * n);
    }
}

#[test]
fn what_goes_wrong_is_an_alarm() {
    let mut simple = Simple { broken: true, ..Simple::new(3) };
    let relations = thread_modular(&mut simple, &Budget::default());
    assert_eq!(faults(&relations.alarms), BTreeSet::from([ASSERTION]));
    assert_eq!(faults(&views(&mut simple, &Budget::default()).alarms), BTreeSet::from([ASSERTION]));
}

/// Simple(n) with a mutex that does not know its holder (paper 5, section 1.2). Stores: bit 0 is
/// `x`, bit 1 the mutex.
struct Flag(usize);

impl Threads for Flag {
    fn count(&self) -> usize {
        self.0
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        vec![(1, vec![0; self.0])]
    }

    fn steps(&mut self, _: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let effect = match local {
            0 if global & 2 == 0 => Effect::To(global | 2, 1),
            1 => Effect::To(global & !1, 2),
            2 => Effect::To(global | 1, 3),
            3 if global & 1 == 0 => Effect::Wrong,
            3 => Effect::To(global, 4),
            4 => Effect::To(global & !2, 5),
            _ => return,
        };
        let faults = if effect == Effect::Wrong { vec![ASSERTION] } else { Vec::new() };
        into.push(Step { site: local, effect, faults });
    }

    fn is_watched(&mut self, _: usize, _: Global, local: Local) -> bool {
        (1..5).contains(&local)
    }

    fn quorum(&self) -> Option<usize> {
        Some(2)
    }

    fn bad(&mut self, _: Global, locals: &[Local]) -> Vec<Fault> {
        let inside = locals.iter().filter(|local| (1..5).contains(*local)).count();
        if inside > 1 { vec![TWO_INSIDE] } else { Vec::new() }
    }
}

#[test]
fn a_flag_as_mutex_needs_pairs_or_exposed_places() {
    for n in 2..=4 {
        let relations = thread_modular(&mut Flag(n), &Budget::default());
        assert_eq!(faults(&relations.alarms), BTreeSet::from([ASSERTION, TWO_INSIDE]));
        assert!(views(&mut Flag(n), &Budget::default()).is_proof());
        let mut flag = Flag(n);
        let mut exposed = Exposed::new(&mut flag, (0..n).collect(), true);
        assert!(thread_modular(&mut exposed, &Budget::default()).is_proof());
        // Where the last one is follows; of two, nobody knows which is inside.
        let mut exposed = Exposed::new(&mut flag, (1..n).collect(), true);
        assert!(thread_modular(&mut exposed, &Budget::default()).is_proof());
        let mut exposed = Exposed::new(&mut flag, (2..n).collect(), true);
        assert!(!thread_modular(&mut exposed, &Budget::default()).is_proof());
    }
}

/// A random system: a few stores, local states and steps, the same for every thread or not.
#[derive(Clone)]
struct Table {
    threads: usize,
    steps: Vec<(Option<usize>, Global, Local, Global, Local)>,
    wrong: (Global, Local),
    bad: (Local, Local),
}

impl Table {
    fn random(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |n: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u32::try_from((state >> 33) % u64::from(n)).unwrap()
        };
        let threads = 1 + below(4) as usize;
        let stores = 2 + below(4);
        let count = 4 + below(10);
        let mut steps = Vec::new();
        for _ in 0..count {
            let who = (below(3) > 0).then(|| below(4) as usize);
            steps.push((who, below(stores), below(4), below(stores), below(4)));
        }
        Self { threads, steps, wrong: (below(stores), below(4)), bad: (below(4), below(4)) }
    }
}

impl Threads for Table {
    fn count(&self) -> usize {
        self.threads
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        vec![(0, vec![0; self.threads])]
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        for &(who, before, from, after, to) in &self.steps {
            if who.is_none_or(|who| who == thread) && (before, from) == (global, local) {
                let effect = Effect::To(after, to);
                into.push(Step { site: 0, effect, faults: Vec::new() });
            }
        }
        if self.wrong == (global, local) && thread == 0 {
            into.push(Step { site: 1, effect: Effect::Wrong, faults: vec![1] });
        }
    }

    fn is_watched(&mut self, _: usize, _: Global, local: Local) -> bool {
        local == self.bad.0 || local == self.bad.1
    }

    fn quorum(&self) -> Option<usize> {
        Some(2)
    }

    fn bad(&mut self, _: Global, locals: &[Local]) -> Vec<Fault> {
        let pairs = locals.iter().enumerate().flat_map(|(at, one)| {
            locals
                .iter()
                .enumerate()
                .filter(move |(other, _)| *other != at)
                .map(move |x| (*one, *x.1))
        });
        if pairs.into_iter().any(|pair| pair == self.bad) { vec![2] } else { Vec::new() }
    }
}

/// Visits every state by the rules of section 2.1, with nothing clever.
fn states(table: &mut Table) -> BTreeSet<(Global, Vec<Local>)> {
    let mut seen: BTreeSet<(Global, Vec<Local>)> = table.initial().into_iter().collect();
    let mut rest: Vec<_> = seen.iter().cloned().collect();
    while let Some((global, locals)) = rest.pop() {
        for thread in 0..table.threads {
            let mut steps = Vec::new();
            table.steps(thread, global, locals[thread], &mut steps);
            for step in steps {
                let Effect::To(after, local) = step.effect else { continue };
                let mut locals = locals.clone();
                locals[thread] = local;
                if seen.insert((after, locals.clone())) {
                    rest.push((after, locals));
                }
            }
        }
    }
    seen
}

/// Lemma 1, and its counterpart for views, on random systems; each search knows at least as much as
/// the one before.
#[test]
fn every_reachable_state_is_in_every_abstraction() {
    let all = Options { all: true, ..Options::default() };
    let (mut exact_proofs, mut modular_proofs, mut view_proofs) = (0, 0, 0);
    for seed in 1..1000 {
        let mut table = Table::random(seed);
        let relations = thread_modular(&mut table, &Budget::default());
        let pairs = views(&mut table, &Budget::default());
        let exact = explore(&mut table, &Budget::default(), &all);
        let found: BTreeSet<Fault> = exact.violations.iter().map(|v| v.fault).collect();
        let everything = states(&mut table);
        assert_eq!(exact.states, everything.len() as u64, "seed {seed}");
        for (global, locals) in &everything {
            for (thread, &local) in locals.iter().enumerate() {
                assert!(relations.is_reachable(thread, *global, local), "seed {seed}");
                for (other, &there) in locals.iter().enumerate().filter(|(at, _)| *at != thread) {
                    assert!(
                        pairs.contains(*global, (thread, local), (other, there)),
                        "seed {seed}"
                    );
                }
            }
        }
        assert!(found.is_subset(&faults(&pairs.alarms)), "seed {seed}");
        assert!(faults(&pairs.alarms).is_subset(&faults(&relations.alarms)), "seed {seed}");
        if table.threads <= 2 {
            assert_eq!(found, faults(&pairs.alarms), "seed {seed}: two threads are exact");
        }
        let threads = table.threads;
        let mut exposed = Exposed::new(&mut table, (0..threads).collect(), false);
        let all_exposed = thread_modular(&mut exposed, &Budget::default());
        assert_eq!(found, faults(&all_exposed.alarms), "seed {seed}: all exposed is exact");
        // What is proved has a certificate, and a certificate without one of its facts is none.
        let mut certificate = relations.certificate();
        assert_eq!(certificate.check(&mut table).is_ok(), relations.is_proof(), "seed {seed}");
        if relations.is_proof() {
            let (_, there) = certificate.facts.iter_mut().next_back().unwrap();
            let (_, locals) = there.iter_mut().find(|(_, locals)| !locals.is_empty()).unwrap();
            locals.pop_last();
            assert!(certificate.check(&mut table).is_err(), "seed {seed}");
        }
        exact_proofs += usize::from(found.is_empty());
        view_proofs += usize::from(pairs.is_proof());
        modular_proofs += usize::from(relations.is_proof());
    }
    assert!(modular_proofs < view_proofs && view_proofs <= exact_proofs, "they differ");
}
