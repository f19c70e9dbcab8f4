//! Values as the user would write them.

use crate::entries::Entries;
use crate::scope::Scope;
use crate::value::Value;
use plato::hir::Ty;

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
            (Value::Opaque(at), Ty::Opaque(id)) => {
                format!("{}#{at}", self.program.opaques[id.index()].name)
            }
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
