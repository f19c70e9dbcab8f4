// Written by `rely generate` from `bounded-buffer.szumo`. Data are yours to fill in; the rest is what `rely check` looks at.

/// What a thread can do as a unit of class `Client`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Client<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Client<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::root("Client")
            .variable("buffer", "Buffer")
            .state("idle", &[])
            .state("busy", &["buffer"])
            .calls("busy", "buffer", "put")
            .calls("busy", "buffer", "get")
            .transition(szumo::Transition::before("use", "idle", "busy"))
            .transition(szumo::Transition::after("use", "busy", "idle"))
    }

    /// `before use`.
    pub fn before_use(&mut self) -> Result<(), szumo::Error> {
        self.realm.before("use", &[])
    }

    /// `after use`.
    pub fn after_use(&mut self) -> Result<(), szumo::Error> {
        self.realm.after("use", &[])
    }

    /// Calls `put` of `buffer`, and does `body` inside. If the body fails, the thread stays inside.
    pub fn call_buffer_put<R>(&mut self, body: impl FnOnce(&mut Buffer<'_>) -> Result<R, szumo::Error>) -> Result<R, szumo::Error> {
        let unit = self.realm.bound(0).first().copied().ok_or(szumo::Error::Access { unit: None })?;
        self.realm.call(unit, "put", &[])?;
        let result = body(&mut Buffer { realm: &mut *self.realm })?;
        self.realm.finish(&[])?;
        Ok(result)
    }

    /// Calls `get` of `buffer`, and does `body` inside. If the body fails, the thread stays inside.
    pub fn call_buffer_get<R>(&mut self, body: impl FnOnce(&mut Buffer<'_>) -> Result<R, szumo::Error>) -> Result<R, szumo::Error> {
        let unit = self.realm.bound(0).first().copied().ok_or(szumo::Error::Access { unit: None })?;
        self.realm.call(unit, "get", &[])?;
        let result = body(&mut Buffer { realm: &mut *self.realm })?;
        self.realm.finish(&[])?;
        Ok(result)
    }
}

/// What is in a unit of class `Buffer`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct BufferData {}

/// What a thread can do inside of a unit of class `Buffer`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Buffer<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Buffer<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Buffer")
            .variable("memory", "Pool")
            .state("empty", &[])
            .state("filling", &["memory"])
            .state("full", &[])
            .state("draining", &["memory"])
            .transition(szumo::Transition::before("put", "empty", "filling"))
            .transition(szumo::Transition::after("put", "filling", "full"))
            .transition(szumo::Transition::before("get", "full", "draining"))
            .transition(szumo::Transition::after("get", "draining", "empty"))
    }
}

/// What is in a unit of class `Pool`.
#[allow(non_camel_case_types)]
#[derive(Debug, Default)]
pub struct PoolData {}

/// What a thread can do inside of a unit of class `Pool`.
#[allow(non_camel_case_types)]
#[derive(Debug)]
pub struct Pool<'r> {
    /// What the thread holds.
    pub realm: &'r mut szumo::Realm,
}

impl Pool<'_> {
    /// The sync-state machine.
    pub fn class() -> szumo::Class {
        szumo::Class::unit("Pool")
            .state("-", &[])
    }
}

/// System `Store`.
pub mod store {
    /// The shared units.
    #[derive(Debug)]
    pub struct Units {
        /// The running design.
        pub system: szumo::System,
        /// `B`.
        pub b: szumo::Unit<super::BufferData>,
        /// `M`.
        pub m: szumo::Unit<super::PoolData>,
    }

    /// Makes the units; then threads can run.
    pub fn start(is_logged: bool) -> Result<Units, szumo::Error> {
        let mut design = szumo::Design::new();
        if is_logged {
            design.log();
        }
        design.class(super::Client::class());
        design.class(super::Buffer::class());
        design.class(super::Pool::class());
        let u0 = design.unit("B", "Buffer", super::BufferData::default());
        let u1 = design.unit("M", "Pool", super::PoolData::default());
        let u2 = design.root("C[0]", "Client");
        let u3 = design.root("C[1]", "Client");
        let u4 = design.root("C[2]", "Client");
        design.bind(u0.id(), "memory", &[u1.id()]);
        design.bind(u2, "buffer", &[u0.id()]);
        design.bind(u3, "buffer", &[u0.id()]);
        design.bind(u4, "buffer", &[u0.id()]);
        Ok(Units {
            system: design.start()?,
            b: u0,
            m: u1,
        })
    }

    /// Runs all threads: each gets its root and its number among those of its class. Returns the first error.
    pub fn run(
        units: &Units,
        client: impl Fn(super::Client<'_>, usize) -> Result<(), szumo::Error> + Sync,
    ) -> Result<(), szumo::Error> {
        let roots = units.system.roots();
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            let client = &client;
            for (number, thread) in [0, 1, 2].into_iter().enumerate() {
                let root = roots[thread];
                threads.push(scope.spawn(move || {
                    let mut realm = units.system.enter(root)?;
                    client(super::Client { realm: &mut realm }, number)
                }));
            }
            threads.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }
}
