//! Variables whose objects others know too, as far as the text tells.
//!
//! Arguments are such, and so is what is read from fields and elements of such objects: what a
//! shared object refers to is shared, and stays so. Where the translation asks whether a variable
//! has a private object, the answer is then known, and half of the code is never run. The proof
//! does not hang on it for stores: that shared objects refer to shared ones is checked after every
//! one.

use plato::ast::{BinaryOp, Block, Cond, Expr, ExprKind, Place, Source, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// What the text of a method is about.
pub(super) struct Names {
    /// Variables of the thread.
    pub(super) locals: BTreeSet<String>,
    /// Those among them that have null or an object that others know when the method starts.
    pub(super) arguments: BTreeSet<String>,
    /// Variables with what shared objects and static fields refer to.
    pub(super) fields: BTreeSet<String>,
    /// Objects that everybody knows.
    pub(super) constants: BTreeSet<String>,
}

/// Leaves out what is run only if certain variables have private objects, which they do not.
pub(super) fn simplify(stmts: &mut Vec<Stmt>, names: &Names) {
    let mut values = Values { names, of: BTreeMap::new() };
    values.block(stmts);
    let known = values.known();
    prune(stmts, &known);
}

/// Whether private objects are stored in others.
pub(super) fn keeps_in_heap(stmts: &mut [Stmt]) -> bool {
    stmts.iter_mut().any(|stmt| match &stmt.kind {
        StmtKind::Assign(places, Source::Values(values)) => {
            let is_kept = |(place, value): (&Place, &Expr)| {
                place.path.segments[0].name.as_str() == "inheap"
                    && !matches!(value.kind, ExprKind::Bool(false))
            };
            places.iter().zip(values).any(is_kept)
        }
        _ => blocks(stmt).into_iter().any(|block| keeps_in_heap(&mut block.stmts)),
    })
}

/// What is stored in variables of the thread.
struct Values<'n> {
    names: &'n Names,
    of: BTreeMap<String, Vec<Value>>,
}

/// Where an object comes from.
enum Value {
    /// Others know it.
    Known,
    /// Others know it if they know that of this variable.
    From(String),
    Any,
}

impl Values<'_> {
    fn block(&mut self, stmts: &mut [Stmt]) {
        for at in 0..stmts.len() {
            match &stmts[at].kind {
                StmtKind::Assign(places, source) => self.assign(places, source),
                StmtKind::Havoc(places) => {
                    let next = stmts.get(at + 1);
                    places.iter().for_each(|place| self.any_value(place, next));
                }
                StmtKind::Var(local) => {
                    // Declarations stand before the body; one here has any value.
                    local.names.iter().for_each(|name| self.add(name.name.as_str(), Value::Any));
                }
                _ => blocks(&mut stmts[at])
                    .into_iter()
                    .for_each(|block| self.block(&mut block.stmts)),
            }
        }
    }

    fn assign(&mut self, places: &[Place], source: &Source) {
        for (at, place) in places.iter().enumerate() {
            if !place.indices.is_empty() {
                continue;
            }
            let value = match source {
                Source::Values(values) => values.get(at).map_or(Value::Any, |value| self.of(value)),
                Source::Call(_) | Source::Cas(_) | Source::Fork(_) | Source::Join(_) => Value::Any,
            };
            self.add(place.path.segments[0].name.as_str(), value);
        }
    }

    /// A variable gets any value, or one that others know if the next statement says so.
    fn any_value(&mut self, place: &Place, next: Option<&Stmt>) {
        let name = place.path.segments[0].name.as_str();
        let is_known = match next.map(|stmt| &stmt.kind) {
            Some(StmtKind::Assume(cond)) => says_shared(cond, name),
            _ => false,
        };
        if place.indices.is_empty() {
            self.add(name, if is_known { Value::Known } else { Value::Any });
        }
    }

    fn add(&mut self, name: &str, value: Value) {
        if self.names.locals.contains(name) {
            self.of.entry(name.to_owned()).or_default().push(value);
        }
    }

    fn of(&self, value: &Expr) -> Value {
        match &value.kind {
            ExprKind::Name(_) => match name_of(value) {
                Some(name) if name == "null" || self.names.constants.contains(name) => Value::Known,
                Some(name) if self.names.fields.contains(name) => Value::Known,
                Some(name) if self.names.locals.contains(name) => Value::From(name.to_owned()),
                _ => Value::Any,
            },
            ExprKind::Index(map, key) => match (name_of(map), name_of(key), &map.kind) {
                (Some(field), Some(object), _) if self.names.fields.contains(field) => {
                    Value::From(object.to_owned())
                }
                (None, _, ExprKind::Index(elements, array)) => {
                    match (name_of(elements), name_of(array)) {
                        (Some("elements"), Some(array)) => Value::From(array.to_owned()),
                        _ => Value::Any,
                    }
                }
                _ => Value::Any,
            },
            _ => Value::Any,
        }
    }

    /// The variables all of whose values others know.
    fn known(&self) -> BTreeSet<String> {
        let mut known: BTreeSet<String> =
            self.of.keys().chain(&self.names.arguments).cloned().collect();
        loop {
            let is_known = |name: &String| {
                self.of.get(name).into_iter().flatten().all(|value| match value {
                    Value::Known => true,
                    Value::From(other) => known.contains(other),
                    Value::Any => false,
                })
            };
            let next: BTreeSet<String> =
                known.iter().filter(|name| is_known(name)).cloned().collect();
            if next.len() == known.len() {
                return next;
            }
            known = next;
        }
    }
}

