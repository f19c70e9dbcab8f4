//! A library that says it has no tests in it has none: they would never run.

use super::Violation;
use super::files::File;

pub(super) fn check(files: &[File], violations: &mut Vec<Violation>) {
    for manifest in files.iter().filter(|file| says_so(file)) {
        let folder = manifest.path.trim_end_matches("Cargo.toml");
        let source = format!("{folder}src/");
        let inside = files.iter().filter(|file| file.path.starts_with(&source));
        for (file, number) in inside.flat_map(|file| tests(file).map(move |line| (file, line))) {
            let why = format!("a test that never runs: {} has `test = false`", manifest.path);
            violations.push(Violation::at(file, number, why));
        }
    }
}

fn says_so(file: &File) -> bool {
    file.path.ends_with("Cargo.toml") && file.lines().any(|(_, line)| line.trim() == "test = false")
}

/// The lines at which tests begin.
fn tests(file: &File) -> impl Iterator<Item = usize> {
    let is_test = |line: &str| matches!(line.trim(), "#[test]" | "#[cfg(test)]");
    file.lines().filter(move |(_, line)| is_test(line)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::files::File;

    #[test]
    fn tests_that_never_run_are_found() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = [
            file("crates/a/Cargo.toml", "[lib]\ntest = false\n"),
            file("crates/a/src/lib.rs", "fn f() {}\n#[test]\nfn g() {}\n"),
            file("crates/a/tests/it/main.rs", "#[test]\nfn h() {}\n"),
            file("crates/b/Cargo.toml", "[lib]\n"),
            file("crates/b/src/lib.rs", "#[cfg(test)]\nmod tests {}\n"),
        ];
        let mut violations = Vec::new();
        check(&files, &mut violations);
        assert_eq!(violations.len(), 1);
    }
}
