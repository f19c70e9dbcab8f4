//! The typed program as compact text, fully parenthesised, so that tests can be read.

use plato::hir::{
    Body, Expr, ExprKind, NeverKind, Place, Program, Quantifier, Root, Stmt, StmtKind,
};
use std::fmt::Write;

pub(crate) fn program(program: &Program) -> String {
    let none = Body::default();
    let mut out = String::new();
    for one in &program.consts {
        writeln!(out, "const {}: {:?} = {:?}", one.name, one.ty, one.value).expect("a string");
    }
    for one in &program.globals {
        let mutex = if one.is_sync { " mutex" } else { "" };
        writeln!(out, "var {}: {:?}{mutex}", one.name, one.ty).expect("a string");
    }
    for one in &program.preds {
        let stores = if one.two_store { 2 } else { 1 };
        writeln!(out, "pred{stores} {} = {}", one.name, expr(program, &none, &one.body))
            .expect("a string");
    }
    for (word, all) in
        [("init", &program.inits), ("invariant", &program.invariants), ("rely", &program.relies)]
    {
        for one in all {
            writeln!(out, "{word} {}", expr(program, &none, &one.expr)).expect("a string");
        }
    }
    for thread in &program.threads {
        writeln!(out, "thread {} {:?}", thread.name, thread.count).expect("a string");
        for one in &thread.relies {
            writeln!(out, "  rely {}", expr(program, &none, &one.expr)).expect("a string");
        }
        stmts(program, &thread.body, &thread.body.stmts, 1, &mut out);
    }
    for proc in &program.procs {
        writeln!(out, "proc {} {:?} -> {:?}", proc.name, proc.params, proc.results)
            .expect("a string");
        if let Some(spec) = &proc.spec {
            let show = |all: &[Expr]| exprs(program, &proc.body, all);
            writeln!(out, "  requires {}; modifies {:?}", show(&spec.requires), spec.modifies)
                .expect("a string");
            for action in &spec.actions {
                let ensures = expr(program, &proc.body, &action.ensures);
                writeln!(out, "  action modifies {:?} ensures {ensures}", action.modifies)
                    .expect("a string");
            }
            writeln!(out, "  ensures {}", show(&spec.ensures)).expect("a string");
        }
        stmts(program, &proc.body, &proc.body.stmts, 1, &mut out);
    }
    for never in &program.nevers {
        let text = match &never.kind {
            NeverKind::Formula(formula) => expr(program, &none, formula),
            other => format!("{other:?}"),
        };
        writeln!(out, "never {text}").expect("a string");
    }
    out
}

fn stmts(program: &Program, body: &Body, all: &[Stmt], depth: usize, out: &mut String) {
    for stmt in all {
        let label =
            stmt.label.map_or(String::new(), |id| format!("{}: ", program.labels[id.index()].name));
        let (head, blocks) = stmt_head(program, body, &stmt.kind);
        writeln!(out, "{:depth$}{label}{head}", "", depth = depth * 2).expect("a string");
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                writeln!(out, "{:depth$}or", "", depth = depth * 2).expect("a string");
            }
            stmts(program, body, block, depth + 1, out);
        }
    }
}

