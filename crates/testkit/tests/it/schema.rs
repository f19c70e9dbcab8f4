//! The part of JSON Schema that the schema of our documents uses. Reading a schema panics at
//! anything else, so that no rule is skipped in silence.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// All rules that a schema makes for a value. References are replaced by what they refer to.
pub(crate) struct Schema(Vec<Rule>);

enum Rule {
    /// The value is of one of these types.
    Type(Vec<Type>),
    /// The value is one of these.
    Enum(Vec<Value>),
    /// A number is at least this.
    Minimum(f64),
    /// The elements of a list follow a schema.
    Items(Schema),
    /// An object has these keys.
    Required(Vec<String>),
    /// An object has no other keys, and the value of each follows its schema.
    Properties(BTreeMap<String, Schema>),
    /// The value follows exactly one of these schemas.
    OneOf(Vec<Schema>),
    /// The value follows the schema of a definition.
    Reference(Schema),
}

/// A type: its name, and whether a value is of it.
type Type = (String, fn(&Value) -> bool);

impl Schema {
    /// Reads a whole schema.
    pub(crate) fn new(root: &Value) -> Self {
        Self::read(root, root)
    }

    /// Reads a part of the schema `root`, which has the definitions.
    fn read(part: &Value, root: &Value) -> Self {
        let read = |part: &Value| Self::read(part, root);
        let mut rules = Vec::new();
        for (keyword, value) in part.as_object().expect("a schema is an object") {
            rules.push(match keyword.as_str() {
                // Definitions are read where they are referred to.
                "$schema" | "$defs" | "title" | "description" => continue,
                "type" if value.is_string() => Rule::Type(vec![ty(value)]),
                "type" => Rule::Type(list(value, ty)),
                "const" => Rule::Enum(vec![value.clone()]),
                "enum" => Rule::Enum(list(value, Value::clone)),
                "minimum" => Rule::Minimum(value.as_f64().expect("a number")),
                "items" => Rule::Items(read(value)),
                "required" => Rule::Required(list(value, text)),
                "properties" => {
                    assert_eq!(part["additionalProperties"], false, "other keys are allowed");
                    let all = value.as_object().expect("an object");
                    Rule::Properties(
                        all.iter().map(|(key, part)| (key.clone(), read(part))).collect(),
                    )
                }
                "additionalProperties" => {
                    assert!(part.get("properties").is_some(), "no keys are allowed");
                    continue;
                }
                "oneOf" => Rule::OneOf(list(value, read)),
                "$ref" => {
                    let place = text(value);
                    let pointer = place.strip_prefix('#').expect("a place in this schema");
                    Rule::Reference(read(root.pointer(pointer).expect("a definition")))
                }
                other => panic!("this validator does not know the keyword `{other}`"),
            });
        }
        Self(rules)
    }

    /// The first fault of a value, if any, with its place.
    pub(crate) fn fault(&self, value: &Value) -> Option<String> {
        self.0.iter().find_map(|rule| rule.fault(value))
    }
}

impl Rule {
    fn fault(&self, value: &Value) -> Option<String> {
        let unless = |is_right: bool, expected: String| {
            (!is_right).then(|| format!(": {value} instead of {expected}"))
        };
        match self {
            Self::Type(types) => {
                let names: Vec<_> = types.iter().map(|(name, _)| name).collect();
                unless(types.iter().any(|(_, is_of)| is_of(value)), format!("{names:?}"))
            }
            Self::Enum(values) => unless(values.contains(value), format!("{values:?}")),
            Self::Minimum(least) => {
                let is_right = value.as_f64().is_none_or(|number| number >= *least);
                unless(is_right, format!("at least {least}"))
            }
            Self::Items(schema) => {
                let mut items = value.as_array().into_iter().flatten().enumerate();
                items.find_map(|(at, item)| Some(format!("/{at}{}", schema.fault(item)?)))
            }
            Self::Required(keys) => {
                let object = value.as_object()?;
                let missing = keys.iter().find(|key| !object.contains_key(*key))?;
                Some(format!(": no key `{missing}`"))
            }
            Self::Properties(properties) => value.as_object()?.iter().find_map(|(key, value)| {
                let Some(schema) = properties.get(key) else {
                    return Some(format!(": unknown key `{key}`"));
                };
                Some(format!("/{key}{}", schema.fault(value)?))
            }),
            Self::OneOf(schemas) => {
                let faults: Vec<_> = schemas.iter().filter_map(|one| one.fault(value)).collect();
                unless(schemas.len() - faults.len() == 1, format!("one of {faults:?}"))
            }
            Self::Reference(schema) => schema.fault(value),
        }
    }
}

