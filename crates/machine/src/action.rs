//! Steps with many outcomes: arbitrary values, and actions given by a relation.

use crate::eval::{Answer, Fault, Stores, check_guard, eval, holds};
use crate::graph::Pc;
use crate::place::{Target, moved, read, with, written};
use crate::step::{Effect, Moment, Stepper};
use crate::value::{Value, within};
use diagnostic::Code;
use plato::hir::{Action, BinaryOp, Expr, ExprKind, Place, Root, Ty};
use source::Span;

/// Limit on the stores that are tried as the outcome of one action.
const OUTCOMES: usize = 20_000;
/// Why a step with arbitrary values is not followed everywhere.
pub(crate) const NOT_ALL: &str = "an arbitrary value of a type with too many to try them all";

impl Stepper<'_> {
    pub(crate) fn havoc(&self, before: &Moment, places: &[Place], next: Pc) -> Answer<Vec<Effect>> {
        let mut rows: Vec<Moment> = vec![moved(before.clone(), next)];
        let mut complete = true;
        for place in places {
            let target = self.target(before, place)?;
            let mut longer = Vec::new();
            let domain = self.scope.domain(&place.ty);
            complete &= domain.complete;
            for value in domain.values {
                for row in &rows {
                    longer.push(written(row, vec![(target.clone(), value.clone())])?);
                }
            }
            rows = longer;
        }
        let unknown = (!complete).then_some(Effect::Unknown(NOT_ALL));
        Ok(rows.into_iter().map(Effect::Next).chain(unknown).collect())
    }

    /// Every store that satisfies the relation and differs in `modifies` only.
    pub(crate) fn action(
        &self,
        before: &Moment,
        action: &Action,
        span: Span,
        next: Pc,
    ) -> Answer<Vec<Effect>> {
        let (scope, stores) = (self.scope, self.stores(before));
        if let Some(requires) = &action.requires
            && !holds(scope, stores, requires)?
        {
            return Err(Fault::Wrong(Code::PreconditionFailed));
        }
        for root in &action.modifies {
            if let Root::Global(id) = root {
                check_guard(scope, stores, (*id, None), span)?;
            }
        }
        let open = action
            .modifies
            .iter()
            .fold(before.clone(), |open, &root| with(open, root, Value::Unset));
        let mut choices =
            Choices { before, relation: &action.action, found: Vec::new(), complete: true };
        self.choose(open, &action.modifies, &mut choices);
        let mut effects = Vec::new();
        if !choices.complete {
            effects.push(Effect::Unknown(NOT_ALL));
        }
        for after in choices.found {
            let locals = after.frames.last().map_or(&[][..], |frame| &frame.locals);
            let both = Stores { after: Some((&after.globals, locals)), ..stores };
            match holds(scope, both, &action.action) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Fault::WrongAt(code, span)) => {
                    effects.push(Effect::Wrong(code, span));
                    continue;
                }
                Err(_) => {
                    effects.push(Effect::Unknown("an action whose relation has no value"));
                    continue;
                }
            }
            let checked = action.ensures.as_ref().map(|ensures| holds(scope, both, ensures));
            effects.push(match checked {
                None | Some(Ok(true)) => Effect::Next(moved(after.clone(), next)),
                Some(Ok(false)) => Effect::Wrong(Code::ActionCheckFailed, span),
                Some(Err(Fault::Wrong(code))) => Effect::Wrong(code, span),
                Some(Err(Fault::WrongAt(code, span))) => Effect::Wrong(code, span),
                Some(Err(Fault::Unknown(why))) => Effect::Unknown(why),
            });
        }
        Ok(effects)
    }

    /// Chooses the values of these variables in all ways that the equations of the relation leave.
    fn choose(&self, row: Moment, open: &[Root], choices: &mut Choices) {
        if open.is_empty() {
            choices.found.push(row);
            return;
        }
        if choices.found.len() >= OUTCOMES {
            choices.complete = false;
            return;
        }
        for (at, &root) in open.iter().enumerate() {
            let Some(ty) = self.root_ty(&row, root) else { continue };
            if let Some(value) = self.determined(&row, root, choices) {
                let rest = [&open[..at], &open[at + 1..]].concat();
                if within(&value, ty) {
                    self.choose(with(row, root, value), &rest, choices);
                }
                return;
            }
        }
        let Some(ty) = self.root_ty(&row, open[0]) else { return };
        for value in self.near(choices, open[0], ty) {
            self.choose(with(row.clone(), open[0], value), &open[1..], choices);
        }
    }

    /// The value that an equation of the relation demands, as far as the variables it mentions are
    /// chosen.
    fn determined(&self, row: &Moment, root: Root, choices: &Choices) -> Option<Value> {
        let locals = row.frames.last().map_or(&[][..], |frame| &frame.locals);
        let both = Stores { after: Some((&row.globals, locals)), ..self.stores(choices.before) };
        let is_root = |side: &Expr| matches!(side.kind, ExprKind::Var { root: found, primed: true } if found == root);
        for (left, right) in equations(choices.relation) {
            for (left, right) in [(left, right), (right, left)] {
                if is_root(left)
                    && let Ok(value) = eval(self.scope, both, right)
                {
                    return Some(value);
                }
            }
        }
        None
    }

    /// All values of a type, or else those tried for it, the old one and its neighbours.
    fn near(&self, choices: &mut Choices, root: Root, ty: &Ty) -> Vec<Value> {
        let domain = self.scope.domain(ty);
        let mut values = domain.values;
        if !domain.complete {
            choices.complete = false;
            let old = read(choices.before, &Target { root, keys: Vec::new(), ty }).ok();
            if let Some(Value::Int(old)) = &old {
                values.extend([old.saturating_sub(1), old.saturating_add(1)].map(Value::Int));
            }
            values.extend(old);
        }
        values.retain(|value| within(value, ty));
        values.sort();
        values.dedup();
        values
    }
}

/// The outcomes of an action.
struct Choices<'a> {
    before: &'a Moment,
    relation: &'a Expr,
    found: Vec<Moment>,
    /// Whether nothing was left out.
    complete: bool,
}

/// The equations that a relation demands.
fn equations(relation: &Expr) -> Vec<(&Expr, &Expr)> {
    match &relation.kind {
        ExprKind::And(all) => all.iter().flat_map(equations).collect(),
        ExprKind::Binary(BinaryOp::Eq, left, right) => vec![(left, right)],
        _ => Vec::new(),
    }
}
