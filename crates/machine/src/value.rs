//! Values, and which of them a type has in a small world.

use crate::entries::Entries;
use crate::scope::Scope;
use plato::hir::Ty;
use std::collections::BTreeSet;

/// A value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Not chosen yet: a local before its declaration, or a variable while initial stores are made.
    Unset,
    /// Of type `bool`.
    Bool(bool),
    /// Of type `int` or a range.
    Int(i128),
    /// Of an enumeration.
    Variant(u32),
    /// Of type `Tid`; 0 is nobody.
    Tid(u32),
    /// Of an uninterpreted type.
    Opaque(u32),
    /// A set.
    Set(BTreeSet<Value>),
    /// Over a small key type every key has an entry and there is no default; otherwise entries
    /// differ from the default.
    Map(Option<Box<Value>>, Entries),
}

/// The values of a type that are tried.
pub(crate) struct Domain {
    pub(crate) values: Vec<Value>,
    /// Whether there are no others.
    pub(crate) complete: bool,
}

/// Ranges up to this size are tried in full.
const WHOLE_RANGE: u128 = 300;
/// Limit on the values of a set or map that are tried.
const MANY: usize = 300;

/// Each row with each of the values at this position.
pub(crate) fn rows_with(rows: &[Vec<Value>], at: usize, values: &[Value]) -> Vec<Vec<Value>> {
    let mut all = Vec::with_capacity(rows.len() * values.len());
    for row in rows {
        for value in values {
            let mut row = row.clone();
            row[at] = value.clone();
            all.push(row);
        }
    }
    all
}

impl Scope<'_> {
    /// What is tried for a variable of this type.
    pub(crate) fn domain(&self, ty: &Ty) -> Domain {
        let all = |values| Domain { values, complete: true };
        match ty {
            Ty::Bool => all(vec![Value::Bool(false), Value::Bool(true)]),
            Ty::Int => Domain {
                values: self.ints.iter().copied().map(Value::Int).collect(),
                complete: false,
            },
            Ty::Range(low, high) if high.abs_diff(*low) < WHOLE_RANGE => {
                all((*low..=*high).map(Value::Int).collect())
            }
            Ty::Range(low, high) => {
                let some = [*low, low + 1, low + 2, high - 1, *high];
                Domain { values: some.map(Value::Int).to_vec(), complete: false }
            }
            Ty::Enum(id) => {
                let count = self.program.enums[id.index()].variants.len();
                all((0..u32::try_from(count).unwrap_or(0)).map(Value::Variant).collect())
            }
            Ty::Tid => all((0..=self.thread_count()).map(Value::Tid).collect()),
            Ty::Opaque(_) => all(vec![Value::Opaque(0), Value::Opaque(1)]),
            Ty::Set(element) => self.sets(element),
            Ty::Map(key, value) => self.maps(key, value),
        }
    }

    fn sets(&self, element: &Ty) -> Domain {
        let elements = self.domain(element);
        let mut values = vec![Value::Set(BTreeSet::new())];
        for element in elements.values {
            for set in values.clone() {
                let Value::Set(mut set) = set else { continue };
                set.insert(element.clone());
                values.push(Value::Set(set));
            }
            if values.len() > MANY {
                return Domain { values, complete: false };
            }
        }
        Domain { values, complete: elements.complete }
    }

    fn maps(&self, key: &Ty, value: &Ty) -> Domain {
        let (keys, values) = (self.domain(key), self.domain(value));
        let count = u32::try_from(keys.values.len()).ok();
        let count = count.and_then(|keys| values.values.len().checked_pow(keys));
        let mut complete = keys.complete && values.complete;
        let mut maps: Vec<Value> =
            values.values.iter().map(|value| self.constant_map(key, value.clone())).collect();
        if keys.complete && count.is_some_and(|count| count <= MANY) {
            for key_value in keys.values.iter().skip(1) {
                maps = varied(&maps, key_value, &values.values);
            }
        } else {
            complete = false;
            let varied = keys.values.iter().take(3).map(|key| varied(&maps, key, &values.values));
            maps = varied.flatten().collect();
        }
        maps.sort();
        maps.dedup();
        Domain { values: maps, complete }
    }

    /// The map that is this value everywhere.
    pub(crate) fn constant_map(&self, key: &Ty, value: Value) -> Value {
        let keys = self.domain(key);
        if keys.complete {
            Value::Map(None, keys.values.into_iter().map(|key| (key, value.clone())).collect())
        } else {
            Value::Map(Some(Box::new(value)), Entries::default())
        }
    }
}

/// Each map with each value at this key. A constant map is right at the first key already.
fn varied(maps: &[Value], key: &Value, values: &[Value]) -> Vec<Value> {
    let one = |map: &Value, value: &Value| updated(map, key.clone(), value.clone());
    maps.iter().flat_map(|map| values.iter().map(|value| one(map, value))).collect()
}

/// Whether a value lies within a type, ranges in it included.
pub(crate) fn within(value: &Value, ty: &Ty) -> bool {
    match (value, ty) {
        (Value::Int(value), Ty::Range(low, high)) => (low..=high).contains(&value),
        (Value::Set(all), Ty::Set(element)) => all.iter().all(|one| within(one, element)),
        (Value::Map(default, entries), Ty::Map(_, inner)) => {
            default.iter().all(|one| within(one, inner))
                && entries.values().all(|one| within(one, inner))
        }
        _ => true,
    }
}

/// The value of a map at a key of its domain.
pub(crate) fn lookup<'v>(map: &'v Value, key: &Value) -> Option<&'v Value> {
    let Value::Map(default, entries) = map else { return None };
    entries.get(key).or(default.as_deref())
}

/// The map with one entry changed.
pub(crate) fn updated(map: &Value, key: Value, value: Value) -> Value {
    let Value::Map(default, entries) = map else { return map.clone() };
    let mut entries = entries.clone();
    if default.as_deref() == Some(&value) {
        entries.remove(&key);
    } else {
        entries.insert(key, value);
    }
    Value::Map(default.clone(), entries)
}

/// All integers in a value.
pub(crate) fn integers(value: &Value, into: &mut BTreeSet<i128>) {
    match value {
        Value::Int(value) => {
            into.insert(*value);
        }
        Value::Set(all) => all.iter().for_each(|one| integers(one, into)),
        Value::Map(default, entries) => {
            default.iter().for_each(|one| integers(one, into));
            for (key, value) in entries.iter() {
                integers(key, into);
                integers(value, into);
            }
        }
        Value::Unset | Value::Bool(_) | Value::Variant(_) | Value::Tid(_) | Value::Opaque(_) => {}
    }
}
