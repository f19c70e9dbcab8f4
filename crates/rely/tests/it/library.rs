//! Where types of Java come from: `--jdk` and `--classpath`. No JDK is needed: the files are made
//! here.

use crate::support::{Folder, HOLDS, Outcome};
use std::io::{Cursor, Write};
use testkit::{ClassSketch, class_file, image};
use zip::write::{SimpleFileOptions, ZipWriter};

const PROGRAM: &str = "\
class A {
    static int f(lib.Box b) { return b == null ? 0 : b.size() + 1; }
}
";

/// A class with a method.
fn library() -> Vec<u8> {
    class_file(&ClassSketch {
        access: 1,
        name: "lib/Box",
        above: &["java/lang/Object"],
        methods: &[(1, "size", "()I", "")],
        ..ClassSketch::default()
    })
}

fn jar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("an archive").into_inner()
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name, &[("A.java", PROGRAM), ("a.plato", HOLDS)]);
    folder.write("classes/lib/Box.class", &library());
    folder.write("box.jar", &jar(&[("lib/Box.class", &library())]));
    folder.write("jdk/lib/modules", &image(&[("lib/Box", library())]));
    folder
}

const UNKNOWN: &str = "warning[unresolved-type]";

fn is_known(outcome: Outcome) {
    outcome.exits(0).prints_no(UNKNOWN);
}

#[test]
fn class_files_are_found() {
    let folder = folder("library_found");
    let check = |words: &[&str]| folder.rely(&[&["check", "A.java"], words].concat());
    check(&["--jdk", "none"]).prints(UNKNOWN);
    is_known(check(&["--jdk", "none", "--classpath", "classes"]));
    is_known(check(&["--jdk", "none", "--classpath", "box.jar"]));
    is_known(check(&["--jdk", "jdk"]));
    is_known(check(&["--jdk", "jdk/lib/modules"]));
    let both = std::env::join_paths(["jdk", "classes"]).expect("a path");
    let both = both.to_str().expect("text");
    is_known(check(&["--jdk", "none", "--classpath", both]));
    let dumped = folder.rely(&["dump", "--stage", "plato", "--jdk", "jdk", "A.java"]);
    dumped.exits(0);
    let words = ["check", "A.java"];
    is_known(folder.run(&words, "", &[("JAVA_HOME", "jdk")]));
    // Neither a JDK where it is said to be, nor a `java` to run.
    let nothing = [("JAVA_HOME", "nowhere"), ("PATH", "nowhere")];
    folder.run(&words, "", &nothing).prints(UNKNOWN);
}

#[test]
fn wrong_paths_are_told() {
    let folder = folder("library_wrong");
    let check = |words: &[&str]| folder.rely(&[&["check"], words].concat());
    check(&["--jdk", "nowhere", "A.java"]).exits(2).complains("no file lib/modules");
    check(&["--jdk", "box.jar", "A.java"]).exits(2).complains("no image of a JDK");
    let cut = image(&[("lib/Box", library())]);
    folder.write("cut/lib/modules", &cut[..60]);
    check(&["--jdk", "cut", "A.java"]).exits(2).complains("ends too early");
    check(&["--classpath", "nowhere", "A.java"]).exits(2).complains("--classpath nowhere");
    check(&["--classpath", "a.plato", "A.java"]).exits(2).complains("not a jar");
    check(&["--jdk", "none", "a.plato"]).exits(2).complains("--jdk is for Java");
    check(&["--classpath", "classes", "a.plato"]).exits(2).complains("--classpath is for Java");
}

#[test]
fn wrong_class_files_are_told() {
    let folder = folder("library_garbled");
    folder.write("classes/lib/Box.class", &library()[..30]);
    let outcome = folder.rely(&["check", "--jdk", "none", "--classpath", "classes", "A.java"]);
    outcome.prints(UNKNOWN).prints("there is a class file, but it ends too early");
}
