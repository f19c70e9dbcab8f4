//! Transfers permissions: checks an assertion and takes its permissions out of a mask.

use crate::eval::{Access, Scope};
use crate::fraction::Fraction;
use crate::state::{Failure, Key, Mask, Moment, Stop, Value, check};
use chalice::hir::{
    Amount, AmountKind, Assertion, AssertionKind, BinaryOp, Expr, ExprKind, FieldId, Loc,
    PredicateAccess, Target, Type,
};
use diagnostic::Code;
use source::Span;

/// How to give.
#[derive(Clone, Copy)]
pub(crate) struct Give<'a> {
    /// The statement that gives something away.
    pub(crate) span: Span,
    /// The code for a formula that is false.
    pub(crate) code: Code,
    /// Only this part of each amount.
    pub(crate) scale: Option<Fraction>,
    /// The assertion is a contract, which must bring permission to everything it reads.
    pub(crate) framed: bool,
    /// Whether debts may be given.
    pub(crate) may_owe: bool,
    /// The permissions stay with this thread: the state at entry of its method.
    pub(crate) within: Option<&'a Moment>,
    /// Nothing is given: a function only reads.
    pub(crate) for_reading: bool,
    /// Nothing is given: the permissions are only added up.
    pub(crate) counting: bool,
}

impl Give<'_> {
    pub(crate) fn new(span: Span, code: Code) -> Self {
        Self {
            span,
            code,
            scale: None,
            framed: false,
            may_owe: false,
            within: None,
            for_reading: false,
            counting: false,
        }
    }

    fn fails(&self, code: Code, declared: Span) -> Failure {
        Failure::new(code, self.span).about(declared)
    }
}

/// Checks all parts, takes their permissions out of the mask and returns them.
pub(crate) fn exhale(
    scope: &Scope<'_>,
    parts: &[Assertion],
    mask: &mut Mask,
    how: &Give<'_>,
) -> Result<Mask, Stop> {
    let mut given = Mask::default();
    let mut giver = Giver { scope: *scope, mask, given: &mut given, how };
    parts.iter().try_for_each(|part| giver.part(part))?;
    Ok(given)
}

/// The permissions of an assertion. A false formula in it is an internal error: some thread was
/// allowed to assume it.
pub(crate) fn permissions(
    scope: &Scope<'_>,
    parts: &[Assertion],
    scale: Option<Fraction>,
) -> Result<Mask, Stop> {
    let Some(first) = parts.first() else { return Ok(Mask::default()) };
    let how = Give { counting: true, scale, ..Give::new(first.span, Code::InternalError) };
    exhale(scope, parts, &mut Mask::default(), &how)
}

struct Giver<'a, 'm> {
    scope: Scope<'a>,
    mask: &'m mut Mask,
    given: &'m mut Mask,
    how: &'m Give<'m>,
}

