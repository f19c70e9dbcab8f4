//! One step: environment, effect, guarantee.

use super::Lowering;
use super::guarantee::Kind;
use crate::expr::Scope;
use crate::mentions::{self, Touched};
use crate::task::hygiene;
use diagnostic::Code;
use gcl::MarkKind;
use gcl::{Check, Stmt as Command};
use logic::{Symbol, Term};
use plato::hir::{Expr, GlobalId, Root};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Obligation;

impl Lowering<'_> {
    /// `A*; X | (Y && G)`: `effect` writes the commands of `X | Y`. Inside an atomic block only those.
    pub(super) fn step(&mut self, span: Span, touched: &Touched, effect: impl FnOnce(&mut Self)) {
        if self.in_atomic {
            effect(self);
            self.mark(MarkKind::Statement, span, "");
            return;
        }
        let relevant = self.relevant(&touched.written);
        let mut used = touched.used.clone();
        for &index in &relevant {
            used.extend(self.guarantees[index].mentions.iter().copied());
        }
        used.extend(self.simulation_mentions());
        self.environment_step(&used);
        self.cover_reached(span);
        let old = self.copy_globals(&touched.written, "old");
        // What is said of the whole step is not said of the statements inside of it.
        let performs = self.performs.take();
        effect(self);
        self.performs = performs;
        self.mark(MarkKind::Statement, span, "");
        self.check_guarantee(span, &relevant, &old);
        self.simulate(span, &touched.written, &old);
    }

    /// The formulas of the guarantee that a step writing these variables could break.
    pub(super) fn relevant(&self, written: &BTreeSet<GlobalId>) -> Vec<usize> {
        let touches = |index: &usize| !self.guarantees[*index].mentions.is_disjoint(written);
        (0..self.guarantees.len()).filter(touches).collect()
    }

    /// Steps of other threads on the clusters of these variables.
    pub(super) fn environment_step(&mut self, used: &BTreeSet<GlobalId>) {
        if self.in_atomic || self.alone {
            return;
        }
        let clusters = self.environment.clusters_of(&self.with_locks(used));
        let changeable: BTreeSet<GlobalId> =
            clusters.iter().flat_map(|&cluster| self.environment.changeable(cluster)).collect();
        if changeable.is_empty() {
            return;
        }
        // One step stands for any number of them: the rely is transitive. More are only asked for to test that.
        for _ in 0..self.environment_steps {
            let before = self.copy_globals(&changeable, "env");
            let symbols = changeable.iter().map(|id| self.context.globals[id.index()]).collect();
            self.out.push(Command::Havoc(symbols));
            for term in self.environment_facts(&clusters, &before) {
                self.out.push(Command::Assume(term));
            }
            let mark = self.marks.add(MarkKind::Environment, None, "");
            self.out.push(Command::Mark(mark));
        }
    }

    /// `A && I'` for the clusters, from the store `before` to the current one.
    pub(super) fn environment_facts(
        &mut self,
        clusters: &BTreeSet<usize>,
        before: &BTreeMap<Root, Symbol>,
    ) -> Vec<Term> {
        let scope = Scope { tid: Some(self.tid), before: before.clone(), ..Scope::default() };
        let mut facts = Vec::new();
        for &cluster in clusters {
            for expr in self.environment.clusters[cluster].relies.clone() {
                facts.push(self.context.term(&scope, expr));
            }
        }
        facts.extend(self.invariant_facts(clusters));
        facts
    }

    /// `I` for the clusters.
    pub(super) fn invariant_facts(&mut self, clusters: &BTreeSet<usize>) -> Vec<Term> {
        let now = Scope::default();
        let mut facts = Vec::new();
        for &cluster in clusters {
            for invariant in self.environment.clusters[cluster].invariants.clone() {
                let parts = self.context.invariant_parts(&now, &invariant);
                facts.extend(parts.into_iter().map(|(term, _)| term));
            }
        }
        facts
    }

    /// Copies of the present values, under symbols of this role.
    pub(super) fn copy_globals(
        &mut self,
        globals: &BTreeSet<GlobalId>,
        role: &str,
    ) -> BTreeMap<Root, Symbol> {
        let mut pairs = Vec::new();
        let mut copies = BTreeMap::new();
        for &global in globals {
            let copy = self.context.copy_of(global, role);
            self.variables.entry(copy).or_insert(None);
            pairs.push((copy, self.context.terms.constant(self.context.globals[global.index()])));
            copies.insert(Root::Global(global), copy);
        }
        if !pairs.is_empty() {
            self.out.push(Command::Assign(pairs));
        }
        copies
    }

    /// The step from `old` to the current store satisfies the relevant formulas of the guarantee.
    fn check_guarantee(&mut self, span: Span, relevant: &[usize], old: &BTreeMap<Root, Symbol>) {
        let mut checks = Vec::new();
        for &index in relevant {
            let guarantee = self.guarantees[index].clone();
            let parts = match &guarantee.kind {
                Kind::Rely | Kind::RelyOf(_) => {
                    let premise = self.rely_premise(&guarantee.kind, guarantee.expr);
                    let scope =
                        Scope { tid: Some(self.other), before: old.clone(), ..Scope::default() };
                    self.context.parts_under(premise, &scope, guarantee.expr)
                }
                Kind::Invariant(invariant) => {
                    self.context.invariant_parts(&Scope::default(), invariant)
                }
            };
            let about = Obligation { declared: Some(guarantee.item), ..guarantee.about(span) };
            let (terms, spans) = parts.into_iter().unzip();
            let id = self.obligations.id(about, spans);
            // That others' relies were kept tells this thread nothing it could use.
            let then_known = matches!(guarantee.kind, Kind::Invariant(_));
            checks.push(Check { parts: terms, obligation: id, then_known });
        }
        if !checks.is_empty() {
            self.out.push(Command::Assert(checks));
        }
    }

    /// Under which premise a step is checked to keep a rely: that `other` is another thread. If the rely says the same for every
    /// thread it is also kept if there is no other one, so that callers may use it without knowing of another.
    fn rely_premise(&mut self, kind: &Kind<'_>, expr: &Expr) -> Term {
        let another = self.is_another(kind);
        if !self.says_the_same(kind, expr) {
            return another;
        }
        let terms = &mut self.context.terms;
        let second = terms.int(2);
        let some = self.context.layout.is_thread(terms, second);
        let none = terms.not(some);
        terms.or(vec![another, none])
    }

    /// Whether the rely is kept for every thread alike, whether there is another one or not.
    pub(super) fn says_the_same(&self, kind: &Kind<'_>, expr: &Expr) -> bool {
        matches!(kind, Kind::Rely) && !self.alone && !mentions::mentions_tid(self.program, expr)
    }

    /// That `other` is another thread, of the kind the formula is about. Only a premise: there may be none.
    pub(super) fn is_another(&mut self, kind: &Kind<'_>) -> Term {
        let terms = &mut self.context.terms;
        let same = terms.eq(self.other, self.tid);
        let different = terms.not(same);
        let exists = match kind {
            Kind::RelyOf(thread) => self.context.layout.is_copy_of(terms, self.other, *thread),
            _ => self.context.layout.is_thread(terms, self.other),
        };
        terms.and(vec![exists, different])
    }

    /// After a branch or something that can block: does any run get here?
    pub(super) fn cover_reached(&mut self, span: Span) {
        if std::mem::take(&mut self.narrowed) && !self.in_atomic {
            let about = hygiene(Code::UnreachableCode, span, "no run reaches this statement");
            let id = self.obligations.id(about, Vec::new());
            let yes = self.context.terms.bool(true);
            self.out.push(Command::Cover(yes, id));
        }
    }
}
