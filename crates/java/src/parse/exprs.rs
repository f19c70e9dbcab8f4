//! Expressions.

use super::types::{array, count_dimensions};
use super::{Reader, all, child, field, fields, named};
use crate::tree::{
    AssignOp, BinaryOp, CallExpr, Expr, ExprKind, LambdaBody, LambdaParam, NewArray, NewExpr,
    Param, Pattern, Receiver, Reference, UnaryOp,
};
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn error_expr(&self, node: Node<'_>) -> Expr {
        Expr { kind: ExprKind::Error, span: self.span(node) }
    }

    pub(super) fn expr(&mut self, node: Node<'_>) -> Expr {
        if node.kind() == "binary_expression" {
            return self.binary(node);
        }
        let wrong = self.error_expr(node);
        self.nested(node, wrong, |reader| {
            let kind = reader.expr_kind(node);
            Expr { kind, span: reader.span(node) }
        })
    }

    /// Long sums are deep on their left side without nesting in the text, so that they are read
    /// from left to right.
    fn binary(&mut self, node: Node<'_>) -> Expr {
        let mut chain = Vec::new();
        let mut first = node;
        while first.kind() == "binary_expression" {
            chain.push(first);
            match field(first, "left") {
                Some(left) => first = left,
                None => return self.error_expr(node),
            }
        }
        let mut left = self.expr(first);
        for node in chain.into_iter().rev() {
            let op = field(node, "operator").and_then(|op| BinaryOp::of(op.kind()));
            let right = self.in_field(node, "right");
            let kind = match op {
                Some(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                None => ExprKind::Error,
            };
            left = Expr { kind, span: self.span(node) };
        }
        left
    }

    pub(super) fn args(&mut self, node: Node<'_>) -> Vec<Expr> {
        named(node).into_iter().map(|arg| self.expr(arg)).collect()
    }

    fn boxed(&mut self, node: Node<'_>, name: &str) -> Box<Expr> {
        Box::new(self.in_field(node, name))
    }

    fn expr_kind(&mut self, node: Node<'_>) -> ExprKind {
        if let Some(literal) = self.literal(node) {
            return ExprKind::Literal(literal);
        }
        match node.kind() {
            "identifier" => ExprKind::Name(self.ident(node).name),
            "this" => ExprKind::This,
            "parenthesized_expression" => self.first(node).kind,
            "field_access" => self.field_access(node),
            "array_access" => ExprKind::Index(self.boxed(node, "array"), self.boxed(node, "index")),
            "method_invocation" => self.call(node),
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array_creation(node),
            "array_initializer" => ExprKind::ArrayValues(self.args(node)),
            "assignment_expression"
            | "unary_expression"
            | "update_expression"
            | "ternary_expression"
            | "instanceof_expression"
            | "cast_expression" => self.operation(node),
            "lambda_expression" => self.lambda(node),
            "method_reference" => self.reference(node),
            "switch_expression" => ExprKind::Switch(Box::new(self.switch(node))),
            "class_literal" => match named(node).first() {
                Some(ty) => ExprKind::ClassLiteral(self.ty(*ty)),
                None => ExprKind::Error,
            },
            _ => {
                self.error(node, "expected an expression");
                ExprKind::Error
            }
        }
    }

    /// An operator with its operands; the binary ones are read elsewhere.
    fn operation(&mut self, node: Node<'_>) -> ExprKind {
        let op = field(node, "operator").map_or("", |op| op.kind());
        match node.kind() {
            "assignment_expression" => {
                let op = op.strip_suffix('=').and_then(BinaryOp::of);
                let op = op.map_or(AssignOp::Plain, AssignOp::With);
                ExprKind::Assign(op, self.boxed(node, "left"), self.boxed(node, "right"))
            }
            "unary_expression" => {
                let op = match op {
                    "-" => UnaryOp::Minus,
                    "!" => UnaryOp::Not,
                    "~" => UnaryOp::Complement,
                    _ => UnaryOp::Plus,
                };
                ExprKind::Unary(op, self.boxed(node, "operand"))
            }
            "update_expression" => {
                let parts = all(node);
                let sign = |part: &Node<'_>| matches!(part.kind(), "++" | "--");
                let is_up = parts.iter().any(|part| part.kind() == "++");
                let gives_old = !parts.first().is_some_and(sign);
                let target = Box::new(self.first(node));
                ExprKind::Step { target, by: if is_up { 1 } else { -1 }, gives_old }
            }
            "ternary_expression" => {
                let cond = self.boxed(node, "condition");
                let one = self.boxed(node, "consequence");
                ExprKind::Conditional(cond, one, self.boxed(node, "alternative"))
            }
            "instanceof_expression" => {
                let value = self.boxed(node, "left");
                let pattern = match (field(node, "pattern"), field(node, "right")) {
                    (Some(pattern), _) => self.pattern(pattern),
                    (None, Some(ty)) => {
                        let name = field(node, "name").map(|name| self.ident(name));
                        Pattern::Type(self.ty(ty), name)
                    }
                    (None, None) => Pattern::Any,
                };
                ExprKind::InstanceOf(value, pattern)
            }
            _ => {
                let types = fields(node, "type").into_iter().map(|ty| self.ty(ty)).collect();
                ExprKind::Cast(types, self.boxed(node, "value"))
            }
        }
    }

    fn field_access(&mut self, node: Node<'_>) -> ExprKind {
        let (Some(object), Some(name)) = (field(node, "object"), field(node, "field")) else {
            return ExprKind::Error;
        };
        let through_super = child(node, "super").is_some_and(|one| one != object);
        if name.kind() == "this" {
            return ExprKind::OuterThis(Box::new(self.expr(object)));
        }
        let name = self.ident(name);
        if object.kind() == "super" {
            return ExprKind::SuperField(None, name);
        }
        let object = Box::new(self.expr(object));
        if through_super {
            return ExprKind::SuperField(Some(object), name);
        }
        ExprKind::Field(object, name)
    }

    fn call(&mut self, node: Node<'_>) -> ExprKind {
        let object = field(node, "object");
        let through_super =
            named(node).into_iter().any(|one| one.kind() == "super" && Some(one) != object);
        let receiver = match object {
            None => Receiver::Implicit,
            Some(object) if object.kind() == "super" => Receiver::Super(None),
            Some(object) if through_super => Receiver::Super(Some(self.expr(object))),
            Some(object) => Receiver::Expr(self.expr(object)),
        };
        let type_args = field(node, "type_arguments");
        let type_args = type_args.map_or_else(Vec::new, |args| self.type_args(args));
        let args = field(node, "arguments").map_or_else(Vec::new, |args| self.args(args));
        let name = self.name_in(node);
        ExprKind::Call(Box::new(CallExpr { receiver, type_args, name, args }))
    }

    fn creation(&mut self, node: Node<'_>) -> ExprKind {
        let Some(ty) = field(node, "type") else { return ExprKind::Error };
        let is_outer = |part: &Node<'_>| {
            part.end_byte() <= ty.start_byte()
                && !part.kind().ends_with("annotation")
                && part.kind() != "type_arguments"
        };
        let outer = named(node).into_iter().find(is_outer).map(|outer| self.expr(outer));
        let args = field(node, "arguments").map_or_else(Vec::new, |args| self.args(args));
        let body = child(node, "class_body").map(|body| self.body(body));
        ExprKind::New(Box::new(NewExpr { outer, ty: self.ty(ty), args, body }))
    }

    fn array_creation(&mut self, node: Node<'_>) -> ExprKind {
        let Some(element) = field(node, "type") else { return ExprKind::Error };
        let element = self.ty(element);
        let (mut sizes, mut open) = (Vec::new(), 0);
        for dimension in fields(node, "dimensions") {
            if dimension.kind() == "dimensions_expr" {
                let is_size = |part: &Node<'_>| !part.kind().ends_with("annotation");
                let size = named(dimension).into_iter().find(is_size);
                sizes.extend(size.map(|size| self.expr(size)));
            } else {
                open += count_dimensions(dimension);
            }
        }
        let values = field(node, "value").map(|values| self.args(values));
        ExprKind::NewArray(Box::new(NewArray { element, sizes, open, values }))
    }

    fn lambda(&mut self, node: Node<'_>) -> ExprKind {
        let params = match field(node, "parameters") {
            Some(one) if one.kind() == "identifier" => {
                vec![LambdaParam::Inferred(self.ident(one))]
            }
            Some(many) if many.kind() == "inferred_parameters" => {
                let names = named(many).into_iter();
                names.map(|name| LambdaParam::Inferred(self.ident(name))).collect()
            }
            many => {
                let typed = |param: Param| LambdaParam::Typed(Box::new(param));
                self.params(many).0.into_iter().map(typed).collect()
            }
        };
        let body = match field(node, "body") {
            Some(block) if block.kind() == "block" => LambdaBody::Block(self.block(block)),
            Some(value) => LambdaBody::Expr(self.expr(value)),
            None => return ExprKind::Error,
        };
        ExprKind::Lambda(params, Box::new(body))
    }

    /// `a.b.C` as an expression.
    fn path_expr(&self, node: Node<'_>) -> Expr {
        let span = self.span(node);
        let parts = named(node);
        let kind = match (parts.split_last(), parts.len()) {
            (Some((last, _)), 2) => {
                ExprKind::Field(Box::new(self.path_expr(parts[0])), self.ident(*last))
            }
            _ => ExprKind::Name(self.ident(node).name),
        };
        Expr { kind, span }
    }

    fn reference(&mut self, node: Node<'_>) -> ExprKind {
        let parts = named(node);
        let Some(first) = parts.first().copied() else { return ExprKind::Error };
        let last = all(node).into_iter().rfind(|part| !part.is_extra());
        let name = last.filter(|last| last.kind() == "identifier").map(|last| self.ident(last));
        let is_type = matches!(
            first.kind(),
            "generic_type"
                | "array_type"
                | "scoped_type_identifier"
                | "type_identifier"
                | "annotated_type"
                | "integral_type"
                | "floating_point_type"
                | "boolean_type"
        );
        let path = self.text(first).strip_suffix("super").map(|of| of.trim_end().strip_suffix('.'));
        let (target, ty) = if let (true, Some(Some(_)), Some(of)) =
            (is_type, path, named(first).first().copied())
        {
            (Receiver::Super(Some(self.path_expr(of))), None)
        } else if is_type {
            (Receiver::Implicit, Some(array(self.ty(first), 0)))
        } else if first.kind() == "super" {
            (Receiver::Super(None), None)
        } else {
            let target = self.expr(first);
            let is_outer = parts.get(1).is_some_and(|part| part.kind() == "super");
            let target =
                if is_outer { Receiver::Super(Some(target)) } else { Receiver::Expr(target) };
            (target, None)
        };
        ExprKind::Reference(Box::new(Reference { target, ty, name }))
    }
}
