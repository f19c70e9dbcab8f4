//! Chalice programs of many methods: each class is a monitor with a counter, and each method calls
//! the one before.

use super::{Bench, Cost};
use std::fmt::Write as _;

/// Methods, ten to a class.
const SIZES: &[usize] = &[10, 100, 1_000];

/// The table, and for each program the cost of checking it again after an edit.
pub(super) fn table(bench: &Bench) -> anyhow::Result<()> {
    println!("\nmethods with contracts, ten to a class");
    println!(
        "{:>14} {:>12} {:>10} {:>10} {:>18}",
        "", "obligations", "queries", "cpu s", "ms per method"
    );
    for &methods in SIZES {
        bench.forget()?;
        let fresh = bench.check(&program(methods, false))?;
        line(&methods.to_string(), &fresh, methods);
        line("again", &bench.check(&program(methods, false))?, methods);
        line("one edit", &bench.check(&program(methods, true))?, methods);
    }
    Ok(())
}

fn line(name: &str, cost: &Cost, methods: usize) {
    let methods = f64::from(u32::try_from(methods).unwrap_or(u32::MAX));
    println!(
        "{name:>14} {:>12} {:>10} {:>10.2} {:>18.2}",
        cost.obligations,
        cost.answers,
        cost.seconds,
        1000.0 * cost.seconds / methods
    );
}

/// The program. If it is edited, the body of one method in the middle is written in another way.
fn program(methods: usize, edited: bool) -> String {
    let mut out = String::new();
    for class in 0..methods.div_ceil(10) {
        let _ = writeln!(
            out,
            "class C{class} {{\n  var count: int;\n  invariant acc(count) && 0 <= count"
        );
        for method in 0..10 {
            let step = if edited && class * 10 + method == methods / 2 {
                "1 + count"
            } else {
                "count + 1"
            };
            let call = if method == 0 { String::new() } else { format!("call M{}();", method - 1) };
            let _ = writeln!(
                out,
                "  method M{method}()\n    requires rd(mu) && waitlevel << mu\n    ensures rd(mu)\n  {{\n    {call}\n    \
                 acquire this;\n    count := {step};\n    assert 0 < count;\n    release this;\n  }}"
            );
        }
        out.push_str("}\n");
    }
    out
}
