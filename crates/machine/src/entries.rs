//! The entries of a map.

use crate::value::Value;
use std::sync::Arc;

/// Keys with their values, ordered by key, each key once. Copies share them until one is changed: a
/// step copies the whole store and changes one entry of one map.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entries(Arc<Vec<(Value, Value)>>);

impl Entries {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.position(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, to be changed.
    pub(crate) fn get_mut(&mut self, key: &Value) -> Option<&mut Value> {
        let at = self.position(key).ok()?;
        Some(&mut Arc::make_mut(&mut self.0)[at].1)
    }

    /// Gives a key a value.
    pub(crate) fn insert(&mut self, key: Value, value: Value) {
        match self.position(&key) {
            Ok(at) => Arc::make_mut(&mut self.0)[at].1 = value,
            Err(at) => Arc::make_mut(&mut self.0).insert(at, (key, value)),
        }
    }

    /// Takes a key's value away.
    pub(crate) fn remove(&mut self, key: &Value) {
        if let Ok(at) = self.position(key) {
            Arc::make_mut(&mut self.0).remove(at);
        }
    }

    /// Where a key is, or where it would be.
    fn position(&self, key: &Value) -> Result<usize, usize> {
        self.0.binary_search_by(|(one, _)| one.cmp(key))
    }
}

/// Of several values for one key the last counts.
impl FromIterator<(Value, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(all: I) -> Self {
        let mut entries: Vec<(Value, Value)> = all.into_iter().collect();
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        entries.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                std::mem::swap(&mut later.1, &mut kept.1);
            }
            is_same
        });
        Self(Arc::new(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Entries;
    use crate::value::Value;
    use std::collections::BTreeMap;

    #[test]
    fn behave_like_an_ordered_map() {
        let mut model = BTreeMap::new();
        let mut entries = Entries::default();
        for round in 0_i128..500 {
            let (key, value) = (Value::Int(round * 7 % 13), Value::Int(round));
            if round % 3 == 0 {
                model.remove(&key);
                entries.remove(&key);
            } else {
                model.insert(key.clone(), value.clone());
                entries.insert(key.clone(), value);
            }
            assert_eq!(entries.get(&key), model.get(&key));
            assert!(entries.iter().eq(model.iter()));
        }
        let pairs = [(3, 1), (1, 2), (3, 3), (1, 4), (3, 5)];
        let pairs = pairs.map(|(key, value)| (Value::Int(key), Value::Int(value)));
        let collected: Entries = pairs.iter().cloned().collect();
        assert!(collected.iter().eq(BTreeMap::from(pairs).iter()));
    }

    #[test]
    fn a_change_is_not_seen_in_copies() {
        let one: Entries = [(Value::Int(0), Value::Int(1))].into_iter().collect();
        let mut other = one.clone();
        *other.get_mut(&Value::Int(0)).expect("the key is there") = Value::Int(2);
        assert_eq!(one.get(&Value::Int(0)), Some(&Value::Int(1)));
        assert_ne!(one, other);
    }
}
