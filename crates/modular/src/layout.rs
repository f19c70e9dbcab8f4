//! Which numbers stand for which threads.
//!
//! A `Tid` is a number: 0 is nobody, then each thread or family has a block of consecutive numbers, those of known size
//! first. A family of unknown size has symbolic bounds, so a formula is valid iff it is valid for every size: nothing
//! is said of how many copies there are, also not that there are infinitely many.

use logic::{Sort, Symbol, Term, Terms};
use plato::hir::{ConstId, Count, Program, ThreadId};

/// The blocks.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Per thread its first and last number.
    pub blocks: Vec<(Term, Term)>,
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
    size_of: &mut dyn FnMut(&mut Terms, ConstId) -> Term,
) -> Layout {
    let zero = terms.int(0);
    let mut out = Layout {
        blocks: vec![(zero, zero); program.threads.len()],
        last: zero,
        facts: Vec::new(),
        bounds: Vec::new(),
        total: Some(0),
    };
    let known = |count: Count| matches!(count, Count::One | Count::Copies(_));
    let all = || program.threads.iter().enumerate();
    let ordered =
        all().filter(|(_, t)| known(t.count)).chain(all().filter(|(_, t)| !known(t.count)));
    for (index, thread) in ordered {
        let one = terms.int(1);
        let low = terms.add(vec![out.last, one]);
        let high = match thread.count {
            Count::One => low,
            Count::Copies(count) => {
                let count = terms.int(i128::from(count));
                terms.add(vec![out.last, count])
            }
            Count::Symbolic(id) => {
                let size = size_of(terms, id);
                out.facts.push(terms.le(zero, size));
                out.symbolic_end(terms, thread.name.as_str(), |terms, last| {
                    terms.add(vec![last, size])
                })
            }
            Count::Any => out.symbolic_end(terms, thread.name.as_str(), |_, last| last),
        };
        out.total = match (thread.count, out.total) {
            (Count::One, Some(total)) => Some(total + 1),
            (Count::Copies(count), Some(total)) => total.checked_add(count),
            _ => None,
        };
        out.blocks[index] = (low, high);
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
    /// A symbol for the end of a block that is at least `least(end of the block before)`; exactly that for sizes with a
    /// name, which only the caller knows.
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

    /// That `tid` is one of the copies of `thread`.
    pub fn is_copy_of(&self, terms: &mut Terms, tid: Term, thread: ThreadId) -> Term {
        let (low, high) = self.blocks[thread.index()];
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
