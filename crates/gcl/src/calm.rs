//! Runs in which little happens: of all runs that fail along one path, one in which others change
//! little and numbers are small is the easiest to read.

use crate::model::Failure;
use crate::passive::Event;
use crate::solve::{Care, Solver};
use logic::{Script, Sort, Symbol, free_symbols};
use smt::Answer;
use std::collections::BTreeMap;
use verdict::Limits;

/// How many questions may be asked to make one run calmer.
const QUESTIONS: u32 = 48;
/// What each may cost.
const RESOURCES: u64 = 3_000_000;
/// Numbers that are easy to read.
const SMALL: &str = "(and (<= (- 2) {}) (<= {} 9))";

impl Solver<'_, '_> {
    /// The failure at a site, made calmer, if the present model shows one. Begins conversations of
    /// its own, so that the present one has ended.
    pub(crate) fn calm_failure(&mut self, script: &mut Script, site: usize) -> Option<Failure> {
        let usual = self.failure(site, false)?;
        let path = self.path_to(self.question.graph.sites[site].node)?;
        let mut flags: Vec<_> =
            path.iter().map(|&node| self.question.conditions.reach[node]).collect();
        flags.extend(self.question.conditions.sites[site].map(|(flag, _)| flag));
        self.session.push();
        for &flag in &flags {
            script.assert(self.question.terms, flag);
        }
        self.session.send(&script.take());
        let wishes = self.wishes(&path);
        let limits = Limits { resources: RESOURCES, ..self.limits };
        self.session.set_limits(limits);
        let (mut left, mut granted) = (QUESTIONS, Vec::new());
        wishes.iter().for_each(|wishes| self.grant(wishes, &mut left, &mut granted));
        self.session.set_limits(self.limits);
        // The run must not depend on which of these questions were answered from memory.
        self.session.fresh();
        let mut script = Script::default();
        self.load_sites(&mut script, &[site], usize::MAX, Care::Usual);
        for flag in flags {
            script.assert(self.question.terms, flag);
        }
        self.session.send(&script.take());
        self.session.send(&format!("(assert (and true {}))", granted.join(" ")));
        let calm = match self.ask(&mut script, &[site]) {
            Answer::Sat => self.failure(site, false),
            Answer::Unsat(_) | Answer::Candidate | Answer::Unknown(_) => None,
        };
        Some(calm.unwrap_or(usual))
    }

    /// Asserts the wishes that can be met together with those before.
    fn grant(&mut self, wishes: &[String], left: &mut u32, granted: &mut Vec<String>) {
        if wishes.is_empty() || *left == 0 {
            return;
        }
        *left -= 1;
        self.session.push();
        self.session.send(&format!("(assert (and true {}))", wishes.join(" ")));
        let is_met = matches!(self.session.check(&[]), Answer::Sat);
        self.session.pop();
        if is_met {
            self.session.send(&format!("(assert (and true {}))", wishes.join(" ")));
            granted.extend_from_slice(wishes);
        } else if wishes.len() > 1 {
            let (first, second) = wishes.split_at(wishes.len() / 2);
            self.grant(first, left, granted);
            self.grant(second, left, granted);
        }
    }

    /// What is wished of a run, in groups: that numbers are small, and that variables stay as they
    /// were.
    fn wishes(&self, path: &[usize]) -> Vec<Vec<String>> {
        let (mut small, mut same) = (Vec::new(), Vec::new());
        let mut last: BTreeMap<Symbol, Vec<Symbol>> = BTreeMap::new();
        for &symbol in self.question.observed {
            small.extend(self.cells(symbol).into_iter().filter_map(|cell| self.small(cell)));
        }
        for &node in path {
            for event in &self.question.graph.nodes[node].events {
                let Event::Bind { variable, incarnation, free } = event else { continue };
                let cells = self.cells(*incarnation);
                let before = last.insert(*variable, cells.clone());
                if !free {
                    continue;
                }
                small.extend(cells.iter().filter_map(|&cell| self.small(cell)));
                if let Some(before) = before {
                    let pairs = before.iter().zip(&cells).filter(|(old, new)| old != new);
                    same.extend(
                        pairs.map(|(&old, &new)| {
                            format!("(= {} {})", self.text(old), self.text(new))
                        }),
                    );
                }
            }
        }
        vec![small, same]
    }

    /// The symbols that a symbol stands for.
    fn cells(&self, symbol: Symbol) -> Vec<Symbol> {
        match self.question.maps.get(&symbol) {
            Some(&map) => free_symbols(self.question.terms, map).into_iter().collect(),
            None => vec![symbol],
        }
    }

    fn small(&self, symbol: Symbol) -> Option<String> {
        let is_number = *self.question.terms.symbol_sort(symbol) == Sort::Int;
        is_number.then(|| SMALL.replace("{}", &self.text(symbol)))
    }

    fn text(&self, symbol: Symbol) -> String {
        logic::symbol_text(self.question.terms, symbol)
    }
}