impl Giver<'_, '_> {
    /// What formulas may read.
    fn access(&self) -> Access<'_> {
        self.how.framed.then_some(&*self.given)
    }

    fn part(&mut self, assertion: &Assertion) -> Result<(), Stop> {
        match &assertion.kind {
            AssertionKind::Pure(expr) => self.formula(expr),
            AssertionKind::And(parts) => parts.iter().try_for_each(|part| self.part(part)),
            AssertionKind::Implies(condition, then) => {
                if self.scope.truth(condition, self.access())? { self.part(then) } else { Ok(()) }
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let holds = self.scope.truth(condition, self.access())?;
                self.part(if holds { then } else { otherwise })
            }
            AssertionKind::Access(target, amount) => self.target(target, amount),
            AssertionKind::Predicate(access) => self.predicate(access),
            AssertionKind::Credit(channel, count) => self.credit(channel, count.as_ref()),
            AssertionKind::Forall(_) | AssertionKind::Unsupported(_) => {
                Err(Stop::GaveUp("a quantified permission"))
            }
        }
    }

    fn formula(&mut self, expr: &Expr) -> Result<(), Stop> {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
            self.formula(left)?;
            return self.formula(right);
        }
        let scope = Scope { unframed: true, ..self.scope };
        let holds = scope.truth(expr, self.access())?;
        check(holds, || self.how.fails(self.how.code, expr.span))
    }

    fn target(&mut self, target: &Target, amount: &Amount) -> Result<(), Stop> {
        let fields = |class: chalice::hir::ClassId| -> Vec<FieldId> {
            self.scope.program.classes[class.index()].fields.clone()
        };
        let (expr, locs, each) = match target {
            Target::One(expr, loc) => (expr, vec![*loc], false),
            Target::Each(expr, loc) => (expr, vec![*loc], true),
            Target::All(expr, class) => {
                (expr, fields(*class).into_iter().map(Loc::Field).collect(), false)
            }
            Target::EachAll(expr, class) => {
                (expr, fields(*class).into_iter().map(Loc::Field).collect(), true)
            }
        };
        let value = self.scope.value(expr, self.access())?;
        for loc in locs {
            if each {
                let mut owners = value.seq()?.to_vec();
                owners.sort();
                owners.dedup();
                for owner in owners {
                    let owner = owner.reference()?;
                    check(owner != 0, || self.how.fails(Code::InsufficientPermission, expr.span))?;
                    self.give(Key::Loc(owner, loc), amount, expr.span)?;
                }
            } else {
                let owner = value.reference()?;
                let fine = owner != 0 || self.how.for_reading;
                check(fine, || self.how.fails(Code::NullReceiver, expr.span))?;
                self.give(Key::Loc(owner, loc), amount, expr.span)?;
            }
        }
        Ok(())
    }

    fn predicate(&mut self, access: &PredicateAccess) -> Result<(), Stop> {
        let receiver = self.scope.value(&access.receiver, self.access())?.reference()?;
        let fine = receiver != 0 || self.how.for_reading;
        let args = access.args.iter().map(|arg| self.scope.value(arg, self.access()));
        let args: Vec<Value> = args.collect::<Result<_, _>>()?;
        check(fine, || self.how.fails(Code::NullReceiver, access.receiver.span))?;
        let key = Key::Predicate(access.predicate, receiver, args);
        self.give(key, &access.amount, access.span)
    }

    fn credit(&mut self, channel: &Expr, count: Option<&Expr>) -> Result<(), Stop> {
        let place = channel.span;
        let channel = self.scope.value(channel, self.access())?.reference()?;
        let number = match count {
            Some(count) => self.scope.value(count, self.access())?.int()?,
            None => 1,
        };
        check(channel != 0, || self.how.fails(Code::NullReceiver, place))?;
        if let (Some(count), false) = (count, self.how.may_owe) {
            check(number >= 0, || self.how.fails(Code::MessageOwed, count.span))?;
        }
        *self.mask.credits.entry(channel).or_default() -= number;
        *self.given.credits.entry(channel).or_default() += number;
        Ok(())
    }

    fn give(&mut self, key: Key, amount: &Amount, declared: Span) -> Result<(), Stop> {
        let held = self.mask.get(&key);
        let needed = self.scope.amount(amount)?;
        if self.how.for_reading {
            let some = !matches!(amount.kind, AmountKind::Full | AmountKind::Percent(_));
            let enough = if some { held.is_positive() } else { needed.is_some_and(|n| n <= held) };
            return check(enough, || self.how.fails(Code::InsufficientPermission, declared));
        }
        let Some(needed) = needed else {
            if self.how.counting {
                return Err(Stop::GaveUp("`rd*` of a predicate"));
            }
            check(held.is_positive(), || self.how.fails(Code::InsufficientPermission, declared))?;
            return self.move_permission(key, held.times(Fraction::new(1, 2)?)?);
        };
        let unchecked =
            matches!(amount.kind, AmountKind::Full | AmountKind::Read | AmountKind::ReadOf(_));
        let fine = unchecked || needed >= Fraction::ZERO;
        check(fine, || self.how.fails(Code::NegativePermission, amount.span))?;
        let needed = match self.how.scale {
            Some(scale) => needed.times(scale)?,
            None => needed,
        };
        if self.how.counting {
            return self.given.add(key, needed);
        }
        check(needed <= held, || self.how.fails(Code::InsufficientPermission, declared))?;
        self.move_permission(key, needed)
    }

    fn move_permission(&mut self, key: Key, amount: Fraction) -> Result<(), Stop> {
        self.mask.take(&key, amount)?;
        if let (Key::Loc(owner, Loc::Mu), Some(old)) = (&key, self.how.within) {
            let gone = !self.mask.get(&key).is_positive();
            if gone && self.scope.held.has(*owner) {
                may_move(old, *owner, self.how.span)?;
            }
        }
        self.given.add(key, amount)
    }
}

