//! `rely explain`.

use crate::output;
use anyhow::bail;
use diagnostic::Code;

const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn explain(code: Option<&str>) -> anyhow::Result<u8> {
    let Some(code) = code else {
        let line = |code: &Code| format!("{:32} {}", code.as_str(), code.info().summary);
        let lines: Vec<String> = Code::ALL.iter().map(line).collect();
        output::result(&format!("{}\n", lines.join("\n")));
        return Ok(0);
    };
    match PAGES.iter().find(|(name, _)| *name == code) {
        Some((_, page)) => {
            output::result(page);
            Ok(0)
        }
        None => bail!("there is no code `{code}`; `rely explain` lists all"),
    }
}
