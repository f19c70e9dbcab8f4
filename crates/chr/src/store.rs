//! The store: constraints by age, found by any of their arguments, and removed in reverse order.

use crate::constant::{Constant, Constants, Symbol};
use crate::program::{Kind, Predicate, Program};

/// Constraints, and the program that rewrites them.
#[derive(Clone, Debug)]
pub struct Store<'p> {
    pub(crate) program: &'p Program,
    pub(crate) constants: Constants,
    /// By age.
    pub(crate) entries: Vec<Entry>,
    pub(crate) arguments: Vec<Symbol>,
    indexes: Vec<Index>,
    trail: Vec<Undo>,
    /// The number of marks that were set and not taken back.
    marks: usize,
    dead: usize,
    pub(crate) firings: u64,
    pub(crate) limit: u64,
}

/// The number of a constraint; younger ones have greater numbers.
pub(crate) type Id = u32;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) predicate: Predicate,
    /// Where its arguments begin.
    start: u32,
    pub(crate) alive: bool,
}

/// The constraints of one predicate. Lists are in order of age and keep the dead, which are
/// skipped.
#[derive(Clone, Debug, Default)]
struct Index {
    all: Vec<Id>,
    /// Per argument and value.
    by_value: Vec<Vec<Vec<Id>>>,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Added,
    Removed(Id),
}

/// A point to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(usize);

impl<'p> Store<'p> {
    /// An empty store.
    pub fn new(program: &'p Program) -> Self {
        let index = |arity: usize| Index { all: Vec::new(), by_value: vec![Vec::new(); arity] };
        Self {
            program,
            constants: program.constants.clone(),
            entries: Vec::new(),
            arguments: Vec::new(),
            indexes: program.predicates.iter().map(|declared| index(declared.arity)).collect(),
            trail: Vec::new(),
            marks: 0,
            dead: 0,
            firings: 0,
            limit: u64::MAX,
        }
    }

    /// The same store, in which at most this number of rules fire before
    /// [`crate::Outcome::OutOfSteps`].
    pub fn with_limit(self, firings: u64) -> Self {
        Self { limit: firings, ..self }
    }

    /// The number of an integer.
    pub fn integer(&mut self, value: i64) -> Symbol {
        self.constants.intern(Constant::Integer(value))
    }

