//! What can be asked for on the command line.

use crate::inputs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::PathBuf;

/// Verifies multithreaded programs one thread at a time.
#[derive(Debug, Parser)]
#[command(name = "rely", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verify programs.
    ///
    /// Exit codes: 0 all proved; 1 something refuted; 2 usage; 3 input rejected; 4 nothing to
    /// verify; 5 only unknowns left; 101 internal error.
    Check(CheckArguments),
    /// Verify programs again whenever one of them changes.
    Watch(CheckArguments),
    /// Write a rely.toml with everything that it can say.
    Init,
    /// Make a folder with a project and a first program.
    New {
        /// The folder.
        folder: PathBuf,
    },
    /// Find relies, invariants and loop invariants that are missing, and say what each is for.
    ///
    /// Exit codes: 0 what was found proves the program; 1 a run goes wrong; 2 usage; 3 input
    /// rejected; 5 what was found is not enough.
    Infer(InferArguments),
    /// Print what a search claims of a finite program, as a proof that can be checked without
    /// searching; or check one.
    ///
    /// Exit codes: 0 written, or right; 1 wrong; 2 usage; 3 input or certificate rejected; 5 there
    /// is none.
    Certificate(CertificateArguments),
    /// Write a Rust program that runs a design with synchronization contracts on the middleware, if
    /// the design is proved.
    ///
    /// Exit codes: 0 written; 1 the design is refuted; 2 usage; 3 input rejected; 5 the design is
    /// not proved.
    Generate(GenerateArguments),
    /// Say what a diagnostic code means, with an example and its repair.
    Explain {
        /// The code, for example rely-violated; without it, all codes are listed.
        code: Option<String>,
    },
    /// Answer an editor over standard input and output, by the Language Server Protocol.
    Lsp(LspArguments),
    /// Print a stage of the translation.
    Dump(DumpArguments),
    /// Say where answers of earlier runs are kept, and how many.
    Cache {
        /// Forget all of them.
        #[arg(long)]
        clear: bool,
    },
    /// Say which solver is used and test it.
    ///
    /// Exit codes: 0 all is well; 2 there is no solver; 101 the self-test failed.
    Doctor {
        /// If no solver is found, fetch the pinned one through pip, for this user alone.
        #[arg(long)]
        fix: bool,
    },
    /// Print the manual page, or write those of all commands.
    Man {
        /// Write a page for each command into this folder.
        #[arg(long, value_name = "FOLDER")]
        all: Option<PathBuf>,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Files, folders (searched for files of all languages), or - for standard input. Without any,
    /// what rely.toml says.
    pub(crate) paths: Vec<PathBuf>,
    /// Do not use rely.toml of this folder or one above.
    #[arg(long)]
    pub(crate) no_project: bool,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Write the results to this file instead of printing them; a summary is printed.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Findings in this file do not count for the exit code.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write what is found to this file, so that it does not count in later runs.
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// The name that standard input has in messages; its ending says the language.
    #[arg(long, value_name = "NAME", default_value = inputs::STANDARD_INPUT)]
    pub(crate) stdin_name: String,
    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Print one line per file and no diagnostics.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Give a constant another value: -D N=5.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) definitions: Vec<(String, String)>,
    /// How many solvers may run at once [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Seconds a single query may take before its solver is stopped [default: 30].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Seconds the whole run may take; what is not decided then is unknown.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time_limit: Option<u64>,
    /// Memory that Rely, and each of its solvers, may use [default: a share of what is free, at
    /// most 4096].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(64..))]
    pub(crate) memory: Option<u32>,
    /// Follow each loop N times instead of using its invariant; never says proved.
    #[arg(long, value_name = "N")]
    pub(crate) unroll: Option<u32>,
    /// Check only the threads and procedures of this name; of Chalice programs, the methods,
    /// classes and so on (may be repeated).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// How to decide: by deduction from relies and specifications, or by a search of states.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineName>,
    /// How many states a search may visit [default: 20000000].
    #[arg(long, value_name = "N")]
    pub(crate) states: Option<u64>,
    /// Check designs with synchronization contracts under this policy only.
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) policy: Option<PolicyName>,
    /// Ask everything anew instead of using answers of earlier runs.
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Do not look for specifications that say less than they seem to.
    #[arg(long)]
    pub(crate) no_hygiene: bool,
    /// For Plato: whether to look for relies and invariants that are missing.
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(crate) infer: Option<InferWhen>,
    /// The same as `--infer never`.
    #[arg(long, conflicts_with = "infer")]
    pub(crate) no_infer: bool,
    /// Seconds that looking for what is missing may take [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) infer_budget: Option<u64>,
    /// For Java: what is taken for granted, such as what a library does, leaves a method undecided.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Let other threads act on all variables before every step, instead of where it matters.
    #[arg(long)]
    pub(crate) one_cluster: bool,
    /// Let other threads take N steps in a row where one stands for any number (for testing).
    #[arg(long, value_name = "N", default_value_t = 1, hide = true)]
    pub(crate) environment_steps: usize,
    /// Say what was shown about each thread and procedure, and what follows from all of it.
    #[arg(long)]
    pub(crate) proof: bool,
    #[command(flatten)]
    pub(crate) library: LibraryArguments,
}

