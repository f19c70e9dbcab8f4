//! Findings that are written for other programs, that are known before, and that are allowed.

use crate::support::{FAILS, Folder, HOLDS};
use serde_json::Value;

/// Two findings of one code.
const TWICE: &str = "\
var a, b: int = 0;
invariant a >= 0;
invariant b >= 0;
thread First { a := 0 - 1; }
thread Second { b := 0 - 1; }
";

#[test]
fn a_baseline_lets_new_findings_fail_only() {
    let folder = Folder::new("baseline", &[("a.plato", TWICE)]);
    let check = |code| folder.rely(&["check", "--baseline", "known.json", "a.plato"]).exits(code);
    folder.rely(&["check", "--write-baseline", "known.json", "a.plato"]).exits(1);
    check(0).prints("a.plato: refuted (2 proved, 2 refuted, 2 in the baseline)").prints_no("error");
    // Lines may move, and be indented.
    let moved = format!("\n// more\n{}", TWICE.replace("thread Second {", "thread Second {\n   "));
    folder.write("a.plato", moved.replace("First { a", "First {\n a").as_bytes());
    check(0).quietly();
    folder.write("a.plato", format!("{TWICE}thread Third {{ a := 0 - 2; }}\n").as_bytes());
    check(1).prints("a := 0 - 2").prints_no("b := 0 - 1");
    // What is mended can be taken out of the baseline.
    folder.write("a.plato", TWICE.replace("a := 0 - 1", "a := 1").as_bytes());
    check(0).complains("1 finding of the baseline is not found any more");
}

#[test]
fn a_baseline_hides_no_rejected_text() {
    let folder = Folder::new("rejected_baseline", &[("a.plato", "thread T { x := 1; }\n")]);
    folder.rely(&["check", "--write-baseline", "known.json", "a.plato"]).exits(3);
    folder.rely(&["check", "--baseline", "known.json", "a.plato"]).exits(3).prints("unknown-name");
}

#[test]
fn what_is_no_baseline_is_refused() {
    let folder = Folder::new("no_baseline", &[("a.plato", HOLDS), ("b.json", "{\"format\": 2}")]);
    let check = |name: &str| folder.rely(&["check", "--baseline", name, "a.plato"]).exits(2);
    check("none.json").complains("cannot read the baseline none.json");
    check("a.plato").complains("a.plato is no baseline: it is not JSON");
    check("b.json").complains("b.json is no baseline of format 1");
    folder.write("c.json", b"{\"format\": 1, \"findings\": [{\"code\": \"deadlock\"}]}");
    check("c.json").complains("c.json has a finding without fingerprint");
}

#[test]
fn what_is_allowed_does_not_fail() {
    let allowed = FAILS.replace(
        "thread Count",
        "// rely: allow(assertion-failed) because it is a demonstration\nthread Count",
    );
    let folder = Folder::new("allowed", &[("a.plato", &allowed)]);
    folder.rely(&["check", "a.plato"]).exits(0).prints("1 refuted, 1 allowed").prints_no("error");
    let outcome = folder.rely(&["check", "--format", "json", "a.plato"]).exits(0);
    let document: Value = serde_json::from_str(&outcome.out).expect("a document");
    let told = &document["files"][0]["diagnostics"][0];
    assert_eq!(told["code"], "assertion-failed");
    assert_eq!(told["allowed"]["reason"], "it is a demonstration");
    assert_eq!(document["files"][0]["status"], "refuted");
}

/// A comment cannot hide that nothing was checked.
#[test]
fn a_rejected_text_cannot_be_allowed() {
    let text = "thread T { x := 1; } // rely: allow(unknown-name) because I know\n";
    let folder = Folder::new("allowed_rejected", &[("a.plato", text)]);
    let outcome = folder.rely(&["check", "a.plato"]).exits(3);
    outcome.prints("error[unknown-name]").prints("`unknown-name` cannot be allowed");
}

#[test]
fn results_go_to_a_file() {
    let folder = Folder::new("output", &[("a.plato", FAILS)]);
    let outcome = folder.rely(&["check", "-o", "out.txt", "a.plato"]).exits(1);
    outcome.prints("a.plato: refuted").prints_no("error");
    assert!(folder.read("out.txt").contains("error[assertion-failed]"));
    folder.rely(&["check", "-o", "no/out.txt", "a.plato"]).exits(2).complains("no/out.txt");
}

/// A code flow has one thread flow for each thread, and the order of steps is that of the run.
#[test]
fn sarif() {
    let folder = Folder::new("sarif", &[("sub/a b.plato", FAILS), ("b.plato", HOLDS)]);
    let outcome = folder.rely(&["check", "--format", "sarif", "."]).exits(1);
    let log: Value = serde_json::from_str(&outcome.out).expect("a log");
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 1);
    let result = &results[0];
    assert_eq!((&result["level"], &result["kind"]), (&"error".into(), &"fail".into()));
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
    assert_eq!(rules[index]["id"], "assertion-failed");
    let help = rules[index]["help"]["markdown"].as_str().expect("a page");
    assert!(help.starts_with("# assertion-failed"));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "sub/a%20b.plato");
    assert_eq!(place["region"]["startLine"], 2);
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
    let names: Vec<&str> = flows.iter().filter_map(|one| one["message"]["text"].as_str()).collect();
    assert_eq!(names, ["Count", "Sale"]);
    let mut orders: Vec<u64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().expect("steps"))
        .map(|step| step["executionOrder"].as_u64().expect("a number"))
        .collect();
    orders.sort_unstable();
    assert_eq!(orders, (1..=orders.len() as u64).collect::<Vec<_>>());
}

