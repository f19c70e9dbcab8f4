//! What a file of Java declares.

use crate::parse::parse;
use crate::tree::{ClassBody, Ident, Param, TypeDecl, TypeDeclKind};
use source::{Declaration, DeclarationKind, FileId, Span};

/// The declarations of a text, also of one with errors.
pub fn outline(file: FileId, text: &str) -> Vec<Declaration> {
    let (unit, _) = parse(file, text);
    unit.types.iter().map(ty).collect()
}

fn declared(kind: DeclarationKind, name: &Ident, span: Span) -> Declaration {
    Declaration::new(kind, name.name.as_str(), name.span, span)
}

fn ty(ty: &TypeDecl) -> Declaration {
    let kind = match ty.kind {
        TypeDeclKind::Enum => DeclarationKind::Enumeration,
        TypeDeclKind::Class
        | TypeDeclKind::Interface
        | TypeDeclKind::Record
        | TypeDeclKind::Annotation => DeclarationKind::Class,
    };
    let mut inside: Vec<Declaration> =
        ty.components.iter().map(|one| parameter(one, DeclarationKind::Field)).collect();
    inside.extend(members(&ty.body));
    // The tree has the place of the head, and bodies have places of their own.
    let span = inside.iter().fold(ty.span, |span, one| span.to(one.span));
    declared(kind, &ty.name, span).with(inside)
}

fn parameter(param: &Param, kind: DeclarationKind) -> Declaration {
    declared(kind, &param.name, param.name.span)
}

fn members(body: &ClassBody) -> Vec<Declaration> {
    let variants = body.constants.iter();
    let mut all: Vec<Declaration> =
        variants.map(|one| declared(DeclarationKind::Variant, &one.name, one.span)).collect();
    let fields = body.fields.iter();
    all.extend(fields.map(|one| declared(DeclarationKind::Field, &one.name, one.name.span)));
    for method in &body.methods {
        let params = method.params.iter().map(|one| parameter(one, DeclarationKind::Local));
        let span = method.body.iter().fold(method.span, |span, body| span.to(body.span));
        let made = declared(DeclarationKind::Method, &method.name, span);
        all.push(made.with(params.collect()));
    }
    all.extend(body.types.iter().map(ty));
    all.sort_by_key(|one| one.span);
    all
}
