//! Text to syntax tree: tree-sitter's concrete tree is read once, from left to right, and thrown
//! away.

mod exprs;
mod faults;
mod literals;
mod members;
mod notes;
mod stmts;
mod types;

use crate::tree::{Ident, Import, Type, TypeKind, Unit};
use diagnostic::{Code, Diagnostic};
use parsing::syntax_error;
use source::{FileId, Name, Span, number};
use std::collections::BTreeSet;
use tree_sitter::{Node, Parser};

/// How deep constructs may be nested. Every later pass may recurse this deep.
const MAX_DEPTH: usize = 300;

/// Reads a file. What cannot be read is reported, and then the tree is not worth looking at.
pub(crate) fn parse(file: FileId, text: &str) -> (Unit, Vec<Diagnostic>) {
    let refuse = |message: &str| {
        let fault = syntax_error(Span::new(file, 0, 0), message);
        (Unit::default(), vec![fault])
    };
    if u32::try_from(text.len()).is_err() {
        return refuse("the text is larger than 4 GiB");
    }
    let mut parser = Parser::new();
    let language = tree_sitter_java_orchard::LANGUAGE.into();
    if parser.set_language(&language).is_err() {
        return refuse("internal error: the grammar of Java does not fit its parser");
    }
    let Some(tree) = parser.parse(text, None) else {
        return refuse("internal error: the parser gave up");
    };
    let masked = notes::mask(text);
    let read_notes = BTreeSet::new();
    let mut reader = Reader { file, text, masked, read_notes, depth: 0, diagnostics: Vec::new() };
    let root = tree.root_node();
    if root.has_error() {
        return (Unit::default(), faults::faults(&reader, root));
    }
    let unit = reader.unit(root);
    reader.rest_of_notes(root);
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|fault| fault.primary.span.start);
    (unit, diagnostics)
}

/// Reads a tree of tree-sitter.
struct Reader<'t> {
    file: FileId,
    text: &'t str,
    /// The text as annotations see it.
    masked: String,
    /// Where the comments start whose annotations were read.
    read_notes: BTreeSet<usize>,
    depth: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn span(&self, node: Node<'_>) -> Span {
        Span::new(self.file, number(node.start_byte()), number(node.end_byte()))
    }

    /// From the start of one node to the start of another, without the blanks between.
    fn span_before(&self, node: Node<'_>, next: Option<Node<'_>>) -> Span {
        let Some(next) = next else { return self.span(node) };
        let text = &self.text[node.start_byte()..next.start_byte()];
        let end = node.start_byte() + text.trim_end().len();
        Span::new(self.file, number(node.start_byte()), number(end))
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn ident(&self, node: Node<'_>) -> Ident {
        Ident { name: Name::from(self.text(node)), span: self.span(node) }
    }

    fn error(&mut self, node: Node<'_>, message: &str) {
        let fault = syntax_error(self.span(node), message);
        self.diagnostics.push(fault);
    }

    /// Reads something that may contain itself, unless that goes too deep.
    fn nested<T>(&mut self, node: Node<'_>, wrong: T, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            let is_told = |fault: &Diagnostic| fault.code == Code::NestingTooDeep;
            if !self.diagnostics.iter().any(is_told) {
                let span = self.span(node);
                let fault = Diagnostic::new(Code::NestingTooDeep, span, "nested too deeply")
                    .at(format!("more than {MAX_DEPTH} levels"))
                    .help("give names to parts of it");
                self.diagnostics.push(fault);
            }
            return wrong;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn unit(&mut self, root: Node<'_>) -> Unit {
        let mut unit = Unit::default();
        let mut pending = Vec::new();
        for child in all(root) {
            match child.kind() {
                "package_declaration" => unit.package = self.path_of(child),
                "import_declaration" => unit.imports.push(self.import(child)),
                "line_comment" | "block_comment" => pending.extend(self.note(child)),
                "module_declaration" | ";" => {}
                _ => match self.type_decl(child, std::mem::take(&mut pending)) {
                    Some(declared) => unit.types.push(declared),
                    None => self.error(child, "expected a class, an interface or the like"),
                },
            }
        }
        self.misplaced(&pending);
        unit
    }

    fn import(&self, node: Node<'_>) -> Import {
        let has = |kind| all(node).iter().any(|child| child.kind() == kind);
        let (is_static, all) = (has("static"), has("asterisk"));
        Import { path: self.path_of(node), is_static, all }
    }

    /// The names between dots, below a node.
    fn path_of(&self, node: Node<'_>) -> Vec<Ident> {
        let found = named(node).into_iter().find(|child| child.kind().ends_with("identifier"));
        found.map_or_else(Vec::new, |path| self.path(path))
    }

    /// `a.b.c`
    fn path(&self, mut node: Node<'_>) -> Vec<Ident> {
        let mut path = Vec::new();
        while let (Some(scope), Some(name)) = (field(node, "scope"), field(node, "name")) {
            path.push(self.ident(name));
            node = scope;
        }
        path.push(self.ident(node));
        path.reverse();
        path
    }

    /// A type of no name, where the text has none.
    fn no_type(&self, node: Node<'_>) -> Type {
        Type { kind: TypeKind::Inferred, span: self.span(node) }
    }
}

/// All children.
fn all(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The children that are more than punctuation, without comments.
fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

fn field<'n>(node: Node<'n>, name: &str) -> Option<Node<'n>> {
    node.child_by_field_name(name)
}

/// All children in a field of this name.
fn fields<'n>(node: Node<'n>, name: &str) -> Vec<Node<'n>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(Node::is_named).collect()
}

fn child<'n>(node: Node<'n>, kind: &str) -> Option<Node<'n>> {
    named(node).into_iter().find(|child| child.kind() == kind)
}
