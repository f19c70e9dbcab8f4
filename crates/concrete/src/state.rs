//! The parts of a running program.

use crate::fraction::Fraction;
use chalice::hir::{FieldId, Loc, LocalId, MethodId, PredicateId, Stmt, Type};
use diagnostic::Code;
use source::Span;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// The reason why a run ends, or why a thread does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A check failed.
    Failed(Failure),
    /// The interpreter cannot go on.
    GaveUp(&'static str),
    /// The thread waits.
    Blocked,
    /// An `assume` is false: such runs do not count.
    Irrelevant,
}

/// A check that failed, as the verifier would name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The diagnostic code; an internal error if an assumption of a proof is false, which must
    /// never be.
    pub code: Code,
    /// The place at fault.
    pub span: Span,
    /// The place of the annotation, if it is a different one.
    pub declared: Option<Span>,
}

impl Failure {
    pub(crate) fn new(code: Code, span: Span) -> Self {
        Self { code, span, declared: None }
    }

    pub(crate) fn about(mut self, declared: Span) -> Self {
        self.declared = (declared != self.span).then_some(declared);
        self
    }
}

/// Goes on only if the condition holds.
pub(crate) fn check(holds: bool, failure: impl FnOnce() -> Failure) -> Result<(), Stop> {
    if holds { Ok(()) } else { Err(Stop::Failed(failure())) }
}

/// A value. References are numbers of objects; 0 is null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Int(i128),
    Bool(bool),
    Text(String),
    Ref(usize),
    Position(Fraction),
    Seq(Vec<Value>),
}

impl Value {
    pub(crate) fn int(&self) -> Result<i128, Stop> {
        if let Self::Int(value) = self { Ok(*value) } else { Err(Stop::GaveUp("no number")) }
    }

    pub(crate) fn bool(&self) -> Result<bool, Stop> {
        if let Self::Bool(value) = self { Ok(*value) } else { Err(Stop::GaveUp("no truth value")) }
    }

    pub(crate) fn reference(&self) -> Result<usize, Stop> {
        if let Self::Ref(value) = self { Ok(*value) } else { Err(Stop::GaveUp("no reference")) }
    }

    pub(crate) fn seq(&self) -> Result<&[Value], Stop> {
        if let Self::Seq(values) = self { Ok(values) } else { Err(Stop::GaveUp("no sequence")) }
    }
}

/// An object, a token or a channel.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) ty: Type,
    pub(crate) fields: BTreeMap<FieldId, Value>,
    /// Its position in the locking order; zero is `lockbottom`.
    pub(crate) mu: Fraction,
    pub(crate) joinable: bool,
}

/// All objects; the first stands for null.
pub(crate) type Heap = Vec<Object>;

/// A target of permissions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Loc(usize, Loc),
    Predicate(PredicateId, usize, Vec<Value>),
}

/// Permissions, in hundredths, and credits that are being transferred.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mask {
    amounts: BTreeMap<Key, Fraction>,
    pub(crate) credits: BTreeMap<usize, i128>,
}

impl Mask {
    pub(crate) fn get(&self, key: &Key) -> Fraction {
        self.amounts.get(key).copied().unwrap_or(Fraction::ZERO)
    }

    pub(crate) fn add(&mut self, key: Key, amount: Fraction) -> Result<(), Stop> {
        let total = self.get(&key).plus(amount)?;
        self.amounts.insert(key, total);
        Ok(())
    }

    pub(crate) fn take(&mut self, key: &Key, amount: Fraction) -> Result<(), Stop> {
        let left = self.get(key).minus(amount)?;
        self.amounts.insert(key.clone(), left);
        Ok(())
    }

    pub(crate) fn add_all(&mut self, other: Self) -> Result<(), Stop> {
        for (channel, count) in other.credits {
            *self.credits.entry(channel).or_default() += count;
        }
        other.amounts.into_iter().try_for_each(|(key, amount)| self.add(key, amount))
    }

    /// Channels that wait for a message from here.
    pub(crate) fn owed(&self) -> impl Iterator<Item = usize> {
        self.credits.iter().filter(|(_, count)| **count < 0).map(|(&channel, _)| channel)
    }

    /// The permissions: to what, and how much.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Key, Fraction)> {
        let all = self.amounts.iter().map(|(key, &amount)| (key, amount));
        all.filter(|(_, amount)| amount.is_positive())
    }
}

/// The monitors and debts of a thread, for which others may wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) write: BTreeSet<usize>,
    pub(crate) read: BTreeSet<usize>,
    /// Channels that it owes a message.
    pub(crate) owed: BTreeSet<usize>,
}

impl Held {
    pub(crate) fn has(&self, object: usize) -> bool {
        self.write.contains(&object) || self.read.contains(&object)
    }

    /// Everything for which others may wait.
    pub(crate) fn blocking(&self) -> impl Iterator<Item = usize> {
        self.write.iter().chain(&self.read).chain(&self.owed).copied()
    }
}

/// A state that a formula looks back at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) heap: Heap,
    pub(crate) mask: Mask,
    pub(crate) held: Held,
}

/// The work that a thread still has to do in a method.
#[derive(Clone, Debug)]
pub(crate) enum Work<'p> {
    /// These statements.
    Stmts(&'p [Stmt]),
    /// The head of a loop, inside of it.
    Head(Box<Round<'p>>),
    /// The end of a round.
    End(Box<Round<'p>>),
}

/// A loop that is being run.
#[derive(Clone, Debug)]
pub(crate) struct Round<'p> {
    pub(crate) stmt: &'p Stmt,
    /// What was kept outside.
    pub(crate) outside: Mask,
    /// What `rd` means outside.
    pub(crate) read_outside: Fraction,
    /// The held monitors and debts, except those that `lockchange` names.
    pub(crate) held: Held,
}

/// A method that is being run.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'p> {
    pub(crate) method: MethodId,
    pub(crate) this: usize,
    pub(crate) locals: Vec<Option<Value>>,
    pub(crate) mask: Mask,
    pub(crate) old: Rc<Moment>,
    pub(crate) read: Fraction,
    pub(crate) work: Vec<Work<'p>>,
    /// The locals of the caller for the results.
    pub(crate) results: Vec<LocalId>,
    /// When the monitors were released last, if nobody can have unshared them since.
    pub(crate) seen: BTreeMap<usize, Rc<Moment>>,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread<'p> {
    /// The innermost call is the last.
    pub(crate) frames: Vec<Frame<'p>>,
    pub(crate) held: Held,
    /// When the monitors were acquired last.
    pub(crate) acquired: BTreeMap<usize, Rc<Moment>>,
    /// The part that was taken of each monitor that is held for reading.
    pub(crate) taken: BTreeMap<usize, Fraction>,
    /// Once it has ended: its results, and the permissions of the postcondition.
    pub(crate) outcome: Option<(Vec<Value>, Mask)>,
    /// The monitor or channel it waits for.
    pub(crate) waits_for: Option<usize>,
    /// Whether it is in the middle of a statement.
    pub(crate) busy: bool,
}

/// The monitor of an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Monitor {
    pub(crate) writer: Option<usize>,
    pub(crate) readers: BTreeSet<usize>,
    /// What it keeps.
    pub(crate) kept: Mask,
}

/// Messages on their way.
pub(crate) type Queue = VecDeque<(Vec<Value>, Mask)>;
