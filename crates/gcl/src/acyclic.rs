//! Loops become straight code.

use crate::{Body, Check, Loop, Stmt, Variable};
use logic::{Symbol, Term, Terms};
use std::collections::BTreeSet;
use std::convert::Infallible;
use verdict::ObligationId;

/// What to do with loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMode {
    /// Use the invariant. What is proved holds for any number of iterations.
    Cut,
    /// Follow this many iterations and no further. Nothing is proved beyond.
    Unroll(u32),
}

/// Code without loops.
#[derive(Clone, Debug)]
pub struct Acyclic {
    /// As in [`Body`].
    pub variables: Vec<Variable>,
    /// As in [`Body`].
    pub background: Vec<Term>,
    /// The statements.
    pub stmts: Vec<Stmt<Infallible>>,
    /// The number of unrollings, if there was a loop and runs longer than that were cut off.
    pub bounded: Option<u32>,
}

/// Replaces loops as `mode` says.
pub fn cut_loops(terms: &mut Terms, body: &Body, mode: LoopMode) -> Acyclic {
    let mut pass = Pass { falsity: terms.bool(false), mode, bounded: None };
    let stmts = pass.stmts(&body.stmts);
    Acyclic {
        variables: body.variables.clone(),
        background: body.background.clone(),
        stmts,
        bounded: pass.bounded,
    }
}

struct Pass {
    falsity: Term,
    mode: LoopMode,
    bounded: Option<u32>,
}

impl Pass {
    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt<Infallible>> {
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            match stmt {
                Stmt::Assign(pairs) => out.push(Stmt::Assign(pairs.clone())),
                Stmt::Havoc(symbols) => out.push(Stmt::Havoc(symbols.clone())),
                Stmt::Assume(term) => out.push(Stmt::Assume(*term)),
                Stmt::Assert(checks) => out.push(Stmt::Assert(checks.clone())),
                Stmt::Cover(term, id) => out.push(Stmt::Cover(*term, *id)),
                Stmt::Choice(branches) => {
                    out.push(Stmt::Choice(
                        branches.iter().map(|branch| self.stmts(branch)).collect(),
                    ));
                }
                Stmt::Block(label, inner) => out.push(Stmt::Block(*label, self.stmts(inner))),
                Stmt::Exit(label) => out.push(Stmt::Exit(*label)),
                Stmt::Mark(mark) => out.push(Stmt::Mark(*mark)),
                Stmt::Loop(inner) => match self.mode {
                    LoopMode::Cut => self.cut(inner, &mut out),
                    LoopMode::Unroll(count) => self.unroll(inner, count, &mut out),
                },
            }
        }
        out
    }

    /// `loop invariant J { S }` becomes
    /// `assert J; havoc targets(S); assume J && free; S; assert J; assume false`.
    fn cut(&mut self, inner: &Loop, out: &mut Vec<Stmt<Infallible>>) {
        let mut targets = BTreeSet::new();
        collect_targets(&inner.body, &mut targets);
        push_checks(inner, |invariant| invariant.established, out);
        out.push(Stmt::Havoc(targets.into_iter().collect()));
        out.extend(inner.free.iter().map(|&fact| Stmt::Assume(fact)));
        out.extend(
            inner
                .invariants
                .iter()
                .flat_map(|inv| inv.parts.iter().map(|&part| Stmt::Assume(part))),
        );
        out.push(Stmt::Mark(inner.head));
        out.extend(self.stmts(&inner.body));
        push_checks(inner, |invariant| invariant.preserved, out);
        out.push(Stmt::Assume(self.falsity));
    }

    /// `loop invariant J { S }` becomes `assert J; S; assert J; ... S; assert J; assume false`,
    /// with one `S` more than iterations: the last is where the loop is left after the others.
    fn unroll(&mut self, inner: &Loop, count: u32, out: &mut Vec<Stmt<Infallible>>) {
        self.bounded = Some(count);
        push_checks(inner, |invariant| invariant.established, out);
        for _ in 0..=count {
            out.extend(self.stmts(&inner.body));
            push_checks(inner, |invariant| invariant.preserved, out);
        }
        out.push(Stmt::Assume(self.falsity));
    }
}

fn push_checks(
    inner: &Loop,
    obligation: impl Fn(&crate::LoopInvariant) -> ObligationId,
    out: &mut Vec<Stmt<Infallible>>,
) {
    if !inner.invariants.is_empty() {
        let check = |invariant| Check {
            parts: crate::LoopInvariant::clone(invariant).parts,
            obligation: obligation(invariant),
            then_known: true,
        };
        out.push(Stmt::Assert(inner.invariants.iter().map(check).collect()));
    }
}

/// Everything the statements may change.
fn collect_targets(stmts: &[Stmt], out: &mut BTreeSet<Symbol>) {
    for stmt in stmts {
        match stmt {
            Stmt::Assign(pairs) => out.extend(pairs.iter().map(|(symbol, _)| *symbol)),
            Stmt::Havoc(symbols) => out.extend(symbols.iter().copied()),
            Stmt::Choice(branches) => {
                branches.iter().for_each(|branch| collect_targets(branch, out));
            }
            Stmt::Block(_, inner) => collect_targets(inner, out),
            Stmt::Loop(inner) => collect_targets(&inner.body, out),
            Stmt::Assume(_) | Stmt::Assert(_) | Stmt::Cover(..) | Stmt::Exit(_) | Stmt::Mark(_) => {
            }
        }
    }
}
