//! Values of a model in the user's words.

use super::Reader;
use gcl::Value;
use logic::{Node, Term};
use plato::hir::{OpaqueId, Ty};

impl Reader<'_> {
    /// The number that a term has in the model.
    pub(super) fn number(&self, term: Term) -> Option<i128> {
        match self.task.terms.node(term) {
            Node::Int(value) => Some(*value),
            Node::Constant(symbol) => match self.constants.get(symbol)? {
                Value::Int(value) => Some(*value),
                _ => None,
            },
            Node::Add(parts) => parts.iter().map(|&part| self.number(part)).sum(),
            Node::Neg(inner) => self.number(*inner).map(|value| -value),
            _ => None,
        }
    }

    pub(super) fn thread_name(&self, number: Option<i128>) -> String {
        let Some(number) = number else { return "this thread".to_owned() };
        if number == 0 {
            return "0".to_owned();
        }
        let numbering = &self.task.numbering;
        let known = u64::try_from(number).ok().and_then(|number| numbering.roll.name_of(number));
        if let Some(name) = known {
            return name;
        }
        for (id, &(low, high)) in &numbering.symbolic {
            if let (Some(low), Some(high)) = (self.number(low), self.number(high))
                && (low..=high).contains(&number)
            {
                let copy = u64::try_from(number - low + 1).unwrap_or(u64::MAX);
                return numbering.roll.name_in(id.index(), copy);
            }
        }
        format!("thread {number}")
    }

    /// The value as the user would write it, cut if it is very long.
    pub(super) fn show(&self, value: &Value, ty: &Ty) -> String {
        const MAX_LENGTH: usize = 80;
        let text = self.show_whole(value, ty);
        if text.chars().count() <= MAX_LENGTH {
            return text;
        }
        let cut: String = text.chars().take(MAX_LENGTH - 3).collect();
        format!("{cut}...")
    }

    fn show_whole(&self, value: &Value, ty: &Ty) -> String {
        match (value, ty) {
            (Value::Int(number), Ty::Tid) => self.thread_name(Some(*number)),
            (Value::Int(number), Ty::Enum(id)) => {
                self.variant(id.index(), *number).unwrap_or_else(|| number.to_string())
            }
            (Value::Int(_) | Value::Opaque(_), Ty::Opaque(id)) => self.object(value, *id),
            (Value::Int(number), _) => number.to_string(),
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Array { default, entries }, Ty::Set(element)) => {
                self.show_set(default, entries, element)
            }
            (Value::Array { default, entries }, Ty::Map(key, inner)) => {
                let mut parts: Vec<String> = entries
                    .iter()
                    .filter(|(_, entry)| entry != &**default)
                    .map(|(at, entry)| {
                        format!("{} => {}", self.show(at, key), self.show(entry, inner))
                    })
                    .collect();
                parts.push(format!("_ => {}", self.show(default, inner)));
                format!("[{}]", parts.join(", "))
            }
            (other, _) => format!("{other}"),
        }
    }

    fn variant(&self, id: usize, number: i128) -> Option<String> {
        let variants = &self.task.numbering.roll.enums[id];
        usize::try_from(number).ok().and_then(|at| variants.get(at)).map(ToString::to_string)
    }

    /// The name of a value of an uninterpreted type: that of a constant, or a number with the name
    /// of its type, or with what the map that names the values of the type says of it.
    fn object(&self, value: &Value, id: OpaqueId) -> String {
        if let Some(name) = self.constant_with(value, id) {
            return name;
        }
        let number = match value {
            Value::Int(number) => number.to_string(),
            Value::Opaque(name) => match name.rsplit_once("!val!") {
                Some((_, number)) => number.to_owned(),
                None => return name.replace('|', ""),
            },
            other => other.to_string(),
        };
        let roll = &self.task.numbering.roll;
        let stem = roll.namings[id.index()].as_ref().and_then(|(map, variants)| {
            let map = self.constant_named(map.as_str())?;
            let Value::Int(variant) = map.at(value)? else { return None };
            self.variant(variants.index(), *variant)
        });
        format!("{}#{number}", stem.unwrap_or_else(|| roll.opaques[id.index()].to_string()))
    }

    /// The first constant of the type with this value.
    fn constant_with(&self, value: &Value, id: OpaqueId) -> Option<String> {
        let shown = |(symbol, other): (&logic::Symbol, &&Value)| {
            let shown = self.task.shown.get(symbol)?;
            (**other == *value && shown.ty == Ty::Opaque(id)).then(|| shown.name.clone())
        };
        self.constants.iter().find_map(shown)
    }

    fn constant_named(&self, name: &str) -> Option<&Value> {
        let is_named = |symbol: &logic::Symbol| {
            self.task.shown.get(symbol).is_some_and(|shown| shown.name == name)
        };
        self.constants.iter().find(|(symbol, _)| is_named(symbol)).map(|(_, value)| *value)
    }

    /// Whether all values of the type have numbers of their own in the model.
    pub(super) fn is_listed(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Opaque(id) if self.task.numbering.roll.sizes[id.index()].is_some())
    }

    fn show_set(&self, default: &Value, entries: &[(Value, Value)], element: &Ty) -> String {
        let everything = *default == Value::Bool(true);
        let names: Vec<String> = entries
            .iter()
            .filter(|(_, entry)| entry != default)
            .map(|(at, _)| self.show(at, element))
            .collect();
        match (everything, names.is_empty()) {
            (false, _) => format!("{{{}}}", names.join(", ")),
            (true, true) => "everything".to_owned(),
            (true, false) => format!("everything but {{{}}}", names.join(", ")),
        }
    }
}
