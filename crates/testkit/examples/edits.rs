//! How long a check takes after an edit to one of many bodies: `cargo run --release -p testkit
//! --example edits -- 1000`.

#![expect(clippy::print_stdout, reason = "a table for whoever measures")]

use driver::{Analysis, Event, Input, Options, Status};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use verdict::Halt;

/// How often a body is edited; the longest check counts.
const EDITS: usize = 10;

/// A method of Java takes longer than one of Chalice.
const MOST_OF_JAVA: usize = 40;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse().ok()).unwrap_or(1000);
    println!("{:>10} {:>8} {:>10} {:>10} {:>8}", "", "bodies", "first s", "edit s", "started");
    measure("threads.plato", count, threads);
    measure("methods.chalice", count, methods);
    measure("Methods.java", count.min(MOST_OF_JAVA), methods_of_java);
}

/// Checks a program, edits one body, and checks it again.
fn measure(name: &str, count: usize, program: fn(usize, &str) -> String) {
    let options = Options { jobs: 2, ..Options::new(testkit::find_solver()) };
    let mut analysis = Analysis::new(options);
    let started = AtomicUsize::new(0);
    let mut check = |text: String| {
        let input = Input { name: name.to_owned(), text };
        started.store(0, Ordering::Relaxed);
        let begun = Instant::now();
        let run = analysis.check(&[input], &Halt::default(), &|event| {
            if matches!(event, Event::Started { .. }) {
                started.fetch_add(1, Ordering::Relaxed);
            }
        });
        assert_eq!(run.files[0].status, Status::Proved, "{name}");
        (begun.elapsed().as_secs_f64(), started.load(Ordering::Relaxed))
    };
    let (first, _) = check(program(count, "1"));
    let mut longest = (0.0, 0);
    for edit in 0..EDITS {
        let (seconds, started) = check(program(count, &format!("1 + {edit} - {edit}")));
        longest = (seconds.max(longest.0), started.max(longest.1));
    }
    println!("{name:>16} {count:>8} {first:>10.2} {:>10.3} {:>8}", longest.0, longest.1);
}

fn threads(count: usize, one: &str) -> String {
    let mut text = "mutex m;\nvar x: int = 0;\nrely m == tid ==> m' == m && x' == x;\n".to_owned();
    for index in 0..count {
        let value = if index == count / 2 { one } else { "1" };
        let _ = writeln!(
            text,
            "thread T{index} {{ acquire m; x := {value}; assert x == 1; release m; }}"
        );
    }
    text
}

fn methods(count: usize, one: &str) -> String {
    let mut text = "class C { var n: int;\n".to_owned();
    for index in 0..count {
        let value = if index == count / 2 { one } else { "1" };
        let _ = writeln!(
            text,
            "  method M{index}() requires acc(n) ensures acc(n) && n == old(n) + 1 \
             {{ n := n + {value}; }}"
        );
    }
    text + "}\n"
}

fn methods_of_java(count: usize, one: &str) -> String {
    let mut text = "class Methods {\n  private final int[] all = new int[8];\n  private int n;\n\
                    //@ global_invariant 0 <= n && n <= all.length\n"
        .to_owned();
    for index in 0..count {
        let value = if index == count / 2 { one } else { "1" };
        let _ = writeln!(
            text,
            "  synchronized int m{index}(int x) {{\n    if (n + {value} < all.length) {{ \
             all[n] = x; n++; }}\n    int sum = 0;\n    for (int i = 0; i < n; i++) \
             {{ sum += all[i]; }}\n    return sum;\n  }}"
        );
    }
    text + "}\n"
}
