//! Programs that are long in one direction: many unused variables, many short threads, many lines
//! of C.

use super::Bench;
use std::fmt::Write as _;

/// How the programs are made: a title, the ending of their names, the sizes, and a program of a
/// size.
type Family = (&'static str, &'static str, [usize; 3], fn(usize) -> String);

const FAMILIES: &[Family] = &[
    ("variables that nobody uses", "plato", [2_500, 5_000, 10_000], unused_variables),
    ("threads of one statement", "plato", [500, 1_000, 2_000], short_threads),
    ("the same, searched", "plato", [500, 1_000, 2_000], finite_threads),
    ("lines of C", "c", [1_250, 2_500, 5_000], lines_of_c),
];

/// A table for each kind of growth.
pub(super) fn table(bench: &Bench) -> anyhow::Result<()> {
    for (title, ending, sizes, program) in FAMILIES {
        println!(
            "\n{title}\n{:>8} {:>12} {:>10} {:>12}",
            "", "obligations", "cpu s", "ms per item"
        );
        for &size in sizes {
            bench.forget()?;
            let bench = Bench { file: bench.file.with_extension(ending), ..bench.clone() };
            let cost = bench.check(&program(size))?;
            let items = f64::from(u32::try_from(size).unwrap_or(u32::MAX));
            let each = 1000.0 * cost.seconds / items;
            println!("{size:>8} {:>12} {:>10.2} {each:>12.3}", cost.obligations, cost.seconds);
        }
    }
    Ok(())
}

fn unused_variables(count: usize) -> String {
    let mut text = String::new();
    for index in 0..count {
        let _ = writeln!(text, "var v{index}: int = 0;");
    }
    text + "var x: int = 0;\nthread T { x := 1; assert x == 1; }\n"
}

fn short_threads(count: usize) -> String {
    let mut text = "var x: int = 0;\nrely x' >= x;\ninvariant x >= 0;\n".to_owned();
    for index in 0..count {
        let _ = writeln!(text, "thread T{index} {{ atomic {{ x := x + 1; }} }}");
    }
    text
}

fn finite_threads(count: usize) -> String {
    let mut text = "var x: 0..3 = 0;\n".to_owned();
    for index in 0..count {
        let _ = writeln!(text, "thread T{index} {{ assert x == 0; }}");
    }
    text
}

fn lines_of_c(count: usize) -> String {
    let mut text = "#include <assert.h>\nint x;\nint main(void) {\n".to_owned();
    for index in 0..count {
        let _ = writeln!(text, "  x = {} + x % 3;", index % 7);
    }
    text + "  assert(x < 9);\n  return 0;\n}\n"
}
