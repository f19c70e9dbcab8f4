//! What is shown of a Chalice method that can fail: the heap with permissions, and what was needed.

use crate::support::{Folder, Outcome};

/// Runs do not start where `rd*` is required, so that what is shown comes from the solver.
fn refuted(name: &str, method: &str) -> Outcome {
    let method = method.replacen("requires", "requires rd*(h) &&", 1);
    let text = format!(
        "class C {{
  var f: int;
  var g: C;
  var h: int;
  invariant acc(f)
  method Half() requires acc(f, 50) ensures acc(f, 50) {{ }}
{method}
}}
"
    );
    let folder = Folder::new(name, &[("a.chalice", &text)]);
    folder.rely(&["check", "a.chalice"]).exits(1)
}

#[test]
fn permissions_needed_and_there() {
    let outcome = refuted(
        "needed",
        "method M() requires acc(f, 30) && f == 7 ensures acc(f, 30) { call Half(); }",
    );
    outcome
        .prints("error[insufficient-permission]")
        .prints("50% is needed, there is 30%")
        .prints("#1 (this): f = 7 (30%)");
}

/// Permissions that were given away before the check that fails are shown as they were.
#[test]
fn heap_before_anything_is_given_away() {
    let outcome =
        refuted("before", "method M() requires acc(f) ensures acc(f) && f == 4 { f := 3; }");
    outcome.prints("error[postcondition-failed]").prints("#1 (this): f = 3 (100%)");
    let outcome = refuted(
        "twice",
        "method N() requires acc(f, 70) && rd(g) && g == this ensures acc(f, 70) && rd(g) && acc(g.f, 20) { }",
    );
    outcome.prints("20% is needed, there is none").prints("#1 (this): f");
}

#[test]
fn null_and_lockbottom_have_their_names() {
    let outcome = refuted(
        "null",
        "method M() requires rd(g) && g == null && acc(mu) && mu == lockbottom ensures rd(g) { acquire this; }",
    );
    outcome.prints("error[lock-order]").prints("mu = lockbottom (100%)").prints("g = null (rd)");
}

#[test]
fn monitors_of_callers() {
    let outcome = refuted(
        "callers",
        "method M() requires rd(mu) && lockbottom << mu && !holds(this) && !rd holds(this) ensures rd(mu)
         { acquire this; release this; }",
    );
    outcome.prints("error[lock-order]").prints("an object that no name leads to: held");
}

const ACCOUNT: &str = "class Account {
  var balance: int;
  invariant acc(balance) && 0 <= balance

  method Withdraw(n: int)
    requires rd(mu) && waitlevel << this && 0 <= n
    ensures rd(mu)
  {
    acquire this;
    balance := balance - n;
    release this;
  }
  method Main()
  {
    var a := new Account { balance := 5 };
    share a;
    fork t := a.Withdraw(3);
    fork u := a.Withdraw(4);
    join t;
    join u;
  }
}
";

/// A run of the whole program is found, with a lane for each thread.
#[test]
fn real_runs() {
    let folder = Folder::new("real", &[("a.chalice", ACCOUNT)]);
    let outcome = folder.rely(&["check", "a.chalice"]).exits(1);
    outcome
        .prints("| Account.Main ")
        .prints("| Account.Withdraw#2 ")
        .prints(".balance: 1 -> -2")
        .prints("balance = -2 (100%)")
        .prints("confirmed: this run was repeated step by step\n");
}

/// Without one, a run from a state that the precondition allows will do.
#[test]
fn allowed_runs() {
    let text = ACCOUNT.replace("a.Withdraw(3)", "a.Withdraw(1)");
    let folder = Folder::new("allowed", &[("a.chalice", &text)]);
    folder
        .rely(&["check", "a.chalice"])
        .exits(1)
        .prints("from a state that the precondition allows")
        .prints_no("Account.Main");
    // Nothing is confirmed that is not refuted.
    let text = ACCOUNT.replace("balance := balance - n", "balance := balance + n");
    let folder = Folder::new("right", &[("a.chalice", &text)]);
    folder.rely(&["check", "a.chalice"]).exits(0).prints_no("confirmed");
}

#[test]
fn only_some_declarations() {
    let text = "class C { method Good() { } method Bad() { assert false; } }
class D { method Bad() { assert 1 == 2; } }
";
    let folder = Folder::new("only-objects", &[("a.chalice", text)]);
    folder.rely(&["check", "--only", "Good", "a.chalice"]).exits(0);
    folder.rely(&["check", "--only", "C.Good", "a.chalice"]).exits(0);
    folder.rely(&["check", "--only", "C.Bad", "a.chalice"]).exits(1).prints_no("1 == 2");
    folder.rely(&["check", "--only", "D", "a.chalice"]).exits(1).prints_no("false;");
    folder.rely(&["check", "--only", "Ugly", "a.chalice"]).exits(3);
}
