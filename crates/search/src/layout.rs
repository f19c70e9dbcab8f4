//! Where in a packed state the number of each component lies.

use crate::table::Packed;

/// The bits of each component: the shared store first, then the threads in order. None of them
/// crosses a word.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) fields: Vec<Field>,
}

/// The bits of one component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    word: u32,
    shift: u32,
    /// The greatest number that fits.
    pub(crate) most: u64,
}

impl Layout {
    /// A layout in which each component can be as large as given; nothing if that takes more than
    /// `words` words.
    pub(crate) fn new(most: &[u64], words: usize) -> Option<Self> {
        let mut fields = Vec::with_capacity(most.len());
        let (mut word, mut shift) = (0, 0);
        for &most in most {
            let width = (64 - most.leading_zeros()).max(1);
            if shift + width > 64 {
                (word, shift) = (word + 1, 0);
            }
            if word as usize >= words {
                return None;
            }
            fields.push(Field { word, shift, most: u64::MAX >> (64 - width) });
            shift += width;
        }
        Some(Self { fields })
    }

    /// Whether each component still fits.
    pub(crate) fn fits(&self, most: &[u64]) -> bool {
        self.fields.iter().zip(most).all(|(field, most)| *most <= field.most)
    }

    pub(crate) fn unpack<const N: usize>(&self, state: &Packed<N>, into: &mut Vec<u64>) {
        into.clear();
        into.extend(self.fields.iter().map(|field| field.get(state)));
    }

    pub(crate) fn pack<const N: usize>(&self, parts: &[u64]) -> Packed<N> {
        let mut state = [0; N];
        for (field, part) in self.fields.iter().zip(parts) {
            field.set(&mut state, *part);
        }
        state
    }
}

impl Field {
    #[inline]
    pub(crate) fn get<const N: usize>(self, state: &Packed<N>) -> u64 {
        // The number of words is a power of two, so that this is no change; it spares the check of
        // the index.
        (state[self.word as usize & (N - 1)] >> self.shift) & self.most
    }

    #[inline]
    pub(crate) fn set<const N: usize>(self, state: &mut Packed<N>, part: u64) {
        let word = &mut state[self.word as usize & (N - 1)];
        *word = (*word & !(self.most << self.shift)) | (part << self.shift);
    }
}
