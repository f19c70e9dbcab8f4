//! Elements of arrays: who may access them, and what others leave alone.
//!
//! `home` is the object that an array belongs to, `kept by` the number of what keeps others away
//! from its elements; both are chosen when the array is made. That they are right is seen where the
//! array is stored in a field, which happens once.

use super::annotations::bound_name;
use super::heap::Element;
use super::homes::{Escaping, Keeper};
use super::places::At;
use super::protect::{Access, Lock};
use super::terms::{self, Term as _, forall};
use super::{Lowering, fault, name_of};
use crate::typed::{FieldId, LocalId, Ty};
use diagnostic::Code;
use plato::ast::{self, Expr, Fault, Item, Stmt, TypeKind};
use plato::build;
use source::Span;

/// The objects that arrays belong to.
pub(super) const HOME: &str = "home";

/// What keeps others away from their elements; 0 for nothing.
pub(super) const KEPT_BY: &str = "kept by";

/// Where the array in a variable comes from.
#[derive(Clone)]
pub(super) enum ArrayFrom {
    /// A field, with its object if that is in a variable which is written once, and whether the
    /// read of the field was guarded.
    Field { object: Option<Expr>, field: FieldId, guarded: Option<Expr> },
    /// It is new, and gets to this field if to any.
    New(Option<FieldId>),
    /// A caller that is not read, or a method of the library.
    Outside { what: String, is_argument: bool },
}

/// What must hold where elements are accessed.
pub(super) struct ElementGuard {
    checks: Vec<(Expr, Fault)>,
    /// Whether the access was told already if this does not hold.
    guarded: Option<Expr>,
}

impl ElementGuard {
    /// What must hold, all of it.
    pub(super) fn holds(&self, span: Span) -> Expr {
        terms::and(self.checks.iter().map(|(cond, _)| cond.clone()).collect(), span)
    }

    /// The checks, for what was told before and what was not.
    pub(super) fn checks(&self, told: Option<&Expr>, span: Span) -> Vec<Stmt> {
        let before = [self.guarded.as_ref(), told];
        let one = |(cond, fault): &(Expr, Fault)| {
            let cond = before
                .into_iter()
                .flatten()
                .fold(cond.clone(), |cond, before| before.clone().implies(cond));
            terms::check(cond, fault.clone(), span)
        };
        self.checks.iter().map(one).collect()
    }
}

