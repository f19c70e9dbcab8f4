//! What may hold at the heads of loops.

use crate::candidate::{Candidate, Place};
use crate::facts::Fact;
use crate::hull;
use crate::sketch::{Sketch, Written};
use crate::vocabulary::Vocabulary;
use machine::{Samples, Value};
use plato::hir::{Body, Program, Stmt, StmtKind, Ty};
use source::Span;

/// A loop of the program.
pub(crate) struct Loop<'p> {
    /// Its number in the text.
    pub(crate) number: usize,
    /// Its keyword and condition.
    pub(crate) head: Span,
    body: &'p Body,
}

/// All loops.
pub(crate) fn loops<'p>(program: &'p Program, sketch: &Sketch, written: &Written) -> Vec<Loop<'p>> {
    let threads = program.threads.iter().map(|thread| &thread.body);
    let bodies = threads.chain(program.procs.iter().map(|procedure| &procedure.body));
    let number = |stmt: &Stmt| sketch.loop_after(written.original(stmt.span.end as usize));
    let mut found = Vec::new();
    for body in bodies {
        collect(body, &body.stmts, &number, &mut found);
    }
    found
}

fn collect<'p>(
    body: &'p Body,
    stmts: &'p [Stmt],
    number: &impl Fn(&Stmt) -> Option<usize>,
    found: &mut Vec<Loop<'p>>,
) {
    for stmt in stmts {
        if let StmtKind::While { .. } = stmt.kind
            && let Some(number) = number(stmt)
        {
            found.push(Loop { number, head: stmt.span, body });
        }
        stmt.blocks().into_iter().for_each(|block| collect(body, block, number, found));
    }
}

/// What may hold at the head of a loop.
pub(crate) fn candidates(
    words: &Vocabulary<'_>,
    facts: &[Fact],
    one: &Loop<'_>,
    samples: &[Samples],
) -> Vec<Candidate> {
    let place = Place::Loop(one.number);
    let mut all = locks(words, one);
    all.extend(numbers(words, one));
    all.extend(differences(words, one));
    for local in one.body.locals.iter().filter(|local| !local.name.as_str().is_empty()) {
        let name = &local.name;
        match local.ty {
            Ty::Bool => all.extend([name.to_string(), format!("!{name}")]),
            Ty::Tid => all.extend([format!("{name} == tid"), format!("{name} == 0")]),
            _ => {}
        }
    }
    all.extend(facts.iter().filter(|fact| fact.binder.is_empty()).map(|fact| fact.text.clone()));
    all.extend(equations(words.program, one, samples));
    let mut all: Vec<Candidate> =
        all.into_iter().map(|text| Candidate::plain(place, text)).collect();
    all.extend(under_flags(words, one));
    all
}

/// Which locks the thread holds and in which sets it is, and which it does not and is not.
fn locks(words: &Vocabulary<'_>, one: &Loop<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for lock in words.globals(|ty| *ty == Ty::Tid) {
        all.extend([format!("{} == tid", lock.name), format!("{} != tid", lock.name)]);
    }
    for set in words.globals(|ty| *ty == Ty::Set(Box::new(Ty::Tid))) {
        all.extend([format!("tid in {}", set.name), format!("tid !in {}", set.name)]);
    }
    for lock in words.globals(|ty| matches!(ty, Ty::Map(_, to) if **to == Ty::Tid)) {
        let Ty::Map(key, _) = &lock.ty else { continue };
        for local in one.body.locals.iter().filter(|local| local.ty == **key) {
            all.push(format!("{}[{}] == tid", lock.name, local.name));
            all.push(format!("{}[{}] != tid", lock.name, local.name));
        }
    }
    all
}

