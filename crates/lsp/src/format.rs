//! Indents a text by its braces. Nothing changes but the spaces at both ends of lines.

use driver::Language;

/// The text in order, if its language is one of ours.
pub(crate) fn formatted(text: &str, language: Language) -> Option<String> {
    if !matches!(language, Language::Plato | Language::Chalice | Language::Design) {
        return None;
    }
    let mut out = String::new();
    let (mut depth, mut in_comment) = (0_usize, false);
    // Whether the last line with code ended in the middle of something.
    let mut goes_on = false;
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        let end = &line[line.trim_end_matches(['\n', '\r']).len()..];
        if code.is_empty() || in_comment {
            out.push_str(if in_comment { line.trim_end() } else { "" });
            out.push_str(end);
            // What stands behind the end of a comment is code, on a line that stays as it is.
            if let Some(at) = code.find("*/").filter(|_| in_comment) {
                let scanned = scan(&code[at + 2..]);
                depth = (depth + scanned.opened).saturating_sub(scanned.closed);
                in_comment = scanned.in_comment;
                goes_on = scanned.last.map_or(goes_on, is_unfinished);
            }
            continue;
        }
        let scanned = scan(code);
        let closing = code.chars().take_while(|sign| matches!(sign, '}' | ')' | ']')).count();
        let before = depth.saturating_sub(closing.min(scanned.closed_first));
        let more = usize::from(goes_on && closing == 0 && !code.starts_with('{'));
        out.push_str(&"  ".repeat(before + more));
        out.push_str(code);
        out.push_str(end);
        depth = (depth + scanned.opened).saturating_sub(scanned.closed);
        in_comment = scanned.in_comment;
        goes_on = scanned.last.map_or(goes_on, is_unfinished);
    }
    Some(out)
}

/// Whether a line that ends so goes on in the next one.
fn is_unfinished(last: char) -> bool {
    !matches!(last, ';' | '{' | '}')
}

/// What a line does to the depth of what follows.
#[derive(Default)]
struct Scanned {
    opened: usize,
    closed: usize,
    /// How many of those that it closes were open before.
    closed_first: usize,
    in_comment: bool,
    /// The last sign of code.
    last: Option<char>,
}

fn scan(code: &str) -> Scanned {
    let mut scanned = Scanned::default();
    let mut rest = code;
    while let Some(sign) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        if rest.starts_with("/*") {
            match rest[2..].find("*/") {
                Some(at) => rest = &rest[at + 4..],
                None => {
                    scanned.in_comment = true;
                    break;
                }
            }
            continue;
        }
        match sign {
            '{' => scanned.opened += 1,
            '}' => {
                scanned.closed += 1;
                scanned.closed_first =
                    scanned.closed_first.max(scanned.closed - scanned.opened.min(scanned.closed));
            }
            _ => {}
        }
        if !sign.is_whitespace() {
            scanned.last = Some(sign);
        }
        rest = &rest[sign.len_utf8()..];
    }
    scanned
}

#[cfg(test)]
mod tests {
    use super::formatted;
    use driver::Language;

    #[test]
    fn braces_indent() {
        let text =
            "thread T {\nx := 1;   \n   if (x > 0) { // {\n y := 2;\n} else {\nskip;\n}\n\n}\n";
        let expected = "thread T {\n  x := 1;\n  if (x > 0) { // {\n    y := 2;\n  } else {\n    skip;\n  }\n\n}\n";
        assert_eq!(formatted(text, Language::Plato).as_deref(), Some(expected));
        assert_eq!(formatted(expected, Language::Plato).as_deref(), Some(expected));
    }

    #[test]
    fn lines_that_go_on_are_indented_and_comments_stay() {
        let text = "invariant x >= 0 &&\ny >= 0;\n/* a {\n     b */\nvar z: int;\n";
        let expected = "invariant x >= 0 &&\n  y >= 0;\n/* a {\n     b */\nvar z: int;\n";
        assert_eq!(formatted(text, Language::Plato).as_deref(), Some(expected));
        assert_eq!(formatted(text, Language::Java), None);
        let text = "/* a\n  b */ thread T {\nskip;\n} /* c\n*/ /* d\n*/\nvar z: int;\n";
        let expected = "/* a\n  b */ thread T {\n  skip;\n} /* c\n*/ /* d\n*/\nvar z: int;\n";
        assert_eq!(formatted(text, Language::Plato).as_deref(), Some(expected));
        let ends = "method m()\r\n  requires x\r\n{\r\n}";
        assert_eq!(formatted(ends, Language::Chalice).as_deref(), Some(ends));
    }
}
