//! Heads of classes and signatures of their members.

use super::scope::Scope;
use super::types::{T, VarId};
use super::{Decl, MethodInfo, TypeVar, World};
use crate::tree::{self, ClauseKind, Modifiers};
use crate::typed::{ClassId, ClassKind, Field, FieldId, FieldSpec, Method, MethodId, MethodSpec};
use source::{Name, Span};

/// What a member is that nobody wrote.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Implied {
    Constructor,
    Static,
    Instance,
}

/// Gives all declared classes their supertypes, then their members.
pub(super) fn headers(world: &mut World<'_>) {
    let all: Vec<ClassId> = world.program.class_ids().collect();
    let object = world.by_name.get("java.lang.Object").copied();
    world.program.well_known.object = object;
    for id in &all {
        world.head(*id);
    }
    for id in all {
        world.members(id);
    }
}

impl<'a> World<'a> {
    /// The type variables and supertypes of a class.
    pub(super) fn head(&mut self, id: ClassId) {
        let Decl::Type(decl) = self.infos[id.index()].decl else { return };
        let vars = self.new_vars(&decl.params);
        self.infos[id.index()].params.clone_from(&vars);
        let scope = self.scope_of(id);
        self.bounds(&vars, &decl.params, &scope);
        // Names of supertypes are looked up around the class, where its own members are not seen
        // but its variables are.
        let mut supertypes = Vec::new();
        let kind = self.program.class(id).kind;
        if let Some(superclass) = &decl.superclass {
            supertypes.push(self.ty(superclass, &scope));
        } else if let Some(implied) = implied_superclass(kind)
            && let Some(found) = self.find_class(implied)
        {
            let own = T::class(id);
            let args = if kind == ClassKind::Enum { vec![own] } else { Vec::new() };
            supertypes.push(T::Class(found, args));
        }
        let interfaces: Vec<T> = decl.interfaces.iter().map(|ty| self.ty(ty, &scope)).collect();
        supertypes.extend(interfaces);
        self.set_supertypes(id, supertypes);
    }

    /// Sets the supertypes of a class; a class above itself is not one of them.
    pub(super) fn set_supertypes(&mut self, id: ClassId, supertypes: Vec<T>) {
        let mut kept = Vec::new();
        for above in supertypes {
            let T::Class(other, _) = &above else {
                // Of an unknown class above, nothing is known either.
                self.program.classes[id.index()].marks.push(Name::from("unknown superclass"));
                continue;
            };
            // A class above itself: another one of that name must be meant, which is not known.
            if self.program.is_subclass(*other, id) && self.object() != Some(id) {
                self.program.classes[id.index()].marks.push(Name::from("unknown superclass"));
                continue;
            }
            let kind = self.program.class(*other).kind;
            let is_interface = matches!(kind, ClassKind::Interface | ClassKind::Annotation);
            let class = &mut self.program.classes[id.index()];
            if is_interface {
                class.interfaces.push(*other);
            } else {
                class.superclass = Some(*other);
            }
            kept.push(above);
        }
        if let Some(object) = self.object().filter(|object| *object != id) {
            let class = &mut self.program.classes[id.index()];
            if class.superclass.is_none()
                && !matches!(class.kind, ClassKind::Interface | ClassKind::Annotation)
            {
                class.superclass = Some(object);
                kept.insert(0, T::class(object));
            }
        }
        self.infos[id.index()].supertypes = kept;
    }

    pub(super) fn new_vars(&mut self, params: &[tree::TypeParam]) -> Vec<VarId> {
        let mut vars = Vec::new();
        for param in params {
            vars.push(self.new_var(param.name.name.clone()));
        }
        vars
    }

    pub(super) fn new_var(&mut self, name: Name) -> VarId {
        self.vars.push(TypeVar { name, bounds: Vec::new(), is_loaded: false });
        VarId::from_index(self.vars.len() - 1)
    }

    pub(super) fn bounds(&mut self, vars: &[VarId], params: &[tree::TypeParam], scope: &Scope) {
        for (var, param) in vars.iter().zip(params) {
            let bounds: Vec<T> = param.bounds.iter().map(|bound| self.ty(bound, scope)).collect();
            self.vars[var.index()].bounds = self.sound_bounds(*var, bounds);
        }
    }

    /// The bounds of a variable without those that lead back to it: it would never be erased.
    pub(super) fn sound_bounds(&self, var: VarId, mut bounds: Vec<T>) -> Vec<T> {
        bounds.retain(|bound| {
            let mut next = bound;
            while let T::Var(other) = next {
                if *other == var {
                    return false;
                }
                let Some(first) = self.vars[other.index()].bounds.first() else { break };
                next = first;
            }
            true
        });
        bounds
    }

