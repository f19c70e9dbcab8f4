//! Statements that write: declarations, assignments, `cas`, calls.

use super::symbols::Symbol;
use super::types::{compatible, widened};
use super::{Resolver, counted, fault};
use crate::ast::{self, ExprKind, LocalVar, Source};
use crate::hir::{Expr, Place, ProcId, Root, StmtKind, Ty};
use diagnostic::Code;
use source::Span;

/// The parts of a call, in any of its forms.
struct CallParts<'a> {
    callee: &'a ast::Path,
    args: &'a [ast::Expr],
    span: Span,
}

/// The type a local is declared with.
enum Declared {
    Inferred,
    Known(Ty),
    Broken,
}

impl Declared {
    fn or(&self, inferred: Option<Ty>) -> Option<Ty> {
        match self {
            Self::Inferred => inferred,
            Self::Known(ty) => Some(ty.clone()),
            Self::Broken => None,
        }
    }
}

impl Resolver {
    pub(super) fn assign(&mut self, places: &[ast::Place], source: &Source) -> Option<StmtKind> {
        let targets: Vec<_> = places.iter().map(|place| self.place(place)).collect();
        let targets_known = targets.iter().all(Option::is_some);
        if let Some(call) = self.as_call(source) {
            let results = targets.into_iter().collect::<Option<Vec<_>>>().unwrap_or_default();
            let kind = self.call(call.callee, call.args, results, call.span);
            return kind.filter(|_| targets_known);
        }
        match source {
            Source::Cas(cas) => {
                let result = self.single_result(targets, places[0].span)?;
                self.cas(cas, Some(result))
            }
            Source::Values(values) => self.assign_values(places, targets, values),
            Source::Fork(fork) => {
                let [place] = &targets[..] else {
                    self.wrong_value_count(fork.span, targets.len(), 1);
                    return None;
                };
                let place = place.clone()?;
                self.fork(fork, Some(place))
            }
            Source::Join(join) => {
                let results = targets.into_iter().collect::<Option<Vec<_>>>()?;
                self.join(join, results)
            }
            Source::Call(_) => None,
        }
    }

    fn assign_values(
        &mut self,
        places: &[ast::Place],
        targets: Vec<Option<Place>>,
        values: &[ast::Expr],
    ) -> Option<StmtKind> {
        if values.len() != targets.len() {
            let span = places[0].span.to(values[values.len() - 1].span);
            self.wrong_value_count(span, targets.len(), values.len());
            return None;
        }
        let mut pairs = Some(Vec::new());
        for (target, value) in targets.into_iter().zip(values) {
            let value = match &target {
                Some(target) => self.check(value, &target.ty),
                None => self.expr(value, None),
            };
            pairs = match (pairs, target, value) {
                (Some(mut pairs), Some(target), Some(value)) => {
                    pairs.push((target, value));
                    Some(pairs)
                }
                _ => None,
            };
        }
        let pairs = pairs?;
        let written: Vec<Place> = pairs.iter().map(|(place, _)| place.clone()).collect();
        self.distinct(&written)?;
        Some(StmtKind::Assign(pairs))
    }

    fn wrong_value_count(&mut self, span: Span, places: usize, values: usize) {
        let message = format!("{} for {}", counted(values, "value"), counted(places, "variable"));
        let error = fault(Code::WrongArgumentCount, span, message)
            .at("as many values as variables are needed");
        self.report(error);
    }

