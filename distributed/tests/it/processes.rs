//! Several processes on this machine, through the program as users call it.

use crate::{FAULTY, simple};
use distributed::Subject;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A folder that is removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The answers of all processes, the first one first.
fn processes(folder: &Folder, texts: &[&str], workers: usize) -> Vec<Output> {
    let count = texts.len();
    // Free ports; all are held until all are chosen.
    let ports: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let lines = ports.iter().map(|port| format!("{}\n", port.local_addr().unwrap()));
    let hosts = folder.write("hosts", &lines.collect::<String>());
    drop(ports);
    let start = |index: usize| -> Child {
        let program = folder.write(&format!("program{index}.plato"), texts[index]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rely-distributed"));
        command.arg(&program).args(["-w", &workers.to_string(), "-n", &count.to_string()]);
        command.args(["-p", &index.to_string(), "-h"]).arg(&hosts);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<Child> = (0..count).map(start).collect();
    running.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

fn check(name: &str, text: &str, count: usize, workers: usize) {
    let folder = Folder::new(name);
    let expected = Subject::new(name, text).unwrap().built_in();
    let answers = processes(&folder, &vec![text; count], workers);
    let printed = String::from_utf8_lossy(&answers[0].stdout).into_owned();
    let complaints = String::from_utf8_lossy(&answers[0].stderr).into_owned();
    // While it waits for the others, `timely` may print that first.
    assert!(printed.ends_with(&format!("{expected}\n")), "{printed}{complaints}");
    assert_eq!(answers[0].status.code(), Some(if expected.is_proof() { 0 } else { 5 }));
    for other in &answers[1..] {
        assert!(other.status.success(), "{other:?}");
        assert!(!String::from_utf8_lossy(&other.stdout).contains("facts"), "{other:?}");
    }
}

#[test]
fn two_processes() {
    check("two-simple", &simple(40), 2, 1);
    check("two-faulty", FAULTY, 2, 1);
}

#[test]
fn three_processes_of_two_workers() {
    check("three-simple", &simple(70), 3, 2);
}

#[test]
fn different_programs_prove_nothing() {
    let folder = Folder::new("different");
    let (one, other) = (simple(3), simple(3).replace("x > 0", "x == 0"));
    let answers = processes(&folder, &[&one, &other], 1);
    let printed = String::from_utf8_lossy(&answers[0].stdout).into_owned();
    assert!(printed.contains("not all processes were given the same program"), "{printed}");
    assert_eq!(answers[0].status.code(), Some(5));
}
