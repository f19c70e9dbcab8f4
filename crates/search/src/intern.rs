//! Numbers for things, handed out as they are met.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// Things and their numbers: equal things have the same number, and numbers count from 0 without
/// gaps.
#[derive(Clone, Debug)]
pub struct Interner<K> {
    items: Vec<K>,
    /// Part of the hash, and number plus one, or 0 where nothing is; as many as a power of two.
    slots: Vec<(u32, u32)>,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { items: Vec::new(), slots: vec![(0, 0); 16] }
    }
}

impl<K: Eq + Hash> Interner<K> {
    /// How many things have a number.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing has a number yet.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The thing with this number.
    pub fn get(&self, number: u32) -> &K {
        &self.items[number as usize]
    }

    /// The number of a thing that was met before.
    pub fn find<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<u32>
    where
        K: Borrow<Q>,
    {
        self.slot(hash(key), key).1
    }

    /// The number of a thing, which is a new one if it was not met before.
    pub fn intern(&mut self, key: K) -> u32 {
        let hash = hash(&key);
        let (slot, found) = self.slot(hash, &key);
        if let Some(number) = found {
            return number;
        }
        self.items.push(key);
        let number = u32::try_from(self.items.len()).expect("internal error: too many numbers");
        self.slots[slot] = (hash, number);
        if self.items.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        number - 1
    }

    /// Where the thing is or would be, and its number.
    fn slot<Q: Eq + ?Sized>(&self, hash: u32, key: &Q) -> (usize, Option<u32>)
    where
        K: Borrow<Q>,
    {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                (_, 0) => return (slot, None),
                (part, number)
                    if part == hash && self.items[number as usize - 1].borrow() == key =>
                {
                    return (slot, Some(number - 1));
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); mask + 1]);
        for (hash, number) in old.into_iter().filter(|(_, number)| *number != 0) {
            let mut slot = hash as usize & mask;
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (hash, number);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "any part of a hash is one")]
fn hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
    let mut mixer = Mixer::default();
    key.hash(&mut mixer);
    mixer.finish() as u32
}

/// A fast hash that is the same in every run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_u128(&mut self, value: u128) {
        let mut halves = [0; 8];
        let bytes = value.to_le_bytes();
        halves.copy_from_slice(&bytes[..8]);
        self.mix(u64::from_le_bytes(halves));
        halves.copy_from_slice(&bytes[8..]);
        self.mix(u64::from_le_bytes(halves));
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn equal_things_share_a_number() {
        let mut names: Interner<String> = Interner::default();
        for round in 0..2 {
            for number in 0..1000u32 {
                assert_eq!(names.intern(format!("name {number}")), number, "round {round}");
            }
        }
        assert_eq!(names.len(), 1000);
        assert_eq!(names.find("name 7"), Some(7));
        assert_eq!(names.find("other"), None);
        assert_eq!(names.get(999), "name 999");
    }
}
