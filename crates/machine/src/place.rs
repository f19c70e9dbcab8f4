//! Reading and writing places.

use crate::code::Pc;
use crate::eval::{Answer, Fault, UNSET};
use crate::step::Moment;
use crate::value::{Value, lookup, updated, within};
use plato::hir::{Root, Ty};

/// A variable, or a place inside a map.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) root: Root,
    pub(crate) keys: Vec<Value>,
    pub(crate) ty: Ty,
}

pub(crate) fn read(at: &Moment, target: &Target) -> Answer<Value> {
    let value = match target.root {
        Root::Global(id) => at.globals.get(id.index()),
        Root::Local(id) => at.frames.last().and_then(|frame| frame.locals.get(id.index())),
    };
    let mut value = value.filter(|value| **value != Value::Unset).cloned().ok_or(UNSET)?;
    for key in &target.keys {
        value = lookup(&value, key).ok_or(Fault::Wrong("index-out-of-range"))?;
    }
    Ok(value)
}

/// All of the writes, in order.
pub(crate) fn written(before: &Moment, writes: Vec<(Target, Value)>) -> Answer<Moment> {
    let mut after = before.clone();
    for (target, value) in writes {
        if !within(&value, &target.ty) {
            return Err(Fault::Wrong("value-out-of-range"));
        }
        let whole = Target { keys: Vec::new(), ..target.clone() };
        let old = if target.keys.is_empty() { Value::Unset } else { read(&after, &whole)? };
        after = with(&after, target.root, replaced(&old, &target.keys, value)?);
    }
    Ok(after)
}

/// The old value with another one inside.
fn replaced(old: &Value, keys: &[Value], value: Value) -> Answer<Value> {
    let Some((first, rest)) = keys.split_first() else { return Ok(value) };
    let inner = lookup(old, first).ok_or(Fault::Wrong("index-out-of-range"))?;
    Ok(updated(old, first.clone(), replaced(&inner, rest, value)?))
}

pub(crate) fn with(at: &Moment, root: Root, value: Value) -> Moment {
    let mut after = at.clone();
    match root {
        Root::Global(id) => after.globals[id.index()] = value,
        Root::Local(id) => {
            if let Some(frame) = after.frames.last_mut() {
                frame.locals[id.index()] = value;
            }
        }
    }
    after
}

pub(crate) fn moved(at: &Moment, pc: Pc) -> Moment {
    let mut after = at.clone();
    if let Some(frame) = after.frames.last_mut() {
        frame.pc = pc;
    }
    after
}
