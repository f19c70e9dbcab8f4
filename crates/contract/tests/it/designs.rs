//! Random designs with the same seed every time. The test of the middleware uses this file, too.

use std::fmt::Write;

/// The same numbers every time (xorshift64*).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..4).for_each(|_| {
            rng.below(2);
        });
        rng
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let value = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16;
        usize::try_from(value % limit as u64).unwrap_or(0)
    }

    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Roots whose contracts grow and shrink from state to state; suppliers that sometimes need others,
/// sometimes are called, sometimes end.
pub(crate) fn design(rng: &mut Rng) -> String {
    let (suppliers, threads, variables) = (2 + rng.below(3), 2 + rng.below(2), 2 + rng.below(2));
    let mut text = classes(rng, variables);
    system_of(rng, suppliers, threads, &mut text);
    text
}

/// Root classes `R0` and `R1`, and a unit class `S`.
pub(crate) fn classes(rng: &mut Rng, variables: usize) -> String {
    let mut text = String::new();
    for class in 0..2 {
        let states = 2 + rng.below(3);
        let _ = writeln!(text, "root class R{class} {{ cond c0, c1, c2; var v0, v1, v2: S;");
        for at in 0..variables {
            let not = if rng.percent(5) { "!" } else { "" };
            let both = if rng.percent(20) { " | c0" } else { "" };
            let _ = writeln!(text, "  sync {not}c{at}{both} ==> v{at};");
        }
        let grows = rng.percent(50);
        for state in 0..states {
            let truths: Vec<String> = (0..3)
                .filter(|&at| if grows { at < state } else { state > 0 && rng.percent(65) })
                .map(|at| format!("c{at}"))
                .collect();
            let calls = if rng.percent(8) { " calls v0.op" } else { "" };
            let initial = if state == 0 { " initial" } else { "" };
            let _ = writeln!(text, "  state s{state} {{{}}}{initial}{calls};", truths.join(", "));
        }
        for state in 0..states {
            let to = (state + 1) % states;
            if to == 0 && rng.percent(10) {
                continue;
            }
            let _ =
                writeln!(text, "  step a{state}{}: s{state} -> s{to}{};", guard(rng), assign(rng));
        }
        if rng.percent(30) {
            let _ = writeln!(text, "  step b: s{} -> s0;", rng.below(states));
        }
        text.push_str("}\n");
    }
    let needs = ["k", "!k", "true"][rng.below(3)];
    let nests = rng.percent(50);
    let sync = if nests { format!("sync {needs} ==> p;") } else { String::new() };
    let calls = if rng.percent(20) { " calls p.op" } else { "" };
    let _ = writeln!(
        text,
        "unit class S {{ cond k; var p: S; {sync} state x initial; state y {{k}}{calls}; before op: x -> y; after op: y -> x; }}"
    );
    text
}

fn system_of(rng: &mut Rng, suppliers: usize, threads: usize, text: &mut String) {
    text.push_str("system X {\n");
    for unit in 0..suppliers {
        let _ = writeln!(text, "  U[{unit}]: S;");
    }
    // Sometimes all threads are alike, so that they are interchangeable.
    let alike = rng.percent(25);
    let mut looks = Vec::new();
    for thread in 0..threads {
        if !alike || thread == 0 {
            looks = vec![
                rng.below(2),
                rng.below(suppliers),
                rng.below(suppliers),
                rng.below(suppliers),
            ];
        }
        let _ = writeln!(text, "  T[{thread}]: R{};", looks[0]);
        for (variable, unit) in looks[1..].iter().enumerate() {
            let _ = writeln!(text, "  T[{thread}].v{variable} = U[{unit}];");
        }
    }
    for unit in 0..suppliers {
        if rng.percent(60) {
            let _ = writeln!(text, "  U[{unit}].p = U[{}];", rng.below(suppliers));
        }
    }
    text.push_str("}\n");
}

fn guard(rng: &mut Rng) -> &'static str {
    ["", "", "", " [v0 != v1]", " [v1 == v2]", " [v0 != nil & v0 != v2]"][rng.below(6)]
}

fn assign(rng: &mut Rng) -> &'static str {
    match rng.below(24) {
        0 | 1 => " / v0 := v1, v1 := v0",
        2 => " / v2 := any S",
        3 => " / v1 := nil",
        4 => " / v0 := v0.p",
        _ => "",
    }
}
