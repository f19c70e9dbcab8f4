//! A set of packed states.

/// A packed state. All zero stands for none.
pub(crate) type Packed<const N: usize> = [u64; N];

/// A set of packed states: open addressing, one probe sequence upwards, no wrapping around.
///
/// States are kept mixed (see [`mixed`]): the first word is the hash, so that hashes are computed
/// once and take no room. The home of a state is its hash, scaled to the capacity, and slots are in
/// ascending order, with gaps. So a search for a state that is not there ends as soon as one for a
/// state that is, and the table can grow in place by any factor, in one pass: no second copy is
/// ever held, which is what counts for the largest number of states that fits into memory.
pub(crate) struct Table<const N: usize> {
    slots: Vec<Packed<N>>,
    /// How many homes there are; beyond them are slots for the states that were pushed out of the
    /// last homes.
    capacity: usize,
    len: usize,
    /// States that were looked up lately, by the end of their hash: two steps that commute lead to
    /// the same state soon one after the other, and most lookups are for states that are
    /// known.
    recent: Vec<Packed<N>>,
}

/// The number of states that are looked up together: their memory accesses overlap.
pub(crate) const BATCH: usize = 256;
/// The empty slots beyond the last home, at first. There is always one.
const SPARE: usize = 64;
/// The number of states that are remembered of those looked up lately.
const RECENT: usize = 1 << 12;
/// The number of words of a cache line.
const LINE: usize = 8;

impl<const N: usize> Table<N> {
    pub(crate) fn new() -> Self {
        Self::with_room(0)
    }

    /// A table that holds this number of states before it grows.
    pub(crate) fn with_room(len: usize) -> Self {
        let capacity = ((len + BATCH) * 3 / 2).max(1024);
        Self {
            slots: vec![[0; N]; capacity + SPARE],
            capacity,
            len: 0,
            recent: vec![[0; N]; RECENT],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        ((self.slots.capacity() + RECENT) * size_of::<Packed<N>>()) as u64
    }

    /// All states, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Packed<N>> {
        self.slots.iter().filter(|slot| **slot != [0; N]).map(unmixed)
    }

    /// Adds a state; false if it was there.
    pub(crate) fn insert(&mut self, state: &Packed<N>) -> bool {
        let new = self.insert_mixed(mixed(state));
        self.make_room();
        new
    }

    /// Adds states, and moves those that are new to the end of `new`.
    pub(crate) fn insert_all(&mut self, states: &[Packed<N>], new: &mut Vec<Packed<N>>) {
        for states in states.chunks(BATCH) {
            let mut all = [([0; N], [0; N]); BATCH];
            let mut touched = [0; BATCH];
            let mut count = 0;
            for state in states {
                let mix = mixed(state);
                let recent = &mut self.recent[recent(&mix)];
                all[count] = (mix, *state);
                // A jump that nobody can foresee would cost more than a few superfluous writes.
                count += usize::from(*recent != mix);
                *recent = mix;
            }
            // These loads do not depend on each other, so that the processor waits for all of them
            // at once. Most searches end in the cache line of the home or in the one
            // after.
            for (word, (mix, _)) in touched.iter_mut().zip(&all[..count]) {
                let home = self.home(mix);
                *word = self.slots[home][0] | self.slots[home + LINE][0];
            }
            std::hint::black_box(&touched);
            for (mix, state) in &all[..count] {
                if self.insert_mixed(*mix) {
                    new.push(*state);
                }
            }
            self.make_room();
        }
    }

    #[inline]
    fn insert_mixed(&mut self, mix: Packed<N>) -> bool {
        let home = self.home(&mix);
        for (at, slot) in self.slots[home..].iter().enumerate() {
            if *slot == mix {
                return false;
            }
            if *slot > mix || *slot == [0; N] {
                self.put(home + at, mix);
                return true;
            }
        }
        unreachable!("internal error: a table without an empty slot at its end")
    }

    /// Puts a state into this slot; what stands there and after it moves up to the next gap.
    fn put(&mut self, at: usize, mix: Packed<N>) {
        let mut moving = mix;
        for slot in &mut self.slots[at..] {
            std::mem::swap(slot, &mut moving);
            if moving == [0; N] {
                break;
            }
        }
        self.len += 1;
        if self.slots.last() != Some(&[0; N]) {
            self.slots.extend([[0; N]; SPARE]);
        }
    }

    fn home(&self, mix: &Packed<N>) -> usize {
        scaled(mix[0], self.capacity)
    }

    /// Grows by a quarter above a load of three quarters.
    fn make_room(&mut self) {
        while (self.len + BATCH) * 4 > self.capacity * 3 {
            self.grow();
        }
    }

    /// All states are moved to the end of the longer table, in order, and from there down again,
    /// each to its new home or after the one before it. Those that are still to come take a
    /// slot each beyond the place of this one, so that it is not above the slot that it comes
    /// from, and nothing is overwritten. Homes move apart, so that beyond the last home
    /// there are not more states than before, or one for rounding.
    fn grow(&mut self) {
        let before = self.slots.len();
        let used = self.slots.iter().rposition(|slot| *slot != [0; N]).map_or(0, |last| last + 1);
        let beyond = used.saturating_sub(self.capacity);
        self.capacity += self.capacity.div_ceil(4);
        let end = (self.capacity + beyond + SPARE).max(before);
        self.slots.reserve_exact(end - before);
        self.slots.resize(end, [0; N]);
        let mut from = end;
        for at in (0..used).rev() {
            let mix = std::mem::replace(&mut self.slots[at], [0; N]);
            if mix != [0; N] {
                from -= 1;
                self.slots[from] = mix;
            }
        }
        let mut free = 0;
        for at in from..end {
            let mix = std::mem::replace(&mut self.slots[at], [0; N]);
            let to = self.home(&mix).max(free);
            self.slots[to] = mix;
            free = to + 1;
        }
    }
}

