//! The first interruption by the user ends the run, with an answer; the second one ends Rely.

use std::sync::atomic::{AtomicBool, Ordering};
use verdict::Halt;

/// The exit code after a second interruption.
const INTERRUPTED: i32 = 130;

/// Makes interruptions end this run. Where that cannot be set up, they end Rely as usual.
pub(crate) fn ends(halt: &Halt) {
    let halt = halt.clone();
    let again = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if again.swap(true, Ordering::Relaxed) {
            exit();
        }
        halt.cancel();
    });
}

#[expect(clippy::disallowed_methods, clippy::exit, reason = "nobody is left to return to")]
fn exit() {
    std::process::exit(INTERRUPTED);
}
