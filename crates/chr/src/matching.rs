//! The search for partners.

use crate::constant::{Constant, Symbol};
use crate::plan::Occurrence;
use crate::program::{Atom, Compare, Comparison, Expr, Rule};
use crate::store::{Id, Store};

/// The values of a rule's variables; `None` where a variable is not bound yet.
pub(crate) type Bindings = Vec<Option<Symbol>>;

/// A combination of constraints that a rule can fire on.
pub(crate) struct Match {
    pub(crate) bindings: Bindings,
    /// The partners in the order of the plan.
    pub(crate) partners: Vec<Id>,
}

impl Store<'_> {
    /// The first combination of the active constraint at an occurrence that comes after the given
    /// one.
    pub(crate) fn next_match(
        &self,
        active: Id,
        occurrence: &Occurrence,
        after: &[Id],
    ) -> Option<Match> {
        let rule = &self.program.rules[occurrence.rule];
        let mut bindings = vec![None; rule.variables];
        if !self.bind(&rule.heads[occurrence.head], active, &mut bindings)
            || !self.test(rule, &occurrence.guard, &bindings)
        {
            return None;
        }
        // Without partners there is only one combination, and if anything was met, it was this one.
        let resumes = !after.is_empty();
        let mut search = Search { store: self, rule, occurrence, active, partners: Vec::new() };
        search.extend(&bindings, if resumes { Some(after) } else { None })
    }

    /// Matches a head against a constraint.
    fn bind(&self, head: &Atom, id: Id, bindings: &mut Bindings) -> bool {
        for (argument, &value) in head.arguments.iter().zip(self.arguments_of(id)) {
            match argument {
                Expr::Variable(variable) => {
                    let place = &mut bindings[variable.0 as usize];
                    if *place.get_or_insert(value) != value {
                        return false;
                    }
                }
                Expr::Constant(constant) if *constant != value => return false,
                _ => {}
            }
        }
        true
    }

    fn test(&self, rule: &Rule, parts: &[usize], bindings: &Bindings) -> bool {
        parts.iter().all(|&part| self.holds(&rule.guard[part], bindings))
    }

    fn holds(&self, comparison: &Comparison, bindings: &Bindings) -> bool {
        let (left, right) = (&comparison.left, &comparison.right);
        // Most guards compare values in the store, and equal constants have equal numbers.
        if let (Some(left), Some(right)) = (plain(left, bindings), plain(right, bindings)) {
            match comparison.compare {
                Compare::Equal => return left == right,
                Compare::Different => return left != right,
                Compare::Less | Compare::AtMost => {}
            }
        }
        let values = (self.value(left, bindings), self.value(right, bindings));
        let (Some(left), Some(right)) = values else { return false };
        match comparison.compare {
            Compare::Equal => left == right,
            Compare::Different => left != right,
            Compare::Less | Compare::AtMost => match (left, right) {
                (Constant::Integer(left), Constant::Integer(right)) => {
                    if comparison.compare == Compare::Less { left < right } else { left <= right }
                }
                _ => false,
            },
        }
    }

    /// The number of the value of an expression; `None` if it does not exist.
    pub(crate) fn computed(&mut self, expr: &Expr, bindings: &Bindings) -> Option<Symbol> {
        if let Some(symbol) = plain(expr, bindings) {
            return Some(symbol);
        }
        let value = self.value(expr, bindings)?;
        Some(self.constants.intern(value))
    }

    /// The value of an expression; `None` if it does not exist.
    fn value(&self, expr: &Expr, bindings: &Bindings) -> Option<Constant> {
        if let Some(symbol) = plain(expr, bindings) {
            return Some(self.constants.get(symbol).clone());
        }
        let compute = |both: &[Expr; 2], operation: fn(i64, i64) -> Option<i64>| {
            let integer = |expr| match self.value(expr, bindings) {
                Some(Constant::Integer(value)) => Some(value),
                _ => None,
            };
            operation(integer(&both[0])?, integer(&both[1])?).map(Constant::Integer)
        };
        match expr {
            Expr::Variable(_) | Expr::Constant(_) => None,
            Expr::Add(both) => compute(both, i64::checked_add),
            Expr::Subtract(both) => compute(both, i64::checked_sub),
            Expr::Multiply(both) => compute(both, i64::checked_mul),
            Expr::Modulo(both) => compute(both, i64::checked_rem_euclid),
        }
    }
}

fn plain(expr: &Expr, bindings: &Bindings) -> Option<Symbol> {
    match expr {
        Expr::Variable(variable) => bindings[variable.0 as usize],
        Expr::Constant(symbol) => Some(*symbol),
        _ => None,
    }
}

struct Search<'s, 'p> {
    store: &'s Store<'p>,
    rule: &'s Rule,
    occurrence: &'s Occurrence,
    active: Id,
    /// The partners found so far.
    partners: Vec<Id>,
}

impl Search<'_, '_> {
    /// Finds the remaining partners. `after` is the rest of a combination that was met before: the
    /// result comes later.
    fn extend(&mut self, bindings: &Bindings, after: Option<&[Id]>) -> Option<Match> {
        let Some(partner) = self.occurrence.partners.get(self.partners.len()) else {
            let partners = self.partners.clone();
            return after.is_none().then(|| Match { bindings: bindings.clone(), partners });
        };
        let head = &self.rule.heads[partner.head];
        let known = partner
            .known
            .iter()
            .filter_map(|&at| plain(&head.arguments[at], bindings).map(|value| (at, value)));
        let list = self.store.shortest(head.predicate, known);
        let start = after.map_or(0, |after| list.partition_point(|&id| id < after[0]));
        for &id in &list[start..] {
            // Partners are older than the active constraint; see the crate's documentation.
            if id >= self.active {
                break;
            }
            if !self.store.entry(id).alive || self.partners.contains(&id) {
                continue;
            }
            let mut extended = bindings.clone();
            if !self.store.bind(head, id, &mut extended)
                || !self.store.test(self.rule, &partner.guard, &extended)
            {
                continue;
            }
            let rest = after.filter(|after| after[0] == id).map(|after| &after[1..]);
            // The combination that was met before is skipped itself.
            if rest.is_some_and(<[Id]>::is_empty) {
                continue;
            }
            self.partners.push(id);
            let found = self.extend(&extended, rest);
            if found.is_some() {
                return found;
            }
            self.partners.pop();
        }
        None
    }
}