    /// The fields and methods of a class, with their types.
    pub(super) fn members(&mut self, id: ClassId) {
        let decl = self.infos[id.index()].decl;
        let Some(body) = decl.body() else { return };
        let scope = self.scope_of(id);
        let class = self.program.class(id);
        let is_interface = matches!(class.kind, ClassKind::Interface | ClassKind::Annotation);
        let kind = class.kind;
        if let (false, Some(outer)) = (class.is_static, class.outer) {
            self.add_outer_field(id, outer);
        }
        for constant in &body.constants {
            let modifiers = Modifiers { is_static: true, is_final: true, ..Modifiers::default() };
            self.add_field(id, &constant.name, T::class(id), modifiers);
        }
        if let Decl::Type(decl) = decl {
            for component in &decl.components {
                let modifiers =
                    Modifiers { is_final: true, is_private: true, ..Modifiers::default() };
                let ty = self.ty(&component.ty, &scope);
                let added = self.add_field(id, &component.name, ty, modifiers);
                let is_non_null = component.head.clauses.iter().any(|one| is_non_null(&one.kind));
                self.program.fields[added.index()].spec.is_non_null = is_non_null;
            }
        }
        for field in &body.fields {
            let ty = self.ghost_type(&field.ty, field.is_ghost, &scope);
            let mut modifiers = field.head.modifiers;
            if is_interface && !field.is_ghost {
                (modifiers.is_static, modifiers.is_final) = (true, true);
            }
            let added = self.add_field(id, &field.name, ty, modifiers);
            self.program.fields[added.index()].declared = Some(field.span);
            self.program.fields[added.index()].is_ghost = field.is_ghost;
        }
        for method in &body.methods {
            self.add_method(id, method, &scope);
        }
        self.implied_methods(id, decl, kind);
    }

    /// Types of ghosts may be sets: `set<Thread>`.
    fn ghost_type(&mut self, ty: &tree::Type, is_ghost: bool, scope: &Scope) -> T {
        if let (true, tree::TypeKind::Named(segments)) = (is_ghost, &ty.kind) {
            match segments.as_slice() {
                [one] if one.name.name.as_str() == "set" && one.args.len() == 1 => {
                    let element = self.ghost_type(&one.args[0], true, scope);
                    return T::Set(Box::new(element));
                }
                [one] if one.name.name.as_str() == "Thread" => return T::Thread,
                _ => {}
            }
        }
        if let (true, tree::TypeKind::Map(key, value)) = (is_ghost, &ty.kind) {
            let key = self.ghost_type(key, true, scope);
            return T::Map(Box::new(key), Box::new(self.ghost_type(value, true, scope)));
        }
        self.ty(ty, scope)
    }

    pub(super) fn add_field(
        &mut self,
        class: ClassId,
        name: &tree::Ident,
        ty: T,
        modifiers: Modifiers,
    ) -> FieldId {
        let field = Field {
            name: name.name.clone(),
            class,
            ty: self.erased(&ty),
            is_static: modifiers.is_static,
            is_final: modifiers.is_final,
            is_volatile: modifiers.is_volatile,
            is_private: modifiers.is_private,
            is_ghost: false,
            is_synthetic: false,
            constant: None,
            spec: FieldSpec::default(),
            span: name.span,
            declared: None,
        };
        self.program.fields.push(field);
        self.field_types.push(ty);
        let id = FieldId::from_index(self.program.fields.len() - 1);
        self.program.classes[class.index()].fields.push(id);
        id
    }

    /// A field that the resolver makes.
    pub(super) fn add_synthetic(
        &mut self,
        class: ClassId,
        name: &str,
        ty: T,
        span: Span,
    ) -> FieldId {
        let modifiers = Modifiers { is_final: true, ..Modifiers::default() };
        let name = tree::Ident { name: Name::from(name), span };
        let field = self.add_field(class, &name, ty, modifiers);
        self.program.fields[field.index()].is_synthetic = true;
        field
    }

    /// The field with the object around an object of an inner class.
    pub(super) fn add_outer_field(&mut self, id: ClassId, outer: ClassId) {
        let span = self.program.class(id).span;
        let name = format!("{}.this", self.program.class(outer).name);
        let args = self.infos[outer.index()].params.iter().map(|var| T::Var(*var)).collect();
        let field = self.add_synthetic(id, &name, T::Class(outer, args), span);
        self.program.classes[id.index()].outer_field = Some(field);
    }

