//! What other threads may do to the body at hand, and what it must not do to them.

use super::guarantee::{Guarantee, Kind, guarantees};
use crate::environment::{self, Conjunct, Environment, Owner, environment};
use crate::expr::Scope;
use crate::{Context, Options};
use crate::{mentions, mutexes};
use logic::{Sort, Symbol, Term};
use plato::hir::{GlobalId, Program, Root};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The rely and the guarantee of a body.
#[derive(Debug)]
pub(super) struct Interference<'a> {
    /// Whose annotations these are.
    pub(super) owner: Owner,
    /// The thread that runs.
    pub(super) tid: Term,
    /// Another one, whose rely must be kept.
    pub(super) other: Term,
    pub(super) environment: Environment<'a>,
    pub(super) guarantees: Vec<Guarantee<'a>>,
    /// The mutexes that others leave to this thread without a rely.
    mutexes: BTreeSet<GlobalId>,
    /// Whether there is no other thread, so that nothing interferes.
    pub(super) alone: bool,
    /// Whether a rely says anything about other threads.
    pub(super) has_rely: bool,
    /// How many steps the environment takes in a row.
    pub(super) environment_steps: usize,
}

/// Whether somebody wrote the rely.
fn is_written(program: &Program, rely: &Conjunct<'_>) -> bool {
    let is_it = |one: &&plato::hir::Formula| one.span == rely.item && !one.is_written;
    !program.relies.iter().any(|one| is_it(&one))
}

