//! Programs of many procedures in modules: each module has a counter behind a lock, and its
//! procedures call procedures of their own module and of the one before.

use super::{Bench, Cost};
use std::fmt::Write as _;

/// Procedures and modules.
const SIZES: &[(usize, usize)] = &[(100, 5), (300, 15), (1_000, 50)];

/// The table, and for each program the cost of checking it again after an edit.
pub(super) fn table(bench: &Bench) -> anyhow::Result<()> {
    println!("\nprocedures with specifications, in modules");
    println!(
        "{:>14} {:>12} {:>10} {:>10} {:>18}",
        "", "obligations", "queries", "cpu s", "ms per procedure"
    );
    for &(procedures, modules) in SIZES {
        let shape = Shape { procedures, modules, edited: false };
        bench.forget()?;
        let fresh = bench.check(&shape.program())?;
        line(&format!("{procedures} / {modules}"), &fresh, procedures);
        let again = bench.check(&shape.program())?;
        line("again", &again, procedures);
        let edited = bench.check(&Shape { edited: true, ..shape }.program())?;
        line("one edit", &edited, procedures);
    }
    Ok(())
}

fn line(name: &str, cost: &Cost, procedures: usize) {
    let procedures = f64::from(u32::try_from(procedures).unwrap_or(u32::MAX));
    println!(
        "{name:>14} {:>12} {:>10} {:>10.2} {:>18.2}",
        cost.obligations,
        cost.answers,
        cost.seconds,
        1000.0 * cost.seconds / procedures
    );
}

/// The shape of a program.
#[derive(Clone, Copy)]
struct Shape {
    procedures: usize,
    modules: usize,
    /// Whether one body in the middle is written in another way.
    edited: bool,
}

impl Shape {
    fn program(self) -> String {
        let mut out = String::new();
        for module in 0..self.modules {
            out.push_str(&self.module(module));
        }
        for thread in 0..self.modules.div_ceil(5) {
            let module = thread * 5;
            let _ = writeln!(
                out,
                "thread Client{thread}[*] {{\n  var before, after: int;\n  M{module}.lock();\n  before := M{module}.get();\n\
                 \x20 M{module}.add3(2);\n  after := M{module}.get();\n  assert after == before + 2;\n  M{module}.unlock();\n\
                 \x20 M{module}.step4();\n  M{module}.both5();\n  assert M{module}.m != tid;\n}}"
            );
        }
        out
    }

    fn module(self, module: usize) -> String {
        let mut out = format!(
            "module M{module} {{\n  var m: Tid = 0;\n  var value: int = 0;\n  rely m == tid ==> m' == m && value' == value;\n\
             \x20 rely m != tid ==> m' != tid;\n  invariant value >= 0;\n{LOCK}"
        );
        for at in 3..self.procedures / self.modules {
            let edited = self.edited && module == self.modules / 2 && at == 3;
            match at % 3 {
                0 => add(&mut out, at, edited),
                1 => step(&mut out, at),
                _ => both(&mut out, at, module),
            }
        }
        out.push_str("}\n");
        out
    }
}

const LOCK: &str = "  proc lock()
    requires m != tid;
    action modifies m ensures m == 0 && m' == tid
  {
    var got: bool := false;
    while (!got) { got := cas(m, 0, tid); }
  }
  proc unlock()
    requires m == tid;
    action modifies m ensures m == tid && m' == 0
  {
    m := 0;
  }
  proc get() returns (now: int)
    requires m == tid;
    action ensures now == value
  {
    now := value;
  }
";

/// A procedure that runs under the lock of the caller.
fn add(out: &mut String, at: usize, edited: bool) {
    let sum = if edited { "amount + old" } else { "old + amount" };
    let _ = writeln!(
        out,
        "  proc add{at}(amount: int)\n    requires m == tid && amount >= 0;\n\
         \x20   action modifies value ensures value' == value + amount\n  {{\n    var old: int := value;\n\
         \x20   if (amount > 0) {{ value := {sum}; }}\n  }}"
    );
}

/// A procedure that takes a lock of its own and calls the procedure before.
fn step(out: &mut String, at: usize) {
    let _ = writeln!(
        out,
        "  proc step{at}()\n    requires m != tid;\n    modifies m;\n\
         \x20   action modifies value ensures value' == value + 1\n    ensures m' != tid\n\
         \x20 {{\n    lock();\n    add{}(1);\n    unlock();\n  }}",
        at - 1
    );
}

/// A procedure that calls the one before, and the same of the module before.
fn both(out: &mut String, at: usize, module: usize) {
    let own = at - 1;
    let Some(other) = module.checked_sub(1) else {
        let _ = writeln!(
            out,
            "  proc both{at}()\n    requires m != tid;\n    modifies m;\n\
             \x20   action modifies value ensures value' == value + 1\n    ensures m' != tid\n\
             \x20 {{\n    step{own}();\n  }}"
        );
        return;
    };
    let _ = writeln!(
        out,
        "  proc both{at}()\n    requires m != tid && M{other}.m != tid;\n    modifies m, M{other}.m;\n\
         \x20   action modifies value ensures value' == value + 1\n\
         \x20   action modifies M{other}.value ensures M{other}.value' == M{other}.value + 1\n\
         \x20   ensures m' != tid && M{other}.m' != tid\n\
         \x20 {{\n    step{own}();\n    M{other}.step{own}();\n  }}"
    );
}
