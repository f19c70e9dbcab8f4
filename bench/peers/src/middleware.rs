//! The middleware of synchronization contracts against a lock for each fork, acquired in order.

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use szumo::{Class, Design, Transition};

/// Meals of each philosopher.
const MEALS: usize = 20_000;
/// Turns of a loop that take about a microsecond: a short meal.
const SHORT: usize = 1_000;

/// Prints the table.
pub(crate) fn against_locks() -> anyhow::Result<()> {
    println!(
        "\nphilosophers on the middleware, against a lock for each fork: thousands of meals a second, on the clock"
    );
    println!("{:>8} {:>12} {:>12} {:>12} {:>7}", "threads", "meal", "szumo", "locks", "ratio");
    for threads in [2, 8] {
        for (meal, turns) in [("empty", 0), ("short", SHORT)] {
            let ours = best(|| middleware(threads, turns))?;
            let theirs = best(|| locks(threads, turns))?;
            println!("{threads:>8} {meal:>12} {ours:>12.1} {theirs:>12.1} {:>7.2}", ours / theirs);
        }
    }
    Ok(())
}

/// The best of three runs, in thousands of meals a second.
fn best(mut run: impl FnMut() -> anyhow::Result<f64>) -> anyhow::Result<f64> {
    let mut best = 0f64;
    for _ in 0..3 {
        best = best.max(run()?);
    }
    Ok(best / 1_000.0)
}

fn eat(turns: usize) {
    for turn in 0..turns {
        black_box(turn);
    }
}

fn middleware(threads: usize, turns: usize) -> anyhow::Result<f64> {
    let mut design = Design::new();
    design.class(Class::unit("Fork").state("lies", &[]));
    design.class(
        Class::root("Philosopher")
            .variable("left", "Fork")
            .variable("right", "Fork")
            .state("thinking", &[])
            .state("dining", &["left", "right"])
            .transition(Transition::before("eat", "thinking", "dining"))
            .transition(Transition::after("eat", "dining", "thinking")),
    );
    let forks: Vec<_> = (0..threads).map(|at| design.unit(&format!("F{at}"), "Fork", ())).collect();
    for at in 0..threads {
        let root = design.root(&format!("P{at}"), "Philosopher");
        design.bind(root, "left", &[forks[at].id()]);
        design.bind(root, "right", &[forks[(at + 1) % threads].id()]);
    }
    let system = design.start()?;
    let start = Instant::now();
    let dine = |root| -> Result<(), szumo::Error> {
        let mut realm = system.enter(root)?;
        for _ in 0..MEALS {
            realm.before("eat", &[])?;
            eat(turns);
            realm.after("eat", &[])?;
        }
        Ok(())
    };
    let dine = &dine;
    std::thread::scope(|scope| {
        let all: Vec<_> =
            system.roots().into_iter().map(|root| scope.spawn(move || dine(root))).collect();
        all.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    Ok((threads * MEALS) as f64 / start.elapsed().as_secs_f64())
}

fn locks(threads: usize, turns: usize) -> anyhow::Result<f64> {
    let forks: Vec<Mutex<()>> = (0..threads).map(|_| Mutex::new(())).collect();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for at in 0..threads {
            let other = (at + 1) % threads;
            let [first, second] = [&forks[at.min(other)], &forks[at.max(other)]];
            scope.spawn(move || {
                for _ in 0..MEALS {
                    let one = first.lock().unwrap_or_else(PoisonError::into_inner);
                    let two = second.lock().unwrap_or_else(PoisonError::into_inner);
                    eat(turns);
                    drop((one, two));
                }
            });
        }
    });
    Ok((threads * MEALS) as f64 / start.elapsed().as_secs_f64())
}