impl Lowering<'_> {
    /// Notes that a variable has the array of another one.
    pub(super) fn same_array(&mut self, value: &Expr, variable: &str) {
        if let Some(from) = name_of(value).and_then(|name| self.arrays.get(name)) {
            self.arrays.insert(variable.to_owned(), from.clone());
        }
    }

    /// Notes that a variable has the array of a field.
    pub(super) fn note_array_read(&mut self, variable: &str, at: &At, guarded: Option<Expr>) {
        let (object, field) = match at {
            At::Field(object, field, _) => (Some(object.clone()), *field),
            At::Static(field, _) => (None, *field),
            _ => return,
        };
        if matches!(self.program.field(field).ty, Ty::Array(_)) {
            let is_steady = |object: &Expr| name_of(object).is_some_and(super::places::is_fixed);
            let object = object.filter(is_steady);
            let from = ArrayFrom::Field { object, field, guarded };
            self.arrays.insert(variable.to_owned(), from);
        }
    }

    /// Notes that a variable of the program has an array that is known, if it gets no other.
    pub(super) fn note_array(&mut self, local: LocalId, value: &Expr, is_new: bool) {
        if !self.is_written_once(local) {
            return;
        }
        let name = self.local_name(local).to_owned();
        let method = self.frames.last().and_then(|frame| frame.method);
        match method.and_then(|method| self.protections.homes.stored(method, local)) {
            None if !is_new => self.same_array(value, &name),
            field => {
                self.arrays.insert(name, ArrayFrom::New(field));
            }
        }
    }

    /// Notes that the array of a variable comes from code that is not read.
    pub(super) fn note_outside(&mut self, variable: &str, ty: &Ty, what: (String, bool)) {
        if matches!(ty, Ty::Array(_)) {
            let (what, is_argument) = what;
            self.arrays.insert(variable.to_owned(), ArrayFrom::Outside { what, is_argument });
        }
    }

    /// What must hold where an element is accessed, so that no other thread accesses it meanwhile.
    pub(super) fn element_guard(
        &mut self,
        (array, ty): (&Expr, &Ty),
        is_write: bool,
        span: Span,
    ) -> Option<ElementGuard> {
        if self.copies || !self.is_in_program() || self.is_private_object(array) {
            return None;
        }
        let from = name_of(array).and_then(|name| self.arrays.get(name)).cloned();
        let homes = &self.protections.homes;
        let others = homes.escaping(self.program, ty);
        let mut checks = Vec::new();
        let mut guarded = None;
        match from {
            Some(ArrayFrom::Field { object, field, guarded: before }) if homes.is_own(field) => {
                guarded = before;
                let keeper = homes.of(field);
                if keeper.is_none() && !is_write {
                    return None;
                }
                let cond = match keeper {
                    Some(keeper) => {
                        let object = object.unwrap_or_else(|| home(array, span));
                        self.used.keepers.insert(keeper);
                        self.keeps(keeper, &object, is_write, span)
                    }
                    None => terms::boolean(false, span),
                };
                checks.push((cond, self.element_race(field, is_write, span)));
            }
            Some(ArrayFrom::Field { field, .. })
                if !self.program.field(field).is_synthetic && others.is_empty() =>
            {
                if !is_write {
                    return None;
                }
                let told = self.foreign(field, span);
                checks.push((terms::boolean(false, span), told));
            }
            from => {
                let mut others = others;
                if let Some(ArrayFrom::New(field)) = from {
                    // Nobody keeps it for another object.
                    let kept = field.and_then(|field| Some((homes.of(field)?, [field].into())));
                    others = kept.into_iter().collect();
                }
                checks = self.any_keeper(array, &others, is_write, span);
                if is_write {
                    checks.extend(self.known_home(array, (&others, from.as_ref()), span));
                }
            }
        }
        let shared = || terms::name("shared", span).at(array.clone());
        let checks: Vec<_> = checks
            .into_iter()
            .filter(|(cond, _)| !matches!(cond.kind, ast::ExprKind::Bool(true)))
            .map(|(cond, told)| match cond.kind {
                ast::ExprKind::Bool(false) => (shared().negated(), told),
                _ => (shared().implies(cond), told),
            })
            .collect();
        (!checks.is_empty()).then_some(ElementGuard { checks, guarded })
    }

    /// That whatever keeps others away from the elements of an array does so here.
    fn any_keeper(
        &mut self,
        array: &Expr,
        keepers: &Escaping,
        is_write: bool,
        span: Span,
    ) -> Vec<(Expr, Fault)> {
        let mut checks = Vec::new();
        for (keeper, fields) in keepers {
            self.used.keepers.insert(*keeper);
            let home = home(array, span);
            let kept = self.keeps(*keeper, &home, is_write, span);
            let is_it = is_kept_by(array, *keeper, span);
            let Some(field) = fields.first() else { continue };
            if matches!(self.protections.homes.keepers[*keeper], Keeper::Written(_)) {
                continue;
            }
            let mut told = self.element_race(*field, is_write, span);
            if fields.len() > 1 {
                let verb = if is_write { "written" } else { "read" };
                told.failed = format!("this element is {verb} without holding what guards it");
            }
            checks.push((is_it.implies(kept), told));
        }
        checks
    }

    /// That it is known to whom an array belongs which is written.
    fn known_home(
        &mut self,
        array: &Expr,
        (keepers, from): (&Escaping, Option<&ArrayFrom>),
        span: Span,
    ) -> Option<(Expr, Fault)> {
        if let Some(ArrayFrom::Outside { what, .. }) = from {
            let text = format!("no other thread accesses elements of {what} meanwhile");
            self.assume_silently(span, text);
            return None;
        }
        let ways = keepers.keys().map(|keeper| is_kept_by(array, *keeper, span)).collect();
        let failed = "it is not known what keeps other threads away from this element";
        let mut told = fault(Code::AnnotationMissing, failed);
        told.help = Some("keep the array in one field that only gets new arrays".to_owned());
        told.goes_on = true;
        Some((terms::or(ways, span), told))
    }

    /// What is known of an array that others know and that is written under any name: if it
    /// belongs to an object, then to one of those whose arrays have such names.
    pub(super) fn known_keeper(&self, array: &Expr, ty: &Ty, span: Span) -> Option<Stmt> {
        let from = name_of(array).and_then(|name| self.arrays.get(name));
        let homes = &self.protections.homes;
        let (field, is_new) = match from {
            Some(ArrayFrom::Field { field, .. }) if homes.is_own(*field) => return None,
            Some(ArrayFrom::New(field)) => (field.and_then(|field| homes.of(field)), true),
            _ => (None, false),
        };
        if self.kept_fields(Element::of(ty)).is_empty() {
            return None;
        }
        let mut ways = vec![is_kept_by_number(array, 0, span)];
        let others = homes.escaping(self.program, ty);
        let others = if is_new { Escaping::new() } else { others };
        ways.extend(others.keys().chain(&field).map(|keeper| is_kept_by(array, *keeper, span)));
        let shared = terms::name("shared", span).at(array.clone());
        Some(terms::assume(shared.implies(terms::or(ways, span)), span))
    }

    /// The fields here whose arrays belong to somebody.
    fn kept_fields(&self, kind: Element) -> Vec<(FieldId, usize)> {
        if !self.used.elements.contains(&kind) {
            return Vec::new();
        }
        let all = self.protections.homes.with(self.program, kind).into_iter();
        let is_used = |(id, keeper): &(FieldId, usize)| {
            self.used.fields.contains(id) && self.used.keepers.contains(keeper)
        };
        all.filter(is_used).collect()
    }

    /// That this thread may access the elements of arrays of an object.
    fn keeps(&mut self, keeper: usize, object: &Expr, is_write: bool, span: Span) -> Expr {
        match self.protections.homes.keepers[keeper].clone() {
            Keeper::Lock(lock) => {
                // What others rely on speaks of readers too.
                let reads = self.held_for_reading(&lock, object, span);
                if is_write { self.held(&lock, object, span) } else { reads }
            }
            Keeper::Handed => self.has_thread(object, span),
            Keeper::Written(field) => {
                // That others keep to it is checked of each step. What it mentions is touched.
                self.used.fields.insert(field);
                self.is_instance(object, self.program.field(field).class);
                for (_, formula) in &self.program.field(field).spec.elements_unwritable {
                    self.annotation(&formula.expr, object.clone(), false);
                }
                terms::boolean(true, span)
            }
        }
    }

    /// Whether others cannot change what a read of an element gives.
    pub(super) fn is_calm_element(&self, array: &Expr) -> bool {
        let from = name_of(array).and_then(|name| self.arrays.get(name));
        let Some(ArrayFrom::Field { object, field, .. }) = from else { return false };
        let homes = &self.protections.homes;
        match homes.of(*field).map(|keeper| &homes.keepers[keeper]) {
            Some(Keeper::Lock(lock)) => self.is_certainly_held(lock, object.as_ref()),
            _ => false,
        }
    }

    /// Where an array is stored in a field that it belongs to.
    pub(super) fn belongs(&self, at: &At, value: &Expr, span: Span) -> Option<Stmt> {
        let (object, field) = match at {
            At::Field(object, field, _) => (Some(object), *field),
            At::Static(field, _) => (None, *field),
            _ => return None,
        };
        let Ty::Array(element) = &self.program.field(field).ty else { return None };
        let kept = self.kept_fields(Element::of(element));
        let (_, keeper) = kept.into_iter().find(|(id, _)| *id == field)?;
        Some(terms::assume(belongs(value, object, keeper, span), span))
    }

    /// Declares to whom arrays belong, and says what holds of those in fields.
    pub(super) fn homes(&self, span: Span) -> Vec<(FieldId, Expr)> {
        let mut all = Vec::new();
        for kind in &self.used.elements {
            for (id, keeper) in self.kept_fields(*kind) {
                let name = self.field_name(id);
                let about = self.program.field(id);
                let r = || terms::name("$r", span);
                if about.is_static {
                    let value = terms::name(&name, about.span);
                    all.push((id, belongs(&value, None, keeper, about.span)));
                    continue;
                }
                let value = terms::name(&name, about.span).at(r());
                let body = belongs(&value, Some(&r()), keeper, about.span);
                all.push((id, forall(&[("$r", terms::reference(span))], body, about.span)));
            }
        }
        all
    }

    /// What is written of elements says nothing of arrays that others may know by other names.
    pub(super) fn note_foreign_arrays(&mut self) {
        for id in self.used.fields.clone() {
            let field = self.program.field(id);
            let Ty::Array(element) = &field.ty else { continue };
            if let Some((_, formula)) = field.spec.elements_unwritable.first()
                && !self.protections.homes.is_own(id)
                && self.used.elements.contains(&Element::of(element))
            {
                let what =
                    "who may write elements of arrays that are not new where they are stored";
                let gap = (what.to_owned(), formula.span);
                if !self.gaps.contains(&gap) {
                    self.gaps.push(gap);
                }
            }
        }
    }

    /// What every thread may rely on of elements that are kept for it.
    pub(super) fn element_relies(&mut self, items: &mut Vec<Item>, span: Span) {
        for kind in self.used.elements.clone() {
            let mut keepers: Vec<usize> =
                self.kept_fields(kind).into_iter().map(|(_, keeper)| keeper).collect();
            keepers.sort_unstable();
            keepers.dedup();
            for keeper in keepers {
                match self.protections.homes.keepers[keeper].clone() {
                    Keeper::Written(field) => self.written_relies(items, kind, (keeper, field)),
                    kept_by => {
                        let home = home(&terms::name("$r", span), span);
                        let kept = self.keeps(keeper, &home, false, span);
                        let is_steady = match kept_by {
                            // Of an object that others do not know, the lock may change.
                            Keeper::Lock(Lock::Of(_) | Lock::Written(_)) | Keeper::Handed => false,
                            _ => true,
                        };
                        let known = terms::name("shared", span).at(home);
                        let known = if is_steady { terms::boolean(true, span) } else { known };
                        let premise = terms::and(vec![known, kept], span);
                        items.push(kept_elements(kind, keeper, ("$i", premise), span));
                    }
                }
            }
        }
    }

    /// What is written of elements that others do not write.
    fn written_relies(
        &mut self,
        items: &mut Vec<Item>,
        kind: Element,
        (keeper, field): (usize, FieldId),
    ) {
        for (bound, formula) in &self.program.field(field).spec.elements_unwritable {
            let span = formula.span;
            let home = home(&terms::name("$r", span), span);
            let holds = self.annotation(&formula.expr, home.clone(), false);
            let mut premise = Vec::new();
            let about = self.program.field(field);
            if !about.is_static {
                premise.push(terms::name("shared", span).at(home.clone()));
                premise.push(self.is_instance(&home, about.class));
            }
            premise.push(holds);
            let premise = terms::and(premise, span);
            items.push(kept_elements(kind, keeper, (&bound_name(*bound), premise), span));
        }
    }

    /// What to say of an access of an element that another thread may disturb.
    fn element_race(&self, field: FieldId, is_write: bool, span: Span) -> Fault {
        let name = &self.program.field(field).name;
        let verb = if is_write { "written" } else { "read" };
        let homes = &self.protections.homes;
        let mut told = match homes.of(field).map(|keeper| &homes.keepers[keeper]) {
            Some(Keeper::Lock(lock)) => {
                let lock_name = self.lock_name(lock, field);
                let failed =
                    format!("an element of `{name}` is {verb} without holding {lock_name}");
                let mut told = fault(Code::DataRace, failed);
                let holds = |access: &&Access| access.locks.contains(lock) && access.span != span;
                told.declared = self.element_access(field, &holds);
                told.help = Some(format!("other accesses hold {lock_name}: hold it here too"));
                told
            }
            _ => {
                let failed =
                    format!("an element of `{name}` is {verb} while another thread may access it");
                let mut told = fault(Code::DataRace, failed);
                told.declared =
                    self.element_access(field, &|access| access.span != span && !access.is_own);
                told.help = Some("hold the same lock at every access of the elements".to_owned());
                told
            }
        };
        told.goes_on = true;
        told
    }

    /// What to say of a write to an array in a field that gets others than new arrays.
    fn foreign(&self, field: FieldId, span: Span) -> Fault {
        let about = &self.program.field(field);
        let accesses = self.protections.homes.accesses_of(field);
        if accesses.iter().all(|access| access.is_own || access.locks.is_empty()) {
            return self.element_race(field, true, span);
        }
        let failed = format!(
            "`{}` gets arrays that others may know, so that no lock is known to guard their elements",
            about.name
        );
        let mut told = fault(Code::AnnotationMissing, failed);
        told.help = Some("store a copy of the array".to_owned());
        told.goes_on = true;
        told
    }

    fn element_access(&self, field: FieldId, wanted: &dyn Fn(&&Access) -> bool) -> Option<Span> {
        let mut accesses = self.protections.homes.accesses_of(field).iter();
        accesses.find(wanted).map(|access| access.span)
    }
}

