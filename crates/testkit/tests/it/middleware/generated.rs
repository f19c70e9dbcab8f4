//! Programs from designs: they are what the generator writes now, they compile, and they run.

use super::{replay, systems, text_of};
use driver::Input;
use testkit::repository;

/// A program in the folder `generated`, as a module.
macro_rules! program {
    ($name:ident) => {
        #[allow(
            dead_code,
            unreachable_pub,
            clippy::pedantic,
            reason = "it is for users, who have rules of their own"
        )]
        mod $name {
            include!(concat!("generated/", stringify!($name), ".rs"));
        }
    };
}

program!(bounded_buffer);
program!(gas_station);
program!(hand_over_hand);
program!(philosophers);
program!(transfer);

/// Compares with the stored program; with `UPDATE_EXPECT`, writes it anew.
fn check(name: &str, example: &str) -> contract::System {
    let path = repository().join("examples/szumo").join(example);
    let text = text_of(&path);
    let input = Input { name: example.to_owned(), text: text.clone() };
    let options = testkit::options(&testkit::Header::default());
    let program = driver::generate(&input, &options).expect("it is a design");
    let folder = repository().join("crates/testkit/tests/it/middleware/generated");
    let written = folder.join(format!("{name}.rs"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&written, &program).expect("writable");
    }
    assert_eq!(text_of(&written), program, "{name}; UPDATE_EXPECT=1 writes it anew");
    systems(&text).remove(0)
}

#[test]
fn philosophers_dine() {
    let system = check("philosophers", "philosophers/at-once.szumo");
    let units = philosophers::table::start(true).expect("it fits");
    let ran = philosophers::table::run(&units, |mut philosopher, number| {
        let left = &units.f[(number + 1) % units.f.len()];
        for _ in 0..500 {
            philosopher.before_eat()?;
            left.with(philosopher.realm, |_| ())?;
            units.f[number].with(philosopher.realm, |_| ())?;
            philosopher.after_eat()?;
        }
        Ok(())
    });
    assert_eq!(ran, Ok(()));
    replay::replay(&system, &units.system.log());
}

#[test]
fn a_buffer_is_filled_and_drained() {
    let system = check("bounded_buffer", "clients/bounded-buffer.szumo");
    let units = bounded_buffer::store::start(true).expect("it fits");
    let ran = bounded_buffer::store::run(&units, |mut client, _| {
        for _ in 0..200 {
            client.before_use()?;
            client.call_buffer_put(|buffer| units.m.with(buffer.realm, |_| ()))?;
            client.call_buffer_get(|buffer| units.m.with(buffer.realm, |_| ()))?;
            client.after_use()?;
        }
        Ok(())
    });
    assert_eq!(ran, Ok(()));
    replay::replay(&system, &units.system.log());
}

#[test]
fn customers_fill_up() {
    let system = check("gas_station", "buildings/gas-station.szumo");
    let units = gas_station::station::start(true).expect("it fits");
    let ran = gas_station::station::run(&units, |mut customer, _| {
        for _ in 0..200 {
            customer.before_prepay()?;
            customer.call_operator_charge(|_| Ok(()))?;
            customer.step_walk()?;
            customer.call_pump_fill(|_| Ok(()))?;
            customer.after_pumped()?;
        }
        Ok(())
    });
    assert_eq!(ran, Ok(()));
    replay::replay(&system, &units.system.log());
}

#[test]
fn walkers_walk() {
    let system = check("hand_over_hand", "walk/hand-over-hand.szumo");
    let units = hand_over_hand::path::start(true).expect("it fits");
    let ran = hand_over_hand::path::run(&units, |mut walker, _| {
        walker.before_enter()?;
        for _ in 0..units.n.len() {
            walker.step_next()?;
        }
        walker.after_leave()
    });
    assert_eq!(ran, Ok(()));
    replay::replay(&system, &units.system.log());
}

#[test]
fn tellers_choose() {
    let system = check("transfer", "bank/transfer.szumo");
    let units = transfer::bank::start(true).expect("it fits");
    let ran = transfer::bank::run(&units, |mut teller, number| {
        for round in 0..300 {
            let source = &units.a[(round + number) % 3];
            let target = &units.a[(round + 1) % 3];
            teller.step_pick(&[source.id(), target.id()])?;
            if source.id() == target.id() {
                teller.step_skip()?;
                continue;
            }
            teller.before_move()?;
            source.with(teller.realm, |_| target.with(teller.realm, |_| ()))??;
            teller.after_move()?;
        }
        Ok(())
    });
    assert_eq!(ran, Ok(()));
    replay::replay(&system, &units.system.log());
}
