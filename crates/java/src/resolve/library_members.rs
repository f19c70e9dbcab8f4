//! Fields and methods that come from class files: signatures without bodies and contracts.

use super::library::Vars;
use super::types::T;
use super::{MethodInfo, World};
use crate::library::class_file::{self, ClassFile, Member};
use crate::library::signature::{self, MethodHead};
use crate::tree::{Ident, Modifiers};
use crate::typed::{ClassId, Method, MethodSpec, Ty};
use source::Name;

impl World<'_> {
    /// The members of a class. If it is to be completed, only those of which it and the classes
    /// above it say nothing.
    pub(super) fn members_of_file(
        &mut self,
        id: ClassId,
        file: &ClassFile,
        vars: &Vars,
        completes: bool,
    ) {
        // Only code of the same package sees what is not public.
        let unit = self.infos[id.index()].unit;
        let is_shared = self.checked_packages.contains(&self.units[unit].package);
        let is_seen = |member: &&Member| {
            let is_open = member.access & (class_file::PUBLIC | class_file::PROTECTED) != 0;
            let is_hidden = member.access & (class_file::PRIVATE | class_file::SYNTHETIC) != 0;
            !is_hidden && (is_open || is_shared)
        };
        for field in file.fields.iter().filter(is_seen) {
            let name = Name::from(field.name.as_str());
            let is_known = |other| self.program.field(other).name == name;
            let is_there = self.program.class(id).fields.iter().any(|other| is_known(*other));
            if !(completes && is_there) {
                self.field_of_file(id, field, vars);
            }
        }
        for method in file.methods.iter().filter(is_seen) {
            if method.name != "<clinit>" {
                self.method_of_file(id, method, vars, completes);
            }
        }
    }

    fn field_of_file(&mut self, id: ClassId, field: &Member, vars: &Vars) {
        let written = field.signature.as_deref().and_then(|text| signature::field(text).ok());
        let ty = match written.map_or_else(|| signature::field(&field.descriptor), Ok) {
            Ok(ty) => ty,
            Err(fault) => return self.wrong_file(id, fault),
        };
        let ty = self.of_file(&ty, vars);
        let has = |flag: u16| field.access & flag != 0;
        let modifiers = Modifiers {
            is_static: has(class_file::STATIC),
            is_final: has(class_file::FINAL),
            is_volatile: has(class_file::VOLATILE),
            ..Modifiers::default()
        };
        let name = Ident { name: Name::from(field.name.as_str()), span: self.nowhere() };
        let added = self.add_field(id, &name, ty, modifiers);
        self.program.fields[added.index()].constant.clone_from(&field.constant);
    }

    fn method_of_file(&mut self, id: ClassId, method: &Member, vars: &Vars, completes: bool) {
        let is_constructor = method.name == "<init>";
        let is_inner = !self.program.class(id).is_static;
        let head = match method_head(method, is_constructor && is_inner) {
            Ok(head) => head,
            Err(fault) => return self.wrong_file(id, fault),
        };
        let mut vars = vars.clone();
        let type_params = self.params(&head.type_params, &mut vars);
        let params: Vec<T> = head.params.iter().map(|ty| self.of_file(ty, &vars)).collect();
        let result = self.of_file(&head.result, &vars);
        let has = |flag: u16| method.access & flag != 0;
        let class = self.program.class(id);
        let simple = class.name.as_str().rsplit('.').next().unwrap_or_default();
        let about = Method {
            name: Name::from(if is_constructor { simple } else { &method.name }),
            class: id,
            params: params.iter().map(|ty| self.erased(ty)).collect(),
            result: self.erased(&result),
            is_varargs: has(class_file::VARARGS),
            is_constructor,
            is_static: has(class_file::STATIC),
            is_private: false,
            is_of_package: false,
            is_open: true,
            is_abstract: has(class_file::ABSTRACT),
            is_synchronized: has(class_file::SYNCHRONIZED),
            overrides: Vec::new(),
            overridden_by: Vec::new(),
            body: None,
            spec: MethodSpec::default(),
            span: self.nowhere(),
        };
        if completes && self.has_method(id, &about) {
            return;
        }
        self.push_method(about, MethodInfo { decl: None, type_params, params, result });
    }

    /// Part of a file is wrong, so that the class has members that are not known.
    fn wrong_file(&mut self, id: ClassId, fault: String) {
        let class = &mut self.program.classes[id.index()];
        class.marks.push(Name::from("unknown superclass"));
        let qualified = class.qualified.to_string();
        self.unreadable.entry(qualified).or_insert(fault);
    }

    /// Whether an input or a stub says something of this method, in its class or one above.
    fn has_method(&self, id: ClassId, method: &Method) -> bool {
        let above = if method.is_constructor {
            vec![T::class(id)]
        } else {
            let params = &self.infos[id.index()].params;
            self.supertypes(&T::Class(id, params.iter().map(|var| T::Var(*var)).collect()))
        };
        above.iter().any(|ty| {
            let T::Class(other, args) = ty else { return false };
            let known = self.infos[other.index()].params.iter().copied().zip(args.iter().cloned());
            let known = known.collect();
            self.program.class(*other).methods.iter().any(|found| {
                let other = self.program.method(*found);
                let is_alike = other.is_constructor == method.is_constructor;
                let is_named = other.is_constructor || other.name == method.name;
                let is_written =
                    other.is_constructor || self.method_infos[found.index()].decl.is_some();
                let is_like = is_alike && is_named && is_written;
                if !is_like || other.params.len() != method.params.len() {
                    return false;
                }
                let theirs = &self.method_infos[found.index()].params;
                let theirs: Vec<Ty> =
                    theirs.iter().map(|ty| self.erased(&ty.with(&known))).collect();
                theirs == method.params || other.params == method.params
            })
        })
    }
}

/// The head of a method. The descriptor of an inner class's constructor begins with the object
/// around, which signatures leave out.
fn method_head(method: &Member, takes_outer: bool) -> Result<MethodHead, String> {
    let mut plain = signature::method(&method.descriptor)?;
    let written = method.signature.as_deref().and_then(|text| signature::method(text).ok());
    let is_constructor = method.name == "<init>";
    let fits = |head: &MethodHead| is_constructor || head.params.len() == plain.params.len();
    if let Some(head) = written.filter(fits) {
        return Ok(head);
    }
    if takes_outer && !plain.params.is_empty() {
        plain.params.remove(0);
    }
    Ok(plain)
}
