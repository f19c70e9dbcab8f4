//! Checks contracts and bodies of all declarations and puts them into the program.

use super::symbols::Symbols;
use super::{Checker, Owner, Place};
use crate::hir::{
    self, Assertion, AssertionKind, ChannelId, ClassId, EvalState, Expr, ExprKind, LocalKind,
    Program, Type,
};
use crate::syntax::{self, Item, Member, Spec};
use crate::walk::Walk;
use diagnostic::Diagnostic;

/// Fills in the contracts and bodies that the collection of names left empty.
pub(super) fn fill(
    tree: &syntax::Program,
    symbols: &Symbols,
    program: &mut Program,
    diagnostics: &mut Vec<Diagnostic>,
) {
    // Bodies refer to the declarations of the program, which do not change while it is filled.
    let declared = program.clone();
    let mut filler = Filler { symbols, declared: &declared, program, diagnostics };
    let (mut classes, mut channels) = (0, 0);
    for item in &tree.items {
        match item {
            Item::Class(class) => {
                filler.class(class, ClassId(classes));
                classes += 1;
            }
            Item::Channel(channel) => {
                filler.channel(channel, ChannelId(channels));
                channels += 1;
            }
        }
    }
}

struct Filler<'f> {
    symbols: &'f Symbols,
    declared: &'f Program,
    program: &'f mut Program,
    diagnostics: &'f mut Vec<Diagnostic>,
}

