//! The promises of a procedure of a random program, and the conclusions of its callers.

use super::cells::{Rule, World};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// `base + per * n`, where `n` is the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) base: i64,
    pub(super) per: i64,
}

/// The effect on a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Add(Amount),
    Put(Amount),
    /// Added some times or never.
    More,
    Unknown,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) changes: Vec<(usize, Effect)>,
    /// A number that must be this large before.
    pub(super) wait: Option<(usize, i64)>,
    /// The result is this number, as it is before.
    pub(super) reads: Option<usize>,
    /// The result is this.
    pub(super) says: Option<i64>,
}

/// A part of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Act(Action),
    Choose(Vec<Item>, Vec<Item>),
    Optional(Vec<Item>),
    Repeat(Vec<Item>),
}

/// A procedure with a specification.
#[derive(Clone, Debug)]
pub(super) struct Proc {
    pub(super) name: String,
    pub(super) module: usize,
    /// The caller holds the lock of this module.
    pub(super) held: Option<usize>,
    /// Takes the lock of this module itself.
    pub(super) wraps: Option<usize>,
    /// Only `T1` may call it.
    pub(super) owner: bool,
    pub(super) param: bool,
    pub(super) result: bool,
    /// What stuttering steps write.
    pub(super) scribbles: Vec<usize>,
    pub(super) items: Vec<Item>,
    /// The effects on variables in the end.
    pub(super) claims: Vec<(usize, Effect)>,
    /// The result is this.
    pub(super) computes: Option<Amount>,
}

/// One of the ways in which a call can end.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) totals: BTreeMap<usize, Effect>,
    /// The effect on the number before it was read into the result.
    pub(super) read: Option<(usize, Effect)>,
    pub(super) says: Option<i64>,
}

impl Amount {
    pub(super) fn of(base: i64) -> Self {
        Self { base, per: 0 }
    }

    fn plus(self, other: Self) -> Self {
        Self { base: self.base + other.base, per: self.per + other.per }
    }

    /// With an argument in place of the parameter.
    pub(super) fn at(self, argument: Self) -> Self {
        Self { base: self.base + self.per * argument.base, per: self.per * argument.per }
    }

    /// `place + amount`, or the amount alone if there is no place.
    pub(super) fn added_to(self, place: &str) -> String {
        let mut text = place.to_owned();
        match self.per {
            0 => {}
            1 => text.push_str(if place.is_empty() { "n" } else { " + n" }),
            per => {
                let _ = write!(text, "{}{per} * n", if place.is_empty() { "" } else { " + " });
            }
        }
        match self.base {
            base if text.is_empty() => base.to_string(),
            0 => text,
            base if base < 0 => format!("{text} - {}", -base),
            base => format!("{text} + {base}"),
        }
    }
}

impl Effect {
    pub(super) fn at(self, argument: Amount) -> Self {
        match self {
            Self::Add(amount) => Self::Add(amount.at(argument)),
            Self::Put(amount) => Self::Put(amount.at(argument)),
            other => other,
        }
    }

    pub(super) fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Add(one), Self::Add(two)) => Self::Add(one.plus(two)),
            (Self::Put(one), Self::Add(two)) => Self::Put(one.plus(two)),
            (_, Self::Put(two)) => Self::Put(two),
            (Self::Add(amount), Self::More) | (Self::More, Self::Add(amount))
                if amount.base >= 0 =>
            {
                Self::More
            }
            (Self::More, Self::More) => Self::More,
            _ => Self::Unknown,
        }
    }

    /// The value after, given the place before.
    pub(super) fn value(self, place: &str) -> String {
        match self {
            Self::Add(amount) => amount.added_to(place),
            Self::Put(amount) => amount.added_to(""),
            Self::More | Self::Unknown => place.to_owned(),
        }
    }

    pub(super) fn off_by(self, error: i64) -> Self {
        match self {
            Self::Add(amount) => Self::Add(amount.plus(Amount::of(error))),
            Self::Put(amount) => Self::Put(amount.plus(Amount::of(error))),
            other => other,
        }
    }
}

impl Item {
    pub(super) fn at(&self, argument: Amount) -> Self {
        let all = |items: &[Self]| items.iter().map(|item| item.at(argument)).collect();
        match self {
            Self::Act(action) => {
                let changes =
                    action.changes.iter().map(|(cell, effect)| (*cell, effect.at(argument)));
                Self::Act(Action { changes: changes.collect(), ..action.clone() })
            }
            Self::Choose(one, two) => Self::Choose(all(one), all(two)),
            Self::Optional(inner) => Self::Optional(all(inner)),
            Self::Repeat(inner) => Self::Repeat(all(inner)),
        }
    }
}

/// Everything a call can do, in all ways to do it.
pub(super) fn outcomes(items: &[Item]) -> Vec<Outcome> {
    let mut all = vec![Outcome::default()];
    for item in items {
        let choices = match item {
            Item::Act(action) => {
                all.iter_mut().for_each(|outcome| outcome.perform(action));
                continue;
            }
            Item::Choose(one, two) => [outcomes(one), outcomes(two)].concat(),
            Item::Optional(inner) => [outcomes(inner), vec![Outcome::default()]].concat(),
            Item::Repeat(inner) => {
                let mut any = Outcome::default();
                for (cell, effect) in outcomes(inner).iter().flat_map(|one| &one.totals) {
                    let grows = matches!(effect, Effect::Add(amount) if amount.base >= 0);
                    let total = any.totals.entry(*cell).or_insert(Effect::More);
                    *total = if grows { *total } else { Effect::Unknown };
                }
                vec![any]
            }
        };
        all = all
            .iter()
            .flat_map(|before| choices.iter().map(move |next| before.clone().then(next)))
            .collect();
    }
    all
}

impl Outcome {
    fn perform(&mut self, action: &Action) {
        if let Some(cell) = action.reads {
            let before = self.totals.get(&cell).copied();
            self.read = Some((cell, before.unwrap_or(Effect::Add(Amount::of(0)))));
        }
        self.says = action.says.or(self.says);
        for (cell, effect) in &action.changes {
            self.change(*cell, *effect);
        }
    }

    pub(super) fn change(&mut self, cell: usize, effect: Effect) {
        let total = self.totals.entry(cell).or_insert(Effect::Add(Amount::of(0)));
        *total = total.then(effect);
    }

    fn then(mut self, next: &Self) -> Self {
        if let Some((cell, effect)) = next.read {
            let before = self.totals.get(&cell).copied();
            let before = before.unwrap_or(Effect::Add(Amount::of(0)));
            self.read = Some((cell, before.then(effect)));
        }
        self.says = next.says.or(self.says);
        next.totals.iter().for_each(|(cell, effect)| self.change(*cell, *effect));
        self
    }
}

/// The formula of an action, and the variables it changes.
pub(super) fn formula(world: &World, action: &Action, from: usize) -> Vec<String> {
    let mut all = Vec::new();
    if let Some((cell, least)) = action.wait {
        all.push(format!("{} >= {least}", world.place(cell, from)));
    }
    if let Some(cell) = action.reads {
        all.push(format!("r == {}", world.place(cell, from)));
    }
    if let Some(value) = action.says {
        all.push(format!("r == {value}"));
    }
    for (cell, effect) in &action.changes {
        let (root, place) = (world.root(*cell, from), world.place(*cell, from));
        let value = effect.value(&place);
        all.push(match world.cells[*cell].rule {
            Rule::Slot => format!("{root}' == {root}[tid := {value}]"),
            _ => format!("{root}' == {value}"),
        });
    }
    all
}
