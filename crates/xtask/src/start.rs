//! The first command of a newcomer: builds Rely, checks all examples, and shows a proof and a
//! refutation.

use crate::checkout::Checkout;
use crate::command::{cargo, step};
use crate::setup;
use anyhow::{Context as _, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How many files have which verdict.
type Counts = BTreeMap<String, usize>;

pub(crate) fn start(checkout: &Checkout) -> anyhow::Result<()> {
    setup::ensure_solver(checkout)?;
    step(&mut cargo(&["build", "--release", "--package", "rely"]))?;
    let mut counts = Counts::new();
    // Files of Java in one run are one program; each of these stands for itself.
    let (java, others): (Vec<PathBuf>, Vec<PathBuf>) = examples(checkout)?
        .into_iter()
        .partition(|path| path.extension().is_some_and(|ending| ending == "java"));
    for folder in others {
        println!("==> checking {}", folder.display());
        check_examples(checkout, &folder, &mut counts)?;
    }
    println!("==> checking {} programs in examples/java", java.len());
    for path in java {
        check_examples(checkout, &path, &mut counts)?;
    }
    show_a_program(checkout)?;
    let told: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    println!("All examples were checked: {}.", told.join(", "));
    println!(
        "Those that are not proved are meant to fail, or to stay open; each says so in its comments."
    );
    println!("Next: `{} new first`, README.md, docs/language.md.", shown(checkout));
    Ok(())
}

/// The folders of examples, and the files among those in Java.
fn examples(checkout: &Checkout) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut rest = vec![PathBuf::from("examples/java")];
    for entry in fs::read_dir(checkout.root.join("examples"))? {
        let folder = PathBuf::from("examples").join(entry?.file_name());
        if folder != rest[0] {
            found.push(folder);
        }
    }
    while let Some(folder) = rest.pop() {
        for entry in fs::read_dir(checkout.root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() { rest.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

fn program(checkout: &Checkout) -> PathBuf {
    checkout.target.join("release").join("rely")
}

/// The program, as somebody in the checkout would write it.
fn shown(checkout: &Checkout) -> String {
    let program = program(checkout);
    program.strip_prefix(&checkout.root).unwrap_or(&program).display().to_string()
}

fn rely(checkout: &Checkout, words: &[&str]) -> anyhow::Result<Output> {
    let program = program(checkout);
    let mut command = Command::new(&program);
    command.args(words).current_dir(&checkout.root);
    command.output().with_context(|| format!("cannot run {}", program.display()))
}

/// Checks examples, some of which are wrong on purpose.
fn check_examples(checkout: &Checkout, path: &Path, counts: &mut Counts) -> anyhow::Result<()> {
    let name = path.display().to_string();
    // Examples say what is found without inference.
    let language = if name.contains("plato") { &["--no-infer"][..] } else { &[] };
    let output = rely(checkout, &[&["check", "--quiet"], language, &[&name]].concat())?;
    if !matches!(output.status.code(), Some(0 | 1 | 3 | 4 | 5)) {
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("`rely check {name}` failed ({}): {told}", output.status);
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((_, verdict)) = line.split_once(": ").filter(|_| line.starts_with(&name)) else {
            continue;
        };
        let word = verdict.split(" (").next().unwrap_or(verdict);
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    Ok(())
}

/// A first program that is proved, and the same program after a line was taken out.
fn show_a_program(checkout: &Checkout) -> anyhow::Result<()> {
    let folder = checkout.target.join("first");
    let _ = fs::remove_dir_all(&folder);
    let name = |name: &str| folder.join(name).display().to_string();
    rely(checkout, &["new", &folder.display().to_string()])?;
    let bank = name("bank.plato");
    let text = String::from_utf8(fs::read(&bank)?)?;
    println!("\nA program with any number of threads:\n\n{text}");
    print!("{}", String::from_utf8_lossy(&rely(checkout, &["check", &bank])?.stdout));
    let hasty = name("hasty.plato");
    // The mutex is taken where it is needed, and the balance is looked at before.
    let late = text.replacen("  acquire m;\n", "", 1).replacen("  release m;\n", "", 1);
    let step = "    balance := balance - amount;\n";
    let inside = format!("    acquire m;\n{step}    release m;\n");
    fs::write(&hasty, late.replacen(step, &inside, 1))?;
    println!("\nThe same with the mutex inside of the `if`:\n");
    let output = rely(checkout, &["check", "--no-infer", &hasty])?;
    println!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}
