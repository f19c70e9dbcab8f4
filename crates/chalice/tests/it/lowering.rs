//! The statements that shorthands become.

use crate::support::check_lowered;
use chalice::hir::{
    AmountKind, Assertion, AssertionKind, Expr, ExprKind, Local, Program, Rhs, Stmt, StmtKind,
    Target,
};
use expect_test::expect;
use std::fmt::Write;

/// A short text for statements; only those that these tests look at have one of their own.
pub(crate) fn stmts(program: &Program, locals: &[Local], all: &[Stmt], indent: &str) -> String {
    let show = Show { program, locals };
    let mut out = String::new();
    for stmt in all {
        show.stmt(stmt, indent, &mut out);
    }
    out
}

struct Show<'s> {
    program: &'s Program,
    locals: &'s [Local],
}

impl Show<'_> {
    fn local(&self, id: chalice::hir::LocalId) -> String {
        format!("{}#{}", self.locals[id.index()].name, id.0)
    }

    fn stmt(&self, stmt: &Stmt, indent: &str, out: &mut String) {
        let line = match &stmt.kind {
            StmtKind::Block(inside) => {
                writeln!(out, "{indent}block").expect("a string");
                for stmt in inside {
                    self.stmt(stmt, &format!("{indent}  "), out);
                }
                return;
            }
            StmtKind::Assign(id, Rhs::Value(e)) => {
                format!("{} := {}", self.local(*id), self.expr(e))
            }
            StmtKind::Assign(id, _) => format!("{} := new", self.local(*id)),
            StmtKind::Havoc(id) => format!("havoc {}", self.local(*id)),
            StmtKind::Acquire(e) => format!("acquire {}", self.expr(e)),
            StmtKind::Release(e) => format!("release {}", self.expr(e)),
            StmtKind::RdAcquire(e) => format!("rd acquire {}", self.expr(e)),
            StmtKind::RdRelease(e) => format!("rd release {}", self.expr(e)),
            StmtKind::Assert(assertion) => format!("assert {}", self.assertion(assertion)),
            StmtKind::Call { results, method, .. } => {
                let results: Vec<String> = results.iter().map(|&id| self.local(id)).collect();
                format!(
                    "call {} := {}",
                    results.join(", "),
                    self.program.methods[method.index()].name
                )
            }
            StmtKind::Unsupported(what) => format!("unsupported {what}"),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        };
        writeln!(out, "{indent}{line}").expect("a string");
    }

    fn assertion(&self, assertion: &Assertion) -> String {
        match &assertion.kind {
            AssertionKind::Pure(e) => self.expr(e),
            AssertionKind::And(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.assertion(part)).collect();
                format!("({})", parts.join(" && "))
            }
            AssertionKind::Implies(left, right) => {
                format!("({} ==> {})", self.expr(left), self.assertion(right))
            }
            AssertionKind::Access(Target::One(e, loc), amount) => {
                format!("acc({}.{loc:?}, {})", self.expr(e), self.amount(&amount.kind))
            }
            AssertionKind::Predicate(access) => {
                let name = &self.program.predicates[access.predicate.index()].name;
                let args: Vec<String> = access.args.iter().map(|e| self.expr(e)).collect();
                let amount = self.amount(&access.amount.kind);
                format!(
                    "acc({}.{name}({}), {amount})",
                    self.expr(&access.receiver),
                    args.join(", ")
                )
            }
            AssertionKind::Forall(quantified) => {
                format!("forall({})", self.assertion(&quantified.body))
            }
            AssertionKind::Unsupported(what) => format!("unsupported[{what}]"),
            other => format!("{other:?}").split('(').next().unwrap_or_default().to_owned(),
        }
    }

    fn amount(&self, amount: &AmountKind) -> String {
        match amount {
            AmountKind::Percent(e) => format!("{}%", self.expr(e)),
            AmountKind::ReadOf(e) => format!("rd({})", self.expr(e)),
            AmountKind::Epsilons(e) => format!("{} eps", self.expr(e)),
            AmountKind::Add(a, b) => format!("{} + {}", self.amount(&a.kind), self.amount(&b.kind)),
            AmountKind::Sub(a, b) => format!("{} - {}", self.amount(&a.kind), self.amount(&b.kind)),
            AmountKind::Times(n, a) => format!("{} * {}", self.expr(n), self.amount(&a.kind)),
            other @ (AmountKind::Full
            | AmountKind::Read
            | AmountKind::PredicateRead
            | AmountKind::Star) => {
                format!("{other:?}")
            }
        }
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::This => "this".into(),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Read(object, loc) => format!("{}.{loc:?}", self.expr(object)),
            ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", self.expr(a), self.expr(b)),
            ExprKind::SeqDrop(a, b) => format!("drop({}, {})", self.expr(a), self.expr(b)),
            ExprKind::SeqTake(a, b) => format!("take({}, {})", self.expr(a), self.expr(b)),
            ExprKind::SeqLiteral(_) => format!("seq: {:?}", e.ty),
            ExprKind::Quantified(quantified) => format!("forall({})", self.expr(&quantified.body)),
            ExprKind::Unsupported(what) => format!("unsupported[{what}]"),
            other => format!("{other:?}").split('(').next().unwrap_or_default().to_owned(),
        }
    }
}

