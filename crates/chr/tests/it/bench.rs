//! Measures how many rules fire in a second.

use chr::{Program, Store};
use std::time::Instant;

/// Not a limit, only a figure: `cargo test -p chr --release -- --nocapture firings`.
#[test]
fn firings_per_second() {
    let program = Program::parse(
        "
        constraints dep/2 set, counter/1.
        transitive @ dep(A, B), dep(B, C) ==> dep(A, C).
        down @ counter(N) <=> N > 0 | M is N - 1, counter(M).",
    )
    .expect("the rules are right");
    let rounds = if cfg!(debug_assertions) { 20 } else { 120 };
    let mut store = Store::new(&program);
    let begun = Instant::now();
    let dep = program.named("dep").expect("declared");
    for at in 0..rounds {
        let (from, to) = (store.integer(at), store.integer(at + 1));
        store.post(dep, &[from, to]);
    }
    let joins = (store.firings(), begun.elapsed());
    let count = usize::try_from(rounds).expect("small");
    assert_eq!(store.len(), count * (count + 1) / 2);
    let begun = Instant::now();
    let many = store.integer(rounds * 10_000);
    store.post(program.named("counter").expect("declared"), &[many]);
    let steps = (store.firings() - joins.0, begun.elapsed());
    for (name, (firings, time)) in [("joins", joins), ("steps", steps)] {
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let rate = firings as f64 / time.as_secs_f64() / 1e6;
        #[expect(clippy::print_stdout, reason = "the figure is what is wanted")]
        {
            println!("{name}: {firings} firings, {rate:.2} million per second");
        }
    }
}