/// A monitor that was held when the method was entered may be moved only if the caller gave
/// permission to its `mu`.
pub(crate) fn may_move(old: &Moment, object: usize, span: Span) -> Result<(), Stop> {
    let given = old.mask.get(&Key::Loc(object, Loc::Mu)).is_positive();
    check(given || !old.held.has(object), || Failure::new(Code::LockOrder, span))
}

impl Scope<'_> {
    /// The amount in hundredths; `None` for `rd*`.
    pub(crate) fn amount(&self, amount: &Amount) -> Result<Option<Fraction>, Stop> {
        let known = |amount: &Amount| -> Result<Fraction, Stop> {
            self.amount(amount)?.ok_or(Stop::GaveUp("a sum with `rd*`"))
        };
        Ok(Some(match &amount.kind {
            AmountKind::Full => Fraction::FULL,
            AmountKind::Percent(count) => Fraction::whole(self.value(count, None)?.int()?)?,
            AmountKind::Read => self.read,
            AmountKind::ReadOf(owner) => match &owner.ty {
                Type::Token(_) => {
                    let token = self.value(owner, None)?.reference()?;
                    let part = self.reads.tokens.get(&token).map(|forked| forked.read);
                    part.ok_or(Stop::GaveUp("`rd` of no token"))?
                }
                Type::Channel(_) => self.reads.channel,
                _ => self.reads.monitor,
            },
            AmountKind::PredicateRead => self.reads.predicate,
            AmountKind::Epsilons(_) => return Err(Stop::GaveUp("infinitesimals")),
            AmountKind::Star => return Ok(None),
            AmountKind::Add(left, right) => known(left)?.plus(known(right)?)?,
            AmountKind::Sub(left, right) => known(left)?.minus(known(right)?)?,
            AmountKind::Times(factor, inner) => {
                let factor = self.value(factor, None)?.int()?;
                Fraction::whole(factor)?.times(known(inner)?)?
            }
        }))
    }

    /// Checks that every formula of an asserted assertion has a value, whether or not those before
    /// it hold.
    pub(crate) fn defined(&self, assertion: &Assertion, mask: &Mask) -> Result<(), Stop> {
        let access = Some(mask);
        match &assertion.kind {
            AssertionKind::Pure(expr) => self.formula_defined(expr, mask),
            AssertionKind::And(parts) => parts.iter().try_for_each(|part| self.defined(part, mask)),
            AssertionKind::Implies(condition, then) => {
                if self.truth(condition, access)? {
                    self.defined(then, mask)
                } else {
                    Ok(())
                }
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let holds = self.truth(condition, access)?;
                self.defined(if holds { then } else { otherwise }, mask)
            }
            AssertionKind::Access(target, _) => {
                let (Target::One(expr, _)
                | Target::All(expr, _)
                | Target::Each(expr, _)
                | Target::EachAll(expr, _)) = target;
                self.value(expr, access).map(|_| ())
            }
            AssertionKind::Predicate(predicate) => {
                let mut operands = [&predicate.receiver].into_iter().chain(&predicate.args);
                operands.try_for_each(|operand| self.value(operand, access).map(|_| ()))
            }
            AssertionKind::Credit(channel, count) => {
                let mut operands = [channel].into_iter().chain(count);
                operands.try_for_each(|operand| self.value(operand, access).map(|_| ()))
            }
            AssertionKind::Forall(_) | AssertionKind::Unsupported(_) => {
                Err(Stop::GaveUp("a quantified permission"))
            }
        }
    }

    fn formula_defined(&self, expr: &Expr, mask: &Mask) -> Result<(), Stop> {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &expr.kind {
            self.formula_defined(left, mask)?;
            return self.formula_defined(right, mask);
        }
        Scope { unframed: true, ..*self }.value(expr, Some(mask)).map(|_| ())
    }
}

