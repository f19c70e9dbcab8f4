//! Ghost variables: who holds a lock that is a truth value or a number, who took a ticket, and who
//! is counted.
//!
//! A ghost is written as part of a step that is there already, and nothing in the program reads it,
//! so that the program with it does what the program without it does. What a thread owns through
//! such a lock or ticket can then be said like what it owns through a mutex.

use crate::sketch::Insertion;
use plato::ast::{
    BinaryOp, Cas, Expr, ExprKind, File, Item, ItemKind, Place, Source, Stmt, StmtKind, TypeKind,
};
use std::collections::BTreeMap;

/// The ghosts of a program, as what is to be inserted into its text: declarations at `items_at`,
/// and assignments.
pub(crate) fn ghosts(text: &str, tree: &File, items_at: usize) -> Vec<Insertion> {
    let mut found = Vec::new();
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut uses = Uses::default();
    tree.items.iter().for_each(|item| uses.visit_item(item));
    for (name, ty) in shared(tree) {
        let Some(writes) = uses.of.get(&name) else { continue };
        let owner = fresh(&code, &format!("{name}_owner"));
        if let Some(insertions) = of_lock(text, writes, &owner, ty) {
            let declaration = format!("var {owner}: Tid = 0;   // who holds {name}\n");
            found.push(Insertion {
                at: items_at,
                text: declaration,
                owner: owner.clone(),
                about: None,
            });
            found.extend(insertions);
        } else if let Some(insertions) = of_tickets(text, writes, &owner, ty) {
            let declaration =
                format!("var {owner}: [int]Tid = [_ => 0];   // who took each value of {name}\n");
            found.push(Insertion {
                at: items_at,
                text: declaration,
                owner: owner.clone(),
                about: None,
            });
            found.extend(insertions);
        } else {
            let counted = fresh(&code, &format!("counted_in_{name}"));
            let Some(insertions) = of_count(text, writes, &counted) else { continue };
            let declaration =
                format!("var {counted}: set<Tid> = {{}};   // who is counted in {name}\n");
            found.push(Insertion { at: items_at, text: declaration, owner: counted, about: None });
            found.extend(insertions);
        }
    }
    found
}

/// A name that the code does not mention.
fn fresh(code: &str, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    names.find(|name| !code.contains(name.as_str())).unwrap_or_default()
}

/// The types of variables that can be locks or counters of tickets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
}

/// Shared variables outside of modules that can be locks or counters of tickets.
fn shared(tree: &File) -> Vec<(String, Kind)> {
    let mut all = Vec::new();
    for item in &tree.items {
        if let ItemKind::Var(vars) = &item.kind {
            let kind = match vars.ty.kind {
                TypeKind::Bool => Kind::Bool,
                TypeKind::Int => Kind::Int,
                _ => continue,
            };
            all.extend(vars.names.iter().map(|name| (name.name.to_string(), kind)));
        }
    }
    all
}

/// A statement that writes a shared variable.
#[derive(Clone)]
struct Write<'a> {
    stmt: &'a Stmt,
    how: How<'a>,
    /// The `atomic` block that it stands in.
    atomic: Option<&'a [Stmt]>,
}

#[derive(Clone)]
enum How<'a> {
    /// `x := e`
    Value(&'a Expr),
    /// `p := cas(x, e, n)`
    Cas(&'a Place, &'a Cas),
    /// Anything else.
    Other,
}

/// Per name the statements that write it.
#[derive(Default)]
struct Uses<'a> {
    of: BTreeMap<String, Vec<Write<'a>>>,
}

impl<'a> Uses<'a> {
    fn visit_item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Thread(thread) => self.visit(&thread.body.stmts, None),
            ItemKind::Proc(procedure) => self.visit(&procedure.body.stmts, None),
            ItemKind::Module(module) => module.items.iter().for_each(|item| self.visit_item(item)),
            _ => {}
        }
    }

    fn visit(&mut self, stmts: &'a [Stmt], atomic: Option<&'a [Stmt]>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign(places, source) => self.assign(stmt, places, source, atomic),
                StmtKind::Havoc(places) => {
                    places.iter().for_each(|place| self.add(place, stmt, How::Other, atomic));
                }
                StmtKind::Acquire(place) | StmtKind::Release(place) => {
                    self.add(place, stmt, How::Other, atomic);
                }
                StmtKind::Wait(condition, lock) => {
                    self.add(condition, stmt, How::Other, atomic);
                    self.add(lock, stmt, How::Other, atomic);
                }
                StmtKind::Signal(place) | StmtKind::Broadcast(place) => {
                    self.add(place, stmt, How::Other, atomic);
                }
                StmtKind::Cas(cas) => self.add(&cas.location, stmt, How::Other, atomic),
                StmtKind::Action(action) => {
                    for path in &action.modifies {
                        let name = last_name(path);
                        let write = Write { stmt, how: How::Other, atomic };
                        self.of.entry(name).or_default().push(write);
                    }
                }
                StmtKind::Var(local) => {
                    if let Some(Source::Cas(cas)) = &local.value {
                        self.add(&cas.location, stmt, How::Other, atomic);
                    }
                }
                _ => {}
            }
            let inside = match &stmt.kind {
                StmtKind::Atomic(block) => Some(block.stmts.as_slice()),
                _ => atomic,
            };
            stmt.blocks().into_iter().for_each(|block| self.visit(&block.stmts, inside));
        }
    }

    fn assign(
        &mut self,
        stmt: &'a Stmt,
        places: &'a [Place],
        source: &'a Source,
        atomic: Option<&'a [Stmt]>,
    ) {
        match (places, source) {
            ([place], Source::Values(values)) if values.len() == 1 => {
                self.add(place, stmt, How::Value(&values[0]), atomic);
            }
            ([place], Source::Cas(cas)) => {
                self.add(&cas.location, stmt, How::Cas(place, cas), atomic);
                self.add(place, stmt, How::Other, atomic);
            }
            _ => places.iter().for_each(|place| self.add(place, stmt, How::Other, atomic)),
        }
    }

    fn add(&mut self, place: &'a Place, stmt: &'a Stmt, how: How<'a>, atomic: Option<&'a [Stmt]>) {
        let how = if place.indices.is_empty() { how } else { How::Other };
        let name = last_name(&place.path);
        self.of.entry(name).or_default().push(Write { stmt, how, atomic });
    }
}

