//! Simple(n) of paper 5, section 1.1: the numbers of states are known.

use crate::checked;
use machine::{Request, Violation};
use search::{Options, Report};

pub(crate) fn simple(n: usize) -> String {
    format!(
        "var x: int = 1; mutex m; invariant m == 0 ==> x == 1;
        thread P[{n}] {{ acquire m; L2: x := 0; L3: x := x + 1; L4: assert x > 0; release m; }}"
    )
}

/// With the properties of the paper that speak of several threads.
fn with_all_properties(n: usize) -> String {
    let never = "never exists i, j: Tid ::
        i != j && (at(i, L2) || at(i, L3) || at(i, L4)) && (at(j, L2) || at(j, L3) || at(j, L4));";
    let pairs = "never exists i, j: Tid :: i != j && at(i, L3) && at(j, L3);";
    format!("{}\n{never}\n{pairs}\nnever deadlock; never race on x; never race;", simple(n))
}

fn run(text: &str, options: Options) -> Report<Violation> {
    let checked = checked(text, &Request { options, ..Request::default() });
    assert!(checked.is_exhausted(), "{:?} {:?}", checked.cut, checked.violations);
    checked
}

#[test]
fn interleavings() {
    for n in 1..=9usize {
        let expected = (1u64 << n) * (1 + 2 * n as u64);
        assert_eq!(run(&simple(n), Options::default()).states, expected);
        if n < 7 {
            assert_eq!(run(&with_all_properties(n), Options::default()).states, expected);
        }
    }
}

#[test]
fn up_to_names() {
    let symmetry = Options { symmetry: true, ..Options::default() };
    for n in [1, 2, 5, 12] {
        assert_eq!(run(&simple(n), symmetry).states, 5 * n as u64 + 1);
        assert_eq!(run(&with_all_properties(n), symmetry).states, 5 * n as u64 + 1);
    }
}
