//! Methods that override others with `modifies` or actions: they inherit what is written there, or
//! are compared with it.
//!
//! A call stands for what is written of the method that it names, whichever method runs. That is
//! right if every method that may run refines it. One that says nothing of its steps itself is
//! compared with what it inherits. For one that does, there is a method more, which calls it and is
//! compared with what is overridden: what stands for the call must refine that.

use crate::tree::BinaryOp;
use crate::typed::{
    Body, Callee, Expr, ExprKind, Formula, Local, LocalId, Method, MethodId, Origin, Program, Stmt,
    StmtKind, Ty,
};
use source::{Name, Span};

/// Whether a method says which steps it takes.
pub(super) fn says_steps(method: &Method) -> bool {
    !method.spec.actions.is_empty() || method.spec.modifies.is_some()
}

/// Gives methods what they inherit.
pub(crate) fn inherit(program: &mut Program) {
    // Methods above come first: what they inherit is passed on.
    let mut order: Vec<MethodId> = (0..program.methods.len()).map(MethodId::from_index).collect();
    order.sort_by_key(|id| program.method(*id).overrides.len());
    for id in order {
        inherit_exceptional(program, id);
        let nearest = nearest(program, id);
        let Some(first) = nearest.first() else { continue };
        let base = program.method(*first).spec.clone();
        let method = &mut program.methods[id.index()];
        if !says_steps(method) {
            method.spec.modifies = base.modifies;
            method.spec.gives_up = base.gives_up;
            method.spec.actions = base.actions;
            method.spec.inherits = Some(*first);
            if method.spec.requires.is_empty() && method.spec.non_null_params.is_empty() {
                method.spec.requires = base.requires;
                method.spec.non_null_params = base.non_null_params;
            }
        }
        for base in nearest {
            inherit_promises(program, id, base);
        }
    }
}

/// What overridden methods promise for their ends by exceptions, where they could be called.
fn inherit_exceptional(program: &mut Program, id: MethodId) {
    let mut inherited: Vec<Formula> = Vec::new();
    for base in &program.method(id).overrides {
        let above = program.method(*base);
        if !above.spec.exsures.is_empty() {
            let is_allowed = allowed(above);
            let promises = above.spec.exsures.iter();
            inherited.extend(promises.map(|one| under(is_allowed.as_ref(), one)));
        }
    }
    let own = &mut program.methods[id.index()].spec.exsures;
    for formula in inherited {
        if own.iter().all(|other| other.span != formula.span) {
            own.push(formula);
        }
    }
}

/// What the overridden method ensures, where it could be called.
fn inherit_promises(program: &mut Program, id: MethodId, base: MethodId) {
    let above = &program.method(base).spec;
    let same = |one: &[Formula], other: &[Formula]| {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.span == b.span)
    };
    let own = &program.method(id).spec;
    let is_allowed =
        if same(&own.requires, &above.requires) && own.non_null_params == above.non_null_params {
            None
        } else {
            allowed(program.method(base))
        };
    let inherited: Vec<Formula> =
        above.ensures.iter().map(|one| under(is_allowed.as_ref(), one)).collect();
    let is_non_null = above.is_non_null && is_allowed.is_none();
    let own = &mut program.methods[id.index()].spec;
    own.is_non_null |= is_non_null;
    for formula in inherited {
        if own.ensures.iter().all(|other| other.span != formula.span) {
            own.ensures.push(formula);
        }
    }
}

/// What a method requires, as one expression; nothing if that is nothing.
fn allowed(method: &Method) -> Option<Expr> {
    let boolean = || Ty::Prim(crate::tree::Prim::Boolean);
    let exists = |at: &usize| {
        let ty = method.params.get(*at).cloned().unwrap_or(Ty::Unknown);
        let local = LocalId::from_index(*at);
        let value = Expr { kind: ExprKind::Local(local), ty, span: method.span };
        let null = Expr { kind: ExprKind::Null, ty: Ty::Null, span: method.span };
        let kind = ExprKind::Binary(BinaryOp::Ne, Box::new(value), Box::new(null));
        Expr { kind, ty: boolean(), span: method.span }
    };
    let written = method.spec.requires.iter().map(|formula| formula.expr.clone());
    let parts = written.chain(method.spec.non_null_params.iter().map(exists));
    parts.reduce(|one, other| {
        let span = one.span;
        let kind = ExprKind::Binary(BinaryOp::And, Box::new(one), Box::new(other));
        Expr { kind, ty: boolean(), span }
    })
}

