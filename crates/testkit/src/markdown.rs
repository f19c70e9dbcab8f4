//! Fenced code blocks of Markdown.

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of its fence, from 1. The text begins on the next one.
    pub line: usize,
    /// The first word behind the fence: the language.
    pub language: String,
    /// The words after it.
    pub words: Vec<String>,
    /// The text between the fences, each line ended.
    pub text: String,
}

impl Block {
    /// The value of a word `key=value`.
    pub fn attribute(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    /// The words that are no attributes.
    pub fn flags(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).filter(|word| !word.contains('=')).collect()
    }
}

/// The blocks of a page, in order. A block without end is an error, given by its line.
pub fn blocks(page: &str) -> Result<Vec<Block>, usize> {
    let mut blocks = Vec::new();
    let mut open: Option<(Block, &str)> = None;
    for (number, line) in (1..).zip(page.lines()) {
        let indented = line.trim_start();
        let ticks = indented.len() - indented.trim_start_matches('`').len();
        let (fence, info) = indented.split_at(ticks);
        match &mut open {
            None if ticks >= 3 => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let language = words.next().unwrap_or_default();
                let words = words.collect();
                let block = Block { line: number, language, words, text: String::new() };
                open = Some((block, fence));
            }
            None => {}
            Some((_, opened)) if ticks >= opened.len() && info.trim().is_empty() => {
                blocks.extend(open.take().map(|(block, _)| block));
            }
            Some((block, _)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    match open {
        None => Ok(blocks),
        Some((block, _)) => Err(block.line),
    }
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn finds_blocks() {
        let page = "# a\n\n```plato fails file=a.plato\nvar x: int;\n\n  y\n```\ntext `x`\n````\n```\n````\n";
        let found = blocks(page).expect("all blocks end");
        assert_eq!(found.len(), 2);
        let first = &found[0];
        assert_eq!((first.line, first.language.as_str()), (3, "plato"));
        assert_eq!(first.flags(), ["fails"]);
        assert_eq!(first.attribute("file"), Some("a.plato"));
        assert_eq!(first.text, "var x: int;\n\n  y\n");
        assert_eq!((found[1].line, found[1].text.as_str()), (9, "```\n"));
    }

    #[test]
    fn a_block_without_end() {
        assert_eq!(blocks("a\n```plato\nx\n"), Err(2));
    }
}
