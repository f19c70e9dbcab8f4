//! Proposes repairs of a circular wait. A proposal that is simple enough is tried: Rely searches
//! the changed design as well, and calls the proposal checked only if that search sees everything
//! and finds no circular wait.

use crate::design::{ThreadId, UnitId, holds};
use crate::explain::Entailed;
use crate::family::excludes_circles;
use crate::model::{CIRCULAR_WAIT, Model};
use crate::syntax::Formula;
use crate::system::{Policy, System};
use search::{Budget, Options, explore};

/// Limit on the states of the search of a changed design.
const MOST_STATES: u64 = 200_000;
/// Systems with more threads are searched one thread at a time.
const FEW: usize = 8;
/// Limit on the memory of that search, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Proposals, the best first.
pub(crate) fn of_circle(
    system: &System,
    policy: Policy,
    circle: &[(ThreadId, UnitId)],
    entailed: &Entailed<'_>,
) -> Vec<String> {
    let mut help = Vec::new();
    let mut has_checked = false;
    let mut proposed: Vec<(usize, usize, usize)> = Vec::new();
    for (at, &(thread, wanted)) in circle.iter().enumerate() {
        let (_, held) = circle[(at + circle.len() - 1) % circle.len()];
        let Some((by, later)) = entailed(thread, wanted) else { continue };
        let Some((of, earlier)) = entailed(thread, held) else { continue };
        if by == of && later != earlier {
            // Threads of one class get one proposal.
            let proposal = (system.units[by].class, earlier, later);
            if proposed.contains(&proposal) {
                continue;
            }
            proposed.push(proposal);
            let (text, is_checked) = together(system, policy, by, (earlier, later));
            has_checked |= is_checked;
            if !help.contains(&text) {
                help.push(text);
            }
        } else if by != of {
            let text = format!(
                "let the contract of class `{}` name what `{}` will need, so that both are acquired at once",
                system.class(of).name,
                system.class(by).name
            );
            if !help.contains(&text) {
                help.push(text);
            }
        }
        if help.len() == 2 {
            break;
        }
    }
    if policy != Policy::Aon && !has_checked && is_free(system, Policy::Aon) {
        help.insert(0, "acquire all units of a contract at once (checked: there is no circular wait under policy `aon`)".to_owned());
    }
    if help.is_empty() {
        help.push("let all threads acquire these units in one order".to_owned());
    }
    help
}

/// Proposes that one constraint entails as early as another one of the same class does.
fn together(
    system: &System,
    policy: Policy,
    unit: UnitId,
    (earlier, later): (usize, usize),
) -> (String, bool) {
    let id = system.units[unit].class;
    let mut classes = system.classes.to_vec();
    let class = &mut classes[id];
    let mut parts = Vec::new();
    for when in [&class.constraints[earlier].when, &class.constraints[later].when] {
        match when {
            Formula::Or(all) => parts.extend(all.iter().cloned()),
            _ => parts.push(when.clone()),
        }
    }
    let mut different: Vec<Formula<usize>> = Vec::new();
    for part in parts {
        if !different.contains(&part) {
            different.push(part);
        }
    }
    class.constraints[later].when =
        if different.len() == 1 { different.remove(0) } else { Formula::Or(different) };
    for state in &mut class.states {
        state.entails.clear();
        for constraint in &class.constraints {
            if holds(&constraint.when, &mut |&at| state.truths[at]) {
                state.entails.extend(&constraint.entails);
            }
        }
    }
    let constraint = &class.constraints[later];
    let names: Vec<&str> =
        constraint.entails.iter().map(|&at| class.variables[at].name.as_str()).collect();
    let text = format!(
        "in class `{}`, entail both at the same time: `sync {} ==> {};`",
        class.name,
        shown(&constraint.when, &|at| class.conditions[at].name.to_string(), false),
        names.join(" ^ ")
    );
    let changed = System { classes: classes.into(), ..system.clone() };
    if is_free(&changed, policy) {
        (format!("{text} (checked: then there is no circular wait)"), true)
    } else {
        (text, false)
    }
}

/// Whether a search finds no circular wait and sees everything.
fn is_free(system: &System, policy: Policy) -> bool {
    let system = System { properties: Vec::new(), ..system.clone() };
    let budget = Budget { states: MOST_STATES, bytes: MOST_BYTES, ..Budget::default() };
    if system.roots.len() > FEW {
        return excludes_circles(&system, policy, &budget);
    }
    let mut model = Model::new(&system, policy, MOST_BYTES);
    let symmetry = model.is_symmetric();
    let report = explore(&mut model, &budget, &Options { all: true, symmetry });
    report.cut.is_none() && report.violations.iter().all(|one| one.fault != CIRCULAR_WAIT)
}

/// A formula as text; inner formulas stand in parentheses.
fn shown(formula: &Formula<usize>, name: &dyn Fn(usize) -> String, inner: bool) -> String {
    let list = |all: &[Formula<usize>], sign: &str| {
        let parts: Vec<String> = all.iter().map(|one| shown(one, name, true)).collect();
        let text = parts.join(sign);
        if inner { format!("({text})") } else { text }
    };
    match formula {
        Formula::True => "true".to_owned(),
        Formula::Atom(at) => name(*at),
        Formula::Not(inner) => format!("!{}", shown(inner, name, true)),
        Formula::And(all) => list(all, " & "),
        Formula::Or(all) => list(all, " | "),
    }
}
