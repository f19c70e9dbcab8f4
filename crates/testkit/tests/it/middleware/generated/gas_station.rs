// Written by `rely generate` from `gas-station.szumo`. Data are yours to fill in; the rest is what `rely check` looks at.

/// What a thread can do as a unit of class `Customer`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Customer<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Customer<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::root("Customer")
            .variable("operator", "Operator")
            .variable("pump", "Pump")
            .state("driving", &[])
            .state("at_desk", &["operator", "pump"])
            .state("at_pump", &["pump"])
            .calls("at_desk", "operator", "charge")
            .calls("at_pump", "pump", "fill")
            .transition(szumo::Transition::before("prepay", "driving", "at_desk"))
            .transition(szumo::Transition::step("walk", "at_desk", "at_pump"))
            .transition(szumo::Transition::after("pumped", "at_pump", "driving"))
    }

    /// `before prepay`.
    pub fn before_prepay(&mut self) -> Result<(), szumo::Error> {
        self.realm.before("prepay", &[])
    }

    /// `step walk`.
    pub fn step_walk(&mut self) -> Result<(), szumo::Error> {
        self.realm.step("walk", &[])
    }

    /// `after pumped`.
    pub fn after_pumped(&mut self) -> Result<(), szumo::Error> {
        self.realm.after("pumped", &[])
    }

    /// Calls `charge` of `operator`, and does `body` inside. If the body fails, the thread stays inside.
    pub fn call_operator_charge<R>(&mut self, body: impl FnOnce(&mut Operator<'_>) -> Result<R, szumo::Error>) -> Result<R, szumo::Error> {
        let unit = self.realm.bound(0).first().copied().ok_or(szumo::Error::Access { unit: None })?;
        self.realm.call(unit, "charge", &[])?;
        let result = body(&mut Operator { realm: &mut *self.realm })?;
        self.realm.finish(&[])?;
        Ok(result)
    }

    /// Calls `fill` of `pump`, and does `body` inside. If the body fails, the thread stays inside.
    pub fn call_pump_fill<R>(&mut self, body: impl FnOnce(&mut Pump<'_>) -> Result<R, szumo::Error>) -> Result<R, szumo::Error> {
        let unit = self.realm.bound(1).first().copied().ok_or(szumo::Error::Access { unit: None })?;
        self.realm.call(unit, "fill", &[])?;
        let result = body(&mut Pump { realm: &mut *self.realm })?;
        self.realm.finish(&[])?;
        Ok(result)
    }
}

/// What is in a unit of class `Operator`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct OperatorData {}

/// What a thread can do inside of a unit of class `Operator`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Operator<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Operator<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Operator")
            .state("free", &[])
            .state("charging", &[])
            .transition(szumo::Transition::before("charge", "free", "charging"))
            .transition(szumo::Transition::after("charge", "charging", "free"))
    }
}

/// What is in a unit of class `Pump`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct PumpData {}

/// What a thread can do inside of a unit of class `Pump`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Pump<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Pump<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Pump")
            .state("idle", &[])
            .state("running", &[])
            .transition(szumo::Transition::before("fill", "idle", "running"))
            .transition(szumo::Transition::after("fill", "running", "idle"))
    }
}

/// System `Station`.
pub mod station {
    /// The shared units.
    #[derive(Debug)]
    pub struct Units {
        /// The running design.
        pub system: szumo::System,
        /// `O`.
        pub o: szumo::Unit<super::OperatorData>,
        /// `P[0]`, `P[1]`.
        pub p: Vec<szumo::Unit<super::PumpData>>,
    }

    /// Makes the units; then threads can run.
    pub fn start(is_logged: bool) -> Result<Units, szumo::Error> {
        let mut design = szumo::Design::new();
        if is_logged {
            design.log();
        }
        design.class(super::Customer::class());
        design.class(super::Operator::class());
        design.class(super::Pump::class());
        let u0 = design.unit("O", "Operator", super::OperatorData::default());
        let u1 = design.unit("P[0]", "Pump", super::PumpData::default());
        let u2 = design.unit("P[1]", "Pump", super::PumpData::default());
        let u3 = design.root("C[0]", "Customer");
        let u4 = design.root("C[1]", "Customer");
        let u5 = design.root("C[2]", "Customer");
        design.bind(u3, "operator", &[u0.id()]);
        design.bind(u3, "pump", &[u1.id()]);
        design.bind(u4, "operator", &[u0.id()]);
        design.bind(u4, "pump", &[u2.id()]);
        design.bind(u5, "operator", &[u0.id()]);
        design.bind(u5, "pump", &[u1.id()]);
        Ok(Units {
            system: design.start()?,
            o: u0,
            p: vec![u1, u2],
        })
    }

    /// Runs all threads: each gets its root and its number among those of its class. Returns the first error.
    pub fn run(
        units: &Units,
        customer: impl Fn(super::Customer<'_>, usize) -> Result<(), szumo::Error> + Sync,
    ) -> Result<(), szumo::Error> {
        let roots = units.system.roots();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let customer = &customer;
            for (number, thread) in [0, 1, 2].into_iter().enumerate() {
                let root = roots[thread];
                threads.push(scope.spawn(move || {
                    let mut realm = units.system.enter(root)?;
                    customer(super::Customer { realm: &mut realm }, number)
                }));
            }
            threads.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }
}
