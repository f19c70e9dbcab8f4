//! `rely dump`.

use crate::arguments::{DumpArguments, StageName};
use crate::{inputs, output};
use diagnostic::{Style, render};
use driver::Stage;
use source::SourceMap;

pub(crate) fn dump(arguments: &DumpArguments) -> u8 {
    let inputs = inputs::read(std::slice::from_ref(&arguments.path));
    if let Some(line) = inputs.unreadable.first() {
        output::error(&format!("error: cannot read {line}"));
        return 3;
    }
    let stage = match arguments.stage {
        StageName::Plato => Stage::Plato,
        StageName::Gcl => Stage::Gcl,
        StageName::Passive => Stage::Passive,
        StageName::Vc | StageName::Smt => Stage::Smt,
        StageName::Promela => Stage::Promela,
    };
    let mut sources = SourceMap::default();
    let mut code = 0;
    for input in inputs.texts {
        let file = sources.add(input.name.as_str(), input.text.as_str());
        match driver::dump(file, &input, &arguments.definitions, stage) {
            Ok(text) => output::result(&text),
            Err(diagnostics) => {
                code = 3;
                for diagnostic in &diagnostics {
                    output::error(&render(diagnostic, "", &sources, Style::Plain));
                }
            }
        }
    }
    code
}
