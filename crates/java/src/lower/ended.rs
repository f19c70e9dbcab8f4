//! The end of threads, which `join` waits for.
//!
//! Fields of a thread that no lock protects are handed over. Until the thread is started, only its
//! maker knows it. While it runs, the fields belong to it. Once it has ended, they belong to its
//! maker, who learns of the end by `join` and nothing else. What `run` ensures holds then.

use super::protect::Protection;
use super::specified::is_specified;
use super::terms::{self, Term as _, forall};
use super::{Lowering, Root};
use crate::typed::{ClassId, Expr, ExprKind, FieldId, Formula, MethodId, Program, Ty, walk};
use plato::ast::{self, Item};
use plato::build;
use source::Span;

/// Whether a thread has ended.
pub(super) const ENDED: &str = "ended";

/// The thread that made an object.
pub(super) const MAKER: &str = "maker";

/// Whether a field belongs to objects that are threads.
pub(super) fn is_of_thread(program: &Program, field: FieldId) -> bool {
    let about = program.field(field);
    let thread = program.well_known.thread;
    !about.is_static && thread.is_some_and(|thread| program.is_subclass(about.class, thread))
}

/// A method that threads run, with a promise that whoever joins them may use.
struct Promise<'p> {
    class: ClassId,
    formula: &'p Formula,
}

impl<'p> Lowering<'p> {
    /// Notes whether the end of threads matters to what the method touches.
    pub(super) fn note_ends(&mut self) {
        let is_handed = |id: &FieldId| matches!(self.protections.of(*id), Protection::Handed);
        if self.used.fields.iter().any(is_handed) {
            self.used.ends = true;
            self.used.starts = true;
            self.used.threads = true;
        }
        if self.used.ends {
            for promise in self.promises_of_threads() {
                self.promise_of_end(&promise, promise.formula.span);
            }
        }
    }

    /// That the fields of a thread belong to this one.
    pub(super) fn has_thread(&mut self, object: &ast::Expr, span: Span) -> ast::Expr {
        self.used.ends = true;
        self.used.starts = true;
        let ended = || terms::name(ENDED, span).at(object.clone());
        let own = self.thread_object(terms::tid(span)).equals(object.clone());
        let maker = terms::name(MAKER, span).at(object.clone()).equals(terms::tid(span));
        let runs = terms::and(vec![own, ended().negated()], span);
        let joined = terms::and(vec![ended(), maker], span);
        terms::or(vec![runs, joined], span)
    }

    /// What others do to threads and leave alone.
    pub(super) fn end_relies(&mut self, items: &mut Vec<Item>, span: Span) {
        if !self.used.ends {
            return;
        }
        let all = |body: ast::Expr| forall(&[("$r", terms::reference(span))], body, span);
        let r = || terms::name("$r", span);
        let at = |map: &str, primed: bool| terms::variable(map, primed, span).at(r());
        let stays = at(ENDED, false).implies(at(ENDED, true));
        items.push(terms::rely(None, all(stays), span));
        let own = self.thread_object(terms::tid(span)).equals(r());
        let same = at(ENDED, true).equals(at(ENDED, false));
        items.push(terms::rely(None, all(own.implies(same)), span));
        let mut known = vec![at("shared", false)];
        if self.used.allocates {
            known.push(at("owner", false).equals(terms::tid(span)));
        }
        let same = at(MAKER, true).equals(at(MAKER, false));
        items.push(terms::rely(None, all(terms::or(known, span).implies(same)), span));
        for promise in self.promises_of_threads() {
            let place = promise.formula.span;
            let expr = self.promise_of_end(&promise, place);
            items.push(terms::rely(None, expr, place));
        }
    }

    /// `maker[w] == tid && !ended[w] && ended'[w] ==> P'`
    fn promise_of_end(&mut self, promise: &Promise<'_>, span: Span) -> ast::Expr {
        let thread = terms::name("this", span);
        let at = |map: &str, primed: bool| terms::variable(map, primed, span).at(thread.clone());
        let premise = vec![
            at("shared", false),
            self.is_instance(&thread, promise.class),
            at(MAKER, false).equals(terms::tid(span)),
            at(ENDED, false).negated(),
            at(ENDED, true),
        ];
        let holds = self.annotation(&promise.formula.expr, thread, true);
        let body = terms::and(premise, span).implies(holds);
        forall(&[("this", terms::reference(span))], body, span)
    }

