//! Methods of the library that the language itself gives a meaning: monitors and threads. All
//! others have contracts or bodies in stub files.

use crate::typed::{MethodId, Program};

/// What a method of the library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Enters the monitor of the receiver.
    Enter,
    /// Leaves it.
    Exit,
    /// Enters it if it is free; gives whether it did.
    TryEnter,
    /// Gives the monitor up and takes it again; may be interrupted.
    Wait,
    /// Wakes those who wait; only the holder may.
    Notify,
    /// Whether this thread holds the monitor.
    HoldsLock,
    /// Starts the thread.
    Start,
    /// Waits until the thread has ended; may be interrupted.
    Join,
    /// The object of this thread.
    CurrentThread,
    /// Lets time pass; may be interrupted.
    Sleep,
    /// Copies elements of an array.
    ArrayCopy,
}

const REENTRANT: &str = "java.util.concurrent.locks.ReentrantLock";
const LOCK: &str = "java.util.concurrent.locks.Lock";

/// What a method of the library does, if the language says so.
pub(super) fn effect(program: &Program, id: MethodId) -> Option<Effect> {
    let method = program.method(id);
    let class = program.class(method.class).qualified.as_str();
    Some(match (class, method.name.as_str()) {
        ("java.lang.Object", "wait") => Effect::Wait,
        ("java.lang.Object", "notify" | "notifyAll") => Effect::Notify,
        ("java.lang.Thread", "start") => Effect::Start,
        ("java.lang.Thread", "join") => Effect::Join,
        ("java.lang.Thread", "currentThread") => Effect::CurrentThread,
        ("java.lang.Thread", "sleep") => Effect::Sleep,
        ("java.lang.Thread", "holdsLock") => Effect::HoldsLock,
        ("java.lang.System", "arraycopy") => Effect::ArrayCopy,
        (REENTRANT | LOCK, "lock" | "lockInterruptibly") => Effect::Enter,
        (REENTRANT | LOCK, "unlock") => Effect::Exit,
        (REENTRANT | LOCK, "tryLock") => Effect::TryEnter,
        (REENTRANT, "isHeldByCurrentThread") => Effect::HoldsLock,
        _ => return None,
    })
}
