//! The programs in documentation pages.

use crate::compare::Found;
use crate::example::{Example, check_examples, difference};
use crate::files::{page_files, read, shown};
use crate::markdown::{Block, blocks};
use crate::report::{Mismatch, Report};
use diagnostic::Code;
use driver::{Given, Input, Language, NoLibrary, Stage, Status, dump};
use source::FileId;
use std::path::Path;

/// Codes that no program can show, whose pages therefore need no example.
const WITHOUT_EXAMPLE: &[Code] =
    &[Code::InternalError, Code::SolverFailed, Code::LimitReached, Code::UnknownOption];

/// Where the pages of the codes are.
const CODE_PAGES: &str = "docs/codes/";

/// Checks the programs in all Markdown files of a checkout.
pub fn run_pages(root: &Path) -> Report {
    let files = page_files(root);
    let pages: Vec<(String, String)> =
        files.iter().map(|path| (shown(path, root), read(path))).collect();
    check_pages(&pages)
}

/// Checks the programs in pages, given as name and text.
///
/// A block `plato fails` is checked as an example, `plato rejected` too, and its input must be
/// rejected; `plato holds` must be proved without any diagnostic; `plato` must be a program; `plato
/// fragment` is not a whole program and is skipped. Likewise for the other languages, whose blocks
/// always make a claim. On a page of a code, the failing programs must show that code, and there
/// must be a program that fails and one that holds.
pub fn check_pages(pages: &[(String, String)]) -> Report {
    let mut report = Report::default();
    let mut checked: Vec<(Program, Example)> = Vec::new();
    for (name, text) in pages {
        let code = page_code(name);
        let programs = read_page(name, text, &mut report);
        if let Some(code) = code.filter(|code| !WITHOUT_EXAMPLE.contains(code)) {
            missing_programs(name, code, &programs, &mut report);
        }
        for program in programs {
            let example =
                Example::new(program.name(), program.block.text.as_str()).after(program.block.line);
            match program.claim {
                Claim::Parses => parses(&program, &mut report),
                Claim::Fails | Claim::Rejected | Claim::Holds => checked.push((program, example)),
            }
        }
    }
    let (programs, examples): (Vec<Program>, Vec<Example>) = checked.into_iter().unzip();
    for (indices, run) in check_examples(&examples, |_| {}) {
        for (&index, file) in indices.iter().zip(&run.files) {
            let found = Found::new(file, &run.sources);
            let mut all = difference(&examples[index], &found, &run);
            all.extend(programs[index].against_claim(&found, &examples[index]));
            for (line, message) in all {
                programs[index].mismatch(line, message, &mut report);
            }
            report.compared += 1;
        }
    }
    report.mismatches.sort();
    report
}

/// A program of a page.
struct Program {
    page: String,
    block: Block,
    claim: Claim,
}

/// The claim of a page about a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Fails,
    Rejected,
    Holds,
    Parses,
}

impl Program {
    /// The name of the text, whose ending gives the language.
    fn name(&self) -> String {
        match self.block.language.as_str() {
            "plato" => self.page.clone(),
            language => format!("{}.{language}", self.page),
        }
    }

    /// A mismatch on a line of the block.
    fn mismatch(&self, line: usize, message: String, report: &mut Report) {
        report.mismatches.push(Mismatch::new(&self.page, self.block.line + line, message));
    }

    /// Whether the status is the one that the page claims, and the page's own code is shown.
    fn against_claim(&self, found: &Found, example: &Example) -> Vec<(usize, String)> {
        let mut all = Vec::new();
        let (good, wanted) = match self.claim {
            Claim::Rejected => (found.status == Status::Rejected, "is not rejected"),
            Claim::Holds => (found.status == Status::Proved, "is not proved"),
            Claim::Fails => (found.status != Status::Rejected, "is rejected"),
            Claim::Parses => (true, ""),
        };
        if !good {
            all.push((0, format!("the program {wanted}: its status is {:?}", found.status)));
        }
        let own = page_code(&self.page).filter(|_| self.claim != Claim::Holds);
        let shows = |code: &Code| example.annotations.expectations.iter().any(|e| e.code == *code);
        if let Some(code) = own.filter(|code| !shows(code)) {
            all.push((0, format!("the program does not show `{code}`")));
        }
        if self.claim == Claim::Holds && !example.annotations.expectations.is_empty() {
            all.push((0, "a program that holds expects nothing".to_owned()));
        }
        all
    }
}

fn page_code(name: &str) -> Option<Code> {
    Code::find(name.strip_prefix(CODE_PAGES)?.strip_suffix(".md")?)
}

/// Whether blocks in this language are checked: those that end names of inputs.
fn is_checked(language: &str) -> bool {
    Language::ALL.iter().any(|one| one.endings().contains(&language))
}