/// The object that an array belongs to.
fn home(array: &Expr, span: Span) -> Expr {
    terms::name(HOME, span).at(array.clone())
}

/// That others leave elements alone of arrays that are kept by something, if that holds.
fn kept_elements(kind: Element, keeper: usize, (index, premise): (&str, Expr), span: Span) -> Item {
    let r = || terms::name("$r", span);
    let shared = terms::name("shared", span).at(r());
    let premise = terms::and(vec![shared, is_kept_by(&r(), keeper, span), premise], span);
    let at = |primed: bool| {
        terms::variable(kind.name(), primed, span).at(r()).at(terms::name(index, span))
    };
    let body = premise.implies(at(true).equals(at(false)));
    let vars = [("$r", terms::reference(span)), (index, build::ty(TypeKind::Int, span))];
    terms::rely(None, forall(&vars, body, span), span)
}

fn is_kept_by(array: &Expr, keeper: usize, span: Span) -> Expr {
    is_kept_by_number(array, i128::try_from(keeper + 1).unwrap_or(i128::MAX), span)
}

fn is_kept_by_number(array: &Expr, number: i128, span: Span) -> Expr {
    terms::name(KEPT_BY, span).at(array.clone()).equals(terms::int(number, span))
}

/// That the value of a field is no array, or one that belongs to its object.
fn belongs(value: &Expr, object: Option<&Expr>, keeper: usize, span: Span) -> Expr {
    let is_null = value.clone().equals(terms::null(span));
    let home =
        object.map(|object| terms::name(HOME, span).at(value.clone()).equals(object.clone()));
    let own: Vec<Expr> = std::iter::once(is_kept_by(value, keeper, span)).chain(home).collect();
    terms::or(vec![is_null, terms::and(own, span)], span)
}
