//! Which types a name means.

use super::library::Seen;
use super::types::{T, VarId};
use super::{Decl, World};
use crate::tree::{self, TypeKind};
use crate::typed::{ClassId, ClassKind};
use source::{Name, Span};
use std::collections::BTreeSet;

/// Where a type is named: in a class, with the variables of methods and the classes of bodies
/// around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) unit: usize,
    pub(super) class: Option<ClassId>,
    /// Type variables of methods, innermost last.
    pub(super) vars: Vec<VarId>,
    /// Classes declared in bodies, innermost last.
    pub(super) locals: Vec<(Name, ClassId)>,
}

impl World<'_> {
    /// The scope of what stands in a class.
    pub(super) fn scope_of(&self, class: ClassId) -> Scope {
        let info = &self.infos[class.index()];
        let mut scope = info.local.clone().unwrap_or_default();
        let mut outer = self.program.class(class).outer;
        while let (Some(around), true) = (outer, info.local.is_none()) {
            if let Some(local) = &self.infos[around.index()].local {
                scope = local.clone();
                break;
            }
            outer = self.program.class(around).outer;
        }
        Scope { unit: info.unit, class: Some(class), ..scope }
    }

    /// A written type.
    pub(super) fn ty(&mut self, ty: &tree::Type, scope: &Scope) -> T {
        match &ty.kind {
            TypeKind::Void => T::Void,
            TypeKind::Prim(prim) => T::Prim(*prim),
            TypeKind::Array(element) => T::Array(Box::new(self.ty(element, scope))),
            TypeKind::Inferred => T::Unknown,
            TypeKind::Wildcard(None) => T::Wildcard(None),
            TypeKind::Wildcard(Some((bound, ty))) => {
                T::Wildcard(Some((*bound, Box::new(self.ty(ty, scope)))))
            }
            TypeKind::Map(key, value) => {
                T::Map(Box::new(self.ty(key, scope)), Box::new(self.ty(value, scope)))
            }
            TypeKind::Named(segments) => self.named(segments, ty.span, scope),
        }
    }

    fn named(&mut self, segments: &[tree::TypeSegment], span: Span, scope: &Scope) -> T {
        let args: Vec<T> = segments
            .last()
            .map_or(&[][..], |last| &last.args)
            .iter()
            .map(|arg| self.ty(arg, scope))
            .collect();
        let names: Vec<Name> = segments.iter().map(|segment| segment.name.name.clone()).collect();
        if let [name] = names.as_slice()
            && let Some(var) = self.var_named(name, scope)
        {
            return T::Var(var);
        }
        match self.class_of_path(&names, scope) {
            Some(id) => T::Class(id, args),
            None => {
                let text: Vec<&str> = names.iter().map(Name::as_str).collect();
                self.not_found(&text.join("."), span);
                T::Unknown
            }
        }
    }

    pub(super) fn var_named(&self, name: &Name, scope: &Scope) -> Option<VarId> {
        let has_name = |var: &&VarId| self.vars[var.index()].name == *name;
        if let Some(var) = scope.vars.iter().rev().find(has_name) {
            return Some(*var);
        }
        let mut class = scope.class;
        while let Some(id) = class {
            let info = &self.infos[id.index()];
            if let Some(var) = info.params.iter().find(has_name) {
                return Some(*var);
            }
            if let Some(local) = &info.local
                && let Some(var) = local.vars.iter().rev().find(has_name)
            {
                return Some(*var);
            }
            class = self.program.class(id).outer;
        }
        None
    }

    /// The class of `a.b.C.D`.
    pub(super) fn class_of_path(&mut self, names: &[Name], scope: &Scope) -> Option<ClassId> {
        let (first, rest) = names.split_first()?;
        if let Some(start) = self.class_named(first, scope)
            && let Some(inner) = self.inside(start, rest)
        {
            return Some(inner);
        }
        // The longest package that leaves a name.
        for split in (1..names.len()).rev() {
            let package: Vec<&str> = names[..split].iter().map(Name::as_str).collect();
            let qualified = format!("{}.{}", package.join("."), names[split]);
            if let Some(start) = self.find_class(&qualified)
                && let Some(inner) = self.inside(start, &names[split + 1..])
            {
                return Some(inner);
            }
        }
        None
    }

    /// `C.D.E`, from `C`.
    fn inside(&mut self, start: ClassId, names: &[Name]) -> Option<ClassId> {
        let mut class = start;
        for name in names {
            class = self.member_type(class, name)?;
            self.load(class);
        }
        Some(class)
    }

    /// A class by its simple name.
    pub(super) fn class_named(&mut self, name: &Name, scope: &Scope) -> Option<ClassId> {
        let found =
            self.declared_around(name, scope).or_else(|| self.class_in_unit(name, scope))?;
        self.load(found);
        Some(found)
    }

    /// A class in a body or a class around a place, or a member of one.
    fn declared_around(&self, name: &Name, scope: &Scope) -> Option<ClassId> {
        if let Some((_, id)) = scope.locals.iter().rev().find(|(other, _)| other == name) {
            return Some(*id);
        }
        let mut class = scope.class;
        while let Some(id) = class {
            let own = &self.program.class(id).name;
            let simple = own.as_str().rsplit('.').next().unwrap_or_default();
            if simple == name.as_str() {
                return Some(id);
            }
            if let Some(found) = self.member_type(id, name) {
                return Some(found);
            }
            class = self.program.class(id).outer;
        }
        None
    }

    /// A class that a file imports or that stands in its package.
    fn class_in_unit(&mut self, name: &Name, scope: &Scope) -> Option<ClassId> {
        let unit = self.units.get(scope.unit)?;
        let (imports, own) = (unit.imports, qualified(&unit.package, name));
        let mut single = imports.iter().filter(|import| {
            !import.all && import.path.last().is_some_and(|last| last.name == *name)
        });
        if let Some(found) = single.find_map(|import| self.imported(import)) {
            return Some(found);
        }
        if let Some(found) = self.find_class(&own) {
            return Some(found);
        }
        for import in imports.iter().filter(|import| import.all) {
            let path: Vec<&str> = import.path.iter().map(|part| part.name.as_str()).collect();
            let path = path.join(".");
            let found = self.find_class(&qualified(&path, name));
            if let Some(found) = found.filter(|found| self.is_public(*found)) {
                return Some(found);
            }
            if let Some(outer) = self.find_class(&path)
                && let Some(found) = self.imported_member(outer, name, import.is_static)
            {
                return Some(found);
            }
        }
        let found = self.find_class(&qualified("java.lang", name))?;
        Some(found).filter(|found| self.is_public(*found))
    }

    /// A class inside another one, of which all members are imported; inherited ones only if the
    /// import is static.
    fn imported_member(&self, outer: ClassId, name: &Name, is_static: bool) -> Option<ClassId> {
        if is_static {
            return self.member_type(outer, name);
        }
        self.infos[outer.index()].types.get(name).copied()
    }

    /// The class that an import names.
    fn imported(&mut self, import: &tree::Import) -> Option<ClassId> {
        let names: Vec<Name> = import.path.iter().map(|part| part.name.clone()).collect();
        let text: Vec<&str> = names.iter().map(Name::as_str).collect();
        if let Some(found) = self.find_class(&text.join(".")) {
            return Some(found);
        }
        // Members of classes: the class has a name in a package.
        (1..names.len()).rev().find_map(|end| {
            let start = self.find_class(&text[..end].join("."))?;
            self.inside(start, &names[end..])
        })
    }

    /// Whether a class below sees a type that is declared in one above.
    fn is_inherited(&self, found: ClassId, below: ClassId) -> bool {
        let is_near = self.package(found) == self.package(below);
        let Decl::Type(decl) = self.infos[found.index()].decl else {
            return match self.infos[found.index()].seen {
                _ if !self.is_library(found) => true,
                Seen::Everybody => true,
                Seen::Package => is_near,
                Seen::Around => false,
            };
        };
        let modifiers = decl.head.modifiers;
        let outer = self.program.class(found).outer.map(|outer| self.program.class(outer).kind);
        let is_public = modifiers.is_public
            || modifiers.is_protected
            || matches!(outer, Some(ClassKind::Interface | ClassKind::Annotation));
        is_public || !modifiers.is_private && is_near
    }

    pub(super) fn package(&self, class: ClassId) -> &str {
        let unit = self.units.get(self.infos[class.index()].unit);
        unit.map_or("", |unit| unit.package.as_str())
    }

    /// Whether a class outside of a package can be seen there.
    fn is_public(&self, class: ClassId) -> bool {
        match self.infos[class.index()].decl {
            Decl::Type(decl) => decl.head.modifiers.is_public || self.is_library(class),
            _ => self.infos[class.index()].seen == Seen::Everybody || !self.is_library(class),
        }
    }

    /// A type declared in a class or in one above it.
    pub(super) fn member_type(&self, class: ClassId, name: &Name) -> Option<ClassId> {
        let mut rest = vec![class];
        let mut seen = BTreeSet::new();
        while let Some(id) = rest.pop() {
            if !seen.insert(id) {
                continue;
            }
            let info = &self.infos[id.index()];
            if let Some(found) = info.types.get(name) {
                if id == class || self.is_inherited(*found, class) {
                    return Some(*found);
                }
                // One that is not seen hides those above it.
                continue;
            }
            for above in info.supertypes.iter().rev() {
                if let T::Class(id, _) = above {
                    rest.push(*id);
                }
            }
        }
        None
    }
}

fn qualified(package: &str, name: &Name) -> String {
    if package.is_empty() { name.to_string() } else { format!("{package}.{name}") }
}