/// A promise that is due if something held when the method began.
fn under(is_allowed: Option<&Expr>, formula: &Formula) -> Formula {
    let Some(is_allowed) = is_allowed else { return formula.clone() };
    let (span, ty) = (is_allowed.span, is_allowed.ty.clone());
    let kind = ExprKind::Old(Box::new(is_allowed.clone()));
    let before = Expr { kind, ty: ty.clone(), span };
    let promise = Box::new(formula.expr.clone());
    let kind = ExprKind::Binary(BinaryOp::Implies, Box::new(before), promise);
    Formula { expr: Expr { kind, ty, span: formula.expr.span }, span: formula.span }
}

/// The overridden methods that say which steps they take, but for those that another one of them
/// overrides.
fn nearest(program: &Program, id: MethodId) -> Vec<MethodId> {
    let is_checked =
        |id: MethodId| program.class(program.method(id).class).origin == Origin::Checked;
    let method = program.method(id);
    if !is_checked(id) {
        return Vec::new();
    }
    let says = |id: &&MethodId| {
        let above = program.method(**id);
        says_steps(above) && (is_checked(**id) || above.spec.summary.is_some())
    };
    let all: Vec<MethodId> = method.overrides.iter().filter(says).copied().collect();
    let is_nearest =
        |id: &&MethodId| !all.iter().any(|other| program.method(*other).overrides.contains(*id));
    all.iter().filter(is_nearest).copied().collect()
}

/// Adds a method for each that must refine another one and is not compared with it already.
pub(crate) fn add_comparisons(program: &mut Program) {
    for id in (0..program.methods.len()).map(MethodId::from_index) {
        for base in nearest(program, id) {
            if program.method(id).spec.inherits != Some(base) {
                let comparison = comparison(program, id, base);
                let class = comparison.class;
                program.methods.push(comparison);
                let added = MethodId::from_index(program.methods.len() - 1);
                program.classes[class.index()].methods.push(added);
            }
        }
    }
}

/// A method that calls one and is compared with what is written of another.
fn comparison(program: &Program, id: MethodId, base: MethodId) -> Method {
    let (method, above) = (program.method(id), program.method(base));
    let span = method.span;
    let locals: Vec<Local> = params(method);
    let args = locals.iter().enumerate().map(|(at, local)| {
        let kind = ExprKind::Local(LocalId::from_index(at));
        Expr { kind, ty: local.ty.clone(), span }
    });
    let this = Expr { kind: ExprKind::This, ty: Ty::Class(method.class), span };
    let callee = Callee {
        method: Some(id),
        name: method.name.clone(),
        receiver: Some(this),
        args: args.collect(),
        is_virtual: false,
    };
    let call = Expr { kind: ExprKind::Call(Box::new(callee)), ty: method.result.clone(), span };
    let kind = match method.result {
        Ty::Void => StmtKind::Expr(call),
        _ => StmtKind::Return(Some(call)),
    };
    let above_class = &program.class(above.class).name;
    Method {
        name: Name::from(format!("{} as {above_class}.{}", method.name, above.name).as_str()),
        overrides: Vec::new(),
        overridden_by: Vec::new(),
        is_open: true,
        is_abstract: false,
        is_synchronized: false,
        body: Some(Body { locals, stmts: vec![Stmt { kind, span }] }),
        spec: above.spec.clone(),
        ..method.clone()
    }
}

/// The parameters of a method; one without a body has no names for them.
pub(super) fn params(method: &Method) -> Vec<Local> {
    let named = method.body.as_ref().map(|body| &body.locals);
    let mut all: Vec<Local> = Vec::new();
    for (at, ty) in method.params.iter().enumerate() {
        let local = named.and_then(|locals| locals.get(at)).cloned();
        all.push(local.unwrap_or_else(|| unnamed(at, ty, method.span)));
    }
    all
}

fn unnamed(at: usize, ty: &Ty, span: Span) -> Local {
    Local { name: Name::from(format!("argument {}", at + 1).as_str()), ty: ty.clone(), span }
}
