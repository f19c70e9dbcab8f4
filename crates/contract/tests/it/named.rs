//! Designs whose numbers of states are known from another implementation.

use crate::naive::{Counts, counts, searched, system};
use contract::{Policy, Rules};

macro_rules! example {
    ($path:literal) => {
        include_str!(concat!("../../../../examples/szumo/", $path))
    };
}

const AT_ONCE: &str = example!("philosophers/at-once.szumo");

/// Per policy, in the order of [`Policy::ALL`]: states, transitions, states with a circle, states
/// without a step.
type Known = [(usize, usize, usize, usize); 7];

fn check(text: &str, known: Known, violated: bool) {
    let system = system(text, &[]);
    for (policy, (states, transitions, circles, stuck)) in Policy::ALL.into_iter().zip(known) {
        let expected = Counts { states, transitions, circles, stuck, violated };
        let found = counts(&system, policy, Some(&mut Rules::default()));
        assert_eq!(found, expected, "{} {policy}", system.name);
        assert_eq!(searched(&system, policy, false), states as u64, "{} {policy}", system.name);
        assert!(searched(&system, policy, true) <= states as u64);
    }
}

/// The same under all policies but `saturate` and `fifo`.
fn mostly(
    all: (usize, usize, usize, usize),
    handed_out: [(usize, usize, usize, usize); 2],
) -> Known {
    [all, all, all, all, handed_out[0], handed_out[1], all]
}

const RING: Known = [
    (76, 213, 2, 2),
    (45, 111, 1, 1),
    (42, 103, 0, 0),
    (70, 174, 2, 2),
    (16, 30, 0, 0),
    (16, 30, 0, 0),
    (20, 48, 0, 0),
];
const CROSSED: Known = [
    (20, 42, 1, 1),
    (20, 42, 1, 1),
    (20, 42, 1, 1),
    (20, 42, 1, 1),
    (11, 22, 1, 1),
    (11, 22, 1, 1),
    (20, 42, 1, 1),
];

#[test]
fn philosophers() {
    check(AT_ONCE, RING, false);
    check(example!("clients/pipeline.szumo"), RING, false);
    let two_steps = mostly((88, 222, 1, 1), [(36, 78, 1, 1); 2]);
    check(example!("philosophers/two-steps.szumo"), two_steps, false);
    let mixed = mostly((72, 178, 0, 0), [(31, 69, 0, 0); 2]);
    check(example!("philosophers/two-steps-mixed.szumo"), mixed, false);
}

#[test]
fn readers_and_writers() {
    let known = [
        (108, 348, 8, 2),
        (76, 236, 0, 0),
        (76, 236, 0, 0),
        (108, 332, 8, 2),
        (47, 124, 8, 2),
        (54, 116, 0, 0),
        (52, 164, 0, 0),
    ];
    check(example!("clients/readers-writers.szumo"), known, false);
}

#[test]
fn bounded_buffer() {
    let known = mostly((88, 216, 0, 0), [(50, 132, 0, 0), (62, 144, 0, 0)]);
    check(example!("clients/bounded-buffer.szumo"), known, false);
}

#[test]
fn nested_suppliers() {
    check(example!("clients/nested.szumo"), CROSSED, false);
    check(example!("clients/model-view.szumo"), CROSSED, false);
    let up_front = [
        (22, 44, 2, 2),
        (17, 32, 1, 1),
        (16, 30, 0, 0),
        (12, 24, 0, 0),
        (9, 18, 0, 0),
        (9, 18, 0, 0),
        (12, 24, 0, 0),
    ];
    check(example!("clients/nested-up-front.szumo"), up_front, false);
    let always = [
        (36, 82, 4, 2),
        (36, 82, 4, 2),
        (36, 82, 4, 2),
        (20, 48, 0, 0),
        (17, 34, 4, 2),
        (18, 30, 4, 2),
        (20, 48, 0, 0),
    ];
    check(example!("clients/always-both.szumo"), always, false);
}

#[test]
fn re_bound_variables() {
    let transfer = [
        (1189, 4854, 24, 24),
        (865, 3594, 6, 6),
        (857, 3578, 0, 0),
        (1165, 4530, 24, 24),
        (397, 1938, 0, 0),
        (397, 1938, 0, 0),
        (589, 2706, 0, 0),
    ];
    check(example!("bank/transfer.szumo"), transfer, false);
    let in_steps = mostly((197, 640, 2, 2), [(125, 428, 2, 2); 2]);
    check(example!("bank/transfer-in-steps.szumo"), in_steps, false);
    let walk = [
        (170, 368, 0, 0),
        (170, 368, 0, 0),
        (170, 368, 0, 0),
        (148, 334, 0, 0),
        (73, 176, 0, 0),
        (73, 176, 0, 0),
        (112, 254, 0, 0),
    ];
    check(example!("walk/hand-over-hand.szumo"), walk, false);
}

#[test]
fn calls_outside_of_the_contract() {
    let known = mostly((4, 6, 0, 0), [(3, 5, 0, 0); 2]);
    check(example!("violations/call-outside.szumo"), known, true);
}

/// The philosophers for n = 3, 4, ... under each policy.
#[test]
fn more_philosophers() {
    let series: [(Policy, &[u64]); 6] = [
        (Policy::Unit, &[76, 322, 1364, 5778, 24476, 103_682]),
        (Policy::Declared, &[45, 161, 573, 2041, 7269, 25_889]),
        (Policy::Ranked, &[42, 150, 534, 1902, 6774, 24_126]),
        (Policy::Thread, &[70, 274, 1194, 4894, 20_318]),
        (Policy::Saturate, &[16, 45, 121, 320, 841, 2205]),
        (Policy::Aon, &[20, 56, 152, 416, 1136, 3104]),
    ];
    for (policy, states) in series {
        for (n, &states) in (3..).zip(states) {
            let system = system(AT_ONCE, &[("n", n)]);
            assert_eq!(searched(&system, policy, true), states, "{policy} n = {n}");
        }
    }
}

/// With two philosophers the fork pair is split only if forks are acquired one by one.
#[test]
fn two_philosophers() {
    let system = system(AT_ONCE, &[("n", 2)]);
    for policy in Policy::ALL {
        let circles = counts(&system, policy, None).circles;
        assert_eq!(circles > 0, matches!(policy, Policy::Unit | Policy::Declared), "{policy}");
    }
}
