//! The command lines that documentation pages show, with exactly what they print.

use crate::support::Folder;
use testkit::{ConsoleCommand, consoles, page_files, repository};

#[test]
fn console_blocks() {
    let mut failures = Vec::new();
    let mut run = 0;
    for path in page_files(&repository()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let page = std::fs::read(&path).map(String::from_utf8).expect("a page").expect("UTF-8");
        let blocks = consoles(&page)
            .unwrap_or_else(|line| panic!("{name}:{line}: output without a command, or no end"));
        for block in blocks {
            let files: Vec<(&str, &str)> =
                block.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let folder = Folder::new(&format!("console-{name}-{}", block.line), &files);
            for command in &block.commands {
                run += 1;
                if let Some(failure) = difference(&folder, command) {
                    failures.push(format!("{name}:{}: {failure}", command.line));
                }
            }
        }
    }
    assert!(run > 0, "no page shows a command");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a command and the output that the page shows.
fn difference(folder: &Folder, command: &ConsoleCommand) -> Option<String> {
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let ["rely", words @ ..] = words.as_slice() else {
        return Some("only `rely` is run".to_owned());
    };
    if !matches!(words, ["check" | "certificate" | "infer" | "explain" | "dump" | "doctor", ..]) {
        return Some("only check, certificate, infer, explain, dump and doctor are run".to_owned());
    }
    let outcome = folder.rely(words);
    let printed = format!("{}{}", outcome.out, outcome.err);
    let printed = printed.trim_end_matches('\n');
    (printed != command.output)
        .then(|| format!("shown:\n{}\nprinted:\n{printed}\n", command.output))
}
