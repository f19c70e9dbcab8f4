//! The strategies that can be asked for by name.

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Every strategy that fits, from cheap ones to the exact one.
    #[default]
    Ladder,
    /// Each thread alone, and real runs behind alarms.
    ThreadModular,
    /// Each thread alone, with sets of states as decision diagrams.
    Symbolic,
    /// The same as [`Engine::ThreadModular`] with stacks.
    Pushdown,
    /// Pairs of threads, and real runs behind alarms.
    Pairs,
    /// Every interleaving.
    Explore,
}

impl Engine {
    /// Its name in answers and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            // What no single strategy decided, all of them left open.
            Self::Ladder => "search",
            Self::ThreadModular => "thread-modular",
            Self::Symbolic => "symbolic",
            Self::Pushdown => "pushdown",
            Self::Pairs => "pairs",
            Self::Explore => "explore",
        }
    }
}
