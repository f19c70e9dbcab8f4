//! Simple(n) of paper 5, section 1.1, by hand: n threads run
//! `acquire; x := 0; x := x + 1; assert x > 0; release`.

use search::{Effect, Fault, Global, Local, Step, Threads};

/// The program. Stores: 0 is `m = 0, x = 1`; `2 t + 1` and `2 t + 2` are `m = t` with `x = 0` and
/// `x = 1`. Local states are program counters, from 0.
pub(crate) struct Simple {
    pub(crate) threads: usize,
    /// Whether the assertion is wrong: `x > 1`.
    pub(crate) broken: bool,
    /// Whether two threads inside are at fault.
    pub(crate) exclusion: bool,
}

pub(crate) const ASSERTION: Fault = 7;
pub(crate) const TWO_INSIDE: Fault = 8;
pub(crate) const STUCK: Fault = 9;

impl Simple {
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads, broken: false, exclusion: false }
    }
}

fn held(thread: usize, x: u32) -> Global {
    u32::try_from(thread).unwrap() * 2 + 1 + x
}

impl Threads for Simple {
    fn count(&self) -> usize {
        self.threads
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        vec![(0, vec![0; self.threads])]
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let effect = match local {
            0 if global == 0 => Effect::To(held(thread, 1), 1),
            1 => Effect::To(held(thread, 0), 2),
            2 => Effect::To(held(thread, 1), 3),
            3 if self.broken => Effect::Wrong,
            3 => Effect::To(global, 4),
            4 => Effect::To(0, 5),
            _ => return,
        };
        let faults = if effect == Effect::Wrong { vec![ASSERTION] } else { Vec::new() };
        into.push(Step { site: local, effect, faults });
    }

    fn is_idle(&mut self, global: Global, local: Local) -> bool {
        local == 5 || local == 0 && global != 0
    }

    fn is_watched(&mut self, _: usize, _: Global, local: Local) -> bool {
        (1..5).contains(&local)
    }

    fn quorum(&self) -> Option<usize> {
        self.exclusion.then_some(2)
    }

    fn bad(&mut self, _: Global, locals: &[Local]) -> Vec<Fault> {
        let inside = locals.iter().filter(|local| (1..5).contains(*local)).count();
        if inside > 1 { vec![TWO_INSIDE] } else { Vec::new() }
    }

    fn stuck(&mut self, _: Global, locals: &[Local]) -> Vec<Fault> {
        if locals.iter().all(|local| *local == 5) { Vec::new() } else { vec![STUCK] }
    }

    fn canonical(&mut self, global: Global, locals: &mut [Local]) -> (Global, Vec<usize>) {
        let mut order: Vec<usize> = (0..locals.len()).collect();
        order.sort_by_key(|&thread| locals[thread]);
        let mut places = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            places[old] = new;
        }
        let (global, sorted) = self.renamed(global, locals, &places);
        locals.copy_from_slice(&sorted);
        (global, places)
    }

    fn renamed(
        &mut self,
        global: Global,
        locals: &[Local],
        places: &[usize],
    ) -> (Global, Vec<Local>) {
        let mut renamed = locals.to_vec();
        for (old, &new) in places.iter().enumerate() {
            renamed[new] = locals[old];
        }
        let global = match global {
            0 => 0,
            _ => held(places[(global as usize - 1) / 2], (global - 1) % 2),
        };
        (global, renamed)
    }
}
