// Written by `rely generate` from `at-once.szumo`. Data are yours to fill in; the rest is what `rely check` looks at.

/// What a thread can do as a unit of class `Philosopher`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Philosopher<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Philosopher<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::root("Philosopher")
            .variable("left", "Fork")
            .variable("right", "Fork")
            .state("thinking", &[])
            .state("dining", &["left", "right"])
            .transition(szumo::Transition::before("eat", "thinking", "dining"))
            .transition(szumo::Transition::after("eat", "dining", "thinking"))
    }

    /// `before eat`.
    pub fn before_eat(&mut self) -> Result<(), szumo::Error> {
        self.realm.before("eat", &[])
    }

    /// `after eat`.
    pub fn after_eat(&mut self) -> Result<(), szumo::Error> {
        self.realm.after("eat", &[])
    }
}

/// What is in a unit of class `Fork`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct ForkData {}

/// What a thread can do inside of a unit of class `Fork`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Fork<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Fork<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Fork")
            .state("-", &[])
    }
}

/// System `Table`.
pub mod table {
    /// The shared units.
    #[derive(Debug)]
    pub struct Units {
        /// The running design.
        pub system: szumo::System,
        /// `F[0]`, `F[1]`, `F[2]`.
        pub f: Vec<szumo::Unit<super::ForkData>>,
    }

    /// Makes the units; then threads can run.
    pub fn start(is_logged: bool) -> Result<Units, szumo::Error> {
        let mut design = szumo::Design::new();
        if is_logged {
            design.log();
        }
        design.class(super::Philosopher::class());
        design.class(super::Fork::class());
        let u0 = design.root("P[0]", "Philosopher");
        let u1 = design.unit("F[0]", "Fork", super::ForkData::default());
        let u2 = design.root("P[1]", "Philosopher");
        let u3 = design.unit("F[1]", "Fork", super::ForkData::default());
        let u4 = design.root("P[2]", "Philosopher");
        let u5 = design.unit("F[2]", "Fork", super::ForkData::default());
        design.bind(u0, "left", &[u3.id()]);
        design.bind(u0, "right", &[u1.id()]);
        design.bind(u2, "left", &[u5.id()]);
        design.bind(u2, "right", &[u3.id()]);
        design.bind(u4, "left", &[u1.id()]);
        design.bind(u4, "right", &[u5.id()]);
        Ok(Units {
            system: design.start()?,
            f: vec![u1, u3, u5],
        })
    }

    /// Runs all threads: each gets its root and its number among those of its class. Returns the first error.
    pub fn run(
        units: &Units,
        philosopher: impl Fn(super::Philosopher<'_>, usize) -> Result<(), szumo::Error> + Sync,
    ) -> Result<(), szumo::Error> {
        let roots = units.system.roots();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let philosopher = &philosopher;
            for (number, thread) in [0, 1, 2].into_iter().enumerate() {
                let root = roots[thread];
                threads.push(scope.spawn(move || {
                    let mut realm = units.system.enter(root)?;
                    philosopher(super::Philosopher { realm: &mut realm }, number)
                }));
            }
            threads.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }
}
