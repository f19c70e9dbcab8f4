//! How a system grows with its parameter: which indexes it is written with.
//!
//! Understood are loops from a number to `n` plus a number, one inside of the other only if the
//! number of iterations is fixed, and indexes `i + c`, `n + c`, `c` and the first two modulo `n`,
//! where `i` counts the iterations of such a loop and `c` is a number.

use crate::resolve::Numbers;
use crate::syntax::{Decl, Index, Number, Operator, Reference};
use source::Name;
use std::collections::BTreeSet;

/// What the indexes of a system are like.
pub(super) struct Shape {
    /// The largest number that is added in an index or an end of a loop.
    pub(super) spread: i64,
    /// The families whose members depend on the parameter.
    pub(super) growing: BTreeSet<Name>,
    /// The families that variables refer to as a whole.
    pub(super) whole: BTreeSet<Name>,
}

/// `counter * i + size * n + plus`, perhaps modulo `n`
#[derive(Clone, Copy)]
struct Form {
    counter: i64,
    size: i64,
    plus: i64,
    is_wrapped: bool,
}

impl Form {
    fn fixed(plus: i64) -> Self {
        Self { counter: 0, size: 0, plus, is_wrapped: false }
    }

    fn is_fixed(self) -> bool {
        self.counter == 0 && self.size == 0 && !self.is_wrapped
    }

    /// Whether it is at a fixed distance from the counter, from an end of the line, or goes round.
    fn is_understood(self) -> bool {
        match (self.counter, self.size) {
            (0 | 1, _) if self.is_wrapped => true,
            (0, 0 | 1) | (1, 0) => true,
            _ => false,
        }
    }
}

/// Limit on the iterations of a loop with a fixed number of them.
const MOST_ITERATIONS: i64 = 10_000;

/// The shape of a system with a parameter of any size.
///
/// # Errors
/// What is not understood.
pub(super) fn shape(decls: &[Decl], parameter: &Name, numbers: &Numbers) -> Result<Shape, String> {
    let size = Form { counter: 0, size: 1, plus: 0, is_wrapped: false };
    let mut values: Vec<(Name, Form)> =
        numbers.values().map(|(name, value)| (name.clone(), Form::fixed(value))).collect();
    values.push((parameter.clone(), size));
    let mut reader = Reader {
        parameter,
        values,
        is_counting: false,
        indexes: Vec::new(),
        ends: Vec::new(),
        shape: Shape { spread: 0, growing: BTreeSet::new(), whole: BTreeSet::new() },
    };
    reader.decls(decls)?;
    let Reader { indexes, ends, mut shape, .. } = reader;
    let of_growing = indexes.iter().filter(|(family, _)| shape.growing.contains(family));
    let all = of_growing.map(|(_, plus)| *plus).chain(ends);
    shape.spread = all.map(i64::abs).max().unwrap_or(0).max(1);
    Ok(shape)
}

struct Reader<'a> {
    parameter: &'a Name,
    /// What names stand for, the innermost last.
    values: Vec<(Name, Form)>,
    /// Whether this is inside of a loop that grows.
    is_counting: bool,
    indexes: Vec<(Name, i64)>,
    ends: Vec<i64>,
    shape: Shape,
}