    /// What methods that threads run ensure of fields that nobody but the maker changes afterwards.
    fn promises_of_threads(&self) -> Vec<Promise<'p>> {
        let program = self.program;
        let mut all = Vec::new();
        for id in (0..program.methods.len()).map(MethodId::from_index) {
            let method = program.method(id);
            if !self.is_run(method) || !self.is_checked(method.class) || is_specified(program, id) {
                continue;
            }
            let usable = method.spec.ensures.iter().filter(|one| self.is_kept(&one.expr));
            all.extend(usable.map(|formula| Promise { class: method.class, formula }));
        }
        all
    }

    /// Whether a formula speaks of nothing but fields of `this` that are handed over, among those
    /// that the method touches.
    fn is_kept(&self, formula: &Expr) -> bool {
        let mut is_kept = true;
        let mut objects = 0;
        let mut fields = 0;
        walk::deep(formula, &mut |part| match &part.kind {
            ExprKind::This => objects += 1,
            ExprKind::Field(_, field) => {
                fields += 1;
                let is_handed =
                    matches!(self.protections.of(*field), Protection::Handed | Protection::Fixed);
                is_kept &= is_handed && self.used.fields.contains(field);
            }
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => {}
            _ => is_kept = false,
        });
        // Every field is one of `this`, and `this` stands for nothing else.
        is_kept && objects == fields && fields > 0
    }

    /// The last step of a thread.
    pub(super) fn end_run(&mut self, root: &Root) {
        let method = self.program.method(root.method);
        if self.used.ends && self.is_run(method) && !self.is_compared {
            let this = terms::name("this", root.span);
            let yes = terms::boolean(true, root.span);
            self.push(terms::write(ENDED, vec![this], yes, root.span));
        }
    }

    /// Whether it matters that an exception ends the method that is checked: whoever joins the
    /// thread relies on what it ensures.
    pub(super) fn is_joined(&self) -> bool {
        let method = self.root.map(|id| self.program.method(id));
        let is_it = method.is_some_and(|method| self.is_run(method));
        self.used.ends && is_it && !self.promises_of_threads().is_empty()
    }

    /// `thread.join()`: from here on it has ended, or was never started.
    pub(super) fn join(&mut self, thread: &ast::Expr, span: Span) {
        self.interrupted(span);
        if self.used.ends {
            let ended = terms::name(ENDED, span).at(thread.clone());
            let started = terms::name("started", span).at(thread.clone());
            self.push(terms::assume(terms::or(vec![ended, started.negated()], span), span));
        }
    }

    /// What loops may know of threads in variables and arrays.
    pub(super) fn thread_guesses(&mut self, guesses: &mut Vec<ast::Expr>, span: Span) {
        if !self.used.ends {
            return;
        }
        let mut found: Vec<(String, Ty)> = Vec::new();
        for frame in &self.frames {
            let method = frame.method.and_then(|id| self.program.method(id).body.as_ref());
            let locals = method.into_iter().flat_map(|body| &body.locals);
            for (name, local) in frame.locals.iter().zip(locals) {
                found.push((name.clone(), local.ty.clone()));
            }
        }
        for (name, ty) in found {
            let value = terms::name(&name, span);
            match ty {
                Ty::Class(class) if self.is_thread(class) => {
                    guesses.extend(self.guesses_about(&value, class, span));
                }
                Ty::Array(element) => {
                    let Ty::Class(class) = *element else { continue };
                    if !self.is_thread(class) || !self.used.has_object_elements() {
                        continue;
                    }
                    let elements = terms::name("elements", span).at(value);
                    let element = elements.at(terms::name("$i", span));
                    let index = build::ty(ast::TypeKind::Int, span);
                    for guess in self.guesses_about(&element, class, span) {
                        let is_null = element.clone().equals(terms::null(span));
                        let body = terms::or(vec![is_null, guess], span);
                        guesses.push(forall(&[("$i", index.clone())], body, span));
                    }
                }
                _ => {}
            }
        }
    }

    fn is_thread(&self, class: ClassId) -> bool {
        let thread = self.program.well_known.thread;
        thread.is_some_and(|thread| self.program.is_subclass(class, thread))
    }

    /// What may be known of a thread: this one made it, it was started, and once it has ended, what
    /// it ensures holds.
    fn guesses_about(&mut self, thread: &ast::Expr, class: ClassId, span: Span) -> Vec<ast::Expr> {
        let at = |map: &str| terms::name(map, span).at(thread.clone());
        let mut all = vec![at(MAKER).equals(terms::tid(span)), at("started"), at("shared")];
        all.push(self.is_instance(thread, class));
        for promise in self.promises_of_threads() {
            let is_it = self.is_instance(thread, promise.class);
            let holds = self.annotation(&promise.formula.expr, thread.clone(), false);
            let premise = terms::and(vec![is_it, at(ENDED)], span);
            all.push(premise.implies(holds));
        }
        all
    }
}
