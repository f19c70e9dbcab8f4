//! Numbers that are known when a system is made.

use super::unknown;
use crate::syntax::{Number, Operator, Parameter};
use diagnostic::{Code, Diagnostic};
use source::Name;

/// The values of parameters and of loop variables.
pub(crate) struct Numbers {
    values: Vec<(Name, i64)>,
}

impl Numbers {
    /// The parameters with their values; a value that the user defines replaces the one in the
    /// text.
    pub(crate) fn new(
        parameters: &[Parameter],
        definitions: &[(String, String)],
        used: &mut Vec<String>,
        faults: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut values: Vec<(Name, i64)> = Vec::new();
        for Parameter { name: ident, value, is_any } in parameters {
            if values.iter().any(|(name, _)| *name == ident.name) {
                faults.push(super::duplicate(ident, "parameter"));
            }
            let defined = definitions.iter().rev().find(|(name, _)| name == ident.name.as_str());
            let value = match defined {
                None => *value,
                Some((name, text)) => {
                    used.push(name.clone());
                    let defined = match text.trim().parse() {
                        Err(_) => Err(format!("`{text}` is no number")),
                        Ok(defined) if *is_any && defined < *value => {
                            Err(format!("`{name}` is at least {value}, and {defined} is less"))
                        }
                        Ok(defined) => Ok(defined),
                    };
                    defined.unwrap_or_else(|message| {
                        let code = Code::TypeMismatch;
                        faults.push(Diagnostic::new(code, ident.span, message));
                        *value
                    })
                }
            };
            values.push((ident.name.clone(), value));
        }
        Self { values }
    }

    /// All names and their values.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&Name, i64)> {
        self.values.iter().map(|(name, value)| (name, *value))
    }

    pub(crate) fn bind(&mut self, name: &Name, value: i64) {
        self.values.push((name.clone(), value));
    }

    pub(crate) fn unbind(&mut self) {
        self.values.pop();
    }

    /// The two ends of a range.
    pub(crate) fn ends(
        &self,
        from: &Number,
        to: &Number,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<(i64, i64)> {
        Some((self.value(from, faults)?, self.value(to, faults)?))
    }

    /// The two ends of a range that is not empty.
    pub(crate) fn range(
        &self,
        from: &Number,
        to: &Number,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<(i64, i64)> {
        let (start, end) = self.ends(from, to, faults)?;
        if start >= end {
            let span = from.span().to(to.span());
            let message = format!("the range {start}..{end} is empty");
            faults.push(Diagnostic::new(Code::NotAConstant, span, message));
            return None;
        }
        Some((start, end))
    }

    pub(crate) fn value(&self, number: &Number, faults: &mut Vec<Diagnostic>) -> Option<i64> {
        match number {
            Number::Literal(value, _) => Some(*value),
            Number::Name(ident) => {
                let found = self.values.iter().rev().find(|(name, _)| *name == ident.name);
                if found.is_none() {
                    let names = self.values.iter().map(|(name, _)| name);
                    faults.push(unknown(ident, "parameter", names));
                }
                found.map(|(_, value)| *value)
            }
            Number::Binary(both, operator, span) => {
                let left = self.value(&both[0], faults);
                let right = self.value(&both[1], faults);
                let (left, right) = (left?, right?);
                let value = match operator {
                    Operator::Add => left.checked_add(right),
                    Operator::Subtract => left.checked_sub(right),
                    Operator::Multiply => left.checked_mul(right),
                    Operator::Modulo => left.checked_rem_euclid(right),
                };
                if value.is_none() {
                    let message = "this number does not exist";
                    faults.push(Diagnostic::new(Code::NotAConstant, *span, message));
                }
                value
            }
        }
    }
}