/// A state with the first word scrambled, depending on the others. That can be undone, so that
/// different states stay different, and the state without a bit stays the only one without a bit.
#[inline]
fn mixed<const N: usize>(state: &Packed<N>) -> Packed<N> {
    let mut mix = *state;
    let word = mix[0] ^ rest(state);
    let word = (word ^ (word >> 32)).wrapping_mul(FACTORS[0]);
    let word = (word ^ (word >> 29)).wrapping_mul(FACTORS[1]);
    mix[0] = word ^ (word >> 32);
    mix
}

/// The state that was mixed.
fn unmixed<const N: usize>(mix: &Packed<N>) -> Packed<N> {
    let mut state = *mix;
    let word = mix[0] ^ (mix[0] >> 32);
    let word = word.wrapping_mul(INVERSES[1]);
    let word = word ^ (word >> 29) ^ (word >> 58);
    let word = word.wrapping_mul(INVERSES[0]);
    let word = word ^ (word >> 32);
    state[0] = word ^ rest(mix);
    state
}

/// A hash of all words but the first; 0 if they are.
#[inline]
fn rest<const N: usize>(state: &Packed<N>) -> u64 {
    let mut hash = 0_u64;
    for word in &state[1..] {
        hash = (hash ^ word ^ (word >> 32)).wrapping_mul(FACTORS[0]);
        hash = (hash ^ (hash >> 29)).wrapping_mul(FACTORS[1]);
    }
    hash
}

/// Odd numbers, so that multiplication by them can be undone.
const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9];
/// What undoes it.
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// The number that gives 1 with this odd one. Each round doubles the number of right bits, of which
/// there are three at first.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut right = 3;
    while right < 64 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
}

/// Where a state is remembered for a while.
#[expect(clippy::cast_possible_truncation, reason = "any part of a hash is one")]
fn recent<const N: usize>(mix: &Packed<N>) -> usize {
    mix[0] as usize % RECENT
}

#[expect(clippy::cast_possible_truncation, reason = "the result is below `capacity`")]
fn scaled(hash: u64, capacity: usize) -> usize {
    ((u128::from(hash) * capacity as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::{Table, mixed, unmixed};
    use std::collections::BTreeSet;

    /// A simple generator; its numbers repeat often, because `below` is small.
    fn numbers(seed: u64, below: u64) -> impl Iterator<Item = u64> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below + 1
        })
    }

    #[test]
    fn holds_what_was_inserted_through_many_growths() {
        for below in [10, 5_000, 1_000_000] {
            let mut table: Table<1> = Table::new();
            let mut model = BTreeSet::new();
            for number in numbers(below, below).take(60_000) {
                assert_eq!(table.insert(&[number]), model.insert(number));
            }
            assert_eq!(table.len(), model.len());
            let all: BTreeSet<u64> = table.iter().map(|state| state[0]).collect();
            assert_eq!(all, model);
        }
    }

    #[test]
    fn batches_report_each_new_state_once() {
        let mut table: Table<2> = Table::new();
        let mut model = BTreeSet::new();
        let all: Vec<[u64; 2]> =
            numbers(3, 3_000).zip(numbers(4, 3)).map(|(a, b)| [a, b]).take(50_000).collect();
        for batch in all.chunks(700) {
            let mut new = Vec::new();
            table.insert_all(batch, &mut new);
            let mut expected = Vec::new();
            expected.extend(batch.iter().copied().filter(|state| model.insert(*state)));
            assert_eq!(new, expected);
        }
        assert_eq!(table.len(), model.len());
    }

    #[test]
    fn mixing_can_be_undone() {
        let edges = [0, 1, 2, u64::MAX, 1 << 63, 1 << 32, 0xFFFF_FFFF];
        for (one, other) in numbers(9, 1 << 30).zip(numbers(11, 3)).take(1_000) {
            for word in edges.into_iter().chain([one, one << 31]) {
                assert_eq!(unmixed(&mixed(&[word])), [word]);
                let two = [word, other - 1];
                assert_eq!(unmixed(&mixed(&two)), two);
                assert_eq!(mixed(&two) == [0; 2], two == [0; 2]);
            }
        }
    }

    #[test]
    fn states_that_crowd_the_last_home_find_room() {
        let mut table: Table<1> = Table::new();
        let crowd: Vec<[u64; 1]> = (0..200).map(|below| unmixed(&[u64::MAX - below])).collect();
        assert!(crowd.iter().all(|state| table.insert(state)));
        assert!(!crowd.iter().any(|state| table.insert(state)));
        for number in numbers(5, 100_000).take(50_000) {
            table.insert(&[number]);
        }
        assert!(!crowd.iter().any(|state| table.insert(state)));
    }
}
