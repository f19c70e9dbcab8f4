//! `rely man`: pages for `man`.

use crate::arguments::Arguments;
use crate::output;
use anyhow::Context as _;
use clap::CommandFactory as _;
use std::path::Path;

pub(crate) fn man(all: Option<&Path>) -> anyhow::Result<u8> {
    let command = Arguments::command();
    match all {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| format!("cannot write the pages to {}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            output::result(&String::from_utf8_lossy(&page));
        }
    }
    Ok(0)
}
