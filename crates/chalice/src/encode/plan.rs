//! Lists the declarations to verify.

use super::seqs::element_sorts;
use super::tasks::looks_back;
use crate::hir::{
    ChannelId, ClassId, ConditionId, FunctionId, MethodId, PredicateId, Program, Stmt, StmtKind,
};
use logic::Sort;
use source::{Name, Span};
use verdict::{TaskKind, TaskName};

/// One declaration to verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// A method meets its contract.
    Method(MethodId),
    /// A function has a value and meets its contract.
    Function(FunctionId),
    /// A predicate reads only what it has permission to.
    Predicate(PredicateId),
    /// A monitor invariant reads only what it has permission to; one about two states is reflexive
    /// and transitive.
    Monitor(ClassId),
    /// A channel's `where` clause reads only what it has permission to.
    Channel(ChannelId),
    /// The `where` clause of a condition reads only what it has permission to.
    Condition(ConditionId),
    /// A class that refines another: nothing of it is verified, and that is reported.
    Refining(ClassId),
}

/// Everything to verify, in the order of the program's tables.
pub fn plans(program: &Program) -> Vec<Plan> {
    let ids = |count: usize| 0..source::number(count);
    let is_refining = |id: ClassId| program.classes[id.index()].unsupported.is_some();
    let mut plans: Vec<Plan> = Vec::new();
    let classes = || ids(program.classes.len()).map(ClassId);
    plans.extend(classes().filter(|&id| is_refining(id)).map(Plan::Refining));
    plans.extend(ids(program.channels.len()).map(|id| Plan::Channel(ChannelId(id))));
    plans.extend(
        classes()
            .filter(|id| {
                let class = &program.classes[id.index()];
                !class.invariants.is_empty() || !class.rely.is_empty()
            })
            .map(Plan::Monitor),
    );
    let conditions = ids(program.conditions.len()).map(ConditionId);
    plans.extend(
        conditions
            .filter(|id| program.conditions[id.index()].where_clause.is_some())
            .map(Plan::Condition),
    );
    plans.extend(ids(program.predicates.len()).map(|id| Plan::Predicate(PredicateId(id))));
    plans.extend(ids(program.functions.len()).map(|id| Plan::Function(FunctionId(id))));
    plans.extend(ids(program.methods.len()).map(|id| Plan::Method(MethodId(id))));
    plans.retain(|&plan| {
        let class = class_of(program, plan);
        matches!(plan, Plan::Refining(_)) || !class.is_some_and(is_refining)
    });
    plans
}

/// The class that a declaration is part of.
fn class_of(program: &Program, plan: Plan) -> Option<ClassId> {
    match plan {
        Plan::Method(id) => Some(program.methods[id.index()].class),
        Plan::Function(id) => Some(program.functions[id.index()].class),
        Plan::Predicate(id) => Some(program.predicates[id.index()].class),
        Plan::Condition(id) => Some(program.conditions[id.index()].class),
        Plan::Monitor(id) | Plan::Refining(id) => Some(id),
        Plan::Channel(_) => None,
    }
}

/// The name of a plan's declaration, and its place.
pub fn name_of(program: &Program, plan: Plan) -> (TaskName, Span) {
    let of = |kind: TaskKind, class: ClassId, name: &Name| {
        kind.of(format!("{}.{name}", program.classes[class.index()].name))
    };
    match plan {
        Plan::Method(id) => {
            let method = &program.methods[id.index()];
            (of(TaskKind::Method, method.class, &method.name), method.span)
        }
        Plan::Function(id) => {
            let function = &program.functions[id.index()];
            (of(TaskKind::Function, function.class, &function.name), function.span)
        }
        Plan::Predicate(id) => {
            let predicate = &program.predicates[id.index()];
            (of(TaskKind::Predicate, predicate.class, &predicate.name), predicate.span)
        }
        Plan::Monitor(id) => {
            let class = &program.classes[id.index()];
            (TaskKind::Monitor.of(class.name.as_str()), class.span)
        }
        Plan::Channel(id) => {
            let channel = &program.channels[id.index()];
            (TaskKind::Channel.of(channel.name.as_str()), channel.span)
        }
        Plan::Condition(id) => {
            let condition = &program.conditions[id.index()];
            (of(TaskKind::Condition, condition.class, &condition.name), condition.span)
        }
        Plan::Refining(id) => {
            let class = &program.classes[id.index()];
            (TaskKind::Class.of(class.name.as_str()), class.span)
        }
    }
}

/// What is found out once about a program and used for every declaration.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Whether some formula looks back at when a monitor was acquired or released.
    pub(crate) looks_back: bool,
    /// The sorts of the elements of all sequences.
    pub(crate) elements: Vec<Sort>,
}

/// Looks through the whole program once.
pub fn facts(program: &Program) -> Facts {
    Facts { looks_back: looks_back(program), elements: element_sorts(program) }
}

/// The number of statements of all methods.
pub fn statement_count(program: &Program) -> usize {
    fn count(stmts: &[Stmt]) -> usize {
        let inner = |stmt: &Stmt| match &stmt.kind {
            StmtKind::If(_, then, otherwise) => count(then) + count(otherwise),
            StmtKind::While { body, .. } => count(body),
            StmtKind::Block(stmts) => count(stmts),
            _ => 0,
        };
        stmts.iter().map(|stmt| 1 + inner(stmt)).sum()
    }
    program.methods.iter().map(|method| count(&method.body)).sum()
}
