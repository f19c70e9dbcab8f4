//! Finds the places that a declaration can be about: those of the classes that it mentions, and of
//! the classes that these mention. A large program has many places, one method few.

use super::plan::Plan;
use super::sorts::Place;
use crate::hir::{
    Amount, AmountKind, ChannelId, ClassId, Expr, ExprKind, FieldId, Loc, Local, PredicateId,
    Program, Stmt, StmtKind, Type,
};
use crate::walk::Walk;
use std::collections::BTreeSet;

/// The places of a declaration, in the order of the program's tables.
pub(crate) fn places(program: &Program, plan: Plan) -> Vec<Place> {
    let classes = &closure(program, plan).classes;
    let fields = (0..program.fields.len())
        .filter(|&index| classes.contains(&program.fields[index].class))
        .map(|index| Loc::Field(FieldId::from_index(index)));
    let predicates = (0..program.predicates.len())
        .filter(|&index| classes.contains(&program.predicates[index].class))
        .map(|index| Place::Predicate(PredicateId::from_index(index)));
    let built_in = [Loc::Mu, Loc::Joinable];
    built_in.into_iter().chain(fields).map(Place::Loc).chain(predicates).collect()
}

/// Whether a declaration, or something that it can be about, counts infinitesimals. Where none are
/// mentioned, there are none: contracts, invariants, predicates and channels of the mentioned
/// classes and channels say what a thread gets and gives.
pub(crate) fn counts_epsilons(program: &Program, plan: Plan) -> bool {
    let closure = closure(program, plan);
    let mut found = false;
    let mut look = |amount: &Amount| found |= matches!(amount.kind, AmountKind::Epsilons(_));
    let mut walk = Walk { expr: &mut |_| {}, amount: &mut look };
    closure.classes.iter().for_each(|&id| class_walk(program, id, &mut walk));
    closure.channels.iter().for_each(|&id| channel_walk(program, id, &mut walk));
    if let Plan::Method(id) = plan {
        walk.stmts(&program.methods[id.index()].body);
    }
    found
}

/// The formulas of a class outside the bodies of its methods.
fn class_walk(program: &Program, id: ClassId, walk: &mut Walk<'_>) {
    let class = &program.classes[id.index()];
    walk.assertions(&class.invariants);
    class.rely.iter().for_each(|expr| walk.expr(expr));
    class.methods.iter().for_each(|id| walk.spec(&program.methods[id.index()].spec));
    class.predicates.iter().for_each(|id| walk.assertion(&program.predicates[id.index()].body));
    for function in class.functions.iter().map(|id| &program.functions[id.index()]) {
        walk.assertions(&function.requires);
        function.ensures.iter().chain(&function.body).for_each(|expr| walk.expr(expr));
    }
    for condition in class.conditions.iter().map(|id| &program.conditions[id.index()]) {
        condition.where_clause.iter().for_each(|clause| walk.assertion(clause));
    }
}

fn channel_walk(program: &Program, id: ChannelId, walk: &mut Walk<'_>) {
    program.channels[id.index()].where_clause.iter().for_each(|clause| walk.assertion(clause));
}

/// Everything that a declaration mentions, directly or not.
fn closure(program: &Program, plan: Plan) -> Closure<'_> {
    let mut closure = Closure { program, classes: BTreeSet::new(), channels: BTreeSet::new() };
    let mut open = Mentioned::default();
    open.declaration(program, plan);
    closure.add(open);
    closure
}

/// Classes and channels that something mentions.
#[derive(Default)]
struct Mentioned {
    classes: BTreeSet<ClassId>,
    channels: BTreeSet<ChannelId>,
}

impl Mentioned {
    fn ty(&mut self, program: &Program, ty: &Type) {
        match ty {
            Type::Object(id) => _ = self.classes.insert(*id),
            Type::Channel(id) => _ = self.channels.insert(*id),
            Type::Token(id) => _ = self.classes.insert(program.methods[id.index()].class),
            Type::Seq(element) => self.ty(program, element),
            Type::Int | Type::Bool | Type::Str | Type::Null | Type::Mu | Type::Unsupported => {}
        }
    }

    fn locals(&mut self, program: &Program, locals: &[Local]) {
        locals.iter().for_each(|local| self.ty(program, &local.ty));
    }

