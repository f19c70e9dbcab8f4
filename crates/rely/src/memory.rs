//! How much memory this process uses, and how much it may.

use cap::Cap;
use std::alloc::System;
use verdict::MemoryLimit;

/// Counts what is in use, so that a search that grows too large can end with an answer instead of
/// being ended by the system.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// No process takes more than this many MiB unless it is asked for.
const MOST: u64 = 4096;
/// Of what is free, every process may have an equal part of this share, in percent.
const SHARE: u64 = 80;

/// How many MiB this process, and each of its solvers, may use by default.
pub(crate) fn default_mib(solvers: usize) -> u32 {
    let processes = solvers as u64 + 1;
    let part = available_mib().map_or(MOST, |free| free * SHARE / 100 / processes);
    u32::try_from(part.clamp(256, MOST)).unwrap_or(u32::MAX)
}

/// The limit of this process.
pub(crate) fn limit(mib: u32) -> MemoryLimit {
    MemoryLimit { used: || ALLOCATOR.allocated() as u64, bytes: u64::from(mib) << 20 }
}

/// What the machine has left, where the system says so.
fn available_mib() -> Option<u64> {
    let text = String::from_utf8(std::fs::read("/proc/meminfo").ok()?).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}
