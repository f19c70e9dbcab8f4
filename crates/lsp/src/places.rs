//! Places in a text: bytes here, lines and UTF-16 units in the protocol.

use gen_lsp_types::{Position, Range};
use source::number;

/// Where the lines of a text begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { starts: std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect() }
    }

    /// The place of a byte; a byte inside of a character counts as its start.
    pub(crate) fn position(&self, text: &str, at: usize) -> Position {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start <= at).max(1) - 1;
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = text.get(start..).unwrap_or_default().char_indices();
        let before = before.take_while(|(offset, _)| start + offset < at);
        let units = before.map(|(_, character)| character.len_utf16()).sum();
        Position { line: number(line), character: number(units) }
    }

    /// The range of bytes from `start` to `end`.
    pub(crate) fn range(&self, text: &str, (start, end): (usize, usize)) -> Range {
        Range { start: self.position(text, start), end: self.position(text, end) }
    }

    /// The byte at a place. A place behind the end of its line is that end.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() };
        let line = text[start..].split('\n').next().unwrap_or_default();
        let mut units = position.character as usize;
        for (at, character) in line.char_indices() {
            if units < character.len_utf16() {
                return start + at;
            }
            units -= character.len_utf16();
        }
        start + line.trim_end_matches('\r').len()
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use gen_lsp_types::Position;

    #[test]
    fn units_are_those_of_utf16() {
        let text = "a\u{e9}\u{1d11e}b\nc\r\n";
        let lines = Lines::of(text);
        for (at, line, character) in
            [(0, 0, 0), (1, 0, 1), (3, 0, 2), (7, 0, 4), (8, 0, 5), (9, 1, 0)]
        {
            let position = Position { line, character };
            assert_eq!(lines.position(text, at), position);
            assert_eq!(lines.offset(text, position), at);
        }
        // In the middle of a pair, behind a line, and behind the text.
        assert_eq!(lines.offset(text, Position { line: 0, character: 3 }), 3);
        assert_eq!(lines.offset(text, Position { line: 1, character: 9 }), 10);
        assert_eq!(lines.offset(text, Position { line: 9, character: 0 }), text.len());
    }
}
