//! The Plato language (papers 1 and 2): text to syntax tree to typed program, and back to text.
//!
//! Three passes, each a function: [`parse`] gives the tree of any text, however broken, and reports
//! the errors; [`resolve`] gives every name its meaning and every expression its type; [`print()`]
//! gives a tree's text in one fixed layout. None of them panics, and none overflows the stack:
//! nesting beyond a limit is refused.
//!
//! ```
//! let text = "
//!     var x: int = 1;
//!     mutex m;
//!     rely m == tid ==> m' == m && x' == x;
//!     thread Worker[2] { acquire m; x := x + 1; assert x > 0; release m; }
//! ";
//! let mut sources = source::SourceMap::default();
//! let file = sources.add("count.plato", text);
//!
//! let (tree, faults) = plato::parse(file, text);
//! assert!(faults.is_empty());
//! let resolved = plato::resolve(&tree, &[]);
//! assert!(resolved.diagnostics.is_empty());
//! assert_eq!(resolved.program.threads[0].count, plato::hir::Count::Copies(2));
//! assert_eq!(resolved.program.inits.len(), 2); // x == 1, m == 0
//!
//! assert!(plato::print(&tree).starts_with("var x: int = 1;\nmutex m;\n"));
//! ```
//!
//! This crate knows nothing of logic, solvers or engines; they start from [`hir::Program`].

pub mod ast;
#[expect(missing_docs, reason = "they are what their names say")]
pub mod build;
mod exposed;
pub mod hir;
mod lexer;
mod mentions;
mod outline;
mod parser;
mod printer;
mod resolve;

pub use outline::outline;
pub use parser::parse;
pub use printer::print;
pub use resolve::{Resolved, resolve};
