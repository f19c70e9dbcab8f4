//! `rely explain`.

use crate::output;
use anyhow::bail;
use diagnostic::{Code, most_similar};

const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn explain(code: Option<&str>) -> anyhow::Result<u8> {
    let Some(code) = code else {
        let line = |code: &Code| format!("{:32} {}", code.as_str(), code.info().summary);
        let lines: Vec<String> = Code::ALL.iter().map(line).collect();
        output::result(&format!("{}\n", lines.join("\n")));
        return Ok(0);
    };
    let Some(found) = Code::find(code) else {
        let known = Code::ALL.iter().map(|code| code.as_str());
        let meant = most_similar(code, known);
        let meant = meant.map(|code| format!("; did you mean `{code}`?")).unwrap_or_default();
        bail!("there is no code `{code}`{meant} `rely explain` lists all");
    };
    output::result(page(found).unwrap_or_default());
    Ok(0)
}

/// The page about a code.
pub(crate) fn page(code: Code) -> Option<&'static str> {
    PAGES.iter().find(|(name, _)| *name == code.as_str()).map(|(_, page)| *page)
}
