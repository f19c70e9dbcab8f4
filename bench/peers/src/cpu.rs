//! Processor time, which other programs on the same machine disturb less than time on the clock.

use anyhow::Context as _;
use std::time::Duration;

/// What a piece of work gives, and its seconds of processor time in this thread.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> anyhow::Result<(T, f64)> {
    let before = spent()?;
    let found = work();
    Ok((found, (spent()? - before).as_secs_f64()))
}

fn spent() -> anyhow::Result<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat");
    let text = text.context("this measurement needs Linux")?;
    let first = text.split_whitespace().next().context("a number of nanoseconds")?;
    Ok(Duration::from_nanos(first.parse()?))
}

/// Seconds of processor time of all child processes that have ended.
pub(crate) fn of_children() -> anyhow::Result<f64> {
    let stat =
        std::fs::read_to_string("/proc/self/stat").context("this measurement needs Linux")?;
    let fields = stat.rsplit(") ").next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(ticks as f64 / 100.0)
}
