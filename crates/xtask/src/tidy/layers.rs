//! Compares the table of dependencies in ARCHITECTURE.md with cargo's metadata.

use super::Violation;
use super::files::{File, find};
use crate::checkout::{Checkout, Package};
use std::collections::{BTreeMap, BTreeSet};

const PATH: &str = "ARCHITECTURE.md";
/// The head of the last column, by which the table is found.
const HEAD: &str = "may depend on";

pub(super) fn check(checkout: &Checkout, files: &[File], violations: &mut Vec<Violation>) {
    match find(files, PATH) {
        Some(file) => compare(file, &checkout.crates, violations),
        None => violations.push(Violation::of_file(PATH, "is missing")),
    }
}

fn compare(file: &File, crates: &[Package], violations: &mut Vec<Violation>) {
    let Some(table) = read_table(file) else {
        violations
            .push(Violation::of_file(PATH, format!("has no table with a last column `{HEAD}`")));
        return;
    };
    for package in crates {
        let Some(row) = table.get(&package.name) else {
            violations.push(Violation::of_file(
                PATH,
                format!("the table does not list the crate `{}`", package.name),
            ));
            continue;
        };
        let Allowed::Only(allowed) = &row.allowed else { continue };
        for dependency in package.dependencies.difference(allowed) {
            let message = format!(
                "`{}` depends on `{dependency}`, which the table does not allow",
                package.name
            );
            violations.push(Violation::at(file, row.line, message));
        }
    }
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    line: usize,
    allowed: Allowed,
}

#[derive(Debug, PartialEq, Eq)]
enum Allowed {
    Anything,
    Only(BTreeSet<String>),
}

/// The rows, by the names in their first cell.
fn read_table(file: &File) -> Option<BTreeMap<String, Row>> {
    let mut lines = file.lines();
    lines.find(|(_, line)| cells(line).is_some_and(|(_, last)| last == HEAD))?;
    let mut table = BTreeMap::new();
    // The line of dashes below the head has no names, so it adds no row.
    for (line, (first, last)) in lines.map_while(|(number, line)| Some((number, cells(line)?))) {
        for name in names(first) {
            let allowed = allowed(last, &table);
            table.insert(name, Row { line, allowed });
        }
    }
    Some(table)
}

/// The first and the last cell of a row.
fn cells(line: &str) -> Option<(&str, &str)> {
    let row = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let (first, rest) = row.split_once('|')?;
    let last = rest.rsplit('|').next()?;
    Some((first.trim(), last.trim()))
}

/// The names in back quotes; a path in them, as in the head, is not a name.
fn names(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).filter(|name| !name.contains('/')).map(str::to_owned)
}

fn allowed(cell: &str, above: &BTreeMap<String, Row>) -> Allowed {
    let words = cell.split([';', '(']).next().unwrap_or_default().trim();
    match words {
        "anything" => Allowed::Anything,
        "all above" => Allowed::Only(above.keys().cloned().collect()),
        "-" => Allowed::Only(BTreeSet::new()),
        _ => Allowed::Only(
            words.split(',').map(|name| name.trim().trim_matches('`').to_owned()).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{PATH, compare};
    use crate::checkout::Package;
    use crate::tidy::files::File;

    const TABLE: &str = "\
text
| crate (`crates/NAME`) | one job | may depend on |
|---|---|---|
| `source` | spans | - |
| `logic` | terms \\| sorts | source |
| `driver` | all of it | all above |
| `rely` (binary), `lsp` | skins | `driver`, logic |
| `testkit`, `xtask` | tasks | anything; nothing depends on them |

| `ghost` | outside the table | - |
";

    fn check(name: &str, dependencies: &[&str], expected: &[&str]) {
        let file = File { path: PATH.to_owned(), text: TABLE.to_owned() };
        let dependencies = dependencies.iter().map(|&name| name.to_owned()).collect();
        let package = Package { name: name.to_owned(), roots: Vec::new(), dependencies };
        let mut violations = Vec::new();
        compare(&file, &[package], &mut violations);
        let found: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn allowed() {
        check("source", &[], &[]);
        check("logic", &["source"], &[]);
        check("driver", &["source", "logic"], &[]);
        check("lsp", &["driver"], &[]);
        check("xtask", &["lsp", "driver"], &[]);
    }

    #[test]
    fn forbidden() {
        let message = |line, name, other| {
            format!(
                "ARCHITECTURE.md:{line}: `{name}` depends on `{other}`, which the table does not allow"
            )
        };
        check("source", &["logic"], &[&message(4, "source", "logic")]);
        check("driver", &["rely"], &[&message(6, "driver", "rely")]);
        check("lsp", &["source"], &[&message(7, "lsp", "source")]);
        check("ghost", &[], &["ARCHITECTURE.md: the table does not list the crate `ghost`"]);
    }
}
