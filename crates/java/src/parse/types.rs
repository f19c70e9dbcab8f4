//! Types and what stands before declarations.

use super::{Reader, all, child, field, named};
use crate::pragma::of_annotation;
use crate::tree::{
    Annotation, AnnotationValue, Bound, Head, Ident, Modifiers, Prim, Type, TypeKind, TypeParam,
    TypeSegment,
};
use source::{Name, Span};
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn ty(&mut self, node: Node<'_>) -> Type {
        let span = self.span(node);
        let inferred = Type { kind: TypeKind::Inferred, span };
        self.nested(node, inferred, |reader| Type { kind: reader.type_kind(node), span })
    }

    fn type_kind(&mut self, node: Node<'_>) -> TypeKind {
        match node.kind() {
            "void_type" => TypeKind::Void,
            "boolean_type" | "integral_type" | "floating_point_type" => {
                Prim::of(self.text(node)).map_or(TypeKind::Inferred, TypeKind::Prim)
            }
            "type_identifier" | "identifier" if self.text(node) == "var" => TypeKind::Inferred,
            "type_identifier"
            | "identifier"
            | "generic_type"
            | "scoped_type_identifier"
            | "scoped_identifier" => TypeKind::Named(self.segments(node)),
            "array_type" => {
                let element = field(node, "element").map(|element| self.ty(element));
                let element = element.unwrap_or_else(|| self.no_type(node));
                let dimensions = field(node, "dimensions").map_or(0, count_dimensions);
                array(element, dimensions).kind
            }
            "annotated_type" => {
                let is_type = |child: &Node<'_>| !child.kind().ends_with("annotation");
                let inner = named(node).into_iter().find(is_type);
                inner.map_or(TypeKind::Inferred, |inner| self.ty(inner).kind)
            }
            "wildcard" => self.wildcard(node),
            _ => {
                self.error(node, "expected a type");
                TypeKind::Inferred
            }
        }
    }

    fn wildcard(&mut self, node: Node<'_>) -> TypeKind {
        let is_bound =
            |child: &Node<'_>| !child.kind().ends_with("annotation") && child.kind() != "super";
        let Some(bound) = named(node).into_iter().find(is_bound) else {
            return TypeKind::Wildcard(None);
        };
        let is_super = all(node).iter().any(|child| child.kind() == "super");
        let kind = if is_super { Bound::Super } else { Bound::Extends };
        TypeKind::Wildcard(Some((kind, Box::new(self.ty(bound)))))
    }

    fn segments(&mut self, node: Node<'_>) -> Vec<TypeSegment> {
        match node.kind() {
            "generic_type" | "scoped_type_identifier" => {
                let mut segments = Vec::new();
                for child in named(node) {
                    match child.kind() {
                        "type_arguments" => {
                            let args = self.type_args(child);
                            if let Some(last) = segments.last_mut() {
                                let last: &mut TypeSegment = last;
                                last.args = args;
                            }
                        }
                        "annotation" | "marker_annotation" => {}
                        _ => segments.extend(self.segments(child)),
                    }
                }
                segments
            }
            "scoped_identifier" => {
                let plain = |name: Ident| TypeSegment { name, args: Vec::new() };
                self.path(node).into_iter().map(plain).collect()
            }
            _ => vec![TypeSegment { name: self.ident(node), args: Vec::new() }],
        }
    }

    pub(super) fn type_args(&mut self, node: Node<'_>) -> Vec<Type> {
        named(node).into_iter().map(|arg| self.ty(arg)).collect()
    }

    /// The types of a list below a node, as in `implements A, B`.
    pub(super) fn type_list(&mut self, node: Node<'_>) -> Vec<Type> {
        let list = child(node, "type_list").unwrap_or(node);
        named(list).into_iter().map(|ty| self.ty(ty)).collect()
    }

    pub(super) fn type_params(&mut self, node: Option<Node<'_>>) -> Vec<TypeParam> {
        let params = node.map_or_else(Vec::new, named);
        let mut read = Vec::new();
        for param in params {
            let Some(name) = child(param, "type_identifier").or_else(|| child(param, "identifier"))
            else {
                continue;
            };
            let bound = child(param, "type_bound");
            let bounds = bound.map_or_else(Vec::new, |bound| self.type_list(bound));
            read.push(TypeParam { name: self.ident(name), bounds });
        }
        read
    }

    /// Modifiers and annotations before a declaration, with the annotations in comments among them.
    pub(super) fn head(&mut self, node: Node<'_>) -> Head {
        let mut head = Head::default();
        let Some(modifiers) = child(node, "modifiers") else { return head };
        for child in all(modifiers) {
            match child.kind() {
                "annotation" | "marker_annotation" => {
                    let annotation = self.annotation(child);
                    let (clauses, faults) = of_annotation(self.file, self.text, &annotation);
                    head.clauses.extend(clauses);
                    self.diagnostics.extend(faults);
                    head.annotations.push(annotation);
                }
                "line_comment" | "block_comment" => {
                    let found = self.note(child);
                    head.clauses.extend(found);
                }
                _ => set_modifier(&mut head.modifiers, self.text(child)),
            }
        }
        head
    }

    fn annotation(&mut self, node: Node<'_>) -> Annotation {
        let name = field(node, "name").map(|name| self.path(name));
        let last = name.and_then(|path| path.last().map(|last| last.name.clone()));
        let mut values = Vec::new();
        for value in field(node, "arguments").map_or_else(Vec::new, named) {
            let (key, value) = match (field(value, "key"), field(value, "value")) {
                (Some(key), Some(inner)) => (Name::from(self.text(key)), inner),
                _ => (Name::from("value"), value),
            };
            values.push(self.annotation_value(key, value));
        }
        let name = last.unwrap_or_else(|| Name::from(""));
        Annotation { name, values, span: self.span(node) }
    }

    fn annotation_value(&self, key: Name, node: Node<'_>) -> AnnotationValue {
        let listed = match node.kind() {
            "element_value_array_initializer" => named(node),
            _ => vec![node],
        };
        let is_text = |one: &Node<'_>| one.kind() == "string_literal";
        let other = listed.iter().find(|one| !is_text(one)).map(|one| self.span(*one));
        let texts = listed.iter().filter(|one| is_text(one)).map(|one| {
            let span = self.span(*one);
            Span { start: span.start + 1, end: span.end.saturating_sub(1), ..span }
        });
        AnnotationValue { key, texts: texts.collect(), other }
    }

    /// The type of a declared name, with the dimensions after the name.
    pub(super) fn declared(&mut self, node: Node<'_>, declarator: Node<'_>) -> Type {
        let ty = field(node, "type").map(|ty| self.ty(ty));
        let ty = ty.unwrap_or_else(|| self.no_type(declarator));
        array(ty, field(declarator, "dimensions").map_or(0, count_dimensions))
    }

    /// The name in a field, or in place of `_` none that can be used.
    pub(super) fn name_in(&self, node: Node<'_>) -> Ident {
        field(node, "name").map_or_else(|| self.ident(node), |name| self.ident(name))
    }
}

fn set_modifier(modifiers: &mut Modifiers, word: &str) {
    match word {
        "public" => modifiers.is_public = true,
        "protected" => modifiers.is_protected = true,
        "private" => modifiers.is_private = true,
        "static" => modifiers.is_static = true,
        "final" => modifiers.is_final = true,
        "abstract" => modifiers.is_abstract = true,
        "synchronized" => modifiers.is_synchronized = true,
        "volatile" => modifiers.is_volatile = true,
        "native" => modifiers.is_native = true,
        "default" => modifiers.is_default = true,
        // `transient`, `strictfp`, `sealed` and `non-sealed` change nothing that is checked.
        _ => {}
    }
}

/// The number of pairs of brackets.
pub(super) fn count_dimensions(node: Node<'_>) -> usize {
    all(node).iter().filter(|child| child.kind() == "[").count()
}

/// An array of arrays of a type.
pub(super) fn array(element: Type, dimensions: usize) -> Type {
    (0..dimensions).fold(element, |element, _| {
        let span = element.span;
        Type { kind: TypeKind::Array(Box::new(element)), span }
    })
}
