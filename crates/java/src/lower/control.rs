//! Jumps: `break`, `continue`, `return` and exceptions, through `finally` and `synchronized`.
//!
//! A jump leaves blocks until it comes to its target. Where code must run on the way, the jump ends
//! there for the time being: a variable says where it was going to, and after that code it goes on.

use super::Lowering;
use super::specified::THREW;
use super::terms::{self, Term as _};
use crate::typed::{Catch, ClassId, Label, Stmt, Ty};
use plato::ast::{Expr, TypeKind};
use plato::build;
use source::Span;

/// The label of everything that the method does; what it promises is not asked for after an
/// exception.
pub(super) const GONE: &str = "gone";

/// Where a jump goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Out of a labelled statement.
    Break(Label, usize),
    /// To the end of an iteration.
    Continue(Label, usize),
    /// Out of the method with this number among those inlined.
    Return(usize),
    /// To whatever catches the exception that was thrown.
    Throw,
}

/// Something that jumps must get through.
pub(super) enum Scope {
    /// A statement that can be left; the label of its block.
    Labelled { label: Label, frame: usize, leave: String, next: Option<String> },
    /// A `try` whose clauses may catch an exception; the label of its body.
    Try { leave: String, catches: Vec<(Vec<ClassId>, bool)> },
    /// Code that runs on every way out: a variable that says which way, and the ways.
    Cleanup { leave: String, way: String, ways: Vec<Target> },
}

