//! The command lines that pages show.

use crate::markdown::blocks;

/// A block `console` of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Console {
    /// The line of its fence, from 1.
    pub line: usize,
    /// The files that the page gave before, with a word `file=NAME` behind the fence: names and
    /// texts.
    pub files: Vec<(String, String)>,
    /// The commands in order.
    pub commands: Vec<ConsoleCommand>,
}

/// A line `$ rely ...` with the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleCommand {
    /// Its line, from 1.
    pub line: usize,
    /// The words after `$`; the first is `rely`.
    pub words: Vec<String>,
    /// The output, without the newlines at its end.
    pub output: String,
}

/// The console blocks of a page. A block that does not start with a command is an error, given by
/// its line.
pub fn consoles(page: &str) -> Result<Vec<Console>, usize> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut consoles = Vec::new();
    for block in blocks(page)? {
        if let Some(name) = block.attribute("file") {
            files.retain(|(other, _)| other != name);
            files.push((name.to_owned(), block.text.clone()));
        }
        if block.language == "console" {
            let commands = commands(&block.text, block.line)?;
            consoles.push(Console { line: block.line, files: files.clone(), commands });
        }
    }
    Ok(consoles)
}

fn commands(text: &str, fence: usize) -> Result<Vec<ConsoleCommand>, usize> {
    let mut commands: Vec<ConsoleCommand> = Vec::new();
    for (line, content) in (fence + 1..).zip(text.lines()) {
        if let Some(command) = content.strip_prefix("$ ") {
            let words = command.split_whitespace().map(str::to_owned).collect();
            commands.push(ConsoleCommand { line, words, output: String::new() });
        } else {
            let output = &mut commands.last_mut().ok_or(line)?.output;
            output.push_str(content);
            output.push('\n');
        }
    }
    for command in &mut commands {
        command.output.truncate(command.output.trim_end_matches('\n').len());
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::consoles;

    #[test]
    fn commands_with_files() {
        let page = "```plato file=a.plato\nx\n```\n\n```console\n$ rely check a.plato\nline\n\n  more\n$ rely doctor\n```\n";
        let found = consoles(page).expect("well formed");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].files, [("a.plato".to_owned(), "x\n".to_owned())]);
        let shown: Vec<_> = found[0]
            .commands
            .iter()
            .map(|c| (c.line, c.words.join(" "), c.output.as_str()))
            .collect();
        let expected = [
            (6, "rely check a.plato".to_owned(), "line\n\n  more"),
            (10, "rely doctor".to_owned(), ""),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn output_without_command() {
        assert_eq!(consoles("```console\nline\n```\n"), Err(2));
    }
}
