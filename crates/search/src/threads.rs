//! What is searched: threads over a shared store.

use verdict::StopReason;

/// The number of a shared store.
pub type Global = u32;
/// The number of a local state: where a thread is, and its own variables.
pub type Local = u32;
/// The number of a place in the code, for traces only.
pub type Site = u32;
/// The number of something that goes wrong.
pub type Fault = u32;

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the code of the step stands.
    pub site: Site,
    /// What it comes to.
    pub effect: Effect,
    /// What is wrong with it. A step may be at fault and still go on: an invariant is broken, and
    /// the run continues.
    pub faults: Vec<Fault>,
}

/// What a step comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The shared store and the thread's local state afterwards.
    To(Global, Local),
    /// The run goes wrong and ends here; the step's faults say how.
    Wrong,
    /// There are steps here that are not followed, for this reason; the search is not complete.
    Cut(StopReason),
}

/// Threads over a shared store, all numbered as they are met.
///
/// A thread's steps depend on the shared store and its own local state only. Equal numbers mean
/// equal states; a number's meaning never changes. Threads are numbered from 0.
pub trait Threads {
    /// How many threads run.
    fn count(&self) -> usize;

    /// The states in which runs start: the store, and the local state of each thread.
    fn initial(&mut self) -> Vec<(Global, Vec<Local>)>;

    /// Appends all steps of a thread, in the same order whenever it is asked.
    fn steps(&mut self, thread: usize, global: Global, local: Local, into: &mut Vec<Step>);

    /// What is wrong with an initial state beyond [`Threads::bad`].
    fn initial_faults(&mut self, _: Global, _: &[Local]) -> Vec<Fault> {
        Vec::new()
    }

    /// Whether no thread at all has a step at this store and local state. `false` is always a right
    /// answer; `true` saves asking for each thread.
    fn is_idle(&mut self, _: Global, _: Local) -> bool {
        false
    }

    /// Whether this thread counts for [`Threads::quorum`].
    fn is_watched(&mut self, _thread: usize, _: Global, _: Local) -> bool {
        false
    }

    /// The number of threads that must be watched in a state before [`Threads::bad`] can find
    /// anything; `None` if it never does.
    fn quorum(&self) -> Option<usize> {
        None
    }

    /// What is wrong with a state as a whole.
    fn bad(&mut self, _: Global, _: &[Local]) -> Vec<Fault> {
        Vec::new()
    }

    /// What is wrong with a state in which no thread has a step.
    fn stuck(&mut self, _: Global, _: &[Local]) -> Vec<Fault> {
        Vec::new()
    }

    /// A state that stands for all that differ from this one in the names of interchangeable
    /// threads. The local states are replaced; returned are the store and, for each old thread,
    /// its new number. Used with [`Options::symmetry`](crate::Options) only. Any state of the
    /// same orbit will do; the fewer, the better.
    fn canonical(&mut self, global: Global, locals: &mut [Local]) -> (Global, Vec<usize>) {
        (global, (0..locals.len()).collect())
    }

    /// The state with each thread under its new number.
    fn renamed(&mut self, global: Global, locals: &[Local], _: &[usize]) -> (Global, Vec<Local>) {
        (global, locals.to_vec())
    }

    /// Where in the code a local state is, without its variables.
    fn control(&self, local: Local) -> u32 {
        local
    }

    /// Why no more numbers can be handed out, once that is so: the search ends without an answer.
    fn exceeded(&self) -> Option<StopReason> {
        None
    }
}
