//! Leaves out what a body does not need: variables that it never mentions, and what is assumed at
//! its start about variables that are not connected with those it mentions. A program's shared
//! variables are many, those of one procedure few.
//!
//! Assuming less is sound. Nothing is lost either unless the assumptions left out contradict each
//! other.

use crate::{Body, Stmt};
use logic::{Symbol, Term, Terms, free_symbols};
use std::collections::BTreeSet;

/// The body without what it does not need.
pub fn slice(terms: &Terms, mut body: Body) -> Body {
    let start = body.stmts.iter().take_while(|stmt| matches!(stmt, Stmt::Assume(_))).count();
    let rest = body.stmts.split_off(start);
    let mut used = BTreeSet::new();
    mentioned(terms, &rest, &mut used);
    let variables: BTreeSet<Symbol> = body.variables.iter().map(|v| v.symbol).collect();
    let assumed: Vec<(Stmt, BTreeSet<Symbol>)> = std::mem::take(&mut body.stmts)
        .into_iter()
        .map(|stmt| {
            let symbols = match &stmt {
                Stmt::Assume(term) => free_symbols(terms, *term),
                _ => BTreeSet::new(),
            };
            (stmt, symbols.intersection(&variables).copied().collect())
        })
        .collect();
    let mut kept = vec![false; assumed.len()];
    loop {
        let before = used.len();
        for (keep, (_, symbols)) in kept.iter_mut().zip(&assumed) {
            if !*keep && (symbols.is_empty() || !symbols.is_disjoint(&used)) {
                *keep = true;
                used.extend(symbols.iter().copied());
            }
        }
        if used.len() == before {
            break;
        }
    }
    let needed = assumed.into_iter().zip(kept).filter(|(_, keep)| *keep);
    body.stmts = needed.map(|((stmt, _), _)| stmt).chain(rest).collect();
    body.variables.retain(|variable| used.contains(&variable.symbol));
    body
}

/// All symbols that the statements mention or assign.
fn mentioned(terms: &Terms, stmts: &[Stmt], out: &mut BTreeSet<Symbol>) {
    let formula = |term: Term, out: &mut BTreeSet<Symbol>| {
        out.extend(free_symbols(terms, term));
    };
    for stmt in stmts {
        match stmt {
            Stmt::Assign(pairs) => {
                for (symbol, term) in pairs {
                    out.insert(*symbol);
                    formula(*term, out);
                }
            }
            Stmt::Havoc(symbols) => out.extend(symbols.iter().copied()),
            Stmt::Assume(term) | Stmt::Cover(term, _) => formula(*term, out),
            Stmt::Assert(checks) => {
                checks.iter().flat_map(|check| &check.parts).for_each(|part| formula(*part, out));
            }
            Stmt::Choice(branches) => {
                branches.iter().for_each(|branch| mentioned(terms, branch, out));
            }
            Stmt::Block(_, inner) => mentioned(terms, inner, out),
            Stmt::Exit(_) | Stmt::Mark(_) => {}
            Stmt::Loop(inner) => {
                let invariants = inner.invariants.iter().flat_map(|invariant| &invariant.parts);
                invariants.chain(&inner.free).for_each(|term| formula(*term, out));
                mentioned(terms, &inner.body, out);
            }
        }
    }
}
