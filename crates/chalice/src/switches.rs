//! Switches of the tool of 2012 in the first line of a file, `// chalice-parameter=-autoMagic
//! -m:f`. They are about that tool, and Rely follows none of them: each is named, so that nobody
//! takes it for granted.

use diagnostic::{Code, Diagnostic};
use source::{FileId, Span};

/// The word before the switches.
const WORD: &str = "chalice-parameter=";

/// A warning for each switch in the first line.
pub fn switches(file: FileId, text: &str) -> Vec<Diagnostic> {
    let line = text.lines().next().unwrap_or_default();
    let Some(comment) = line.trim_start().strip_prefix("//") else { return Vec::new() };
    let Some(all) = comment.trim_start().strip_prefix(WORD) else { return Vec::new() };
    let mut at = line.len() - all.len();
    let all = all.split("//").next().unwrap_or_default();
    let mut found = Vec::new();
    for part in all.split_inclusive(char::is_whitespace) {
        let switch = part.trim_end();
        if !switch.is_empty() {
            found.push(not_followed(file, at, switch));
        }
        at += part.len();
    }
    found
}

fn not_followed(file: FileId, start: usize, switch: &str) -> Diagnostic {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(file, place(start), place(start + switch.len()));
    let name = switch.trim_start_matches(['-', '/']).split(':').next().unwrap_or_default();
    let help = match name {
        "defaults" => "contracts are what is written; add those that the switch stands for",
        "autoFold" | "autoMagic" => "write `fold` and `unfold` where predicates are needed",
        "noDeadlockChecks" => "deadlocks are looked for all the same",
        "checkLeaks" | "smoke" => "warnings tell of lost permissions and unreachable code anyway",
        _ => "everything in the file is verified as if it were not there",
    };
    let message = format!("`{switch}` is a switch of another tool");
    Diagnostic::new(Code::SwitchNotFollowed, span, message).at("not followed").help(help)
}
