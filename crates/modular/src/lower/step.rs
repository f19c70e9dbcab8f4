//! One step: environment, effect, guarantee.

use super::Lowering;
use super::guarantee::Kind;
use crate::mentions::Touched;
use crate::task::hygiene;
use diagnostic::Code;
use gcl::MarkKind;
use gcl::{Check, Stmt as Command};
use logic::Symbol;
use plato::hir::{GlobalId, Root};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Obligation;

impl Lowering<'_> {
    /// `A*; X | (Y && G)`: `effect` writes the commands of `X | Y`. Inside an atomic block only
    /// those.
    pub(super) fn step(&mut self, span: Span, touched: &Touched, effect: impl FnOnce(&mut Self)) {
        let is_undisturbed = std::mem::take(&mut self.is_undisturbed);
        if self.in_atomic {
            effect(self);
            if self.atomic_text != Some(span) {
                self.emit.mark(MarkKind::Statement, span, "");
            }
            return;
        }
        let relevant = self.interference.relevant(&touched.written);
        let mut used = touched.used.clone();
        used.extend(self.interference.mentions(&relevant));
        used.extend(self.simulation_mentions());
        // What others do before a step that they do not disturb, they can as well do after it:
        // their steps are moved to before the next step that they may disturb (Lipton 1975).
        if !is_undisturbed {
            self.environment_step(&used);
        }
        self.cover_reached(span);
        let old = self.copy_globals(&touched.written, "old");
        // What is said of the whole step is not said of the statements inside of it.
        let performs = self.replace_performs(None);
        effect(self);
        self.replace_performs(performs);
        self.emit.mark(MarkKind::Statement, span, "");
        self.check_guarantee(span, &relevant, &old);
        self.simulate(span, &touched.written, &old);
    }

    /// Steps of other threads on the clusters of these variables.
    pub(super) fn environment_step(&mut self, used: &BTreeSet<GlobalId>) {
        if self.in_atomic || self.interference.alone {
            return;
        }
        let clusters = self.interference.environment.clusters_of(&self.with_locks(used));
        let changeable = self.interference.changeable(&clusters);
        if changeable.is_empty() {
            return;
        }
        // One step stands for any number of them: the rely is transitive. More are only asked for
        // to test that.
        for _ in 0..self.interference.environment_steps {
            let before = self.copy_globals(&changeable, "env");
            let symbols = changeable.iter().map(|id| self.context.globals[id.index()]).collect();
            self.emit.havoc(symbols);
            for term in self.interference.facts(&mut self.context, &clusters, &before) {
                self.emit.assume(term);
            }
            self.emit.mark(MarkKind::Environment, None, "");
        }
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
            self.emit.variables.entry(copy).or_insert(None);
            pairs.push((copy, self.context.terms.constant(self.context.globals[global.index()])));
            copies.insert(Root::Global(global), copy);
        }
        self.emit.assign_any(pairs);
        copies
    }

    /// The step from `old` to the current store satisfies the relevant formulas of the guarantee.
    fn check_guarantee(&mut self, span: Span, relevant: &[usize], old: &BTreeMap<Root, Symbol>) {
        let mut checks = Vec::new();
        for &index in relevant {
            let guarantee = &self.interference.guarantees[index];
            let parts = self.interference.guarantee_parts(&mut self.context, guarantee, old);
            let about = Obligation { declared: Some(guarantee.item), ..guarantee.about(span) };
            // That others' relies were kept tells this thread nothing it could use.
            let then_known = matches!(guarantee.kind, Kind::Invariant(_));
            let check = self.emit.known_check(about, parts);
            checks.push(Check { then_known, ..check });
        }
        if !checks.is_empty() {
            self.emit.push(Command::Assert(checks));
        }
    }

    /// After a branch or something that can block: does any run get here?
    pub(super) fn cover_reached(&mut self, span: Span) {
        if std::mem::take(&mut self.emit.narrowed) && !self.in_atomic {
            let about = hygiene(Code::UnreachableCode, span, "no run reaches this statement");
            let yes = self.context.terms.bool(true);
            self.emit.cover(about, yes);
        }
    }
}
