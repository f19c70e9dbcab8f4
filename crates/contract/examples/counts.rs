//! Counts the states of a design under every policy, to compare them with other implementations:
//! `cargo run --release -p contract --example counts -- DESIGN.szumo n=4`.

use contract::{Model, Policy, State, System, Views, read, read_diagrams, steps};
use search::Threads;
use source::SourceMap;
use std::collections::BTreeSet;

#[expect(clippy::print_stdout, reason = "the figures are what is wanted")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let definitions: Vec<(String, String)> = arguments
        .filter_map(|one| {
            one.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
        })
        .collect();
    let text = String::from_utf8(std::fs::read(&path).expect("a readable file")).expect("text");
    let file = SourceMap::default().add(path.as_str(), text.as_str());
    let design = if std::path::Path::new(&path).extension().is_some_and(|end| end == "puml") {
        read_diagrams(file, &text)
    } else {
        read(file, &text, &definitions)
    };
    for fault in &design.diagnostics {
        println!("{}: {}", fault.code, fault.message);
    }
    for system in &design.systems {
        for policy in Policy::ALL {
            println!("{policy} {}", counts(system, policy));
        }
    }
}

fn counts(system: &System, policy: Policy) -> String {
    let mut model = Model::new(system, policy, u64::MAX);
    let starts = model.initial();
    let mut left: Vec<State> =
        starts.into_iter().map(|(global, locals)| model.state(global, &locals)).collect();
    let mut seen: BTreeSet<State> = left.iter().cloned().collect();
    let (mut transitions, mut circles, mut stuck, mut violated) = (0, 0, 0, 0);
    let rules = contract::Rules::default();
    while let Some(state) = left.pop() {
        let threads = 0..system.roots.len();
        let asks = |thread| contract::Negotiation::asks(&mut Views, system, policy, &state, thread);
        let asks: Vec<contract::Asks> = threads.clone().map(asks).collect();
        circles += usize::from(rules.is_deadlocked(&state, &asks));
        let before = transitions;
        for thread in threads {
            for step in steps(&mut Views, system, policy, &state, thread) {
                transitions += 1;
                match step.result {
                    Ok(next) if seen.insert(next.clone()) => left.push(next),
                    Ok(_) => {}
                    Err(_) => violated = 1,
                }
            }
        }
        stuck += usize::from(transitions == before);
    }
    let states = seen.len();
    format!("states={states} trans={transitions} cycles={circles} stuck={stuck} viol={violated}")
}
