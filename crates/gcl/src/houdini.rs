//! Which guessed loop invariants hold (Houdini: Flanagan and Leino, FME 2001).
//!
//! Each guess is assumed and checked under a switch of its own, a symbol that nothing else
//! mentions. A guess that fails in a model is switched off and the rest is asked about again, in
//! one conversation. What is left at the end is the largest set of guesses that keep each other. It
//! is only a choice: whoever uses the guesses proves them like any other obligation.

use crate::solve::{Care, Question, Solver, second_look_limits};
use logic::{Script, Term};
use smt::{Answer, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;
use verdict::{Limits, ObligationId};

/// A guess.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The truth value under which it is assumed and checked.
    pub switch: Term,
    /// The obligations that show it.
    pub shown_by: Vec<ObligationId>,
}

/// How long to look for guesses that hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How many questions about several guesses may stay without an answer; then guesses without an
    /// answer count as wrong at once.
    pub hard: usize,
    /// How long a question may take. Some that have no answer take long before they reach the limit
    /// on resources.
    pub each: Duration,
    /// Nothing more is asked once a guess with this position or a later one is wrong.
    pub up_to: usize,
}

impl Patience {
    /// Every guess is asked about by itself if need be.
    pub const ENDLESS: Self = Self { hard: usize::MAX, each: Duration::MAX, up_to: usize::MAX };
}

/// The positions of the guesses to be switched off, among them those that are `off` from the start;
/// with each which of its obligations fails, if that is known.
pub fn wrong_guesses(
    session: &mut Session,
    question: Question<'_>,
    guesses: &[Guess],
    (off, patience): (BTreeSet<usize>, Patience),
) -> BTreeMap<usize, Option<ObligationId>> {
    let shown_by = guesses.iter().enumerate().flat_map(|(position, guess)| {
        guess.shown_by.iter().map(move |obligation| (*obligation, position))
    });
    let shown: BTreeMap<ObligationId, usize> = shown_by.collect();
    let off = off.into_iter().map(|position| (position, None)).collect();
    let mut sites = Vec::new();
    for (site, about) in question.graph.sites.iter().enumerate() {
        let guess = shown.get(&about.obligation);
        if let (Some(&guess), Some(_)) = (guess, question.conditions.sites[site]) {
            sites.push(Site { at: site, guess, shows: about.obligation });
        }
    }
    let limits = question.limits;
    let mut solver = Solver::new(session, question);
    let short = second_look_limits(limits);
    solver.limits = Limits { wall_clock: short.wall_clock.min(patience.each), ..short };
    let mut search =
        Search { solver, guesses, off, patience, script: Script::default(), switches: Vec::new() };
    search.settle(sites);
    let off = search.off;
    session.set_limits(limits);
    off
}

/// A site that shows a guess.
#[derive(Clone, Copy)]
struct Site {
    at: usize,
    guess: usize,
    shows: ObligationId,
}

struct Search<'a, 'b> {
    solver: Solver<'a, 'b>,
    guesses: &'b [Guess],
    /// Those that are switched off, with the obligations that fail.
    off: BTreeMap<usize, Option<ObligationId>>,
    patience: Patience,
    script: Script,
    /// The guesses' switches, for the solver.
    switches: Vec<String>,
}

impl Search<'_, '_> {
    fn settle(&mut self, sites: Vec<Site>) {
        let all: Vec<usize> = sites.iter().map(|site| site.at).collect();
        if all.is_empty() {
            return;
        }
        self.solver.load_sites(&mut self.script, &all, usize::MAX, Care::Lean);
        let terms = self.solver.question.terms;
        let switches = self.guesses.iter().map(|guess| guess.switch);
        self.switches = switches.map(|switch| self.script.expression(terms, switch)).collect();
        self.solver.session.send(&self.script.take());
        let mut open = vec![sites];
        // What holds as long as nothing more is switched off.
        let mut held: Vec<Site> = Vec::new();
        while let Some(mut asked) = open.pop() {
            asked.retain(|site| !self.off.contains_key(&site.guess));
            if asked.is_empty() || self.solver.session.halted().is_some() {
                continue;
            }
            let wrong = match self.ask(&asked) {
                Found::Nothing => {
                    held.append(&mut asked);
                    continue;
                }
                Found::TooHard if asked.len() > 1 && self.patience.hard > 0 => {
                    self.patience.hard -= 1;
                    let rest = asked.split_off(asked.len() / 2);
                    open.extend([asked, rest]);
                    continue;
                }
                Found::TooHard => asked.iter().map(|site| (site.guess, None)).collect(),
                Found::Wrong(wrong) => wrong,
            };
            self.off.extend(wrong);
            if self.off.keys().next_back().is_some_and(|last| *last >= self.patience.up_to) {
                return;
            }
            open.extend([asked, std::mem::take(&mut held)]);
        }
    }

    /// Is there a run in which one of the sites fails?
    fn ask(&mut self, sites: &[Site]) -> Found {
        let asked: Vec<usize> = sites.iter().map(|site| site.at).collect();
        self.solver.session.push();
        self.set_switches();
        let found = match self.solver.ask(&mut self.script, &asked) {
            Answer::Unsat(_) => Found::Nothing,
            Answer::Unknown(_) => Found::TooHard,
            Answer::Sat | Answer::Candidate => {
                let failing = self.solver.all_failing(&asked);
                let wrong = sites.iter().filter(|site| failing.contains(&site.at));
                let wrong = wrong.map(|site| (site.guess, Some(site.shows)));
                match wrong.collect::<BTreeMap<usize, Option<ObligationId>>>() {
                    none if none.is_empty() => Found::TooHard,
                    wrong => Found::Wrong(wrong),
                }
            }
        };
        self.solver.session.pop();
        self.solver.session.pop();
        found
    }

    fn set_switches(&mut self) {
        let mut text = String::new();
        for (position, switch) in self.switches.iter().enumerate() {
            let is = if self.off.contains_key(&position) { "not" } else { "and" };
            let _ = writeln!(text, "(assert ({is} {switch}))");
        }
        self.solver.session.send(&text);
    }
}

/// What a question about some sites found.
enum Found {
    /// No run fails at any of them.
    Nothing,
    /// These guesses fail.
    Wrong(BTreeMap<usize, Option<ObligationId>>),
    /// No answer.
    TooHard,
}
