//! What every thread may rely on: that others leave private objects, held monitors and protected
//! fields alone.

use super::initializers::INITIALIZER;
use super::protect::{Lock, Protection};
use super::terms::{self, Term as _, forall};
use super::{Lowering, MAIN};
use crate::typed::{ExprKind, FieldId};
use plato::ast::{Expr, Item, TypeKind};
use plato::build;
use source::Span;

impl Lowering<'_> {
    /// What every thread may rely on.
    pub(super) fn always_relied_on(&mut self, items: &mut Vec<Item>, span: Span) {
        let reference = terms::reference(span);
        let r = || terms::name("$r", span);
        let all = |body: Expr| forall(&[("$r", reference.clone())], body, span);
        let at = |map: &str, primed: bool| terms::variable(map, primed, span).at(r());
        let tid = || terms::tid(span);
        let stays = at("shared", false).implies(at("shared", true));
        items.push(terms::rely(None, all(stays), span));
        if self.used.allocates {
            let owned = || at("owner", false).equals(tid());
            let kept = at("owner", true).equals(tid());
            items.push(terms::rely(None, all(owned().implies(kept)), span));
            if self.used.in_heap {
                let same = at("inheap", true).equals(at("inheap", false));
                items.push(terms::rely(None, all(owned().implies(same)), span));
            }
            let other = at("owner", false).differs(tid());
            items.push(terms::rely(
                None,
                all(other.implies(at("owner", true).differs(tid()))),
                span,
            ));
        }
        if self.used.monitors {
            let held = || at("holder", false).equals(tid());
            let kept = at("holder", true).equals(tid());
            items.push(terms::rely(None, all(held().implies(kept)), span));
            let same = at("depth", true).equals(at("depth", false));
            items.push(terms::rely(None, all(held().implies(same)), span));
            let other = at("holder", false).differs(tid());
            let kept = at("holder", true).differs(tid());
            items.push(terms::rely(None, all(other.implies(kept)), span));
        }
        self.relied_on_of_reads(items, span);
        self.thread_relies(items, span);
        self.end_relies(items, span);
        for id in self.used.fields.clone() {
            self.field_relies(items, id);
        }
        for element in self.used.elements.clone() {
            if self.used.allocates {
                let name = element.name();
                let i = || terms::name("$i", span);
                let same = at(name, true).at(i()).equals(at(name, false).at(i()));
                let body = at("owner", false).equals(tid()).implies(same);
                let vars = [("$r", reference.clone()), ("$i", build::ty(TypeKind::Int, span))];
                items.push(terms::rely(None, forall(&vars, body, span), span));
            }
        }
        self.element_relies(items, span);
    }

    /// What every thread may rely on about threads and their objects.
    fn thread_relies(&self, items: &mut Vec<Item>, span: Span) {
        let reference = terms::reference(span);
        let all = |body: Expr| forall(&[("$r", reference.clone())], body, span);
        let at = |map: &str, primed: bool| {
            terms::variable(map, primed, span).at(terms::name("$r", span))
        };
        if self.used.main {
            let same = terms::variable(MAIN, true, span).equals(terms::name(MAIN, span));
            items.push(terms::rely(None, same, span));
        }
        if self.used.threads {
            let same =
                terms::variable("threadOf", true, span).equals(terms::name("threadOf", span));
            items.push(terms::rely(None, same, span));
        }
        if self.used.starts {
            items.push(terms::rely(
                None,
                all(at("started", false).implies(at("started", true))),
                span,
            ));
            if self.used.allocates {
                let owned = at("owner", false).equals(terms::tid(span));
                let same = at("started", true).equals(at("started", false));
                items.push(terms::rely(None, all(owned.implies(same)), span));
            }
        }
    }

    /// When others leave a field alone.
    fn field_relies(&mut self, items: &mut Vec<Item>, id: FieldId) {
        let field = self.program.field(id);
        let (span, name) = (field.span, self.field_name(id));
        let is_static = field.is_static;
        let key = |map: Expr| if is_static { map } else { map.at(terms::name("$r", span)) };
        let same = || {
            key(terms::variable(&name, true, span)).equals(key(terms::variable(&name, false, span)))
        };
        let all = |body: Expr| {
            if is_static { body } else { forall(&[("$r", terms::reference(span))], body, span) }
        };
        let at = |map: &str| terms::name(map, span).at(terms::name("$r", span));
        if self.used.allocates && !is_static {
            let owned = at("owner").equals(terms::tid(span));
            items.push(terms::rely(None, all(owned.implies(same())), span));
        }
        if self.is_being_initialized(id) {
            let is_it = terms::tid(span).equals(terms::name(INITIALIZER, span));
            items.push(terms::rely(None, is_it.implies(same()), span));
            return;
        }
        let shared = || if is_static { terms::boolean(true, span) } else { at("shared") };
        let is_fixed = field.is_final || self.protections.guards_itself(self.program, id);
        match self.protections.of(id).clone() {
            // What a lock guards then is the object that the field refers to.
            Protection::Locked { .. } if is_fixed => {
                items.push(terms::rely(None, all(implied(shared(), same())), span));
            }
            Protection::Fixed => {
                items.push(terms::rely(None, all(implied(shared(), same())), span));
            }
            Protection::Locked { locks, declared, .. } => {
                let object = terms::name("$r", span);
                let held: Vec<Expr> =
                    locks.iter().map(|lock| self.held_for_good(lock, &object, span)).collect();
                let premise = terms::and(vec![shared(), terms::or(held, span)], span);
                let place = declared.unwrap_or(span);
                items.push(terms::rely(None, all(implied(premise, same())), place));
            }
            Protection::Handed => {
                let has = self.has_thread(&terms::name("$r", span), span);
                let premise = terms::and(vec![shared(), has], span);
                items.push(terms::rely(None, all(implied(premise, same())), span));
            }
            Protection::Volatile | Protection::Annotated | Protection::Open => {}
        }
    }

    /// That this thread holds a lock, and that all objects on the way to it exist. Others may
    /// change what seems to be a field of `null`, and with it which lock that would be.
    fn held_for_good(&mut self, lock: &Lock, object: &Expr, span: Span) -> Expr {
        let mut parts = Vec::new();
        if let Lock::Written(at) = lock {
            let mut written = self.protections.written[*at].clone();
            while let ExprKind::Field(of, _) = written.kind {
                if matches!(of.kind, ExprKind::Field(..)) {
                    let value = self.annotation(&of, object.clone(), false);
                    parts.insert(0, value.differs(terms::null(span)));
                }
                written = *of;
            }
        }
        parts.push(self.held_for_reading(lock, object, span));
        terms::and(parts, span)
    }
}

fn implied(premise: Expr, conclusion: Expr) -> Expr {
    match premise.kind {
        plato::ast::ExprKind::Bool(true) => conclusion,
        _ => premise.implies(conclusion),
    }
}
