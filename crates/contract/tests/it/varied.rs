//! Random families of any size: three classes of units that refer to each other and are bound anew,
//! loops with different ranges, indexes near both ends and far away.

use crate::designs::Rng;
use std::fmt::Write;

/// A family of units: from 0 to `n` plus this.
#[derive(Clone, Copy)]
struct Units {
    name: &'static str,
    more: i64,
}

/// A loop from a number to `n` minus a number.
#[derive(Clone, Copy)]
struct Range {
    from: i64,
    less: i64,
}

impl Range {
    fn any(rng: &mut Rng) -> Self {
        let [from, less] = [below(rng, 6), below(rng, 6)].map(|one| (one - 3).max(0));
        Self { from, less }
    }
}

/// The smallest size; every fixed index exists from there on.
pub(crate) const LEAST: usize = 5;

/// A system of any size.
pub(crate) fn family(rng: &mut Rng) -> String {
    let mut text = String::new();
    supplier(rng, "B", "C", &mut text);
    supplier(rng, "C", "D", &mut text);
    supplier(rng, "D", "E", &mut text);
    text.push_str("unit class E { }\n");
    for class in 0..2 {
        root(rng, class, &mut text);
    }
    text.push_str(
        "root class W { cond w, x; var all, some: E[*]; var one: D; sync w ==> all; sync x ==> one;
  state a initial; state b {w}; state c {w, x}; state d {x};\n",
    );
    text.push_str(
        [
            "step f: a -> b; step g: b -> a; }\n",
            "step f: a -> d; step g: d -> c; step h: c -> a; }\n",
            "step f [all != some]: a -> b; step g: b -> c / all := some, some := all; step h: c -> a; }\n",
        ][rng.below(3)],
    );
    let _ = writeln!(text, "system X(n >= {LEAST}) {{\n  G: D; H: C;");
    let families = ["B", "C", "D", "E"].map(|name| Units { name, more: below(rng, 4) });
    for Units { name, more } in families {
        let _ = writeln!(text, "  for i in 0..n + {more} {{ {name}[i]: {name}; }}");
    }
    bindings(rng, &families, &mut text);
    threads(rng, &families, &mut text);
    text.push_str("}\n");
    text
}

/// A class of units that refers to two of the next class, and sometimes changes which.
fn supplier(rng: &mut Rng, class: &str, next: &str, text: &mut String) {
    let needs = ["k", "!k", "true", "k"][rng.below(4)];
    let sync = ["", "sync * ==> p;", "sync * ==> p ^ q;", "sync * ==> q;"][rng.below(4)];
    let calls = if next != "E" && rng.percent(40) { " calls p.op" } else { "" };
    let change = ["", "", "", " / p := q, q := p", " / p := q", " / q := nil"][rng.below(6)];
    let guard = ["", "", " [p != q]", " [q != nil]"][rng.below(4)];
    let _ = writeln!(
        text,
        "unit class {class} {{ cond k; var p, q: {next}; {} state x initial; state y {{k}}{calls}; before op{guard}: x -> y{change}; after op: y -> x; {}}}",
        sync.replace('*', needs),
        ["", "", "", "before op: y -> y; "][rng.below(4)]
    );
}

/// A root class whose contract mostly grows.
fn root(rng: &mut Rng, class: usize, text: &mut String) {
    const VARIABLES: [&str; 5] = ["b", "c0", "c1", "d0", "d1"];
    let _ = writeln!(
        text,
        "root class R{class} {{ cond k0, k1, k2, k3, k4; var b: B; var c0, c1: C; var d0, d1: D;"
    );
    for (at, variable) in VARIABLES.iter().enumerate() {
        let _ = writeln!(text, "  sync k{at} ==> {variable};");
    }
    let states = 2 + rng.below(3);
    let grows = rng.percent(60);
    let mut order: Vec<usize> = (0..5).collect();
    (1..5).for_each(|at| order.swap(at, rng.below(at + 1)));
    for state in 0..states {
        let truths: Vec<usize> = if grows {
            order[..state].to_vec()
        } else {
            (0..5).filter(|_| state > 0 && rng.percent(40)).collect()
        };
        let call = truths.iter().find(|_| rng.percent(30));
        let calls = call.map_or_else(String::new, |&at| format!(" calls {}.op", VARIABLES[at]));
        let truths: Vec<String> = truths.iter().map(|at| format!("k{at}")).collect();
        let initial = if state == 0 { " initial" } else { "" };
        let _ = writeln!(text, "  state s{state} {{{}}}{initial}{calls};", truths.join(", "));
    }
    for state in 0..states {
        let to = (state + 1) % states;
        if to == 0 && rng.percent(6) {
            continue;
        }
        let guard = ["", "", "", "", " [c0 != c1]", " [d0 == d1]"][rng.below(6)];
        let assign = match rng.below(20) {
            0 => " / c0 := c1, c1 := c0",
            1 => " / d0 := d1",
            2 => " / c0 := b.p",
            3 => " / d1 := c0.q",
            4 => " / d0 := nil",
            _ => "",
        };
        let _ = writeln!(text, "  step a{state}{guard}: s{state} -> s{to}{assign};");
    }
    text.push_str("}\n");
}

