//! Names in expressions: variables, constants, variants, threads, predicates, labels.

use super::assigns::path_text;
use super::exprs::made;
use super::scope::{Binding, Stores};
use super::symbols::Symbol;
use super::{Owner, Resolver, fault};
use crate::ast::{self, NameExpr, Path};
use crate::hir::{BoundId, Count, EnumId, Expr, ExprKind, LabelId, LocalId, PredId, Root, Ty};
use diagnostic::{Code, most_similar};
use source::Span;

impl Resolver {
    pub(super) fn tid(&mut self, span: Span) -> Option<Expr> {
        self.scope.seen.tid = true;
        self.require_tid(span, "`tid`")?;
        made(ExprKind::Tid, Ty::Tid, span)
    }

    fn require_tid(&mut self, span: Span, what: &str) -> Option<()> {
        if self.context.tid {
            return Some(());
        }
        let message =
            format!("{what} in {}, which speaks of no particular thread", self.context.place);
        let error = fault(Code::LocalNotAllowed, span, message)
            .at("there is no running thread here")
            .help("quantify over threads: `forall i: Tid :: ...`");
        self.report(error);
        None
    }

    pub(super) fn name(&mut self, name: &NameExpr, span: Span, hint: Option<&Ty>) -> Option<Expr> {
        if let [only] = name.path.segments.as_slice() {
            match self.scope.get(&only.name) {
                Some(Binding::Local(id)) => return self.local(id, name.primed, span),
                Some(Binding::Bound(id)) => return self.bound(id, name, span),
                Some(Binding::Broken) => return None,
                None => {}
            }
        }
        let symbol = self.lookup(&name.path)?;
        self.known_before_run(&symbol, span)?;
        match symbol {
            Symbol::Global(id) => {
                if name.primed {
                    self.scope.seen.prime = true;
                    self.require_two_stores(span, &name.path)?;
                }
                let ty = self.global_types[id.index()].clone()?;
                let kind = ExprKind::Var { root: Root::Global(id), primed: name.primed };
                made(kind, ty, span)
            }
            Symbol::Const(id) => {
                self.refuse_prime(name, span, "a constant")?;
                let ty = self.const_types[id.index()].clone()?;
                made(ExprKind::Const(id), ty, span)
            }
            Symbol::Thread(id) => {
                self.refuse_prime(name, span, "a thread")?;
                let single = self.program.threads[id.index()].count == Count::One;
                let ty = if single { Ty::Tid } else { Ty::Set(Box::new(Ty::Tid)) };
                made(ExprKind::Thread(id), ty, span)
            }
            Symbol::Variants(variants) => {
                self.refuse_prime(name, span, "a variant")?;
                let (id, at) = self.variant(&variants, &name.path, hint)?;
                made(ExprKind::Variant(id, at), Ty::Enum(id), span)
            }
            Symbol::Pred(id) | Symbol::Function(id) => self.pred(id, name.primed, &[], span),
            other => self.not_a_value(&name.path, &other),
        }
    }

    fn known_before_run(&mut self, symbol: &Symbol, span: Span) -> Option<()> {
        let unknown = matches!(
            symbol,
            Symbol::Global(_) | Symbol::Pred(_) | Symbol::Function(_) | Symbol::Thread(_)
        );
        if !(self.context.constant && unknown) {
            return Some(());
        }
        self.not_constant(span, symbol.describe());
        None
    }

    fn local(&mut self, id: LocalId, primed: bool, span: Span) -> Option<Expr> {
        let local = &self.scope.locals[id.index()];
        let ty = local.ty.clone();
        if primed && self.context.stores != Stores::TwoWithLocals {
            let message = format!("a prime on the local variable `{}`", local.name);
            let error = fault(Code::PrimeNotAllowed, span, message)
                .at("locals have primes in `atomic ... action` only")
                .label(local.span, "declared here")
                .help("drop the prime");
            self.report(error);
            return None;
        }
        made(ExprKind::Var { root: Root::Local(id), primed }, ty, span)
    }

    fn bound(&mut self, id: BoundId, name: &NameExpr, span: Span) -> Option<Expr> {
        self.refuse_prime(name, span, "a bound variable")?;
        let ty = self.program.bounds[id.index()].ty.clone();
        made(ExprKind::Bound(id), ty, span)
    }

    fn require_two_stores(&mut self, span: Span, path: &Path) -> Option<()> {
        if self.context.stores != Stores::One {
            return Some(());
        }
        let message = format!("a prime in {}, which speaks of one store", self.context.place);
        let error = fault(Code::PrimeNotAllowed, span, message)
            .at(format!("there is no store after this one for `{}'`", path_text(path)))
            .help("drop the prime; steps are described by `rely`, `action` and `ensures`");
        self.report(error);
        None
    }

    fn refuse_prime(&mut self, name: &NameExpr, span: Span, what: &str) -> Option<()> {
        if !name.primed {
            return Some(());
        }
        let error = fault(Code::PrimeNotAllowed, span, format!("a prime on {what}"))
            .at("the same in every store")
            .help("drop the prime");
        self.report(error);
        None
    }

