//! Small changes of a program.

use super::super::rng::Rng;

/// Changes one line; declarations stay.
pub(super) fn mutate(lines: &mut Vec<String>, rng: &mut Rng) {
    for _ in 0..20 {
        let at = rng.below(lines.len());
        if change(lines, at, rng) {
            return;
        }
    }
}

fn change(lines: &mut Vec<String>, at: usize, rng: &mut Rng) -> bool {
    let line = lines[at].trim_start().to_owned();
    let is_statement = line.ends_with(';') && !line.contains("var ");
    let is_clause = ["requires ", "ensures ", "invariant "].iter().any(|w| line.starts_with(w));
    if !is_statement && !is_clause {
        return false;
    }
    match rng.below(8) {
        0 if is_statement || rng.percent(50) => _ = lines.remove(at),
        1 if is_statement => lines.insert(at, line),
        2 if is_statement && at + 1 < lines.len() && is_plain(&lines[at + 1]) => {
            lines.swap(at, at + 1);
        }
        3 if line.contains("acc(") => lines[at] = weaker(&line, rng),
        4 if line.contains("rd(") => lines[at] = line.replacen("rd(", "acc(", 1),
        5 => match other_number(&line, rng) {
            Some(text) => lines[at] = text,
            None => return false,
        },
        6 if line.contains(" && ") => {
            let mut parts: Vec<&str> = line.split(" && ").collect();
            let dropped = 1 + rng.below(parts.len() - 1);
            parts.remove(dropped);
            lines[at] = parts.join(" && ");
        }
        7 if line.contains("<=") => lines[at] = line.replacen("<=", "<", 1),
        _ => return false,
    }
    true
}

fn is_plain(line: &str) -> bool {
    line.ends_with(';') && !line.contains("var ")
}

fn weaker(line: &str, rng: &mut Rng) -> String {
    if line.contains(", 50)") {
        let amount = *rng.pick(&[", 0)", ", 49)", ", 51)", ", 100 - rd)", ", rd)"]);
        return line.replacen(", 50)", amount, 1);
    }
    match rng.below(2) {
        0 => line.replacen("acc(", "rd(", 1),
        _ => {
            let start = line.find("acc(").unwrap_or(0);
            match line[start..].find(')') {
                Some(end) => {
                    let amount = *rng.pick(&["0", "50", "99", "rd", "100 - rd", "rd*"]);
                    if amount == "rd*" {
                        return line.replacen("acc(", "rd*(", 1);
                    }
                    let end = start + end;
                    format!("{}, {amount}{}", &line[..end], &line[end..])
                }
                None => line.to_owned(),
            }
        }
    }
}

fn other_number(line: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<usize> =
        line.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    if places.is_empty() {
        return None;
    }
    let at = *rng.pick(&places);
    // A digit inside a name belongs to it.
    if at > 0 && line.as_bytes()[at - 1].is_ascii_alphanumeric() {
        return None;
    }
    let digit = rng.below(6).to_string();
    Some(format!("{}{digit}{}", &line[..at], &line[at + 1..]))
}