/// Whether a condition says that the object of a variable is shared, or null.
fn says_shared(cond: &Expr, name: &str) -> bool {
    let is_it = |expr: &Expr| name_of(expr) == Some(name);
    match &cond.kind {
        ExprKind::Index(map, key) => name_of(map) == Some("shared") && is_it(key),
        ExprKind::And(parts) => parts.iter().any(|part| says_shared(part, name)),
        ExprKind::Or(parts) => parts.iter().all(|part| match &part.kind {
            ExprKind::Binary(BinaryOp::Eq, one, other) => {
                is_it(one) && name_of(other) == Some("null")
            }
            _ => says_shared(part, name),
        }),
        _ => false,
    }
}

/// Leaves out branches for private objects of these variables.
fn prune(stmts: &mut Vec<Stmt>, known: &BTreeSet<String>) {
    let mut kept = Vec::new();
    for mut stmt in std::mem::take(stmts) {
        let asks = match &stmt.kind {
            StmtKind::If(arms, _) => match arms.as_slice() {
                [arm] => matches!(&arm.cond, Cond::Expr(cond) if asks_private(cond, known)),
                _ => false,
            },
            _ => false,
        };
        if let (true, StmtKind::If(_, otherwise)) = (asks, &mut stmt.kind) {
            let mut rest = otherwise.take().map_or(Vec::new(), |block| block.stmts);
            prune(&mut rest, known);
            kept.append(&mut rest);
            continue;
        }
        if let Some(mut then) = always_taken(&mut stmt, known) {
            prune(&mut then, known);
            kept.append(&mut then);
            continue;
        }
        blocks(&mut stmt).into_iter().for_each(|block| prune(&mut block.stmts, known));
        kept.push(stmt);
    }
    *stmts = kept;
}

/// The statements of `if (shared[x])` for one of these variables. Where that is asked, it was
/// checked that the variable is not null.
fn always_taken(stmt: &mut Stmt, known: &BTreeSet<String>) -> Option<Vec<Stmt>> {
    let StmtKind::If(arms, _) = &mut stmt.kind else { return None };
    let [arm] = arms.as_mut_slice() else { return None };
    let Cond::Expr(Expr { kind: ExprKind::Index(map, key), .. }) = &arm.cond else { return None };
    let is_known =
        name_of(map) == Some("shared") && name_of(key).is_some_and(|name| known.contains(name));
    is_known.then(|| std::mem::take(&mut arm.then.stmts))
}

/// `owner[x] == tid` of one of these variables.
fn asks_private(cond: &Expr, known: &BTreeSet<String>) -> bool {
    let ExprKind::Binary(BinaryOp::Eq, one, other) = &cond.kind else { return false };
    let (ExprKind::Index(map, key), ExprKind::Tid) = (&one.kind, &other.kind) else { return false };
    name_of(map) == Some("owner") && name_of(key).is_some_and(|name| known.contains(name))
}

fn name_of(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) if !name.primed => Some(name.path.segments[0].name.as_str()),
        _ => None,
    }
}

/// All blocks of a statement, also those of a step.
pub(super) fn blocks(stmt: &mut Stmt) -> Vec<&mut Block> {
    match &mut stmt.kind {
        StmtKind::If(arms, otherwise) => {
            arms.iter_mut().map(|arm| &mut arm.then).chain(otherwise.as_mut()).collect()
        }
        StmtKind::Choose(branches) => branches.iter_mut().collect(),
        StmtKind::While(_, _, body)
        | StmtKind::Loop(_, body)
        | StmtKind::Block(body)
        | StmtKind::Atomic(body) => vec![body],
        _ => Vec::new(),
    }
}
