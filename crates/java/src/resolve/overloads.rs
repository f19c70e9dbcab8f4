//! Which of several methods with one name a call means (Java's specification, section 15.12.2).

use super::body::Body;
use super::exprs::Typed;
use super::types::{Substitution, T, VarId};
use crate::tree::{self, ExprKind as Tree, LambdaBody};
use crate::typed::{ClassId, ClassKind, MethodId};

/// An argument, as far as it can be looked at before the method is known.
pub(super) enum Arg<'a> {
    Value(Typed),
    /// A lambda expression or a method reference, whose type comes from its parameter; or a call
    /// that is given one, where only one method can be meant.
    Function(&'a tree::Expr),
}

/// A method that may be meant, with what the type arguments of its receiver are.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) method: MethodId,
    pub(super) known: Substitution,
}

/// How strictly arguments must fit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Strict,
    Loose,
    Varargs,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn args(
        &mut self,
        args: &'a [tree::Expr],
        candidates: &[Candidate],
    ) -> Vec<Arg<'a>> {
        let takes = |one: &&Candidate| {
            let method = self.world.program.method(one.method);
            method.is_varargs || method.params.len() == args.len()
        };
        let is_sure = candidates.iter().filter(takes).count() == 1;
        let read = |arg: &'a tree::Expr| match &arg.kind {
            Tree::Lambda(..) | Tree::Reference(_) => Arg::Function(arg),
            Tree::Call(call) if is_sure && call.args.iter().any(needs_type) => Arg::Function(arg),
            _ => {
                let value = self.expr(arg);
                self.world.load_type(&value.ty);
                Arg::Value(value)
            }
        };
        args.iter().map(read).collect()
    }

    /// All methods of a name that objects of a type have; of those that override each other, the
    /// lowest.
    pub(super) fn candidates(&mut self, ty: &T, name: &str) -> Vec<Candidate> {
        self.world.load_type(ty);
        let found = self.known_candidates(ty, name);
        let found = self.accessible(found);
        self.load_formals(&found);
        found
    }

    /// What is known of arguments and functions depends on the classes of parameters.
    pub(super) fn load_formals(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            let info = &self.world.method_infos[candidate.method.index()];
            let vars = info.type_params.iter().map(|var| T::Var(*var));
            let types: Vec<T> = info.params.iter().cloned().chain(vars).collect();
            types.iter().for_each(|ty| self.world.load_type(ty));
        }
    }

    fn known_candidates(&self, ty: &T, name: &str) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for above in self.world.supertypes(ty) {
            let T::Class(class, args) = &above else { continue };
            let known = self.arguments_of(*class, args);
            for method in self.world.methods_named(*class, name) {
                let about = self.world.program.method(method);
                let is_own = matches!(ty, T::Class(own, _) if own == class);
                let is_hidden = !is_own && (about.is_private || self.world.is_of_interface(method));
                if about.is_constructor || is_hidden {
                    continue;
                }
                let params = self.erased_params(method, &known);
                let alike = found
                    .iter()
                    .position(|other| self.erased_params(other.method, &other.known) == params);
                let candidate = Candidate { method, known: known.clone() };
                match alike {
                    None => found.push(candidate),
                    Some(at) if !self.world.hides(found[at].method, method, ty) => {
                        found[at] = candidate;
                    }
                    Some(_) => {}
                }
            }
        }
        found
    }

    /// What the variables of a class stand for in a type.
    pub(super) fn arguments_of(&self, class: ClassId, args: &[T]) -> Substitution {
        let params = &self.world.infos[class.index()].params;
        if params.len() == args.len() {
            let known = |(var, arg): (&VarId, &T)| (*var, self.world.capture(*var, arg));
            return params.iter().zip(args).map(known).collect();
        }
        Vec::new()
    }

    fn erased_params(&self, method: MethodId, known: &Substitution) -> Vec<crate::typed::Ty> {
        let params = &self.world.method_infos[method.index()].params;
        params.iter().map(|ty| self.world.erased(&ty.with(known))).collect()
    }

    /// The method that is meant, and whether its last parameter takes several arguments.
    pub(super) fn choose(
        &mut self,
        candidates: &[Candidate],
        args: &[Arg<'a>],
    ) -> Option<(Candidate, Phase)> {
        for phase in [Phase::Strict, Phase::Loose, Phase::Varargs] {
            let mut fitting: Vec<&Candidate> =
                candidates.iter().filter(|one| self.fits_args(one, args, phase)).collect();
            if fitting.is_empty() {
                continue;
            }
            // A function is rather passed for an interface than for a variable.
            if fitting.iter().any(|one| self.takes_functions(one, args, phase)) {
                fitting.retain(|one| self.takes_functions(one, args, phase));
            }
            let best = fitting.iter().find(|one| {
                fitting.iter().all(|other| self.is_more_specific(one, other, args, phase))
            });
            // Of methods that are equally good, one that has a body is meant.
            let chosen = best.or_else(|| {
                fitting.iter().find(|one| !self.world.program.method(one.method).is_abstract)
            });
            return Some(((**chosen.unwrap_or(&fitting[0])).clone(), phase));
        }
        None
    }

    /// The type of the parameter for an argument.
    fn formal(&self, candidate: &Candidate, at: usize, phase: Phase) -> T {
        let params = &self.world.method_infos[candidate.method.index()].params;
        let ty = match (phase, params.last()) {
            (Phase::Varargs, Some(T::Array(element))) if at + 1 >= params.len() => {
                (**element).clone()
            }
            _ => params.get(at).cloned().unwrap_or(T::Unknown),
        };
        ty.with(&candidate.known)
    }

    fn fits_args(&self, candidate: &Candidate, args: &[Arg<'a>], phase: Phase) -> bool {
        let method = self.world.program.method(candidate.method);
        let count = method.params.len();
        let is_right_count = match phase {
            Phase::Varargs => method.is_varargs && args.len() + 1 >= count,
            Phase::Strict | Phase::Loose => args.len() == count,
        };
        is_right_count
            && args.iter().enumerate().all(|(at, arg)| {
                let formal = self.formal(candidate, at, phase);
                match arg {
                    Arg::Value(value) => {
                        let formal = self.open_bound(candidate.method, &formal);
                        self.accepts(&formal, &value.ty, phase != Phase::Strict)
                    }
                    Arg::Function(expr) => self.fits_function(&formal, expr),
                }
            })
    }

    /// A parameter whose type is a variable of the method takes what the bound of that allows.
    fn open_bound(&self, method: MethodId, formal: &T) -> T {
        let own = &self.world.method_infos[method.index()].type_params;
        match formal {
            T::Var(var) if own.contains(var) => {
                let bound = self.world.vars[var.index()].bounds.first();
                let bound = bound.map(|bound| match bound {
                    T::Class(id, _) => T::class(*id),
                    other => other.clone(),
                });
                bound.or_else(|| self.world.object().map(T::class)).unwrap_or(T::Unknown)
            }
            other => other.clone(),
        }
    }

    /// Whether every function is passed for an interface.
    fn takes_functions(&self, candidate: &Candidate, args: &[Arg<'a>], phase: Phase) -> bool {
        args.iter().enumerate().all(|(at, arg)| match arg {
            Arg::Value(_) => true,
            Arg::Function(_) => !matches!(self.formal(candidate, at, phase), T::Var(_)),
        })
    }

    fn fits_function(&self, formal: &T, expr: &tree::Expr) -> bool {
        if let Tree::Call(_) = &expr.kind {
            return true;
        }
        match formal {
            T::Unknown | T::Var(_) => return true,
            _ => {}
        }
        let Some(function) = self.functional(formal) else { return false };
        match &expr.kind {
            Tree::Lambda(params, body) => {
                let info = &self.world.method_infos[function.method.index()];
                let is_void = info.result == T::Void;
                let found = match &**body {
                    LambdaBody::Expr(value) => match &value.kind {
                        Tree::Call(_) | Tree::New(_) | Tree::Assign(..) | Tree::Step { .. } => None,
                        _ => Some(true),
                    },
                    LambdaBody::Block(block) => gives_value(&block.stmts),
                };
                info.params.len() == params.len()
                    && found.is_none_or(|gives_value| gives_value != is_void)
            }
            _ => true,
        }
    }

    fn is_more_specific(
        &self,
        one: &Candidate,
        other: &Candidate,
        args: &[Arg<'a>],
        phase: Phase,
    ) -> bool {
        if one.method == other.method {
            return true;
        }
        args.iter().enumerate().all(|(at, arg)| {
            let first = self.formal(one, at, phase);
            let second = self.formal(other, at, phase);
            if let Arg::Function(_) = arg {
                return self.is_more_specific_function(&first, &second);
            }
            let second = self.open_bound(other.method, &second);
            self.world.is_subtype(&first, &second)
        })
    }

    /// Of functions, the one whose result needs no boxing is meant.
    fn is_more_specific_function(&self, one: &T, other: &T) -> bool {
        let (Some(first), Some(second)) = (self.functional(one), self.functional(other)) else {
            return true;
        };
        let result = |method: MethodId| &self.world.method_infos[method.index()].result;
        let (first, second) = (result(first.method), result(second.method));
        let is_better = first.is_primitive() || !second.is_primitive();
        *second == T::Void || *first != T::Void && is_better
    }

    /// The one abstract method of an interface.
    pub(super) fn functional(&self, ty: &T) -> Option<Candidate> {
        let T::Class(class, _) = ty else { return None };
        if self.world.program.class(*class).kind != ClassKind::Interface {
            return None;
        }
        let object = self.world.object().map(T::class);
        let mut abstracts: Vec<Candidate> = Vec::new();
        let mut implemented: Vec<(String, Vec<crate::typed::Ty>)> = Vec::new();
        for above in self.world.supertypes(ty) {
            let T::Class(class, args) = &above else { continue };
            if Some(*class) == self.world.object() {
                continue;
            }
            let known = self.arguments_of(*class, args);
            for method in &self.world.program.class(*class).methods {
                let about = self.world.program.method(*method);
                let signature = (about.name.to_string(), self.erased_params(*method, &known));
                if implemented.contains(&signature) {
                    continue;
                }
                implemented.push(signature);
                let of_object = object.as_ref().is_some_and(|object| {
                    !self.known_candidates(object, about.name.as_str()).is_empty()
                });
                if about.is_abstract && !of_object {
                    abstracts.push(Candidate { method: *method, known: known.clone() });
                }
            }
        }
        (abstracts.len() == 1).then(|| abstracts.remove(0))
    }

    /// A type without variables of methods whose calls did not tell what they stand for: these tell
    /// nothing about another call.
    fn closed(&self, ty: &T) -> T {
        match ty {
            T::Var(var) => {
                let name = &self.world.vars[var.index()].name;
                let in_sight = self.world.var_named(name, &self.here().scope);
                if in_sight == Some(*var) { ty.clone() } else { T::Null }
            }
            T::Class(id, args) => T::Class(*id, args.iter().map(|arg| self.closed(arg)).collect()),
            T::Array(element) => T::Array(Box::new(self.closed(element))),
            T::Wildcard(Some((bound, inner))) => {
                T::Wildcard(Some((*bound, Box::new(self.closed(inner)))))
            }
            other => other.clone(),
        }
    }

    /// The type arguments of a call, from its arguments and from what is expected of it.
    pub(super) fn infer(
        &self,
        candidate: &Candidate,
        phase: Phase,
        args: &[Arg<'a>],
    ) -> Substitution {
        let free: Vec<VarId> =
            self.world.method_infos[candidate.method.index()].type_params.clone();
        let mut known = candidate.known.clone();
        for (at, arg) in args.iter().enumerate() {
            if let Arg::Value(value) = arg {
                let formal = self.formal(candidate, at, phase);
                self.world.unify(&formal, &self.closed(&value.ty), &free, &mut known);
            }
        }
        known
    }
}

/// Whether an argument cannot be looked at before its type is known: a lambda expression whose
/// parameters have no types.
fn needs_type(arg: &tree::Expr) -> bool {
    match &arg.kind {
        Tree::Lambda(params, _) => {
            params.iter().any(|param| matches!(param, tree::LambdaParam::Inferred(_)))
        }
        Tree::Call(call) => call.args.iter().any(needs_type),
        _ => false,
    }
}

/// Whether a block of a lambda expression gives a value; `None` if it only throws, which fits any
/// function.
fn gives_value(stmts: &[tree::Stmt]) -> Option<bool> {
    let is_end = |stmt: &tree::Stmt| match &stmt.kind {
        tree::StmtKind::Throw(_) => true,
        tree::StmtKind::While(cond, _, _) => {
            matches!(cond.kind, Tree::Literal(tree::Literal::Bool(true)))
        }
        tree::StmtKind::For(_, cond, _, _, _) => cond.is_none(),
        _ => false,
    };
    returned(stmts).or_else(|| if stmts.last().is_some_and(is_end) { None } else { Some(false) })
}

/// Whether the first `return` among statements has a value.
fn returned(stmts: &[tree::Stmt]) -> Option<bool> {
    use tree::StmtKind as S;
    let one = |stmt: &tree::Stmt| returned(std::slice::from_ref(stmt));
    stmts.iter().find_map(|stmt| match &stmt.kind {
        S::Return(value) => Some(value.is_some()),
        S::Block(block) | S::Synchronized(_, block) => returned(&block.stmts),
        S::If(_, then, otherwise) => {
            one(then).or_else(|| otherwise.as_ref().and_then(|other| one(other)))
        }
        S::While(_, _, body)
        | S::Do(body, _, _)
        | S::For(_, _, _, _, body)
        | S::ForEach(_, _, _, body)
        | S::Labelled(_, body) => one(body),
        S::Try(_, body, catches, finally) => returned(&body.stmts)
            .or_else(|| catches.iter().find_map(|catch| returned(&catch.body.stmts)))
            .or_else(|| finally.as_ref().and_then(|block| returned(&block.stmts))),
        S::Switch(switch) => switch.cases.iter().find_map(|case| match &case.rule {
            tree::Rule::Group(stmts) => returned(stmts),
            tree::Rule::Stmt(stmt) => one(stmt),
            tree::Rule::Expr(_) => None,
        }),
        _ => None,
    })
}
