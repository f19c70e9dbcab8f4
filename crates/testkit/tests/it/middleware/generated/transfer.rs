// Written by `rely generate` from `transfer.szumo`. Data are yours to fill in; the rest is what `rely check` looks at.

/// What a thread can do as a unit of class `Teller`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Teller<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Teller<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::root("Teller")
            .variable("source", "Account")
            .variable("target", "Account")
            .state("idle", &[])
            .state("chosen", &[])
            .state("busy", &["source", "target"])
            .transition(szumo::Transition::step("pick", "idle", "chosen").assign("source", szumo::Value::any("Account")).assign("target", szumo::Value::any("Account")))
            .transition(szumo::Transition::before("move", "chosen", "busy").differ("source", Some("target")))
            .transition(szumo::Transition::step("skip", "chosen", "idle").equal("source", Some("target")))
            .transition(szumo::Transition::after("move", "busy", "idle").assign("source", szumo::Value::Nil).assign("target", szumo::Value::Nil))
    }

    /// `step pick`; `chosen` are the units for `any`.
    pub fn step_pick(&mut self, chosen: &[szumo::UnitId]) -> Result<(), szumo::Error> {
        self.realm.step("pick", chosen)
    }

    /// `before move`.
    pub fn before_move(&mut self) -> Result<(), szumo::Error> {
        self.realm.before("move", &[])
    }

    /// `step skip`.
    pub fn step_skip(&mut self) -> Result<(), szumo::Error> {
        self.realm.step("skip", &[])
    }

    /// `after move`.
    pub fn after_move(&mut self) -> Result<(), szumo::Error> {
        self.realm.after("move", &[])
    }
}

/// What is in a unit of class `Account`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct AccountData {}

/// What a thread can do inside of a unit of class `Account`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Account<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Account<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Account")
            .state("-", &[])
    }
}

/// System `Bank`.
pub mod bank {
    /// The shared units.
    #[derive(Debug)]
    pub struct Units {
        /// The running design.
        pub system: szumo::System,
        /// `A[0]`, `A[1]`, `A[2]`.
        pub a: Vec<szumo::Unit<super::AccountData>>,
    }

    /// Makes the units; then threads can run.
    pub fn start(is_logged: bool) -> Result<Units, szumo::Error> {
        let mut design = szumo::Design::new();
        if is_logged {
            design.log();
        }
        design.class(super::Teller::class());
        design.class(super::Account::class());
        let u0 = design.unit("A[0]", "Account", super::AccountData::default());
        let u1 = design.unit("A[1]", "Account", super::AccountData::default());
        let u2 = design.unit("A[2]", "Account", super::AccountData::default());
        design.root("T[0]", "Teller");
        design.root("T[1]", "Teller");
        Ok(Units {
            system: design.start()?,
            a: vec![u0, u1, u2],
        })
    }

    /// Runs all threads: each gets its root and its number among those of its class. Returns the first error.
    pub fn run(
        units: &Units,
        teller: impl Fn(super::Teller<'_>, usize) -> Result<(), szumo::Error> + Sync,
    ) -> Result<(), szumo::Error> {
        let roots = units.system.roots();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let teller = &teller;
            for (number, thread) in [0, 1].into_iter().enumerate() {
                let root = roots[thread];
                threads.push(scope.spawn(move || {
                    let mut realm = units.system.enter(root)?;
                    teller(super::Teller { realm: &mut realm }, number)
                }));
            }
            threads.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }
}
