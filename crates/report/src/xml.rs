//! Text inside of XML.

/// The text with everything escaped that means something in XML. Characters that XML does not
/// allow are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            character if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
            }
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn everything_with_a_meaning_is_escaped() {
        assert_eq!(escaped("<a b=\"c\">&\n\u{1b}é"), "&lt;a b=&quot;c&quot;&gt;&amp;&#10;é");
    }
}
