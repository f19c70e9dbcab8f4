//! Copies of the same thread are interchangeable: states that differ in their names only are alike.
//!
//! `Tid` is a scalarset (paper 5, section 4): on identifiers there is only equality, and an expression can name a single
//! thread or a whole family, but not one of several copies. So for every renaming that maps each family to itself, a
//! renamed run is a run, and a renamed state is at fault where the state is.

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
    /// A renaming to a state that is the same for most states of an orbit: threads are sorted by what can be said of them
    /// without naming copies, first of each alone and then with what that says of the others. Threads that look alike
    /// stay in their order, which may give several representatives for an orbit; that costs states, not soundness.
    pub(crate) fn order(&mut self, global: Global, locals: &[Local]) -> Vec<usize> {
        let count = locals.len();
        let names_nobody =
            self.names_nobody(global) && locals.iter().all(|&local| self.names_nobody_in(local));
        if names_nobody {
            // Equal numbers are equal states, so that the numbers can be sorted.
            return self.sorted(|thread| u64::from(locals[thread]), count);
        }
        // Single threads are known by their names, copies by that of their family.
        let mut colours: Vec<u64> =
            self.scope.threads.iter().map(|id| u64::from(id.0) + 1).collect();
        for _ in 0..2 {
            let one = |thread: usize| self.colour(global, locals[thread], thread, &colours);
            colours = (0..count).map(one).collect();
        }
        self.sorted(|thread| colours[thread], count)
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
        let (stacks, frames) = (&self.stacks, &self.frames);
        *self.anonymous_stacks[at].get_or_insert_with(|| {
            let mut rest = local;
            while rest != NONE {
                let &(frame, below) = stacks.get(rest);
                if !frames.get(frame).locals.iter().all(is_anonymous) {
                    return false;
                }
                rest = below;
            }
            true
        })
    }

    fn colour(&self, global: Global, local: Local, thread: usize, colours: &[u64]) -> u64 {
        let view = View { own: u32::try_from(thread + 1).unwrap_or(u32::MAX), colours };
        let mut mixer = Mixer::default();
        mixer.write_u64(colours[thread]);
        let mut rest = local;
        while rest != NONE {
            let &(frame, below) = self.stacks.get(rest);
            let frame = self.frames.get(frame);
            mixer.write_usize(frame.pc);
            frame.locals.iter().for_each(|value| mixer.write_u64(view.look(value)));
            rest = below;
        }
        self.stores.get(global).iter().for_each(|value| mixer.write_u64(view.look(value)));
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
        let store = self.stores.get(global).iter().map(|value| renamed(value, names)).collect();
        (self.stores.intern(store), result)
    }

    fn renamed_stack(&mut self, local: Local, names: &Names) -> Local {
        let mut frames = Vec::new();
        let mut rest = local;
        while rest != NONE {
            let &(frame, below) = self.stacks.get(rest);
            frames.push(frame);
            rest = below;
        }
        let mut stack = NONE;
        for frame in frames.into_iter().rev() {
            let Frame { pc, locals } = self.frames.get(frame);
            let locals = locals.iter().map(|value| renamed(value, names)).collect();
            let frame = Frame { pc: *pc, locals };
            let frame = self.frames.intern(frame);
            stack = self.stacks.intern((frame, stack));
        }
        stack
    }
}

impl View<'_> {
    /// A number for a value that does not depend on which copies it names: what it says of oneself, and of others what is
    /// known of them.
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
fn is_anonymous(value: &Value) -> bool {
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

fn renamed(value: &Value, names: &Names) -> Value {
    match value {
        Value::Tid(0) => Value::Tid(0),
        Value::Tid(tid) => {
            let new = names[*tid as usize - 1] + 1;
            Value::Tid(u32::try_from(new).unwrap_or(u32::MAX))
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
