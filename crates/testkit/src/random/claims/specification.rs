//! What a body does, as the actions of its specification.

use crate::random::Rng;
use std::fmt::Write as _;

/// A part of a specification.
#[derive(Clone, Debug)]
pub(super) enum Spec {
    /// What may change, and what holds of the step.
    Action(Vec<String>, Vec<String>),
    Choose(Vec<Spec>, Vec<Spec>),
    Optional(Vec<Spec>),
    Repeat(Vec<Spec>),
}

/// The text. Sometimes not quite what the body does.
pub(super) fn spec_text(rng: &mut Rng, specs: &[Spec], text: &mut String) {
    for spec in specs {
        match spec {
            Spec::Action(_, _) if rng.percent(2) => {}
            Spec::Action(changes, parts) => {
                let mut parts = parts.clone();
                if !parts.is_empty() && rng.percent(5) {
                    parts.remove(rng.below(parts.len()));
                }
                if let Some(first) = changes.first().filter(|_| rng.percent(2)) {
                    parts.push(format!("{first} != {first}'"));
                }
                let mut changes = changes.clone();
                changes.sort();
                changes.dedup();
                let changes = if changes.is_empty() {
                    String::new()
                } else {
                    format!(" modifies {}", changes.join(", "))
                };
                let all = if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") };
                let _ = writeln!(text, "  action{changes} ensures {all}");
            }
            Spec::Choose(one, two) => {
                text.push_str("  choose {\n");
                spec_text(rng, one, text);
                text.push_str("  } or {\n");
                spec_text(rng, two, text);
                text.push_str("  }\n");
            }
            Spec::Optional(inner) => block(rng, "optional", inner, text),
            Spec::Repeat(inner) => block(rng, "repeat", inner, text),
        }
    }
}

fn block(rng: &mut Rng, head: &str, inner: &[Spec], text: &mut String) {
    let _ = writeln!(text, "  {head} {{");
    spec_text(rng, inner, text);
    text.push_str("  }\n");
}

/// All actions, without what they say of the result.
pub(super) fn actions(specs: &[Spec], out: &mut Vec<Spec>) {
    for spec in specs {
        match spec {
            Spec::Action(changes, parts) => {
                let silent = parts.iter().filter(|part| !part.starts_with("r == ")).cloned();
                out.push(Spec::Action(changes.clone(), silent.collect()));
            }
            Spec::Choose(one, two) => {
                actions(one, out);
                actions(two, out);
            }
            Spec::Optional(inner) | Spec::Repeat(inner) => actions(inner, out),
        }
    }
}

/// What a call does: an argument for the parameter; about the result nothing is said if the caller does not return it.
pub(super) fn called(specs: &[Spec], argument: &str, returned: bool) -> Vec<Spec> {
    let inner = |specs: &[Spec]| called(specs, argument, returned);
    let one = |spec: &Spec| match spec {
        Spec::Action(changes, parts) => {
            let parts = parts.iter().filter(|part| returned || !part.starts_with("r == "));
            let parts = parts.map(|part| {
                let words = part.split(' ').map(|word| if word == "n" { argument } else { word });
                words.collect::<Vec<_>>().join(" ")
            });
            Spec::Action(changes.clone(), parts.collect())
        }
        Spec::Choose(one, two) => Spec::Choose(inner(one), inner(two)),
        Spec::Optional(all) => Spec::Optional(inner(all)),
        Spec::Repeat(all) => Spec::Repeat(inner(all)),
    };
    specs.iter().map(one).collect()
}
