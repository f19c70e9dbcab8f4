//! Error sets over several threads (paper 5, section 2.2): some state `(g, ls)` is in the set, and
//! each `ls(t)` was found at `g`.

use crate::alarms::Alarm;
use crate::threads::{Global, Local, Threads};
use verdict::StopReason;

/// Limit on the combinations of local states that are looked at for one store.
const COMBINATIONS: usize = 200_000;

/// The alarms at one store, once all facts are known; the same fault may be among them several
/// times. `reachable` tells the local states of a thread there.
pub fn join(
    threads: &mut impl Threads,
    global: Global,
    mut reachable: impl FnMut(usize) -> Vec<Local>,
) -> Result<Vec<Alarm>, StopReason> {
    let Some(quorum) = threads.quorum() else { return Ok(Vec::new()) };
    let mut choices = Vec::new();
    let mut watching = 0;
    for thread in 0..threads.count() {
        // Of the states that no property looks at, one is enough.
        let (mut watched, others): (Vec<Local>, Vec<Local>) = reachable(thread)
            .into_iter()
            .partition(|&local| threads.is_watched(thread, global, local));
        watching += usize::from(!watched.is_empty());
        watched.extend(others.first());
        if watched.is_empty() {
            // The thread is nowhere at this store, so that no state has it.
            return Ok(Vec::new());
        }
        choices.push(watched);
    }
    if watching < quorum {
        return Ok(Vec::new());
    }
    let mut alarms = Vec::new();
    each(&choices, |locals| {
        for fault in threads.bad(global, locals) {
            let locals = locals.iter().copied().enumerate().collect();
            alarms.push(Alarm { fault, global, locals });
        }
    })?;
    Ok(alarms)
}

/// Calls `look` with every combination.
fn each(choices: &[Vec<Local>], mut look: impl FnMut(&[Local])) -> Result<(), StopReason> {
    let number = choices.iter().try_fold(1_usize, |n, each| n.checked_mul(each.len()));
    if number.is_none_or(|number| number > COMBINATIONS) {
        return Err(too_many_combinations());
    }
    let mut at = vec![0; choices.len()];
    loop {
        let locals: Vec<Local> = at.iter().zip(choices).map(|(&i, each)| each[i]).collect();
        look(&locals);
        let Some(next) = (0..at.len()).find(|&i| at[i] + 1 < choices[i].len()) else {
            return Ok(());
        };
        at[next] += 1;
        at[..next].fill(0);
    }
}

pub(crate) fn too_many_combinations() -> StopReason {
    StopReason::Unsupported("too many combinations of threads for an error set".to_owned())
}
