//! Whatever the text: no panic, and done soon. The generator has a fixed seed, so a failure repeats.

use crate::programs::ALL;
use crate::support::checked;

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).expect("below a usize")
    }
}

fn run(text: &str) {
    let (program, diagnostics) = checked(text);
    let end = u32::try_from(text.len()).expect("a short text");
    for diagnostic in &diagnostics {
        let span = diagnostic.primary.span;
        assert!(span.start <= span.end && span.end <= end, "{diagnostic:?} in\n{text}");
        assert_ne!(diagnostic.code.as_str(), "internal-error", "{text}");
    }
    drop(program);
}

/// The pieces a program is made of; white space is one of them.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[test]
fn random_bytes() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2000 {
        let length = random.below(60);
        let bytes: Vec<u8> = (0..length).map(|_| random.next().to_le_bytes()[2]).collect();
        run(&String::from_utf8_lossy(&bytes));
        let ascii: String = bytes.iter().map(|byte| char::from(byte % 128)).collect();
        run(&ascii);
    }
}

#[test]
fn token_soup() {
    const EXTRA: &[&str] =
        &["{", "}", "(", ")", "[", "]", ":=", "==>", "..", "&", "/*", "*/", "\"", "'", "9999999"];
    let mut random = Random(0x0123_4567_89ab_cdef);
    let tokens: Vec<&str> =
        ALL.iter().flat_map(|program| pieces(program)).chain(EXTRA.iter().copied()).collect();
    for _ in 0..1500 {
        let starts = ["", "class C { ", "class C { method m() { ", "class C { predicate P { "];
        let mut text = starts[random.below(starts.len())].to_owned();
        for _ in 0..random.below(80) {
            text.push_str(tokens[random.below(tokens.len())]);
            text.push(' ');
        }
        run(&text);
    }
}

#[test]
fn mutated_programs() {
    let mut random = Random(0xdead_beef_cafe_f00d);
    for program in ALL {
        let original = pieces(program);
        for _ in 0..500 {
            let mut pieces = original.clone();
            for _ in 0..=random.below(3) {
                let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
                match random.below(5) {
                    0 => drop(pieces.remove(at)),
                    1 => pieces.insert(at, pieces[other]),
                    2 => pieces.swap(at, other),
                    3 => pieces[at] = pieces[other],
                    _ if random.below(10) == 0 => pieces.truncate(at.max(1)),
                    _ => drop(pieces.remove(other)),
                }
            }
            run(&pieces.concat());
        }
    }
}

#[test]
fn every_prefix() {
    for program in ALL {
        for (at, _) in program.char_indices().step_by(3) {
            run(&program[..at]);
        }
    }
}
