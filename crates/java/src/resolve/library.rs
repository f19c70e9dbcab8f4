//! Classes that come from class files. A class gets a number when it is mentioned; its file is read
//! when something has to be known of it.

use super::declare::empty;
use super::types::{T, VarId};
use super::{Decl, UnitInfo, World};
use crate::library::class_file::{self, ClassFile};
use crate::library::signature::{self, ClassHead, Param, Type};
use crate::typed::{Class, ClassId, ClassKind, Origin};
use source::{FileId, Name, Span};

/// What there is to know of a class beside what was read so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum More {
    /// Nothing.
    #[default]
    Nothing,
    /// All that the class file of this name says: the class was mentioned in another class file.
    All(String),
    /// Members that the class file of this name has and the stub has not.
    Members(String),
}

/// Who sees a class that comes from a class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Everybody,
    Package,
    /// The class around it only. One that is not seen hides another one of its name.
    Around,
}

impl Seen {
    fn of(access: u16) -> Self {
        if access & (class_file::PUBLIC | class_file::PROTECTED) != 0 {
            Self::Everybody
        } else if access & class_file::PRIVATE != 0 {
            Self::Around
        } else {
            Self::Package
        }
    }
}

/// Variables that a signature may name, innermost last.
pub(super) type Vars = Vec<(Name, VarId)>;