impl Reader<'_> {
    fn decls(&mut self, decls: &[Decl]) -> Result<(), String> {
        for decl in decls {
            match decl {
                Decl::Unit(reference, _) => {
                    let form = self.reference(reference)?;
                    if form.is_some_and(|form| !form.is_fixed()) {
                        self.shape.growing.insert(reference.name.name.clone());
                    }
                }
                Decl::Binding { unit, values, .. } => {
                    self.reference(unit)?;
                    for value in values {
                        self.reference(value)?;
                        if matches!(value.index, Some(Index::All)) {
                            self.shape.whole.insert(value.name.name.clone());
                        }
                    }
                }
                Decl::For { name, from, to, body } => {
                    self.repeated(&name.name, (from, to), body)?;
                }
                Decl::Policies(_) | Decl::Property(_) => {}
            }
        }
        Ok(())
    }

    fn repeated(
        &mut self,
        name: &Name,
        (from, to): (&Number, &Number),
        body: &[Decl],
    ) -> Result<(), String> {
        let (from, to) = (self.form(from)?, self.form(to)?);
        let is_end = |form: Form| form.counter == 0 && !form.is_wrapped && form.is_understood();
        if !is_end(from) || !is_end(to) || from.size > to.size {
            return Err(format!(
                "loops over other ranges than from a number to `{}`",
                self.parameter
            ));
        }
        if from.size == to.size {
            if to.plus - from.plus > MOST_ITERATIONS {
                return Err(format!("loops with more than {MOST_ITERATIONS} iterations"));
            }
            for plus in from.plus..to.plus {
                self.bound(name, Form { plus, ..from }, body)?;
            }
            return Ok(());
        }
        if std::mem::replace(&mut self.is_counting, true) {
            return Err(format!("a loop to `{}` inside of another one", self.parameter));
        }
        self.ends.extend([from.plus, to.plus]);
        let counter = Form { counter: 1, size: 0, plus: 0, is_wrapped: false };
        self.bound(name, counter, body)?;
        self.is_counting = false;
        Ok(())
    }

    fn bound(&mut self, name: &Name, form: Form, body: &[Decl]) -> Result<(), String> {
        self.values.push((name.clone(), form));
        let read = self.decls(body);
        self.values.pop();
        read
    }

    /// The index of a reference to one member of a family.
    fn reference(&mut self, reference: &Reference) -> Result<Option<Form>, String> {
        let Some(Index::Number(number)) = &reference.index else { return Ok(None) };
        let form = self.form(number)?;
        if !form.is_understood() {
            let family = &reference.name.name;
            return Err(format!("this index of `{family}` for any `{}`", self.parameter));
        }
        self.indexes.push((reference.name.name.clone(), form.plus));
        Ok(Some(form))
    }

    fn form(&self, number: &Number) -> Result<Form, String> {
        let unclear = || Err(format!("this arithmetic for any `{}`", self.parameter));
        match number {
            Number::Literal(value, _) => Ok(Form::fixed(*value)),
            Number::Name(ident) => {
                let found = self.values.iter().rev().find(|(name, _)| *name == ident.name);
                found.map_or_else(unclear, |(_, form)| Ok(*form))
            }
            Number::Binary(both, operator, _) => {
                let (left, right) = (self.form(&both[0])?, self.form(&both[1])?);
                computed(left, *operator, right).map_or_else(unclear, Ok)
            }
        }
    }
}

/// Nothing if the result is not of this form.
fn computed(left: Form, operator: Operator, right: Form) -> Option<Form> {
    if left.is_wrapped || right.is_wrapped {
        return None;
    }
    let each = |with: fn(i64, i64) -> Option<i64>| {
        Some(Form {
            counter: with(left.counter, right.counter)?,
            size: with(left.size, right.size)?,
            plus: with(left.plus, right.plus)?,
            is_wrapped: false,
        })
    };
    match operator {
        Operator::Add => each(i64::checked_add),
        Operator::Subtract => each(i64::checked_sub),
        Operator::Multiply => {
            let (by, other) = if left.is_fixed() { (left.plus, right) } else { (right.plus, left) };
            if !left.is_fixed() && !right.is_fixed() {
                return None;
            }
            Some(Form {
                counter: other.counter.checked_mul(by)?,
                size: other.size.checked_mul(by)?,
                plus: other.plus.checked_mul(by)?,
                is_wrapped: false,
            })
        }
        Operator::Modulo if left.is_fixed() && right.is_fixed() => {
            left.plus.checked_rem_euclid(right.plus).map(Form::fixed)
        }
        // Only by the parameter itself, so that whole rounds do not matter.
        Operator::Modulo if (right.counter, right.size, right.plus) == (0, 1, 0) => {
            Some(Form { size: 0, is_wrapped: true, ..left })
        }
        Operator::Modulo => None,
    }
}
