//! Threads with stacks: procedures that call each other, also themselves (paper 5, section 3).

use crate::threads::{Fault, Global, Local, Site, Threads};
use verdict::StopReason;

/// One step of one thread at a shared store and its innermost frame. Frames are numbers, handed out
/// as they are met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameStep {
    /// Where it stands in the code.
    pub site: Site,
    /// What it comes to.
    pub effect: FrameEffect,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

/// What a step does to the innermost frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameEffect {
    /// Another frame in its place.
    Next {
        /// The shared store afterwards.
        global: Global,
        /// The frame afterwards.
        frame: u32,
    },
    /// A procedure is called.
    Push {
        /// The shared store afterwards.
        global: Global,
        /// The frame of the procedure.
        callee: u32,
        /// The frame that waits for it.
        caller: u32,
    },
    /// The procedure ends; [`Stacked::resume`] says what its caller does. Unlike in paper 5 that
    /// may change the shared store, because a result may be written to a shared variable.
    Pop,
    /// The run goes wrong.
    Wrong,
    /// There are steps that are not followed.
    Cut(StopReason),
}

/// Threads over a shared store, each with a stack of frames. Steps depend on the innermost frame
/// only.
pub trait Stacked: Threads {
    /// The states in which runs start: the store, and the one frame of each thread.
    fn initial_frames(&mut self) -> Vec<(Global, Vec<u32>)>;

    /// Appends all steps of a thread.
    fn frame_steps(&mut self, thread: usize, global: Global, frame: u32, into: &mut Vec<FrameStep>);

    /// What the caller does when the procedure of the frame `callee` ends.
    fn resume(&mut self, thread: usize, global: Global, callee: u32, caller: u32)
    -> Vec<FrameStep>;

    /// A local state with this innermost frame. Which others are below makes no difference to
    /// properties.
    fn alone(&mut self, frame: u32) -> Local;
}
