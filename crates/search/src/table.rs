//! A set of packed states.

/// A packed state. All zero stands for none.
pub(crate) type Packed<const N: usize> = [u64; N];

/// A set of packed states: open addressing, one probe sequence upwards, no wrapping around.
///
/// The home of a state is its hash, scaled to the capacity. So states lie ordered by hash, up to short displacements, and
/// the table can grow in place by any factor, in one pass from its end: no second copy is ever held, which is what counts
/// for the largest number of states that fits into memory.
pub(crate) struct Table<const N: usize> {
    slots: Vec<Packed<N>>,
    /// How many homes there are; beyond them are slots for the states that were pushed out of the last homes.
    capacity: usize,
    len: usize,
    /// No state is further from its home.
    displaced: usize,
}

/// So many states are looked up together: their memory accesses overlap.
pub(crate) const BATCH: usize = 256;
/// The slots beyond the last home, at first.
const SPARE: usize = 64;
/// A cache line has so many words.
const LINE: usize = 8;

impl<const N: usize> Table<N> {
    pub(crate) fn new() -> Self {
        Self::with_room(0)
    }

    /// A table that holds so many states before it grows. States from another table come in the order of their hashes, and
    /// all those of the first growths would have their homes in the same few slots.
    pub(crate) fn with_room(len: usize) -> Self {
        let capacity = ((len + BATCH) * 3 / 2).max(1024);
        Self { slots: vec![[0; N]; capacity + SPARE], capacity, len: 0, displaced: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<Packed<N>>()) as u64
    }

    /// All states, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Packed<N>> {
        self.slots.iter().filter(|slot| **slot != [0; N])
    }

    /// Adds a state; false if it was there.
    pub(crate) fn insert(&mut self, state: Packed<N>) -> bool {
        let home = self.home(&state);
        let new = self.insert_from(home, state);
        self.make_room();
        new
    }

    /// Adds states, and moves those that are new to the end of `new`.
    pub(crate) fn insert_all(&mut self, states: &[Packed<N>], new: &mut Vec<Packed<N>>) {
        for states in states.chunks(BATCH) {
            let mut homes = [0; BATCH];
            let mut touched = [0; BATCH];
            for (home, state) in homes.iter_mut().zip(states) {
                *home = self.home(state);
            }
            // These loads do not depend on each other, so that the processor waits for all of them at once. Most
            // searches end in the cache line of the home or in the one after.
            for (word, &home) in touched.iter_mut().zip(&homes[..states.len()]) {
                *word = self.slots[home][0] | self.slots[home + LINE][0];
            }
            std::hint::black_box(&touched);
            for (&home, &state) in homes.iter().zip(states) {
                if self.insert_from(home, state) {
                    new.push(state);
                }
            }
            self.make_room();
        }
    }

    #[inline]
    fn insert_from(&mut self, home: usize, state: Packed<N>) -> bool {
        for (at, slot) in self.slots[home..].iter_mut().enumerate() {
            if *slot == state {
                return false;
            }
            if *slot == [0; N] {
                *slot = state;
                self.len += 1;
                self.displaced = self.displaced.max(at);
                return true;
            }
        }
        self.displaced = self.displaced.max(self.slots.len() - home);
        self.slots.push(state);
        self.slots.extend([[0; N]; SPARE]);
        self.len += 1;
        true
    }

    fn home(&self, state: &Packed<N>) -> usize {
        scaled(hash(state), self.capacity)
    }

    /// Grows by two fifths above a load of three quarters.
    fn make_room(&mut self) {
        while (self.len + BATCH) * 4 > self.capacity * 3 {
            self.grow();
        }
    }

    /// A state at slot `i` has its old home at least at `i - displaced`, and so its new home at least at
    /// `(i - displaced) * 7/5`. From slot `4 * displaced + 4` on that is not below `i`: going down from the end, such a
    /// state moves only to slots that were emptied before. The few states below are set aside first.
    fn grow(&mut self) {
        let displaced = std::mem::take(&mut self.displaced);
        let end = self.slots.len();
        let low = (4 * displaced + 4).min(end);
        let aside: Vec<Packed<N>> =
            self.slots[..low].iter().copied().filter(|slot| *slot != [0; N]).collect();
        self.slots[..low].fill([0; N]);
        self.capacity += (self.capacity * 2).div_ceil(5);
        let wanted = self.capacity + SPARE;
        if wanted > end {
            self.slots.reserve_exact(wanted - end);
            self.slots.resize(wanted, [0; N]);
        }
        for at in (low..end).rev() {
            let state = std::mem::replace(&mut self.slots[at], [0; N]);
            if state != [0; N] {
                self.place(state);
            }
        }
        aside.into_iter().for_each(|state| self.place(state));
    }

    /// Puts a state that is in no slot into one.
    fn place(&mut self, state: Packed<N>) {
        let home = self.home(&state);
        let at = self.slots[home..].iter().position(|slot| *slot == [0; N]);
        let at = at.unwrap_or(self.slots.len() - home);
        if home + at == self.slots.len() {
            self.slots.extend([[0; N]; SPARE]);
        }
        self.slots[home + at] = state;
        self.displaced = self.displaced.max(at);
    }
}

fn hash<const N: usize>(state: &Packed<N>) -> u64 {
    let mut hash = 0u64;
    for word in state {
        hash = (hash ^ word ^ (word >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ (hash >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    hash
}

#[expect(clippy::cast_possible_truncation, reason = "the result is below `capacity`")]
fn scaled(hash: u64, capacity: usize) -> usize {
    ((u128::from(hash) * capacity as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::Table;
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
                assert_eq!(table.insert([number]), model.insert(number));
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
}
