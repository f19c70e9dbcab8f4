//! Answers to what the editor asks about a document.

use crate::documents::Document;
use crate::findings::location;
use crate::format::formatted;
use crate::symbols::keywords;
use driver::Language;
use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, CompletionParams,
    DefinitionParams, DocumentHighlight, DocumentHighlightParams, HoverParams, Location, Position,
    ReferenceParams, RenameParams, TextEdit, WorkspaceEdit,
};
use serde_json::{Value, json};

impl Document {
    fn at(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    pub(crate) fn asked_hover(&self, asked: &HoverParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        json!(self.hover(at))
    }

    pub(crate) fn asked_definition(&self, asked: &DefinitionParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        let meant = self.word(at).and_then(|word| self.meaning(word));
        json!(meant.map(|meant| {
            let place = (meant.name_span.start as usize, meant.name_span.end as usize);
            Location { uri: self.uri.clone(), range: self.range(place) }
        }))
    }

    pub(crate) fn asked_references(&self, asked: &ReferenceParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        let Some(word) = self.word(at) else { return Value::Null };
        let declared = self.meaning(word).map(|meant| meant.name_span.start as usize);
        let all = self.references(word).into_iter();
        let wanted =
            all.filter(|one| asked.context.include_declaration || Some(one.start) != declared);
        let places = wanted.map(|word| Location {
            uri: self.uri.clone(),
            range: self.range((word.start, word.end)),
        });
        json!(places.collect::<Vec<_>>())
    }

    pub(crate) fn asked_highlight(&self, asked: &DocumentHighlightParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        let Some(word) = self.word(at) else { return Value::Null };
        let all = self.references(word).into_iter();
        let places = all.map(|word| DocumentHighlight {
            range: self.range((word.start, word.end)),
            kind: None,
        });
        json!(places.collect::<Vec<_>>())
    }

    /// Renames, if the new name is one and means nothing yet.
    pub(crate) fn asked_rename(&self, asked: &RenameParams) -> Result<Value, String> {
        if self.language() == Language::Java {
            let why = "guards and other files may name it too: rename it with tools for Java";
            return Err(why.to_owned());
        }
        let at = self.at(asked.text_document_position_params.position);
        let words = self.word(at).map(|word| self.references(word)).unwrap_or_default();
        if words.is_empty() {
            return Err("this is no name that the file declares".to_owned());
        }
        let name = asked.new_name.as_str();
        let is_sign = |sign: char| sign.is_alphanumeric() || sign == '_';
        let is_name =
            name.chars().all(is_sign) && !name.starts_with(|sign: char| sign.is_numeric());
        if name.is_empty() || !is_name {
            return Err(format!("`{name}` is no name"));
        }
        if keywords(self.language()).any(|word| word == name) {
            return Err(format!("`{name}` is a word of the language"));
        }
        if self.words.iter().any(|word| self.text_of(*word) == name) {
            return Err(format!("`{name}` means something in this file already"));
        }
        let edits = words.into_iter().map(|word| TextEdit {
            range: self.range((word.start, word.end)),
            new_text: name.to_owned(),
        });
        let changes = Some([(self.uri.clone(), edits.collect::<Vec<_>>())].into_iter().collect());
        Ok(json!(WorkspaceEdit { changes, ..WorkspaceEdit::default() }))
    }

    pub(crate) fn asked_completion(&self, asked: &CompletionParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        json!(self.completions(at))
    }

    pub(crate) fn asked_format(&self) -> Value {
        let Some(text) = formatted(&self.text, self.language()) else { return Value::Null };
        if text == self.text {
            return json!([]);
        }
        json!([TextEdit { range: self.range((0, self.text.len())), new_text: text }])
    }

    pub(crate) fn asked_actions(&self, asked: &CodeActionParams) -> Value {
        let (from, to) = (self.at(asked.range.start), self.at(asked.range.end));
        let near = self.repairs.iter().filter(|one| one.place.0 <= to && from <= one.place.1);
        let repairs = near.map(|repair| {
            let edits = repair.insertions.iter().map(|(at, text)| TextEdit {
                range: self.range((*at, *at)),
                new_text: text.clone(),
            });
            self.action(repair.title.clone(), edits.collect())
        });
        let writing = self.writing().map(|(count, edits)| {
            let title = match count {
                1 => "write the inferred annotation into the text".to_owned(),
                _ => format!("write {count} inferred annotations into the text"),
            };
            self.action(title, edits)
        });
        json!(repairs.chain(writing).collect::<Vec<_>>())
    }

    fn action(&self, title: String, edits: Vec<TextEdit>) -> CodeActionResponse {
        let changes = [(self.uri.clone(), edits)].into_iter().collect();
        CodeActionResponse::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QuickFix),
            edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
            ..CodeAction::default()
        })
    }

    /// The run that a notice of the last check shows, for whoever draws it.
    pub(crate) fn asked_run(&self, notice: usize) -> Value {
        let Some(checked) = &self.checked else { return Value::Null };
        let report = &checked.run.files[checked.file];
        let Some(told) = report.notices.get(notice) else { return Value::Null };
        let Some(trace) = report.run_of(told) else { return Value::Null };
        let sources = &checked.run.sources;
        json!({
            "code": told.diagnostic.code.as_str(),
            "message": told.diagnostic.message,
            "location": location(told.diagnostic.primary.span, sources),
            "is_current": checked.is_current,
            "run": report::run_value(trace, sources),
        })
    }
}
