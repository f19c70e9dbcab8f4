//! Channels: messages, credits, and debts.

use super::amount::Reader;
use super::exhale::Exhale;
use super::inhale::Inhale;
use super::sorts::{reference, sort_of};
use super::state::{Env, State};
use super::{Encoder, Reason};
use crate::hir::{Assertion, AssertionKind, ChannelId, Expr, ExprKind, LocalId};
use diagnostic::Code;
use logic::{Quantifier, Term};
use source::Span;
use std::collections::BTreeMap;

impl Encoder<'_> {
    /// The state in which an assertion that is given within the thread speaks of `waitlevel`: a
    /// debt may arise just then. A debt that the giver or the taker has afterwards counts already.
    pub(crate) fn as_owing(&mut self, assertions: &[Assertion], env: &Env) -> State {
        let zero = self.terms.int(0);
        let before = env.state.credits();
        let mut given = self.terms.const_array(reference(), zero);
        let mut left = before;
        let credits = self.credits_of(assertions, env);
        for &(guard, channel, count) in &credits {
            let minus = self.terms.neg(count);
            for (map, count) in [(&mut given, count), (&mut left, minus)] {
                let had = self.terms.select(*map, channel);
                let has = self.terms.add(vec![had, count]);
                let changed = self.terms.store(*map, channel, has);
                *map = self.terms.ite(guard, changed, *map);
            }
        }
        let mut owing = left;
        for (_, channel, _) in credits {
            let (taken, kept) =
                (self.terms.select(given, channel), self.terms.select(left, channel));
            let owes = self.terms.lt(taken, zero);
            let less = self.terms.ite(owes, taken, kept);
            owing = self.terms.store(owing, channel, less);
        }
        State { credits: Some(owing), ..env.state.clone() }
    }

    /// The meaning of the names in a channel's `where` clause, for a message.
    pub(crate) fn message_env(&mut self, of: ChannelId, channel: Term, args: &[Term]) -> Env {
        let params = &self.program.channels[of.index()].params;
        let locals: BTreeMap<LocalId, Term> =
            params.iter().copied().zip(args.iter().copied()).collect();
        Env {
            state: self.now.clone(),
            old: None,
            this: Some(channel),
            locals,
            result: None,
            read: Some(self.read_part(Reader::Channel)),
            limited: false,
            unframed: false,
        }
    }

    /// `send ch(args)`: gives the `where` clause, gets a credit.
    pub(crate) fn send(&mut self, channel: &Expr, of: ChannelId, args: &[Expr], span: Span) {
        let (object, values) = self.operands(channel, args);
        let program = self.program;
        let info = &program.channels[of.index()];
        let mut env = self.message_env(of, object, &values);
        env.state = self.save("send");
        if let Some(clause) = &info.where_clause {
            let saved = std::mem::replace(&mut self.locals, &info.locals);
            let text = format!("what a message on `{}` promises need not hold here", info.name);
            let how = Exhale::new(span, Code::MessagePromiseFailed, text);
            self.exhale(std::slice::from_ref(clause), &env, &how);
            self.locals = saved;
        }
        let (yes, one) = (self.terms.bool(true), self.terms.int(1));
        self.add_credits(yes, object, one);
    }

    /// `receive x := ch`: needs a credit, and the channel must be above everything that the thread
    /// holds or owes.
    pub(crate) fn receive(
        &mut self,
        results: &[LocalId],
        channel: &Expr,
        of: ChannelId,
        span: Span,
    ) {
        let (object, _) = self.operands(channel, &[]);
        let yes = self.terms.bool(true);
        let (state, zero) = (self.now.clone(), self.terms.int(0));
        let credits = self.terms.select(state.credits(), object);
        let has = self.terms.lt(zero, credits);
        let text = "receiving needs a credit of this channel";
        let help = "a `credit` comes from sending, or from whoever promised to send";
        self.check(yes, has, &Reason::new(Code::NoCredit, span, text).help(help));
        self.check_may_wait(object, span, "receiving from this channel");
        let minus_one = self.terms.int(-1);
        self.add_credits(yes, object, minus_one);
        self.time_passes();
        let program = self.program;
        let info = &program.channels[of.index()];
        let mut values = Vec::new();
        for (index, &param) in info.params.iter().enumerate() {
            let ty = &info.locals[param.index()].ty;
            let value = self.any("received", sort_of(ty));
            if let Some(fact) = self.fact_of_value(value, ty) {
                self.assume(fact);
            }
            if let Some(&local) = results.get(index) {
                let symbol = self.local(local);
                self.assign(symbol, value);
            }
            values.push(value);
        }
        let env = self.message_env(of, object, &values);
        if let Some(clause) = &info.where_clause {
            let saved = std::mem::replace(&mut self.locals, &info.locals);
            self.inhale(std::slice::from_ref(clause), &env, &Inhale::default());
            self.locals = saved;
        }
        self.cover_after(span);
    }

    /// A thread need not be joined, so it cannot leave a debt to the one that joins it.
    pub(crate) fn check_hands_no_debt(&mut self, ensures: &[Assertion], span: Span) {
        for part in ensures {
            match &part.kind {
                AssertionKind::And(parts) => self.check_hands_no_debt(parts, span),
                AssertionKind::Implies(_, inner) => {
                    self.check_hands_no_debt(std::slice::from_ref(inner), span);
                }
                AssertionKind::Ite(_, then, otherwise) => {
                    self.check_hands_no_debt(std::slice::from_ref(then), span);
                    self.check_hands_no_debt(std::slice::from_ref(otherwise), span);
                }
                AssertionKind::Credit(_, Some(count)) if !matches!(count.kind, ExprKind::Int(count) if count >= 0) =>
                {
                    let (yes, no) = (self.terms.bool(true), self.terms.bool(false));
                    let text = "a thread of its own may leave a debt, and nobody need join it";
                    let reason = Reason::new(Code::MessageOwed, span, text).about(count.span);
                    self.check(yes, no, &reason);
                }
                _ => {}
            }
        }
    }

    /// Nothing may be owed.
    pub(crate) fn check_no_debt(&mut self, span: Span) {
        let binder = self.terms.binder("ch", reference());
        let channel = self.terms.bound(binder);
        let credits = self.terms.select(self.now.credits(), channel);
        let zero = self.terms.int(0);
        let fine = self.terms.le(zero, credits);
        let all =
            self.terms.quantified(Quantifier::Forall, vec![binder], vec![vec![credits]], fine);
        let text = "a message may still be owed here";
        let yes = self.terms.bool(true);
        self.check(yes, all, &Reason::new(Code::MessageOwed, span, text));
    }
}
