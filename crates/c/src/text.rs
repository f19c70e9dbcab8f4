//! A text without comments and broken lines, and where its pieces come from.
//!
//! A backslash at the end of a line joins it with the next, also inside of words and comments, and
//! a comment is a blank. Later readers of the text need not know of either.

/// A text, and for each piece of it its place before.
pub(crate) struct Plain {
    pub(crate) text: String,
    /// For each piece, where it begins here and where it began before; in order.
    pieces: Vec<(usize, usize)>,
    /// The beginning of a comment that does not end.
    pub(crate) open_comment: Option<usize>,
}

impl Plain {
    pub(crate) fn of(text: &str) -> Self {
        let mut plain = Self {
            text: String::with_capacity(text.len()),
            pieces: vec![(0, 0)],
            open_comment: None,
        };
        let mut at = 0;
        // The quote with which a literal began.
        let mut quote = None;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            if let Some(length) = line_break(rest) {
                at += length;
                plain.moved(at);
            } else if quote.is_none() && rest.starts_with("//") {
                at += line_comment(rest);
                plain.moved(at);
            } else if quote.is_none() && rest.starts_with("/*") {
                plain.text.push(' ');
                match rest[2..].find("*/") {
                    Some(end) => at += end + 4,
                    None => {
                        plain.open_comment = Some(at);
                        at = text.len();
                    }
                }
                plain.moved(at);
            } else {
                let mut length = c.len_utf8();
                match (c, quote) {
                    ('\n', _) => quote = None,
                    ('"' | '\'', None) => quote = Some(c),
                    (_, Some(open)) if c == open => quote = None,
                    // The next character does not end the literal.
                    ('\\', Some(_)) if line_break(&rest[1..]).is_none() => {
                        length += rest[1..].chars().next().map_or(0, char::len_utf8);
                    }
                    _ => {}
                }
                plain.text.push_str(&rest[..length]);
                at += length;
            }
        }
        plain
    }

    /// Records that the text from here on stood at this place before.
    fn moved(&mut self, origin: usize) {
        self.pieces.push((self.text.len(), origin));
    }

    /// Where something stood before.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|(start, _)| *start <= at);
        self.pieces.get(next.saturating_sub(1)).map_or(at, |(start, origin)| origin + (at - start))
    }
}

/// The length of a backslash at the end of a line, with the line's end.
fn line_break(rest: &str) -> Option<usize> {
    if rest.starts_with("\\\n") {
        Some(2)
    } else if rest.starts_with("\\\r\n") {
        Some(3)
    } else {
        None
    }
}

/// The length of a comment to the end of its line, which goes on if the line is joined with the
/// next.
fn line_comment(rest: &str) -> usize {
    let mut end = 0;
    loop {
        end += rest[end..].find('\n').unwrap_or(rest.len() - end);
        if end == rest.len() || !rest[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        end += 1;
    }
}
