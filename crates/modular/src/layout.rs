//! Which numbers stand for which threads.
//!
//! A `Tid` is a number: 0 is nobody, then each thread or family has a block of consecutive numbers,
//! those of known size first. A family of unknown size has symbolic bounds, so a formula is valid
//! iff it is valid for every size: nothing is said of how many copies there are, also not that
//! there are infinitely many.

use logic::{Sort, Symbol, Term, Terms};
use plato::hir::{ConstId, Count, EnumId, Opaque, Program, ThreadId, Ty};
use source::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of the threads of a program before any task: found once and shared by all tasks,
/// since there may be as many of these as threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// Per thread its name, and whether it is a family.
    pub names: Vec<(Name, bool)>,
    /// Per thread of known size its first and last number.
    known: Vec<Option<(u64, u64)>>,
    /// The last of these numbers.
    last: u64,
    /// Names of the variants of each enumeration.
    pub enums: Vec<Vec<Name>>,
    /// The names of the uninterpreted types.
    pub opaques: Vec<Name>,
    /// How many values each of them has, where that is known.
    pub sizes: Vec<Option<u32>>,
    /// The constant map that names the values of each of them, and the enumeration that it is to.
    pub namings: Vec<Option<(Name, EnumId)>>,
}

impl Roll {
    /// The name of the thread of known size with this number.
    pub(crate) fn name_of(&self, number: u64) -> Option<String> {
        let holds = |(low, high): (u64, u64)| (low..=high).contains(&number);
        let at = self.known.iter().position(|block| block.is_some_and(holds))?;
        let (low, _) = self.known[at]?;
        Some(self.name_in(at, number - low + 1))
    }

    /// The name of a copy, numbered from 1, of the thread at a position.
    pub(crate) fn name_in(&self, at: usize, copy: u64) -> String {
        match &self.names[at] {
            (name, true) => format!("{name}#{copy}"),
            (name, false) => name.to_string(),
        }
    }

    /// The threads of a program.
    pub fn of(program: &Program) -> Arc<Self> {
        let mut last: u64 = 0;
        let mut known = Vec::new();
        for thread in &program.threads {
            let size = match thread.count {
                Count::One => Some(1),
                Count::Copies(count) => Some(count),
                Count::Symbolic(_) | Count::Any => None,
            };
            known.push(size.map(|size| (last + 1, last.saturating_add(size))));
            last = last.saturating_add(size.unwrap_or(0));
        }
        let names = program.threads.iter().map(|one| (one.name.clone(), one.count != Count::One));
        let names = names.collect();
        let enums = program.enums.iter().map(|info| info.variants.clone()).collect();
        let opaques = program.opaques.iter().map(|info| info.name.clone()).collect();
        let sizes = program.opaques.iter().map(|info| info.size).collect();
        let naming = |info: &Opaque| {
            let constant = &program.consts[info.naming?.index()];
            match &constant.ty {
                Ty::Map(_, inner) => match **inner {
                    Ty::Enum(id) => Some((constant.name.clone(), id)),
                    _ => None,
                },
                _ => None,
            }
        };
        let namings = program.opaques.iter().map(naming).collect();
        Arc::new(Self { names, known, last, enums, opaques, sizes, namings })
    }
}

/// The blocks.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The threads, with the blocks of those of known size.
    pub roll: Arc<Roll>,
    /// The first and last number of each thread of unknown size.
    pub symbolic: BTreeMap<ThreadId, (Term, Term)>,
    /// The largest number in use.
    pub last: Term,
    /// True of the symbolic bounds.
    pub facts: Vec<Term>,
    /// The symbolic bounds.
    pub bounds: Vec<Symbol>,
    /// The number of threads, if it is known.
    pub total: Option<u64>,
}

/// Lays the threads out; `size_of` gives the term of a constant without value.
pub(crate) fn layout(
    terms: &mut Terms,
    program: &Program,
    roll: Arc<Roll>,
    size_of: &mut dyn FnMut(&mut Terms, ConstId) -> Term,
) -> Layout {
    let zero = terms.int(0);
    let last = terms.int(i128::from(roll.last));
    let total = Some(roll.last);
    let (symbolic, facts, bounds) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut out = Layout { roll, symbolic, last, facts, bounds, total };
    for (id, thread) in program.thread_ids().zip(&program.threads) {
        if matches!(thread.count, Count::One | Count::Copies(_)) {
            continue;
        }
        let one = terms.int(1);
        let low = terms.add(vec![out.last, one]);
        let high = match thread.count {
            Count::Symbolic(id) => {
                let size = size_of(terms, id);
                out.facts.push(terms.le(zero, size));
                out.symbolic_end(terms, thread.name.as_str(), |terms, last| {
                    terms.add(vec![last, size])
                })
            }
            _ => out.symbolic_end(terms, thread.name.as_str(), |_, last| last),
        };
        out.total = None;
        out.symbolic.insert(id, (low, high));
        out.last = high;
    }
    if program.threads.is_empty() {
        // Procedures alone are verified for any threads that might call them.
        out.last = out.symbolic_end(terms, "threads", |_, last| last);
        out.total = None;
    }
    out
}

impl Layout {
    /// A symbol for the end of a block that is at least `least(end of the block before)`; exactly
    /// that for sizes with a name, which only the caller knows.
    fn symbolic_end(
        &mut self,
        terms: &mut Terms,
        name: &str,
        least: impl FnOnce(&mut Terms, Term) -> Term,
    ) -> Term {
        let symbol = terms.symbol(format!("end of {name}@threads"), Sort::Int);
        let end = terms.constant(symbol);
        let least_end = least(terms, self.last);
        let fact = if least_end == self.last {
            terms.le(self.last, end)
        } else {
            terms.eq(end, least_end)
        };
        self.facts.push(fact);
        self.bounds.push(symbol);
        end
    }

    /// The first and the last number of a thread.
    pub fn block(&self, terms: &mut Terms, thread: ThreadId) -> (Term, Term) {
        match self.roll.known[thread.index()] {
            Some((low, high)) => (terms.int(i128::from(low)), terms.int(i128::from(high))),
            None => self.symbolic[&thread],
        }
    }

    /// That `tid` is one of the copies of `thread`.
    pub fn is_copy_of(&self, terms: &mut Terms, tid: Term, thread: ThreadId) -> Term {
        let (low, high) = self.block(terms, thread);
        between(terms, low, tid, high)
    }

    /// That `tid` is a thread, not nobody.
    pub fn is_thread(&self, terms: &mut Terms, tid: Term) -> Term {
        let one = terms.int(1);
        between(terms, one, tid, self.last)
    }
}

/// `low <= term <= high`.
pub(crate) fn between(terms: &mut Terms, low: Term, term: Term, high: Term) -> Term {
    if low == high {
        return terms.eq(term, low);
    }
    let above = terms.le(low, term);
    let below = terms.le(term, high);
    terms.and(vec![above, below])
}