fn ty(name: &Value) -> Type {
    let name = text(name);
    let is_of: fn(&Value) -> bool = match name.as_str() {
        "null" => Value::is_null,
        "boolean" => Value::is_boolean,
        "integer" => |value| value.is_i64() || value.is_u64(),
        "number" => Value::is_number,
        "string" => Value::is_string,
        "array" => Value::is_array,
        "object" => Value::is_object,
        other => panic!("this validator does not know the type `{other}`"),
    };
    (name, is_of)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().expect("a list").iter().map(read).collect()
}

/// Checks the fault of a value, which is empty if there is none.
#[track_caller]
fn check(schema: &Value, value: &Value, fault: &str) {
    assert_eq!(Schema::new(schema).fault(value).unwrap_or_default(), fault, "{value}");
}

#[test]
fn types_values_and_bounds() {
    let types = json!({ "type": ["integer", "null"], "minimum": 1 });
    check(&types, &json!(1), "");
    check(&types, &json!(null), "");
    check(&types, &json!(0), ": 0 instead of at least 1");
    check(&types, &json!(1.5), ": 1.5 instead of [\"integer\", \"null\"]");
    check(&types, &json!("1"), ": \"1\" instead of [\"integer\", \"null\"]");
    check(&json!({ "type": "number", "minimum": 0 }), &json!(0.5), "");
    check(&json!({ "enum": ["a", 1] }), &json!(1), "");
    check(&json!({ "enum": ["a", 1] }), &json!(2), ": 2 instead of [String(\"a\"), Number(1)]");
    check(&json!({ "const": true }), &json!(false), ": false instead of [Bool(true)]");
}

#[test]
fn keys_and_elements() {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["texts"],
        "properties": { "texts": { "$ref": "#/$defs/texts" }, "flag": { "type": "boolean" } },
        "$defs": { "texts": { "type": "array", "items": { "type": "string" } } },
    });
    check(&schema, &json!({ "texts": [] }), "");
    check(&schema, &json!({ "texts": ["a"], "flag": true }), "");
    check(&schema, &json!({ "flag": true }), ": no key `texts`");
    check(&schema, &json!({ "texts": [], "other": 1 }), ": unknown key `other`");
    check(&schema, &json!({ "texts": ["a", 1] }), "/texts/1: 1 instead of [\"string\"]");
    check(&schema, &json!({ "texts": {} }), "/texts: {} instead of [\"array\"]");
    check(&schema, &json!([]), ": [] instead of [\"object\"]");
}

#[test]
fn exactly_one() {
    let schema =
        json!({ "oneOf": [{ "type": "number" }, { "type": "integer" }, { "const": null }] });
    check(&schema, &json!(0.5), "");
    check(&schema, &json!(null), "");
    let is_wrong = |value: Value| Schema::new(&schema).fault(&value).is_some();
    assert!(is_wrong(json!(1)), "two of the schemas allow it");
    assert!(is_wrong(json!("a")), "none of the schemas allows it");
}

#[test]
#[should_panic(expected = "does not know the keyword `maximum`")]
fn unknown_keywords_are_no_schema() {
    Schema::new(&json!({ "items": { "maximum": 1 } }));
}

#[test]
#[should_panic(expected = "does not know the type `text`")]
fn unknown_types_are_no_schema() {
    Schema::new(&json!({ "type": ["null", "text"] }));
}

#[test]
#[should_panic(expected = "other keys are allowed")]
fn open_objects_are_no_schema() {
    Schema::new(&json!({ "properties": {} }));
}
