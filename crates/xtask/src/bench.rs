//! Measures how cost grows with the size of a program: runs generated programs through the release
//! binary.
//!
//! Times are processor time of Rely and its solvers together, on all cores. Where the last column
//! stays the same, the cost is linear; the smallest programs pay for starting the solver.

mod editor;
mod growth;
mod infer;
mod objects;
mod procedures;

use crate::checkout::Checkout;
use crate::command::{cargo, step};
use anyhow::{Context, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The size of a generated program.
#[derive(Clone, Copy)]
struct Size {
    statements: usize,
    variables: usize,
    threads: usize,
}

/// What one run cost.
struct Cost {
    obligations: usize,
    formula_bytes: usize,
    /// Answers of the solver that were not known from an earlier run.
    answers: usize,
    seconds: f64,
}

/// A table by its name.
type Table = (&'static str, fn(&Bench, &Checkout) -> anyhow::Result<()>);

const TABLES: &[Table] = &[
    ("threads", |bench, _| bench.threads()),
    ("procedures", |bench, _| procedures::table(bench)),
    ("objects", |bench, checkout| {
        objects::table(&Bench { file: checkout.target.join("bench.chalice"), ..bench.clone() })
    }),
    ("growth", |bench, _| growth::table(bench)),
    ("infer", infer::table),
    ("edits", |_, _| edits()),
    ("editor", editor::table),
    ("start-up", |bench, _| bench.start_up()),
    ("searches", |_, checkout| searches(checkout)),
];

/// Prints the tables with these names, or all.
pub(crate) fn bench(checkout: &Checkout, names: &[String]) -> anyhow::Result<()> {
    let known: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    for name in names {
        ensure!(
            known.contains(&name.as_str()),
            "no table `{name}`: there are {}",
            known.join(", ")
        );
    }
    let solver = crate::setup::ensure_solver(checkout)?.canonicalize()?;
    step(&mut cargo(&["build", "--release", "--package", "rely"]))?;
    let bench = Bench {
        rely: checkout.target.join("release").join("rely"),
        file: checkout.target.join("bench.plato"),
        cache: checkout.target.join("bench-cache"),
        solver,
    };
    for (name, table) in TABLES {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            table(&bench, checkout)?;
        }
    }
    Ok(())
}

/// How long a check takes after an edit to one body of many.
fn edits() -> anyhow::Result<()> {
    step(&mut cargo(&["run", "--release", "--package", "testkit", "--example", "edits"]))
}

/// Compares the searches with other programs, which are built apart from Rely.
fn searches(checkout: &Checkout) -> anyhow::Result<()> {
    let manifest = checkout.root.join("bench/peers/Cargo.toml");
    let mut command = cargo(&["run", "--release", "--manifest-path"]);
    step(command.arg(manifest).arg("--target-dir").arg(checkout.target.join("peers")))
}

#[derive(Clone)]
struct Bench {
    rely: PathBuf,
    file: PathBuf,
    /// The folder for answers of earlier runs; not the user's, so that all measurements start
    /// alike.
    cache: PathBuf,
    solver: PathBuf,
}

impl Bench {
    /// Programs of threads alone.
    fn threads(&self) -> anyhow::Result<()> {
        let sized = |statements, variables, threads| Size { statements, variables, threads };
        let lengths = [10, 100, 1_000, 5_000].map(|n| (n, sized(n, 1, 2)));
        self.table("statements in each of two threads", &lengths)?;
        let widths = [1, 8, 64].map(|n| (n, sized(1_000, n, 2)));
        self.table("variables, two threads of 1,000 statements", &widths)?;
        let crowds = [1, 10, 100, 1_000].map(|n| (n, sized(10, 4, n)));
        self.table("threads of 10 statements", &crowds)?;
        self.copies()
    }

    fn table(&self, title: &str, rows: &[(usize, Size)]) -> anyhow::Result<()> {
        println!("\n{title}");
        println!(
            "{:>8} {:>12} {:>14} {:>10} {:>18}",
            "", "obligations", "formula bytes", "cpu s", "ms per statement"
        );
        for &(value, size) in rows {
            let cost = self.measure(&program(size))?;
            println!(
                "{value:>8} {:>12} {:>14} {:>10.2} {:>18.3}",
                cost.obligations,
                cost.formula_bytes,
                cost.seconds,
                1000.0 * cost.seconds / work(size)
            );
        }
        Ok(())
    }

    /// `T[N]` is checked once, so N must not matter.
    fn copies(&self) -> anyhow::Result<()> {
        println!("\ncopies of one thread\n{:>8} {:>12} {:>10}", "", "obligations", "cpu s");
        for count in ["2", "1000", "1000000", "*"] {
            let text = program(Size { statements: 100, variables: 1, threads: 1 });
            let cost =
                self.measure(&text.replace("thread T0 {", &format!("thread T0[{count}] {{")))?;
            println!("{count:>8} {:>12} {:>10.2}", cost.obligations, cost.seconds);
        }
        Ok(())
    }

    /// Start-up and a program of 20 lines, averaged.
    fn start_up(&self) -> anyhow::Result<()> {
        const RUNS: u32 = 40;
        write(&self.file, SMALL)?;
        let before = children_seconds()?;
        for _ in 0..RUNS {
            let status = Command::new(&self.rely)
                .args(["check", "--jobs", "1", "--no-cache"])
                .arg(&self.file)
                .env("RELY_Z3", &self.solver)
                .stdout(Stdio::null())
                .status()?;
            ensure!(status.success(), "the small program is not proved");
        }
        let each = (children_seconds()? - before) / f64::from(RUNS);
        let lines = SMALL.lines().count();
        println!("\nstart-up and a program of {lines} lines: {:.1} ms of cpu", each * 1000.0);
        Ok(())
    }

    /// The cost of a program that Rely never saw before.
    fn measure(&self, text: &str) -> anyhow::Result<Cost> {
        self.forget()?;
        let cost = self.check(text)?;
        let smt =
            Command::new(&self.rely).args(["dump", "--stage", "smt"]).arg(&self.file).output()?;
        Ok(Cost { formula_bytes: smt.stdout.len(), ..cost })
    }

    /// The cost with the answers of earlier runs.
    fn check(&self, text: &str) -> anyhow::Result<Cost> {
        write(&self.file, text)?;
        let known = self.answers();
        let before = children_seconds()?;
        let out = Command::new(&self.rely)
            .args(["check", "--format", "json"])
            .arg(&self.file)
            .env("XDG_CACHE_HOME", &self.cache)
            .env("RELY_Z3", &self.solver)
            .output()?;
        let seconds = children_seconds()? - before;
        ensure!(out.status.success(), "a generated program is not proved");
        let json: serde_json::Value = serde_json::from_slice(&out.stdout)?;
        let obligations = json["files"][0]["obligations"].as_array().map_or(0, Vec::len);
        Ok(Cost { obligations, formula_bytes: 0, answers: self.answers() - known, seconds })
    }

    /// The number of answers of earlier runs: a line each.
    fn answers(&self) -> usize {
        let file = std::fs::read(self.cache.join("rely").join("answers"));
        file.map_or(0, |bytes| bytes.split(|&byte| byte == b'\n').count().saturating_sub(1))
    }

    /// Forgets the answers of earlier runs.
    fn forget(&self) -> anyhow::Result<()> {
        match std::fs::remove_dir_all(&self.cache) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.cache.display()))
            }
            _ => Ok(()),
        }
    }
}

