//! Proofs of searches as files: written by one run, checked by another that searches nothing.
//!
//! A certificate lists what a search claims, as text:
//!
//! ```text
//! rely certificate 1: pairs of threads
//! world 0: 5 1                       which choice of the constants, and the copies of each thread
//! local 0203                         a local state, numbered from 0
//! store 0104                         a store, with what is claimed of it:
//! thread 0: 0 1                      the local states of a thread there
//! pairs 0.0-1.1 0.1-1.1              and which of them are together, as thread.local
//! ```
//!
//! The checker (`search/src/certificate.rs`) shares the steps of threads with the searches, and
//! nothing else; how many copies are enough for any number of them is computed anew
//! ([`crate::cutoff`]). Whatever else is in the file can only make it fail.

use crate::content::typed;
use crate::covers::{Strategy, uncovered};
use crate::cutoff::{copies, is_recursive};
use crate::initial::has_no_start;
use crate::scope::crowd;
use crate::tables::{Machine, Settings};
use plato::hir::Program;
use search::{
    Budget, Certificate, Global, Local, PairCertificate, Together, thread_modular, views,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const HEAD: &str = "rely certificate 1: ";
const ONE: &str = "one thread at a time";
const PAIRS: &str = "pairs of threads";

/// What a certificate shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// How many facts it has.
    pub facts: usize,
    /// What the program asks for and no such certificate says anything of.
    pub uncovered: BTreeSet<String>,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is none, or none of this program.
    Unreadable(String),
    /// It does not show what it claims.
    Wrong(String),
}

/// The certificate of a program, or why there is none: a thread-modular search, and if that raises
/// an alarm one of pairs.
pub fn certify(program: &Program, budget: &Budget<'_>) -> Result<String, String> {
    if has_no_start(program) {
        return Err("no initial store exists".to_owned());
    }
    let sizes = sizes(program)?;
    let mut why = String::new();
    for kind in [ONE, PAIRS] {
        let mut text = format!("{HEAD}{kind}\n");
        let mut proved = true;
        for (world, scope) in crowd(program, &sizes).into_iter().enumerate() {
            let mut machine = Machine::new(scope, Settings::of(program));
            let (found, claimed) = if kind == ONE {
                let found = thread_modular(&mut machine, budget);
                let proof = found.is_proof();
                (proof.then(|| plain(&found.certificate())), found.cut)
            } else {
                let found = views(&mut machine, budget);
                (found.is_proof().then(|| found.certificate()), found.cut)
            };
            let Some(found) = found.filter(|_| machine.incomplete().is_none()) else {
                let reason = claimed.or_else(|| machine.incomplete());
                why =
                    reason.map_or_else(|| format!("{kind}: there is an alarm"), |r| r.to_string());
                proved = false;
                break;
            };
            write_world(&mut text, world, &sizes, &found, &machine);
        }
        if proved {
            return Ok(text);
        }
    }
    Err(why)
}

/// How many copies of each thread are looked at.
fn sizes(program: &Program) -> Result<Vec<u64>, String> {
    if is_recursive(program) {
        return Err("whole stacks are listed, and recursive procedures have too many".to_owned());
    }
    copies(program, false)
}

/// The facts about single threads in the form of the others, without pairs.
fn plain(certificate: &Certificate) -> PairCertificate {
    let mut all = PairCertificate::default();
    for (&global, threads) in &certificate.facts {
        let there = all.stores.entry(global).or_default();
        for (&thread, locals) in threads {
            there.members.extend(locals.iter().map(|&local| (thread, local)));
        }
    }
    all
}

fn write_world(
    text: &mut String,
    world: usize,
    sizes: &[u64],
    found: &PairCertificate,
    machine: &Machine<'_>,
) {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    let _ = writeln!(text, "world {world}: {}", sizes.join(" "));
    let mut numbers: BTreeMap<Local, usize> = BTreeMap::new();
    for there in found.stores.values() {
        for &(_, local) in &there.members {
            let next = numbers.len();
            numbers.entry(local).or_insert_with(|| {
                let mut bytes = Vec::new();
                machine.write_local(local, &mut bytes);
                let _ = writeln!(text, "local {}", hex(&bytes));
                next
            });
        }
    }
    for (&global, there) in &found.stores {
        let mut bytes = Vec::new();
        machine.write_store(global, &mut bytes);
        let _ = writeln!(text, "store {}", hex(&bytes));
        let mut threads: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (thread, local) in &there.members {
            threads.entry(*thread).or_default().push(numbers[local].to_string());
        }
        for (thread, locals) in threads {
            let _ = writeln!(text, "thread {thread}: {}", locals.join(" "));
        }
        if !there.pairs.is_empty() {
            let show = |(one, other): &((usize, Local), (usize, Local))| {
                format!("{}.{}-{}.{}", one.0, numbers[&one.1], other.0, numbers[&other.1])
            };
            let pairs: Vec<String> = there.pairs.iter().map(show).collect();
            let _ = writeln!(text, "pairs {}", pairs.join(" "));
        }
    }
}

