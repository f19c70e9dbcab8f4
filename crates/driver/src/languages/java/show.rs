//! Runs of a translated method in the words of Java: cells of maps are fields of objects, and what
//! the translation added is not shown.

use std::collections::BTreeMap;
use verdict::{Change, Step, StepKind, Trace};

/// Variables of the translation that tell users nothing.
const HIDDEN: [&str; 12] = [
    "shared", "owner", "inheap", "depth", "class", "null", "threadOf", "boxed", "thrown",
    "started", "ended", "maker",
];

/// The run in the words of Java; the names are those of the method's parameters.
pub(super) fn in_java(trace: &Trace, params: &[String]) -> Trace {
    let words = Words { objects: objects(trace), this: this(trace) };
    let initial = trace
        .initial
        .iter()
        .filter_map(|(name, value)| Some((words.place(name)?, words.value(value))));
    let mut steps: Vec<Step> = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        let changes = step.changes.iter().filter(|change| is_told(change, params));
        let changes: Vec<Change> = changes.filter_map(|change| words.change(change)).collect();
        let is_last = at + 1 == trace.steps.len();
        let is_loop = step.kind == StepKind::LoopHead;
        if changes.is_empty() && !is_last && !is_loop {
            continue;
        }
        let told = Step { changes, ..step.clone() };
        match steps.last_mut() {
            // What happens at one place is one line.
            Some(before) if is_same_place(before, &told) => merge(before, told),
            _ => steps.push(told),
        }
    }
    Trace { initial: initial.collect(), steps, ..trace.clone() }
}

/// A parameter has a value from the start; other variables get theirs later.
fn is_told(change: &Change, params: &[String]) -> bool {
    change.old.is_some() || change.name == "this" || params.contains(&change.name)
}

fn is_same_place(one: &Step, other: &Step) -> bool {
    one.lane == other.lane && one.kind == other.kind && one.span == other.span
}

fn merge(before: &mut Step, step: Step) {
    for change in step.changes {
        match before.changes.iter_mut().find(|other| other.name == change.name) {
            Some(other) => other.new = change.new,
            None => before.changes.push(change),
        }
    }
}

/// How objects and variables are named.
struct Words {
    /// `Ref#1` -> `Counter#1`
    objects: BTreeMap<String, String>,
    /// The object whose method runs.
    this: Option<String>,
}

impl Words {
    fn change(&self, change: &Change) -> Option<Change> {
        Some(Change {
            name: self.place(&change.name)?,
            old: change.old.as_ref().map(|old| self.value(old)),
            new: self.value(&change.new),
        })
    }

    /// A variable, or a cell of one, as a place in Java; nothing if it is not shown.
    fn place(&self, name: &str) -> Option<String> {
        let (base, keys) = split(name);
        let is_hidden =
            HIDDEN.contains(&base) || name.contains('$') || keys.first() == Some(&"null");
        if is_hidden || name.contains("[_]") {
            return None;
        }
        let Some((object, rest)) = keys.split_first() else {
            return Some(base.split('~').next().unwrap_or(base).to_owned());
        };
        let is_array = matches!(base, "elements" | "numbers" | "truths");
        // An array as a whole is too much to show, and only arrays have a length.
        if is_array && rest.is_empty() || base == "length" && self.objects.contains_key(*object) {
            return None;
        }
        let object = self.object(object);
        let rest: Vec<String> = rest.iter().map(|key| format!("[{}]", self.value(key))).collect();
        let rest = rest.concat();
        Some(match base {
            _ if is_array => format!("{object}{rest}"),
            "holder" | "length" => format!("{object}.{base}"),
            field => {
                let field = field.rsplit('.').next().unwrap_or(field);
                format!("{object}.{field}{rest}")
            }
        })
    }

    fn object(&self, name: &str) -> String {
        match &self.this {
            Some(this) if this == name => "this".to_owned(),
            _ => self.value(name),
        }
    }

    /// A value, with objects by the names of their classes.
    fn value(&self, value: &str) -> String {
        match self.objects.get(value) {
            Some(name) => name.clone(),
            None => value.replace("Ref#", "object#"),
        }
    }
}

/// `m[a][b]` as `m`, `a` and `b`.
fn split(name: &str) -> (&str, Vec<&str>) {
    let Some(at) = name.find('[') else { return (name, Vec::new()) };
    let keys = name[at + 1..].trim_end_matches(']');
    (&name[..at], keys.split("][").collect())
}

/// The names of objects whose classes are known.
fn objects(trace: &Trace) -> BTreeMap<String, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for (name, value) in &trace.initial {
        let ("class", keys) = split(name) else { continue };
        let (Some(object), Some(class)) = (keys.first(), value.strip_prefix("class ")) else {
            continue;
        };
        if object.starts_with("Ref#") {
            let count = counts.entry(class).or_default();
            *count += 1;
            names.insert((*object).to_owned(), format!("{class}#{count}"));
        }
    }
    names
}

/// The object whose method runs.
fn this(trace: &Trace) -> Option<String> {
    let mut changes = trace.steps.iter().flat_map(|step| &step.changes);
    let changed = changes.rfind(|change| change.name == "this").map(|change| change.new.clone());
    let initial = || trace.initial.iter().find(|(name, _)| name == "this");
    changed.or_else(|| initial().map(|(_, value)| value.clone()))
}

#[cfg(test)]
mod tests {
    use super::{Words, split};
    use std::collections::BTreeMap;

    #[test]
    fn cells_are_fields_of_objects() {
        let objects = BTreeMap::from([("Ref#1".to_owned(), "Node#1".to_owned())]);
        let words = Words { objects, this: Some("Ref#2".to_owned()) };
        assert_eq!(split("elements[Ref#1][3]"), ("elements", vec!["Ref#1", "3"]));
        assert_eq!(words.place("Node.next[Ref#1]").as_deref(), Some("Node#1.next"));
        assert_eq!(words.place("Node.next[Ref#2]").as_deref(), Some("this.next"));
        assert_eq!(words.place("elements[Ref#2][3]").as_deref(), Some("this[3]"));
        assert_eq!(words.place("holder[Ref#1]").as_deref(), Some("Node#1.holder"));
        assert_eq!(words.place("count~2").as_deref(), Some("count"));
        for hidden in ["shared[Ref#1]", "$value", "Node.next[null]", "depth[Ref#1]"] {
            assert_eq!(words.place(hidden), None, "{hidden}");
        }
        assert_eq!(words.value("Ref#1"), "Node#1");
        assert_eq!(words.value("Ref#3"), "object#3");
    }
}