/// What has no answer is no failure, and has the level that the format asks for then.
#[test]
fn sarif_of_what_is_unknown() {
    let folder = Folder::new("sarif_unknown", &[("a.plato", crate::support::UNKNOWN)]);
    let outcome = folder.rely(&["check", "--format", "sarif", "a.plato", "none.plato"]).exits(3);
    let log: Value = serde_json::from_str(&outcome.out).expect("a log");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["kind"]), (&"none".into(), &"open".into()));
    let told = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    let text = told["message"]["text"].as_str().expect("a text");
    assert!(text.starts_with("cannot read none.plato"), "{text}");
}

#[test]
fn junit() {
    let folder = Folder::new("junit", &[("a.plato", FAILS), ("b.plato", HOLDS), ("c.plato", "x")]);
    let outcome = folder.rely(&["check", "--format", "junit", "."]).exits(1);
    let outcome = outcome
        .prints("<testsuite name=\"a.plato\" tests=\"1\" failures=\"1\" errors=\"0\"")
        .prints("<failure message=\"this assertion can fail\" type=\"assertion-failed\">")
        .prints("<testsuite name=\"c.plato\" tests=\"1\" failures=\"0\" errors=\"1\"");
    let cases = outcome.out.matches("<testcase ").count();
    outcome.prints(&format!(
        "<testsuites name=\"Rely\" tests=\"{cases}\" failures=\"1\" errors=\"1\">"
    ));
}

#[test]
fn github_and_checkstyle() {
    let folder = Folder::new("github", &[("a,b.plato", FAILS)]);
    let outcome = folder.rely(&["check", "--format", "github", "a,b.plato"]).exits(1);
    outcome
        .prints("::error file=a%2Cb.plato,line=2,endLine=2,col=40,endColumn=60,title=error[assertion-failed]::")
        .prints("a,b.plato: refuted");
    let outcome = folder.rely(&["check", "--format", "checkstyle", "a,b.plato"]).exits(1);
    outcome
        .prints("<file name=\"a,b.plato\">")
        .prints("<error line=\"2\" column=\"40\" severity=\"error\"")
        .prints("source=\"rely.assertion-failed\"/>");
}

#[test]
fn colours() {
    let folder = Folder::new("colours", &[("a.plato", FAILS)]);
    let check = |words: &[&str], variables: &[(&str, &str)], has_colours: bool| {
        let words = [&["check", "a.plato"], words].concat();
        let outcome = folder.run(&words, "", variables).exits(1);
        assert_eq!(outcome.out.contains("\x1b["), has_colours, "{words:?} {variables:?}");
    };
    check(&[], &[], false);
    check(&["--color", "always"], &[], true);
    check(&["--color", "always"], &[("NO_COLOR", "1"), ("TERM", "dumb")], true);
    check(&[], &[("CLICOLOR_FORCE", "1")], true);
    check(&[], &[("CLICOLOR_FORCE", "0")], false);
    check(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
    check(&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false);
}

#[test]
fn standard_input_has_a_name() {
    let folder = Folder::new("stdin_name", &[]);
    let words = ["check", "--stdin-name", "A.java", "-"];
    let outcome = folder.run(&words, "class A { private int x; void f() { x++; } }", &[]).exits(1);
    outcome.prints("A.java:1:").prints("data-race");
}

/// That something is allowed does not hide that something else was not looked at.
#[test]
fn what_is_allowed_hides_nothing_else() {
    let allowed = FAILS.replace(
        "thread Count",
        "// rely: allow(assertion-failed) because it is a demonstration\nthread Count",
    );
    let folder = Folder::new("allowed_else", &[("a.plato", &allowed)]);
    folder.rely(&["check", "a.plato"]).exits(0);
    folder.rely(&["check", "a.plato", "missing.plato"]).exits(3);
    folder.rely(&["check", "a.plato", "-D", "N=1"]).exits(3);
    folder
        .rely(&["check", "-q", "a.plato", "-D", "N=1"])
        .exits(3)
        .prints("declares a constant `N`");
}

/// A baseline covers what it was written from, also what hangs on something else.
#[test]
fn a_baseline_covers_what_it_was_written_from() {
    let text = "proc p(n: int) { if (n > 0) { p(n - 1); } }\n\
        var x: int = 0;\nthread T { p(3); x := 1; assert x == 1; }\n";
    let folder = Folder::new("hanging", &[("a.plato", text)]);
    let check =
        |words: &[&str]| folder.rely(&[&["check", "--no-infer", "a.plato"], words].concat());
    check(&["--write-baseline", "b.json"]).exits(5);
    check(&["--baseline", "b.json"]).exits(0);
    check(&["--baseline", "b.json", "--format", "junit"]).exits(0).prints("<skipped message");
    check(&["--only", "T", "--write-baseline", "b.json"]).exits(2).complains("of everything");
}

/// Comments in a text that was not checked may be needed.
#[test]
fn comments_in_rejected_texts_are_not_called_unused() {
    let text = "// rely: allow(data-race) because of a reason\nthread T { x := ; }\n";
    let folder = Folder::new("unused_rejected", &[("a.plato", text)]);
    folder.rely(&["check", "a.plato"]).exits(3).prints_no("unused-allowance");
}