    /// Of enumerations that share the name, the one that the place wants.
    fn variant(
        &mut self,
        all: &[(EnumId, u32)],
        path: &Path,
        hint: Option<&Ty>,
    ) -> Option<(EnumId, u32)> {
        if let [only] = all {
            return Some(*only);
        }
        let wanted = all.iter().find(|(id, _)| hint == Some(&Ty::Enum(*id)));
        if wanted.is_none() {
            let name = &path.segments[path.segments.len() - 1].name;
            let message = format!("`{name}` is a variant of several enumerations");
            let first = &self.program.enums[all[0].0.index()];
            let error = fault(Code::UnknownName, path.span, message)
                .at("which one?")
                .help(format!("write it in full, as in `{}.{name}`", first.name));
            self.report(error);
        }
        wanted.copied()
    }

    fn not_a_value<T>(&mut self, path: &Path, symbol: &Symbol) -> Option<T> {
        let name = path_text(path);
        let error = match symbol {
            Symbol::Proc(_) => fault(
                Code::MisplacedStatement,
                path.span,
                format!("the procedure `{name}` inside an expression"),
            )
            .at("calls are statements")
            .help(format!("call it before and keep the result: `x := {name}(...);`")),
            other => {
                fault(Code::TypeMismatch, path.span, format!("expected a value, found `{name}`"))
                    .at(format!("{}, not a value", other.describe()))
            }
        };
        self.report(error);
        None
    }

    pub(super) fn apply(
        &mut self,
        name: &NameExpr,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let bound = match name.path.segments.as_slice() {
            [only] => self.scope.get(&only.name).is_some(),
            _ => false,
        };
        let symbol = if bound { None } else { Some(self.lookup(&name.path)?) };
        if let Some(symbol) = &symbol {
            self.known_before_run(symbol, span)?;
        }
        match symbol {
            Some(Symbol::Pred(id) | Symbol::Function(id)) => self.pred(id, name.primed, args, span),
            Some(other @ Symbol::Proc(_)) => self.not_a_value(&name.path, &other),
            other => {
                let what = other.map_or("a variable", |other| other.describe());
                let error = fault(
                    Code::TypeMismatch,
                    name.path.span,
                    "only predicates and functions take arguments",
                )
                .at(format!("{what}, neither a predicate nor a function"))
                .help("an entry of a map is written `m[i]`");
                self.report(error);
                None
            }
        }
    }

    fn pred(&mut self, id: PredId, primed: bool, args: &[ast::Expr], span: Span) -> Option<Expr> {
        self.scope.seen.preds.push((id, span, primed));
        let types = self.pred_facts[id.index()].params.clone();
        let (two_store, uses_tid) =
            (self.pred_facts[id.index()].two_store, self.pred_facts[id.index()].uses_tid);
        let declared = &self.program.preds[id.index()];
        let (name, place) = (declared.name.clone(), declared.span);
        if uses_tid {
            self.require_tid(span, &format!("`{name}`, which mentions `tid`,"))?;
        }
        if two_store && primed {
            self.refuse_prime_on_two_store(span);
            return None;
        }
        if (two_store || primed) && self.context.stores == Stores::One {
            let message = format!("{} speaks of one store, `{name}` of two", self.context.place);
            let error = fault(Code::PrimeNotAllowed, span, message)
                .at("needs a store after this one")
                .label(place, "declared here")
                .help("steps are described by `rely`, `action` and `ensures`");
            self.report(error);
            return None;
        }
        let args = self.args(args, &types, (span, name.as_str(), place))?;
        let ty = self.pred_facts[id.index()].ty.clone()?;
        made(ExprKind::Pred { pred: id, args, primed }, ty, span)
    }

    pub(super) fn at_label(
        &mut self,
        thread: &ast::Expr,
        label: &Path,
        span: Span,
    ) -> Option<Expr> {
        if !self.context.labels {
            let message = format!("`at` in {}", self.context.place);
            let error = fault(Code::LocalNotAllowed, span, message)
                .at("where a thread stands is known to `never`, relies and invariants only")
                .help("use a shared variable that says where the thread is");
            self.report(error);
            return None;
        }
        let thread = self.check(thread, &Ty::Tid);
        let labels = self.labels_of(label)?;
        made(ExprKind::At(Box::new(thread?), labels), Ty::Bool, span)
    }

    /// All labels of this name; with `T.L`, those in the code of `T`.
    fn labels_of(&mut self, path: &Path) -> Option<Vec<LabelId>> {
        let (label, prefix) = path.segments.split_last()?;
        let owner = if prefix.is_empty() {
            None
        } else {
            let prefix = Path {
                segments: prefix.to_vec(),
                span: prefix[0].span.to(prefix[prefix.len() - 1].span),
            };
            match self.lookup(&prefix)? {
                Symbol::Thread(id) => Some(Owner::Thread(id)),
                Symbol::Proc(id) => Some(Owner::Proc(id)),
                other => return self.not_a_value(&prefix, &other),
            }
        };
        let all = self.labels.get(&label.name).map(Vec::as_slice).unwrap_or_default();
        let ids: Vec<LabelId> = all
            .iter()
            .filter(|(holder, _)| owner.is_none_or(|owner| owner == *holder))
            .map(|&(_, id)| id)
            .collect();
        if !ids.is_empty() {
            return Some(ids);
        }
        let message = match prefix.last() {
            Some(holder) => format!("`{}` has no label `{}`", holder.name, label.name),
            None => format!("there is no label `{}`", label.name),
        };
        let mut error = fault(Code::UnknownName, label.span, message).at("no statement has it");
        let others = self.labels.keys().filter(|other| **other != label.name);
        if let Some(similar) = most_similar(&label.name, others) {
            error = error.help(format!("did you mean `{similar}`?"));
        }
        self.report(error);
        None
    }
}
