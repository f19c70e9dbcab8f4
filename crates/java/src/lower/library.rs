//! Methods of the library that the language itself gives a meaning: monitors and threads. All
//! others have contracts or bodies in stub files.

use super::shared_locks::Side;
use crate::typed::{ClassId, FieldId, MethodId, Program};

/// What a method of the library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Enters the monitor of the receiver.
    Enter,
    /// The same; may be interrupted.
    EnterOrInterrupted,
    /// Leaves it.
    Exit,
    /// Enters it if it is free; gives whether it did.
    TryEnter,
    /// The same for some time; may be interrupted.
    TryEnterOrInterrupted,
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
    /// Hands a task over to threads that run it some time. Its body is checked as called by any
    /// thread at any time.
    HandOver,
}

impl Effect {
    /// Whether it takes or gives a lock of the library.
    pub(super) fn is_about_lock(self) -> bool {
        matches!(
            self,
            Self::Enter
                | Self::EnterOrInterrupted
                | Self::Exit
                | Self::TryEnter
                | Self::TryEnterOrInterrupted
        )
    }
}

const REENTRANT: &str = "java.util.concurrent.locks.ReentrantLock";
const LOCK: &str = "java.util.concurrent.locks.Lock";
const READ_WRITE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock";
const READ_SIDE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock";
const WRITE_SIDE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock";
const STAMPED: &str = "java.util.concurrent.locks.StampedLock";

/// What a method of the library does, if the language says so.
pub(super) fn effect(program: &Program, id: MethodId) -> Option<Effect> {
    let method = program.method(id);
    let class = program.class(method.class).qualified.as_str();
    Some(match (class, method.name.as_str()) {
        ("java.lang.Object", "wait") => Effect::Wait,
        ("java.lang.Object", "notify" | "notifyAll") => Effect::Notify,
        ("java.lang.Thread", "start") => Effect::Start,
        ("java.lang.Thread", "join") if method.params.is_empty() => Effect::Join,
        ("java.lang.Thread", "join") => Effect::Sleep,
        ("java.lang.Thread", "currentThread") => Effect::CurrentThread,
        ("java.lang.Thread", "sleep") => Effect::Sleep,
        ("java.lang.Thread", "holdsLock") => Effect::HoldsLock,
        ("java.lang.System", "arraycopy") => Effect::ArrayCopy,
        ("java.util.concurrent.Executor", "execute") => Effect::HandOver,
        ("java.util.concurrent.ExecutorService", "execute" | "submit") => Effect::HandOver,
        (REENTRANT | LOCK | READ_SIDE | WRITE_SIDE, "lock") => Effect::Enter,
        (REENTRANT | LOCK | READ_SIDE | WRITE_SIDE, "lockInterruptibly") => {
            Effect::EnterOrInterrupted
        }
        (REENTRANT | LOCK | READ_SIDE | WRITE_SIDE, "unlock") => Effect::Exit,
        (REENTRANT | LOCK | READ_SIDE | WRITE_SIDE, "tryLock") if method.params.is_empty() => {
            Effect::TryEnter
        }
        (REENTRANT | LOCK | READ_SIDE | WRITE_SIDE, "tryLock") => Effect::TryEnterOrInterrupted,
        (REENTRANT, "isHeldByCurrentThread") | (READ_WRITE, "isWriteLockedByCurrentThread") => {
            Effect::HoldsLock
        }
        _ => return None,
    })
}

/// Whether objects of a class are locks that one thread holds at a time, any number of times. Read
/// locks are none.
pub(super) fn is_exclusive_lock(program: &Program, class: ClassId) -> bool {
    program.class(class).qualified.as_str() == REENTRANT
}

/// The side of a lock for readers and writers that objects of a class are.
pub(super) fn side(program: &Program, class: ClassId) -> Option<Side> {
    match program.class(class).qualified.as_str() {
        READ_SIDE => Some(Side::Read),
        WRITE_SIDE => Some(Side::Write),
        _ => None,
    }
}

/// The field in which a side of a lock has the whole lock.
pub(super) fn field_of_side(program: &Program, side: Side) -> Option<FieldId> {
    let name = if side == Side::Read { READ_SIDE } else { WRITE_SIDE };
    let class = program.class_ids().find(|id| program.class(*id).qualified.as_str() == name)?;
    program.class(class).fields.first().copied()
}

/// Whether objects of a class are locks for readers and writers.
pub(super) fn is_read_write_lock(program: &Program, class: ClassId) -> bool {
    program.class(class).qualified.as_str() == READ_WRITE
}

/// Whether objects of a class are locks, whose monitors nobody uses beside them.
pub(super) fn is_lock(program: &Program, class: ClassId) -> bool {
    if matches!(program.class(class).qualified.as_str(), READ_WRITE | STAMPED) {
        return true;
    }
    let is_it = |id: &ClassId| program.class(*id).qualified.as_str() == LOCK;
    program.class_ids().find(is_it).is_some_and(|lock| program.is_subclass(class, lock))
}
