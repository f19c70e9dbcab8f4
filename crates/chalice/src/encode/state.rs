//! States of the running thread, and the meaning of names in a formula.

use super::Encoder;
use super::sorts::{Place, reference, sort_of};
use super::task::{Shown, short_name};
use crate::hir::{Loc, LocalId, LocalKind, Type};
use logic::{Sort, Symbol, Term};
use std::collections::BTreeMap;

/// Everything that contracts speak about, as terms. The present state has the variables themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Per place its values.
    pub(crate) heap: BTreeMap<Place, Term>,
    /// Per place the permissions.
    pub(crate) mask: BTreeMap<Place, Mask>,
    /// The monitors held.
    pub(crate) held: Option<Term>,
    /// The monitors held for reading.
    pub(crate) rd_held: Option<Term>,
    /// Credits with channels.
    pub(crate) credits: Option<Term>,
    /// The state of the thread that joins this one, where `waitlevel` stands for what that one
    /// keeps others waiting at.
    pub(crate) joiner: Option<Box<Self>>,
}

/// Permissions to one place: hundredths, and infinitesimals if the program counts them (paper 3:
/// the pair `(p, n)`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask {
    pub(crate) parts: Term,
    pub(crate) epsilons: Option<Term>,
}

impl State {
    pub(crate) fn held(&self) -> Term {
        self.held.expect("internal error: a state without monitors")
    }

    pub(crate) fn rd_held(&self) -> Term {
        self.rd_held.expect("internal error: a state without monitors")
    }

    /// The state that says what `waitlevel` stands for.
    pub(crate) fn keeper(&self) -> &Self {
        self.joiner.as_deref().unwrap_or(self)
    }

    pub(crate) fn credits(&self) -> Term {
        self.credits.expect("internal error: a state without credits")
    }
}

/// The meaning of names in a formula.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    /// The state it is evaluated in.
    pub(crate) state: State,
    /// The state that `old` means.
    pub(crate) old: Option<Box<State>>,
    /// The receiver.
    pub(crate) this: Option<Term>,
    /// Parameters, locals and bound variables.
    pub(crate) locals: BTreeMap<LocalId, Term>,
    /// The value of the function.
    pub(crate) result: Option<Term>,
    /// What `rd` stands for.
    pub(crate) read: Option<Term>,
    /// Whether functions stand for their values without bringing in their definitions; so it is in
    /// definitions themselves.
    pub(crate) limited: bool,
    /// Whether volatile fields may be read without permission (see `volatile`).
    pub(crate) unframed: bool,
}

impl Env {
    /// The same names in the state that `old` means.
    pub(crate) fn in_old(&self) -> Self {
        let state = self.old.clone().map_or_else(|| self.state.clone(), |old| *old);
        Self { state, unframed: false, ..self.clone() }
    }
}

