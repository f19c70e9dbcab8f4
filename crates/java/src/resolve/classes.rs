//! Members of classes: bodies, first values of fields, constructors.

use super::World;
use super::body::{Body, Frame};
use super::headers::Implied;
use super::objects::Unnamed;
use super::types::T;
use crate::tree::{self, StmtKind as TreeStmt};
use crate::typed::{
    Body as Code, Callee, ClassId, ClassKind, Expr, ExprKind, FieldId, LocalId, MethodId, Place,
    Stmt, StmtKind, Ty,
};
use source::{Name, Span};

/// Resolves everything inside all classes.
pub(super) fn all_members(world: &mut World<'_>) {
    let all: Vec<ClassId> = world.program.class_ids().collect();
    for id in all {
        let mut body = Body { world, frames: Vec::new() };
        body.class_members(id);
    }
    world.find_overriding();
}

impl<'a> Body<'_, 'a> {
    /// Resolves the annotations and bodies of a class, inside the code around it.
    pub(super) fn class_members(&mut self, id: ClassId) {
        let decl = self.world.infos[id.index()].decl;
        let Some(members) = decl.body() else { return };
        self.class_spec(id, members);
        for method in self.world.program.class(id).methods.clone() {
            self.method_spec(method);
        }
        let initializer = self.initializer(id, members, false);
        let initializer = initializer.map(|code| {
            let name = Name::from("<fields>");
            let method = self.world.implied(id, name, (Vec::new(), T::Void), Implied::Instance);
            let about = &mut self.world.program.methods[method.index()];
            about.is_private = true;
            about.body = Some(code);
            method
        });
        self.world.program.classes[id.index()].static_init = self.initializer(id, members, true);
        for method in self.world.program.class(id).methods.clone() {
            self.method_body(method, initializer);
        }
    }

    /// First values of fields and initializers, in the order of the text.
    fn initializer(
        &mut self,
        id: ClassId,
        members: &'a tree::ClassBody,
        is_static: bool,
    ) -> Option<Code> {
        let frame = Frame::new(self.world.scope_of(id), id, is_static);
        self.frames.push(frame);
        let mut stmts = Vec::new();
        if is_static {
            for constant in &members.constants {
                stmts.push(self.enum_constant(id, constant));
            }
        }
        let kind = self.world.program.class(id).kind;
        let is_interface = matches!(kind, ClassKind::Interface | ClassKind::Annotation);
        let mut parts: Vec<(usize, Result<&'a tree::FieldDecl, &'a tree::Initializer>)> =
            Vec::new();
        for field in &members.fields {
            if (field.head.modifiers.is_static || is_interface) == is_static {
                parts.push((field.order, Ok(field)));
            }
        }
        for block in &members.initializers {
            if block.is_static == is_static {
                parts.push((block.order, Err(block)));
            }
        }
        parts.sort_by_key(|(order, _)| *order);
        for (_, part) in parts {
            match part {
                Ok(field) => stmts.extend(self.first_value(id, field)),
                Err(block) => {
                    let inner = self.in_block(|body| body.block(&block.body.stmts));
                    stmts.push(Stmt { kind: StmtKind::Block(inner), span: block.body.span });
                }
            }
        }
        let frame = self.frames.pop()?;
        (!stmts.is_empty()).then_some(Code { locals: frame.locals, stmts })
    }

    fn first_value(&mut self, class: ClassId, field: &'a tree::FieldDecl) -> Option<Stmt> {
        let value = field.value.as_ref()?;
        let has_name = |id: &&FieldId| {
            let other = self.world.program.field(**id);
            other.name == field.name.name && !other.is_synthetic
        };
        let id = *self.world.program.class(class).fields.iter().find(has_name)?;
        if self.world.constant(id).is_some() {
            return None;
        }
        let ty = self.world.field_types[id.index()].clone();
        self.frame().in_annotation = field.is_ghost;
        let value = self.expecting(value, Some(&ty));
        let value = self.convert(value, &ty);
        self.frame().in_annotation = false;
        let span = field.name.span.to(value.expr.span);
        let place = if self.world.program.field(id).is_static {
            Place::Static(id, field.name.span)
        } else {
            let this = Expr { kind: ExprKind::This, ty: Ty::Class(class), span };
            Place::Field(this, id, field.name.span)
        };
        Some(Stmt { kind: StmtKind::Init(place, value.expr), span })
    }

    fn enum_constant(&mut self, class: ClassId, constant: &'a tree::EnumConstant) -> Stmt {
        let (span, ty) = (constant.span, T::class(class));
        let made = match &constant.body {
            Some(body) => {
                let new = Unnamed { above: ty, args: &constant.args, outer: None, body };
                self.anonymous(new, span)
            }
            None => {
                let (constructor, args, _) = self.constructor(&ty, &constant.args, span);
                let captured = Vec::new();
                self.typed(ExprKind::New { class, constructor, args, captured }, ty, span)
            }
        };
        let fields = &self.world.program.class(class).fields;
        let has_name = |id: &&FieldId| self.world.program.field(**id).name == constant.name.name;
        let kind = match fields.iter().find(has_name) {
            Some(field) => StmtKind::Init(Place::Static(*field, constant.name.span), made.expr),
            None => StmtKind::Expr(made.expr),
        };
        Stmt { kind, span }
    }

    fn method_body(&mut self, id: MethodId, initializer: Option<MethodId>) {
        let method = self.world.program.method(id);
        let (class, is_constructor, is_static) =
            (method.class, method.is_constructor, method.is_static);
        let span = method.span;
        let Some(decl) = self.world.method_infos[id.index()].decl else {
            if self.world.program.method(id).body.is_none() {
                let code = self.implied_body(id, initializer);
                self.world.program.methods[id.index()].body = code;
            }
            return;
        };
        let Some(block) = &decl.body else { return };
        let mut frame = Frame::new(self.world.scope_of(class), class, is_static);
        frame.scope.vars.extend(&self.world.method_infos[id.index()].type_params);
        frame.result = Some(self.world.method_infos[id.index()].result.clone());
        self.frames.push(frame);
        self.declare_params(id, decl);
        let mut stmts = Vec::new();
        let mut rest = &block.stmts[..];
        if is_constructor {
            let explicit = match rest.first().map(|stmt| (&stmt.kind, stmt.span)) {
                Some((TreeStmt::Constructor(call), span)) => Some((&**call, span)),
                _ => None,
            };
            if explicit.is_some() {
                rest = &rest[1..];
            }
            let calls_own = explicit.is_some_and(|(call, _)| !call.is_super);
            stmts.extend(self.construct(class, explicit, span));
            if let (Some(initializer), false) = (initializer, calls_own) {
                stmts.push(self.call_initializer(class, initializer, span));
            }
        }
        stmts.extend(self.block(rest));
        if decl.is_compact {
            stmts.extend(self.record_assignments(class, span));
        }
        if let Some(frame) = self.frames.pop() {
            self.world.program.methods[id.index()].body =
                Some(Code { locals: frame.locals, stmts });
        }
    }

    /// Declares the parameters of a method as its first locals.
    pub(super) fn declare_params(&mut self, id: MethodId, decl: &'a tree::MethodDecl) {
        let types = self.world.method_infos[id.index()].params.clone();
        if decl.is_compact {
            let class = self.world.program.method(id).class;
            let names = self.record_names(class);
            for (name, ty) in names.into_iter().zip(types) {
                self.declare(name, ty, decl.span);
            }
            return;
        }
        for (param, ty) in decl.params.iter().zip(types) {
            self.declare(param.name.name.clone(), ty, param.name.span);
        }
    }

    fn record_fields(&self, class: ClassId) -> Vec<FieldId> {
        let fields = self.world.program.class(class).fields.iter().copied();
        let is_component = |id: &FieldId| {
            let field = self.world.program.field(*id);
            !field.is_static && !field.is_synthetic && !field.is_ghost
        };
        fields.filter(is_component).collect()
    }

    fn record_names(&self, class: ClassId) -> Vec<Name> {
        let fields = self.record_fields(class).into_iter();
        fields.map(|id| self.world.program.field(id).name.clone()).collect()
    }

    /// `this.x = x` for every component.
    fn record_assignments(&mut self, class: ClassId, span: Span) -> Vec<Stmt> {
        let fields = self.record_fields(class);
        let this = Expr { kind: ExprKind::This, ty: Ty::Class(class), span };
        let mut stmts = Vec::new();
        for (at, field) in fields.into_iter().enumerate() {
            let ty = self.world.program.field(field).ty.clone();
            let value = Expr { kind: ExprKind::Local(LocalId::from_index(at)), ty, span };
            let place = Place::Field(this.clone(), field, span);
            stmts.push(Stmt { kind: StmtKind::Init(place, value), span });
        }
        stmts
    }

    fn call_initializer(&mut self, class: ClassId, initializer: MethodId, span: Span) -> Stmt {
        let receiver = Some(Expr { kind: ExprKind::This, ty: Ty::Class(class), span });
        let name = self.world.program.method(initializer).name.clone();
        let method = Some(initializer);
        let callee = Callee { method, name, receiver, args: Vec::new(), is_virtual: false };
        let kind = ExprKind::Call(Box::new(callee));
        Stmt { kind: StmtKind::Expr(Expr { kind, ty: Ty::Void, span }), span }
    }

    /// The constructor that a constructor calls first.
    fn construct(
        &mut self,
        class: ClassId,
        explicit: Option<(&'a tree::ConstructorCall, Span)>,
        span: Span,
    ) -> Option<Stmt> {
        let (call_span, is_super) = match explicit {
            Some((call, span)) => (span, call.is_super),
            None => (span, true),
        };
        let above = if is_super {
            self.world.infos[class.index()].supertypes.first()?.clone()
        } else {
            self.own_type(class)
        };
        let T::Class(target, _) = &above else { return None };
        let kind = self.world.program.class(*target).kind;
        if explicit.is_some() && Some(*target) == self.world.object() {
            self.constructor(&above, &[], call_span);
        }
        if matches!(kind, ClassKind::Interface) || Some(*target) == self.world.object() {
            return None;
        }
        let own = self.world.program.class(class).kind;
        if is_super && matches!(own, ClassKind::Enum | ClassKind::Record) {
            return None;
        }
        let no_args: &'a [tree::Expr] = &[];
        let args = explicit.map_or(no_args, |(call, _)| call.args.as_slice());
        let (constructor, args, _) = self.constructor(&above, args, call_span);
        let outer = explicit.and_then(|(call, _)| call.outer.as_ref());
        let kind = match constructor {
            _ if outer.is_some() => {
                StmtKind::Unsupported("a constructor called through an object around".to_owned())
            }
            Some(constructor) => StmtKind::Construct { constructor, args },
            None => StmtKind::Unsupported("a constructor that is not known".to_owned()),
        };
        Some(Stmt { kind, span: call_span })
    }

    /// The body of a member that Java adds.
    fn implied_body(&mut self, id: MethodId, initializer: Option<MethodId>) -> Option<Code> {
        let method = self.world.program.method(id);
        let (class, span) = (method.class, method.span);
        let kind = self.world.program.class(class).kind;
        if !method.is_constructor {
            let name = method.name.clone();
            if kind != ClassKind::Record || method.is_static {
                return None;
            }
            let fields = self.record_fields(class);
            let field = fields.into_iter().find(|id| self.world.program.field(*id).name == name)?;
            let this = Expr { kind: ExprKind::This, ty: Ty::Class(class), span };
            let ty = self.world.program.field(field).ty.clone();
            let value = Expr { kind: ExprKind::Field(Box::new(this), field), ty, span };
            let stmts = vec![Stmt { kind: StmtKind::Return(Some(value)), span }];
            return Some(Code { locals: Vec::new(), stmts });
        }
        let frame = Frame::new(self.world.scope_of(class), class, false);
        self.frames.push(frame);
        let mut stmts = Vec::new();
        if kind == ClassKind::Record {
            let names = self.record_names(class);
            let types = self.world.record_types(class);
            for (name, ty) in names.into_iter().zip(types) {
                self.declare(name, ty, span);
            }
            stmts.extend(self.record_assignments(class, span));
        } else {
            stmts.extend(self.construct(class, None, span));
        }
        stmts.extend(initializer.map(|one| self.call_initializer(class, one, span)));
        let frame = self.frames.pop()?;
        Some(Code { locals: frame.locals, stmts })
    }
}
