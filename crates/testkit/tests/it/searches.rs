//! The searches on random programs.

use testkit::searches::compare_searches;

#[test]
fn searches_agree_on_random_programs() {
    let tally = compare_searches(0..150, 5_000);
    assert!(tally.disagreements.is_empty(), "{}", tally.disagreements.join("\n"));
    assert!(tally.programs > 100 && tally.violated > 20 && tally.certificates > 10, "{tally}");
    assert!(tally.proved.values().all(|&count| count > 20), "{tally}");
}
