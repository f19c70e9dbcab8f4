//! The same from a source that is not trusted: every value is of the type of its variable.

use crate::graph::Owner;
use crate::scope::Scope;
use crate::tables::Machine;
use crate::value::{Value, within};
use plato::hir::{Body, Ty};
use search::{Global, Local};

/// The number of a store, if each variable has a value of its type.
pub(crate) fn store(machine: &mut Machine<'_>, content: &[u8]) -> Option<Global> {
    let number = machine.store_of(content)?;
    let globals = &machine.scope.program.globals;
    let pairs = machine.stores.get(number).iter().zip(globals);
    { pairs }.all(|(value, global)| is_of(&machine.scope, value, &global.ty)).then_some(number)
}

/// The number of a local state, if its frames are of bodies, with a value of its type or none for
/// each variable.
pub(crate) fn local(machine: &mut Machine<'_>, content: &[u8]) -> Option<Local> {
    let number = machine.local_of(content)?;
    let mut rest = Some(number);
    while let Some(local) = rest {
        let (frame, below) = machine.top(local);
        let frame = machine.frames.get(frame);
        let body: &Body = machine.code.body_of(machine.scope.program, frame.pc);
        // A thread's own body is the outermost one.
        let is_thread = matches!(machine.code.owner(frame.pc), Owner::Thread(_));
        let fits = frame.locals.iter().zip(&body.locals).all(|(value, local)| {
            *value == Value::Unset || is_of(&machine.scope, value, &local.ty)
        });
        if !fits || frame.locals.len() != body.locals.len() || is_thread != below.is_none() {
            return None;
        }
        rest = below;
    }
    Some(number)
}

fn is_of(scope: &Scope<'_>, value: &Value, ty: &Ty) -> bool {
    let threads = scope.thread_count();
    match (value, ty) {
        (Value::Bool(_), Ty::Bool) | (Value::Int(_), Ty::Int) => true,
        (Value::Int(_), Ty::Range(..)) => within(value, ty),
        (Value::Variant(at), Ty::Enum(id)) => {
            (*at as usize) < scope.program.enums[id.index()].variants.len()
        }
        (Value::Tid(tid), Ty::Tid) => *tid <= threads,
        (Value::Opaque(_), Ty::Opaque(_)) => true,
        (Value::Set(all), Ty::Set(element)) => all.iter().all(|one| is_of(scope, one, element)),
        (Value::Map(default, entries), Ty::Map(key, inner)) => {
            default.iter().all(|one| is_of(scope, one, inner))
                && entries.iter().all(|(at, one)| is_of(scope, at, key) && is_of(scope, one, inner))
                && default.is_none() == scope.domain(key).complete
                && (default.is_some() || entries.len() == scope.domain(key).values.len())
        }
        _ => false,
    }
}
