//! Pages link to files that are there, and each page of the book is in its table of contents.

use super::Violation;
use super::files::{File, find};
use std::path::{Component, Path, PathBuf};

const CONTENTS: &str = "docs/SUMMARY.md";

pub(super) fn check(root: &Path, files: &[File], violations: &mut Vec<Violation>) {
    for file in files.iter().filter(|file| is_page(&file.path)) {
        for (number, target) in targets(file) {
            if !resolved(&file.path, target).is_some_and(|path| exists(root, files, &path)) {
                violations.push(Violation::at(file, number, format!("`{target}` is no file")));
            }
        }
    }
    let Some(contents) = find(files, CONTENTS) else {
        violations.push(Violation::of_file(CONTENTS, "is missing"));
        return;
    };
    let listed: Vec<String> =
        targets(contents).filter_map(|(_, target)| resolved(CONTENTS, target)).collect();
    let pages = files.iter().map(|file| &file.path);
    for page in pages.filter(|path| path.starts_with("docs/") && is_page(path)) {
        if page != CONTENTS && !listed.contains(page) {
            let why = format!("is not listed in {CONTENTS}");
            violations.push(Violation::of_file(page, why));
        }
    }
}

fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "md")
}

/// The files that a page links to or includes, with the lines. Code is no link.
fn targets(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    let lines = file.lines().flat_map(move |(number, line)| {
        in_code ^= line.trim_start().starts_with("```");
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let links = links.filter(|_| !in_code).filter(|target| !target.contains("://"));
        let links = links.filter_map(|target| target.split('#').next());
        let included = line.trim().strip_prefix("{{#include ");
        let included = included.and_then(|rest| rest.strip_suffix("}}"));
        links.chain(included).map(|target| (number, target)).collect::<Vec<_>>()
    });
    lines.filter(|(_, target)| !target.is_empty())
}

/// The path of a target, from the top of the checkout.
fn resolved(page: &str, target: &str) -> Option<String> {
    let mut path = PathBuf::from(page);
    path.pop();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir if !path.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path.to_string_lossy().into_owned())
}

/// Whether there is a file, or a folder with a text.
fn exists(root: &Path, files: &[File], path: &str) -> bool {
    let below = format!("{path}/");
    let is_text = |file: &File| file.path == path || file.path.starts_with(&below);
    files.iter().any(is_text) || root.join(path).is_file()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::files::File;
    use std::path::Path;

    #[test]
    fn links_lead_somewhere() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = [
            file("README.md", "[a](docs/a.md#part) [web](https://a.b) [c](docs/c.md)\n"),
            file("docs/SUMMARY.md", "- [A](a.md)\n"),
            file(
                "docs/a.md",
                "{{#include ../examples/x.plato}}\n{{#include y}}\n```\n[i](j)\n```\n",
            ),
            file("docs/b.md", "[examples](../examples)\n"),
            file("examples/x.plato", ""),
        ];
        let mut violations = Vec::new();
        check(Path::new("no such folder"), &files, &mut violations);
        let found: Vec<String> = violations.iter().map(ToString::to_string).collect();
        let expected = [
            "README.md:1: `docs/c.md` is no file",
            "docs/a.md:2: `y` is no file",
            "docs/b.md: is not listed in docs/SUMMARY.md",
        ];
        assert_eq!(found, expected);
    }
}