    fn add_method(&mut self, class: ClassId, decl: &'a tree::MethodDecl, scope: &Scope) {
        let type_params = self.new_vars(&decl.type_params);
        let mut scope = scope.clone();
        scope.vars.extend(&type_params);
        self.bounds(&type_params, &decl.type_params, &scope);
        let params: Vec<T> = if decl.is_compact {
            self.record_types(class)
        } else {
            decl.params.iter().map(|param| self.ty(&param.ty, &scope)).collect()
        };
        let result = decl.result.as_ref().map_or(T::Void, |ty| self.ty(ty, &scope));
        let owner = self.program.class(class);
        let is_interface = matches!(owner.kind, ClassKind::Interface | ClassKind::Annotation);
        let modifiers = decl.head.modifiers;
        let has_body = decl.body.is_some();
        let method = Method {
            name: decl.name.name.clone(),
            class,
            params: params.iter().map(|ty| self.erased(ty)).collect(),
            result: self.erased(&result),
            is_varargs: decl.is_varargs,
            is_constructor: decl.result.is_none(),
            is_static: modifiers.is_static,
            is_private: modifiers.is_private,
            is_of_package: !(is_interface
                || modifiers.is_public
                || modifiers.is_protected
                || modifiers.is_private),
            is_open: true,
            is_abstract: modifiers.is_abstract
                || is_interface && !has_body && !modifiers.is_default,
            is_synchronized: modifiers.is_synchronized,
            overrides: Vec::new(),
            overridden_by: Vec::new(),
            body: None,
            spec: MethodSpec::default(),
            span: decl.span,
        };
        self.push_method(method, MethodInfo { decl: Some(decl), type_params, params, result });
    }

    pub(super) fn push_method(&mut self, method: Method, info: MethodInfo<'a>) -> MethodId {
        let class = method.class;
        self.program.methods.push(method);
        self.method_infos.push(info);
        let id = MethodId::from_index(self.method_infos.len() - 1);
        self.program.classes[class.index()].methods.push(id);
        id
    }

    /// The types of a record's components.
    pub(super) fn record_types(&self, class: ClassId) -> Vec<T> {
        let fields = self.program.class(class).fields.iter();
        let own = fields.filter(|id| !self.program.field(**id).is_static);
        let own = own.filter(|id| !self.program.field(**id).is_synthetic);
        own.map(|id| self.field_types[id.index()].clone()).collect()
    }

    /// Members that Java adds: constructors, accessors of records, methods of enumerations.
    fn implied_methods(&mut self, id: ClassId, decl: Decl<'a>, kind: ClassKind) {
        let is_class = matches!(kind, ClassKind::Class | ClassKind::Enum | ClassKind::Record);
        let has = |world: &Self, name: &str, count: usize| {
            let methods = world.methods_named(id, name);
            methods.iter().any(|method| world.program.method(*method).params.len() == count)
        };
        let constructors = self.program.class(id).methods.iter();
        let constructors: Vec<MethodId> =
            constructors.filter(|id| self.program.method(**id).is_constructor).copied().collect();
        let name = match decl {
            Decl::Type(decl) => decl.name.name.clone(),
            _ => Name::from("<init>"),
        };
        if is_class && kind != ClassKind::Record && constructors.is_empty() {
            self.implied(id, name.clone(), (Vec::new(), T::Void), Implied::Constructor);
        }
        if kind == ClassKind::Record {
            let types = self.record_types(id);
            let is_canonical = |other: &&MethodId| self.method_infos[other.index()].params == types;
            if !constructors.iter().any(|other| is_canonical(&other)) {
                self.implied(id, name, (types, T::Void), Implied::Constructor);
            }
            let fields = self.program.class(id).fields.clone();
            for field in fields {
                let (declared, ty) =
                    (self.program.field(field), self.field_types[field.index()].clone());
                let name = declared.name.clone();
                if !declared.is_static && !declared.is_synthetic && !has(self, name.as_str(), 0) {
                    self.implied(id, name, (Vec::new(), ty), Implied::Instance);
                }
            }
        }
        if kind == ClassKind::Enum {
            let own = T::class(id);
            let values = (Vec::new(), T::Array(Box::new(own.clone())));
            self.implied(id, Name::from("values"), values, Implied::Static);
            if let Some(string) = self.by_name.get("java.lang.String").copied() {
                let value_of = (vec![T::class(string)], own);
                self.implied(id, Name::from("valueOf"), value_of, Implied::Static);
            }
        }
    }

    pub(super) fn implied(
        &mut self,
        class: ClassId,
        name: Name,
        (params, result): (Vec<T>, T),
        kind: Implied,
    ) -> MethodId {
        let method = Method {
            name,
            class,
            params: params.iter().map(|ty| self.erased(ty)).collect(),
            result: self.erased(&result),
            is_varargs: false,
            is_constructor: kind == Implied::Constructor,
            is_static: kind == Implied::Static,
            is_private: false,
            is_of_package: false,
            is_open: true,
            is_abstract: false,
            is_synchronized: false,
            overrides: Vec::new(),
            overridden_by: Vec::new(),
            body: None,
            spec: MethodSpec::default(),
            span: self.program.class(class).span,
        };
        self.push_method(method, MethodInfo { decl: None, type_params: Vec::new(), params, result })
    }
}

fn implied_superclass(kind: ClassKind) -> Option<&'static str> {
    match kind {
        ClassKind::Enum => Some("java.lang.Enum"),
        ClassKind::Record => Some("java.lang.Record"),
        _ => None,
    }
}

/// Whether a clause of a method makes its parameters or results never null.
pub(super) fn is_non_null(kind: &ClauseKind) -> bool {
    matches!(kind, ClauseKind::NonNull)
}
