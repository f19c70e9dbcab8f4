//! Variables that hold a value while a statement is translated.
//!
//! The statements of a block use the same ones again and again: a thread's local state has as many
//! parts as its function has variables, so a long function would otherwise need memory that grows
//! with the square of its length.

use super::body::Body;
use crate::build;
use plato::ast;
use source::Span;

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Truth,
}

/// The variables of a block.
#[derive(Default)]
pub(super) struct Temporaries {
    numbers: Pool,
    truths: Pool,
}

#[derive(Default)]
struct Pool {
    names: Vec<String>,
    /// The number of them that the statement uses so far.
    used: usize,
}

impl Temporaries {
    /// Frees the variables of the last statement for the next.
    pub(super) fn free(&mut self) {
        self.numbers.used = 0;
        self.truths.used = 0;
    }

    /// The numbers of variables of each kind.
    pub(super) fn declared(&self) -> (usize, usize) {
        (self.numbers.names.len(), self.truths.names.len())
    }

    /// Forgets all but the first ones: their declarations were taken back.
    pub(super) fn forget(&mut self, (numbers, truths): (usize, usize)) {
        self.numbers.names.truncate(numbers);
        self.truths.names.truncate(truths);
    }

    fn pool(&mut self, kind: Kind) -> &mut Pool {
        match kind {
            Kind::Number => &mut self.numbers,
            Kind::Truth => &mut self.truths,
        }
    }
}

impl Body<'_, '_> {
    /// A variable that keeps a value to the end of the statement.
    pub(super) fn temporary(&mut self, kind: Kind, value: ast::Source, span: Span) -> String {
        let pool = self.temporaries.pool(kind);
        if let Some(name) = pool.names.get(pool.used).cloned() {
            pool.used += 1;
            let place = build::place(&name, Vec::new(), span);
            self.out.push(build::stmt(ast::StmtKind::Assign(vec![place], value), span));
            return name;
        }
        let name = self.fresh("read");
        let pool = self.temporaries.pool(kind);
        pool.names.push(name.clone());
        pool.used += 1;
        let ty = match kind {
            Kind::Number => ast::TypeKind::Int,
            Kind::Truth => ast::TypeKind::Bool,
        };
        self.out.push(build::local(&name, build::ty(ty, span), Some(value), span));
        name
    }
}
