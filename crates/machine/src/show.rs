//! Values as the user would write them.

use crate::entries::Entries;
use crate::scope::Scope;
use crate::value::{Value, lookup};
use plato::hir::{Const, OpaqueId, Ty};

/// Longer texts are cut.
const MAX_LENGTH: usize = 80;

impl Scope<'_> {
    /// The value as the user would write it, cut if it is very long.
    pub fn show(&self, value: &Value, ty: &Ty) -> String {
        let text = self.whole(value, ty);
        if text.chars().count() <= MAX_LENGTH {
            return text;
        }
        let cut: String = text.chars().take(MAX_LENGTH - 3).collect();
        format!("{cut}...")
    }

    fn whole(&self, value: &Value, ty: &Ty) -> String {
        match (value, ty) {
            (Value::Unset, _) => "?".to_owned(),
            (Value::Bool(value), _) => value.to_string(),
            (Value::Int(value), _) => value.to_string(),
            (Value::Variant(at), Ty::Enum(id)) => {
                self.program.enums[id.index()].variants[*at as usize].to_string()
            }
            (Value::Variant(at), _) => format!("variant {at}"),
            (Value::Tid(0), _) => "0".to_owned(),
            (Value::Tid(tid), _) => self.thread_name(*tid as usize - 1),
            (Value::Opaque(at), Ty::Opaque(id)) => self.object(*at, *id),
            (Value::Opaque(at), _) => format!("value {at}"),
            (Value::Set(all), ty) => {
                let element = if let Ty::Set(element) = ty { element } else { ty };
                let all: Vec<String> = all.iter().map(|one| self.whole(one, element)).collect();
                format!("{{{}}}", all.join(", "))
            }
            (Value::Map(default, entries), Ty::Map(key, inner)) => {
                self.map(default.as_deref(), entries, (key, inner))
            }
            (Value::Map(..), _) => "a map".to_owned(),
        }
    }

    /// The name of a value of an uninterpreted type: that of a constant, or a number with the name
    /// of its type, or with what the map that names the values of the type says of it.
    fn object(&self, at: u32, id: OpaqueId) -> String {
        let mut constants = self.program.consts.iter().zip(&self.consts);
        let is_it = |(constant, value): &(&Const, &Value)| {
            constant.ty == Ty::Opaque(id) && **value == Value::Opaque(at)
        };
        if let Some((constant, _)) = constants.find(is_it) {
            return constant.name.to_string();
        }
        let opaque = &self.program.opaques[id.index()];
        let named = opaque.naming.and_then(|naming| {
            let Ty::Map(_, inner) = &self.program.consts[naming.index()].ty else { return None };
            let variant = lookup(&self.consts[naming.index()], &Value::Opaque(at))?;
            Some(self.whole(variant, inner))
        });
        format!("{}#{at}", named.unwrap_or_else(|| opaque.name.to_string()))
    }

    /// A variable with its value, or with those of its cells if it is a map over an uninterpreted
    /// type.
    pub(crate) fn cells(&self, name: &str, value: &Value, ty: &Ty) -> Vec<(String, String)> {
        match (value, ty) {
            (Value::Map(None, entries), Ty::Map(key, inner)) if matches!(**key, Ty::Opaque(_)) => {
                let cell = |(at, value): (&Value, &Value)| {
                    self.cells(&format!("{name}[{}]", self.show(at, key)), value, inner)
                };
                entries.iter().flat_map(cell).collect()
            }
            _ => vec![(name.to_owned(), self.show(value, ty))],
        }
    }

    /// The entries that differ from the most frequent value, and that value.
    fn map(&self, default: Option<&Value>, entries: &Entries, (key_ty, ty): (&Ty, &Ty)) -> String {
        let count = |value: &Value| entries.values().filter(|other| *other == value).count();
        let default = default.or_else(|| entries.values().max_by_key(|value| count(value)));
        let others = entries.iter().filter(|(_, value)| Some(*value) != default);
        let show = |(key, value): (&Value, &Value)| {
            format!("{} => {}", self.whole(key, key_ty), self.whole(value, ty))
        };
        let mut parts: Vec<String> = others.map(show).collect();
        parts.extend(default.map(|value| format!("_ => {}", self.whole(value, ty))));
        format!("[{}]", parts.join(", "))
    }
}
