//! Units and their data.

use crate::{Error, Realm, System};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// The number of a unit: its place in the order of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub(crate) usize);

impl UnitId {
    /// The number.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A shared unit with data, which a thread can use only while it holds the unit.
pub struct Unit<T> {
    pub(crate) id: UnitId,
    /// The design that it belongs to.
    pub(crate) design: Arc<()>,
    data: Arc<Mutex<T>>,
}

impl<T> Unit<T> {
    pub(crate) fn new(id: UnitId, design: Arc<()>, data: T) -> Self {
        Self { id, design, data: Arc::new(Mutex::new(data)) }
    }

    /// The number of the unit.
    pub fn id(&self) -> UnitId {
        self.id
    }

    /// Uses the data. The realm is borrowed meanwhile, so it takes no transition that could let go
    /// of the unit.
    ///
    /// Fails if the thread does not hold the unit, or uses its data already.
    pub fn with<R>(&self, realm: &Realm, body: impl FnOnce(&mut T) -> R) -> Result<R, Error> {
        let refused = || Error::Access { unit: Some(realm.system().name(self.id)) };
        if !Arc::ptr_eq(&self.design, &realm.system().shared.design) {
            return Err(Error::Access { unit: None });
        }
        if !realm.holds(self.id) {
            return Err(refused());
        }
        let mut data = self.lock().ok_or_else(refused)?;
        Ok(body(&mut data))
    }

    /// Uses the data while no thread holds the unit: before and after threads run. No negotiation
    /// happens meanwhile.
    pub fn with_free<R>(
        &self,
        system: &System,
        body: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Error> {
        if !Arc::ptr_eq(&self.design, &system.shared.design) {
            return Err(Error::Access { unit: None });
        }
        let state = system.shared.lock();
        let free = if state.owners[self.id.0].is_none() { self.lock() } else { None };
        let mut data = free.ok_or_else(|| Error::Access { unit: Some(system.name(self.id)) })?;
        Ok(body(&mut data))
    }

    /// By ownership, nobody else has the lock, except the same thread in a body further out.
    fn lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.data.try_lock() {
            Ok(data) => Some(data),
            Err(TryLockError::Poisoned(poisoned)) => Some(PoisonError::into_inner(poisoned)),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<T> Clone for Unit<T> {
    fn clone(&self) -> Self {
        Self { id: self.id, design: self.design.clone(), data: self.data.clone() }
    }
}

impl<T> fmt::Debug for Unit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unit").field(&self.id.0).finish()
    }
}
