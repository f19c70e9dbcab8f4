//! Which bits stand for what. A state of one thread is its identifier, the shared store, its place in the code and its local
//! variables; a step has the latter three twice.

use super::bits::{Built, Constants, Function, Number, signed_width, unsupported};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::{BooleanFunction, Manager, ManagerRef};
use plato::hir::{Program, Ty};

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
    /// Local state of another thread, for error sets.
    Other,
}

/// All variables.
pub(crate) struct Space {
    pub(crate) manager: BCDDManagerRef,
    pub(crate) constants: Constants,
    /// The identifier of the thread, and of another one.
    pub(crate) tid: [Number; 2],
    /// Numbers of the variables of both.
    pub(crate) tid_bits: [Vec<u32>; 2],
    /// Per slot, copy and bit the number of its variable. First the shared slots, then the place, then local ones.
    numbers: Vec<[Vec<u32>; 3]>,
    slots: Vec<Slot>,
    pub(crate) shared: usize,
    /// How many threads there are.
    pub(crate) threads: u64,
    /// How many variables there are.
    pub(crate) variables: u32,
}

/// At most so many slots: elements of maps are slots of their own.
const MAX_SLOTS: usize = 400;
const NODES: usize = 1 << 21;
const CACHE: usize = 1 << 17;

impl Space {
    pub(crate) fn new(
        program: &Program,
        threads: u64,
        places: usize,
        locals: &[Ty],
    ) -> Built<Self> {
        let tid_width = signed_width(i128::from(threads));
        let mut slots = Vec::new();
        for global in &program.globals {
            add_slots(program, &global.ty, tid_width, &mut slots)?;
        }
        let shared = slots.len();
        let place = i128::try_from(places).unwrap_or(i128::MAX);
        slots.push(Slot { width: signed_width(place), is_truth: false, is_thread: false });
        for ty in locals {
            add_slots(program, ty, tid_width, &mut slots)?;
        }
        if slots.len() > MAX_SLOTS {
            return unsupported("very many variables");
        }
        let (tid_bits, numbers, count) = numbered(&slots, tid_width);
        let manager = new_manager(NODES, CACHE, 1);
        let variables: Vec<Function> = manager.with_manager_exclusive(|manager| {
            manager.add_vars(count);
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

    pub(crate) fn variable(&self, number: u32) -> Built<Function> {
        Ok(self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, number))?)
    }

    /// The conjunction of variables, as quantification wants them.
    pub(crate) fn cube(&self, bits: impl IntoIterator<Item = u32>) -> Built<Function> {
        let mut cube = self.constants.yes.clone();
        for bit in bits {
            cube = cube.and(&self.variable(bit)?)?;
        }
        Ok(cube)
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

/// How many slots a variable of the type has.
pub(crate) fn slots_of(ty: &Ty) -> usize {
    match ty {
        Ty::Map(key, value) => match **key {
            Ty::Range(low, high) => usize::try_from(high - low + 1).unwrap_or(0) * slots_of(value),
            _ => 0,
        },
        _ => 1,
    }
}

/// The numbers of the bits of both identifiers, of all copies of all slots, and how many there are.
type Numbering = ([Vec<u32>; 2], Vec<[Vec<u32>; 3]>, u32);

/// Numbers for all bits. The bits of thread identifiers are interleaved with each other, highest first, because they are
/// compared; the copies of every other slot are interleaved too.
fn numbered(slots: &[Slot], tid: usize) -> Numbering {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let mut tids = [vec![0; tid], vec![0; tid]];
    let mut numbers: Vec<[Vec<u32>; 3]> =
        slots.iter().map(|slot| [(); 3].map(|()| vec![0; slot.width])).collect();
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