impl Filler<'_> {
    fn checker(&mut self, owner: Owner) -> Checker<'_> {
        let mut checker = Checker::new(self.symbols, self.declared, self.diagnostics, owner);
        checker.place.ghost = true;
        checker
    }

    fn channel(&mut self, channel: &syntax::Channel, id: ChannelId) {
        let symbols = self.symbols;
        let mut checker = self.checker(Owner::Channel(id));
        let types = &symbols.channels[id.index()];
        let params = checker.declare_params(&channel.params, types, LocalKind::Param);
        checker.place.no_holds = Some("what a message promises");
        checker.place.no_waitlevel = Some("what a message promises");
        let where_clause = channel.condition.as_ref().map(|e| checker.assertion(e));
        where_clause.iter().for_each(|clause| checker.refuse_moments(clause));
        let locals = checker.locals;
        let target = &mut self.program.channels[id.index()];
        (target.params, target.locals, target.where_clause) = (params, locals, where_clause);
    }

    /// Leaves out the members of a class that refines another: they use declarations of the other
    /// class, and refinement is not supported. Elsewhere, values of its type are not supported
    /// either.
    fn class(&mut self, class: &syntax::Class, id: ClassId) {
        if self.symbols.refining.contains(&id) {
            return;
        }
        let declared = &self.declared.classes[id.index()];
        let mut methods = declared.methods.iter();
        let mut predicates = declared.predicates.iter();
        let mut functions = declared.functions.iter();
        let mut conditions = declared.conditions.iter();
        for member in &class.members {
            match member {
                Member::Method(method) => {
                    let Some(&id) = methods.next() else { continue };
                    self.method(method, id);
                }
                Member::Predicate(predicate) => {
                    let Some(&id) = predicates.next() else { continue };
                    self.predicate(predicate, id);
                }
                Member::Function(function) => {
                    let Some(&id) = functions.next() else { continue };
                    self.function(function, id);
                }
                Member::Condition(condition) => {
                    let Some(&id) = conditions.next() else { continue };
                    self.condition(condition, id);
                }
                Member::Field(_)
                | Member::Invariant(_)
                | Member::Coupling(_)
                | Member::Transform(..) => {}
            }
        }
        self.invariants(class, id);
    }

    fn invariants(&mut self, class: &syntax::Class, id: ClassId) {
        let mut checker = self.checker(Owner::Class(id));
        checker.place.two_state = true;
        checker.place.timeless("a monitor invariant");
        let invariants = class.members.iter().filter_map(|member| match member {
            Member::Invariant(invariant) => {
                let invariant = checker.assertion(invariant);
                checker.refuse_old_permissions(&invariant, false);
                Some(invariant)
            }
            _ => None,
        });
        let invariants: Vec<_> = invariants.collect();
        let locals = checker.locals;
        let (invariants, rely) = super::rely::split(self.declared, invariants);
        let target = &mut self.program.classes[id.index()];
        (target.invariants, target.rely, target.locals) = (invariants, rely, locals);
    }

    fn method(&mut self, method: &syntax::Method, id: hir::MethodId) {
        let (symbols, class) = (self.symbols, self.declared.methods[id.index()].class);
        let mut checker = self.checker(Owner::Class(class));
        let (ins, outs) = &symbols.methods[id.index()];
        let params = checker.declare_params(&method.params, ins, LocalKind::Param);
        let results = checker.declare_params(&method.results, outs, LocalKind::Result);
        let spec = checker.method_spec(method);
        checker.place = Place::default();
        let body = checker.block(&method.body);
        let locals = checker.locals;
        let target = &mut self.program.methods[id.index()];
        (target.params, target.results, target.locals) = (params, results, locals);
        (target.spec, target.body) = (spec, body);
    }

    fn predicate(&mut self, predicate: &syntax::Predicate, id: hir::PredicateId) {
        let (symbols, class) = (self.symbols, self.declared.predicates[id.index()].class);
        let mut checker = self.checker(Owner::Class(class));
        checker.place.timeless("a predicate");
        let types = &symbols.predicates[id.index()];
        let params = checker.declare_params(&predicate.params, types, LocalKind::Param);
        let body = checker.assertion(&predicate.body);
        let locals = checker.locals;
        let target = &mut self.program.predicates[id.index()];
        (target.params, target.locals, target.body) = (params, locals, body);
    }

    fn function(&mut self, function: &syntax::Function, id: hir::FunctionId) {
        let (symbols, class) = (self.symbols, self.declared.functions[id.index()].class);
        let mut checker = self.checker(Owner::Class(class));
        checker.place.is_static = function.is_static;
        // Its value depends on its arguments and on the locations that it has permission to.
        checker.place.timeless("a function");
        let (types, ty) = &symbols.functions[id.index()];
        let params = checker.declare_params(&function.params, types, LocalKind::Param);
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        for clause in &function.specs {
            match clause {
                Spec::Requires(e) => requires.push(checker.function_requires(e)),
                Spec::Ensures(e) => ensures.push(checker.function_ensures(e, ty)),
                Spec::Lockchange(_, span) => {
                    let help = "functions change nothing; drop it";
                    checker.misplaced(*span, "`lockchange` of a function", help);
                }
            }
        }
        let body = function.body.as_ref().map(|e| {
            let mut body = checker.expr(e);
            checker.want(&mut body, ty, "the value of the function");
            body
        });
        let locals = checker.locals;
        let target = &mut self.program.functions[id.index()];
        (target.params, target.locals) = (params, locals);
        (target.requires, target.ensures, target.body) = (requires, ensures, body);
    }

    fn condition(&mut self, condition: &syntax::Condition, id: hir::ConditionId) {
        let class = self.declared.conditions[id.index()].class;
        let mut checker = self.checker(Owner::Class(class));
        let where_clause = condition.condition.as_ref().map(|e| checker.assertion(e));
        let locals = checker.locals;
        let target = &mut self.program.conditions[id.index()];
        (target.where_clause, target.locals) = (where_clause, locals);
    }
}

