//! Stores and local states as bytes, for machines that do not share their numbers: in other
//! threads, processes or hosts.
//!
//! Two machines of the same world give the same bytes to the same state, and different bytes to
//! different ones.

pub(crate) mod typed;

use crate::step::Frame;
use crate::tables::{Machine, NONE};
use crate::value::Value;
use search::{Global, Local};

const UNSET: u8 = 0;
const BOOL: u8 = 1;
const INT: u8 = 2;
const VARIANT: u8 = 3;
const TID: u8 = 4;
const OPAQUE: u8 = 5;
const SET: u8 = 6;
const MAP: u8 = 7;
const MAP_WITH_DEFAULT: u8 = 8;

impl Machine<'_> {
    /// Appends what a store is, in bytes.
    pub fn write_store(&self, global: Global, into: &mut Vec<u8>) {
        write_all(self.stores.get(global), into);
    }

    /// The number that a store has here; `None` if the bytes are not those of a store of this
    /// program.
    pub fn store_of(&mut self, content: &[u8]) -> Option<Global> {
        let mut reader = Reader(content);
        let store = reader.values()?;
        let is_store = reader.0.is_empty() && store.len() == self.scope.program.globals.len();
        is_store.then(|| self.stores.intern(store))
    }

    /// Appends what a local state is, in bytes: its frames, innermost first.
    pub fn write_local(&self, local: Local, into: &mut Vec<u8>) {
        let mut rest = Some(local);
        while let Some(local) = rest {
            let (frame, below) = self.top(local);
            let frame = self.frames.get(frame);
            write_number(frame.pc as u128, into);
            write_all(&frame.locals, into);
            rest = below;
        }
    }

    /// The number that a local state has here; `None` if the bytes are not those of a local state
    /// of this program.
    pub fn local_of(&mut self, content: &[u8]) -> Option<Local> {
        let mut reader = Reader(content);
        let mut frames = Vec::new();
        while !reader.0.is_empty() {
            let pc = reader.size().filter(|&pc| pc < self.code.nodes.len())?;
            frames.push(Frame { pc, locals: reader.values()? });
        }
        let mut below = NONE;
        for frame in frames.into_iter().rev() {
            let frame = self.frames.intern(frame);
            below = self.stacks.intern((frame, below, NONE));
        }
        (below != NONE).then_some(below)
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_number(mut number: u128, into: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            into.push(low);
            return;
        }
        into.push(low | 0x80);
    }
}

fn write_all(values: &[Value], into: &mut Vec<u8>) {
    write_number(values.len() as u128, into);
    values.iter().for_each(|value| write(value, into));
}

fn write(value: &Value, into: &mut Vec<u8>) {
    let mut tagged = |tag: u8, number: u128| {
        into.push(tag);
        write_number(number, into);
    };
    match value {
        Value::Unset => into.push(UNSET),
        Value::Bool(value) => tagged(BOOL, u128::from(*value)),
        // Small numbers of either sign are short.
        Value::Int(value) => tagged(INT, ((value << 1) ^ (value >> 127)).cast_unsigned()),
        Value::Variant(number) => tagged(VARIANT, u128::from(*number)),
        Value::Tid(number) => tagged(TID, u128::from(*number)),
        Value::Opaque(number) => tagged(OPAQUE, u128::from(*number)),
        Value::Set(all) => {
            tagged(SET, all.len() as u128);
            all.iter().for_each(|one| write(one, into));
        }
        Value::Map(default, entries) => {
            tagged(if default.is_some() { MAP_WITH_DEFAULT } else { MAP }, entries.len() as u128);
            default.iter().for_each(|value| write(value, into));
            for (key, value) in entries.iter() {
                write(key, into);
                write(value, into);
            }
        }
    }
}

/// What is left to read.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u128> {
        let mut number = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn values(&mut self) -> Option<Vec<Value>> {
        let count = self.size()?;
        (0..count).map(|_| self.value()).collect()
    }

    fn value(&mut self) -> Option<Value> {
        Some(match self.byte()? {
            UNSET => Value::Unset,
            BOOL => Value::Bool(self.number()? != 0),
            INT => {
                let number = self.number()?;
                let sign = -(number & 1).cast_signed();
                Value::Int((number >> 1).cast_signed() ^ sign)
            }
            VARIANT => Value::Variant(self.small()?),
            TID => Value::Tid(self.small()?),
            OPAQUE => Value::Opaque(self.small()?),
            SET => {
                let count = self.size()?;
                Value::Set((0..count).map(|_| self.value()).collect::<Option<_>>()?)
            }
            tag @ (MAP | MAP_WITH_DEFAULT) => {
                let count = self.size()?;
                let default = match tag {
                    MAP => None,
                    _ => Some(Box::new(self.value()?)),
                };
                let entry = |_| Some((self.value()?, self.value()?));
                Value::Map(default, (0..count).map(entry).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, write};
    use crate::value::Value;
    use std::collections::BTreeSet;

    fn values() -> Vec<Value> {
        let ints = [0, 1, -1, 63, 64, -64, 300, i128::MAX, i128::MIN].map(Value::Int);
        let set = Value::Set(BTreeSet::from([Value::Tid(3), Value::Tid(200)]));
        let entries = [(Value::Variant(1), set.clone()), (Value::Opaque(0), set)];
        let entries: crate::Entries = entries.into_iter().collect();
        let mut all = vec![
            Value::Unset,
            Value::Bool(false),
            Value::Bool(true),
            Value::Set(BTreeSet::new()),
            Value::Map(None, entries.clone()),
            Value::Map(Some(Box::new(Value::Int(7))), entries),
        ];
        all.extend(ints);
        all
    }

    #[test]
    fn values_come_back() {
        let mut seen = BTreeSet::new();
        for value in values() {
            let mut bytes = Vec::new();
            write(&value, &mut bytes);
            let mut reader = Reader(&bytes);
            assert_eq!(reader.value(), Some(value));
            assert!(reader.0.is_empty());
            assert!(seen.insert(bytes));
        }
    }

    #[test]
    fn half_a_value_is_none() {
        for value in values() {
            let mut bytes = Vec::new();
            write(&value, &mut bytes);
            bytes.pop();
            assert_eq!(Reader(&bytes).value(), None);
        }
        assert_eq!(Reader(&[99]).value(), None);
        assert_eq!(Reader(&[0xff; 40]).number(), None);
    }
}
