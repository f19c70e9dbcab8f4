//! `rely doctor`: which versions are in use, and does the whole chain work?

use crate::environment::variable;
use crate::{output, solver};
use driver::{Engine, Input, Options, Status};

const HOLDS: &str =
    "var x: int = 0;\nthread T rely x' == x { x := 1; assert x == 1; }\nthread U { skip; }\n";
const FAILS: &str =
    "var x: int = 0;\nthread T rely x' >= x { x := 1; assert x == 1; }\nthread U { skip; }\n";

pub(crate) fn doctor(fix: bool) -> anyhow::Result<u8> {
    output::result(&format!("rely {}\n", env!("CARGO_PKG_VERSION")));
    if fix && solver::find().is_err() {
        mend()?;
    }
    let solver = match solver::find() {
        Ok(solver) => solver,
        Err(error) => {
            output::result(&format!("solver: none\n{error:#}\n"));
            return Ok(2);
        }
    };
    let name = match solver.identify() {
        Ok(name) => name,
        Err(error) => {
            output::result(&format!("solver: {}: {error}\n", solver.program.display()));
            return Ok(2);
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
    Ok(if healthy { 0 } else { 101 })
}

/// Fetches a solver where there is none. One that the user named is the user's.
fn mend() -> anyhow::Result<()> {
    if variable("RELY_Z3").is_some() {
        anyhow::bail!(
            "RELY_Z3 does not name a solver; unset it, and `rely doctor --fix` finds one"
        );
    }
    let place = solver::fetch(&|line| output::error(line))?;
    output::result(&format!("fetched: {}\n", place.display()));
    Ok(())
}