impl Encoder<'_> {
    /// Makes the variables of the present state.
    pub(crate) fn declare_state(&mut self) {
        for place in self.all_places() {
            let (key, value) = (self.key_sort(place), self.place_sort(place));
            let full = self.place_name(place);
            let name = short_name(&full, place);
            let heap = self.state_variable(&full, Sort::array(key.clone(), value));
            let ty = self.place_type(place);
            self.shown.insert(heap, Shown::Values { name: name.clone(), ty });
            let parts =
                self.state_variable(&format!("{full}%"), Sort::array(key.clone(), Sort::Real));
            self.shown.insert(parts, Shown::Permissions { name: name.clone() });
            let epsilons = self.counts_epsilons.then(|| {
                let symbol = self.state_variable(&format!("{full}%e"), Sort::array(key, Sort::Int));
                self.shown.insert(symbol, Shown::Epsilons { name });
                self.terms.constant(symbol)
            });
            let (heap, parts) = (self.terms.constant(heap), self.terms.constant(parts));
            self.now.heap.insert(place, heap);
            self.now.mask.insert(place, Mask { parts, epsilons });
        }
        let flags = Sort::array(reference(), Sort::Bool);
        let held = self.state_variable("held", flags.clone());
        let rd_held = self.state_variable("rdheld", flags);
        let credits = self.state_variable("credits", Sort::array(reference(), Sort::Int));
        self.shown.insert(held, Shown::Held);
        self.shown.insert(rd_held, Shown::RdHeld);
        self.shown.insert(credits, Shown::Credits);
        self.now.held = Some(self.terms.constant(held));
        self.now.rd_held = Some(self.terms.constant(rd_held));
        self.now.credits = Some(self.terms.constant(credits));
    }

    fn state_variable(&mut self, name: &str, sort: Sort) -> Symbol {
        let symbol = self.terms.symbol(name, sort);
        self.variables.insert(symbol);
        symbol
    }

    fn place_type(&self, place: Place) -> Option<Type> {
        match place {
            Place::Loc(Loc::Field(id)) => Some(self.program.fields[id.index()].ty.clone()),
            Place::Loc(Loc::Mu) => Some(Type::Mu),
            Place::Loc(Loc::Joinable) => Some(Type::Bool),
            Place::Predicate(_) => None,
        }
    }

    /// The variable behind a term of the present state.
    pub(crate) fn variable_of(&self, term: Term) -> Symbol {
        match self.terms.node(term) {
            logic::Node::Constant(symbol) => *symbol,
            _ => panic!("internal error: the present state is made of variables"),
        }
    }

    /// A copy of the present state, which stays the same. Copies cost nothing in the formulas.
    pub(crate) fn save(&mut self, stem: &str) -> State {
        let now = self.now.clone();
        let heap = now.heap.iter().map(|(&place, &term)| (place, self.copy(stem, term))).collect();
        let mask = self.save_masks(stem);
        State {
            heap,
            mask,
            held: Some(self.copy(stem, now.held())),
            rd_held: Some(self.copy(stem, now.rd_held())),
            credits: Some(self.copy(stem, now.credits())),
            joiner: None,
        }
    }

    /// A copy of the present permissions.
    pub(crate) fn save_masks(&mut self, stem: &str) -> BTreeMap<Place, Mask> {
        let masks = self.now.mask.clone();
        let copy = |encoder: &mut Self, mask: Mask| Mask {
            parts: encoder.copy(stem, mask.parts),
            epsilons: mask.epsilons.map(|epsilons| encoder.copy(stem, epsilons)),
        };
        masks.iter().map(|(&place, &mask)| (place, copy(self, mask))).collect()
    }

    fn copy(&mut self, stem: &str, term: Term) -> Term {
        let name = format!("{stem}:{}", logic::symbol_text(&self.terms, self.variable_of(term)));
        let sort = self.terms.sort(term).clone();
        let symbol = self.variable(&name, sort);
        self.assign(symbol, term);
        self.terms.constant(symbol)
    }

    /// Sets the present permissions.
    pub(crate) fn restore_masks(&mut self, masks: &BTreeMap<Place, Mask>) {
        for (place, mask) in masks {
            let now = self.now.mask[place];
            self.assign(self.variable_of(now.parts), mask.parts);
            if let (Some(epsilons), Some(saved)) = (now.epsilons, mask.epsilons) {
                self.assign(self.variable_of(epsilons), saved);
            }
        }
    }

    /// Drops all permissions and credits.
    pub(crate) fn drop_everything(&mut self) {
        let (none, zero) = (self.terms.real(0, 1), self.terms.int(0));
        for place in self.all_places() {
            let key = self.key_sort(place);
            let mask = self.now.mask[&place];
            let empty = self.terms.const_array(key.clone(), none);
            self.assign(self.variable_of(mask.parts), empty);
            if let Some(epsilons) = mask.epsilons {
                let empty = self.terms.const_array(key, zero);
                self.assign(self.variable_of(epsilons), empty);
            }
        }
        let credits = self.terms.const_array(reference(), zero);
        self.assign(self.variable_of(self.now.credits()), credits);
    }

    /// The heap at some moment that has a number: when a monitor was acquired, or a call forked.
    pub(crate) fn heap_at(&mut self, moment: Term) -> State {
        let mut state = self.now.clone();
        for place in self.all_places() {
            let sort = Sort::array(self.key_sort(place), self.place_sort(place));
            let name = format!("then:{}", self.place_name(place));
            let func = self.terms.func(&name, vec![Sort::Int], sort);
            state.heap.insert(place, self.terms.apply(func, vec![moment]));
        }
        state
    }

    /// A number for the present moment: the heap at that moment is the present one.
    pub(crate) fn moment(&mut self, stem: &str) -> Term {
        let moment = self.any(stem, Sort::Int);
        let then = self.heap_at(moment);
        for (place, value) in then.heap {
            let same = self.terms.eq(value, self.now.heap[&place]);
            self.assume(same);
        }
        moment
    }

    /// The symbol of a local.
    pub(crate) fn local(&mut self, id: LocalId) -> Symbol {
        let local = &self.locals[id.index()];
        let (name, sort) = (format!("{}@{}", local.name, id.0), sort_of(&local.ty));
        let symbol = self.terms.symbol(name, sort);
        if !self.shown.contains_key(&symbol) {
            self.variables.insert(symbol);
            let local = &self.locals[id.index()];
            let given = local.kind == LocalKind::Param;
            let shown = Shown::Local { name: local.name.to_string(), ty: local.ty.clone(), given };
            self.shown.insert(symbol, shown);
        }
        symbol
    }

    /// The variable that is true iff a constant has been assigned.
    pub(crate) fn assigned(&mut self, id: LocalId) -> Symbol {
        let name = format!("assigned:{}@{}", self.locals[id.index()].name, id.0);
        let symbol = self.terms.symbol(name, Sort::Bool);
        self.variables.insert(symbol);
        symbol
    }
}
