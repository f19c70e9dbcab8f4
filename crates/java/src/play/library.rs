//! What the language says of methods of the library: monitors, locks and threads.

use crate::typed::{ClassId, FieldId, MethodId, Program};

/// What a method of the library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Enter { interrupted: bool },
    Exit,
    TryEnter { interrupted: bool },
    Wait { timed: bool },
    Notify { all: bool },
    HoldsLock,
    Start,
    Join { timed: bool },
    CurrentThread,
    Sleep,
}

const PACKAGE: &str = "java.util.concurrent.locks.";

/// What a method of the library does, if the language says so.
pub(super) fn effect(program: &Program, id: MethodId) -> Option<Effect> {
    let method = program.method(id);
    let class = program.class(method.class).qualified.as_str();
    let none = method.params.is_empty();
    let is_lock = |name: &str| matches!(name, "ReentrantLock" | "Lock") || is_side(name);
    if class.strip_prefix(PACKAGE).is_some_and(is_lock) {
        return Some(match method.name.as_str() {
            "lock" => Effect::Enter { interrupted: false },
            "lockInterruptibly" => Effect::Enter { interrupted: true },
            "unlock" => Effect::Exit,
            "tryLock" => Effect::TryEnter { interrupted: !none },
            "isHeldByCurrentThread" => Effect::HoldsLock,
            _ => return None,
        });
    }
    Some(match (class, method.name.as_str()) {
        ("java.lang.Object", "wait") => Effect::Wait { timed: !none },
        ("java.lang.Object", "notify") => Effect::Notify { all: false },
        ("java.lang.Object", "notifyAll") => Effect::Notify { all: true },
        ("java.lang.Thread", "start") => Effect::Start,
        ("java.lang.Thread", "join") => Effect::Join { timed: !none },
        ("java.lang.Thread", "currentThread") => Effect::CurrentThread,
        ("java.lang.Thread", "sleep") => Effect::Sleep,
        ("java.lang.Thread", "holdsLock") => Effect::HoldsLock,
        (_, "isWriteLockedByCurrentThread") if class.starts_with(PACKAGE) => Effect::HoldsLock,
        _ => return None,
    })
}

fn is_side(name: &str) -> bool {
    matches!(name, "ReentrantReadWriteLock.ReadLock" | "ReentrantReadWriteLock.WriteLock")
}

/// The field with the whole lock, of a class of sides of locks for readers and writers; and whether
/// that is the side of readers.
pub(super) fn side(program: &Program, class: ClassId) -> Option<(FieldId, bool)> {
    let about = program.class(class);
    let name = about.qualified.as_str().strip_prefix(PACKAGE).filter(|name| is_side(name))?;
    Some((*about.fields.first()?, name.ends_with("ReadLock")))
}
