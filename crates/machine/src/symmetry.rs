//! Copies of the same thread are interchangeable: states that differ in their names only are alike.
//!
//! `Tid` is a scalarset (paper 5, section 4): on identifiers there is only equality, and an
//! expression can name a single thread or a whole family, but not one of several copies. So for
//! every renaming that maps each family to itself, a renamed run is a run, and a renamed state is
//! at fault where the state is.

use crate::step::Frame;
use crate::tables::{Machine, NONE};
use crate::value::Value;
use search::{Global, Local, Mixer};
use std::hash::{Hash, Hasher};

/// The new number of each thread, by its old one.
pub(crate) type Names = [usize];

/// How thread identifiers look from one thread, as numbers.
struct View<'a> {
    /// The identifier that counts as oneself.
    own: u32,
    colours: &'a [u64],
}

impl Machine<'_> {
    /// A renaming to a state that is the same for most states of an orbit: threads are sorted by
    /// what can be said of them without naming copies, first of each alone and then with what
    /// that says of the others. Threads that look alike stay in their order, which may give
    /// several representatives for an orbit; that costs states, not soundness.
    pub(crate) fn order(&mut self, global: Global, locals: &[Local]) -> Vec<usize> {
        let count = locals.len();
        let names_nobody =
            self.names_nobody(global) && locals.iter().all(|&local| self.names_nobody_in(local));
        if names_nobody {
            // Equal numbers are equal states, so that the numbers can be sorted.
            return self.sorted(|thread| u64::from(locals[thread]), count);
        }
        let alone: Vec<u64> = locals
            .iter()
            .enumerate()
            .map(|(thread, &local)| {
                let mut mixer = Mixer::default();
                mixer.write_u64(self.look_of_store(global, thread));
                mixer.write_u64(self.look_of_stack(local, thread));
                mixer.finish()
            })
            .collect();
        if self.are_different(&alone) {
            return self.sorted(|thread| alone[thread], count);
        }
        let mut colours = Vec::with_capacity(count);
        for (thread, &local) in locals.iter().enumerate() {
            colours.push(self.second_look(global, local, thread, &alone));
        }
        self.sorted(|thread| colours[thread], count)
    }

    /// Whether no two copies of the same thread have the same number.
    fn are_different(&self, colours: &[u64]) -> bool {
        let families = &self.scope.threads;
        (1..colours.len()).all(|at| {
            (0..at).all(|other| families[at] != families[other] || colours[at] != colours[other])
        })
    }

    /// Single threads are known by their names, copies by that of their family.
    fn families(&self) -> Vec<u64> {
        self.scope.threads.iter().map(|id| u64::from(id.0) + 1).collect()
    }

    /// How a store looks from one thread, if copies are not told apart; found out once.
    fn look_of_store(&mut self, global: Global, thread: usize) -> u64 {
        let at = global as usize * self.scope.threads.len() + thread;
        if self.store_looks.len() <= at {
            self.store_looks.resize(at + 1, None);
        }
        if let Some(look) = self.store_looks[at] {
            return look;
        }
        let view = View { own: own(thread), colours: &self.families() };
        let look = view.look_at_all(self.stores.get(global));
        self.store_looks[at] = Some(look);
        look
    }

    /// The same for a local state.
    fn look_of_stack(&mut self, local: Local, thread: usize) -> u64 {
        let at = local as usize * self.scope.threads.len() + thread;
        if self.stack_looks.len() <= at {
            self.stack_looks.resize(at + 1, None);
        }
        if let Some(look) = self.stack_looks[at] {
            return look;
        }
        let colours = self.families();
        let view = View { own: own(thread), colours: &colours };
        let mut mixer = Mixer::default();
        let mut rest = local;
        while rest != NONE {
            let &(frame, below, _) = self.stacks.get(rest);
            let frame = self.frames.get(frame);
            mixer.write_usize(frame.pc);
            mixer.write_u64(view.look_at_all(&frame.locals));
            rest = below;
        }
        let look = mixer.finish();
        self.stack_looks[at] = Some(look);
        look
    }

    /// Sorts the copies of each family; tells the new number of each thread.
    fn sorted(&self, colour: impl Fn(usize) -> u64, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&thread| (self.scope.threads[thread], colour(thread)));
        let mut places = vec![0; count];
        for (new, &old) in order.iter().enumerate() {
            places[old] = new;
        }
        places
    }

    /// Whether a store names no thread; found out once.
    fn names_nobody(&mut self, global: Global) -> bool {
        let at = global as usize;
        if self.anonymous_stores.len() <= at {
            self.anonymous_stores.resize(at + 1, None);
        }
        let stores = &self.stores;
        *self.anonymous_stores[at]
            .get_or_insert_with(|| stores.get(global).iter().all(is_anonymous))
    }

    /// The same for a local state.
    fn names_nobody_in(&mut self, local: Local) -> bool {
        let at = local as usize;
        if self.anonymous_stacks.len() <= at {
            self.anonymous_stacks.resize(at + 1, None);
        }
        let (stacks, frames, watches) = (&self.stacks, &self.frames, &self.watches);
        *self.anonymous_stacks[at].get_or_insert_with(|| {
            let mut rest = local;
            while rest != NONE {
                let &(frame, below, watch) = stacks.get(rest);
                let remembers = watch != NONE && {
                    let watch = watches.get(watch);
                    !watch.is_anonymous() || watch.stores().next().is_some()
                };
                if remembers || !frames.get(frame).locals.iter().all(is_anonymous) {
                    return false;
                }
                rest = below;
            }
            true
        })
    }

    /// How a thread looks if copies are told apart by the colours of the first look. What names no
    /// thread was seen then.
    fn second_look(&mut self, global: Global, local: Local, thread: usize, colours: &[u64]) -> u64 {
        let view = View { own: own(thread), colours };
        let mut mixer = Mixer::default();
        mixer.write_u64(colours[thread]);
        if !self.names_nobody_in(local) {
            let mut rest = local;
            while rest != NONE {
                let &(frame, below, _) = self.stacks.get(rest);
                mixer.write_u64(view.look_at_all(&self.frames.get(frame).locals));
                rest = below;
            }
        }
        if !self.names_nobody(global) {
            mixer.write_u64(view.look_at_all(self.stores.get(global)));
        }
        mixer.finish()
    }

    /// The state with new names for its threads.
    pub(crate) fn with_names(
        &mut self,
        global: Global,
        locals: &[Local],
        names: &Names,
    ) -> (Global, Vec<Local>) {
        if names.iter().enumerate().all(|(old, new)| old == *new) {
            return (global, locals.to_vec());
        }
        let mut result = locals.to_vec();
        for (old, &new) in names.iter().enumerate() {
            let anonymous = self.names_nobody_in(locals[old]);
            let renamed =
                if anonymous { locals[old] } else { self.renamed_stack(locals[old], names) };
            result[new] = renamed;
        }
        if self.names_nobody(global) {
            return (global, result);
        }
        (self.renamed_store(global, names), result)
    }

    fn renamed_store(&mut self, global: Global, names: &Names) -> Global {
        let store = self.stores.get(global).iter().map(|value| renamed(value, names)).collect();
        self.stores.intern(store)
    }

    fn renamed_watch(&mut self, watch: u32, names: &Names) -> u32 {
        if watch == NONE {
            return NONE;
        }
        let watch = self.watches.get(watch).clone();
        let watch = watch.renamed(names, |global| self.renamed_store(global, names));
        self.watches.intern(watch)
    }

    fn renamed_stack(&mut self, local: Local, names: &Names) -> Local {
        let mut frames = Vec::new();
        let mut rest = local;
        while rest != NONE {
            let &(frame, below, watch) = self.stacks.get(rest);
            frames.push((frame, watch));
            rest = below;
        }
        let mut stack = NONE;
        for (frame, watch) in frames.into_iter().rev() {
            let Frame { pc, locals } = self.frames.get(frame);
            let locals = locals.iter().map(|value| renamed(value, names)).collect();
            let frame = Frame { pc: *pc, locals };
            let frame = self.frames.intern(frame);
            let watch = self.renamed_watch(watch, names);
            stack = self.stacks.intern((frame, stack, watch));
        }
        stack
    }
}

