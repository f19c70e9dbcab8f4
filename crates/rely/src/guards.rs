//! `rely infer` of programs in Java: the locks of fields that nobody wrote down.

use crate::arguments::InferArguments;
use crate::inputs::Inputs;
use crate::{library, output, solver};
use diagnostic::Style;
use driver::{Guards, Options};
use std::fmt::Write as _;
use std::path::Path;

pub(crate) fn infer(arguments: &InferArguments, inputs: &Inputs) -> anyhow::Result<u8> {
    if !arguments.definitions.is_empty() || arguments.infer_budget.is_some() {
        anyhow::bail!("-D and --infer-budget mean nothing for Java");
    }
    for line in &inputs.unreadable {
        output::error(&format!("error: cannot read {line}"));
    }
    let library = library::open(&arguments.library, &inputs.texts)?;
    let options = Options { hygiene: false, library, ..Options::new(solver::find()?) };
    let read = driver::Texts::read(&inputs.texts, &options).told();
    if read.exit_code() == 3 {
        output::error(&report::text(&read, Style::Plain, output::width()));
    }
    // A text that was not read may access any field.
    if read.exit_code() == 3 || !inputs.unreadable.is_empty() {
        return Ok(3);
    }
    let found = match driver::guards(&inputs.texts, &options) {
        Ok(found) => found,
        Err(why) => {
            output::error(&format!("error: {why}"));
            return Ok(5);
        }
    };
    output::result(&told(&found));
    let mut written = 0;
    for (before, after) in inputs.texts.iter().zip(&found.written) {
        if arguments.write && before.text != after.text && arguments.path.as_os_str() != "-" {
            let name = &after.name;
            anyhow::ensure!(
                Path::new(name).is_file(),
                "{name} is not written: it has another name"
            );
            std::fs::write(name, &after.text)?;
            output::result(&format!("// written to {}\n", after.name));
            written += 1;
        }
    }
    if arguments.write && written == 0 {
        output::result("// nothing was written\n");
    }
    let all_proved = found.guards.iter().all(|guard| guard.is_proved);
    Ok(match found.run.exit_code() {
        0 if !all_proved => 5,
        code => code,
    })
}

/// What was found, in the order of the text.
fn told(found: &Guards) -> String {
    let mut text = String::new();
    for guard in &found.guards {
        let (line, _) = found.run.sources.line_column(guard.span);
        let name = &found.run.sources.file(guard.span.file).name;
        let annotation = format!("@GuardedBy(\"{}\")", guard.lock);
        let note = match (guard.is_proved, guard.is_writable) {
            (true, true) => "",
            (true, false) => "   // there is no line of its own for it: write it by hand",
            (false, _) => "   // most accesses hold it; of all of them that is not proved",
        };
        let _ = writeln!(text, "{name}:{line}: {annotation} {}{note}", guard.field);
    }
    if found.guards.is_empty() {
        text += "// no field has a lock that is not written already\n";
    } else if found.guards.iter().all(|guard| guard.is_proved) {
        text += "// each access of these fields holds the lock: that is proved\n";
    }
    text
}
