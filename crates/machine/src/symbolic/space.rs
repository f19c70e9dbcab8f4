//! Which bits stand for what. A state of one thread is its identifier, the shared store, its place
//! in the code and its local variables; a step has the latter three twice, and a path through a
//! procedure has them at its start too.

use super::bits::{Built, Constants, Function, Number, signed_width, unsupported};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::{BooleanFunction, Manager, ManagerRef};
use plato::hir::{Program, Ty};
use std::cell::RefCell;
use std::ops::Range;

/// A value of the program as functions.
#[derive(Clone)]
pub(crate) enum Value {
    Truth(Function),
    /// Numbers, variants of enumerations, thread identifiers.
    Number(Number),
    /// An element per key, in order.
    Map(i128, Vec<Value>),
}

/// The bits of one variable, or of one element of a map.
#[derive(Clone, Debug)]
struct Slot {
    width: usize,
    is_truth: bool,
    is_thread: bool,
}

/// One of the copies of the state's variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copy {
    Now,
    Next,
    /// Local state of another thread, for error sets; with stacks also the frame of a caller.
    Other,
    /// With stacks: where the procedure started.
    Start,
    /// With stacks: where the procedure of the caller started.
    Outer,
}

/// Limits on copies, without stacks and with them.
const COPIES: [usize; 2] = [3, 5];

/// The local variables of one body, and the slots that they take, in order. Bodies share slots;
/// those that a body does not take are zero while it runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals {
    pub(crate) types: Vec<Ty>,
    pub(crate) slots: Vec<usize>,
}

/// All variables.
pub(crate) struct Space {
    pub(crate) manager: BCDDManagerRef,
    pub(crate) constants: Constants,
    /// The identifier of the thread, and of another one.
    pub(crate) tid: [Number; 2],
    /// Numbers of the variables of both.
    pub(crate) tid_bits: [Vec<u32>; 2],
    /// Per slot, copy and bit the number of its variable. First the shared slots, then the place,
    /// then local ones.
    numbers: Vec<Vec<Vec<u32>>>,
    slots: Vec<Slot>,
    /// Per body, in the order in which they were given.
    pub(crate) locals: Vec<Locals>,
    pub(crate) shared: usize,
    /// How many threads there are.
    pub(crate) threads: u64,
    /// How many variables there are.
    pub(crate) variables: u32,
}

/// Limit on slots: elements of maps are slots of their own.
const MAX_SLOTS: usize = 400;
const NODES: usize = 1 << 21;
const CACHE: usize = 1 << 17;

impl Space {
    pub(crate) fn new(
        program: &Program,
        threads: u64,
        places: usize,
        (bodies, stacks): (&[Vec<Ty>], bool),
    ) -> Built<Self> {
        let tid_width = signed_width(i128::from(threads));
        let mut slots = Vec::new();
        for global in &program.globals {
            add_slots(program, &global.ty, tid_width, &mut slots)?;
        }
        let shared = slots.len();
        let place = i128::try_from(places).unwrap_or(i128::MAX);
        slots.push(Slot { width: signed_width(place), is_truth: false, is_thread: false });
        let mut locals = Vec::new();
        for types in bodies {
            locals.push(add_locals(program, types, tid_width, &mut slots, shared + 1)?);
        }
        if slots.len() > MAX_SLOTS {
            return unsupported("very many variables");
        }
        let (tid_bits, numbers, count) = numbered(&slots, tid_width, COPIES[usize::from(stacks)]);
        let manager = take_manager();
        let variables: Vec<Function> = manager.with_manager_exclusive(|manager| {
            manager.add_vars(count.saturating_sub(manager.num_vars()));
            (0..count).map(|number| BCDDFunction::var(manager, number)).collect::<Result<_, _>>()
        })?;
        let constants = manager.with_manager_shared(|manager| Constants {
            yes: BCDDFunction::t(manager),
            no: BCDDFunction::f(manager),
        });
        let functions = |bits: &Vec<u32>| -> Number {
            bits.iter().map(|&bit| variables[bit as usize].clone()).collect()
        };
        let tid = [functions(&tid_bits[0]), functions(&tid_bits[1])];
        Ok(Self {
            manager,
            constants,
            tid,
            tid_bits,
            numbers,
            slots,
            locals,
            shared,
            threads,
            variables: count,
        })
    }

    /// The variables of a slot.
    pub(crate) fn bits(&self, slot: usize, copy: Copy) -> &[u32] {
        &self.numbers[slot][copy as usize]
    }

    pub(crate) fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The slots of the shared store.
    pub(crate) fn shared_slots(&self) -> Range<usize> {
        0..self.shared
    }

    /// The slots of the place and of the local variables.
    pub(crate) fn private_slots(&self) -> Range<usize> {
        self.shared..self.slots.len()
    }

    /// The variables of slots, one after the other.
    pub(crate) fn bits_of(&self, slots: Range<usize>, copy: Copy) -> Vec<u32> {
        slots.flat_map(|slot| self.bits(slot, copy).to_vec()).collect()
    }

    /// All variables of a copy.
    pub(crate) fn all_bits(&self, copy: Copy) -> Vec<u32> {
        self.bits_of(0..self.slot_count(), copy)
    }

    /// The copies that there are.
    pub(crate) fn copies(&self) -> impl Iterator<Item = Copy> + use<> {
        let count = self.numbers.first().map_or(0, Vec::len);
        [Copy::Now, Copy::Next, Copy::Other, Copy::Start, Copy::Outer].into_iter().take(count)
    }

