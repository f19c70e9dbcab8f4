//! The searches on random programs.

use testkit::searches::compare_searches;

#[test]
fn searches_agree_on_random_programs() {
    let tally = compare_searches(0..150, 5_000);
    assert!(tally.disagreements.is_empty(), "{}", tally.disagreements.join("\n"));
    assert!(tally.programs > 100 && tally.violated > 20 && tally.certificates > 10, "{tally}");
    assert!(tally.proved.values().all(|&count| count > 20), "{tally}");
}

/// Every example that a search of each thread alone, or of pairs, proves has a certificate that
/// holds, and none that holds without its last line.
#[test]
fn certificates_of_all_examples_hold() {
    let mut count = 0;
    let folder = testkit::repository().join("examples/plato");
    for path in testkit::files_below(&folder, "plato") {
        let name = path.display().to_string();
        let text = testkit::read(&path);
        let mut sources = source::SourceMap::default();
        let file = sources.add(name.as_str(), text.as_str());
        let (tree, faults) = plato::parse(file, &text);
        let resolved = plato::resolve(&tree, &[]);
        let is_rejected = faults.iter().chain(&resolved.diagnostics).next().is_some();
        if is_rejected || machine::infinite(&resolved.program).is_some() {
            continue;
        }
        let program = &resolved.program;
        let budget = search::Budget { states: 50_000, ..search::Budget::default() };
        let Ok(text) = machine::certify(program, &budget) else { continue };
        count += 1;
        let found = machine::recheck(program, &text);
        assert!(found.as_ref().is_ok_and(|found| found.facts > 0), "{name}: {found:?}");
        // The set is the least one, so no part of it can be left out.
        let last = text.trim_end().rfind('\n').expect("facts");
        assert!(machine::recheck(program, &text[..=last]).is_err(), "{name}");
    }
    assert!(count > 20, "{count} examples have a certificate");
}
