//! Reading and writing places.

use crate::eval::{Answer, Fault, UNSET};
use crate::graph::Pc;
use crate::step::Moment;
use crate::value::{Value, lookup, updated, within};
use diagnostic::Code;
use plato::hir::{Root, Ty};

/// A variable, or a place inside a map.
#[derive(Clone)]
pub(crate) struct Target<'t> {
    pub(crate) root: Root,
    pub(crate) keys: Vec<Value>,
    pub(crate) ty: &'t Ty,
}

pub(crate) fn read(at: &Moment, target: &Target) -> Answer<Value> {
    let value = match target.root {
        Root::Global(id) => at.globals.get(id.index()),
        Root::Local(id) => at.frames.last().and_then(|frame| frame.locals.get(id.index())),
    };
    let mut value = value.filter(|value| **value != Value::Unset).ok_or(UNSET)?;
    for key in &target.keys {
        value = lookup(value, key).ok_or(Fault::Wrong(Code::IndexOutOfRange))?;
    }
    Ok(value.clone())
}

/// All of the writes, in order.
pub(crate) fn written(before: &Moment, writes: Vec<(Target, Value)>) -> Answer<Moment> {
    let mut after = before.clone();
    for (target, value) in writes {
        if !within(&value, target.ty) {
            return Err(Fault::Wrong(Code::ValueOutOfRange));
        }
        let variable = match target.root {
            Root::Global(id) => after.globals.get_mut(id.index()),
            Root::Local(id) => {
                after.frames.last_mut().and_then(|frame| frame.locals.get_mut(id.index()))
            }
        };
        let variable = variable.ok_or(UNSET)?;
        if !target.keys.is_empty() && *variable == Value::Unset {
            return Err(UNSET);
        }
        replace(variable, &target.keys, value)?;
    }
    Ok(after)
}

/// Puts another value inside of one.
fn replace(old: &mut Value, keys: &[Value], value: Value) -> Answer<()> {
    const OUTSIDE: Fault = Fault::Wrong(Code::IndexOutOfRange);
    let Some((first, rest)) = keys.split_first() else {
        *old = value;
        return Ok(());
    };
    if let Value::Map(None, entries) = old {
        return replace(entries.get_mut(first).ok_or(OUTSIDE)?, rest, value);
    }
    let mut inner = lookup(old, first).ok_or(OUTSIDE)?.clone();
    replace(&mut inner, rest, value)?;
    *old = updated(old, first.clone(), inner);
    Ok(())
}

pub(crate) fn with(mut at: Moment, root: Root, value: Value) -> Moment {
    match root {
        Root::Global(id) => at.globals[id.index()] = value,
        Root::Local(id) => {
            if let Some(frame) = at.frames.last_mut() {
                frame.locals[id.index()] = value;
            }
        }
    }
    at
}

pub(crate) fn moved(mut at: Moment, pc: Pc) -> Moment {
    if let Some(frame) = at.frames.last_mut() {
        frame.pc = pc;
    }
    at
}
