// Written by `rely generate` from `hand-over-hand.szumo`. Data are yours to fill in; the rest is what `rely check` looks at.

/// What a thread can do as a unit of class `Walker`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Walker<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Walker<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::root("Walker")
            .variable("here", "Node")
            .state("off", &[])
            .state("on", &["here"])
            .transition(szumo::Transition::before("enter", "off", "on"))
            .transition(szumo::Transition::step("next", "on", "on").differ("here", None).assign("here", szumo::Value::path("here", "next")))
            .transition(szumo::Transition::after("leave", "on", "off"))
    }

    /// `before enter`.
    pub fn before_enter(&mut self) -> Result<(), szumo::Error> {
        self.realm.before("enter", &[])
    }

    /// `step next`.
    pub fn step_next(&mut self) -> Result<(), szumo::Error> {
        self.realm.step("next", &[])
    }

    /// `after leave`.
    pub fn after_leave(&mut self) -> Result<(), szumo::Error> {
        self.realm.after("leave", &[])
    }
}

/// What is in a unit of class `Node`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct NodeData {}

/// What a thread can do inside of a unit of class `Node`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Node<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Node<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Node")
            .variable("next", "Node")
            .state("s", &["next"])
    }
}

/// System `Path`.
pub mod path {
    /// The shared units.
    #[derive(Debug)]
    pub struct Units {
        /// The running design.
        pub system: szumo::System,
        /// `N[0]`, `N[1]`, `N[2]`.
        pub n: Vec<szumo::Unit<super::NodeData>>,
    }

    /// Makes the units; then threads can run.
    pub fn start(is_logged: bool) -> Result<Units, szumo::Error> {
        let mut design = szumo::Design::new();
        if is_logged {
            design.log();
        }
        design.class(super::Walker::class());
        design.class(super::Node::class());
        let u0 = design.unit("N[0]", "Node", super::NodeData::default());
        let u1 = design.unit("N[1]", "Node", super::NodeData::default());
        let u2 = design.unit("N[2]", "Node", super::NodeData::default());
        let u3 = design.root("W[0]", "Walker");
        let u4 = design.root("W[1]", "Walker");
        design.bind(u0.id(), "next", &[u1.id()]);
        design.bind(u1.id(), "next", &[u2.id()]);
        design.bind(u3, "here", &[u0.id()]);
        design.bind(u4, "here", &[u0.id()]);
        Ok(Units {
            system: design.start()?,
            n: vec![u0, u1, u2],
        })
    }

    /// Runs all threads: each gets its root and its number among those of its class. Returns the first error.
    pub fn run(
        units: &Units,
        walker: impl Fn(super::Walker<'_>, usize) -> Result<(), szumo::Error> + Sync,
    ) -> Result<(), szumo::Error> {
        let roots = units.system.roots();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let walker = &walker;
            for (number, thread) in [0, 1].into_iter().enumerate() {
                let root = roots[thread];
                threads.push(scope.spawn(move || {
                    let mut realm = units.system.enter(root)?;
                    walker(super::Walker { realm: &mut realm }, number)
                }));
            }
            threads.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }
}
