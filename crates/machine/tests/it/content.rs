//! States as bytes: two machines number them differently, and agree on what they are.

use crate::program;
use machine::{Machine, Settings, Sizes, worlds};
use search::{Budget, Effect, Threads, thread_modular};

const TEXT: &str = "
    var a: [0..2]0..1 = [_ => 0]; mutex m;
    proc put(i: 0..2) { a[i] := 1 - a[i]; }
    thread P[3] { var i: 0..2 := 0; acquire m; put(i); i := i + 1; put(i); release m; }";

#[test]
fn machines_agree() {
    let (program, _) = program(TEXT);
    let machine =
        || Machine::new(worlds(&program, &Sizes::default()).remove(0), Settings::default());
    let (mut one, mut other) = (machine(), machine());
    let found = thread_modular(&mut one, &Budget::default());
    let mut facts = Vec::new();
    for global in found.stores() {
        for thread in 0..one.count() {
            let locals = found.reachable(thread, global).into_iter();
            facts.extend(locals.map(|local| (thread, global, local)));
        }
    }
    assert!(facts.len() > 100);
    // In another order, so that the numbers differ.
    for &(thread, global, local) in facts.iter().rev() {
        let (bytes, own) = (store(&one, global), local_state(&one, local));
        let there = (other.store_of(&bytes).unwrap(), other.local_of(&own).unwrap());
        assert_eq!(store(&other, there.0), bytes);
        assert_eq!(local_state(&other, there.1), own);
        assert_eq!((one.store_of(&bytes), one.local_of(&own)), (Some(global), Some(local)));
        let (here, there) = (after(&mut one, (thread, global, local)), {
            after(&mut other, (thread, there.0, there.1))
        });
        assert_eq!(here, there);
    }
}

/// Where the steps of a thread lead.
fn after(machine: &mut Machine<'_>, (thread, global, local): (usize, u32, u32)) -> Vec<Vec<u8>> {
    let mut steps = Vec::new();
    machine.steps(thread, global, local, &mut steps);
    let ends = steps.iter().map(|step| match step.effect {
        Effect::To(global, local) => [store(machine, global), local_state(machine, local)].concat(),
        _ => Vec::new(),
    });
    ends.collect()
}

#[test]
fn other_bytes_are_no_states() {
    let (program, _) = program(TEXT);
    let mut machine =
        Machine::new(worlds(&program, &Sizes::default()).remove(0), Settings::default());
    let (global, locals) = machine.initial().remove(0);
    let (bytes, own) = (store(&machine, global), local_state(&machine, locals[0]));
    assert_eq!(machine.store_of(&bytes[..bytes.len() - 1]), None);
    assert_eq!(machine.store_of(&[bytes.as_slice(), &[0]].concat()), None);
    assert_eq!(machine.store_of(&[0]), None);
    assert_eq!(machine.local_of(&own[..own.len() - 1]), None);
    assert_eq!(machine.local_of(&[]), None);
    assert_eq!(machine.local_of(&[0xff, 0x7f, 0]), None);
}

fn store(machine: &Machine<'_>, global: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    machine.write_store(global, &mut bytes);
    bytes
}

fn local_state(machine: &Machine<'_>, local: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    machine.write_local(local, &mut bytes);
    bytes
}
