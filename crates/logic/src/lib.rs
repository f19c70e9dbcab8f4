//! First-order terms: sorts, symbols, hash-consed terms, quantifiers with triggers, simplification,
//! SMT-LIB text.
//!
//! Terms live in a [`Terms`] store and are named by small ids; equal terms have equal ids.
//! Constructors simplify locally, so that a formula that is trivially true is `true`. This crate
//! knows no program and no solver process.
//!
//! ```
//! use logic::{Sort, Terms};
//! let mut terms = Terms::default();
//! let x = terms.symbol("x", Sort::Int);
//! let x = terms.constant(x);
//! let one = terms.int(1);
//! let sum = terms.add(vec![x, one]);
//! let less = terms.lt(x, sum);
//! assert_eq!(logic::print(&terms, less), "(< x (+ x 1))");
//! assert_eq!(terms.eq(x, x), terms.bool(true));
//! ```

mod build;
mod cells;
mod print;
mod script;
mod sort;
mod substitute;
mod term;
mod trigger;

pub use cells::{Cells, NotWritten};
pub use print::{print, symbol_text};
pub use script::Script;
pub use sort::{Sort, SortName};
pub use substitute::{free_symbols, substitute};
pub use term::{
    ArithmeticOp, Binder, Func, FuncInfo, Node, Quantifier, SetOp, Symbol, Term, Terms,
};
pub use trigger::find_triggers;
