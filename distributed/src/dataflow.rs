//! Messages between workers, and the end of the search.

use crate::outcome::{Outcome, describe};
use crate::parcel::Parcel;
use crate::shard::Shard;
use crate::subject::{Parsed, Subject};
use machine::Machine;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use timely::Config;
use timely::dataflow::ProbeHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator as _;
use timely::dataflow::operators::{ConnectLoop as _, Feedback as _, Probe as _, ToStream as _};
use timely::worker::Worker;

/// The number of stores that a worker looks at before it sends its results to others.
const STORES_AT_ONCE: usize = 256;

/// Searches with the workers of this process, and those of the other processes that it is one of.
/// The first process gets the answer.
pub fn run(subject: &Subject, config: Config) -> anyhow::Result<Option<Outcome>> {
    let subject = Arc::new(subject.clone());
    let guards = timely::execute(config, move |worker| work(worker, &subject));
    let mut answer = None;
    for each in guards.map_err(anyhow::Error::msg)?.join() {
        answer = answer.or(each.map_err(anyhow::Error::msg)?);
    }
    Ok(answer)
}

/// The job of one worker. The first one of all returns the answer in the end.
fn work(worker: &mut Worker, subject: &Subject) -> Option<Outcome> {
    let parsed = subject.parsed().expect("internal error: a program that was read before");
    // Operators of a dataflow may own no borrowed data, so the program stays until the process
    // ends.
    let parsed: &'static Parsed = Box::leak(Box::new(parsed));
    let mut all = parsed.outcome();
    for scope in parsed.worlds() {
        let machine = Machine::new(scope, parsed.settings());
        let shard = Shard::new(machine, worker.index(), worker.peers());
        let shard = Rc::new(RefCell::new(shard));
        search(worker, &shard);
        let own = shard.borrow_mut().outcome(|fault| describe(&parsed.sources, fault));
        for (program, each) in gather(worker, (subject.hash(), own)) {
            all.add(each);
            if program != subject.hash() {
                all.cuts.insert("not all processes were given the same program".to_owned());
            }
        }
    }
    (worker.index() == 0).then_some(all)
}

/// Applies the rules until no worker has anything left to do and no message is under way.
fn search(worker: &mut Worker, shard: &Rc<RefCell<Shard>>) {
    let probe = ProbeHandle::new();
    worker.dataflow::<u64, _, _>(|scope| {
        let (handle, told) = scope.feedback(1);
        let by_owner = Exchange::new(|parcel: &Parcel| parcel.to);
        let shard = Rc::clone(shard);
        let parcels = told.unary(by_owner, "rules", |capability, info| {
            let activator = scope.activator_for(info.address);
            // While it is held, the search is not over.
            let mut held = Some(capability);
            move |input, output| {
                let mut shard = shard.borrow_mut();
                input.for_each_time(|time, batches| {
                    held.get_or_insert_with(|| time.retain(output.output_index()));
                    for batch in batches {
                        batch.drain(..).for_each(|parcel: Parcel| shard.receive(&parcel));
                    }
                });
                let Some(capability) = &held else { return };
                let is_more = shard.advance(STORES_AT_ONCE);
                output.session(capability).give_iterator(shard.parcels());
                if is_more {
                    activator.activate();
                } else {
                    held = None;
                }
            }
        });
        parcels.probe_with(&probe).connect_loop(handle);
    });
    wait(worker, &probe);
}

/// Sends the number of searched stores and the outcome of each worker to the first of them.
fn gather(worker: &mut Worker, own: (u64, Outcome)) -> Vec<(u64, Outcome)> {
    let probe = ProbeHandle::new();
    let all = Rc::new(RefCell::new(Vec::new()));
    worker.dataflow::<u64, _, _>(|scope| {
        let all = Rc::clone(&all);
        let own = Some(own).to_stream(scope).container::<Vec<_>>();
        let to_first = Exchange::new(|_: &(u64, Outcome)| 0);
        own.unary(to_first, "answer", |_, _| {
            move |input, output| {
                input.for_each_time(|time, batches| {
                    for batch in batches {
                        all.borrow_mut().append(batch);
                    }
                    output.session(&time).give_iterator(std::iter::empty::<()>());
                });
            }
        })
        .container::<Vec<_>>()
        .probe_with(&probe);
    });
    wait(worker, &probe);
    all.take()
}

fn wait(worker: &mut Worker, probe: &ProbeHandle<u64>) {
    while !probe.done() {
        worker.step_or_park(None);
    }
}
