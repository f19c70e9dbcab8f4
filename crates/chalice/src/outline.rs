//! What a program declares.

use crate::parse;
use crate::syntax::{Block, Class, Ident, Item, Member, Param, Stmt, StmtKind};
use source::{Declaration, DeclarationKind, FileId, Span};

/// The declarations of a text, also of one with errors.
pub fn outline(file: FileId, text: &str) -> Vec<Declaration> {
    let (program, _) = parse(file, text);
    let one = |item: &Item| match item {
        Item::Class(class) => self::class(class),
        Item::Channel(channel) => {
            let made = declared(DeclarationKind::Channel, &channel.name, channel.span);
            made.with(params(&channel.params, channel.span))
        }
    };
    program.items.iter().map(one).collect()
}

fn declared(kind: DeclarationKind, name: &Ident, span: Span) -> Declaration {
    Declaration::new(kind, name.name.as_str(), name.span, span)
}

fn params(params: &[Param], scope: Span) -> Vec<Declaration> {
    params.iter().map(|param| declared(DeclarationKind::Local, &param.name, scope)).collect()
}

fn class(class: &Class) -> Declaration {
    use DeclarationKind as Kind;
    let member = |member: &Member| match member {
        Member::Field(field) => Some(declared(Kind::Field, &field.param.name, field.span)),
        Member::Method(method) => {
            let mut inside = params(&method.params, method.span);
            inside.extend(params(&method.results, method.span));
            locals(&method.body, &mut inside);
            Some(declared(Kind::Method, &method.name, method.span).with(inside))
        }
        Member::Predicate(one) => {
            let made = declared(Kind::Function, &one.name, one.span);
            Some(made.with(params(&one.params, one.span)))
        }
        Member::Function(one) => {
            let made = declared(Kind::Function, &one.name, one.span);
            Some(made.with(params(&one.params, one.span)))
        }
        Member::Condition(one) => Some(declared(Kind::Channel, &one.name, one.span)),
        Member::Invariant(_) | Member::Coupling(_) | Member::Transform(..) => None,
    };
    let inside = class.members.iter().filter_map(member).collect();
    declared(Kind::Class, &class.name, class.span).with(inside)
}

/// A variable is known in its block. Where a call or a fork declares one, its statement does.
fn locals(block: &Block, found: &mut Vec<Declaration>) {
    block.stmts.iter().for_each(|stmt| of_statement(stmt, block.span, found));
}

fn of_statement(stmt: &Stmt, scope: Span, found: &mut Vec<Declaration>) {
    match &stmt.kind {
        StmtKind::Local(local) => {
            found.push(declared(DeclarationKind::Local, &local.param.name, scope));
        }
        StmtKind::Specification(spec) => found.extend(params(&spec.targets, scope)),
        StmtKind::Block(inner) | StmtKind::Lock(_, _, inner) => locals(inner, found),
        StmtKind::If(_, then, otherwise) => {
            locals(then, found);
            otherwise.iter().for_each(|stmt| of_statement(stmt, scope, found));
        }
        StmtKind::While(one) => locals(&one.body, found),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::outline;
    use source::{Declaration, FileId};

    #[test]
    fn classes_have_members() {
        let text = "class C { var n: int; invariant acc(n) \
            method m(a: int) returns (r: int) { var b: int := a; if (b > 0) { var c: int; } } \
            function f(): int { 1 } } channel Ch(x: int)";
        let all = outline(FileId(0), text);
        let names = |all: &[Declaration]| {
            all.iter().map(|one| one.name.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&all), "C Ch");
        assert_eq!(names(&all[0].inside), "n m f");
        assert_eq!(names(&all[0].inside[1].inside), "a r b c");
    }
}
