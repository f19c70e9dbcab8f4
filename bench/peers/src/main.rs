//! Searches measured against SPIN and ascent, on the same programs in the same run, and the
//! middleware against plain locks. Times are processor time of one core if nothing else is said.

mod cpu;
mod designs;
mod facts;
mod middleware;
mod programs;
mod spin;

use machine::{Machine, Settings};
use plato::hir::Program;
use programs::{Subject, parsed, simple, subjects};
use search::{Budget, Options, explore, thread_modular};

fn main() -> anyhow::Result<()> {
    let parts: [(&str, fn() -> anyhow::Result<()>); 5] = [
        ("growth", growth),
        ("programs", against_spin),
        ("facts", || facts::against_ascent(300)),
        ("designs", designs::against_spin),
        ("middleware", middleware::against_locks),
    ];
    // All of them, or those that are named.
    let named: Vec<String> = std::env::args().skip(1).collect();
    for (name, part) in parts {
        if named.is_empty() || named.iter().any(|one| one == name) {
            part()?;
        }
    }
    Ok(())
}

/// The only world of a program, as a machine.
fn machine(program: &Program) -> anyhow::Result<Machine<'_>> {
    let world = machine::worlds(program, &machine::Sizes::default()).into_iter().next();
    let world = world.ok_or_else(|| anyhow::anyhow!("a program without a world"))?;
    Ok(Machine::new(world, Settings::default()))
}

/// How the work grows with the number of threads.
fn growth() -> anyhow::Result<()> {
    println!("\nSimple(n), one thread at a time, and every interleaving");
    println!("{:>8} {:>10} {:>10} {:>10} {:>12} {:>10}", "n", "R", "G", "cpu s", "states", "cpu s");
    for n in [2, 6, 10, 14, 18, 50, 100, 300, 1_000] {
        let program = parsed(&simple(n))?;
        let mut model = machine(&program)?;
        let (found, seconds) = cpu::measured(|| thread_modular(&mut model, &Budget::default()))?;
        anyhow::ensure!(found.is_proof(), "Simple({n}) is not proved");
        let (facts, steps) = (found.states(), found.guarantees());
        print!("{n:>8} {facts:>10} {steps:>10} {seconds:>10.3}");
        if n <= 18 {
            let mut model = machine(&program)?;
            let all = || explore(&mut model, &Budget::default(), &Options::default());
            let (report, seconds) = cpu::measured(all)?;
            anyhow::ensure!(report.is_exhausted(), "Simple({n}) is not searched to the end");
            anyhow::ensure!(report.states == (1 << n) * (1 + 2 * n as u64), "not the known number");
            println!(" {:>12} {seconds:>10.3}", report.states);
        } else {
            println!(" {:>12} {:>10}", format!("2^{n}.."), "-");
        }
    }
    Ok(())
}

/// States per second and bytes per state.
struct Rate {
    states: u64,
    seconds: f64,
    bytes: u64,
}

impl Rate {
    fn millions_per_second(&self) -> f64 {
        self.states as f64 / self.seconds / 1e6
    }

    fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.states as f64
    }
}

fn against_spin() -> anyhow::Result<()> {
    println!("\nevery interleaving, against SPIN (pan -O2 -DSAFETY -DNOREDUCE)");
    if !spin::is_there() {
        println!("skipped: spin or a C compiler is missing");
        return Ok(());
    }
    println!(
        "{:>14} {:>10} {:>10} {:>10} {:>7} {:>9} {:>9} {:>7}",
        "", "states", "M/s", "SPIN M/s", "ratio", "B/state", "SPIN B", "ratio"
    );
    for Subject { name, text } in subjects() {
        let program = parsed(&text)?;
        let ours = own_rate(&program)?;
        let model = machine::promela(machine(&program)?.scope()).map_err(anyhow::Error::msg)?;
        let theirs = spin::rate(&model, ours.states, &[])?;
        let several = u64::from(model.contains("init {"));
        anyhow::ensure!(theirs.states == ours.states + several, "{name}: {}", theirs.states);
        println!(
            "{name:>14} {:>10} {:>10.2} {:>10.2} {:>7.1} {:>9.1} {:>9.1} {:>7.2}",
            ours.states,
            ours.millions_per_second(),
            theirs.millions_per_second(),
            ours.millions_per_second() / theirs.millions_per_second(),
            ours.bytes_per_state(),
            theirs.bytes_per_state(),
            ours.bytes_per_state() / theirs.bytes_per_state(),
        );
    }
    Ok(())
}

/// The best of three runs.
fn own_rate(program: &Program) -> anyhow::Result<Rate> {
    let mut best: Option<Rate> = None;
    for _ in 0..3 {
        let mut model = machine(program)?;
        let all = || explore(&mut model, &Budget::default(), &Options::default());
        let (report, seconds) = cpu::measured(all)?;
        anyhow::ensure!(report.is_exhausted(), "not searched to the end: {:?}", report.cut);
        if best.as_ref().is_none_or(|best| seconds < best.seconds) {
            best = Some(Rate { states: report.states, seconds, bytes: report.bytes });
        }
    }
    best.ok_or_else(|| anyhow::anyhow!("nothing was measured"))
}
