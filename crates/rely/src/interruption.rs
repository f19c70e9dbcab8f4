//! The first interruption by the user, or by the system, ends the run with an answer. If that takes
//! too long, or at the second one, Rely ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use verdict::Halt;

/// The exit code without an answer.
const INTERRUPTED: i32 = 130;
/// How long a run may take to end.
const GRACE: Duration = Duration::from_secs(3);

/// Makes interruptions end this run. Where that cannot be set up, they end Rely as usual.
pub(crate) fn ends(halt: &Halt) {
    let halt = halt.clone();
    let again = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if again.swap(true, Ordering::Relaxed) {
            exit();
        }
        halt.cancel();
        let _ = std::thread::spawn(|| {
            std::thread::sleep(GRACE);
            exit();
        });
    });
}

#[expect(clippy::disallowed_methods, clippy::exit, reason = "nobody is left to return to")]
fn exit() {
    std::process::exit(INTERRUPTED);
}
