//! The constructs of C.

use super::{Grammar, check};
use driver::{Input, Language, Options, Status};
use testkit::find_solver;

#[test]
fn no_engine_proves_wrong_c() {
    check(&Grammar {
        language: Language::C,
        constructs: c::constructs(),
        exempt: &[
            ("ExprKind::Binary", "each operator has a program"),
            ("Type::Atomic", "is only in names of types, which are not in the tree"),
        ],
        table: include_str!("c.txt"),
        shown: |text| c::tree(source::SourceMap::default().add("program", text), text),
    });
}

/// The arguments of a call that is skipped still have their effects.
#[test]
fn arguments_of_functions_that_are_passed_over_are_evaluated() {
    let wrong = |name: &str| Input {
        name: format!("{name}.c"),
        text: format!("int x; int main(void) {{ {name}(x = 1); assert(x == 0); }}"),
    };
    let inputs: Vec<Input> =
        c::passed_over().chain(["exit", "abort", "reach_error"]).map(wrong).collect();
    let run = driver::check(&inputs, &Options::new(find_solver()), &|_| {});
    for (input, file) in inputs.iter().zip(&run.files) {
        // In a run that ends, the assertion does not fail.
        let ends = input.name == "exit.c";
        assert_eq!(file.status == Status::Proved, ends, "{}", input.name);
    }
}
