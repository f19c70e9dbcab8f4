//! The actions of a body, as its specification.

use super::LIMIT;
use crate::random::Rng;
use std::fmt::Write as _;

/// A part of a specification.
#[derive(Clone, Debug)]
pub(super) enum Spec {
    /// The variables that may change, and the formulas about the step.
    Action(Vec<String>, Vec<String>),
    Choose(Vec<Spec>, Vec<Spec>),
    Optional(Vec<Spec>),
    Repeat(Vec<Spec>),
}

/// The text. As long as slips are left, it is not quite what the body does.
pub(super) fn spec_text(rng: &mut Rng, slips: &mut usize, specs: &[Spec], text: &mut String) {
    for spec in specs {
        match spec {
            Spec::Action(changes, parts) => {
                let (mut changes, mut parts) = (changes.clone(), parts.clone());
                changes.sort();
                changes.dedup();
                let mut times = 1;
                if *slips > 0 && rng.percent(40) {
                    *slips -= 1;
                    times = slip(rng, &mut changes, &mut parts);
                }
                let changes = if changes.is_empty() {
                    String::new()
                } else {
                    format!(" modifies {}", changes.join(", "))
                };
                for time in 0..times {
                    if time > 0 {
                        another_value(rng, &mut parts);
                    }
                    let all = if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") };
                    let _ = writeln!(text, "  action{changes} ensures {all}");
                }
            }
            Spec::Choose(one, two) => {
                text.push_str("  choose {\n");
                spec_text(rng, slips, one, text);
                text.push_str("  } or {\n");
                spec_text(rng, slips, two, text);
                text.push_str("  }\n");
            }
            Spec::Optional(inner) => block(rng, slips, ("optional", inner), text),
            Spec::Repeat(inner) => block(rng, slips, ("repeat", inner), text),
        }
    }
}

/// Promises something that the body does not do. Returns how often the action is promised.
fn slip(rng: &mut Rng, changes: &mut Vec<String>, parts: &mut Vec<String>) -> usize {
    match rng.below(7) {
        0 | 1 => return 0,
        2 | 3 => return 2,
        4 => {
            changes.pop();
        }
        5 => parts.extend(changes.first().map(|var| format!("{var} == {}", rng.below(LIMIT)))),
        _ => another_value(rng, parts),
    }
    1
}

/// Changes a number at the end of one of the parts.
fn another_value(rng: &mut Rng, parts: &mut [String]) {
    let at = rng.below(parts.len().max(1));
    if let Some(part) = parts.get_mut(at)
        && part.ends_with(|last: char| last.is_ascii_digit())
    {
        part.pop();
        part.push_str(&rng.below(LIMIT).to_string());
    }
}

fn block(rng: &mut Rng, slips: &mut usize, (head, inner): (&str, &[Spec]), text: &mut String) {
    let _ = writeln!(text, "  {head} {{");
    spec_text(rng, slips, inner, text);
    text.push_str("  }\n");
}

/// All actions, without their formulas about the result.
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

/// The actions of a call: an argument replaces the parameter; if the caller does not return the
/// result, nothing is said about it.
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
