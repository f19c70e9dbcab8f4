//! Statements.

use super::{Reader, all, child, field, fields, named};
use crate::tree::{
    Block, Case, CaseLabel, Catch, Clause, ClauseKind, ConstructorCall, Expr, LocalDecl, Pattern,
    Resource, Rule, Stmt, StmtKind, Switch, Type, TypeKind,
};
use source::Span;
use tree_sitter::Node;

impl Reader<'_> {
    /// The statements among some nodes, and the annotations between them.
    pub(super) fn stmts(&mut self, nodes: &[Node<'_>]) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let mut pending: Vec<Clause> = Vec::new();
        for node in nodes {
            if node.kind().ends_with("_comment") {
                for clause in self.note(*node) {
                    if clause.kind.is_of_body() {
                        let span = clause.span;
                        stmts.push(Stmt { kind: StmtKind::Clause(clause), span });
                    } else {
                        pending.push(clause);
                    }
                }
            } else if node.is_named() || node.kind() == ";" {
                self.stmt_into(*node, std::mem::take(&mut pending), &mut stmts);
            }
        }
        self.misplaced(&pending);
        stmts
    }

    /// One statement as such.
    fn single(&mut self, node: Option<Node<'_>>, around: Node<'_>) -> Stmt {
        let mut stmts = Vec::new();
        if let Some(node) = node {
            self.stmt_into(node, Vec::new(), &mut stmts);
        }
        one_of(stmts, self.span(node.unwrap_or(around)))
    }

    /// Reads a statement; a declaration of several variables is several statements.
    fn stmt_into(&mut self, node: Node<'_>, pending: Vec<Clause>, into: &mut Vec<Stmt>) {
        if node.kind() == "local_variable_declaration" {
            self.not_looked_at(&pending, "of a local variable");
            let span = self.span(node);
            for local in self.locals(node) {
                into.push(Stmt { kind: StmtKind::Local(Box::new(local)), span });
            }
            return;
        }
        let error = Stmt { kind: StmtKind::Error, span: self.span(node) };
        let stmt = self.nested(node, error, |reader| reader.stmt(node, pending));
        into.push(stmt);
    }

    fn locals(&mut self, node: Node<'_>) -> Vec<LocalDecl> {
        self.local_head(node);
        let mut locals = Vec::new();
        for declarator in fields(node, "declarator") {
            let ty = self.declared(node, declarator);
            let value = field(declarator, "value").map(|value| self.expr(value));
            let name = self.name_in(declarator);
            locals.push(LocalDecl { ty, name, value });
        }
        locals
    }

    /// What stands before a local variable, none of which is looked at.
    pub(super) fn local_head(&mut self, node: Node<'_>) {
        let head = self.head(node);
        self.not_looked_at(&head.clauses, "of a local variable");
    }

    fn stmt(&mut self, node: Node<'_>, mut pending: Vec<Clause>) -> Stmt {
        match node.kind() {
            "while_statement" | "do_statement" | "for_statement" | "enhanced_for_statement" => {
                pending.extend(self.notes_among(node));
                let clauses = self.of_loop(pending);
                return self.loop_stmt(node, clauses);
            }
            "labeled_statement" => {
                pending.extend(self.notes_among(node));
                return self.labelled(node, pending);
            }
            _ => self.misplaced(&pending),
        }
        let body = field(node, "body").or_else(|| field(node, "consequence"));
        let span = self.span_before(node, body);
        Stmt { kind: self.stmt_kind(node), span }
    }

    fn stmt_kind(&mut self, node: Node<'_>) -> StmtKind {
        let inner = || named(node).first().copied();
        match node.kind() {
            ";" => StmtKind::Empty,
            "block" => StmtKind::Block(self.block(node)),
            "expression_statement" => StmtKind::Expr(self.first(node)),
            "if_statement" => {
                let cond = self.in_field(node, "condition");
                let then = self.single(field(node, "consequence"), node);
                let otherwise = field(node, "alternative");
                let otherwise = otherwise.map(|other| Box::new(self.single(Some(other), node)));
                StmtKind::If(cond, Box::new(then), otherwise)
            }
            "switch_expression" => StmtKind::Switch(Box::new(self.switch(node))),
            "return_statement" => StmtKind::Return(inner().map(|value| self.expr(value))),
            "break_statement" => StmtKind::Break(inner().map(|label| self.ident(label))),
            "continue_statement" => StmtKind::Continue(inner().map(|label| self.ident(label))),
            "yield_statement" => StmtKind::Yield(self.first(node)),
            "throw_statement" => StmtKind::Throw(self.first(node)),
            "synchronized_statement" => {
                let lock = self.first(node);
                match field(node, "body") {
                    Some(body) => StmtKind::Synchronized(lock, self.block(body)),
                    None => StmtKind::Error,
                }
            }
            "try_statement" | "try_with_resources_statement" => self.try_stmt(node),
            "assert_statement" => {
                let parts = named(node);
                let cond = self.first(node);
                StmtKind::Assert(cond, parts.get(1).map(|detail| self.expr(*detail)))
            }
            "explicit_constructor_invocation" => {
                let is_super = field(node, "constructor").is_some_and(|one| one.kind() == "super");
                let outer = field(node, "object").map(|outer| self.expr(outer));
                let args = field(node, "arguments").map_or_else(Vec::new, |args| self.args(args));
                StmtKind::Constructor(Box::new(ConstructorCall { is_super, outer, args }))
            }
            _ => match self.type_decl(node, Vec::new()) {
                Some(declared) => StmtKind::LocalClass(Box::new(declared)),
                None => {
                    self.error(node, "expected a statement");
                    StmtKind::Error
                }
            },
        }
    }

    fn loop_stmt(&mut self, node: Node<'_>, clauses: Vec<Clause>) -> Stmt {
        let body = field(node, "body");
        let mut span = self.span_before(node, body);
        let kind = match node.kind() {
            "while_statement" => {
                let cond = self.in_field(node, "condition");
                StmtKind::While(cond, clauses, Box::new(self.single(body, node)))
            }
            "do_statement" => {
                let cond = self.in_field(node, "condition");
                span = self.span(node);
                span.end = span.start + 2;
                StmtKind::Do(Box::new(self.single(body, node)), clauses, cond)
            }
            "for_statement" => {
                let init = self.for_init(node);
                let cond = field(node, "condition").map(|cond| self.expr(cond));
                let update = fields(node, "update");
                let update = update.into_iter().map(|part| self.expr(part)).collect();
                StmtKind::For(init, cond, update, clauses, Box::new(self.single(body, node)))
            }
            _ => {
                self.local_head(node);
                let ty = self.declared(node, node);
                let local = LocalDecl { ty, name: self.name_in(node), value: None };
                let values = self.in_field(node, "value");
                let body = Box::new(self.single(body, node));
                StmtKind::ForEach(Box::new(local), values, clauses, body)
            }
        };
        Stmt { kind, span }
    }

    /// What a `for` does first.
    fn for_init(&mut self, node: Node<'_>) -> Vec<Stmt> {
        let mut init = Vec::new();
        for part in fields(node, "init") {
            if part.kind() == "local_variable_declaration" {
                self.stmt_into(part, Vec::new(), &mut init);
            } else {
                let expr = self.expr(part);
                let span = expr.span;
                init.push(Stmt { kind: StmtKind::Expr(expr), span });
            }
        }
        init
    }

    fn labelled(&mut self, node: Node<'_>, pending: Vec<Clause>) -> Stmt {
        let span = self.span(node);
        let parts = named(node);
        let last = all(node).into_iter().rfind(|part| !part.is_extra());
        let (Some(label), Some(inner)) = (parts.first(), last) else {
            return Stmt { kind: StmtKind::Error, span };
        };
        let label = self.ident(*label);
        let span = label.span;
        let mut stmts = Vec::new();
        self.stmt_into(inner, pending, &mut stmts);
        let inner = one_of(stmts, self.span(inner));
        Stmt { kind: StmtKind::Labelled(label, Box::new(inner)), span }
    }

    /// The annotations of a loop.
    fn of_loop(&mut self, clauses: Vec<Clause>) -> Vec<Clause> {
        let is_right = |clause: &Clause| matches!(clause.kind, ClauseKind::LoopInvariant(_));
        let (right, wrong): (Vec<_>, Vec<_>) = clauses.into_iter().partition(is_right);
        self.misplaced(&wrong);
        right
    }

    fn try_stmt(&mut self, node: Node<'_>) -> StmtKind {
        let mut resources = Vec::new();
        for resource in field(node, "resources").map_or_else(Vec::new, named) {
            let value = field(resource, "value").map(|value| self.expr(value));
            resources.push(match (field(resource, "name"), value) {
                (Some(name), Some(value)) => {
                    self.local_head(resource);
                    let ty = self.declared(resource, resource);
                    let (name, value) = (self.ident(name), Some(value));
                    Resource::Declared(Box::new(LocalDecl { ty, name, value }))
                }
                _ => Resource::Value(self.first(resource)),
            });
        }
        let Some(body) = field(node, "body") else { return StmtKind::Error };
        let body = self.block(body);
        let mut catches = Vec::new();
        let mut finally = None;
        for clause in named(node) {
            match clause.kind() {
                "catch_clause" => catches.extend(self.catch(clause)),
                "finally_clause" => {
                    finally = child(clause, "block").map(|block| self.block(block));
                }
                _ => {}
            }
        }
        StmtKind::Try(resources, body, catches, finally)
    }

    fn catch(&mut self, node: Node<'_>) -> Option<Catch> {
        let param = child(node, "catch_formal_parameter")?;
        self.local_head(param);
        let types = self.type_list(child(param, "catch_type")?);
        let block = field(node, "body")?;
        let span = self.span_before(node, Some(block));
        let body = self.block(block);
        Some(Catch { types, name: self.name_in(param), body, span })
    }

    /// The expression in a field, without the parentheses around it.
    pub(super) fn in_field(&mut self, node: Node<'_>, name: &str) -> Expr {
        match field(node, name) {
            Some(inner) => self.expr(inner),
            None => self.error_expr(node),
        }
    }

    /// The first expression below a node.
    pub(super) fn first(&mut self, node: Node<'_>) -> Expr {
        match named(node).first() {
            Some(inner) => self.expr(*inner),
            None => self.error_expr(node),
        }
    }

    pub(super) fn switch(&mut self, node: Node<'_>) -> Switch {
        let value = self.in_field(node, "condition");
        let mut cases: Vec<Case> = Vec::new();
        let body = field(node, "body");
        for group in body.map_or_else(Vec::new, named) {
            let mut labels = Vec::new();
            let mut guard = None;
            let mut rest = Vec::new();
            for part in all(group) {
                match part.kind() {
                    "switch_label" => guard = self.case_labels(part, &mut labels).or(guard),
                    ":" | "->" => {}
                    _ => rest.push(part),
                }
            }
            let span = self.span_before(group, rest.first().copied());
            let rule = if group.kind() == "switch_rule" {
                self.rule(group, &rest)
            } else {
                Rule::Group(self.stmts(&rest))
            };
            cases.push(Case { labels, guard, rule, span });
        }
        Switch { value, cases, span: self.span_before(node, body) }
    }

    fn rule(&mut self, group: Node<'_>, rest: &[Node<'_>]) -> Rule {
        let inner = rest.iter().find(|part| part.is_named() && !part.is_extra());
        match inner {
            Some(expr) if expr.kind() == "expression_statement" => Rule::Expr(self.first(*expr)),
            inner => Rule::Stmt(Box::new(self.single(inner.copied(), group))),
        }
    }

    /// Reads the labels of a case; gives its guard.
    fn case_labels(&mut self, node: Node<'_>, labels: &mut Vec<CaseLabel>) -> Option<Expr> {
        let mut guard = None;
        for part in all(node) {
            match part.kind() {
                "default" => labels.push(CaseLabel::Default),
                "pattern" => labels.push(CaseLabel::Pattern(self.pattern(part))),
                "guard" => guard = Some(self.first(part)),
                _ if part.is_named() && !part.is_extra() => {
                    labels.push(CaseLabel::Value(self.expr(part)));
                }
                _ => {}
            }
        }
        guard
    }

    pub(super) fn pattern(&mut self, node: Node<'_>) -> Pattern {
        match node.kind() {
            "pattern" => match named(node).first() {
                Some(inner) => self.pattern(*inner),
                None => Pattern::Any,
            },
            "record_pattern" => {
                let parts = named(node);
                let ty = parts.first().map(|ty| self.ty(*ty));
                let ty = ty.unwrap_or_else(|| self.no_type(node));
                let inner = child(node, "record_pattern_body").map_or_else(Vec::new, named);
                let inner = inner.into_iter().map(|part| self.pattern(part)).collect();
                Pattern::Record(ty, inner)
            }
            "type_pattern" | "record_pattern_component" => {
                let parts = named(node);
                let is_type = |part: &&Node<'_>| part.kind() != "modifiers";
                let mut parts = parts.iter().filter(is_type);
                match (parts.next(), parts.next()) {
                    (Some(ty), Some(name)) => {
                        let ty: Type = self.ty(*ty);
                        let name = (name.kind() == "identifier").then(|| self.ident(*name));
                        match (&ty.kind, &name) {
                            (TypeKind::Inferred, None) => Pattern::Any,
                            _ => Pattern::Type(ty, name),
                        }
                    }
                    _ => Pattern::Any,
                }
            }
            _ => Pattern::Any,
        }
    }
}

/// Several statements as one.
fn one_of(mut stmts: Vec<Stmt>, span: Span) -> Stmt {
    if stmts.len() == 1 {
        return stmts.remove(0);
    }
    Stmt { kind: StmtKind::Block(Block { stmts, span }), span }
}
