//! Programs without annotations: how many are proved with annotations that Rely finds, how many it
//! finds, and how many a person wrote. Those named `u_*` are wrong. What `rely check` proves
//! without annotations is put to `rely infer`, too, which looks for some.

use super::{Bench, children_seconds};
use crate::checkout::Checkout;
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The table.
pub(super) fn table(bench: &Bench, checkout: &Checkout) -> anyhow::Result<()> {
    let folder = checkout.root.join("bench/infer");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        files.push(entry?.path());
    }
    files.sort();
    println!("\nannotations that are found");
    let heads = ["", "answer", "found", "by hand", "cpu s", "infer s", "wanted"];
    let [name, answer, found, hand, seconds, infer, wanted] = heads;
    println!("{name:>14} {answer:>10} {found:>8} {hand:>8} {seconds:>8} {infer:>8} {wanted:>8}");
    let (mut proved, mut right) = (0, 0);
    for path in &files {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let Row { answer, mut found, seconds } = row(bench, path)?;
        let is_right = !name.starts_with("u_");
        right += usize::from(is_right);
        proved += usize::from(answer == "proved");
        let mut infer = String::new();
        if answer == "proved" && found == 0 {
            let seconds;
            (found, seconds) = inferred(bench, path)?;
            infer = format!("{seconds:.2}");
        }
        let by_hand = noted(path, "by hand: ")?;
        let wanted = if is_right { noted(path, "wanted: ")? } else { "2 s".to_owned() };
        println!(
            "{name:>14} {answer:>10} {found:>8} {by_hand:>8} {seconds:>8.2} {infer:>8} {wanted:>8}"
        );
    }
    println!("{proved} of {right} right programs are proved");
    Ok(())
}

struct Row {
    answer: String,
    found: usize,
    seconds: f64,
}

fn row(bench: &Bench, path: &PathBuf) -> anyhow::Result<Row> {
    let before = children_seconds()?;
    let out = Command::new(&bench.rely)
        .args(["check", "--no-cache", "--format", "json"])
        .arg(path)
        .env("RELY_Z3", &bench.solver)
        .output()?;
    let seconds = children_seconds()? - before;
    let json: serde_json::Value = serde_json::from_slice(&out.stdout)?;
    let file = &json["files"][0];
    let found = file["inferred"].as_array().map_or(0, Vec::len);
    let answer = file["status"].as_str().unwrap_or_default().to_owned();
    Ok(Row { answer, found, seconds })
}

/// How many annotations `rely infer` prints, and how long that takes.
fn inferred(bench: &Bench, path: &PathBuf) -> anyhow::Result<(usize, f64)> {
    let before = children_seconds()?;
    let out =
        Command::new(&bench.rely).arg("infer").arg(path).env("RELY_Z3", &bench.solver).output()?;
    let seconds = children_seconds()? - before;
    let text = String::from_utf8_lossy(&out.stdout);
    let is_annotation = |line: &&str| !line.trim_start().starts_with("//");
    Ok((text.lines().filter(is_annotation).count(), seconds))
}

/// What the first line says after these words: how many annotations a person wrote, and how many
/// seconds all may take.
fn noted(path: &Path, what: &str) -> anyhow::Result<String> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().next().unwrap_or_default();
    let value = first.split_once(what).map_or("", |(_, rest)| rest);
    Ok(value.split(';').next().unwrap_or_default().trim().to_owned())
}