fn read_page(name: &str, text: &str, report: &mut Report) -> Vec<Program> {
    let blocks = match blocks(text) {
        Ok(blocks) => blocks,
        Err(line) => {
            report.mismatches.push(Mismatch::new(name, line, "this block does not end"));
            return Vec::new();
        }
    };
    let mut programs = Vec::new();
    for block in blocks.into_iter().filter(|block| is_checked(&block.language)) {
        let claim = match block.flags()[..] {
            [] if block.language == "plato" => Claim::Parses,
            ["fails"] => Claim::Fails,
            ["rejected"] => Claim::Rejected,
            ["holds"] => Claim::Holds,
            ["fragment"] => continue,
            _ => {
                let language = &block.language;
                let message =
                    format!("what follows `{language}` is not fails, rejected, holds or fragment");
                report.mismatches.push(Mismatch::new(name, block.line, message));
                continue;
            }
        };
        programs.push(Program { page: name.to_owned(), block, claim });
    }
    programs
}

fn missing_programs(name: &str, code: Code, programs: &[Program], report: &mut Report) {
    let rejects = code.info().rejects_input;
    let (failing, word) =
        if rejects { (Claim::Rejected, "rejected") } else { (Claim::Fails, "fails") };
    for (claim, word) in [(failing, word), (Claim::Holds, "holds")] {
        if !programs.iter().any(|program| program.claim == claim) {
            let message = format!("the page has no block `plato {word}`");
            report.mismatches.push(Mismatch::new(name, 1, message));
        }
    }
}

/// A block without claim only has to be a program.
fn parses(program: &Program, report: &mut Report) {
    report.compared += 1;
    // The stage after parsing needs names and types to be right, printing does not.
    let input = Input { name: "page.plato".to_owned(), text: program.block.text.clone() };
    let given = Given { definitions: &[], library: &NoLibrary };
    if let Err(diagnostics) = dump(FileId(0), &input, given, Stage::Gcl) {
        for diagnostic in diagnostics {
            let before = &program.block.text[..diagnostic.primary.span.start as usize];
            let line = 1 + before.matches('\n').count();
            program.mismatch(
                line,
                format!("error[{}]: {}", diagnostic.code, diagnostic.message),
                report,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check_pages;

    const HOLDS: &str = "```plato holds\nthread T { assert true; }\n```\n";

    /// The first line of a mismatch, without the message of a diagnostic.
    fn head(message: &str) -> &str {
        let line = message.lines().next().unwrap_or_default();
        line.find("]: ").map_or(line, |end| &line[..=end])
    }

    fn check(name: &str, text: &str, expected: &[&str]) {
        let report = check_pages(&[(name.to_owned(), text.to_owned())]);
        let found: Vec<String> =
            report.mismatches.iter().map(|m| format!("{}: {}", m.line, head(&m.message))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn claims_that_are_true() {
        let text = "```plato fails\nthread T { assert false; } //~ error[assertion-failed]\n```\n";
        check("docs/codes/assertion-failed.md", &format!("{text}{HOLDS}"), &[]);
        check("README.md", text, &[]);
        check("README.md", "```plato\nvar x: int;\n```\n```plato fragment\nx :=\n```\n", &[]);
        check("README.md", "```plato rejected\nvar x: y; //~ error[unknown-name]\n```\n", &[]);
    }

    #[test]
    fn claims_that_are_false() {
        check(
            "a.md",
            "```plato holds\nvar x: int;\nthread T { assert x == 1; }\n```\n",
            &[
                "1: the program is not proved: its status is Refuted",
                "3: not expected: error[assertion-failed]",
            ],
        );
        check(
            "a.md",
            "```plato rejected\nthread T { assert true; }\n```\n",
            &["1: the program is not rejected: its status is Proved"],
        );
        check(
            "a.md",
            "\n```plato fails\nvar x: y; //~ error[unknown-name]\n```\n",
            &["2: the program is rejected: its status is Rejected"],
        );
        check("a.md", "```plato\n\nvar x: y;\n```\n", &["3: error[unknown-name]"]);
        check(
            "a.md",
            "```plato maybe\n```\n",
            &["1: what follows `plato` is not fails, rejected, holds or fragment"],
        );
        check("a.md", "```plato\n", &["1: this block does not end"]);
    }

    #[test]
    fn a_page_shows_its_code() {
        check("docs/codes/rely-violated.md", HOLDS, &["1: the page has no block `plato fails`"]);
        let other = "```plato fails\nthread T { assert false; } //~ error[assertion-failed]\n```\n";
        check(
            "docs/codes/rely-violated.md",
            &format!("{other}{HOLDS}"),
            &["1: the program does not show `rely-violated`"],
        );
    }
}
