//! Which fields get nothing but new arrays, each of which gets to no other field.

use super::array_names::written_once;
use crate::typed::{
    Body, Callee, Expr, ExprKind, FieldId, LocalId, MethodId, Origin, Place, Program, Stmt,
    StmtKind, Ty, walk,
};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a call gives an array that nobody else has.
fn gives_new_array(program: &Program, callee: &Callee) -> bool {
    let Some(method) = callee.method.map(|id| program.method(id)) else { return false };
    let class = program.class(method.class);
    let name = (class.qualified.as_str(), method.name.as_str());
    class.origin != Origin::Checked
        && matches!(
            name,
            ("java.util.Arrays", "copyOf" | "copyOfRange")
                | ("java.lang.String", "toCharArray" | "getBytes" | "split")
        )
}

/// Which fields get arrays that are not new, or that others get too.
#[derive(Default)]
pub(super) struct Stores {
    pub(super) others: BTreeSet<FieldId>,
    /// Variables whose new arrays are stored in one field.
    pub(super) stored: BTreeMap<(MethodId, LocalId), FieldId>,
}

impl Stores {
    pub(super) fn new(program: &Program) -> Self {
        let mut all = Self::default();
        for (at, method) in program.methods.iter().enumerate() {
            if let Some(body) = &method.body {
                all.body(program, Some(MethodId::from_index(at)), body);
            }
        }
        for body in program.classes.iter().filter_map(|class| class.static_init.as_ref()) {
            all.body(program, None, body);
        }
        all
    }

    /// A copy of an object has the same arrays.
    fn copied(&mut self, program: &Program, body: &Body) {
        walk::all(&body.stmts, &mut |stmt| {
            walk::exprs(stmt, &mut |expr| {
                walk::deep(expr, &mut |part| {
                    let ExprKind::Call(callee) = &part.kind else { return };
                    let method = callee.method.map(|id| program.method(id));
                    let is_known = method.is_some_and(|method| method.body.is_some());
                    if callee.name.as_str() == "clone" && !is_known {
                        let of = callee.receiver.as_ref().map(|object| &object.ty);
                        self.others.extend(fields_of(program, of));
                    }
                });
            });
        });
    }

    fn body(&mut self, program: &Program, method: Option<MethodId>, body: &Body) {
        self.copied(program, body);
        let mut found = OfBody {
            program,
            once: written_once(body),
            declared: BTreeMap::new(),
            stored: BTreeMap::new(),
            others: BTreeSet::new(),
            loops: 0,
            inside: 0,
        };
        found.stmts(&body.stmts);
        self.others.append(&mut found.others);
        for (local, stores) in found.stored {
            let at_most_once = match stores.as_slice() {
                [(_, inside)] => found.declared.get(&local) == Some(inside),
                _ => false,
            };
            for (field, _) in stores {
                match method {
                    Some(method) if at_most_once => {
                        self.stored.insert((method, local), field);
                    }
                    _ => {
                        self.others.insert(field);
                    }
                }
            }
        }
    }
}

/// The fields that objects of a type may have.
fn fields_of(program: &Program, ty: Option<&Ty>) -> Vec<FieldId> {
    let has = |id: &FieldId| match ty {
        Some(Ty::Class(class)) => {
            let of = program.field(*id).class;
            program.is_subclass(of, *class) || program.is_subclass(*class, of)
        }
        _ => true,
    };
    (0..program.fields.len()).map(FieldId::from_index).filter(has).collect()
}

/// What one body stores in fields.
struct OfBody<'p> {
    program: &'p Program,
    once: BTreeMap<LocalId, &'p Expr>,
    /// In which loops variables are declared.
    declared: BTreeMap<LocalId, usize>,
    /// Where new arrays in variables are stored, and in which loops.
    stored: BTreeMap<LocalId, Vec<(FieldId, usize)>>,
    others: BTreeSet<FieldId>,
    loops: usize,
    /// The innermost loop around; 0 for none.
    inside: usize,
}

impl<'p> OfBody<'p> {
    fn stmts(&mut self, stmts: &'p [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        let around = self.inside;
        if matches!(stmt.kind, StmtKind::Loop { .. } | StmtKind::ForEach { .. }) {
            self.loops += 1;
            self.inside = self.loops;
        }
        match &stmt.kind {
            StmtKind::Local(local, _) => {
                self.declared.insert(*local, self.inside);
            }
            StmtKind::Init(place, value) => self.store(place, value),
            StmtKind::Set(place, formula) => self.store(place, &formula.expr),
            _ => {}
        }
        let mut parts = Vec::new();
        walk::exprs(stmt, &mut |expr| walk::deep(expr, &mut |part| parts.push(part)));
        for part in parts {
            match &part.kind {
                ExprKind::Assign(place, value) => self.store(place, value),
                ExprKind::New { captured, .. } => {
                    self.others.extend(captured.iter().map(|(field, _)| *field));
                }
                ExprKind::Switch(switch) => {
                    switch.cases.iter().for_each(|case| self.stmts(&case.body));
                }
                _ => {}
            }
        }
        for block in walk::blocks(stmt) {
            self.stmts(block);
        }
        self.inside = around;
    }

    fn store(&mut self, place: &Place, value: &Expr) {
        let (Place::Field(_, field, _) | Place::Static(field, _)) = place else { return };
        let mut value = value;
        while let ExprKind::Cast(inner) = &value.kind {
            value = inner;
        }
        match &value.kind {
            ExprKind::Local(local) if self.is_new_array(*local) => {
                self.stored.entry(*local).or_default().push((*field, self.inside));
            }
            _ if is_new(self.program, value) || matches!(value.kind, ExprKind::Null) => {}
            _ => {
                self.others.insert(*field);
            }
        }
    }

    fn is_new_array(&self, local: LocalId) -> bool {
        self.once.get(&local).is_some_and(|value| is_new(self.program, value))
    }
}

/// Whether an expression makes an array.
fn is_new(program: &Program, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::NewArray(_) | ExprKind::ArrayOf(_) | ExprKind::CloneOf(_) => true,
        ExprKind::Cast(inner) => is_new(program, inner),
        ExprKind::Call(callee) => gives_new_array(program, callee),
        _ => false,
    }
}
