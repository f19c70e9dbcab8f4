//! What the text declares: the list of symbols, what can be folded, colours, and completion.

use crate::documents::Document;
use driver::Language;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, DocumentSymbol, FoldingRange, SemanticToken,
    SemanticTokens, SymbolKind,
};
use source::{Declaration, DeclarationKind};
use std::collections::BTreeSet;

/// The kinds of words that have colours of their own; their positions are what the protocol sends.
pub(crate) const COLOURS: [&str; 8] =
    ["variable", "parameter", "property", "function", "class", "enumMember", "namespace", "type"];

impl Document {
    pub(crate) fn symbols(&self) -> Vec<DocumentSymbol> {
        self.symbols_of(&self.outline)
    }

    #[expect(deprecated, reason = "the protocol keeps a field that nobody sets")]
    fn symbols_of(&self, all: &[Declaration]) -> Vec<DocumentSymbol> {
        let shown = all.iter().filter(|one| one.kind != DeclarationKind::Local);
        let symbol = |one: &Declaration| DocumentSymbol {
            name: one.name.clone(),
            detail: None,
            kind: symbol_kind(one.kind),
            tags: None,
            deprecated: None,
            range: self.range((one.span.start as usize, one.span.end as usize)),
            selection_range: self.range(name_of(one)),
            children: Some(self.symbols_of(&one.inside)),
        };
        shown.map(symbol).collect()
    }

    /// Declarations of several lines.
    pub(crate) fn folds(&self) -> Vec<FoldingRange> {
        let mut lines = BTreeSet::new();
        let mut rest: Vec<&Declaration> = self.outline.iter().collect();
        while let Some(one) = rest.pop() {
            rest.extend(&one.inside);
            if one.kind == DeclarationKind::Local {
                continue;
            }
            let range = self.range((one.span.start as usize, one.span.end as usize));
            if range.end.line > range.start.line {
                lines.insert((range.start.line, range.end.line));
            }
        }
        let fold =
            |(start_line, end_line)| FoldingRange { start_line, end_line, ..Default::default() };
        lines.into_iter().map(fold).collect()
    }

    /// The words that mean something, each with its kind.
    pub(crate) fn colours(&self) -> SemanticTokens {
        let mut data = Vec::new();
        let (mut line, mut start) = (0, 0);
        for word in &self.words {
            let Some(meant) = self.meaning(*word) else { continue };
            let range = self.range((word.start, word.end));
            let delta_line = range.start.line - line;
            let delta_start =
                if delta_line == 0 { range.start.character - start } else { range.start.character };
            (line, start) = (range.start.line, range.start.character);
            data.push(SemanticToken {
                delta_line,
                delta_start,
                length: range.end.character - range.start.character,
                token_type: colour(meant.kind),
                token_modifiers_bitset: 0,
            });
        }
        SemanticTokens { data, ..Default::default() }
    }

    /// The names that are known at a place, and the words of the language.
    pub(crate) fn completions(&self, at: usize) -> Vec<CompletionItem> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut rest: Vec<(&Declaration, usize)> =
            self.outline.iter().map(|one| (one, 0)).collect();
        while let Some((one, depth)) = rest.pop() {
            let contains = one.span.start as usize <= at && at <= one.span.end as usize;
            rest.extend(one.inside.iter().map(|inner| (inner, depth + 1)));
            let is_known = one.kind != DeclarationKind::Local || contains;
            if is_known && seen.insert(one.name.clone()) {
                let kind = Some(completion_kind(one.kind));
                let label = one.name.clone();
                found.push(CompletionItem { label, kind, ..Default::default() });
            }
        }
        for word in keywords(self.language()) {
            if seen.insert(word.to_owned()) {
                let kind = Some(CompletionItemKind::Keyword);
                let label = word.to_owned();
                found.push(CompletionItem { label, kind, ..Default::default() });
            }
        }
        found
    }
}

fn name_of(one: &Declaration) -> (usize, usize) {
    (one.name_span.start as usize, one.name_span.end as usize)
}

fn symbol_kind(kind: DeclarationKind) -> SymbolKind {
    match kind {
        DeclarationKind::Constant => SymbolKind::Constant,
        DeclarationKind::Type | DeclarationKind::Class | DeclarationKind::System => {
            SymbolKind::Class
        }
        DeclarationKind::Enumeration => SymbolKind::Enum,
        DeclarationKind::Variant | DeclarationKind::State => SymbolKind::EnumMember,
        DeclarationKind::Variable | DeclarationKind::Mutex | DeclarationKind::Local => {
            SymbolKind::Variable
        }
        DeclarationKind::Field => SymbolKind::Field,
        DeclarationKind::Function => SymbolKind::Function,
        DeclarationKind::Method | DeclarationKind::Thread => SymbolKind::Method,
        DeclarationKind::Module => SymbolKind::Module,
        DeclarationKind::Channel => SymbolKind::Event,
    }
}

fn completion_kind(kind: DeclarationKind) -> CompletionItemKind {
    match kind {
        DeclarationKind::Constant => CompletionItemKind::Constant,
        DeclarationKind::Type | DeclarationKind::Class | DeclarationKind::System => {
            CompletionItemKind::Class
        }
        DeclarationKind::Enumeration => CompletionItemKind::Enum,
        DeclarationKind::Variant | DeclarationKind::State => CompletionItemKind::EnumMember,
        DeclarationKind::Variable | DeclarationKind::Mutex | DeclarationKind::Local => {
            CompletionItemKind::Variable
        }
        DeclarationKind::Field => CompletionItemKind::Field,
        DeclarationKind::Function | DeclarationKind::Thread => CompletionItemKind::Function,
        DeclarationKind::Method => CompletionItemKind::Method,
        DeclarationKind::Module => CompletionItemKind::Module,
        DeclarationKind::Channel => CompletionItemKind::Event,
    }
}

/// The position of a kind in [`COLOURS`].
fn colour(kind: DeclarationKind) -> u32 {
    match kind {
        DeclarationKind::Constant | DeclarationKind::Variable | DeclarationKind::Mutex => 0,
        DeclarationKind::Local => 1,
        DeclarationKind::Field | DeclarationKind::Channel => 2,
        DeclarationKind::Function | DeclarationKind::Method | DeclarationKind::Thread => 3,
        DeclarationKind::Class | DeclarationKind::System => 4,
        DeclarationKind::Variant | DeclarationKind::State => 5,
        DeclarationKind::Module => 6,
        DeclarationKind::Type | DeclarationKind::Enumeration => 7,
    }
}

const PLATO: &str = "\
    acquire action assert assume atomic break broadcast call cas choose condition const continue \
    else ensures enum exists forall fork func guarded havoc if init invariant join loop modifies \
    module mutex never pred proc release rely requires return returns signal skip thread tid type \
    var wait while";
const CHALICE: &str = "\
    acc acquire assert assume call channel class condition const downgrade ensures eval fold \
    fork free function ghost holds invariant join lock lockchange method old predicate rd \
    receive release reorder requires returns send share signal spec token unfold unfolding \
    unshare var volatile wait waitlevel while";
const DESIGN: &str = "after any before calls class cond for in initial nil policy property root state step sync system \
    unit var";

/// The words of languages that are our own; an editor knows the others.
pub(crate) fn keywords(language: Language) -> impl Iterator<Item = &'static str> {
    let words = match language {
        Language::Plato => PLATO,
        Language::Chalice => CHALICE,
        Language::Design => DESIGN,
        Language::C | Language::Pds | Language::Diagram | Language::Java => "",
    };
    words.split_whitespace()
}