    /// The call, if the assigned value is one: it says `call`, or it applies a procedure.
    fn as_call<'a>(&self, source: &'a Source) -> Option<CallParts<'a>> {
        match source {
            Source::Call(call) => {
                Some(CallParts { callee: &call.callee, args: &call.args, span: call.span })
            }
            Source::Values(values) => match values.as_slice() {
                [ast::Expr { kind: ExprKind::Apply(name, args), span }]
                    if !name.primed && matches!(self.find(&name.path), Some(Symbol::Proc(_))) =>
                {
                    Some(CallParts { callee: &name.path, args, span: *span })
                }
                _ => None,
            },
            Source::Cas(_) | Source::Fork(_) | Source::Join(_) => None,
        }
    }

    fn callee(&mut self, path: &ast::Path) -> Option<ProcId> {
        match self.lookup(path)? {
            Symbol::Proc(id) => Some(id),
            other => {
                let error = fault(Code::TypeMismatch, path.span, "expected a procedure")
                    .at(format!("{}, not a procedure", other.describe()));
                self.report(error);
                None
            }
        }
    }

    pub(super) fn call(
        &mut self,
        path: &ast::Path,
        args: &[ast::Expr],
        results: Vec<Place>,
        span: Span,
    ) -> Option<StmtKind> {
        let callee = self.callee(path)?;
        let args = self.call_args(callee, args, span);
        let types = self.signatures[callee.index()].results.clone();
        let declared = self.program.procs[callee.index()].span;
        self.results_fit(&results, &types, (span, &path_text(path), declared))?;
        Some(StmtKind::Call { callee, args: args?, results })
    }

    /// Whether results can go to these places, all or none; `about` is the use, the name and the
    /// declaration.
    pub(super) fn results_fit(
        &mut self,
        places: &[Place],
        types: &[Option<Ty>],
        (span, name, declared): (Span, &str, Span),
    ) -> Option<()> {
        if !places.is_empty() && places.len() != types.len() {
            let message = format!(
                "{} for {} of `{name}`",
                counted(places.len(), "variable"),
                counted(types.len(), "result"),
            );
            let error = fault(Code::WrongArgumentCount, span, message)
                .at("take all results or none")
                .label(declared, "declared here");
            self.report(error);
            return None;
        }
        for (place, ty) in places.iter().zip(types) {
            let ty = ty.as_ref()?;
            if !compatible(ty, &place.ty) {
                self.mismatch(span, ty, &place.ty);
                return None;
            }
        }
        self.distinct(places)
    }

    fn call_args(&mut self, callee: ProcId, args: &[ast::Expr], span: Span) -> Option<Vec<Expr>> {
        let types = self.signatures[callee.index()].params.clone();
        let declared = &self.program.procs[callee.index()];
        let (name, place) = (declared.name.clone(), declared.span);
        self.args(args, &types, (span, name.as_str(), place))
    }

    /// Checks arguments of a predicate or a procedure; `about` is the use, the name and the
    /// declaration.
    pub(super) fn args(
        &mut self,
        args: &[ast::Expr],
        types: &[Option<Ty>],
        about: (Span, &str, Span),
    ) -> Option<Vec<Expr>> {
        let (span, name, declared) = about;
        if args.len() != types.len() {
            let message = format!(
                "{} for `{name}`, which takes {}",
                counted(args.len(), "argument"),
                types.len()
            );
            let error = fault(Code::WrongArgumentCount, span, message)
                .at("wrong number of arguments")
                .label(declared, "declared here");
            self.report(error);
            return None;
        }
        let all: Vec<_> =
            args.iter().zip(types).map(|(arg, ty)| self.check(arg, ty.as_ref()?)).collect();
        all.into_iter().collect()
    }

    fn single_result(&mut self, targets: Vec<Option<Place>>, span: Span) -> Option<Place> {
        if targets.len() != 1 {
            self.wrong_value_count(span, targets.len(), 1);
            return None;
        }
        let place = targets.into_iter().next().flatten()?;
        if place.ty != Ty::Bool {
            self.mismatch(place.span, &place.ty, &Ty::Bool);
            return None;
        }
        Some(place)
    }

    /// `cas(l, e, n);` swaps if `n` can be written, as in figure 2 of paper 2, and writes
    /// otherwise.
    pub(super) fn cas_stmt(&mut self, cas: &ast::Cas) -> Option<StmtKind> {
        let Some((path, indices)) = self.as_place(&cas.new) else { return self.cas(cas, None) };
        let location = self.place(&cas.location);
        let new = self.place_of(path, &indices, cas.new.span);
        let (location, new) = (location?, new?);
        let expected = self.check(&cas.expected, &location.ty)?;
        if !compatible(&new.ty, &location.ty) {
            self.mismatch(new.span, &new.ty, &location.ty);
            return None;
        }
        Some(StmtKind::CasSwap { location, expected, new })
    }

    fn as_place<'a>(&self, expr: &'a ast::Expr) -> Option<(&'a ast::Path, Vec<&'a ast::Expr>)> {
        let mut indices = Vec::new();
        let mut expr = expr;
        while let ExprKind::Index(base, key) = &expr.kind {
            indices.push(&**key);
            expr = base;
        }
        indices.reverse();
        match &expr.kind {
            ExprKind::Name(name) if !name.primed && self.is_variable(&name.path) => {
                Some((&name.path, indices))
            }
            _ => None,
        }
    }

    fn cas(&mut self, cas: &ast::Cas, result: Option<Place>) -> Option<StmtKind> {
        let location = self.place(&cas.location)?;
        let (expected, new) =
            (self.check(&cas.expected, &location.ty), self.check(&cas.new, &location.ty));
        if let Some(result) = &result {
            self.distinct(&[result.clone(), location.clone()])?;
        }
        Some(StmtKind::Cas { result, location, expected: expected?, new: new? })
    }

    fn declared_type(&mut self, var: &LocalVar) -> Declared {
        match &var.ty {
            None => Declared::Inferred,
            Some(ty) => self.ty(ty).map_or(Declared::Broken, Declared::Known),
        }
    }

    /// A local is bound after its value was resolved, so the value cannot mention it.
    pub(super) fn local_var(&mut self, var: &LocalVar) -> Option<StmtKind> {
        let declared = self.declared_type(var);
        let Some(source) = &var.value else {
            // Without type and value the parser has reported an error.
            self.met_error |= var.ty.is_none();
            let ty = declared.or(None);
            let places: Vec<Place> =
                var.names.iter().map(|name| self.fresh(name, ty.clone())).collect();
            return ty.map(|_| StmtKind::Havoc(places));
        };
        if let Some(call) = self.as_call(source) {
            return self.local_of_call(var, &declared, &call);
        }
        match source {
            Source::Cas(cas) => {
                let kind = self.cas(cas, None);
                let places = self.fresh_all(var, declared.or(Some(Ty::Bool)));
                let result = self.single_result(places, var.names[0].span)?;
                let StmtKind::Cas { location, expected, new, .. } = kind? else { return None };
                Some(StmtKind::Cas { result: Some(result), location, expected, new })
            }
            Source::Values(values) => self.local_of_values(var, &declared, values),
            Source::Fork(fork) => {
                let places = self.fresh_all(var, declared.or(Some(Ty::Tid)));
                let [place] = &places[..] else {
                    self.wrong_value_count(fork.span, places.len(), 1);
                    return None;
                };
                let place = place.clone()?;
                self.fork(fork, Some(place))
            }
            Source::Join(join) => self.local_of_join(var, &declared, join),
            Source::Call(_) => None,
        }
    }

    fn local_of_values(
        &mut self,
        var: &LocalVar,
        declared: &Declared,
        values: &[ast::Expr],
    ) -> Option<StmtKind> {
        let known: Vec<Option<Expr>> = values
            .iter()
            .map(|value| match declared {
                Declared::Known(ty) => self.check(value, ty),
                Declared::Broken => None,
                Declared::Inferred => self.expr(value, None),
            })
            .collect();
        let one_for_all = values.len() == 1;
        if !one_for_all && values.len() != var.names.len() {
            let span = var.names[0].span.to(values[values.len() - 1].span);
            self.wrong_value_count(span, var.names.len(), values.len());
        }
        let mut pairs = Some(Vec::new());
        for (at, name) in var.names.iter().enumerate() {
            let value = known.get(if one_for_all { 0 } else { at }).cloned().flatten();
            let ty = declared.or(value.as_ref().map(|value| widened(&value.ty)));
            let place = self.fresh(name, ty);
            match (pairs.as_mut(), value) {
                (Some(pairs), Some(value)) => pairs.push((place, value)),
                _ => pairs = None,
            }
        }
        let complete = one_for_all || values.len() == var.names.len();
        pairs.filter(|_| complete).map(StmtKind::Assign)
    }

    fn local_of_call(
        &mut self,
        var: &LocalVar,
        declared: &Declared,
        call: &CallParts<'_>,
    ) -> Option<StmtKind> {
        let results = match self.find(call.callee) {
            Some(Symbol::Proc(id)) => self.signatures[id.index()].results.clone(),
            _ => Vec::new(),
        };
        // Arguments are checked before the names are bound, results after.
        let kind = self.call(call.callee, call.args, Vec::new(), call.span);
        let mut places = Vec::new();
        for (at, name) in var.names.iter().enumerate() {
            let ty = declared.or(results.get(at).cloned().flatten().map(|ty| widened(&ty)));
            let known = ty.is_some();
            let place = self.fresh(name, ty);
            if let (true, Some(Some(result))) = (known, results.get(at))
                && !compatible(result, &place.ty)
            {
                self.mismatch(call.span, result, &place.ty);
            }
            places.push(place);
        }
        let StmtKind::Call { callee, args, .. } = kind? else { return None };
        if results.len() != places.len() {
            self.wrong_value_count(call.span, places.len(), results.len());
            return None;
        }
        Some(StmtKind::Call { callee, args, results: places })
    }

    fn local_of_join(
        &mut self,
        var: &LocalVar,
        declared: &Declared,
        join: &ast::Join,
    ) -> Option<StmtKind> {
        let types = self.joined_types(&join.thread);
        let mut places = Some(Vec::new());
        for (at, name) in var.names.iter().enumerate() {
            let found = types.get(at).cloned().flatten().map(|ty| widened(&ty));
            let ty = declared.or(found);
            let known = ty.is_some();
            let place = self.fresh(name, ty);
            places = places.filter(|_| known);
            places.iter_mut().for_each(|all| all.push(place.clone()));
        }
        if types.len() != var.names.len() {
            self.wrong_value_count(join.span, var.names.len(), types.len());
            return None;
        }
        self.join(join, places?)
    }

    fn fresh_all(&mut self, var: &LocalVar, ty: Option<Ty>) -> Vec<Option<Place>> {
        let known = ty.is_some();
        var.names.iter().map(|name| Some(self.fresh(name, ty.clone())).filter(|_| known)).collect()
    }

    fn fresh(&mut self, name: &ast::Ident, ty: Option<Ty>) -> Place {
        let id = self.bind_local(name, ty);
        let ty = self.scope.locals[id.index()].ty.clone();
        Place { root: Root::Local(id), indices: Vec::new(), ty, span: name.span }
    }
}

pub(super) fn path_text(path: &ast::Path) -> String {
    path.segments.iter().map(|segment| segment.name.as_str()).collect::<Vec<_>>().join(".")
}
