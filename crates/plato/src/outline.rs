//! What a program declares.

use crate::ast::{Block, Clause, ClauseKind, Ident, Item, ItemKind, Param, Proc, StmtKind, Thread};
use crate::parse;
use source::{Declaration, DeclarationKind, FileId, Span};

/// The declarations of a text, also of one with errors.
pub fn outline(file: FileId, text: &str) -> Vec<Declaration> {
    let (tree, _) = parse(file, text);
    tree.items.iter().flat_map(item).collect()
}

fn declared(kind: DeclarationKind, name: &Ident, span: Span) -> Declaration {
    Declaration::new(kind, name.name.as_str(), name.span, span)
}

fn item(item: &Item) -> Vec<Declaration> {
    use DeclarationKind as Kind;
    let one = |kind, name: &Ident| vec![declared(kind, name, item.span)];
    let each = |kind, names: &[Ident]| {
        names.iter().map(|name| declared(kind, name, item.span)).collect::<Vec<_>>()
    };
    match &item.kind {
        ItemKind::Const(one_const) => one(Kind::Constant, &one_const.name),
        ItemKind::Type(ty) => one(Kind::Type, &ty.name),
        ItemKind::Enum(values) => {
            let inside = values.variants.iter();
            let inside = inside.map(|name| declared(Kind::Variant, name, name.span)).collect();
            vec![declared(Kind::Enumeration, &values.name, item.span).with(inside)]
        }
        ItemKind::Var(var) => each(Kind::Variable, &var.names),
        ItemKind::Mutex(names) => each(Kind::Mutex, names),
        ItemKind::Condition(names) => each(Kind::Variable, names),
        ItemKind::Pred(pred) => {
            let made = declared(Kind::Function, &pred.name, item.span);
            vec![made.with(params(&pred.params, item.span))]
        }
        ItemKind::Proc(made) => vec![procedure(made, item.span)],
        ItemKind::Thread(made) => vec![thread(made, item.span)],
        ItemKind::Module(module) => {
            let inside = module.items.iter().flat_map(self::item).collect();
            vec![declared(Kind::Module, &module.name, item.span).with(inside)]
        }
        ItemKind::Init(_)
        | ItemKind::Invariant(_)
        | ItemKind::Rely(_)
        | ItemKind::Never(_)
        | ItemKind::Unsupported(_) => Vec::new(),
    }
}

fn params(params: &[Param], scope: Span) -> Vec<Declaration> {
    params.iter().map(|param| declared(DeclarationKind::Local, &param.name, scope)).collect()
}

fn procedure(proc: &Proc, span: Span) -> Declaration {
    let mut inside = params(&proc.params, span);
    inside.extend(params(&proc.results, span));
    actions(&proc.spec, span, &mut inside);
    locals(&proc.body, &mut inside);
    declared(DeclarationKind::Method, &proc.name, span).with(inside)
}

/// Actions have names, which statements of the body mention.
fn actions(clauses: &[Clause], scope: Span, found: &mut Vec<Declaration>) {
    for clause in clauses {
        match &clause.kind {
            ClauseKind::Action(Some(name), ..) => {
                found.push(declared(DeclarationKind::Local, name, scope));
            }
            ClauseKind::Choose(all) => all.iter().for_each(|one| actions(one, scope, found)),
            ClauseKind::Optional(inner) | ClauseKind::Repeat(inner) => {
                actions(inner, scope, found);
            }
            ClauseKind::Action(None, ..)
            | ClauseKind::Requires(_)
            | ClauseKind::Modifies(..)
            | ClauseKind::Ensures(_) => {}
        }
    }
}

fn thread(thread: &Thread, span: Span) -> Declaration {
    let mut inside = Vec::new();
    locals(&thread.body, &mut inside);
    declared(DeclarationKind::Thread, &thread.name, span).with(inside)
}

/// A variable is known in its block.
fn locals(block: &Block, found: &mut Vec<Declaration>) {
    for stmt in &block.stmts {
        if let StmtKind::Var(local) = &stmt.kind {
            let names = local.names.iter();
            found.extend(names.map(|name| declared(DeclarationKind::Local, name, block.span)));
        }
        stmt.blocks().into_iter().for_each(|inner| locals(inner, found));
    }
}
