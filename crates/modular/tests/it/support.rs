//! What all tests call.

use modular::{Options, Owner, Task, conjuncts, facts, procedure_task, thread_task};
use plato::hir::{ProcId, Program, ThreadId};
use source::FileId;

/// That the thread called `T` is another one than the thread whose rely is checked, in programs
/// with two single threads of which `T` is the first.
pub(crate) const OTHER: &str = "(and (<= 1 |other thread@|) (<= |other thread@| 2) \
                                (not (= |other thread@| 1)))";

/// The same for procedures, which any thread may run.
pub(crate) const OTHER_THAN_THIS: &str = "(and (<= 1 |other thread@|) (<= |other thread@| 2) \
                                          (not (= |other thread@| |this thread@|)))";

/// Compares the commands of the first thread with those expected.
pub(crate) fn check_thread(input: &str, expected: &[&str]) {
    assert_commands(&first_thread(&program(input), &Options::default()), expected);
}

/// Compares the commands of the first procedure with those expected.
pub(crate) fn check_procedure(input: &str, expected: &[&str]) {
    let (program, id) = (program(input), ProcId(0));
    let relies = conjuncts(&program, &Owner::of_procedure(&program, id));
    let task = procedure_task(&program, &facts(&program), id, &relies, &Options::default());
    assert_commands(&task, expected);
}

/// The task of the first thread.
pub(crate) fn first_thread(program: &Program, options: &Options) -> Task {
    thread(program, ThreadId(0), options)
}

/// The task of a thread that relies on all that is written.
pub(crate) fn thread(program: &Program, id: ThreadId, options: &Options) -> Task {
    let relies = conjuncts(program, &Owner::Thread(id));
    thread_task(program, &facts(program), id, &relies, options)
}

/// The typed program; it has no fault.
pub(crate) fn program(input: &str) -> Program {
    let (file, faults) = plato::parse(FileId(0), input);
    assert!(faults.is_empty(), "{faults:?}");
    let resolved = plato::resolve(&file, &[]);
    assert!(resolved.diagnostics.is_empty(), "{:?}", resolved.diagnostics);
    resolved.program
}

/// Compares line by line; how deep lines are indented does not matter.
pub(crate) fn assert_commands(task: &Task, expected: &[&str]) {
    let found = commands(task);
    assert!(
        found == expected,
        "expected:\n  {}\nfound:\n  {}",
        expected.join("\n  "),
        found.join("\n  ")
    );
}

/// The commands, without declarations, marks and covers, which change no run. Checks name the codes
/// of their obligations.
pub(crate) fn commands(task: &Task) -> Vec<String> {
    let left_out = ["var ", "background ", "mark ", "cover "];
    let text = gcl::dump_body(&task.terms, &task.body);
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !left_out.iter().any(|start| line.starts_with(start)));
    lines.map(|line| with_code(task, line)).collect()
}

/// `assert #3 ..` is `assert invariant-broken ..`, if obligation 3 is about that.
fn with_code(task: &Task, line: &str) -> String {
    let Some(rest) = line.strip_prefix("assert #") else { return line.to_owned() };
    let (number, rest) = rest.split_once(' ').expect("a number and a formula");
    let number: usize = number.parse().expect("a number");
    format!("assert {} {rest}", task.obligations[number].code)
}
