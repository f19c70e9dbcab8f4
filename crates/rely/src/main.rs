//! The command line: reads files, finds the solver, prints results. Everything else is in the
//! libraries.

mod arguments;
mod baseline;
mod cache;
mod certificate;
mod check;
mod doctor;
mod dump;
mod environment;
mod explain;
mod fingerprint;
mod generate;
mod guards;
mod infer;
mod inputs;
mod interruption;
mod library;
mod lsp;
mod man;
mod memory;
mod output;
mod programs;
mod progress;
mod project;
mod results;
mod solver;
mod watch;

use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Whoever asks for a backtrace gets one; anybody else a message at the end.
    if environment::variable("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let arguments = Arguments::parse();
    match std::panic::catch_unwind(|| run(arguments)) {
        Ok(Ok(_)) if output::is_lost() => ExitCode::from(101),
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => {
            output::error(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
        Err(_) => {
            output::error("internal error: Rely itself failed; please report this with the input");
            ExitCode::from(101)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<u8> {
    match arguments.command {
        Command::Check(arguments) => check::check(&arguments),
        Command::Watch(arguments) => watch::watch(&arguments),
        Command::Init => project::init(),
        Command::New { folder } => project::new(&folder),
        Command::Infer(arguments) => infer::infer(&arguments),
        Command::Certificate(arguments) => certificate::certificate(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Explain { code } => explain::explain(code.as_deref()),
        Command::Lsp(arguments) => lsp::lsp(arguments),
        Command::Dump(arguments) => dump::dump(&arguments),
        Command::Cache { clear } => cache::cache(clear),
        Command::Doctor { fix } => doctor::doctor(fix),
        Command::Man { all } => man::man(all.as_deref()),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "rely", &mut text);
            output::result(&String::from_utf8_lossy(&text));
            Ok(0)
        }
    }
}