impl Lowering<'_> {
    /// Writes a jump.
    pub(super) fn jump(&mut self, target: Target, span: Span) {
        // Scopes of the methods around do not stop a `return`.
        let outside = match target {
            Target::Return(frame) => self.frames[frame].scopes,
            _ => 0,
        };
        let mut found = None;
        for scope in self.scopes[outside..].iter_mut().rev() {
            match (scope, &target) {
                (Scope::Cleanup { leave, way, ways }, _) => {
                    let number = ways.iter().position(|other| *other == target);
                    let number = number.unwrap_or_else(|| {
                        ways.push(target.clone());
                        ways.len() - 1
                    });
                    found = Some((leave.clone(), Some((way.clone(), number))));
                    break;
                }
                (Scope::Labelled { label, frame, leave, .. }, Target::Break(wanted, of))
                    if label == wanted && frame == of =>
                {
                    found = Some((leave.clone(), None));
                    break;
                }
                (Scope::Labelled { label, frame, next, .. }, Target::Continue(wanted, of))
                    if label == wanted && frame == of =>
                {
                    found = next.clone().map(|next| (next, None));
                    break;
                }
                (Scope::Try { leave, .. }, Target::Throw) => {
                    found = Some((leave.clone(), None));
                    break;
                }
                _ => {}
            }
        }
        match found {
            Some((leave, None)) => self.push(terms::leave(&leave, span)),
            Some((leave, Some((way, number)))) => {
                let number = i128::try_from(number).unwrap_or(i128::MAX - 1) + 1;
                self.push(terms::write(&way, Vec::new(), terms::int(number, span), span));
                self.push(terms::leave(&leave, span));
            }
            // Nobody stops it: the method ends, or an exception leaves the one that is checked.
            None => {
                let end = match target {
                    Target::Return(frame) => {
                        let frame = &mut self.frames[frame];
                        frame.returns = true;
                        frame.end.clone()
                    }
                    _ => {
                        self.leave_with_exception(span);
                        GONE.to_owned()
                    }
                };
                self.push(terms::leave(&end, span));
            }
        }
    }

    /// Writes a body, and code that runs on every way out of it. That code gets the ways, each with
    /// the condition that it is taken.
    pub(super) fn with_cleanup(
        &mut self,
        span: Span,
        body: impl FnOnce(&mut Self),
        cleanup: impl FnOnce(&mut Self, &[(Target, Expr)]),
    ) {
        let leave = self.new_label("out");
        let way = self.temp("way", build::ty(TypeKind::Int, span));
        self.push(terms::write(&way, Vec::new(), terms::int(0, span), span));
        let scope = Scope::Cleanup { leave: leave.clone(), way: way.clone(), ways: Vec::new() };
        self.scopes.push(scope);
        let (stmts, ()) = self.nested(body);
        let ways = match self.scopes.pop() {
            Some(Scope::Cleanup { ways, .. }) => ways,
            _ => Vec::new(),
        };
        if ways.is_empty() {
            self.out.extend(stmts);
        } else {
            self.push(terms::labelled(&leave, stmts, span));
        }
        let numbered = ways.into_iter().zip(1..).map(|(target, number)| {
            let number = terms::int(number, span);
            (target, terms::name(&way, span).equals(number))
        });
        let ways: Vec<(Target, Expr)> = numbered.collect();
        cleanup(self, &ways);
        for (target, taken) in ways {
            let (jump, ()) = self.nested(|lowering| lowering.jump(target, span));
            self.push(terms::branch(taken, jump, Vec::new(), span));
        }
    }

    /// `try { body } catch ..`
    pub(super) fn try_catch(&mut self, body: &[Stmt], catches: &[Catch], span: Span) {
        if catches.is_empty() {
            return self.stmts(body);
        }
        let (after, leave) = (self.new_label("after"), self.new_label("try"));
        let caught =
            catches.iter().map(|catch| (catch.types.clone(), catch.catches_unknown)).collect();
        self.scopes.push(Scope::Try { leave: leave.clone(), catches: caught });
        let (mut tried, ()) = self.nested(|lowering| lowering.stmts(body));
        self.scopes.pop();
        tried.push(terms::leave(&after, span));
        let (mut all, ()) = self.nested(|lowering| lowering.dispatch(catches, span));
        all.insert(0, terms::labelled(&leave, tried, span));
        self.push(terms::labelled(&after, all, span));
    }

    /// Finds the clause that catches the exception that was thrown.
    fn dispatch(&mut self, catches: &[Catch], span: Span) {
        let Some((catch, rest)) = catches.split_first() else {
            return self.jump(Target::Throw, span);
        };
        let thrown = self.exception(span);
        let is_it = if catch.catches_unknown {
            let any = self.unknown_value("caught", &Ty::Prim(crate::tree::Prim::Boolean), span);
            let mut tests: Vec<Expr> =
                catch.types.iter().map(|class| self.is_instance(&thrown, *class)).collect();
            tests.push(any);
            terms::or(tests, span)
        } else {
            let tests = catch.types.iter().map(|class| self.is_instance(&thrown, *class)).collect();
            terms::or(tests, span)
        };
        let local = self.local_name(catch.local).to_owned();
        let (handler, ()) = self.nested(|lowering| {
            lowering.push(terms::write(&local, Vec::new(), thrown.clone(), catch.span));
            lowering.stmts(&catch.body);
        });
        let (others, ()) = self.nested(|lowering| lowering.dispatch(rest, span));
        self.push(terms::branch(is_it, handler, others, catch.span));
    }

    /// The variable with the exception that was thrown last.
    pub(super) fn exception(&mut self, span: Span) -> Expr {
        if !self.locals.iter().any(|(name, _)| name == "thrown") {
            self.locals.push(("thrown".to_owned(), terms::reference(span)));
        }
        terms::name("thrown", span)
    }

    /// An exception leaves the method that is checked. Whoever catches it may show it to others.
    fn leave_with_exception(&mut self, span: Span) {
        self.is_left = true;
        let thrown = self.exception(span);
        self.publish_if_own(&thrown, span);
        self.exceptional_end(span);
        if self.is_compared {
            let yes = terms::boolean(true, span);
            self.push(terms::write(THREW, Vec::new(), yes, span));
        }
    }

    /// Throws an object.
    pub(super) fn throw(&mut self, value: Expr, span: Span) {
        self.exception(span);
        self.push(terms::write("thrown", Vec::new(), value, span));
        self.jump(Target::Throw, span);
    }

    /// Throws a new object of a class of the library.
    pub(super) fn throw_named(&mut self, class: &str, span: Span) {
        let class = self.class_called(class);
        self.throw_any(class, span);
    }

    /// Throws some object, of a class if that is known.
    pub(super) fn throw_any(&mut self, class: Option<ClassId>, span: Span) {
        let thrown = self.exception(span);
        self.push(terms::havoc("thrown", span));
        let mut known = vec![terms::is_object(&thrown)];
        known.extend(class.map(|class| self.is_instance(&thrown, class)));
        self.push(terms::assume(terms::and(known, span), span));
        self.jump(Target::Throw, span);
    }

    /// Perhaps an exception comes out of code that is not known: where somebody catches it, or
    /// where code runs on the way out, or where the method is compared with actions. Elsewhere it
    /// ends the method, and nothing is asked for then.
    pub(super) fn may_throw(&mut self, span: Span) {
        let matters = |scope: &Scope| !matches!(scope, Scope::Labelled { .. });
        let is_asked = self.is_compared
            || self.promises_after_exceptions()
            || self.is_joined()
            || self.scopes.iter().any(matters);
        if self.in_atomic || !is_asked {
            return;
        }
        let throws = self.unknown_value("throws", &Ty::Prim(crate::tree::Prim::Boolean), span);
        let (throwing, ()) = self.nested(|lowering| lowering.throw_any(None, span));
        self.push(terms::branch(throws, throwing, Vec::new(), span));
    }

    /// Whether an exception of this class is caught around here.
    pub(super) fn is_caught(&self, exception: &str) -> bool {
        let class = self.class_called(exception);
        self.scopes.iter().any(|scope| match scope {
            Scope::Try { catches, .. } => catches.iter().any(|(types, unknown)| {
                *unknown
                    || class.is_some_and(|class| {
                        types.iter().any(|caught| self.program.is_subclass(class, *caught))
                    })
            }),
            _ => false,
        })
    }

    /// A class by its name with its package.
    pub(super) fn class_called(&self, qualified: &str) -> Option<ClassId> {
        let is_it = |id: &ClassId| self.program.class(*id).qualified.as_str() == qualified;
        self.program.class_ids().find(is_it)
    }
}
