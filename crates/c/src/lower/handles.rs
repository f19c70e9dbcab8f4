//! Finds out which thread a variable of type `pthread_t` stands for.
//!
//! This is followed through `main` alone. Where several creations may have written a variable, it
//! is not known for which of them a thread waits, and waiting is refused. In other functions a
//! variable stands for a thread only if the whole text has one creation for it.

use super::body::Body;
use super::values::INT;
use super::{Answer, Lowering, Target, operators, refuse};
use crate::build;
use crate::syntax::{Expr, ExprKind, Type};
use plato::ast;
use source::Span;
use std::collections::BTreeMap;

/// The threads that handles stand for.
#[derive(Default)]
pub(super) struct Handles {
    /// At this place in `main`, the thread that a handle stands for.
    current: Current,
    /// All creations for a handle, and whether they are in `main`.
    created: BTreeMap<String, Vec<(usize, bool)>>,
    joined: Vec<Joined>,
}

pub(super) type Current = BTreeMap<String, usize>;

/// A place that waits for a thread.
struct Joined {
    handle: String,
    in_main: bool,
    span: Span,
}

/// The handle that an expression names.
enum Handle {
    /// It is this one.
    Known(String),
    /// It is an element of this array.
    Some(String),
    /// Nothing that a thread can wait for.
    Nowhere,
}

impl Lowering<'_> {
    /// The name of a handle whose place is known; an array is its first element. `None` if it is no
    /// handle, or outside of its array.
    fn key(&self, target: &Target) -> Option<String> {
        let mut ty = &target.variable.ty;
        let mut name = target.variable.name.clone();
        let mut indices = target.indices.iter().copied();
        while let Type::Array(element, size) = ty {
            let index = indices.next().unwrap_or(0);
            let (size, _) = self.constant(size.as_deref()?)?;
            if !(0..size).contains(&index) {
                return None;
            }
            name = format!("{name}[{index}]");
            ty = element;
        }
        (*ty == Type::Thread).then_some(name)
    }

    /// Checks, now that all creations are known, the assumption made at each place that waits for a
    /// thread.
    pub(super) fn check_joins(&mut self) {
        let handles = std::mem::take(&mut self.handles);
        for Joined { handle, in_main, span } in handles.joined {
            let whole = handle.split('[').next().unwrap_or_default();
            let all = handles
                .created
                .iter()
                .filter(|(key, _)| **key == handle || key.as_str() == format!("{whole}[?]"));
            let all: Vec<bool> = all.flat_map(|(_, made)| made).map(|(_, main)| *main).collect();
            let is_clear = if in_main { all.iter().all(|main| *main) } else { all.len() == 1 };
            if !is_clear {
                let message = "waiting for a thread that is not known beforehand".to_owned();
                self.items.push(build::unsupported(message, span));
            }
        }
    }
}

impl Body<'_, '_> {
    /// The threads that handles stand for here, to be restored later.
    pub(super) fn handles(&self) -> Current {
        self.lowering.handles.current.clone()
    }

    /// Lets handles stand for these threads from here on; returns those before.
    pub(super) fn set_handles(&mut self, handles: Current) -> Current {
        std::mem::replace(&mut self.lowering.handles.current, handles)
    }

    /// Two paths meet here: keeps only the knowledge that both share.
    pub(super) fn meet_handles(&mut self, other: &Current) {
        self.lowering.handles.current.retain(|handle, thread| other.get(handle) == Some(thread));
    }

    /// Records that a thread is created for a handle.
    pub(super) fn set_handle(&mut self, expr: &Expr, thread: usize) -> Answer<()> {
        let in_main = self.function.name == "main";
        let handle = self.handle(expr)?;
        let key = match handle {
            Handle::Nowhere => return Ok(()),
            Handle::Known(key) => key,
            Handle::Some(whole) => {
                let prefix = format!("{whole}[");
                self.lowering.handles.current.retain(|key, _| !key.starts_with(&prefix));
                format!("{whole}[?]")
            }
        };
        let handles = &mut self.lowering.handles;
        handles.created.entry(key.clone()).or_default().push((thread, in_main));
        if in_main && !key.ends_with("[?]") {
            handles.current.insert(key, thread);
        }
        Ok(())
    }

    /// The thread that a handle stands for.
    pub(super) fn joined(&mut self, expr: &Expr, span: Span) -> Option<usize> {
        let in_main = self.function.name == "main";
        let handle = self.lowering.key(&self.pointed(expr)?)?;
        let handles = &mut self.lowering.handles;
        let thread = if in_main {
            handles.current.get(&handle).copied()
        } else {
            match handles.created.get(&handle).map(Vec::as_slice) {
                Some(&[(thread, _)]) => Some(thread),
                _ => None,
            }
        };
        if thread.is_some() {
            handles.joined.push(Joined { handle, in_main, span });
        }
        thread
    }

    /// The handle at an address.
    fn handle(&mut self, expr: &Expr) -> Answer<Handle> {
        if let ExprKind::Cast(_, one) = &expr.kind {
            return self.handle(one);
        }
        // `a + i` is `&a[i]`.
        let (base, index) = match &expr.kind {
            ExprKind::Binary("+", base, index) => (Some(&**base), Some(&**index)),
            ExprKind::Address(one) => match &one.kind {
                ExprKind::Index(base, index) => (Some(&**base), Some(&**index)),
                _ => (None, None),
            },
            _ => (None, None),
        };
        let known = match (base, index) {
            (Some(base), Some(index)) => self.target(base).zip(self.known_value(index)).and_then(
                |(mut target, (index, _))| {
                    let Type::Array(element, _) = target.ty else { return None };
                    target.ty = *element;
                    target.indices.push(index);
                    Some(target)
                },
            ),
            _ => self.target(expr),
        };
        if let Some(handle) = known.as_ref().and_then(|known| self.lowering.key(known)) {
            return Ok(Handle::Known(handle));
        }
        if let (Some(base), Some(index)) = (base, index)
            && let Some(Target { variable, ty: Type::Array(element, Some(size)), .. }) =
                self.target(base)
            && *element == Type::Thread
        {
            self.check_index(index, &size)?;
            return Ok(Handle::Some(variable.name));
        }
        let acts = |expr: &Expr| {
            matches!(expr.kind, ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Step(..))
        };
        if known.is_some() || expr.any(&acts) {
            return refuse("this place for a thread");
        }
        Ok(Handle::Nowhere)
    }

    /// Arrays of handles are not part of the program in Plato, so their bounds are checked here.
    fn check_index(&mut self, index: &Expr, size: &Expr) -> Answer<()> {
        let span = index.span;
        let Some((size, _)) = self.known_value(size) else {
            return refuse("an array of unknown size");
        };
        let index = self.value(index)?;
        let index = self.settled(index);
        let zero = super::values::Value::number(0, INT, span);
        let size = super::values::Value::number(size, INT, span);
        let low = operators::binary("<", index.clone(), zero, span)?.into_truth();
        let high = operators::binary(">=", index, size, span)?.into_truth();
        let outside = ast::Expr { kind: ast::ExprKind::Or(vec![low, high]), span };
        let message = "an index outside of an array of threads".to_owned();
        let gap = build::stmt(ast::StmtKind::Unsupported(message), span);
        self.branch(super::values::Value::truth(outside, false), vec![gap], Vec::new(), span);
        Ok(())
    }
}