impl Checker<'_> {
    /// The receiver knows nothing of the sender's acquires and releases.
    fn refuse_moments(&mut self, clause: &Assertion) {
        let mut found = Vec::new();
        let mut look = |expr: &Expr| {
            if let ExprKind::Eval(state, _) = &expr.kind
                && !matches!(**state, EvalState::Fork { .. })
            {
                found.push(expr.span);
            }
        };
        Walk { expr: &mut look, amount: &mut |_| {} }.assertion(clause);
        for span in found {
            let help = "`eval` speaks of the states of one thread";
            self.misplaced(span, "`eval` in what a message promises", help);
        }
    }

    /// A thread that acquires a monitor has another old state than the one that released it, so the
    /// permissions that the monitor holds must not depend on `old`.
    fn refuse_old_permissions(&mut self, invariant: &Assertion, under_old: bool) {
        let mut found = false;
        let mut look = |expr: &Expr| found |= matches!(expr.kind, ExprKind::Old(_));
        let mut walk = Walk { expr: &mut look, amount: &mut |_| {} };
        match &invariant.kind {
            AssertionKind::Pure(_) | AssertionKind::Unsupported(_) => return,
            AssertionKind::And(parts) => {
                return parts.iter().for_each(|part| self.refuse_old_permissions(part, under_old));
            }
            AssertionKind::Implies(premise, conclusion) => {
                walk.expr(premise);
                return self.refuse_old_permissions(conclusion, under_old || found);
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                walk.expr(condition);
                self.refuse_old_permissions(then, under_old || found);
                return self.refuse_old_permissions(otherwise, under_old || found);
            }
            AssertionKind::Access(..)
            | AssertionKind::Predicate(_)
            | AssertionKind::Credit(..)
            | AssertionKind::Forall(_) => walk.assertion(invariant),
        }
        if under_old || found {
            let help = "what a monitor holds is for anybody, whatever they saw before";
            self.misplaced(invariant.span, "a permission that depends on the old state", help);
        }
    }

    fn method_spec(&mut self, method: &syntax::Method) -> hir::Spec {
        let mut spec = hir::Spec::default();
        let run = (method.name.name.as_str() == "run").then_some("the contract of `run`");
        self.place.no_holds = run;
        for clause in &method.specs {
            match clause {
                Spec::Requires(e) => spec.requires.push(self.assertion(e)),
                Spec::Ensures(e) => {
                    let change = |place: &mut Place| {
                        place.two_state = true;
                        place.no_waitlevel = run;
                    };
                    spec.ensures.push(self.with_place(change, |c| c.assertion(e)));
                }
                Spec::Lockchange(exprs, span) => {
                    if run.is_some() {
                        let help = "a forked thread starts without locks and ends without locks";
                        self.misplaced(*span, "`lockchange` of a method `run`", help);
                    }
                    let two_state = |place: &mut Place| place.two_state = true;
                    spec.lockchange.extend(self.with_place(two_state, |c| c.lockchange(exprs)));
                }
            }
        }
        spec
    }

    pub(super) fn lockchange(&mut self, exprs: &[syntax::Expr]) -> Vec<Expr> {
        let check = |e| {
            let object = self.expr(e);
            self.want_reference(&object, "an operand of `lockchange`");
            object
        };
        exprs.iter().map(check).collect()
    }

    fn function_requires(&mut self, e: &syntax::Expr) -> Assertion {
        let assertion = self.assertion(e);
        if let Some(span) = super::assertions::credit_in(&assertion) {
            let help = "functions neither send nor receive; drop it";
            self.misplaced(span, "a credit in the contract of a function", help);
        }
        assertion
    }

    /// Permissions come back by themselves, so a function cannot promise them.
    fn function_ensures(&mut self, e: &syntax::Expr, ty: &Type) -> Expr {
        let result = Some(ty.clone());
        let assertion = self.with_place(|place| place.result = result, |c| c.assertion(e));
        if let Some(span) = super::assertions::unfolding_in(e) {
            let help = "put the fact into the postcondition of a function of its own";
            self.misplaced(span, "`unfolding` in the postcondition of a function", help);
        }
        match super::assertions::as_pure(assertion) {
            Ok(expr) => expr,
            Err(assertion) => {
                let help = "a function gives back all permissions that it needs";
                self.misplaced(
                    assertion.span,
                    "a permission in the postcondition of a function",
                    help,
                );
                super::error_expr(assertion.span)
            }
        }
    }
}