/// The identifier of a thread.
fn own(thread: usize) -> u32 {
    source::number(thread + 1)
}

impl View<'_> {
    /// The looks of values, in their order.
    fn look_at_all(&self, values: &[Value]) -> u64 {
        let mut mixer = Mixer::default();
        values.iter().for_each(|value| mixer.write_u64(self.look(value)));
        mixer.finish()
    }

    /// A number for a value that does not depend on which copies it names: what it says of oneself,
    /// and of others what is known of them.
    fn look(&self, value: &Value) -> u64 {
        let mut mixer = Mixer::default();
        match value {
            Value::Tid(tid) if *tid == self.own => mixer.write_u64(u64::MAX),
            Value::Tid(tid) => {
                let other = (*tid as usize).checked_sub(1).map(|at| self.colours[at]);
                mixer.write_u64(other.unwrap_or(0));
            }
            // The order of elements depends on names, so that the sum is taken.
            Value::Set(all) => {
                mixer.write_u64(1);
                mixer.write_u64(all.iter().fold(0, |sum, one| sum.wrapping_add(self.look(one))));
            }
            Value::Map(default, entries) => {
                mixer.write_u64(default.as_ref().map_or(2, |value| self.look(value)));
                let sum = entries.iter().fold(0, |sum: u64, (key, value)| {
                    let mut pair = Mixer::default();
                    pair.write_u64(self.look(key));
                    pair.write_u64(self.look(value));
                    sum.wrapping_add(pair.finish())
                });
                mixer.write_u64(sum);
            }
            Value::Unset
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Variant(_)
            | Value::Opaque(_) => value.hash(&mut mixer),
        }
        mixer.finish()
    }
}

/// Whether a value names no thread.
pub(crate) fn is_anonymous(value: &Value) -> bool {
    match value {
        Value::Tid(tid) => *tid == 0,
        Value::Set(all) => all.iter().all(is_anonymous),
        Value::Map(default, entries) => {
            default.as_deref().is_none_or(is_anonymous)
                && entries.iter().all(|(key, value)| is_anonymous(key) && is_anonymous(value))
        }
        Value::Unset | Value::Bool(_) | Value::Int(_) | Value::Variant(_) | Value::Opaque(_) => {
            true
        }
    }
}

pub(crate) fn renamed(value: &Value, names: &Names) -> Value {
    match value {
        Value::Tid(0) => Value::Tid(0),
        Value::Tid(tid) => {
            let new = names[*tid as usize - 1] + 1;
            Value::Tid(source::number(new))
        }
        Value::Set(all) => Value::Set(all.iter().map(|one| renamed(one, names)).collect()),
        Value::Map(default, entries) => Value::Map(
            default.as_ref().map(|value| Box::new(renamed(value, names))),
            entries
                .iter()
                .map(|(key, value)| (renamed(key, names), renamed(value, names)))
                .collect(),
        ),
        Value::Unset | Value::Bool(_) | Value::Int(_) | Value::Variant(_) | Value::Opaque(_) => {
            value.clone()
        }
    }
}
