//! Volatile fields: threads read them without permission, under a relation that every write keeps.
//!
//! Paper 3 names two-state invariants for rely-guarantee reasoning as future work. Here, the parts
//! of a monitor invariant that are about volatile fields of the object alone are its rely `R(old,
//! now)`. It is reflexive where it holds and transitive (`check_rely`), a new object starts in it
//! (`check_initial`), and every single write keeps it (`write_volatile`), with or without the
//! monitor. Writing still takes all permission, so nobody else writes in between.
//!
//! So `R` holds from any moment to any later one. Where the thread has no permission to a volatile
//! field, the heap of the encoding has the value that the thread last saw there (or had permission
//! to, or any), which the field really had at some moment; all volatile fields of an object are of
//! one moment. A read gets new values that `R` allows after those (`look_again`).
//!
//! A formula of a contract may read volatile fields without permission if it is stable: no change
//! that `R` allows makes it false (`check_stable`). The thread that gives the formula away shows it
//! for the values last seen, so it is true of the present ones; the thread that takes it assumes it
//! for new ones. Formulas in predicates and functions need permission for everything they read,
//! since snapshots do not hold values that others may change.

use super::sorts::Place;
use super::state::{Env, State};
use super::{Encoder, Reason};
use crate::hir::{ClassId, Expr, ExprKind, FieldId, Loc};
use diagnostic::Code;
use logic::Term;
use source::Span;

