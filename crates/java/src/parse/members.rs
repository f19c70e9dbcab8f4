//! Declarations of types and their members.

use super::types::{array, count_dimensions};
use super::{Reader, all, child, field, fields, named};
use crate::tree::{
    Block, ClassBody, Clause, ClauseKind, EnumConstant, FieldDecl, Initializer, MethodDecl, Param,
    TypeDecl, TypeDeclKind,
};
use tree_sitter::Node;

/// What was declared last in a class, for annotations that follow on its line.
enum Last {
    Nothing,
    /// The fields from this one on.
    Fields(usize),
    /// The last method, which has no body.
    Method,
}

impl Reader<'_> {
    /// A declaration of a type after annotations; `None` if it is something else.
    pub(super) fn type_decl(&mut self, node: Node<'_>, before: Vec<Clause>) -> Option<TypeDecl> {
        let kind = match node.kind() {
            "class_declaration" => TypeDeclKind::Class,
            "interface_declaration" => TypeDeclKind::Interface,
            "enum_declaration" => TypeDeclKind::Enum,
            "record_declaration" => TypeDeclKind::Record,
            "annotation_type_declaration" => TypeDeclKind::Annotation,
            _ => return None,
        };
        let head = self.head(node);
        let superclass = field(node, "superclass").and_then(|node| named(node).first().copied());
        let superclass = superclass.map(|ty| self.ty(ty));
        let interfaces = field(node, "interfaces").or_else(|| child(node, "extends_interfaces"));
        let interfaces = interfaces.map_or_else(Vec::new, |list| self.type_list(list));
        let (components, _) = self.params(field(node, "parameters"));
        let params = self.type_params(field(node, "type_parameters"));
        let body = field(node, "body");
        let mut members = match body {
            Some(body) => self.nested(node, ClassBody::default(), |reader| reader.body(body)),
            None => ClassBody::default(),
        };
        members.clauses.splice(0..0, before.into_iter().chain(head.clauses.iter().cloned()));
        let name = self.name_in(node);
        let span = self.span_before(node, body);
        let body = members;
        Some(TypeDecl { kind, head, name, params, superclass, interfaces, components, body, span })
    }

    /// What stands between the braces of a class.
    pub(super) fn body(&mut self, node: Node<'_>) -> ClassBody {
        let mut body = ClassBody::default();
        let mut pending = Vec::new();
        self.members(node, &mut body, &mut pending);
        self.misplaced(&pending);
        body
    }

    fn members(&mut self, node: Node<'_>, body: &mut ClassBody, pending: &mut Vec<Clause>) {
        let (mut last, mut line) = (Last::Nothing, usize::MAX);
        for child in all(node) {
            let mut ends_here = Last::Nothing;
            match child.kind() {
                "line_comment" | "block_comment" => {
                    let is_behind = child.start_position().row == line;
                    let about = if is_behind { &last } else { &Last::Nothing };
                    for clause in self.note(child) {
                        place(clause, body, pending, about);
                    }
                    continue;
                }
                "field_declaration" | "constant_declaration" => {
                    ends_here = Last::Fields(body.fields.len());
                    let found = self.field_decls(child, std::mem::take(pending), body);
                    body.fields.extend(found);
                }
                "method_declaration"
                | "constructor_declaration"
                | "compact_constructor_declaration"
                | "annotation_type_element_declaration" => {
                    let method = self.method(child, std::mem::take(pending));
                    if method.body.is_none() {
                        ends_here = Last::Method;
                    }
                    body.methods.push(method);
                }
                "static_initializer" | "block" => {
                    self.misplaced(&std::mem::take(pending));
                    let is_static = child.kind() == "static_initializer";
                    let block = named(child).into_iter().find(|inner| inner.kind() == "block");
                    let block = if is_static { block } else { Some(child) };
                    let order = body.fields.len() + body.initializers.len();
                    if let Some(block) = block {
                        let read = self.block(block);
                        body.initializers.push(Initializer { is_static, body: read, order });
                    }
                }
                "enum_constant" => {
                    self.misplaced(&std::mem::take(pending));
                    let constant = self.enum_constant(child);
                    body.constants.push(constant);
                }
                "enum_body_declarations" => self.members(child, body, pending),
                _ if !child.is_named() => continue,
                _ => match self.type_decl(child, std::mem::take(pending)) {
                    Some(declared) => body.types.push(declared),
                    None => self.error(child, "expected a member of a class"),
                },
            }
            (last, line) = (ends_here, child.end_position().row);
        }
    }

    fn enum_constant(&mut self, node: Node<'_>) -> EnumConstant {
        let args = field(node, "arguments").map_or_else(Vec::new, |args| self.args(args));
        let body = field(node, "body").map(|body| self.body(body));
        EnumConstant { name: self.name_in(node), args, body, span: self.span(node) }
    }

    fn field_decls(
        &mut self,
        node: Node<'_>,
        pending: Vec<Clause>,
        body: &ClassBody,
    ) -> Vec<FieldDecl> {
        let mut head = self.head(node);
        head.clauses.splice(0..0, pending);
        let inside = self.notes_among(node);
        head.clauses.extend(inside);
        let order = body.fields.len() + body.initializers.len();
        let mut found = Vec::new();
        for declarator in fields(node, "declarator") {
            let ty = self.declared(node, declarator);
            let value = field(declarator, "value").map(|value| self.expr(value));
            let (name, head) = (self.name_in(declarator), head.clone());
            let order = order + found.len();
            let span = self.span(node);
            found.push(FieldDecl { head, ty, name, value, is_ghost: false, span, order });
        }
        found
    }

    fn method(&mut self, node: Node<'_>, pending: Vec<Clause>) -> MethodDecl {
        let mut head = self.head(node);
        head.clauses.splice(0..0, pending);
        let inside = self.notes_among(node);
        head.clauses.extend(inside);
        let (params, is_varargs) = self.params(field(node, "parameters"));
        let type_params = self.type_params(field(node, "type_parameters"));
        let dimensions = field(node, "dimensions").map_or(0, count_dimensions);
        let is_constructor =
            matches!(node.kind(), "constructor_declaration" | "compact_constructor_declaration");
        let result = field(node, "type").filter(|_| !is_constructor);
        let result = result.map(|ty| array(self.ty(ty), dimensions));
        let body = field(node, "body");
        let read = body.map(|body| self.block(body));
        MethodDecl {
            head,
            type_params,
            result,
            name: self.name_in(node),
            params,
            is_varargs,
            body: read,
            is_compact: node.kind() == "compact_constructor_declaration",
            span: self.span_before(node, body),
        }
    }

    /// The parameters in parentheses, and whether the last takes any number of arguments.
    pub(super) fn params(&mut self, node: Option<Node<'_>>) -> (Vec<Param>, bool) {
        let (mut params, mut is_varargs) = (Vec::new(), false);
        let mut pending = Vec::new();
        for node in node.map_or_else(Vec::new, all) {
            match node.kind() {
                "line_comment" | "block_comment" => pending.extend(self.note(node)),
                "formal_parameter" => {
                    let mut head = self.head(node);
                    head.clauses.append(&mut pending);
                    let ty = self.declared(node, node);
                    params.push(Param { head, ty, name: self.name_in(node) });
                }
                "spread_parameter" => {
                    is_varargs = true;
                    let declarator = child(node, "variable_declarator").unwrap_or(node);
                    let ty = array(self.declared(node, declarator), 1);
                    let (mut head, name) = (self.head(node), self.name_in(declarator));
                    head.clauses.append(&mut pending);
                    params.push(Param { head, ty, name });
                }
                // `this` written as a parameter says nothing new.
                _ => {}
            }
        }
        self.misplaced(&pending);
        for param in &params {
            let clauses = param.head.clauses.iter();
            let rest = clauses.filter(|clause| !matches!(clause.kind, ClauseKind::NonNull));
            let rest: Vec<Clause> = rest.cloned().collect();
            self.not_looked_at(&rest, "of a parameter");
        }
        (params, is_varargs)
    }

    /// A block, or the statements of a constructor.
    pub(super) fn block(&mut self, node: Node<'_>) -> Block {
        let span = self.span(node);
        let empty = Block { stmts: Vec::new(), span };
        self.nested(node, empty, |reader| Block { stmts: reader.stmts(&all(node)), span })
    }
}

/// Puts an annotation where it belongs: with the class, with what was declared last, or with what
/// comes next.
fn place(clause: Clause, body: &mut ClassBody, pending: &mut Vec<Clause>, last: &Last) {
    if let ClauseKind::Ghost(mut ghost) = clause.kind {
        ghost.order = body.fields.len() + body.initializers.len();
        body.fields.push(*ghost);
        return;
    }
    if clause.kind.is_of_class() {
        body.clauses.push(clause);
    } else if let (true, Last::Fields(first)) = (clause.kind.is_of_field(), last) {
        for field in &mut body.fields[*first..] {
            field.head.clauses.push(clause.clone());
        }
    } else if let (true, Last::Method, Some(method)) =
        (clause.kind.is_of_method(), last, body.methods.last_mut())
    {
        method.head.clauses.push(clause);
    } else {
        pending.push(clause);
    }
}
