//! The code that is being resolved: its variables, what is around it.

use super::World;
use super::scope::Scope;
use super::types::T;
use crate::typed::{ClassId, Label, Local, LocalId};
use source::{Name, Span};
use std::collections::BTreeMap;

/// The body of a method, an initializer or a lambda expression.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) locals: Vec<Local>,
    pub(super) types: Vec<T>,
    /// Names in sight, innermost block last.
    pub(super) blocks: Vec<BTreeMap<Name, LocalId>>,
    pub(super) scope: Scope,
    /// The class whose methods this code belongs to; for a lambda expression, its own.
    pub(super) class: Option<ClassId>,
    pub(super) is_static: bool,
    /// Whether `this` is that of the frame around, through a field.
    pub(super) is_lambda: bool,
    /// The type that `return` gives; of a lambda expression perhaps not known yet.
    pub(super) result: Option<T>,
    /// Whether what is returned is an object, of a type that is not known yet.
    pub(super) boxes: bool,
    /// The types of values that were returned.
    pub(super) returned: Vec<T>,
    pub(super) labels: Vec<(Option<Name>, Label, bool)>,
    pub(super) next_label: u32,
    /// Of each switch expression around: the type that is wanted, and those of its values.
    pub(super) yields: Vec<(Option<T>, Vec<T>)>,
    /// Variables of quantifiers in sight.
    pub(super) bound: Vec<(Name, crate::typed::BoundId, T)>,
    /// In an annotation, names mean fields and ghosts, and there is more to say.
    pub(super) in_annotation: bool,
    /// Whether `\result` has a meaning.
    pub(super) annotated_result: Option<T>,
}

/// What a class in a body takes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captured {
    Local(LocalId),
    This,
}

/// Resolves code.
pub(super) struct Body<'w, 'a> {
    pub(super) world: &'w mut World<'a>,
    /// Innermost last.
    pub(super) frames: Vec<Frame>,
}

impl Frame {
    pub(super) fn new(scope: Scope, class: ClassId, is_static: bool) -> Self {
        Self {
            scope,
            class: Some(class),
            is_static,
            blocks: vec![BTreeMap::new()],
            ..Self::default()
        }
    }

    pub(super) fn declare(
        &mut self,
        name: Name,
        ty: T,
        erased: crate::typed::Ty,
        span: Span,
    ) -> LocalId {
        let id = LocalId::from_index(self.locals.len());
        self.locals.push(Local { name: name.clone(), ty: erased, span });
        self.types.push(ty);
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name, id);
        }
        id
    }

    pub(super) fn find(&self, name: &Name) -> Option<LocalId> {
        self.blocks.iter().rev().find_map(|block| block.get(name).copied())
    }

    pub(super) fn new_label(&mut self, name: Option<Name>, is_loop: bool) -> Label {
        let label = Label(self.next_label);
        self.next_label += 1;
        self.labels.push((name, label, is_loop));
        label
    }
}

impl<'w, 'a> Body<'w, 'a> {
    pub(super) fn new(world: &'w mut World<'a>, frame: Frame) -> Self {
        Self { world, frames: vec![frame] }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("internal error: code outside of every body")
    }

    pub(super) fn here(&self) -> &Frame {
        self.frames.last().expect("internal error: code outside of every body")
    }

    pub(super) fn declare(&mut self, name: Name, ty: T, span: Span) -> LocalId {
        self.world.load_type(&ty);
        let erased = self.world.erased(&ty);
        self.frame().declare(name, ty, erased, span)
    }

    pub(super) fn ty(&mut self, ty: &crate::tree::Type) -> T {
        let scope = self.here().scope.clone();
        self.world.ty(ty, &scope)
    }

    /// Resolves something in a block of its own.
    pub(super) fn in_block<R>(&mut self, resolve: impl FnOnce(&mut Self) -> R) -> R {
        self.frame().blocks.push(BTreeMap::new());
        let locals = self.frame().scope.locals.len();
        let result = resolve(self);
        let frame = self.frame();
        frame.blocks.pop();
        frame.scope.locals.truncate(locals);
        result
    }
}
