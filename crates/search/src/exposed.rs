//! Threads whose places in the code everybody sees (paper 5, section 1.2: auxiliary variables;
//! section 4 leaves open how to find them). The shared store is extended by the control states of
//! chosen threads, and every strategy runs on the result as on any other threads. With more threads
//! exposed the thread-modular search knows more; with the whole local states of all of them it is
//! the exact one.

use crate::intern::Interner;
use crate::threads::{Effect, Fault, Global, Local, Step, Threads};
use verdict::StopReason;

/// Threads, some of them exposed.
pub struct Exposed<'t, T> {
    inner: &'t mut T,
    chosen: Vec<usize>,
    /// Whether only places in the code are exposed, and not local variables.
    places: bool,
    /// Shared stores of the inner threads, with what is exposed of each exposed one.
    stores: Interner<(Global, Vec<u32>)>,
}

impl<'t, T: Threads> Exposed<'t, T> {
    /// Exposes the places in the code, or the whole local states, of these threads.
    pub fn new(inner: &'t mut T, chosen: Vec<usize>, places: bool) -> Self {
        Self { inner, chosen, places, stores: Interner::default() }
    }

    /// The store without what is exposed.
    pub fn plain(&self, global: Global) -> Global {
        self.stores.get(global).0
    }

    fn shown(&self, local: Local) -> u32 {
        if self.places { self.inner.control(local) } else { local }
    }
}

impl<T: Threads> Threads for Exposed<'_, T> {
    fn count(&self) -> usize {
        self.inner.count()
    }

    fn initial(&mut self) -> Vec<(Global, Vec<Local>)> {
        let mut all = Vec::new();
        for (global, locals) in self.inner.initial() {
            let shown = self.chosen.iter().map(|&thread| self.shown(locals[thread])).collect();
            all.push((self.stores.intern((global, shown)), locals));
        }
        all
    }

    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>) {
        let (plain, shown) = self.stores.get(global).clone();
        let first = into.len();
        self.inner.steps(thread, plain, local, into);
        let at = self.chosen.iter().position(|&chosen| chosen == thread);
        for step in &mut into[first..] {
            if let Effect::To(after, local) = step.effect {
                let mut shown = shown.clone();
                if let Some(at) = at {
                    shown[at] = self.shown(local);
                }
                step.effect = Effect::To(self.stores.intern((after, shown)), local);
            }
        }
    }

    fn initial_faults(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let plain = self.plain(global);
        self.inner.initial_faults(plain, locals)
    }

    fn is_idle(&mut self, global: Global, local: Local) -> bool {
        let plain = self.plain(global);
        self.inner.is_idle(plain, local)
    }

    fn is_watched(&mut self, thread: usize, global: Global, local: Local) -> bool {
        let plain = self.plain(global);
        self.inner.is_watched(thread, plain, local)
    }

    fn quorum(&self) -> Option<usize> {
        self.inner.quorum()
    }

    fn bad(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let plain = self.plain(global);
        self.inner.bad(plain, locals)
    }

    fn stuck(&mut self, global: Global, locals: &[Local]) -> Vec<Fault> {
        let plain = self.plain(global);
        self.inner.stuck(plain, locals)
    }

    fn control(&self, local: Local) -> u32 {
        self.inner.control(local)
    }

    fn exceeded(&self) -> Option<StopReason> {
        self.inner.exceeded()
    }
}
