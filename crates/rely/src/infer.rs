//! `rely infer`.

use crate::arguments::{Colour, InferArguments};
use crate::check::infer_budget;
use crate::{guards, inputs, output, solver};
use diagnostic::Style;
use driver::{FileReport, Inferred, Language, NotInferred, Options, Status};
use std::fmt::Write as _;
use verdict::{Confirmation, Obligation, Verdict};

pub(crate) fn infer(arguments: &InferArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read_one(&arguments.path);
    let Some(input) = inputs.texts.first() else {
        let lines = inputs.unreadable.join(", ");
        output::error(&format!("error: cannot read {lines}"));
        return Ok(3);
    };
    if inputs.texts.iter().all(|input| Language::of(&input.name) == Language::Java) {
        return guards::infer(arguments, &inputs);
    }
    if inputs.texts.len() > 1 {
        anyhow::bail!("annotations are looked for in one file at a time, but for Java");
    }
    let infer = Some(infer_budget(arguments.infer_budget));
    let definitions = arguments.definitions.clone();
    let options = Options { definitions, infer, hygiene: false, ..Options::new(solver::find()?) };
    let inferred = match driver::infer(input, &options) {
        Ok(inferred) => inferred,
        Err(NotInferred::Rejected(run)) => {
            let style =
                if output::wants_colour(Colour::Auto) { Style::Colour } else { Style::Plain };
            output::error(&report::text(&run, style, output::width()));
            return Ok(run.exit_code());
        }
        Err(NotInferred::Other(why)) => {
            output::error(&format!("error: {why}"));
            return Ok(5);
        }
    };
    output::result(&found(&inferred));
    if inferred.suffices() {
        if arguments.write && arguments.path.is_file() {
            std::fs::write(&arguments.path, &inferred.text)?;
            output::result(&format!("// written to {}\n", arguments.path.display()));
        }
        return Ok(0);
    }
    let is_refuted = inferred.run.files.iter().any(|file| file.status == Status::Refuted);
    Ok(if is_refuted { 1 } else { 5 })
}

/// What was found and what it is for, as a text that can be pasted into the program.
fn found(inferred: &Inferred) -> String {
    let mut text = String::new();
    for (item, needed_for) in &inferred.formulas {
        let why =
            needed_for.as_ref().map(|open| format!("   // without it: {}", place(inferred, open)));
        let _ = writeln!(text, "{item}{}", why.unwrap_or_default());
    }
    if inferred.suffices() {
        text += match (inferred.formulas.len(), inferred.is_minimal) {
            (0, _) => "// the program is proved as it is\n",
            (_, true) => "// with these the program is proved, and each is needed\n",
            (_, false) => {
                "// with these the program is proved; perhaps not all of them are needed\n"
            }
        };
        return text;
    }
    if inferred.run.files.iter().any(is_wrong) {
        text +=
            "// these hold, and a real run goes wrong: `rely check` shows it. Open with them:\n";
    } else {
        text += "// these hold, and are not enough. Open with them:\n";
    }
    for open in &inferred.open {
        let _ = writeln!(text, "// {}", place(inferred, open));
    }
    for why in &inferred.why {
        let _ = writeln!(text, "//   {why}");
    }
    text
}

/// Whether a real run goes wrong.
fn is_wrong(report: &FileReport) -> bool {
    report.results.iter().any(|result| match &result.verdict {
        Verdict::Refuted(trace) => trace.confirmation == Confirmation::Confirmed,
        Verdict::Proved(_) | Verdict::Unknown(_) => false,
    })
}

fn place(inferred: &Inferred, open: &Obligation) -> String {
    let (line, _) = inferred.sources.line_column(open.span);
    format!("line {line}: {}", open.failed)
}
