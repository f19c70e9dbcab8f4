//! What is to be shown of formulas that are looked for, apart from that every step keeps them.

use super::Maker;
use crate::environment::{Conjunct, Owner, all_invariants};
use crate::expr::Scope;
use crate::formula::Unknowns;
use crate::layout::Roll;
use crate::task::Task;
use diagnostic::Code;
use gcl::MarkKind;
use gcl::{Check, Stmt as Command};
use logic::Symbol;
use plato::hir::{Program, Root};
use std::collections::BTreeMap;
use verdict::{Obligation, TaskKind};

/// That the unknown invariants hold of the initial stores, and that the unknown relies are
/// reflexive and transitive. Each rely by itself: what several such relies allow together is
/// reflexive and transitive, too.
///
/// DIVERGENCE: asked of stores that satisfy the invariants only, as for written relies.
pub fn unknowns_task(program: &Program, unknowns: &Unknowns) -> Task {
    let mut maker = Maker::new(program, Roll::of(program));
    maker.any_thread(None);
    let initial = initial(&mut maker, unknowns);
    let reflexive = reflexive(&mut maker, unknowns);
    let transitive = transitive(&mut maker, unknowns);
    let stmts = vec![Command::Choice(vec![initial, reflexive, transitive])];
    maker.finish(TaskKind::Unknowns.alone(), stmts)
}

/// `Init ==> J`.
fn initial(maker: &mut Maker<'_>, unknowns: &Unknowns) -> Vec<Command> {
    let now = Scope::default();
    let mut commands = Vec::new();
    for init in &maker.program.inits {
        commands.push(Command::Assume(maker.context.term(&now, &init.expr)));
    }
    commands.push(start(maker));
    let mut checks = Vec::new();
    for invariant in unknowns.invariants() {
        let parts = maker.context.invariant_parts(&now, &invariant);
        let failed = "this invariant need not hold at the start";
        let about = Obligation::new(Code::InvariantNotInitial, invariant.item, failed);
        checks.push(maker.check(about, &parts));
    }
    commands.push(Command::Assert(checks));
    commands
}

/// `I ==> R(tid, store, store)`.
fn reflexive(maker: &mut Maker<'_>, unknowns: &Unknowns) -> Vec<Command> {
    let mut commands = assume_all_invariants(maker, unknowns, &BTreeMap::new());
    commands.push(start(maker));
    let failed = "this rely forbids other threads to do nothing";
    let here = maker.scope();
    commands.push(checks(maker, unknowns, &here, (Code::RelyNotReflexive, failed)));
    commands
}

/// `I && I' && I'' && R(tid, store, store') && R(tid, store', store'') ==> R(tid, store, store'')`.
fn transitive(maker: &mut Maker<'_>, unknowns: &Unknowns) -> Vec<Command> {
    let (middle, after) = (maker.other_store("middle"), maker.other_store("after"));
    let mut commands = assume_all_invariants(maker, unknowns, &BTreeMap::new());
    commands.push(start(maker));
    commands.extend(assume_all_invariants(maker, unknowns, &middle));
    commands.extend(assume_all_invariants(maker, unknowns, &after));
    let first = Scope { after: middle.clone(), ..maker.scope() };
    let second = Scope { before: middle, after: after.clone(), ..maker.scope() };
    for scope in [&first, &second] {
        for Conjunct { formula, .. } in unknowns.relies() {
            commands.push(Command::Assume(maker.context.formula(scope, formula)));
        }
    }
    let both = Scope { after, ..maker.scope() };
    let failed = "two steps that satisfy this rely need not make one that does";
    commands.push(checks(maker, unknowns, &both, (Code::RelyNotTransitive, failed)));
    commands
}

/// Checks that each unknown rely holds of the stores of the scope.
fn checks(
    maker: &mut Maker<'_>,
    unknowns: &Unknowns,
    scope: &Scope,
    (code, failed): (Code, &str),
) -> Command {
    let mut checks: Vec<Check> = Vec::new();
    for Conjunct { formula, item } in unknowns.relies() {
        let parts = maker.context.formula_parts(scope, formula);
        checks.push(maker.check(Obligation::new(code, item, failed), &parts));
    }
    Command::Assert(checks)
}

fn start(maker: &mut Maker<'_>) -> Command {
    Command::Mark(maker.marks.add(MarkKind::Start, None, ""))
}

fn assume_all_invariants(
    maker: &mut Maker<'_>,
    unknowns: &Unknowns,
    store: &BTreeMap<Root, Symbol>,
) -> Vec<Command> {
    let scope = Scope { before: store.clone(), ..Scope::default() };
    let mut commands = Vec::new();
    for invariant in all_invariants(maker.program, &Owner::Everybody, unknowns) {
        let parts = maker.context.invariant_parts(&scope, &invariant);
        commands.extend(parts.into_iter().map(|(term, _)| Command::Assume(term)));
    }
    commands
}
