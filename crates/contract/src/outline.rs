//! What a design declares.

use crate::parse;
use crate::syntax::{Class, Decl, Ident, Member, System};
use source::{Declaration, DeclarationKind, FileId};

/// The declarations of a text, also of one with errors.
pub fn outline(file: FileId, text: &str) -> Vec<Declaration> {
    let (design, _) = parse(file, text);
    let classes = design.classes.iter().map(class);
    classes.chain(design.systems.iter().map(system)).collect()
}

fn declared(kind: DeclarationKind, name: &Ident) -> Declaration {
    Declaration::new(kind, name.name.as_str(), name.span, name.span)
}

/// A declaration reaches from its name to the end of what is inside.
fn around(kind: DeclarationKind, name: &Ident, inside: Vec<Declaration>) -> Declaration {
    let span = inside.iter().fold(name.span, |span, one| span.to(one.span));
    Declaration::new(kind, name.name.as_str(), name.span, span).with(inside)
}

fn class(class: &Class) -> Declaration {
    use DeclarationKind as Kind;
    let mut inside = Vec::new();
    for member in &class.members {
        match member {
            Member::Conditions(names) => {
                inside.extend(names.iter().map(|name| declared(Kind::Field, name)));
            }
            Member::Variables { names, .. } => {
                inside.extend(names.iter().map(|name| declared(Kind::Variable, name)));
            }
            Member::State { name, .. } => inside.push(declared(Kind::State, name)),
            Member::Transition(step) => {
                let label = &step.label;
                let name = label.name.as_str();
                inside.push(Declaration::new(Kind::Method, name, label.span, step.span));
            }
            Member::Constraint { .. } | Member::CallsAny(_) => {}
        }
    }
    around(Kind::Class, &class.name, inside)
}

fn system(system: &System) -> Declaration {
    let params = system.parameters.iter();
    let mut inside: Vec<Declaration> =
        params.map(|one| declared(DeclarationKind::Constant, &one.name)).collect();
    units(&system.decls, &mut inside);
    around(DeclarationKind::System, &system.name, inside)
}

fn units(decls: &[Decl], found: &mut Vec<Declaration>) {
    for decl in decls {
        match decl {
            Decl::Unit(unit, _) => found.push(declared(DeclarationKind::Variable, &unit.name)),
            Decl::For { body, .. } => units(body, found),
            Decl::Binding { .. } | Decl::Policies(_) | Decl::Property(_) => {}
        }
    }
}