impl World<'_> {
    /// A class by its full name, from an input, a stub or the library.
    pub(super) fn find_class(&mut self, qualified: &str) -> Option<ClassId> {
        if let Some(id) = self.by_name.get(qualified).copied() {
            self.load(id);
            return Some(id);
        }
        if self.absent.contains(qualified) {
            return None;
        }
        let name = qualified.replace('.', "/");
        match self.class_file(&name) {
            Some(file) => {
                let id = self.mentioned(&name);
                self.fill(id, &file);
                Some(id)
            }
            None => {
                self.absent.insert(qualified.to_owned());
                None
            }
        }
    }

    /// A class file. One that is wrong is as good as none, and is told.
    fn class_file(&mut self, name: &str) -> Option<ClassFile> {
        let bytes = self.library?.class_file(name);
        let file = bytes.and_then(|bytes| bytes.map(|bytes| class_file::read(&bytes)).transpose());
        let has_name = |file: &ClassFile| file.name == name;
        match file {
            Ok(file) => file.filter(has_name),
            Err(fault) => {
                self.unreadable.insert(name.replace(['/', '$'], "."), fault);
                None
            }
        }
    }

    /// The class of a name in a class file.
    pub(super) fn mentioned(&mut self, name: &str) -> ClassId {
        if let Some(id) = self.by_file.get(name) {
            return *id;
        }
        let qualified = name.replace(['/', '$'], ".");
        let known = self.by_name.get(&qualified).copied();
        let id = known.unwrap_or_else(|| self.declare_mentioned(name, &qualified));
        self.by_file.insert(name.to_owned(), id);
        id
    }

    fn declare_mentioned(&mut self, name: &str, qualified: &str) -> ClassId {
        let (package, simple) = name.rsplit_once('/').unwrap_or(("", name));
        let package = package.replace('/', ".");
        let simple = simple.replace('$', ".");
        // Messages and programs of Plato tell classes apart by this name.
        let is_taken = self.shown.contains(&Name::from(simple.as_str()));
        let shown = if is_taken { qualified } else { &simple };
        let class = Class {
            name: Name::from(shown),
            qualified: Name::from(qualified),
            origin: Origin::Library,
            is_static: true,
            ..empty(None, self.nowhere())
        };
        let unit = self.unit_of(&package);
        let id = self.add_class(class, Decl::None, unit);
        self.infos[id.index()].more = More::All(name.to_owned());
        self.by_name.insert(qualified.to_owned(), id);
        id
    }

    /// The unit that stands for a package of class files.
    fn unit_of(&mut self, package: &str) -> usize {
        if let Some(unit) = self.packages_of_files.get(package) {
            return *unit;
        }
        self.units.push(UnitInfo { package: package.to_owned(), imports: &[] });
        let unit = self.units.len() - 1;
        self.packages_of_files.insert(package.to_owned(), unit);
        unit
    }

    /// Reads all that is known of the classes of a type.
    pub(super) fn load_type(&mut self, ty: &T) {
        if self.library.is_none() {
            return;
        }
        match ty {
            T::Class(id, args) => {
                self.load(*id);
                args.iter().for_each(|arg| self.load_type(arg));
            }
            T::Array(inner) | T::Wildcard(Some((_, inner))) => self.load_type(inner),
            T::Var(var) => {
                let about = &mut self.vars[var.index()];
                if !about.is_loaded {
                    about.is_loaded = true;
                    let bounds = about.bounds.clone();
                    bounds.iter().for_each(|bound| self.load_type(bound));
                }
            }
            _ => {}
        }
    }

    /// Reads all that is known of a class and of those above it.
    pub(super) fn load(&mut self, id: ClassId) {
        // The members of a stub are declared first; before that, only names of types are needed.
        if let (More::Members(name), false) = (&self.infos[id.index()].more, self.is_declared) {
            let name = name.clone();
            if self.peeked.insert(id)
                && let Some(file) = self.class_file(&name)
            {
                self.inner_of(id, &file);
            }
            return;
        }
        match std::mem::take(&mut self.infos[id.index()].more) {
            More::Nothing => {}
            More::All(name) => match self.class_file(&name) {
                Some(file) => self.fill(id, &file),
                None => self.missing_file(id),
            },
            More::Members(name) => {
                if let Some(file) = self.class_file(&name) {
                    self.complete(id, &file);
                }
            }
        }
    }

    /// A class that another class file mentions and that is not there.
    fn missing_file(&mut self, id: ClassId) {
        let class = &mut self.program.classes[id.index()];
        class.marks.push(Name::from("unknown superclass"));
        let qualified = class.qualified.to_string();
        let fault = "a class file mentions it, and it is not there".to_owned();
        self.unreadable.entry(qualified).or_insert(fault);
    }

    /// All of a class, from its file.
    fn fill(&mut self, id: ClassId, file: &ClassFile) {
        self.infos[id.index()].more = More::Nothing;
        let own = file.inner.iter().find(|inner| inner.name == file.name);
        let access = own.map_or(file.access, |inner| inner.access);
        let has = |flag: u16| access & flag != 0;
        let kind = kind_of(file);
        let outer = own.map(|inner| self.mentioned(&inner.outer));
        let outer = outer.filter(|outer| !self.is_around(id, *outer));
        let class = &mut self.program.classes[id.index()];
        class.kind = kind;
        class.is_abstract = has(class_file::ABSTRACT) || has(class_file::INTERFACE);
        class.is_final = has(class_file::FINAL);
        class.is_static = outer.is_none() || has(class_file::STATIC) || kind != ClassKind::Class;
        class.outer = outer;
        let is_inner = !class.is_static;
        self.infos[id.index()].seen = Seen::of(access);
        // An inner class may name the variables of the class around it.
        let mut vars = Vars::new();
        if let (true, Some(outer)) = (is_inner, outer) {
            self.load(outer);
            let around = &self.infos[outer.index()].params;
            vars.extend(around.iter().map(|var| (self.vars[var.index()].name.clone(), *var)));
        }
        self.inner_of(id, file);
        let head = head_of(file);
        let params = self.params(&head.params, &mut vars);
        self.infos[id.index()].params = params;
        let supertypes: Vec<T> = head.supertypes.iter().map(|ty| self.of_file(ty, &vars)).collect();
        for above in &supertypes {
            if let T::Class(above, _) = above {
                self.load(*above);
            }
        }
        self.set_supertypes(id, supertypes);
        if let (true, Some(outer)) = (is_inner, outer) {
            self.add_outer_field(id, outer);
        }
        self.members_of_file(id, file, &vars, false);
    }

    /// Whether a class is around another one, or the same.
    fn is_around(&self, class: ClassId, mut inner: ClassId) -> bool {
        while inner != class {
            let Some(outer) = self.program.class(inner).outer else { return false };
            inner = outer;
        }
        true
    }

    /// What a stub leaves out. Where the stub says something of a member, also in a class above,
    /// that counts.
    fn complete(&mut self, id: ClassId, file: &ClassFile) {
        let head = head_of(file);
        let params = self.infos[id.index()].params.clone();
        if head.params.len() != params.len() {
            return;
        }
        let names = head.params.iter().map(|param| Name::from(param.name.as_str()));
        let vars: Vars = names.zip(params).collect();
        self.inner_of(id, file);
        for above in head.supertypes {
            let above = self.of_file(&above, &vars);
            let T::Class(other, _) = &above else { continue };
            self.load(*other);
            if self.program.is_subclass(id, *other) || self.program.is_subclass(*other, id) {
                continue;
            }
            let kind = self.program.class(*other).kind;
            let class = &mut self.program.classes[id.index()];
            if matches!(kind, ClassKind::Interface | ClassKind::Annotation) {
                class.interfaces.push(*other);
            } else {
                class.superclass = Some(*other);
            }
            // Behind what the stub names, so that contracts of its supertypes are found first.
            self.infos[id.index()].supertypes.push(above);
        }
        for above in self.infos[id.index()].supertypes.clone() {
            self.load_type(&above);
        }
        self.members_of_file(id, file, &vars, true);
    }

    /// Declares the classes that are members of one.
    fn inner_of(&mut self, id: ClassId, file: &ClassFile) {
        for inner in &file.inner {
            if inner.outer != file.name {
                continue;
            }
            let simple = Name::from(inner.simple.as_str());
            if !self.infos[id.index()].types.contains_key(&simple) {
                let member = self.mentioned(&inner.name);
                self.infos[member.index()].seen = Seen::of(inner.access);
                self.infos[id.index()].types.insert(simple, member);
            }
        }
    }

    /// The place of what stands in a class file: in no text that can be shown.
    pub(super) fn nowhere(&self) -> Span {
        self.nowhere.unwrap_or(Span::new(FileId(0), 0, 0))
    }

    /// New variables, with their bounds; a bound may name any of them.
    pub(super) fn params(&mut self, params: &[Param], vars: &mut Vars) -> Vec<VarId> {
        let names = params.iter().map(|param| Name::from(param.name.as_str()));
        let added: Vec<(Name, VarId)> =
            names.map(|name| (name.clone(), self.new_var(name))).collect();
        vars.extend(added.iter().cloned());
        for ((_, var), param) in added.iter().zip(params) {
            let bounds: Vec<T> =
                param.bounds.iter().map(|bound| self.of_file(bound, vars)).collect();
            let bounds = self.sound_bounds(*var, bounds);
            let is_object = |ty: &T| matches!(ty, T::Class(id, _) if Some(*id) == self.object());
            let is_open = bounds.len() == 1 && bounds.iter().all(is_object);
            self.vars[var.index()].bounds = if is_open { Vec::new() } else { bounds };
        }
        added.into_iter().map(|(_, var)| var).collect()
    }

    /// A type in a class file.
    pub(super) fn of_file(&mut self, ty: &Type, vars: &Vars) -> T {
        match ty {
            Type::Void => T::Void,
            Type::Prim(prim) => T::Prim(*prim),
            Type::Class(name, args) => {
                let id = self.mentioned(name);
                T::Class(id, args.iter().map(|arg| self.of_file(arg, vars)).collect())
            }
            Type::Var(name) => {
                let found = vars.iter().rev().find(|(other, _)| other.as_str() == name);
                found.map_or(T::Unknown, |(_, var)| T::Var(*var))
            }
            Type::Array(element) => T::Array(Box::new(self.of_file(element, vars))),
            Type::Wildcard(None) => T::Wildcard(None),
            Type::Wildcard(Some((bound, ty))) => {
                T::Wildcard(Some((*bound, Box::new(self.of_file(ty, vars)))))
            }
        }
    }
}

fn kind_of(file: &ClassFile) -> ClassKind {
    let has = |flag: u16| file.access & flag != 0;
    if has(class_file::ANNOTATION) {
        ClassKind::Annotation
    } else if has(class_file::INTERFACE) {
        ClassKind::Interface
    } else if has(class_file::ENUM) {
        ClassKind::Enum
    } else if file.superclass.as_deref() == Some("java/lang/Record") {
        ClassKind::Record
    } else {
        ClassKind::Class
    }
}

/// The supertypes of a class, with arguments if the file tells them.
fn head_of(file: &ClassFile) -> ClassHead {
    let written = file.signature.as_deref().and_then(|text| signature::class(text).ok());
    let mut head = written.unwrap_or_else(|| {
        let above = file.superclass.iter().chain(&file.interfaces);
        let supertypes = above.map(|name| Type::Class(name.clone(), Vec::new())).collect();
        ClassHead { params: Vec::new(), supertypes }
    });
    if file.access & class_file::INTERFACE != 0 && !head.supertypes.is_empty() {
        // The file of an interface names `Object` as its superclass.
        head.supertypes.remove(0);
    }
    head
}
