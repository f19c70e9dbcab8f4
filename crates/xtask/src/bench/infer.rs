//! Programs without annotations: how many are proved with annotations that Rely finds, how many it
//! finds, and how many a person wrote. Those named `u_*` are wrong.

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
    println!("{:>14} {:>10} {:>8} {:>8} {:>8}", "", "answer", "found", "by hand", "cpu s");
    let (mut proved, mut right) = (0, 0);
    for path in &files {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let Row { answer, found, seconds } = row(bench, path)?;
        let is_right = !name.starts_with("u_");
        right += usize::from(is_right);
        proved += usize::from(answer == "proved");
        let by_hand = by_hand(path)?.map_or(String::new(), |count| count.to_string());
        println!("{name:>14} {answer:>10} {found:>8} {by_hand:>8} {seconds:>8.2}");
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

/// How many annotations a person wrote, as the first line says.
fn by_hand(path: &Path) -> anyhow::Result<Option<usize>> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().next().and_then(|line| line.strip_prefix("// by hand: "));
    Ok(first.and_then(|count| count.parse().ok()))
}