impl Encoder<'_> {
    /// The class of which the place is a volatile field.
    pub(crate) fn volatile_class(&self, place: Place) -> Option<ClassId> {
        let Place::Loc(Loc::Field(id)) = place else { return None };
        let field = &self.program.fields[id.index()];
        field.volatile.then_some(field.class)
    }

    fn volatile_fields(&self, class: ClassId) -> Vec<FieldId> {
        let fields = self.program.classes[class.index()].fields.iter().copied();
        fields.filter(|id| self.program.fields[id.index()].volatile).collect()
    }

    pub(crate) fn has_many_volatile(&self, class: ClassId) -> bool {
        self.volatile_fields(class).len() > 1
    }

    /// The object and its class, if the expression reads a volatile field of an object that does
    /// not itself depend on one.
    pub(crate) fn unframed_read<'e>(&self, expr: &'e Expr) -> Option<(&'e Expr, ClassId)> {
        let ExprKind::Read(object, loc) = &expr.kind else { return None };
        let class = self.volatile_class(Place::Loc(*loc))?;
        let mut depends = false;
        let mut look = |part: &Expr| {
            if let ExprKind::Read(_, loc) = &part.kind {
                depends |= self.volatile_class(Place::Loc(*loc)).is_some();
            }
        };
        crate::walk::Walk { expr: &mut look, amount: &mut |_| {} }.expr(object);
        (!depends).then_some((object, class))
    }

    /// The reads that need no permission: those of the present state, outside quantifiers.
    fn unframed_reads<'e>(&self, expr: &'e Expr, out: &mut Vec<(&'e Expr, ClassId)>) {
        match &expr.kind {
            ExprKind::Old(_)
            | ExprKind::Unfolding(..)
            | ExprKind::Eval(..)
            | ExprKind::Quantified(_) => {}
            _ => {
                out.extend(self.unframed_read(expr));
                let operands = expr.kind.operands();
                operands.into_iter().for_each(|operand| self.unframed_reads(operand, out));
            }
        }
    }

    /// The volatile fields of the object at some later moment; those with permission have not
    /// changed. One may be known.
    pub(crate) fn look_again(
        &mut self,
        guard: Term,
        (object, class): (Term, ClassId),
        known: Option<(Place, Term)>,
    ) {
        self.time_passes();
        let before = self.volatile_state(class);
        let now = self.now.clone();
        for id in self.volatile_fields(class) {
            let place = Place::Loc(Loc::Field(id));
            let heap = now.heap[&place];
            let value = match known {
                Some((known, value)) if known == place => value,
                _ => {
                    let value = self.any("seen", self.place_sort(place));
                    let ty = &self.program.fields[id.index()].ty;
                    if let Some(fact) = self.fact_of_value(value, ty) {
                        self.assume(fact);
                    }
                    let held = self.permission(&now, place, object);
                    let (some, same) = (self.is_some(held), self.terms.select(heap, object));
                    self.terms.ite(some, same, value)
                }
            };
            let stored = self.terms.store(heap, object, value);
            let stored = self.terms.ite(guard, stored, heap);
            self.assign(self.variable_of(heap), stored);
        }
        let null = self.null();
        let is_null = self.terms.eq(object, null);
        let exists = self.terms.not(is_null);
        let premise = self.terms.and(vec![guard, exists]);
        for (_, fact) in self.rely((object, class), now, before) {
            let fact = self.terms.implies(premise, fact);
            self.assume(fact);
        }
    }

    /// The present state, with copies of the volatile fields of the class.
    fn volatile_state(&mut self, class: ClassId) -> State {
        let mut state = self.now.clone();
        for id in self.volatile_fields(class) {
            let place = Place::Loc(Loc::Field(id));
            let copy = self.pin("before", state.heap[&place]);
            state.heap.insert(place, copy);
        }
        state
    }

    /// The rely of the object, each part with its place.
    fn rely(
        &mut self,
        (object, class): (Term, ClassId),
        now: State,
        old: State,
    ) -> Vec<(Span, Term)> {
        let program = self.program;
        let info = &program.classes[class.index()];
        let env = self.monitor_env(object, now, old);
        let saved = std::mem::replace(&mut self.locals, &info.locals);
        let parts = info.rely.iter().map(|part| (part.span, self.value(part, &env))).collect();
        self.locals = saved;
        parts
    }

    fn check_kept(
        &mut self,
        object: (Term, ClassId),
        old: State,
        span: Span,
        (code, text): (Code, &str),
    ) {
        let (yes, now) = (self.terms.bool(true), self.now.clone());
        for (declared, holds) in self.rely(object, now, old) {
            self.check(yes, holds, &Reason::new(code, span, text).about(declared));
        }
    }

    /// `o.f := x` of a volatile field: readers without permission see each single write.
    pub(crate) fn write_volatile(
        &mut self,
        object: (Term, ClassId),
        (place, value): (Place, Term),
        span: Span,
    ) {
        let yes = self.terms.bool(true);
        self.look_again(yes, object, None);
        let before = self.volatile_state(object.1);
        let heap = self.now.heap[&place];
        let changed = self.terms.store(heap, object.0, value);
        self.assign(self.variable_of(heap), changed);
        let text = "this write breaks what others rely on who read the field without permission";
        self.check_kept(object, before, span, (Code::VolatileWrite, text));
    }

    /// Checks the first values of a new object, since others may see them.
    pub(crate) fn check_initial(&mut self, object: Term, class: ClassId, span: Span) {
        let now = self.now.clone();
        let text = "the new object starts outside of what readers of its volatile fields rely on";
        self.check_kept((object, class), now, span, (Code::VolatileWrite, text));
    }

    /// The value of an expression of the program, which must have one. It may read one volatile
    /// field without permission; two reads are not of one moment.
    pub(crate) fn code_value(&mut self, expr: &Expr) -> Term {
        let unframed = self.read_unframed(expr);
        let env = Env { unframed, ..self.here() };
        self.checked_value(expr, &env)
    }

    /// Reads the one volatile field that the expression may read without permission; returns
    /// whether there is one.
    pub(crate) fn read_unframed(&mut self, expr: &Expr) -> bool {
        let mut reads = Vec::new();
        self.unframed_reads(expr, &mut reads);
        let &[(object, class)] = &reads[..] else { return false };
        let (yes, env) = (self.terms.bool(true), self.here());
        let object = self.value(object, &env);
        let object = self.pin("read", object);
        self.look_again(yes, (object, class), None);
        true
    }

    /// Looks again at everything volatile that a formula reads; returns whether there is anything.
    pub(crate) fn look_again_for(&mut self, guard: Term, expr: &Expr, env: &Env) -> bool {
        let mut reads = Vec::new();
        self.unframed_reads(expr, &mut reads);
        for &(object, class) in &reads {
            let object = self.value(object, env);
            let object = self.pin("read", object);
            self.look_again(guard, (object, class), None);
        }
        !reads.is_empty()
    }

    /// Checks that a formula that was just assumed stays true whatever others do.
    pub(crate) fn check_stable(&mut self, guard: Term, expr: &Expr, env: &Env) {
        self.look_again_for(guard, expr, env);
        let holds = self.value(expr, env);
        let text = "this reads a volatile field without permission, and others may make it false";
        let help =
            "only what stays true by the invariant of its class can be said without permission";
        self.check(guard, holds, &Reason::new(Code::UnstableFormula, expr.span, text).help(help));
    }

    /// Checks that the rely always has a value, and that it is reflexive and transitive.
    pub(crate) fn check_rely(&mut self, this: Term, class: ClassId) {
        let program = self.program;
        let info = &program.classes[class.index()];
        let Some(first) = info.rely.first() else { return };
        self.drop_everything();
        let (yes, full) = (self.terms.bool(true), self.full());
        for id in self.volatile_fields(class) {
            self.set_permission(yes, Place::Loc(Loc::Field(id)), this, full);
        }
        let a = self.save("first");
        let b = self.any_volatile(class, "second");
        let env = self.monitor_env(this, b.clone(), a.clone());
        for part in &info.rely {
            let fact = self.checked_value(part, &env);
            self.assume(fact);
        }
        let text = "no state satisfies this monitor invariant";
        self.cover(&Reason::new(Code::ContradictorySpecification, first.span, text));
        let text = "this monitor invariant need not hold from a state to itself";
        for (span, holds) in self.rely((this, class), b.clone(), b.clone()) {
            self.check(yes, holds, &Reason::new(Code::InvariantNotReflexive, span, text));
        }
        let c = self.any_volatile(class, "third");
        for (_, fact) in self.rely((this, class), c.clone(), b) {
            self.assume(fact);
        }
        let text =
            "this monitor invariant holds over two steps one by one, but not over both together";
        for (span, holds) in self.rely((this, class), c, a) {
            self.check(yes, holds, &Reason::new(Code::InvariantNotTransitive, span, text));
        }
    }

    /// A state with any values in the volatile fields of the class.
    fn any_volatile(&mut self, class: ClassId, stem: &str) -> State {
        for id in self.volatile_fields(class) {
            let symbol = self.variable_of(self.now.heap[&Place::Loc(Loc::Field(id))]);
            self.emit(gcl::Stmt::Havoc(vec![symbol]));
        }
        self.save(stem)
    }
}