    fn expr(&mut self, program: &Program, expr: &Expr) {
        self.ty(program, &expr.ty);
        match &expr.kind {
            ExprKind::Read(_, Loc::Field(id)) => {
                self.classes.insert(program.fields[id.index()].class);
            }
            ExprKind::Call(id, ..) => {
                self.classes.insert(program.functions[id.index()].class);
            }
            _ => {}
        }
    }

    /// Adds everything that a walk meets.
    fn walk(&mut self, program: &Program, visit: impl FnOnce(&mut Walk<'_>)) {
        let mut look = |expr: &Expr| self.expr(program, expr);
        visit(&mut Walk { expr: &mut look, amount: &mut |_| {} });
    }

    fn declaration(&mut self, program: &Program, plan: Plan) {
        match plan {
            Plan::Method(id) => {
                let method = &program.methods[id.index()];
                self.classes.insert(method.class);
                self.locals(program, &method.locals);
                self.walk(program, |walk| walk.spec(&method.spec));
                self.walk(program, |walk| walk.stmts(&method.body));
                self.made_in(program, &method.body);
            }
            Plan::Function(id) => _ = self.classes.insert(program.functions[id.index()].class),
            Plan::Predicate(id) => _ = self.classes.insert(program.predicates[id.index()].class),
            Plan::Monitor(id) => _ = self.classes.insert(id),
            Plan::Channel(id) => _ = self.channels.insert(id),
            Plan::Condition(id) => _ = self.classes.insert(program.conditions[id.index()].class),
            Plan::Refining(_) => {}
        }
    }

    /// Methods that are called and conditions that are waited for belong to the classes of their
    /// receivers; created objects need not have a name.
    fn made_in(&mut self, program: &Program, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Write(_, id, _) => {
                    self.classes.insert(program.fields[id.index()].class);
                }
                StmtKind::Call { method, .. } | StmtKind::Fork { method, .. } => {
                    self.classes.insert(program.methods[method.index()].class);
                }
                StmtKind::If(_, then, otherwise) => {
                    self.made_in(program, then);
                    self.made_in(program, otherwise);
                }
                StmtKind::While { body, .. } | StmtKind::Block(body) => self.made_in(program, body),
                _ => {}
            }
        }
    }

    /// What a class mentions outside the bodies of its methods.
    fn class(&mut self, program: &Program, id: ClassId) {
        let class = &program.classes[id.index()];
        for field in &class.fields {
            self.ty(program, &program.fields[field.index()].ty);
        }
        self.walk(program, |walk| walk.assertions(&class.invariants));
        for method in class.methods.iter().map(|id| &program.methods[id.index()]) {
            for local in method.params.iter().chain(&method.results) {
                self.ty(program, &method.locals[local.index()].ty);
            }
            self.walk(program, |walk| walk.spec(&method.spec));
        }
        for predicate in class.predicates.iter().map(|id| &program.predicates[id.index()]) {
            self.locals(program, &predicate.locals);
            self.walk(program, |walk| walk.assertion(&predicate.body));
        }
        for function in class.functions.iter().map(|id| &program.functions[id.index()]) {
            self.locals(program, &function.locals);
            self.ty(program, &function.ty);
            self.walk(program, |walk| {
                walk.assertions(&function.requires);
                function.ensures.iter().chain(&function.body).for_each(|expr| walk.expr(expr));
            });
        }
        for condition in class.conditions.iter().map(|id| &program.conditions[id.index()]) {
            self.walk(program, |walk| {
                condition.where_clause.iter().for_each(|c| walk.assertion(c));
            });
        }
    }

    fn channel(&mut self, program: &Program, id: ChannelId) {
        let channel = &program.channels[id.index()];
        self.locals(program, &channel.locals);
        self.walk(program, |walk| channel.where_clause.iter().for_each(|c| walk.assertion(c)));
    }
}

/// Everything mentioned, directly or not.
struct Closure<'p> {
    program: &'p Program,
    classes: BTreeSet<ClassId>,
    channels: BTreeSet<ChannelId>,
}

impl Closure<'_> {
    fn add(&mut self, first: Mentioned) {
        let mut open = vec![first];
        while let Some(mentioned) = open.pop() {
            for id in mentioned.classes {
                if self.classes.insert(id) {
                    let mut next = Mentioned::default();
                    next.class(self.program, id);
                    open.push(next);
                }
            }
            for id in mentioned.channels {
                if self.channels.insert(id) {
                    let mut next = Mentioned::default();
                    next.channel(self.program, id);
                    open.push(next);
                }
            }
        }
    }
}
