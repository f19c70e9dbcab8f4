//! Small programs on the middleware: allowed steps, refused ones, and errors when threads cannot go
//! on.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use szumo::{Class, Design, Error, Event, Transition, Unit, UnitId, Value};

/// Clients that take a first lock, then a second one as well, and let go of both.
fn greedy() -> Class {
    Class::root("Client")
        .variable("first", "Lock")
        .variable("second", "Lock")
        .state("idle", &[])
        .state("one", &["first"])
        .state("both", &["first", "second"])
        .transition(Transition::step("take", "idle", "one"))
        .transition(Transition::step("more", "one", "both"))
        .transition(Transition::step("done", "both", "idle"))
        .transition(Transition::step("jump", "idle", "both"))
}

fn lock() -> Class {
    Class::unit("Lock").state("is", &[])
}

/// Two clients that take two locks in opposite orders.
fn crossed() -> (Design, [Unit<u32>; 2], [UnitId; 2]) {
    let mut design = Design::new();
    design.class(greedy());
    design.class(lock());
    let locks = ["A", "B"].map(|name| design.unit(name, "Lock", 0));
    let roots = ["c", "d"].map(|name| design.root(name, "Client"));
    for (at, root) in roots.into_iter().enumerate() {
        design.bind(root, "first", &[locks[at].id()]);
        design.bind(root, "second", &[locks[1 - at].id()]);
    }
    (design, locks, roots)
}

#[test]
fn a_circle_is_told_to_all_in_it() {
    let (mut design, _, roots) = crossed();
    design.log();
    let system = design.start().expect("fits");
    let barrier = Barrier::new(2);
    let outcomes = thread::scope(|scope| {
        let run = |root| {
            let mut realm = system.enter(root)?;
            realm.step("take", &[])?;
            barrier.wait();
            let outcome = realm.step("more", &[]);
            barrier.wait();
            outcome
        };
        let threads = roots.map(|root| scope.spawn(move || run(root)));
        threads.map(|thread| thread.join().expect("ends"))
    });
    for outcome in outcomes {
        let Err(Error::Deadlock { circle }) = outcome else { panic!("{outcome:?}") };
        let mut names: Vec<(&str, &str)> =
            circle.iter().map(|(thread, unit)| (thread.as_str(), unit.as_str())).collect();
        names.sort_unstable();
        assert_eq!(names, [("c", "B"), ("d", "A")]);
    }
    let waits = system.log().into_iter().filter(|entry| matches!(entry.event, Event::Wait(_)));
    assert_eq!(waits.count(), 2);
}

#[test]
fn all_at_once_goes_through() {
    let (design, locks, roots) = crossed();
    let system = design.start().expect("fits");
    thread::scope(|scope| {
        for root in roots {
            let (system, locks) = (&system, &locks);
            scope.spawn(move || {
                let mut realm = system.enter(root).expect("first");
                for _ in 0..2_000 {
                    realm.step("jump", &[]).expect("no circle");
                    let [one, other] = locks;
                    let both = one.with(&realm, |x| {
                        *x += 1;
                        other.with(&realm, |y| *y += 1)
                    });
                    assert_eq!(both, Ok(Ok(())));
                    realm.step("done", &[]).expect("no circle");
                }
            });
        }
    });
    assert_eq!(locks.map(|lock| lock.with_free(&system, |x| *x)), [Ok(4_000), Ok(4_000)]);
}

#[test]
fn what_is_not_allowed_is_refused() {
    let (design, locks, roots) = crossed();
    let system = design.start().expect("fits");
    let mut realm = system.enter(roots[0]).expect("first");
    assert_eq!(system.enter(roots[0]).err(), Some(Error::Entered("c".to_owned())));
    let access = |name: &str| Err(Error::Access { unit: Some(name.to_owned()) });
    assert_eq!(locks[0].with(&realm, |_| ()), access("A"));
    let refused = realm.step("done", &[]).expect_err("not in this state");
    assert_eq!(refused.to_string(), "c in state idle does not allow step done");
    assert_eq!(realm.step("take", &[]), Ok(()));
    assert_eq!(system.state(roots[0]), "one");
    assert_eq!(locks[0].with(&realm, |_| ()), Ok(()));
    assert_eq!(locks[0].with_free(&system, |_| ()), access("A"));
    assert_eq!(locks[1].with(&realm, |_| ()), access("B"));
    assert_eq!(realm.call(locks[1].id(), "use", &[]), access("B"));
    assert!(matches!(realm.call(locks[0].id(), "use", &[]), Err(Error::Refused { .. })));
    let twice = locks[0].with(&realm, |_| locks[0].with(&realm, |_| ()));
    assert_eq!(twice, Ok(access("A")));
}

#[test]
fn who_ends_with_a_unit_orphans_others() {
    let (design, _, roots) = crossed();
    let system = design.start().expect("fits");
    let is_taken = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut realm = system.enter(roots[0]).expect("first");
            realm.step("take", &[]).expect("free");
            is_taken.wait();
        });
        let mut realm = system.enter(roots[1]).expect("first");
        is_taken.wait();
        let [unit, holder] = ["A", "c"].map(str::to_owned);
        assert_eq!(realm.step("jump", &[]), Err(Error::Orphaned { unit, holder }));
    });
}

