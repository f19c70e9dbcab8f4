//! Texts that nobody would write, for tests of parsers. The generator has a fixed seed, so a
//! failure repeats.

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

/// The pieces of a program; white space is one of them.
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

/// Short texts of random bytes, and the same as ASCII.
pub fn random_bytes(run: impl Fn(&str)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2000 {
        let length = random.below(60);
        let bytes: Vec<u8> = (0..length).map(|_| random.next().to_le_bytes()[2]).collect();
        run(&String::from_utf8_lossy(&bytes));
        let ascii: String = bytes.iter().map(|byte| char::from(byte % 128)).collect();
        run(&ascii);
    }
}

/// Pieces of programs and some more, written with spaces between, in any order, after one of the
/// starts.
pub fn token_soup(starts: &[&str], programs: &[&str], more: &str, run: impl Fn(&str)) {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let mut tokens: Vec<&str> = programs.iter().flat_map(|program| pieces(program)).collect();
    tokens.extend(more.split(' '));
    for _ in 0..1500 {
        let mut text = starts[random.below(starts.len())].to_owned();
        for _ in 0..random.below(80) {
            text.push_str(tokens[random.below(tokens.len())]);
            text.push(' ');
        }
        run(&text);
    }
}

/// Programs with a few pieces removed, repeated, exchanged or replaced.
pub fn mutated_programs(programs: &[&str], run: impl Fn(&str)) {
    let mut random = Random(0xdead_beef_cafe_f00d);
    for program in programs {
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
                    _ if random.below(10) == 0 => pieces.truncate(at),
                    _ => drop(pieces.remove(other)),
                }
                if pieces.is_empty() {
                    break;
                }
            }
            run(&pieces.concat());
        }
    }
}

/// Programs that end too early.
pub fn prefixes(programs: &[&str], run: impl Fn(&str)) {
    for program in programs {
        for (at, _) in program.char_indices().step_by(3) {
            run(&program[..at]);
        }
    }
}
