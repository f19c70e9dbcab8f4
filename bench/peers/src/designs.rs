//! Designs with synchronization contracts: every state, by Rely and by SPIN, one by one and all at
//! once.

use crate::{Rate, cpu, spin};
use anyhow::ensure;
use contract::{Model, Policy, System, read};
use search::{Budget, Options, explore};
use source::SourceMap;
use std::fmt::Write as _;

/// A design and its parameters.
struct Subject {
    name: &'static str,
    text: &'static str,
    definitions: &'static [(&'static str, usize)],
}

macro_rules! example {
    ($path:literal) => {
        include_str!(concat!("../../../examples/szumo/", $path))
    };
}

const OTHERS: &[Subject] = &[
    Subject {
        name: "in two steps, 7",
        text: example!("philosophers/two-steps.szumo"),
        definitions: &[("n", 7)],
    },
    Subject {
        name: "last reversed, 7",
        text: example!("philosophers/two-steps-mixed.szumo"),
        definitions: &[("n", 7)],
    },
    Subject {
        name: "readers, writers",
        text: example!("clients/readers-writers.szumo"),
        definitions: &[("r", 6), ("w", 3)],
    },
    Subject { name: "ring, 8", text: example!("clients/pipeline.szumo"), definitions: &[("n", 8)] },
];

/// Prints the table.
pub(crate) fn against_spin() -> anyhow::Result<()> {
    println!(
        "\ndesigns, every state, against SPIN (pan -O2 -DSAFETY -DNOREDUCE, without the time to make it)"
    );
    println!(
        "{:>18} {:>6} {:>10} {:>10} {:>10} {:>9} {:>9}",
        "", "policy", "states", "cpu s", "SPIN cpu s", "B/state", "SPIN B"
    );
    for policy in [Policy::Unit, Policy::Aon] {
        for n in 3..=9 {
            let text = example!("philosophers/at-once.szumo");
            row(&format!("philosophers, {n}"), &system(text, &[("n", n)])?, policy)?;
        }
        for Subject { name, text, definitions } in OTHERS {
            row(name, &system(text, definitions)?, policy)?;
        }
    }
    Ok(())
}

fn system(text: &str, definitions: &[(&str, usize)]) -> anyhow::Result<System> {
    let mut sources = SourceMap::default();
    let named = |(name, value): &(&str, usize)| ((*name).to_owned(), value.to_string());
    let definitions: Vec<(String, String)> = definitions.iter().map(named).collect();
    let mut design = read(sources.add("design", text), text, &definitions);
    ensure!(design.diagnostics.is_empty(), "{:?}", design.diagnostics);
    Ok(design.systems.remove(0))
}

fn row(name: &str, system: &System, policy: Policy) -> anyhow::Result<()> {
    let ours = own_rate(system, policy)?;
    let theirs = if spin::is_there() {
        // Circular waits are states without a step; the search goes on behind them.
        let rate = spin::rate(&promela(system, policy)?, ours.states, &["-E"])?;
        ensure!(rate.states == ours.states, "{name}: {} and {}", ours.states, rate.states);
        Some(rate)
    } else {
        None
    };
    let shown = |value: Option<f64>, digits: usize| {
        value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
    };
    println!(
        "{name:>18} {:>6} {:>10} {:>10.3} {:>10} {:>9.1} {:>9}",
        policy.name(),
        ours.states,
        ours.seconds,
        shown(theirs.as_ref().map(|rate| rate.seconds), 2),
        ours.bytes_per_state(),
        shown(theirs.as_ref().map(Rate::bytes_per_state), 1),
    );
    Ok(())
}

/// The best of three runs. Interchangeable threads are told apart, so that both searches have the
/// same states.
fn own_rate(system: &System, policy: Policy) -> anyhow::Result<Rate> {
    let mut best: Option<Rate> = None;
    for _ in 0..3 {
        let search = || {
            let mut model = Model::new(system, policy, u64::MAX);
            explore(&mut model, &Budget::default(), &Options { all: true, ..Options::default() })
        };
        let (report, seconds) = cpu::measured(search)?;
        ensure!(report.cut.is_none(), "not searched to the end: {:?}", report.cut);
        if best.as_ref().is_none_or(|best| seconds < best.seconds) {
            best = Some(Rate { states: report.states, seconds, bytes: report.bytes });
        }
    }
    best.ok_or_else(|| anyhow::anyhow!("nothing was measured"))
}

/// A system as a model for SPIN with the same states and steps: one process for each thread, with
/// one place and a deterministic step for each transition and each way to acquire. For designs
/// whose suppliers need nothing and in which nothing is called or assigned.
fn promela(system: &System, policy: Policy) -> anyhow::Result<String> {
    for class in system.classes.iter() {
        let calls = class.states.iter().any(|state| !state.calls.is_empty());
        let changes =
            class.transitions.iter().any(|one| !one.assigns.is_empty() || !one.guard.is_empty());
        let needs = !class.is_root && class.states.iter().any(|state| !state.entails.is_empty());
        ensure!(!calls && !changes && !needs, "`{}` does more than roots that move", class.name);
    }
    let mut text = format!("byte own[{}];\n", system.units.len());
    for (thread, &root) in system.roots.iter().enumerate() {
        let class = system.class(root);
        let needs = |state: usize| {
            let slots = class.states[state].entails.iter().map(|&at| system.units[root].slots + at);
            let mut units: Vec<usize> =
                slots.flat_map(|slot| system.bindings[slot].clone()).collect();
            units.sort_unstable();
            units.dedup();
            units
        };
        let all = |units: &[usize], test: &str| {
            let each: Vec<String> =
                units.iter().map(|unit| test.replace('#', &unit.to_string())).collect();
            if each.is_empty() { "true".to_owned() } else { each.join(" && ") }
        };
        let me = thread + 1;
        let _ = writeln!(
            text,
            "byte at{thread} = {};\nactive proctype T{thread}() {{ do",
            class.initial
        );
        for one in &class.transitions {
            let (before, after) = (needs(one.from), needs(one.to));
            let is_complete = all(&before, &format!("own[#] == {me}"));
            let _ = write!(
                text,
                ":: d_step {{ at{thread} == {} && {is_complete} -> at{thread} = {}",
                one.from, one.to
            );
            for unit in before.iter().filter(|unit| !after.contains(unit)) {
                let _ = write!(text, "; own[{unit}] = 0");
            }
            text.push_str(" }\n");
        }
        for state in 0..class.states.len() {
            let units = needs(state);
            let here = format!("at{thread} == {state}");
            if policy == Policy::Aon && !units.is_empty() {
                let can = all(&units, &format!("(own[#] == 0 || own[#] == {me})"));
                let has = all(&units, &format!("own[#] == {me}"));
                let takes = all(&units, &format!("own[#] = {me}")).replace(" && ", "; ");
                let _ = writeln!(text, ":: d_step {{ {here} && {can} && !({has}) -> {takes} }}");
            } else if policy == Policy::Unit {
                for unit in units {
                    let _ = writeln!(
                        text,
                        ":: d_step {{ {here} && own[{unit}] == 0 -> own[{unit}] = {me} }}"
                    );
                }
            }
        }
        text.push_str("od }\n");
    }
    Ok(text)
}
