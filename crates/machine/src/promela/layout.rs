//! Variables of the model: a scalar, or an array for a map or a set.

use super::term::{Term, op};
use crate::scope::Scope;
use crate::value::Value;
use plato::hir::Ty;
use std::collections::BTreeSet;

/// A variable of the model. A map is an array with an element for every key, a set one of truth
/// values; nested maps have one element for every list of keys.
#[derive(Clone, Debug)]
pub(super) struct Storage {
    pub(super) name: String,
    /// The keys of each map, outermost first; none for a scalar.
    pub(super) keys: Vec<Keys>,
    /// The type of an element.
    pub(super) ty: Ty,
    /// From the least to the greatest number that an element can be.
    pub(super) range: (i128, i128),
}

/// The keys of a map are numbers in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    pub(super) low: i128,
    pub(super) count: i128,
}

impl Keys {
    pub(super) fn all(self) -> impl Iterator<Item = Term> {
        (self.low..self.low + self.count).map(Term::Int)
    }
}

/// More elements than these are no array any more.
const ELEMENTS: i128 = 10_000;

impl Storage {
    pub(super) fn new(scope: &Scope, name: String, ty: &Ty) -> Result<Self, String> {
        let (keys, ty) = flat(scope, ty).map_err(|why| format!("`{name}`: {why}"))?;
        let count = keys.iter().try_fold(1i128, |all, keys| all.checked_mul(keys.count));
        if count.is_none_or(|count| count > ELEMENTS) {
            return Err(format!("`{name}`: a map with too many keys"));
        }
        let range = numbers(scope, &ty).map_err(|why| format!("`{name}`: {why}"))?;
        Ok(Self { name, keys, ty, range })
    }

    /// Where in the array the element with these keys is.
    pub(super) fn index(&self, keys: &[Term]) -> Term {
        let mut index = Term::Int(0);
        for (keys, key) in self.keys.iter().zip(keys) {
            let own = op("-", key.clone(), Term::Int(keys.low));
            index = op("+", op("*", index, Term::Int(keys.count)), own);
        }
        index
    }

    /// Every list of keys, in the order of the array. One empty list for a scalar.
    pub(super) fn all_keys(&self) -> Vec<Vec<Term>> {
        every_list(&self.keys)
    }

    /// The declaration, with a first value. Locals can be one more than their type has: no value
    /// yet.
    pub(super) fn declaration(&self, is_local: bool, first: &[i128]) -> String {
        let high = self.range.1 + i128::from(is_local);
        let kind = match (self.range.0, high) {
            (0, 1) if self.ty == Ty::Bool => "bool",
            (0, 1) => "bit",
            (0, ..=255) => "byte",
            (-32768.., ..=32767) => "short",
            _ => "int",
        };
        let name = &self.name;
        let size = if self.keys.is_empty() { String::new() } else { format!("[{}]", first.len()) };
        let all: BTreeSet<&i128> = first.iter().collect();
        match all.first() {
            Some(value) if all.len() == 1 => format!("{kind} {name}{size} = {value};"),
            _ => {
                let all: Vec<String> = first.iter().map(ToString::to_string).collect();
                format!("{kind} {name}{size} = {{ {} }};", all.join(", "))
            }
        }
    }

    /// The number that stands for "no value yet" in a local.
    pub(super) fn unset(&self) -> i128 {
        self.range.1 + 1
    }

    /// A value, element by element.
    pub(super) fn elements(&self, value: &Value) -> Result<Vec<i128>, String> {
        self.all_keys().iter().map(|keys| element(value, keys)).collect()
    }
}

fn element(value: &Value, keys: &[Term]) -> Result<i128, String> {
    let Some((key, rest)) = keys.split_first() else {
        return number(value).ok_or_else(|| "a value that is no number".to_owned());
    };
    let is_key = |one: &Value| number(one).map(Term::Int).as_ref() == Some(key);
    match value {
        Value::Set(all) => Ok(i128::from(all.iter().any(is_key))),
        Value::Map(None, entries) => match entries.iter().find(|(one, _)| is_key(one)) {
            Some((_, value)) => element(value, rest),
            None => Err("a map without a value for a key".to_owned()),
        },
        _ => Err("a map with infinitely many keys".to_owned()),
    }
}

/// Every list with one of each of these keys.
pub(super) fn every_list(keys: &[Keys]) -> Vec<Vec<Term>> {
    let mut all: Vec<Vec<Term>> = vec![Vec::new()];
    for keys in keys {
        let longer = |list: &Vec<Term>| {
            let list = list.clone();
            keys.all().map(move |key| [list.as_slice(), &[key]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The number of a value that is no map and no set.
pub(super) fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(value) => Some(i128::from(*value)),
        Value::Int(value) => Some(*value),
        Value::Variant(at) | Value::Tid(at) => Some(i128::from(*at)),
        Value::Unset | Value::Opaque(_) | Value::Set(_) | Value::Map(..) => None,
    }
}

/// The keys of nested maps and sets, and the type of an element.
pub(super) fn flat(scope: &Scope, ty: &Ty) -> Result<(Vec<Keys>, Ty), String> {
    match ty {
        Ty::Map(key, value) => {
            let (mut keys, ty) = flat(scope, value)?;
            keys.insert(0, keys_of(scope, key)?);
            Ok((keys, ty))
        }
        Ty::Set(element) => Ok((vec![keys_of(scope, element)?], Ty::Bool)),
        other => Ok((Vec::new(), other.clone())),
    }
}

fn keys_of(scope: &Scope, ty: &Ty) -> Result<Keys, String> {
    let (low, high) = numbers(scope, ty)?;
    Ok(Keys { low, count: high - low + 1 })
}

/// The least and the greatest number of a type.
pub(super) fn numbers(scope: &Scope, ty: &Ty) -> Result<(i128, i128), String> {
    match ty {
        Ty::Bool => Ok((0, 1)),
        Ty::Range(low, high) if *low < -(1 << 30) || *high > 1 << 30 => {
            Err("numbers of more than 30 bits".to_owned())
        }
        Ty::Range(low, high) => Ok((*low, *high)),
        Ty::Enum(id) => Ok((0, scope.program.enums[id.index()].variants.len() as i128 - 1)),
        Ty::Tid => Ok((0, i128::from(scope.thread_count()))),
        Ty::Int => Err("the type `int` has infinitely many values; give it a range".to_owned()),
        Ty::Opaque(id) => {
            let name = &scope.program.opaques[id.index()].name;
            Err(format!("the type `{name}` is not finite"))
        }
        Ty::Set(_) | Ty::Map(..) => Err("a set or map inside a set".to_owned()),
    }
}
