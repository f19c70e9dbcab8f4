//! The semantics read off its definition: plain lists, an explicit history, every search anew,
//! recursion.

use chr::{Atom, Compare, Comparison, Constant, Expr, Goal, Kind, Predicate, Program, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A store without any index: identity, predicate and arguments.
#[derive(Clone, Default)]
pub(crate) struct Naive {
    live: BTreeMap<u32, (Predicate, Vec<Constant>)>,
    next: u32,
    history: BTreeSet<(usize, Vec<u32>)>,
    pub(crate) firings: u64,
}

/// Why posting ended early.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Failed,
    OutOfSteps,
}

type Env = BTreeMap<u32, Constant>;

impl Naive {
    pub(crate) fn show(&self, program: &Program) -> Vec<String> {
        let text = |(predicate, arguments): &(Predicate, Vec<Constant>)| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            format!("{}({})", program.name(*predicate), arguments.join(", "))
        };
        self.live.values().map(text).collect()
    }

    pub(crate) fn post(
        &mut self,
        program: &Program,
        predicate: Predicate,
        arguments: Vec<Constant>,
        limit: u64,
    ) -> Result<(), Stop> {
        let same = |other: &(Predicate, Vec<Constant>), length: usize| {
            other.0 == predicate && other.1[..length] == arguments[..length]
        };
        match program.kind(predicate) {
            Kind::Bag => {}
            Kind::Set => {
                if self.live.values().any(|other| same(other, arguments.len())) {
                    return Ok(());
                }
            }
            Kind::Key(length) => {
                if let Some(other) = self.live.values().find(|other| same(other, length)) {
                    return if other.1 == arguments { Ok(()) } else { Err(Stop::Failed) };
                }
            }
        }
        let id = self.next;
        self.next += 1;
        self.live.insert(id, (predicate, arguments));
        for (number, rule) in program.rules().iter().enumerate() {
            for head in 0..rule.heads.len() {
                if rule.heads[head].predicate == predicate {
                    self.occurrence(program, (number, rule, head), id, limit)?;
                }
                if !self.live.contains_key(&id) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Fires a rule at an occurrence as long as it applies to combinations that are not in the
    /// history.
    fn occurrence(
        &mut self,
        program: &Program,
        (number, rule, head): (usize, &Rule, usize),
        id: u32,
        limit: u64,
    ) -> Result<(), Stop> {
        let order = order(rule, head);
        while let Some((ids, env)) =
            self.find(program, (number, rule), &order, (vec![id], Env::new()))
        {
            if self.firings >= limit {
                return Err(Stop::OutOfSteps);
            }
            self.firings += 1;
            self.history.insert((number, by_head(&order, &ids)));
            for (&at, id) in order.iter().zip(&ids) {
                if at >= rule.kept {
                    self.live.remove(id);
                }
            }
            self.body(program, &rule.body, env, limit)?;
            if !self.live.contains_key(&id) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// All heads in order, oldest constraints first.
    fn find(
        &self,
        program: &Program,
        (number, rule): (usize, &Rule),
        order: &[usize],
        (ids, env): (Vec<u32>, Env),
    ) -> Option<(Vec<u32>, Env)> {
        let bound = ids
            .last()
            .map(|id| self.bind(program, &rule.heads[order[ids.len() - 1]], *id, env.clone()));
        let env = match bound {
            Some(Some(env)) => env,
            Some(None) => return None,
            None => env,
        };
        if ids.len() == order.len() {
            let fires = rule.guard.iter().all(|part| holds(program, part, &env))
                && !self.history.contains(&(number, by_head(order, &ids)));
            return fires.then_some((ids, env));
        }
        for &other in self.live.keys() {
            if !ids.contains(&other) {
                let more = [ids.as_slice(), &[other]].concat();
                if let Some(found) = self.find(program, (number, rule), order, (more, env.clone()))
                {
                    return Some(found);
                }
            }
        }
        None
    }

    fn bind(&self, program: &Program, head: &Atom, id: u32, mut env: Env) -> Option<Env> {
        let (predicate, arguments) = &self.live[&id];
        if head.predicate != *predicate {
            return None;
        }
        for (pattern, value) in head.arguments.iter().zip(arguments) {
            let fits = match pattern {
                Expr::Variable(variable) => {
                    env.entry(variable.0).or_insert_with(|| value.clone()) == value
                }
                Expr::Constant(symbol) => program.constant(*symbol) == value,
                _ => false,
            };
            if !fits {
                return None;
            }
        }
        Some(env)
    }

    fn body(
        &mut self,
        program: &Program,
        goals: &[Goal],
        mut env: Env,
        limit: u64,
    ) -> Result<(), Stop> {
        for goal in goals {
            match goal {
                Goal::Fail => return Err(Stop::Failed),
                Goal::Is(variable, value) => {
                    let value = eval(program, value, &env).ok_or(Stop::Failed)?;
                    env.insert(variable.0, value);
                }
                Goal::Post(atom) => {
                    let arguments: Option<Vec<Constant>> =
                        atom.arguments.iter().map(|one| eval(program, one, &env)).collect();
                    self.post(program, atom.predicate, arguments.ok_or(Stop::Failed)?, limit)?;
                }
                Goal::Choice(first, second) => {
                    let before = self.clone();
                    match self.body(program, first, env.clone(), limit) {
                        Err(Stop::Failed) => {
                            let firings = self.firings;
                            *self = before;
                            self.firings = firings;
                            self.body(program, second, env.clone(), limit)?;
                        }
                        other => other?,
                    }
                }
            }
        }
        Ok(())
    }
}

/// The constraints in the order of the heads, as the history keeps them.
fn by_head(order: &[usize], ids: &[u32]) -> Vec<u32> {
    let mut pairs: Vec<(usize, u32)> = order.iter().copied().zip(ids.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, id)| id).collect()
}

/// The active head, then always the one with the most known arguments, of equals the first.
fn order(rule: &Rule, head: usize) -> Vec<usize> {
    let mut order = vec![head];
    while order.len() < rule.heads.len() {
        let known: Vec<&Expr> = order.iter().flat_map(|&at| &rule.heads[at].arguments).collect();
        let count = |at: usize| {
            let arguments = rule.heads[at].arguments.iter();
            arguments.filter(|one| matches!(one, Expr::Constant(_)) || known.contains(one)).count()
        };
        let left = (0..rule.heads.len()).filter(|at| !order.contains(at));
        let best = left.min_by_key(|&at| std::cmp::Reverse(count(at))).expect("some head is left");
        order.push(best);
    }
    order
}

fn holds(program: &Program, part: &Comparison, env: &Env) -> bool {
    let (Some(left), Some(right)) =
        (eval(program, &part.left, env), eval(program, &part.right, env))
    else {
        return false;
    };
    match (part.compare, left, right) {
        (Compare::Equal, left, right) => left == right,
        (Compare::Different, left, right) => left != right,
        (Compare::Less, Constant::Integer(left), Constant::Integer(right)) => left < right,
        (Compare::AtMost, Constant::Integer(left), Constant::Integer(right)) => left <= right,
        _ => false,
    }
}

fn eval(program: &Program, expr: &Expr, env: &Env) -> Option<Constant> {
    let both = |both: &[Expr; 2], operation: fn(i64, i64) -> Option<i64>| match (
        eval(program, &both[0], env)?,
        eval(program, &both[1], env)?,
    ) {
        (Constant::Integer(left), Constant::Integer(right)) => {
            operation(left, right).map(Constant::Integer)
        }
        _ => None,
    };
    match expr {
        Expr::Variable(variable) => env.get(&variable.0).cloned(),
        Expr::Constant(symbol) => Some(program.constant(*symbol).clone()),
        Expr::Add(pair) => both(pair, i64::checked_add),
        Expr::Subtract(pair) => both(pair, i64::checked_sub),
        Expr::Multiply(pair) => both(pair, i64::checked_mul),
        Expr::Modulo(pair) => both(pair, i64::checked_rem_euclid),
    }
}
