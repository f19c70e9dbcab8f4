//! Files with findings that were known before, so that only new ones fail a check.

use crate::output;
use anyhow::{Context as _, bail};
use driver::{Baseline, Run, findings};
use serde_json::{Value, json};
use std::path::Path;

/// The only form of the file so far.
const FORMAT: u64 = 1;

/// Reads a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Baseline> {
    let shown = path.display();
    let text = std::fs::read(path).with_context(|| format!("cannot read the baseline {shown}"))?;
    let value: Value = serde_json::from_slice(&text)
        .with_context(|| format!("{shown} is no baseline: it is not JSON"))?;
    let known = value["findings"].as_array().filter(|_| value["format"] == json!(FORMAT));
    let Some(known) = known else { bail!("{shown} is no baseline of format {FORMAT}") };
    let fingerprint = |one: &Value| {
        let text = one["fingerprint"].as_str().map(str::to_owned);
        text.with_context(|| format!("{shown} has a finding without fingerprint: {one}"))
    };
    known.iter().map(fingerprint).collect()
}

/// Notes what is known, and tells how much of the baseline is not found any more.
pub(crate) fn apply(baseline: &Baseline, run: &mut Run) {
    match baseline.apply(run) {
        0 => {}
        1 => output::error("1 finding of the baseline is not found any more"),
        gone => output::error(&format!("{gone} findings of the baseline are not found any more")),
    }
}

/// Writes everything that is found and that no comment allows.
pub(crate) fn write(path: &Path, run: &Run) -> anyhow::Result<()> {
    let mut known = Vec::new();
    for (file, findings) in run.files.iter().zip(findings(run)) {
        for (notice, finding) in file.notices.iter().zip(findings) {
            if Baseline::may_have(notice, file) {
                known.push(json!({
                    "fingerprint": finding.fingerprint,
                    "file": finding.file,
                    "code": finding.code,
                    "message": finding.message,
                }));
            }
        }
    }
    let document = json!({ "format": FORMAT, "findings": known });
    let text = serde_json::to_string_pretty(&document)?;
    std::fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
}