/// A walk along units that need the next one, and a call that would lose its own unit.
#[test]
fn calls_choices_and_paths() {
    let mut design = Design::new();
    design.class(
        Class::root("Walker")
            .variable("here", "Node")
            .state("off", &[])
            .state("on", &["here"])
            .calls("on", "here", "cut")
            .transition(Transition::before("walk", "off", "on").assign("here", Value::any("Node")))
            .transition(
                Transition::step("next", "on", "on")
                    .differ("here", None)
                    .assign("here", Value::path("here", "next")),
            )
            .transition(Transition::after("walk", "on", "off")),
    );
    design.class(
        Class::unit("Node")
            .variable("next", "Node")
            .state("linked", &["next"])
            .state("cutting", &["next"])
            .transition(Transition::before("cut", "linked", "cutting"))
            .transition(Transition::after("cut", "cutting", "linked").assign("next", Value::Nil)),
    );
    let nodes: Vec<Unit<()>> =
        (0..3).map(|at| design.unit(&format!("N[{at}]"), "Node", ())).collect();
    design.bind(nodes[0].id(), "next", &[nodes[1].id()]);
    design.bind(nodes[1].id(), "next", &[nodes[2].id()]);
    let walker = design.root("W", "Walker");
    let system = design.start().expect("fits");
    let mut realm = system.enter(walker).expect("first");
    assert!(matches!(realm.before("walk", &[walker]), Err(Error::Refused { .. })));
    realm.before("walk", &[nodes[0].id()]).expect("free");
    assert!(nodes.iter().all(|node| realm.holds(node.id())));
    realm.step("next", &[]).expect("there is one");
    assert!(!realm.holds(nodes[0].id()) && realm.holds(nodes[2].id()));
    realm.call(nodes[1].id(), "cut", &[]).expect("allowed");
    assert_eq!(realm.active(), nodes[1].id());
    realm.finish(&[]).expect("inside");
    assert!(realm.holds(nodes[1].id()) && !realm.holds(nodes[2].id()));
    assert!(matches!(realm.finish(&[]), Err(Error::Refused { .. })));
    realm.step("next", &[]).expect("to nowhere");
    realm.after("walk", &[]).expect("allowed");
}

#[test]
fn a_unit_is_entered_again() {
    let mut design = Design::new();
    design.class(
        Class::root("Client")
            .variable("unit", "Unit")
            .state("on", &["unit"])
            .calls("on", "unit", "op"),
    );
    design.class(
        Class::unit("Unit")
            .variable("same", "Unit")
            .state("out", &[])
            .state("once", &["same"])
            .state("twice", &["same"])
            .calls("once", "same", "op")
            .calls("twice", "same", "op")
            .transition(Transition::before("op", "out", "once"))
            .transition(Transition::before("op", "once", "twice"))
            .transition(Transition::after("op", "twice", "once"))
            .transition(Transition::after("op", "once", "out")),
    );
    let unit = design.unit("U", "Unit", 0);
    let client = design.root("C", "Client");
    design.bind(client, "unit", &[unit.id()]);
    design.bind(unit.id(), "same", &[unit.id()]);
    let system = design.start().expect("fits");
    let mut realm = system.enter(client).expect("first");
    for _ in 0..2 {
        realm.call(unit.id(), "op", &[]).expect("allowed");
        unit.with(&realm, |count| *count += 1).expect("held");
    }
    assert!(matches!(realm.call(unit.id(), "op", &[]), Err(Error::Refused { .. })));
    realm.finish(&[]).expect("inside twice");
    assert_eq!(realm.active(), unit.id());
    realm.finish(&[]).expect("inside once");
    assert_eq!(realm.active(), client);
    assert_eq!(unit.with(&realm, |count| *count).expect("held"), 2);
}

/// One client needs both locks; four others pass one lock among each other so that one of the two
/// is always taken.
#[test]
fn who_waits_long_is_served() {
    let mut design = Design::new();
    design.class(greedy());
    design.class(lock());
    let locks = ["A", "B"].map(|name| design.unit(name, "Lock", ()).id());
    let patient = design.root("patient", "Client");
    design.bind(patient, "first", &[locks[0]]);
    design.bind(patient, "second", &[locks[1]]);
    let others: Vec<UnitId> = (0..4).map(|at| design.root(&format!("c[{at}]"), "Client")).collect();
    for (at, &other) in others.iter().enumerate() {
        design.bind(other, "first", &[locks[at % 2]]);
        design.bind(other, "second", &[locks[at % 2]]);
    }
    let system = design.start().expect("fits");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for &other in &others {
            let (system, is_over) = (&system, &is_over);
            scope.spawn(move || {
                let mut realm = system.enter(other).expect("first");
                while !is_over.load(Ordering::Relaxed) {
                    realm.step("jump", &[]).expect("no circle");
                    thread::yield_now();
                    realm.step("done", &[]).expect("no circle");
                }
            });
        }
        let mut realm = system.enter(patient).expect("first");
        for _ in 0..200 {
            realm.step("jump", &[]).expect("no circle");
            realm.step("done", &[]).expect("no circle");
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn designs_that_do_not_fit() {
    let mut design = Design::new();
    design.class(greedy());
    let Err(error) = design.start() else { panic!("Lock is missing") };
    assert_eq!(error.to_string(), "the design does not fit together: the design has no Lock");
}