/// Where types of Java come from that neither the inputs nor Rely declare.
#[derive(Debug, Args)]
pub(crate) struct LibraryArguments {
    /// For Java: the JDK whose classes are known. `auto` is that of `JAVA_HOME`, else that of the
    /// `java` which would be run, if there is one; `none` is none.
    #[arg(long, value_name = "auto|none|PATH")]
    pub(crate) jdk: Option<OsString>,
    /// For Java: folders and jars with class files of libraries, separated as in `PATH`.
    #[arg(long, value_name = "PATHS")]
    pub(crate) classpath: Option<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct LspArguments {
    /// What many editors add; there is no other way to talk.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
    #[command(flatten)]
    pub(crate) library: LibraryArguments,
}

#[derive(Debug, Args)]
pub(crate) struct InferArguments {
    /// The file, or - for standard input; for Java, also a folder.
    pub(crate) path: PathBuf,
    /// Write what was found into the file: relies and invariants before its first thread,
    /// procedure or module, loop invariants at their loops; in Java, the locks of fields before
    /// their declarations.
    #[arg(long)]
    pub(crate) write: bool,
    /// Seconds that it may take [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) infer_budget: Option<u64>,
    #[command(flatten)]
    pub(crate) library: LibraryArguments,
    /// Give a constant another value: -D N=5.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) definitions: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(crate) struct CertificateArguments {
    /// The file, or - for standard input.
    pub(crate) path: PathBuf,
    /// Write the certificate to this file instead of printing it.
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) output: Option<PathBuf>,
    /// Check the certificate in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
    /// Give a constant another value: -D N=5.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) definitions: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    /// The design, or - for standard input.
    pub(crate) path: PathBuf,
    /// Write the program to this file instead of printing it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Give a parameter another value: -D n=5.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) definitions: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(crate) struct DumpArguments {
    /// The file, or - for standard input.
    pub(crate) path: PathBuf,
    /// Which stage.
    #[arg(long, value_enum)]
    pub(crate) stage: StageName,
    #[command(flatten)]
    pub(crate) library: LibraryArguments,
    /// Give a constant another value: -D N=5.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) definitions: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EngineName {
    /// Deduction if relies or specifications are written or the program is not finite, else
    /// searches.
    Auto,
    /// Deduction from what is written.
    Deductive,
    /// A search of each thread alone; the relies are computed.
    ThreadModular,
    /// The same with sets of states as decision diagrams.
    Symbolic,
    /// A search of pairs of threads.
    Pairs,
    /// A search of each thread alone, for recursive procedures.
    Pushdown,
    /// A search of every interleaving.
    Explore,
}

impl From<EngineName> for driver::Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Auto => Self::Auto,
            EngineName::Deductive => Self::Deductive,
            EngineName::ThreadModular => Self::ThreadModular,
            EngineName::Symbolic => Self::Symbolic,
            EngineName::Pairs => Self::Pairs,
            EngineName::Pushdown => Self::Pushdown,
            EngineName::Explore => Self::Explore,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyName {
    /// Units are acquired one by one, in any order.
    Unit,
    /// One by one, in the order of declaration.
    Declared,
    /// One by one, in one order of all units.
    Ranked,
    /// All free units that a thread needs, at once.
    Thread,
    /// Free units go at once to threads that need them.
    Saturate,
    /// Free units go at once to the first thread in their queue.
    Fifo,
    /// All units that a thread needs, or none.
    Aon,
}

impl From<PolicyName> for driver::Policy {
    fn from(name: PolicyName) -> Self {
        match name {
            PolicyName::Unit => Self::Unit,
            PolicyName::Declared => Self::Declared,
            PolicyName::Ranked => Self::Ranked,
            PolicyName::Thread => Self::Thread,
            PolicyName::Saturate => Self::Saturate,
            PolicyName::Fifo => Self::Fifo,
            PolicyName::Aon => Self::Aon,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum InferWhen {
    /// Where what is written does not suffice.
    Auto,
    /// Never: all that a proof needs has to be written.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// SARIF 2.1.0, for services that show findings beside the code.
    Sarif,
    /// `JUnit` XML: a test case for each task.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Checkstyle XML.
    Checkstyle,
    /// One page for a browser, with everything in it; with `--output`.
    Html,
    /// Runs of designs as sequence diagrams in text, for `PlantUML`.
    Sequence,
    /// Runs of designs as a picture.
    Svg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal that has colours, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StageName {
    /// The program, printed.
    Plato,
    /// Guarded commands.
    Gcl,
    /// Passive form.
    Passive,
    /// Verification conditions.
    Vc,
    /// The solver script; the same as vc.
    Smt,
    /// A model for SPIN; for finite programs with a known number of threads.
    Promela,
}

fn definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
