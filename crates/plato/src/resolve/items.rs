//! Formulas of the program and counts of threads.

use super::collect::{Declarations, FormulaSource};
use super::scope::{Context, Stores};
use super::symbols::Symbol;
use super::{Resolver, fault};
use crate::ast::{self, Copies, Ident, ItemKind};
use crate::hir::{
    BinaryOp, Count, Expr, ExprKind, Formula, GlobalId, ModuleId, Never, NeverKind, Root, Ty,
};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeMap;

/// Whether the formulas that ask where threads are are meant, or the others.
#[derive(Clone, Copy)]
pub(super) struct AboutPlaces(pub(super) bool);

fn asks_for_places(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ast::ExprKind::At(..)) || expr.children().into_iter().any(asks_for_places)
}

impl Resolver {
    /// Those that ask where threads are come after the code, because they name labels.
    pub(super) fn formulas(
        &mut self,
        declarations: &Declarations<'_>,
        AboutPlaces(about_places): AboutPlaces,
    ) {
        let mut names: BTreeMap<(&'static str, Option<ModuleId>, Name), Span> = BTreeMap::new();
        for (module, source) in &declarations.formulas {
            let module = *module;
            match source {
                FormulaSource::Initial(..) | FormulaSource::Empty(..) if about_places => {}
                FormulaSource::Initial(id, name, value) => self.initial(module, *id, name, value),
                FormulaSource::Empty(id, name) => {
                    let ty = self.program.globals[id.index()].ty.clone();
                    let kind = match ty {
                        Ty::Tid => ExprKind::Nobody,
                        _ => ExprKind::Set(Vec::new()),
                    };
                    self.push_initial(module, *id, name, Expr { kind, ty, span: name.span });
                }
                FormulaSource::Item(item) => {
                    let (place, formula) = match &item.kind {
                        ItemKind::Init(formula) => ("an `init`", formula),
                        ItemKind::Invariant(formula) => ("an invariant", formula),
                        ItemKind::Rely(formula) => ("a rely", formula),
                        _ => continue,
                    };
                    if let Some(name) = formula.name.as_ref().filter(|_| !about_places) {
                        let first = names.insert((place, module, name.name.clone()), name.span);
                        if let Some(first) = first {
                            self.duplicate(name, first);
                        }
                    }
                    let is_init = matches!(item.kind, ItemKind::Init(_));
                    if (asks_for_places(&formula.expr) && !is_init) != about_places {
                        continue;
                    }
                    let two = matches!(item.kind, ItemKind::Rely(_));
                    let stores = if two { Stores::Two } else { Stores::One };
                    let context = Context {
                        module,
                        stores,
                        tid: two,
                        labels: about_places,
                        place,
                        ..Context::default()
                    };
                    let Some(formula) = self.within(context, |r| r.formula(formula)) else {
                        continue;
                    };
                    match &item.kind {
                        ItemKind::Init(_) => self.program.inits.push(formula),
                        ItemKind::Invariant(_) => self.program.invariants.push(formula),
                        _ => self.program.relies.push(formula),
                    }
                }
            }
        }
    }

    pub(super) fn formula(&mut self, formula: &ast::Formula) -> Option<Formula> {
        let expr = self.check(&formula.expr, &Ty::Bool)?;
        let name = formula.name.as_ref().map(|name| name.name.clone());
        let module = self.context.module;
        Some(Formula { name, expr, module, is_written: true, span: formula.span })
    }

    /// `var x: T = e` says `x == e` of the initial stores.
    fn initial(&mut self, module: Option<ModuleId>, id: GlobalId, name: &Ident, value: &ast::Expr) {
        let Some(ty) = self.global_types[id.index()].clone() else { return };
        let context = Context { module, place: "an initial value", ..Context::default() };
        if let Some(value) = self.within(context, |r| r.check(value, &ty))
            && self.fits(&value, &ty)
        {
            self.push_initial(module, id, name, value);
        }
    }

    pub(super) fn push_initial(
        &mut self,
        module: Option<ModuleId>,
        id: GlobalId,
        name: &Ident,
        value: Expr,
    ) {
        let Some(ty) = self.global_types[id.index()].clone() else { return };
        let span = name.span.to(value.span);
        let var = ExprKind::Var { root: Root::Global(id), primed: false };
        let var = Expr { kind: var, ty, span: name.span };
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(var), Box::new(value));
        let expr = Expr { kind, ty: Ty::Bool, span };
        self.program.inits.push(Formula { name: None, expr, module, is_written: true, span });
    }

    /// Error sets, after the code, because they name labels.
    pub(super) fn nevers(&mut self, declarations: &Declarations<'_>) {
        for (module, source) in &declarations.formulas {
            let FormulaSource::Item(item) = source else { continue };
            let ItemKind::Never(never) = &item.kind else { continue };
            let context =
                Context { module: *module, labels: true, place: "a `never`", ..Context::default() };
            let kind = self.within(context, |r| match never {
                ast::Never::Formula(formula) => {
                    r.formula(formula).map(|f| NeverKind::Formula(f.expr))
                }
                ast::Never::Deadlock => Some(NeverKind::Deadlock),
                ast::Never::Race(paths) => r.globals(paths).map(NeverKind::Race),
            });
            if let Some(kind) = kind {
                self.program.nevers.push(Never { kind, span: item.span });
            }
        }
    }

    pub(super) fn thread_counts(&mut self, declarations: &Declarations<'_>) {
        for (at, &(module, thread)) in declarations.threads.iter().enumerate() {
            let Copies::Counted(count) = &thread.copies else { continue };
            let context = Context { module, place: "a number of threads", ..Context::default() };
            if let Some(count) = self.within(context, |r| r.thread_count(count)) {
                self.program.threads[at].count = count;
            }
        }
    }

    fn thread_count(&mut self, count: &ast::Expr) -> Option<Count> {
        let expr = self.check(count, &Ty::Int)?;
        if let ExprKind::Const(id) = expr.kind
            && self.program.consts[id.index()].value.is_none()
        {
            return Some(Count::Symbolic(id));
        }
        let number = self.constant_number(count)?;
        let copies = u64::try_from(number).ok().filter(|&copies| copies > 0);
        if copies.is_none() {
            let error = fault(Code::EmptyType, count.span, format!("{number} copies of a thread"))
                .at("at least one copy must run, and fewer than 2^64")
                .help("write `[*]` for any number of copies");
            self.report(error);
        }
        copies.map(Count::Copies)
    }

    /// Names of shared variables, each once.
    pub(super) fn globals(&mut self, paths: &[ast::Path]) -> Option<Vec<GlobalId>> {
        let mut all = Some(Vec::new());
        for path in paths {
            match self.global(path) {
                Some(id) => {
                    if let Some(all) = all.as_mut().filter(|all| !all.contains(&id)) {
                        all.push(id);
                    }
                }
                None => all = None,
            }
        }
        all
    }

    pub(super) fn global(&mut self, path: &ast::Path) -> Option<GlobalId> {
        let is_local = path.segments.len() == 1 && self.scope.get(&path.segments[0].name).is_some();
        if is_local {
            let error = fault(
                Code::LocalNotAllowed,
                path.span,
                "expected a shared variable, found a local one",
            )
            .at("a local variable")
            .help("leave it out: locals are nobody else's business");
            self.report(error);
            return None;
        }
        match self.lookup(path)? {
            Symbol::Global(id) => Some(id),
            other => {
                let error = fault(Code::NotAssignable, path.span, "expected a shared variable")
                    .at(format!("{}, which does not change", other.describe()));
                self.report(error);
                None
            }
        }
    }
}
