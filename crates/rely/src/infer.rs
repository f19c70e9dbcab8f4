//! `rely infer`.

use crate::arguments::InferArguments;
use crate::{inputs, output, solver};
use driver::{Engine, Options};
use verdict::Limits;

pub(crate) fn infer(arguments: &InferArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read(std::slice::from_ref(&arguments.path));
    let Some(input) = inputs.texts.first() else {
        let lines = inputs.unreadable.join(", ");
        output::error(&format!("error: cannot read {lines}"));
        return Ok(3);
    };
    let solver = solver::find()?;
    let options = Options {
        solver_name: solver.version.clone(),
        solver,
        limits: Limits::default(),
        jobs: 1,
        unroll: None,
        only: Vec::new(),
        definitions: arguments.definitions.clone(),
        memory: None,
        hygiene: false,
        engine: Engine::Auto,
        states: 20_000_000,
        one_cluster: false,
        environment_steps: 1,
    };
    let inferred = match driver::infer(input, &options) {
        Ok(inferred) => inferred,
        Err(why) => {
            output::error(&format!("error: {why}"));
            return Ok(5);
        }
    };
    let lines = inferred.items.iter().fold(String::new(), |lines, item| lines + item + "\n");
    output::result(&lines);
    if arguments.write && arguments.path.is_file() {
        std::fs::write(&arguments.path, &inferred.text)?;
    }
    if inferred.suffices() {
        output::result("// deduction from these proves the program\n");
        return Ok(0);
    }
    output::result("// they hold, but deduction needs more than these to prove the program\n");
    Ok(5)
}
