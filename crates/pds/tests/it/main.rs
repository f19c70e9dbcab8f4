//! Texts of any kind never make the reader or the searches fail.

use pds::{parse, verify};
use search::{Budget, Engine, Found};
use source::FileId;
use std::fmt::Write;

/// Numbers without pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }
}

const WORDS: &[&str] = &[
    "PDA",
    "0",
    "1",
    "2",
    "3",
    "->",
    "-",
    "#@",
    "init:",
    "never:",
    "0|1,2",
    "*|1,*",
    "#",
    "//",
    "\n",
    "\n",
    "\n",
    "1|-",
    "1.2",
    "|",
    ",",
    "99999999999",
    "ä",
    "0 1 -> 1 2 1\n",
    "PDA 1 2\n",
    "2\n",
    "\r\n",
];

#[test]
fn no_text_is_too_strange() {
    let mut random = Random(1);
    for _ in 0..5_000 {
        let count = random.below(60);
        let words: Vec<&str> = (0..count).map(|_| WORDS[random.below(WORDS.len())]).collect();
        let text = words.join(if random.below(2) == 0 { " " } else { "" });
        let (system, faults) = parse(FileId(0), &text);
        for fault in &faults {
            let span = fault.primary.span;
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{text:?}");
        }
        if faults.is_empty() {
            verify(&system, Engine::Ladder, &Budget { states: 2_000, ..Budget::default() });
        }
    }
}

/// What one search excludes, no other finds; on random systems with two threads.
#[test]
fn searches_agree() {
    let mut random = Random(7);
    let mut seen = [0; 3];
    for _ in 0..1_000 {
        let mut text = "3\n#@ init: 0|0,0\n".to_owned();
        for _ in 0..3 {
            let (state, one, other) = (random.below(3), random.below(3), random.below(3));
            let _ = writeln!(text, "#@ never: {state}|{one},{other}");
        }
        for _ in 0..2 {
            text += "PDA 0 2\n";
            for _ in 0..random.below(8) {
                let words = ["-", "0", "1", "2", "0 1", "1 2", "2 1 0"];
                let (from, top, to) = (random.below(3), random.below(3), random.below(3));
                let word = words[random.below(words.len())];
                let _ = writeln!(text, "{from} {top} -> {to} {word}");
            }
        }
        let (system, faults) = parse(FileId(0), &text);
        assert!(faults.is_empty(), "{text}{faults:?}");
        let budget = Budget { states: 3_000, ..Budget::default() };
        let exact = verify(&system, Engine::Explore, &budget);
        let ladder = verify(&system, Engine::Ladder, &budget);
        for ((_, exact), (_, found)) in exact.targets.iter().zip(&ladder.targets) {
            match (&exact.found, &found.found) {
                (Found::Violated(_), Found::Violated(_)) => seen[0] += 1,
                (Found::Holds(_), Found::Holds(_)) => seen[1] += 1,
                (Found::Open(_), _) => seen[2] += 1,
                _ => panic!("{text}{exact:?}\n{found:?}"),
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}
