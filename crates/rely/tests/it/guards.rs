//! `rely infer` of Java: locks of fields.

use crate::support::Folder;

const BEFORE: &str = "\
class Account {
    private final Object lock = new Object();
    /** In cents. */
    private int balance;
    private int high, low; private int same;
    private int open;

    void add(int by) {
        synchronized (lock) {
            balance += by;
            high++;
            same++;
        }
        synchronized (this) {
            low--;
            open++;
        }
    }

    int open() {
        return open;
    }
}
";

/// What is proved is written before its declaration, and nothing else changes.
#[test]
fn locks_are_written() {
    let folder = Folder::new("guards", &[("Account.java", BEFORE)]);
    let rely = |words: &[&str]| folder.rely(&[words, &["--jdk", "none", "Account.java"]].concat());
    let before = rely(&["check", "--quiet"]).exits(1);
    let found = rely(&["infer", "--write"]).exits(1).quietly().out;
    for line in [
        "Account.java:4: @GuardedBy(\"lock\") Account.balance\n",
        "Account.java:5: @GuardedBy(\"lock\") Account.high   // there is no line of its own",
        "Account.java:5: @GuardedBy(\"this\") Account.low   // there is no line of its own",
        "Account.java:5: @GuardedBy(\"lock\") Account.same   // there is no line of its own",
        "Account.java:6: @GuardedBy(\"this\") Account.open   // most accesses hold it",
        "// written to Account.java\n",
    ] {
        assert!(found.contains(line), "{line}\n{found}");
    }
    let field = "    private int balance;";
    let expected = BEFORE.replace(field, &format!("    //@GuardedBy(\"lock\")\n{field}"));
    assert_eq!(folder.read("Account.java"), expected);
    assert_eq!(rely(&["check", "--quiet"]).exits(1).out, before.out);
    // What is written is found no more.
    let again = rely(&["infer", "--write"]).exits(1).quietly().out;
    assert!(!again.contains("balance") && again.contains("// nothing was written"), "{again}");
    rely(&["infer", "-D", "N=1"]).complains("mean nothing for Java");
}