/// The same for flags of the thread: `got ==> m == tid`, and what it has not published yet.
fn under_flags(words: &Vocabulary<'_>, one: &Loop<'_>) -> Vec<Candidate> {
    let place = Place::Loop(one.number);
    let mut all = Vec::new();
    for flag in one.body.locals.iter().filter(|local| local.ty == Ty::Bool) {
        for fact in locks(words, one).into_iter().chain(differences(words, one)) {
            all.push(Candidate::under(place, flag.name.to_string(), fact.clone()));
            all.push(Candidate::under(place, format!("!{}", flag.name), fact));
        }
    }
    all
}

/// Limit on the numbers of a thread that are compared with others.
const MANY_NUMBERS: usize = 6;

fn is_number(ty: &Ty) -> bool {
    matches!(ty, Ty::Int | Ty::Range(..))
}

/// Numbers of the thread, compared with numbers of the code, with each other and with shared ones.
fn numbers(words: &Vocabulary<'_>, one: &Loop<'_>) -> Vec<String> {
    let own: Vec<&str> = own_numbers(one.body).collect();
    let shared = words.globals(is_number).map(|global| global.name.as_str());
    let constants = words.program.consts.iter().filter(|constant| is_number(&constant.ty));
    let others: Vec<&str> =
        shared.chain(constants.map(|constant| constant.name.as_str())).take(MANY_NUMBERS).collect();
    let mut all = Vec::new();
    for (at, name) in own.iter().enumerate() {
        for value in &words.literals {
            all.push(format!("{name} == {value}"));
            all.push(format!("{name} >= {value}"));
            all.push(format!("{name} <= {value}"));
        }
        for other in own[at + 1..].iter().chain(&others) {
            all.push(format!("{name} == {other}"));
            all.push(format!("{name} <= {other}"));
            all.push(format!("{name} >= {other}"));
            all.push(format!("{name} < {other}"));
            all.push(format!("{name} > {other}"));
        }
    }
    all
}

/// Numbers of the thread that shared ones differ from, or are above.
fn differences(words: &Vocabulary<'_>, one: &Loop<'_>) -> Vec<String> {
    let shared = words.globals(is_number).map(|global| global.name.as_str()).take(MANY_NUMBERS);
    let shared: Vec<&str> = shared.collect();
    let own = own_numbers(one.body);
    let pairs = own.flat_map(|own| shared.iter().map(move |shared| (own, shared)));
    let both = |(own, shared)| [format!("{shared} != {own}"), format!("{shared} > {own}")];
    pairs.flat_map(both).collect()
}

fn own_numbers(body: &Body) -> impl Iterator<Item = &str> {
    let numbers = body.locals.iter().filter(|local| is_number(&local.ty));
    numbers.map(|local| local.name.as_str()).take(MANY_NUMBERS)
}

/// Linear equations of the thread's numbers and shared ones that hold in all samples.
fn equations(program: &Program, one: &Loop<'_>, samples: &[Samples]) -> Vec<String> {
    let shared: Vec<usize> = (0..program.globals.len())
        .filter(|&at| is_number(&program.globals[at].ty))
        .take(MANY_NUMBERS)
        .collect();
    let own: Vec<usize> = (0..one.body.locals.len())
        .filter(|&at| is_number(&one.body.locals[at].ty))
        .take(MANY_NUMBERS)
        .collect();
    let name_of_shared = |&at: &usize| program.globals[at].name.to_string();
    let name_of_own = |&at: &usize| one.body.locals[at].name.to_string();
    let names: Vec<String> =
        shared.iter().map(name_of_shared).chain(own.iter().map(name_of_own)).collect();
    let mut points = Vec::new();
    for (globals, locals) in samples.iter().flat_map(|samples| samples.at_head(one.head)) {
        let values = shared.iter().map(|&at| &globals[at]).chain(own.iter().map(|&at| &locals[at]));
        points.extend(values.map(number).collect::<Option<Vec<i128>>>());
    }
    let found = hull::equations(&points);
    found.iter().filter_map(|equation| hull::text(equation, &names)).collect()
}

/// The number that a value is.
pub(crate) fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(*value),
        _ => None,
    }
}