/// The number of statements in all threads; the work should be proportional to it.
fn work(size: Size) -> f64 {
    let statements = u32::try_from(size.statements * size.threads).unwrap_or(u32::MAX);
    f64::from(statements)
}

/// Threads that take turns on variables, each protected by a mutex of its own.
fn program(size: Size) -> String {
    let mut out = String::new();
    for v in 0..size.variables {
        let _ = writeln!(
            out,
            "var x{v}: int = 0;\nmutex m{v};\nrely m{v} == tid ==> m{v}' == tid && x{v}' == x{v};\n\
             invariant m{v} == 0 ==> x{v} >= 0;"
        );
    }
    for t in 0..size.threads {
        let _ = writeln!(out, "thread T{t} {{");
        for section in 0..size.statements.div_ceil(5) {
            let v = (t + section) % size.variables;
            let _ = writeln!(
                out,
                "  acquire m{v}; x{v} := x{v} + 1; x{v} := x{v} + 1; assert x{v} >= 2; release m{v};"
            );
        }
        out.push_str("}\n");
    }
    out
}

const SMALL: &str = "// Whoever holds `m` owns `x`.
var x: int = 0;
mutex m;

rely m == tid ==> m' == tid && x' == x;
invariant m == 0 ==> x >= 0;

thread Up {
  acquire m;
  x := x + 1;
  assert x > 0;
  release m;
}

thread Double {
  acquire m;
  x := x * 2;
  assert x >= 0;
  release m;
}
";

/// Processor time of all children that have ended, including their own children.
fn children_seconds() -> anyhow::Result<f64> {
    let stat = std::fs::read("/proc/self/stat").context("this measurement needs Linux")?;
    let stat = String::from_utf8_lossy(&stat).into_owned();
    let fields: Vec<&str> =
        stat.rsplit(") ").next().unwrap_or_default().split_whitespace().collect();
    let ticks: u32 =
        fields.iter().skip(13).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
    const TICKS_PER_SECOND: f64 = 100.0;
    Ok(f64::from(ticks) / TICKS_PER_SECOND)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
