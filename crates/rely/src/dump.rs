//! `rely dump`.

use crate::arguments::{DumpArguments, StageName};
use crate::{inputs, library, output};
use diagnostic::{Style, render};
use driver::{Given, Input, Stage};
use source::SourceMap;

pub(crate) fn dump(arguments: &DumpArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read_one(&arguments.path);
    if let Some(line) = inputs.unreadable.first() {
        output::error(&format!("error: cannot read {line}"));
        return Ok(3);
    }
    let stage = match arguments.stage {
        StageName::Plato => Stage::Plato,
        StageName::Gcl => Stage::Gcl,
        StageName::Passive => Stage::Passive,
        StageName::Vc | StageName::Smt => Stage::Smt,
        StageName::Promela => Stage::Promela,
    };
    let choices = library::choices(&arguments.library);
    let told = |input: &Input| driver::unsuitable(&input.name, &choices).into_iter().next();
    if let Some(told) = inputs.texts.iter().find_map(told) {
        anyhow::bail!(told);
    }
    let library = library::open(&arguments.library, &inputs.texts)?;
    let given = Given { definitions: &arguments.definitions, library: &*library };
    let mut sources = SourceMap::default();
    let mut code = 0;
    for input in inputs.texts {
        let file = sources.add(input.name.as_str(), input.text.as_str());
        match driver::dump(file, &input, given, stage) {
            Ok(text) => output::result(&text),
            Err(diagnostics) => {
                code = 3;
                for diagnostic in &diagnostics {
                    output::error(&render(diagnostic, "", &sources, Style::Plain));
                }
            }
        }
    }
    Ok(code)
}