impl<'a> Interference<'a> {
    /// What interferes with the owner's code, which the thread `tid` runs.
    pub(super) fn new(
        context: &mut Context<'a>,
        owner: Owner,
        tid: Term,
        relies: &[Conjunct<'a>],
        options: &Options,
    ) -> Self {
        let other = context.terms.symbol("other thread@", Sort::Int);
        let other = context.terms.constant(other);
        let total = context.layout.total;
        Self {
            tid,
            other,
            environment: environment(context.program, &owner, relies, options),
            guarantees: guarantees(context.program, &owner, total),
            mutexes: mutexes::mutexes(context.program),
            alone: total == Some(1),
            has_rely: relies.iter().any(|rely| is_written(context.program, rely)),
            environment_steps: options.environment_steps.max(1),
            owner,
        }
    }

    /// The formulas of the guarantee that a step writing these variables could break.
    pub(super) fn relevant(&self, written: &BTreeSet<GlobalId>) -> Vec<usize> {
        let touches = |index: &usize| !self.guarantees[*index].mentions.is_disjoint(written);
        (0..self.guarantees.len()).filter(touches).collect()
    }

    /// The variables that these formulas of the guarantee mention.
    pub(super) fn mentions(&self, formulas: &[usize]) -> BTreeSet<GlobalId> {
        let mentions = |&index: &usize| self.guarantees[index].mentions.iter().copied();
        formulas.iter().flat_map(mentions).collect()
    }

    /// The variables of the clusters that other threads may change.
    pub(super) fn changeable(&self, clusters: &BTreeSet<usize>) -> BTreeSet<GlobalId> {
        clusters.iter().flat_map(|&cluster| self.environment.changeable(cluster)).collect()
    }

    /// `A && I'` for the clusters, from the store `before` to the current one, and that mutexes
    /// stay with those who have them.
    pub(super) fn facts(
        &self,
        context: &mut Context<'_>,
        clusters: &BTreeSet<usize>,
        before: &BTreeMap<Root, Symbol>,
    ) -> Vec<Term> {
        let scope = Scope { tid: Some(self.tid), before: before.clone(), ..Scope::default() };
        let mut facts = Vec::new();
        for &cluster in clusters {
            for &formula in &self.environment.clusters[cluster].relies {
                facts.push(context.term(&scope, formula));
            }
        }
        let changed = |id: &&GlobalId| before.contains_key(&Root::Global(**id));
        let mutexes = self.mutexes.iter().filter(changed).copied().collect();
        facts.extend(mutexes::kept(context, &scope, self.tid, &mutexes));
        facts.extend(self.invariant_facts(context, clusters));
        facts
    }

    /// `I` for the clusters.
    pub(super) fn invariant_facts(
        &self,
        context: &mut Context<'_>,
        clusters: &BTreeSet<usize>,
    ) -> Vec<Term> {
        let now = Scope::default();
        let mut facts = Vec::new();
        for &cluster in clusters {
            for invariant in &self.environment.clusters[cluster].invariants {
                let parts = context.invariant_parts(&now, invariant);
                facts.extend(parts.into_iter().map(|(term, _)| term));
            }
        }
        facts
    }

    /// `G && I'` of an owner, from the store `before` to the current one: what its steps are
    /// checked to satisfy. `G` is assumed for the one other thread that the checks are about.
    pub(super) fn kept(
        &self,
        context: &mut Context<'_>,
        owner: &Owner,
        before: &BTreeMap<Root, Symbol>,
    ) -> Vec<Term> {
        let program = context.program;
        let mut parts = Vec::new();
        for Conjunct { formula, .. } in environment::common_relies(program, owner) {
            let kind = Kind::Rely(formula);
            let premise = if self.says_the_same(program, &kind) {
                context.terms.bool(true)
            } else {
                self.is_another(context, &kind)
            };
            parts.extend(context.parts_under(premise, &self.seen_by_other(before), formula));
        }
        for invariant in environment::invariants(program, owner) {
            parts.extend(context.invariant_parts(&Scope::default(), &invariant));
        }
        parts.into_iter().map(|(term, _)| term).collect()
    }

    /// What a step from `old` to the current store must satisfy to keep a formula of the guarantee.
    pub(super) fn guarantee_parts(
        &self,
        context: &mut Context<'_>,
        guarantee: &Guarantee<'_>,
        old: &BTreeMap<Root, Symbol>,
    ) -> Vec<(Term, Span)> {
        match &guarantee.kind {
            Kind::Rely(formula) | Kind::RelyOf(_, formula) => {
                let premise = self.rely_premise(context, &guarantee.kind);
                context.parts_under(premise, &self.seen_by_other(old), formula)
            }
            Kind::Invariant(invariant) => context.invariant_parts(&Scope::default(), invariant),
        }
    }

    /// A step from the store `before` to the current one, as the other thread sees it.
    fn seen_by_other(&self, before: &BTreeMap<Root, Symbol>) -> Scope {
        Scope { tid: Some(self.other), before: before.clone(), ..Scope::default() }
    }

    /// Under which premise a step is checked to keep a rely: that `other` is another thread. If the
    /// rely says the same for every thread it is also kept if there is no other one, so that
    /// callers may use it without knowing of another.
    fn rely_premise(&self, context: &mut Context<'_>, kind: &Kind<'_>) -> Term {
        let another = self.is_another(context, kind);
        if !self.says_the_same(context.program, kind) {
            return another;
        }
        let terms = &mut context.terms;
        let second = terms.int(2);
        let some = context.layout.is_thread(terms, second);
        let none = terms.not(some);
        terms.or(vec![another, none])
    }

    /// Whether the rely is kept for every thread alike, whether there is another one or not.
    fn says_the_same(&self, program: &Program, kind: &Kind<'_>) -> bool {
        match kind {
            Kind::Rely(formula) => !self.alone && !mentions::mentions_tid(program, formula),
            Kind::RelyOf(..) | Kind::Invariant(_) => false,
        }
    }

    /// That `other` is another thread, of the kind the formula is about. Only a premise: there may
    /// be none.
    fn is_another(&self, context: &mut Context<'_>, kind: &Kind<'_>) -> Term {
        let terms = &mut context.terms;
        let same = terms.eq(self.other, self.tid);
        let different = terms.not(same);
        let exists = match kind {
            Kind::RelyOf(thread, _) => context.layout.is_copy_of(terms, self.other, *thread),
            Kind::Rely(_) | Kind::Invariant(_) => context.layout.is_thread(terms, self.other),
        };
        terms.and(vec![exists, different])
    }
}
