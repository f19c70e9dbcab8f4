//! `rely infer`.

use crate::arguments::InferArguments;
use crate::{inputs, output, solver};
use driver::Options;

pub(crate) fn infer(arguments: &InferArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read(std::slice::from_ref(&arguments.path));
    let Some(input) = inputs.texts.first() else {
        let lines = inputs.unreadable.join(", ");
        output::error(&format!("error: cannot read {lines}"));
        return Ok(3);
    };
    let definitions = arguments.definitions.clone();
    let options = Options { definitions, hygiene: false, ..Options::new(solver::find()?) };
    let inferred = match driver::infer(input, &options) {
        Ok(inferred) => inferred,
        Err(why) => {
            output::error(&format!("error: {why}"));
            return Ok(5);
        }
    };
    let lines = inferred.items().fold(String::new(), |lines, item| lines + &item + "\n");
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
