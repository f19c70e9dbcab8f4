//! `switch`, as statement and as expression.

use super::body::Body;
use super::exprs::Typed;
use super::types::T;
use crate::tree::{self, CaseLabel, ExprKind as Tree, Pattern, Rule};
use crate::typed::{Case, ClassKind, Expr, ExprKind, Stmt, StmtKind, Switch, SwitchLabel};
use source::Span;

impl<'a> Body<'_, 'a> {
    pub(super) fn switch_value(
        &mut self,
        switch: &'a tree::Switch,
        span: Span,
        expected: Option<&T>,
    ) -> Typed {
        let expected = expected.filter(|ty| !matches!(ty, T::Unknown | T::Var(_)));
        self.frame().yields.push((expected.cloned(), Vec::new()));
        let mut resolved = self.switch(switch, expected.cloned().unwrap_or(T::Unknown));
        let (_, types) = self.frame().yields.pop().unwrap_or_default();
        let is_mixed = types.iter().any(T::is_primitive) && !types.iter().all(T::is_primitive);
        if is_mixed {
            let message = "a switch with primitive values and objects";
            return self.unsupported(message, T::Unknown, span);
        }
        let joined = types.into_iter().reduce(|one, other| {
            match (self.world.unboxed(&one), self.world.unboxed(&other)) {
                (Some(one), Some(other)) if one == other => T::Prim(one),
                (Some(one), Some(other)) => T::Prim(super::operators::promote(one, other)),
                _ => self.world.join(&one, &other),
            }
        });
        let ty = expected.cloned().or(joined).unwrap_or(T::Unknown);
        resolved.ty = self.world.erased(&ty);
        self.typed(ExprKind::Switch(Box::new(resolved)), ty, span)
    }

    /// A switch; its values have a type if it is an expression.
    pub(super) fn switch(&mut self, switch: &'a tree::Switch, ty: T) -> Switch {
        let value = self.expr(&switch.value);
        let value = match self.world.unboxed(&value.ty) {
            Some(prim) if !value.ty.is_primitive() => self.convert(value, &T::Prim(prim)),
            _ => value,
        };
        let cases = self.in_block(|body| body.cases(switch, &value, &ty));
        let ty = self.world.erased(&ty);
        Switch { value: value.expr, cases, ty, span: switch.span }
    }

    fn cases(&mut self, switch: &'a tree::Switch, value: &Typed, ty: &T) -> Vec<Case> {
        let is_value = *ty != T::Void;
        let mut cases = Vec::new();
        for case in &switch.cases {
            let (labels, parts) = self.labels(case, value);
            let guard = case.guard.as_ref().map(|guard| self.condition(guard));
            let guard = self.both(parts, guard);
            let (body, falls_through) = match &case.rule {
                // Later cases see what is declared here.
                Rule::Group(stmts) => (self.stmts(stmts), true),
                Rule::Expr(expr) if is_value => {
                    (vec![Stmt { kind: self.yield_stmt(expr), span: expr.span }], false)
                }
                Rule::Expr(expr) => {
                    let value = self.expr(expr).expr;
                    (vec![Stmt { kind: StmtKind::Expr(value), span: expr.span }], false)
                }
                Rule::Stmt(stmt) => (self.block(std::slice::from_ref(stmt)), false),
            };
            cases.push(Case { labels, guard, body, falls_through, span: case.span });
        }
        cases
    }

    /// The labels of a case, and what a pattern of a record asks of components.
    fn labels(&mut self, case: &'a tree::Case, value: &Typed) -> (Vec<SwitchLabel>, Option<Expr>) {
        if let [CaseLabel::Pattern(pattern @ Pattern::Record(ty, parts))] = case.labels.as_slice() {
            return match self.record(ty, parts, case.span) {
                Ok(taken) => {
                    let label = SwitchLabel::Type(taken.class, Some(taken.object));
                    (vec![label], taken.parts)
                }
                Err(gap) => {
                    self.declare_patterns(std::slice::from_ref(pattern));
                    (vec![SwitchLabel::Unsupported(gap.to_owned())], None)
                }
            };
        }
        (case.labels.iter().map(|label| self.label(label, value)).collect(), None)
    }

    fn label(&mut self, label: &'a CaseLabel, value: &Typed) -> SwitchLabel {
        match label {
            CaseLabel::Default => SwitchLabel::Default,
            CaseLabel::Value(expr) => {
                // Constants of the enumeration are named without it.
                if let (Tree::Name(name), T::Class(class, _)) = (&expr.kind, &value.ty)
                    && self.world.program.class(*class).kind == ClassKind::Enum
                    && let Some((field, ty)) = self.find_field(&value.ty, name)
                {
                    let constant = self.typed(ExprKind::Static(field), ty, expr.span);
                    return SwitchLabel::Constant(constant.expr);
                }
                let resolved = self.expr(expr);
                match resolved.expr.kind {
                    ExprKind::Static(_) => SwitchLabel::Constant(resolved.expr),
                    _ => SwitchLabel::Value(resolved.expr),
                }
            }
            CaseLabel::Pattern(Pattern::Type(ty, name)) => {
                let ty = self.ty(ty);
                let erased = self.world.erased(&ty);
                let local =
                    name.as_ref().map(|name| self.declare(name.name.clone(), ty, name.span));
                SwitchLabel::Type(erased, local)
            }
            CaseLabel::Pattern(pattern) => {
                self.declare_patterns(std::slice::from_ref(pattern));
                SwitchLabel::Unsupported("patterns of records in one case".to_owned())
            }
        }
    }
}
