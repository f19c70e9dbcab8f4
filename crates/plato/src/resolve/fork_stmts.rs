//! The statements `fork` and `join`, which `forks.rs` gives their variables.

use super::assigns::path_text;
use super::symbols::Symbol;
use super::terms::{all_of, assign, bound, element, member, not, step};
use super::{Resolver, fault};
use crate::ast;
use crate::hir::{
    Count, Expr, ExprKind, GlobalId, Place, Quantifier, Stmt, StmtKind, ThreadId, Ty,
};
use diagnostic::Code;
use source::Span;

impl Resolver {
    /// `fork T(a)` starts a thread of `T` that was not started before:
    ///
    /// ```text atomic { havoc t; assume t in T && !(t in T.started); T.x[t], T.started := a,
    ///   T.started + {t}; }
    /// ```
    ///
    /// It goes wrong if there is none.
    pub(super) fn fork(&mut self, fork: &ast::Fork, result: Option<Place>) -> Option<StmtKind> {
        let (span, text) = (fork.span, self.scope.text.unwrap_or(fork.span));
        let id = self.forked_thread(&fork.thread)?;
        self.forks.extend(self.scope.owner.map(|owner| (id, owner)));
        let of = self.forked[id.index()].as_ref()?;
        let (started, params) = (of.started, of.params().to_vec());
        let types = of.param_types().to_vec();
        let name = path_text(&fork.thread);
        let declared = self.program.threads[id.index()].span;
        let args = self.args(&fork.args, &types, (span, &name, declared));
        if let Some(place) = result.as_ref().filter(|place| place.ty != Ty::Tid) {
            self.mismatch(span, &Ty::Tid, &place.ty);
            return None;
        }
        let count = self.program.threads[id.index()].count;
        let mut stmts = Vec::new();
        let idle = |r: &Self, thread: Expr| not(member(thread, r.shared(started, span)));
        let thread = if count == Count::One {
            let thread = Expr { kind: ExprKind::Thread(id), ty: Ty::Tid, span };
            let failed = format!("`{name}` may have been forked before");
            stmts.push(no_such_thread(idle(self, thread.clone()), failed, declared, text));
            thread
        } else {
            let family = Expr { kind: ExprKind::Thread(id), ty: Ty::Set(Box::new(Ty::Tid)), span };
            let is_free = |r: &Self, thread: Expr| {
                all_of(vec![member(thread.clone(), family.clone()), idle(r, thread)], span)
            };
            if count != Count::Any {
                let any = self.any_thread(span);
                let body = Box::new(is_free(self, bound(any, Ty::Tid, span)));
                let kind = ExprKind::Quantified(Quantifier::Exists, vec![any], body);
                let failed = format!("all threads of `{name}` may have been forked before");
                let some = Expr { kind, ty: Ty::Bool, span };
                stmts.push(no_such_thread(some, failed, declared, text));
            }
            let forked = self.unnamed_local(Ty::Tid, span);
            let thread = self.value_at(&forked);
            stmts.push(step(StmtKind::Havoc(vec![forked]), text));
            stmts.push(step(StmtKind::Assume(is_free(self, thread.clone())), text));
            thread
        };
        let mut written: Vec<(Place, Expr)> =
            params.iter().map(|&map| self.place_in(map, thread.clone())).zip(args?).collect();
        written.push(self.put_into(started, thread.clone()));
        stmts.push(step(StmtKind::Assign(written), text));
        stmts.extend(result.map(|place| assign(place, thread, text)));
        Some(self.one_step(stmts))
    }

    /// `x := join T t`:
    ///
    /// ```text
    /// atomic { assert t in T.started; assume t in T.ended; x := T.r[t]; }
    /// ```
    pub(super) fn join(&mut self, join: &ast::Join, results: Vec<Place>) -> Option<StmtKind> {
        let (span, text) = (join.span, self.scope.text.unwrap_or(join.span));
        let id = self.forked_thread(&join.thread)?;
        let of = self.forked[id.index()].as_ref()?;
        let (started, ended) = (of.started, of.ended);
        let (values, types) = (of.results().to_vec(), of.result_types().to_vec());
        let name = path_text(&join.thread);
        let declared = self.program.threads[id.index()].span;
        let is_one = self.program.threads[id.index()].count == Count::One;
        let thread = match &join.which {
            Some(which) if !is_one => self.check(which, &Ty::Tid),
            None if is_one => Some(Expr { kind: ExprKind::Thread(id), ty: Ty::Tid, span }),
            Some(which) => {
                let error = fault(Code::WrongArgumentCount, which.span, "which thread is plain")
                    .at(format!("there is only one `{name}`"))
                    .help(format!("write `join {name};`"));
                self.report(error);
                None
            }
            None => {
                let error = fault(Code::WrongArgumentCount, span, "which thread is joined?")
                    .at(format!("there are several of `{name}`"))
                    .help(format!("keep what `fork` gives, `t := fork {name}(..);`, and write `join {name} t;`"));
                self.report(error);
                None
            }
        };
        self.results_fit(&results, &types, (span, &name, declared))?;
        let thread = thread?;
        let is_started = member(thread.clone(), self.shared(started, span));
        let failed = format!("this may be no thread of `{name}` that was forked");
        let mut stmts = vec![
            no_such_thread(is_started, failed, declared, text),
            step(StmtKind::Assume(member(thread.clone(), self.shared(ended, span))), text),
        ];
        let value = |&map: &GlobalId| element(self.shared(map, span), thread.clone());
        let pairs: Vec<(Place, Expr)> = results.into_iter().zip(values.iter().map(value)).collect();
        if !pairs.is_empty() {
            stmts.push(step(StmtKind::Assign(pairs), text));
        }
        Some(self.one_step(stmts))
    }

    /// The types of what a join of this thread gives; none if it is no thread that is forked.
    pub(super) fn joined_types(&self, path: &ast::Path) -> Vec<Option<Ty>> {
        let Some(Symbol::Thread(id)) = self.find(path) else { return Vec::new() };
        let of = self.forked[id.index()].as_ref();
        of.map(|of| of.result_types().to_vec()).unwrap_or_default()
    }

    fn forked_thread(&mut self, path: &ast::Path) -> Option<ThreadId> {
        let symbol = self.lookup(path)?;
        let Symbol::Thread(id) = symbol else {
            let error = fault(Code::TypeMismatch, path.span, "expected a thread")
                .at(format!("{}, not a thread", symbol.describe()));
            self.report(error);
            return None;
        };
        if self.forked[id.index()].is_none() {
            let name = &self.program.threads[id.index()].name;
            let error =
                fault(Code::TypeMismatch, path.span, format!("`{name}` runs from the beginning"))
                    .at("not a thread that is forked")
                    .label(self.program.threads[id.index()].span, "declared here")
                    .help(format!(
                        "a thread that is forked has a list of parameters: `thread {name}()`"
                    ));
            self.report(error);
            return None;
        }
        Some(id)
    }
}

/// Goes wrong unless there is such a thread.
fn no_such_thread(holds: Expr, failed: String, declared: Span, text: Span) -> Stmt {
    let about = ast::Fault {
        code: Code::NoSuchThread,
        failed,
        help: None,
        declared: Some(declared),
        goes_on: false,
    };
    step(StmtKind::Check(holds, Box::new(about)), text)
}
