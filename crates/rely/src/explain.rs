//! `rely explain`.

use crate::output;
use anyhow::bail;
use diagnostic::CODES;

const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn explain(code: Option<&str>) -> anyhow::Result<u8> {
    let Some(code) = code else {
        let lines: Vec<String> =
            CODES.iter().map(|info| format!("{:32} {}", info.code, info.summary)).collect();
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
