//! `rely doctor`: which versions are in use, and does the whole chain work?

use crate::{output, solver};
use driver::{Engine, Input, Options, Status};

const HOLDS: &str =
    "var x: int = 0;\nthread T rely x' == x { x := 1; assert x == 1; }\nthread U { skip; }\n";
const FAILS: &str =
    "var x: int = 0;\nthread T rely x' >= x { x := 1; assert x == 1; }\nthread U { skip; }\n";

pub(crate) fn doctor() -> u8 {
    output::result(&format!("rely {}\n", env!("CARGO_PKG_VERSION")));
    let solver = match solver::find() {
        Ok(solver) => solver,
        Err(error) => {
            output::result(&format!("solver: none\n{error:#}\n"));
            return 2;
        }
    };
    let name = match solver.identify() {
        Ok(name) => name,
        Err(error) => {
            output::result(&format!("solver: {}: {error}\n", solver.program.display()));
            return 2;
        }
    };
    output::result(&format!("solver: {name} at {}\n", solver.program.display()));
    let options =
        Options { solver_name: name, engine: Engine::Deductive, states: 0, ..Options::new(solver) };
    let mut healthy = true;
    for (text, expected, what) in [
        (HOLDS, Status::Proved, "proves what holds"),
        (FAILS, Status::Refuted, "refutes what does not"),
    ] {
        let input = Input { name: "self-test".to_owned(), text: text.to_owned() };
        let run = driver::check(&[input], &options, &|_| {});
        let good = run.files[0].status == expected;
        healthy &= good;
        output::result(&format!("self-test: {what}: {}\n", if good { "ok" } else { "FAILED" }));
    }
    if healthy { 0 } else { 101 }
}
