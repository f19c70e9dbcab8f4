//! Facts about one store: for each local state the threads that may be in it, as bits.

use search::Local;

/// Local states, each with a set of threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// In order.
    locals: Vec<Local>,
    /// For each local state the words of its set of threads; the caller always gives the same
    /// number.
    bits: Vec<u64>,
}

impl Facts {
    pub(crate) fn is_empty(&self) -> bool {
        self.locals.is_empty()
    }

    /// The number of local states.
    pub(crate) fn len(&self) -> usize {
        self.locals.len()
    }

    /// Every local state with its threads.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Local, &[u64])> {
        let words = self.bits.len().checked_div(self.locals.len()).unwrap_or(1).max(1);
        self.locals.iter().copied().zip(self.bits.chunks(words))
    }

    /// The local states of a thread.
    pub(crate) fn of(&self, thread: usize) -> Vec<Local> {
        let is_there = |bits: &[u64]| bits[thread / 64] & (1 << (thread % 64)) != 0;
        self.iter().filter(|(_, bits)| is_there(bits)).map(|(local, _)| local).collect()
    }

    /// The threads of a local state, none if it is new.
    fn entry(&mut self, local: Local, words: usize) -> &mut [u64] {
        let at = self.locals.binary_search(&local).unwrap_or_else(|at| {
            self.locals.insert(at, local);
            self.bits.splice(at * words..at * words, std::iter::repeat_n(0, words));
            at
        });
        &mut self.bits[at * words..(at + 1) * words]
    }

    /// Adds threads; new ones go to `fresh` as well. Returns how many are new.
    pub(crate) fn add(&mut self, local: Local, threads: &[u64], fresh: &mut Self) -> u64 {
        let known = self.entry(local, threads.len());
        let added: u32 = threads.iter().zip(&*known).map(|(t, k)| (t & !k).count_ones()).sum();
        if added > 0 {
            let fresh = fresh.entry(local, threads.len());
            for ((threads, known), fresh) in threads.iter().zip(known).zip(fresh) {
                *fresh |= threads & !*known;
                *known |= threads;
            }
        }
        u64::from(added)
    }
}

/// The numbers of the bits that are set.
pub(crate) fn numbers(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(at, &word)| {
        (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| at * 64 + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::{Facts, numbers};

    #[test]
    fn only_new_facts_are_fresh() {
        let (mut known, mut fresh) = (Facts::default(), Facts::default());
        assert_eq!(known.add(7, &[0b101, 1], &mut fresh), 3);
        assert_eq!(known.add(3, &[0b1, 0], &mut fresh), 1);
        let mut later = Facts::default();
        assert_eq!(known.add(7, &[0b111, 1], &mut later), 1);
        assert_eq!(later.iter().collect::<Vec<_>>(), [(7, [0b10, 0].as_slice())]);
        assert_eq!(known.of(0), [3, 7]);
        assert_eq!(known.of(64), [7]);
        assert_eq!(known.add(7, &[0b111, 1], &mut later), 0);
        assert_eq!(numbers(&[0b101, 1]).collect::<Vec<_>>(), [0, 2, 64]);
    }
}