/// Checks a certificate of a program.
pub fn recheck(program: &Program, text: &str) -> Result<Certified, Refused> {
    let unreadable = |why: &str| Refused::Unreadable(why.to_owned());
    let mut lines = text.lines().enumerate().peekable();
    let head = lines.next().and_then(|(_, line)| line.strip_prefix(HEAD));
    let head = head.ok_or_else(|| unreadable("this is no certificate"))?;
    if head != ONE && head != PAIRS {
        return Err(unreadable("a certificate of an unknown kind"));
    }
    let sizes = sizes(program).map_err(Refused::Unreadable)?;
    let shown: Vec<String> = sizes.iter().map(u64::to_string).collect();
    let shown = shown.join(" ");
    let mut certified = Certified { facts: 0, uncovered: uncovered(program, Strategy::Pairs) };
    for (world, scope) in crowd(program, &sizes).into_iter().enumerate() {
        match lines.next() {
            Some((_, line)) if line == format!("world {world}: {shown}") => {}
            _ => return Err(unreadable("it is about other threads or constants than the program")),
        }
        let mut machine = Machine::new(scope, Settings::of(program));
        let mut reader = Reading { machine: &mut machine, locals: Vec::new(), store: None };
        let mut claim = PairCertificate::default();
        while let Some((at, line)) = lines.next_if(|(_, line)| !line.starts_with("world ")) {
            reader.line(line, &mut claim).ok_or_else(|| {
                Refused::Unreadable(format!("line {} does not fit the program", at + 1))
            })?;
        }
        certified.facts += claim.len();
        let checked =
            if head == ONE { one(claim).check(&mut machine) } else { claim.check(&mut machine) };
        checked.map_err(Refused::Wrong)?;
        if let Some(reason) = machine.incomplete() {
            return Err(Refused::Wrong(reason.to_string()));
        }
    }
    match lines.next() {
        Some(_) => Err(unreadable("it is about more worlds than the program has")),
        None => Ok(certified),
    }
}

/// The facts about single threads.
fn one(claim: PairCertificate) -> Certificate {
    let mut certificate = Certificate::default();
    for (global, there) in claim.stores {
        let facts = certificate.facts.entry(global).or_default();
        for (thread, local) in there.members {
            facts.entry(thread).or_default().insert(local);
        }
    }
    certificate
}

/// What was read of one world.
struct Reading<'a, 'p> {
    machine: &'a mut Machine<'p>,
    locals: Vec<Local>,
    store: Option<Global>,
}

impl Reading<'_, '_> {
    /// Reads a line; nothing if it makes no sense.
    fn line(&mut self, line: &str, claim: &mut PairCertificate) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "local" => self.locals.push(typed::local(self.machine, &bytes(rest)?)?),
            "store" => {
                let store = typed::store(self.machine, &bytes(rest)?)?;
                claim.stores.entry(store).or_default();
                self.store = Some(store);
            }
            "thread" => {
                let (thread, locals) = rest.split_once(": ")?;
                for local in locals.split(' ') {
                    let member = self.member(thread, local)?;
                    self.there(claim)?.members.insert(member);
                }
            }
            "pairs" => {
                for pair in rest.split(' ') {
                    let (one, other) = pair.split_once('-')?;
                    let (one, other) = (one.split_once('.')?, other.split_once('.')?);
                    let one = self.member(one.0, one.1)?;
                    let other = self.member(other.0, other.1)?;
                    let is_pair = one.0 != other.0;
                    is_pair.then_some(())?;
                    self.there(claim)?.pairs.insert((one.min(other), one.max(other)));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn there<'c>(&self, claim: &'c mut PairCertificate) -> Option<&'c mut Together> {
        claim.stores.get_mut(&self.store?)
    }

    fn member(&self, thread: &str, local: &str) -> Option<(usize, Local)> {
        let thread: usize = thread.parse().ok()?;
        let is_thread = thread < self.machine.scope.threads.len();
        let local = *self.locals.get(local.parse::<usize>().ok()?)?;
        is_thread.then_some((thread, local))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let is_hex = digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
    is_hex.then_some(())?;
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
