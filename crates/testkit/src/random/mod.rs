//! Random small Plato programs, as text.
//!
//! Most follow a discipline: a variable is protected by a mutex, owned by a thread, only ever
//! grows, and so on, and the relies say so. Most of them get one or two slips: a lock not taken, a
//! wrong bound, a write to somebody else's variable. Nearly right programs show whether a verifier
//! is too generous.

pub(crate) mod claims;
mod control;
mod java;
mod locks;
mod objects;
pub(crate) mod procedures;
mod recursive;
mod reduction;
mod rng;
mod shared;
mod threads;

pub use java::random_java;
pub use objects::random_objects;
pub use recursive::recursive_program;
pub use rng::Rng;

use shared::Shared;
use std::fmt::Write as _;
use threads::Writer;

/// The program of a seed; the same seed gives the same text. Two of five are about procedures with
/// specifications, one of ten about procedures that act like one step, one of ten makes random
/// claims about procedures.
pub fn random_program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    if seed % 5 < 2 {
        return procedures::program(&mut rng);
    }
    if seed % 10 == 2 {
        return reduction::program(&mut rng);
    }
    if seed % 10 == 7 {
        return claims::program(&mut rng);
    }
    let shared = Shared::new(&mut rng);
    let slips = *rng.pick(&[0, 0, 1, 1, 1, 2, 3]);
    let mut bodies = Vec::new();
    let mut slips_left = slips;
    let last = shared.threads.len();
    for (at, thread) in shared.threads.iter().enumerate() {
        // A slip in the first thread is not more likely than one in the last.
        let share = if at + 1 == last { slips_left } else { rng.below(slips_left + 1) };
        let mut writer = Writer::new(&shared, thread, &mut rng, share);
        writer.body();
        slips_left -= share - writer.slips_left();
        bodies.push(writer.finish());
    }
    let mut text = shared.declarations(&mut rng, slips_left > 0);
    for (thread, body) in shared.threads.iter().zip(bodies) {
        let _ =
            writeln!(text, "thread {}{}{} {{\n{body}}}", thread.name, thread.copies, thread.relies);
    }
    text
}
