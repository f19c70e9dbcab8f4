//! `rely generate`.

use crate::arguments::{Colour, GenerateArguments};
use crate::{inputs, output, solver};
use diagnostic::Style;
use driver::{Options, Policy};

pub(crate) fn generate(arguments: &GenerateArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read_one(&arguments.path);
    let [input] = inputs.texts.as_slice() else {
        let found = if inputs.unreadable.is_empty() {
            "one design is needed".to_owned()
        } else {
            format!("cannot read {}", inputs.unreadable.join(", "))
        };
        output::error(&format!("error: {found}"));
        return Ok(3);
    };
    // The middleware negotiates by this policy. Designs need no solver.
    let options = Options {
        definitions: arguments.definitions.clone(),
        policy: Some(Policy::Aon),
        ..Options::new(solver::missing())
    };
    let text = match driver::generate(input, &options) {
        Ok(text) => text,
        Err(why) => {
            output::error(&format!("error: there is no program: {why}"));
            return Ok(3);
        }
    };
    let run = driver::check(&inputs.texts, &options, &|_| {});
    if run.exit_code() != 0 {
        let style = if output::wants_colour(Colour::Auto) { Style::Colour } else { Style::Plain };
        output::error(&report::text(&run, style, output::width()));
        output::error("error: there is no program: the design is not proved");
        return Ok(run.exit_code());
    }
    match &arguments.output {
        Some(path) => std::fs::write(path, text)?,
        None => output::result(&text),
    }
    Ok(0)
}