    /// The number of a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.constants.intern(Constant::Name(name.to_owned()))
    }

    /// The constant with this number.
    pub fn constant(&self, symbol: Symbol) -> &Constant {
        self.constants.get(symbol)
    }

    /// The number of rules that fired so far, including those that were undone.
    pub fn firings(&self) -> u64 {
        self.firings
    }

    /// The number of constraints.
    pub fn len(&self) -> usize {
        self.entries.len() - self.dead
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The arguments of all constraints of a predicate, the oldest first.
    pub fn all(&self, predicate: Predicate) -> impl Iterator<Item = &[Symbol]> {
        let ids = &self.indexes[predicate.0 as usize].all;
        ids.iter().filter(|&&id| self.entry(id).alive).map(|&id| self.arguments_of(id))
    }

    /// Whether a constraint is in the store.
    pub fn contains(&self, predicate: Predicate, arguments: &[Symbol]) -> bool {
        self.find(predicate, arguments).is_some()
    }

    /// The constraints of the predicate of this name as text, the oldest first.
    pub fn show(&self, name: &str) -> Vec<String> {
        let Some(predicate) = self.program.named(name) else { return Vec::new() };
        self.all(predicate).map(|arguments| self.text(predicate, arguments)).collect()
    }

    fn text(&self, predicate: Predicate, arguments: &[Symbol]) -> String {
        let name = self.program.name(predicate);
        let arguments: Vec<String> =
            arguments.iter().map(|&argument| self.constant(argument).to_string()).collect();
        if arguments.is_empty() {
            return name.to_owned();
        }
        format!("{name}({})", arguments.join(", "))
    }

    /// A point to which [`Store::undo`] can go back.
    pub fn mark(&mut self) -> Mark {
        self.marks += 1;
        Mark(self.trail.len())
    }

    /// Restores the store at the mark. Marks are taken back in reverse order.
    pub fn undo(&mut self, mark: Mark) {
        self.roll_back(mark);
        self.forget(mark);
    }

    /// Keeps the changes since the mark.
    pub fn forget(&mut self, _: Mark) {
        self.marks = self.marks.saturating_sub(1);
        if self.marks == 0 {
            self.trail.clear();
            self.compact();
        }
    }

    pub(crate) fn here(&self) -> Mark {
        Mark(self.trail.len())
    }

    pub(crate) fn roll_back(&mut self, Mark(length): Mark) {
        while self.trail.len() > length {
            match self.trail.pop() {
                Some(Undo::Added) => self.take_back(),
                Some(Undo::Removed(id)) => {
                    self.entries[id as usize].alive = true;
                    self.dead -= 1;
                }
                None => return,
            }
        }
    }

    pub(crate) fn entry(&self, id: Id) -> Entry {
        self.entries[id as usize]
    }

    pub(crate) fn arguments_of(&self, id: Id) -> &[Symbol] {
        let Entry { predicate, start, .. } = self.entry(id);
        let start = start as usize;
        &self.arguments[start..start + self.program.arity(predicate)]
    }

    /// The effect of posting before any rule is tried: a new constraint, nothing, or failure.
    pub(crate) fn insert(&mut self, predicate: Predicate, arguments: &[Symbol]) -> Inserted {
        match self.program.kind(predicate) {
            Kind::Bag => {}
            Kind::Set if self.contains(predicate, arguments) => return Inserted::Known,
            Kind::Set => {}
            Kind::Key(length) => {
                let same_key = |id: &Id| self.arguments_of(*id)[..length] == arguments[..length];
                let known = (0..length).map(|at| (at, arguments[at]));
                let list = self.shortest(predicate, known);
                let other = list.iter().find(|id| self.entry(**id).alive && same_key(id));
                match other {
                    Some(&id) if self.arguments_of(id) == arguments => return Inserted::Known,
                    Some(_) => return Inserted::Contradiction,
                    None => {}
                }
            }
        }
        Inserted::New(self.add(predicate, arguments))
    }

    fn add(&mut self, predicate: Predicate, arguments: &[Symbol]) -> Id {
        let number =
            |length: usize| u32::try_from(length).expect("internal error: too many constraints");
        let id = number(self.entries.len());
        let start = number(self.arguments.len());
        self.entries.push(Entry { predicate, start, alive: true });
        self.arguments.extend_from_slice(arguments);
        self.index(id);
        self.trail.push(Undo::Added);
        id
    }

    fn index(&mut self, id: Id) {
        let Entry { predicate, start, .. } = self.entry(id);
        let index = &mut self.indexes[predicate.0 as usize];
        index.all.push(id);
        for (at, lists) in index.by_value.iter_mut().enumerate() {
            let value = self.arguments[start as usize + at].0 as usize;
            if lists.len() <= value {
                lists.resize(value + 1, Vec::new());
            }
            lists[value].push(id);
        }
    }

    /// Removes the youngest constraint from everything. It is alive: later changes to it were
    /// undone before.
    fn take_back(&mut self) {
        let Some(entry) = self.entries.pop() else { return };
        let index = &mut self.indexes[entry.predicate.0 as usize];
        index.all.pop();
        for (at, lists) in index.by_value.iter_mut().enumerate() {
            lists[self.arguments[entry.start as usize + at].0 as usize].pop();
        }
        self.arguments.truncate(entry.start as usize);
    }

    pub(crate) fn remove(&mut self, id: Id) {
        self.entries[id as usize].alive = false;
        self.dead += 1;
        self.trail.push(Undo::Removed(id));
    }

    /// The shortest list that holds all constraints with these arguments.
    pub(crate) fn shortest(
        &self,
        predicate: Predicate,
        known: impl Iterator<Item = (usize, Symbol)>,
    ) -> &[Id] {
        let index = &self.indexes[predicate.0 as usize];
        let list = |(at, value): (usize, Symbol)| {
            index.by_value[at].get(value.0 as usize).map_or(&[][..], Vec::as_slice)
        };
        known.map(list).min_by_key(|list| list.len()).unwrap_or(&index.all)
    }

    fn find(&self, predicate: Predicate, arguments: &[Symbol]) -> Option<Id> {
        let known = arguments.iter().copied().enumerate();
        let list = self.shortest(predicate, known);
        let same = |&&id: &&Id| self.entry(id).alive && self.arguments_of(id) == arguments;
        list.iter().find(same).copied()
    }

    /// Removes the dead when nothing can bring them back. Ages keep their order.
    fn compact(&mut self) {
        if self.dead < 64 || self.dead * 2 < self.entries.len() {
            return;
        }
        let old = std::mem::take(&mut self.entries);
        let arguments = std::mem::take(&mut self.arguments);
        for index in &mut self.indexes {
            index.all.clear();
            index.by_value.iter_mut().flatten().for_each(Vec::clear);
        }
        for entry in old.into_iter().filter(|entry| entry.alive) {
            let (start, arity) = (entry.start as usize, self.program.arity(entry.predicate));
            self.add(entry.predicate, &arguments[start..start + arity]);
        }
        self.trail.clear();
        self.dead = 0;
    }
}

/// The effect of posting a constraint.
pub(crate) enum Inserted {
    New(Id),
    Known,
    Contradiction,
}
