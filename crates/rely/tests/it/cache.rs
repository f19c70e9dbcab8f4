//! Answers that are remembered from run to run: what is asked anew after an edit, and what is not.

use crate::support::{Folder, Outcome};

/// A lock, a procedure that uses it, and a client.
const PROGRAM: &str = "\
module Lock {
  var owner: Tid = 0;
  rely owner == tid ==> owner' == owner;
  proc take()
    action modifies owner ensures owner == 0 && owner' == tid
  {
    var got: bool := false;
    while (!got) { got := cas(owner, 0, tid); }
  }
  proc give()
    requires owner == tid
    action modifies owner ensures owner' == 0
  {
    owner := 0;
  }
}
var hits: int = 0;
rely Lock.owner == tid ==> hits' == hits;
proc count(by: int)
  requires Lock.owner == tid
  action modifies hits ensures hits' == hits + by
{
  hits := hits + by;
}
thread Client[*] {
  var before: int;
  Lock.take();
  before := hits;
  count(2);
  assert hits == before + 2;
  Lock.give();
}
";

struct Cached {
    folder: Folder,
}

impl Cached {
    fn new(name: &str) -> Self {
        Self { folder: Folder::new(name, &[]) }
    }

    fn rely(&self, words: &[&str]) -> Outcome {
        self.folder.run(words, "", &[("XDG_CACHE_HOME", "cache")])
    }

    /// Checks a program; tells how it ended and how many answers are known afterwards.
    fn check(&self, text: &str, options: &[&str]) -> (Outcome, usize) {
        self.folder.write("a.plato", text.as_bytes());
        let outcome = self.rely(&[&["check", "a.plato"], options].concat());
        (outcome, self.answers())
    }

    fn answers(&self) -> usize {
        let out = self.rely(&["cache"]).exits(0).out;
        let count = out.split_whitespace().rev().nth(1).and_then(|word| word.parse().ok());
        count.unwrap_or_else(|| panic!("no number of answers in {out}"))
    }
}

fn edited(from: &str, to: &str) -> String {
    assert_eq!(PROGRAM.matches(from).count(), 1, "{from}");
    PROGRAM.replace(from, to)
}

#[test]
fn nothing_is_asked_twice() {
    let cached = Cached::new("cache-twice");
    let (first, answers) = cached.check(PROGRAM, &[]);
    assert!(answers > 0);
    let (second, again) = cached.check(PROGRAM, &[]);
    assert_eq!((first.exits(0).out, answers), (second.exits(0).out, again));
}

#[test]
fn an_edit_to_a_body_asks_about_that_body_alone() {
    let cached = Cached::new("cache-body");
    let (_, known) = cached.check(PROGRAM, &[]);
    let text = edited("hits := hits + by;", "hits := by + hits;");
    let (outcome, more) = cached.check(&text, &[]);
    outcome.exits(0);
    let (outcome, alone) = Cached::new("cache-body-alone").check(&text, &["--only", "count"]);
    outcome.exits(0);
    let asked = more - known;
    assert!((1..=alone).contains(&asked), "{asked} asked, {alone} about the procedure alone");
}

#[test]
fn an_edit_to_a_specification_is_seen_by_callers() {
    let cached = Cached::new("cache-specification");
    let (outcome, known) = cached.check(PROGRAM, &[]);
    outcome.exits(0);
    let weaker = edited("ensures hits' == hits + by", "ensures hits' >= hits + by");
    let (outcome, more) = cached.check(&weaker, &[]);
    outcome.exits(1).prints("error[assertion-failed]").prints_no("error[step-not-allowed]");
    assert!(more > known);
    let rely = edited("rely Lock.owner == tid ==> hits' == hits;", "rely hits' >= hits;");
    cached.check(&rely, &[]).0.exits(1).prints("error[assertion-failed]");
    cached.check(PROGRAM, &[]).0.exits(0);
}

#[test]
fn what_is_not_known_is_not_remembered() {
    let cached = Cached::new("cache-unknown");
    let hard = "thread T { var a, b, c: int; assert a > 2 && b > 2 && c > 2 ==> a * a * a + b * b * b != c * c * c; }";
    let (outcome, answers) = cached.check(hard, &["--timeout", "1"]);
    outcome.exits(5);
    let (outcome, again) = cached.check(hard, &["--timeout", "1"]);
    outcome.exits(5);
    assert_eq!(answers, again);
    cached.rely(&["cache", "--clear"]).exits(0).prints(": 0 answers");
}
