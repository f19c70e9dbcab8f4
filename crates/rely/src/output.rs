//! Results go to standard output, everything else to standard error. A closed pipe is no error:
//! somebody read enough. Any other loss is one, since an exit code would speak of results that
//! nobody can read.

use crate::arguments::Colour;
use crate::environment::variable;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a result could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes a result.
pub(crate) fn result(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(why) = written
        && why.kind() != ErrorKind::BrokenPipe
    {
        error(&format!("error: the results cannot be written: {why}"));
        LOST.store(true, Ordering::Relaxed);
    }
}

/// Whether a result could not be written.
pub(crate) fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Writes a line about trouble.
pub(crate) fn error(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Shows a line that the next one replaces; an empty text clears it. Only one line of a terminal
/// can be replaced, so that a longer text is cut.
pub(crate) fn progress(text: &str) {
    let mut out = std::io::stderr().lock();
    let size = terminal_size::terminal_size_of(&out);
    let columns = size.map_or(80, |(terminal_size::Width(width), _)| usize::from(width));
    let shown: String = text.chars().take(columns.saturating_sub(1)).collect();
    let _ = write!(out, "\r\x1b[K{shown}").and_then(|()| out.flush());
}

/// Begins on an empty screen, if a person looks at one.
pub(crate) fn clear() {
    if std::io::stdout().is_terminal() && has_colours() {
        result("\x1b[2J\x1b[3J\x1b[H");
    }
}

/// Whether results are written in colours.
pub(crate) fn wants_colour(when: Colour) -> bool {
    match when {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if variable("NO_COLOR").is_some() => false,
        Colour::Auto if variable("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        Colour::Auto => std::io::stdout().is_terminal() && has_colours(),
    }
}

/// Whether the terminal understands more than plain text.
fn has_colours() -> bool {
    variable("TERM").is_none_or(|name| name != "dumb")
}

/// How many characters a line of results may have: those of a terminal, else any number.
pub(crate) fn width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map_or(usize::MAX, |(terminal_size::Width(width), _)| usize::from(width))
}

/// Whether a person watches standard error, on a terminal on which a line can be replaced.
pub(crate) fn watched() -> bool {
    std::io::stderr().is_terminal() && has_colours()
}
