//! Answers to what the editor asks about a document.

use crate::documents::Document;
use crate::findings::location;
use crate::format::formatted;
use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, CompletionParams,
    DefinitionParams, DocumentHighlight, DocumentHighlightParams, HoverParams, Position,
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
        json!(self.declared_at(at))
    }

    pub(crate) fn asked_references(&self, asked: &ReferenceParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        let Some(all) = self.uses_of(at) else { return Value::Null };
        let wanted = all
            .into_iter()
            .filter(|(_, is_declaration)| asked.context.include_declaration || !is_declaration);
        json!(wanted.map(|(place, _)| place).collect::<Vec<_>>())
    }

    pub(crate) fn asked_highlight(&self, asked: &DocumentHighlightParams) -> Value {
        let at = self.at(asked.text_document_position_params.position);
        let Some(all) = self.uses_of(at) else { return Value::Null };
        let here = all.into_iter().filter(|(place, _)| place.uri == self.uri);
        let places = here.map(|(place, _)| DocumentHighlight { range: place.range, kind: None });
        json!(places.collect::<Vec<_>>())
    }

    /// Renames, if the new name is one and means nothing yet.
    pub(crate) fn asked_rename(&self, asked: &RenameParams) -> Result<Value, String> {
        let at = self.at(asked.text_document_position_params.position);
        self.rename(at, &asked.new_name).map(|edit| json!(edit))
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
        let report = &checked.run.files[0];
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
