//! New objects and what they take along; classes without a name and classes in bodies.

use super::body::Body;
use super::declare::{Home, empty};
use super::exprs::Typed;
use super::types::T;
use super::{Decl, World};
use crate::tree;
use crate::typed::{
    Body as Code, Callee, Class, ClassId, ClassKind, Expr, ExprKind, FieldId, LocalId, MethodId,
    Origin, Stmt, StmtKind,
};
use source::{Name, Span};

/// `outer.new T(args) { body }`
pub(super) struct Unnamed<'a> {
    pub(super) above: T,
    pub(super) args: &'a [tree::Expr],
    pub(super) outer: Option<Typed>,
    pub(super) body: &'a tree::ClassBody,
}

impl<'a> Body<'_, 'a> {
    /// `new C(args)` with or without a body.
    pub(super) fn new_object(
        &mut self,
        new: &'a tree::NewExpr,
        span: Span,
        expected: Option<&T>,
    ) -> Typed {
        let outer = new.outer.as_ref().map(|outer| self.expr(outer));
        let mut ty = match &outer {
            // `outer.new Inner()`: the name is looked up in the class of `outer`.
            Some(Typed { ty: T::Class(class, _), .. }) => self.inner_type(*class, &new.ty),
            _ => self.ty(&new.ty),
        };
        if let Some(body) = &new.body {
            let new = Unnamed { above: ty, args: &new.args, outer, body };
            return self.anonymous(new, span);
        }
        let T::Class(class, args) = ty.clone() else {
            let args = self.args(&new.args, &[]);
            let args = self.unknown_args(args);
            let callee = Callee {
                method: None,
                name: Name::from("new"),
                receiver: None,
                args,
                is_virtual: false,
            };
            return self.typed(ExprKind::Call(Box::new(callee)), T::Unknown, span);
        };
        let (constructor, made_args, known) = self.constructor(&ty, &new.args, span);
        if args.is_empty() && !self.world.infos[class.index()].params.is_empty() {
            ty = self.diamond(class, &known, expected);
        }
        let captured = self.inner_captured(class, outer, span);
        let kind = ExprKind::New { class, constructor, args: made_args, captured };
        self.typed(kind, ty, span)
    }

    fn inner_type(&mut self, outer: ClassId, ty: &'a tree::Type) -> T {
        if let tree::TypeKind::Named(path) = &ty.kind
            && let Some(first) = path.first()
            && let Some(found) = self.world.member_type(outer, &first.name.name)
        {
            let args = first.args.iter().map(|arg| self.ty(arg)).collect();
            return T::Class(found, args);
        }
        self.ty(ty)
    }

    /// The type of `new C<>()`.
    fn diamond(
        &self,
        class: ClassId,
        known: &super::types::Substitution,
        expected: Option<&T>,
    ) -> T {
        let params = &self.world.infos[class.index()].params;
        let mut known = known.clone();
        if let Some(expected @ T::Class(wanted, _)) = expected {
            let own = self.own_type(class);
            if let Some(above) = self.world.as_super(&own, *wanted) {
                self.world.unify(&above, expected, params, &mut known);
            }
        }
        let find = |var: &super::types::VarId| {
            known.iter().find(|(other, _)| other == var).map(|(_, ty)| ty.clone())
        };
        let args: Option<Vec<T>> = params.iter().map(find).collect();
        T::Class(class, args.unwrap_or_default())
    }

    /// First values of what an object of an inner class takes along, for it and the classes above.
    pub(super) fn inner_captured(
        &mut self,
        class: ClassId,
        outer: Option<Typed>,
        span: Span,
    ) -> Vec<(FieldId, Expr)> {
        let around = self.world.program.class(class).outer_field.map(|field| {
            let wanted = self.world.program.class(class).outer;
            let value = match outer {
                Some(outer) => Some(outer),
                None => wanted.and_then(|wanted| {
                    let this = self.this(span)?;
                    self.outwards(this, wanted)
                }),
            };
            (field, value)
        });
        self.all_captured(class, around, span)
    }

    /// The same, where the object around is known: a class above is inside it or inside one around
    /// that, unless a constructor says otherwise.
    fn all_captured(
        &mut self,
        class: ClassId,
        mut around: Option<(FieldId, Option<Typed>)>,
        span: Span,
    ) -> Vec<(FieldId, Expr)> {
        let mut captured = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            captured.extend(self.captured_values(class, span));
            let object = around.take().map(|(field, value)| {
                let value = value.unwrap_or_else(|| {
                    self.misplaced(span, "an object of an inner class needs one around it")
                });
                captured.push((field, value.expr.clone()));
                value
            });
            next = self.world.program.class(class).superclass;
            let Some(above) = next.map(|above| self.world.program.class(above)) else { break };
            if let (Some(field), Some(wanted)) = (above.outer_field, above.outer) {
                let value = match object.filter(|object| self.world.is_simple(&object.expr)) {
                    Some(object) => self.outwards(object, wanted),
                    None => None,
                };
                around = Some((field, value));
            }
        }
        captured
    }

    /// The values of variables that a class in a body captures, here.
    pub(super) fn captured_values(&mut self, class: ClassId, span: Span) -> Vec<(FieldId, Expr)> {
        let captures = self.world.captures.get(&class).cloned().unwrap_or_default();
        if let Some(made) = self.world.open.get_mut(&class) {
            made.push(captures.len());
        }
        let depth = self.world.infos[class.index()].depth;
        let mut values = Vec::new();
        for (what, field) in captures {
            let ty = self.world.field_types[field.index()].clone();
            let name = self.world.program.field(field).name.clone();
            let kind = self.reach(depth, (what, &ty, &name), span);
            values.push((field, self.typed(kind, ty, span).expr));
        }
        values
    }

    /// The class around what stands here, and its names.
    fn home(&self) -> (Option<ClassId>, String, String) {
        let around = self.frames.iter().rev().find(|frame| !frame.is_lambda);
        let around = around.and_then(|frame| frame.class);
        let names = around.map(|id| {
            let class = self.world.program.class(id);
            (class.name.to_string(), class.qualified.to_string())
        });
        let (name, qualified) = names.unwrap_or_default();
        (around, name, qualified)
    }

    /// `new T(args) { body }`
    pub(super) fn anonymous(&mut self, new: Unnamed<'a>, span: Span) -> Typed {
        let Unnamed { above, args, outer, body } = new;
        let (around, name, qualified) = self.home();
        let count = around.map_or(0, |around| {
            let count = self.world.anonymous.entry(around).or_default();
            *count += 1;
            *count
        });
        let has_this = self.this(span).is_some();
        let (name, qualified) = (format!("{name}${count}"), format!("{qualified}${count}"));
        let class = Class {
            name: Name::from(name.as_str()),
            qualified: Name::from(qualified.as_str()),
            is_final: true,
            is_private: true,
            is_static: !has_this,
            ..empty(around, span)
        };
        let unit = self.here().scope.unit;
        let id = self.world.add_class(class, Decl::Body(body), unit);
        self.world.declare_inner(id, &body.types, (&name, &qualified));
        self.world.infos[id.index()].local = Some(self.here().scope.clone());
        self.world.set_supertypes(id, vec![above.clone()]);
        let (above_constructor, made_args, _) = match &above {
            T::Class(class, _) if self.world.program.class(*class).kind != ClassKind::Interface => {
                self.constructor(&above, args, span)
            }
            _ => (None, Vec::new(), Vec::new()),
        };
        self.class_in_body(id);
        let constructor = self.pass_on(id, above_constructor, span);
        let mut captured = self.inner_captured(id, None, span);
        if let (Some(outer), T::Class(above, _)) = (outer, &above) {
            let field = self.world.program.class(*above).outer_field;
            captured.retain(|(other, _)| Some(*other) != field);
            captured.extend(field.map(|field| (field, outer.expr)));
        }
        let kind = ExprKind::New { class: id, constructor, args: made_args, captured };
        self.typed(kind, T::class(id), span)
    }

    /// Resolves a class that was declared in a body, and the classes inside it.
    fn class_in_body(&mut self, id: ClassId) {
        let mut all = vec![id];
        let mut at = 0;
        while at < all.len() {
            all.extend(self.world.infos[all[at].index()].types.values());
            at += 1;
        }
        let first_method = self.world.program.methods.len();
        let depth = self.frames.len() - 1;
        for one in &all {
            self.world.infos[one.index()].depth = depth;
            self.world.open.insert(*one, Vec::new());
            self.world.head(*one);
        }
        for one in &all {
            self.world.members(*one);
        }
        for one in &all {
            self.class_members(*one);
        }
        self.forget_early(&all, first_method);
    }

    /// An object of a class in a body that is made inside that class may lack what the class was
    /// found to capture only later. Then nothing is known of the code inside.
    fn forget_early(&mut self, classes: &[ClassId], first_method: usize) {
        let mut is_early = false;
        for class in classes {
            let all = self.world.captures.get(class).map_or(0, Vec::len);
            let made = self.world.open.remove(class).unwrap_or_default();
            is_early |= made.into_iter().any(|count| count < all);
        }
        if !is_early {
            return;
        }
        for method in &mut self.world.program.methods[first_method..] {
            if let Some(body) = &mut method.body {
                let text = "an object of a class in a body, made inside that class";
                let kind = StmtKind::Unsupported(text.to_owned());
                body.stmts.insert(0, Stmt { kind, span: method.span });
            }
        }
    }

    /// Makes the constructor of an anonymous class pass its arguments on.
    fn pass_on(&mut self, class: ClassId, above: Option<MethodId>, span: Span) -> Option<MethodId> {
        let own = self.world.program.class(class).methods.iter();
        let own = own.copied().find(|id| self.world.program.method(*id).is_constructor)?;
        let Some(above) = above else { return Some(own) };
        let params = self.world.program.method(above).params.clone();
        let info = self.world.method_infos[above.index()].params.clone();
        self.world.method_infos[own.index()].params = info;
        let method = &mut self.world.program.methods[own.index()];
        let mut args = Vec::new();
        let mut locals = Vec::new();
        for (at, ty) in params.iter().enumerate() {
            let name = Name::from(format!("arg{at}").as_str());
            locals.push(crate::typed::Local { name, ty: ty.clone(), span });
            let kind = ExprKind::Local(LocalId::from_index(at));
            args.push(Expr { kind, ty: ty.clone(), span });
        }
        method.params = params;
        let body = method.body.get_or_insert_with(Code::default);
        let is_construct = |stmt: &Stmt| {
            matches!(stmt.kind, StmtKind::Construct { .. } | StmtKind::Unsupported(_))
        };
        body.stmts.retain(|stmt| !is_construct(stmt));
        body.locals = locals;
        let construct = StmtKind::Construct { constructor: above, args };
        body.stmts.insert(0, Stmt { kind: construct, span });
        Some(own)
    }

    /// A class declared among statements.
    pub(super) fn local_class(&mut self, decl: &'a tree::TypeDecl) {
        let (outer, name, qualified) = self.home();
        let count = self.world.program.classes.len();
        let home = Home {
            unit: self.here().scope.unit,
            outer,
            origin: Origin::Checked,
            name: format!("{name}."),
            // Two classes of one name may stand in different blocks.
            qualified: format!("{qualified}${count}"),
        };
        let id = self.world.declare(decl, home);
        let has_this = self.this(decl.span).is_some();
        let class = &mut self.world.program.classes[id.index()];
        class.is_private = true;
        class.is_static =
            !has_this || decl.head.modifiers.is_static || class.kind != ClassKind::Class;
        self.frame().scope.locals.push((decl.name.name.clone(), id));
        let scope = self.here().scope.clone();
        self.world.infos[id.index()].local = Some(scope);
        self.class_in_body(id);
    }
}

impl World<'_> {
    /// Whether an expression may stand twice instead of once, whatever others do in between.
    fn is_simple(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::This | ExprKind::Local(_) => true,
            ExprKind::Field(object, field) => {
                self.program.field(*field).is_final && self.is_simple(object)
            }
            ExprKind::Cast(inner) => self.is_simple(inner),
            _ => false,
        }
    }
}