#[test]
fn locks() {
    check_lowered(
        "lock (o) { q := 1 } rd lock (o.s[0]) { q := 2 } [[ ]]",
        expect![[r#"
        block
          acquire o#1
          q#3 := 1
          release o#1
        block
          lock#4 := SeqAt
          rd acquire lock#4
          q#3 := 2
          rd release lock#4
        block
          acquire this
          release this
    "#]],
    );
}

#[test]
fn variables() {
    check_lowered(
        "var i; var b := p == 1; call x, y := m(1, o); call x, z := y.m(1, o); f := 1; q := f; var e: seq<bool> := []",
        expect![[r#"
            havoc i#4
            b#5 := (p#0 Eq 1)
            call x#6, y#7 := m
            call x#6, z#8 := m
            Write
            q#3 := this.Field(FieldId(0))
            e#9 := seq: Seq(Bool)
        "#]],
    );
}

#[test]
fn permissions() {
    check_lowered(
        "assert o.P && Q(1) && acc(P, 50) && rd(o.Q(2)) && rd(f) && acc(mu)
         assert p == 1 ==> p == 2 && acc(f)
         assert p == 1 ==> p == 2 && p == 3
         assert p == 1 ==> p == 2
         assert forall c in o.s :: c != null && acc(c.f)
         assert forall c in o.s :: c != null && (c == o ==> true && false)
         fork tk := m(1, o)
         assert acc(f, 100 - 2 * rd(tk)) && acc(f, rd + rd(3)) && rd(f, p) && rd*(f) && rd(f, *) && acc(f, p * 2)",
        expect![[r#"
            assert (acc(o#1.P(), Full) && acc(this.Q(1), Full) && acc(this.P(), 50%) && acc(o#1.Q(2), Read) && acc(this.Field(FieldId(0)), Read) && acc(this.Mu, Full))
            assert ((p#0 Eq 1) ==> ((p#0 Eq 2) && acc(this.Field(FieldId(0)), Full)))
            assert ((p#0 Eq 1) ==> ((p#0 Eq 2) && (p#0 Eq 3)))
            assert ((p#0 Eq 1) Implies (p#0 Eq 2))
            assert forall(((c#4 Ne Null) && acc(c#4.Field(FieldId(0)), Full)))
            assert forall(((c#5 Ne Null) And ((c#5 Eq o#1) Implies (true And false))))
            Fork
            assert (acc(this.Field(FieldId(0)), 100% - 2 * rd(tk#6)) && acc(this.Field(FieldId(0)), Read + 3 eps) && acc(this.Field(FieldId(0)), p#0 eps) && acc(this.Field(FieldId(0)), Star) && acc(this.Field(FieldId(0)), Star) && acc(this.Field(FieldId(0)), (p#0 Mul 2)%))
        "#]],
    );
}

#[test]
fn slices() {
    check_lowered(
        "o.s := o.s[1..2]; var t := o.s[1..2]; t := t[..1]; t := t[1..]",
        expect![[r#"
        Write
        t#4 := drop(take(o#1.Field(FieldId(1)), 2), 1)
        t#4 := take(t#4, 1)
        t#4 := drop(t#4, 1)
    "#]],
    );
}

#[test]
fn what_has_no_supported_type() {
    check_lowered(
        "var x: set<int>; var y: set<int>; assert x == y && |x| == 1; x := y; assert forall i: x :: i == 1
         assert waitlevel << o && o.mu == maxlock && old(waitlevel) == o.mu; assume forall i: x :: true",
        expect![[r#"
            havoc x#4
            havoc y#5
            assert ((unsupported[a set or an object of a refining class] Eq unsupported[a set or an object of a refining class]) && (SeqLength Eq 1))
            x#4 := unsupported[a set or an object of a refining class]
            assert unsupported[a quantifier over a set]
            assert ((WaitLevel Below o#1) && (o#1.Mu Eq WaitLevel) && (Old Eq o#1.Mu))
            Assume
        "#]],
    );
}

#[test]
fn what_is_not_supported() {
    check_lowered(
        "assert acc(o.s[*].P) && acc(o.s[*].f)
         assert acc(f, rd(P)); assume acc(f); var x := {1}; assert 1 in x; var y [acc(f)]; assert eval(o.acquire, acc(f))",
        expect![[r#"
            assert (unsupported[`[*]` before a predicate] && Access)
            assert acc(this.Field(FieldId(0)), PredicateRead)
            unsupported `assume` with permissions
            x#4 := unsupported[a set]
            assert unsupported[element of a set]
            unsupported a specification statement with permissions
            assert unsupported[permissions in `eval`]
        "#]],
    );
}
