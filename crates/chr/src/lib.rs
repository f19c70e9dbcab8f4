//! Constraint handling rules: a store of facts, and rules that rewrite it until none applies. This
//! crate knows nothing of threads.
//!
//! # Rules
//!
//! ```text
//! constraints leq/2 set.
//! reflexive  @ leq(X, X) <=> true.                  % simplification: removes heads, adds body
//! transitive @ leq(X, Y), leq(Y, Z) ==> leq(X, Z).  % propagation: keeps heads, adds body
//! idempotent @ leq(X, Y) \ leq(X, Y) <=> true.      % simpagation: keeps heads before `\`
//! guarded    @ leq(X, Y) <=> X > Y | fail.          % a guard stands before `|`
//! ```
//!
//! Constraints hold constants only, names and integers: the rules are ground, and a guard never
//! becomes true later. A name that begins with an upper-case letter, or `_`, is a variable. A body
//! lists constraints to post, `true`, `fail` and `(body ; body)`, in which the second body is taken
//! if and only if the first fails; once the first is done, the choice is final. Values can be
//! computed with `+ - *` and `mod`, and compared with `== != < <= > >=`; a comparison of order
//! between values that are not integers is false, and so is one whose value does not exist.
//!
//! A constraint declared with `set` is in the store at most once. One declared with `key n` is
//! determined by its first n arguments: posting it with the same key and other arguments fails.
//!
//! # Meaning
//!
//! The refined operational semantics of Duck, Stuckey, Garcia de la Banda and Holzbaur (2004), for
//! ground constraints:
//!
//! 1. A posted constraint enters the store and becomes *active*. The occurrences of its predicate
//!    in the heads of rules are tried in the order of the text.
//! 2. At an occurrence, the engine looks for *partners* for the other heads, pairwise different.
//!    Heads with more known arguments come first, of equals the first in the text; of the
//!    constraints that match, the oldest comes first.
//! 3. If partners are found and the guard is true, the rule fires: the heads to be removed leave
//!    the store, and the body is run from left to right. Each constraint posted there becomes
//!    active and is finished before the next goal.
//! 4. Afterwards the active constraint goes on with the next partners, and then with the next
//!    occurrence, unless it was removed.
//! 5. If a goal fails, everything is undone up to the innermost choice that is still open, and its
//!    other body is run. Without a choice, posting fails as a whole and leaves the store as it was.
//!
//! No rule fires twice on the same constraints. Other engines keep a history of firings for that;
//! this one uses age: *partners are older than the active constraint*. Let `c` be the youngest
//! constraint of some combination. Before `c` was posted the combination did not exist. While `c`
//! was active, the engine met it exactly once, at the occurrence of `c` in it, since the search for
//! partners never goes back. When an older constraint of it is active again, then `c` is finished
//! (it was run above it), and since guards do not change, a rule that did not fire then does not
//! fire now. So nothing is lost and nothing is done twice. The tests compare this engine with a
//! naive one that keeps the history and starts every search anew.
//!
//! ```
//! use chr::{Outcome, Program, Store};
//!
//! let program = Program::parse("
//!     constraints prime/1 set, candidate/1.
//!     sieve @ prime(I) \\ prime(J) <=> J mod I == 0 | true.
//!     next  @ candidate(N) <=> N > 1 | M is N - 1, candidate(M), prime(N).
//! ").unwrap();
//! let mut store = Store::new(&program);
//! let n = store.integer(20);
//! assert_eq!(store.post(program.named("candidate").unwrap(), &[n]), Outcome::Done);
//! assert_eq!(store.show("prime"), ["prime(2)", "prime(3)", "prime(5)", "prime(7)",
//!     "prime(11)", "prime(13)", "prime(17)", "prime(19)"]);
//! ```
//!
//! From Rust, programs are made with [`Builder`].

mod build;
mod constant;
mod engine;
mod lexer;
mod matching;
mod parser;
mod plan;
mod program;
mod store;

pub use build::{Builder, Heads, var};
pub use constant::{Constant, Symbol};
pub use engine::Outcome;
pub use parser::{ParseError, Place};
pub use program::{
    Atom, Compare, Comparison, Expr, Goal, Kind, Predicate, Program, Rule, Variable,
};
pub use store::{Mark, Store};
