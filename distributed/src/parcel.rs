//! One message from a worker to another: stores, each with facts about it, as bytes.

use serde::{Deserialize, Serialize};

/// A message: numbers, contents of states after their length, sets of threads as words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Parcel {
    /// The worker that it is for.
    pub(crate) to: u64,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

impl Parcel {
    pub(crate) fn new(to: u64) -> Self {
        Self { to, bytes: Vec::new() }
    }

    pub(crate) fn put_number(&mut self, number: usize) {
        let number = u32::try_from(number).expect("internal error: a state of 4 GiB");
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) {
        self.put_number(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn put_words(&mut self, words: &[u64]) {
        words.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader(&self.bytes)
    }
}

/// The unread rest of a message. Its methods return `None` where it ends too early.
pub(crate) struct Reader<'p>(&'p [u8]);

impl<'p> Reader<'p> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn number(&mut self) -> Option<usize> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        usize::try_from(u32::from_le_bytes(*first)).ok()
    }

    pub(crate) fn bytes(&mut self) -> Option<&'p [u8]> {
        let length = self.number()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn words(&mut self, into: &mut [u64]) -> Option<()> {
        for word in into {
            let (first, rest) = self.0.split_first_chunk()?;
            self.0 = rest;
            *word = u64::from_le_bytes(*first);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Parcel;

    #[test]
    fn what_is_put_in_comes_out() {
        let mut parcel = Parcel::new(1);
        parcel.put_bytes(&[1, 2, 3]);
        parcel.put_number(7);
        parcel.put_words(&[1 << 63, 5]);
        let mut reader = parcel.reader();
        assert_eq!(reader.bytes(), Some([1, 2, 3].as_slice()));
        assert_eq!(reader.number(), Some(7));
        let mut words = [0; 2];
        assert_eq!(reader.words(&mut words), Some(()));
        assert_eq!(words, [1 << 63, 5]);
        assert!(reader.is_empty());
        assert_eq!((reader.number(), reader.bytes(), reader.words(&mut words)), (None, None, None));
    }
}
