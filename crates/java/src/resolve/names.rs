//! What names in expressions mean: variables, fields, types, packages.

use super::body::{Body, Captured};
use super::exprs::Typed;
use super::types::T;
use crate::tree::{self, ExprKind as Tree, Ident};
use crate::typed::{ClassId, Expr, ExprKind, FieldId, Ty};
use diagnostic::Code;
use source::{Name, Span};

/// What a dotted name turns out to be.
pub(super) enum Meaning {
    Value(Typed),
    Type(T),
    /// Perhaps the beginning of a package.
    Package(Vec<Name>),
}

impl<'a> Body<'_, 'a> {
    /// What an expression before a dot means.
    pub(super) fn meaning(&mut self, expr: &'a tree::Expr) -> Meaning {
        match &expr.kind {
            Tree::Name(name) => {
                if let Some(value) = self.variable(name, expr.span) {
                    return Meaning::Value(value);
                }
                let scope = self.here().scope.clone();
                match self.world.class_named(name, &scope) {
                    Some(class) => Meaning::Type(T::class(class)),
                    None => Meaning::Package(vec![name.clone()]),
                }
            }
            Tree::Field(object, name) => match self.meaning(object) {
                Meaning::Value(object) => Meaning::Value(self.field_of(object, name, expr.span)),
                Meaning::Type(T::Class(class, args)) => {
                    if let Some(value) = self.static_member(class, name, expr.span) {
                        return Meaning::Value(value);
                    }
                    match self.world.member_type(class, &name.name) {
                        Some(inner) => {
                            self.world.load(inner);
                            Meaning::Type(T::class(inner))
                        }
                        None => {
                            let message = format!(
                                "`{}` has no member `{}`",
                                self.world.program.class(class).name,
                                name.name
                            );
                            let known = args.is_empty() && self.is_fully_known(class);
                            Meaning::Value(self.unresolved(name.span, message, known))
                        }
                    }
                }
                Meaning::Type(_) => Meaning::Value(Typed::unknown(expr.span)),
                Meaning::Package(mut names) => {
                    names.push(name.name.clone());
                    let text: Vec<&str> = names.iter().map(Name::as_str).collect();
                    match self.world.find_class(&text.join(".")) {
                        Some(class) => Meaning::Type(T::class(class)),
                        None => Meaning::Package(names),
                    }
                }
            },
            _ => Meaning::Value(self.expr(expr)),
        }
    }

    /// A name or a dotted name as a value.
    pub(super) fn name_value(&mut self, expr: &'a tree::Expr) -> Typed {
        match self.meaning(expr) {
            Meaning::Value(value) => value,
            Meaning::Type(_) => {
                let message = "this is a type, and a value is needed";
                self.wrong(Code::TypeMismatch, expr.span, message)
            }
            Meaning::Package(names) => self.unknown_name(&names, expr.span),
        }
    }

    /// A name that means nothing. What looks like a class of a library may be one.
    fn unknown_name(&mut self, names: &[Name], span: Span) -> Typed {
        let text: Vec<&str> = names.iter().map(Name::as_str).collect();
        let is_inherited = self.inherits_unknown();
        match text.iter().position(|name| name.starts_with(char::is_uppercase)) {
            Some(at) if at + 1 < text.len() || text.len() == 1 && !is_inherited => {
                let class = text[..=at].join(".");
                self.world.not_found(&class, span);
                self.unsupported(&format!("`{class}` is not known"), T::Unknown, span)
            }
            _ => {
                let message = format!("`{}` is not declared", text.join("."));
                self.unresolved(span, message, !is_inherited)
            }
        }
    }

    /// Something that is declared nowhere. If a class above is not known, it may be declared there.
    pub(super) fn unresolved(&mut self, span: Span, message: String, is_error: bool) -> Typed {
        if is_error {
            return self.wrong(Code::UnknownName, span, message);
        }
        self.unsupported(&message, T::Unknown, span)
    }

    /// Whether a class around this code has a class above it of which nothing is known.
    pub(super) fn inherits_unknown(&mut self) -> bool {
        let mut class = self.here().class;
        while let Some(id) = class {
            if !self.is_fully_known(id) {
                return true;
            }
            class = self.world.program.class(id).outer;
        }
        let unit = self.here().scope.unit;
        let imports = self.world.units.get(unit).map_or(&[][..], |unit| unit.imports);
        let scope = self.here().scope.clone();
        let mut is_unknown = |import: &tree::Import| {
            let names: Vec<Name> = import.path.iter().map(|part| part.name.clone()).collect();
            let class = if import.all {
                &names[..]
            } else {
                names.split_last().map_or(&[][..], |(_, of)| of)
            };
            self.world.class_of_path(class, &scope).is_none()
        };
        imports.iter().any(|import| import.is_static && is_unknown(import))
    }

    /// Whether all members of a class are known.
    pub(super) fn is_fully_known(&self, class: ClassId) -> bool {
        let above = self.world.supertypes(&T::class(class));
        above.iter().all(|ty| match ty {
            T::Class(id, _) => {
                let marks = &self.world.program.class(*id).marks;
                !marks.iter().any(|mark| mark.as_str() == "unknown superclass")
            }
            _ => true,
        })
    }

    /// A variable of this name: a local one, of a quantifier, or a field in sight.
    pub(super) fn variable(&mut self, name: &Name, span: Span) -> Option<Typed> {
        let bound = self.here().bound.iter().rev().find(|(other, _, _)| other == name).cloned();
        if let Some((_, id, ty)) = bound {
            return Some(self.typed(ExprKind::Bound(id), ty, span));
        }
        let depth = self.frames.len();
        for at in (0..depth).rev() {
            if let Some(local) = self.frames[at].find(name) {
                let ty = self.frames[at].types[local.index()].clone();
                let kind = self.reach(at, (Captured::Local(local), &ty, name), span);
                return Some(self.typed(kind, ty, span));
            }
            // Fields of the class come before variables around it.
            let class = self.frames[at].class.filter(|_| !self.frames[at].is_lambda);
            if let Some(class) = class
                && let Some(value) = self.field_in_sight(at, class, name, span)
            {
                return Some(value);
            }
        }
        let imported = self.imported_field(name, span);
        let is_main = self.here().in_annotation && name.as_str() == "main";
        if imported.is_none() && is_main {
            return Some(self.typed(ExprKind::MainThread, T::Thread, span));
        }
        // Paper 2 writes `holder` for `this.holder`.
        if imported.is_none() && self.here().in_annotation && name.as_str() == "holder" {
            let this = self.this(span)?;
            return Some(self.typed(ExprKind::Holder(Box::new(this.expr)), T::Thread, span));
        }
        imported
    }

    /// A field of a class or of those around it in the text.
    fn field_in_sight(
        &mut self,
        at: usize,
        class: ClassId,
        name: &Name,
        span: Span,
    ) -> Option<Typed> {
        let mut owner = Some(class);
        while let Some(around) = owner {
            let own = self.own_type(around);
            if let Some((field, ty)) = self.find_field(&own, name) {
                if self.world.program.field(field).is_static {
                    return Some(self.static_field(field, ty, span));
                }
                let object = self.this_of(around, span)?;
                let kind = ExprKind::Field(Box::new(object.expr), field);
                return Some(self.typed(kind, ty, span));
            }
            // A class in a body sees the variables of that body before the class around.
            if self.world.infos[around.index()].local.is_some() && at > 0 {
                return None;
            }
            owner = self.world.program.class(around).outer;
        }
        None
    }

    /// The type of a class inside itself.
    pub(super) fn own_type(&self, class: ClassId) -> T {
        let params = &self.world.infos[class.index()].params;
        T::Class(class, params.iter().map(|var| T::Var(*var)).collect())
    }

    /// A field of a type or of those above it, with its type there.
    pub(super) fn find_field(&mut self, ty: &T, name: &Name) -> Option<(FieldId, T)> {
        self.world.load_type(ty);
        let found = self.known_field(ty, name)?;
        self.world.load_type(&found.1);
        Some(found)
    }

    fn known_field(&self, ty: &T, name: &Name) -> Option<(FieldId, T)> {
        for above in self.world.supertypes(ty) {
            let T::Class(id, args) = &above else { continue };
            let class = self.world.program.class(*id);
            let has_name = |field: &&FieldId| {
                let field = self.world.program.field(**field);
                let is_hidden = field.is_private && !matches!(ty, T::Class(own, _) if own == id);
                field.name == *name && !field.is_synthetic && !is_hidden
            };
            if let Some(field) = class.fields.iter().rfind(has_name) {
                let known = self.arguments_of(*id, args);
                let ty = self.world.field_types[field.index()].with(&known).captured();
                return Some((*field, ty));
            }
        }
        None
    }

    pub(super) fn static_field(&mut self, field: FieldId, ty: T, span: Span) -> Typed {
        if let Some(value) = self.world.constant(field) {
            let kind = match value {
                crate::typed::Constant::Int(value) => ExprKind::Int(value),
                crate::typed::Constant::Bool(value) => ExprKind::Bool(value),
                crate::typed::Constant::Text(text) => ExprKind::Text(text),
            };
            return self.typed(kind, ty, span);
        }
        self.typed(ExprKind::Static(field), ty, span)
    }

    fn static_member(&mut self, class: ClassId, name: &Ident, span: Span) -> Option<Typed> {
        let (field, ty) = self.find_field(&T::class(class), &name.name)?;
        if !self.world.program.field(field).is_static && !self.here().in_annotation {
            let message = format!("`{}` is no static field", name.name);
            return Some(self.wrong(Code::MisplacedExpression, span, message));
        }
        Some(self.static_field(field, ty, span))
    }

    /// `import static a.B.x;`
    fn imported_field(&mut self, name: &Name, span: Span) -> Option<Typed> {
        let unit = self.here().scope.unit;
        let imports = self.world.units.get(unit)?.imports;
        for import in static_imports(imports) {
            let mut path: Vec<&str> = import.path.iter().map(|part| part.name.as_str()).collect();
            if !import.all {
                match path.pop() {
                    Some(last) if last == name.as_str() => {}
                    _ => continue,
                }
            }
            let path: Vec<Name> = path.into_iter().map(Name::from).collect();
            let scope = self.here().scope.clone();
            let Some(class) = self.world.class_of_path(&path, &scope) else { continue };
            if let Some((field, ty)) = self.find_field(&T::class(class), name) {
                return Some(self.static_field(field, ty, span));
            }
        }
        None
    }

    /// `object.name`
    pub(super) fn field_of(&mut self, object: Typed, name: &Ident, span: Span) -> Typed {
        if let (T::Array(_), "length") = (&object.ty, name.name.as_str()) {
            let kind = ExprKind::Length(Box::new(object.expr));
            return self.typed(kind, T::Prim(tree::Prim::Int), span);
        }
        if self.here().in_annotation {
            match name.name.as_str() {
                "holder" if self.find_field(&object.ty, &name.name).is_none() => {
                    let kind = ExprKind::Holder(Box::new(object.expr));
                    return self.typed(kind, T::Thread, span);
                }
                "start" if self.find_field(&object.ty, &name.name).is_none() => {
                    let kind = ExprKind::Started(Box::new(object.expr));
                    return self.typed(kind, T::Prim(tree::Prim::Boolean), span);
                }
                _ => {}
            }
        }
        match self.find_field(&object.ty, &name.name) {
            Some((field, ty)) if self.world.program.field(field).is_static => {
                self.static_field(field, ty, span)
            }
            Some((field, ty)) => {
                self.typed(ExprKind::Field(Box::new(object.expr), field), ty, span)
            }
            None => {
                let is_known = match &object.ty {
                    T::Unknown => false,
                    T::Class(id, _) => self.is_fully_known(*id),
                    _ => true,
                };
                let of = self.world.erased(&object.ty);
                let of = self.world.program.type_name(&of);
                let message = format!("`{of}` has no field `{}`", name.name);
                self.unresolved(name.span, message, is_known)
            }
        }
    }

    /// `this` of a class around the code in the text.
    pub(super) fn this_of(&mut self, wanted: ClassId, span: Span) -> Option<Typed> {
        let mut value = self.this(span)?;
        while !matches!(value.ty, T::Class(class, _) if class == wanted) {
            value = self.around(value)?;
        }
        Some(value)
    }

    /// An object, or the nearest one around it, that is of a class or of one below.
    pub(super) fn outwards(&mut self, mut value: Typed, wanted: ClassId) -> Option<Typed> {
        while self.world.as_super(&value.ty, wanted).is_none() {
            value = self.around(value)?;
        }
        Some(value)
    }

    /// The object around one of an inner class.
    fn around(&self, value: Typed) -> Option<Typed> {
        let T::Class(class, _) = &value.ty else { return None };
        let field = self.world.program.class(*class).outer_field?;
        let ty = self.world.field_types[field.index()].clone();
        let span = value.expr.span;
        Some(self.typed(ExprKind::Field(Box::new(value.expr), field), ty, span))
    }

    /// `this`, which a lambda expression takes from around it.
    pub(super) fn this(&mut self, span: Span) -> Option<Typed> {
        let at = (0..self.frames.len()).rev().find(|at| !self.frames[*at].is_lambda)?;
        let frame = &self.frames[at];
        let class = frame.class.filter(|_| !frame.is_static)?;
        let ty = self.own_type(class);
        let kind = self.reach(at, (Captured::This, &ty, &Name::from("this")), span);
        Some(self.typed(kind, ty, span))
    }

    /// A variable of a frame, from the innermost one: through fields of the classes between.
    pub(super) fn reach(
        &mut self,
        at: usize,
        (what, ty, name): (Captured, &T, &Name),
        span: Span,
    ) -> ExprKind {
        let last = self.frames.len() - 1;
        if at == last {
            return match what {
                Captured::Local(local) => ExprKind::Local(local),
                Captured::This => ExprKind::This,
            };
        }
        // The field of the class of the next frame, which takes the value from the frame `at`.
        let field = self.captured_field(at + 1, (what, ty, name), span);
        self.field_through(at + 1, field, span)
    }

    /// A field of the class of a frame, from the innermost frame.
    fn field_through(&mut self, at: usize, field: FieldId, span: Span) -> ExprKind {
        let last = self.frames.len() - 1;
        let class = self.frames[at].class;
        let ty = class.map_or(T::Unknown, |class| self.own_type(class));
        let erased = self.world.erased(&ty);
        let object = if at == last {
            Expr { kind: ExprKind::This, ty: erased, span }
        } else {
            let name = Name::from("this");
            let inner = self.captured_field(at + 1, (Captured::This, &ty, &name), span);
            let kind = self.field_through(at + 1, inner, span);
            Expr { kind, ty: erased, span }
        };
        ExprKind::Field(Box::new(object), field)
    }

    fn captured_field(
        &mut self,
        at: usize,
        (what, ty, name): (Captured, &T, &Name),
        span: Span,
    ) -> FieldId {
        let class = self.frames[at].class.expect("internal error: a frame without a class");
        let outer = self.world.program.class(class).outer_field;
        if let (Captured::This, Some(field)) = (what, outer) {
            return field;
        }
        let known = self.world.captures.get(&class).into_iter().flatten();
        if let Some((_, field)) = known.into_iter().find(|(other, _)| *other == what) {
            return *field;
        }
        let field = self.world.add_synthetic(class, name.as_str(), ty.clone(), span);
        self.world.captures.entry(class).or_default().push((what, field));
        field
    }

    /// An expression with its type.
    pub(super) fn typed(&self, kind: ExprKind, ty: T, span: Span) -> Typed {
        let erased: Ty = self.world.erased(&ty);
        Typed { expr: Expr { kind, ty: erased, span }, ty }
    }
}

/// Static imports, those of one name first: they come before imports of all.
pub(super) fn static_imports(imports: &[tree::Import]) -> impl Iterator<Item = &tree::Import> {
    let of =
        move |all: bool| imports.iter().filter(move |import| import.is_static && import.all == all);
    of(false).chain(of(true))
}
