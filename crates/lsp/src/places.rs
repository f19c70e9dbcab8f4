//! Places in a text: bytes here, lines and UTF-16 units in the protocol.

use gen_lsp_types::{Position, Range};
use source::number;

/// Where the lines of a text begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// Places inside of long lines, each with its units from the start of its line, so that no
    /// line is walked from its start.
    marks: Vec<(usize, usize)>,
}

/// The bytes between two marks.
const STRIDE: usize = 1_024;

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let mut starts = vec![0];
        let mut marks: Vec<(usize, usize)> = Vec::new();
        let (mut units, mut last) = (0, 0);
        for (at, character) in text.char_indices() {
            if at - last >= STRIDE {
                marks.push((at, units));
                last = at;
            }
            units += character.len_utf16();
            if character == '\n' {
                starts.push(at + 1);
                (units, last) = (0, at + 1);
            }
        }
        Self { starts, marks }
    }

    /// The last place that is known of those in a line which a condition allows; it allows the
    /// first ones.
    fn known(&self, start: usize, fits: impl Fn(&(usize, usize)) -> bool) -> (usize, usize) {
        let in_line = &self.marks[self.marks.partition_point(|(at, _)| *at <= start)..];
        in_line.partition_point(fits).checked_sub(1).map_or((start, 0), |last| in_line[last])
    }

    /// The place of a byte; a byte inside of a character counts as its start.
    pub(crate) fn position(&self, text: &str, at: usize) -> Position {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start <= at).max(1) - 1;
        let start = self.starts.get(line).copied().unwrap_or_default();
        let (start, known) = self.known(start, |(mark, _)| *mark <= at);
        let before = text.get(start..).unwrap_or_default().char_indices();
        let before = before.take_while(|(offset, _)| start + offset < at);
        let units: usize = before.map(|(_, character)| character.len_utf16()).sum();
        Position { line: number(line), character: number(known + units) }
    }

    /// The range of bytes from `start` to `end`.
    pub(crate) fn range(&self, text: &str, (start, end): (usize, usize)) -> Range {
        Range { start: self.position(text, start), end: self.position(text, end) }
    }

    /// The byte at a place. A place behind the end of its line is that end.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() };
        let end = self.starts.get(position.line as usize + 1).map_or(text.len(), |next| next - 1);
        let wanted = position.character as usize;
        let (start, known) = self.known(start, |(mark, units)| *mark <= end && *units <= wanted);
        let line = text.get(start..end).unwrap_or_default();
        let mut units = wanted - known;
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
        let long = format!("x\n{}\ny", "a\u{1d11e}".repeat(3 * super::STRIDE));
        let lines = Lines::of(&long);
        for pairs in [0, 1, 205, 1_000, 3 * super::STRIDE] {
            let position = Position { line: 1, character: u32::try_from(3 * pairs).expect("few") };
            assert_eq!(lines.position(&long, 2 + 5 * pairs), position);
            assert_eq!(lines.offset(&long, position), 2 + 5 * pairs);
        }
        assert_eq!(lines.position(&long, long.len()), Position { line: 2, character: 1 });
        let lines = Lines::of(text);
        // In the middle of a pair, behind a line, and behind the text.
        assert_eq!(lines.offset(text, Position { line: 0, character: 3 }), 3);
        assert_eq!(lines.offset(text, Position { line: 1, character: 9 }), 10);
        assert_eq!(lines.offset(text, Position { line: 9, character: 0 }), text.len());
    }
}
