//! Designs with synchronization contracts on the command line.

use crate::support::Folder;

const DESIGN: &str = "\
root class Philosopher {
  cond eating;
  var left, right: Fork;
  sync eating ==> left ^ right;
  state thinking initial;
  state dining {eating};
  before eat: thinking -> dining;
  after eat: dining -> thinking;
}
unit class Fork { }
system Table(n = 3) {
  for i in 0..n { P[i]: Philosopher; F[i]: Fork; }
  for i in 0..n { P[i].left = F[(i + 1) % n]; P[i].right = F[i]; }
}
";

#[test]
fn policies_decide() {
    let folder = Folder::new("policies", &[("a.szumo", DESIGN)]);
    folder.rely(&["check", "a.szumo"]).exits(0).prints("warning[incremental-deadlock]");
    for (policy, code) in [
        ("unit", 1),
        ("declared", 1),
        ("ranked", 0),
        ("thread", 1),
        ("saturate", 0),
        ("fifo", 0),
        ("aon", 0),
    ] {
        let outcome = folder.rely(&["check", "--policy", policy, "a.szumo"]).exits(code);
        outcome.prints_no("incremental-deadlock");
    }
    folder.rely(&["check", "--policy", "none", "a.szumo"]).exits(2);
    // Two share both forks: nobody can take one between.
    folder.rely(&["check", "-D", "n=2", "--policy", "thread", "a.szumo"]).exits(0);
    folder.rely(&["check", "-D", "m=2", "a.szumo"]).exits(3).prints("error[unknown-option]");
}

#[test]
fn limits_leave_it_open() {
    let folder = Folder::new("limits", &[("a.szumo", DESIGN)]);
    let outcome = folder
        .rely(&["check", "--policy", "aon", "--engine", "explore", "--states", "5", "a.szumo"]);
    outcome.exits(5).prints("unknown[limit-reached]");
    let outcome = folder.rely(&["check", "--policy", "aon", "--engine", "deductive", "a.szumo"]);
    outcome.exits(2).complains("--engine deductive");
}

#[test]
fn many_threads() {
    let folder = Folder::new("many", &[("a.szumo", DESIGN)]);
    folder
        .rely(&["check", "--policy", "aon", "-D", "n=1000", "--proof", "a.szumo"])
        .exits(0)
        .prints("each thread alone");
    let outcome = folder.rely(&["check", "--policy", "unit", "-D", "n=70", "a.szumo"]).exits(1);
    outcome.prints("a run of 70 threads in 140 steps");
}

#[test]
fn drawings() {
    let folder = Folder::new("drawings", &[("a.szumo", DESIGN)]);
    let outcome = folder.rely(&["check", "--policy", "unit", "--format", "sequence", "a.szumo"]);
    let outcome =
        outcome.exits(1).prints("activate L4").prints("-[#red]>x").prints("digraph waiting");
    outcome.prints("\"P[0]\" -> \"F[0]\" [label=\"waits for\", color=red];");
    let outcome =
        folder.rely(&["check", "--policy", "unit", "--format", "svg", "a.szumo"]).exits(1);
    let text = outcome.out.clone();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
    assert_eq!(text.matches("<text ").count(), text.matches("</text>").count());
    outcome.prints(">waits, held by P[2]<");
}

#[test]
fn programs_are_generated_from_proved_designs() {
    let wrong = DESIGN.replace("state dining {eating};", "state dining {eating} calls left.no;");
    let crossed = "\
root class Client { cond a, b; var x, y: Lock; sync a | b ==> x; sync b ==> y; state s initial; state t {a}; state u {b};
  step p: s -> t; step q: t -> u; step r: u -> s; }
unit class Lock { }
system Two { A: Lock; B: Lock; c: Client; d: Client; c.x = A; c.y = B; d.x = B; d.y = A; }
";
    let files = [
        ("a.szumo", DESIGN),
        ("crossed.szumo", crossed),
        ("classes.szumo", "unit class Fork { }\n"),
        ("wrong.szumo", &wrong.replace("unit class Fork { }", "")),
        ("a.plato", crate::support::HOLDS),
    ];
    let folder = Folder::new("generate", &files);
    let printed = folder.rely(&["generate", "a.szumo"]).exits(0);
    printed.prints("pub fn before_eat(&mut self)").prints("\"P[2]\"").prints_no("\"P[3]\"");
    folder.rely(&["generate", "-D", "n=4", "a.szumo"]).exits(0).prints("\"P[3]\"");
    folder.rely(&["generate", "a.szumo", "--output", "a.rs"]).exits(0);
    folder.rely(&["generate", "crossed.szumo"]).exits(1);
    folder.rely(&["generate", "classes.szumo"]).exits(3);
    folder.rely(&["generate", "wrong.szumo"]).exits(3);
    folder.rely(&["generate", "a.plato"]).exits(3);
    folder.rely(&["generate", "none.szumo"]).exits(3);
}
