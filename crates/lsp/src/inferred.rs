//! Annotations that nobody wrote: shown between the lines, and written into the text on demand. The
//! text with them was verified before it is offered.

use crate::documents::Document;
use gen_lsp_types::{InlayHint, Label, TextEdit, Tooltip};

impl Document {
    /// The text with what was found, if something was.
    fn inferred_text(&self) -> Option<&str> {
        let checked = self.checked.as_ref().filter(|checked| checked.is_current)?;
        let report = checked.run.files.first()?;
        report.inferred_text.as_deref().or(self.guarded.as_deref())
    }

    pub(crate) fn hints(&self) -> Vec<InlayHint> {
        let Some(lines) = self.inferred_text().and_then(|text| inserted(&self.text, text)) else {
            return Vec::new();
        };
        let tooltip = "found by Rely, and needed for the proof";
        let hint = |(at, line): (usize, &str)| InlayHint {
            position: self.lines.position(&self.text, at),
            label: Label::String(line.trim().to_owned()),
            kind: None,
            text_edits: None,
            tooltip: Some(Tooltip::String(tooltip.to_owned())),
            padding_left: None,
            padding_right: Some(true),
            data: None,
        };
        lines.into_iter().filter(|(_, line)| !line.trim().is_empty()).map(hint).collect()
    }

    /// How to write what was found into the text, and how much that is.
    pub(crate) fn writing(&self) -> Option<(usize, Vec<TextEdit>)> {
        let text = self.inferred_text()?;
        let written = self.checked.as_ref()?.run.files[0].inferred.len();
        let Some(lines) = inserted(&self.text, text) else {
            let range = self.range((0, self.text.len()));
            return Some((written, vec![TextEdit { range, new_text: text.to_owned() }]));
        };
        let edit = |(at, line): (usize, &str)| TextEdit {
            range: self.range((at, at)),
            new_text: line.to_owned(),
        };
        let edits: Vec<TextEdit> = lines.into_iter().map(edit).collect();
        // Locks of fields stand in lines of their own.
        Some((if written == 0 { edits.len() } else { written }, edits))
    }
}

/// The lines that a text has more than another one, each with the place before which it stands
/// there; nothing if lines were changed, too.
fn inserted<'t>(old: &str, new: &'t str) -> Option<Vec<(usize, &'t str)>> {
    let mut more = Vec::new();
    let mut rest = old.split_inclusive('\n').peekable();
    let mut at = 0;
    for line in new.split_inclusive('\n') {
        match rest.next_if(|next| *next == line) {
            Some(same) => at += same.len(),
            None => more.push((at, line)),
        }
    }
    rest.peek().is_none().then_some(more)
}

#[cfg(test)]
mod tests {
    use super::inserted;

    #[test]
    fn lines_that_are_new_are_found() {
        let found = inserted("a\nb\n", "a\nrely x;\nb\n");
        assert_eq!(found, Some(vec![(2, "rely x;\n")]));
        assert_eq!(inserted("a\nb\n", "a\nb c\n"), None);
        assert_eq!(inserted("a\n", "a\n"), Some(Vec::new()));
    }
}
