//! What is written of a method with actions, as clauses of Plato.
//!
//! Beside what stands behind `modifies`, steps may do this without being an action: they enter and
//! leave monitors, but leave none that the caller holds; they make objects and publish them. To the
//! caller, an object that the method makes comes into being when it is published.

use super::Lowering;
use super::ended::MAKER;
use super::exceptional::THROWN;
use super::heap::Element;
use super::specified::{ENTERED, THREW, counts_entries, frame_of};
use super::terms::{self, Term as _, forall};
use crate::typed::{Act, Acts, FieldId, Formula, Method, Place, Ty};
use plato::ast::{self, Clause, ClauseKind, Expr, Ident};
use plato::build;
use source::Span;

/// Who reads a specification.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The method that is compared with it.
    Own,
    Caller,
}

impl Lowering<'_> {
    /// What is written of a method, with what its steps may do besides.
    pub(super) fn clauses(&mut self, method: &Method, side: Side, span: Span) -> Vec<Clause> {
        self.frames.push(frame_of(method));
        let modifies = method.spec.modifies.clone().unwrap_or_default();
        let mut clauses = Vec::new();
        for act in &method.spec.actions {
            clauses.extend(self.acts(act, &modifies, side, span));
        }
        clauses.extend(self.promised(method, span));
        // What the actions mention belongs to what is touched.
        let mut all = self.bookkeeping(method, side, span);
        for place in &modifies {
            self.note_place(place);
        }
        let summary = method.spec.summary.clone().unwrap_or_default();
        for field in self.used.fields.clone() {
            let is_free = summary.fields.contains(&field);
            all.extend(self.field_clause(field, (&modifies, is_free), side, span));
        }
        for element in self.used.elements.clone() {
            if summary.all_elements || summary.elements.iter().any(|ty| Element::of(ty) == element)
            {
                let name = element.name();
                let frame = self.own_frame(side, span, name);
                all.push(modifies_clause(&[name], frame, span));
                continue;
            }
            let frame = self.elements_frame(element, &modifies, side, span);
            all.push(modifies_clause(&[element.name()], Some(frame), span));
        }
        all.extend(clauses);
        self.frames.pop();
        all
    }

    /// What holds when the method ends. What it promises itself is not asked for after an
    /// exception.
    fn promised(&mut self, method: &Method, span: Span) -> Vec<Clause> {
        let mut all = Vec::new();
        let unless_thrown = |cond: Expr| {
            let threw = terms::name(THREW, cond.span);
            let span = cond.span;
            clause(ClauseKind::Ensures(terms::or(vec![threw, cond], span)), span)
        };
        if method.result.is_reference() {
            let value = || terms::name("$result", span);
            let is_null = value().equals(terms::null(span));
            let shared = terms::variable("shared", true, span).at(value());
            all.push(unless_thrown(terms::or(vec![is_null, shared], span)));
            if method.spec.is_non_null {
                all.push(unless_thrown(value().differs(terms::null(span))));
            }
        }
        for formula in &method.spec.ensures {
            let mut cond = self.two_store_formula(formula);
            cond.span = formula.span;
            all.push(unless_thrown(cond));
        }
        // In what holds after an exception, the exception stands for the result.
        let result = self.frame().result.replace(THROWN.to_owned());
        let if_thrown = |cond: Expr, span: Span| {
            let normal = terms::name(THREW, span).negated();
            clause(ClauseKind::Ensures(terms::or(vec![normal, cond], span)), span)
        };
        if !method.spec.exsures.is_empty() {
            let shared = terms::variable("shared", true, span).at(terms::name(THROWN, span));
            all.push(if_thrown(shared, span));
        }
        for formula in &method.spec.exsures {
            let cond = self.two_store_formula(formula);
            all.push(if_thrown(cond, formula.span));
        }
        self.frame().result = result;
        all
    }

    /// What every method may do: monitors, new objects, threads.
    fn bookkeeping(&mut self, method: &Method, side: Side, span: Span) -> Vec<Clause> {
        let mut all = Vec::new();
        let r = || terms::name("$r", span);
        let every = |body: Expr| forall(&[("$r", terms::reference(span))], body, span);
        let before = |map: &str| terms::name(map, span).at(r());
        let after = |map: &str| terms::variable(map, true, span).at(r());
        let owned = || before("owner").equals(terms::tid(span));
        match (side, self.used.allocates) {
            (Side::Own, true) => {
                let in_heap = self.used.in_heap.then_some("inheap");
                let names: Vec<&str> = ["shared", "owner"].into_iter().chain(in_heap).collect();
                all.push(modifies_clause(&names, None, span));
            }
            (Side::Own, false) => all.push(modifies_clause(&["shared"], None, span)),
            (Side::Caller, allocates) => {
                let mut grows = vec![before("shared").implies(after("shared"))];
                if allocates {
                    let unowned = before("owner").equals(terms::int(0, span)).negated();
                    grows.push(unowned.implies(after("shared").negated()));
                }
                let frame = every(terms::and(grows, span));
                all.push(modifies_clause(&["shared"], Some(frame), span));
            }
        }
        if self.used.monitors {
            let mut kept = vec![terms::name(ENTERED, span).at(r()).differs(terms::int(0, span))];
            for lock in &method.spec.gives_up {
                kept.push(r().differs(self.formula_here(lock)));
            }
            let own = |holder: Expr| holder.equals(terms::tid(span));
            let same = after("holder").equals(before("holder"));
            let ways = vec![same, own(after("holder")), own(before("holder"))];
            let kept = terms::and(kept, span).implies(own(after("holder")));
            let mut frame = vec![terms::or(ways, span)];
            if !method.spec.summary.as_ref().is_some_and(|summary| summary.gives_up) {
                frame.insert(0, kept);
            }
            let frame = every(terms::and(frame, span));
            all.push(modifies_clause(&["holder"], Some(frame), span));
            all.push(modifies_clause(&["depth"], None, span));
            let entered = terms::name(ENTERED, span);
            all.push(clause(ClauseKind::Requires(counts_entries(&entered, false, span)), span));
            all.push(clause(ClauseKind::Ensures(counts_entries(&entered, true, span)), span));
        }
        if self.used.ends {
            let mut known = vec![before("shared")];
            if self.used.allocates {
                known.push(owned());
            }
            let same = after(MAKER).equals(before(MAKER));
            let frame = every(terms::or(known, span).implies(same));
            let frame = (side == Side::Caller).then_some(frame);
            all.push(modifies_clause(&[MAKER], frame, span));
        }
        if self.used.starts {
            let same = after("started").equals(before("started"));
            let frame =
                (side == Side::Caller && self.used.allocates).then(|| every(owned().implies(same)));
            all.push(modifies_clause(&["started"], frame, span));
        }
        all
    }

    /// That an object is one whose fields the reader of a specification knows.
    fn is_visible(&self, object: Expr, side: Side) -> Expr {
        let span = object.span;
        let shared = terms::name("shared", span).at(object.clone());
        if side == Side::Own || !self.used.allocates {
            return shared;
        }
        let own = terms::name("owner", span).at(object).equals(terms::tid(span));
        terms::or(vec![shared, own], span)
    }

    /// `modifies f where` objects other than those named keep their values.
    fn field_clause(
        &mut self,
        field: FieldId,
        (places, is_free): (&[Place], bool),
        side: Side,
        span: Span,
    ) -> Option<Clause> {
        let name = self.field_name(field);
        if self.program.field(field).is_static {
            let is_it =
                |place: &&Place| matches!(place, Place::Static(other, _) if *other == field);
            let is_named = places.iter().any(|place| is_it(&root_of(place))) || is_free;
            return is_named.then(|| modifies_clause(&[&name], None, span));
        }
        if is_free {
            let frame = self.own_frame(side, span, &name);
            return Some(modifies_clause(&[&name], frame, span));
        }
        let frame = self.field_frame(field, places, side, span);
        Some(modifies_clause(&[&name], Some(frame), span))
    }

    /// That a method which may change anything of a kind leaves objects alone that only the caller
    /// knows.
    fn own_frame(&self, side: Side, span: Span, name: &str) -> Option<Expr> {
        if side == Side::Own || !self.used.allocates {
            return None;
        }
        let at = |primed: bool| terms::variable(name, primed, span).at(terms::name("$r", span));
        let owner = terms::name("owner", span).at(terms::name("$r", span));
        let own = owner.equals(terms::tid(span));
        let body = own.implies(at(true).equals(at(false)));
        Some(forall(&[("$r", terms::reference(span))], body, span))
    }

    fn field_frame(&mut self, field: FieldId, places: &[Place], side: Side, span: Span) -> Expr {
        let r = || terms::name("$r", span);
        let mut premises = vec![self.is_visible(r(), side)];
        for place in places {
            if let Place::Field(object, other, _) = root_of(place)
                && *other == field
            {
                let object = Formula { expr: object.clone(), span };
                premises.push(r().differs(self.formula_here(&object)));
            }
        }
        let name = self.field_name(field);
        let same =
            terms::variable(&name, true, span).at(r()).equals(terms::name(&name, span).at(r()));
        let body = terms::and(premises, span).implies(same);
        forall(&[("$r", terms::reference(span))], body, span)
    }

    fn elements_frame(
        &mut self,
        element: Element,
        places: &[Place],
        side: Side,
        span: Span,
    ) -> Expr {
        let (r, i) = (|| terms::name("$r", span), || terms::name("$i", span));
        let mut premises = vec![self.is_visible(r(), side)];
        for place in places {
            if let Place::Index(array, _, _) = place {
                let array = Formula { expr: array.clone(), span };
                premises.push(r().differs(self.formula_here(&array)));
            }
        }
        let name = element.name();
        let at = |primed: bool| terms::variable(name, primed, span).at(r()).at(i());
        let body = terms::and(premises, span).implies(at(true).equals(at(false)));
        let number = build::ty(ast::TypeKind::Int, span);
        forall(&[("$r", terms::reference(span)), ("$i", number)], body, span)
    }

    fn note_place(&mut self, place: &Place) {
        match root_of(place) {
            Place::Field(_, field, _) | Place::Static(field, _) => {
                self.used.fields.insert(*field);
            }
            Place::Index(array, _, _) => {
                if let Ty::Array(element) = &array.ty {
                    self.used.elements.insert(Element::of(element));
                }
            }
            Place::Local(..) | Place::MapAt(..) => {}
        }
    }

    fn acts(&mut self, acts: &Acts, modifies: &[Place], side: Side, span: Span) -> Vec<Clause> {
        match acts {
            Acts::One(act) => vec![self.act(act, modifies, side, span)],
            Acts::Sequence(all) => {
                all.iter().flat_map(|one| self.acts(one, modifies, side, span)).collect()
            }
            Acts::Choice(all) => {
                let branches = all.iter().map(|one| self.acts(one, modifies, side, span)).collect();
                vec![clause(ClauseKind::Choose(branches), span)]
            }
        }
    }

    /// `action name modifies f ensures e`, with what stays as it is.
    fn act(&mut self, act: &Act, modifies: &[Place], side: Side, span: Span) -> Clause {
        let span = act.ensures.as_ref().map_or(span, |formula| formula.span);
        let mut facts: Vec<Expr> = Vec::new();
        if let Some(formula) = &act.ensures {
            facts.push(self.two_store_formula(formula));
        }
        let places: Vec<Place> = modifies.iter().chain(&act.modifies).cloned().collect();
        let mut paths = Vec::new();
        for place in &act.modifies {
            self.note_place(place);
            match root_of(place) {
                Place::Field(_, field, _) => {
                    paths.push(self.field_name(*field));
                    facts.push(self.field_frame(*field, &places, side, span));
                }
                Place::Static(field, _) => paths.push(self.field_name(*field)),
                Place::Index(array, _, _) => {
                    if let Ty::Array(element) = &array.ty {
                        let element = Element::of(element);
                        paths.push(element.name().to_owned());
                        facts.push(self.elements_frame(element, &places, side, span));
                    }
                }
                Place::Local(..) | Place::MapAt(..) => {}
            }
        }
        paths.sort();
        paths.dedup();
        let paths = paths.iter().map(|name| build::path(name, span)).collect();
        let name = act.name.as_ref().map(|name| Ident { name: name.clone(), span });
        clause(ClauseKind::Action(name, paths, terms::and(facts, span)), span)
    }
}

/// The place that an entry of a ghost belongs to.
fn root_of(place: &Place) -> &Place {
    match place {
        Place::MapAt(inner, _, _) => root_of(inner),
        _ => place,
    }
}

fn clause(kind: ClauseKind, span: Span) -> Clause {
    Clause { kind, span }
}

fn modifies_clause(names: &[&str], frame: Option<Expr>, span: Span) -> Clause {
    let paths = names.iter().map(|name| build::path(name, span)).collect();
    clause(ClauseKind::Modifies(paths, frame), span)
}
