//! Declares classes and what is inside them, by name.

use super::library::{More, Seen};
use super::{ClassInfo, Decl, File, UnitInfo, World};
use crate::tree::{TypeDecl, TypeDeclKind, Unit};
use crate::typed::{Class, ClassId, ClassKind, ClassSpec, Origin};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeMap;

/// Where a class is declared.
pub(super) struct Home {
    pub(super) unit: usize,
    pub(super) outer: Option<ClassId>,
    pub(super) origin: Origin,
    /// The name of the class around it with a dot, or the package with a dot.
    pub(super) name: String,
    pub(super) qualified: String,
}

/// Declares the classes of all files.
pub(super) fn declare<'a>(world: &mut World<'a>, files: &[File<'a>]) {
    for file in files {
        let unit: &'a Unit = file.unit;
        let package: Vec<&str> = unit.package.iter().map(|part| part.name.as_str()).collect();
        for end in 1..=package.len() {
            world.packages.insert(package[..end].join("."));
        }
        let package = package.join(".");
        if file.origin == Origin::Checked {
            world.checked_packages.insert(package.clone());
            let first = unit.types.first().map(|decl| Span::new(decl.span.file, 0, 0));
            world.first_checked = world.first_checked.or(first);
        }
        let prefix = if package.is_empty() { String::new() } else { format!("{package}.") };
        world.units.push(UnitInfo { package, imports: &unit.imports });
        for decl in &unit.types {
            let home = Home {
                unit: world.units.len() - 1,
                outer: None,
                origin: file.origin,
                name: String::new(),
                qualified: prefix.clone(),
            };
            // What an input declares counts, not what a library says of the same class.
            let qualified = format!("{prefix}{}", decl.name.name);
            let known = world.by_name.get(&qualified).copied();
            match (known, file.origin) {
                (Some(known), Origin::Checked) if !world.is_library(known) => {
                    let message = format!("`{qualified}` is declared twice");
                    world.report(Code::DuplicateName, decl.name.span, message);
                }
                (Some(_), Origin::Library) => {}
                _ => {
                    world.declare(decl, home);
                }
            }
        }
    }
}

impl<'a> World<'a> {
    /// Declares a class and those inside it.
    pub(super) fn declare(&mut self, decl: &'a TypeDecl, home: Home) -> ClassId {
        let kind = match decl.kind {
            TypeDeclKind::Class => ClassKind::Class,
            TypeDeclKind::Interface => ClassKind::Interface,
            TypeDeclKind::Enum => ClassKind::Enum,
            TypeDeclKind::Record => ClassKind::Record,
            TypeDeclKind::Annotation => ClassKind::Annotation,
        };
        let is_interface = matches!(kind, ClassKind::Interface | ClassKind::Annotation);
        let around = home.outer.map(|outer| self.program.class(outer).kind);
        let in_interface = matches!(around, Some(ClassKind::Interface | ClassKind::Annotation));
        let modifiers = decl.head.modifiers;
        let is_static =
            modifiers.is_static || kind != ClassKind::Class || home.outer.is_none() || in_interface;
        let name = format!("{}{}", home.name, decl.name.name);
        let qualified = format!("{}{}", home.qualified, decl.name.name);
        let class = Class {
            name: Name::from(name.as_str()),
            qualified: Name::from(qualified.as_str()),
            kind,
            origin: home.origin,
            is_abstract: modifiers.is_abstract || is_interface,
            is_final: modifiers.is_final || matches!(kind, ClassKind::Record),
            is_static,
            is_private: modifiers.is_private,
            marks: decl.head.annotations.iter().map(|mark| mark.name.clone()).collect(),
            ..empty(home.outer, decl.span)
        };
        let id = self.add_class(class, Decl::Type(decl), home.unit);
        if home.origin == Origin::Library {
            self.infos[id.index()].more = More::Members(self.file_name(id));
        }
        self.by_name.insert(qualified.clone(), id);
        self.declare_inner(id, &decl.body.types, (&name, &qualified));
        id
    }

    /// Declares the classes in the body of another.
    pub(super) fn declare_inner(
        &mut self,
        outer: ClassId,
        types: &'a [TypeDecl],
        (name, qualified): (&str, &str),
    ) {
        for inner in types {
            let home = Home {
                unit: self.infos[outer.index()].unit,
                outer: Some(outer),
                origin: self.program.class(outer).origin,
                name: format!("{name}."),
                qualified: format!("{qualified}."),
            };
            let id = self.declare(inner, home);
            let info = &mut self.infos[outer.index()];
            if info.types.insert(inner.name.name.clone(), id).is_some() {
                let message = format!("`{}` is declared twice", inner.name.name);
                self.report(Code::DuplicateName, inner.name.span, message);
            }
        }
    }

    /// The name of a class in class files.
    fn file_name(&self, id: ClassId) -> String {
        let class = self.program.class(id);
        let package = &self.units[self.infos[id.index()].unit].package;
        let name = class.name.as_str().replace('.', "$");
        if package.is_empty() { name } else { format!("{}/{name}", package.replace('.', "/")) }
    }

    pub(super) fn add_class(&mut self, class: Class, decl: Decl<'a>, unit: usize) -> ClassId {
        self.shown.insert(class.name.clone());
        self.program.classes.push(class);
        self.infos.push(ClassInfo {
            decl,
            unit,
            params: Vec::new(),
            supertypes: Vec::new(),
            types: BTreeMap::new(),
            local: None,
            depth: 0,
            more: More::Nothing,
            seen: Seen::Package,
        });
        ClassId::from_index(self.infos.len() - 1)
    }
}

/// A class of which nothing is known yet.
pub(super) fn empty(outer: Option<ClassId>, span: Span) -> Class {
    Class {
        name: Name::from(""),
        qualified: Name::from(""),
        kind: ClassKind::Class,
        origin: Origin::Checked,
        is_abstract: false,
        is_final: false,
        is_static: false,
        is_private: false,
        superclass: None,
        interfaces: Vec::new(),
        outer,
        outer_field: None,
        fields: Vec::new(),
        methods: Vec::new(),
        static_init: None,
        spec: ClassSpec::default(),
        marks: Vec::new(),
        span,
    }
}
