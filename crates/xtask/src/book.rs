//! The documentation as a book. The tests check the programs in it; this lays it out.

use crate::checkout::Checkout;
use crate::command::{cargo, output, step};
use std::process::Command;

/// The tool that lays books out, from crates.io.
const VERSION: &str = "0.5.4";

/// Makes `target/book`.
pub(crate) fn book(checkout: &Checkout) -> anyhow::Result<()> {
    let tools = checkout.target.join("mdbook");
    let own = tools.join("bin").join("mdbook");
    let known = |program: &str| output(program, &["--version"]).is_some();
    let own = own.to_string_lossy().into_owned();
    let program = if known("mdbook") { "mdbook" } else { own.as_str() };
    if !known(program) {
        // Without what serves and watches a book, which is most of it.
        let install =
            ["install", "mdbook", "--version", VERSION, "--locked", "--no-default-features"];
        step(cargo(&install).args(["--features", "search", "--root"]).arg(&tools))?;
    }
    step(Command::new(program).arg("build").current_dir(&checkout.root))?;
    println!("{}", checkout.target.join("book").join("index.html").display());
    Ok(())
}