/// The name without that of a module: variables of one name are one here, which is careful.
fn last_name(path: &plato::ast::Path) -> String {
    path.segments.last().map(|segment| segment.name.to_string()).unwrap_or_default()
}

/// Whether an expression is the value that a lock has when it is held, or when it is free.
fn is_value(expr: &Expr, held: bool, kind: Kind) -> bool {
    match (&expr.kind, kind) {
        (ExprKind::Bool(value), Kind::Bool) => *value == held,
        (ExprKind::Int(value), Kind::Int) => *value == i128::from(held),
        _ => false,
    }
}

/// If a variable is only ever set and reset, the assignments to its owner.
fn of_lock(text: &str, writes: &[Write<'_>], owner: &str, kind: Kind) -> Option<Vec<Insertion>> {
    let mut insertions = Vec::new();
    let (mut is_set, mut is_reset) = (false, false);
    for write in writes {
        let assigned = match &write.how {
            How::Value(value) if is_value(value, true, kind) => {
                is_set = true;
                format!(" {owner} := tid;")
            }
            How::Value(value) if is_value(value, false, kind) => {
                is_reset = true;
                format!(" {owner} := 0;")
            }
            How::Cas(result, cas)
                if is_value(&cas.expected, false, kind) && is_value(&cas.new, true, kind) =>
            {
                is_set = true;
                let result = &text[result.span.start as usize..result.span.end as usize];
                format!(" if ({result}) {{ {owner} := tid; }}")
            }
            _ => return None,
        };
        insertions.extend(with_step(text, write, &assigned, owner)?);
    }
    (is_set && is_reset).then_some(insertions)
}

/// If a variable is only ever counted up by one, in steps that note its value before, the
/// assignments to the owners of its values.
fn of_tickets(text: &str, writes: &[Write<'_>], owner: &str, kind: Kind) -> Option<Vec<Insertion>> {
    if kind != Kind::Int {
        return None;
    }
    let mut insertions = Vec::new();
    for write in writes {
        let (counted, up) = counting(text, write)?;
        // `atomic { mine := next; next := next + 1; }`
        let noted = write.atomic?.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Assign(places, Source::Values(values)) if values.len() == 1 => {
                let [place] = places.as_slice() else { return None };
                let read = &text[values[0].span.start as usize..values[0].span.end as usize];
                let is_before = stmt.span.start < write.stmt.span.start;
                (read == counted && is_before && place.indices.is_empty()).then_some(place)
            }
            _ => None,
        });
        let noted = noted.filter(|_| up)?;
        let noted = &text[noted.span.start as usize..noted.span.end as usize];
        insertions.extend(with_step(text, write, &format!(" {owner}[{noted}] := tid;"), owner)?);
    }
    (!insertions.is_empty()).then_some(insertions)
}

/// If a variable is only ever counted up and down by one, the assignments to the set of those who
/// counted it up and not down again.
fn of_count(text: &str, writes: &[Write<'_>], counted: &str) -> Option<Vec<Insertion>> {
    let mut insertions = Vec::new();
    let (mut goes_up, mut goes_down) = (false, false);
    for write in writes {
        let (_, up) = counting(text, write)?;
        goes_up |= up;
        goes_down |= !up;
        let sign = if up { '+' } else { '-' };
        let assigned = format!(" {counted} := {counted} {sign} {{tid}};");
        insertions.extend(with_step(text, write, &assigned, counted)?);
    }
    (goes_up && goes_down).then_some(insertions)
}

/// The variable that a statement counts by one, and whether it counts up: `x := x + 1`.
fn counting<'t>(text: &'t str, write: &Write<'_>) -> Option<(&'t str, bool)> {
    let How::Value(value) = &write.how else { return None };
    let ExprKind::Binary(op, counted, one) = &value.kind else { return None };
    let up = match op {
        BinaryOp::Add => true,
        BinaryOp::Sub => false,
        _ => return None,
    };
    let counted = &text[counted.span.start as usize..counted.span.end as usize];
    let StmtKind::Assign(places, _) = &write.stmt.kind else { return None };
    let is_same = places
        .iter()
        .any(|place| &text[place.span.start as usize..place.span.end as usize] == counted);
    (is_same && matches!(one.kind, ExprKind::Int(1))).then_some((counted, up))
}

/// An assignment as part of the step of a statement.
fn with_step(text: &str, write: &Write<'_>, assigned: &str, owner: &str) -> Option<Vec<Insertion>> {
    let end = write.stmt.span.end as usize;
    let end = if text[..end].ends_with(';') { end } else { end + text[end..].find(';')? + 1 };
    let at = |at: usize, text: String| Insertion { at, text, owner: owner.to_owned(), about: None };
    if write.atomic.is_some() {
        return Some(vec![at(end, assigned.to_owned())]);
    }
    let start = write.stmt.span.start as usize;
    Some(vec![at(start, "atomic { ".to_owned()), at(end, format!("{assigned} }}"))])
}