fn stmt_head<'p>(program: &Program, body: &Body, kind: &'p StmtKind) -> (String, Vec<&'p [Stmt]>) {
    let e = |one: &Expr| expr(program, body, one);
    let p = |one: &Place| place(program, body, one);
    let ps = |all: &[Place]| all.iter().map(p).collect::<Vec<_>>().join(", ");
    let c = |one: &Option<Expr>| one.as_ref().map_or("*".into(), e);
    let head = match kind {
        StmtKind::Skip => "skip".into(),
        StmtKind::Assign(all) => {
            let all: Vec<_> =
                all.iter().map(|(to, from)| format!("{} := {}", p(to), e(from))).collect();
            all.join(", ")
        }
        StmtKind::Havoc(all) => format!("havoc {}", ps(all)),
        StmtKind::Assert(one) | StmtKind::Check(one, _) => format!("assert {}", e(one)),
        StmtKind::Assume(one) => format!("assume {}", e(one)),
        StmtKind::Acquire(one) => format!("acquire {}", p(one)),
        StmtKind::Release(one) => format!("release {}", p(one)),
        StmtKind::CasSwap { location, expected, new } => {
            format!("swap {} {} {}", p(location), e(expected), p(new))
        }
        StmtKind::Cas { result, location, expected, new } => {
            let result = result.as_ref().map_or("_".into(), p);
            format!("{result} := cas {} {} {}", p(location), e(expected), e(new))
        }
        StmtKind::Action(one) => {
            let roots: Vec<_> =
                one.modifies.iter().map(|&root| root_name(program, body, root)).collect();
            let (requires, ensures) = (c(&one.requires), c(&one.ensures));
            format!("action [{}] {requires} ? {} ! {ensures}", roots.join(", "), e(&one.action))
        }
        StmtKind::Atomic(block) => return ("atomic".into(), vec![block]),
        StmtKind::If { cond, then, otherwise } => {
            return (format!("if {}", c(cond)), vec![then, otherwise]);
        }
        StmtKind::While { cond, invariants, body: block, .. } => {
            let invariants = exprs(program, body, invariants);
            return (format!("while {} invariants [{invariants}]", c(cond)), vec![block]);
        }
        StmtKind::Choose(all) => return ("choose".into(), all.iter().map(Vec::as_slice).collect()),
        StmtKind::Block(block) => return ("block".into(), vec![block]),
        StmtKind::Call { callee, args, results } => {
            let args = exprs(program, body, args);
            format!("[{}] := call {}({args})", ps(results), program.procs[callee.index()].name)
        }
        StmtKind::Return(all) => format!("return [{}]", exprs(program, body, all)),
        StmtKind::Break(_) => "break".into(),
        StmtKind::Continue(_) => "continue".into(),
        StmtKind::Unsupported(what) => format!("unsupported {what}"),
    };
    (head, Vec::new())
}

fn root_name(program: &Program, body: &Body, root: Root) -> String {
    match root {
        Root::Global(id) => program.globals[id.index()].name.to_string(),
        Root::Local(id) => format!("%{}", body.locals[id.index()].name),
    }
}

fn place(program: &Program, body: &Body, place: &Place) -> String {
    let mut out = root_name(program, body, place.root);
    for key in &place.indices {
        write!(out, "[{}]", expr(program, body, key)).expect("a string");
    }
    out
}

fn exprs(program: &Program, body: &Body, all: &[Expr]) -> String {
    all.iter().map(|one| expr(program, body, one)).collect::<Vec<_>>().join(", ")
}

pub(crate) fn expr(program: &Program, body: &Body, one: &Expr) -> String {
    let e = |one: &Expr| expr(program, body, one);
    match &one.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Var { root, primed } => {
            format!("{}{}", root_name(program, body, *root), if *primed { "'" } else { "" })
        }
        ExprKind::Const(id) => program.consts[id.index()].name.to_string(),
        ExprKind::Bound(id) => format!("?{}", program.bounds[id.index()].name),
        ExprKind::Tid => "tid".into(),
        ExprKind::Nobody => "nobody".into(),
        ExprKind::Thread(id) => format!("@{}", program.threads[id.index()].name),
        ExprKind::Variant(id, at) => {
            let declared = &program.enums[id.index()];
            format!("{}.{}", declared.name, declared.variants[*at as usize])
        }
        ExprKind::Not(inner) => format!("(not {})", e(inner)),
        ExprKind::Size(set) => format!("(size {})", e(set)),
        ExprKind::Neg(inner) => format!("(neg {})", e(inner)),
        ExprKind::And(all) => format!("(and {})", exprs(program, body, all)),
        ExprKind::Or(all) => format!("(or {})", exprs(program, body, all)),
        ExprKind::Binary(op, left, right) => format!("({op:?} {} {})", e(left), e(right)),
        ExprKind::Conditional(a, b, c) => format!("(if {} {} {})", e(a), e(b), e(c)),
        ExprKind::Index(map, key) => format!("{}[{}]", e(map), e(key)),
        ExprKind::Update(map, key, value) => format!("{}[{} := {}]", e(map), e(key), e(value)),
        ExprKind::ConstMap(value) => format!("(all {}: {:?})", e(value), one.ty),
        ExprKind::Set(all) => format!("{{{}: {:?}}}", exprs(program, body, all), one.ty),
        ExprKind::In(element, set) => format!("(in {} {})", e(element), e(set)),
        ExprKind::Quantified(quantifier, bounds, inner) => {
            let word = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
            let names: Vec<_> =
                bounds.iter().map(|id| program.bounds[id.index()].name.to_string()).collect();
            format!("({word} {} {})", names.join(" "), e(inner))
        }
        ExprKind::Pred { pred, args, primed } => {
            let prime = if *primed { "'" } else { "" };
            format!("{}{prime}({})", program.preds[pred.index()].name, exprs(program, body, args))
        }
        ExprKind::At(thread, labels) => format!("(at {} {labels:?})", e(thread)),
    }
}
