//! Writes the results of a check in the form that was asked for.

use crate::arguments::{CheckArguments, Format};
use crate::{explain, output};
use anyhow::Context as _;
use diagnostic::Style;
use driver::Run;

/// Prints the results, or writes them to a file and prints a summary.
pub(crate) fn write(arguments: &CheckArguments, run: &Run) -> anyhow::Result<()> {
    let Some(path) = &arguments.output else {
        output::result(&text(arguments, run, output::wants_colour(arguments.color)));
        return Ok(());
    };
    std::fs::write(path, text(arguments, run, false))
        .with_context(|| format!("cannot write {}", path.display()))?;
    output::result(&report::quiet(run));
    Ok(())
}

fn text(arguments: &CheckArguments, run: &Run, is_coloured: bool) -> String {
    let style = if is_coloured { Style::Colour } else { Style::Plain };
    let width = if arguments.output.is_some() { usize::MAX } else { output::width() };
    let proof = || if arguments.proof { report::proof(run) } else { String::new() };
    match arguments.format {
        Format::Text if arguments.quiet => report::quiet(run) + &proof(),
        Format::Text => report::text(run, style, width) + &proof(),
        Format::Json => report::json(run),
        Format::Sarif => report::sarif(run, env!("CARGO_PKG_VERSION"), &explain::page),
        Format::Junit => report::junit(run),
        Format::Github => report::github(run),
        Format::Html => report::html(run),
        Format::Checkstyle => report::checkstyle(run),
        Format::Sequence => report::sequence(run),
        Format::Svg => report::svg(run),
    }
}