    pub(crate) fn variable(&self, number: u32) -> Built<Function> {
        Ok(self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, number))?)
    }

    /// The conjunction of variables, as quantification wants them.
    pub(crate) fn cube(&self, bits: impl IntoIterator<Item = u32>) -> Built<Function> {
        let mut cube = self.constants.yes.clone();
        for bit in from_the_last(bits) {
            cube = cube.and(&self.variable(bit)?)?;
        }
        Ok(cube)
    }

    /// That all these variables are zero.
    pub(crate) fn zero(&self, bits: impl IntoIterator<Item = u32>) -> Built<Function> {
        let mut zero = self.constants.yes.clone();
        for bit in from_the_last(bits) {
            zero = zero.and(&self.variable(bit)?.not()?)?;
        }
        Ok(zero)
    }

    /// What a slot holds.
    pub(crate) fn slot(&self, slot: usize, copy: Copy) -> Built<Value> {
        let mut bits = Vec::new();
        for &bit in self.bits(slot, copy) {
            bits.push(self.variable(bit)?);
        }
        Ok(match bits.as_slice() {
            [only] if self.slots[slot].is_truth => Value::Truth(only.clone()),
            _ => Value::Number(bits),
        })
    }
}

thread_local! {
    /// The manager of the last search in this thread. A manager has threads of its own, and one
    /// that lives for a moment only may miss the signal to end them: they would stay, and its
    /// memory with them.
    static KEPT: RefCell<Option<BCDDManagerRef>> = const { RefCell::new(None) };
}

/// The manager of an earlier search, without its functions, or a new one.
fn take_manager() -> BCDDManagerRef {
    let Some(manager) = KEPT.take() else { return new_manager(NODES, CACHE, 1) };
    manager.with_manager_shared(|manager| manager.gc());
    manager
}

impl Drop for Space {
    fn drop(&mut self) {
        // A thread that ends has no such place any more, and needs none.
        let _ = KEPT.try_with(|kept| kept.replace(Some(self.manager.clone())));
    }
}

/// Conjunctions are built from the last variable on, so that each part is used as it is.
pub(crate) fn from_the_last<T: Ord>(bits: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = bits.into_iter().collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    all
}

/// The slots of a variable; how many they are.
fn add_slots(program: &Program, ty: &Ty, tid: usize, slots: &mut Vec<Slot>) -> Built<()> {
    let number = |width| Slot { width, is_truth: false, is_thread: false };
    match ty {
        Ty::Bool => slots.push(Slot { width: 1, is_truth: true, is_thread: false }),
        Ty::Range(low, high) => slots.push(number(signed_width(*low).max(signed_width(*high)))),
        Ty::Enum(id) => {
            let last = program.enums[id.index()].variants.len();
            slots.push(number(signed_width(i128::try_from(last).unwrap_or(i128::MAX))));
        }
        Ty::Tid => slots.push(Slot { width: tid, is_truth: false, is_thread: true }),
        Ty::Map(key, value) => {
            let Ty::Range(low, high) = **key else { return unsupported("a map from other keys") };
            for _ in low..=high {
                add_slots(program, value, tid, slots)?;
                if slots.len() > MAX_SLOTS {
                    return unsupported("very many variables");
                }
            }
        }
        Ty::Int | Ty::Opaque(_) | Ty::Set(_) => {
            return unsupported("a variable that is not made of finite numbers");
        }
    }
    Ok(())
}

/// Slots for the local variables of a body: those of other bodies, and new ones if they are not
/// enough. A number may take a slot that is wider than it needs.
fn add_locals(
    program: &Program,
    types: &[Ty],
    tid: usize,
    slots: &mut Vec<Slot>,
    first: usize,
) -> Built<Locals> {
    let mut needed = Vec::new();
    for ty in types {
        add_slots(program, ty, tid, &mut needed)?;
    }
    let mut locals = Locals { types: types.to_vec(), slots: Vec::new() };
    for need in needed {
        let fits = |slot: &Slot| (slot.is_truth, slot.is_thread) == (need.is_truth, need.is_thread);
        let free = (first..slots.len()).find(|at| fits(&slots[*at]) && !locals.slots.contains(at));
        let at = free.unwrap_or(slots.len());
        match slots.get_mut(at) {
            Some(slot) => slot.width = slot.width.max(need.width),
            None => slots.push(need),
        }
        locals.slots.push(at);
    }
    Ok(locals)
}

/// The numbers of the bits of both identifiers, of all copies of all slots, and how many there are.
type Numbering = ([Vec<u32>; 2], Vec<Vec<Vec<u32>>>, u32);

/// Numbers for all bits. The bits of thread identifiers are interleaved with each other, highest
/// first, because they are compared; the copies of every other slot are interleaved too.
fn numbered(slots: &[Slot], tid: usize, copies: usize) -> Numbering {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let mut tids = [vec![0; tid], vec![0; tid]];
    let mut numbers: Vec<Vec<Vec<u32>>> =
        slots.iter().map(|slot| vec![vec![0; slot.width]; copies]).collect();
    let place = |slot: &Slot| !slot.is_thread;
    for (at, slot) in slots.iter().enumerate().filter(|(_, slot)| place(slot)) {
        for bit in (0..slot.width).rev() {
            for copy in &mut numbers[at] {
                copy[bit] = fresh();
            }
        }
    }
    for bit in (0..tid).rev() {
        tids.iter_mut().for_each(|bits| bits[bit] = fresh());
        for (at, _) in slots.iter().enumerate().filter(|(_, slot)| slot.is_thread) {
            for copy in &mut numbers[at] {
                copy[bit] = fresh();
            }
        }
    }
    (tids, numbers, next)
}