/// The bindings of units; sometimes only some are bound, sometimes those at the ends differ.
fn bindings(rng: &mut Rng, families: &[Units; 4], text: &mut String) {
    for (at, units) in families[..3].iter().enumerate() {
        for variable in ["p", "q"] {
            if rng.percent(25) {
                continue;
            }
            let next = families[at + 1];
            let name = units.name;
            if rng.percent(10) {
                let _ = writeln!(text, "  {name}[*].{variable} = {};", fixed(rng, next));
                continue;
            }
            let range = Range::any(rng);
            let value = near(rng, next, range);
            let Range { from, less } = range;
            let _ = writeln!(
                text,
                "  for i in {from}..n - {less} {{ {name}[i].{variable} = {value}; }}"
            );
            for place in
                (0..from).map(|at| at.to_string()).chain((1..=less).map(|at| format!("n - {at}")))
            {
                if rng.percent(50) {
                    let _ = writeln!(text, "  {name}[{place}].{variable} = {};", fixed(rng, next));
                }
            }
        }
    }
}

fn threads(rng: &mut Rng, families: &[Units; 4], text: &mut String) {
    let [b, c, d, _] = *families;
    let of = [("b", b), ("c0", c), ("c1", c), ("d0", d), ("d1", d)];
    for family in ["T", "V"].iter().take(1 + rng.below(2)) {
        let range = Range::any(rng);
        let Range { from, less } = range;
        let _ = writeln!(text, "  for i in {from}..n - {less} {{ {family}[i]: R{};", rng.below(2));
        for (variable, units) in of {
            let _ = writeln!(text, "    {family}[i].{variable} = {};", near(rng, units, range));
        }
        text.push_str("  }\n");
        let places = (0..from).map(|at| at.to_string());
        for place in places.chain((1..=less).map(|at| format!("n - {at}"))) {
            if rng.percent(40) {
                let _ = writeln!(text, "  {family}[{place}]: R{};", rng.below(2));
                for (variable, units) in of {
                    let _ =
                        writeln!(text, "  {family}[{place}].{variable} = {};", fixed(rng, units));
                }
            }
        }
    }
    if rng.percent(25) {
        let all = ["E[*]", "E[0], E[*]", "E[n - 1], E[*]"][rng.below(3)];
        let many = if rng.percent(50) {
            ("for j in 0..2 { W[j]", "W[j]")
        } else {
            ("for i in 1..n { W[i]", "W[i]")
        };
        let one = if rng.percent(60) { fixed(rng, d) } else { "D[0]".to_owned() };
        let _ = writeln!(
            text,
            "  {}: W; {w}.all = {{ {all} }}; {w}.some = {{ E[*] }}; {w}.one = {one}; }}",
            many.0,
            w = many.1
        );
    }
}

/// A unit at a fixed distance from `i`, or at a fixed place.
fn near(rng: &mut Rng, units: Units, range: Range) -> String {
    if rng.percent(12) {
        return fixed(rng, units);
    }
    let far = [1, 1, 1, 1, 1, 1, 2, 2, 2, 5][rng.below(10)];
    let plus = below(rng, 2 * far + 1) - far;
    let is_inside = range.from + plus >= 0 && plus - range.less <= units.more;
    let name = units.name;
    match plus {
        0 if is_inside => format!("{name}[i]"),
        1.. if is_inside && rng.percent(70) => format!("{name}[i + {plus}]"),
        ..0 if is_inside && rng.percent(70) => format!("{name}[i - {}]", -plus),
        0.. => format!("{name}[(i + {plus}) % n]"),
        _ => format!("{name}[(i + n - {}) % n]", -plus),
    }
}

fn below(rng: &mut Rng, limit: i64) -> i64 {
    i64::try_from(rng.below(usize::try_from(limit).unwrap_or(1))).unwrap_or(0)
}

/// A unit near an end.
fn fixed(rng: &mut Rng, units: Units) -> String {
    let name = units.name;
    match (rng.below(8), name) {
        (0 | 1, "D") => "G".to_owned(),
        (0 | 1, "C") => "H".to_owned(),
        (2 | 3, _) => format!("{name}[{}]", rng.below(3)),
        (4, _) => format!("{name}[({} + 2 * n) % n]", rng.below(LEAST)),
        (5, _) => format!("{name}[n + {}]", units.more - 1).replace("+ -", "- "),
        (6, _) => format!("{name}[(n - {}) % n]", 1 + rng.below(3)),
        _ => format!("{name}[n - {}]", 1 + rng.below(3)),
    }
}