/// The credits that assertions give.
pub(crate) fn credits(scope: &Scope<'_>, parts: &[Assertion], out: &mut Mask) -> Result<(), Stop> {
    for part in parts {
        match &part.kind {
            AssertionKind::And(parts) => credits(scope, parts, out)?,
            AssertionKind::Implies(condition, then) => {
                let parts =
                    if scope.truth(condition, None)? { std::slice::from_ref(&**then) } else { &[] };
                credits(scope, parts, out)?;
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let branch = if scope.truth(condition, None)? { then } else { otherwise };
                credits(scope, std::slice::from_ref(branch), out)?;
            }
            AssertionKind::Credit(channel, count) => {
                let channel = scope.value(channel, None)?.reference()?;
                let count = match count {
                    Some(count) => scope.value(count, None)?.int()?,
                    None => 1,
                };
                *out.credits.entry(channel).or_default() += count;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The first formula about `waitlevel` in assertions that is false.
pub(crate) fn broken_level(scope: &Scope<'_>, parts: &[Assertion]) -> Result<Option<Span>, Stop> {
    for part in parts {
        let found = match &part.kind {
            AssertionKind::And(parts) => broken_level(scope, parts)?,
            AssertionKind::Implies(condition, then) if scope.truth(condition, None)? => {
                broken_level(scope, std::slice::from_ref(then))?
            }
            AssertionKind::Ite(condition, then, otherwise) => {
                let branch = if scope.truth(condition, None)? { then } else { otherwise };
                broken_level(scope, std::slice::from_ref(branch))?
            }
            AssertionKind::Pure(formula) => broken_level_in(scope, formula)?,
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn broken_level_in(scope: &Scope<'_>, formula: &Expr) -> Result<Option<Span>, Stop> {
    match &formula.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            Ok(broken_level_in(scope, left)?.or(broken_level_in(scope, right)?))
        }
        _ if formula.mentions_wait_level() && !scope.truth(formula, None)? => {
            Ok(Some(formula.span))
        }
        _ => Ok(None),
    }
}

/// A part for `rd` of a contract: small compared with everything in the mask that it can be a part
/// of.
pub(crate) fn smallest(parts: &[Assertion], mask: &Mask) -> Fraction {
    let mut places = Vec::new();
    parts.iter().for_each(|part| read_places(part, &mut places));
    let is_meant = |key: &Key| places.iter().any(|place| place.is_of(key));
    let held = mask.iter().filter(|(key, _)| is_meant(key)).map(|(_, amount)| amount);
    held.min().map_or(Fraction::FULL, |held| held.min(Fraction::FULL))
}

enum Place {
    Loc(Loc),
    Fields,
    Predicate(chalice::hir::PredicateId),
}

impl Place {
    fn is_of(&self, key: &Key) -> bool {
        match (self, key) {
            (Self::Loc(a), Key::Loc(_, b)) => a == b,
            (Self::Fields, Key::Loc(_, Loc::Field(_))) => true,
            (Self::Predicate(a), Key::Predicate(b, ..)) => a == b,
            _ => false,
        }
    }
}

fn read_places(assertion: &Assertion, out: &mut Vec<Place>) {
    let full = |amount: &Amount| matches!(amount.kind, AmountKind::Full);
    match &assertion.kind {
        AssertionKind::And(parts) => parts.iter().for_each(|part| read_places(part, out)),
        AssertionKind::Implies(_, then) => read_places(then, out),
        AssertionKind::Ite(_, then, otherwise) => {
            read_places(then, out);
            read_places(otherwise, out);
        }
        AssertionKind::Access(Target::One(_, loc) | Target::Each(_, loc), amount)
            if !full(amount) =>
        {
            out.push(Place::Loc(*loc));
        }
        AssertionKind::Access(Target::All(..) | Target::EachAll(..), amount) if !full(amount) => {
            out.push(Place::Fields);
        }
        AssertionKind::Predicate(access) if !full(&access.amount) => {
            out.push(Place::Predicate(access.predicate));
        }
        _ => {}
    }
}
